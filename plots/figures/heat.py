"""Ratios in rows and columns, shaded by how far from 1 they are; written as a figure, as LaTeX and as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence

from . import latex
from .canvas import POINTS, Axes, Figure, Text
from ..records.quantities import Interval, digits, short
from .style import light

_LOW, _HIGH = "series-1", "series-2"  # below 1, above 1
_FULL = math.log(2)  # a factor of two and more has the full shade
_DARKEST = 0.62  # text stays readable on it
_ROW = 0.19  # inches
_SIZE = 7.5  # points, of names


@dataclass(frozen=True)
class HeatCell:
    ratio: Interval
    note: str  # what it is over: the fastest peer's name


@dataclass(frozen=True)
class HeatPanel:
    title: str
    cells: Mapping[tuple[str, str], HeatCell] = field(hash=False)  # by row and column


@dataclass(frozen=True)
class Heat:
    """Panels with the same rows and columns."""

    rows_are: str
    columns_are: str
    value: str  # what the ratio is
    row_names: Sequence[str]
    column_names: Sequence[str]
    panels: Sequence[HeatPanel]

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and one row a cell."""
        header = ["panel", self.rows_are, self.columns_are, self.value, "ci95_low", "ci95_high", "over"]
        rows = [
            [panel.title, row, column, cell.ratio.value, cell.ratio.low, cell.ratio.high, cell.note]
            for panel in self.panels
            for row in self.row_names
            for column in self.column_names
            if (cell := panel.cells.get((row, column)))
        ]
        return header, rows

    def latex(self, caption: str, label: str) -> str:
        lines, count = [], len(self.column_names)
        for panel in self.panels:
            lines += [r"\midrule"] * bool(lines)
            lines.append(rf"\multicolumn{{{count + 1}}}{{l}}{{\textbf{{{latex.escape(panel.title)}}}}} \\")
            lines.append(" & ".join(latex.escape(name) for name in (self.rows_are, *self.column_names)) + r" \\")
            for row in self.row_names:
                texts = [_latex_cell(panel.cells.get((row, column))) for column in self.column_names]
                lines.append(" & ".join([latex.escape(row), *texts]) + r" \\")
        return latex.table("l" + "r" * count, lines, caption, label, "booktabs, colortbl, graphicx, xcolor")

    def figure(self, width: float) -> Figure:
        """Draws for a place `width` inches wide: a narrow one gets its panels below each other."""
        return _draw(self, width)


def _shade(ratio: float) -> tuple[str, float]:
    """The colour's role and how much of it."""
    return (_HIGH if ratio > 1 else _LOW), _DARKEST * min(1.0, abs(math.log(ratio)) / _FULL)


def _latex_cell(cell: Optional[HeatCell]) -> str:
    if cell is None:
        return ""
    role, share = _shade(cell.ratio.value)
    return rf"\cellcolor[HTML]{{{_mixed(light(role), share)}}}{digits(cell.ratio.value, 2)}"


def _mixed(colour: str, share: float) -> str:
    """A colour over white, as six hexadecimal digits."""
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "".join(f"{round(255 + (part - 255) * share):02X}" for part in parts)


def _draw(heat: Heat, width: float) -> Figure:
    columns = min(len(heat.panels), 2) if width > 6 else 1
    rows = -(-len(heat.panels) // columns)
    left = 0.1 + 0.068 * max((len(short(name)) for name in heat.row_names), default=0)
    right, top, bottom, plot = 0.12, 0.55, 0.1, _ROW * len(heat.row_names)
    figure = Figure(width, rows * (plot + top + bottom))
    cell = width / columns
    for i, panel in enumerate(heat.panels):
        row, column = divmod(i, columns)
        above = row * (plot + top + bottom) + top
        _panel(figure.add_axes(column * cell + left, above, cell - left - right, plot), heat, panel, left)
    return figure


def _panel(axes: Axes, heat: Heat, panel: HeatPanel, left: float) -> None:
    add = axes.figure.add
    axes.x_span, axes.y_span = (0, len(heat.column_names)), (len(heat.row_names), 0)
    for x, name in enumerate(heat.column_names):
        add(Text(axes.x(x + 0.5), axes.top - 3.5, short(name), _SIZE, "muted", "middle"))
    for y, name in enumerate(heat.row_names):
        add(Text(axes.left - 3.5, axes.y(y + 0.5) + 0.35 * _SIZE, short(name), _SIZE, "muted", "end"))
    axes.heading(short(panel.title, 60), f"{heat.value}; {heat.columns_are} →", 6 - POINTS * left, 15)
    for y, row in enumerate(heat.row_names):
        for x, column in enumerate(heat.column_names):
            cell = panel.cells.get((row, column))
            if cell is None:
                continue
            role, share = _shade(cell.ratio.value)
            axes.rectangle((x + 0.02, y + 0.04), (x + 0.98, y + 0.96), role, share)
            # What is slower for sure stands out.
            text, bold = digits(cell.ratio.value, 2), cell.ratio.low > 1
            add(Text(axes.x(x + 0.5), axes.y(y + 0.5) + 0.35 * 7, text, 7, anchor="middle", bold=bold))
