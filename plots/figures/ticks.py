"""Axis lines, ticks, gridlines and their labels.

They are one line of each kind and one text a label: Matplotlib's own, three lines and two texts for each tick, took a
third of the time in which a page is drawn. Where ticks belong and how they are labelled, its locators and formatters
say.
"""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter, LogLocator, MaxNLocator, ScalarFormatter

from ..records.quantities import digits, power_of_ten_text
from .layout import put, size_points
from .style import SIZE, light

_LABEL = 8.0  # points, of labels
_LENGTH = 3.0  # points, of ticks
_BESIDE = 3.5  # points from the box to a label of the y axis
_LOWER = 3.0  # points from the middle of such a label down to its baseline
_BELOW = 12.6  # points from the box down to the baseline of a label of the x axis
_NAME = 23.0  # points from the box down to the baseline of that axis's name
LINE = 9.0  # points from one line of a name below a bar to the next
_DECADES = 5  # labelled 1, 2 and 5; over more powers of ten alone
_MULTIPLES: tuple[tuple[float, ...], ...] = (
    (1, 2, 5),
    (1, 1.5, 2, 3, 5, 7),
    (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9),
)
_FEWEST = 3  # labels from which on a reader sees that an axis is logarithmic
_NEAR = 1e-9  # share of the box by which a tick may lie outside of it
_GAP = (math.nan, math.nan)


class Numbers(ScalarFormatter):  # type: ignore[misc]
    """Plain numbers with as many decimals as the step needs; powers of ten where these would be long."""

    def __init__(self) -> None:
        super().__init__(useOffset=False)
        self.set_scientific(False)

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        largest = max((abs(value) for value in values), default=0.0)
        if 1e-3 < largest < 1e6 or largest == 0:
            return list(super().format_ticks(values))
        return [power_of_ten_text(value) for value in values]


def linear_y_axis(axes: Axes, low: float, high: float, last_tick: Optional[float] = None) -> None:
    """A y axis with about seven round steps, up to `last_tick` if there is one."""
    axes.set_ylim(low, high)
    axes.yaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(Numbers())
    if last_tick is not None:
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
        axes.yaxis.set_major_locator(FixedLocator(axes.yaxis.get_major_locator().tick_values(low, last_tick)))
    _y_labels(axes, last_tick)


def log_y_axis(axes: Axes, low: float, high: float, last_tick: Optional[float] = None) -> None:
    """Labels 1, 2 and 5 of each decade, or more of a short axis; over many decades powers of ten, no more than fit;
    up to `last_tick` if there is one."""
    decades = math.ceil(math.log10(high)) - math.floor(math.log10(low))
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    axes.yaxis.set_major_locator(LogLocator(subs=_labelled(low, high) if decades <= _DECADES else (1,), numticks=12))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _log_label(value)))
    _y_labels(axes, last_tick)


def _labelled(low: float, high: float) -> tuple[float, ...]:
    """The fewest multiples of a power of ten of which an axis has at least _FEWEST labels."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for multiples in _MULTIPLES:
        if (
            sum(low <= multiple * 10.0**exponent <= high for exponent in exponents for multiple in multiples)
            >= _FEWEST
        ):
            break
    return multiples


def _log_label(value: float) -> str:
    """One digit, or two where the axis is so short that Matplotlib's ticks are evenly spaced: 0.25."""
    one = digits(value, 1)
    return one if math.isclose(float(f"{value:.1g}"), value, rel_tol=_NEAR) else digits(value, 2)


def x_axis(
    axes: Axes,
    name: str = "",
    places: Optional[Sequence[float]] = None,
    grid: bool = False,
    texts: Optional[Sequence[str]] = None,
) -> None:
    """The lower side of the box with ticks at these places, or at round ones, and the axis's name. Its limits must be
    set. `grid`: with a gridline at each tick. `texts` are the labels of the places, in place of their numbers."""
    if places is not None:
        axes.xaxis.set_major_locator(FixedLocator(places))
        if texts is None and axes.get_xscale() == "log":
            texts = [f"{place:g}" for place in places]
        if texts is not None:
            axes.xaxis.set_major_formatter(FixedFormatter(texts))
    width, height = size_points(axes)
    line: list[tuple[float, float]] = [(0.0, 0.0), (1.0, 0.0), _GAP]
    across: list[tuple[float, float]] = []
    for share, label in _ticks(axes.xaxis):
        line += [(share, 0.0), (share, -_LENGTH / height), _GAP]
        across += [(share, 0.0), (share, 1.0), _GAP]
        put(axes, share * width, -_BELOW, label, "muted", ha="center", fontsize=_LABEL)
    if grid:
        _line(axes, across, "grid", 0.5)
    _line(axes, line, "axis", 2.5)
    if name:
        put(axes, width / 2, -_NAME, name, "muted", ha="center", fontsize=SIZE)


def x_names(axes: Axes, names: Sequence[str], **look: Any) -> None:
    """Draws the x axis of bars, with their names at 0, 1, 2 …, each in its lines."""
    low, high = axes.get_xlim()
    width = size_points(axes)[0]
    for place, name in enumerate(names):
        for line, text in enumerate(name.split("\n")):
            right, up = (place - low) / (high - low) * width, -4 - LINE * line
            put(axes, right, up, text, "muted", fontsize=SIZE, **look)
    _line(axes, [(0.0, 0.0), (1.0, 0.0)], "axis", 2.5)


def _y_labels(axes: Axes, last: Optional[float] = None) -> None:
    low, high = axes.get_ylim()
    top = 1.0
    if last is not None:
        is_log = axes.get_yscale() == "log"
        top = math.log(last / low) / math.log(high / low) if is_log else (last - low) / (high - low)
    height = size_points(axes)[1]
    across: list[tuple[float, float]] = []
    for share, label in _ticks(axes.yaxis):
        if share > top + _NEAR:
            continue
        across += [(0.0, share), (1.0, share), _GAP]
        put(axes, -_BESIDE, share * height - _LOWER, label, "muted", ha="right", fontsize=_LABEL)
    if across:
        _line(axes, across, "grid", 0.5)


def _ticks(axis: Axis) -> list[tuple[float, str]]:
    """The axis's ticks: their places as shares of the box, and their labels."""
    low, high = axis.get_view_interval()
    is_log = axis.get_scale() == "log"

    def scaled(value: float) -> float:
        return math.log(value) if is_log else value

    places = [float(place) for place in axis.get_majorticklocs()]
    labels = axis.get_major_formatter().format_ticks(places)
    shares = [(scaled(place) - scaled(low)) / (scaled(high) - scaled(low)) for place in places]
    return [(share, label) for share, label in zip(shares, labels) if -_NEAR <= share <= 1 + _NEAR]


def _line(axes: Axes, points: Sequence[tuple[float, float]], role: str, depth: float) -> None:
    """Lines through points in shares of the box."""
    xs, ys = zip(*points)
    look = dict(color=light(role), linewidth=0.8, transform=axes.transAxes, clip_on=False, zorder=depth)
    axes.add_artist(Line2D(xs, ys, **look))
