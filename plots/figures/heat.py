"""Ratios in rows and columns, shaded by their distance from 1, or errors by their distance from 0: drawn by Matplotlib,
as a LaTeX table and as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from . import latex
from ..records.quantities import count_text, digits, short
from ..records.statistics import Interval
from .layout import BASELINE, NARROW, Drawing, Margins, heading, panels, put, size_points, widest
from ..records.number import INTERVAL, TRACE, Number, Source
from .style import POINTS, SIZE, applied, light

_LOW, _HIGH = "series-1", "series-2"  # below 1, above 1
_DARKEST = 0.62  # text stays readable on it
_ROW = 0.19  # inches
_NUMBER = 7.0  # points
_APART = 2.0  # points between the numbers of neighbouring cells


@dataclass(frozen=True)
class Scale:
    """Shading and writing of values."""

    full: float  # distance from the neutral value at which the shade is full
    distance: Callable[[float], float]  # signed distance of a value from the neutral one
    text: Callable[[float], str]
    is_bold: Callable[[Interval], bool]


def ratio_text(value: float) -> str:
    """A ratio with two digits, or three where two would make it 1: a bold 1.0 would contradict itself."""
    text = digits(value, 2)
    return digits(value, 3) if text == "1.0" else text


RATIOS = Scale(math.log(2), math.log, ratio_text, lambda ratio: ratio.low > 1)  # surely slower


def differences(full: float, bold: float, signed: bool = True) -> Scale:
    """The scale of differences, signed or absolute; those of more than `bold` are bold."""

    def text(value: float) -> str:
        return f"{value:{'+' if signed else ''}.0f}".replace("-", "−") if abs(value) >= 0.5 else "0"

    return Scale(full, lambda value: value, text, lambda one: abs(one.value) > bold)


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
    """Panels with the same rows and columns. A column that is a number of elements is drawn as a power of two. With
    `own_rows` a panel has no rows without a value."""

    rows_are: str
    columns_are: str
    value: str  # name of the ratio
    row_names: Sequence[str]
    column_names: Sequence[Union[str, int]]
    panels: Sequence[HeatPanel]
    scale: Scale = RATIOS
    own_rows: bool = False

    def shown_rows(self, panel: HeatPanel) -> Sequence[str]:
        """The names of a panel's rows."""
        if not self.own_rows:
            return self.row_names
        return [name for name in self.row_names if any(row == name for row, _ in panel.cells)]

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
            for row in self.shown_rows(panel):
                texts = [_latex_cell(self.scale, panel.cells.get((row, column))) for column in self.column_names]
                lines.append(" & ".join([latex.escape(row), *texts]) + r" \\")
        return latex.table("l" + "r" * count, lines, caption, label, "booktabs, colortbl, graphicx, xcolor")

    def drawing(self, width: float) -> Drawing:
        """The map for a place `width` inches wide: a narrow one gets its panels below each other."""
        with applied():
            return _draw(self, width)


def _column_text(name: Union[str, int]) -> str:
    return count_text(name) if isinstance(name, int) else name


def _shade(scale: Scale, value: float) -> tuple[str, float]:
    """Role of the colour, and its strength from 0 to 1."""
    distance = scale.distance(value)
    return (_HIGH if distance > 0 else _LOW), _DARKEST * min(1.0, abs(distance) / scale.full)


def _latex_cell(scale: Scale, cell: Optional[HeatCell]) -> str:
    if cell is None:
        return ""
    role, share = _shade(scale, cell.ratio.value)
    return rf"\cellcolor[HTML]{{{_mixed(light(role), share)}}}{latex.escape(scale.text(cell.ratio.value))}"


def _mixed(colour: str, share: float) -> str:
    """A colour over white, as six hexadecimal digits."""
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "".join(f"{round(255 + (part - 255) * share):02X}" for part in parts)


def _draw(heat: Heat, width: float) -> Drawing:
    count = max(len(heat.panels), 1)
    columns = min(count, 2) if width > NARROW else 1
    left = 0.1 + widest([short(name) for name in heat.row_names], SIZE)
    heights = [_ROW * max(len(heat.shown_rows(panel)), 1) for panel in heat.panels] or [_ROW]
    drawing, boxes = panels(width, columns, heights, Margins(left, 0.12, 0.55, 0.1))
    for axes, panel in zip(boxes, heat.panels):
        _panel(axes, heat, panel, left)
    return drawing


def _fitting(size: float, texts: Sequence[str], room: float, bold: bool = False) -> float:
    """The size of letters, at most `size`, at which none of the texts is wider than `room` points."""
    return min(size, size * (room - _APART) / (POINTS * widest(texts, size, bold) or 1.0))


def _panel(axes: Axes, heat: Heat, panel: HeatPanel, left: float) -> None:
    rows = heat.shown_rows(panel)
    axes.set_xlim(0, max(len(heat.column_names), 1))
    width, height = size_points(axes)
    right, down = width / max(len(heat.column_names), 1), POINTS * _ROW
    axes.set_ylim(height / down, 0)  # a panel may have fewer rows than the one beside it
    lower = BASELINE * SIZE
    names = [short(_column_text(name)) for name in heat.column_names]
    size = _fitting(SIZE, names, right)
    for x, name in enumerate(names):
        put(axes, (x + 0.5) * right, height + 3.5, name, "muted", ha="center", fontsize=size)
    for y, name in enumerate(rows):
        put(axes, -3.5, height - (y + 0.5) * down - lower, short(name), "muted", ha="right")
    heading(axes, short(panel.title, 60), f"{heat.value}; {heat.columns_are} →", 6 - POINTS * left, 15)
    texts = [heat.scale.text(cell.ratio.value) for one in heat.panels for cell in one.cells.values()]
    number = _fitting(_NUMBER, texts, right, True)
    for y, row in enumerate(rows):
        for x, column in enumerate(heat.column_names):
            cell = panel.cells.get((row, column))
            if cell is None:
                continue
            role, share = _shade(heat.scale, cell.ratio.value)
            shade = dict(facecolor=light(role), alpha=round(share, 2), linewidth=0)
            axes.add_patch(Rectangle((x + 0.02, y + 0.04), 0.96, 0.92, **shade))
            weight = "bold" if heat.scale.is_bold(cell.ratio) else "normal"
            middle = (x + 0.5) * right, height - (y + 0.5) * down - BASELINE * number
            text = heat.scale.text(cell.ratio.value)
            put(axes, *middle, text, ha="center", fontsize=number, fontweight=weight)
