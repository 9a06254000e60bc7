"""The signed error of every analytical prediction over n: a panel a type, a line a distribution."""

from __future__ import annotations

import math
from typing import Optional

from .. import errors, provenance
from ..artifact import Artifact
from ..chart import Chart, Line, Panel
from ..quantities import threads_text
from ..records import Records
from ..style import series


def make(records: Records) -> Optional[Artifact]:
    """None where nothing measured is predicted."""
    points = [p for p in errors.points(records) if p.analytical]
    if not points:
        return None
    distributions = sorted({p.measurement.case.distribution for p in points}, key=lambda d: (d != "uniform", d))
    groups = sorted(
        {(p.measurement.case.threads, p.measurement.case.element_bytes, p.measurement.case.type_name) for p in points}
    )
    panels = []
    for threads, _, type_name in groups:
        lines: dict[tuple[str, str], Line] = {}
        for p in sorted(points, key=lambda p: p.measurement.case.n):
            c = p.measurement.case
            if (c.threads, c.type_name) == (threads, type_name):
                role = series(distributions.index(c.distribution))
                new = Line(c.distribution, role, labelled=False)
                line = lines.setdefault((c.distribution, c.parameters_text), new)
                line.add(math.log2(max(c.n, 1)), 100 * p.error)
        for line in {line.label: line for line in lines.values()}.values():
            line.labelled = True  # the last setting of each distribution carries its name
        panels.append(Panel(f"{type_name}, {threads_text(threads)}", list(lines.values())))
    chart = Chart(panels, "error, % of the measured time", bands=((-10, 10), (-15, 15)))
    header, rows = chart.rows()
    title = "Error of the model, point by point"
    measured = [p.measurement for p in points]
    predictions = [p.prediction for p in points if p.prediction]
    caption = (
        "(predicted − measured) / measured; shaded: ±10 and ±15 %. One line a distribution and parameter setting. "
    )
    caption += provenance.caption(records, measured, predictions)
    return Artifact(
        id="MODEL-ERROR",
        title=title,
        paper="",
        caption=caption,
        header=header,
        rows=rows,
        latex=chart.latex(f"{title}. {caption}", "fig:MODEL-ERROR"),
        figure=chart.figure,
    )
