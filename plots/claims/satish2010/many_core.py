"""Radix sort on Knights Ferry (sections 2.2 and 3.1)."""

from __future__ import annotations

from ..claim import Parts, claim, part
from ..measures import arithmetic, level, speed_up
from ..quantities import keys_per_s
from ..selection import Runs
from ..verdicts import about, at_least, equals, most
from . import FIGURE_1


@claim(
    "SAT-C1",
    "summary, 5",
    "many-core",
    FIGURE_1,
    quote="We evaluate radix sort on Knights Ferry (an implementation of Intel MIC architecture), obtaining a "
    "performance gain of 2.2X and 1.7X over the best sort performance on the Intel Core i7 CPU and GTX 280 "
    "respectively.",
)
def knights_ferry_over_cpu(runs: Runs) -> Parts:
    """Radix sort on Knights Ferry is 2.2 times as fast as the best sort on the four-core CPU."""
    gain = at_least(2.2, speed_up(runs, "knf_radix", over="cpu_sort", n="2^20.."))
    yield part("Knights Ferry", gain, figure_of="Knights Ferry and the Core i7")


@claim(
    "SAT-C2",
    "summary, 2.2, 5",
    "many-core",
    inconsistency="X2",
    quote="Our KNF radix sort is about 1.7X faster than the GTX 280.",
)
def knights_ferry_over_gpu(runs: Runs) -> Parts:
    """Radix sort on Knights Ferry is 1.7 times as fast as the GPU's split radix sort."""
    gain = at_least(1.7, speed_up(runs, "knf_radix", over="gpu_split_radix", n="2^20.."))
    yield part("Knights Ferry", gain, figure_of="Knights Ferry and the GTX 280")


@claim(
    "SAT-C3",
    "3.1",
    "many-core",
    inconsistency="X2",
    quote="This allows for a 1.8X gain in performance over the GTX 280.",
)
def knights_ferry_over_gpu_by_section_3_1(runs: Runs) -> Parts:
    """Radix sort on Knights Ferry is 1.8 times as fast as the GPU's split radix sort."""
    gain = at_least(1.8, speed_up(runs, "knf_radix", over="gpu_split_radix", n="2^20.."))
    yield part("Knights Ferry", gain, figure_of="Knights Ferry and the GTX 280")


@claim(
    "SAT-C5",
    "2.2, 3.1",
    "many-core",
    FIGURE_1,
    quote="we perform 6 bits per pass rather than 4 (expect the last stage when we handle 8 bits per pass). … Our "
    "sort runs at about 560 M elements/second.",
)
def rate_on_knights_ferry(runs: Runs) -> Parts:
    """Knights Ferry sorts about 560 million keys per second, in five passes of 6, 6, 6, 6 and 8 bits."""
    rate = level(runs.of("knf_radix", n="2^20.."), keys_per_s)
    yield part("keys per second", about(560e6, most(rate), within=0.15), figure_of="Knights Ferry")
    yield part("the digits make up a key", equals(32, arithmetic(6 + 6 + 6 + 6 + 8)))
