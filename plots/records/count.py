"""Counts of a sort by a profiler, on a GPU or on the host."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Sequence

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
    grids: tuple[str, ...] = ()  # grid of each kernel
    recorded_passes: tuple[int, ...] = ()  # passes of the record that are this one: several launches may share its work

    @classmethod
    def of(cls, phase: dict[str, Any]) -> "CountedPhase":
        kernels = phase.get("kernels", ())
        return cls(
            name=phase_name(phase["name"]),
            pass_=phase["pass"],
            per_element=phase["per_element"],
            utilisation=phase.get("utilisation", {}),
            binding=phase.get("binding", ""),
            launches=sum(kernel["launches"] for kernel in kernels),
            grids=tuple(str(kernel.get("grid", "")) for kernel in kernels),
            recorded_passes=(phase["pass"],),
        )


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
            phases=_whole_passes([CountedPhase.of(phase) for phase in record.get("phases", ())]),
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


def _whole_passes(phases: list[CountedPhase]) -> tuple[CountedPhase, ...]:
    """Joins the launches that share a pass. CUB's OneSweep takes a pass over 2^28 keys in two grids, the second of one
    block; the record counts each launch of a kernel as a pass."""
    by_name: dict[str, list[CountedPhase]] = {}
    for phase in phases:
        by_name.setdefault(phase.name, []).append(phase)
    joined: dict[int, CountedPhase] = {}
    for launches in by_name.values():
        period = _period([phase.grids for phase in launches])
        for begin in range(0, len(launches), period):
            joined[id(launches[begin])] = _sum(launches[begin : begin + period])
    return tuple(joined[id(phase)] for phase in phases if id(phase) in joined)


def _period(grids: Sequence[tuple[str, ...]]) -> int:
    """The number of launches after which their grids repeat, at least once; 1 if they are all alike or do not."""
    for period in range(2, len(grids) // 2 + 1):
        repeats = all(grid == grids[i % period] for i, grid in enumerate(grids))
        if len(grids) % period == 0 and repeats and len(set(grids)) > 1:
            return period
    return 1


def _sum(launches: Sequence[CountedPhase]) -> CountedPhase:
    """One pass of several launches; the busiest says what binds it."""
    busiest = max(launches, key=lambda phase: phase.per_element.get("instructions", 0.0))
    counters = dict.fromkeys(counter for phase in launches for counter in phase.per_element)
    return replace(
        busiest,
        pass_=launches[0].pass_,
        per_element={name: sum(phase.per_element.get(name, 0.0) for phase in launches) for name in counters},
        launches=sum(phase.launches for phase in launches),
        grids=tuple(grid for phase in launches for grid in phase.grids),
        recorded_passes=tuple(pass_ for phase in launches for pass_ in phase.recorded_passes),
    )
