"""Drawings as small SVG: Matplotlib's own SVG, with its colours as classes, its coordinates in whole tenths of a point
and without ids. On the page the classes take the theme's variables; a file brings its own style sheet, light, and dark
where the reader's system is."""

from __future__ import annotations

import functools
import html
import io
import re
from itertools import groupby
from typing import Callable, Iterator, Mapping, NamedTuple, Optional, Sequence
from xml.etree import ElementTree

from .layout import Cell, Drawing
from .style import COLOURS, POINTS, applied

UNIT = 10  # units in a point
_CLASS = {role: role[0] for role in COLOURS}
_CLASS |= {role: role.removeprefix("series-") for role in COLOURS if role.startswith("series-")}
_CLASS |= {role: role.replace("part-", "p") for role in COLOURS if role.startswith("part-")}
_CLASS["ground"] = "0"
assert len(set(_CLASS.values())) == len(COLOURS), "two roles in one class"
_ROLE = {light: role for role, (light, _) in COLOURS.items()}
assert len(_ROLE) == len(COLOURS), "two roles in one colour"
_ANCHORS = {"start": "", "middle": "c", "end": "e"}
_NAMESPACE = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"

Point = tuple[float, float]


class Look(NamedTuple):
    """Colours, pen and font of a path or a text; lengths in units."""

    stroke: str = ""  # a role; nothing if there is none
    fill: str = ""
    width: int = 0  # a stroke's width, a dot's diameter
    dashes: tuple[int, ...] = ()
    opacity: float = 1.0
    size: int = 0  # a text's font size
    anchor: str = "start"
    bold: bool = False
    italic: bool = False


class Mark(NamedTuple):
    """One path or text of a drawing."""

    look: Look
    path: str = ""
    text: str = ""
    x: int = 0
    y: int = 0
    turn: float = 0.0  # degrees, counter-clockwise


def colours(value: Callable[[str], str]) -> str:
    """CSS: the colour that each class draws and fills with."""
    rules = (f".plot .s{c}{{stroke:{value(r)}}}.plot .f{c}{{fill:{value(r)}}}" for r, c in _CLASS.items())
    return "".join(rules)


_WIDTHS = (6, 8, 9, 10, 12, 13, 21, 26, 35, 43, 46)  # the usual ones have classes
_BAND = 0.18  # opacity of an interval's band: a class
_DASHES = ((48, 26), (9, 14), (26, 13))  # the usual ones
_SIZES = (60, 65, 70, 75, 80, 90)  # the usual font sizes
SHAPES = "".join(
    [
        ".plot path{fill:none;stroke-linecap:round;stroke-linejoin:round}",
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


def file(svg: str, title: str) -> str:
    """A complete file with its own ground, which follows the reader's theme where there is one."""
    light, dark = (colours(lambda role: COLOURS[role][theme]) for theme in (0, 1))
    sheet = f"{SHAPES}{light}@media(prefers-color-scheme:dark){{{dark}}}"
    width, height = (int(length) / UNIT for length in re.findall(r'viewBox="0 0 (\d+) (\d+)"', svg)[0])
    size = f'width="{width:.1f}pt" height="{height:.1f}pt" '
    size += 'font-family="Liberation Sans,Arimo,Arial,Helvetica,sans-serif" '
    svg = svg.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}', 1)
    head = svg.index(">") + 1
    ground = f'<title>{html.escape(title)}</title><style>{sheet}</style><rect class="f0" width="100%" height="100%"/>'
    return f'<?xml version="1.0" encoding="utf-8"?>\n{svg[:head]}{ground}{svg[head:]}\n'


def whole(drawing: Drawing, marks: Sequence[Sequence[Mark]]) -> str:
    """An <svg> element without colours and size of its own."""
    width, height = drawing.figure.get_size_inches()
    return _element(Cell(0, 0, width, height), [mark for of in marks for mark in of])


def pieces(drawing: Drawing, marks: Sequence[Sequence[Mark]]) -> list[str]:
    """The same, each cell by itself."""
    return [_element(cell, of) for cell, of in zip(drawing.cells, marks)]


def marks(drawing: Drawing) -> list[list[Mark]]:
    """The paths and texts that Matplotlib draws in each cell, from back to front."""
    text = io.StringIO()
    with applied():
        drawing.figure.savefig(text, format="svg", metadata={"Date": None})
    root = ElementTree.fromstring(text.getvalue())
    markers = {
        f"#{path.get('id')}": path.get("d", "") for path in root.iterfind(f".//{_NAMESPACE}defs/{_NAMESPACE}path")
    }
    read: dict[str, list[Mark]] = {f"cell-{i}": [] for i, _ in enumerate(drawing.cells, 1)}
    for group in root.iter(f"{_NAMESPACE}g"):
        if (cell := group.get("id", "")) in read:
            read[cell] += _read(group, markers)
    return [_joined(of) for of in read.values()]


def units(inches: float) -> int:
    return _whole(inches * POINTS)


def _whole(points: float) -> int:
    return round(points * UNIT)


def _element(cell: Cell, of: Sequence[Mark]) -> str:
    elements = []
    for same, group in groupby(of, lambda mark: mark.text and _attributes(mark.look)):
        if not same:
            elements += [f'<path {_attributes(mark.look)} d="{mark.path}"/>' for mark in group]
            continue
        texts = [_text(mark) for mark in group]
        alone = len(texts) == 1
        elements.append(texts[0].replace("<text", f"<text {same}", 1) if alone else f"<g {same}>{''.join(texts)}</g>")
    box = " ".join(str(units(length)) for length in cell)
    return f'<svg class="plot" viewBox="{box}">{"".join(elements)}</svg>'


@functools.lru_cache(maxsize=None)
def _attributes(look: Look) -> str:
    """Classes, and attributes for what no class says."""
    kinds = [f"f{_CLASS[look.fill]}" if look.fill else "", f"s{_CLASS[look.stroke]}" if look.stroke else ""]
    more = ""
    if look.stroke:
        kinds.append(f"w{look.width}" * (look.width in _WIDTHS))
        more += "" if look.width in _WIDTHS else f' stroke-width="{look.width}"'
    if look.dashes:
        known = look.dashes in _DASHES
        kinds.append(f"d{_DASHES.index(look.dashes)}" if known else "")  # type: ignore[arg-type]
        more += "" if known else f' stroke-dasharray="{" ".join(map(str, look.dashes))}"'
    if look.opacity != 1:
        kinds.append("o" * (look.opacity == _BAND))
        more += "" if look.opacity == _BAND else f' fill-opacity="{look.opacity:.2g}"'
    if look.size:
        kinds += [_ANCHORS[look.anchor], "b" * look.bold, "i" * look.italic, f"z{look.size}" * (look.size in _SIZES)]
        more += "" if look.size in _SIZES else f' font-size="{look.size}"'
    return f'class="{" ".join(filter(None, kinds))}"{more}'


def _text(mark: Mark) -> str:
    turn = f' transform="rotate({-mark.turn:g} {mark.x} {mark.y})"' if mark.turn else ""
    return f'<text x="{mark.x}" y="{mark.y}"{turn}>{html.escape(mark.text)}</text>'


def _joined(of: Sequence[Mark]) -> list[Mark]:
    """Merges marks into fewer SVG elements. Consecutive paths of one look become one path; texts follow all paths,
    grouped by look."""
    paths = groupby((mark for mark in of if mark.path), lambda mark: mark.look)
    joined = [Mark(look, path="".join(mark.path for mark in group)) for look, group in paths]
    texts: dict[Look, list[Mark]] = {}
    for mark in of:
        if mark.text:
            texts.setdefault(mark.look, []).append(mark)
    return joined + [mark for alike in texts.values() for mark in alike]


def _read(group: ElementTree.Element, markers: Mapping[str, str]) -> Iterator[Mark]:
    """The marks of one axes. Markers are defined once and used at many points: round ones become dots, which are
    strokes of no length with round ends; others, such as ticks, are drawn at each point."""
    inner: list[Mark] = []  # fillings of hollow dots, in front of all rims of their line
    for element in group.iter():
        tag, look = element.tag.removeprefix(_NAMESPACE), _look(element.get("style", ""))
        if tag == "use":
            path = markers[element.get(_LINK, "")]
            x, y = (float(element.get(name, 0)) for name in "xy")
            if "C" not in path:
                closed = path.rstrip().endswith("z")  # an area, which Matplotlib draws as a marker used once
                yield Mark(look if closed else look._replace(fill=""), path=_path(path, (x, y)))
                continue
            diameter, dot = 2 * _whole(abs(float(path.split()[2]))), f"M{_whole(x)} {_whole(y)}h0"
            edge = look.width if look.stroke else 0
            if edge:
                yield Mark(Look(look.stroke, width=diameter + edge), path=dot)
            inner.append(Mark(Look(look.fill, width=diameter - edge), path=dot))
            continue
        yield from inner
        inner.clear()
        if tag == "path" and f"#{element.get('id')}" not in markers:
            yield Mark(look, path=_path(element.get("d", "")))
        elif tag == "text" and element.text:
            turn = re.match(r"rotate\((\S+)", element.get("transform", ""))
            x, y = (_whole(float(element.get(name, 0))) for name in "xy")
            yield Mark(look, text=element.text, x=x, y=y, turn=-float(turn.group(1)) if turn else 0.0)
    yield from inner


@functools.lru_cache(maxsize=None)
def _look(style: str) -> Look:
    """The look that a style attribute of Matplotlib's says."""
    said = dict(part.split(": ", 1) for part in style.split("; ") if ": " in part)
    font = said.get("font", "")
    size = re.search(r"([\d.]+)px", font) or re.search(r"([\d.]+)px", said.get("font-size", ""))
    dashes = said.get("stroke-dasharray", "").split(",")
    return Look(
        stroke=_role(said.get("stroke")),
        fill=_role(said.get("fill")),
        width=_whole(float(said.get("stroke-width", 1))) if "stroke" in said else 0,
        dashes=tuple(_whole(float(length)) for length in dashes if length),
        opacity=float(said.get("fill-opacity", said.get("opacity", 1))),
        size=_whole(float(size.group(1))) if size else 0,
        anchor=said.get("text-anchor", "start"),
        bold=bool(re.match(r"(\S+ )*(bold|[67]00) ", f"{font} {said.get('font-weight', '')} ")),
        italic="italic" in font.split() or said.get("font-style") == "italic",
    )


def _role(colour: Optional[str]) -> str:
    return "" if colour is None or colour == "none" else _ROLE[colour]


def _path(steps: str, at: Point = (0.0, 0.0)) -> str:
    """The path in relative coordinates, which need fewer digits. Single points are dropped."""
    runs: list[list[str]] = []
    x = y = 0
    tokens = iter(steps.split())
    for token in tokens:
        if token == "z":
            runs[-1].append(token)
            continue
        to_x, to_y = _whole(float(next(tokens)) + at[0]), _whole(float(next(tokens)) + at[1])
        if token == "M":
            runs.append([f"M{to_x} {to_y}"])
        elif to_y == y:
            runs[-1].append(f"h{to_x - x}")
        elif to_x == x:
            runs[-1].append(f"v{to_y - y}")
        else:
            runs[-1].append(f"l{to_x - x} {to_y - y}")
        x, y = to_x, to_y
    return "".join("".join(run) for run in runs if len(run) > 1).replace(" -", "-")
