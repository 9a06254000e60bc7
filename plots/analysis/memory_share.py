"""Share of a sort's time that scales with memory bandwidth rather than with multiprocessors and clock.

Model LEI-M4 (Leischner et al. 2009, section 6) compares two GPUs. A share s of the time on the slower memory shrinks by
the ratio of bandwidths, the rest by the ratio of multiprocessors times clock:
1 / gain = (1 - s) / work ratio + s / bandwidth ratio.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterable, Mapping

from ..records.measurement import Measurement, fastest_by
from ..records.statistics import Interval

ALIKE = 0.05  # relative distance of the two ratios below which the share is not determined


@dataclass(frozen=True)
class Gain:
    """Measurements of one cell on two GPUs."""

    slow: Measurement  # on the GPU with less bandwidth
    fast: Measurement
    work_ratio: float  # multiprocessors times measured clock, fast over slow
    bandwidth_ratio: float

    @property
    def gain(self) -> Interval:
        return self.slow.over(self.fast)

    @property
    def share(self) -> Interval:
        ends = [memory_share(end, self.work_ratio, self.bandwidth_ratio) for end in (self.gain.low, self.gain.high)]
        return Interval(memory_share(self.gain.value, self.work_ratio, self.bandwidth_ratio), min(ends), max(ends))

    @property
    def is_determined(self) -> bool:
        """True if the GPUs differ enough for their times to determine the share."""
        return abs(self.bandwidth_ratio / self.work_ratio - 1) > ALIKE


def memory_share(gain: float, work_ratio: float, bandwidth_ratio: float) -> float:
    return (1 / work_ratio - 1 / gain) / (1 / work_ratio - 1 / bandwidth_ratio)


def gains(
    here: Iterable[Measurement],
    there: Iterable[Measurement],
    read_bytes_per_s: Mapping[str, float],
    key: Callable[[Measurement], Any] = lambda m: (m.case.n, m.case.distribution),
) -> dict[Any, Gain]:
    """Gains by `key`, from the fastest measurement on either GPU whose read bandwidth is known."""
    best = [
        fastest_by((m for m in measured if m.device in read_bytes_per_s and m.cpe_core), key)
        for measured in (here, there)
    ]
    found = {}
    for at in best[0].keys() & best[1].keys():
        a, b = best[0][at], best[1][at]
        if a.device != b.device:
            slow, fast = sorted((a, b), key=lambda m: read_bytes_per_s[m.device])
            bandwidth = read_bytes_per_s[fast.device] / read_bytes_per_s[slow.device]
            found[at] = Gain(slow, fast, _work_per_s(fast) / _work_per_s(slow), bandwidth)
    return dict(sorted(found.items()))


def _work_per_s(m: Measurement) -> float:
    """Multiprocessors times clock, in cycles per second of all multiprocessors."""
    assert m.cpe_core is not None and m.seconds is not None
    return m.cpe_core * m.case.n / m.seconds.value
