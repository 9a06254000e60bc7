"""Line charts over n, described once as panels of lines and written as a figure, as LaTeX and as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import latex
from .quantities import digits, short
from .style import RC, light

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

    def figure(self, width: float) -> Figure:
        """Draws for a place `width` inches wide: a narrow one gets its panels below each other."""
        with matplotlib.rc_context(RC):
            return _draw(self, width)


_SIZE = 7.5  # points, of labels
_NAME = 1.22 * _SIZE / 72  # inches from one label to the next
_TITLE = 44  # characters


def _text_inches(text: str, bold: bool) -> float:
    """Room for a label in the widest of usual fonts: the page's is not known here."""
    return len(text) * _SIZE * (0.68 if bold else 0.6) / 72


def _draw(chart: Chart, width: float) -> Figure:
    named = [line for panel in chart.panels for line in panel.lines if line.labelled and line.x]
    right = max([_text_inches(short(line.label), line.strong) for line in named], default=0.3) + 0.16
    left = 0.52
    columns = max(1, min(chart.columns, len(chart.panels), int(width // (left + right + 1.5))))
    rows = max(1, math.ceil(len(chart.panels) / columns))
    single = len(chart.panels) == 1
    plot_height = min(3.6, 0.72 * width) if single else min(2.1, max(1.7, 0.5 * width / columns))
    top, bottom = (0.42 if any(p.title for p in chart.panels) else 0.28), 0.46
    # A panel has room for all its names beside it.
    names = [sum(line.labelled and bool(line.x) for line in panel.lines) for panel in chart.panels]
    heights = [max(plot_height, _NAME * max(names[row * columns :][:columns], default=0)) for row in range(rows)]
    height = sum(heights) + rows * (top + bottom)
    figure = Figure(figsize=(width, height))
    spans = [_span(chart, [panel] if chart.own_spans else chart.panels) for panel in chart.panels]
    cell = width / columns
    for i, panel in enumerate(chart.panels):
        row, column = divmod(i, columns)
        box = (
            (column * cell + left) / width,
            1 - (sum(heights[: row + 1]) + (row + 1) * (top + bottom) - bottom) / height,
            (cell - left - right) / width,
            heights[row] / height,
        )
        axes = figure.add_axes(box)
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
    axes.set_xlim(first - 0.25, last + 0.25)
    if chart.log:
        axes.set_yscale("log")
    axes.set_ylim(*span)
    step = _step(last - first)
    axes.set_xticks([x for x in range(math.ceil(first), math.floor(last) + 1) if (x - math.ceil(first)) % step == 0])
    if chart.log:
        ticks = [m * 10.0**e for e in range(-4, 7) for m in (1, 2, 5) if span[0] <= m * 10.0**e <= span[1]]
        axes.set_yticks(ticks, [digits(tick, 1) for tick in ticks])
        axes.set_yticks([], minor=True)
    axes.grid(True, axis="y")
    axes.grid(False, axis="x")
    axes.set_xlabel(chart.x_label, fontsize=_SIZE)
    # The axis's name stands above it, to be read without turning the head.
    title = short(panel.title, _TITLE)
    offset = 17 if title else 6
    axes.annotate(
        title, (0, 1), (-30, offset), "axes fraction", "offset points", fontsize=9, fontweight="bold", parse_math=False
    )
    y_label = panel.y_label or chart.y_label
    axes.annotate(y_label, (0, 1), (-30, 6), "axes fraction", "offset points", color=light("muted"), fontsize=7)
    for low, high in reversed(chart.bands):
        axes.axhspan(low, high, color=light("grid"), alpha=0.6, linewidth=0)
    if not chart.log and span[0] < 0:
        axes.axhline(0, color=light("axis"), linewidth=0.9)
    if not any(line.x for line in panel.lines):
        axes.text(0.5, 0.5, "not measured here", transform=axes.transAxes, ha="center", color=light("muted"))
        axes.set_xticks([])
        if chart.own_spans:
            axes.set_yticks([])
    for line in panel.lines:
        _line(axes, line)
    _direct_labels(axes, panel.lines)


def _step(span: float) -> int:
    """From one tick to the next: a power of two that leaves at most ten steps."""
    return 1 if span <= 6 else 2 ** max(1, math.ceil(math.log2(span / 10)))


def _line(axes: Axes, line: Line) -> None:
    if not line.x:
        return
    colour, front = light(line.role), 4 if line.strong else 3
    if line.voice == "predicted":
        axes.plot(line.x, line.y, color=colour, linewidth=1.2, dashes=(4, 2.2), zorder=front)
    elif line.voice == "published":
        axes.plot(line.x, line.y, color=colour, linewidth=0.9, dashes=(1, 1.6), zorder=2)
        axes.plot(
            line.x, line.y, "o", markersize=3.6, markeredgecolor=colour, markerfacecolor=light("ground"), zorder=2
        )
    else:
        axes.fill_between(line.x, line.low, line.high, color=colour, alpha=0.18, linewidth=0, zorder=front)
        weight = 2.1 if line.strong else 1.3
        axes.plot(line.x, line.y, "-o", color=colour, linewidth=weight, markersize=weight + 1.4, zorder=front)


def _direct_labels(axes: Axes, lines: Sequence[Line]) -> None:
    """Names each line at its right end; names too close together move apart and keep a thin leader."""
    named = sorted((line for line in lines if line.x and line.labelled), key=lambda line: line.y[-1])
    if not named:
        return
    to_axes = axes.transData + axes.transAxes.inverted()
    height = axes.get_position().height * axes.figure.get_figheight()
    gap = _NAME / height
    wanted = [to_axes.transform((line.x[-1], line.y[-1])) for line in named]
    placed = _spread([float(point[1]) for point in wanted], gap)
    for line, (x, y), place in zip(named, wanted, placed):
        # A leader from the far side would cross the panel; such a line's label must say where it is.
        if x > 0.4 and (abs(place - y) > gap / 4 or x < 0.97):
            axes.plot(
                [x + 0.012, 1.015],
                [y, place],
                transform=axes.transAxes,
                color=light("axis"),
                linewidth=0.6,
                clip_on=False,
            )
        axes.text(
            1.025,
            place,
            short(line.label),
            transform=axes.transAxes,
            va="center_baseline",
            fontsize=_SIZE,
            color=light(line.role),
            fontweight="bold" if line.strong else "normal",
            parse_math=False,
        )


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
    below = max(0.0, -spread[0])
    above = max(0.0, spread[-1] - 1.04)
    return [place + below - above for place in spread]
