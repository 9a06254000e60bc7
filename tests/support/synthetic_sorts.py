"""Sorts of invented records: facts about them, which are kept with measured records, and invented speeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# Facts about algorithms are not invented: they are kept with measured records.
KEPT = sorted((Path(__file__).resolve().parents[2] / "results" / "reference").glob("*/algorithms.jsonl"))
ALGORITHMS = {record["name"]: record for record in map(json.loads, KEPT[0].read_text().splitlines())}
# Invented seconds per key at 2^16, and the increase per doubling; one thread, uniform u32.
SORTS = {
    "msd_radix_cpu": (2.9, 0.15),
    "satish_cpu_radix": (5.0, 0.10),
    "vqsort": (3.2, 0.18),
    "std_sort": (30.0, 3.1),
    "std_stable_sort": (41.0, 3.9),
    "tbb_parallel_sort": (28.0, 2.6),
    "libstdcxx_parallel_sort": (27.0, 2.4),
    "boost_spreadsort": (14.0, 0.8),
    "boost_block_indirect_sort": (29.0, 2.5),
}
TUNED = {"digit_bits": 8, "buffer_lines_log2": 2, "flush": "nontemporal", "skip_constant_digits": "yes"}
PAPER_FORM = {"digit_bits": 8, "buffer_lines_log2": 0, "flush": "ordinary", "skip_constant_digits": "no"}
PROTOCOL = {
    "cache": "warm",
    "warmup": 1,
    "rule": "interval",
    "interval_share": 0.02,
    "budget_s": 2.0,
    "min_samples": 5,
    "max_samples": 101,
    "stopped": "interval",
}
DEVICE = {
    "name": "NVIDIA H200",
    "compute_capability": "9.0",
    "multiprocessors": 132,
    "clock_hz": 1.98e9,
    "memory_bytes": 150109880320,
    "l2_bytes": 62914560,
    "driver": "13.0",
    "runtime": "13.0",
}
# GPU sorts of the papers: the paper's parameters, and invented seconds per pair and pass of each phase on 2^24 pairs.
GPU_FORMS = {
    "ha_implicit_radix": {
        "presort": "stored",
        "scatter": "aos",
        "tile": "1024",
        "counter_bits": "32",
        "warp_scan": "shared",
    },
    "satish_split_radix_2009": {"digit_bits": 4, "threads": 256, "items": 4},
}
GPU_PHASES = {
    "ha_implicit_radix": {"presort": 7e-12, "rank": 3e-13, "shuffle": 6e-12},
    "satish_split_radix_2009": {"sort tiles": 11e-12, "find offsets": 2e-12, "scan": 3e-13, "scatter": 9e-12},
}
COMPONENTS = {  # seconds a pair and pass, and passes
    "ha_implicit_radix": {
        "presort": (6.5e-12, 8),
        "global_rank": (2.5e-13, 1),
        "shuffle_aos": (5.5e-12, 1),
        "shuffle_soa": (6.9e-12, 1),
        "memcpy": (4e-12, 1),
    },
    "satish_split_radix_2009": {"counted_presort": (12e-12, 8), "shuffle": (8e-12, 1)},
}
# Stehle and Jacobsen's hybrid radix sort in the paper's form, and its peers (no records of it are kept yet).
HYBRID_PAPER = {
    "digit_bits": 8,
    "threads": 0,
    "items": 0,
    "block_keys": 0,
    "local_keys": 0,
    "merge_keys": 3000,
    "classes": "all",
    "look_ahead": 2,
    "thread_reduction": "yes",
    "lists": "device",
    "local_sort": "block_radix",
}
HYBRID_TUNED = {**HYBRID_PAPER, "threads": 512, "items": 36, "thread_reduction": "no", "local_sort": "ranked"}
HYBRID_ROLE = {name: HYBRID_PAPER[name] for name in ("threads", "items", "thread_reduction", "local_sort")}
CUB_5BIT = {"digit_bits": 5, "form": "two_read"}
CUB_7BIT = {"digit_bits": 7, "form": "two_read"}


def _paper_sort(name: str, role: str, form: dict[str, Any]) -> dict[str, Any]:
    like = ALGORITHMS["ha_implicit_radix"]
    return {**like, "name": name, "title": name, "paper": "stehle2017", "roles": {role: form}, "presets": {}}


HYBRID = _paper_sort("stehle_hybrid_radix", "gpu_hybrid_radix", HYBRID_ROLE)
# Leischner et al.'s sort in the paper's form, and the stand-ins for its opponents (no records are kept yet).
SAMPLE_PAPER = {
    "ways": 128,
    "bucket": 131072,
    "oversampling": 0,
    "counters": 8,
    "ids": "recomputed",
    "scatter": "direct",
    "network": "odd_even",
    "bucket_sort": "quicksort",
    "counts": "summed",
    "fan_out": "fixed",
    "vote": "no",
    "threads": 256,
    "items": 8,
    "tiles": 0,
    "seed": 5489,
}
SAMPLE_TUNED = {**SAMPLE_PAPER, "ways": 512, "ids": "stored", "scatter": "reordered", "bucket_sort": "merge"}
SAMPLE_ROLE = {name: value for name, value in SAMPLE_PAPER.items() if name != "seed"}
MERGE_PAPER = {"merge": "ranks", "tile": 256, "threads": 256, "values": "carried"}
LEISCHNER = [
    {**_paper_sort("leischner_sample_sort", "gpu_sample_sort", SAMPLE_ROLE), "family": "sample"},
    _paper_sort("cederman_quicksort", "gpu_quicksort", {}),
    _paper_sort("bbsort", "bbsort", {}),
    _paper_sort("sintorn_hybrid_sort", "hybrid_sort", {}),
    {
        **ALGORITHMS["satish_gpu_merge"],
        "roles": {"gpu_merge": {"merge": "bitonic", "tile": 256}, "thrust_merge": {"merge": "ranks", "tile": 256}},
    },
]
HETEROGENEOUS_PAPER = {"sort": "stehle_hybrid_radix_paper", "merge": "libstdcxx"}
PARADIS_PAPER = {"digit_bits": 8, "small_sort": 0, "insertion": 32, "equal_digits": "permute"}
HETEROGENEOUS = {
    **_paper_sort("stehle_heterogeneous", "heterogeneous_sort", HETEROGENEOUS_PAPER),
    "title": "Heterogeneous sort",
}
SEQUENTIAL = {"std_sort", "std_stable_sort", "boost_spreadsort", "vqsort"}
ORDER_FACTOR = {"uniform": 1.0, "thearling:ands=2": 0.94, "constant": 0.5, "sorted": 0.7}
