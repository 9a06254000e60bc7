"""What a profiler counted of a sort, on a GPU or on the host."""

from __future__ import annotations

from dataclasses import dataclass, field

from .case import Case
from .jsonl import Node
from .measurement import STATUSES, Phase, phase_name


@dataclass(frozen=True)
class CountedPhase:
    """What a phase did, an element; names as results/README.md has them."""

    name: str
    pass_: int
    per_element: dict[str, float] = field(hash=False)
    utilisation: dict[str, float] = field(hash=False)  # share of each resource's peak; on a GPU
    binding: str  # dram, l2, issue, shared or latency; empty on the host
    launches: int = 0  # of kernels


@dataclass(frozen=True)
class Count:
    cell: str
    key: str
    run: str
    machine: str
    case: Case
    status: str
    device: str
    phases: tuple[CountedPhase, ...]
    tool: str = "ncu"
    simd: str = ""  # the widest instructions that the sort found; on the host
    model: str = ""  # whose operations follow
    operations: tuple[Phase, ...] = ()  # `work` an element, as the model has it of the same case; on the host

    @classmethod
    def of(cls, node: Node) -> "Count":
        status = node.choice("status", STATUSES)
        tool, model = node.object("tool", optional=True), node.object("model", optional=True)
        return cls(
            cell=node.text("cell"),
            key=node.text("key"),
            run=node.text("run"),
            machine=node.text("machine"),
            case=Case.of(node.object("case")),
            status=status,
            device=node.object("device", optional=True).text("name", optional=True) or "",
            phases=tuple(
                CountedPhase(
                    phase_name(p.text("name")),
                    p.integer("pass"),
                    p.quantities("per_element"),
                    p.quantities("utilisation", optional=True),
                    p.text("binding", optional=True) or "",
                    sum(
                        kernel.integer("launches", optional=True) or 1 for kernel in p.objects("kernels", optional=True)
                    ),
                )
                for p in node.objects("phases", optional=True)
            ),
            tool=tool.text("name", optional=True) or "ncu",
            simd=tool.text("simd", optional=True) or "",
            model=model.text("name", optional=True) or "",
            operations=tuple(
                Phase(phase_name(p.text("name")), p.integer("pass"), 0.0, "", p.quantities("per_element"))
                for p in model.objects("phases", optional=True)
            ),
        )

    @property
    def ok(self) -> bool:
        return self.status == "ok"
