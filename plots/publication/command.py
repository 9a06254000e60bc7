"""The command line of `sortlab artifact`: appendix, citation and crate of one machine's records."""

from __future__ import annotations

import datetime
import os
from pathlib import Path
from typing import Optional, Sequence

from ..analysis.provenance import notes_on_records, machine_text
from ..claims import judgement
from ..claims.books import books
from ..commands.options import Parser, answered, complain
from ..records.bounds import clean
from ..records.collection import Records, read
from ..records.folders import ALGORITHMS, PUBLISHED, visible_files
from ..records.jsonl import BadInput
from ..records.whole_file import whole_folder
from . import appendix, citation, crate, document
from .kept_files import KeptFile, kept_files

_PROG = "sortlab artifact"
_TEXTS = ("appendix.md", "appendix.tex", "CITATION.cff")
NO_LIBRARY = (
    f"the crate is left out: the library {crate.LIBRARY} writes it, and is not installed here (pip install "
    f"{crate.LIBRARY}); appendix and citation are written without it"
)


def _parser(papers: Sequence[str]) -> Parser:
    parser = Parser(
        prog=_PROG,
        description="Writes what reviewers of an artifact ask for, from records alone: an appendix in Markdown and "
        "LaTeX (machine, software, time, a row for each claim), CITATION.cff, and the records with their provenance as "
        "a Process Run Crate.",
        epilog='Example: sortlab artifact --records results/local/* --author "Doe, Jane" --out artifact',
    )
    parser.add_argument(
        "--records", nargs="+", type=Path, required=True, metavar="FILE", help="JSON lines, or machines' folders"
    )
    parser.add_argument(
        "--profile", nargs="+", type=Path, default=[], metavar="FILE", help="machine profiles outside those folders"
    )
    parser.add_argument("--machine", metavar="ID", help="machine of the appendix; default: the one with most records")
    parser.add_argument("--paper", action="append", choices=papers, help="only this paper's claims; may be repeated")
    parser.add_argument(
        "--author", action="append", required=True, metavar="NAME", help='"Family, Given", or a group; may be repeated'
    )
    parser.add_argument("--title", metavar="TEXT", help="default: Records of sorts on the machine")
    parser.add_argument("--license", default="Apache-2.0", metavar="SPDX", help="of the records; default: Apache-2.0")
    parser.add_argument("--url", default="", metavar="URL", help="address of Sortlab's sources, for the crate")
    parser.add_argument(
        "--shorten-paths", action="store_true", help="leave out of the recorded commands the folders of this machine"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="a new folder")
    return parser


def _artifact(arguments: Optional[Sequence[str]]) -> int:
    every_book = books(sorted(file.parent for file in ALGORITHMS.glob("[!_]*/CMakeLists.txt")))
    options = _parser([book.name for book in every_book]).parse_args(arguments)
    for name in options.author:
        citation.author(name)
    license_ = citation.checked_license(options.license)
    if os.path.lexists(options.out):
        raise BadInput(f"--out {clean(str(options.out))}: is there already; nothing is overwritten")
    kept = kept_files(options.records, options.profile, options.shorten_paths)
    everything = read([*options.records, *visible_files(PUBLISHED, "*.jsonl")])
    for line in notes_on_records(everything):
        complain(_PROG, line)
    records = everything.on(everything.machine_of_choice(options.machine))
    if not any(m.ok for m in (*records.measurements, *records.components)):
        raise BadInput("--records: hold no verified measurement")
    results = judgement.judge(records, options.paper, every_book)
    title = options.title or f"Records of sorts on {machine_text(records)}"
    with_crate = crate.is_available()
    files = f"{len(kept)} files" if len(kept) != 1 else "one file"
    beside = (
        f"The folder of this appendix is a Process Run Crate: {files} of records and profiles under records/, each "
    )
    beside += "with its SHA-256 and the run that made it, described by ro-crate-metadata.json."
    of_appendix = appendix.sections(records, results, beside if with_crate else None)
    texts = (
        document.markdown(f"Artifact appendix: {title}", of_appendix),
        document.latex_text(f"Artifact appendix: {title}", of_appendix),
        citation.citation(records, title, options.author, license_, list(dict.fromkeys(r.book for r in results))),
    )
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    about = crate.About(title, options.author, license_, date, options.url)
    _write(options.out, dict(zip(_TEXTS, texts)), records, kept if with_crate else [], about)
    if not with_crate:
        complain(_PROG, NO_LIBRARY)
    print(clean(str(options.out)))
    return 0


def _write(out: Path, texts: dict[str, str], records: Records, kept: Sequence[KeptFile], about: crate.About) -> None:
    """Writes the folder, whole or not at all; the crate too if there are kept files."""
    try:
        with whole_folder(out) as made:
            for name, text in texts.items():
                (made / name).write_text(text, encoding="utf-8")
            for file in kept:
                (made / file.place).parent.mkdir(parents=True, exist_ok=True)
                (made / file.place).write_bytes(file.content)
            if kept:
                crate.write(crate.entities(records, kept, list(texts), about), made)
    except OSError as error:
        raise BadInput(f"--out {clean(str(out))}: {error.strerror}") from None


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0, or 2 with one line on standard error for bad input."""
    return answered(_PROG, lambda: _artifact(arguments))
