"""Times of sorts over that of a reference sort at the same n, each ratio from one run.

Between runs the speed of a shared machine drifts, so that a ratio of two runs may lie on the wrong side of 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Mapping, Optional, Sequence

from ..records import origins
from ..records.collection import Records
from ..records.measurement import Measurement, fastest
from ..records.statistics import Interval
from .one_setting import Chosen
from .paired_comparisons import rank_runs

ALIKE = 1.05  # ratio of times below which two sorts count as equally fast
Pairs = dict[str, dict[int, "Pair"]]  # pairs by sort and n


@dataclass(frozen=True)
class Pair:
    """A sort and the reference at one n of one run."""

    measured: Measurement
    base: Measurement

    @property
    def over(self) -> Interval:
        """The time over the reference's; exactly 1 for the reference itself."""
        if self.measured is self.base:
            return Interval(1.0, 1.0, 1.0)
        return self.measured.over(self.base)


def find_reference(names: Sequence[str], measured: Iterable[Measurement]) -> Optional[str]:
    """The sort with which the others are compared: the one that is, or nearly is, the fastest on most inputs that it
    shares with another in a run. None if no run has two sorts of one input."""
    inputs: dict[tuple[str, str, int], dict[str, float]] = {}
    for m in measured:
        by_name = inputs.setdefault((m.run, m.case.distribution, m.case.n), {})
        seconds = m.seconds_per_key.value if m.case.n else 0.0
        by_name[m.case.algorithm] = min(seconds, by_name.get(m.case.algorithm, seconds))
    shared = [by_name for by_name in inputs.values() if len(by_name) > 1]
    wins, several = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for by_name in shared:
        quickest = min(by_name.values())
        for name, seconds in by_name.items():
            several[name] += 1
            wins[name] += seconds < ALIKE * quickest
    return max(names, key=lambda name: (wins[name], several[name])) if shared else None


def over_reference(
    records: Records, measured: Sequence[Measurement], chosen: Mapping[str, Chosen], reference: str
) -> Pairs:
    """The pairs of each sort, in the setting chosen for it, at each n at which a run has it and the reference; and the
    reference's own, in the first run with another sort. `measured` are of one type, distribution and number of threads
    of all runs, the oldest first; where several runs have both, the first of rank_runs counts."""
    peers = {name for name in chosen if origins.is_peer(records, name)}
    by_n: dict[int, list[Measurement]] = {}
    for m in measured:
        if m.case.n > 0:
            by_n.setdefault(m.case.n, []).append(m)
    pairs: Pairs = {}
    if reference not in chosen:
        return pairs
    for n, at_n in sorted(by_n.items()):
        for run in rank_runs(at_n, [reference], peers):
            base = [m for m in run if chosen[reference].has(m)]
            for name, one in chosen.items():
                own = [m for m in run if one.has(m)]
                if base and own and name != reference and n not in pairs.get(name, {}):
                    pairs.setdefault(name, {})[n] = Pair(fastest(own), fastest(base))
                    pairs.setdefault(reference, {}).setdefault(n, Pair(fastest(base), fastest(base)))
    return pairs
