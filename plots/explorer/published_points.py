"""Numbers of the papers that are points of a chart: a time or a rate of a sort at an n."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from ..records.case import KEY_BYTES, VALUE_BYTES
from ..records.published import Published
from .originals import Originals, published_id

# Names of the papers, by the mark of their records.
_PAPERS = {
    "SAT": "Satish et al. 2010",
    "LEI": "Leischner et al. 2009",
    "HA": "Ha et al. 2010",
    "STE": "Stehle and Jacobsen 2017",
    "ELSEWHERE": "Other sources",
}
_PAIRS = {"pairs": "u32+u32", "32/32": "u32+u32", "64/64": "u64+u64", "32+32": "u32+u32"}
_RATES = ("rate", "throughput")


@dataclass(frozen=True)
class PointOfPaper:
    """A sort's time as a paper printed it, or as its printed rate gives it."""

    record: Published
    paper: str
    algorithm: str
    platform: str
    type: str  # as in records' cases: u32+u32
    input: str
    n: int
    seconds: float


def points(records: Originals) -> dict[str, list[PointOfPaper]]:
    """The points of each paper, by its identity among the machines."""
    made: dict[str, list[PointOfPaper]] = {}
    for record in records.published:
        if point := _point(record):
            made.setdefault(published_id(record.paper), []).append(point)
    return made


def _point(record: Published) -> Optional[PointOfPaper]:
    """The record as a point; None if it is no time of a sort. Parts of a sort have a colon in their names."""
    type_ = _type(record.type)
    if not record.n or record.value <= 0 or ":" in record.algorithm:
        return None
    if record.metric == "time" and record.unit == "s":
        seconds = record.value
    elif record.metric in _RATES and record.unit == "1/s":
        seconds = record.n / record.value
    elif record.metric in _RATES and record.unit == "B/s" and _bytes(type_):
        seconds = record.n * _bytes(type_) / record.value
    else:
        return None
    name = f"{_PAPERS.get(record.paper, record.paper)} (published)"
    platform = record.platform or "not named"
    distribution = record.distribution or "not named"
    return PointOfPaper(record, name, record.algorithm, platform, type_, distribution, record.n, seconds)


def _type(printed: str) -> str:
    words = printed.removesuffix(" pairs")
    if words in _PAIRS:
        return _PAIRS[words]
    key, _, value = words.partition("/")
    return f"{key}+{value}" if value else key


def _bytes(type_: str) -> int:
    key, _, value = type_.partition("+")
    return KEY_BYTES.get(key, 0) + VALUE_BYTES.get(value or "none", 0)
