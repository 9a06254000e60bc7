"""How near sorts come to what a device's memory lets through: shares of its copy bandwidth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from ..records import origins
from ..records.case import KEY_BYTES
from ..records.measurement import Measurement
from ..records.quantities import Interval
from ..records.collection import Records

LEAST_N = 1 << 24  # below, a part of the traffic stays in the L2 cache of a large GPU


@dataclass(frozen=True)
class Moved:
    """Bytes that a sort reads from and writes to device memory, per element."""

    bytes: float
    source: str  # the model that says so, or "design"


def copy_share(records: Records, m: Measurement) -> Optional[Interval]:
    """Reading and writing the input once at the device's copy bandwidth, over the sort's time."""
    return _share(records, m, 2 * m.case.element_bytes)


def own_share(records: Records, m: Measurement) -> Optional[Interval]:
    """The same of the bytes that the sort itself moves: 1 where memory alone binds it."""
    moved = moved_by(records, m)
    return _share(records, m, moved.bytes) if moved else None


def moved_by(records: Records, m: Measurement) -> Optional[Moved]:
    """The bytes by the model that predicts this cell; for the project's own sort without a model, by its design.
    None below LEAST_N, and for any other sort without a model."""
    if m.case.n < LEAST_N:
        return None
    prediction = records.prediction_of(m)
    work = [phase.work for phase in prediction.phases] if prediction else []
    total = sum(of.get(way, 0.0) for of in work for way in ("bytes.read", "bytes.written"))
    if prediction and total:
        return Moved(total / m.case.n, prediction.model)
    if m.case.distribution == "uniform" and m.case.algorithm == origins.flagship(records, "device"):
        return Moved(_design_bytes(m), "design")
    return None


def _design_bytes(m: Measurement) -> float:
    """Keys are counted once; then two partitions and the sort of the buckets read and write each element: 28 bytes of a
    u32, 56 of a u64 (the sort's README)."""
    return KEY_BYTES[m.case.key_type] + 3 * 2 * m.case.element_bytes


def _share(records: Records, m: Measurement, bytes_an_element: float) -> Optional[Interval]:
    bandwidth = records.copy_bytes_per_s.get(m.device)
    return m.keys_per_s.scaled(bytes_an_element / bandwidth) if bandwidth else None
