"""Columns of Ha et al., published, measured and predicted, as a table over n and as a plot of the same values."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Optional, Sequence

from ...analysis import provenance
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.chart import Chart, Line, Panel
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.folders import PUBLISHED
from ...records.published import Published
from ...records.quantities import binary_text, digits, percent
from ...records.collection import Records
from ...records.number import Number, cells_and_runs
from . import PAPER
from .readings import CUDPP, ESTIMATOR, IMPLICIT, PLATFORM, Column, Ratio, Reading, Unit

BOLD_TEXT = "Bold: measured; below it: predicted. "
_PLOTTED = range(2 << 20, (16 << 20) + 1)  # n of the paper's axes


def published_values(records: Records, id_: str) -> dict[tuple[str, Optional[int]], Published]:
    return {(p.algorithm, p.n): p for p in records.published if p.id == id_}


def disagreements(*ids: str) -> str:
    """A caption's sentences about inconsistencies inside the paper."""
    known = json.loads((PUBLISHED / "inconsistencies.json").read_text(encoding="utf-8"))
    return "The paper disagrees with itself: " + " ".join(f"{id_}: {known[id_]}" for id_ in ids) + " "


def sources(columns: Sequence[Column], records: Records) -> Caption:
    """The end of a caption: the values that are phases of whole sorts, then machine, samples and models."""
    readings = [r for column in columns for r in column.readings.values()]
    phases = dict.fromkeys(
        f"{r.measurement.case.algorithm} ({r.source.removeprefix('phases ')})" for r in readings if not r.exact
    )
    text = (
        f"No component measures {'; '.join(phases)}: phases of the whole sort, without an interval. " if phases else ""
    )
    if any(r.predicted.model.cell != r.measurement.cell for r in readings if r.predicted):
        text += "Parts are predicted as phases of the whole sort, the copy by its bytes over the copying bandwidth. "
    papers = [r.papers.model for r in readings if r.papers]
    if papers:
        names = ", ".join(sorted({p.model + (" (from its own times)" if p.papers_times else "") for p in papers}))
        text += f"On the paper’s machine its own model: {names}. "
    unpredicted = [c.head for c in columns if c.readings and not any(r.predicted for r in c.readings.values())]
    if unpredicted:
        text += f"No prediction in these records of: {', '.join(unpredicted)}. "
    models = [r.predicted.model for r in readings if r.predicted]
    return Caption(notes=text) + provenance.caption(records, [r.measurement for r in readings], models, ESTIMATOR)


_HEADER = "column published_on n published_{0} inconsistency measured_by parameters source median_{0} ci95_low_{0} "
_HEADER += "ci95_high_{0} mean_{0} predicted_{0} model paper_model_{0} disturbed cell run"


def table(
    records: Records,
    id_: str,
    title: str,
    columns: Sequence[Column],
    unit: Unit,
    notes: str,
    ratios: Sequence[Ratio] = (),
    sizes: Optional[Sequence[int]] = None,
) -> Artifact:
    """A table with a row for each n in `sizes`, by default the paper's and larger measured powers of two."""
    printed = published_values(records, id_)
    if sizes is None:
        papers = {n for _, n in printed if n}
        measured = {n for column in columns for n in column.readings if n & (n - 1) == 0}
        sizes = sorted(papers | {n for n in measured if n > max(papers, default=0)})
    columns = [_printed_sizes(c, sizes) for c in columns]
    columns = [c for c in columns if c.published or c.readings]
    grid_rows, rows = [], []
    for n in sizes:
        cells = []
        for column in columns:
            p, r = printed.get((column.published, n)), column.readings.get(n)
            cells.append(value_cell(p, r, unit, n))
            rows.append(_row(column, p, r, unit, n))
        for ratio in ratios:
            pair = [columns[ratio.above], columns[ratio.below]]
            cell = ratio_cell([printed.get((c.published, n)) for c in pair], [c.readings.get(n) for c in pair], unit, n)
            cells.append(cell)
            row = [cell.published, None, None, None, "ratio of the columns", cell.measured, None, None, None]
            both = [r.measurement for c in pair if (r := c.readings.get(n))] if cell.measured else []
            rows.append([ratio.head, PLATFORM, n, *row, cell.predicted, None, None, None, *cells_and_runs(both)])
        grid_rows.append((binary_text(n), float(n), cells))
    heads = [GridColumn(c.group, f"{c.head}, {unit.name}", measured=bool(c.readings)) for c in columns] + [
        GridColumn("Ratio", r.head, measured=bool(columns[r.above].readings and columns[r.below].readings), note=r.note)
        for r in ratios
    ]
    grid = Grid("pairs", heads, grid_rows, "mean")
    name = "ms" if not unit.rate else "mpairs_per_s"
    what = title.partition(",")[0]
    legend = f"{what}: {CUDPP} beside {IMPLICIT}, published on a {PLATFORM} and measured here; M = 2²⁰ pairs of u32. "
    legend += _seen(ratios, grid_rows)
    legend += BOLD_TEXT if any(cell.measured for _, _, row in grid_rows for cell in row) else ""
    if ratios:
        notes = f"A ratio’s interval also allows for how processes differ: it is wider than its times’. {notes}"
    caption = Caption(legend, notes) + sources(columns, records)
    return Artifact(
        id=id_,
        title=title,
        paper=PAPER,
        caption=caption,
        header=_HEADER.format(name).split(),
        rows=[[None if value == "" else value for value in row] for row in rows],
        picture=grid,
    )


def _seen(ratios: Sequence[Ratio], rows: Sequence[tuple[str, float, Sequence[GridCell]]]) -> str:
    """A caption's sentence on the first ratio: its span over the paper's n, as printed and as measured there."""
    if not ratios:
        return ""
    place = -len(ratios)
    both = [(cells[place].published, cells[place].measured) for _, _, cells in rows]
    spans = [sorted((float(text), text) for text in of if text) for of in zip(*(b for b in both if all(b)))]
    if not spans:
        return ""
    there, here = (" to ".join(dict.fromkeys((of[0][1], of[-1][1]))) for of in spans)
    return f"{ratios[0].head}: {there} published, {here} here at the same n. "


def _printed_sizes(column: Column, sizes: Sequence[int]) -> Column:
    return replace(column, readings={n: r for n, r in column.readings.items() if n in sizes})


def value_cell(printed: Optional[Published], reading: Optional[Reading], unit: Unit, n: int) -> GridCell:
    text = printed.printed if printed else ""
    if reading is None:
        return GridCell(published=text)
    m = reading.measurement
    return GridCell(
        published=text,
        measured=digits(unit.convert(reading.seconds, n).value) + ("†" if m.disturbed else ""),
        interval=m.width_text if reading.exact else "",
        estimator=digits(unit.convert_seconds(reading.mean_s, n)) if reading.mean_s else "",
        predicted=digits(unit.convert_seconds(reading.predicted.seconds, n)) if reading.predicted else "",
    )


def ratio_cell(
    printed: Sequence[Optional[Published]], readings: Sequence[Optional[Reading]], unit: Unit, n: int
) -> GridCell:
    published = measured = interval = predicted = ""
    if printed[0] and printed[1]:
        published = digits(printed[0].value / printed[1].value)
    above, below = readings
    if above and below and above.exact == below.exact:  # a phase against a component is no ratio of one kind
        ratio = unit.convert(above.seconds_to_compare, n).over(unit.convert(below.seconds_to_compare, n))
        measured = digits(ratio.value)
        interval = f"± {percent(ratio.half_width)}" if above.exact and below.exact else ""
        if above.predicted and below.predicted:
            pair = [unit.convert_seconds(r.predicted.seconds, n) for r in (above, below) if r.predicted]
            predicted = digits(pair[0] / pair[1])
    return GridCell(published=published, measured=measured, interval=interval, predicted=predicted)


def _row(column: Column, printed: Optional[Published], r: Optional[Reading], unit: Unit, n: int) -> list[Any]:
    row: list[Any] = [
        f"{column.group}: {column.head}",
        PLATFORM if printed else None,
        n,
        printed.printed if printed else None,
    ]
    row.append(printed.inconsistency or None if printed else None)
    if r is None:
        return row + [None] * 13
    value, m = unit.convert(r.seconds, n), r.measurement
    number = Number.of(value if r.exact else value.value, m)
    row += [m.case.algorithm, m.case.parameters_text, r.source, *number.columns]
    row += [unit.convert_seconds(r.mean_s, n) if r.mean_s else None]
    row += [unit.convert_seconds(r.predicted.seconds, n), r.predicted.model.model] if r.predicted else [None, None]
    row += [unit.convert_seconds(r.papers.seconds, n) if r.papers else None, "yes" if m.disturbed else "no"]
    return row + [*number.trace]


def plot(
    records: Records, id_: str, of: str, title: str, columns: Sequence[Column], unit: Unit, y_label: str, notes: str
) -> Artifact:
    """The same values over n: the paper's in one panel, those measured here in another."""
    printed = published_values(records, of)
    columns = [_printed_sizes(c, _PLOTTED) for c in columns]
    there, here = [], []
    devices: dict[str, None] = {}
    for column in columns:
        label = f"{column.head}, {'CUDPP' if column.group == CUDPP else 'implicit'}" if of != "HA-T2" else column.head
        published = Line(label, column.role, "published")
        for (algorithm, n), p in sorted(printed.items(), key=lambda item: item[0][1] or 0):
            if algorithm == column.published and n:
                published.add(n / 2**20, unit.convert_published(p))
        measured, predicted, papers = (
            Line(label, column.role),
            Line("predicted", column.role, "predicted", labelled=False),
            Line("predicted on the paper’s machine", column.role, "predicted", labelled=False),
        )
        for n, r in sorted(column.readings.items()):
            value = unit.convert(r.seconds, n)
            measured.add(n / 2**20, value if r.exact else value.value, r.measurement)
            devices.setdefault(r.measurement.device or "GPU", None)
            for prediction, of_model in ((r.predicted, predicted), (r.papers, papers)):
                if prediction:
                    of_model.add(n / 2**20, unit.convert_seconds(prediction.seconds, n), prediction.model)
        there += [line for line in (published, papers) if line.x]
        here += [line for line in (measured, predicted) if line.x]
    panels = [Panel(f"{PLATFORM}, published", there), Panel(f"{', '.join(devices) or 'A GPU'}, measured here", here)]
    chart = Chart(panels, y_label, columns=2, x_label="n, 2²⁰ pairs", own_spans=True)
    legend = f"{title}: {CUDPP} beside {IMPLICIT}, published on a {PLATFORM} and measured here, as in {of}; each panel "
    legend += f"has its own scale. {looks_text(chart)}"
    caption = Caption(legend, notes) + sources(columns, records)
    return from_picture(chart, id_, title, PAPER, caption)
