"""Claims on CUB's sorts on GPUs that are not here, by datasheet and as published."""

from __future__ import annotations

from .claim import Paper, Parts, beside, claim, part
from .datasheets import predicted_binding, predicted_gain, published_gain, published_rate_gain
from .selection import Runs
from .verdicts import among, at_least, at_most

PAPER = Paper("ELSEWHERE", "No paper: CUB's sorts on GPUs not at hand, as published elsewhere", own=True, place=5)
CONFIG = "configs/elsewhere/ELSEWHERE.json"
CUB = "gpu_radix_of_today"
H100_TO_B200 = dict(on="NVIDIA B200", over="NVIDIA H100 SXM")


@claim("ELSEWHERE-C1", "models/machines", "gpu", CONFIG)
def gain_below_bandwidth(runs: Runs) -> Parts:
    """CUB's radix sort gains less from an H100 to a B200 than bandwidth does, if anything: no more than 0.8 of the
    ratio (published of one n and of three versions of CUB; that one of them is of the H100 is our reading)."""
    per_bandwidth = dict(H100_TO_B200, per=["memory.bandwidth"])
    keys_32 = runs.of(CUB, n="2^28")
    keys_64 = runs.of(CUB, n="2^28", key_type="u64")
    yield part("predicted, 32 bits", at_most(0.8, predicted_gain(keys_32, **per_bandwidth)))
    yield part("predicted, 64 bits", at_most(0.8, predicted_gain(keys_64, **per_bandwidth)))
    yield part("published, 32 bits", at_most(0.8, published_gain(keys_32, **per_bandwidth)))
    keys_64_published = keys_64.but(distribution="thearling:ands=2")
    yield part("published, 64 bits", at_most(0.8, published_gain(keys_64_published, **per_bandwidth)))
    # A share of the gain in bandwidth says nothing of whether there is a gain.
    for bits, keys in ((32, keys_32), (64, keys_64_published)):
        whole = published_gain(keys, **H100_TO_B200)
        yield beside(f"published, {bits} bits, B200 against H100", at_least(1.0, whole), told=True)


@claim("ELSEWHERE-C2", "models/machines", "gpu", CONFIG)
def gain_with_multiprocessors_and_clock(runs: Runs) -> Parts:
    """CUB's radix sort gains from an H100 to a B200, if anything, no more than multiprocessors and clock do, to within
    a tenth (decided by one cell, of CUB in January 2025 on the B200 and of CCCL 3.3 on what we read as the H100, in
    which the B200 is slower). That ranking binds it, not memory, would explain this, and is not tested."""
    per_instructions = dict(H100_TO_B200, per=["multiprocessors", "clock"])
    keys = runs.of(CUB, n="2^28")
    yield part("predicted", at_most(1.1, predicted_gain(keys, **per_instructions)))
    yield part("published", at_most(1.1, published_gain(keys, **per_instructions)))
    whole = published_gain(keys, **H100_TO_B200)
    yield beside("published, B200 against H100", at_least(1.0, whole), told=True)


@claim("ELSEWHERE-C3", "models/machines", "gpu")
def a100_with_more_bandwidth(runs: Runs) -> Parts:
    """CUB's radix sort gains less than 5 % on an A100 of 80 GB, with 1.31 times the bandwidth, over one of 40 GB (our
    conjecture; decided only by times that others published for one n on both: no run here could)."""
    machines = dict(on="NVIDIA A100 80 GB", over="NVIDIA A100 40 GB")
    keys = runs.of(CUB, n="2^28")
    yield part("predicted by our model", at_most(1.05, predicted_gain(keys, **machines)))
    yield part("published for one n on both", at_most(1.05, published_gain(keys, **machines)))
    # One pair of sources, of two n, two authors and two versions of CUB, cannot decide a bound of 5 %.
    one_pair = at_most(1.05, published_rate_gain(runs.of(CUB), **machines))
    yield beside("a single pair of published rates, of different authors and n", one_pair, told=True)


@claim("ELSEWHERE-C4", "models/machines", "gpu", CONFIG)
def binding_resource(runs: Runs) -> Parts:
    """Memory binds CUB's radix sort on an RTX 5090 and an RTX 5080, and on a B200 it does not."""
    on_5090 = predicted_binding(runs.of(CUB, n="2^26"), on="NVIDIA GeForce RTX 5090")
    on_5080 = predicted_binding(runs.of(CUB, n="2^25"), on="NVIDIA GeForce RTX 5080")
    on_b200 = predicted_binding(runs.of(CUB, n="2^28"), on="NVIDIA B200")
    yield part("RTX 5090", among(["dram"], on_5090))
    yield part("RTX 5080", among(["dram"], on_5080))
    yield part("B200", among(["issue", "shared", "latency"], on_b200))
