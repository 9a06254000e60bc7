"""A result of another harness, read by `sortlab import`: nobody here verified it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

from .schema import words

FORMATS = words("import_format")


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
    def of(cls, record: dict[str, Any]) -> "Imported":
        return cls(
            name=record["name"],
            axes=record["axes"],
            n=record["n"],
            threads=record["threads"],
            seconds=record["seconds"],
            statistic=record["statistic"],
            samples_s=tuple(record["samples_s"]),
            format=record["source"]["format"],
            file=record["source"]["file"],
            machine=record["machine"]["name"] or "",
            device=record["machine"]["device"] or "",
        )

    @property
    def axes_text(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.axes.items())
