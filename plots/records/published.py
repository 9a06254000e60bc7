"""A number that a paper printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .case import N_MOST
from .jsonl import Node


@dataclass(frozen=True)
class Published:
    paper: str
    id: str
    algorithm: str
    versus: str
    platform: str
    n: Optional[int]
    n_printed: str
    type: str
    distribution: str
    metric: str
    statistic: str
    printed: str
    printed_unit: str
    value: float
    unit: str
    note: str
    inconsistency: str

    @classmethod
    def of(cls, node: Node) -> "Published":
        def words(name: str) -> str:
            return node.prose(name, optional=True) or ""

        printed = node.object("printed")
        return cls(
            paper=node.text("paper"),
            id=node.text("id"),
            algorithm=node.text("algorithm"),
            versus=words("versus"),
            platform=words("platform"),
            n=node.integer("n", optional=True, most=N_MOST),
            n_printed=words("n_printed"),
            type=words("type"),
            distribution=words("distribution"),
            metric=node.text("metric"),
            statistic=words("statistic"),
            printed=printed.text("text", optional=True) or f"{printed.number('value'):g}",
            printed_unit=printed.text("unit", optional=True) or "",
            value=node.number("value"),
            unit=node.text("unit"),
            note=words("note"),
            inconsistency=words("inconsistency"),
        )
