"""The hybrid radix sort from within: passes over memory, histograms, scatter, bookkeeping, optimisations (section 4,
appendix B)."""

from __future__ import annotations

from itertools import product
from math import ceil, comb, floor
from typing import Any, Sequence

from ..claim import Parts, beside, claim, part
from ..measures import arithmetic, counted_ratio, kernels, level, product_ratio, ratio, share, spread
from ..quantities import bookkeeping_share, keys_per_s, keys_per_s_and_multiprocessor
from ..readings import A_FACTOR
from ..selection import Runs, Selection
from ..verdicts import (
    FAILS,
    REVERSED,
    Answer,
    about,
    at_least,
    at_most,
    between,
    equals,
    largest,
    most,
    some,
    untestable,
)
from ..words import LONGER, NoValue
from . import (
    ANY_ENTROPY,
    FIGURE_6A,
    FIGURE_6B,
    FIGURE_6C,
    FIGURE_6D,
    HRS,
    KEYS_32,
    KEYS_64,
    PAIRS_32,
    PAIRS_64,
    TITAN_X,
)

FIGURE_2 = "configs/stehle2017/STE-F2.json"  # the histogram as a component
LOCAL_SORT_32 = 9216  # keys of 32 bits that the local sort takes (Table 3)
COUNTING_PASS = "configs/stehle2017/STE-C11.json"  # as a component
SPLITTING = "configs/stehle2017/STE-C15.json"
COUNTS = "configs/stehle2017/STE-C30.json"  # for sortlab count
ONE_VALUE = "few_distinct:distinct=1"
THREE_OR_MORE = ["few_distinct:distinct=[3-9]", "few_distinct:distinct=??*"]


def histogram(runs: Runs, distribution: object, sorted_first: bool) -> Selection:
    """The histogram kernel, with or without sorting runs of nine keys in registers."""
    setting = {"thread_reduction": "yes" if sorted_first else "no"}
    return runs.of(HRS, component="histogram", distribution=distribution, parameters=setting, **KEYS_32)


def counting_pass(runs: Runs, component: str = "counting_pass", **case: Any) -> Selection:
    return runs.of(HRS, component=component, **KEYS_32, **case)


@claim(
    "STE-C4",
    "abstract, 1",
    "arithmetic",
    quote="reduce the number of passes and the amount of memory transfers by no less than a factor of 1.6.",
)
def fewer_passes(runs: Runs) -> Parts:
    """8-bit digits reduce the memory transfers by a factor of at least 1.6 against 5-bit digits."""
    yield part("64-bit keys", at_least(1.6, arithmetic(ceil(64 / 5) / ceil(64 / 8))))
    yield part("32-bit keys", at_least(1.6, arithmetic(ceil(32 / 5) / ceil(32 / 8))))


@claim("STE-C9", "1", "arithmetic", quote="reading or writing the input 39 times in the case of 64-bit keys")
def lsd_reads_and_writes(runs: Runs) -> Answer:
    """An LSD radix sort with 5-bit digits reads or writes its 64-bit input 39 times."""
    return equals(39, arithmetic(3 * ceil(64 / 5)))


@claim(
    "STE-C10",
    "4.3, Figure 2",
    "gpu",
    FIGURE_2,
    quote="For a constant distribution, however, our experiments show an average throughput of only 1.7 billion "
    "32-bit keys per SM per second … for a uniform distribution over q distinct digit values, with q ≥ 3, the"
    " approach that uses atomics only, sees as much as 3.3 billion updates per SM per second … a required "
    "throughput of 3–4.5 billion 32-bit keys per SM per second",
)
def shared_atomics(runs: Runs) -> Parts:
    """Shared atomics alone count 1.7 billion keys a second and SM of a Titan X if all have one digit value, and as much
    as 3.3 billion from three values on; GPUs of 480 and 732 GB/s require 3 to 4.5 billion."""
    one_bin = histogram(runs, ONE_VALUE, sorted_first=False)
    more_bins = histogram(runs, THREE_OR_MORE, sorted_first=False)
    rate, rates = (level(bins, keys_per_s_and_multiprocessor) for bins in (one_bin, more_bins))
    yield part("keys a second and SM, one digit value", about(1.7e9, rate, within=0.15), figure_of=TITAN_X)
    yield part("keys a second and SM, three values or more", at_least(3.3e9, largest(rates)), figure_of=TITAN_X)
    # The paper prints the two rates of its GPU and no ratio of them. STE-C12 judges the drop that it speaks of.
    yield beside(
        "one digit value against the fastest of three or more, 1.94 times as long on the paper’s GPU",
        about(1.94, ratio(one_bin, more_bins, pair_on=["n"], reads=LONGER), within=A_FACTOR),
        told=True,
    )
    required, required_by_480 = arithmetic(8 * 732 / (32 * 56)), arithmetic(8 * 480 / (32 * 28))
    yield part("10⁹ keys a second and SM that 732 GB/s and 56 SMs require", between(3, 4.5, required))
    yield part("10⁹ keys a second and SM that 480 GB/s and 28 SMs require", between(3, 4.5, required_by_480))


@claim(
    "STE-C11",
    "4.3",
    "gpu",
    COUNTING_PASS,
    quote="this adds less than 4% to the data being transferred in the case of 32-bit keys, while saving essential "
    "compute resources during the key scattering step.",
)
def stored_histograms(runs: Runs) -> Parts:
    """Storing the histograms of all blocks adds less than 4 % to the traffic of a histogram step, and is cheaper than
    counting again."""
    yield part(
        "traffic, 32-bit keys",
        at_most(0.04, arithmetic(4 * 256 / (6912 * 4), as_share=True)),
        told=True,
    )
    yield part(
        "a pass that counts its blocks again against one that reads their histograms",
        at_least(1.0, ratio(counting_pass(runs, "counting_pass_recount"), counting_pass(runs), reads=LONGER)),
    )


@claim(
    "STE-C12",
    "4.3",
    "gpu",
    FIGURE_2,
    quote="In order to avoid such a performance drop for highly skewed distributions, we use … a new approach (thread "
    "reduction & atomics) … the reduced number of atomic updates now effectively mitigates the performance drop for a "
    "very skewed distribution.",
)
def sorted_runs_of_nine(runs: Runs) -> Parts:
    """Atomics alone are slow on very skewed digits; sorting runs of nine keys in registers first removes that drop."""
    alone, alone_on_more = (histogram(runs, values, sorted_first=False) for values in (ONE_VALUE, THREE_OR_MORE))
    with_sorted_runs = histogram(runs, ONE_VALUE, sorted_first=True)
    every_number = with_sorted_runs.but(distribution=[ONE_VALUE, *THREE_OR_MORE])
    drop = at_least(1.05, ratio(alone, alone_on_more, pair_on=["n"]))
    left = at_most(1.05, ratio(with_sorted_runs, with_sorted_runs.but(distribution=THREE_OR_MORE), pair_on=["n"]))
    yield part("atomics alone, one digit value over three or more (the drop)", drop)
    yield part(
        "one digit value, atomics alone over sorted runs",
        at_least(1.0, ratio(alone, with_sorted_runs, pair_on=["n"])),
    )
    yield part(
        "sorted runs, one digit value over three or more (what is left of the drop)",
        untestable("atomics alone show no drop here") if drop.verdict in (FAILS, REVERSED) else left,
    )
    evenness = at_most(0.1, spread(every_number, keys_per_s))
    yield beside("rate with sorted runs, from one digit value to 256", evenness, told=True)


@claim(
    "STE-C13",
    "4.4",
    "arithmetic",
    inconsistency="X12",
    quote="Calculating the worst case memory efficiency as the ratio of the lower to the upper bound on the number "
    "of memory transactions yields 80% for using eight-bit digits with a radix of 256. Further increasing the"
    " digit size to nine, ten, or eleven bits, would further decrease the efficiency to 66.66%, 50%, or "
    "33.33%, respectively.",
)
def written_bytes(runs: Runs) -> Parts:
    """In the worst case 80, 66.66, 50 and 33.33 % of written bytes are wanted for 256, 512, 1024 and 2048 buckets."""
    for buckets, wanted in ((256, 0.8), (512, 0.6666), (1024, 0.5), (2048, 0.3333)):
        yield part(f"{buckets} buckets", about(wanted, arithmetic(1024 / (1024 + buckets)), within=0.001))


def bookkeeping_bytes(n: float, block_keys: int, local_keys: int, merge_keys: int = 3000) -> float:
    """The paper's upper bound with digits of 8 bits."""
    histograms = 4 * 256 * floor(n / local_keys)
    blocks = (4 * 256 + 32) * (floor(n / block_keys) + floor(n / local_keys))
    local_sorts = 12 * (floor(2 * n / merge_keys) + floor(n / local_keys))
    return histograms + blocks + local_sorts


@claim(
    "STE-C14",
    "1, 4.5",
    "gpu",
    FIGURE_6A,
    inconsistency="X8",
    quote="the additional memory overhead, such as for keeping track of buckets, does not exceed a mere 5% of an "
    "LSD radix sort.",
)
def bookkeeping(runs: Runs) -> Parts:
    """Bookkeeping takes at most 5 % of the memory of keys and second array (the paper says so of any keys, and works
    it out for 32-bit ones; its threshold of 3000 keys, below which buckets are merged, is printed for these alone.
    It is assumed for 64-bit keys and does not decide: these take more for any threshold up to that of the local
    sort)."""
    share_32 = bookkeeping_bytes(500e6, block_keys=6912, local_keys=9216) / (2 * 500e6 * 4)
    share_64 = bookkeeping_bytes(250e6, block_keys=3456, local_keys=4224) / (2 * 250e6 * 8)
    # The higher the threshold, the fewer buckets: no threshold gives less than the local sort's own.
    least_64 = bookkeeping_bytes(250e6, block_keys=3456, local_keys=4224, merge_keys=4224) / (2 * 250e6 * 8)
    here_32, here_64 = (level(runs.of(HRS, **keys), bookkeeping_share) for keys in (KEYS_32, KEYS_64))
    for name, share_of_arrays in (
        ("32-bit keys, n = 500e6", share_32),
        ("64-bit keys, n = 250e6, merged below 3000 keys as 32-bit ones are", share_64),
        ("64-bit keys, merged below 4224 keys, which the local sort takes", least_64),
    ):
        yield part(name, at_most(0.05, arithmetic(share_of_arrays, as_share=True)), told=True)
    yield part("32-bit keys, as allocated here", at_most(0.05, here_32))
    yield part("64-bit keys, as allocated here", at_most(0.05, here_64), FIGURE_6C)


@claim(
    "STE-C15",
    "4.6",
    "gpu",
    quote="Our experiments have shown that the de- and recomposition can be achieved at peak memory bandwidth, "
    "adding only negligible overhead to the sorting procedure.",
)
def splitting_pairs(runs: Runs) -> Parts:
    """Splitting pairs into two arrays and joining them runs at peak bandwidth (read as: within a tenth of a copy) and
    costs next to nothing (below a tenth of the sort)."""
    copy = runs.of("ha_radix", component="memcpy", **PAIRS_32)
    split, join = (runs.of(HRS, component=name, **PAIRS_32) for name in ("decompose", "recompose"))
    whole = runs.of(HRS, layout="together", **PAIRS_32)
    yield part("time to decompose over that of a copy", at_most(1.1, ratio(split, copy)), SPLITTING)
    yield part("time to recompose over that of a copy", at_most(1.1, ratio(join, copy)), SPLITTING)
    yield part(
        "share of a whole sort, negligible below a tenth",
        at_most(0.1, share(whole, "decompose", "recompose")),
        SPLITTING,
    )


@claim(
    "STE-C29",
    "B, Figures 11 to 14",
    "gpu",
    quote="The performance impact of disabling a combination of independent optimisations can easily be "
    "approximated by multiplying the relative performance impact of the individual optimisations. Disabling a"
    " combination of optimisations within the group of synergistic optimisations … may have a more drastic "
    "effect than their multiplicative performance impact",
)
def optimisations_multiply(runs: Runs) -> Parts:
    """The costs of leaving optimisations out multiply, but one local configuration without merging may cost more than
    the product of the two (read as: by a twentieth, for some entropy)."""
    types = (
        ("32-bit keys", KEYS_32, FIGURE_6A),
        ("64-bit keys", KEYS_64, FIGURE_6C),
        ("32/32 pairs", PAIRS_32, FIGURE_6B),
        ("64/64 pairs", PAIRS_64, FIGURE_6D),
    )
    every_one = {"look_ahead": 2, "thread_reduction": "yes", "classes": "all", "merge_keys": 3000}

    def without(case: dict[str, str], **off: object) -> Selection:
        return runs.of(HRS, distribution=ANY_ENTROPY, parameters={**every_one, **off}, **case)

    for name, case, config in types:
        one, other = without(case, look_ahead=0), without(case, thread_reduction="no")
        both = without(case, look_ahead=0, thread_reduction="no")
        yield part(
            f"without look-ahead and thread reduction, {name}: product of the costs over the cost of both",
            about(1.0, most(product_ratio([one, other], [both, without(case)])), within=0.05),
            config,
            group="without look-ahead and thread reduction, product of the costs over the cost of both",
        )
    for name, case, config in types:
        one, other = without(case, classes="one"), without(case, merge_keys=0)
        both = without(case, classes="one", merge_keys=0)
        yield part(
            f"one local configuration and no merging, {name}: cost of both over the product of the costs, "
            "for some entropy",
            at_least(1.05, some(product_ratio([both, without(case)], [one, other]))),
            config,
            group="with one local configuration and no merging, cost of both over the product of the costs",
        )


@claim(
    "STE-C30",
    "1, 4.2",
    "gpu",
    COUNTS,
    quote="we use only a constant number of invocations per sorting pass, independent of the number of buckets "
    "being sorted.",
)
def constant_number_of_kernels(runs: Runs) -> Parts:
    """A pass launches a constant number of kernels, however many buckets there are (judged by the passes after the
    first, which has one bucket whatever the keys)."""
    counted = runs.of(HRS, distribution=ANY_ENTROPY, n="2^26")
    try:
        buckets = sorted({large_buckets(count.case.n, count.case.ands or 0) for count in counted.counted()})
    except NoValue:
        buckets = []
    *others, last = map(str, buckets or [0])
    listed = " and ".join(filter(None, [", ".join(others), last]))
    name = f"passes from the second on, over {listed} buckets (computed from the keys)"
    yield part(name if buckets else "", at_most(0, kernels(counted)))


def large_buckets(n: int, ands: float) -> int:
    """Expected number of buckets of the first 8 bits of a 32-bit key that are too large for the local sort, of random
    keys ANDed with `ands` further random words."""
    share_of_ones = 0.5 ** (ands + 1)
    sizes = (n * share_of_ones**ones * (1 - share_of_ones) ** (8 - ones) for ones in range(9))
    return sum(comb(8, ones) for ones, keys in enumerate(sizes) if keys > LOCAL_SORT_32)


# The comparators of algorithms/stehle_hybrid_radix/network.hpp, as pairs of places; the lesser key goes to the first.
NETWORK = (
    *((0, 3), (1, 7), (2, 5), (4, 8), (0, 7), (2, 4), (3, 8), (5, 6), (0, 2), (1, 3), (4, 5), (7, 8), (1, 4)),
    *((3, 6), (5, 7), (0, 1), (2, 4), (3, 5), (6, 8), (2, 3), (4, 5), (6, 7), (1, 2), (3, 4), (5, 6)),
)


def sorted_inputs(network: Sequence[tuple[int, int]], keys: int) -> int:
    """The number of inputs of zeros and ones that a network sorts."""
    right = 0
    for start in product((0, 1), repeat=keys):
        found = list(start)
        for low, high in network:
            found[low], found[high] = min(found[low], found[high]), max(found[low], found[high])
        right += found == sorted(found)
    return right


@claim(
    "STE-C31",
    "4.3",
    "arithmetic",
    quote="we sort runs of up to nine values at a time using a sorting network that involves 25 comparisons.",
)
def sorting_network(runs: Runs) -> Parts:
    """Nine keys are sorted by a network of 25 comparators."""
    source = "the network of algorithms/stehle_hybrid_radix"
    yield part("comparators", equals(25, arithmetic(len(NETWORK), source)))
    # A network that sorts all inputs of zeros and ones sorts any keys.
    yield part("inputs of zeros and ones sorted, of 512", equals(512, arithmetic(sorted_inputs(NETWORK, 9), source)))


@claim(
    "STE-C32",
    "4.3, 4.4",
    "gpu",
    quote="In order to fully utilise the available memory bandwidth, it is therefore sufficient to achieve only "
    "half the processing throughput. … We chose a look-ahead of two as it provides a reasonable trade-off",
)
def look_ahead(runs: Runs) -> Parts:
    """To keep the memory busy a scatter needs half the histogram's rate of keys, since it moves twice the bytes;
    looking two keys ahead is a reasonable trade-off (not judged, since other depths are not compared; beside it, how
    much longer a pass over equal keys takes than over uniform ones)."""
    counted = runs.of(HRS, distribution=ANY_ENTROPY, n="2^26")
    moved = counted_ratio(counted, ["dram_read_bytes", "dram_write_bytes"], ["scatter"], over_phases=["histogram"])
    yield part(
        "bytes of device memory that a scatter moves over those of a histogram, counted",
        about(2.0, moved, within=A_FACTOR),
        COUNTS,
    )
    uniform = counting_pass(runs, parameters={"look_ahead": 2})
    yield beside(
        "a pass over equal keys over one over uniform keys, looking ahead",
        at_most(1.1, ratio(uniform.but(distribution="constant"), uniform, pair_on=["n"])),
        COUNTING_PASS,
    )
