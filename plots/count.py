"""What a sort was counted to do on a GPU."""

from __future__ import annotations

from dataclasses import dataclass, field

from .case import Case
from .jsonl import Node
from .measurement import STATUSES


@dataclass(frozen=True)
class CountedPhase:
    """What a phase did on a GPU, an element; names as results/README.md has them."""

    name: str
    pass_: int
    per_element: dict[str, float] = field(hash=False)
    utilisation: dict[str, float] = field(hash=False)  # share of each resource's peak
    binding: str  # dram, l2, issue, shared or latency
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

    @classmethod
    def of(cls, node: Node) -> "Count":
        status = node.choice("status", STATUSES)

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
                    p.text("name"),
                    p.integer("pass"),
                    p.quantities("per_element"),
                    p.quantities("utilisation"),
                    p.text("binding"),
                    sum(
                        kernel.integer("launches", optional=True) or 1 for kernel in p.objects("kernels", optional=True)
                    ),
                )
                for p in node.objects("phases", optional=True)
            ),
        )

    @property
    def ok(self) -> bool:
        return self.status == "ok"
