"""HRS on one GPU: its times, and how much faster it is than its opponents (abstract, section 6.1, appendix A)."""

from __future__ import annotations

from ..claim import Parts, beside, claim, part
from ..measures import arithmetic, level, ratio, speed_up
from ..quantities import bytes_per_s, seconds
from ..selection import Runs
from ..verdicts import Answer, Values, about, at_least, at_most, equals, largest
from . import (
    ANY_ENTROPY,
    FIGURE_6A,
    FIGURE_6B,
    FIGURE_6C,
    FIGURE_6D,
    HRS,
    KEYS_32,
    KEYS_64,
    NOT_CONSTANT,
    PAIRS_32,
    PAIRS_64,
    TITAN_X,
)

FIGURE_7A = "configs/stehle2017/STE-F7a.json"  # 64-bit keys over n
FIGURE_7B = "configs/stehle2017/STE-F7b.json"  # 64/64 pairs over n


def over(runs: Runs, role: str, case: dict[str, str], distribution: object = "uniform", **more: str) -> Values:
    """Ratio of another sort's time to that of HRS."""
    return speed_up(runs, HRS, over=role, distribution=distribution, **case, **more)


def seconds_for(runs: Runs, case: dict[str, str]) -> Values:
    return level(runs.of(HRS, **case), seconds)


@claim("STE-C1", "abstract, 6.1", "gpu", FIGURE_6B)
def pairs_over_cub(runs: Runs) -> Parts:
    """On 2 GB of uniform 32/32 pairs HRS is 2.32 times as fast as CUB with 5-bit digits, in 50 ms."""
    yield part("over CUB", at_least(2.32, over(runs, "cub_5bit", PAIRS_32)))
    yield part("seconds for 2 GB", at_most(0.050, seconds_for(runs, PAIRS_32)), figure_of=TITAN_X)


@claim("STE-C2", "abstract", "gpu", FIGURE_6B)
def pairs_of_any_entropy(runs: Runs) -> Answer:
    """On 32/32 pairs HRS is never less than 1.66 times as fast as CUB, whatever the entropy."""
    return at_least(1.66, over(runs, "cub_5bit", PAIRS_32, ANY_ENTROPY))


@claim("STE-C5", "1, 6.1", "gpu")
def equal_keys(runs: Runs) -> Parts:
    """With all keys equal HRS is at least 1.58 times as fast as CUB on 64-bit keys and on pairs."""
    yield part("64-bit keys", at_least(1.58, over(runs, "cub_5bit", KEYS_64, "constant")), FIGURE_6C)
    yield part("64/64 pairs", at_least(1.58, over(runs, "cub_5bit", PAIRS_64, "constant")), FIGURE_6D)


@claim("STE-C6", "1, 6.1", "gpu", FIGURE_6D)
def wide_pairs_over_cub(runs: Runs) -> Parts:
    """HRS sorts 2 GB of uniform 64/64 pairs four times as fast as CUB, in 56 ms."""
    yield part("over CUB", at_least(4, over(runs, "cub_5bit", PAIRS_64)))
    yield part("seconds for 2 GB", at_most(0.056, seconds_for(runs, PAIRS_64)), figure_of=TITAN_X)


@claim("STE-C18", "6", "gpu", FIGURE_6A)
def order_does_not_matter(runs: Runs) -> Parts:
    """The time of HRS depends on the distribution of the keys, not on their order."""
    uniform = runs.of(HRS, **KEYS_32)
    for order in ("sorted", "reverse"):
        yield part(order, about(1.0, ratio(uniform.but(distribution=order), uniform, pair_on=["n"]), within=0.05))


@claim("STE-C19", "6.1", "gpu", FIGURE_6A, inconsistency="X11")
def keys_over_all(runs: Runs) -> Parts:
    """On 2 GB of 32-bit keys HRS is at least 1.69, 1.89, 3.96 and 3.66 times as fast as CUB, Thrust, MGPU and Satish et
    al., and more than twice as CUB at uniform, in 62.6 ms."""

    def over_any_entropy(role: str) -> Values:
        return over(runs, role, KEYS_32, ANY_ENTROPY)

    yield part("against CUB", at_least(1.69, over_any_entropy("cub_5bit")))
    yield part("against Thrust", at_least(1.89, over_any_entropy("thrust_radix")))
    yield beside("against thrust::sort of today", at_least(1.89, over_any_entropy("thrust_of_today")))
    yield part("against MGPU", at_least(3.96, over_any_entropy("mgpu_merge")))
    yield beside(
        "against CUB's merge sort, a descendant of MGPU's", at_least(3.96, over_any_entropy("gpu_merge_of_today"))
    )
    yield part("against Satish et al.", at_least(3.66, over_any_entropy("ipdps09_radix")))
    yield part("against CUB, uniform", at_least(2, over(runs, "cub_5bit", KEYS_32)))
    yield part("seconds for 500 million keys", at_most(0.0626, seconds_for(runs, KEYS_32)), figure_of=TITAN_X)


@claim("STE-C20", "6.1", "gpu", FIGURE_6C)
def wide_keys(runs: Runs) -> Parts:
    """2 GB of uniform 64-bit keys take HRS little longer than 2 GB of 32-bit keys, 3.75 times less than CUB, which
    loses 49 %."""
    slower, cub_slower = (
        ratio(runs.of(role, **KEYS_64), runs.of(role, **KEYS_32), pair_on=[]) for role in (HRS, "cub_5bit")
    )
    yield part("64-bit over 32-bit keys, HRS", about(66.7 / 62.6, slower, within=0.1))
    yield part("against CUB", at_least(3.75, over(runs, "cub_5bit", KEYS_64)))
    yield part("64-bit over 32-bit keys, CUB", about(1 / (1 - 0.49), cub_slower, within=0.1))


@claim("STE-C21", "6.1", "gpu", inconsistency="X11")
def share_of_possible_speed_up(runs: Runs) -> Parts:
    """With all keys equal HRS reaches more than 97 % of the speed-up that its fewer passes allow: 1.7 of 1.75 and 1.58
    of 1.625."""
    yield part("32-bit keys", at_least(0.97 * 1.75, over(runs, "cub_5bit", KEYS_32, "constant")), FIGURE_6A)
    yield part("64-bit keys", at_least(0.97 * 1.625, over(runs, "cub_5bit", KEYS_64, "constant")), FIGURE_6C)


@claim("STE-C22", "6.1", "gpu", FIGURE_6B)
def bytes_of_pairs(runs: Runs) -> Parts:
    """Pairs sort 20 % more bytes a second than keys alone: 40.2 and 35.7 GB/s at most."""
    gain_32, gain_64 = (
        ratio(runs.of(HRS, distribution="constant", **keys), runs.of(HRS, distribution="constant", **pairs), pair_on=[])
        for keys, pairs in ((KEYS_32, PAIRS_32), (KEYS_64, PAIRS_64))
    )
    rate_32, rate_64 = (level(runs.of(HRS, **pairs), bytes_per_s) for pairs in (PAIRS_32, PAIRS_64))
    yield part("bytes a second, 32/32 pairs over 32-bit keys, all equal", about(1.2, gain_32, within=0.05))
    yield part("bytes a second, 64/64 pairs over 64-bit keys, all equal", about(1.2, gain_64, within=0.05), FIGURE_6D)
    yield part("bytes a second, uniform 32/32 pairs", at_least(40.2e9, rate_32), figure_of=TITAN_X)
    yield part("bytes a second, uniform 64/64 pairs", at_least(35.7e9, rate_64), FIGURE_6D, figure_of=TITAN_X)
    yield part("by the passes over memory", equals(1.2, arithmetic(3 / 2.5)))


@claim("STE-C23", "6.1, Figure 7", "gpu", FIGURE_7A)
def over_cub_by_n(runs: Runs) -> Parts:
    """HRS beats CUB for every n at uniform, and from 1.9 million 64-bit keys or 1.6 million pairs on for every
    distribution; Thrust and MGPU are always slower."""
    keys, pairs, all_sizes = dict(key_type="u64"), dict(key_type="u64", value_type="u64"), "250e3..500e6"

    def over_any_entropy(role: str) -> Values:
        return over(runs, role, keys, ANY_ENTROPY, spans=all_sizes)

    large_keys = over(runs, "cub_5bit", keys, ANY_ENTROPY, n="19e5..", spans="19e5..500e6")
    large_pairs = over(runs, "cub_5bit", pairs, ANY_ENTROPY, n="16e5..", spans="16e5..500e6")
    yield part("uniform 64-bit keys", at_least(1.0, over(runs, "cub_5bit", keys, spans=all_sizes)))
    yield part("uniform pairs", at_least(1.0, over(runs, "cub_5bit", pairs, spans=all_sizes)), FIGURE_7B)
    yield part("any entropy, keys", at_least(1.0, large_keys))
    yield part("any entropy, pairs", at_least(1.0, large_pairs), FIGURE_7B)
    yield part("MGPU", at_least(1.0, over_any_entropy("mgpu_merge")))
    yield beside("CUB's merge sort, a descendant of MGPU's", at_least(1.0, over_any_entropy("gpu_merge_of_today")))
    yield part("Thrust", at_least(1.0, over_any_entropy("thrust_radix")))
    yield beside("thrust::sort of today", at_least(1.0, over_any_entropy("thrust_of_today")))


@claim("STE-C28", "A", "gpu", FIGURE_6A)
def later_opponents(runs: Runs) -> Parts:
    """CUB 1.6.4 with 7-bit digits narrows the gap: HRS is 21 to 56 % faster on 32-bit keys, 28 to 82 % on 32/32 pairs,
    1.29 to 2.99 times as fast on 64-bit keys and 1.21 to 3.21 times on 64/64 pairs; over GPU Multisplit it is at least
    1.53 (keys) and 1.29 times (pairs) as fast."""
    keys = over(runs, "cub_7bit", KEYS_32, NOT_CONSTANT)
    yield part("CUB, 32-bit keys, constant", at_least(1.21, over(runs, "cub_7bit", KEYS_32, "constant")))
    yield part("CUB, 32-bit keys, not constant", at_least(1.32, keys))
    yield part("CUB, 32-bit keys, at the entropy where HRS gains most", at_least(1.56, largest(keys)))

    wide_keys = over(runs, "cub_7bit", KEYS_64, NOT_CONSTANT)
    yield part("CUB, 64-bit keys, not constant", at_least(1.29, wide_keys), FIGURE_6C)
    yield part("CUB, uniform 64-bit keys", at_least(2.99, over(runs, "cub_7bit", KEYS_64)), FIGURE_6C)

    pairs = over(runs, "cub_7bit", PAIRS_32, NOT_CONSTANT)
    yield part("CUB, 32/32 pairs, not constant", at_least(1.28, pairs), FIGURE_6B)
    yield part("CUB, 32/32 pairs, at the entropy where HRS gains most", at_least(1.82, largest(pairs)), FIGURE_6B)

    wide_pairs = over(runs, "cub_7bit", PAIRS_64, ["thearling:*", "constant"])
    yield part("CUB, uniform 64/64 pairs", at_least(3.21, over(runs, "cub_7bit", PAIRS_64)), FIGURE_6D)
    yield part("CUB, 64/64 pairs, not uniform", at_least(1.21, wide_pairs), FIGURE_6D)

    cub_over_cub = speed_up(runs, "cub_7bit", over="cub_5bit", distribution=NOT_CONSTANT, **KEYS_32)
    yield part("CUB 1.6.4 over 1.5.1, 32-bit keys", at_least(1.0, cub_over_cub))
    multisplit, multisplit_pairs = (over(runs, "gpu_multisplit", case, ANY_ENTROPY) for case in (KEYS_32, PAIRS_32))
    yield part("Multisplit, 32-bit keys", at_least(1.53, multisplit))
    yield part("Multisplit, 32/32 pairs", at_least(1.29, multisplit_pairs), FIGURE_6B)
