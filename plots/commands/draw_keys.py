"""The picture of a file of keys, from the description that `sortlab keys describe --out` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional, Sequence

from ..figures.style import applied, light
from ..records.bounds import clean
from ..records.jsonl import BadInput
from ..records.key_description import KeyDescription, read_key_description
from .options import Parser, answered
from .render import writable

_PROG = "sortlab draw-keys"


def _draw(description: KeyDescription) -> Any:
    """Three panels: the share of ones by bit, the distribution function, and the keys over their position."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

    bits, positions = description.bit_shares, description.over_position
    figure = Figure(figsize=(7.6, 2.5), layout="constrained")
    axes = figure.subplots(1, 3)
    titles = ("Share of ones by bit", "Distribution function", "Keys over position")
    for axis, title in zip(axes, titles):
        axis.set_title(title, loc="left", fontweight="bold")
        axis.spines[["top", "right"]].set_visible(False)
        axis.spines[["left", "bottom"]].set_color(light("axis"))
        axis.tick_params(color=light("axis"), labelcolor=light("muted"))
        axis.grid(True, color=light("grid"))
        axis.set_axisbelow(True)
    axes[0].bar(range(len(bits) - 1, -1, -1), bits, width=0.9, color=light("series-1"))
    axes[0].set_xlim(len(bits) - 0.4, -0.6)
    axes[0].set_ylim(0, 1)
    axes[0].set_xlabel("bit, the highest at the left", color=light("muted"))
    points = description.distribution
    # One key far out would press the others to an edge.
    if description.is_skewed:
        points = [(2**key, share) for key, share in description.log_distribution]
        axes[1].set_xscale("log")
        axes[1].xaxis.set_major_locator(LogLocator(numticks=5))
        axes[1].xaxis.set_minor_locator(NullLocator())
    else:
        axes[1].xaxis.set_major_locator(MaxNLocator(4))
    axes[1].xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.4g}"))
    axes[1].plot([key for key, _ in points], [share for _, share in points], color=light("series-1"), linewidth=1.4)
    axes[1].set_ylim(0, 1)
    axes[1].set_xlabel("key", color=light("muted"))
    axes[1].set_ylabel("share of keys up to it", color=light("muted"))
    places = [(i + 0.5) / len(positions) for i in range(len(positions))]
    axes[2].plot(places, positions, color=light("series-2"), marker=".", markersize=1.6, linestyle="none")
    axes[2].set_xlim(0, 1)
    axes[2].set_ylim(-0.02, 1.02)
    axes[2].set_xlabel("position in the file", color=light("muted"))
    axes[2].set_ylabel("rank of the key", color=light("muted"))
    figure.suptitle(f"{description.name}: {description.n} keys of type {description.key_type}", x=0.01, ha="left")
    return figure


def _run(arguments: Optional[Sequence[str]]) -> int:
    parser = Parser(
        prog=_PROG,
        description="Draws the picture of a file of keys from its description.",
        epilog="Example: sortlab draw-keys keys.json --out pictures",
    )
    parser.add_argument("description", type=Path, metavar="keys.json", help="made by `sortlab keys describe --out`")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for keys.svg, keys.png, keys.pdf"
    )
    options = parser.parse_args(arguments)
    description = read_key_description(options.description)
    writable(options.out)
    with applied():
        figure = _draw(description)
        try:
            for form in ("svg", "png", "pdf"):
                # No date, so that the same description gives the same bytes.
                metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form)
                figure.savefig(options.out / f"keys.{form}", dpi=200, metadata=metadata)
        except OSError as error:
            raise BadInput(f"--out {clean(str(options.out))}: {error.strerror}") from None
    print(clean(str(options.out / "keys.svg")))
    return 0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    return answered(_PROG, lambda: _run(arguments))
