"""KEYS-…: pictures of files of keys, from their descriptions instead of from records."""

from __future__ import annotations

from ..figures.artifact import Artifact, from_picture
from ..figures.chart import Chart, Line, Panel
from ..figures.style import series
from ..records.caption import Caption
from ..records.key_description import KeyDescription


def key_picture(of: KeyDescription) -> Artifact:
    """Share of ones by bit, distribution function, and rank over position."""
    bits = Line("bits", series(0), labelled=False)
    for place, share in enumerate(of.bit_shares):
        bits.add(float(len(of.bit_shares) - 1 - place), share)
    function = Line("keys", series(0), labelled=False)
    for key, share in of.log_distribution if of.is_skewed else of.distribution:
        function.add(key, share)
    order = Line("rank", series(1), labelled=False, joined=False)
    for i, rank in enumerate(of.over_position):
        order.add(100 * (i + 0.5) / len(of.over_position), rank)
    panels = [
        Panel(f"Share of ones, by bit ({len(of.bit_shares) - 1}: the highest)", [bits]),
        Panel(f"Share of keys up to a key{', by log₂' if of.is_skewed else ''}", [function]),
        Panel("Rank of a key, by its position in the file, %", [order]),
    ]
    chart = Chart(panels, "share", x_label="bit, key or position", own_spans=True)
    caption = Caption(
        f"The {of.n} keys of {of.text}, of type {of.key_type}: share of ones by bit, distribution function, and order "
        "over position. A bit at one half is random, at 0 or 1 constant; points along the diagonal at the right are "
        "sorted keys.",
        "Bits are those of the pattern whose order is the keys’ (sign and floats mapped). The key’s rank is a share of "
        "n. Made from a description by `sortlab keys describe`, not from records.",
    )
    return from_picture(chart, f"KEYS-{of.digest[:8]}", f"Keys of {of.text}", "", caption)
