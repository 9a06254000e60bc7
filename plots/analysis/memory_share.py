"""One GPU against another: which share of a sort's time follows bandwidth rather than multiprocessors and clock.

Leischner et al. 2009, section 6, as LEI-M4 puts it: of a time on the slower memory, the share s shrinks by the ratio of
bandwidths and the rest by that of multiprocessors times clock, 1 / gain = (1 - s) / work ratio + s / bandwidth ratio.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterable, Mapping

from ..records.measurement import Measurement
from ..records.quantities import Interval

ALIKE = 0.05  # ratios of work and of bandwidth nearer than this part no time


@dataclass(frozen=True)
class Gain:
    """One cell on two GPUs."""

    slow: Measurement  # on the GPU with less bandwidth
    fast: Measurement
    work_ratio: float  # multiprocessors times measured clock, fast over slow
    bandwidth_ratio: float

    @property
    def gain(self) -> Interval:
        assert self.slow.seconds is not None and self.fast.seconds is not None
        return self.slow.seconds.over(self.fast.seconds)

    @property
    def share(self) -> Interval:
        ends = [memory_share(end, self.work_ratio, self.bandwidth_ratio) for end in (self.gain.low, self.gain.high)]
        return Interval(memory_share(self.gain.value, self.work_ratio, self.bandwidth_ratio), min(ends), max(ends))

    @property
    def parts(self) -> bool:
        """Whether the two GPUs differ enough for their times to say anything."""
        return abs(self.bandwidth_ratio / self.work_ratio - 1) > ALIKE


def memory_share(gain: float, work_ratio: float, bandwidth_ratio: float) -> float:
    return (1 / work_ratio - 1 / gain) / (1 / work_ratio - 1 / bandwidth_ratio)


def gains(
    here: Iterable[Measurement],
    there: Iterable[Measurement],
    read_bytes_per_s: Mapping[str, float],
    key: Callable[[Measurement], Any] = lambda m: (m.case.n, m.case.distribution),
) -> dict[Any, Gain]:
    """The fastest of each case on either GPU, where both bandwidths are known, by what pairs them."""
    best: list[dict[Any, Measurement]] = [{}, {}]
    for of, measured in zip(best, (here, there)):
        for m in measured:
            if m.device and m.seconds and m.cpe_core and m.device in read_bytes_per_s:
                if key(m) not in of or m.seconds_per_key.value < of[key(m)].seconds_per_key.value:
                    of[key(m)] = m
    found = {}
    for at in best[0].keys() & best[1].keys():
        a, b = best[0][at], best[1][at]
        if a.device != b.device:
            slow, fast = sorted((a, b), key=lambda m: read_bytes_per_s[m.device])
            bandwidth = read_bytes_per_s[fast.device] / read_bytes_per_s[slow.device]
            found[at] = Gain(slow, fast, _work_per_s(fast) / _work_per_s(slow), bandwidth)
    return dict(sorted(found.items()))


def _work_per_s(m: Measurement) -> float:
    """Multiprocessors times clock: what turns cycles per element into time."""
    assert m.cpe_core is not None and m.seconds is not None
    return m.cpe_core * m.case.n / m.seconds.value
