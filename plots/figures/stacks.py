"""Stacked bars: the parts of a time, one bar a category, drawn by Matplotlib, and their numbers as rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional, Sequence, Union

from matplotlib.axes import Axes

from ..records.quantities import count_text, digits, power_of_two, short
from .bar_looks import bar_legend, predicted_mark
from .bars import height_of_names, label_bars, left_of_names, title_above, turn_of_names, wrap_names
from .layout import BASELINE, NARROW, Drawing, Margins, note, panels, put, size_points
from ..records.number import TRACE, Number, Source, cells_and_runs
from .panelled import Panelled
from .style import POINTS, applied, light
from .ticks import LINE, linear_y_axis

_WIDE = 0.62  # share of a category's width that its bar takes
_PLOT = 2.9  # inches, of a panel's height at least
_BARS = 2.1  # inches, of the bars below the legend, at least
_NUMBER = 7.0  # points
_LINE = 8.5  # points from a number above a bar to the next one
_LEGEND_ROW = 12.5  # points, of a part's name above the bars
_X_LABEL = 0.12  # inches that the name of the x axis takes
_MILLION = 10**6
_SEEN = 0.015  # share of the highest bar up to which a part is not seen
_HEADROOM = 1.35  # height of a panel over its tallest bar, at least


@dataclass
class Stack:
    """One bar: its parts by name, from the lowest up, and the predicted whole, drawn as a mark across the bar. An
    integer category is a number of elements, drawn as a power of two."""

    category: Union[str, int]
    parts: dict[str, float] = field(default_factory=dict)
    predicted: Optional[Number] = None
    sources: Sequence[Source] = ()  # records of the parts
    total: Optional[float] = None  # the number above the bar, if not its height

    @property
    def name(self) -> str:
        """The category as it is drawn."""
        return count_text(self.category) if isinstance(self.category, int) else self.category

    @property
    def whole(self) -> float:
        return sum(self.parts.values())


@dataclass(frozen=True)
class StackPanel:
    title: str
    stacks: Sequence[Stack]
    voice: str = "measured"  # or "published": hollow

    @property
    def filled(self) -> bool:
        return bool(self.stacks)


@dataclass(frozen=True)
class Stacks(Panelled[StackPanel]):
    """Panels of bars with one y axis, unless each is to have its own span. `colours` is of each part's name the role of
    its colour, in the order that they are stacked in."""

    colours: dict[str, str]
    y_label: str
    own_spans: bool = False
    x_label: str = ""
    columns: int = 3  # panels in a row of a wide place, at most
    last_tick: Optional[float] = None  # the axis has no labels above it, such as 100 of shares
    predicted_above: bool = False  # predictions are numbers in brackets above the bars, and no marks across them

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and one row for each part of a bar and each predicted mark."""
        header = ["panel", "category", "kind", "part", self.y_label, *TRACE]
        rows: list[list[Any]] = []
        for panel in self.panels:
            for stack in panel.stacks:
                head, trace = [panel.title, stack.category], cells_and_runs(stack.sources)
                rows += [[*head, panel.voice, part, v, *trace] for part, v in stack.parts.items()]
                if (p := stack.predicted) is not None:
                    rows.append([*head, "predicted", "in all", p.value, *p.trace])
        return header, rows

    def seen(self, panel: StackPanel) -> list[str]:
        """The parts of a panel that its legend lists: those that are high enough to be seen in this or another one."""
        there = {part for stack in panel.stacks for part in stack.parts}
        return [part for part in self.colours if part in there and part not in self.unseen]

    @property
    def unseen(self) -> list[str]:
        """The parts that are too short to be seen in any panel."""
        shares: dict[str, float] = {}
        for panel in self.panels:
            highest = max((stack.whole for stack in panel.stacks), default=0.0) or 1.0
            for stack in panel.stacks:
                for part, value in stack.parts.items():
                    shares[part] = max(shares.get(part, 0.0), value / highest)
        return [part for part in self.colours if shares.get(part, 1.0) < _SEEN]

    @property
    def voices(self) -> set[str]:
        """Kinds of values that the bars show."""
        stacks = [stack for panel in self.panels for stack in panel.stacks]
        predicted = {"predicted" for stack in stacks if stack.predicted is not None}
        return {panel.voice for panel in self.panels if panel.stacks} | predicted

    def drawing(self, width: float) -> Drawing:
        """The bars for a place `width` inches wide: a narrow one gets its panels below each other."""
        with applied():
            return _draw(self, width)


_ABOVE_BAR, _ABOVE_MARK = 2.0, 4.0  # points from a bar, or a mark, to the number above it


def _draw(stacks: Stacks, width: float) -> Drawing:
    count = max(len(stacks.drawn), 1)
    columns = min(count, stacks.columns) if width > NARROW else 1
    every = [stack for panel in stacks.drawn for stack in panel.stacks]
    powers = [power_of_two(stack.category) if isinstance(stack.category, int) else None for stack in every]
    # Exponents, and numbers of millions, are shorter than numbers of elements.
    in_powers = bool(stacks.x_label) and None not in powers
    in_millions = bool(stacks.x_label) and not in_powers and all(_is_millions(stack.category) for stack in every)
    x_label = "log₂ n" if in_powers else "n, 10⁶ elements" if in_millions else stacks.x_label

    def find_name(stack: Stack) -> str:
        if in_powers:
            return str(power_of_two(int(stack.category)))
        return str(int(stack.category) // _MILLION) if in_millions else stack.name

    rows_of_names = [[find_name(stack) for stack in panel.stacks] for panel in stacks.drawn]
    inside = width / columns - 0.6
    wrapped = [wrap_names(names, inside) for names in rows_of_names]
    if None not in wrapped:
        turn, rows_of_names = 0, [names for names in wrapped if names is not None]
        lines = max((name.count("\n") for names in rows_of_names for name in names), default=0)
        below = lines * LINE / POINTS
    else:
        turn = turn_of_names(rows_of_names, inside)
        below = height_of_names([name for names in rows_of_names for name in names], turn)
    longest = max(map(len, rows_of_names), default=1)
    left = left_of_names(below, inside / max(longest, 1)) if columns == 1 and turn else 0.45
    bottom = 0.3 + below + (_X_LABEL if stacks.x_label else 0)
    rows = max((len(stacks.seen(panel)) + _is_marked(stacks, panel) for panel in stacks.drawn), default=0)
    legend = (rows + 1) * _LEGEND_ROW / POINTS
    plot = max(_PLOT, _BARS + legend)
    drawing, boxes = panels(width, columns, [plot] * count, Margins(left, 0.15, 0.42, bottom))
    headroom = max(_HEADROOM, 1 / (1 - legend / plot))
    if stacks.predicted_above:
        headroom += 2 * _NUMBER / POINTS / plot
    for axes, panel, names in zip(boxes, stacks.drawn, rows_of_names):
        highest = _highest(stacks, panel.stacks if stacks.own_spans else every) or 1.0
        linear_y_axis(axes, 0, headroom * highest, stacks.last_tick)
        label_bars(axes, names, turn)
        if stacks.x_label:
            put(axes, size_points(axes)[0] / 2, -POINTS * (bottom - 0.08), x_label, "muted", ha="center")
        title_above(axes, panel.title, stacks.y_label)
        _panel(axes, stacks, panel)
    return drawing


def _is_millions(category: Union[str, int]) -> bool:
    return isinstance(category, int) and category % _MILLION == 0


def _highest(stacks: Stacks, shown: Sequence[Stack]) -> float:
    """The highest bar or mark."""
    marks = [] if stacks.predicted_above else [s.predicted.value for s in shown if s.predicted]
    return max([*(s.whole for s in shown), *marks], default=1.0)


def _is_marked(stacks: Stacks, panel: StackPanel) -> bool:
    """True if a panel has marks of predictions."""
    return not stacks.predicted_above and any(stack.predicted is not None for stack in panel.stacks)


def _panel(axes: Axes, stacks: Stacks, panel: StackPanel) -> None:
    if not panel.stacks:
        note(axes, "not measured here")
        return
    hollow = panel.voice == "published"
    per_point = axes.get_ylim()[1] / size_points(axes)[1]
    number = dict(fontsize=_NUMBER, ha="center", va="baseline", zorder=4)
    for x, stack in enumerate(panel.stacks):
        below = 0.0
        for part, role in stacks.colours.items():
            value = stack.parts.get(part)
            if value is None:
                continue
            face = light("ground" if hollow else role)
            axes.bar(x, value, _WIDE, below, facecolor=face, edgecolor=light(role), linewidth=1, zorder=2)
            if hollow:  # some bars lack a part, so that there is no whole
                middle = below + value / 2 - BASELINE * _NUMBER * per_point
                axes.text(x, middle, digits(value), color=light(role), **number)
            below += value
        marked = stack.predicted is not None and not stacks.predicted_above
        if stack.predicted is not None and marked:
            predicted_mark(axes, x, stack.predicted.value, _WIDE)
        if not hollow:
            mark = stack.predicted.value if stack.predicted is not None and marked else 0.0
            above = mark + _ABOVE_MARK * per_point if mark > below else below + _ABOVE_BAR * per_point
            if stack.predicted is not None and not marked:
                text = f"({digits(stack.predicted.value)})"
                axes.text(x, above, text, color=light("muted"), **number)
                above += _LINE * per_point
            axes.text(x, above, digits(stack.whole if stack.total is None else stack.total), **number)
    parts = [(stacks.colours[part], hollow, short(part, 60)) for part in reversed(stacks.seen(panel))]
    bar_legend(axes, parts, _is_marked(stacks, panel))
