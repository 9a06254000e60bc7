"""How far predictions are from measurements: signed error of each point, and what it comes to over groups of points.

Two baselines stand beside the models (kind `baseline`): "bytes", the bytes a sort must at least read and write once
over the machine's copy bandwidth, and "line", the best straight line a + b n through the measured times, which only a
fitted model is allowed to see. The papers' own models are held against the papers' own times.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Iterable, Optional, Sequence

import numpy as np

from ..records.measurement import Measurement
from ..records.prediction import Prediction
from ..records.published import Published
from ..records.collection import Records

LARGE = 1 << 20  # elements; below, launches and barriers weigh, and errors are told apart

# A paper's times by artifact and `algorithm`: the role of the plug-in that stands for it, the types, and the id of the
# machine they are of.
_PAPERS_TIMES = {
    ("SAT-T1", "radix-buffer(own)"): ("cpu_buffer_radix_paper", "u32", "none", "core_i7"),
    ("SAT-T1", "radix-split(own)"): ("gpu_split_radix", "u32", "none", "gtx280"),
    ("SAT-T1", "merge(own)"): ("gpu_merge", "u32", "none", "gtx280"),
    ("HA-T4", "Impl radix"): ("ha_radix", "u32", "u32", "gtx260"),
    ("HA-T4", "Satish"): ("ipdps09_radix", "u32", "u32", "gtx260"),
}
_PAPERS_THREADS = {"core_i7": 4}  # the cores that the paper's times are of


@dataclass(frozen=True)
class Point:
    """A measured cell and what one model says of it; the error is (predicted − measured) / measured."""

    model: str
    kind: str
    measurement: Measurement
    predicted_s: float
    prediction: Optional[Prediction] = None

    @property
    def error(self) -> float:
        assert self.measurement.seconds is not None
        return self.predicted_s / self.measurement.seconds.value - 1


@dataclass(frozen=True)
class PapersPoint:
    """What a paper's own model says of the paper's own time."""

    published: Published
    seconds: float
    prediction: Prediction

    @property
    def error(self) -> float:
        return self.prediction.seconds / self.seconds - 1


@dataclass(frozen=True)
class PlugInErrors:
    """One plug-in's errors by one model, of small or of large n, with the baselines' errors on the same points."""

    plug_in: str
    large: bool
    model: str
    kind: str
    family: str
    summary: "Summary"
    line: Optional[float]  # mean absolute errors
    bytes: Optional[float]


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
        Point(p.model, p.kind, m, p.seconds, p)
        for m in records.ok()
        for p in by_cell.get(m.cell, [])
        if p.profile_id == m.machine and p.seconds > 0
    ]


def preferred(records: Records, of: Sequence[Point], kind: Optional[str] = None) -> list[Point]:
    """Of each measured cell the point of the prediction that tables and figures show; of one kind, if given."""
    return [point for point in of if point.prediction is records.prediction_of(point.measurement, kind)]


def from_calibration(of: Iterable[Point]) -> list[Point]:
    """The points of models that read a calibrated machine and no times of sorts."""
    return [point for point in of if point.kind in ("component", "hardware")]


def papers_points(records: Records) -> list[PapersPoint]:
    """The papers' models on the papers' machines against the times that the papers print, each model and n once."""
    times = {}
    for p in records.published:
        if (p.id, p.algorithm) in _PAPERS_TIMES and p.n:
            role, *where = _PAPERS_TIMES[p.id, p.algorithm]
            for name in records.standing_for(role):
                times[(name, *where, p.n)] = (p, p.n / p.value if p.unit == "1/s" else p.value)
    made: dict[tuple[str, int], PapersPoint] = {}
    for prediction in records.predictions:
        c = prediction.case
        key = (c.algorithm, c.key_type, c.value_type, prediction.profile_id, c.n)
        of_paper = prediction.profile_origin == "paper" and c.distribution == "uniform"
        if of_paper and key in times and c.threads == _PAPERS_THREADS.get(prediction.profile_id, 1):
            made[prediction.model, c.n] = PapersPoint(*times[key], prediction)
    return [made[key] for key in sorted(made)]


def by_plug_in(of: Sequence[Point], copy_bytes_per_s: Optional[dict[int, float]] = None) -> list[PlugInErrors]:
    """A row for each plug-in, model, kind and side of LARGE; large n first."""
    groups: dict[tuple[str, bool, str, str, str], list[Point]] = {}
    for point in of:
        c, family = point.measurement.case, point.prediction.family if point.prediction else ""
        groups.setdefault((c.algorithm, c.n < LARGE, point.model, point.kind, family), []).append(point)
    # The line is fitted through all n of a series, so that small and large n are of the same line.
    lines = {point.measurement.cell: abs(point.error) for point in line_baseline(of)}
    floors = {point.measurement.cell: abs(point.error) for point in bytes_baseline(of, copy_bytes_per_s)}
    rows = []
    for (plug_in, small, model, kind, family), points_ in sorted(groups.items()):
        line, floor = (
            [known[p.measurement.cell] for p in points_ if p.measurement.cell in known] for known in (lines, floors)
        )
        rows.append(
            PlugInErrors(
                *(plug_in, not small, model, kind, family, summary("", points_)),
                line=sum(line) / len(line) if line else None,
                bytes=sum(floor) / len(floor) if floor else None,
            )
        )
    return rows


def line_baseline(of: Sequence[Point]) -> list[Point]:
    """The straight line a + b n of least squared relative error through each series over n (all else equal)."""
    series: dict[tuple[object, ...], list[Measurement]] = {}
    for m in {point.measurement.cell: point.measurement for point in of}.values():
        c = m.case
        series.setdefault((c.algorithm, c.parameters_text, c.type_name, c.distribution, c.threads), []).append(m)
    fitted = []
    for measurements in series.values():
        n = np.array([m.case.n for m in measurements], dtype=float)
        if len(set(n)) < 3:
            continue  # a line through two points is the points
        seconds = np.array([m.seconds.value for m in measurements if m.seconds])
        weights = 1 / seconds
        design = np.column_stack([np.ones_like(n), n]) * weights[:, None]
        (a, b), *_ = np.linalg.lstsq(design, seconds * weights, rcond=None)
        fitted += [Point("straight line", "baseline", m, float(a + b * m.case.n)) for m in measurements]
    return fitted


def bytes_baseline(of: Sequence[Point], copy_bytes_per_s: Optional[dict[int, float]] = None) -> list[Point]:
    """Keys and values read once and written once at the copy bandwidth: as the prediction says, else by the bytes read
    and written a second given for some numbers of the host's threads."""
    made = []
    for point in of:
        c = point.measurement.case
        seconds = point.prediction.bytes_over_copy_s if point.prediction else None
        if not seconds and copy_bytes_per_s and c.on_host:
            nearest = min(copy_bytes_per_s, key=lambda threads: abs(threads - c.threads))
            seconds = 2 * c.n * c.element_bytes / copy_bytes_per_s[nearest]
        if seconds:
            made.append(Point("bytes over copy bandwidth", "baseline", point.measurement, seconds))
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
