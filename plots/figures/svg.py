"""A figure as SVG: small, since colours are classes and coordinates whole tenths of a point, and the same text for the
page, for either theme and as a file. The page's style sheet gives the classes the variables of its theme; a file brings
its own style sheet, light, and dark where the reader's system is."""

from __future__ import annotations

import html
from itertools import groupby
from typing import Callable, Iterable, Sequence, Union

from .canvas import POINTS, Dots, Figure, Point, Shape, Stroke, Text
from .style import COLOURS

_UNIT = 10  # of a point
_CLASS = {role: role.removeprefix("series-") if role.startswith("series-") else role[0] for role in COLOURS}
_CLASS["ground"] = "0"
assert len(set(_CLASS.values())) == len(COLOURS), "two roles in one class"
_ANCHORS = {"start": "", "middle": "c", "end": "e"}


def colours(value: Callable[[str], str]) -> str:
    """CSS: the colour that each class draws and fills with."""
    rules = (f".plot .s{c}{{stroke:{value(r)}}}.plot .f{c}{{fill:{value(r)}}}" for r, c in _CLASS.items())
    return "".join(rules)


_WIDTHS = (6, 8, 9, 10, 12, 13, 21, 26, 35, 43, 46)  # of most strokes and dots: classes, too
_BAND = 0.18  # opacity of an interval's band: a class
_DASHES = ((48, 26), (9, 14), (26, 13))  # of most dashed strokes
_SIZES = (60, 65, 70, 75, 80, 90)  # of most texts
SHAPES = "".join(
    [
        ".plot path{fill:none;stroke-linecap:round;stroke-linejoin:round}.plot .d{stroke-linecap:butt}",
        ".plot .c{text-anchor:middle}.plot .e{text-anchor:end}.plot .b{font-weight:600}.plot .i{font-style:italic}",
        *(f".plot .w{width}{{stroke-width:{width}}}" for width in _WIDTHS),
        f".plot .o{{fill-opacity:{_BAND}}}",
        *(f".plot .d{i}{{stroke-dasharray:{on} {off};stroke-linecap:butt}}" for i, (on, off) in enumerate(_DASHES)),
        *(f".plot .z{size}{{font-size:{size}px}}" for size in _SIZES),
    ]
)


def inline(svg: str, label: str) -> str:
    """For a page that has the style sheet; as wide as its place. `label` must be escaped already."""
    return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)


def file(svg: str, figure: Figure) -> str:
    """A complete file with its own ground, which follows the reader's theme where there is one."""
    light, dark = (colours(lambda role: COLOURS[role][theme]) for theme in (0, 1))
    sheet = f"{SHAPES}{light}@media(prefers-color-scheme:dark){{{dark}}}"
    size = f'width="{figure.width * POINTS:.1f}pt" height="{figure.height * POINTS:.1f}pt" '
    size += 'font-family="Liberation Sans,Arimo,Arial,Helvetica,sans-serif" '
    svg = svg.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" {size}', 1)
    head = svg.index(">") + 1
    ground = f'<style>{sheet}</style><rect class="f0" width="100%" height="100%"/>'
    return f'<?xml version="1.0" encoding="utf-8"?>\n{svg[:head]}{ground}{svg[head:]}\n'


def svg(figure: Figure) -> str:
    """An <svg> element without colours and size of its own."""
    width, height = (_whole(inches * POINTS) for inches in (figure.width, figure.height))
    elements = []
    for same, marks in groupby(figure.marks, lambda mark: isinstance(mark, Text) and _look(mark)):
        if not same:
            elements += [_mark(mark) for mark in marks if not isinstance(mark, Text)]
            continue
        texts = [_text(mark) for mark in marks if isinstance(mark, Text)]
        alone = len(texts) == 1
        elements.append(texts[0].replace("<text", f"<text {same}", 1) if alone else f"<g {same}>{''.join(texts)}</g>")
    return f'<svg class="plot" viewBox="0 0 {width} {height}">{"".join(elements)}</svg>'


def _whole(points: float) -> int:
    return round(points * _UNIT)


def _mark(mark: Union[Stroke, Shape, Dots]) -> str:
    if isinstance(mark, Stroke):
        runs = [run for run in mark.runs if len(run) > 1]  # one point is no line: nothing would be drawn
        if not runs:
            return ""
        kind, more = _pen(mark.role, mark.width)
        if mark.dashes:
            dashes = _whole(mark.dashes[0]), _whole(mark.dashes[1])
            known = dashes in _DASHES
            kind += f" d{_DASHES.index(dashes)}" if known else " d"
            more += "" if known else f' stroke-dasharray="{dashes[0]} {dashes[1]}"'
        return f'<path class="{kind}"{more} d="{_path(runs)}"/>'
    if isinstance(mark, Dots):
        # Lines of no length, with round ends.
        kind, more = _pen(mark.role, mark.diameter)
        return f'<path class="{kind}"{more} d="{_dots(mark.points)}"/>'
    kind, more = f"f{_CLASS[mark.role]}", ""
    if mark.edge:
        kind += f" s{_CLASS[mark.edge]} w{_UNIT}"
    if mark.opacity == _BAND:
        kind += " o"
    elif mark.opacity < 1:
        more += f' fill-opacity="{mark.opacity:.2g}"'
    return f'<path class="{kind}"{more} d="{_path([mark.points])}z"/>'


def _pen(role: str, points: float) -> tuple[str, str]:
    """Classes, and attributes of what they do not say."""
    width = _whole(points)
    if width in _WIDTHS:
        return f"s{_CLASS[role]} w{width}", ""
    return f"s{_CLASS[role]}", f' stroke-width="{width}"'


def _look(text: Text) -> str:
    """Attributes that texts one after the other share."""
    kinds = [f"f{_CLASS[text.role]}", _ANCHORS[text.anchor], "b" * text.bold, "i" * text.italic]
    size = _whole(text.size)
    kinds.append(f"z{size}" * (size in _SIZES))
    more = "" if size in _SIZES else f' font-size="{size}"'
    return f'class="{" ".join(filter(None, kinds))}"{more}'


def _text(text: Text) -> str:
    x, y = _whole(text.x), _whole(text.y)
    turn = f' transform="rotate({-text.turn:g} {x} {y})"' if text.turn else ""
    return f'<text x="{x}" y="{y}"{turn}>{html.escape(text.text)}</text>'


def _path(runs: Iterable[Sequence[Point]]) -> str:
    """Each step from the point before it: short numbers."""
    steps: list[str] = []
    for run in runs:
        x = y = None
        for point in run:
            to_x, to_y = _whole(point[0]), _whole(point[1])
            if x is None or y is None:
                steps.append(f"M{to_x} {to_y}")
            elif to_y == y:
                steps.append(f"h{to_x - x}")
            elif to_x == x:
                steps.append(f"v{to_y - y}")
            else:
                steps.append(f"l{to_x - x} {to_y - y}")
            x, y = to_x, to_y
    return "".join(steps).replace(" -", "-")


def _dots(points: Sequence[Point]) -> str:
    steps, x, y = [], 0, 0
    for point in points:
        to_x, to_y = _whole(point[0]), _whole(point[1])
        steps.append(f"m{to_x - x} {to_y - y}h0")
        x, y = to_x, to_y
    return "".join(steps).replace(" -", "-")
