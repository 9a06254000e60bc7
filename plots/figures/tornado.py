"""Tornado charts: the effect of each resource on a rate when there is more or less of it, the largest first. Panels of
bars around 1, drawn by Matplotlib, and their numbers as rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Sequence

from matplotlib.axes import Axes

from ..records.quantities import digits, short
from .layout import BASELINE, NARROW, Drawing, Margins, panels, put, size_points, text_width, widest
from .style import POINTS, applied, light
from .ticks import x_axis

_SIZE = 8  # points, of labels
_LETTER = text_width("n", _SIZE)  # inches, about: what a letter of a label takes
_ROW = 0.24  # inches that a resource takes
_WIDE = 0.62  # share of it that its bar takes


@dataclass(frozen=True)
class Swing:
    """One resource: the speed-ups with a better one and with a worse one."""

    resource: str
    better: float
    worse: float
    binding: str = ""  # binding resource once this one is better

    @property
    def span(self) -> float:
        return abs(math.log(self.better)) + abs(math.log(self.worse))


@dataclass(frozen=True)
class TornadoPanel:
    title: str
    note: str  # below the title
    swings: Sequence[Swing]


@dataclass(frozen=True)
class Tornado:
    """`by`: the factor by which each resource alone is made better, or worse."""

    panels: Sequence[TornadoPanel]
    by: float

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and a row a resource and panel."""
        header = ["panel", "resource", f"{self.by:g} x as good", f"{self.by:g} x as bad", "then bound by"]
        return header, [[p.title, s.resource, s.better, s.worse, s.binding] for p in self.panels for s in p.swings]

    @property
    def voices(self) -> set[str]:
        """Predictions alone."""
        return {"predicted"} if self.panels else set()

    def drawing(self, width: float) -> Drawing:
        """The bars for a place `width` inches wide: a narrow one gets its panels below each other."""
        with applied():
            return _draw(self, width)


_TICKS = (0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 2.0, 4.0)


def _draw(tornado: Tornado, width: float) -> Drawing:
    columns = 2 if width > NARROW and len(tornado.panels) > 1 else 1
    names = [short(s.resource) for panel in tornado.panels for s in panel.swings]
    left = 0.3 + widest(names, _SIZE)
    heights = [_ROW * max(len(panel.swings), 1) for panel in tornado.panels] or [_ROW]
    drawing, boxes = panels(width, columns, heights, Margins(left, 0.35, 0.66, 0.42))
    ends = [v for panel in tornado.panels for s in panel.swings for v in (s.better, s.worse)]
    span = min([*ends, 0.9]) / 1.09, max([*ends, 1.1]) * 1.09
    for axes, panel in zip(boxes, tornado.panels):
        axes.set_xscale("log")
        axes.set_xlim(span)
        _panel(axes, panel, left * POINTS, int((width / columns - 0.3) / _LETTER))
        _key(axes, tornado.by)
    return drawing


def _key(axes: Axes, by: float) -> None:
    """Names what the two colours stand for, below the axis."""
    words = ((f"■ {by:g} × as good", "series-1", "right", -6.0), (f"■ 1/{by:g} as good", "series-2", "left", 6.0))
    middle = size_points(axes)[0] / 2
    for text, role, anchor, shift in words:
        put(axes, middle + shift, -26, text, role, fontsize=_SIZE, ha=anchor)


def _panel(axes: Axes, panel: TornadoPanel, left: float, letters: int) -> None:
    height, count = size_points(axes)[1], max(len(panel.swings), 1)
    low, high = axes.get_xlim()
    axes.set_ylim(count, 0)
    x_axis(axes, places=[tick for tick in _TICKS if low <= tick <= high], grid=True)
    put(axes, 8 - left, height + 26, short(panel.title, letters), fontsize=9, fontweight="bold")
    put(axes, 8 - left, height + 13, short(panel.note, int(letters * 1.15)), "muted", fontsize=7)
    for place, swing in enumerate(panel.swings):
        for value, role in ((swing.worse, "series-2"), (swing.better, "series-1")):
            axes.barh(place + 0.5, value - 1, _WIDE, 1, color=light(role), linewidth=0, zorder=2)
        baseline = height * (1 - (place + 0.5) / count) - BASELINE * _SIZE
        put(axes, -5, baseline, short(swing.resource), fontsize=_SIZE, ha="right")
        for value, role, anchor, shift in (
            (min(swing.worse, swing.better), "series-2", "right", -3.0),
            (max(swing.worse, swing.better), "series-1", "left", 3.0),
        ):
            if abs(math.log2(value)) > 0.02:
                at = size_points(axes)[0] * math.log(value / low) / math.log(high / low) + shift
                put(axes, at, baseline, digits(value, 3), role, fontsize=6.5, ha=anchor)
    axes.axvline(1, color=light("ink"), linewidth=1, zorder=3)
