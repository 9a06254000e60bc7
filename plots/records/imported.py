"""A result of another harness, read by `sortlab import`: nobody here verified it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

from .case import N_MOST, THREADS_MOST
from .jsonl import BadInput, Node

FORMATS = ("google-benchmark", "nvbench")
STATISTICS = ("median", "mean")


@dataclass(frozen=True)
class Imported:
    """Neither a measurement nor ever read as one: it has no cell, no machine's id and no verification."""

    name: str
    axes: dict[str, Any] = field(hash=False)
    n: Optional[int]  # elements, where the file says how many
    threads: Optional[int]
    seconds: float
    statistic: str  # what `seconds` is of the samples
    samples_s: tuple[float, ...]  # none where the file holds none
    format: str
    file: str
    machine: str  # name of it, as the file has it, or empty
    device: str

    @classmethod
    def of(cls, node: Node) -> "Imported":
        if node.value.get("verified") is not False:
            raise BadInput(f"{node.where}: verified must be false: nobody here has seen these results sorted")
        source, machine = node.object("source"), node.object("machine")
        seconds = node.number("seconds", least=0)
        if not seconds:
            raise BadInput(f"{node.where}: seconds must be above 0")
        return cls(
            name=node.prose("name"),
            axes=node.settings("axes"),
            n=node.integer("n", optional=True, most=N_MOST),
            threads=node.integer("threads", optional=True, least=1, most=THREADS_MOST),
            seconds=seconds,
            statistic=node.choice("statistic", STATISTICS),
            samples_s=tuple(node.numbers("samples_s", optional=True)),
            format=source.choice("format", FORMATS),
            file=source.text("file"),
            machine=machine.text("name", optional=True) or "",
            device=machine.text("device", optional=True) or "",
        )

    @property
    def axes_text(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.axes.items())
