"""HA-T3: the time of one pass by parts, for 16M pairs. A row is a part, so that both sorts stand side by side."""

from __future__ import annotations

import math
from typing import Mapping, Optional

from ...figures.artifact import Artifact
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.caption import Caption
from ...records.collection import Records
from ...records.number import cells_and_runs
from ...records.published import Published
from ...records.quantities import percent
from .readings import (
    COPY,
    CUDPP,
    CUDPP_PRESORT,
    CUDPP_RANK,
    CUDPP_SHUFFLE,
    IMPLICIT,
    MS,
    PASSES,
    PLATFORM,
    PRESORT,
    RANK,
    SHUFFLE_AOS,
    Column,
    Reading,
    alike,
    part_readings,
    whole_readings,
    whole_sorts,
)
from .columns import BOLD_TEXT, disagreements, published_values, ratio_cell, table, value_cell

_N = 1 << 24
_PARTS = (
    ("Pre-sort", ("Satish presort", CUDPP_PRESORT), ("Impl presort", PRESORT)),
    ("Rank", ("Satish glb rank", CUDPP_RANK), ("Impl glb rank", RANK)),
    ("Shuffle", ("Satish glb shuffle", CUDPP_SHUFFLE), ("Impl glb shuffle", SHUFFLE_AOS)),
)
_RATIO = 4  # place of the column with the ratio
_COPIED = "Shuffle"  # the part that reads and writes each pair once, as a copy does
_TITLE = "Where one pass over 16M pairs spends its time, milliseconds"


def make(records: Records) -> Artifact:
    columns: dict[str, list[Column]] = {CUDPP: [], IMPLICIT: []}
    for head, theirs, own in _PARTS:
        read = alike(records, [theirs[1], own[1]], 1)  # their ratio is of one kind of source
        for group, (published, _), readings in zip(columns, (theirs, own), read):
            columns[group].append(Column(group, head, published, readings, "series-1"))
    for group, role, total in ((CUDPP, "ipdps09_radix", "Satish total"), (IMPLICIT, "ha_radix", "Impl total")):
        whole = whole_readings(records, whole_sorts(records, role))
        one_pass = {n: r.share(1 / PASSES) for n, r in whole.items()}
        columns[group].append(Column(group, "Total", total, one_pass, "series-1"))
    copy = Column("Copy", "memcpy", "memcpy DtoD", part_readings(records, COPY, 1), "series-7")
    notes = "Printed totals are sums of the parts; measured ones an eighth of the whole sort. "
    every = [*columns[CUDPP], *columns[IMPLICIT], copy]
    made = table(records, "HA-T3", _TITLE, every, MS, notes + disagreements("X13", "X14"), sizes=[_N])
    printed = {name: p for (name, n), p in published_values(records, "HA-T3").items() if n == _N}
    grid = _by_part(columns, copy, printed)
    made.picture = grid
    made.rows = [*made.rows, *_ratio_rows(columns, grid)]
    made.caption = Caption(_legend(grid), made.caption.notes, made.caption.machines, made.caption.provenance)
    return made


def _by_part(columns: dict[str, list[Column]], copy: Column, printed: Mapping[str, Published]) -> Grid:
    """The table: a row for each part, with its time and its share of the parts' sum in both sorts, and their ratio.
    Beside the part that moves the pairs stands a copy of them."""
    heads = []
    for group, of in columns.items():
        measured = any(column.readings for column in of)
        heads += [GridColumn(group, head, measured=measured) for head in ("ms", "share of the parts")]
    both = all(any(column.readings for column in of) for of in columns.values())
    heads.append(GridColumn("CUDPP / implicit", "times as long", measured=both))
    heads.append(GridColumn("Copy of the pairs", "ms", measured=bool(copy.readings)))
    rows = []
    for place, pair in enumerate(zip(*columns.values())):
        cells = []
        for column, of in zip(pair, columns.values()):
            cells.append(value_cell(printed.get(column.published), column.readings.get(_N), MS, _N))
            cells.append(_share(column, of, printed))
        values = [printed.get(column.published) for column in pair], [column.readings.get(_N) for column in pair]
        of_copy = GridCell()
        if pair[0].head == _COPIED:
            of_copy = _short(value_cell(printed.get(copy.published), copy.readings.get(_N), MS, _N))
        rows.append((pair[0].head, float(place), [*map(_short, cells), ratio_cell(*values, MS, _N), of_copy]))
    return Grid("part", heads, rows, "mean")


def _short(cell: GridCell) -> GridCell:
    """The cell without its mean, which the CSV has."""
    return GridCell(cell.published, cell.measured, cell.interval, predicted=cell.predicted)


def _share(column: Column, every: list[Column], printed: Mapping[str, Published]) -> GridCell:
    """A part's share of the sum of all parts, as published, measured and predicted; the total has none."""
    if column.head == "Total":
        return GridCell()
    parts = [one for one in every if one.head != "Total"]
    readings = [one.readings.get(_N) for one in parts]
    at = parts.index(column)

    def text(seconds: list[Optional[float]]) -> str:
        known = [s for s in seconds if s is not None]
        whole = math.fsum(known)
        return percent(known[at] / whole) if len(known) == len(seconds) and whole else ""

    def of_model(r: Optional[Reading]) -> Optional[float]:
        return r.predicted.seconds if r and r.predicted else None

    published = [printed.get(one.published) for one in parts]
    return GridCell(
        published=text([p.value if p else None for p in published]),
        measured=text([r.seconds.value if r else None for r in readings]),
        predicted=text([of_model(r) for r in readings]),
    )


def _ratio_rows(columns: dict[str, list[Column]], grid: Grid) -> list[list[object]]:
    """The CSV's rows of the ratios."""
    rows = []
    for (head, _, cells), pair in zip(grid.rows, zip(*columns.values())):
        both = [r.measurement for column in pair if (r := column.readings.get(_N))]
        found = [
            cells[_RATIO].published,
            None,
            None,
            None,
            "ratio of the columns",
            cells[_RATIO].measured,
            None,
            None,
            None,
        ]
        trace = cells_and_runs(both if cells[_RATIO].measured else [])
        row = [f"CUDPP / implicit: {head}", PLATFORM, _N, *found, cells[_RATIO].predicted, None, None, None, *trace]
        rows.append([None if value == "" else value for value in row])
    return rows


def _legend(grid: Grid) -> str:
    text = (
        f"Parts of one pass over 16M pairs of u32: {CUDPP} beside {IMPLICIT}, published on a {PLATFORM} and measured "
    )
    text += "here; shares are of the sum of a sort’s parts. "
    text += "At the right, a copy of the same pairs, the bound of a shuffle. "
    (total,) = [cells[_RATIO] for head, _, cells in grid.rows if head == "Total"]
    if total.published:
        here = f", {total.measured} times here" if total.measured else ""
        text += f"A pass of CUDPP takes {total.published} times as long as one of Ha et al.’s as published{here}. "
    if any(cell.measured for _, _, cells in grid.rows for cell in cells):
        text += BOLD_TEXT
    return text


ARTIFACTS = {"HA-T3": make}
