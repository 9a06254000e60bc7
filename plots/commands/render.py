"""The command line of the renderer."""

from __future__ import annotations

import argparse
import difflib
import fnmatch
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Iterable, Optional, Sequence

from ..claims import judgement
from ..records import profile
from ..analysis import provenance
from ..report import page as report
from ..figures.artifact import Artifact, draw
from ..records.bounds import clean
from ..records.jsonl import BadInput
from ..records.key_description import read_key_description
from ..claims.books import Book, books
from ..artifacts.discovery import Builder, find_builders
from ..artifacts.key_pictures import key_picture
from .kept_figures import kept_figures
from .options import Parser, answered, complain
from ..records.folders import ALGORITHMS, PUBLISHED, ROOT, WRITTEN, visible_files
from ..records.collection import Records, profile_files, read
from ..records.plan import Planned, read_plan
from ..records.prices import read_prices
from ..records.whole_file import write_whole
from ..report.absent import KEPT_PAGE, Absent, absent
from ..report.absent import rows as absent_rows


def _parser() -> argparse.ArgumentParser:
    found = Found()
    parser = Parser(
        prog="render.py",
        description="Renders records as tables, figures, the claims ledger and report/index.html.",
        epilog="Example: sortlab render --records results/local/*/quick.jsonl --out report",
    )
    parser.add_argument(
        "--records", nargs="+", type=Path, default=[], metavar="FILE", help="JSON lines, as sortlab writes"
    )
    parser.add_argument(
        "--profile",
        nargs="+",
        type=Path,
        default=[],
        metavar="FILE",
        help="the machine's profile, for the bytes baseline and read peaks; then other machines', for theirs",
    )
    parser.add_argument("--machine", metavar="ID", help="machine to show; default: the one with most records")
    parser.add_argument(
        "--paper", metavar="PAPER", help=f"only this paper's tables, figures and claims: {', '.join(found.papers)}"
    )
    parser.add_argument(
        "--figure", action="append", metavar="ID", help=f"only this table or figure: {', '.join(found.ids)}"
    )
    parser.add_argument(
        "--plugins",
        nargs="+",
        type=Path,
        default=[],
        metavar="FOLDER",
        help="folders of algorithms outside the checkout, with artifacts and claims of their own (plots/README.md)",
    )
    parser.add_argument(
        "--plan", type=Path, metavar="FILE", help="what each config takes here, for the table of what is not measured"
    )
    parser.add_argument(
        "--kept",
        nargs="+",
        type=Path,
        default=[],
        metavar="FOLDER",
        help="folders of kept records, whose tables and figures stand in for those that this machine cannot measure",
    )
    parser.add_argument(
        "--keys",
        nargs="+",
        type=Path,
        default=[],
        metavar="FILE",
        help="keys.json of `sortlab keys describe --out`: pictures of these files of keys",
    )
    parser.add_argument("--price-per-kwh", metavar="AMOUNT", help="for the table ENERGY-COST; no default")
    parser.add_argument(
        "--price-per-hour",
        action="append",
        default=[],
        metavar="[MACHINE=]AMOUNT",
        help="price of an hour of a machine, or of any other machine; for the table ENERGY-COST; no default",
    )
    for ending in ("png", "pdf"):
        does = f"write each artifact as {ending.upper()} too, which takes a while"
        parser.add_argument(f"--{ending}", action="append_const", dest="also", const=ending, default=[], help=does)
    parser.add_argument(
        "--imported",
        action="store_true",
        help="list imported results, which nobody here verified, in a table of theirs",
    )
    parser.add_argument("--out", type=Path, default=WRITTEN / "report", metavar="DIR", help="default: report")
    return parser


class Found:
    """The artifacts and claims that can be rendered: those of plots/, of the algorithms and of outside folders."""

    def __init__(self, outside: Sequence[Path] = ()) -> None:
        for folder in outside:
            if not folder.is_dir():
                raise BadInput(f"--plugins {folder}: no such folder")
        here = sorted(file.parent for file in ALGORITHMS.glob("[!_]*/CMakeLists.txt"))
        folders = [*here, *(folder.resolve() for folder in outside)]
        self.books: list[Book] = books(folders)
        every = find_builders(folders)
        published = sorted(file.stem for file in visible_files(PUBLISHED, "*.jsonl"))
        # Papers with claims come first, in the order of their books.
        of_builders = [builder.paper for builder in every if builder.paper]
        self.papers = list(dict.fromkeys([*(book.name for book in self.books), *published, *of_builders]))
        self.builders: list[Builder] = sorted(
            every, key=lambda m: self.papers.index(m.paper) if m.paper else len(every)
        )
        self.ids = [builder.id for builder in self.builders]
        self.failed: dict[str, str] = {}  # reasons of artifacts that could not be made, by id or pattern

    def chosen(self, figures: Sequence[str], paper: Optional[str]) -> list[Builder]:
        """The builders selected by ids or by paper; all of them without a selection."""
        return [
            builder
            for builder in self.builders
            if (not figures or any(builder.builds(figure) for figure in figures)) and paper in (None, builder.paper)
        ]

    def artifacts(self, records: Records, figures: Sequence[str], paper: Optional[str]) -> list[Artifact]:
        """The artifacts selected by id or by paper; all of them without a selection."""
        made = [artifact for builder in self.chosen(figures, paper) for artifact in self._made(builder, records)]
        return [artifact for artifact in made if not figures or artifact.id in figures]

    def of(self, records: Records, id_: str) -> list[Artifact]:
        """The artifacts of one builder's id or pattern."""
        return next(self._made(builder, records) for builder in self.builders if builder.id == id_)

    def _made(self, builder: Builder, records: Records) -> list[Artifact]:
        """Its artifacts; none, and an entry in `failed`, where an odd value of a record makes it fail."""
        try:
            return builder.artifacts(records)
        except (ArithmeticError, ValueError, LookupError) as error:
            self.failed[builder.id] = f"{type(error).__name__}: {error}"
            return []


def divided(
    artifacts: Sequence[Artifact], builders: Sequence[Builder], plan: Sequence[Planned]
) -> tuple[list[Artifact], list[Absent]]:
    """The artifacts that show something measured, and what there is to measure for the others."""
    shown = [artifact for artifact in artifacts if artifact.is_measured or not artifact.paper]
    missing = []
    for builder in builders:
        made = [artifact for artifact in artifacts if builder.builds(artifact.id)]
        if any(artifact in shown for artifact in made):
            continue
        one = absent(builder.id, made[0].title if made else builder.title, builder.command, plan)
        if one.configs or one.command:
            missing.append(one)
    return shown, missing


def _choice(option: str, given: str, allowed: Iterable[str]) -> str:
    names = list(allowed)
    if any(fnmatch.fnmatchcase(given, name) for name in names):
        return given
    near = difflib.get_close_matches(given, names, 1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise BadInput(f"{option} {given}: unknown{hint}; allowed: {', '.join(names)}")


def shown(path: str) -> str:
    """The path as the page shows it: relative to the checkout if it lies inside, so that no home folder is shown."""
    try:
        path = str(Path(path).resolve().relative_to(ROOT))
    except (ValueError, OSError, RuntimeError):
        pass  # outside the checkout
    return clean(path)


def writable(out: Path) -> None:
    """Raises BadInput unless the folder exists or can be created. Creates nothing."""
    option = f"--out {clean(str(out))}"
    try:
        for place in (out / "artifacts", out, *out.parents):
            try:
                mode = os.stat(place).st_mode
            except FileNotFoundError:
                if place.is_symlink():
                    raise BadInput(f"{option}: {clean(str(place))} is a link that leads nowhere") from None
                continue
            if not stat.S_ISDIR(mode):
                raise BadInput(f"{option}: {clean(str(place))} is no folder")
            if not os.access(place, os.W_OK | os.X_OK):
                raise BadInput(f"{option}: {clean(str(place))} may not be written in")
            return
    except (OSError, ValueError) as error:
        raise BadInput(f"{option}: {getattr(error, 'strerror', error)}; a folder is wanted") from None


def render(arguments: Optional[Sequence[str]] = None) -> Path:
    """Builds the page and returns its path. Raises BadInput before anything is written."""
    options = _parser().parse_args(arguments)
    writable(options.out)
    found = Found(options.plugins)
    paper = _choice("--paper", options.paper, found.papers) if options.paper else None
    figures = [_choice("--figure", name, found.ids) for name in options.figure or []]
    descriptions = [read_key_description(file) for file in options.keys]
    prices = read_prices(options.price_per_kwh, options.price_per_hour)
    copy = profile.copy_bandwidth(options.profile[0]) if options.profile else None
    everything = read([*options.records, *visible_files(PUBLISHED, "*.jsonl")])
    everything.prices = prices
    everything.files = [(shown(path), count) for path, count in everything.files]
    # Profiles in folders of records say what further GPUs can do; those named by the option come first.
    beside = [file for path in options.records for file in (profile_files(path) if path.is_dir() else [])]
    for file in [*reversed(beside), *options.profile]:
        everything.read_bytes_per_s |= profile.read_bandwidth(file)
        everything.copy_bytes_per_s |= profile.device_copy_bandwidth(file)
    for line in provenance.notes_on_records(everything):
        complain("render.py", line)
    records = everything.on(everything.machine_of_choice(options.machine))
    unknown = records.unknown_algorithms()
    if unknown:
        complain("render.py", f"no record of kind algorithm, so a peer: {', '.join(unknown)}")
    artifacts = found.artifacts(records, figures, paper)
    missing: list[Absent] = []
    # Without any measurement, and on request, a paper's own numbers stand alone.
    if (records.measurements or records.components) and not figures:
        artifacts, missing = divided(artifacts, found.chosen(figures, paper), read_plan(options.plan))
    artifacts += [key_picture(one) for one in {one.digest: one for one in descriptions}.values()]
    kept = kept_figures(options.kept, [one for one in missing if one.impossible], found.of)
    found.failed |= draw([*artifacts, *(artifact for of in kept for artifact in of.artifacts)])
    artifacts = [artifact for artifact in artifacts if artifact.id not in found.failed]
    kept = [replace(of, artifacts=[a for a in of.artifacts if a.id not in found.failed]) for of in kept]
    for id_, reason in found.failed.items():
        records.refused.append(f"{id_} cannot be made of these records ({clean(reason)})")
        complain("render.py", f"left out: {records.refused[-1]}")
    judged = judgement.judge(records, [paper] if paper else None, found.books)
    names = profile.by_sha256(options.profile)
    rows = absent_rows(missing, kept)
    pages = {"index.html": report.page(records, artifacts, judged, copy, options.also, options.imported, names, rows)}
    if kept:
        pages[KEPT_PAGE] = report.kept_page(kept, options.also)
    page: Path = options.out / "index.html"
    try:
        for artifact in artifacts:
            artifact.write(options.out / "artifacts", options.also)
        for artifact in (artifact for of in kept for artifact in of.artifacts):
            artifact.write(options.out / "artifacts/kept", options.also)
        options.out.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            write_whole(options.out / name, text, durable=False)
    except OSError as error:
        raise BadInput(f"--out {options.out}: {error.strerror}") from None
    return page


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0, or 2 with one line on standard error for bad input."""

    def shown() -> int:
        print(clean(str(render(arguments))))
        return 0

    return answered("render.py", shown)
