"""Turns records (results/README.md) into tables, figures, the claims ledger and the report; exports, imports and
submits them. Reads records only.

A checkout has this package as `plots`, `pip install .` as `sortlab`.
"""

from __future__ import annotations

import sys

if sys.argv[:1] == ["-m"] and not getattr(sys.flags, "safe_path", sys.flags.isolated):
    # python3 -m takes modules from the current folder first: a json.py there would be taken for Python's own.
    sys.path.append(sys.path.pop(0))

import os
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from .exchange.frames import Frames

__all__ = ["read_records"]


def read_records(*paths: Union[str, "os.PathLike[str]"]) -> "Frames":
    """Reads records as pandas frames, one for each kind (plots/README.md, "Records as frames").

    A path is a file of records, or a folder whose `*.jsonl` are read. A column's name ends in its unit. Lines that are
    no records are left out and listed in `refused`. Raises BadInput (in `records.jsonl`), with one line, for a path
    without records or if pandas is not installed.
    """
    from .exchange.frames import read_records as read  # only frames need pandas

    return read(*paths)
