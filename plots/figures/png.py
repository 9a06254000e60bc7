"""A figure as PNG, by Matplotlib, in light colours: only on request, since it takes longer than everything else."""

from __future__ import annotations

import io
import warnings

import matplotlib

matplotlib.use("Agg")

from matplotlib import figure as drawn  # noqa: E402
from matplotlib import font_manager  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.patches import Polygon  # noqa: E402

from .canvas import POINTS, Dots, Figure, Shape, Stroke  # noqa: E402
from .style import light  # noqa: E402

_DPI = 180.0
_PIXELS = 60000  # Agg draws fewer than 2^16 on a side


def _fonts() -> list[str]:
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return [name for name in ("Liberation Sans", "Arimo", "DejaVu Sans") if name in installed]


def png(figure: Figure) -> bytes:
    stream = io.BytesIO()
    dpi = min(_DPI, _PIXELS / max(figure.width, figure.height))
    # A letter that no font here has is a box: nothing to warn of once a letter.
    with matplotlib.rc_context({"font.family": _fonts()}), warnings.catch_warnings():
        for message in ("Glyph .* missing from current font", "Matplotlib currently does not support .* natively"):
            warnings.filterwarnings("ignore", message)
        _drawn(figure).savefig(stream, format="png", dpi=dpi, metadata={"Software": None})
    return stream.getvalue()


def _drawn(figure: Figure) -> drawn.Figure:
    made = drawn.Figure(figsize=(figure.width, figure.height), facecolor=light("ground"))
    axes = made.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, figure.width * POINTS), ylim=(figure.height * POINTS, 0))
    axes.axis("off")
    for depth, mark in enumerate(figure.marks):
        colour = light(mark.role)
        if isinstance(mark, Stroke):
            dashes = {"dashes": [length / mark.width for length in mark.dashes]} if mark.dashes else {}
            for run in mark.runs:
                line = Line2D(*zip(*run), color=colour, linewidth=mark.width, zorder=depth, **dashes)
                axes.add_line(line)
        elif isinstance(mark, Dots):
            style = dict(marker="o", linestyle="", markersize=mark.diameter, markeredgewidth=0)
            axes.add_line(Line2D(*zip(*mark.points), color=colour, zorder=depth, **style))
        elif isinstance(mark, Shape):
            axes.add_patch(Polygon(mark.points, facecolor=colour, alpha=mark.opacity, linewidth=0, zorder=depth))
            if mark.edge:
                axes.add_patch(Polygon(mark.points, fill=False, edgecolor=light(mark.edge), zorder=depth))
        else:
            axes.text(
                mark.x,
                mark.y,
                mark.text,
                color=colour,
                fontsize=mark.size,
                ha={"start": "left", "middle": "center", "end": "right"}[mark.anchor],
                va="baseline",
                fontweight="bold" if mark.bold else "normal",
                fontstyle="italic" if mark.italic else "normal",
                rotation=mark.turn,
                rotation_mode="anchor",
                parse_math=False,
                zorder=depth,
            )
    return made
