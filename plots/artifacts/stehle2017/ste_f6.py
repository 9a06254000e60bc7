"""STE-F6a to STE-F6d: rates of sorting 2 GB over the entropy of the keys, beside the radix and merge sorts of 2016."""

from __future__ import annotations

from functools import partial

from . import entropy
from .sorts import CUB_5, HRS, HRS_TUNED, MGPU, PANELS, SATISH, THRUST, TODAY

_SORTS = (HRS, HRS_TUNED, CUB_5, THRUST, MGPU, SATISH, TODAY)
PLACE = 4
ARTIFACTS = {
    f"STE-F6{letter}": partial(
        entropy.make, id_=f"STE-F6{letter}", title="Sorting 2 GB on the GPU", input_=input_, sorts=_SORTS
    )
    for letter, input_ in PANELS.items()
}
