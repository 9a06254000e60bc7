"""Claims of Satish et al. 2010, Fast sort on CPUs, GPUs and Intel MIC architectures, by what they speak of."""

from __future__ import annotations

from typing import Any

from ..claim import Paper
from ..measures import speed_up
from ..selection import Runs, Selection
from ..verdicts import Values

PAPER = Paper("SAT", "Satish et al. 2010, Fast sort on CPUs, GPUs and Intel MIC architectures", place=1)
FIGURE_1 = "configs/satish2010/SAT-F1.json"
TABLE_1 = "configs/satish2010/SAT-T1.json"
CPU, GPU = "Core i7", "GTX 280"


def gpu_radix(runs: Runs, **case: Any) -> Selection:
    """The GPU split radix sort on a million keys and more."""
    return runs.of("gpu_split_radix", n="2^20..", **case)


def over(runs: Runs, role: str, n: str, sort: str = "cpu_buffer_radix_paper", **case: Any) -> Values:
    """Ratio of another CPU sort's time to that of `sort`."""
    return speed_up(runs, sort, over=role, n=n, **case)
