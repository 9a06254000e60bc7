"""Compares the settings that `auto` chooses with the fastest measured.

Usage: python3 -m plots.commands.auto_choices MEASURED CHOSEN

MEASURED: records of every setting of an input (configs/gpu2026_regimes.json). CHOSEN: the settings that `auto` chooses
for the same inputs, as `sortlab predict CONFIG --json` or `sortlab run CONFIG --dry-run --json` writes them. Exit
status: 0 if enough choices are near enough, 1 if not, 2 for bad input.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional, Sequence

from ..records import jsonl, statistics
from ..records.bounds import clean
from ..records.case import Case, settings_text
from ..records.jsonl import BadInput
from ..records.schema import case_fault
from .options import Parser, answered

_PROG = "plots.commands.auto_choices"
_LARGEST_LOSS, _LEAST_SHARE = 5.0, 95.0  # percent


class Choice(NamedTuple):
    """The setting chosen for an input, and its loss against the best of the measured settings."""

    case: Case
    best: str
    loss: float  # percent
    settings: int


def choices(measured: Path, chosen: Path) -> tuple[list[Choice], int]:
    """Choices for inputs with several measured settings, the chosen one included, and the number of other choices."""
    medians: dict[Case, dict[str, float]] = {}
    for line in _lines(measured):
        if line.value.get("kind") == "measurement" and line.value.get("status") == "ok":
            case = _case(line)
            medians.setdefault(_input(case), {})[case.parameters_text] = line.number("median_s", least=0)
    found: dict[Case, Choice] = {}
    others: set[Case] = set()
    for line in _lines(chosen):
        if "case" not in line.value:
            continue
        case = _case(line)
        of_input = medians.get(_input(case), {})
        if len(of_input) < 2 or case.parameters_text not in of_input:
            others.add(_input(case))
            continue
        best = min(of_input, key=lambda settings: of_input[settings])
        loss = 100 * (of_input[case.parameters_text] / of_input[best] - 1)
        found[_input(case)] = Choice(case, best, loss, len(of_input))
    return list(found.values()), len(others)


def _case(line: jsonl.Line) -> Case:
    fault = case_fault(line.value["case"])
    if fault:
        raise BadInput(f"{line.where}: case: {fault}")
    return Case.of(line.value["case"])


def _lines(path: Path) -> Iterator[jsonl.Line]:
    refused: list[str] = []
    yield from jsonl.lines(path, [], refused)
    if refused:
        raise BadInput(refused[0])


def _input(case: Case) -> Case:
    return replace(case, parameters={}, version="", entropy_bits=None)


def _share(of: Sequence[Choice], loss: float) -> float:
    return 100 * sum(choice.loss <= loss for choice in of) / len(of)


def _differing(best: str, chosen: dict[str, Any]) -> str:
    own = settings_text(chosen).split(", ")
    return ", ".join(setting for setting in best.split(", ") if setting not in own)


def _choices(arguments: Optional[Sequence[str]]) -> int:
    parser = Parser(prog=f"python3 -m {_PROG}", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("measured", type=Path, help="records with several settings of each input")
    parser.add_argument("chosen", type=Path, help="JSON lines with the cases that auto makes of them")
    parser.add_argument("--loss", type=float, default=_LARGEST_LOSS, help="near: at most so many percent slower (5)")
    parser.add_argument("--share", type=float, default=_LEAST_SHARE, help="enough: so many percent of inputs (95)")
    options = parser.parse_args(arguments)
    found, others = choices(options.measured, options.chosen)
    if not found:
        raise BadInput(f"{clean(str(options.chosen))}: no input of which the chosen setting and another were measured")
    for choice in sorted(found, key=lambda c: -c.loss):
        if choice.loss > options.loss:
            case, better = choice.case, _differing(choice.best, choice.case.parameters)
            print(f"{choice.loss:6.1f} % slower than {better}: {case.type_name}, n {case.n}, {case.distribution}")
    types = sorted({choice.case.type_name for choice in found})
    for name, of in [(t, [c for c in found if c.case.type_name == t]) for t in types] + [("all", found)]:
        mean = statistics.mean(choice.loss for choice in of)
        print(f"{name:<9} {_share(of, options.loss):5.1f} % of {len(of)} within {options.loss:g} %, mean {mean:.1f} %")
    if others:
        print(f"{others} chosen with nothing measured to compare them with")
    return 0 if _share(found, options.loss) >= options.share else 1


def main(arguments: Optional[Sequence[str]] = None) -> int:
    return answered(_PROG, lambda: _choices(arguments))


if __name__ == "__main__":
    sys.exit(main())
