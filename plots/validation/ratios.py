"""Errors of ratios of two times: what a reader wants who compares sorts, inputs or machines.

An error that both times share cancels in their ratio, so errors of ratios say what errors of times do not.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import Callable, Hashable, Iterable, Sequence

from ..analysis.error_statistics import ErrorStatistics, group_by, summarise
from ..analysis.prediction_errors import Point
from ..records.measurement import Measurement
from ..tables.error_tables import error_cells, error_columns
from ..tables.record_tables import Cell, Column, Table
from . import accuracy

_STATISTICS = ("points", "mean_absolute", "median_absolute", "p90_absolute", "worst", "within_15")


def _input(m: Measurement) -> Hashable:
    c = m.case
    return (c.key_type, c.value_type, c.n, c.distribution, c.seed)


def _sort(m: Measurement) -> Hashable:
    return (m.case.algorithm, m.case.parameters_text)


def sort_to_sort(points: Sequence[Point]) -> list[float]:
    """Errors of the ratio of two sorts, or of two settings of one, on the same input of the same machine."""
    return _errors(points, lambda m: (m.machine, _input(m), m.processor), differ=_sort)


def input_to_input(points: Sequence[Point]) -> list[float]:
    """Errors of the ratio of two sizes, of one type and perhaps two distributions, by the same sort and threads."""
    return _errors(points, lambda m: (m.machine, _sort(m), m.case.type_name, m.processor), differ=lambda m: m.case.n)


def machine_to_machine(points: Sequence[Point]) -> list[float]:
    """Errors of the ratio of two machines for the same cell."""
    return _errors(points, lambda m: (_sort(m), _input(m), m.case.threads), differ=lambda m: m.machine)


def _errors(
    points: Iterable[Point],
    alike: Callable[[Measurement], Hashable],
    differ: Callable[[Measurement], Hashable],
) -> list[float]:
    """Errors of the ratio of the longer time to the shorter, as measured, of each two points."""
    made: list[float] = []
    for group in group_by(points, lambda p: alike(p.measurement)).values():
        for one, other in combinations(group, 2):
            if differ(one.measurement) == differ(other.measurement):
                continue
            low, high = sorted((one, other), key=_measured)
            made.append((1 + high.error) / max(1 + low.error, 1e-9) - 1)
    return [error for error in made if math.isfinite(error)]


def _measured(point: Point) -> float:
    assert point.measurement.seconds is not None
    return point.measurement.seconds.value


RATIOS: tuple[tuple[str, Callable[[Sequence[Point]], list[float]]], ...] = (
    ("sort to sort, on one input", sort_to_sort),
    ("n to n, by one sort", input_to_input),
    ("machine to machine, for one cell", machine_to_machine),
)


def found(points: Sequence[Point]) -> list[tuple[str, str, ErrorStatistics]]:
    """Kind of model, ratio and its errors; the ratios that no two measured cells have are left out."""
    made = []
    for kind in accuracy.kinds(points):
        for name, errors_of in RATIOS:
            if errors := errors_of([p for p in points if p.kind == kind]):
                made.append((kind, name, summarise(errors)))
    return made


def table(points: Sequence[Point]) -> Table:
    columns = [Column("Kind"), Column("Ratio"), *error_columns(*_STATISTICS)]
    rows = [[Cell(kind), Cell(name), *error_cells(errors, *_STATISTICS)] for kind, name, errors in found(points)]
    return Table("Errors of ratios", columns, rows)
