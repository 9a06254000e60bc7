"""Claims of Ha, Krüger and Silva 2010, Implicit radix sorting on GPUs."""

from __future__ import annotations

from math import log2

from .claim import Paper, Parts, beside, claim, part
from .measures import arithmetic, level, ratio, share, speed_up
from .leischner2009 import over as sample_sort_over
from .quantities import in_phase, in_phases, keys_per_s, seconds, seconds_per_key, seconds_per_word
from .readings import A_FACTOR
from .selection import Runs, Selection
from .verdicts import about, at_least, at_most, between, equals, mean, most, some, untestable, unwritten
from .words import FASTER, LONGER, OF_A_COPY

PAPER = Paper("HA", "Ha, Krüger and Silva 2010, Implicit radix sorting on GPUs", place=3)
PAIRS = dict(value_type="u32", n="2^21..2^24")
AS_ARRAYS = {"scatter": "soa"}


def shuffled_structures(runs: Runs) -> Selection:
    """The global shuffle of pairs as structures."""
    return runs.of("ha_radix", component="shuffle_aos", **PAIRS)


def shuffled_arrays(runs: Runs) -> Selection:
    """The global shuffle of keys and values in two arrays."""
    return runs.of("ha_radix", component="shuffle_soa", parameters=AS_ARRAYS, **PAIRS)


def copied_pairs(runs: Runs) -> Selection:
    return runs.of("ha_radix", component="memcpy", **PAIRS)


def shuffled_by_cudpp(runs: Runs) -> Selection:
    return runs.of("ipdps09_radix", component="shuffle", **PAIRS)


@claim(
    "HA-C1",
    "4, Figure 5",
    "gpu",
    inconsistency="X14",
    quote="our pre-sorting step is about 1.5 to 1.8 times faster than the CUDPP 1.1 implementation.",
)
def presort(runs: Runs) -> Parts:
    """The pre-sorting step, which sorts each tile and counts its digits, is 1.5 to 1.8 times as fast as the two kernels
    of CUDPP that do the same (the second one, which counts, belongs to it: the three steps that Table 3 prints of
    CUDPP are its whole iteration)."""
    # Section 4, Table 1: "Pre-sorting Runtime (us) - eight iteration", of the kernels alone. Phases of whole sorts
    # stand in for them, and a verdict by these is adapted.
    theirs = runs.of("ipdps09_radix", component="counted_presort", **PAIRS)
    ours = runs.of("ha_radix", component="presort", **PAIRS)
    alone = ratio(theirs, ours, reads=FASTER)
    uncounted = ratio(runs.of("ipdps09_radix", component="presort", **PAIRS), ours, reads=FASTER)
    of_wholes = ratio(
        runs.of("ipdps09_radix", **PAIRS),
        runs.of("ha_radix", **PAIRS),
        in_phases(("sort tiles", "find offsets"), seconds),
        over=in_phase("presort", seconds),
        reads=FASTER,
    )
    yield part("eight iterations alone", between(1.5, 1.8, alone), "configs/ha2010/HA-T1.json")
    yield part(
        "as phases of the whole sorts",
        between(1.5, 1.8, of_wholes),
        adapted="phases of whole sorts for the pre-sort’s kernels, which the paper runs alone",
    )
    yield beside(
        "eight iterations alone, CUDPP's without its counting",
        between(1.5, 1.8, uncounted),
        adapted="CUDPP’s sort of a tile alone for its pre-sort",
    )
    yield part(
        "pre-sort, rank and shuffle of CUDPP over its iteration, (12.25 + 0.15 + 5.15) / 17.55 ms",
        equals(1, arithmetic((12.25 + 0.15 + 5.15) / 17.55)),
        told=True,
    )


@claim(
    "HA-C2",
    "2, 3.1",
    "arithmetic",
    quote="The implicit counting function allows us to compute the four radix buckets with only a single sweep. "
    "This is twice as efficient as the implicit binary approach of Satish et al.",
)
def sweeps_over_shared_memory(runs: Runs) -> Parts:
    """Implicit counting takes half the sweeps over shared memory that binary splits take."""
    yield part("digits of 4 bits, a split a bit against a sweep for two bits", equals(2, arithmetic(4 / (4 / 2))))


@claim(
    "HA-C3",
    "4, Figure 6",
    "gpu",
    inconsistency="X14",
    quote="by using an AoS structure instead of SoA as the output format we improve the performance by 25%. At the "
    "same time, our one-pass implementation of SoA shuffling is more efficient than CUDPP1.1 by an additional"
    " 15%.",
)
def scatter_of_structures(runs: Runs) -> Parts:
    """Scattering pairs as structures is 25 % faster than as two arrays; as arrays, in one pass, it is 15 % faster than
    CUDPP (each read as: within 10 % of that ratio, 1.13 to 1.38 and 1.04 to 1.27 times as fast)."""
    over_arrays = ratio(shuffled_arrays(runs), shuffled_structures(runs), reads=FASTER)
    over_cudpp = ratio(shuffled_by_cudpp(runs), shuffled_arrays(runs), reads=FASTER)
    yield part("structures against arrays", about(1.25, most(over_arrays), within=A_FACTOR))
    yield part("arrays, in one pass, against CUDPP", about(1.15, most(over_cudpp), within=A_FACTOR))


@claim(
    "HA-C4",
    "3.2",
    "gpu",
    quote="The conversion occurred implicitly inside the global shuffling kernel and at the beginning of local "
    "counting kernel using texture memory.",
)
def conversion_is_hidden(runs: Runs) -> Parts:
    """The conversion between structures and arrays has no kernel of its own (how the sort is built: the paper gives no
    time of it, and nothing is judged; beside it, the kernels that convert against those that do not)."""
    presort_of_structures = runs.of("ha_radix", component="presort", **PAIRS)
    yield part(
        "the conversion", untestable("how the sort is built; the paper states no time that a run could contradict")
    )
    yield beside(
        "shuffling structures over shuffling arrays",
        at_most(1.0, ratio(shuffled_structures(runs), shuffled_arrays(runs))),
        told=True,
    )
    yield beside(
        "pre-sorting structures over pre-sorting arrays",
        at_most(1.05, ratio(presort_of_structures, presort_of_structures.but(parameters=AS_ARRAYS))),
        told=True,
    )


@claim(
    "HA-C5",
    "4, Figure 6",
    "gpu",
    inconsistency="X14",
    quote="our global shuffling is 1.4 times faster than that of CUDPP as illustrated in Figure 6. It is "
    "approximately 1.4 times more expensive than a fully-coalesced memory copy operation, the upper bound.",
)
def global_shuffle(runs: Runs) -> Parts:
    """The global shuffle is 1.4 times as fast as CUDPP's and takes 1.4 times as long as a copy (read as:
    within 10 %)."""
    over_copy = ratio(shuffled_structures(runs), copied_pairs(runs), reads=OF_A_COPY)  # "the upper bound"
    over_cudpp = ratio(shuffled_by_cudpp(runs), shuffled_structures(runs), reads=FASTER)
    yield part("against CUDPP", about(1.4, most(over_cudpp), within=A_FACTOR))
    yield part("the shuffle", about(1.4, most(over_copy), within=A_FACTOR))


@claim(
    "HA-C6",
    "4, Figure 7",
    "gpu",
    inconsistency="X14",
    quote="our method is able to sort about 180M key/value pairs per second on the target hardware, making it a "
    "factor 1.5 times faster than the the previous radix-16 implementation on the same hardware.",
)
def whole_sort(runs: Runs) -> Parts:
    """The sort is about 1.5 times as fast as the radix sort of Satish et al. on the same GPU (read as: within 10 %;
    its own rates are 1.43 to 1.54 times as high), at 180 million pairs per second on a GTX 260."""
    over_satish = speed_up(runs, "ha_radix", over="ipdps09_radix", **PAIRS)
    yield part("against Satish et al.", about(1.5, most(over_satish), within=A_FACTOR))
    yield part(
        "pairs per second",
        at_least(180e6, some(level(runs.of("ha_radix", **PAIRS), keys_per_s))),
        figure_of="GTX 260",
    )


@claim(
    "HA-C7",
    "3.3, 4",
    "gpu",
    quote="When using our approximate single precision floating point sorting scheme we achieve another 30% speedup"
    " as we need only sort 24 bits of the 32 bits key.",
)
def lossy_floats(runs: Runs) -> Parts:
    """Floats mapped to 24 bits sort 30 % faster (read as: 1.17 to 1.43 times as fast): six passes for eight."""
    exact = runs.of("ha_radix", key_type="f32", parameters={"float_bits": "exact"}, **PAIRS)
    lossy = exact.but(parameters={"float_bits": "lossy"})
    yield part("approximate against exact floats", about(1.3, most(ratio(exact, lossy, reads=FASTER)), within=A_FACTOR))
    yield part("by the passes", about(1.3, arithmetic(8 / 6), within=0.05))


@claim(
    "HA-C8",
    "3.3, 4",
    "gpu",
    quote="On the GPU we can quickly determine the range of the inputs by applying a reduce operation, which is as "
    "fast as a memory copy device operation [7]. … We also observe significant performance improvements with "
    "integers when the dynamic range does not cover the full 32 bit range.",
)
def small_range(runs: Runs) -> Parts:
    """Finding the range is as fast as a copy (read as: it takes at most a tenth longer than copying the keys that it
    reads, at the paper's sizes, fixed costs included); integers of a small range gain as well."""
    # Keys alone have a range, and half as many pairs are as many bytes. Like SAT-C32, the paper's sizes decide.
    limited = runs.of("ha_radix", distribution="uniform:range_bits=24", parameters={"limit_range": "yes"}, **PAIRS)
    finding = in_phase("range", seconds)
    over_keys = ratio(limited, copied_pairs(runs), finding, over=seconds, pair_on=["n"], n_over=2)
    over_pairs = ratio(limited, copied_pairs(runs), finding, over=seconds, pair_on=["n"])
    # The range is found before and apart from the sort, whose other settings do not matter to it.
    of_many = runs.of("ha_radix_any", parameters={"limit_range": "yes"}, value_type="u32", n="2^26")
    many_copied = copied_pairs(runs).but(n="2^26..")
    over_many_keys, over_many_pairs = (
        ratio(of_many, many_copied, in_phase("range", seconds_per_key), over=copying, pair_on=[])
        for copying in (seconds_per_word, seconds_per_key)
    )
    gain = ratio(limited.but(parameters={"limit_range": "no"}), limited)
    yield part("finding the range over copying the keys", at_most(1.1, over_keys))
    yield part("sorting all 32 bits over sorting the 24 that differ", at_least(1.0, gain))
    yield beside("finding the range over copying the pairs", at_most(1.1, over_pairs), told=True)
    yield beside(
        "of 2^26 keys over copying keys, by the rate of 2^26 pairs or more",
        at_most(1.1, over_many_keys),
    )
    yield beside("of 2^26 keys over copying as many pairs", at_most(1.1, over_many_pairs), told=True)


@claim(
    "HA-C9",
    "5",
    "gpu",
    config="configs/ha2010/HA-C9.json",
    quote="we could increase the block size to 2048 elements with one implicit counting bit to achieve 33-bits "
    "implicit counter. However, on the current architecture the 1024 elements is the optimal size.",
)
def tile_size(runs: Runs) -> Parts:
    """Blocks of 1024 elements are best; 2048 would need counters of 33 bits ("best" is read as: at least as fast as the
    faster of 512 and 2048 at each n; beside it, each of these)."""
    of_1024 = runs.of("ha_radix", **PAIRS)
    form = {"presort": "stored", "scatter": "aos", "warp_scan": "shared", "counter_bits": ["32", "64"]}
    others = runs.of("ha_radix_any", parameters={**form, "tile": ["512", "2048"]}, **PAIRS)
    yield part(
        "blocks of 1024 against the faster of 512 and 2048",
        at_least(1.0, ratio(others, of_1024, reads=FASTER)),
    )
    yield beside(
        "blocks of 1024 against 512",
        at_least(1.0, ratio(runs.of("ha_radix_512", **PAIRS), of_1024, reads=FASTER)),
        told=True,
    )
    yield beside(
        "blocks of 1024 against 2048 with counters in 64 bits",
        at_least(1.0, ratio(runs.of("ha_radix_2048", **PAIRS), of_1024, reads=FASTER)),
        told=True,
    )
    in_64_bits = runs.of("ha_radix_64", parameters={"tile": "1024"}, **PAIRS)
    yield beside(
        "blocks of 1024 against 4096, with counters of 21 bits for both",
        at_least(1.0, ratio(in_64_bits.but(parameters={"tile": "wide"}), in_64_bits, reads=FASTER)),
    )
    yield part("bits for three counters up to 2048", equals(33, arithmetic(3 * log2(2048))))


@claim(
    "HA-C10",
    "4, Table 3",
    "gpu",
    quote="16M pairs | Pre-sort | Glb rank | Glb Shuff | Total … Impl radix 16 | 8.15 | 0.15 | 3.75 | 12.05",
)
def time_of_the_rank(runs: Runs) -> Parts:
    """The global rank, a prefix sum over the digits counted in each tile, takes 0.15 of the 12.05 ms of an iteration
    over 16M pairs on a GTX 260 (Table 3 alone: the text says nothing of it, and nothing is judged; here of the
    newest run, where HA-T3 has an eighth of the rank in the run that measured both sorts)."""
    pairs = runs.of("ha_radix", value_type="u32", n="2^24")
    yield part(
        "the rank of all eight iterations, 0.15 ms each",
        about(8 * 0.15e-3, level(pairs, in_phase("rank", seconds)), within=0.15),
        figure_of="GTX 260",
    )
    yield beside(
        "share of the rank’s phase in the whole sort, 1.2 % on the GTX 260",
        at_most(0.15 / 12.05, share(pairs, "rank")),
        told=True,
    )


@claim(
    "HA-C11",
    "1.2",
    "gpu",
    inconsistency="X17",
    quote="implemented a fast bitonic sorting algorithm in CUDA which reached 60M pairs per second on the GTX 280. "
    "… GPU Sample Sort by Leischner et al. [9], which is about 30 percent faster than the parallel merge "
    "sort. … the capability to sort 140 millions input pairs per second on the NVIDIA GTX 280",
)
def quoted_rates(runs: Runs) -> Parts:
    """Quoted: on a GTX 280 bitonic sort reaches 60, the radix sort of Satish et al. 140 million pairs per second;
    sample sort is 30 % faster than merge sort (read as in LEI-C1, which it quotes: on average)."""
    yield part(
        "60 million pairs per second by bitonic sort",
        at_least(60e6, some(level(runs.of("bitonic_sort", **PAIRS), keys_per_s))),
        figure_of="GTX 280",
    )
    yield part(
        "140 million pairs per second by the radix sort",
        at_least(140e6, some(level(runs.of("ipdps09_radix", **PAIRS), keys_per_s))),
        figure_of="GTX 280",
    )
    # The paper prints two rates and no ratio of them.
    yield beside(
        "radix over bitonic, 140 to 60",
        at_least(140 / 60, most(speed_up(runs, "ipdps09_radix", over="bitonic_sort", **PAIRS))),
    )
    yield part(
        "sample against merge sort",
        at_least(1.3, mean(sample_sort_over(runs, "thrust_merge", value_type="u32"))),
        config="configs/leischner2009/LEI-F3.json",
    )


@claim(
    "HA-C12",
    "3.2",
    "gpu",
    quote="the longer data format (i.e. int2, int4) suffers less performance downgrade than the sorter one (int).",
)
def wide_elements(runs: Runs) -> Parts:
    """Scattering wider elements, structures of 8 bytes instead of words of 4, loses less to runs that are not aligned:
    judged by the same runs aligned and not; which form is faster stands beside."""
    structures, words = (64 * size / (64 * size + 128 - size) for size in (8, 4))
    yield part(
        "share of written bytes wanted, runs of 64 structures over runs of 64 words",
        at_least(1.0, arithmetic(structures / words)),
    )
    yield beside(
        "shuffling two arrays of 4-byte words against structures of 8 bytes",
        at_least(1.0, ratio(shuffled_arrays(runs), shuffled_structures(runs), reads=LONGER)),
        told=True,
    )
    yield part("the loss to runs that are not aligned, by width", unwritten("scatters the same runs aligned"))
