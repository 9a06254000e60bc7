"""Which measurements a figure shows: of each case the fastest, all sorts by one run where there is one with all."""

from __future__ import annotations

from typing import Hashable, Iterable, Mapping, TypeVar

from ..records.measurement import Measurement
from ..records.collection import Records

At = tuple[int, str]  # n and distribution
_Line = TypeVar("_Line", bound=Hashable)


def fastest(measured: Iterable[Measurement]) -> dict[At, Measurement]:
    """By n and distribution."""
    best: dict[At, Measurement] = {}
    for m in measured:
        at = m.case.n, m.case.distribution
        if m.case.n and (at not in best or m.seconds_per_key.value < best[at].seconds_per_key.value):
            best[at] = m
    return best


def of_one_run(records: Records, lines: Mapping[_Line, Iterable[Measurement]]) -> dict[_Line, dict[At, Measurement]]:
    """For each n and distribution the fastest of each line, by the run that has most of the lines there, the newest
    of several, since two sorts are compared inside one run. A line that this run lacks comes from the newest run
    that has it."""
    by_run: dict[At, dict[str, dict[_Line, Measurement]]] = {}
    for line, measured in lines.items():
        by_line: dict[str, list[Measurement]] = {}
        for m in measured:
            by_line.setdefault(m.run, []).append(m)
        for run, of_run in by_line.items():
            for at, m in fastest(of_run).items():
                by_run.setdefault(at, {}).setdefault(run, {})[line] = m
    started = {run.run: run.started for run in (*records.runs, *records.superseded_runs)}
    shown: dict[_Line, dict[At, Measurement]] = {line: {} for line in lines}
    for at, runs in by_run.items():
        newest_last = sorted(runs, key=lambda run: started.get(run, ""))
        for run in sorted(newest_last, key=lambda run: len(runs[run]) == max(map(len, runs.values()))):
            for line, m in runs[run].items():
                shown[line][at] = m
    return shown


def devices(measured: Iterable[Measurement]) -> str:
    return ", ".join(dict.fromkeys(m.device or m.processor for m in measured))
