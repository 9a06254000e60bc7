"""The flagship against the fastest peer of a case: what the table and the heat map of CPU sorts, 2026 share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence

from .. import ours
from ..quantities import Interval
from ..records import Measurement


@dataclass(frozen=True)
class Duel:
    """The flagship and the fastest peer on the same input; the peer may leave threads unused."""

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


def duel_of(measured: Sequence[Measurement], threads: int, **wanted: Any) -> Optional[Duel]:
    """Of these measurements those of one case, on so many threads; None if there is no such pair."""
    of = [m for m in measured if all(getattr(m.case, name) == value for name, value in wanted.items())]
    own = [m for m in of if m.case.algorithm == ours.FLAGSHIP and m.case.threads == threads]
    peers = [m for m in of if ours.is_peer(m.case.algorithm) and m.case.threads <= threads]
    return Duel(ours.fastest(own), ours.fastest(peers)) if own and peers else None
