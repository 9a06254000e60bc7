"""What models of each kind miss: by plug-in, by threads, by size and by phase, of whole sorts and of their phases.

A whole sort is predicted better than its phases, since errors of opposite sign cancel and short phases weigh little.
So the error of a group's phases, each by itself, stands beside that of its totals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Iterable, Optional, Sequence, TypeVar

from ..analysis import prediction_errors
from ..figures import latex
from ..analysis.prediction_errors import LARGE, Point
from ..records.prediction import KINDS
from ..records.quantities import digits, percent, signed_percent
from ..records.collection import Records
from .record_tables import Cell, Column, Table

_Item = TypeVar("_Item")
CANCELLING = (
    "Totals gain from cancellation where a model says one phase too long and another too short, and from short phases, "
    "which weigh little in them. Beside each total stand the errors of the phases that are both measured and "
    "predicted, each by itself with its passes added up, short ones counting as much as long ones. Timed apart, phases "
    "may add up to more than the sort takes: the last column is their measured sum over the measured total."
)
_HEADS = ("Points", "Mean absolute", "Signed", "Within ±15 %")
_SUM = "Phases ÷ total"
_GROUPINGS: tuple[tuple[str, Callable[[Point], str]], ...] = (
    ("all", lambda p: "GPU" if p.measurement.device else "host"),
    ("plug-in", lambda p: p.measurement.case.algorithm),
    ("threads", lambda p: p.measurement.processor),
    ("size", lambda p: ("n ≥ 2²⁰, " if p.measurement.case.n >= LARGE else "n < 2²⁰, ") + _where(p)),
)


@dataclass(frozen=True)
class Figures:
    """Errors over a group, as shares of what was measured."""

    points: int
    mean_absolute: float
    signed: float  # mean
    within_15: float

    @classmethod
    def of(cls, found: Sequence[float]) -> Optional["Figures"]:
        """None of nothing."""
        if not found:
            return None
        n = len(found)
        return cls(n, sum(abs(e) for e in found) / n, sum(found) / n, sum(abs(e) <= 0.15 for e in found) / n)


@dataclass(frozen=True)
class Group:
    kind: str
    by: str  # all, plug-in, threads, size or phase
    name: str
    totals: Optional[Figures]  # of whole sorts; none of a phase
    phases: Optional[Figures]  # each by itself; none where none is both measured and predicted
    phases_over_total: Optional[float]  # the measured phases of a sort over its measured time, mean


def groups(records: Records, points: Sequence[Point]) -> list[Group]:
    """For each kind of model the groups of each grouping; of two models of one kind, the one that tables show."""
    made = []
    for kind in KINDS:
        shown = prediction_errors.preferred(records, [p for p in points if p.kind == kind], kind)
        for by, name_of in _GROUPINGS:
            made += [_group(kind, by, name, of) for name, of in _grouped((name_of(p), p) for p in shown)]
        of_phase = _grouped(
            (f"{p.measurement.case.algorithm}: {name}", error) for p in shown for name, error in _phase_errors(p)
        )
        made += [Group(kind, "phase", name, None, Figures.of(found), None) for name, found in of_phase]
    return made


def table(found: Sequence[Group]) -> Table:
    columns = [Column("Kind"), Column("By"), Column(""), *(Column(head, True) for head in _HEADS)]
    columns += [Column(f"Phases: {head[0].lower()}{head[1:]}", True) for head in _HEADS]
    columns.append(Column(_SUM, True))
    rows = [
        [Cell(g.kind), Cell(g.by), Cell(g.name), *_cells(g.totals), *_cells(g.phases), _ratio(g.phases_over_total)]
        for g in sorted(found, key=lambda g: KINDS.index(g.kind))
    ]
    return Table("Model error by kind", columns, rows)


def header() -> list[str]:
    names = ("points", "mean_absolute", "signed", "within_15")
    return ["kind", "by", "group", *names, *(f"phases_{name}" for name in names), "phases_over_total"]


def rows(found: Sequence[Group]) -> list[list[object]]:
    """The numbers of the table, as shares."""

    def numbers(f: Optional[Figures]) -> list[object]:
        return [f.points, f.mean_absolute, f.signed, f.within_15] if f else [None] * 4

    return [[g.kind, g.by, g.name, *numbers(g.totals), *numbers(g.phases), g.phases_over_total] for g in found]


def latex_of(found: Sequence[Group], caption: str, label: str) -> str:
    shown = table(found)
    heads = r" & & & \multicolumn{4}{c}{Whole sorts} & \multicolumn{4}{c}{Phases, each by itself} & \\"
    lines = [heads, r"\cmidrule(lr){4-7}\cmidrule(lr){8-11}"]
    lines.append(" & ".join(map(latex.escape, ("Kind", "By", "", *_HEADS, *_HEADS, _SUM))) + r" \\")
    before: tuple[str, ...] = ()
    for row in shown.rows:
        if (now := (row[0].text, row[1].text)) != before:
            lines.append(r"\midrule")
            before = now
        lines.append(" & ".join(latex.escape(cell.text) for cell in row) + r" \\")
    return latex.table("lll" + "r" * 9, lines, caption, label)


def _cells(f: Optional[Figures]) -> list[Cell]:
    if f is None:
        return [Cell("")] * 4
    return [
        Cell(str(f.points), f.points),
        Cell(percent(f.mean_absolute), f.mean_absolute),
        Cell(signed_percent(f.signed), f.signed),
        Cell(percent(f.within_15), f.within_15),
    ]


def _ratio(value: Optional[float]) -> Cell:
    return Cell("") if value is None else Cell(digits(value), value)


def _group(kind: str, by: str, name: str, of: Sequence[Point]) -> Group:
    by_phase = [error for p in of for _, error in _phase_errors(p)]
    sums = [
        sum(phase.seconds for phase in p.measurement.phases) / p.measurement.seconds.value
        for p in of
        if p.measurement.phases and p.measurement.seconds
    ]
    whole = Figures.of([p.error for p in of])
    return Group(kind, by, name, whole, Figures.of(by_phase), sum(sums) / len(sums) if sums else None)


def _grouped(pairs: Iterable[tuple[str, _Item]]) -> list[tuple[str, list[_Item]]]:
    found: dict[str, list[_Item]] = {}
    for name, item in pairs:
        found.setdefault(name, []).append(item)
    return sorted(found.items())


def _phase_errors(point: Point) -> list[tuple[str, float]]:
    if point.prediction is None:
        return []
    known = [(name, measured, predicted) for name, measured, predicted, _ in prediction_errors.phases(point)]
    return [
        (name, predicted / measured - 1) for name, measured, predicted in known if measured and predicted is not None
    ]


def _where(point: Point) -> str:
    return "GPU" if point.measurement.device else "host"
