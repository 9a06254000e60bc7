"""Bars side by side in categories: panels of series, drawn by Matplotlib, and their numbers as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence, Union

from matplotlib.axes import Axes

from ..records.quantities import digits, short
from ..records.statistics import Interval
from .bar_looks import LETTERS, bar_legend, predicted_mark
from .lying_bars import draw_lying
from .layout import NARROW, Drawing, Margins, heading, note, panels, size_points, text_width, widest
from ..records.number import INTERVAL, TRACE, Number, Source
from .panelled import Panelled
from .style import POINTS, SIZE, applied, light
from .ticks import linear_y_axis, log_y_axis, x_names

_GROUP = 0.84  # share of a category's width that its bars take
_LEGEND = 0.06  # share of a panel's height that a line of the legend takes
_TITLE = 5.0  # points, approximate width of a letter in a panel's title
_SLANT = 35  # degrees, of labels that would overlap side by side
_LINES = 4  # lines of a name, at most
_UPRIGHT = 90  # degrees, of labels that would overlap slanted
_PLOT = 2.9  # inches, of a panel's height
_NUMBER = 7.0  # points, of the numbers above bars
_LEGIBLE = 4.0  # points: smaller numbers are left out
_ROOM = 1.1  # room of an upright number over its size
_APART = 0.06  # inches between names side by side


@dataclass
class Series:
    """One bar per category that has a value; its prediction is a mark across the bar."""

    label: str
    role: str  # a colour of style.COLOURS
    voice: str = "measured"  # or "published": hollow
    values: dict[str, Number] = field(default_factory=dict)  # one a category
    predicted: dict[str, Number] = field(default_factory=dict)

    def add(self, category: str, value: Union[Interval, float], *sources: Source) -> None:
        """Adds a bar from these records."""
        self.values[category] = Number.of(value, *sources)

    def predict(self, category: str, value: float, *sources: Source) -> None:
        self.predicted[category] = Number.of(value, *sources)


@dataclass(frozen=True)
class BarPanel:
    title: str
    series: Sequence[Series]
    y_label: str = ""  # its own axis, if not the figure's

    @property
    def filled(self) -> bool:
        return any(one.values for one in self.series)

    @property
    def numbers(self) -> dict[tuple[str, str], str]:
        """The numbers beside the bars, by series and category."""
        return {
            (series.label, category): f"{v.value:g}" if series.voice == "published" else _rounded(v.value)
            for series in self.series
            for category, v in series.values.items()
        }

    @property
    def legend(self) -> list[tuple[str, bool, str]]:
        """Role, hollow or not, and name of each series."""
        return [(one.role, one.voice == "published", short(one.label, 60)) for one in self.series]

    @property
    def is_predicted(self) -> bool:
        return any(one.predicted for one in self.series)


@dataclass(frozen=True)
class Bars(Panelled[BarPanel]):
    """Panels of bars with one y axis. A panel shows the categories for which it has a value."""

    categories: Sequence[str]
    y_label: str
    log: bool = False  # for ratios: bars then rise or fall from 1

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and one row for each bar and each predicted mark."""
        header = ["panel", "series", "kind", "category", self.y_label, *INTERVAL, *TRACE]
        rows: list[list[Any]] = []
        for panel in self.panels:
            for series in panel.series:
                for category in self.categories:
                    for kind, of in ((series.voice, series.values), ("predicted", series.predicted)):
                        if (v := of.get(category)) is not None:
                            rows.append([panel.title, series.label, kind, category, *v.columns, *v.trace])
        return header, rows

    def shown(self, panel: BarPanel) -> list[str]:
        """The categories for which a panel has a value, or all if it has none."""
        filled = {category for one in panel.series for category in (*one.values, *one.predicted)}
        return [category for category in self.categories if category in filled] or list(self.categories)

    def ends(self, panel: BarPanel) -> list[float]:
        """The ends of all bars, intervals and marks on a panel's axis, which it shares with others of its quantity."""
        alike = [one for one in self.drawn if one.y_label == panel.y_label]
        every = [series for one in alike for series in one.series]
        tops = [v.top for one in every for v in one.values.values()]
        return tops + [v.value for one in every for v in one.predicted.values()]

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
    """Upright bars, or lying ones if their names would overlap side by side."""
    count = max(len(bars.drawn), 1)
    columns = count if width > NARROW else 1
    room = min((_number_room(bars, panel, width / columns - 0.6) for panel in bars.drawn), default=_NUMBER)
    if room < _ROOM * _NUMBER:
        columns = -(-columns // 2)
    inside = width / columns - 0.6
    if turn_of_names([bars.shown(panel) for panel in bars.drawn], inside):
        return draw_lying(bars, width)
    drawing, boxes = panels(width, columns, [_PLOT] * count, Margins(0.45, 0.15, 0.42, 0.3))
    rooms = [_number_room(bars, panel, inside) for panel in bars.drawn]
    numbers = [text for panel in bars.drawn for text in panel.numbers.values()]
    upright = widest(numbers, _NUMBER) * POINTS > min(rooms, default=0.0)
    entries = max((len(panel.series) + panel.is_predicted for panel in bars.drawn), default=0)
    for axes, panel, room in zip(boxes, bars.drawn, rooms):
        ends = bars.ends(panel)
        above = max(1 - _LEGEND * entries - (0.08 if upright else 0), 0.1)
        if bars.log:
            _log_axis(axes, ends, above)
        else:
            linear_y_axis(axes, 0, 1.1 * max(ends, default=1.0) / above)
        label_bars(axes, bars.shown(panel), 0)
        _panel(axes, bars, panel, min(_NUMBER, room / _ROOM) if upright else _NUMBER, upright)
    return drawing


def _log_axis(axes: Axes, ends: Sequence[float], above: float) -> None:
    """A logarithmic axis with all values in its lower share `above`, and a line at 1."""
    least, most = min([*ends, 1.0]) / 1.5, max([*ends, 1.0]) * 1.3
    log_y_axis(axes, least, least * (most / least) ** (1 / above), most)
    axes.axhline(1.0, color=light("muted"), linewidth=0.9, zorder=1)


def _number_room(bars: Bars, panel: BarPanel, inside: float) -> float:
    """Points from one bar to the next."""
    return inside * POINTS * _GROUP / max(len(bars.shown(panel)), 1) / max(len(panel.series), 1)


def turn_of_names(rows: Sequence[Sequence[str]], inside: float) -> int:
    """Degrees by which the names below bars are turned, so that those of no row overlap in a box `inside` inches
    wide."""
    turn = 0
    for names in rows:
        place = inside / max(len(names), 1)
        if widest([short(name, LETTERS) for name in names], SIZE) + _APART > place:
            lines_apart = place * POINTS * math.sin(math.radians(_SLANT))
            turn = max(turn, _SLANT if lines_apart > SIZE else _UPRIGHT)
    return turn


def wrap_names(names: Sequence[str], inside: float) -> Optional[list[str]]:
    """The names below the bars of a box `inside` inches wide, in lines that do not overlap; None if a word is too wide
    for that, or a name needs more than _LINES lines."""
    place = inside / max(len(names), 1) - _APART
    wrapped = []
    for name in names:
        lines: list[str] = []
        for word in short(name, LETTERS).split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and text_width(longer, SIZE) <= place:
                lines[-1] = longer
            else:
                lines.append(word)
        if len(lines) > _LINES or widest(lines, SIZE) > place:
            return None
        wrapped.append("\n".join(lines))
    return wrapped


def height_of_names(names: Sequence[str], turn: int) -> float:
    """Inches that names below bars take besides a line."""
    return widest([short(name, LETTERS) for name in names], SIZE) * math.sin(math.radians(turn))


def left_of_names(below: float, bar: float) -> float:
    """Inches left of a box whose names reach so far down: the first one, slanted, ends below the middle of its bar."""
    return max(0.45, below / math.tan(math.radians(_SLANT)) - bar / 2)


def label_bars(axes: Axes, names: Sequence[str], turn: int) -> None:
    """An x axis with a name at 0, 1, 2 …, turned by so many degrees."""
    axes.set_xlim(-0.5, max(len(names), 1) - 0.5)
    look: dict[str, Any] = dict(ha="center", va="top")
    if turn:
        look = dict(rotation=turn, ha="right", va="center" if turn == _UPRIGHT else "top", rotation_mode="anchor")
    x_names(axes, names if any("\n" in name for name in names) else [short(n, LETTERS) for n in names], **look)


def title_above(axes: Axes, title: str, y_label: str) -> None:
    heading(axes, short(title, min(60, int(size_points(axes)[0] / _TITLE))), y_label, -26)


def _rounded(value: float) -> str:
    return digits(value, 3 if value >= 1 else 2)


def _panel(axes: Axes, bars: Bars, panel: BarPanel, number: float, upright: bool) -> None:
    title_above(axes, panel.title, panel.y_label or bars.y_label)
    wide, texts = _GROUP / max(len(panel.series), 1), panel.numbers
    low, high = axes.get_ylim()
    points = size_points(axes)[1]

    def raised(value: float, by: float) -> float:
        """The value so many points higher."""
        if bars.log:
            return value * math.exp(math.log(high / low) * by / points)
        return value + float(high - low) * by / points

    base = 1.0 if bars.log else 0.0
    for place, series in enumerate(panel.series):
        hollow, shift = series.voice == "published", (place + 0.5) * wide - _GROUP / 2
        shown = [(i + shift, category) for i, category in enumerate(bars.shown(panel))]
        measured = [(x, category, series.values[category]) for x, category in shown if category in series.values]
        predicted = [(x, series.predicted[category].value) for x, category in shown if category in series.predicted]
        if measured:
            xs, heights = [x for x, _, _ in measured], [v.value for _, _, v in measured]
            face = light("ground" if hollow else series.role)
            look = dict(facecolor=face, edgecolor=light(series.role), linewidth=1, zorder=2)
            axes.bar(xs, [height - base for height in heights], 0.86 * wide, base, **look)
            if not hollow:
                ends = [v.bottom for _, _, v in measured], [v.top for _, _, v in measured]
                axes.vlines(xs, *ends, color=light("ink"), linewidth=1, zorder=3)
        for x, value in predicted:
            predicted_mark(axes, x, value, 0.86 * wide)
        for x, category, v in measured:
            top = max(v.value if hollow else v.top, base)
            mark = series.predicted.get(category, Number(0.0)).value
            if number < _LEGIBLE:
                break
            near = top < mark < raised(top, 0.06 * points)  # a mark close above the bar would cross the number
            text, above = texts[series.label, category], raised(mark, 4) if near else raised(top, 2)
            look = dict(color=light(series.role), fontsize=number, rotation_mode="anchor", zorder=4)
            if upright:
                shift_right = 0.35 * number * len(bars.shown(panel)) / size_points(axes)[0]
                axes.text(x + shift_right, above, text, rotation=90, ha="left", va="baseline", **look)
            else:
                axes.text(x, above, text, ha="center", va="baseline", **look)
    if panel.series:
        bar_legend(axes, panel.legend, panel.is_predicted)
    else:
        note(axes, "not measured here")
