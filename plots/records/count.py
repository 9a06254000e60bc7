"""Counts of a sort by a profiler, on a GPU or on the host."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .case import Case
from .machines import host_id, machine_id
from .measurement import Phase, phase_name


@dataclass(frozen=True)
class CountedPhase:
    """Counts of a phase per element, by the names in results/README.md."""

    name: str
    pass_: int
    per_element: dict[str, float] = field(hash=False)
    utilisation: dict[str, float] = field(hash=False)  # share of each resource's peak, on a GPU
    binding: str  # dram, l2, issue, shared or latency; empty on the host
    launches: int = 0  # number of kernel launches


@dataclass(frozen=True)
class Count:
    cell: str
    key: str
    run: str
    machine: str  # as of a Measurement
    case: Case
    status: str
    device: str
    phases: tuple[CountedPhase, ...]
    tool: str = "ncu"
    simd: str = ""  # widest instruction set that the sort found, on the host
    model: str = ""  # name of the model of `operations`
    operations: tuple[Phase, ...] = ()  # the model's `work` per element for the same case, on the host

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Count":
        model = record.get("model", {"name": "", "phases": []})
        device = (record.get("device") or {}).get("name", "")
        return cls(
            cell=record["cell"],
            key=record["key"],
            run=record["run"],
            machine=machine_id(record["machine"], device),
            case=Case.of(record["case"]),
            status=record["status"],
            device=device,
            phases=tuple(
                CountedPhase(
                    phase_name(p["name"]),
                    p["pass"],
                    p["per_element"],
                    p.get("utilisation", {}),
                    p.get("binding", ""),
                    sum(kernel["launches"] for kernel in p.get("kernels", ())),
                )
                for p in record.get("phases", ())
            ),
            tool=record["tool"]["name"],
            simd=record["tool"].get("simd", ""),
            model=model["name"],
            operations=tuple(
                Phase(phase_name(p["name"]), p["pass"], 0.0, "", p["per_element"]) for p in model["phases"]
            ),
        )

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    @property
    def host(self) -> str:
        """The host's id alone, as the record has it."""
        return host_id(self.machine)
