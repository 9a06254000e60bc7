"""Schedules: operations over time in lanes, each with the number of its chunk. Panels drawn by Matplotlib, and rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

from matplotlib.axes import Axes

from ..records.quantities import short
from .layout import BASELINE, NARROW, Drawing, Margins, heading, note, panels, put, size_points, widest
from ..records.number import TRACE, Source, cells_and_runs
from .panelled import Panelled
from .style import SIZE, applied, light, series
from .ticks import x_axis

_LANE = 0.34  # inches
_HIGH = 0.7  # share of a lane's height that its operations take
_NUMBER = 7.0  # points


@dataclass(frozen=True)
class Block:
    """One operation."""

    lane: str
    chunk: int
    begin: float
    end: float
    sources: Sequence[Source] = ()


@dataclass(frozen=True)
class SchedulePanel:
    title: str
    x_label: str
    blocks: Sequence[Block]
    voice: str = "measured"  # or "published": hollow

    @property
    def filled(self) -> bool:
        return bool(self.blocks)


@dataclass(frozen=True)
class Schedule(Panelled[SchedulePanel]):
    """Panels with the same lanes, each with its own axis of time."""

    lanes: Sequence[str]

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and one row for each operation."""
        header = ["panel", "kind", "lane", "chunk", "begin", "end", "unit", *TRACE]
        return header, [
            [*(panel.title, panel.voice), *(b.lane, b.chunk, b.begin, b.end), panel.x_label, *cells_and_runs(b.sources)]
            for panel in self.panels
            for b in panel.blocks
        ]

    @property
    def voices(self) -> set[str]:
        """Kinds of schedules that it shows."""
        return {panel.voice for panel in self.panels if panel.blocks}

    def drawing(self, width: float) -> Drawing:
        """The lanes for a place `width` inches wide: a narrow one gets its panels below each other."""
        with applied():
            return _draw(self, width)


def _draw(schedule: Schedule, width: float) -> Drawing:
    columns = min(2, len(schedule.drawn)) if width > NARROW else 1
    left = 0.15 + widest([short(lane) for lane in schedule.lanes], SIZE)
    heights = [_LANE * len(schedule.lanes)] * len(schedule.drawn)
    drawing, boxes = panels(width, columns, heights, Margins(left, 0.15, 0.34, 0.46))
    for axes, panel in zip(boxes, schedule.drawn):
        _panel(axes, schedule, panel)
    return drawing


def _panel(axes: Axes, schedule: Schedule, panel: SchedulePanel) -> None:
    count = len(schedule.lanes)
    axes.set_xlim(0, max((block.end for block in panel.blocks), default=1.0) * 1.02)
    axes.set_ylim(count, 0)
    x_axis(axes, panel.x_label)
    heading(axes, short(panel.title, 60), "", -30, -4)
    width, height = size_points(axes)
    if not panel.blocks:
        note(axes, "not measured here")
    for place, lane in enumerate(schedule.lanes):
        baseline = height * (1 - (place + 0.5) / count) - BASELINE * SIZE
        put(axes, -5, baseline, short(lane), "muted", ha="right")
    per_unit = width / axes.get_xlim()[1]
    for block in panel.blocks:
        place, role = schedule.lanes.index(block.lane), series(schedule.lanes.index(block.lane))
        long, hollow = block.end - block.begin, panel.voice == "published"
        look = dict(facecolor=light("ground" if hollow else role), edgecolor=light(role), linewidth=1, zorder=2)
        axes.barh(place + 0.5, long, _HIGH, block.begin, **look)
        if long * per_unit > _NUMBER:  # there is room for a number
            middle = (block.begin + long / 2) * per_unit, height * (1 - (place + 0.5) / count) - BASELINE * _NUMBER
            put(axes, *middle, str(block.chunk), role if hollow else "ground", ha="center", fontsize=_NUMBER)
