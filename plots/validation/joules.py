"""Errors of predicted joules, where a validation has metered them (`sortlab validate --energy`)."""

from __future__ import annotations

from typing import Sequence

from ..analysis.error_statistics import ErrorStatistics, group_by, summarise
from ..analysis.prediction_errors import Point
from ..records.quantities import count_text
from ..tables.error_tables import error_cells, error_columns
from ..tables.record_tables import Cell, Column, Table

_STATISTICS = ("points", "mean_absolute", "median_absolute", "p90_absolute", "worst", "bias", "within_15")


def errors(points: Sequence[Point]) -> list[float]:
    """(predicted − measured) / measured of the joules of a sort, for points that have both."""
    made = []
    for point in points:
        energy, predicted = point.measurement.energy, point.prediction.energy if point.prediction else None
        if energy is not None and energy.is_believed and predicted is not None:
            made.append(predicted.joules / energy.joules.value - 1)
    return made


def found(points: Sequence[Point]) -> list[tuple[str, str, ErrorStatistics]]:
    """Each group that has joules: what it has in common, its name and its errors. All, then by sort, input and n."""
    groups = [("all", {"": list(points)})]
    groups.append(("sort", group_by(points, lambda p: p.measurement.case.algorithm)))
    groups.append(("type and input", group_by(points, _input)))
    groups.append(("n", group_by(sorted(points, key=lambda p: p.measurement.case.n), _size)))
    made = []
    for what, of in groups:
        for name, group in of.items():
            if of_group := errors(group):
                made.append((what, name, summarise(of_group)))
    return made


def _input(point: Point) -> str:
    return f"{point.measurement.case.type_name} {point.measurement.case.input_text}"


def _size(point: Point) -> str:
    return count_text(point.measurement.case.n)


def table(points: Sequence[Point]) -> Table:
    columns = [Column("By"), Column("Of"), *error_columns(*_STATISTICS)]
    rows = [[Cell(what), Cell(name), *error_cells(of, *_STATISTICS)] for what, name, of in found(points)]
    return Table("Errors of joules", columns, rows)
