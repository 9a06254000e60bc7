"""The look: colours as named roles with a light and a dark value, and SVG that follows the page it stands in.

Figures are drawn once, in the light values. Inline in the report each colour becomes the CSS variable of its role, so
that the page's theme decides; as a file a figure has plain colours, light or dark.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from typing import Iterator, Sequence

import matplotlib

matplotlib.use("Agg")

from matplotlib import font_manager  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.patches import Patch  # noqa: E402

from .quantities import short  # noqa: E402

# Role -> (light, dark). The series follow Okabe and Ito's palette, darkened or lightened until text in it is readable.
COLOURS = {
    "ground": ("#ffffff", "#15181c"),
    "ink": ("#1b2027", "#e8eaed"),
    "muted": ("#5b646e", "#a3adb8"),
    "published": ("#858e98", "#8b95a1"),
    "axis": ("#b9bec4", "#4a525c"),
    "grid": ("#e9ebee", "#272c33"),
    "series-1": ("#0a5fa5", "#62b0f2"),
    "series-2": ("#c24a14", "#f58f5a"),
    "series-3": ("#007a58", "#3fcaa0"),
    "series-4": ("#96417f", "#e094cc"),
    "series-5": ("#7d6100", "#d9b648"),
    "series-6": ("#1b87b8", "#86d4f8"),
    "series-7": ("#4a4f57", "#c3cbd4"),
    "series-8": ("#b26a00", "#ffbf5c"),
}
SERIES = 8
_PIXELS = 60000  # Agg draws fewer than 2^16 on a side


def light(role: str) -> str:
    return COLOURS[role][0]


def series(index: int) -> str:
    """The role of the index-th series; they repeat after SERIES."""
    return f"series-{index % SERIES + 1}"


def css(theme: int) -> str:
    """The roles as CSS declarations, theme 0 light or 1 dark."""
    return " ".join(f"--{role}: {values[theme]};" for role, values in COLOURS.items())


def _fonts() -> list[str]:
    """Fonts whose widths are at least those the report's page uses, as far as they are installed."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return [name for name in ("Liberation Sans", "Arimo", "DejaVu Sans") if name in installed]


RC = {
    "font.family": _fonts(),
    "font.size": 8,
    "axes.edgecolor": light("axis"),
    "axes.labelcolor": light("muted"),
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": light("grid"),
    "grid.linewidth": 0.8,
    "xtick.color": light("axis"),
    "xtick.labelcolor": light("muted"),
    "xtick.major.size": 3,
    "ytick.color": light("axis"),
    "ytick.labelcolor": light("muted"),
    "ytick.major.size": 0,
    "ytick.minor.size": 0,
    "text.color": light("ink"),
    "text.parse_math": False,  # a dollar in a name is a dollar
    "lines.solid_capstyle": "round",
    "svg.fonttype": "none",  # text stays text: selectable, searchable, in the page's own font
    "svg.hashsalt": "sortlab",  # the same records give the same bytes
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}


def legend(axes: Axes, handles: Sequence[Patch], names: Sequence[str], size: float) -> None:
    """The legend of patches. Names are set afterwards: Matplotlib leaves out those that begin with an underscore."""
    made = axes.legend(handles, ["name"] * len(names), loc="upper left", frameon=False, fontsize=size, handlelength=1.0)
    for text, name in zip(made.get_texts(), names):
        text.set_parse_math(False)
        text.set_text(short(name, 60))


@contextlib.contextmanager
def _drawing() -> Iterator[None]:
    """While Matplotlib writes a file. In an SVG text stays text, for whatever font the reader has; in a PNG a letter
    that no font here has is a box: nothing to warn of once a letter."""
    with matplotlib.rc_context(RC), warnings.catch_warnings():
        for message in ("Glyph .* missing from current font", "Matplotlib currently does not support .* natively"):
            warnings.filterwarnings("ignore", message)
        yield


def svg_of(figure: Figure) -> str:
    """The figure as an <svg> element, without prolog and date, in light colours on no ground."""
    stream = io.StringIO()
    with _drawing():
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    svg = stream.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # Matplotlib's style element speaks of every element of the document it stands in.
    return svg.replace("*{stroke-linejoin", "svg.plot *{stroke-linejoin").replace("<svg ", '<svg class="plot" ', 1)


def png_of(figure: Figure) -> bytes:
    stream = io.BytesIO()
    dpi = min(180.0, _PIXELS / max(*figure.get_size_inches()))
    with _drawing():
        figure.savefig(stream, format="png", dpi=dpi, facecolor=light("ground"), metadata={"Software": None})
    return stream.getvalue()


def svg_file(svg: str, theme: int) -> str:
    """A complete SVG file with its own ground, theme 0 light or 1 dark."""
    for values in COLOURS.values():
        svg = svg.replace(values[0], values[theme])
    ground = f'<rect width="100%" height="100%" fill="{COLOURS["ground"][theme]}"/>'
    head = svg.index(">") + 1
    return '<?xml version="1.0" encoding="utf-8"?>\n' + svg[:head] + ground + svg[head:]


def svg_inline(svg: str, prefix: str, label: str) -> str:
    """An <svg> for a page: colours by role, ids of its own, the page's font, as wide as its place.
    `label` must be escaped already."""
    for role, values in COLOURS.items():
        svg = svg.replace(values[0], f"var(--{role})")
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    svg = re.sub(r"font: ((?:\w+ )*)([\d.]+px) [^;\"]*", _font_of_the_page, svg)
    svg = re.sub(r'(<svg [^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg [^>]*?) width="[^"]*"', r"\1", svg, count=1)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)


def _font_of_the_page(match: re.Match[str]) -> str:
    weight = re.search(r"\b(bold|[5-9]00)\b", match[1])
    slant = "italic" if "italic" in match[1] else "normal"
    return f"font-style: {slant}; font-weight: {weight[1] if weight else 'normal'}; font-size: {match[2]}"
