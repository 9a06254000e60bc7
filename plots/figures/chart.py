"""Line charts over n: panels of lines, drawn by Matplotlib, and their numbers as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Optional, Sequence, Union

import numpy
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from ..records.quantities import short
from ..records.statistics import Interval
from .layout import (
    BASELINE,
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
    columns: int = 3
    x_label: str = "log₂ n"
    own_spans: bool = False
    one_x: bool = False  # True if the panels have the same x axis
    x_text: Optional[Callable[[float], str]] = None  # writing of the x axis's labels, if not as numbers
    leaders: bool = False  # True if every name leads to its line, even to one that ends far from it

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """The chart's numbers: header and one row a point."""
        header = ["panel", "series", "kind", self.x_label.replace("₂", "2"), self.y_label, *INTERVAL, *TRACE]
        rows = [
            [panel.title, line.label, line.voice, *point, *trace]
            for panel in self.panels
            for line in panel.lines
            for *point, trace in zip(line.x, line.y, line.low, line.high, line.traces)
        ]
        return header, rows

    @property
    def voices(self) -> set[str]:
        """Kinds of values that the chart shows."""
        return {line.voice for panel in self.panels for line in panel.lines if line.x}

    @property
    def apart(self) -> bool:
        """True if the panels are so many that a page puts each where there is room, instead of the whole figure."""
        return len(self.drawn) >= _MANY

    def drawing(self, width: float) -> Drawing:
        """The chart for a place about `width` inches wide: a narrow one gets its panels below each other, and panels
        that a page arranges are as wide as a phone in either."""
        with applied():
            return _draw(self, width)


_NAME = 1.22 * SIZE / POINTS  # inches from one label to the next
_TITLE = 44  # characters
_LETTERS = 36  # characters of a name
_MANY = 3  # panels
_TICK = 15.0  # points that a label of the x axis takes
_SEEN = 0.4  # points: a narrower interval is hidden by its line
_ASIDE = 5.0  # points from the box to the names
_BESIDE_DOT = 5  # points from a lone dot to its name
_OUTSIDE = 0.02  # share of the box's height by which values beyond the axis stand out


def _draw(chart: Chart, width: float) -> Drawing:
    named = [
        line for panel in chart.drawn for line in panel.lines if line.labelled and line.x and not line.named_inside
    ]
    right = max([text_width(short(line.label, _LETTERS), SIZE, line.strong) for line in named], default=0.3) + 0.16
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
    # A panel has room for all its names beside it.
    names = [sum(line.labelled and bool(line.x) for line in panel.lines) for panel in chart.drawn] or [0]
    top = 0.42 if any(p.title for p in chart.drawn) else 0.28
    heights = [max(plot, _NAME * number) for number in names]
    drawing, boxes = panels(width, columns, heights, Margins(left, right, top, 0.46))
    for axes, panel in zip(boxes, chart.drawn):
        of = chart.drawn if chart.one_x else [panel]
        xs = [x for one in of for line in one.lines for x in line.x] if panel.filled else []
        alike = [one for one in chart.drawn if one.scale == panel.scale] if panel.scale else [panel]
        _panel(axes, chart, panel, _span(chart, alike if chart.own_spans else chart.drawn), xs)
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
    if log:
        return low / 1.25, high * 1.25
    margin = 0.06 * ((high - min(low, 0)) or 1)
    return (min(low - margin, 0) if low < 0 else 0), max(high + margin, 0)


def _panel(axes: Axes, chart: Chart, panel: Panel, span: tuple[float, float], xs: Sequence[float]) -> None:
    first, last = (min(xs), max(xs)) if xs else (16, 26)
    if first == last:
        first, last = first - 1, last + 1
    axes.set_xlim(first - 0.25, last + 0.25)
    log = _is_log(chart, panel)
    if not xs and chart.own_spans:
        axes.set_ylim(span)
    elif log:
        log_y_axis(axes, *span)
    else:
        linear_y_axis(axes, *span)
    for low, high in reversed(chart.bands):
        axes.axhspan(low, high, color=light("grid"), alpha=0.6, linewidth=0, zorder=0)
    step = _step(last - first, size_points(axes)[0])
    start = math.ceil(first / step) * step if chart.one_x else math.ceil(first)
    places = range(start, math.floor(last) + 1, step) if xs else range(0)
    x_axis(axes, chart.x_label, places, texts=[chart.x_text(x) for x in places] if chart.x_text else None)
    heading(axes, short(panel.title, _TITLE), panel.y_label or chart.y_label)
    if not log and span[0] < 0:
        axes.axhline(0, color=light("axis"), linewidth=0.9, zorder=1)
    if panel.neutral is not None and span[0] < panel.neutral < span[1]:
        axes.axhline(panel.neutral, color=light("muted"), linewidth=0.9, zorder=1)
        if panel.below:
            axes.axhspan(axes.get_ylim()[0], panel.neutral, color=light("grid"), alpha=0.6, linewidth=0, zorder=0)
            put(axes, 3, 3, panel.below, "muted", fontsize=7)
    for x, name in panel.marks:
        if xs:
            _mark(axes, x, name)
    if not xs:
        note(axes, "not measured here")
    for depth, line in enumerate(sorted(panel.lines, key=lambda line: (line.voice != "published", line.strong))):
        if line.x:
            _line(axes, line, 2 + depth)
    _direct_labels(axes, panel.lines, chart.leaders)


def _mark(axes: Axes, x: float, name: str) -> None:
    """A thin upright line at x, and its name at the top: to the left if there is room."""
    first, last = axes.get_xlim()
    width, height = size_points(axes)
    axes.axvline(x, color=light("muted"), linewidth=0.7, dashes=(1.2, 1.6), zorder=1)
    place = (x - first) / (last - first) * width
    has_room = place > POINTS * text_width(name, 7) + 8
    side: dict[str, Any] = dict(ha="right" if has_room else "left", fontsize=7)
    put(axes, place + (-4 if has_room else 4), height - SIZE, name, "muted", **side)


def _step(span: float, width: float) -> int:
    """Distance of ticks: a power of two that leaves at most ten steps, and fewer in a box of few points."""
    steps = max(2.0, min(10.0, width / _TICK))
    return 1 if span <= min(6, steps) else 1 << max(1, math.ceil(math.log2(span / steps)))


def _inside(axes: Axes, values: Sequence[float]) -> numpy.ndarray:
    """Values as they are drawn: those beyond the axis, or without a logarithm, stand just outside of the box."""
    low, high = axes.get_ylim()
    if axes.get_yscale() == "log":
        out = (high / low) ** _OUTSIDE
        return numpy.clip(numpy.asarray(values, float), low / out, high * out)
    out = (high - low) * _OUTSIDE
    return numpy.clip(numpy.asarray(values, float), low - out, high + out)


def _shares(axes: Axes, values: Sequence[float]) -> numpy.ndarray:
    """Heights of values as shares of the box."""
    low, high = axes.get_ylim()
    if axes.get_yscale() == "log":
        return numpy.log(_inside(axes, values) / low) / math.log(high / low)
    return (_inside(axes, values) - low) / (high - low)


def _line(axes: Axes, line: Line, depth: float) -> None:
    colour, y = light(line.role), _inside(axes, line.y)
    look: dict[str, Any] = dict(color=colour, clip_on=False, zorder=depth)
    if line.voice == "predicted":
        look |= dict(linewidth=1.2, dashes=(4.8, 2.6))
    elif line.voice == "published":
        look |= dict(linewidth=0.9, dashes=(0.9, 1.4)) if line.joined else dict(linestyle="")
        look |= dict(marker="o", markersize=3.6, markeredgewidth=1, markerfacecolor=light("ground"))
    else:
        interval = _shares(axes, line.tops) - _shares(axes, line.bottoms)
        if max(interval) * size_points(axes)[1] > _SEEN:
            low, high = _inside(axes, line.bottoms), _inside(axes, line.tops)
            around = [*zip(line.x, low), *reversed([*zip(line.x, high)])]
            band = Polygon(around, alpha=0.18, linewidth=0, color=colour, zorder=depth)
            axes.add_artist(band).set_clip_path(None)
        weight = 2.1 if line.strong else 1.3
        look |= dict(linewidth=weight, linestyle="-" if line.joined else "")
        look |= dict(marker="o", markersize=weight + 2.2, markeredgewidth=0)
    # axes.plot would take twice the time: it allows for units, cycles of looks, and limits that are set already.
    axes.add_artist(Line2D(numpy.asarray(line.x, float), y, **look))


def _direct_labels(axes: Axes, lines: Sequence[Line], always: bool = False) -> None:
    """Writes each line's name at its right end. Names that are too close together move apart, and thin leaders in the
    lines' colours lead to them. `always`: also draws a leader to a line that ends far from its name."""
    width, height = size_points(axes)
    labelled = [line for line in lines if line.x and line.labelled]
    lone = [line for line in labelled if not (line.named_inside or always) and _is_lone(axes, line)]
    for line in labelled:
        if line.named_inside:
            _name_inside(axes, line)
    _names_beside_dots(axes, lone)
    beside = [line for line in labelled if not line.named_inside and line not in lone]
    named = sorted(beside, key=lambda line: line.y[-1])
    gap = _NAME * POINTS / height
    first, last = axes.get_xlim()
    wanted = [((line.x[-1] - first) / (last - first), float(_shares(axes, line.y[-1:])[0])) for line in named]
    leaders: dict[str, list[tuple[float, float]]] = {}
    for line, (x, y), place in zip(named, wanted, _spread([y for _, y in wanted], gap)):
        # A leader from the far side would cross the panel; such a line's label must say where it is.
        if (always or x > 0.4) and (abs(place - y) > gap / 4 or x < 0.97):
            leaders.setdefault(line.role, []).extend([(x + 3 / width, y), (1 + 3 / width, place), (math.nan, math.nan)])
        weight = "bold" if line.strong else "normal"
        put(
            axes,
            width + _ASIDE,
            place * height - BASELINE * SIZE,
            short(line.label, _LETTERS),
            line.role,
            fontweight=weight,
        )
    for role, points in leaders.items():
        look = dict(color=light(role), linewidth=0.6, transform=axes.transAxes, clip_on=False, zorder=1.5)
        axes.plot(*zip(*points), **look)


def _is_lone(axes: Axes, line: Line) -> bool:
    """True for a dot with room for its name beside it, which at the panel's right end nobody would take for its own."""
    first, last = axes.get_xlim()
    if len(line.x) != 1 or line.voice == "published":
        return False
    room = (last - line.x[0]) / (last - first) * size_points(axes)[0]
    return bool(room > POINTS * text_width(short(line.label, _LETTERS), SIZE) + 2 * _BESIDE_DOT)


def _names_beside_dots(axes: Axes, lines: Sequence[Line]) -> None:
    """Names of lone dots. Those of one x move apart where they would lie on each other."""
    (first, last), (width, height) = axes.get_xlim(), size_points(axes)
    for x in {line.x[0]: None for line in lines}:
        alike = sorted((line for line in lines if line.x[0] == x), key=lambda line: line.y[0])
        places = _spread([float(_shares(axes, line.y)[0]) for line in alike], _NAME * POINTS / height)
        for line, place in zip(alike, places):
            right, up = (x - first) / (last - first) * width + _BESIDE_DOT, place * height - BASELINE * SIZE
            weight = "bold" if line.strong else "normal"
            put(axes, right, up, short(line.label, _LETTERS), line.role, fontweight=weight)


def _name_inside(axes: Axes, line: Line) -> None:
    """The line's name, from below its last point on to the right."""
    (first, last), (width, height) = axes.get_xlim(), size_points(axes)
    right = (line.x[-1] - first) / (last - first) * width
    up = float(_shares(axes, line.y[-1:])[0]) * height
    put(axes, right - 2, up - SIZE - 4, short(line.label, _LETTERS), line.role)


def _spread(places: list[float], gap: float) -> list[float]:
    """Moves sorted places apart to at least `gap`, as little as possible and around their own middle."""
    groups: list[tuple[float, int]] = []  # centre, members
    for place in places:
        groups.append((place, 1))
        while len(groups) > 1:
            (a, m), (b, k) = groups[-2:]
            if b - (k - 1) * gap / 2 - (a + (m - 1) * gap / 2) >= gap:
                break
            groups[-2:] = [((a * m + b * k) / (m + k), m + k)]
    spread = [centre + (i - (members - 1) / 2) * gap for centre, members in groups for i in range(members)]
    if not spread:
        return []
    below = max(0.0, -spread[0])
    above = max(0.0, spread[-1] - 1.04)
    return [place + below - above for place in spread]
