"""VALIDATE: predicted over measured time of each cell that `sortlab validate` drew, and errors beside a baseline's."""

from __future__ import annotations

import math

from ...analysis import prediction_errors, provenance
from ...validation import accuracy
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...figures.bars import BarPanel, Bars, Series
from ...figures.chart import Chart, Line, Panel
from ...analysis.prediction_errors import Point
from ...records.collection import Records
from ...figures.style import series
from ...records.trail import Trail, blind

_BANDS = ((0.9, 1.1), (0.85, 1.15))


def make(records: Records) -> list[Artifact]:
    """VALIDATE-<seed>, each cell by size, and VALIDATE-<seed>-SORTS for each validation with a measured cell."""
    made = []
    for trail in records.trails:
        own = accuracy.validated_records(trail)
        points = prediction_errors.predicted_points(own)
        if points and trail.validation:
            made += _artifacts(own, points, trail, f"VALIDATE-{trail.validation.seed}")
    return made


def _artifacts(records: Records, points: list[Point], trail: Trail, id_: str) -> list[Artifact]:
    assert trail.validation is not None
    shown = {kind: accuracy.points_of_kind(records, points, kind) for kind in accuracy.kinds(points)}
    measured = list({p.measurement.cell: p.measurement for p in points}.values())
    predictions = [p.prediction for of in shown.values() for p in of if p.prediction]
    legend = "Errors of the predictions that the validation commits to."
    if not blind(trail.checks({})):
        legend = f"The records do not show that the predictions came first. {legend}"
    ending = provenance.caption(records, measured, predictions)
    title = f"Predicted before measured, seed {trail.validation.seed}"
    bands = "One point a cell; dark band: within 10 % of the measured time, light: within 15 %. "
    panels = [
        Panel(f"{kind}, {where}", _lines([p for p in of if bool(p.measurement.device) == gpu]))
        for kind, of in shown.items()
        for where, gpu in (("host", False), ("GPU", True))
        if any(bool(p.measurement.device) == gpu for p in of)
    ]
    chart = Chart(panels, "predicted ÷ measured time", log=True, bands=_BANDS, band_name="within 10 %")
    picture = Bars(
        [_bars(kind, of) for kind, of in shown.items()], sorted({p.measurement.case.algorithm for p in points}), _ERROR
    )
    return [
        from_picture(chart, id_, title, "", Caption(bands + legend) + ending),
        from_picture(
            picture, f"{id_}-SORTS", f"{title}: by plug-in, beside what needs no model", "", Caption(legend) + ending
        ),
    ]


_ERROR = "mean absolute error, % of the measured time"


def _lines(points: list[Point]) -> list[Line]:
    made: dict[str, Line] = {}
    names = sorted({p.measurement.case.algorithm for p in points})
    for p in sorted(points, key=lambda p: p.measurement.case.n):
        c = p.measurement.case
        line = made.setdefault(c.algorithm, Line(c.algorithm, series(names.index(c.algorithm)), joined=False))
        line.add(math.log2(c.n), 1 + p.error, p.measurement)
    return list(made.values())


def _bars(kind: str, points: list[Point]) -> BarPanel:
    def of(label: str, role: int, errors_of: list[Point]) -> Series:
        made = Series(label, series(role))
        groups: dict[str, list[Point]] = {}
        for p in errors_of:
            groups.setdefault(p.measurement.case.algorithm, []).append(p)
        for name, of_sort in groups.items():
            share = 100 * sum(abs(p.error) for p in of_sort) / len(of_sort)
            made.add(name, share, *(p.measurement for p in of_sort))
        return made

    shown = [of("the models", 0, points), of("the rate at the nearest other size", 1, accuracy.nearest_size(points))]
    return BarPanel(f"models of kind {kind}", [s for s in shown if s.values])


TITLE = "Predictions that were written down before anything was measured"
COMMAND = "sortlab validate --budget 10m"
ARTIFACTS = {"VALIDATE*": make}
