"""MODEL-ERROR: the signed error of predictions over n, with a panel for each sort and a line for each number of threads
or, on a GPU, each type; and the errors of each kind of model, of whole sorts and of their phases."""

from __future__ import annotations

import math
from typing import Callable, Sequence

import numpy

from ...analysis import prediction_errors, provenance
from ...tables import errors_by_kind
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...figures.bars import BarPanel, Bars, Series
from ...figures.chart import Chart, Line, Panel
from ...records.collection import Records
from ...records.measurement import Measurement
from ...records.quantities import threads_text
from ...records.statistics import Interval
from ...figures.style import series

_KINDS = (
    "A model of kind component knows the times of the sort’s own kernels or loops, each alone on synthetic data; one "
    "of kind hardware knows only the operations that the sort counts and the rates of the machine."
)
_ERROR = "error, % of the measured time"
_KEY = (
    "Error of predictions over n, (predicted − measured) / measured: the median over inputs and settings. Coloured "
    "bands: the middle half of the errors; grey: ±10 and ±15 %."
)


def make(records: Records) -> list[Artifact]:
    """MODEL-ERROR of the host, MODEL-ERROR-GPU and MODEL-ERROR-KINDS, if measured cells are predicted."""
    every = prediction_errors.predicted_points(records)
    points = prediction_errors.preferred(records, prediction_errors.from_calibration(every))
    host = [p for p in points if p.measurement.case.on_host]
    device = [p for p in points if not p.measurement.case.on_host]
    made = []
    if host:
        made.append(_artifact(records, "MODEL-ERROR", "Error of the models of CPU sorts, by threads", host, _threads))
    if device:
        made.append(_artifact(records, "MODEL-ERROR-GPU", "Error of the models of GPU sorts, by type", device, _type))
    if every:
        made.append(_errors_by_kind(records, every))
    return made


def _errors_by_kind(records: Records, points: Sequence[prediction_errors.Point]) -> Artifact:
    """Errors by kind of model. The picture shows the plug-ins; the numbers and LaTeX have every group."""
    found = errors_by_kind.error_groups(records, points)
    shown = [g for g in found if g.by == "plug-in" and g.totals]
    panels = []
    for kind in dict.fromkeys(g.kind for g in shown):
        whole, phases = Series("whole sorts", series(0)), Series("their phases, each by itself", series(1))
        for g in shown:
            for bars, figures in ((whole, g.totals), (phases, g.phases)):
                if g.kind == kind and figures:
                    share = 100 * figures.mean_absolute
                    bars.add(_with_cells(g), share, *g.measurements)
        panels.append(BarPanel(f"models of kind {kind}", [whole, phases]))
    picture = Bars(panels, sorted({_with_cells(g) for g in shown}), "mean absolute error, % of the measured time")
    measured = [p.measurement for p in points]
    caption = Caption(
        f"Mean absolute error of each kind of model, by plug-in; in brackets, its cells. {_KINDS}",
        errors_by_kind.CANCELLING,
    )
    caption += provenance.caption(records, measured, [p.prediction for p in points if p.prediction])
    id_, title = "MODEL-ERROR-KINDS", "Error of the models by kind"
    latex = errors_by_kind.latex_table(found, f"{title}. {caption.text}", f"tab:{id_}")
    return Artifact(id_, title, "", caption, errors_by_kind.header(), errors_by_kind.rows(found), picture, latex)


def _with_cells(group: errors_by_kind.Group) -> str:
    """A plug-in and the number of its cells."""
    return f"{group.name} ({group.totals.points if group.totals else 0})"


def _threads(m: Measurement) -> tuple[float, str]:
    """Order and name of a cell's line in its sort's panel on the host."""
    return m.case.threads, threads_text(m.case.threads)


def _type(m: Measurement) -> tuple[float, str]:
    return m.case.element_bytes, m.case.type_name


def _artifact(
    records: Records,
    id_: str,
    title: str,
    points: Sequence[prediction_errors.Point],
    line_of: Callable[[Measurement], tuple[float, str]],
) -> Artifact:
    """A panel for each sort. The picture has the median error of each line at each n, the numbers every error."""
    lines = {name: i for i, (_, name) in enumerate(sorted({line_of(p.measurement) for p in points}))}
    by_sort: dict[tuple[str, str], list[prediction_errors.Point]] = {}
    for p in sorted(points, key=lambda p: p.measurement.case.n):
        by_sort.setdefault((p.measurement.case.algorithm, p.measurement.device), []).append(p)
    panels, whole = [], []
    for (sort, device), of in sorted(by_sort.items()):
        name = f"{sort}, {device}" if device else sort
        grouped: dict[str, list[prediction_errors.Point]] = {}
        for p in of:
            grouped.setdefault(line_of(p.measurement)[1], []).append(p)
        drawn = [_medians(line, series(lines[line]), grouped[line]) for line in lines if line in grouped]
        panels.append(Panel(name, drawn))
        whole.append(Panel(name, _every(of)))
    chart = Chart(panels, _ERROR, bands=((-10, 10), (-15, 15)))
    measured = [p.measurement for p in points]
    predictions = [p.prediction for p in points if p.prediction]
    caption = Caption(_KEY, "Each error is in the CSV.") + provenance.caption(records, measured, predictions)
    return from_picture(chart, id_, title, "", caption, whole=Chart(whole, _ERROR))


def _medians(label: str, role: str, points: Sequence[prediction_errors.Point]) -> Line:
    """The median error at each n, with the middle half of the errors around it."""
    line = Line(label, role)
    by_n: dict[int, list[prediction_errors.Point]] = {}
    for p in points:
        by_n.setdefault(p.measurement.case.n, []).append(p)
    for n, of in by_n.items():
        low, middle, high = numpy.percentile([100 * p.error for p in of], (25, 50, 75))
        line.add(math.log2(max(n, 1)), Interval(float(middle), float(low), float(high)))
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
