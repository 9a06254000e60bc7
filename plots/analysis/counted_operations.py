"""Operations of each phase: as a paper states them, as a model counts them, and as a tool counted them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional, Sequence

from ..records.case import Case
from ..records.count import Count
from .least_squares import costs
from ..records.measurement import Measurement
from .papers_operations import WHOLE
from ..records.collection import Records

_CODE = (
    "width",
    "target",
    "compress",
    "flush",
    "stores",
)  # parameters that choose other instructions for the same work
_WIDE = 0.1  # half width of an interval, as a share of the median, above which cycles are not shown
_DRAM = ("dram_read_bytes", "dram_write_bytes")


@dataclass(frozen=True)
class Counted:
    """Counts of one phase of a cell, per element and pass."""

    count: Count
    phase: str
    passes: int
    per_element: dict[str, float]
    operations: dict[str, float]  # the model's operations; empty if it has none for this phase
    modelled: Optional[float]  # instructions predicted from the operations
    costs: dict[str, float]  # instructions per operation of each kind
    cycles: Optional[float]  # measured cycles of a core or multiprocessor per element and pass
    measurement: Optional[Measurement]
    whole_passes: Optional[int] = None  # passes that the sort makes over this phase, of which `passes` were counted

    @property
    def case(self) -> Case:
        return self.count.case

    @property
    def code(self) -> str:
        """The parameters that choose the instructions."""
        return " ".join(str(self.case.parameters[name]) for name in _CODE[:4] if name in self.case.parameters)

    @property
    def instructions(self) -> float:
        return self.per_element.get("instructions", 0.0)

    @property
    def error(self) -> Optional[float]:
        """The model's error as a share of the counted instructions."""
        return self.modelled / self.instructions - 1 if self.modelled is not None and self.instructions else None

    @property
    def memory_bytes(self) -> Optional[float]:
        """Bytes read from and written to the device's memory."""
        if not all(name in self.per_element for name in _DRAM):
            return None
        return sum(self.per_element[name] for name in _DRAM)

    @property
    def issued(self) -> Optional[float]:
        """Instructions per cycle."""
        return self.instructions / self.cycles if self.cycles else None


def counted(records: Records) -> list[Counted]:
    """Every phase of every counted cell, in the order of the records. The sum follows the phases of a sort on the
    host."""
    measured = {m.cell: m for m in records.ok()}
    phases = [
        _Phase(c, name, passes, values, _work(c, name, passes))
        for c in records.counts
        if c.ok
        for name, passes, values in _phases(c)
    ]
    groups: dict[tuple[str, ...], list[_Phase]] = {}
    for one in phases:
        groups.setdefault(one.group, []).append(one)
    made: list[Counted] = []
    for one in phases:
        found = _costs(one, groups[one.group])
        modelled = sum(one.work[kind] * cost for kind, cost in found.items()) if found else None
        if one.name == WHOLE:
            known = [p for p in made if p.count is one.count and p.modelled is not None]
            modelled = sum(p.modelled * p.passes for p in known if p.modelled is not None) if known else None
        elif modelled is None and not _is_source(one.count, records):
            modelled = _predicted(records, one.count, one.name)
        m = measured.get(one.count.cell)
        cycles = _cycles(m, one.name, one.passes)
        whole = _whole_passes(records, one.count, one.name, m)
        made.append(Counted(one.count, one.name, one.passes, one.values, one.work, modelled, found, cycles, m, whole))
    return made


@dataclass(frozen=True)
class _Phase:
    count: Count
    name: str
    passes: int
    values: dict[str, float]
    work: dict[str, float]

    @property
    def group(self) -> tuple[str, ...]:
        return _group(self.count, self.name)


def _group(count: Count, phase: str) -> tuple[str, ...]:
    """Key of the phases whose operations are assumed to cost the same instructions."""
    code = (str(count.case.parameters.get(name, "")) for name in _CODE)
    return (count.case.algorithm, count.case.type_name, count.tool, count.simd, phase, *code)


def _phases(count: Count) -> list[tuple[str, int, dict[str, float]]]:
    """Name, passes, and counters per element and pass; for a sort on the host also the sum of all phases."""
    sums: dict[str, tuple[int, dict[str, float]]] = {}
    names = [p.name for p in count.phases]
    for p in count.phases:
        for name in (p.name, WHOLE) if count.simd and len(set(names)) > 1 else (p.name,):
            passes, values = sums.get(name, (0, {}))
            for counter, value in p.per_element.items():
                values[counter] = values.get(counter, 0.0) + value
            sums[name] = passes + 1, values
    if WHOLE in sums:
        sums[WHOLE] = 1, sums.pop(WHOLE)[1]  # after them
    return [(name, passes, {c: v / passes for c, v in values.items()}) for name, (passes, values) in sums.items()]


def _work(count: Count, phase: str, passes: int) -> dict[str, float]:
    """The model's operations per element and pass; bytes are no operations.

    A phase of the model that the sort does not report may lie in any phase, so its operations are charged to all of
    them; the fit finds where they belong.
    """
    work: dict[str, float] = {}
    reported = {p.name for p in count.phases}
    for p in count.operations:
        if p.name == phase or (p.name not in reported and phase != WHOLE):
            for kind, amount in p.work.items():
                if not kind.startswith("bytes") and amount:
                    name = kind if p.name == phase else f"{p.name} {kind}"
                    work[name] = work.get(name, 0.0) + amount / passes
    return work


def _costs(one: _Phase, group: Sequence[_Phase]) -> dict[str, float]:
    """Instructions per operation, fitted to the other cells alone, so that this cell is predicted."""
    others = [p for p in group if p.count is not one.count and p.work and p.values["instructions"]]
    kinds = sorted({kind for p in others for kind in p.work})
    if not one.work or not set(one.work) <= set(kinds) or len(others) <= len(kinds):
        return {}
    found = costs(
        [[p.work.get(kind, 0.0) for kind in kinds] for p in others], [p.values["instructions"] for p in others]
    )
    return {kind: cost for kind, cost in zip(kinds, found) if kind in one.work} if found else {}


def _is_source(count: Count, records: Records) -> bool:
    """True if models take their costs per element from this count (models/kernels/operation_counts.py).

    These are counts of uniform keys at the most frequent n. Comparing a model with its own source would be no test.
    """
    if count.simd or count.case.distribution != "uniform":
        return False
    sizes = [c.case.n for c in records.counts if c.ok and not c.simd and c.case.distribution == "uniform"]
    return count.case.n == max(set(sizes), key=sizes.count)


def _predicted(records: Records, count: Count, phase: str) -> Optional[float]:
    """Instructions per element and pass that a model without times predicts for a phase on a device."""
    counted_phases = [p for p in count.phases if p.name == phase]
    passes = {pass_ for p in counted_phases for pass_ in p.recorded_passes}
    for prediction in sorted(records.predictions, key=lambda p: p.model):
        if prediction.cell != count.cell or prediction.kind not in ("hardware", "component") or not count.case.n:
            continue
        values = [
            p.work["instructions"]
            for p in prediction.phases
            if p.name == phase and p.pass_ in passes and "instructions" in p.work
        ]
        if values:
            return sum(values) / len(counted_phases) / count.case.n
    return None


def _whole_passes(records: Records, count: Count, phase: str, m: Optional[Measurement]) -> Optional[int]:
    """Passes of a phase in the whole sort, as measured or else predicted; None if neither tells them. Where launches
    share a pass, each counts as one there."""
    of_phase = [p for p in count.phases if p.name == phase]
    launches = sum(len(p.recorded_passes) for p in of_phase) or len(of_phase)
    predictions = [p for p in records.predictions if p.cell == count.cell and p.kind in ("hardware", "component")]
    for phases in ([m.phases] if m else []) + [p.phases for p in predictions]:
        if known := {p.pass_ for p in phases if p.name == phase}:
            return max(round(len(known) * len(of_phase) / launches), len(of_phase)) if of_phase else None
    return None


def _cycles(m: Optional[Measurement], phase: str, passes: int) -> Optional[float]:
    """Cycles per element and pass; None if the measurement was disturbed or its interval is too wide."""
    if m is None or m.cpe_core is None or m.seconds is None or m.disturbed or m.seconds.half_width > _WIDE:
        return None
    if phase == WHOLE:
        return m.cpe_core
    seconds = [p.seconds for p in m.phases if p.name == phase][:passes]
    return m.cpe_core * sum(seconds) / m.seconds.value / len(seconds) if seconds else None


def within(found: Iterable[Counted], share: float) -> tuple[int, int]:
    """Number of predicted phases within this error, and number of predicted phases."""
    errors = [abs(one.error) for one in found if one.error is not None]
    return sum(error <= share for error in errors), len(errors)
