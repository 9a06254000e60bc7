"""Claims of Leischner, Osipov and Sanders 2009, GPU sample sort."""

from __future__ import annotations

from math import ceil, log2
from typing import Any

from .claim import Paper, Parts, beside, claim, part
from .measures import arithmetic, failed_sizes, memory_share, ratio, speed_up, spread, spread_at_each_n
from .quantities import keys_per_s
from .readings import ABOUT_THE_SAME
from .selection import Runs, Selection
from .words import FASTER
from .verdicts import Answer, Values, about, at_least, at_most, equals, mean, most, untestable, unwritten

PAPER = Paper("LEI", "Leischner, Osipov and Sanders 2009, GPU sample sort", place=4)
FIGURE_3 = "configs/leischner2009/LEI-F3.json"  # 32/32 pairs
FIGURE_4 = "configs/leischner2009/LEI-F4.json"  # 64-bit keys
FIGURE_5 = "configs/leischner2009/LEI-F5.json"  # 32-bit keys by distribution
PAIRS = dict(value_type="u32")
WIDE = dict(key_type="u64")
FLOATS = dict(key_type="f32")
TYPES: dict[str, dict[str, str]] = {"32-bit keys": {}, "32/32 pairs": PAIRS, "64-bit keys": WIDE}
TUNED = "sample sort with other buckets, splitters and bucket sort than the paper’s"
TWO_GPUS = "each of two GPUs that differ in bandwidth, and not as much in clock"
ALL_SIZES, SPAN = "2^18..", "2^18..2^26"  # all that were measured, which must cover the span
DUPLICATES = "deterministic_duplicates*"


def over(runs: Runs, role: str, **case: Any) -> Values:
    """Ratio of another sort's time to sample sort's, over all sizes of the paper's figures."""
    return speed_up(runs, "gpu_sample_sort", over=role, n=ALL_SIZES, spans=SPAN, **case)


def slowdown(sort: Selection, distribution: str, or_stopped: bool = False, spans: str = "") -> Values:
    """Ratio of a sort's time on a distribution to that on uniform keys."""
    other = sort.but(distribution=distribution)
    return ratio(other, sort, pair_on=["n"], or_stopped=or_stopped, spans=spans, reads="times the time")


def cost(
    runs: Runs, name: str, other: Any, paper: Any, reads: str = "times the time of the paper’s setting", **case: Any
) -> Values:
    """Ratio of sample sort's time with another setting of a parameter to that with the paper's."""
    sort = runs.of("gpu_sample_sort", **case)
    return ratio(sort.but(parameters={name: other}), sort.but(parameters={name: paper}), reads=reads)


@claim(
    "LEI-C1",
    "6, Figure 3",
    "gpu",
    FIGURE_3,
    quote="On uniformly distributed keys, our sample sort implementation is at least 25% faster, and achieves on "
    "average a 68% higher performance than Thrust merge sort.",
)
def merge_sort_on_pairs(runs: Runs) -> Parts:
    """On uniform 32/32 pairs sample sort is at least 25 % and on average 68 % faster than Thrust's merge sort."""
    yield part("at each size", at_least(1.25, over(runs, "thrust_merge", **PAIRS)))
    yield part("of all sizes", at_least(1.68, mean(over(runs, "thrust_merge", **PAIRS))))


@claim(
    "LEI-C2",
    "6, Figure 5",
    "gpu",
    FIGURE_5,
    quote="it is on average more than 2 times faster than quicksort and hybrid sort for uniform distribution. Due "
    "to the uniformity assumption, and hence, a reduced computational cost involved as we mentioned in "
    "Section 4, bbsort is competitive, but still outperformed by our implementation.",
)
def other_sorts_on_keys(runs: Runs) -> Parts:
    """On uniform 32-bit keys sample sort is on average more than twice as fast as GPU-Quicksort and as the hybrid sort
    (of floats), and faster than bbsort."""
    yield part("GPU-Quicksort", at_least(2, mean(over(runs, "gpu_quicksort"))))
    yield part("hybrid sort", at_least(2, mean(over(runs, "hybrid_sort", **FLOATS))))
    yield part("bbsort, size by size", at_least(1, over(runs, "bbsort")))


@claim(
    "LEI-C3",
    "6, Figure 4",
    "gpu",
    FIGURE_4,
    quote="On uniformly distributed keys, our sample sort is at least 63% and on average 2 times faster than Thrust"
    " radix.",
)
def radix_sort_on_64_bit_keys(runs: Runs) -> Parts:
    """On uniform 64-bit keys sample sort is at least 63 % faster than Thrust's radix sort, and on average twice as
    fast."""
    yield part("at each size", at_least(1.63, over(runs, "ipdps09_radix", **WIDE)))
    yield part("of all sizes", at_least(2, mean(over(runs, "ipdps09_radix", **WIDE))))
    tuned = speed_up(runs, "gpu_sample_sort_tuned", over="ipdps09_radix", n=ALL_SIZES, spans=SPAN, **WIDE)
    yield beside("the tuned sample sort", at_least(1.63, tuned), adapted=TUNED)


@claim(
    "LEI-C4",
    "6, Figure 3",
    "gpu",
    FIGURE_3,
    quote="Sample sort is at least as fast as Thrust merge sort, and still is 30% better on average",
)
def merge_sort_on_sorted_pairs(runs: Runs) -> Parts:
    """On sorted pairs, its worst case by the paper, sample sort is at least as fast as Thrust's merge sort and 30 %
    faster on average."""
    over_merge = over(runs, "thrust_merge", **PAIRS, distribution="sorted")
    yield part("at each size", at_least(1, over_merge))
    yield part("of all sizes", at_least(1.3, mean(over_merge)))


@claim(
    "LEI-C5",
    "6, Figures 3 and 5",
    "gpu",
    FIGURE_5,
    quote="CUDPP radix sort is considerably faster than the comparison-based sample and merge sort on 32-bit "
    "integer keys. However, on low level entropy inputs, such as Deterministic Duplicates, … even for such "
    "low length key types, radix sort is outperformed by sample sort. … Low length key type allows both "
    "implementations of radix sort to outperform all algorithms",
)
def radix_sorts_but_on_low_entropy(runs: Runs) -> Parts:
    """On 32-bit keys and pairs the radix sorts of the day win, but not on inputs of low entropy, where sample sort
    does (tested against sample sort alone, not against merge sort and the others)."""

    def radix_over_sample_sort(**case: Any) -> Values:
        return speed_up(runs, "ipdps09_radix", over="gpu_sample_sort", n=ALL_SIZES, spans=SPAN, **case)

    others = ["gaussian*", "bucket*", "staggered*", "sorted"]
    of_radix, of_sample_sort = "radix sort over sample sort", "on deterministic duplicates, sample sort over radix sort"
    yield part("radix over sample sort, keys, uniform", at_least(1.0, most(radix_over_sample_sort())), group=of_radix)
    yield part(
        "radix over sample sort, keys, the other distributions",
        at_least(1.0, most(radix_over_sample_sort(distribution=others))),
        group=of_radix,
    )
    yield part(
        "radix over sample sort, pairs, uniform",
        at_least(1.0, most(radix_over_sample_sort(**PAIRS))),
        FIGURE_3,
        group=of_radix,
    )
    yield part(
        "sample over radix sort, keys, deterministic duplicates",
        at_least(1.0, most(over(runs, "ipdps09_radix", distribution=DUPLICATES))),
        group=of_sample_sort,
    )
    yield part(
        "sample over radix sort, pairs, deterministic duplicates",
        at_least(1.0, most(over(runs, "ipdps09_radix", **PAIRS, distribution=DUPLICATES))),
        FIGURE_3,
        group=of_sample_sort,
    )


@claim(
    "LEI-C6",
    "6, Figure 4",
    "gpu",
    FIGURE_4,
    quote="On a sorted sequence, which is the input when our implementation performs worst, its sorting rate does "
    "not deviate significantly from the uniform case",
)
def sorted_64_bit_keys(runs: Runs) -> Parts:
    """Sorted keys are sample sort's worst input, and even so 64-bit ones sort about as fast as uniform ones (read as:
    within 15 %)."""
    uniform = runs.of("gpu_sample_sort", n=ALL_SIZES, **WIDE)
    on_sorted = uniform.but(distribution="sorted")
    over_uniform = ratio(on_sorted, uniform, pair_on=["n"], spans=SPAN, reads="times the time")
    rates = ratio(uniform, on_sorted, pair_on=["n"], spans=SPAN, reads=FASTER)  # says which of the two is faster
    yield part("sorted over uniform, about the same", about(1.0, most(over_uniform), within=ABOUT_THE_SAME))
    yield part("sorted keys, slower than uniform ones if they are the worst", at_most(1.0, most(rates)))


@claim(
    "LEI-C7",
    "6, Figure 5",
    "gpu",
    FIGURE_5,
    quote="the performance of bbsort as well as hybrid sort on Bucket and Staggered distributions significantly "
    "degrades when compared to the uniform case. Moreover, on the Deterministic Duplicates input, bbsort "
    "becomes completely inefficient, while hybrid sort crashes.",
)
def sorts_that_degrade(runs: Runs) -> Parts:
    """bbsort and hybrid sort degrade on bucket and staggered inputs (read as: by a tenth); on duplicates bbsort becomes
    completely inefficient (read as: ten times as slow, or stopped at its time limit, at each n up to 2^26) and hybrid
    sort crashes."""
    bbsort = runs.of("bbsort", n="2^20..")
    hybrid = runs.of("hybrid_sort", n="2^20..", **FLOATS)
    yield part("bbsort, bucket over uniform", at_least(1.1, slowdown(bbsort, "bucket*")))
    yield part("bbsort, staggered over uniform", at_least(1.1, slowdown(bbsort, "staggered*")))
    on_duplicates = slowdown(bbsort, DUPLICATES, or_stopped=True, spans="2^20..2^26")
    yield part("bbsort, duplicates over uniform, up to n = 2^26", at_least(10, on_duplicates))
    few = slowdown(bbsort.but(n="2^20..2^22"), DUPLICATES, or_stopped=True)
    yield beside("bbsort, duplicates over uniform, 1M to 4M keys", at_least(10, few), told=True)
    stops = failed_sizes(hybrid.but(n=ALL_SIZES, distribution=DUPLICATES))
    at = f" at n = {stops}" if stops else ""
    yield part("hybrid sort, bucket over uniform", at_least(1.1, slowdown(hybrid, "bucket*")))
    yield part("hybrid sort, staggered over uniform", at_least(1.1, slowdown(hybrid, "staggered*")))
    yield part(
        "hybrid sort on duplicates",
        untestable(f"it stops here too{at}, but by a limit that our plug-in sets to its divisions"),
        told=True,
    )


@claim(
    "LEI-C8",
    "5, 6",
    "gpu",
    FIGURE_5,
    quote="Sample sort is robust with respect to all tested distributions and performs almost equally well on all "
    "of them. It demonstrates a sorting rate close to constant, i.e., scales almost linearly with the input "
    "size.",
)
def robust_rate(runs: Runs) -> Parts:
    """Sample sort's rate hardly depends on the distribution (read as: within 30 %; on duplicates, which end early, at
    most 1.3 times as long as on uniform keys, however much faster) or on n (within 20 % from 1M keys on)."""
    by_n = spread(runs.of("gpu_sample_sort", n="2^20.."), keys_per_s, spans="2^20..2^24")
    yield part("over n, uniform", at_most(0.2, by_n))
    different_keys = ["uniform", "gaussian*", "bucket*", "staggered*", "sorted"]
    of_all_n = runs.of("gpu_sample_sort", n=ALL_SIZES)
    at_each_n = spread_at_each_n(of_all_n.but(distribution=different_keys), keys_per_s)
    yield part("over distributions but duplicates, at each n", at_most(0.3, at_each_n))
    # Duplicates end early, which is no lack of robustness, though it is not "equally well" either.
    faster = ratio(of_all_n, of_all_n.but(distribution=DUPLICATES), pair_on=["n"], reads=FASTER)
    yield part("duplicates against uniform keys, any gain allowed", at_least(1 / 1.3, faster))


@claim(
    "LEI-C9",
    "4",
    "gpu",
    config="configs/leischner2009/LEI-C9.json",
    quote="we found out that storing the bucket indices in global memory (as in [11]) was not faster than just "
    "recomputing them",
)
def stored_bucket_indices(runs: Runs) -> Parts:
    """Storing bucket indices is not faster than computing them twice (read as: by 2 % at most)."""
    for name, case in TYPES.items():
        storing = cost(runs, "ids", "stored", "recomputed", reads="times as long as computing them twice", **case)
        yield part(f"storing them, {name}", at_least(0.98, most(storing)))


@claim(
    "LEI-C10",
    "4",
    "gpu",
    config="configs/leischner2009/LEI-C10.json",
    quote="We also tried more involved strategies like sorting the elements in shared memory by their bucket index "
    "and storing the sorted sequence in global memory in Phase 2 (as in [12]) in order to avoid recomputing bucket "
    "indices and to improve coalesced scattered writing (see Section 2) in Phase 4. However, it was still slower than "
    "the simple approach we present here.",
)
def reordered_scatter(runs: Runs) -> Parts:
    """Sorting a tile by bucket in shared memory in phase 2, and storing it sorted for phase 4, does not pay: it is
    slower."""
    yield part(
        "tiles stored sorted in phase 2",
        unwritten(
            "stores tiles sorted by bucket in phase 2: `scatter=reordered` sorts them in phase 4, as it scatters"
        ),
    )
    for name, case in TYPES.items():
        yield beside(
            f"tiles sorted in phase 4, {name}",
            at_least(1.0, cost(runs, "scatter", "reordered", "direct", **case)),
            adapted="sorting tiles in phase 4 for storing them sorted in phase 2",
            told=True,
        )


@claim(
    "LEI-C11",
    "5",
    "gpu",
    config="configs/leischner2009/LEI-C11.json",
    quote="We found 8 arrays to be a good compromise between overhead for handling several arrays and a lack of "
    "parallelism when only one array is used.",
)
def copies_of_counters(runs: Runs) -> Parts:
    """Eight copies of the bucket counters are a good compromise (read as: within 5 % of the best number), and one lacks
    parallelism."""
    yield part("the best other number, uniform", at_least(0.95, cost(runs, "counters", [1, 2, 4, 16], 8)))
    yield part("one array, uniform", at_least(1.0, cost(runs, "counters", 1, 8)))
    yield part("one array, duplicates", at_least(1.0, cost(runs, "counters", 1, 8, distribution=DUPLICATES)))


@claim(
    "LEI-C12",
    "5",
    "gpu",
    config="configs/leischner2009/LEI-C12.json",
    quote="For sequences that fit into shared memory, we use an odd even merge sorting network [2]. In our "
    "experiments we found it to be faster than the bitonic sorting network and other approaches like a "
    "parallel merge sort.",
)
def odd_even_merge(runs: Runs) -> Parts:
    """In shared memory odd-even merge sort is faster than bitonic sort and than a parallel merge sort (the times are
    of the whole sort, with either network)."""
    yield part("bitonic, 32-bit keys", at_least(1.0, cost(runs, "network", "bitonic", "odd_even")))
    yield part("bitonic, 32/32 pairs", at_least(1.0, cost(runs, "network", "bitonic", "odd_even", **PAIRS)))
    bitonic, odd_even = 2048 * 11 * 12 / 4, 2048 * (11**2 - 11 + 4) / 4 - 1
    yield part("comparators of 2048 elements, bitonic over odd-even", at_least(1.0, arithmetic(bitonic / odd_even)))
    yield part("a parallel merge sort", untestable("the paper does not say which merge sort it tried in shared memory"))


@claim(
    "LEI-C13",
    "5",
    "arithmetic",
    inconsistency="X20",
    quote="By setting k = 128 and M = 2¹⁷ … The oversampling factor a = 30 for smaller keys and a = 15 for 64-bit "
    "integers produces a good quality sample and still allows sorting in the second phase to be completely "
    "performed in shared memory",
)
def sample_in_shared_memory(runs: Runs) -> Parts:
    """k = 128, M = 2^17, oversampling 30 (15 for 64-bit keys), 256 threads of 8 elements: the sample fits shared memory
    of 16 KB."""
    yield part("sample of 4-byte keys in bytes", at_most(16384, arithmetic(30 * 128 * 4)))
    yield part("sample of 8-byte keys in bytes", at_most(16384, arithmetic(15 * 128 * 8)))


@claim(
    "LEI-C14",
    "6, Figure 6",
    "gpu",
    config="configs/leischner2009/LEI-F6.json",
    inconsistency="X19",
    quote="The average improvements of CUDPP and Thrust radix sorts on the GTX285 are 30% and 25% respectively, "
    "while Thrust merge and sample sorts improve just by 18%. … the larger improvement for both radix sorts "
    "suggests that they are rather memory bandwidth bounded, while merge and sample sort are more "
    "computationally bounded.",
)
def two_gpus(runs: Runs) -> Parts:
    """From a C1060 to a GTX 285 radix sorts gain 25 to 30 %, merge and sample sort 18 %: radix sort follows bandwidth
    more, sample and merge sort the clock."""
    radix, sample, merge = (runs.of(role, **PAIRS) for role in ("ipdps09_radix", "gpu_sample_sort", "thrust_merge"))
    yield part(
        "radix sort's share over sample sort's, from one GPU to another",
        at_least(0, memory_share(radix, minus=sample), neutral=0),
        machine=TWO_GPUS,
    )
    yield part(
        "less than half of sample sort follows bandwidth, from one GPU to another",
        at_most(0.5, memory_share(sample), neutral=0.5),
        machine=TWO_GPUS,
    )
    yield part(
        "less than half of merge sort follows bandwidth, from one GPU to another",
        at_most(0.5, memory_share(merge), neutral=0.5),
        machine=TWO_GPUS,
    )
    yield part("the gains in per cent", untestable("the paper's figures are of a Tesla C1060 and a GTX 285 themselves"))
    clock, bandwidth = 1.476 / 1.296, 124.7 / 73.3
    radix_share, sample_share = ((1 / clock - 1 / gain) / (1 / clock - 1 / bandwidth) for gain in (1.30, 1.18))
    yield part(
        "share of CUDPP's radix sort less that of sample sort, as printed",
        at_least(0, arithmetic(radix_share - sample_share)),
    )


@claim(
    "LEI-C15",
    "6",
    "gpu",
    quote="We do not include the time for transferring the data from host CPU memory to GPU memory, since sorting "
    "is often used as a subroutine for large-scale GPU computations.",
)
def transfers_are_left_out(runs: Runs) -> Answer:
    """Times leave out the transfers between host and device."""
    return untestable("how the paper measures, and how these records do too; no measurement could contradict it")


@claim(
    "LEI-C16",
    "5",
    "gpu",
    config="configs/leischner2009/LEI-C16.json",
    quote="Initially we employed a sample sort based algorithm for this purpose. But we found that it performed "
    "slightly worse than our optimized quicksort implementation",
)
def small_buckets(runs: Runs) -> Parts:
    """Within a bucket, quicksort is slightly faster than a sort based on sample sort."""
    yield part("sample sort over quicksort in a bucket", unwritten("has a sample sort within a block"))
    yield beside(
        "buckets of at most 2^12 to 2^16 keys over the paper's 2^17, the fastest",
        at_least(1.0, cost(runs, "bucket", [4096, 16384, 65536], 131072)),
        adapted="splitting buckets once more on the whole GPU for a sample sort within a block",
    )


@claim(
    "LEI-C17",
    "3, 4",
    "arithmetic",
    quote="the fastest algorithm … is a two-way merge sort by Harris et al. It divides the input into n/256 tiles, … "
    "and two-way merges the results in log(n/256) iterations. … we can expect O(n log_k(n/M)) global memory accesses "
    "instead of O(n log(n/M)) required by two-way merge sort",
)
def accesses_to_global_memory(runs: Runs) -> Parts:
    """Sample sort passes over its input log_k(n/M) times, the two-way merge sort of the day log2(n/256) times (with k =
    128 and M = 2^17 once, twice and twice against 16, 18 and 20 times at 2^24, 2^26 and 2^28, by the formula;
    LEI-LEVELS shows the levels that sample sort takes here)."""
    for exponent, distributing, merging in ((24, 1, 16), (26, 2, 18), (28, 2, 20)):
        levels = ceil(log2(2**exponent / 2**17) / log2(128))
        yield part(f"levels of distribution at 2^{exponent}", equals(distributing, arithmetic(levels)))
        yield part(f"levels of merging at 2^{exponent}", equals(merging, arithmetic(log2(2**exponent / 256))))
