"""Published times of sorts on GPUs that are not here, beside what the models say of them by datasheet, and beside the
same cells on the GPU that was measured."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterable, Optional, Sequence

from ..records import roles
from .error_statistics import ErrorStatistics, summarise
from ..records.measurement import Measurement
from ..records.prediction import Prediction
from ..records.published import Published
from ..records.quantities import percent
from ..records.collection import Records

PAPER = "ELSEWHERE"  # of the records in results/published/elsewhere.jsonl
SORTS = {"CUB radix sort": "gpu_radix_of_today", "CUB merge sort": "gpu_merge_of_today"}  # roles, by published name
LARGE = 1 << 24  # elements from which launches hardly count
# What a model distinguishes of a type is its width: what mapping signed and floating keys adds is not modelled.
_WIDTHS = {"u32": "u32", "i32": "u32", "f32": "u32", "u64": "u64", "i64": "u64", "f64": "u64"}


@dataclass(frozen=True)
class PublishedCell:
    """One published time, with what was predicted and measured of the same cell."""

    published: Published
    seconds: float
    predicted: Optional[Prediction]  # of that machine by its datasheet
    here: Optional[Measurement]  # the same on this machine's GPU
    here_predicted: Optional[Prediction]

    @property
    def n(self) -> int:
        return self.published.n or 0

    @property
    def error(self) -> Optional[float]:
        return self.predicted.seconds / self.seconds - 1 if self.predicted else None

    @property
    def gain(self) -> Optional[float]:
        """How many times as fast as the GPU here the published time is."""
        return self.here.seconds.value / self.seconds if self.here and self.here.seconds else None

    @property
    def predicted_gain(self) -> Optional[float]:
        """The same ratio of both predictions."""
        if not self.predicted or not self.here_predicted or not self.predicted.seconds:
            return None
        return self.here_predicted.seconds / self.predicted.seconds


def cells(records: Records) -> list[PublishedCell]:
    """Of each published time, in the order of the file."""
    by_case = {(p.profile_name, *_case(p)): p for p in scaled(records)}
    own = {_case(p): p for p in records.predictions if p.kind == "component" and p.profile_id == records.machine}
    found = []
    for one in records.published:
        if one.paper != PAPER or not one.n:
            continue
        keys, values = width_of(one.type)
        predicted, here, beside = None, None, None
        for sort in roles.standing_for(records, SORTS[one.algorithm]):
            case = (sort, keys, values, one.n, one.distribution)
            predicted = by_case.get((one.platform, *case)) or predicted
            here = _fastest(_measured(records, case)) or here
            beside = own.get(case) or beside
        seconds = one.value if one.unit == "s" else one.n / one.value
        found.append(PublishedCell(one, seconds, predicted, here, beside))
    return found


def scaled(records: Records) -> list[Prediction]:
    """Predictions of machines by datasheet: neither what-if nor of a measured one."""
    every = records.every or records
    return [p for p in every.predictions if p.kind == "scaled" and not p.what_if]


def _case(p: Prediction) -> tuple[str, str, str, int, str]:
    return (p.case.algorithm, p.case.key_type, p.case.value_type, p.case.n, p.case.distribution)


def width_of(printed: str) -> tuple[str, str]:
    """What a model distinguishes of a printed type ("f32", "32/32 pairs"): unsigned keys and values of its width."""
    if printed.endswith(" pairs"):
        key, value = printed.removesuffix(" pairs").split("/")
        return f"u{key}", f"u{value}"
    return _WIDTHS.get(printed, printed), "none"


def _measured(records: Records, case: tuple[str, str, str, int, str]) -> list[Measurement]:
    algorithm, keys, values, n, distribution = case
    return [
        m
        for m in records.ok(algorithm=algorithm, key_type=keys, value_type=values, n=n, distribution=distribution)
        if m.device and m.seconds
    ]


def _fastest(of: Sequence[Measurement]) -> Optional[Measurement]:
    return min(of, key=lambda m: m.seconds_per_key.value) if of else None


def platforms(found: Iterable[PublishedCell]) -> list[str]:
    return list(dict.fromkeys(one.published.platform for one in found))


def errors_of_cells(found: Iterable[PublishedCell]) -> Optional[ErrorStatistics]:
    """The statistics of the predicted cells, or None if no cell is predicted."""
    errors = [one.error for one in found if one.error is not None]
    return summarise(errors) if errors else None


def disagreement(found: Iterable[PublishedCell]) -> Optional[tuple[float, PublishedCell]]:
    """By how much two sources differ most about the same cell, and the slower of the two."""
    by_cell: dict[tuple[str, str, int, str], list[PublishedCell]] = {}
    for one in found:
        p = one.published
        by_cell.setdefault((p.platform, p.type, one.n, p.distribution), []).append(one)
    most = [(max(o.seconds for o in of) / min(o.seconds for o in of) - 1, of) for of in by_cell.values() if len(of) > 1]
    if not most:
        return None
    share, of = max(most, key=lambda pair: pair[0])
    return share, max(of, key=lambda one: one.seconds)


def geometric_mean(values: Iterable[float]) -> Optional[float]:
    logs = [math.log(v) for v in values if v > 0]
    return math.exp(sum(logs) / len(logs)) if logs else None


def work_and_bandwidth(found: Iterable[PublishedCell]) -> Optional[tuple[float, float]]:
    """Ratios of multiprocessors times clock, and of bandwidth, to the GPU that was measured."""
    for one in found:
        if one.predicted and one.predicted.factors:
            f = one.predicted.factors
            return f.get("multiprocessors", 1.0) * f.get("clock", 1.0), f.get("memory.bandwidth", 1.0)
    return None


def binding_shares(predictions: Iterable[Prediction]) -> dict[str, float]:
    """Which share of the time each resource binds."""
    by: dict[str, float] = {}
    for p in predictions:
        for phase in p.phases:
            by[phase.binding] = by.get(phase.binding, 0.0) + phase.seconds / p.seconds
    whole = sum(by.values())
    return {name: share / whole for name, share in by.items()}


def binding(predictions: Iterable[Prediction]) -> str:
    """What binds for the most time, with its share."""
    shares = binding_shares(predictions)
    most = max(shares, key=lambda name: shares[name], default="")
    return f"{most} {percent(shares[most])}" if most else ""
