"""Published times of sorts on other GPUs, with the models' predictions from datasheets and the same cells measured
here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional

from ..records import roles
from .error_statistics import ErrorStatistics, summarise
from ..records.measurement import Measurement, fastest
from ..records.prediction import Prediction
from ..records.published import Published
from ..records.quantities import percent
from ..records.collection import Records

PAPER = "ELSEWHERE"  # `paper` of the records in results/published/elsewhere.jsonl
SORTS = {"CUB radix sort": "gpu_radix_of_today", "CUB merge sort": "gpu_merge_of_today"}  # roles, by published name
LARGE = 1 << 24  # minimum number of elements at which launches are negligible
# Models distinguish types by width only: mapping signed and floating keys is not modelled.
_WIDTHS = {"u32": "u32", "i32": "u32", "f32": "u32", "u64": "u64", "i64": "u64", "f64": "u64"}


@dataclass(frozen=True)
class PublishedCell:
    """One published time, with the predictions and the measurement of the same cell."""

    published: Published
    seconds: float
    predicted: Optional[Prediction]  # for that machine, from its datasheet
    here: Optional[Measurement]  # the same cell on this machine's GPU
    here_predicted: Optional[Prediction]

    @property
    def n(self) -> int:
        return self.published.n or 0

    @property
    def error(self) -> Optional[float]:
        return self.predicted.seconds / self.seconds - 1 if self.predicted else None

    @property
    def gain(self) -> Optional[float]:
        """Speed of the published GPU relative to the GPU here."""
        return self.here.seconds.value / self.seconds if self.here and self.here.seconds else None

    @property
    def predicted_gain(self) -> Optional[float]:
        """Predicted speed of the published GPU relative to the GPU here."""
        if not self.predicted or not self.here_predicted or not self.predicted.seconds:
            return None
        return self.here_predicted.seconds / self.predicted.seconds


def cells(records: Records) -> list[PublishedCell]:
    """A cell for each published time, in the order of the file."""
    by_case = {(p.profile_name, *_case(p)): p for p in scaled(records)}
    own = {
        _case(p): p
        for p in records.predictions
        if p.kind == "component" and records.machine and p.is_for(records.machine)
    }
    found = []
    for one in records.published:
        if one.paper != PAPER or not one.n:
            continue
        keys, values = unsigned_type(one.type)
        predicted, here, beside = None, None, None
        for sort in roles.standing_for(records, SORTS[one.algorithm]):
            case = (sort, keys, values, one.n, one.distribution)
            predicted = by_case.get((one.platform, *case)) or predicted
            measured = _measured(records, case)
            here = fastest(measured) if measured else here
            beside = own.get(case) or beside
        seconds = one.value if one.unit == "s" else one.n / one.value
        found.append(PublishedCell(one, seconds, predicted, here, beside))
    return found


def scaled(records: Records) -> list[Prediction]:
    """Predictions for machines known by datasheet, without those of `sortlab what-if`."""
    every = records.every or records
    return [p for p in every.predictions if p.kind == "scaled" and not p.what_if]


def _case(p: Prediction) -> tuple[str, str, str, int, str]:
    return (p.case.algorithm, p.case.key_type, p.case.value_type, p.case.n, p.case.distribution)


def unsigned_type(printed: str) -> tuple[str, str]:
    """Unsigned key and value types of the same widths as a printed type ("f32", "32/32 pairs")."""
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


def platforms(found: Iterable[PublishedCell]) -> list[str]:
    return list(dict.fromkeys(one.published.platform for one in found))


def errors_of_cells(found: Iterable[PublishedCell]) -> Optional[ErrorStatistics]:
    """The statistics of the predicted cells, or None if no cell is predicted."""
    errors = [one.error for one in found if one.error is not None]
    return summarise(errors) if errors else None


def disagreement(found: Iterable[PublishedCell]) -> Optional[tuple[float, PublishedCell]]:
    """Largest relative difference between two sources of the same cell, and the slower of the two."""
    by_cell: dict[tuple[str, str, int, str], list[PublishedCell]] = {}
    for one in found:
        p = one.published
        by_cell.setdefault((p.platform, p.type, one.n, p.distribution), []).append(one)
    spreads = [
        (max(o.seconds for o in same) / min(o.seconds for o in same) - 1, same)
        for same in by_cell.values()
        if len(same) > 1
    ]
    if not spreads:
        return None
    share, same = max(spreads, key=lambda pair: pair[0])
    return share, max(same, key=lambda one: one.seconds)


def work_and_bandwidth(found: Iterable[PublishedCell]) -> Optional[tuple[float, float]]:
    """Ratios of multiprocessors times clock and of bandwidth to the measured GPU."""
    for one in found:
        if one.predicted and one.predicted.factors:
            f = one.predicted.factors
            return f.get("multiprocessors", 1.0) * f.get("clock", 1.0), f.get("memory.bandwidth", 1.0)
    return None


def binding_shares(predictions: Iterable[Prediction]) -> dict[str, float]:
    """Share of the predicted time that each resource binds."""
    by: dict[str, float] = {}
    for p in predictions:
        for phase in p.phases:
            by[phase.binding] = by.get(phase.binding, 0.0) + phase.seconds / p.seconds
    whole = sum(by.values())
    return {name: share / whole for name, share in by.items()}


def binding(predictions: Iterable[Prediction]) -> str:
    """The resource that binds for the largest share of the time, with that share."""
    shares = binding_shares(predictions)
    most = max(shares, key=lambda name: shares[name], default="")
    return f"{most} {percent(shares[most])}" if most else ""
