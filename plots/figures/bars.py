"""Bars side by side in categories: panels of series, drawn by Matplotlib, and their numbers as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from ..records.quantities import digits, short
from ..records.statistics import Interval
from .layout import NARROW, Drawing, Margins, heading, note, panels, size_points, widest
from .panelled import Panelled
from .style import POINTS, SIZE, applied, light
from .ticks import linear_y_axis, x_names

_GROUP = 0.84  # share of a category's width that its bars take
_LEGEND = 0.06  # share of a panel's height that a line of the legend takes
_TITLE = 5.0  # points, approximate width of a letter in a panel's title
_SLANT = 35  # degrees, of labels that would overlap side by side
_PLOT = 2.9  # inches, of a panel's height
_NUMBER = 7.0  # points, of the numbers above bars


@dataclass
class Series:
    """One bar per category that has a value; its prediction is a mark across the bar."""

    label: str
    role: str  # a colour of style.COLOURS
    voice: str = "measured"  # or "published": hollow
    values: dict[str, Interval] = field(default_factory=dict)  # one a category
    predicted: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class BarPanel:
    title: str
    series: Sequence[Series]

    @property
    def filled(self) -> bool:
        return any(one.values for one in self.series)


@dataclass(frozen=True)
class Bars(Panelled[BarPanel]):
    """Panels with the same categories and one y axis."""

    categories: Sequence[str]
    y_label: str

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and one row for each bar and each predicted mark."""
        header = ["panel", "series", "kind", "category", self.y_label, "ci95_low", "ci95_high"]
        rows: list[list[Any]] = []
        for panel in self.panels:
            for series in panel.series:
                for category in self.categories:
                    if (v := series.values.get(category)) is not None:
                        interval: list[Optional[float]] = (
                            [None, None] if series.voice == "published" else [v.low, v.high]
                        )
                        rows.append([panel.title, series.label, series.voice, category, v.value, *interval])
                    if (p := series.predicted.get(category)) is not None:
                        rows.append([panel.title, series.label, "predicted", category, p, None, None])
        return header, rows

    @property
    def voices(self) -> set[str]:
        """Kinds of values that the bars show."""
        series = [series for panel in self.panels for series in panel.series]
        return {one.voice for one in series if one.values} | {"predicted" for one in series if one.predicted}

    def drawing(self, width: float) -> Drawing:
        """The bars for a place `width` inches wide: a narrow one gets its panels below each other."""
        with applied():
            return _draw(self, width)


def _draw(bars: Bars, width: float) -> Drawing:
    count = max(len(bars.drawn), 1)
    columns = count if width > NARROW else 1
    if min((_number_room(bars, panel, width / columns - 0.6) for panel in bars.drawn), default=_NUMBER) < _NUMBER / 2:
        columns = -(-columns // 2)
    inside = width / columns - 0.6
    names, slanted, below = names_of_bars(bars.categories, inside)
    left = left_of_names(below, inside / max(len(names), 1)) if columns == 1 else 0.45
    drawing, boxes = panels(width, columns, [_PLOT] * count, Margins(left, 0.15, 0.42, 0.3 + below))
    ends = [v.high for p in bars.drawn for s in p.series for v in s.values.values()]
    ends += [v for p in bars.drawn for s in p.series for v in s.predicted.values()]
    rooms = [_number_room(bars, panel, inside) for panel in bars.drawn]
    numbers = [text for panel in bars.drawn for text in _numbers(panel).values()]
    upright = widest(numbers, _NUMBER) * POINTS > min(rooms, default=0.0)
    for axes, panel, room in zip(boxes, bars.drawn, rooms):
        above = 1 - _LEGEND * len(panel.series) - (0.08 if upright else 0)
        linear_y_axis(axes, 0, 1.1 * max(ends, default=1.0) / max(above, 0.1))
        label_bars(axes, names, slanted)
        _panel(axes, bars, panel, min(_NUMBER, room / 1.1) if upright else _NUMBER, upright)
    return drawing


def _number_room(bars: Bars, panel: BarPanel, inside: float) -> float:
    """Points from one bar to the next."""
    return inside * POINTS * _GROUP / max(len(bars.categories), 1) / max(len(panel.series), 1)


def names_of_bars(names: Sequence[str], inside: float, slanted: Optional[bool] = None) -> tuple[list[str], bool, float]:
    """Names as they are drawn below bars, whether they are slanted, and the inches that they then take."""
    shown = [short(name) for name in names]
    longest = widest(shown, SIZE)
    if slanted is None:
        slanted = longest * len(shown) > inside
    return shown, slanted, longest * math.sin(math.radians(_SLANT)) if slanted else 0.0


def left_of_names(below: float, bar: float) -> float:
    """Inches left of a box whose names reach so far down: the first one, slanted, ends below the middle of its bar."""
    return max(0.45, below / math.tan(math.radians(_SLANT)) - bar / 2)


def label_bars(axes: Axes, names: Sequence[str], slanted: bool) -> None:
    """An x axis with a name at 0, 1, 2 …"""
    axes.set_xlim(-0.5, max(len(names), 1) - 0.5)
    look = dict(rotation=_SLANT, ha="right", rotation_mode="anchor") if slanted else dict(ha="center")
    x_names(axes, names, **look)


def title_above(axes: Axes, title: str, y_label: str) -> None:
    heading(axes, short(title, min(60, int(size_points(axes)[0] / _TITLE))), y_label, -26)


def bar_legend(axes: Axes, entries: Sequence[tuple[str, bool, str]]) -> None:
    """Role, hollow or not, and name of each, one below the other from the upper left corner."""
    looks = [dict(facecolor=light("ground" if hollow else role), edgecolor=light(role)) for role, hollow, _ in entries]
    # Matplotlib leaves out entries whose labels begin with an underscore, so that names are set afterwards.
    legend = axes.legend([Patch(**look) for look in looks], ["name"] * len(entries), loc="upper left")
    for text, (_, _, name) in zip(legend.get_texts(), entries):
        text.set_text(name)


def _numbers(panel: BarPanel) -> dict[tuple[str, str], str]:
    """The numbers above a panel's bars, by series and category."""
    return {
        (series.label, category): f"{v.value:g}" if series.voice == "published" else _rounded(v.value)
        for series in panel.series
        for category, v in series.values.items()
    }


def _rounded(value: float) -> str:
    return digits(value, 3 if value >= 1 else 2)


def _panel(axes: Axes, bars: Bars, panel: BarPanel, number: float, upright: bool) -> None:
    title_above(axes, panel.title, bars.y_label)
    wide, texts = _GROUP / max(len(panel.series), 1), _numbers(panel)
    per_point = axes.get_ylim()[1] / size_points(axes)[1]
    for place, series in enumerate(panel.series):
        hollow, shift = series.voice == "published", (place + 0.5) * wide - _GROUP / 2
        shown = [(i + shift, category) for i, category in enumerate(bars.categories)]
        measured = [(x, category, series.values[category]) for x, category in shown if category in series.values]
        predicted = [(x, series.predicted[category]) for x, category in shown if category in series.predicted]
        if measured:
            xs, heights = [x for x, _, _ in measured], [v.value for _, _, v in measured]
            face = light("ground" if hollow else series.role)
            axes.bar(xs, heights, 0.86 * wide, facecolor=face, edgecolor=light(series.role), linewidth=1, zorder=2)
            if not hollow:
                ends = [v.low for _, _, v in measured], [v.high for _, _, v in measured]
                axes.vlines(xs, *ends, color=light("ink"), linewidth=1, zorder=3)
        for x, value in predicted:
            predicted_mark(axes, x, value, 0.86 * wide)
        for x, category, v in measured:
            top = v.value if hollow else v.high
            mark = series.predicted.get(category, 0.0)
            near = top < mark < top + 0.06 * axes.get_ylim()[1]  # a mark close above the bar would cross the number
            text, above = texts[series.label, category], (mark if near else top) + 2 * per_point
            look = dict(color=light(series.role), fontsize=number, rotation_mode="anchor", zorder=4)
            if upright:
                shift_right = 0.35 * number * len(bars.categories) / size_points(axes)[0]
                axes.text(x + shift_right, above, text, rotation=90, ha="left", va="baseline", **look)
            else:
                axes.text(x, above, text, ha="center", va="baseline", **look)
    if panel.series:
        bar_legend(axes, [(s.role, s.voice == "published", short(s.label, 60)) for s in panel.series])
    else:
        note(axes, "not measured here")


def predicted_mark(axes: Axes, x: float, value: float, wide: float) -> None:
    """A dashed mark across a bar."""
    ends = [x - wide / 2, x + wide / 2]
    axes.plot(ends, [value] * 2, color=light("ink"), linewidth=1.3, dashes=(2.6, 1.3), clip_on=False, zorder=3.5)
