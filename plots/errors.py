"""How far predictions are from measurements: signed error of each point, and what it comes to over groups of points.

Two baselines stand beside a model (reference: design of the models): "bytes", the bytes a sort must at least read and
write once over the machine's copy bandwidth, and "line", the best straight line a + b n through the measured times
themselves, which no analytical model is allowed to see.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Iterable, Optional, Sequence

import numpy as np

from .records import Measurement, Prediction, Records


@dataclass(frozen=True)
class Point:
    """A measured cell and what one model says of it; the error is (predicted − measured) / measured."""

    model: str
    analytical: bool
    measurement: Measurement
    predicted_s: float
    prediction: Optional[Prediction] = None

    @property
    def error(self) -> float:
        assert self.measurement.seconds is not None
        return self.predicted_s / self.measurement.seconds.value - 1


@dataclass(frozen=True)
class Summary:
    """Errors over a group, as shares of the measured time."""

    name: str
    points: int
    mean_absolute: float  # MAPE
    geometric_mean: float  # of |error|
    bias: float  # mean signed error
    worst: Point
    within_10: float  # share of points within ±10 %
    within_15: float


def points(records: Records) -> list[Point]:
    """Every measured cell with every prediction of this machine's own profile."""
    by_cell: dict[str, list[Prediction]] = {}
    for p in records.predictions:
        by_cell.setdefault(p.cell, []).append(p)
    return [
        Point(p.model, p.analytical, m, p.seconds, p)
        for m in records.ok()
        for p in by_cell.get(m.cell, [])
        if p.profile_id == m.machine and p.seconds > 0
    ]


def line_baseline(of: Sequence[Point]) -> list[Point]:
    """The straight line a + b n of least squared relative error through each series over n (all else equal)."""
    series: dict[tuple[object, ...], list[Measurement]] = {}
    for point in of:
        c = point.measurement.case
        key = (c.algorithm, c.parameters_text, c.type_name, c.distribution, c.threads)
        series.setdefault(key, []).append(point.measurement)
    fitted = []
    for measurements in series.values():
        n = np.array([m.case.n for m in measurements], dtype=float)
        if len(set(n)) < 3:
            continue  # a line through two points is the points
        seconds = np.array([m.seconds.value for m in measurements if m.seconds])
        weights = 1 / seconds
        design = np.column_stack([np.ones_like(n), n]) * weights[:, None]
        (a, b), *_ = np.linalg.lstsq(design, seconds * weights, rcond=None)
        fitted += [Point("straight line", False, m, float(a + b * m.case.n)) for m in measurements]
    return fitted


def bytes_baseline(of: Sequence[Point], copy_bytes_per_s: dict[int, float]) -> list[Point]:
    """Keys and values read once and written once at the copy bandwidth (bytes read + written, by threads)."""
    made = []
    for point in of:
        c = point.measurement.case
        nearest = min(copy_bytes_per_s, key=lambda threads: abs(threads - c.threads))
        seconds = 2 * c.n * c.element_bytes / copy_bytes_per_s[nearest]
        made.append(Point("bytes over copy bandwidth", True, point.measurement, seconds))
    return made


def summary(name: str, of: Sequence[Point]) -> Summary:
    """Raises ValueError for no points."""
    if not of:
        raise ValueError("no points to summarise")
    errors = [point.error for point in of]
    absolute = [abs(e) for e in errors]
    return Summary(
        name=name,
        points=len(of),
        mean_absolute=sum(absolute) / len(of),
        geometric_mean=math.exp(sum(math.log(max(a, 1e-6)) for a in absolute) / len(of)),
        bias=sum(errors) / len(of),
        worst=max(of, key=lambda point: abs(point.error)),
        within_10=sum(a <= 0.10 for a in absolute) / len(of),
        within_15=sum(a <= 0.15 for a in absolute) / len(of),
    )


def by(of: Sequence[Point], attribute: Callable[[Measurement], str], order: Sequence[str] = ()) -> list[Summary]:
    """One summary for each value of an attribute, in the order given, else the alphabet's."""
    groups: dict[str, list[Point]] = {}
    for point in of:
        groups.setdefault(attribute(point.measurement), []).append(point)
    place = {name: i for i, name in enumerate(order)}
    return [summary(name, groups[name]) for name in sorted(groups, key=lambda name: (place.get(name, 0), name))]


_SETS = ((1 << 20, "up to 1 MiB"), (1 << 25, "up to 32 MiB"), (1 << 28, "up to 256 MiB"), (math.inf, "above 256 MiB"))
WORKING_SETS = [name for _, name in _SETS]


def working_set(measurement: Measurement) -> str:
    """The class of bytes that keys, values and a second array of both take: the usual caches lie between them."""
    size = 2 * measurement.case.n * measurement.case.element_bytes
    return next(name for limit, name in _SETS if size <= limit)


def phases(point: Point) -> list[tuple[str, Optional[float], Optional[float], str]]:
    """(name, measured s, predicted s, binding resources) of each phase, summed over its passes."""
    assert point.prediction is not None
    names = list(dict.fromkeys(p.name for p in (*point.measurement.phases, *point.prediction.phases)))

    def total(of: Iterable[object], name: str) -> Optional[float]:
        seconds = [p.seconds for p in of if p.name == name]  # type: ignore[attr-defined]
        return sum(seconds) if seconds else None

    return [
        (
            name,
            total(point.measurement.phases, name),
            total(point.prediction.phases, name),
            ", ".join(dict.fromkeys(p.binding for p in point.prediction.phases if p.name == name and p.binding)),
        )
        for name in names
    ]
