"""A number that a paper printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional


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
    def of(cls, record: dict[str, Any]) -> "Published":
        return cls(
            paper=record["paper"],
            id=record["id"],
            algorithm=record["algorithm"],
            versus=record["versus"] or "",
            platform=record["platform"] or "",
            n=record["n"],
            n_printed=record["n_printed"] or "",
            type=record["type"] or "",
            distribution=record["distribution"] or "",
            metric=record["metric"],
            statistic=record["statistic"] or "",
            printed=record["printed"]["text"],
            printed_unit=record["printed"]["unit"] or "",
            value=record["value"],
            unit=record["unit"],
            note=record["note"] or "",
            inconsistency=record["inconsistency"] or "",
        )
