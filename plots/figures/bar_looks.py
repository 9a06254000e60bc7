"""Legend of bars, upright, lying or stacked, and the mark of a prediction."""

from __future__ import annotations

from typing import Any, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .style import light

LETTERS = 48  # letters of a name: a sort, its setting and what is shown of it
_MARK, _MARK_DASHES = 1.3, (2.6, 1.3)  # points: thickness and dashes of the mark of a prediction
_HALO = 0.6  # points of ground beside such a mark


def bar_legend(axes: Axes, entries: Sequence[tuple[str, bool, str]], predicted: bool = False, columns: int = 1) -> None:
    """Role, hollow or not, and name of each, in so many columns from the upper left corner; last the mark of
    predictions, if there are any."""
    looks = [dict(facecolor=light("ground" if hollow else role), edgecolor=light(role)) for role, hollow, _ in entries]
    handles: list[Any] = [Patch(**look) for look in looks]
    names = [name for _, _, name in entries]
    if predicted:
        handles.append(Line2D([], [], color=light("ink"), linewidth=_MARK, dashes=_MARK_DASHES))
        names.append("predicted")
    # Matplotlib leaves out entries whose labels begin with an underscore, so that names are set afterwards.
    legend = axes.legend(handles, ["name"] * len(names), loc="upper left", ncol=columns)
    for text, name in zip(legend.get_texts(), names):
        text.set_text(name)


def predicted_mark(axes: Axes, at: float, value: float, wide: float, lying: bool = False) -> None:
    """A dashed mark across a bar, on a light ground that tells it from a dark bar."""
    ends = [[at - wide / 2, at + wide / 2], [value] * 2]
    across = ends[::-1] if lying else ends
    halo: dict[str, Any] = dict(linewidth=_MARK + 2 * _HALO, solid_capstyle="butt", clip_on=False, zorder=3.4)
    axes.plot(*across, color=light("ground"), **halo)
    axes.plot(*across, color=light("ink"), linewidth=_MARK, dashes=_MARK_DASHES, clip_on=False, zorder=3.5)
