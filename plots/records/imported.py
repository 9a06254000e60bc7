"""A result of another harness, read by `sortlab import`: nobody here verified it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

from .schema import words

FORMATS = words("import_format")


@dataclass(frozen=True)
class Imported:
    """An unverified result. It has no cell and no machine's id, and is never used as a measurement."""

    name: str
    axes: dict[str, Any] = field(hash=False)
    n: Optional[int]  # number of elements, if the file names it
    threads: Optional[int]
    seconds: float
    statistic: str  # statistic of the samples in `seconds`
    samples_s: tuple[float, ...]  # empty if the file holds none
    format: str
    file: str
    machine: str  # name in the file, or empty
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
