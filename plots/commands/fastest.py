"""The command line of `sortlab fastest`: the fastest sort over n, by machine, as a table, figures and a page."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from ..analysis.fastest import fastest_lines
from ..analysis.provenance import notes_on_records
from ..artifacts.own import fastest as figures
from ..figures.artifact import draw
from ..records.bounds import clean
from ..records.collection import read
from ..records.jsonl import BadInput
from ..records.whole_file import write_whole
from ..report import page as report
from .options import Parser, answered, complain
from .render import writable

_PROG = "sortlab fastest"
_ALSO = ("pdf", "png")


def _parser() -> Parser:
    parser = Parser(
        prog=_PROG,
        description="Says which sort is the fastest at each n on each machine, and what one gains over another.",
        epilog="Example: sortlab fastest --records results/reference/*/ --out report/fastest",
    )
    parser.add_argument(
        "--records", nargs="+", type=Path, required=True, metavar="FILE", help="JSON lines, or machines' folders"
    )
    parser.add_argument("--machine", metavar="ID", help="machine over which others gain; default: the slowest")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write a page, and both figures as SVG, PDF, PNG, CSV and LaTeX, there"
    )
    return parser


def _run(arguments: Optional[Sequence[str]]) -> int:
    options = _parser().parse_args(arguments)
    if options.out is not None:
        writable(options.out)
    everything = read(options.records)
    for line in notes_on_records(everything):
        complain(_PROG, line)
    if options.machine is not None:
        everything.machine = everything.machine_of_choice(options.machine)
    lines = fastest_lines(everything)
    if not lines:
        raise BadInput("--records: no two sorts of uniform keys were measured at the same n on one machine")
    if options.out is None:
        print(figures.text_table(lines))
        return 0
    artifacts = figures.make(everything)
    draw(artifacts)
    try:
        for artifact in artifacts:
            artifact.write(options.out / "artifacts", _ALSO)
        page = options.out / "index.html"
        write_whole(page, report.figures_page(figures.TITLE, artifacts, _ALSO), durable=False)
    except OSError as error:
        raise BadInput(f"--out {options.out}: {error.strerror}") from None
    print(clean(str(page)))
    return 0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0, or 2 with one line on standard error for bad input."""
    return answered(_PROG, lambda: _run(arguments))
