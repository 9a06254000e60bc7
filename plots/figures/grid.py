"""A table of published, measured and predicted values side by side: for the page, as a picture and as LaTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Optional, Sequence

from . import latex
from ..records.quantities import short
from .layout import Cell, Drawing, empty, put, text_width, widest
from .style import POINTS, applied, light

_LABEL = 72  # letters of a row's label
_MARKS = {  # marks behind numbers
    "†": "other programs disturbed the measurement",
    "‡": "keys and values in one array, else in two",
}
_INTERVALS = (  # intervals behind and below numbers
    (re.compile("^± "), "±: half the 95 % interval of the median or ratio, in percent of it"),
    (re.compile(r"^\[.+, .+\]$"), "in square brackets: the 95 % interval of the ratio"),
    (re.compile(r"^\(\d+ samples?\)$"), "with a number of samples: too few for an interval"),
)


@dataclass(frozen=True)
class GridColumn:
    group: str
    head: str
    italic: bool = False
    measured: bool = False  # here; a column that is not is grey
    note: str = ""  # below the head
    bits: bool = False  # binary digits, which are compared by their places from the left


@dataclass(frozen=True)
class GridCell:
    """Texts, each empty where there is nothing."""

    published: str = ""
    measured: str = ""  # the median
    interval: str = ""  # ± half its 95 % interval
    estimator: str = ""  # the paper's own
    predicted: str = ""
    remark: str = ""  # whose value it is, where the column does not say

    @property
    def numbers(self) -> str:
        """All its numbers, in one text; empty if it has none."""
        return self.published + self.measured + self.predicted

    @property
    def measured_or_published(self) -> str:
        """The value that the column is sorted by."""
        return (self.measured or self.published).rstrip("†")


@dataclass(frozen=True)
class Grid:
    corner: str  # name of the rows
    columns: Sequence[GridColumn]
    rows: Sequence[tuple[str, float, Sequence[GridCell]]]  # label, sort value, one cell a column
    estimator: str  # name of the paper's own estimator: "mean"
    here: str = "measured here"  # name of the measured values

    def groups(self) -> list[tuple[str, int]]:
        """Group heads with the number of columns below each."""
        return [(name, len(list(columns))) for name, columns in groupby(self.columns, key=lambda c: c.group)]

    @property
    def marks_text(self) -> str:
        """A legend's sentence on the marks behind numbers."""
        cells = [cell for *_, row in self.rows for cell in row]
        texts = [getattr(cell, name) for cell in cells for name in ("interval", *(name for name, _ in self.kinds()))]
        told = [f"{mark} {meaning}" for mark, meaning in _MARKS.items() if any(mark in text for text in texts)]
        told += [meaning for pattern, meaning in _INTERVALS if any(pattern.search(text) for text in texts)]
        return f"{'; '.join(told)}." if told else ""

    def kinds(self) -> list[tuple[str, str]]:
        """The lines of a row that any cell fills: field and label."""
        labels = (
            ("published", "published"),
            ("measured", self.here),
            ("estimator", f"its {self.estimator}"),
            ("predicted", "predicted"),
            ("remark", ""),
        )
        cells = [cell for _, _, row in self.rows for cell in row]
        return [(name, label) for name, label in labels if any(getattr(cell, name) for cell in cells)]

    def filled(self, cells: Sequence[GridCell]) -> list[str]:
        """The lines that a row of these cells has: a value stands on the same line in each of them."""
        return [name for name, _ in self.kinds() if any(getattr(cell, name) for cell in cells)]

    @property
    def voices(self) -> set[str]:
        """Kinds of values that the table shows."""
        cells = [cell for _, _, row in self.rows for cell in row]
        return {name for name in ("published", "measured", "predicted") if any(getattr(c, name) for c in cells)}

    def latex(self, caption: str, label: str) -> str:
        groups, column = [], 3
        rules = []
        for name, span in self.groups():
            groups.append(rf"\multicolumn{{{span}}}{{c}}{{{latex.escape(name)}}}")
            rules.append(rf"\cmidrule(lr){{{column}-{column + span - 1}}}")
            column += span
        heads = [(r"\textit{%s}" if c.italic else "%s") % latex.escape(c.head) for c in self.columns]
        lines = ["& & " + " & ".join(groups) + r" \\", "".join(rules)]
        lines += [latex.escape(self.corner) + " & & " + " & ".join(heads) + r" \\"]
        for row_label, _, cells in self.rows:
            lines.append(r"\midrule")
            for i, (field, kind) in enumerate(self.kinds()):
                texts = [_latex_cell(cell, field, column.measured) for cell, column in zip(cells, self.columns)]
                first = latex.escape(row_label) if i == 0 else ""
                lines.append(f"{first} & {latex.escape(kind)} & " + " & ".join(texts) + r" \\")
        return latex.table("ll" + "r" * len(self.columns), lines, caption, label)

    def drawing(self, width: float) -> Drawing:
        with applied():
            return _draw(self, width)


def _latex_cell(cell: GridCell, field: str, measured: bool) -> str:
    text = latex.escape(getattr(cell, field))
    if field == "published" and text and not measured:
        return rf"\textcolor{{gray}}{{{text}}}"
    if field == "measured" and text:
        return rf"\textbf{{{text}}}" + (rf" {{\scriptsize {latex.escape(cell.interval)}}}" if cell.interval else "")
    return text


_LINE = 0.175  # inches from line to line
_BETWEEN = 0.14  # inches between columns
_SMALL = 6.5  # points, where the values have _VALUE
_VALUE = 8.0
_BITS = 10.0  # size of binary digits
_LOOKS: dict[str, dict[str, Any]] = {
    "published": dict(role="published"),
    "measured": dict(role="series-1", bold=True),
    "estimator": dict(role="series-1", size=_SMALL),
    "predicted": dict(role="series-2"),
    "remark": dict(role="muted", size=_SMALL),
}


def _column_widths(grid: Grid) -> list[float]:
    """Inches that each column needs for its texts, and for those of its group's head."""
    widths = []
    for i, column in enumerate(grid.columns):
        cells = [cells[i] for _, _, cells in grid.rows]
        texts = [(short(column.head), _VALUE, True), (short(column.note, 40), 6.0, False)]
        value = _BITS if column.bits else _VALUE
        texts += [(_measured(cell), value, not column.bits) for cell in cells]
        for name, look in _LOOKS.items():
            if name != "measured":
                texts += [(getattr(cell, name), look.get("size", value), False) for cell in cells]
        widths.append(_BETWEEN + max(text_width(text, size, bold) for text, size, bold in set(texts)))
    start = 0
    for name, span in grid.groups():
        lacking = text_width(short(name, 60), _VALUE, True) + _BETWEEN - sum(widths[start : start + span])
        for i in range(start, start + span):
            widths[i] += max(lacking, 0.0) / span
        start += span
    return widths


def _draw(grid: Grid, width: float) -> Drawing:
    """The table as wide as its texts need, and no narrower than `width`."""
    kinds = grid.kinds()
    head = 0.84
    kinds_at = max(0.42, 0.2 + widest([short(label, _LABEL) for label, _, _ in grid.rows], _VALUE, True))
    first = kinds_at + 0.2 + widest([label for _, label in kinds], _SMALL)
    widths = _column_widths(grid)
    width = max(width, first + sum(widths) + 0.1)
    spare = (width - first - 0.1 - sum(widths)) / max(len(widths), 1)
    right = [first + sum(widths[: i + 1]) + spare * (i + 1) for i in range(len(widths))]
    left = [edge - own - spare for edge, own in zip(right, widths)]
    named = dict(kinds)
    filled = [[(name, named[name]) for name in grid.filled(cells)] for _, _, cells in grid.rows]
    line = _LINE * (_BITS / _VALUE if any(column.bits for column in grid.columns) else 1)
    height = head + sum(max(len(of), 1) * line + 0.12 for of in filled) + 0.12
    drawing = empty(width, height)
    axes = drawing.add_axes(Cell(0, 0, width, height))
    axes.set(xlim=(0, width), ylim=(height, 0))

    def write(x: float, y: float, text: str, size: float = _VALUE, role: str = "ink", **look: Any) -> None:
        if text:
            weight, style = ("bold" if look.get("bold") else "normal"), ("italic" if look.get("italic") else "normal")
            font = dict(fontsize=size, fontweight=weight, fontstyle=style)
            put(axes, x * POINTS, (height - y) * POINTS, text, role, ha=look.get("anchor", "left"), **font)

    def rule(y: float, x0: float = 0.05, x1: Optional[float] = None, heavy: bool = False) -> None:
        colour, thickness = ("ink", 1.1) if heavy else ("axis", 0.6)
        axes.plot([x0, x1 or width - 0.05], [y, y], color=light(colour), linewidth=thickness)

    rule(0.08, heavy=True)
    column = 0
    for name, span in grid.groups():
        begin, end = left[column] + 0.12, right[column + span - 1]
        write((begin + end) / 2, 0.27, short(name, 60), anchor="center", bold=True)
        rule(0.34, begin, end)
        column += span
    write(0.05, 0.54, grid.corner, role="muted")
    at = [edge + _BETWEEN + spare if c.bits else x for c, edge, x in zip(grid.columns, left, right)]
    sides = ["left" if c.bits else "right" for c in grid.columns]
    for x, side, column_ in zip(at, sides, grid.columns):
        write(x, 0.54, short(column_.head), anchor=side, italic=column_.italic)
        write(x, 0.68, short(column_.note, 40), 6, role="muted", anchor=side)
    rule(0.76, heavy=True)
    y = head + 0.06
    for i, ((label, _, cells), of_row) in enumerate(zip(grid.rows, filled)):
        if i:
            rule(y - 0.12)
        write(0.05, y + 0.03, short(label, _LABEL), bold=True)
        for field, kind in of_row:
            write(kinds_at, y + 0.03, kind, _SMALL, role="muted")
            for x, side, cell, column_ in zip(at, sides, cells, grid.columns):
                look = _LOOKS[field]
                if column_.bits and field != "remark":
                    look = {**look, "size": _BITS, "bold": False}
                if field == "published" and column_.measured:
                    look = {**look, "role": "ink"}
                text = _measured(cell) if field == "measured" else getattr(cell, field)
                write(x, y + 0.03, text, anchor=side, **look)
            y += line
        y += 0.12 if of_row else line + 0.12
    rule(y - 0.12, heavy=True)
    return drawing


def _measured(cell: GridCell) -> str:
    return f"{cell.measured} {cell.interval}" if cell.interval else cell.measured
