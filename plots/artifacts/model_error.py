"""The signed error of every prediction over n: on the host a panel a type, on a GPU a panel a plug-in."""

from __future__ import annotations

import math
from typing import Any, Callable, Sequence

from .. import errors, provenance
from ..artifact import Artifact, of_picture
from ..chart import Chart, Line, Panel
from ..records import Records
from ..style import series

_KEY = "(predicted − measured) / measured; shaded: ±10 and ±15 %. "


def make(records: Records) -> list[Artifact]:
    """MODEL-ERROR of the host and MODEL-ERROR-GPU, as far as something measured is predicted there."""
    points = errors.preferred(records, [p for p in errors.points(records) if p.analytical])
    host = [p for p in points if p.measurement.case.on_host]
    device = [p for p in points if not p.measurement.case.on_host]
    made = []
    if host:
        title = "Error of the model, point by point"
        said = "One line a distribution and parameter setting. "
        made.append(_artifact(records, "MODEL-ERROR", title, said, host, _of_type))
    if device:
        title = "Error of the models of GPU sorts, point by point"
        said = "One line a distribution, type and parameter setting; each panel has its own scale. "
        made.append(_artifact(records, "MODEL-ERROR-GPU", title, said, device, _of_plug_in))
    return made


def _of_type(point: errors.Point) -> tuple[tuple[Any, ...], str]:
    """What orders a panel, and its title."""
    c = point.measurement.case
    return (c.threads, c.element_bytes, c.type_name), f"{c.type_name}, {point.measurement.processor}"


def _of_plug_in(point: errors.Point) -> tuple[tuple[Any, ...], str]:
    c = point.measurement.case
    return (point.measurement.device, c.algorithm), f"{c.algorithm}, {point.measurement.processor}"


def _artifact(
    records: Records,
    id_: str,
    title: str,
    said: str,
    points: Sequence[errors.Point],
    panel_of: Callable[[errors.Point], tuple[tuple[Any, ...], str]],
) -> Artifact:
    distributions = sorted({p.measurement.case.distribution for p in points}, key=lambda d: (d != "uniform", d))
    lines: dict[tuple[tuple[Any, ...], str], dict[tuple[str, ...], Line]] = {}
    for p in sorted(points, key=lambda p: p.measurement.case.n):
        c = p.measurement.case
        role = series(distributions.index(c.distribution))
        new = Line(c.distribution, role, labelled=False)
        line = lines.setdefault(panel_of(p), {}).setdefault((c.distribution, c.type_name, c.parameters_text), new)
        line.add(math.log2(max(c.n, 1)), 100 * p.error)
    panels = []
    for (_, name), of_panel in sorted(lines.items(), key=lambda item: item[0]):
        for line in {line.label: line for line in of_panel.values()}.values():
            line.labelled = True  # the last setting of each distribution carries its name
        panels.append(Panel(name, list(of_panel.values())))
    own = panel_of is _of_plug_in
    chart = Chart(panels, "error, % of the measured time", bands=((-10, 10), (-15, 15)), own_spans=own)
    measured = [p.measurement for p in points]
    predictions = [p.prediction for p in points if p.prediction]
    caption = _KEY + said + provenance.caption(records, measured, predictions)
    return of_picture(chart, id_, title, "", caption)
