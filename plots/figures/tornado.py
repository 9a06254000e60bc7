"""Tornado charts: what each resource does to a rate when there is more or less of it, the most first, described once as
panels of bars around 1 and written as a figure, as LaTeX and as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Sequence

from . import latex
from .canvas import Axes, Figure, Stroke, Text
from ..records.quantities import digits, short

_SIZE = 8  # points, of labels
_LETTER = 0.6 * _SIZE / 72  # inches, about: what a letter of a label takes
_ROW = 0.24  # inches that a resource takes
_WIDE = 0.62  # of it that its bar takes


@dataclass(frozen=True)
class Swing:
    """One resource: how many times as fast with so much better a one, and with so much worse a one."""

    resource: str
    better: float
    worse: float
    binding: str = ""  # what binds with the better one

    @property
    def span(self) -> float:
        return abs(math.log(self.better)) + abs(math.log(self.worse))


@dataclass(frozen=True)
class TornadoPanel:
    title: str
    note: str  # below the title
    swings: Sequence[Swing]


@dataclass(frozen=True)
class Tornado:
    """`by`: how many times as good, or as bad, each resource gets by itself."""

    panels: Sequence[TornadoPanel]
    by: float

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and a row a resource and panel."""
        header = ["panel", "resource", f"{self.by:g} x as good", f"{self.by:g} x as bad", "then bound by"]
        return header, [[p.title, s.resource, s.better, s.worse, s.binding] for p in self.panels for s in p.swings]

    def latex(self, caption: str, label: str) -> str:
        return latex.tornado(self, caption, label)

    def figure(self, width: float) -> Figure:
        """Draws for a place `width` inches wide: a narrow one gets its panels below each other."""
        columns = 2 if width > 6 and len(self.panels) > 1 else 1
        rows = -(-len(self.panels) // columns)
        names = max((len(s.resource) for p in self.panels for s in p.swings), default=0)
        left, right, top, bottom = 0.3 + _LETTER * names, 0.35, 0.66, 0.42
        plot = _ROW * max((len(p.swings) for p in self.panels), default=1)
        figure = Figure(width, rows * (plot + top + bottom))
        cell = width / columns
        ends = [v for p in self.panels for s in p.swings for v in (s.better, s.worse)]
        low, high = math.log2(min([*ends, 0.9])) - 0.12, math.log2(max([*ends, 1.1])) + 0.12
        for i, panel in enumerate(self.panels):
            row, column = divmod(i, columns)
            above = row * (plot + top + bottom) + top
            axes = figure.add_axes(column * cell + left, above, cell - left - right, _ROW * max(len(panel.swings), 1))
            axes.x_span, axes.y_span = (low, high), (float(len(panel.swings)), 0.0)
            _panel(axes, panel, left * 72, int((cell - 0.3) / _LETTER))
        return figure


def _panel(axes: Axes, panel: TornadoPanel, left: float, letters: int) -> None:
    add = axes.figure.add
    add(Text(axes.left - left + 8, axes.top - 26, short(panel.title, letters), 9, bold=True))
    add(Text(axes.left - left + 8, axes.top - 13, short(panel.note, int(letters * 1.15)), 7, "muted"))
    low, high = axes.x_span
    ticks = [t for t in (0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 2.0, 4.0) if low <= math.log2(t) <= high]
    axes.x_axis([(math.log2(t), f"{t:g}") for t in ticks], _SIZE)
    add(Stroke([[(axes.x(math.log2(t)), axes.top), (axes.x(math.log2(t)), axes.bottom)] for t in ticks], "grid", 0.8))
    for place, swing in enumerate(panel.swings):
        y = place + 0.5
        for value, role in ((swing.worse, "series-2"), (swing.better, "series-1")):
            ends = sorted((0.0, math.log2(value)))
            axes.rectangle((ends[0], y + _WIDE / 2), (ends[1], y - _WIDE / 2), role)
        baseline = axes.top + (place + 0.5) * _ROW * 72 + 0.35 * _SIZE
        add(Text(axes.left - 5, baseline, swing.resource, _SIZE, "ink", "end"))
        for value, role, anchor, shift in (
            (min(swing.worse, swing.better), "series-2", "end", -3.0),
            (max(swing.worse, swing.better), "series-1", "start", 3.0),
        ):
            if abs(math.log2(value)) > 0.02:
                add(Text(axes.x(math.log2(value)) + shift, baseline, digits(value, 3), 6.5, role, anchor))
    middle = axes.x(0.0)
    add(Stroke([[(middle, axes.top), (middle, axes.bottom)]], "ink", 1))
