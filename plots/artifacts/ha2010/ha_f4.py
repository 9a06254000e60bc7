"""HA-F4: the bits that floats between 0.5 and 1 share, as printed and as a binary32 holds them."""

from __future__ import annotations

import struct
from dataclasses import replace

from ...records.caption import Caption
from ...figures.artifact import Artifact
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.collection import Records
from . import PAPER
from .columns import disagreements

_FRACTION_BITS = 23
_HEADER = ["number", "sign_printed", "exponent_printed", "fraction_printed", "digits_printed", "pattern", "word"]
_HEADER += ["inconsistency"]


def pattern(number: float) -> tuple[str, str, str]:
    """Sign, exponent and fraction of the nearest binary32, as binary digits."""
    bits = f"{word(number):032b}"
    return bits[0], bits[1:9], bits[9:]


def word(number: float) -> int:
    return int.from_bytes(struct.pack(">f", number), "big")


def _by_fours(bits: str) -> str:
    """Binary digits in groups of four from the left, as they are compared."""
    return " ".join(bits[i : i + 4] for i in range(0, len(bits), 4))


def make(records: Records) -> Artifact:
    heads = ("sign", "exponent", "fraction")
    columns = [GridColumn("Binary presentation", head, measured=True, bits=True) for head in heads]
    columns += [GridColumn("In all", "word", measured=True)]
    grid_rows, rows = [], []
    for p in sorted((p for p in records.published if p.id == "HA-F4"), key=lambda p: p.value):
        printed, held = p.printed.split(), pattern(p.value)
        number = f"{p.value:.8g}"
        cells = [GridCell(published=_by_fours(a), measured=_by_fours(b)) for a, b in zip(printed, held)]
        cells[2] = replace(cells[2], remark=f"{len(printed[2])} digits printed, {_FRACTION_BITS} held")
        cells.append(GridCell(measured=f"0x{word(p.value):08X}"))
        grid_rows.append((number, p.value, cells))
        rows.append([number, *printed, len(printed[2]), " ".join(held), f"0x{word(p.value):08X}", p.inconsistency])
    grid = Grid("float", columns, grid_rows, "mean", here="as held")
    title = "Floats between 0.5 and 1, bit by bit"
    caption = Caption(
        "Bit patterns of floats from 0.5 to 1, as printed and as held. All share sign and exponent, so six digits of "
        "4 bits order their 23 bits of fraction (section 3.3).",
        f"{disagreements('X26')}As held is the nearest binary32, which is computed, not measured.",
    )
    return Artifact(
        id="HA-F4",
        title=title,
        paper=PAPER,
        caption=caption,
        header=_HEADER,
        rows=rows,
        picture=grid,
    )


ARTIFACTS = {"HA-F4": make}
