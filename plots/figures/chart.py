"""Line charts over n: panels of lines, drawn by Matplotlib, and their numbers as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Callable, Optional, Sequence, Union

import numpy
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from ..records.quantities import short
from ..records.statistics import Interval
from .layout import (
    NARROW,
    Drawing,
    Margins,
    heading,
    note,
    panels,
    put,
    size_points,
    text_width,
)
from ..records.number import INTERVAL, TRACE, Number, Source
from .line_names import LETTERS, NAME, direct_labels, inside, shares
from .panelled import Panelled
from .style import POINTS, SIZE, applied, light
from .ticks import linear_y_axis, log_y_axis, x_axis

VOICES = ("published", "measured", "predicted")


@dataclass
class Line:
    """One series: y over x, log2 n in most charts, with the ends of the 95 % interval if there is one."""

    label: str
    role: str  # a colour of style.COLOURS
    voice: str = "measured"
    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    low: list[Optional[float]] = field(default_factory=list)  # None for a point without an interval
    high: list[Optional[float]] = field(default_factory=list)
    traces: list[tuple[str, str]] = field(default_factory=list)  # cell and run of each point (number.TRACE)
    strong: bool = False  # drawn heavier, in front
    labelled: bool = True
    joined: bool = True  # else its points alone
    named_inside: bool = False  # its name stands below the last point, and not at the right end of the panel
    bound: bool = False  # a predicted line that no measurement may cross, drawn with dashes and dots
    dotless: tuple[int, ...] = ()  # its points that are no values: ends of a bound, or where it leaves the axis

    def __post_init__(self) -> None:
        """Points that are given without an interval or records have none."""
        self.low.extend([None] * (len(self.x) - len(self.low)))
        self.high.extend([None] * (len(self.x) - len(self.high)))
        self.traces.extend([("", "")] * (len(self.x) - len(self.traces)))

    def add(self, x: float, y: Union[Interval, float], *sources: Source) -> None:
        """Adds a point from these records, measured or predicted."""
        number = Number.of(y, *sources)
        self.x.append(x)
        self.y.append(number.value)
        self.low.append(number.low)
        self.high.append(number.high)
        self.traces.append(number.trace)

    def within(self, first: float, last: float) -> "Line":
        """The line's points from x = `first` to `last`."""
        kept = [i for i, x in enumerate(self.x) if first <= x <= last]
        of = {name: [getattr(self, name)[i] for i in kept] for name in ("x", "y", "low", "high", "traces")}
        return replace(self, **of)

    @property
    def is_background(self) -> bool:
        """True for a grey line without a name, which shows where the other sorts lie."""
        return self.role == "axis"

    @property
    def bottoms(self) -> list[float]:
        """Lower ends of what is drawn."""
        return [y if low is None else low for y, low in zip(self.y, self.low)]

    @property
    def tops(self) -> list[float]:
        return [y if high is None else high for y, high in zip(self.y, self.high)]


@dataclass
class Panel:
    title: str
    lines: list[Line]
    y_label: str = ""  # its own, if not the chart's
    scale: str = ""  # panels with the same name here share their y axis where others have their own
    marks: Sequence[tuple[float, str]] = ()  # values of x that a thin line and a name point out
    neutral: Optional[float] = None  # value of y, such as 1 of a ratio, that a heavier gridline points out
    below: str = ""  # meaning of values below the neutral one, whose region is shaded
    log: Optional[bool] = None  # its y axis, if not as the chart's
    ceiling: Optional[float] = None  # upper end of its y axis, which cuts what is above

    @property
    def filled(self) -> bool:
        return any(line.x for line in self.lines)


@dataclass(frozen=True)
class Chart(Panelled[Panel]):
    """Panels that share their axes' meaning, and their y axis unless each is to have its own span. `bands` are shaded
    spans of y, the innermost first."""

    y_label: str
    log: bool = False
    bands: tuple[tuple[float, float], ...] = ()
    band_name: str = ""  # meaning of the innermost
    columns: int = 3
    x_label: str = "log₂ n"
    own_spans: bool = False
    one_x: bool = False  # True if the panels have the same x axis
    x_value: Optional[Callable[[float], float]] = None  # value of a place on the x axis, in labels and rows

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """The chart's numbers: header and one row a point. x is in the unit of the axis's label."""
        header = ["panel", "series", "kind", self.x_label.replace("₂", "2"), self.y_label, *INTERVAL, *TRACE]
        rows = [
            [panel.title, line.label, line.voice, self.x_value(x) if self.x_value else x, *point, *trace]
            for panel in self.panels
            for line in panel.lines
            for x, *point, trace in zip(line.x, line.y, line.low, line.high, line.traces)
        ]
        return header, rows

    @property
    def voices(self) -> set[str]:
        """Kinds of values that the chart shows."""
        return {line.voice for panel in self.panels for line in panel.lines if line.x}

    @property
    def moves_bars(self) -> bool:
        """True if the intervals are bars beside their dots, since as bands they would hide each other in a panel."""
        return any(bands_hide_each_other(panel.lines) for panel in self.drawn)

    @property
    def apart(self) -> bool:
        """True if the panels are so many that a page puts each where there is room, instead of the whole figure."""
        return len(self.drawn) >= _MANY

    def drawing(self, width: float) -> Drawing:
        """The chart for a place about `width` inches wide: a narrow one gets its panels below each other, and panels
        that a page arranges are as wide as a phone in either."""
        with applied():
            return _draw(self, width)


_TITLE = 44  # characters
_PLOT, _EACH = 1.3, 0.18  # inches: height of a panel without lines, and what each named line adds
_MANY = 3  # panels
_TICK = 15.0  # points that a label of the x axis takes
_SEEN = 0.4  # points: a shorter interval is hidden by its line
_DOT = 2.2  # points by which a line's dots are wider than the line
_MARK_ROW = 9.5  # points from one upright line's name to the next line's
_COINCIDING = 0.02  # share by which the points of two lines differ at most that lie on each other
_DEEP = 3  # intervals on each other from which on they are drawn as bars
_APART = 1.5  # points from one line's bars to the next's
_ARROW = 4.0  # points, of the arrowhead where a line leaves the axis
_BAR, _STROKE = 0.8, 1.0  # points, thickness of a bar beside its dot, and of the stroke that joins the two
_GAP = (math.nan, math.nan)


def power_of_two_value(exponent: float) -> float:
    """2 to the power of a place on a logarithmic axis, without the rounding of its logarithm."""
    return float(f"{2.0**exponent:.12g}")


def _draw(chart: Chart, width: float) -> Drawing:
    named = [
        line for panel in chart.drawn for line in panel.lines if line.labelled and line.x and not line.named_inside
    ]
    right = max([text_width(short(line.label, LETTERS), SIZE, line.strong) for line in named], default=0.3) + 0.16
    left, count = 0.52, max(len(chart.drawn), 1)
    if width <= NARROW:
        columns = 1
    elif chart.apart:
        columns = 2 if count == 4 else 3
        width = columns * NARROW
    else:
        columns = max(1, min(chart.columns, count, int(width // (left + right + 1.5))))
    single = count == 1
    plot = min(3.6, 0.72 * width) if single else min(2.1, max(1.7, 0.5 * width / columns))
    # A panel has room for all its names beside it, and more of it the more lines there are to be told apart.
    names = [sum(line.labelled and bool(line.x) for line in panel.lines) for panel in chart.drawn] or [0]
    top = 0.42 if any(p.title for p in chart.drawn) else 0.28
    heights = [max(plot, NAME * number, (0 if single else _PLOT) + _EACH * number) for number in names]
    drawing, boxes = panels(width, columns, heights, Margins(left, right, top, 0.46))
    as_bars = chart.moves_bars
    for axes, panel in zip(boxes, chart.drawn):
        of = chart.drawn if chart.one_x else [panel]
        xs = [x for one in of for line in one.lines for x in line.x] if panel.filled else []
        alike = [one for one in chart.drawn if one.scale == panel.scale] if panel.scale else [panel]
        _panel(axes, chart, panel, _span(chart, alike if chart.own_spans else chart.drawn), xs, as_bars)
    return drawing


def _is_log(chart: Chart, panel: Panel) -> bool:
    return chart.log if panel.log is None else panel.log


def _span(chart: Chart, shown: Sequence[Panel]) -> tuple[float, float]:
    """The y axis that all these panels fit in."""
    lines = [line for panel in shown for line in panel.lines]
    log = any(_is_log(chart, panel) for panel in shown)
    values = [y for line in lines for y in (*line.bottoms, *line.tops) if not log or y > 0]
    values += [y for band in chart.bands for y in band]
    if not values:
        return (0.1, 10) if log else (0, 1)
    low, high = min(values), max(values)
    ceilings = [panel.ceiling for panel in shown if panel.ceiling is not None]
    if log:
        return low / 1.25, max(ceilings, default=high * 1.25)
    margin = 0.06 * ((high - min(low, 0)) or 1)
    return (min(low - margin, 0) if low < 0 else 0), max(ceilings, default=max(high + margin, 0))


def _panel(
    axes: Axes, chart: Chart, panel: Panel, span: tuple[float, float], xs: Sequence[float], as_bars: bool
) -> None:
    """Draws one panel. Intervals look alike in all panels of a chart, as bands or as bars."""
    first, last = (min(xs), max(xs)) if xs else (16, 26)
    if chart.x_value and math.floor(last) <= math.ceil(first):  # fewer than two whole places, which have the labels
        first, last = math.floor(first), math.ceil(last)
    if first == last:
        first, last = first - 1, last + 1
    axes.set_xlim(first - 0.25, last + 0.25)
    log = _is_log(chart, panel)
    if panel.marks:  # the marks' names stand above the lines
        room = (SIZE + _MARK_ROW * len(panel.marks)) / size_points(axes)[1]
        span = _with_room_above(span, room, log)
    if panel.below and panel.neutral is not None and span[0] < panel.neutral:
        span = _with_room_below(span, panel.neutral, (SIZE + 6) / size_points(axes)[1], log)
    if not xs and chart.own_spans:
        axes.set_ylim(span)
    elif log:
        log_y_axis(axes, *span)
    else:
        linear_y_axis(axes, *span)
    for low, high in reversed(chart.bands):
        axes.axhspan(low, high, color=light("grid"), alpha=0.6, linewidth=0, zorder=0)
    if chart.band_name and chart.bands:
        top = float(shares(axes, [chart.bands[0][1]])[0]) * size_points(axes)[1]
        put(axes, 3, top - 8, chart.band_name, "muted", fontsize=7)
    step = _step(last - first, size_points(axes)[0])
    start = math.ceil(first / step) * step if chart.one_x else math.ceil(first)
    places = range(start, math.floor(last) + 1, step) if xs else range(0)
    x_axis(axes, chart.x_label, places, texts=[f"{chart.x_value(x):g}" for x in places] if chart.x_value else None)
    heading(axes, short(panel.title, _TITLE), panel.y_label or chart.y_label)
    if not log and span[0] < 0:
        axes.axhline(0, color=light("axis"), linewidth=0.9, zorder=1)
    if panel.ceiling is not None:
        axes.axhline(panel.ceiling, color=light("muted"), linewidth=0.7, zorder=1)
        put(axes, -3.5, size_points(axes)[1] - 3, f"{panel.ceiling:g}", "muted", ha="right", fontsize=8)
    if panel.neutral is not None and span[0] < panel.neutral < span[1]:
        axes.axhline(panel.neutral, color=light("muted"), linewidth=0.9, zorder=1)
        if panel.below:
            axes.axhspan(axes.get_ylim()[0], panel.neutral, color=light("grid"), alpha=0.6, linewidth=0, zorder=0)
            put(axes, 3, 3, panel.below, "muted", fontsize=7)
    if xs:
        _marks(axes, panel.marks)
    if not xs:
        note(axes, "not measured here")
    beside = _bars_beside(panel.lines) if as_bars else {}
    for depth, line in enumerate(sorted(panel.lines, key=lambda line: (line.voice != "published", line.strong))):
        if line.x:
            _line(axes, line, 2 + depth, beside.get(line.label))
    direct_labels(axes, panel.lines)


def _with_room_above(span: tuple[float, float], share: float, log: bool) -> tuple[float, float]:
    """The y axis with this share more at its top."""
    low, high = span
    above = share / (1 - share)
    return low, high * (high / low) ** above if log else high + (high - low) * above


def _with_room_below(span: tuple[float, float], neutral: float, share: float, log: bool) -> tuple[float, float]:
    """The y axis, of which at least this share lies below the neutral value: the room of the region's name."""
    low, high = span
    above = share / (1 - share)
    if log:
        return min(low, neutral / (high / neutral) ** above), high
    return min(low, neutral - (high - neutral) * above), high


def merge_coinciding(lines: Sequence[Line]) -> list[Line]:
    """The lines, where those that lie on each other at every x are one with both names: one hid the other."""
    merged: list[Line] = []
    for line in lines:
        named = ((i, one) for i, one in enumerate(merged) if line.labelled and one.labelled)
        of = next((i for i, one in named if coincide(one, line)), None)
        if of is None:
            merged.append(line)
        else:
            merged[of] = replace(merged[of], label=f"{merged[of].label}, {line.label}")
    return merged


def coincide(one: Line, other: Line) -> bool:
    """True if two lines of one kind have the same x, and y that a reader cannot tell apart."""
    if one.voice != other.voice or one.x != other.x or len(one.x) < 2:
        return False
    return all(abs(a - b) <= _COINCIDING * max(abs(a), abs(b)) for a, b in zip(one.y, other.y))


def bands_hide_each_other(lines: Sequence[Line]) -> bool:
    """True if at some x the intervals of _DEEP named lines have a value in common: as bands they hide each other."""
    at: dict[float, list[tuple[float, float]]] = {}
    for line in lines:
        if line.voice == "measured" and not line.is_background:
            for x, low, high in zip(line.x, line.low, line.high):
                if low is not None and high is not None:
                    at.setdefault(x, []).append((low, high))
    return any(
        sum(low <= value <= high for low, high in intervals) >= _DEEP
        for intervals in at.values()
        for value, _ in intervals
    )


def _bars_beside(lines: Sequence[Line]) -> dict[str, tuple[float, float]]:
    """Points by which each named line's upright bars stand beside its dots, so that none lies on another's, and the
    most by which any do."""
    names = list(dict.fromkeys(line.label for line in lines if not line.is_background and line.voice == "measured"))
    reach = _APART * (len(names) - 1) / 2
    return {name: (_APART * place - reach, reach) for place, name in enumerate(names)}


def _marks(axes: Axes, marks: Sequence[tuple[float, str]]) -> None:
    """Thin upright lines at places of the x axis, and their names in rows at the top: to the left of the lines, or to
    the right if a name has no room there. A line ends below the names that would cross it."""
    first, last = axes.get_xlim()
    width, height = size_points(axes)
    places = {name: (x - first) / (last - first) * width for x, name in marks}
    is_left = all(place > POINTS * text_width(name, 7) + 8 for name, place in places.items())
    for row, (x, name) in enumerate(sorted(marks, reverse=is_left)):
        top = height - _MARK_ROW * row
        axes.axvline(x, ymax=top / height, color=light("muted"), linewidth=0.7, dashes=(1.2, 1.6), zorder=1)
        side: dict[str, Any] = dict(ha="right" if is_left else "left", fontsize=7)
        put(axes, places[name] + (-4 if is_left else 4), top - SIZE, name, "muted", **side)


def _step(span: float, width: float) -> int:
    """Distance of ticks: a power of two that leaves at most ten steps, and fewer in a box of few points."""
    steps = max(2.0, min(10.0, width / _TICK))
    return 1 if span <= min(6, steps) else 1 << max(1, math.ceil(math.log2(span / steps)))


def _line(axes: Axes, line: Line, depth: float, bars_at: Optional[tuple[float, float]] = None) -> None:
    """Draws a line. Its intervals are a band, or upright bars beside its dots (`bars_at`, see _bars_beside); a grey one
    has none."""
    colour, y = light(line.role), inside(axes, line.y)
    look: dict[str, Any] = dict(color=colour, clip_on=False, zorder=depth)
    if line.voice == "predicted":
        look |= dict(linewidth=1.2, dashes=(4.8, 2.0, 1.0, 2.0) if line.bound else (4.8, 2.6))
    elif line.voice == "published":
        look |= dict(linewidth=0.9, dashes=(0.9, 1.4)) if line.joined else dict(linestyle="")
        look |= dict(marker="o", markersize=3.6, markeredgewidth=1, markerfacecolor=light("ground"))
    else:
        weight = 2.1 if line.strong else 1.3
        interval = shares(axes, line.tops) - shares(axes, line.bottoms)
        is_seen = not line.is_background and max(interval) * size_points(axes)[1] > _SEEN
        if is_seen and bars_at is not None:
            _bars(axes, line, *bars_at, depth, weight + _DOT)
        elif is_seen:
            _band(axes, line, depth)
        look |= dict(linewidth=weight, linestyle="-" if line.joined else "")
        look |= dict(marker="o", markersize=weight + _DOT, markeredgewidth=0)
    if line.dotless:
        look |= dict(markevery=[i for i in range(len(line.x)) if i not in line.dotless])
        _arrows(axes, line, depth)
    # axes.plot would take twice the time: it allows for units, cycles of looks, and limits that are set already.
    axes.add_artist(Line2D(numpy.asarray(line.x, float), y, **look))


def _band(axes: Axes, line: Line, depth: float) -> None:
    """The intervals of a line as a band between neighbours that have one; a bar where neither neighbour has. A band
    that narrowed to a point without an interval would say that this one is the surest."""
    colour, x = light(line.role), line.x
    low, high = inside(axes, line.bottoms), inside(axes, line.tops)
    for has_one, group in groupby(range(len(x)), lambda i: line.low[i] is not None):
        run = list(group)
        if not has_one:
            continue
        if len(run) == 1:
            ends = [low[run[0]], high[run[0]]]
            axes.add_artist(Line2D([x[run[0]]] * 2, ends, color=colour, alpha=0.7, linewidth=_BAR, zorder=depth))
            continue
        around = [*((x[i], low[i]) for i in run), *((x[i], high[i]) for i in reversed(run))]
        band = Polygon(around, alpha=0.18, linewidth=0, color=colour, zorder=depth)
        axes.add_artist(band).set_clip_path(None)


def _arrows(axes: Axes, line: Line, depth: float) -> None:
    """Arrowheads where a line leaves the axis at its top or comes back."""
    top = axes.get_ylim()[1]
    leaves = [(line.x[i], line.y[i]) for i in line.dotless if math.isclose(line.y[i], top)]
    if leaves:
        look: dict[str, Any] = dict(marker="^", markersize=_ARROW, markeredgewidth=0, linestyle="", clip_on=False)
        axes.add_artist(Line2D(*zip(*leaves), color=light(line.role), zorder=depth, **look))


def _bars(axes: Axes, line: Line, beside: float, reach: float, depth: float, dot: float) -> None:
    """An upright bar for each interval that is longer than two dots of `dot` points, `beside` points from its own dot,
    to which a short stroke leads. Those of all lines stand in the box: at its ends they move inside together, `reach`
    points being the largest distance of a bar."""
    first, last = axes.get_xlim()
    width, height = size_points(axes)
    point = (last - first) / width
    low, high = max(first, 0.0) + reach * point, last - reach * point  # no n and no entropy is below 0
    places = numpy.clip(numpy.asarray(line.x, float), low, high) + beside * point
    lengths = (shares(axes, line.tops) - shares(axes, line.bottoms)) * height
    low, high = inside(axes, line.bottoms), inside(axes, line.tops)
    shown = [at for length, *at in zip(lengths, places, line.x, inside(axes, line.y), low, high) if length > 2 * dot]
    look: dict[str, Any] = dict(color=light(line.role), alpha=0.7, clip_on=False, zorder=depth)
    bars = [point for x, _, _, *ends in shown for point in (*((x, end) for end in ends), _GAP)]
    strokes = [point for x, own, middle, *_ in shown for point in ((own, middle), (x, middle), _GAP)]
    for points, weight in ((bars, _BAR), (strokes, _STROKE)):
        if points:
            axes.add_artist(Line2D(*zip(*points), linewidth=weight, **look))
