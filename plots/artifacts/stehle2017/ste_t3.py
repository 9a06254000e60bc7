"""STE-T3: the paper's settings of its sort beside the fastest settings tried here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Optional

from ...records.caption import Caption
from ...figures.artifact import Artifact
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.measurement import Measurement
from ...records.number import TRACE, Number, cells_and_runs
from ...records.quantities import count_text, digits
from ...records.statistics import Interval
from ...records.published import Published
from ...records.collection import Records
from ...records.roles import standing_for
from ...analysis.selection import fastest_by_input
from . import PAPER
from .sorts import HRS, HYBRID, KEYS32, KEYS64, PAIRS32, PAIRS64, Input, in_form, source

_INPUTS = (KEYS32, KEYS64, PAIRS32, PAIRS64)
# Column, metric of the published records, the sort's parameter.
_COLUMNS = (
    ("KPB", "KPB", "block_keys"),
    ("threads", "threads", "threads"),
    ("KPT", "KPT", "items"),
    ("local sort", "theta_hat", "local_keys"),
)
_NOTES = {
    "KPB": "keys per block",
    "threads": "per block",
    "KPT": "keys per thread",
    "local sort": "largest bucket, keys",
}
_HEADER = [
    *("input", "n", "setting", "published", "inconsistency", "fastest_here", "settings_tried", "algorithm"),
    *("parameters", "median_ms", "ci95_low_ms", "ci95_high_ms", "over_papers_form", "disturbed", *TRACE),
]


@dataclass(frozen=True)
class _Tuned:
    """The fastest measured setting, and the paper's."""

    best: Measurement
    paper: Optional[Measurement]
    tried: int

    @property
    def over_paper(self) -> Optional[Interval]:
        if self.paper is None:
            return None
        return self.best.over(self.paper)


def make(records: Records) -> Artifact:
    published = {(p.type, p.metric): p for p in records.published if p.id == "STE-T3"}
    grid_rows: list[tuple[str, float, list[GridCell]]] = []
    rows: list[list[Any]] = []
    shown: list[Measurement] = []
    missing = []
    for place, input_ in enumerate(_INPUTS):
        tuned = _tuned(records, input_)
        if tuned is None:
            missing.append(input_.table3)
        else:
            shown += [tuned.best, *([tuned.paper] if tuned.paper else [])]
        cells = []
        for _, metric, parameter in _COLUMNS:
            p = published.get((input_.table3, metric))
            here = _setting(tuned.best, parameter, published, input_) if tuned else ""
            cells.append(GridCell(published=p.printed if p else "", measured=here))
            rows.append(_row(input_, metric, p, here, tuned))
        cells.append(_time(tuned))
        grid_rows.append((input_.table3, float(place), cells))
    columns = [GridColumn("Setting", head, measured=bool(shown), note=_NOTES[head]) for head, _, _ in _COLUMNS]
    columns.append(GridColumn("Time", "over the paper’s setting’s", measured=bool(shown), note="in the same run"))
    grid = Grid("keys, values", columns, grid_rows, "mean", here="fastest here")
    title = "Settings of the hybrid radix sort"
    caption = Caption(
        "Settings of the hybrid sort: published for the Titan X (Pascal), and the fastest here. The column at the "
        "right has the ratio of the time to that of the paper’s parameters in the same run.",
        "Here means the fastest of all settings "
        "in these records on uniform keys at the paper’s n (else the largest); sortlab tune keeps its records in "
        "tune.jsonl. Settings may differ "
        "in more than these columns. Keys per block (KPB) are threads times keys per thread (KPT) unless set. Buckets "
        "of at most so many keys are sorted locally: the paper’s threshold, theta with a hat. For 32/32 pairs "
        "the paper prints 3456 keys per block beside 384 threads of 18 (X9). ",
    )
    if missing:
        caption += f"No record here of: {', '.join(missing)}. "
    caption += source(records, shown, [])
    return Artifact(
        id="STE-T3",
        title=title,
        paper=PAPER,
        caption=caption,
        header=_HEADER,
        rows=rows,
        picture=grid,
    )


def _tuned(records: Records, input_: Input) -> Optional[_Tuned]:
    standing = standing_for(records, HYBRID)
    found = records.in_all_runs(
        algorithm=lambda name: name in standing,
        key_type=input_.key,
        value_type=input_.value,
        distribution="uniform",
        residency="device",
        layout="separate",
    )
    sizes = {m.case.n for m in found}
    n = input_.n if input_.n in sizes else max(sizes, default=0)
    at_n = [m for m in found if m.case.n == n]
    if n == 0:
        return None
    settings = {json.dumps([m.case.algorithm, m.case.parameters], sort_keys=True) for m in at_n}
    # Times are compared inside one run, preferably one with the paper's form.
    papers = {m.run: m for m in in_form(records, HRS, at_n)}
    best = fastest_by_input(m for m in at_n if m.run in papers or not papers)[n, "uniform"]
    return _Tuned(best, papers.get(best.run), len(settings))


def _setting(best: Measurement, parameter: str, published: dict[tuple[str, str], Published], input_: Input) -> str:
    """A parameter's value. 0 stands for Table 3's value, and for keys per block for all that the threads hold."""

    def of(name: str) -> int:
        value = best.case.whole(name)
        if value or name == "block_keys":
            return value
        metric = next(metric for _, metric, parameter in _COLUMNS if parameter == name)
        return int(published[input_.table3, metric].value)

    value = of(parameter)
    if parameter == "block_keys" and not value:
        value = of("threads") * of("items")
    return str(value)


def _time(tuned: Optional[_Tuned]) -> GridCell:
    if tuned is None:
        return GridCell()
    mark = "†" if tuned.best.disturbed else ""
    ratio = tuned.over_paper
    remark = f"of {tuned.tried} setting{'s' if tuned.tried != 1 else ''}, n = {count_text(tuned.best.case.n)}"
    return GridCell(measured=digits(ratio.value) + mark if ratio else "", remark=remark)


def _row(input_: Input, metric: str, p: Optional[Published], here: str, tuned: Optional[_Tuned]) -> list[Any]:
    row: list[Any] = [input_.table3, tuned.best.case.n if tuned else None, metric, p.printed if p else None]
    row += [p.inconsistency or None if p else None, here or None]
    if tuned is None or tuned.best.seconds is None:
        return row + [None] * 10
    best, ms = tuned.best, Number.of(tuned.best.seconds.scaled(1e3), tuned.best)
    row += [tuned.tried, best.case.algorithm, best.case.parameters_text, *ms.columns]
    row += [tuned.over_paper.value if tuned.over_paper else None, "yes" if best.disturbed else "no"]
    return row + [*cells_and_runs([m for m in (best, tuned.paper) if m])]


PLACE = 2
ARTIFACTS = {"STE-T3": make}
