"""Bars whose names would overlap side by side: each lies in a row of its own, behind its name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes
from matplotlib.ticker import FixedFormatter, FixedLocator, MaxNLocator

from ..records.quantities import short
from .bar_looks import LETTERS, bar_legend, predicted_mark
from .layout import BASELINE, NARROW, Drawing, Margins, heading, note, panels, put, size_points, text_width, widest
from .style import POINTS, SIZE, light
from .ticks import Numbers, x_axis

if TYPE_CHECKING:
    from .bars import BarPanel, Bars

_ROW = 9.4  # points from one bar to the next of a category
_APART = 5.0  # points between categories
_ENTRY = 11.5  # points, of a row of the legend
_KEY = 26.0  # points that a name of the legend takes besides its letters
_NUMBER = 7.0  # points
_BESIDE = 3.0  # points between a bar's end and its number
_LEAST = 2.3  # inches of a box, at least, where panels stand side by side
_NAMES = 0.42  # largest share of a panel's width that names beside the bars take; longer ones stand above theirs
_STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)  # labels of a logarithmic axis
_TOP, _BOTTOM, _RIGHT = 0.3, 0.5, 0.15  # inches around a box


def draw_lying(bars: Bars, width: float) -> Drawing:
    """The bars for a place `width` inches wide."""
    names = [name for panel in bars.drawn for name in bars.shown(panel)]
    left = 0.12 + widest([short(name, LETTERS) for name in names], SIZE)
    columns = max(1, min(len(bars.drawn), int(width // (left + _LEAST)))) if width > NARROW else 1
    above = left > _NAMES * width / columns
    left = 0.12 if above else left
    inside = POINTS * (width / columns - left - _RIGHT)
    legends = [_legend_columns(panel, inside) for panel in bars.drawn]
    heights = [_height(bars, panel, columns_, above) / POINTS for panel, columns_ in zip(bars.drawn, legends)]
    drawing, boxes = panels(width, columns, heights, Margins(left, _RIGHT, _TOP, _BOTTOM))
    for axes, panel, height, columns_ in zip(boxes, bars.drawn, heights, legends):
        # A box ends below its own last bar, also where the one beside it has more.
        box, share = axes.get_position(), height / drawing.figure.get_size_inches()[1]
        axes.set_position([box.x0, box.y1 - share, box.width, share])
        axes.set_ylim(height * POINTS, 0)  # points from the top
        _x_axis(axes, bars, panel)
        heading(axes, short(panel.title, 60), "", 6 - POINTS * left, -4)
        _panel(axes, bars, panel, columns_, above)
    return drawing


def _entries(panel: BarPanel) -> list[str]:
    return [name for *_, name in panel.legend] + ["predicted"] * panel.is_predicted


def _legend_columns(panel: BarPanel, inside: float) -> int:
    """The number of columns of the legend: as many as there are names, if they fit in one row."""
    names = _entries(panel)
    wide = sum(_KEY + POINTS * text_width(name, SIZE) for name in names)
    return len(names) if names and wide <= inside else 1


def _legend_height(panel: BarPanel, columns: int) -> float:
    return _ENTRY * -(-len(_entries(panel)) // columns) + _APART


def _find_bars(panel: BarPanel, category: str) -> list[int]:
    """The series that have a bar or a mark in a category, by their places."""
    return [i for i, one in enumerate(panel.series) if category in one.values or category in one.predicted]


def _height(bars: Bars, panel: BarPanel, columns: int, above: bool) -> float:
    """Points that a panel's legend and rows take."""
    rows = sum(max(len(_find_bars(panel, name)), 1) + above for name in bars.shown(panel))
    return _legend_height(panel, columns) + rows * _ROW + len(bars.shown(panel)) * _APART


def _x_axis(axes: Axes, bars: Bars, panel: BarPanel) -> None:
    """The axis of the values, with room for the longest number behind the longest bar."""
    ends = bars.ends(panel)
    width = size_points(axes)[0]
    room = (POINTS * widest(list(panel.numbers.values()), _NUMBER) + 2 * _BESIDE) / width
    name = panel.y_label or bars.y_label
    if bars.log:
        low, high = min([*ends, 1.0]) / 1.3, max([*ends, 1.0]) * 1.05
        axes.set_xscale("log")
        axes.set_xlim(low, low * (high / low) ** (1 / (1 - room)))
        places = [step for step in _STEPS if low <= step <= axes.get_xlim()[1]]
        x_axis(axes, name, places, grid=True, texts=[f"{place:g}" for place in places])
        axes.axvline(1.0, color=light("muted"), linewidth=0.9, zorder=1)
        return
    axes.set_xlim(0, max([*ends, 0.0]) * 1.02 / (1 - room) or 1.0)
    places = list(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]).tick_values(*axes.get_xlim()))
    axes.xaxis.set_major_locator(FixedLocator(places))
    axes.xaxis.set_major_formatter(FixedFormatter(Numbers().format_ticks(places)))
    x_axis(axes, name, grid=True)


def _panel(axes: Axes, bars: Bars, panel: BarPanel, columns: int, above: bool) -> None:
    if not panel.series:
        note(axes, "not measured here")
        return
    bar_legend(axes, panel.legend, panel.is_predicted, columns)
    texts, height = panel.numbers, size_points(axes)[1]
    down = _legend_height(panel, columns)
    for category in bars.shown(panel):
        shown = _find_bars(panel, category)
        name = short(category, LETTERS)
        if above:
            put(axes, 0, height - down - _ROW + BASELINE * SIZE / 2, name, "muted")
            down += _ROW
        else:
            middle = height - down - max(len(shown), 1) * _ROW / 2
            put(axes, -3.5, middle - BASELINE * SIZE, name, "muted", ha="right")
        for place in shown:
            _bar(axes, bars, panel, place, category, down + _ROW / 2, texts)
            down += _ROW
        down += _APART


def _bar(
    axes: Axes, bars: Bars, panel: BarPanel, place: int, category: str, at: float, texts: dict[tuple[str, str], str]
) -> None:
    """One bar with its interval, the mark of its prediction, and its number behind all of them."""
    series = panel.series[place]
    value, predicted = series.values.get(category), series.predicted.get(category)
    base = 1.0 if bars.log else 0.0
    thick = 0.84 * _ROW
    if predicted is not None:
        predicted_mark(axes, at, predicted.value, thick, lying=True)
    if value is None:
        return
    hollow = series.voice == "published"
    face = light("ground" if hollow else series.role)
    look: dict[str, Any] = dict(facecolor=face, edgecolor=light(series.role), linewidth=1, zorder=2)
    axes.barh(at, value.value - base, thick, base, **look)
    if not hollow and value.low is not None:
        axes.hlines(at, value.bottom, value.top, color=light("ink"), linewidth=1, zorder=3)
    text = texts[series.label, category]
    (low, high), (width, height) = axes.get_xlim(), size_points(axes)

    def find_place(end: float) -> float:
        share = math.log(end / low) / math.log(high / low) if bars.log else (end - low) / (high - low)
        return float(share * width)

    end, wide = find_place(max(value.value if hollow else value.top, base)), POINTS * text_width(text, _NUMBER)
    right = end + _BESIDE
    # A number belongs to its bar: it stands before the mark of the prediction, in a hollow bar if need be.
    if predicted is not None and end - _BESIDE < (mark := find_place(predicted.value)) < right + wide + _BESIDE:
        fits = hollow and wide + 2 * _BESIDE < end and mark > end
        right = end - wide - _BESIDE if fits else max(mark, end) + _BESIDE
    look = dict(fontsize=_NUMBER, zorder=4)
    put(axes, right, height - at - BASELINE * _NUMBER, text, series.role, **look)
