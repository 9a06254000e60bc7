"""LaTeX of tables (booktabs) and pictures (TikZ), with every string from a record escaped.

Pictures are made of the same marks as their SVG. Matplotlib's own PGF writer starts TeX to learn how wide each text is,
so it would make TeX a condition of every report; and it writes ten times as much.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Iterable, Mapping, Sequence

from .style import light

if TYPE_CHECKING:
    from .layout import Cell, Drawing
    from .svg import Look, Mark

_ESCAPES = {
    **{c: "\\" + c for c in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\u2009": r"\,",
    "…": r"\ldots{}",
    "–": "--",
    "−": r"$-$",
    "±": r"$\pm$",
    "µ": r"\textmu{}",
    "≥": r"$\ge$",
    "₂": r"\textsubscript{2}",
    "ϑ": r"$\vartheta$",
    "θ": r"$\theta$",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "÷": r"$\div$",
    **{s: rf"\textsuperscript{{{d}}}" for s, d in zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")},
}


def escape(text: str) -> str:
    """Text as LaTeX shows it; line breaks become spaces, so that nothing ends a comment or an argument."""
    return "".join(_ESCAPES.get(c, c if c.isprintable() else " ") for c in text)


def table(
    columns: str, lines: Sequence[str], caption: str, label: str, needs: str = "booktabs, graphicx, xcolor"
) -> str:
    """A table environment around ready lines (cells joined by &, rules)."""
    return "\n".join(
        [
            f"% needs the packages {needs}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escape(caption)}}}",
            rf"\label{{{label}}}",
            rf"\resizebox{{\linewidth}}{{!}}{{\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}}",
            r"\end{table}",
            "",
        ]
    )


def figure(drawing: "Drawing", marks: Sequence[Sequence["Mark"]], caption: str, label: str) -> str:
    """A figure environment with one TikZ picture a panel, two beside each other."""
    looks = {look: f"l{i}" for i, look in enumerate(dict.fromkeys(mark.look for of in marks for mark in of))}
    roles = sorted({role for look in looks for role in (look.stroke, look.fill) if role})
    width = r"0.48\linewidth" if len(drawing.cells) > 1 else r"0.7\linewidth"
    return "\n".join(
        [
            "% needs the packages graphicx, tikz, xcolor, and TikZ's library svg.path",
            r"\begin{figure}",
            r"\centering",
            *(rf"\definecolor{{sortlab-{role}}}{{HTML}}{{{light(role)[1:].upper()}}}" for role in roles),
            *(rf"\tikzset{{{name}/.style={{{_style(look)}}}}}" for look, name in looks.items()),
            *(line for cell, of in zip(drawing.cells, marks) for line in _picture(cell, of, looks, width)),
            rf"\caption{{{escape(caption)}}}",
            rf"\label{{{label}}}",
            r"\end{figure}",
            "",
        ]
    )


def _picture(cell: "Cell", of: Iterable["Mark"], looks: Mapping["Look", str], width: str) -> list[str]:
    """A cell's marks, in tenths of a point from the upper left corner of the drawing."""
    left, top = round(720 * cell.left), round(720 * cell.top)
    right, bottom = left + round(720 * cell.width), top + round(720 * cell.height)
    return [
        rf"\resizebox{{{width}}}{{!}}{{\begin{{tikzpicture}}[scale=0.1,yscale=-1,x=1pt,y=1pt,line cap=round]",
        rf"\useasboundingbox ({left},{top}) rectangle ({right},{bottom});",
        *(_mark(mark, looks[mark.look]) for mark in of),
        r"\end{tikzpicture}}",
    ]


def _mark(mark: "Mark", look: str) -> str:
    if not mark.text:
        return rf"\path[{look}] svg {{{mark.path}}};"
    turn = f",rotate={mark.turn:g}" if mark.turn else ""
    return rf"\node[{look}{turn}] at ({mark.x},{mark.y}) {{{escape(mark.text)}}};"


def _style(look: "Look") -> str:
    if look.size:
        side = {"start": "base west", "middle": "base", "end": "base east"}[look.anchor]
        font = rf"\fontsize{{{look.size / 10:g}}}{{{look.size / 8:g}}}\selectfont"
        font += r"\bfseries" * look.bold + r"\itshape" * look.italic
        return rf"anchor={side},inner sep=0,text=sortlab-{look.fill},font={font}"
    options = [f"fill=sortlab-{look.fill}"] if look.fill else []
    options += [f"fill opacity={look.opacity:g}"] if look.opacity != 1 else []
    options += [f"draw=sortlab-{look.stroke}", f"line width={look.width / 10:g}pt"] if look.stroke else []
    if look.dashes:
        lengths = zip(itertools.cycle(("on", "off")), look.dashes)
        options += [f"dash pattern={' '.join(f'{pen} {length / 10:g}pt' for pen, length in lengths)}", "line cap=butt"]
    return ",".join(options)
