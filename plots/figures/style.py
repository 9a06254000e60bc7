"""The look of all figures: colours as named roles with a light and a dark value, and Matplotlib's settings."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any, Iterator

# Role -> (light, dark). The series follow Okabe and Ito's palette, darkened or lightened until text in it is readable;
# two of its colours were then like others, and are violet and crimson here.
COLOURS = {
    "ground": ("#ffffff", "#15181c"),
    "ink": ("#1b2027", "#e8eaed"),
    "muted": ("#5b646e", "#a3adb8"),
    "published": ("#68717b", "#8b95a1"),
    "axis": ("#b9bec4", "#4a525c"),
    "grid": ("#e9ebee", "#272c33"),
    "series-1": ("#0a5fa5", "#62b0f2"),
    "series-2": ("#c24a14", "#f58f5a"),
    "series-3": ("#007a58", "#3fcaa0"),
    "series-4": ("#96417f", "#e094cc"),
    "series-5": ("#7d6100", "#d9b648"),
    "series-6": ("#6a3fc4", "#b3a2ff"),
    "series-7": ("#4a4f57", "#c3cbd4"),
    "series-8": ("#8a1030", "#e06a7e"),
    # Fills alone, beside those of the first five series: too light for lines and text.
    "part-6": ("#7cc4ea", "#2c6f96"),
    "part-7": ("#a7aeb6", "#6d7680"),
    "part-8": ("#f0bd52", "#8f6512"),
    "part-9": ("#dba6cd", "#6e3f61"),
    "part-10": ("#b7d97e", "#4d6b1e"),
}
SERIES = 8
_OWN_PARTS, _PARTS = 5, 10  # parts of a stacked bar with the colour of a series, and all that are told apart
SIZE = 7.5  # points, of labels
POINTS = 72.0  # an inch


def light(role: str) -> str:
    return COLOURS[role][0]


def series(index: int) -> str:
    """The role of the index-th series; they repeat after SERIES."""
    return f"series-{index % SERIES + 1}"


def part(index: int) -> str:
    """The role of the index-th part of a stacked bar: no two of the first ten are alike."""
    index = index % _PARTS
    return series(index) if index < _OWN_PARTS else f"part-{index + 1}"


def css(theme: int) -> str:
    """The roles as CSS declarations, theme 0 light or 1 dark."""
    return " ".join(f"--{role}: {values[theme]};" for role, values in COLOURS.items())


# The font is the one that comes with Matplotlib, so that a figure's bytes do not depend on the fonts of a machine.
MATPLOTLIB: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": SIZE,
    "text.parse_math": False,  # a $ in a record is a dollar sign
    "text.color": light("ink"),
    "lines.scale_dashes": False,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
    "legend.borderaxespad": 0.3,
    "legend.labelspacing": 0.3,
    "legend.handlelength": 1.0,
    "legend.handleheight": 0.8,
    "path.simplify": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "sortlab",
    "pdf.fonttype": 42,
}


@contextlib.contextmanager
def applied() -> Iterator[None]:
    """Our settings alone while a figure is made and written, and nothing of a user's matplotlibrc. A letter that the
    font lacks is drawn as a box, without a warning."""
    import matplotlib  # takes half a second, which the other users of colours need not spend

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore", matplotlib.MatplotlibDeprecationWarning)  # some defaults are deprecated
        defaults = {name: value for name, value in matplotlib.rcParamsDefault.items() if name != "backend"}
        matplotlib.rcParams.update({**defaults, **MATPLOTLIB})
        for message in ("Glyph .* missing from", "Matplotlib currently does not support .* natively"):
            warnings.filterwarnings("ignore", message)
        yield
