"""One sort against the fastest peer, both of one run.

A run is of one config, one machine and one commit, and takes the samples of sorts on the same input in turn. Between
runs a shared machine's speed drifts by a third, so medians of two runs are never divided by each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Optional, Sequence

from ..records import origins
from ..records.measurement import Measurement, fastest
from ..records.quantities import Interval
from ..records.collection import Records


@dataclass(frozen=True)
class Duel:
    """A sort of ours and the fastest peer on the same input in the same run; the peer may leave threads unused. Either
    takes keys and values in the layout that it is faster with."""

    own: Measurement
    peer: Measurement

    @property
    def peer_over_own(self) -> Interval:
        return self.peer.seconds_per_key.over(self.own.seconds_per_key)

    @property
    def own_over_peer(self) -> Interval:
        return self.own.seconds_per_key.over(self.peer.seconds_per_key)

    @property
    def peer_name(self) -> str:
        fewer = self.peer.case.threads < self.own.case.threads
        return self.peer.case.algorithm + (f", {self.peer.case.threads}T" if fewer else "")


class Duels:
    """Finds them among all runs, including those whose cells a newer run measured again without one of the two."""

    def __init__(self, records: Records, own: Optional[str], residency: str = "host") -> None:
        measured = records.of_all_runs(residency=residency)
        self._own = own
        self._peers = {name for name in {m.case.algorithm for m in measured} if origins.is_peer(records, name)}
        self._by_n: dict[int, list[Measurement]] = {}
        for m in measured:
            self._by_n.setdefault(m.case.n, []).append(m)

    def of(self, threads: Optional[int] = None, *, n: int, **wanted: Any) -> Optional[Duel]:
        """For these fields, ours on that many threads and the peer on as many or fewer, or both on any; None if
        no run has both. Of several runs the one with most peers, then the newest."""
        at_n = self._by_n.get(n, [])
        of = [m for m in at_n if all(getattr(m.case, name) == value for name, value in wanted.items())]
        own = [m for m in of if m.case.algorithm == self._own and threads in (None, m.case.threads)]
        runs = {m.run for m in own}
        peers = of_one_run(
            m
            for m in of
            if m.run in runs and m.case.algorithm in self._peers and (threads is None or m.case.threads <= threads)
        )
        if not peers:
            return None
        return Duel(fastest(m for m in own if m.run == peers[0].run), fastest(peers))


def of_one_run(measured: Iterable[Measurement], wanted: Sequence[str] = ()) -> list[Measurement]:
    """Those of the run that has most of the wanted sorts, of several the one with most sorts, then the newest.
    `measured` is oldest run first."""
    runs: dict[str, list[Measurement]] = {}
    for m in measured:
        runs.setdefault(m.run, []).append(m)

    def sorts(of: list[Measurement]) -> tuple[int, int]:
        names = {m.case.algorithm for m in of}
        return len(names.intersection(wanted)), len(names)

    return max(reversed(runs.values()), key=sorts, default=[])
