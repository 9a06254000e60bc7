"""The site's machines, each with the columns of numbers and of indices of names that the page draws."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any, Iterable, Optional, Sequence

from ..records.count import Count
from ..records.energy import Energy
from ..records.machines import host_id
from ..records.measurement import Component, Measurement
from ..records.prediction import KINDS, Prediction
from ..records.statistics import exactly
from .originals import Originals
from .packed import packed
from .published_points import PointOfPaper, points

DISTURBED, EXPECTED, FEW_SAMPLES, IS_ENTROPY = 1, 2, 4, 8  # flags of a row
PREDICTED_ONLY, COUNTED_ONLY, PUBLISHED = "not measured", "counted, not timed", "published"  # status of a row
WHOLE = "the whole sort"  # part of a row that is no component
GROUPS = ("here", "measured", "predicted", "published")


@dataclass(frozen=True)
class Machine:
    """A machine that was measured or predicted, or a paper with its machines, and the names of its files."""

    id: str
    name: str
    group: str  # one of GROUPS
    file: str
    cores: Optional[int]
    devices: tuple[str, ...]
    measurements: int
    predictions: int
    first: str  # days of its first and last run; empty without a run
    last: str
    lines: int  # original records
    data: str = field(repr=False)


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


def machines(records: Originals, here: str = "") -> list[Machine]:
    """Every machine with a measured or predicted sort, ordered by group and number of measurements, then the papers.

    `here` is the id of this machine, which comes first with its GPUs.
    """
    measured = {m.machine for m in (*records.measurements, *records.components)} | {c.machine for c in records.counts}
    predicted = {p.machine for p in records.predictions}
    papers = points(records)
    files = file_names(measured | predicted | papers.keys())
    made = [_machine(records, name, files[name], here) for name in sorted(measured | predicted)]
    made += [_paper(records, name, files[name], of) for name, of in papers.items()]
    place = {group: i for i, group in enumerate(GROUPS)}
    return sorted(made, key=lambda m: (place[m.group], -m.measurements, -m.predictions, m.id))


def _machine(records: Originals, name: str, file: str, this: str) -> Machine:
    here = records.on(name, alone=True)
    predictions = [p for p in here.predictions if p.machine == name]
    runs = here.runs or [run for run in records.runs if run.machine_id == host_id(name)]
    days = sorted(run.started[:10] for run in runs)
    named = [run.machine_name for run in runs[-1:]] or [p.profile_name for p in predictions[:1]]
    cores = runs[-1].machine.get("cores") if runs else None
    timed: Sequence[Measurement] = (*here.measurements, *here.components)
    devices = sorted({d for d in (*(m.device for m in timed), *(c.device for c in here.counts)) if d})
    group = "measured" if timed or here.counts else "predicted"
    return Machine(
        id=name,
        name=", ".join([*devices, next((text for text in named if text), name)]),
        group="here" if this and host_id(name) == host_id(this) else group,
        file=file,
        cores=cores if isinstance(cores, int) else None,
        devices=tuple(devices),
        measurements=sum(m.ok for m in timed),
        predictions=len(predictions),
        first=days[0] if days else "",
        last=days[-1] if days else "",
        lines=len(records.lines[name]),
        data=_Columns(records, timed, predictions, here.counts).script(file),
    )


def _paper(records: Originals, name: str, file: str, of: Sequence[PointOfPaper]) -> Machine:
    """The numbers that a paper printed, as one machine."""
    columns = _Columns(records)
    for point in of:
        columns.add_published(point)
    return Machine(
        id=name,
        name=of[0].paper,
        group="published",
        file=file,
        cores=None,
        devices=(),
        measurements=0,
        predictions=0,
        first="",
        last="",
        lines=len(records.lines[name]),
        data=columns.script(file),
    )


class _Names:
    """Texts, each with the number that stands for it."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))


_NAMED = ("algorithm", "parameters", "type", "layout", "place", "part", "input", "status", "reason", "run")
_ENERGY = ("joules", "joules_low", "joules_high", "watts")  # joules of a sort, and power; 0: not metered
_TIMES = ("s", "low", "high", "least", "most")  # `least` and `most`: the ends that comparisons take
_PLAIN = ("threads", "n", "entropy", *_TIMES, "cycles", "samples", "processes", "times", "flags", "line", *_ENERGY)
_NOTHING = dict.fromkeys((*_TIMES, *_ENERGY, "cycles", "samples", "processes", "flags"), 0)
_EMPTY: dict[str, Any] = {**_NOTHING, "times": 1, "reason": "", "run": ""}


class _Columns:
    """One machine's cells, with a column for each fact; predictions and counts, each with the number of its cell."""

    def __init__(
        self,
        records: Originals,
        measured: Sequence[Measurement] = (),
        predicted: Sequence[Prediction] = (),
        counted: Sequence[Count] = (),
    ) -> None:
        self._records = records
        self._rows: list[dict[str, Any]] = []
        self._row_of: dict[str, int] = {}  # number of a row by its cell
        self._predictions: list[tuple[Any, ...]] = []
        self._counts: list[tuple[Any, ...]] = []
        # Stands for cells without a device, such as skipped ones.
        devices = [*(m.device for m in measured), *(c.device for c in counted)]
        self._device = next(filter(None, devices), "")
        for m in measured:
            self._add_measured(m)
        for p in predicted:
            row = self._row(p, PREDICTED_ONLY)
            self._predictions.append((row, KINDS.index(p.kind), p.model, _short(p.seconds), records.line(p)))
        for c in counted:
            self._add_count(c)

    def _add_measured(self, m: Measurement) -> None:
        part = m.component if isinstance(m, Component) else WHOLE
        self._row_of[m.cell] = len(self._rows)
        seconds, compared = (m.seconds, m.seconds_to_compare) if m.seconds else (exactly(0), exactly(0))
        row = _facts(m, m.device or self._device)
        row |= {"status": m.status, "part": part, "line": self._records.line(m)}
        row |= {"s": _short(seconds.value), "low": _short(seconds.low), "high": _short(seconds.high)}
        row |= {"least": _short(compared.low), "most": _short(compared.high), "reason": m.reason, "run": m.run}
        row |= {"cycles": _short(m.cpe_core or 0), "samples": len(m.samples_s), "processes": m.process_count}
        row["flags"] += DISTURBED * m.disturbed + EXPECTED * m.expected + FEW_SAMPLES * (not m.has_interval)
        row |= _energy(m.energy)
        row["times"] = m.iterations if isinstance(m, Component) else 1
        self._rows.append(row)

    def _row(self, record: Any, status: str) -> int:
        """The number of a record's cell, which is made if nothing was measured there."""
        if record.cell not in self._row_of:
            self._row_of[record.cell] = len(self._rows)
            device = getattr(record, "device", "") or self._device
            line = self._records.line(record)
            self._rows.append({**_EMPTY, **_facts(record, device), "status": status, "part": WHOLE, "line": line})
        return self._row_of[record.cell]

    def _add_count(self, c: Count) -> None:
        if not c.ok:
            return
        sums: dict[str, float] = {}
        for phase in c.phases:
            for counter, value in phase.per_element.items():
                sums[counter] = sums.get(counter, 0.0) + value
        row, line = self._row(c, COUNTED_ONLY), self._records.line(c)
        self._counts += [(row, f"{counter} ({c.tool})", _short(value), line) for counter, value in sums.items()]

    def add_published(self, point: PointOfPaper) -> None:
        seconds, facts = _short(point.seconds), {"algorithm": point.algorithm, "parameters": "", "layout": ""}
        facts |= {"type": point.type, "place": point.platform, "part": WHOLE, "input": point.input, "status": PUBLISHED}
        line = {"threads": None, "n": point.n, "entropy": None, "line": self._records.line(point.record)}
        self._rows.append({**_EMPTY, **facts, **line, **dict.fromkeys(_TIMES, seconds)})

    def script(self, file: str) -> str:
        rows, names = self._rows, {column: _Names() for column in _NAMED}
        columns: dict[str, Any] = {column: _column([names[column](row[column]) for row in rows]) for column in _NAMED}
        columns |= {column: _column([row[column] for row in rows]) for column in _PLAIN}
        models, counters = _Names(), _Names()
        predictions = _columns(("row", "kind", "model", "s", "line"), self._predictions, "model", models)
        counts = _columns(("row", "counter", "value", "line"), self._counts, "counter", counters)
        texts: dict[str, Any] = {column: list(names[column].texts) for column in _NAMED}
        texts |= {"model": list(models.texts), "counter": list(counters.texts)}
        sizes: dict[str, Any] = {"count": len(rows), "predicted": len(self._predictions), "counted": len(self._counts)}
        made = [{**sizes, "names": texts, **columns}, predictions, counts]
        return packed("machine", file, 0, json.dumps(made, separators=(",", ":")))


def _energy(energy: Optional[Energy]) -> dict[str, float]:
    if energy is None:
        return dict.fromkeys(_ENERGY, 0)
    joules = energy.joules
    values = (joules.value, max(joules.low, 0), joules.high, energy.mean_power_w)
    return dict(zip(_ENERGY, map(_short, values)))


def _facts(record: Any, device: str) -> dict[str, Any]:
    """The facts of a record's case. A GPU has no number of threads."""
    c = record.case
    return {
        "algorithm": c.algorithm,
        "parameters": c.parameters_text,
        "type": c.type_name,
        "layout": c.layout if c.value_type != "none" else "",
        "place": "CPU" if c.on_host else ", ".join(text for text in (device or "GPU", c.residency_text) if text),
        "input": c.input_text,
        "threads": c.threads if c.on_host else None,
        "n": c.n,
        "entropy": None if c.entropy_bits is None else _short(c.entropy_bits),
        "flags": IS_ENTROPY * c.is_entropy,
    }


def _short(value: float) -> float:
    """The value with six digits, far finer than any interval."""
    rounded = float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def _columns(heads: Sequence[str], rows: Sequence[tuple[Any, ...]], named: str, names: _Names) -> dict[str, Any]:
    """Rows as columns; the texts of the column `named` as numbers."""
    each = {head: [row[i] for row in rows] for i, head in enumerate(heads)}
    each[named] = [names(text) for text in each[named]]
    return {head: _column(values) for head, values in each.items()}


def _column(values: list[Any]) -> Any:
    """The values, or a single one if all are equal."""
    return values[0] if values and all(value == values[0] for value in values) else values
