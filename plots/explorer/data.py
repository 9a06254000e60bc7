"""The site's data: a script for the index and one for each machine, with columns of numbers and of indices of names.

A page that is opened from a folder may load scripts and nothing else, so the data are calls of functions of
page/data.js. Their argument is JSON in ASCII without `<`, which cannot end a script.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any, Iterable, Optional, Sequence

from ..records.machines import host_id
from ..records.measurement import Measurement
from ..records.prediction import KINDS, Prediction
from ..records.quantities import Interval
from .originals import Originals

LINES_A_FILE = 200  # original records in one script: some hundred kB, loaded on request
DISTURBED, EXPECTED, FEW_SAMPLES = 1, 2, 4  # flags of a row
PREDICTED_ONLY = "not measured"  # status of a cell that has predictions only


@dataclass(frozen=True)
class Machine:
    """A machine that was measured or predicted, with the names of its files."""

    id: str
    name: str
    file: str
    cores: Optional[int]
    devices: tuple[str, ...]
    measurements: int
    predictions: int
    first: str  # days of its first and last run; empty without a run
    last: str
    data: str = field(repr=False)


def script(function: str, *arguments: Any) -> str:
    """A script that calls one of data.js's functions with JSON."""
    written = (json.dumps(argument, separators=(",", ":")).replace("<", "\\u003c") for argument in arguments)
    return f"sortlab.{function}({','.join(written)});\n"


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A file name without ending for each name.

    It is the name itself if that consists of letters, digits, `.`, `_` and `-`. Otherwise, or if two names differ in
    case only, a digest is added.
    """
    made: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(names):
        plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._")[:80]
        if not plain or plain != name or plain.lower() in taken:
            plain = f"{plain[:60]}-{hashlib.sha256(name.encode()).hexdigest()[:10]}".lstrip("-")
        taken.add(plain.lower())
        made[name] = plain
    return made


def machines(records: Originals) -> list[Machine]:
    """Every machine with a measured or predicted sort, ordered by the number of measurements."""
    measured = {m.machine for m in records.measurements}
    predicted = {p.machine for p in records.predictions}
    files = file_names(measured | predicted)
    made = [_machine(records, name, file) for name, file in files.items()]
    return sorted(made, key=lambda machine: (-machine.measurements, -machine.predictions, machine.id))


def _machine(records: Originals, name: str, file: str) -> Machine:
    here = records.on(name, alone=True)
    predictions = [p for p in here.predictions if p.machine == name]
    runs = here.runs or [run for run in records.runs if run.machine_id == host_id(name)]
    days = sorted(run.started[:10] for run in runs)
    named = [run.machine_name for run in runs[-1:]] or [p.profile_name for p in predictions[:1]]
    cores = runs[-1].machine.get("cores") if runs else None
    return Machine(
        id=name,
        name=next((text for text in named if text), name),
        file=file,
        cores=cores if isinstance(cores, int) else None,
        devices=tuple(sorted({m.device for m in here.measurements if m.device})),
        measurements=sum(m.ok for m in here.measurements),
        predictions=len(predictions),
        first=days[0] if days else "",
        last=days[-1] if days else "",
        data=_data(records, here.measurements, predictions, file),
    )


class _Names:
    """Texts, each with the number that stands for it."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))


_NAMED = ("algorithm", "parameters", "type", "layout", "place", "input", "status", "reason", "run")


def _data(records: Originals, measured: Sequence[Measurement], predicted: Sequence[Prediction], file: str) -> str:
    """One machine's cells, with a column for each fact, and its predictions, each with the number of its cell."""
    names = {column: _Names() for column in _NAMED}
    rows: list[dict[str, Any]] = []
    row_of: dict[str, int] = {}
    device = next(
        (m.device for m in measured if m.device), ""
    )  # stands for cells without a device, such as skipped ones
    for m in measured:
        row_of[m.cell] = len(rows)
        rows.append(_row(m, m.status, m.device or device))
        seconds = m.seconds or Interval(0, 0, 0)
        rows[-1] |= {"s": _short(seconds.value), "low": _short(seconds.low), "high": _short(seconds.high)}
        rows[-1] |= {"cycles": _short(m.cpe_core or 0), "samples": len(m.samples_s), "reason": m.reason, "run": m.run}
        rows[-1]["flags"] = DISTURBED * m.disturbed + EXPECTED * m.expected + FEW_SAMPLES * (not m.has_interval)
        rows[-1]["line"] = records.line(m)
    entries = []
    for p in predicted:
        if p.cell not in row_of:
            row_of[p.cell] = len(rows)
            rows.append(_row(p, PREDICTED_ONLY, device))
            rows[-1] |= {"s": 0, "low": 0, "high": 0, "cycles": 0, "samples": 0, "reason": "", "run": "", "flags": 0}
            rows[-1]["line"] = records.line(p)
        entries.append((row_of[p.cell], KINDS.index(p.kind), p.model, _short(p.seconds), records.line(p)))
    models = _Names()
    columns = {column: _column([names[column](row[column]) for row in rows]) for column in _NAMED}
    plain = ("threads", "n", "entropy", "s", "low", "high", "cycles", "samples", "flags", "line")
    columns |= {column: _column([row[column] for row in rows]) for column in plain}
    predictions = {
        "row": _column([row for row, *_ in entries]),
        "kind": _column([kind for _, kind, *_ in entries]),
        "model": _column([models(model) for _, _, model, *_ in entries]),
        "s": _column([seconds for *_, seconds, _ in entries]),
        "line": _column([line for *_, line in entries]),
    }
    texts = {column: list(names[column].texts) for column in _NAMED} | {"model": list(models.texts)}
    counts = {"count": len(rows), "predicted": len(entries)}
    return script("machine", file, {**counts, "names": texts, **columns}, predictions)


def _row(record: Any, status: str, device: str) -> dict[str, Any]:
    c = record.case
    return {
        "algorithm": c.algorithm,
        "parameters": c.parameters_text,
        "type": c.type_name,
        "layout": c.layout if c.value_type != "none" else "",
        "place": "CPU" if c.on_host else ", ".join(text for text in (device or "GPU", c.residency_text) if text),
        "input": c.distribution,
        "status": status,
        "threads": c.threads,
        "n": c.n,
        "entropy": None if c.entropy_bits is None else _short(c.entropy_bits),
    }


def _short(value: float) -> float:
    """The value with six digits, far finer than any interval."""
    rounded = float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def _column(values: list[Any]) -> Any:
    """The values, or a single one if all are equal."""
    return values[0] if values and all(value == values[0] for value in values) else values
