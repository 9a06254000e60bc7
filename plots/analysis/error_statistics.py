"""Statistics of relative errors, in one place for every table, tile and page.

A dozen numbers a group need no library: pandas would add half a second to each start and one more dependency.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Callable, Hashable, Iterable, Sequence, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class ErrorStatistics:
    """Statistics of signed errors, each a share of the measured time."""

    points: int
    mean_absolute: float
    median_absolute: float
    geometric_mean: float  # geometric mean of the absolute errors
    bias: float  # mean of the signed errors
    worst: float  # the signed error of the greatest magnitude
    within_10: float  # share of points within ±10 %
    within_15: float


def summarise(errors: Sequence[float]) -> ErrorStatistics:
    """The statistics of at least one error. Raises ValueError for none."""
    if not errors:
        raise ValueError("no errors to summarise")
    absolute, n = [abs(error) for error in errors], len(errors)
    return ErrorStatistics(
        points=n,
        mean_absolute=sum(absolute) / n,
        median_absolute=statistics.median_high(absolute),
        geometric_mean=math.exp(sum(math.log(max(error, 1e-6)) for error in absolute) / n),
        bias=sum(errors) / n,
        worst=max(errors, key=abs),
        within_10=sum(error <= 0.10 for error in absolute) / n,
        within_15=sum(error <= 0.15 for error in absolute) / n,
    )


def group_by(items: Iterable[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, list[_Item]]:
    """The items by key, keys and items in the order in which they come."""
    groups: dict[_Key, list[_Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
