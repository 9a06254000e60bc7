"""Operations, bytes and cycles per element and pass of a phase, as the papers print them and as the papers' formulas
give them (models/papers/README.md)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Optional

from ..records.case import Case
from ..records.collection import Records
from ..records.quantities import digits

_WARP = 32
WHOLE = "all phases"  # the whole sort, with all passes


@dataclass(frozen=True)
class Statement:
    """A paper's number for one phase of the sort that stands for a role."""

    id: str
    role: str  # records/roles.json
    phase: str
    quantity: str  # instructions (per warp), bytes (to and from memory), cycles
    printed: Optional[str] = None  # the published record's id and metric, "SAT-C7: SIMD ops per element"
    statistic: Optional[str] = None  # selects one of several published statistics
    measured: tuple[str, ...] = ()  # parts of the authors' own measurement, added up: "SAT-C22: step 1"
    follows: Optional[Callable[[Case], float]] = None  # the paper's formula
    parameters: tuple[tuple[str, str], ...] = ()  # parameters that replace those of the role


def _digit_bits(case: Case) -> int:
    return case.whole("digit_bits") or 4


def _digits(case: Case) -> int:
    return 1 << _digit_bits(case)


def _key(case: Case) -> float:
    return case.element_bytes if case.value_type == "none" else case.element_bytes / 2


def _written(case: Case, structures: bool) -> float:
    """HA-M3: bytes per element that a pass writes to memory with 128-byte segments, in runs of 1024 / 16 elements."""
    run, segment, word = 64, 128, 4.0
    size = case.element_bytes if structures else word
    return case.element_bytes * (run * size + segment - size) / (run * size)


def _histograms(case: Case) -> float:
    """STE-M6: bytes per key of the block histograms, which have 256 counters of 4 bytes per 6912 keys (Table 3)."""
    return 4 * 256 * _key(case) / (6912 * 4)


STATEMENTS = (
    Statement(
        "SAT-M1",
        "gpu_split_radix",
        "histogram",
        "instructions",
        "SAT-C7: SIMD ops per element",
        follows=lambda case: (6 + _digits(case) / 13) / _WARP,
    ),
    Statement(
        "SAT-M1",
        "gpu_split_radix",
        "histogram",
        "bytes",
        "SAT-C7: bytes per element",
        follows=lambda case: _key(case) + 4 * _digits(case) / 1664,
    ),
    Statement(
        "SAT-M1",
        "gpu_split_radix",
        "histogram",
        "cycles",
        "SAT-C7: cpe per pass",
        "predicted",
        measured=("SAT-C22: step 1",),
    ),
    Statement(
        "SAT-M2",
        "gpu_split_radix",
        "scatter",
        "instructions",
        "SAT-C8: SIMD ops per element",
        follows=lambda case: (14.5 * _digit_bits(case) + 14) / _WARP,
    ),
    Statement(
        "SAT-M2",
        "gpu_split_radix",
        "scatter",
        "bytes",
        "SAT-C8: bytes per element",
        follows=lambda case: 2 * _key(case),
    ),
    Statement(
        "SAT-M2",
        "gpu_split_radix",
        "scatter",
        "cycles",
        "SAT-C8: cpe per pass",
        "predicted",
        measured=("SAT-C22: 4 splits", "SAT-C22: memory in step 3"),
    ),
    Statement("SAT-M4", "cpu_buffer_radix", WHOLE, "cycles", "SAT-C16: cpe total (4 passes)"),
    Statement("SAT-M4-merge", "chhugani_merge", WHOLE, "cycles", follows=lambda case: 2.5 * math.log2(case.n)),
    Statement(
        "SAT-M5",
        "gpu_merge",
        "merge",
        "instructions",
        "SAT-C19: instr per element per pass",
        parameters=(("merge", "bitonic"),),
    ),
    Statement("SAT-M6", "knf_radix_here", WHOLE, "cycles", follows=lambda case: 32 * 1.2e9 / 560e6),
    Statement("HA-M3", "ha_radix", "shuffle", "bytes", follows=lambda case: case.element_bytes + _written(case, True)),
    Statement("HA-M2", "ha_radix", "presort", "bytes", follows=lambda case: 2 * case.element_bytes),
    Statement("STE-M6", "gpu_hybrid_radix", "histogram", "bytes", follows=lambda case: _key(case) + _histograms(case)),
    Statement(
        "STE-M6",
        "gpu_hybrid_radix",
        "scatter",
        "bytes",
        follows=lambda case: 2 * case.element_bytes + _histograms(case),
    ),
)


@dataclass(frozen=True)
class Stated:
    statement: Statement
    printed: Optional[float]
    measured: Optional[float]  # the authors' measurement, where `printed` is their prediction
    follows: Optional[float]

    @property
    def id(self) -> str:
        return self.statement.id

    @property
    def text(self) -> str:
        """The numbers as a table shows them; the paper's own prediction in brackets behind its measurement."""
        if self.measured is not None and self.printed is not None:
            return f"{digits(self.measured)} (its model {digits(self.printed)})"
        if self.printed is not None:
            return digits(self.printed)
        return f"{digits(self.follows)} (its formula)" if self.follows is not None else ""


def stated(records: Records, case: Case, phase: str, quantity: str) -> Optional[Stated]:
    """A paper's statement about a phase of this case, if its sort stands for the paper's; else None."""
    for statement in STATEMENTS:
        if (statement.phase, statement.quantity) != (phase, quantity):
            continue
        parameters = records.standing_for(statement.role).get(case.algorithm)
        if parameters is None:
            continue
        form = {**parameters, **dict(statement.parameters)}
        if any(case.parameters.get(name) != value for name, value in form.items()):
            continue
        follows = statement.follows(case) if statement.follows else None
        return Stated(statement, _printed(records, statement), _measured(records, statement), follows)
    return None


def _printed(records: Records, statement: Statement) -> Optional[float]:
    if statement.printed is None:
        return None
    id_, metric = statement.printed.split(": ", 1)
    for p in records.published:
        if (p.id, p.metric) == (id_, metric) and statement.statistic in (None, p.statistic):
            return p.value
    return None


def _measured(records: Records, statement: Statement) -> Optional[float]:
    """Adds up the authors' measured cycles per element and pass."""
    found = []
    for wanted in statement.measured:
        id_, part = wanted.split(": ", 1)
        found += [
            p.value
            for p in records.published
            if p.id == id_ and p.metric == "cpe per pass" and p.algorithm.endswith(f": {part}")
        ]
    return sum(found) if found and len(found) == len(statement.measured) else None
