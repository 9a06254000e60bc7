"""Errors of the models of each kind: by plug-in, threads, size and phase, for whole sorts and for their phases.

A whole sort is predicted better than its phases: errors of opposite sign cancel, and short phases weigh little. So the
errors of a group's phases, each by itself, stand beside the errors of its totals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, Optional, Sequence

from ..analysis import prediction_errors
from ..analysis.error_statistics import ErrorStatistics, group_by, summarise
from ..analysis.prediction_errors import LARGE, Point
from ..figures import latex
from ..records.collection import Records
from ..records.measurement import Measurement
from ..records.number import TRACE, cells_and_runs
from ..records.prediction import KINDS
from ..records.quantities import digits
from .error_tables import error_cells, error_columns
from .record_tables import Cell, Column, Table

CANCELLING = (
    "Totals gain from cancellation where a model says one phase too long and another too short, and from short phases, "
    "which weigh little in them. Errors of phases are of those that are both measured and predicted, each by itself "
    "with its passes added up, short ones counting as much as long ones."
)
TABLE_NOTE = (
    f"{CANCELLING} They stand below those of whole sorts. Timed apart, phases may add up to more than the sort takes: "
    "the last column is their measured sum over the measured total."
)
_STATISTICS = ("points", "mean_absolute", "median_absolute", "p90_absolute", "worst", "bias", "within_15")
_HEADS = tuple(column.head for column in error_columns(*_STATISTICS))
_SUM = "Phases ÷ total"
_PHASE = "phase"
_TABLES = {  # a heading, and the head of the column of groups, by the way of grouping
    "all": ("Errors of all models of a kind", "Sorts"),
    "plug-in": ("Errors by kind and plug-in", "Plug-in"),
    "threads": ("Errors by kind and threads", "On"),
    "size": ("Errors by kind and size", "Size"),
    _PHASE: ("Errors of single phases by kind", "Phase"),
}
_GROUPINGS: tuple[tuple[str, Callable[[Point], str]], ...] = (
    ("all", lambda p: "GPU" if p.measurement.device else "host"),
    ("plug-in", lambda p: p.measurement.case.algorithm),
    ("threads", lambda p: p.measurement.processor),
    ("size", lambda p: ("n ≥ 2²⁰, " if p.measurement.case.n >= LARGE else "n < 2²⁰, ") + _where(p)),
)


@dataclass(frozen=True)
class Group:
    """Errors of one kind of model over a group of points."""

    kind: str
    by: str  # all, plug-in, threads, size or phase
    name: str
    totals: Optional[ErrorStatistics]  # errors of whole sorts; None for a phase
    phases: Optional[ErrorStatistics]  # errors of single phases; None where none is both measured and predicted
    measurements: tuple[Measurement, ...]  # cells that the errors are of
    phases_over_total: Optional[float]  # mean over sorts of the sum of measured phases over the measured time


def error_groups(records: Records, points: Sequence[Point]) -> list[Group]:
    """The groups of each kind of model. Of two models of one kind, the one that tables show counts."""
    made = []
    for kind in KINDS:
        shown = prediction_errors.preferred(records, [p for p in points if p.kind == kind], kind)
        for by, name_of in _GROUPINGS:
            made += [_group(kind, by, name, group) for name, group in sorted(group_by(shown, name_of).items())]
        phases = [(f"{p.measurement.case.algorithm}: {name}", p, e) for p in shown for name, e in _phase_errors(p)]
        for name, found in sorted(group_by(phases, lambda phase: phase[0]).items()):
            measured, errors = [p.measurement for _, p, _ in found], [error for *_, error in found]
            made.append(Group(kind, _PHASE, name, None, summarise(errors), tuple(measured), None))
    return made


def tables(found: Sequence[Group]) -> list[Table]:
    """A table for each way of grouping. The errors of a group's phases stand below those of its sorts."""
    ordered = sorted(found, key=lambda g: KINDS.index(g.kind))
    return [
        Table(name, _columns(head, by), [_row(g) for g in ordered if g.by == by])
        for by, (name, head) in _TABLES.items()
        if any(g.by == by for g in ordered)
    ]


def _columns(head: str, by: str) -> list[Column]:
    of_sorts = [Column(_SUM, True)] if by != _PHASE else []
    return [Column("Kind"), Column(head), *(Column(name, True) for name in _HEADS), *of_sorts]


def _row(g: Group) -> list[Cell]:
    of_phases = error_cells(g.phases, *_STATISTICS)
    if g.totals is None:
        return [Cell(g.kind), Cell(g.name), *of_phases]
    of_sorts = [
        replace(whole, notes=[f"phases {phases.text}"] if phases.text else [])
        for whole, phases in zip(error_cells(g.totals, *_STATISTICS), of_phases)
    ]
    return [Cell(g.kind), Cell(g.name), *of_sorts, _ratio(g.phases_over_total)]


def header() -> list[str]:
    names = [{"bias": "signed"}.get(name, name) for name in _STATISTICS]
    return ["kind", "by", "group", *names, *(f"phases_{name}" for name in names), "phases_over_total", *TRACE]


def rows(found: Sequence[Group]) -> list[list[object]]:
    """The numbers of the table, as shares."""

    def numbers(errors: Optional[ErrorStatistics]) -> list[object]:
        return [getattr(errors, name, None) for name in _STATISTICS]

    return [
        [
            g.kind,
            g.by,
            g.name,
            *numbers(g.totals),
            *numbers(g.phases),
            g.phases_over_total,
            *cells_and_runs(g.measurements),
        ]
        for g in found
    ]


def latex_table(found: Sequence[Group], caption: str, label: str) -> str:
    each = len(_HEADS)
    spans = [rf"\multicolumn{{{each}}}{{c}}{{{text}}}" for text in ("Whole sorts", "Phases, each by itself")]
    lines = [
        rf" & & & {' & '.join(spans)} & \\",
        rf"\cmidrule(lr){{4-{3 + each}}}\cmidrule(lr){{{4 + each}-{3 + 2 * each}}}",
    ]
    lines.append(" & ".join(map(latex.escape, ("Kind", "By", "", *_HEADS, *_HEADS, _SUM))) + r" \\")
    before: tuple[str, ...] = ()
    for g in sorted(found, key=lambda g: KINDS.index(g.kind)):
        if (now := (g.kind, g.by)) != before:
            lines.append(r"\midrule")
            before = now
        errors = [*error_cells(g.totals, *_STATISTICS), *error_cells(g.phases, *_STATISTICS)]
        texts = [g.kind, g.by, g.name, *(cell.text for cell in errors), _ratio(g.phases_over_total).text]
        lines.append(" & ".join(map(latex.escape, texts)) + r" \\")
    return latex.table("lll" + "r" * (2 * each + 1), lines, caption, label)


def _ratio(value: Optional[float]) -> Cell:
    return Cell("") if value is None else Cell(digits(value), value)


def _group(kind: str, by: str, name: str, points: Sequence[Point]) -> Group:
    phases = [error for p in points for _, error in _phase_errors(p)]
    sums = [
        sum(phase.seconds for phase in p.measurement.phases) / p.measurement.seconds.value
        for p in points
        if p.measurement.phases and p.measurement.seconds
    ]
    return Group(
        *(kind, by, name, summarise([p.error for p in points]), summarise(phases) if phases else None),
        measurements=tuple(p.measurement for p in points),
        phases_over_total=sum(sums) / len(sums) if sums else None,
    )


def _phase_errors(point: Point) -> list[tuple[str, float]]:
    if point.prediction is None:
        return []
    known = [(name, measured, predicted) for name, measured, predicted, _ in prediction_errors.phase_times(point)]
    return [
        (name, predicted / measured - 1) for name, measured, predicted in known if measured and predicted is not None
    ]


def _where(point: Point) -> str:
    return "GPU" if point.measurement.device else "host"
