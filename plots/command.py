"""The command line of the renderer."""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path
from typing import Callable, Optional, Sequence

from . import claims, profile, report
from .artifact import Artifact
from .artifacts import (
    all_sorts,
    cpu2026,
    ha_f4,
    ha_t1,
    ha_t2,
    ha_t3,
    ha_t4,
    model_error,
    sat_f1,
    sat_f2,
    sat_s4,
    sat_t1,
    sat_width,
)
from .jsonl import BadInput
from .records import Records, read

_ROOT = Path(__file__).resolve().parent.parent
PAPERS = ("satish2010", "stehle2017", "ha2010", "leischner2009")
# Artifacts of the papers by id; each maker is given one machine's records.
PAPERS_ARTIFACTS: dict[str, tuple[str, Callable[[Records], Artifact]]] = {
    "SAT-T1": ("satish2010", sat_t1.make),
    "SAT-F1": ("satish2010", sat_f1.make),
    "SAT-F2": ("satish2010", sat_f2.make),
    "SAT-WIDTH": ("satish2010", sat_width.make),
    "SAT-S4": ("satish2010", sat_s4.make),
    "HA-F4": ("ha2010", ha_f4.make),
    "HA-T1": ("ha2010", ha_t1.make),
    "HA-F5": ("ha2010", ha_t1.make_plot),
    "HA-T2": ("ha2010", ha_t2.make),
    "HA-F6": ("ha2010", ha_t2.make_plot),
    "HA-T3": ("ha2010", ha_t3.make),
    "HA-T4": ("ha2010", ha_t4.make),
    "HA-F7": ("ha2010", ha_t4.make_plot),
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise BadInput(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="render.py",
        description="Renders records as tables, figures, the claims ledger and report/index.html.",
        epilog="example: python3 plots/render.py --records results/local/*/quick.jsonl --out report",
    )
    parser.add_argument(
        "--records", nargs="+", type=Path, default=[], metavar="FILE", help="JSON lines, as sortlab writes"
    )
    parser.add_argument("--profile", type=Path, metavar="FILE", help="the machine's profile, for the bytes baseline")
    parser.add_argument("--machine", metavar="ID", help="whose records to show; else the machine with most of them")
    parser.add_argument(
        "--paper", metavar="PAPER", help=f"only this paper's tables, figures and claims: {', '.join(PAPERS)}"
    )
    parser.add_argument("--figure", action="append", metavar="ID", help=f"only this one: {', '.join(PAPERS_ARTIFACTS)}")
    parser.add_argument("--out", type=Path, default=_ROOT / "report", metavar="DIR", help="default: report")
    return parser


def _choice(option: str, given: str, allowed: Sequence[str]) -> str:
    if given in allowed:
        return given
    near = difflib.get_close_matches(given, allowed, 1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise BadInput(f"{option} {given}: unknown{hint}; allowed: {', '.join(allowed)}")


def _shown(path: str) -> str:
    """A path as seen from the checkout, where it lies inside: the page shows nobody's home."""
    try:
        return str(Path(path).resolve().relative_to(_ROOT))
    except ValueError:
        return path


def render(arguments: Optional[Sequence[str]] = None) -> Path:
    """Reads, makes and writes everything; returns the page. Raises BadInput before anything is written."""
    options = _parser().parse_args(arguments)
    paper = _choice("--paper", options.paper, PAPERS) if options.paper else None
    figures = [_choice("--figure", name, list(PAPERS_ARTIFACTS)) for name in options.figure or []]
    copy = profile.copy_bandwidth(options.profile) if options.profile else None
    published = sorted((_ROOT / "results" / "published").glob("*.jsonl"))
    everything = read([*options.records, *published])
    everything.files = [(_shown(path), count) for path, count in everything.files]
    records = everything.on(everything.machine_of_choice(options.machine))
    artifacts = [
        make(records)
        for name, (of, make) in PAPERS_ARTIFACTS.items()
        if (not figures or name in figures) and (paper is None or of == paper)
    ]
    if not figures and paper is None:
        artifacts += cpu2026.make(records)
        artifacts += all_sorts.make(records)
        artifacts += model_error.make(records)
    text = report.page(records, artifacts, claims.judge(records, [paper] if paper else None), copy)
    for artifact in artifacts:
        artifact.write(options.out / "artifacts")
    options.out.mkdir(parents=True, exist_ok=True)
    page = options.out / "index.html"
    page.write_text(text, encoding="utf-8")
    return page


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0, or 2 with one line on standard error for bad input."""
    try:
        print(render(arguments))
    except BadInput as error:
        print(f"render.py: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0
