"""Records as pandas frames (`sortlab.read_records`). The one module that needs pandas."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from . import record_rows
from ..records.jsonl import BadInput
from ..records.collection import Records, read

try:
    import pandas as pd
except ImportError:
    raise BadInput("pandas: makes frames of records, and is not installed here (python3-pandas)") from None


@dataclass(frozen=True)
class Frames:
    """One frame for each kind of record; plots/README.md lists the columns. `imported` holds unverified results."""

    measurements: pd.DataFrame
    components: pd.DataFrame
    samples: pd.DataFrame
    phases: pd.DataFrame
    counted_phases: pd.DataFrame
    predictions: pd.DataFrame
    predicted_phases: pd.DataFrame
    runs: pd.DataFrame
    algorithms: pd.DataFrame
    published: pd.DataFrame
    imported: pd.DataFrame
    fastest: pd.DataFrame
    gains: pd.DataFrame
    refused: tuple[str, ...]  # lines that are no records, each with file, line and reason
    records: Records  # the same as objects


def read_records(*paths: Union[str, "os.PathLike[str]"]) -> Frames:
    """Implements `sortlab.read_records`."""
    if not paths:
        raise BadInput("read_records: no path given; files of records or folders of *.jsonl are wanted")
    records = read([Path(path) for path in paths])
    made: dict[str, Any] = {name: frame(name, of(records)) for name, of in record_rows.KINDS.items()}
    return Frames(**made, refused=tuple(records.refused), records=records)


def frame(kind: str, of_kind: list[record_rows.Row]) -> pd.DataFrame:
    return pd.DataFrame(of_kind, columns=record_rows.header(kind, of_kind))
