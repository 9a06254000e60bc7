"""Statistics of relative errors, in one place for every table, tile and page.

A dozen numbers a group need no library: pandas would add half a second to each start and one more dependency.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Hashable, Iterable, Sequence, TypeVar

from ..records import statistics

_Key = TypeVar("_Key", bound=Hashable)
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class ErrorStatistics:
    """Statistics of signed errors, each a share of the measured time."""

    points: int
    mean_absolute: float
    median_absolute: float
    p90_absolute: float  # 90th percentile
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
        mean_absolute=statistics.mean(absolute),
        median_absolute=statistics.median(absolute),
        p90_absolute=statistics.quantile(absolute, 0.9),
        bias=statistics.mean(errors),
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
