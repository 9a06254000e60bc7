"""MODEL-ERROR: the signed error of predictions over n, with a panel for each sort and a line for each number of
threads; of GPU sorts, a heat map for each type; and the errors of each kind of model, of whole sorts and of their
phases."""

from __future__ import annotations

import math
from typing import Sequence, Union

import numpy

from ...analysis import prediction_errors, provenance
from ...tables import errors_by_kind
from ...records.caption import Caption
from ...figures.artifact import Artifact, moved_bars_text, from_picture
from ...figures.chart import Chart, Line, Panel
from ...figures.heat import Heat, HeatCell, HeatPanel, differences
from ...records.collection import Records
from ...records.measurement import Measurement
from ...records.quantities import threads_text
from ...records.statistics import Interval, exactly
from ...figures.style import series

_KINDS = (
    "A model of kind component knows the times of the sort’s own kernels or loops, each alone on synthetic data; one "
    "of kind hardware knows only the operations that the sort counts and the rates of the machine."
)
_WHOLE, _PHASES = "whole sorts", "their phases"
_ERROR = "error, % of the measured time (below 0: too fast)"
_KEY = (
    "Error of predictions over n, (predicted − measured) / measured: the median over inputs and settings. Grey: "
    "within ±15 %."
)


def make(records: Records) -> list[Artifact]:
    """MODEL-ERROR of the host, MODEL-ERROR-GPU and MODEL-ERROR-KINDS, if measured cells are predicted."""
    every = prediction_errors.predicted_points(records)
    points = prediction_errors.preferred(records, prediction_errors.from_calibration(every))
    host = [p for p in points if p.measurement.case.on_host]
    device = [p for p in points if not p.measurement.case.on_host]
    made = []
    if host:
        made.append(_of_host(records, host))
    if device:
        made.append(_of_device(records, device))
    if every:
        made.append(_errors_by_kind(records, every))
    return made


def _errors_by_kind(records: Records, points: Sequence[prediction_errors.Point]) -> Artifact:
    """Errors by kind of model. The picture shows the plug-ins; the numbers and LaTeX have every group."""
    found = errors_by_kind.error_groups(records, points)
    shown = [g for g in found if g.by == "plug-in" and g.totals]
    panels = [
        HeatPanel(f"{kind} models of {where} sorts", cells)
        for kind in dict.fromkeys(g.kind for g in shown)
        for where, on_host in (("CPU", True), ("GPU", False))
        if (cells := _kind_cells([g for g in shown if g.kind == kind and _is_on_host(g) == on_host]))
    ]
    by_error = sorted(shown, key=lambda g: -g.totals.mean_absolute if g.totals else 0.0)
    rows = list(dict.fromkeys(map(_with_cells, by_error)))
    picture = Heat(
        "sort",
        "error of",
        "mean absolute error, % of the measured time",
        rows,
        [_WHOLE, _PHASES],
        panels,
        scale=differences(full=40, bold=20, signed=False),
        own_rows=True,
    )
    measured = [p.measurement for p in points]
    caption = Caption(
        "Mean absolute error of the models by sort, the largest first: of whole sorts, and of their phases each by "
        "itself. The darker, the larger; bold: more than 20 %; in brackets, the number of cells.",
        f"{_KINDS} {errors_by_kind.CANCELLING}",
    )
    caption += provenance.caption(records, measured, [p.prediction for p in points if p.prediction])
    id_, title = "MODEL-ERROR-KINDS", "Error of the models by kind"
    latex = errors_by_kind.latex_table(found, f"{title}. {caption.text}", f"tab:{id_}")
    return Artifact(id_, title, "", caption, errors_by_kind.header(), errors_by_kind.rows(found), picture, latex)


def _is_on_host(group: errors_by_kind.Group) -> bool:
    return all(m.case.on_host for m in group.measurements)


def _kind_cells(groups: Sequence[errors_by_kind.Group]) -> dict[tuple[str, Union[str, int]], HeatCell]:
    """The errors of some sorts, in per cent, by sort and by what they are of."""
    return {
        (_with_cells(g), of): HeatCell(exactly(100 * figures.mean_absolute), "", g.measurements)
        for g in groups
        for of, figures in ((_WHOLE, g.totals), (_PHASES, g.phases))
        if figures
    }


def _with_cells(group: errors_by_kind.Group) -> str:
    """A plug-in and the number of its cells."""
    return f"{group.name} ({group.totals.points if group.totals else 0})"


def _threads(m: Measurement) -> tuple[float, str]:
    """Order and name of a cell's line in its sort's panel on the host."""
    return m.case.threads, threads_text(m.case.threads)


def _by_sort(points: Sequence[prediction_errors.Point]) -> dict[str, list[prediction_errors.Point]]:
    """The points of each sort, and of each GPU, in ascending order of n."""
    by_sort: dict[str, list[prediction_errors.Point]] = {}
    for p in sorted(points, key=lambda p: p.measurement.case.n):
        by_sort.setdefault(_sort_name(p), []).append(p)
    return dict(sorted(by_sort.items()))


def _sort_name(p: prediction_errors.Point) -> str:
    m = p.measurement
    return f"{m.case.algorithm}, {m.device}" if m.device else m.case.algorithm


def _of_host(records: Records, points: Sequence[prediction_errors.Point]) -> Artifact:
    """A panel for each sort. The picture has the median error of each line at each n, the numbers every error."""
    lines = {name: i for i, (_, name) in enumerate(sorted({_threads(p.measurement) for p in points}))}
    panels = []
    for sort, of in _by_sort(points).items():
        grouped: dict[str, list[prediction_errors.Point]] = {}
        for p in of:
            grouped.setdefault(_threads(p.measurement)[1], []).append(p)
        drawn = [_medians(line, series(lines[line]), grouped[line]) for line in lines if line in grouped]
        panels.append(Panel(sort, drawn))
    chart = Chart(panels, _ERROR, bands=((-15, 15),), band_name="within ±15 %")
    middle = "the middle half of the errors"
    bars = moved_bars_text(chart, middle).rstrip() or f"Coloured bands: {middle}."
    title = "Error of the models of CPU sorts, by threads"
    return _artifact(records, "MODEL-ERROR", title, points, chart, f"{_KEY} {bars}")


def _of_device(records: Records, points: Sequence[prediction_errors.Point]) -> Artifact:
    """A heat map for each type, of the median error of each sort at each power of four."""
    devices = dict.fromkeys(p.measurement.device for p in points)
    by_type: dict[tuple[float, str], dict[tuple[str, Union[str, int]], list[prediction_errors.Point]]] = {}
    for p in points:
        c = p.measurement.case
        row = _sort_name(p) if len(devices) > 1 else c.algorithm
        of_type = by_type.setdefault((c.element_bytes, c.type_name), {})
        of_type.setdefault((row, _near_power_of_four(c.n)), []).append(p)
    panels = []
    for (_, type_), of in sorted(by_type.items(), key=lambda item: (-len({row for row, _ in item[1]}), item[0])):
        cells = {at: HeatCell(_middle_half(found), "") for at, found in of.items()}
        panels.append(HeatPanel(type_, cells))
    at = {place for panel in panels for place in panel.cells}
    columns = sorted({n for _, n in at if isinstance(n, int)})
    rows = sorted({row for row, _ in at})
    heat = Heat("sort", "n", _ERROR, rows, columns, panels, scale=differences(full=30, bold=15), own_rows=True)
    legend = (
        "Median error of predictions by sort and n, (predicted − measured) / measured. Blue is predicted too fast, "
        "orange too slow; bold: more than 15 %. A column has the sizes that are nearest to its power of four."
    )
    return _artifact(records, "MODEL-ERROR-GPU", "Error of the models of GPU sorts, by type", points, heat, legend)


def _near_power_of_four(n: int) -> int:
    return 1 << 2 * round(math.log2(max(n, 1)) / 2)


def _middle_half(points: Sequence[prediction_errors.Point]) -> Interval:
    """The median error in per cent, and the quartiles."""
    low, middle, high = numpy.percentile([100 * p.error for p in points], (25, 50, 75))
    return Interval(float(middle), float(low), float(high))


def _artifact(
    records: Records,
    id_: str,
    title: str,
    points: Sequence[prediction_errors.Point],
    picture: Union[Chart, Heat],
    legend: str,
) -> Artifact:
    """The artifact whose numbers are every error."""
    whole = Chart([Panel(sort, _every(of)) for sort, of in _by_sort(points).items()], _ERROR)
    measured = [p.measurement for p in points]
    predictions = [p.prediction for p in points if p.prediction]
    caption = Caption(legend, "Each error is in the CSV.") + provenance.caption(records, measured, predictions)
    return from_picture(picture, id_, title, "", caption, whole=whole)


def _medians(label: str, role: str, points: Sequence[prediction_errors.Point]) -> Line:
    """The median error at each n, with the middle half of the errors around it."""
    line = Line(label, role)
    by_n: dict[int, list[prediction_errors.Point]] = {}
    for p in points:
        by_n.setdefault(p.measurement.case.n, []).append(p)
    for n, of in by_n.items():
        line.add(math.log2(max(n, 1)), _middle_half(of))
    return line


def _every(points: Sequence[prediction_errors.Point]) -> list[Line]:
    """A line for each type, number of threads, distribution and setting."""
    lines: dict[str, Line] = {}
    for p in points:
        c = p.measurement.case
        name = ", ".join((c.type_name, p.measurement.processor, c.distribution, c.parameters_text))
        line = lines.setdefault(name, Line(name, series(0)))
        line.add(math.log2(max(c.n, 1)), 100 * p.error, p.measurement)
    return list(lines.values())


ARTIFACTS = {"MODEL-ERROR*": make}
