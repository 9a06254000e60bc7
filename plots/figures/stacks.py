"""Stacked bars: what a time is made of, one bar a category, described once as panels and written as a figure, as LaTeX
and as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

from . import latex
from .canvas import Axes, Figure, Stroke, Text, linear_ticks
from ..records.quantities import digits, short

_SIZE = 7.5  # points, of labels
_LETTER = 0.55 * _SIZE / 72  # inches, about: what a letter of a label takes
_TITLE = 5.0  # points, about: what a letter of a panel's title takes
_SLANT = 35  # degrees, of the names of bars
_WIDE = 0.62  # of a category's width that its bar takes


@dataclass
class Stack:
    """One bar: its parts by name, from below, and the prediction for the whole, a mark across the bar."""

    category: str
    parts: dict[str, float] = field(default_factory=dict)
    predicted: Optional[float] = None

    @property
    def whole(self) -> float:
        return sum(self.parts.values())


@dataclass(frozen=True)
class StackPanel:
    title: str
    stacks: Sequence[Stack]
    voice: str = "measured"  # or "published": hollow


@dataclass(frozen=True)
class Stacks:
    """Panels of bars with one y axis. `colours` is of each part's name the role of its colour, in the order that they
    are stacked in."""

    panels: Sequence[StackPanel]
    colours: dict[str, str]
    y_label: str

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and one row for each part of a bar and each predicted mark."""
        header = ["panel", "category", "kind", "part", self.y_label]
        rows: list[list[Any]] = []
        for panel in self.panels:
            for stack in panel.stacks:
                rows += [[panel.title, stack.category, panel.voice, part, v] for part, v in stack.parts.items()]
                if stack.predicted is not None:
                    rows.append([panel.title, stack.category, "predicted", "in all", stack.predicted])
        return header, rows

    def latex(self, caption: str, label: str) -> str:
        return latex.stacks(self, caption, label)

    def figure(self, width: float) -> Figure:
        """Draws for a place `width` inches wide: a narrow one gets its panels below each other."""
        return _draw(self, width)


def _draw(stacks: Stacks, width: float) -> Figure:
    columns = len(stacks.panels) if width > 6 else 1
    rows = -(-len(stacks.panels) // columns)
    longest = max([len(short(stack.category)) for panel in stacks.panels for stack in panel.stacks], default=0)
    left, right, top, bottom, plot = 0.45, 0.15, 0.42, 0.3 + _LETTER * longest * math.sin(math.radians(_SLANT)), 2.9
    figure = Figure(width, rows * (plot + top + bottom))
    cell = width / columns
    every = [stack for panel in stacks.panels for stack in panel.stacks]
    most = max([value for s in every for value in (s.whole, s.predicted or 0)], default=1.0)
    for i, panel in enumerate(stacks.panels):
        row, column = divmod(i, columns)
        above = row * (plot + top + bottom) + top
        axes = figure.add_axes(column * cell + left, above, cell - left - right, plot)
        axes.y_span = (0, 1.35 * (most or 1.0))
        _panel(axes, stacks, panel)
    return figure


def _panel(axes: Axes, stacks: Stacks, panel: StackPanel) -> None:
    axes.x_span = (-0.5, max(len(panel.stacks), 1) - 0.5)
    axes.y_axis(linear_ticks(*axes.y_span))
    axes.x_axis([(i, short(stack.category)) for i, stack in enumerate(panel.stacks)], _SIZE, 0, _SLANT)
    axes.heading(short(panel.title, min(60, int(axes.width / _TITLE))), stacks.y_label, -26)
    hollow = panel.voice == "published"
    for x, stack in enumerate(panel.stacks):
        below = 0.0
        for part, role in stacks.colours.items():
            value = stack.parts.get(part)
            if value is None:
                continue
            ends = (x - _WIDE / 2, below), (x + _WIDE / 2, below + value)
            axes.rectangle(*ends, "ground" if hollow else role, edge=role)
            if hollow:  # of some bars not all parts are published, so that there is no whole
                at = axes.y(below + value / 2) + 0.35 * 7
                axes.figure.add(Text(axes.x(x), at, digits(value), 7, role, "middle"))
            below += value
        if stack.predicted is not None:
            ends_x = (x - _WIDE / 2, x + _WIDE / 2)
            axes.figure.add(Stroke([axes.points(ends_x, [stack.predicted] * 2)], "ink", 1.3, (2.6, 1.3)))
        if not hollow:
            top = axes.y(max(below, stack.predicted or 0)) - 2
            axes.figure.add(Text(axes.x(x), top, digits(stack.whole), 7, anchor="middle"))
    if not panel.stacks:
        axes.note("not measured here")
        return
    shown = [part for part in stacks.colours if any(part in stack.parts for stack in panel.stacks)]
    axes.legend([(stacks.colours[part], hollow, short(part, 60)) for part in reversed(shown)], _SIZE)
