"""Selects the measurements that a figure shows: the fastest of each case, from one run if one has all sorts."""

from __future__ import annotations

from typing import Hashable, Iterable, Mapping, TypeVar

from ..records.measurement import Measurement, fastest_by
from ..records.collection import Records

At = tuple[int, str]  # n and distribution
_Line = TypeVar("_Line", bound=Hashable)


def fastest_by_input(measured: Iterable[Measurement]) -> dict[At, Measurement]:
    """The fastest measurement by n and distribution."""
    return fastest_by(measured, lambda m: (m.case.n, m.case.distribution))


def fastest_within_runs(
    records: Records, lines: Mapping[_Line, Iterable[Measurement]]
) -> dict[_Line, dict[At, Measurement]]:
    """The fastest measurement of each line by n and distribution, from one run wherever possible.

    Sorts are only compared inside one run. The run with most of the lines counts, then the newest. A line that it
    lacks comes from the newest run that has it.
    """
    by_run: dict[At, dict[str, dict[_Line, Measurement]]] = {}
    for line, measured in lines.items():
        by_line: dict[str, list[Measurement]] = {}
        for m in measured:
            by_line.setdefault(m.run, []).append(m)
        for run, in_run in by_line.items():
            for at, m in fastest_by_input(in_run).items():
                by_run.setdefault(at, {}).setdefault(run, {})[line] = m
    started = records.starts
    shown: dict[_Line, dict[At, Measurement]] = {line: {} for line in lines}
    for at, runs in by_run.items():
        newest_last = sorted(runs, key=lambda run: started.get(run, ""))
        for run in sorted(newest_last, key=lambda run: len(runs[run]) == max(map(len, runs.values()))):
            for line, m in runs[run].items():
                shown[line][at] = m
    return shown


def devices(measured: Iterable[Measurement]) -> str:
    return ", ".join(dict.fromkeys(m.device or m.processor for m in measured))
