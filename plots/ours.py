"""Whose a CPU sort is: written here, from a paper or of our own, or a peer's that this project only calls."""

from __future__ import annotations

from .measurement import Measurement

FLAGSHIP = "msd_radix_cpu"
PAPERS_RADIX = "satish_cpu_radix"
# What was written here; every other sort on the host is a peer.
OURS = frozenset(
    {FLAGSHIP, PAPERS_RADIX, "satish_cpu_merge", "knf_split_radix", "aa_sort", "paradis", "satish_records"}
)


def is_peer(algorithm: str) -> bool:
    return algorithm not in OURS


def order(algorithm: str) -> tuple[bool, bool, str]:
    """What sorts names: the flagship, the paper's radix sort, then the others by name. Colours go by it."""
    return algorithm != FLAGSHIP, algorithm != PAPERS_RADIX, algorithm


def fastest(measurements: list[Measurement]) -> Measurement:
    return min(measurements, key=lambda m: m.seconds_per_key.value)
