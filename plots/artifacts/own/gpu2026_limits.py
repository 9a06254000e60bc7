"""GPU2026-LIMITS: every sort's rate on many uniform keys, as a share of its device's copy bandwidth."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

from ...records import origins
from ...analysis import provenance
from ...records.caption import Caption
from ...figures.artifact import Artifact
from ...analysis.bandwidth_bounds import LEAST_N, copy_share, device_traffic, own_share
from ...analysis.paired_comparisons import PairedComparisons
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.measurement import Measurement, fastest
from ...records.number import TRACE, Number
from ...records.quantities import count_text, digits, percent
from ...records.statistics import Interval
from ...records.collection import Records
from .all_sorts import GIGAKEYS
from .beside_peers import TYPES, marks, type_text

_HEADS = (("rate", "10⁹ keys/s"), ("one copy", "% of the time"), ("all moves", "% of the time"))  # with notes
_BY_DESIGN = " *"  # behind bytes that the design tells, and no model


def table(
    records: Records, comparisons: PairedComparisons, measured: Sequence[Measurement], own: str
) -> Optional[Artifact]:
    """A row for each sort. Each type has the sorts of one run, at the largest n from 2²⁴ on with most sorts."""
    shown = {type_: found for type_ in TYPES if (found := _fastest(comparisons, measured, own, *type_))}
    if not shown:
        return None
    columns = [
        GridColumn(
            f"{type_text(*type_)}, n = {count_text(next(iter(found.values())).case.n)}", head, measured=True, note=unit
        )
        for type_, found in shown.items()
        for head, unit in _HEADS
    ]
    order = origins.order(records)
    every_name = {name for found in shown.values() for name in found}
    names = sorted(every_name, key=lambda name: (-_least_rate(shown, name), order(name)))
    rows = [
        (name, float(i), [cell for found in shown.values() for cell in _cells(records, found.get(name))])
        for i, name in enumerate(names)
    ]
    grid = Grid("sort", columns, rows, "mean", here="")
    every = [m for found in shown.values() for m in found.values()]
    device = " and ".join(sorted({m.device for m in every if m.device})) or "a GPU"
    title = f"Sorts of uniform keys on {device}, and what its memory lets through"
    first = type_text(*next(iter(shown)))
    legend = f"Rates of all sorts of uniform keys on {device}, each in its fastest setting; rows by the rate of {first}"
    legend += ". " if all(name in next(iter(shown.values())) for name in names) else ", or of the first type sorted. "
    legend += _seen(records, shown)
    if records.copy_bytes_per_s:
        legend += (
            "One copy: share of the sort’s time in which the memory would copy the input once. All moves: the same for "
        )
        legend += f"all bytes that the sort moves, an element’s below, by {_bytes_from(rows)}. "
        legend += "100 % is what the memory lets through."
    notes = "Intervals are in the CSV. " + shares_text(records)
    caption = Caption(legend, notes)
    caption += provenance.caption(records, every, [])
    header = [
        *("sort", "type", "n", "gkeys_per_s", "ci95_low", "ci95_high"),
        *("copy_share", "bytes", "bytes_from", "own_share", *TRACE),
    ]
    return Artifact(
        id="GPU2026-LIMITS",
        title=title,
        paper="",
        caption=caption,
        header=header,
        rows=[_row(records, found[name]) for name in names for found in shown.values() if name in found],
        picture=grid,
    )


def _bytes_from(rows: Sequence[tuple[str, float, Sequence[GridCell]]]) -> str:
    """Names the sources of the bytes that the sorts of a table move."""
    texts = [cell.remark for *_, cells in rows for cell in cells if cell.remark]
    by_design = [_BY_DESIGN in text for text in texts]
    known = "its model"
    if any(by_design):
        known = "its design (*)" if all(by_design) else "its model or, with *, by its design"
    whole = len(texts) == sum(bool(cell.measured) for *_, cells in rows for cell in cells[::3])
    return known if whole else f"{known}; blank where {'neither tells' if ' or' in known else 'it does not tell'} them"


def _least_rate(shown: Mapping[Any, Mapping[str, Measurement]], name: str) -> float:
    """A sort's rate on the first type that it sorts."""
    return next(GIGAKEYS.of(found[name]).value for found in shown.values() if name in found)


def _seen(records: Records, shown: Mapping[tuple[str, str], Mapping[str, Measurement]]) -> str:
    """A caption's sentence that says what to see: the fastest of each type, and the one nearest to its own limit."""
    best = {type_: max(found.values(), key=lambda m: GIGAKEYS.of(m).value) for type_, found in shown.items()}
    names = dict.fromkeys(m.case.algorithm for m in best.values())
    rates = ", ".join(f"{digits(GIGAKEYS.of(m).value)} ({type_text(*type_)})" for type_, m in best.items())
    text = f"{' or '.join(names)} is the fastest: {rates} · 10⁹ keys a second. "
    near = [(share.value, m) for found in shown.values() for m in found.values() if (share := own_share(records, m))]
    if near:
        most, m = max(near, key=lambda pair: pair[0])
        text += f"Nearest to the limit of its own bytes is {m.case.algorithm}, {percent(most)} on {m.case.type_name}. "
    return text


def shares_text(records: Records) -> str:
    """A caption's definition of the shares."""
    if not records.copy_bytes_per_s:
        return "No machine profile with the device’s copy bandwidth is given, so no share of it. "
    return (
        "Percentages are shares of the sort’s time that copying its input once, or all bytes that it moves, would "
        "take. "
        "Both are at the device’s copy bandwidth, by reading and writing; the second, the sort’s own limit, from "
        f"n = {count_text(LEAST_N)} on. "
    )


def share_cells(records: Records, m: Measurement) -> list[GridCell]:
    """Shares of the copy bandwidth: of reading and writing the input once, and of all traffic of the sort."""
    moved, own = device_traffic(records, m), own_share(records, m)
    text = (
        f"{digits(moved.bytes)} B per element{_BY_DESIGN if moved.source == 'design' else ''}" if moved and own else ""
    )
    return [_share_cell(copy_share(records, m)), _share_cell(own, text)]


def share_values(records: Records, m: Measurement) -> list[Any]:
    """Values of a row: share of the input, traffic per element, source of the traffic, and its share."""
    moved, copy, own = device_traffic(records, m), copy_share(records, m), own_share(records, m)
    return [
        copy.value if copy else None,
        moved.bytes if moved else None,
        moved.source if moved else None,
        own.value if own else None,
    ]


def _fastest(
    comparisons: PairedComparisons, measured: Sequence[Measurement], own: str, key: str, value: str
) -> dict[str, Measurement]:
    """The fastest measurement of each sort, in the run that is shown of an n: the n with most sorts beside the
    project's own."""
    sizes = {m.case.n for m in measured if m.case.n >= LEAST_N}
    wanted = dict(key_type=key, value_type=value, distribution="uniform")
    runs = [comparisons.run(1, n=n, **wanted) for n in sizes]
    found = [{name: _sort(run, name) for name in {m.case.algorithm for m in run}} for run in runs]
    return max((by for by in found if own in by), key=lambda by: (len(by), by[own].case.n), default={})


def _sort(run: Sequence[Measurement], name: str) -> Measurement:
    return fastest(m for m in run if m.case.algorithm == name)


def _cells(records: Records, m: Optional[Measurement]) -> list[GridCell]:
    if m is None:
        return [GridCell()] * 3
    rate = GridCell(measured=digits(GIGAKEYS.of(m).value) + marks(m))
    return [rate, *share_cells(records, m)]


def _row(records: Records, m: Measurement) -> list[Any]:
    rate = Number.of(GIGAKEYS.of(m), m)
    c = m.case
    return [c.algorithm, c.type_name, c.n, *rate.columns, *share_values(records, m), *rate.trace]


def _share_cell(share: Optional[Interval], remark: str = "") -> GridCell:
    return GridCell(measured=percent(share.value), remark=remark) if share else GridCell()
