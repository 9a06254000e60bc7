"""Stacked bars: what a time is made of, one bar a category, described once as panels and written as a figure, as LaTeX
and as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from . import latex
from .quantities import digits, short
from .style import RC, legend, light

_SIZE = 7.5  # points, of labels
_LETTER = 0.55 * _SIZE / 72  # inches, about: what a letter of a label takes
_SLANT = 35  # degrees, of the names of bars
_WIDE = 0.62  # of a category's width that its bar takes


@dataclass
class Stack:
    """One bar: its parts from below by name, and what is predicted of the whole, a mark across the bar."""

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
        with matplotlib.rc_context(RC):
            return _draw(self, width)


def _draw(stacks: Stacks, width: float) -> Figure:
    columns = len(stacks.panels) if width > 6 else 1
    rows = -(-len(stacks.panels) // columns)
    longest = max([len(short(stack.category)) for panel in stacks.panels for stack in panel.stacks], default=0)
    left, right, top, bottom, plot = 0.45, 0.15, 0.42, 0.3 + _LETTER * longest * math.sin(math.radians(_SLANT)), 2.9
    figure = Figure(figsize=(width, rows * (plot + top + bottom)))
    height, cell = figure.get_figheight(), width / columns
    every = [stack for panel in stacks.panels for stack in panel.stacks]
    most = max([value for s in every for value in (s.whole, s.predicted or 0)], default=1.0)
    for i, panel in enumerate(stacks.panels):
        row, column = divmod(i, columns)
        edge = height - (row + 1) * (plot + top + bottom) + bottom
        box = ((column * cell + left) / width, edge / height, (cell - left - right) / width, plot / height)
        axes = figure.add_axes(box)
        axes.set_ylim(0, 1.35 * (most or 1.0))
        _panel(axes, stacks, panel)
    return figure


def _panel(axes: Axes, stacks: Stacks, panel: StackPanel) -> None:
    axes.set_xlim(-0.5, max(len(panel.stacks), 1) - 0.5)
    names = [short(stack.category) for stack in panel.stacks]
    axes.set_xticks(range(len(names)), names, fontsize=_SIZE, rotation=_SLANT, ha="right", rotation_mode="anchor")
    axes.tick_params(axis="x", length=0)
    axes.grid(True, axis="y")
    axes.grid(False, axis="x")
    at = dict(xycoords="axes fraction", textcoords="offset points", parse_math=False)
    axes.annotate(short(panel.title, 60), (0, 1), (-26, 17), fontsize=9, fontweight="bold", **at)
    axes.annotate(stacks.y_label, (0, 1), (-26, 6), fontsize=7, color=light("muted"), **at)
    hollow = panel.voice == "published"
    for x, stack in enumerate(panel.stacks):
        below = 0.0
        for part in stacks.colours:
            value = stack.parts.get(part)
            if value is None:
                continue
            colour = light(stacks.colours[part])
            face = light("ground") if hollow else colour
            axes.bar([x], [value], _WIDE, bottom=[below], facecolor=face, edgecolor=colour, linewidth=1)
            if hollow:  # of some bars not all parts are published, so that there is no whole
                inside = dict(ha="center", va="center", fontsize=7, color=colour, parse_math=False)
                axes.text(x, below + value / 2, digits(value), **inside)
            below += value
        if stack.predicted is not None:
            ends = [x - _WIDE / 2, x + _WIDE / 2]
            axes.plot(ends, [stack.predicted] * 2, color=light("ink"), linewidth=1.3, dashes=(2, 1), zorder=5)
        if not hollow:
            over = dict(textcoords="offset points", ha="center", fontsize=7, color=light("ink"), parse_math=False)
            axes.annotate(digits(stack.whole), (x, max(below, stack.predicted or 0)), (0, 2), **over)
    if not panel.stacks:
        axes.text(0.5, 0.5, "not measured here", transform=axes.transAxes, ha="center", color=light("muted"))
        return
    shown = [part for part in stacks.colours if any(part in stack.parts for stack in panel.stacks)]
    handles = [
        Patch(
            facecolor=light("ground") if hollow else light(stacks.colours[part]),
            edgecolor=light(stacks.colours[part]),
        )
        for part in reversed(shown)
    ]
    legend(axes, handles, shown[::-1], _SIZE)
