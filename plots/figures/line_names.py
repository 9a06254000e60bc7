"""Names of a chart's lines, beside their right ends or their dots, and the places that a box has for them."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Sequence

import numpy
from matplotlib.axes import Axes

from ..records.quantities import short
from .layout import BASELINE, put, size_points, text_width
from .style import POINTS, SIZE, light

if TYPE_CHECKING:
    from .chart import Line

Point = tuple[float, float]  # in points of the panel, from its lower left corner

NAME = 1.22 * SIZE / POINTS  # inches from one label to the next
LETTERS = 38  # characters of a name
_ASIDE = 5.0  # points from the box to the names
_BESIDE = 5  # points from a line's last dot to its name
_FAR = (
    12.0  # points from the end of the longest line: one that ends further to the left has its name inside, given room
)
_DOTTED = (0.6, 1.8)  # points of a leader's dots and gaps
_OFFSETS = (0, 1, -1, 2, -2, 3, -3, 4, -4, 6, -6)  # places of a name above or below its dot, in halves of its height
_CLOSE_BY = 5  # number of those places that touch the dot’s own height
_STEPS = 24  # points of a name that other names keep away from
_CLOSE = 4.0  # points from one point of a line to the next that names keep away from
_CLEAR = 2.0  # points that a leader keeps away from a name
_HIDDEN = 2.0  # times by which a leader counts as longer where it lies on a line
_TOP = 1.0  # height of the highest name: above it stands the name of the y axis
_OUTSIDE = 0.02  # share of the box's height by which values beyond the axis stand out


def inside(axes: Axes, values: Sequence[float]) -> numpy.ndarray:
    """Values as they are drawn: those beyond the axis, or without a logarithm, stand just outside of the box."""
    low, high = axes.get_ylim()
    if axes.get_yscale() == "log":
        out = (high / low) ** _OUTSIDE
        return numpy.clip(numpy.asarray(values, float), low / out, high * out)
    out = (high - low) * _OUTSIDE
    return numpy.clip(numpy.asarray(values, float), low - out, high + out)


def shares(axes: Axes, values: Sequence[float]) -> numpy.ndarray:
    """Heights of values as shares of the box."""
    low, high = axes.get_ylim()
    if axes.get_yscale() == "log":
        return numpy.log(inside(axes, values) / low) / math.log(high / low)
    return (inside(axes, values) - low) / (high - low)


def direct_labels(axes: Axes, lines: Sequence[Line]) -> None:
    """Writes each line's name at the right of the panel, or beside the line's own end if that lies inside of the panel
    and there is room. Names that are too close together move apart. A leader leads to each name that does not touch its
    line, around the names inside of the panel: thin, dotted and grey, since one in the line's colour reads as data. The
    names of lines that have left at the top stand at the right without one: it would go through the y axis's name."""
    width, height = size_points(axes)
    labelled = [line for line in lines if line.x and line.labelled]
    placed = _beside_ends(axes, [one for one in labelled if not one.named_inside and not _has_left(axes, one)], lines)
    names = [name.box for name in placed]
    for line in labelled:
        if line.named_inside:
            names.append(_name_inside(axes, line, [other for other in lines if other is not line]))
    drawn = [place for line in lines for place in _between(_places(axes, line))] or [(math.inf, math.inf)]
    leaders = _names_beside_ends(axes, placed)
    by_ends = [id(name.line) for name in placed]
    beside = [line for line in labelled if not line.named_inside and id(line) not in by_ends]
    gap = NAME * POINTS / height

    def above(one: Line, other: Line) -> int:
        return _above(axes, one, other, gap)

    named = sorted(beside, key=functools.cmp_to_key(above))
    first, last = axes.get_xlim()
    wanted = [((line.x[-1] - first) / (last - first), float(shares(axes, line.y[-1:])[0])) for line in named]
    for line, (x, y), place in zip(named, wanted, _spread([y for _, y in wanted], gap)):
        if (abs(place - y) > gap / 4 or x < 0.97) and not _has_left(axes, line):
            way = leader_around(names, (x * width + 3, y * height), (width + 3, place * height), drawn)
            leaders += [*((a / width, b / height) for a, b in way), (math.nan, math.nan)]
        weight = "bold" if line.strong else "normal"
        put(
            axes,
            width + _ASIDE,
            place * height - BASELINE * SIZE,
            short(line.label, LETTERS),
            line.role,
            fontweight=weight,
        )
    if leaders:
        look = dict(color=light("muted"), linewidth=0.6, dashes=_DOTTED, clip_on=False, zorder=1.5)
        axes.plot(*zip(*leaders), transform=axes.transAxes, **look)


def _has_left(axes: Axes, line: Line) -> bool:
    """True if the line ends at the panel's top, where the axis cuts it."""
    return len(line.x) - 1 in line.dotless and math.isclose(line.y[-1], axes.get_ylim()[1])


class Box(NamedTuple):
    """Sides of a name, in points of the panel."""

    left: float
    bottom: float
    right: float
    top: float

    def is_crossed(self, start: Point, end: Point) -> bool:
        """True if the stretch from one point to the other passes through the box's inside."""
        first, last = 0.0, 1.0
        for low, high, a, b in ((self.left, self.right, start[0], end[0]), (self.bottom, self.top, start[1], end[1])):
            if a == b:
                if not low < a < high:
                    return False
            else:
                near, far = sorted(((low - a) / (b - a), (high - a) / (b - a)))
                first, last = max(first, near), min(last, far)
        return first < last


def leader_around(
    names: Sequence[Box], start: Point, end: Point, drawn: Sequence[Point] = ((math.inf, math.inf),)
) -> list[Point]:
    """The shortest way from a line's end to its name that crosses none of these names, where what lies on `drawn`
    points of lines counts as longer; straight if no name is in the way, or no way is free.

    It bends only at corners around the names, so that it is the shortest path in the graph of corners that see each
    other (Lozano-Pérez and Wesley 1979).
    """

    def is_free(one: Point, other: Point) -> bool:
        return not any(box.is_crossed(one, other) for box in names)

    def length(one: Point, other: Point) -> float:
        steps = numpy.linspace(one, other, max(2, round(math.dist(one, other) / _CLOSE)))
        near = numpy.hypot(*(numpy.subtract.outer(steps[:, i], numpy.asarray(drawn)[:, i]) for i in (0, 1))).min(axis=1)
        return math.dist(one, other) * (1 + _HIDDEN * float(numpy.mean(near < _CLOSE)))

    if is_free(start, end):
        return [start, end]
    c = _CLEAR
    corners = [(x, y) for b in names for x in (b.left - c, b.right + c) for y in (b.bottom - c, b.top + c)]
    lengths: dict[Point, float] = {start: 0.0}
    ways: dict[Point, list[Point]] = {start: [start]}
    known: set[Point] = set()
    while end not in known and len(known) < len(lengths):
        here = min((point for point in lengths if point not in known), key=lambda point: lengths[point])
        known.add(here)
        for there in (*corners, end):
            if there not in known and is_free(here, there):
                through = lengths[here] + length(here, there)
                if through < lengths.get(there, math.inf):
                    lengths[there], ways[there] = through, [*ways[here], there]
    return ways.get(end, [start, end])


def _above(axes: Axes, one: Line, other: Line, gap: float) -> int:
    """Above 0 if a line's name belongs above the other's: by which has left at the top, by their ends, or where
    these are so close that the names move apart, by what the lines have at the last x of both."""
    if _has_left(axes, one) != _has_left(axes, other):
        return 1 if _has_left(axes, one) else -1
    ends = [float(shares(axes, line.y[-1:])[0]) for line in (one, other)]
    last = min(one.x[-1], other.x[-1])
    if abs(ends[0] - ends[1]) < gap and last >= max(one.x[0], other.x[0]):
        at_last = [float(numpy.interp(last, line.x, shares(axes, line.y))) for line in (one, other)]
        ends = at_last if at_last[0] != at_last[1] else ends
    return (ends[0] > ends[1]) - (ends[0] < ends[1])


@dataclass(frozen=True)
class _Name:
    """A name beside its line's last dot, in points of the box."""

    line: Line
    left: float
    middle: float
    dot: tuple[float, float]
    end: tuple[float, float]  # the name's end that is next to the dot

    @property
    def box(self) -> Box:
        half = NAME * POINTS / 2
        length = POINTS * text_width(short(self.line.label, LETTERS), SIZE, self.line.strong)
        return Box(self.left, self.middle - half, self.left + length, self.middle + half)


def _places(axes: Axes, line: Line) -> list[Point]:
    """A line's points, in points of the panel."""
    (first, last), (width, height) = axes.get_xlim(), size_points(axes)
    return [
        ((x - first) / (last - first) * width, float(share) * height) for x, share in zip(line.x, shares(axes, line.y))
    ]


def _beside_ends(axes: Axes, named: Sequence[Line], lines: Sequence[Line]) -> list[_Name]:
    """The names that have room beside the last dot of their line, off all other dots, lines and names: of lone dots and
    of lines that end inside of the panel. At the panel's right end such a name is far from what it names."""
    width, height = size_points(axes)
    places = functools.partial(_places, axes)

    def ends_inside(line: Line) -> bool:
        if len(line.x) == 1 and line.voice != "published":
            return True
        return places(line)[-1][0] < furthest - _FAR

    furthest = max((places(line)[-1][0] for line in lines if line.x), default=width)
    dots = [place for line in lines for place in places(line)]
    taken = list(dots)
    taken += [place for line in lines if line.joined for place in _between(places(line))]
    half, found = NAME * POINTS / 2, []
    for line in sorted(filter(ends_inside, named), key=lambda line: -line.y[-1]):
        x, y = places(line)[-1]
        length = POINTS * text_width(short(line.label, LETTERS), SIZE, line.strong)
        right, left = x + _BESIDE, x - _BESIDE - length
        # Close by at the left where others stand in the way at the right; near the panel's end a leader leads out.
        to_left = _OFFSETS[:_CLOSE_BY] if not line.joined or right + length <= width - _BESIDE else ()
        beside = [(end, y + up * half) for end, of in ((right, _OFFSETS), (left, to_left)) for up in of]
        for end, middle in beside:
            inside = 0 <= end and end + length <= width - _BESIDE and half <= middle <= height
            others = [place for place in taken if place != (x, y)]
            if abs(middle - y) > 4.5 * half and _is_between(dots, (x, y), middle):
                continue
            if inside and not any(end - 2 < a < end + length + 2 and abs(b - middle) < 0.99 * half for a, b in others):
                found.append(_Name(line, end, middle, (x, y), (x + math.copysign(_BESIDE - 1, end - x), middle)))
                # The name is in the way of later ones as a row of points, close enough that none fits between.
                rows = (middle - half, middle, middle + half)
                taken += [(end + length * i / _STEPS, row) for i in range(_STEPS + 1) for row in rows]
                break
    return found


def _is_between(dots: Sequence[Point], dot: Point, height: float) -> bool:
    """True if another dot lies between a dot and the height of its name, whose leader would seem to come from there."""
    low, high = sorted((dot[1], height))
    return any(abs(x - dot[0]) < _CLOSE and low < y < high and (x, y) != dot for x, y in dots)


def _names_beside_ends(axes: Axes, names: Sequence[_Name]) -> list[tuple[float, float]]:
    """Writes names beside their lines' ends. Returns the leaders to those that stand higher or lower than their dots,
    in shares of the box."""
    leaders: list[tuple[float, float]] = []
    width, height = size_points(axes)
    for name in names:
        line, weight = name.line, "bold" if name.line.strong else "normal"
        put(axes, name.left, name.middle - BASELINE * SIZE, short(line.label, LETTERS), line.role, fontweight=weight)
        if abs(name.middle - name.dot[1]) > NAME * POINTS / 4:
            leaders += [*((x / width, y / height) for x, y in (name.dot, name.end)), (math.nan, math.nan)]
    return leaders


def _between(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points of a line between its dots, so close that no name fits between."""
    found = []
    for (x0, y0), (x1, y1) in zip(places, places[1:]):
        steps = math.ceil(math.hypot(x1 - x0, y1 - y0) / _CLOSE)
        found += [(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps) for i in range(1, steps)]
    return found


def _name_inside(axes: Axes, line: Line, others: Sequence[Line]) -> Box:
    """Writes the line's name, from below its last point on to the right; above or beside it where other lines' points
    would lie under the name. Returns where it stands."""
    (first, last), (width, height) = axes.get_xlim(), size_points(axes)
    right = (line.x[-1] - first) / (last - first) * width
    up = float(shares(axes, line.y[-1:])[0]) * height
    length = POINTS * text_width(short(line.label, LETTERS), SIZE, line.strong)

    def is_free(left: float, low: float) -> bool:
        """True if no other line's point lies where the name would stand, from its lower left corner on."""
        for other in others:
            for x, share in zip(other.x, shares(axes, other.y)):
                at = (x - first) / (last - first) * width
                if left - 3 <= at <= left + length and low - 3 <= share * height <= low + SIZE + 2:
                    return False
        return True

    below, above, beside = (right - 2, up - SIZE - 4), (right - 2, up + 5), (right + 6, up - SIZE / 2)
    place = next((corner for corner in (below, above, beside) if is_free(*corner)), below)
    put(axes, *place, short(line.label, LETTERS), line.role)
    return Box(place[0], place[1] - 1, place[0] + length, place[1] + SIZE)


def _spread(places: list[float], gap: float) -> list[float]:
    """Moves sorted places apart to at least `gap`, as little as possible and around their own middle; those beyond an
    end of the box move inside, and others only as far as these need."""
    groups: list[tuple[float, int]] = []  # centre, members
    for place in places:
        groups.append((place, 1))
        while len(groups) > 1:
            (a, m), (b, k) = groups[-2:]
            if b - (k - 1) * gap / 2 - (a + (m - 1) * gap / 2) >= gap:
                break
            groups[-2:] = [((a * m + b * k) / (m + k), m + k)]
    spread = [centre + (i - (members - 1) / 2) * gap for centre, members in groups for i in range(members)]
    highest, lowest = _TOP, 0.0
    for i in reversed(range(len(spread))):
        spread[i] = min(spread[i], highest)
        highest = spread[i] - gap
    for i in range(len(spread)):
        spread[i] = max(spread[i], lowest)
        lowest = spread[i] + gap
    return spread
