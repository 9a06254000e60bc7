"""Ratios in rows and columns, shaded by their distance from 1: drawn by Matplotlib, as a LaTeX table and as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence, Union

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from . import latex
from ..records.quantities import count_text, digits, short
from ..records.statistics import Interval
from .layout import BASELINE, NARROW, Drawing, Margins, heading, panels, put, size_points, widest
from ..records.number import INTERVAL, TRACE, Number, Source
from .style import POINTS, SIZE, applied, light

_LOW, _HIGH = "series-1", "series-2"  # below 1, above 1
_FULL = math.log(2)  # a factor of two and more has the full shade
_DARKEST = 0.62  # text stays readable on it
_ROW = 0.19  # inches
_NUMBER = 7.0  # points
_APART = 2.0  # points between the numbers of neighbouring cells


@dataclass(frozen=True)
class HeatCell:
    ratio: Interval
    note: str  # the peer that the ratio is to
    sources: Sequence[Source] = ()


@dataclass(frozen=True)
class HeatPanel:
    title: str
    cells: Mapping[tuple[str, Union[str, int]], HeatCell] = field(hash=False)  # key: row and column


@dataclass(frozen=True)
class Heat:
    """Panels with the same rows and columns. A column that is a number of elements is drawn as a power of two."""

    rows_are: str
    columns_are: str
    value: str  # name of the ratio
    row_names: Sequence[str]
    column_names: Sequence[Union[str, int]]
    panels: Sequence[HeatPanel]

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and one row a cell."""
        header = ["panel", self.rows_are, self.columns_are, self.value, *INTERVAL, "over", *TRACE]
        rows = [
            [panel.title, row, column, *number.columns, cell.note, *number.trace]
            for panel in self.panels
            for row in self.row_names
            for column in self.column_names
            if (cell := panel.cells.get((row, column)))
            for number in (Number.of(cell.ratio, *cell.sources),)
        ]
        return header, rows

    @property
    def voices(self) -> set[str]:
        """Ratios of measured times alone."""
        return {"measured"} if any(panel.cells for panel in self.panels) else set()

    def latex(self, caption: str, label: str) -> str:
        lines: list[str] = []
        count = len(self.column_names)
        for panel in self.panels:
            lines += [r"\midrule"] * bool(lines)
            lines.append(rf"\multicolumn{{{count + 1}}}{{l}}{{\textbf{{{latex.escape(panel.title)}}}}} \\")
            lines.append(
                " & ".join(latex.escape(name) for name in (self.rows_are, *map(_column_text, self.column_names)))
                + r" \\"
            )
            for row in self.row_names:
                texts = [_latex_cell(panel.cells.get((row, column))) for column in self.column_names]
                lines.append(" & ".join([latex.escape(row), *texts]) + r" \\")
        return latex.table("l" + "r" * count, lines, caption, label, "booktabs, colortbl, graphicx, xcolor")

    def drawing(self, width: float) -> Drawing:
        """The map for a place `width` inches wide: a narrow one gets its panels below each other."""
        with applied():
            return _draw(self, width)


def _column_text(name: Union[str, int]) -> str:
    return count_text(name) if isinstance(name, int) else name


def _shade(ratio: float) -> tuple[str, float]:
    """Role of the colour, and its strength from 0 to 1."""
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


def _draw(heat: Heat, width: float) -> Drawing:
    count = max(len(heat.panels), 1)
    columns = min(count, 2) if width > NARROW else 1
    left = 0.1 + widest([short(name) for name in heat.row_names], SIZE)
    heights = [_ROW * max(len(heat.row_names), 1)] * count
    drawing, boxes = panels(width, columns, heights, Margins(left, 0.12, 0.55, 0.1))
    for axes, panel in zip(boxes, heat.panels):
        _panel(axes, heat, panel, left)
    return drawing


def _panel(axes: Axes, heat: Heat, panel: HeatPanel, left: float) -> None:
    axes.set_xlim(0, max(len(heat.column_names), 1))
    axes.set_ylim(max(len(heat.row_names), 1), 0)
    width, height = size_points(axes)
    right, down = width / max(len(heat.column_names), 1), height / max(len(heat.row_names), 1)
    lower = BASELINE * SIZE
    for x, name in enumerate(heat.column_names):
        put(axes, (x + 0.5) * right, height + 3.5, short(_column_text(name)), "muted", ha="center")
    for y, name in enumerate(heat.row_names):
        put(axes, -3.5, height - (y + 0.5) * down - lower, short(name), "muted", ha="right")
    heading(axes, short(panel.title, 60), f"{heat.value}; {heat.columns_are} →", 6 - POINTS * left, 15)
    texts = [digits(cell.ratio.value, 2) for cell in panel.cells.values()]
    number = min(_NUMBER, _NUMBER * (right - _APART) / (POINTS * widest(texts, _NUMBER, True) or 1.0))
    for y, row in enumerate(heat.row_names):
        for x, column in enumerate(heat.column_names):
            cell = panel.cells.get((row, column))
            if cell is None:
                continue
            role, share = _shade(cell.ratio.value)
            shade = dict(facecolor=light(role), alpha=round(share, 2), linewidth=0)
            axes.add_patch(Rectangle((x + 0.02, y + 0.04), 0.96, 0.92, **shade))
            weight = "bold" if cell.ratio.low > 1 else "normal"  # surely slower
            middle = (x + 0.5) * right, height - (y + 0.5) * down - BASELINE * number
            put(axes, *middle, digits(cell.ratio.value, 2), ha="center", fontsize=number, fontweight=weight)
