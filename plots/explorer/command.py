"""The command line of the explorer."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Optional, Sequence

from ..analysis import provenance
from ..records.bounds import clean
from ..records.collection import profile_files
from ..records.folders import PUBLISHED, visible_files
from ..records.jsonl import BadInput
from ..records.profile import whole_profile
from ..commands.options import Parser, answered, complain
from .chart_library import chart_library
from .originals import read
from .site import write


_PROG = "explore.py"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=_PROG,
        description="Builds a site that compares machines and sorts: charts, tables, every point's record.",
        epilog="Example: sortlab explore --records results/reference/*/ --out report/explorer",
    )
    parser.add_argument(
        "--records",
        nargs="+",
        type=Path,
        required=True,
        metavar="FILE",
        help="JSON lines, as sortlab writes, or machines' folders, with their profiles",
    )
    parser.add_argument(
        "--profile", nargs="+", type=Path, default=[], metavar="FILE", help="further profiles, for the machines' pages"
    )
    parser.add_argument(
        "--here", default="", metavar="ID", help="this machine: the site opens with it beside all that were measured"
    )
    parser.add_argument(
        "--chart-js", type=Path, metavar="FILE", help="Chart.js 3 or 4, where the distribution's is not installed"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("report/explorer"), metavar="DIR", help="default: report/explorer, from here"
    )
    return parser


def build(arguments: Optional[Sequence[str]] = None) -> Path:
    """Builds the site and returns its first page. Raises BadInput before anything is written."""
    options = _parser().parse_args(arguments)
    library = chart_library(options.chart_js)
    beside = [file for path in options.records if path.is_dir() for file in profile_files(path)]
    profiles = [*options.profile, *beside]
    nodes = [whole_profile(path) for path in dict.fromkeys(profiles)]
    records = read([*options.records, *visible_files(PUBLISHED, "*.jsonl")])
    for line in provenance.notes_on_records(records):
        complain(_PROG, line)
    if not (records.measurements or records.predictions):
        raise BadInput("--records: no measurement and no prediction is among them")
    return write(records, nodes, library, options.out, options.here)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0, or 2 with one line on standard error for bad input."""

    def shown() -> int:
        print(clean(str(build(arguments))))
        return 0

    return answered(_PROG, shown)
