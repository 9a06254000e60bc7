"""Figures in panels: one Matplotlib axes in each cell of a grid. Lengths are inches from the upper left corner."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from .style import POINTS, light

WIDE, NARROW = 10.5, 3.9  # inches: a page's width, a phone's
BASELINE = 0.35  # distance from a text's middle down to its baseline, as a share of its size


class Cell(NamedTuple):
    """Part of a drawing that holds one axes with its labels."""

    left: float
    top: float
    width: float
    height: float


class Margins(NamedTuple):
    """Room for labels around each axes."""

    left: float
    right: float
    top: float
    bottom: float


class Box(Axes):  # type: ignore[misc]
    """Axes whose ticks and gridlines are drawn by ticks.py."""

    def grid(self, *_: Any, **__: Any) -> None:
        """Does nothing: Matplotlib would make ticks here that nobody sees."""


@dataclass
class Drawing:
    """A Matplotlib figure, and the cell of each of its axes."""

    figure: Figure
    cells: list[Cell] = field(default_factory=list)

    def add_axes(self, cell: Cell, margins: Margins = Margins(0, 0, 0, 0)) -> Axes:
        width, height = self.figure.get_size_inches()
        left = (cell.left + margins.left) / width
        bottom = 1 - (cell.top + cell.height - margins.bottom) / height
        inside = cell.width - margins.left - margins.right, cell.height - margins.top - margins.bottom
        place = (left, bottom, max(inside[0], 0.1) / width, max(inside[1], 0.05) / height)
        axes = self.figure.add_axes(Box(self.figure, place))
        axes.set_axis_off()
        self.cells.append(cell)
        axes.set_gid(f"cell-{len(self.cells)}")
        return axes


def empty(width: float, height: float) -> Drawing:
    return Drawing(Figure(figsize=(width, height), facecolor=light("ground")))


def panels(width: float, columns: int, heights: Sequence[float], margins: Margins) -> tuple[Drawing, list[Axes]]:
    """A drawing with as many axes as heights, row by row; the axes of a row are as high as the highest of them."""
    rows = [max(heights[i : i + columns]) for i in range(0, len(heights), columns)]
    around = margins.top + margins.bottom
    drawing = empty(width, sum(rows) + around * len(rows))
    axes = []
    for i in range(len(heights)):
        row, column = divmod(i, columns)
        top = sum(rows[:row]) + around * row
        cell = Cell(column * width / columns, top, width / columns, rows[row] + around)
        axes.append(drawing.add_axes(cell, margins))
    return drawing, axes


def size_points(axes: Axes) -> tuple[float, float]:
    """Width and height of the box in points."""
    (width, height), box = axes.figure.get_size_inches() * POINTS, axes.get_position()
    return float(width * box.width), float(height * box.height)


@functools.lru_cache(maxsize=None)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Width in inches, as the font that comes with Matplotlib draws it, which is one of the wide ones."""
    font = FontProperties(family=["DejaVu Sans"], size=size, weight="bold" if bold else "normal")
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0]) / POINTS


def widest(texts: Sequence[str], size: float, bold: bool = False) -> float:
    return max((text_width(text, size, bold) for text in texts), default=0.0)


def put(axes: Axes, right: float, up: float, text: str, role: str = "ink", **look: Any) -> None:
    """Text at a point in points from the lower left corner of the box. It is the figure's own, since Matplotlib takes
    three times as long for a text that it may have to clip; its group says whose cell it stands in."""
    (width, height), box = axes.figure.get_size_inches() * POINTS, axes.get_position()
    at = box.x0 + right / width, box.y0 + up / height
    axes.figure.text(*at, text, color=light(role), gid=axes.get_gid(), **look)


def heading(axes: Axes, title: str, y_label: str, left: float = -30.0, above: float = 6.0) -> None:
    """The title `left` points from the box, and below it the y axis's name, which reads without turning the head."""
    height = size_points(axes)[1]
    put(axes, left, height + above, y_label, "muted", fontsize=7)
    if title:
        put(axes, left, height + above + 11, title, fontsize=9, fontweight="bold")


def note(axes: Axes, text: str) -> None:
    """Says why a box is empty."""
    width, height = size_points(axes)
    put(axes, width / 2, height / 2, text, "muted", ha="center", fontsize=8)
