"""Computes Table 2's example: histograms, prefix sums, buckets, and the buckets sorted locally (section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Optional, Sequence

KEYS = ("31", "12", "01", "23", "12", "22", "12", "00", "11", "10", "10", "31", "03", "13", "12", "03")  # radix 4
RADIX = 4
LOCAL = 3  # largest number of keys of a local sort


@dataclass(frozen=True)
class Bucket:
    """A bucket that a pass makes, with the histogram of the next pass."""

    digit: int
    keys: tuple[str, ...]
    histogram: Optional[tuple[int, ...]]  # None if the bucket is sorted locally
    prefix: Optional[tuple[int, ...]]
    sorted: tuple[str, ...]


@dataclass(frozen=True)
class Example:
    keys: tuple[str, ...]
    histogram: tuple[int, ...]
    prefix: tuple[int, ...]
    buckets: tuple[Bucket, ...]

    @property
    def scattered(self) -> tuple[str, ...]:
        return tuple(key for bucket in self.buckets for key in bucket.keys)

    @property
    def sorted(self) -> tuple[str, ...]:
        return tuple(key for bucket in self.buckets for key in bucket.sorted)


def histogram(keys: Sequence[str], place: int) -> tuple[int, ...]:
    """Number of keys with each value of a digit; digit 0 is the most significant."""
    return tuple(sum(int(key[place]) == digit for key in keys) for digit in range(RADIX))


def exclusive_prefix(counts: Sequence[int]) -> tuple[int, ...]:
    return tuple(accumulate(counts, initial=0))[:-1]


def scatter(keys: Sequence[str], place: int) -> list[tuple[str, ...]]:
    """The keys by digit, stably: one of the orders that an unstable pass may leave."""
    counts = histogram(keys, place)
    into: list[str] = [""] * len(keys)
    starts = exclusive_prefix(counts)
    free = list(starts)
    for key in keys:
        into[free[int(key[place])]] = key
        free[int(key[place])] += 1
    return [tuple(into[start : start + count]) for start, count in zip(starts, counts)]


def example(keys: Sequence[str] = KEYS) -> Example:
    """Two passes over two digits; buckets of at most LOCAL keys are sorted locally."""
    buckets = []
    for digit, held in enumerate(scatter(keys, 0)):
        if len(held) <= LOCAL:
            buckets.append(Bucket(digit, held, None, None, tuple(sorted(held))))
            continue
        counts = histogram(held, 1)
        made = tuple(key for sub_bucket in scatter(held, 1) for key in sub_bucket)
        buckets.append(Bucket(digit, held, counts, exclusive_prefix(counts), made))
    counts = histogram(keys, 0)
    return Example(tuple(keys), counts, exclusive_prefix(counts), tuple(buckets))
