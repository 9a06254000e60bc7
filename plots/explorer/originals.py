"""Records that keep their original lines, so that each point leads to its record."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable, Optional

from ..records.algorithm import Algorithm
from ..records.count import Count
from ..records.jsonl import Line
from ..records.measurement import Measurement
from ..records.prediction import Prediction
from ..records.published import Published
from ..records.collection import Records, record_files
from ..records.run import Run


@dataclass
class Originals(Records):
    """All records, with each machine's original lines. Only unprintable characters are changed, to their numbers."""

    lines: dict[str, list[str]] = field(default_factory=dict)  # lines by machine, in the order of reading
    algorithm_records: dict[str, dict[str, Any]] = field(default_factory=dict)  # whole records of `algorithms`
    _line_of: dict[int, int] = field(default_factory=dict, repr=False)  # line numbers by the record's id()
    _kept: list[Any] = field(default_factory=list, repr=False)  # keeps alive the objects whose id() is used

    def _add(self, node: Line) -> Any:
        made = super()._add(node)
        if isinstance(made, Algorithm) and self.algorithms[made.name] is made:
            self.algorithm_records[made.name] = node.value
        machine = _machine(made)
        if machine is not None:
            lines = self.lines.setdefault(machine, [])
            self._line_of[id(made)] = len(lines)
            self._kept.append(made)
            lines.append(json.dumps(node.value, ensure_ascii=False, separators=(",", ":")))
        return made

    def line(self, record: Any) -> int:
        """The number of a record's line among its machine's, from 0."""
        return self._line_of[id(record)]


def _machine(record: Any) -> Optional[str]:
    """The machine a record belongs to: measured on, or predicted for."""
    if isinstance(record, Run):
        return record.machine_id
    if isinstance(record, Prediction):
        return record.machine
    if isinstance(record, Published):
        return published_id(record.paper)
    return record.machine if isinstance(record, (Measurement, Count)) else None


def published_id(paper: str) -> str:
    """The identity under which a paper's numbers stand among the machines."""
    return f"published:{paper}"


def read(paths: Iterable[Path]) -> Originals:
    """Reads all files into one set. Raises BadInput."""
    records = Originals()
    for path in paths:
        for file in record_files(path):
            records.add_file(file)
    return records
