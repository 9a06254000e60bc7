"""ENERGY-COST: the cost of sorting 10^12 keys on each machine, from prices that the user gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence

from ...analysis import provenance
from ...figures.artifact import Artifact
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.caption import Caption
from ...records.collection import Records
from ...records.measurement import Measurement, fastest
from ...records.number import TRACE, cells_and_runs
from ...records.quantities import count_text, digits

KEYS = 1e12
_JOULES = 3.6e6  # joules of a kWh
_TYPES = ("u32", "u64")
_LEAST = 1 << 20  # smaller inputs are dominated by launches


@dataclass(frozen=True)
class Cost:
    """The cheapest sort of a machine by one price."""

    measured: Measurement
    amount: float  # hours, or kWh, of KEYS keys
    price: float  # cost of all of them


def make(records: Records) -> list[Artifact]:
    prices = records.prices
    if prices.per_kwh is None and not prices.per_hour:
        return []
    every = records.every or records
    rows: list[tuple[str, str, Optional[Cost], Optional[Cost]]] = []
    for machine in sorted({m.machine for m in every.measurements if m.ok}):
        of = every.on(machine, alone=True)
        for type_ in _TYPES:
            found = [m for m in of.ok(distribution="uniform") if m.case.type_name == type_ and m.case.n >= _LEAST]
            largest = max((m.case.n for m in found), default=0)
            found = [m for m in found if m.case.n == largest]
            by_hour, by_kwh = _by_hour(found, prices.of_an_hour(machine)), _by_kwh(found, prices.per_kwh)
            if by_hour or by_kwh:
                rows.append((machine, type_, by_hour, by_kwh))
    return [_table(records, rows)] if rows else []


def _by_hour(found: Sequence[Measurement], price: Optional[float]) -> Optional[Cost]:
    """The machine for the time of the fastest sort."""
    if price is None or not found:
        return None
    best = fastest(found)
    hours = KEYS * best.seconds_per_key.value / 3600
    return Cost(best, hours, price * hours)


def _by_kwh(found: Sequence[Measurement], price: Optional[float]) -> Optional[Cost]:
    """The energy of the sort that draws the least: that of the parts which were metered."""
    metered = [m for m in found if m.energy is not None and m.energy.is_believed]
    if price is None or not metered:
        return None
    kwh = {m: KEYS * m.energy.joules.value / m.case.n / _JOULES for m in metered if m.energy is not None}
    best = min(metered, key=lambda m: kwh[m])
    return Cost(best, kwh[best], price * kwh[best])


def _table(records: Records, rows: Sequence[tuple[str, str, Optional[Cost], Optional[Cost]]]) -> Artifact:
    columns = [
        GridColumn("by the hour", "hours"),
        GridColumn("by the hour", "cost"),
        GridColumn("by the kWh", "kWh"),
        GridColumn("by the kWh", "cost"),
    ]
    grid_rows = [
        (f"{machine}, {type_}", float(i), [*_cells(by_hour), *_cells(by_kwh)])
        for i, (machine, type_, by_hour, by_kwh) in enumerate(rows)
    ]
    shown = [cost.measured for row in rows for cost in row[2:] if cost is not None]
    caption = Caption(
        "Cost of sorting 10¹² uniform keys on each machine with records, in the currency of the given prices.",
        "By the hour it is the fastest sort's time, by the kWh the energy of the sort that draws the least, of the "
        f"parts that were metered. Sorts are of the largest n measured, {count_text(_LEAST)} or more. ",
    )
    caption += provenance.caption(records, shown, [])
    header = ["machine", "type", "price", "sort", "n", "hours_or_kwh", "cost", *TRACE]
    csv: list[list[Any]] = []
    for machine, type_, *costs in rows:
        for kind, cost in zip(("hour", "kWh"), costs):
            if cost is not None:
                case = cost.measured.case
                trace = cells_and_runs([cost.measured])
                csv.append([machine, type_, kind, case.algorithm, case.n, cost.amount, cost.price, *trace])
    title = "What 10¹² keys cost"
    return Artifact("ENERGY-COST", title, "", caption, header, csv, Grid("machine, type", columns, grid_rows, "mean"))


def _cells(cost: Optional[Cost]) -> list[GridCell]:
    if cost is None:
        return [GridCell(), GridCell()]
    name = cost.measured.case.algorithm
    return [GridCell(measured=digits(cost.amount)), GridCell(measured=digits(cost.price), remark=name)]
