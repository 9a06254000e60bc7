"""STE-F10a to STE-F10d: rates of sorting 2 GB over the entropy of the keys, beside newer sorts (appendix A)."""

from __future__ import annotations

from functools import partial

from . import entropy
from .sorts import CUB_5, CUB_7, HRS, HRS_TUNED, MULTISPLIT, MULTISPLIT_TUNED, PANELS, TODAY, Input, Sort


def _sorts(input_: Input) -> tuple[Sort, ...]:
    """The sorts of a panel; the paper has Multisplit on 32-bit keys only."""
    return (HRS, HRS_TUNED, CUB_5, CUB_7, *((MULTISPLIT, MULTISPLIT_TUNED) if input_.key == "u32" else ()), TODAY)


PLACE = 8
ARTIFACTS = {
    f"STE-F10{letter}": partial(
        entropy.make, id_=f"STE-F10{letter}", title="Beside newer sorts, 2 GB", input_=input_, sorts=_sorts(input_)
    )
    for letter, input_ in PANELS.items()
}
