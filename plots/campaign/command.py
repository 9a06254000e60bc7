"""The command line of campaigns: one that measures, and one that checks a folder."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import Optional, Sequence

from ..commands.options import Parser, answered, complain
from ..records.bounds import clean
from ..records.folders import ROOT
from ..records.jsonl import BadInput
from .check import faults, mark
from .measure import Call
from .plan import read_campaign
from .program import Program

_PROG = "sortlab campaign"
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


def _duration(text: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if not seconds:
        raise BadInput(f"--slice {text}: allowed: a time above 0, as 90, 90s, 9m or 1.5h")
    return seconds


def _parser() -> Parser:
    parser = Parser(
        prog=_PROG,
        description="Measures the reference of a machine by one build, or checks its folder.",
        epilog="Example: sortlab campaign check results/local/campaign --program build/release/sortlab",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    run = commands.add_parser("run", help="measures what is left of a campaign")
    run.add_argument("--campaign", type=Path, default=ROOT / "configs/reference.json", metavar="FILE")
    run.add_argument("--slice", default="24h", metavar="TIME", help="ends after this time; the same command goes on")
    run.add_argument("--out", type=Path, metavar="FOLDER", help="default: results/local/campaign")
    run.add_argument("--dry-run", action="store_true", help="says what each step would take; measures nothing")
    run.add_argument("--program", type=Path, default=ROOT / "build/release/sortlab", metavar="FILE")
    check = commands.add_parser("check", help="holds a campaign's folder to its manifest")
    check.add_argument("folder", type=Path, metavar="FOLDER")
    check.add_argument(
        "--program", type=Path, metavar="FILE", help="the build at hand: sorts that have changed since must be marked"
    )
    check.add_argument("--mark", action="store_true", help="with --program: marks them in manifest and README")
    return parser


def _campaign(arguments: Optional[Sequence[str]]) -> int:
    options = _parser().parse_args(arguments)
    return _check(options) if options.command == "check" else _run(options)


def _check(options: argparse.Namespace) -> int:
    if options.mark and not options.program:
        raise BadInput("--mark: needs --program, the build at hand")
    if options.mark:
        mark(options.folder, Program(options.program, options.folder, own_root=False))
    program = Program(options.program, options.folder, own_root=False) if options.program else None
    found = faults(options.folder, program)
    for fault in found:
        complain(_PROG, fault)
    if not found:
        print(f"{clean(str(options.folder))}: passes")
    return 1 if found else 0


def _run(options: argparse.Namespace) -> int:
    seconds = _duration(options.slice)
    campaign = read_campaign(options.campaign)
    folder = (options.out or ROOT / "results/local/campaign").resolve()
    call = Call(
        Program(options.program, folder), folder, campaign, seconds, lambda text: print(clean(text), flush=True)
    )
    if options.dry_run:
        call.show_plan()
        return 0
    if not call.run():
        return 128 + call.program.caught if call.program.caught else 3
    print(clean(os.path.relpath(folder)))
    for name in call.failed:
        complain(_PROG, f"step {name} failed, as the manifest says")
    return 1 if call.failed else 0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0; 1 if a step failed or the folder does not pass; 2 for bad input; 3 if the slice ended first."""
    return answered(_PROG, lambda: _campaign(arguments))
