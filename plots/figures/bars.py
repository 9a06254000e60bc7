"""Bars side by side in categories, described once as panels of series and written as a figure, as LaTeX and as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

from . import latex
from .canvas import Axes, Figure, Stroke, Text, linear_ticks
from ..records.quantities import Interval, digits, short

_SIZE = 7.5  # points, of labels
_GROUP = 0.84  # of a category's width that its bars take
_LETTER = 0.55 * _SIZE / 72  # inches, about: what a letter of a label takes
_LEGEND = 0.055  # of a panel's height that a line of the legend takes
_TITLE = 5.0  # points, about: what a letter of a panel's title takes
_SLANT = 35  # degrees, of labels that would overlap side by side


@dataclass
class Series:
    """One bar per category that has a value; its prediction is a mark across the bar."""

    label: str
    role: str  # a colour of style.COLOURS
    voice: str = "measured"  # or "published": hollow
    values: dict[str, Interval] = field(default_factory=dict)  # by category
    predicted: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class BarPanel:
    title: str
    series: Sequence[Series]


@dataclass(frozen=True)
class Bars:
    """Panels with the same categories and one y axis."""

    categories: Sequence[str]
    panels: Sequence[BarPanel]
    y_label: str

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and one row for each bar and each predicted mark."""
        header = ["panel", "series", "kind", "category", self.y_label, "ci95_low", "ci95_high"]
        rows: list[list[Any]] = []
        for panel in self.panels:
            for series in panel.series:
                for category in self.categories:
                    if (v := series.values.get(category)) is not None:
                        interval = [None, None] if series.voice == "published" else [v.low, v.high]
                        rows.append([panel.title, series.label, series.voice, category, v.value, *interval])
                    if (p := series.predicted.get(category)) is not None:
                        rows.append([panel.title, series.label, "predicted", category, p, None, None])
        return header, rows

    def latex(self, caption: str, label: str) -> str:
        return latex.bars(self, caption, label)

    def figure(self, width: float) -> Figure:
        """Draws for a place `width` inches wide: a narrow one gets its panels below each other."""
        return _draw(self, width)


def _draw(bars: Bars, width: float) -> Figure:
    columns = len(bars.panels) if width > 6 else 1
    rows = -(-len(bars.panels) // columns)
    left, right, top, bottom, plot = 0.45, 0.15, 0.42, 0.3, 2.9
    longest = _LETTER * max((len(short(name)) for name in bars.categories), default=0)
    slanted = longest * len(bars.categories) > width / columns - left - right
    if slanted:
        bottom += longest * math.sin(math.radians(_SLANT))
    figure = Figure(width, rows * (plot + top + bottom))
    cell = width / columns
    most = [v.high for p in bars.panels for s in p.series for v in s.values.values()]
    most += [v for p in bars.panels for s in p.series for v in s.predicted.values()]
    for i, panel in enumerate(bars.panels):
        row, column = divmod(i, columns)
        above = row * (plot + top + bottom) + top
        axes = figure.add_axes(column * cell + left, above, cell - left - right, plot)
        axes.y_span = (0, 1.12 * max(most, default=1.0) / max(1 - _LEGEND * len(panel.series), 0.1))
        _panel(axes, bars, panel, _SLANT if slanted else 0)
    return figure


def _panel(axes: Axes, bars: Bars, panel: BarPanel, slant: float) -> None:
    axes.x_span = (-0.5, max(len(bars.categories), 1) - 0.5)
    axes.y_axis(linear_ticks(*axes.y_span))
    axes.x_axis([(i, short(name)) for i, name in enumerate(bars.categories)], _SIZE, 0, slant)
    axes.heading(short(panel.title, min(60, int(axes.width / _TITLE))), bars.y_label, -26)
    wide = _GROUP / max(len(panel.series), 1)
    # A number above each bar, as large as a bar is wide.
    number = min(7.0, axes.width / max(len(bars.categories), 1) * wide / 2.4)
    for place, series in enumerate(panel.series):
        for index, category in enumerate(bars.categories):
            x = index - _GROUP / 2 + (place + 0.5) * wide
            top = _bar(axes, x, 0.86 * wide, series, series.values.get(category))
            predicted = series.predicted.get(category)
            if predicted is not None:
                ends = axes.points((x - 0.43 * wide, x + 0.43 * wide), (predicted, predicted))
                axes.figure.add(Stroke([ends], "ink", 1.3, (2.6, 1.3)))
            if top is not None:
                # A mark close above the bar would cross the number.
                near = predicted is not None and top < predicted < top + 0.06 * axes.y_span[1]
                value = series.values[category].value
                text = f"{top:g}" if series.voice == "published" else digits(value, 3 if value >= 1 else 2)
                y = axes.y(predicted if near and predicted is not None else top) - 2
                axes.figure.add(Text(axes.x(x), y, text, number, series.role, "middle"))
    if panel.series:
        axes.legend([(s.role, s.voice == "published", short(s.label, 60)) for s in panel.series], _SIZE)
    else:
        axes.note("not measured here")


def _bar(axes: Axes, x: float, wide: float, series: Series, value: Optional[Interval]) -> Optional[float]:
    """Draws a bar; returns its upper end."""
    if value is None:
        return None
    hollow = series.voice == "published"
    ends = (x - wide / 2, 0), (x + wide / 2, value.value)
    axes.rectangle(*ends, "ground" if hollow else series.role, edge=series.role)
    if hollow:
        return value.value
    axes.figure.add(Stroke([axes.points((x, x), (value.low, value.high))], "ink", 1))
    return value.high
