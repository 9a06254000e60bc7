"""Claims of Stehle and Jacobsen 2017, A memory bandwidth-efficient hybrid radix sort on GPUs, by what they speak of."""

from __future__ import annotations

from ..claim import Paper

PAPER = Paper("STE", "Stehle and Jacobsen 2017, A memory bandwidth-efficient hybrid radix sort on GPUs", place=2)
TITAN_X = "Titan X (Pascal)"
HRS = "gpu_hybrid_radix"  # the role

# 2 GB of each type, with the config that measures it.
KEYS_32, FIGURE_6A = dict(n="500e6"), "configs/stehle2017/STE-F6a.json"
PAIRS_32, FIGURE_6B = dict(value_type="u32", n="250e6"), "configs/stehle2017/STE-F6b.json"
KEYS_64, FIGURE_6C = dict(key_type="u64", n="250e6"), "configs/stehle2017/STE-F6c.json"
PAIRS_64, FIGURE_6D = dict(key_type="u64", value_type="u64", n="125e6"), "configs/stehle2017/STE-F6d.json"

ANY_ENTROPY = ["uniform", "thearling:*", "constant"]
NOT_CONSTANT = ["uniform", "thearling:*"]
