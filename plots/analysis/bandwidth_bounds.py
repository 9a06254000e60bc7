"""Rates of sorts as shares of the device's copy bandwidth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from ..records import origins
from ..records.case import KEY_BYTES
from ..records.measurement import Measurement
from ..records.statistics import Interval
from ..records.collection import Records

LEAST_N = 1 << 24  # below this, part of the traffic stays in the L2 cache of a large GPU


@dataclass(frozen=True)
class Traffic:
    """Bytes that a sort reads from and writes to device memory, per element."""

    bytes: float
    source: str  # name of the model that predicts it, or "design"


def copy_share(records: Records, m: Measurement) -> Optional[Interval]:
    """Time to read and write the input once at the device's copy bandwidth, over the sort's time."""
    return _share(records, m, 2 * m.case.element_bytes)


def own_share(records: Records, m: Measurement) -> Optional[Interval]:
    """Time to move the sort's own bytes at the copy bandwidth, over the sort's time; 1 means memory-bound."""
    traffic = device_traffic(records, m)
    return _share(records, m, traffic.bytes) if traffic else None


def device_traffic(records: Records, m: Measurement) -> Optional[Traffic]:
    """The traffic that a model predicts for this cell, or that the design of the project's own sort implies.

    None below LEAST_N, and for any other sort without a model.
    """
    if m.case.n < LEAST_N:
        return None
    prediction = records.find_prediction(m)
    work = [phase.work for phase in prediction.phases] if prediction else []
    total = sum(phase.get(way, 0.0) for phase in work for way in ("bytes.read", "bytes.written"))
    if prediction and total:
        return Traffic(total / m.case.n, prediction.model)
    if m.case.distribution == "uniform" and m.case.algorithm == origins.flagship(records, "device"):
        return Traffic(_design_bytes(m), "design")
    return None


def _design_bytes(m: Measurement) -> float:
    """Bytes per element by the sort's README: 28 for u32, 56 for u64.

    The histogram reads the keys once. Two partitions and the sort of the buckets read and write each element.
    """
    return KEY_BYTES[m.case.key_type] + 3 * 2 * m.case.element_bytes


def _share(records: Records, m: Measurement, bytes_per_element: float) -> Optional[Interval]:
    bandwidth = records.copy_bytes_per_s.get(m.device)
    return m.keys_per_s.scaled(bytes_per_element / bandwidth) if bandwidth else None
