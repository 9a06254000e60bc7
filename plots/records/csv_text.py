"""CSV in which no cell is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from typing import Any, Iterable, Sequence

_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
_NUMBER = re.compile(r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?( ?%)?")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([_cell(item) for item in header])
    writer.writerows([[_cell(item) for item in row] for row in rows])
    return stream.getvalue()


def _cell(item: Any) -> Any:
    """An apostrophe before a text that a spreadsheet would take for a formula."""
    if item is None:
        return ""
    return f"'{item}" if isinstance(item, str) and _FORMULA.match(item) and not _NUMBER.fullmatch(item) else item
