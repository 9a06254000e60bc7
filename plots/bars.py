"""Bars side by side in categories, described once as panels of series and written as a figure, as LaTeX and as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from . import latex
from .quantities import Interval, digits, short
from .style import RC, legend, light

_SIZE = 7.5  # points, of labels
_GROUP = 0.84  # of a category's width that its bars take
_LETTER = 0.55 * _SIZE / 72  # inches, about: what a letter of a label takes
_LEGEND = 0.055  # of a panel's height that a line of the legend takes
_SLANT = 35  # degrees, of labels that would overlap side by side


@dataclass
class Series:
    """One bar a category, where there is a value; and what is predicted of it, a mark across the bar."""

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
        with matplotlib.rc_context(RC):
            return _draw(self, width)


def _draw(bars: Bars, width: float) -> Figure:
    columns = len(bars.panels) if width > 6 else 1
    rows = -(-len(bars.panels) // columns)
    left, right, top, bottom, plot = 0.45, 0.15, 0.42, 0.3, 2.9
    longest = _LETTER * max((len(short(name)) for name in bars.categories), default=0)
    slanted = longest * len(bars.categories) > width / columns - left - right
    if slanted:
        bottom += longest * math.sin(math.radians(_SLANT))
    figure = Figure(figsize=(width, rows * (plot + top + bottom)))
    height, cell = figure.get_figheight(), width / columns
    most = [v.high for p in bars.panels for s in p.series for v in s.values.values()]
    most += [v for p in bars.panels for s in p.series for v in s.predicted.values()]
    for i, panel in enumerate(bars.panels):
        row, column = divmod(i, columns)
        bottom_edge = height - (row + 1) * (plot + top + bottom) + bottom
        box = ((column * cell + left) / width, bottom_edge / height, (cell - left - right) / width, plot / height)
        axes = figure.add_axes(box)
        axes.set_ylim(0, 1.12 * max(most, default=1.0) / max(1 - _LEGEND * len(panel.series), 0.1))
        _panel(axes, bars, panel)
        if slanted:
            for label in axes.get_xticklabels():
                label.set(rotation=_SLANT, ha="right", rotation_mode="anchor")
    return figure


def _panel(axes: Axes, bars: Bars, panel: BarPanel) -> None:
    axes.set_xlim(-0.5, len(bars.categories) - 0.5)
    axes.set_xticks(range(len(bars.categories)), [short(name) for name in bars.categories], fontsize=_SIZE)
    axes.tick_params(axis="x", length=0)
    axes.grid(True, axis="y")
    axes.grid(False, axis="x")
    at = dict(xycoords="axes fraction", textcoords="offset points", parse_math=False)
    axes.annotate(short(panel.title, 60), (0, 1), (-26, 17), fontsize=9, fontweight="bold", **at)
    axes.annotate(bars.y_label, (0, 1), (-26, 6), fontsize=7, color=light("muted"), **at)
    wide = _GROUP / max(len(panel.series), 1)
    # A number above each bar, as large as a bar is wide.
    inches = axes.get_position().width * axes.figure.get_figwidth() / len(bars.categories) * wide
    number = min(7.0, inches * 72 / 2.4)
    for place, series in enumerate(panel.series):
        colour = light(series.role)
        for index, category in enumerate(bars.categories):
            x = index - _GROUP / 2 + (place + 0.5) * wide
            top = _bar(axes, x, 0.86 * wide, series, series.values.get(category), colour)
            predicted = series.predicted.get(category)
            if predicted is not None:
                ends = [x - 0.43 * wide, x + 0.43 * wide]
                axes.plot(ends, [predicted] * 2, color=light("ink"), linewidth=1.3, dashes=(2, 1), zorder=5)
            if top is not None:
                # A mark close above the bar would cross the number.
                near = predicted is not None and top < predicted < top + 0.06 * axes.get_ylim()[1]
                value = series.values[category].value
                text = f"{top:g}" if series.voice == "published" else digits(value, 3 if value >= 1 else 2)
                axes.annotate(
                    text,
                    (x, predicted if near else top),
                    (0, 2),
                    textcoords="offset points",
                    ha="center",
                    fontsize=number,
                    color=colour,
                    parse_math=False,
                )
    handles = [
        Patch(
            facecolor=light("ground") if s.voice == "published" else light(s.role),
            edgecolor=light(s.role),
        )
        for s in panel.series
    ]
    if handles:
        legend(axes, handles, [s.label for s in panel.series], _SIZE)
    else:
        axes.text(0.5, 0.5, "not measured here", transform=axes.transAxes, ha="center", color=light("muted"))


def _bar(axes: Axes, x: float, wide: float, series: Series, value: Optional[Interval], colour: str) -> Optional[float]:
    """Draws a bar; returns its upper end."""
    if value is None:
        return None
    hollow = series.voice == "published"
    axes.bar([x], [value.value], wide, facecolor=light("ground") if hollow else colour, edgecolor=colour, linewidth=1)
    if hollow:
        return value.value
    axes.plot([x, x], [value.low, value.high], color=light("ink"), linewidth=1, zorder=4)
    return value.high
