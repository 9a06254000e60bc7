"""MODEL-ERROR: the signed error of every prediction over n, with a panel for each type on the host and for each plug-in
on a GPU; and the errors of each kind of model, of whole sorts and of their phases."""

from __future__ import annotations

import math
from typing import Any, Callable, Sequence

from ...analysis import prediction_errors, provenance
from ...tables import errors_by_kind
from ...figures.artifact import Artifact, from_picture
from ...figures.bars import BarPanel, Bars, Series
from ...figures.chart import Chart, Line, Panel
from ...records.case import Case
from ...records.collection import Records
from ...figures.style import series

_KEY = "Error of each prediction over n, (predicted − measured) / measured. Shaded: ±10 and ±15 %. "


def make(records: Records) -> list[Artifact]:
    """MODEL-ERROR of the host, MODEL-ERROR-GPU and MODEL-ERROR-KINDS, if measured cells are predicted."""
    every = prediction_errors.predicted_points(records)
    points = prediction_errors.preferred(records, prediction_errors.from_calibration(every))
    host = [p for p in points if p.measurement.case.on_host]
    device = [p for p in points if not p.measurement.case.on_host]
    made = []
    if host:
        title = "Error of the model, point by point"
        explanation = "One colour per sort, and a line per distribution and parameter setting. "
        made.append(_artifact(records, "MODEL-ERROR", title, explanation, host, _type_panel))
    if device:
        title = "Error of the models of GPU sorts, point by point"
        explanation = (
            "One colour per distribution, and a line per type and parameter setting. Each panel has its own scale. "
        )
        made.append(_artifact(records, "MODEL-ERROR-GPU", title, explanation, device, _plug_in_panel))
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
                    bars.add(g.name, share, *g.measurements)
        panels.append(BarPanel(f"models of kind {kind}", [whole, phases]))
    picture = Bars(panels, sorted({g.name for g in shown}), "mean absolute error, % of the measured time")
    measured = [p.measurement for p in points]
    caption = (
        "Mean absolute error of each kind of model, by plug-in. "
        + errors_by_kind.CANCELLING
        + " "
        + provenance.caption(records, measured, [p.prediction for p in points if p.prediction])
    )
    id_, title = "MODEL-ERROR-KINDS", "Error of the models by kind"
    latex = errors_by_kind.latex_table(found, f"{title}. {caption}", f"tab:{id_}")
    return Artifact(id_, title, "", caption, errors_by_kind.header(), errors_by_kind.rows(found), picture, latex)


def _type_panel(point: prediction_errors.Point) -> tuple[tuple[Any, ...], str]:
    """The order and the title of a point's panel."""
    c = point.measurement.case
    return (c.threads, c.element_bytes, c.type_name), f"{c.type_name}, {point.measurement.processor}"


def _plug_in_panel(point: prediction_errors.Point) -> tuple[tuple[Any, ...], str]:
    c = point.measurement.case
    return (point.measurement.device, c.algorithm), f"{c.algorithm}, {point.measurement.processor}"


def _artifact(
    records: Records,
    id_: str,
    title: str,
    explanation: str,
    points: Sequence[prediction_errors.Point],
    panel_of: Callable[[prediction_errors.Point], tuple[tuple[Any, ...], str]],
) -> Artifact:
    by_sort = panel_of is _type_panel  # the panels of a plug-in have a colour for each distribution

    def shown_name(c: Case) -> str:
        return c.algorithm if by_sort else c.distribution

    names = sorted({shown_name(p.measurement.case) for p in points}, key=lambda name: (name != "uniform", name))
    lines: dict[tuple[tuple[Any, ...], str], dict[tuple[str, ...], Line]] = {}
    for p in sorted(points, key=lambda p: p.measurement.case.n):
        c = p.measurement.case
        new = Line(shown_name(c), series(names.index(shown_name(c))), labelled=False)
        key = c.algorithm, c.distribution, c.type_name, c.parameters_text
        line = lines.setdefault(panel_of(p), {}).setdefault(key, new)
        line.add(math.log2(max(c.n, 1)), 100 * p.error, p.measurement)
    panels = []
    for (_, name), of_panel in sorted(lines.items(), key=lambda item: item[0]):
        for line in {line.label: line for line in of_panel.values()}.values():
            line.labelled = True  # the last line of each colour carries its name
        panels.append(Panel(name, list(of_panel.values())))
    own = panel_of is _plug_in_panel
    chart = Chart(panels, "error, % of the measured time", bands=((-10, 10), (-15, 15)), own_spans=own)
    measured = [p.measurement for p in points]
    predictions = [p.prediction for p in points if p.prediction]
    caption = _KEY + explanation + provenance.caption(records, measured, predictions)
    return from_picture(chart, id_, title, "", caption)


ARTIFACTS = {"MODEL-ERROR*": make}
