"""Comparisons of one sort with the fastest peer, both from one run.

A run has one config, one machine and one commit, and samples sorts on the same input in turn. Between runs the speed of
a shared machine drifts by up to a third, so medians of different runs are never divided by each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Collection, Iterable, Optional, Sequence

from ..records import origins
from ..records.measurement import Measurement, fastest
from ..records.statistics import Interval
from ..records.collection import Records


@dataclass(frozen=True)
class PairedComparison:
    """One of our sorts and the fastest peer on the same input in the same run.

    The peer may leave threads unused. Each sort has its keys and values in the layout with which it is faster.
    """

    own: Measurement
    peer: Measurement

    @property
    def peer_over_own(self) -> Interval:
        return self.peer.over(self.own)

    @property
    def own_over_peer(self) -> Interval:
        return self.own.over(self.peer)

    @property
    def peer_name(self) -> str:
        fewer = self.peer.case.threads < self.own.case.threads
        return self.peer.case.algorithm + (f", {self.peer.case.threads}T" if fewer else "")


class PairedComparisons:
    """Finds the comparisons of one sort among all runs, including runs whose cells a newer run has superseded."""

    def __init__(self, records: Records, own: Optional[str], residency: str = "host") -> None:
        measured = records.in_all_runs(residency=residency)
        self._own = own
        self._peers = {name for name in {m.case.algorithm for m in measured} if origins.is_peer(records, name)}
        self._by_n: dict[int, list[Measurement]] = {}
        for m in measured:
            self._by_n.setdefault(m.case.n, []).append(m)

    def find(self, threads: Optional[int] = None, *, n: int, **wanted: Any) -> Optional[PairedComparison]:
        """The comparison for these fields of the case, in the run that run() chooses; None if no run has both sorts."""
        found = self.run(threads, n=n, **wanted)
        peers = [m for m in found if m.case.algorithm in self._peers]
        own = [m for m in found if self._is_own(m, threads)]
        return PairedComparison(fastest(own), fastest(peers)) if own and peers else None

    def run(self, threads: Optional[int] = None, *, n: int, **wanted: Any) -> list[Measurement]:
        """The measurements with these fields of the case, of the run that every page shows of them.

        It has our sort on `threads`, and others on as many or fewer; without `threads`, on any number. Of several runs
        the one with most peers counts, then the one with most sorts, then the newest.
        """
        matching = [
            m
            for m in self._by_n.get(n, [])
            if all(getattr(m.case, name) == value for name, value in wanted.items())
            and (threads is None or m.case.threads <= threads)
        ]
        runs = {m.run for m in matching if self._is_own(m, threads)}
        return select_run((m for m in matching if m.run in runs), peers=self._peers)

    def _is_own(self, m: Measurement, threads: Optional[int]) -> bool:
        return m.case.algorithm == self._own and threads in (None, m.case.threads)


def rank_runs(
    measured: Iterable[Measurement], wanted: Sequence[str] = (), peers: Collection[str] = ()
) -> list[list[Measurement]]:
    """The measurements of one input by run: first the run with most of the wanted sorts, then that with most peers,
    with most sorts, and the newest.

    `measured` is ordered by run, oldest first.
    """
    runs: dict[str, list[Measurement]] = {}
    for m in measured:
        runs.setdefault(m.run, []).append(m)

    def sorts(measurements: list[Measurement]) -> tuple[int, int, int]:
        names = {m.case.algorithm for m in measurements}
        return len(names.intersection(wanted)), len(names.intersection(peers)), len(names)

    return sorted(reversed(runs.values()), key=sorts, reverse=True)


def select_run(
    measured: Iterable[Measurement], wanted: Sequence[str] = (), peers: Collection[str] = ()
) -> list[Measurement]:
    """The measurements of the first of rank_runs: the run that every page shows of an input."""
    return next(iter(rank_runs(measured, wanted, peers)), [])
