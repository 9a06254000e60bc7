"""Runs a command: python3 -m plots COMMAND … in a checkout, python3 -m sortlab COMMAND … where it is installed."""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:  # run as a file: the folder itself must not be on the module search path
    here = Path(__file__).resolve().parent
    sys.path[:] = [str(here.parent), *(place for place in sys.path if place and Path(place).resolve() != here)]
    __package__ = here.name

import importlib  # noqa: E402
import importlib.util  # noqa: E402
from typing import Optional, Sequence  # noqa: E402

# Each command's module, whose main(arguments) returns the exit status, and its purpose.
COMMANDS = {
    "render": ("commands.render", "draws tables, figures, the claims ledger and the report from records"),
    "explore": ("explorer.command", "makes a static site to look through the records of several machines"),
    "fastest": ("commands.fastest", "says which sort is the fastest at each n on each machine, and what one gains"),
    "export": ("exchange.export", "writes records as Google Benchmark's JSON, CSV or Parquet"),
    "import": ("exchange.foreign", "reads results of other harnesses, or shows a colleague's crate beside records"),
    "artifact": ("publication.command", "writes an artifact's appendix, citation and crate of records"),
    "submit": ("exchange.submit", "checks records as a reviewer would and makes a folder for results/reference/"),
    "campaign": ("campaign.command", "measures the reference of a machine, or checks such a folder"),
    "convert-keys": ("commands.convert_keys", "writes a column of a Parquet, Arrow or CSV file as .npy"),
    "draw-keys": ("commands.draw_keys", "draws the picture of a description by keys describe"),
    "check": ("check", "checks that the outputs in a dump are their inputs, sorted"),
    "check-validation": (
        "commands.check_validation",
        "checks that a validation's predictions came before its measurements",
    ),
}


def _there(name: str) -> bool:
    return importlib.util.find_spec(f"{__package__}.{COMMANDS[name][0]}") is not None


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit statuses as everywhere in Sortlab: 0 done, 1 a result to look at, 2 bad input."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:2] == ["keys", "convert"]:  # as the program takes it
        given[:2] = ["convert-keys"]
    commands = [name for name in COMMANDS if _there(name)]
    if given[:1] in (["--help"], ["-h"]):
        print(f"usage: python3 -m {__package__} COMMAND …; COMMAND --help shows the options of one\n")
        print("\n".join(f"  {name:<16} {COMMANDS[name][1]}" for name in commands))
        return 0
    if not given or given[0] not in commands:
        wrong = f"unknown {ascii(given[0])}" if given else "none given"
        print(f"sortlab: command: {wrong}; allowed: {', '.join(commands)}", file=sys.stderr)
        return 2
    start = importlib.import_module(f"{__package__}.commands.start").start
    status: int = start(COMMANDS[given[0]][0], f"sortlab {given[0]}", given[1:])
    return status


def run() -> int:
    streams = importlib.import_module(f"{__package__}.commands.streams")
    status: int = streams.checked_output(" ".join(["sortlab", *sys.argv[1:2]]), main)
    return status


if __name__ == "__main__":
    sys.exit(run())
