"""Medians, intervals and ratios of times: the one place of plots/ that computes them. Its answers are those of
core/statistics.hpp and harness/compare/ratio.hpp (tests/data/statistics/); harness/README.md says what they mean."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Iterable, Sequence

CONFIDENCE = 0.95
FEW_VALUES = 5  # with fewer, no interval of a mean is given
_RESAMPLED = 2000
FEW_SAMPLES = 6  # with fewer, no interval of order statistics reaches 95 %

# Standard deviations of the logarithm of a process's median, assumed where all samples are of one process. Those of the
# host are harness/compare/ratio.cpp's. On a device: 113 kept cells were measured in two runs on one H100 or H200. Of
# 97.5 % of them the two medians differ by 3.2 % at most.
NOISE_ON_ONE_THREAD = 0.03
NOISE_ON_SEVERAL_THREADS = 0.10
NOISE_ON_A_DEVICE = 0.01
_MANY_DEGREES = 1000  # degrees of freedom of an assumed variance


@dataclass(frozen=True)
class Interval:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> "Interval":
        return Interval(self.value * factor, self.low * factor, self.high * factor)

    def inverse(self) -> "Interval":
        return Interval(1 / self.value, 1 / self.high, 1 / self.low)

    def over(self, other: "Interval") -> "Interval":
        """The ratio of two independent values that are not negative.

        On the logarithmic scale, its distance to an end is the root of the sum of squares of the two distances that
        lead there: the method of variance estimates recovery (Zou & Donner, Statistics in Medicine 27, 2008).
        """
        value = self.value / other.value
        below = math.hypot(_log_ratio(self.value, self.low), _log_ratio(other.high, other.value))
        above = math.hypot(_log_ratio(self.high, self.value), _log_ratio(other.value, other.low))
        return Interval(value, value * math.exp(-below), value * math.exp(above) if above < _GREATEST else math.inf)

    def times(self, other: "Interval") -> "Interval":
        """The product, by the same method."""
        return self.over(other.inverse())

    def minus(self, other: "Interval") -> "Interval":
        """The difference of two independent values, by the same method on the linear scale."""
        value = self.value - other.value
        below = math.hypot(self.value - self.low, other.high - other.value)
        above = math.hypot(self.high - self.value, other.value - other.low)
        return Interval(value, value - below, value + above)

    @property
    def half_width(self) -> float:
        """Half the interval, as a share of the value."""
        return (self.high - self.low) / 2 / self.value


_GREATEST = 700.0  # largest argument of exp that is certain to have a value


def _log_ratio(greater: float, lesser: float) -> float:
    """ln(greater / lesser) of two numbers from 0 to infinity; 0 if they are equal."""
    if greater == lesser:
        return 0.0
    return math.log(greater / lesser) if lesser > 0 else math.inf


def exactly(value: float) -> Interval:
    """A value that is computed or counted."""
    return Interval(value, value, value)


def mean_interval(intervals: Sequence[Interval]) -> Interval:
    """The mean of several values whose errors may have a common cause, so that they do not cancel."""
    ends = zip(*((one.value, one.low, one.high) for one in intervals))
    return Interval(*(sum(end) / len(intervals) for end in ends))


def geometric_mean_interval(intervals: Sequence[Interval]) -> Interval:
    """The geometric mean of several positive values whose errors may have a common cause and not cancel."""
    return Interval(*(geometric_mean(end) for end in zip(*((one.value, one.low, one.high) for one in intervals))))


def greatest_interval(intervals: Sequence[Interval]) -> Interval:
    """The greatest of several values, whichever it is: no end lies below that of any of them."""
    return Interval(*(max(end) for end in zip(*((one.value, one.low, one.high) for one in intervals))))


def greatest_over_least(intervals: Sequence[Interval]) -> Interval:
    """The ratio of the greatest of several values to the least."""
    by_value = sorted(intervals, key=lambda one: one.value)
    return by_value[-1].over(by_value[0])


def mean(values: Iterable[float]) -> float:
    every = list(values)
    return sum(every) / len(every)


def standard_deviation(values: Sequence[float]) -> float:
    """Standard deviation of the distribution from which at least two values are drawn."""
    centre = mean(values)
    return math.sqrt(sum((value - centre) ** 2 for value in values) / (len(values) - 1))


def median(values: Iterable[float]) -> float:
    """The middle value, or the mean of the two in the middle."""
    ascending = sorted(values)
    half = len(ascending) // 2
    return ascending[half] if len(ascending) % 2 else (ascending[half - 1] + ascending[half]) / 2


def quantile(values: Iterable[float], p: float) -> float:
    """The p-quantile, linear between neighbours, so that p = 1/2 gives the median."""
    ascending = sorted(values)
    place = p * (len(ascending) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ascending) - 1)
    return ascending[below] + (place - below) * (ascending[above] - ascending[below])


def geometric_mean(values: Iterable[float]) -> float:
    return math.exp(mean(map(math.log, values)))


@functools.lru_cache(maxsize=None)
def student_t(confidence: float, degrees_of_freedom: int) -> float:
    """Half the width of a two-sided interval, in standard errors: the quantile of Student's t distribution.

    Inverts the finite series of Abramowitz & Stegun 26.7.3 and 26.7.4 in theta = atan(t / sqrt(degrees of freedom)).
    """
    low, high = 0.0, math.pi / 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, degrees_of_freedom) < confidence else (low, middle)
    return math.tan((low + high) / 2) * math.sqrt(degrees_of_freedom)


def _within(theta: float, degrees_of_freedom: int) -> float:
    """The chance that |t| is at most sqrt(degrees of freedom) tan(theta)."""
    sine, cosine = math.sin(theta), math.cos(theta)
    odd = degrees_of_freedom % 2
    if degrees_of_freedom == 1:
        return 2 * theta / math.pi
    term = cosine if odd else 1.0
    series = term
    for k in range(2 + odd, degrees_of_freedom - 1, 2):
        term *= (k - 1) / k * cosine * cosine
        series += term
    return 2 / math.pi * (theta + sine * series) if odd else sine * series


def median_interval(samples: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The median with the narrowest symmetric interval of order statistics that covers the true median with at least
    `confidence`; with too few samples the range. Exact for independent samples of any distribution."""
    ascending = sorted(samples)
    n = len(ascending)
    rank, outside = 1, 2.0 * 0.5**n
    while rank < (n + 1) // 2:
        more = 2 * math.comb(n, rank) * 0.5**n if n < 1000 else 2 * math.exp(_log_chance(n, rank))
        if 1 - (outside + more) < confidence:
            break
        outside += more
        rank += 1
    return Interval(median(ascending), ascending[rank - 1], ascending[n - rank])


def _log_chance(n: int, k: int) -> float:
    """The logarithm of the chance of k heads in n tosses of a coin."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)


def mean_over_draws(values: Sequence[float]) -> Interval:
    """The mean with its 95 % interval over possible draws of the values (bootstrap with a fixed seed); from 0 to
    infinity for fewer than FEW_VALUES, none of them negative."""
    if len(values) < FEW_VALUES:
        return Interval(mean(values), 0.0, math.inf)
    import numpy as np  # here alone, so that reading records needs no library

    drawn = np.array(values, dtype=float)
    chosen = np.random.default_rng(1).integers(0, len(drawn), (_RESAMPLED, len(drawn)))
    low, high = np.quantile(drawn[chosen].mean(axis=1), (0.025, 0.975))
    return Interval(float(drawn.mean()), float(low), float(high))


def by_process(samples: Sequence[float], processes: Sequence[int]) -> list[list[float]]:
    """The samples of each process, in ascending order of the processes' numbers."""
    groups: dict[int, list[float]] = {}
    for sample, process in zip(samples, processes):
        groups.setdefault(process, []).append(sample)
    return [groups[process] for process in sorted(groups)]


def run_interval(samples: Sequence[float], processes: Sequence[int]) -> Interval:
    """The median of all samples with the interval that holds the median of a long run with 95 %.

    A process is one observation: on the logarithmic scale the interval is Student's for the mean of the processes'
    medians, though never narrower than the scatter of samples within the processes would have it, and extended to the
    median of all samples where that lies outside. Of samples of one process it is
    median_interval's, which knows nothing of other processes. Source: Kalibera & Jones, ISMM'13, section 9.
    """
    groups = by_process(samples, processes)
    if len(groups) < 2:
        return median_interval(samples)
    centre, half = _student(list(map(median, groups)))
    half = max(half, _half_width_within(groups))
    middle = median(samples)
    return Interval(middle, min(middle, math.exp(centre - half)), max(middle, math.exp(centre + half)))


def _half_width_within(groups: Sequence[Sequence[float]]) -> float:
    """Half the interval's width if processes did not differ: the variance of the logarithm of each one's median is that
    of its samples, were these independent and normal: pi / 2 of their own over their number."""
    several = [[math.log(sample) for sample in group] for group in groups if len(group) > 1]
    if not several:
        return 0.0
    within = mean(math.pi / 2 * standard_deviation(logs) ** 2 / len(logs) for logs in several)
    degrees_of_freedom = sum(len(logs) - 1 for logs in several)
    return student_t(CONFIDENCE, degrees_of_freedom) * math.sqrt(within / len(groups))


def _student(values: Sequence[float]) -> tuple[float, float]:
    """Mean of the logarithms, and half the width of Student's interval for it."""
    logs = [math.log(value) for value in values]
    return mean(logs), student_t(CONFIDENCE, len(logs) - 1) * standard_deviation(logs) / math.sqrt(len(logs))


def assumed_noise(threads: int, on_device: bool) -> float:
    """The standard deviation of the logarithm of a process's median that is assumed where one process is known."""
    if on_device:
        return NOISE_ON_A_DEVICE
    return NOISE_ON_ONE_THREAD if threads == 1 else NOISE_ON_SEVERAL_THREADS


def comparable(recorded: Interval, samples: Sequence[float], processes: Sequence[int], noise: float) -> Interval:
    """The interval with which a median is compared with others: the recorded one of several processes.

    Where all samples are of one process, that interval knows nothing of other processes, and is widened by their
    assumed noise. Of 2 to 5 such samples, no two of which bound the median with 95 %, it is Student's of their
    logarithms that is widened.
    """
    if len(set(processes)) > 1:
        return recorded
    wide = student_t(CONFIDENCE, _MANY_DEGREES)
    few = 2 <= len(samples) < FEW_SAMPLES
    within = _student(samples)[1] if few else wide * _log_ratio(recorded.high, recorded.low) / 4
    factor = math.exp(math.hypot(wide * noise, within))
    return Interval(recorded.value, recorded.value / factor, recorded.value * factor)
