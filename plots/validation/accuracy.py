"""Accuracy of the models of a validation: their errors beside baselines, the machine's drift and the targets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Optional, Sequence

from ..analysis import prediction_errors
from ..analysis.error_statistics import group_by
from ..analysis.prediction_errors import LARGE, Point
from ..records.measurement import Measurement
from ..records import statistics
from ..records.statistics import Interval
from ..records.collection import Records
from ..records.trail import CalibrationPoint, Drift, Trail

MET, MISSED, UNDECIDED, NO_CELLS = "met", "missed", "undecided", "no cells"
PHASES_FROM = 1 << 22
PHASE_SHARE = 0.01  # least share of the sort's time; in shorter phases, barriers and events dominate the measurement
MANY_THREADS = 16


def validated_records(trail: Trail) -> Records:
    """The cells of this validation alone, with the predictions to which it commits."""
    runs = [run for run, _ in trail.runs]
    made = Records(runs=runs, measurements=trail.measurements, predictions=[p for p, _, _ in trail.predictions])
    return made.on(trail.validation.machine if trail.validation else None)


def kinds(points: Sequence[Point]) -> list[str]:
    return [kind for kind in ("component", "hardware") if any(p.kind == kind for p in points)]


def points_of_kind(records: Records, points: Sequence[Point], kind: str) -> list[Point]:
    """The points of this kind whose prediction tables show, one for each cell."""
    return prediction_errors.preferred(records, [p for p in points if p.kind == kind], kind)


# Baselines that use the times of other cells, as a reader without models would. No model may see these.


def nearest_size(points: Sequence[Point]) -> list[Point]:
    """Predicts each cell by the rate at the nearest other size, for the same sort, width and threads."""
    return _from_others(points, lambda m: (m.case.algorithm, f"{m.case.element_bytes}", m.processor), _nearest)


def same_rate(points: Sequence[Point]) -> list[Point]:
    """Predicts each cell by the median bytes per second over the other cells of the same sort and threads."""
    return _from_others(points, lambda m: (m.case.algorithm, m.processor), _median_rate)


def _nearest(m: Measurement, others: Sequence[Measurement]) -> float:
    near = min(others, key=lambda other: abs(math.log(other.case.n / m.case.n)))
    return near.seconds_per_key.value * m.case.n


def _median_rate(m: Measurement, others: Sequence[Measurement]) -> float:
    rate = statistics.median(other.seconds_per_key.value / other.case.element_bytes for other in others)
    return rate * m.case.n * m.case.element_bytes


def _from_others(
    points: Sequence[Point],
    alike: Callable[[Measurement], tuple[str, ...]],
    seconds: Callable[[Measurement, Sequence[Measurement]], float],
) -> list[Point]:
    measured = {p.measurement.cell: p.measurement for p in points}
    made = []
    for group in group_by(measured.values(), alike).values():
        for m in group:
            others = [other for other in group if other.case.n != m.case.n]
            if others:
                made.append(Point("baseline", "baseline", m, seconds(m, others)))
    return made


BASELINES: tuple[tuple[str, Callable[[Sequence[Point]], list[Point]]], ...] = (
    ("the rate at the nearest other size (same sort, width, threads)", nearest_size),
    ("the sort’s median rate over its other cells (same threads)", same_rate),
    ("bytes over copy bandwidth", prediction_errors.bytes_baseline),
)


@dataclass(frozen=True)
class DriftStatistics:
    """Changes of repeated times from the first ones, as shares of the first ones."""

    measured: str  # the repeated measurement
    points: int
    absolute: float  # median of the absolute changes
    signed: float  # median of the signed changes; above 0 means slower than before
    worst: float


def drift_statistics(measured: str, slower: Sequence[float]) -> Optional[DriftStatistics]:
    if not slower:
        return None
    absolute, signed = statistics.median(map(abs, slower)), statistics.median(slower)
    return DriftStatistics(measured, len(slower), absolute, signed, max(slower, key=abs))


def drift_rows(drifts: Sequence[Drift]) -> list[DriftStatistics]:
    """Rows on drift: the calibration at the start and at the end against the profile, the end against the start, and
    repeated cells."""
    by_when = {drift.when: drift for drift in drifts}
    rows = []
    for when, text in (("begin", "before the first cell"), ("end", "after the last")):
        if when in by_when:
            slower = [p.slower for p in by_when[when].calibration]
            rows.append(drift_statistics(f"calibration {text}, against the profile", slower))
    if {"begin", "end"} <= by_when.keys():
        rows.append(drift_statistics("calibration after the last cell, against before the first", _between(by_when)))
    repeats = [r.slower for drift in drifts for r in drift.repeats]
    rows.append(drift_statistics("cells measured again at the end, against the first time", repeats))
    return [row for row in rows if row]


def _between(by_when: dict[str, Drift]) -> list[float]:
    def key(p: CalibrationPoint) -> tuple[str, str, str]:
        return p.on, p.table, p.at

    first = {key(p): p for p in by_when["begin"].calibration}
    return [p.ratio / first[key(p)].ratio - 1 for p in by_when["end"].calibration if key(p) in first]


def machine_drift(drifts: Sequence[Drift]) -> float:
    """The share by which the machine's drift makes a time uncertain; 0 if it is unknown.

    It is the larger of two median changes: of cells measured twice, and of the calibration between start and end.
    Medians keep a few disturbed points from deciding.
    """
    by_when = {drift.when: drift for drift in drifts}
    seen = [drift_statistics("", [r.slower for drift in drifts for r in drift.repeats])]
    if {"begin", "end"} <= by_when.keys():
        seen.append(drift_statistics("", _between(by_when)))
    return max((m.absolute for m in seen if m), default=0.0)


def beyond(error: float, drift: float) -> float:
    """The part of an error beyond the drift, which is independent of it."""
    return math.sqrt(max(0.0, error * error - drift * drift))


@dataclass(frozen=True)
class Target:
    name: str
    kind: str
    limit: float  # greatest mean absolute error, a share
    has: Callable[[Measurement], bool]
    phases: bool = False


def _on_host(m: Measurement) -> bool:
    return not m.device


TARGETS = (
    Target("CPU, n ≥ 2²⁰", "hardware", 0.20, lambda m: _on_host(m) and m.case.n >= LARGE),
    Target("GPU, n ≥ 2²⁰", "hardware", 0.15, lambda m: not _on_host(m) and m.case.n >= LARGE),
    Target("CPU, n ≥ 2²⁰", "component", 0.10, lambda m: _on_host(m) and m.case.n >= LARGE),
    Target("GPU, n ≥ 2²⁰", "component", 0.10, lambda m: not _on_host(m) and m.case.n >= LARGE),
    Target("CPU, 2¹⁶ ≤ n < 2²⁰", "component", 0.15, lambda m: _on_host(m) and m.case.n < LARGE),
    Target("GPU, 2¹⁶ ≤ n < 2²⁰", "component", 0.15, lambda m: not _on_host(m) and m.case.n < LARGE),
    Target("CPU, 16 threads and more", "component", 0.12, lambda m: _on_host(m) and m.case.threads >= MANY_THREADS),
    Target("phases ≥ 1 % of the sort, n ≥ 2²²", "hardware", 0.20, lambda m: m.case.n >= PHASES_FROM, phases=True),
    Target("phases ≥ 1 % of the sort, n ≥ 2²²", "component", 0.20, lambda m: m.case.n >= PHASES_FROM, phases=True),
)


@dataclass(frozen=True)
class Verdict:
    target: Target
    cells: int
    errors: int  # number of errors, of cells or of their phases
    error: Optional[Interval]  # mean absolute error
    beyond: float  # part of the error beyond drift
    free: Optional[float]  # mean absolute error over cells during which the cores were free
    verdict: str
    why: str


def verdicts(records: Records, points: Sequence[Point], drift: float) -> list[Verdict]:
    """Verdicts on the targets.

    A target is met if the error's interval lies below it, and missed if the interval lies above it even without drift.
    It stays undecided if most cells were disturbed.
    """
    made = []
    for target in TARGETS:
        points_in_range = [p for p in points_of_kind(records, points, target.kind) if target.has(p.measurement)]
        absolute = _absolute(target, points_in_range)
        if not absolute:
            made.append(Verdict(target, 0, 0, None, 0.0, None, NO_CELLS, "none was drawn, or none is measured"))
            continue
        disturbed = sum(p.measurement.disturbed for p in points_in_range)
        free = _absolute(target, [p for p in points_in_range if not p.measurement.disturbed])
        error = statistics.mean_over_draws(absolute)
        if len(absolute) < statistics.FEW_VALUES:
            verdict, why = UNDECIDED, f"fewer than {statistics.FEW_VALUES} errors"
        elif error.high <= target.limit:
            verdict, why = MET, ""
        elif 2 * disturbed > len(points_in_range):
            verdict, why = UNDECIDED, f"{disturbed} of {len(points_in_range)} cells were disturbed"
        elif beyond(error.low, drift) > target.limit:
            verdict, why = MISSED, ""
        elif error.low > target.limit:
            verdict, why = UNDECIDED, "the machine moved as far as the miss"
        else:
            verdict, why = UNDECIDED, "the interval spans the target"
        undisturbed = statistics.mean(free) if free else None
        past = beyond(error.value, drift)
        made.append(Verdict(target, len(points_in_range), len(absolute), error, past, undisturbed, verdict, why))
    return made


def _absolute(target: Target, points: Sequence[Point]) -> list[float]:
    return [abs(e) for p in points for e in (phase_errors(p) if target.phases else [p.error])]


def phase_errors(point: Point) -> list[float]:
    """Errors of the predicted phases that took at least PHASE_SHARE of the sort, each summed over its passes."""
    found = prediction_errors.phase_times(point)
    least = PHASE_SHARE * sum(measured or 0.0 for _, measured, _, _ in found)
    return [
        predicted / measured - 1
        for _, measured, predicted, _ in found
        if measured and measured >= least and predicted is not None
    ]


def octaves(measurement: Measurement) -> str:
    """The size class of a table, two octaves wide, with the processor."""
    exponent = max(measurement.case.n, 1).bit_length() - 1
    low = exponent - exponent % 2
    return f"2^{low} to 2^{low + 2}, {'GPU' if measurement.device else 'host'}"
