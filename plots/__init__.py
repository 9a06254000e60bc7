"""Turns records (results/README.md) into tables, figures, the claims ledger and the report; exports, imports and
submits them. Reads records only.

A checkout has this package as `plots`, `pip install .` as `sortlab`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from .exchange.frames import Frames

__all__ = ["read_records"]


def read_records(*paths: Union[str, "os.PathLike[str]"]) -> "Frames":
    """The records of files, and of folders the records of all `*.jsonl` in them, as pandas frames, one a kind
    (plots/README.md, "Records as frames"); a column's name ends in its unit.

    Raises BadInput (of `jsonl`) for a path without records and where pandas is not installed, one line each. Lines that
    are no records are left out and listed in `refused`.
    """
    from .exchange.frames import read_records as read  # what only checks or draws needs none of it

    return read(*paths)
