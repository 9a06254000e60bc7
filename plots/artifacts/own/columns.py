"""COLUMNS: sorts of files of keys, a group of bars for each column. A curve over n says nothing of columns, each of
which has one number of keys."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable, Optional

from ...analysis import prediction_errors, provenance
from ...analysis.prediction_errors import Point
from ...figures.artifact import Artifact
from ...figures.bars import BarPanel, Bars, Series
from ...figures.style import series
from ...records.caption import Caption
from ...records.case import FROM_FILES, Case
from ...records.collection import Records
from ...records.measurement import Measurement
from ...records.number import TRACE, Number
from ...records.quantities import percent

_Sort = tuple[str, int]  # algorithm and threads

_HEADER = [
    *("column", "type", "n", "choice", "sort", "threads"),
    *("time, ns per key", "ci95_low", "ci95_high", "predicted, ns per key", "regret", *TRACE),
]


@dataclass(frozen=True)
class Choice:
    """The sort that is chosen for a column, and its time there."""

    by: str  # "measured", "predicted" or "uniform"
    measured: Measurement
    predicted: Optional[Point]  # the prediction of this sort on this column
    regret: float  # share by which it is slower than the fastest sort measured


_WHOSE = {
    "measured": "fastest sort measured",
    "predicted": "sort that models choose",
    "uniform": "sort that is fastest on uniform keys",
}


def make(records: Records) -> list[Artifact]:
    """COLUMNS of sorts on the host, COLUMNS-GPU of those on a device, where files of keys were sorted."""
    found = [
        _artifact(records, "COLUMNS", "Columns of keys: the fastest sort, and what else would be chosen", _on_host),
        _artifact(records, "COLUMNS-GPU", "Columns of keys on a GPU: the fastest sort, and other choices", _on_device),
    ]
    return [artifact for artifact in found if artifact]


def _on_host(case: Case) -> bool:
    return case.on_host


def _on_device(case: Case) -> bool:
    return not case.on_host


def choices(records: Records, is_there: Callable[[Case], bool]) -> dict[tuple[str, str, int, str], list[Choice]]:
    """The choices for each column, type, n and residency that at least two sorts were measured on."""
    points = prediction_errors.from_calibration(prediction_errors.predicted_points(records))
    predicted = {p.measurement.cell: p for p in prediction_errors.preferred(records, points)}
    by_column: dict[tuple[str, str, int, str], dict[_Sort, Measurement]] = {}
    uniform: dict[tuple[str, str], dict[int, dict[_Sort, float]]] = {}
    for m in records.ok():
        if not is_there(m.case) or m.seconds is None or not m.case.n:
            continue
        case, sort = m.case, (m.case.algorithm, m.case.threads)
        if case.distribution_name in FROM_FILES:
            sorts = by_column.setdefault((case.input_text, case.type_name, case.n, case.residency), {})
            known = sorts.get(sort)
            if known is None or known.seconds is None or m.seconds.value < known.seconds.value:
                sorts[sort] = m
        elif case.distribution == "uniform":
            at = uniform.setdefault((case.type_name, case.residency), {}).setdefault(case.n, {})
            at[sort] = min(m.seconds.value, at.get(sort, math.inf))
    found = {}
    for column, sorts in by_column.items():
        if len(sorts) < 2:
            continue
        _, type_, n, residency = column
        times = _nearest(uniform.get((type_, residency), {}), n, sorts)
        found[column] = _chosen(sorts, {sort: predicted.get(m.cell) for sort, m in sorts.items()}, times)
    return found


def _nearest(by_n: dict[int, dict[_Sort, float]], n: int, sorts: dict[_Sort, Measurement]) -> dict[_Sort, float]:
    """Times on uniform keys at the nearest n at which most of these sorts were measured."""
    common = {size: {sort: s for sort, s in times.items() if sort in sorts} for size, times in by_n.items()}
    most = max((len(times) for times in common.values()), default=0)
    if most < 2:
        return {}
    sizes = [size for size, times in common.items() if len(times) == most]
    return common[min(sizes, key=lambda size: (abs(math.log2(max(size, 1) / n)), size))]


def _chosen(
    sorts: dict[_Sort, Measurement], points: dict[_Sort, Optional[Point]], uniform: dict[_Sort, float]
) -> list[Choice]:
    """The fastest sort measured, the one that models choose among those that they predict, and that of uniform keys."""

    def seconds(sort: _Sort) -> float:
        of = sorts[sort].seconds
        return of.value if of else math.inf

    by: dict[str, _Sort] = {"measured": min(sorted(sorts), key=seconds)}
    told = {sort: point.predicted_s for sort, point in points.items() if point}
    if len(told) > 1:
        by["predicted"] = min(sorted(told), key=lambda sort: told[sort])
    if uniform:
        by["uniform"] = min(sorted(uniform), key=lambda sort: uniform[sort])
    best = seconds(by["measured"])
    return [Choice(name, sorts[sort], points[sort], seconds(sort) / best - 1) for name, sort in by.items()]


def _artifact(records: Records, id_: str, title: str, is_there: Callable[[Case], bool]) -> Optional[Artifact]:
    found = choices(records, is_there)
    if not found:
        return None
    panels: dict[str, dict[str, Series]] = {}
    rows: list[list[Any]] = []
    measured: list[Measurement] = []
    names: list[str] = []
    regrets: dict[str, list[float]] = {}
    for (column, type_, n, residency), of in sorted(found.items()):
        name = f"{column.replace('.npy', '')}, {type_}"
        names.append(name)
        bars = panels.setdefault(residency, _series())
        for choice in of:
            m, scale = choice.measured, 1e9 / n
            assert m.seconds is not None
            number = Number.of(m.seconds.scaled(scale), m)
            bars[choice.by].add(name, m.seconds.scaled(scale), m)
            predicted = scale * choice.predicted.predicted_s if choice.predicted else None
            if predicted is not None and choice.predicted:
                bars[choice.by].predict(name, predicted, m)
            measured.append(m)
            regrets.setdefault(choice.by, []).append(choice.regret)
            rows.append(
                [column, type_, n, _WHOSE[choice.by], m.case.algorithm, m.case.threads, *number.columns]
                + [predicted, choice.regret, *number.trace]
            )
    shown = [
        BarPanel("end to end" if residency == "end_to_end" else "", [one for one in bars.values() if one.values])
        for residency, bars in panels.items()
    ]
    picture = Bars(shown, list(dict.fromkeys(names)), "time, ns per key")
    caption = Caption(
        "Time per key of the fastest sort measured on each column, of the sort that models choose, and of the sort "
        "that is fastest on uniform keys. Marks: the prediction of each. Two "
        "bars of equal length are the same sort, chosen in both ways.",
        " ".join(filter(None, (_regret_text(name, regrets.get(name, [])) for name in ("predicted", "uniform")))),
    )
    caption += provenance.caption(records, measured, [])
    return Artifact(id_, title, "", caption, _HEADER, rows, picture)


def _series() -> dict[str, Series]:
    return {name: Series(text, series(i)) for i, (name, text) in enumerate(_WHOSE.items())}


def _regret_text(by: str, regrets: list[float]) -> str:
    """ "Uniform keys choose the fastest sort on 14 of 15 columns; elsewhere it takes up to 12 % more." """
    if not regrets:
        return ""
    who = "Models choose" if by == "predicted" else "Uniform keys choose"
    right = sum(regret <= 0 for regret in regrets)
    text = f"{who} the fastest sort on {right} of {len(regrets)} columns"
    return text + (f"; elsewhere theirs takes up to {percent(max(regrets))} more." if right < len(regrets) else ".")


ARTIFACTS = {"COLUMNS*": make}
TITLE = "Columns of keys"
COMMAND = "sortlab bench --input FILE.npy"
