"""Line charts over n, described once as panels of lines and written as a figure, as LaTeX and as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

from . import latex
from .canvas import POINTS, Axes, Dots, Figure, Shape, Stroke, Text, linear_ticks
from ..records.quantities import digits, short

VOICES = ("published", "measured", "predicted")


@dataclass
class Line:
    """One series: y over x, log2 n in most charts, with the ends of the 95 % interval where there is one."""

    label: str
    role: str  # a colour of style.COLOURS
    voice: str = "measured"
    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    strong: bool = False  # drawn heavier, in front
    labelled: bool = True
    joined: bool = True  # else its points alone

    def add(self, x: float, y: float, low: Optional[float] = None, high: Optional[float] = None) -> None:
        self.x.append(x)
        self.y.append(y)
        self.low.append(y if low is None else low)
        self.high.append(y if high is None else high)


@dataclass
class Panel:
    title: str
    lines: list[Line]
    y_label: str = ""  # where it is not the chart's


@dataclass(frozen=True)
class Chart:
    """Panels that share their axes' meaning, and their y axis unless each is to have its own span. `bands` are shaded
    spans of y, the innermost first."""

    panels: Sequence[Panel]
    y_label: str
    log: bool = False
    bands: tuple[tuple[float, float], ...] = ()
    columns: int = 3
    x_label: str = "log₂ n"
    own_spans: bool = False

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """The chart's numbers: header and one row a point."""
        header = ["panel", "series", "kind", self.x_label.replace("₂", "2"), self.y_label, "ci95_low", "ci95_high"]
        rows = [
            [panel.title, line.label, line.voice, *point]
            for panel in self.panels
            for line in panel.lines
            for point in zip(line.x, line.y, line.low, line.high)
        ]
        return header, rows

    def latex(self, caption: str, label: str) -> str:
        return latex.plot(self, caption, label)

    def pieces(self, width: float) -> list[Figure]:
        """Each panel by itself, `width` inches wide, where there are so many that a page may put them side by side or
        below each other; else none."""
        if len(self.panels) < _MANY:
            return []
        return [_draw(self, width, [panel]) for panel in self.panels]

    def figure(self, width: float) -> Figure:
        """Draws for a place `width` inches wide: a narrow one gets its panels below each other."""
        return _draw(self, width, self.panels)


_SIZE = 7.5  # points, of labels
_NAME = 1.22 * _SIZE / 72  # inches from one label to the next
_TITLE = 44  # characters
_MANY = 3  # panels
_SEEN = 0.4  # points: an interval that is narrower is under its line


def _text_inches(text: str, bold: bool) -> float:
    """Room for a label in the widest of usual fonts: the page's is not known here."""
    return len(text) * _SIZE * (0.68 if bold else 0.6) / 72


def _draw(chart: Chart, width: float, panels: Sequence[Panel]) -> Figure:
    """Some of the chart's panels: all have the room for names and the spans that all of the chart's would."""
    named = [line for panel in chart.panels for line in panel.lines if line.labelled and line.x]
    right = max([_text_inches(short(line.label), line.strong) for line in named], default=0.3) + 0.16
    left = 0.52
    columns = max(1, min(chart.columns, len(panels), int(width // (left + right + 1.5))))
    rows = max(1, math.ceil(len(panels) / columns))
    single = len(chart.panels) == 1
    plot_height = min(3.6, 0.72 * width) if single else min(2.1, max(1.7, 0.5 * width / columns))
    top, bottom = (0.42 if any(p.title for p in chart.panels) else 0.28), 0.46
    # A panel has room for all its names beside it.
    names = [sum(line.labelled and bool(line.x) for line in panel.lines) for panel in panels]
    heights = [max(plot_height, _NAME * max(names[row * columns :][:columns], default=0)) for row in range(rows)]
    height = sum(heights) + rows * (top + bottom)
    figure = Figure(width, height)
    spans = [_span(chart, [panel] if chart.own_spans else chart.panels) for panel in panels]
    cell = width / columns
    for i, panel in enumerate(panels):
        row, column = divmod(i, columns)
        above = sum(heights[:row]) + row * (top + bottom) + top
        axes = figure.add_axes(column * cell + left, above, cell - left - right, heights[row])
        _panel(axes, chart, panel, spans[i])
    return figure


def _span(chart: Chart, panels: Sequence[Panel]) -> tuple[float, float]:
    """The y axis that all these panels fit in."""
    lines = [line for panel in panels for line in panel.lines]
    values = [y for line in lines for y in (*line.low, *line.high) if not chart.log or y > 0]
    values += [y for band in chart.bands for y in band]
    if not values:
        return (0.1, 10) if chart.log else (0, 1)
    low, high = min(values), max(values)
    if chart.log:
        return low / 1.25, high * 1.25
    margin = 0.06 * ((high - min(low, 0)) or 1)
    return (min(low - margin, 0) if low < 0 else 0), max(high + margin, 0)


def _panel(axes: Axes, chart: Chart, panel: Panel, span: tuple[float, float]) -> None:
    xs = [x for line in panel.lines for x in line.x]
    first, last = (min(xs), max(xs)) if xs else (16, 26)
    if first == last:
        first, last = first - 1, last + 1
    axes.x_span, axes.y_span, axes.log = (first - 0.25, last + 0.25), span, chart.log
    for low, high in reversed(chart.bands):
        axes.rectangle((axes.x_span[0], low), (axes.x_span[1], high), "grid", 0.6)
    if xs or not chart.own_spans:
        axes.y_axis(_log_ticks(*span) if chart.log else linear_ticks(*span))
    step = _step(last - first)
    places = range(math.ceil(first), math.floor(last) + 1, step) if xs else ()
    axes.x_axis([(x, str(x)) for x in places])
    axes.figure.add(Text(axes.left + axes.width / 2, axes.bottom + 23, chart.x_label, _SIZE, "muted", "middle"))
    axes.heading(short(panel.title, _TITLE), panel.y_label or chart.y_label)
    if not chart.log and span[0] < 0:
        axes.figure.add(Stroke([axes.points(axes.x_span, (0, 0))], "axis", 0.9))
    if not xs:
        axes.note("not measured here")
    for line in sorted(panel.lines, key=lambda line: (line.voice != "published", line.strong)):
        _line(axes, line)
    _direct_labels(axes, panel.lines)


def _log_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """1, 2 and 5 of each decade; over many decades only powers of ten, no more than fit."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    every = max(1, math.ceil((last - first) / 12))
    leading = (1, 2, 5) if last - first <= 5 else (1,)
    ticks = [m * 10.0**e for e in range(first, last + 1) if (e - first) % every == 0 for m in leading]
    return [(tick, digits(tick, 1)) for tick in ticks if low <= tick <= high]


def _step(span: float) -> int:
    """From one tick to the next: a power of two that leaves at most ten steps."""
    return 1 if span <= 6 else 2 ** max(1, math.ceil(math.log2(span / 10)))


def _line(axes: Axes, line: Line) -> None:
    if not line.x:
        return
    figure, points = axes.figure, axes.points(line.x, line.y)
    if line.voice == "predicted":
        figure.add(Stroke([points], line.role, 1.2, (4.8, 2.6)))
    elif line.voice == "published":
        figure.add(Stroke([points], line.role, 0.9, (0.9, 1.4)))
        figure.add(Dots(points, line.role, 4.6), Dots(points, "ground", 2.6))
    else:
        low, high = axes.points(line.x, line.low), axes.points(line.x, line.high)
        if any(abs(a[1] - b[1]) > _SEEN for a, b in zip(low, high)):
            figure.add(Shape([*low, *reversed(high)], line.role, 0.18))
        weight = 2.1 if line.strong else 1.3
        if not line.joined:
            figure.add(Dots(points, line.role, weight + 2.2))
            return
        figure.add(Stroke([points], line.role, weight), Dots(points, line.role, weight + 2.2))


def _direct_labels(axes: Axes, lines: Sequence[Line]) -> None:
    """Names each line at its right end; names too close together move apart and keep a thin leader."""
    named = sorted((line for line in lines if line.x and line.labelled), key=lambda line: line.y[-1])
    gap = _NAME * POINTS / axes.height
    wanted = [
        ((axes.x(line.x[-1]) - axes.left) / axes.width, (axes.bottom - axes.y(line.y[-1])) / axes.height)
        for line in named
    ]
    leaders = []
    for line, (x, y), place in zip(named, wanted, _spread([y for _, y in wanted], gap)):
        # A leader from the far side would cross the panel; such a line's label must say where it is.
        if x > 0.4 and (abs(place - y) > gap / 4 or x < 0.97):
            leaders.append([_at(axes, x + 0.012, y), _at(axes, 1.015, place)])
        at_x, at_y = _at(axes, 1.025, place)
        name = short(line.label)
        axes.figure.add(Text(at_x, at_y + 0.35 * _SIZE, name, _SIZE, line.role, bold=line.strong))
    if leaders:
        axes.figure.add(Stroke(leaders, "axis", 0.6))


def _at(axes: Axes, x: float, y: float) -> tuple[float, float]:
    """A place given in shares of the box."""
    return axes.left + x * axes.width, axes.bottom - y * axes.height


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
