"""What figures are drawn on: strokes, shapes, dots and texts in points (1/72 inch) from the upper left corner, each in
the colour of a role of `style.COLOURS`. `svg.py` and `png.py` write them as files."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Iterable, Optional, Sequence, Union

from ..records.quantities import power_of_ten_text

Point = tuple[float, float]
Tick = tuple[float, str]  # where, in the axis's values; and what stands there
POINTS = 72.0  # an inch


@dataclass(frozen=True)
class Stroke:
    """Lines in one colour: `runs` of points that are joined."""

    runs: Sequence[Sequence[Point]]
    role: str
    width: float
    dashes: Optional[tuple[float, float]] = None


@dataclass(frozen=True)
class Shape:
    """A filled polygon, with an edge where `edge` names its colour."""

    points: Sequence[Point]
    role: str
    opacity: float = 1.0
    edge: str = ""


@dataclass(frozen=True)
class Dots:
    points: Sequence[Point]
    role: str
    diameter: float


@dataclass(frozen=True)
class Text:
    x: float
    y: float  # of the baseline
    text: str
    size: float
    role: str = "ink"
    anchor: str = "start"  # or "middle", "end"
    bold: bool = False
    italic: bool = False
    turn: float = 0.0  # degrees, counter-clockwise


Mark = Union[Stroke, Shape, Dots, Text]


class Figure:
    """A place `width` times `height` inches large, and what is drawn there, from back to front."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.marks: list[Mark] = []
        self.axes: list[Axes] = []

    def add(self, *marks: Mark) -> None:
        self.marks += marks

    def add_axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Axes in a box given in inches from the upper left corner."""
        self.axes.append(Axes(self, left * POINTS, top * POINTS, width * POINTS, height * POINTS))
        return self.axes[-1]


@dataclass
class Axes:
    """A box of a figure with a span of values in each direction."""

    figure: Figure
    left: float
    top: float
    width: float
    height: float
    x_span: tuple[float, float] = (0.0, 1.0)
    y_span: tuple[float, float] = (0.0, 1.0)
    log: bool = False  # the y axis
    x_ticks: list[float] = field(default_factory=list)

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def right(self) -> float:
        return self.left + self.width

    def x(self, value: float) -> float:
        low, high = self.x_span
        return self.left + self.width * (value - low) / (high - low)

    def y(self, value: float) -> float:
        """Where a value stands; one outside of the span, or that has no logarithm, just outside of the box."""
        low, high = self.y_span
        if self.log:
            value, low, high = (math.log(max(v, 1e-3 * self.y_span[0])) for v in (value, low, high))
        share = (value - low) / (high - low)
        return self.bottom - self.height * min(max(share, -0.02), 1.02)

    def points(self, xs: Iterable[float], ys: Iterable[float]) -> list[Point]:
        return [(self.x(x), self.y(y)) for x, y in zip(xs, ys)]

    def x_axis(self, ticks: Sequence[Tick], size: float = 8, length: float = 3, slant: float = 0) -> None:
        """The axis at the lower edge with its labels, which stand slanted at their ends where `slant` has degrees."""
        self.x_ticks = [at for at, _ in ticks]
        marks = [[(self.x(at), self.bottom), (self.x(at), self.bottom + length)] for at, _ in ticks if length]
        self.figure.add(Stroke([[(self.left, self.bottom), (self.right, self.bottom)], *marks], "axis", 0.8))
        for at, text in ticks:
            below = self.bottom + length + (3.5 + 0.72 * size if not slant else 4 + 0.5 * size)
            anchor = "end" if slant else "middle"
            self.figure.add(Text(self.x(at), below, text, size, "muted", anchor, turn=slant))

    def y_axis(self, ticks: Sequence[Tick], size: float = 8) -> None:
        """Grid lines with their labels on the left."""
        self.figure.add(Stroke([[(self.left, self.y(at)), (self.right, self.y(at))] for at, _ in ticks], "grid", 0.8))
        for at, text in ticks:
            self.figure.add(Text(self.left - 3.5, self.y(at) + 0.35 * size, text, size, "muted", "end"))

    def heading(self, title: str, y_label: str, left: float = -30, above: float = 6) -> None:
        """The title in points left of and above the box; the y axis's name below it, read without turning the head."""
        if title:
            self.figure.add(Text(self.left + left, self.top - above - 11, title, 9, bold=True))
        self.figure.add(Text(self.left + left, self.top - above, y_label, 7, "muted"))

    def rectangle(self, low: Point, high: Point, role: str, opacity: float = 1.0, edge: str = "") -> None:
        """Between two corners given in values."""
        (x0, y0), (x1, y1) = ((self.x(x), self.y(y)) for x, y in (low, high))
        self.figure.add(Shape([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], role, opacity, edge))

    def note(self, text: str) -> None:
        """In the middle of an empty box."""
        self.figure.add(Text(self.left + self.width / 2, self.top + self.height / 2, text, 8, "muted", "middle"))

    def legend(self, entries: Sequence[tuple[str, bool, str]], size: float) -> None:
        """Role, hollow or not, and name of each, one below the other from the upper left corner."""
        for i, (role, hollow, name) in enumerate(entries):
            x, y = self.left + 8, self.top + 11 + 1.5 * size * i
            corners = [(x, y - 0.7 * size), (x + size, y - 0.7 * size), (x + size, y), (x, y)]
            self.figure.add(Shape(corners, "ground" if hollow else role, edge=role))
            self.figure.add(Text(x + 1.9 * size, y, name, size))


def linear_ticks(low: float, high: float, most: int = 8) -> list[Tick]:
    """Round numbers between two values, at most this many."""
    span = high - low
    decade = 10.0 ** math.floor(math.log10(span / most))
    step = next(f * decade for f in (1, 2, 2.5, 5, 10, 20) if span / (f * decade) <= most - 1)
    places = [i * step for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9) + (1 if f"{step:e}".startswith("2.5") else 0))
    if 1e-4 < step and high < 1e6:
        return [(at, f"{at:.{decimals}f}".replace("-", "−")) for at in places]
    return [(at, power_of_ten_text(at)) for at in places]
