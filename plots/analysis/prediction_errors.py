"""Errors of predictions: the signed relative error of each measured point, of models and of baselines.

Two baselines (kind `baseline`) stand beside the models. "bytes over copy bandwidth" is the time to read and write the
input once. "straight line" is the best a + b n through the measured times, which only a fitted model may see. The
papers' own models are compared with the papers' own times.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional, Sequence

import numpy as np

from ..records.measurement import Measurement, phase_seconds
from ..records.prediction import Prediction
from ..records.published import Published
from ..records.collection import Records
from .error_statistics import ErrorStatistics, group_by, summarise

LARGE = 1 << 20  # elements; below this, launches and barriers dominate, so small and large n are reported apart

# Role of the plug-in that stands for the paper's sort, key type, value type and machine id, by artifact and `algorithm`
# of the published time
_PAPERS_TIMES = {
    ("SAT-T1", "radix-buffer(own)"): ("cpu_buffer_radix_paper", "u32", "none", "core_i7"),
    ("SAT-T1", "radix-split(own)"): ("gpu_split_radix", "u32", "none", "gtx280"),
    ("SAT-T1", "merge(own)"): ("gpu_merge", "u32", "none", "gtx280"),
    ("HA-T4", "Impl radix"): ("ha_radix", "u32", "u32", "gtx260"),
    ("HA-T4", "Satish"): ("ipdps09_radix", "u32", "u32", "gtx260"),
}
_PAPERS_THREADS = {"core_i7": 4}  # threads of the paper's times, by machine


@dataclass(frozen=True)
class Point:
    """A measured cell with one model's prediction; its error is (predicted − measured) / measured."""

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
    """A time that a paper prints, with the prediction of the paper's own model."""

    published: Published
    seconds: float
    prediction: Prediction

    @property
    def error(self) -> float:
        return self.prediction.seconds / self.seconds - 1


@dataclass(frozen=True)
class PlugInErrors:
    """Errors of one model of a plug-in at small or at large n, with the baselines' errors at the same points."""

    plug_in: str
    large: bool
    model: str
    kind: str
    family: str
    errors: ErrorStatistics
    worst: Point
    line: Optional[float]  # mean absolute error of the straight line
    bytes: Optional[float]  # mean absolute error of the bytes over copy bandwidth


def predicted_points(records: Records) -> list[Point]:
    """Every measured cell with every prediction from this machine's own profile."""
    by_cell = group_by(records.predictions, lambda p: p.cell)
    return [
        Point(p.model, p.kind, m, p.seconds, p)
        for m in records.ok()
        for p in by_cell.get(m.cell, [])
        if p.is_for(m.machine) and p.seconds > 0
    ]


def preferred(records: Records, points: Sequence[Point], kind: Optional[str] = None) -> list[Point]:
    """The points whose prediction tables and figures show: one for each measured cell, of `kind` if given."""
    return [point for point in points if point.prediction is records.find_prediction(point.measurement, kind)]


def from_calibration(points: Iterable[Point]) -> list[Point]:
    """The points of models that read a calibrated machine and no times of sorts."""
    return [point for point in points if point.kind in ("component", "hardware")]


def worst_point(points: Sequence[Point]) -> Point:
    """The point with the greatest absolute error."""
    return max(points, key=lambda point: abs(point.error))


def papers_points(records: Records) -> list[PapersPoint]:
    """Predictions of the papers' models for the papers' machines beside the times that the papers print, one for each
    model and n."""
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


def errors_by_plug_in(
    points: Sequence[Point], copy_bytes_per_s: Optional[dict[int, float]] = None
) -> list[PlugInErrors]:
    """A row for each plug-in, model, kind and side of LARGE; large n first."""

    def row_key(point: Point) -> tuple[str, bool, str, str, str]:
        c, family = point.measurement.case, point.prediction.family if point.prediction else ""
        return c.algorithm, c.n < LARGE, point.model, point.kind, family

    # The line is fitted through all n of a series, so small and large n share one line.
    lines = {point.measurement.cell: abs(point.error) for point in line_baseline(points)}
    floors = {point.measurement.cell: abs(point.error) for point in bytes_baseline(points, copy_bytes_per_s)}

    def mean_error(known: dict[str, float], group: Sequence[Point]) -> Optional[float]:
        found = [known[p.measurement.cell] for p in group if p.measurement.cell in known]
        return sum(found) / len(found) if found else None

    return [
        PlugInErrors(
            *(plug_in, not small, model, kind, family, summarise([p.error for p in group]), worst_point(group)),
            line=mean_error(lines, group),
            bytes=mean_error(floors, group),
        )
        for (plug_in, small, model, kind, family), group in sorted(group_by(points, row_key).items())
    ]


def line_baseline(points: Sequence[Point]) -> list[Point]:
    """Straight lines a + b n of least squared relative error, one through each series of sizes with all else equal."""

    def series(m: Measurement) -> tuple[object, ...]:
        c = m.case
        return c.algorithm, c.parameters_text, c.type_name, c.distribution, c.threads

    measured = {point.measurement.cell: point.measurement for point in points}
    fitted = []
    for measurements in group_by(measured.values(), series).values():
        n = np.array([m.case.n for m in measurements], dtype=float)
        if len(set(n)) < 3:
            continue  # a line through two points is the points
        seconds = np.array([m.seconds.value for m in measurements if m.seconds])
        weights = 1 / seconds
        design = np.column_stack([np.ones_like(n), n]) * weights[:, None]
        (a, b), *_ = np.linalg.lstsq(design, seconds * weights, rcond=None)
        fitted += [Point("straight line", "baseline", m, float(a + b * m.case.n)) for m in measurements]
    return fitted


def bytes_baseline(points: Sequence[Point], copy_bytes_per_s: Optional[dict[int, float]] = None) -> list[Point]:
    """Times to read and write keys and values once at the copy bandwidth.

    The bandwidth is the prediction's own, else `copy_bytes_per_s`: bytes read and written per second, by host threads.
    """
    made = []
    for point in points:
        c = point.measurement.case
        seconds = point.prediction.bytes_over_copy_s if point.prediction else None
        if not seconds and copy_bytes_per_s and c.on_host:
            nearest = min(copy_bytes_per_s, key=lambda threads: abs(threads - c.threads))
            seconds = 2 * c.n * c.element_bytes / copy_bytes_per_s[nearest]
        if seconds:
            made.append(Point("bytes over copy bandwidth", "baseline", point.measurement, seconds))
    return made


def phase_times(point: Point) -> list[tuple[str, Optional[float], Optional[float], str]]:
    """Name, measured seconds, predicted seconds and binding resources of each phase, summed over its passes."""
    assert point.prediction is not None
    names = list(dict.fromkeys(p.name for p in (*point.measurement.phases, *point.prediction.phases)))

    return [
        (
            name,
            phase_seconds(point.measurement.phases, name),
            phase_seconds(point.prediction.phases, name),
            ", ".join(dict.fromkeys(p.binding for p in point.prediction.phases if p.name == name and p.binding)),
        )
        for name in names
    ]
