"""STE-F10a to STE-F10d: rates of sorting 2 GB over the entropy of the keys, beside newer sorts (appendix A)."""

from __future__ import annotations

from functools import partial

from . import entropy
from .sorts import CUB_5, CUB_7, HRS, HRS_TUNED, MULTISPLIT, PANELS, TODAY

_SORTS = (HRS, HRS_TUNED, CUB_5, CUB_7, MULTISPLIT, TODAY)
PLACE = 8
ARTIFACTS = {
    f"STE-F10{letter}": partial(
        entropy.make, id_=f"STE-F10{letter}", title="Beside newer sorts, 2 GB", input_=input_, sorts=_SORTS
    )
    for letter, input_ in PANELS.items()
}
