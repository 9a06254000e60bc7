"""Claims of Satish et al. 2010, Fast sort on CPUs, GPUs and Intel MIC architectures."""

from __future__ import annotations

from typing import Any

from .claim import Paper, Parts, beside, claim, part
from .measures import arithmetic, binding, level, marginal, memory_share, ratio, share, speed_up, spread
from .quantities import cycles, cycles_per_level, cycles_per_pass, in_phase, keys_per_s
from .quantities import seconds_per_key
from .selection import Runs, Selection
from .verdicts import Answer, Values, about, among, at_least, at_most, between, equals, largest, most, untestable

PAPER = Paper("SAT", "Satish et al. 2010, Fast sort on CPUs, GPUs and Intel MIC architectures", place=1)
FIGURE_1 = "configs/satish2010/SAT-F1.json"
FIGURE_2 = "configs/satish2010/SAT-F2.json"
TABLE_1 = "configs/satish2010/SAT-T1.json"
SETTINGS = "configs/satish2010/SAT-C6.json"  # elements per thread and bits per digit
CPU, GPU = "Core i7", "GTX 280"


def gpu_radix(runs: Runs, **case: Any) -> Selection:
    """The GPU split radix sort on a million keys and more."""
    return runs.of("gpu_split_radix", n="2^20..", **case)


def cost_of_splits(runs: Runs, splits: float, as_share: bool = False) -> Values:
    """Cycles of some splits, by what eight passes of 4 bits cost more a pass than sixteen of 2 bits: two splits."""
    digits_of_2_bits = runs.of("gpu_split_radix_any_digit", n="2^20..", parameters={"digit_bits": 2})
    return marginal(gpu_radix(runs), digits_of_2_bits, cycles_per_pass, times=splits / 2, as_share=as_share)


def cpu_radix(runs: Runs, n: str, **case: Any) -> Selection:
    """The CPU radix sort in the paper's form."""
    return runs.of("cpu_buffer_radix_paper", n=n, **case)


def over(runs: Runs, role: str, n: str, sort: str = "cpu_buffer_radix_paper", **case: Any) -> Values:
    """Ratio of another CPU sort's time to that of `sort`."""
    return speed_up(runs, sort, over=role, n=n, **case)


def growth(sort: Selection, low: str, high: str) -> Values:
    """Ratio of a sort's time per key at n = `high` to that at n = `low`."""
    return ratio(sort.but(n=high), sort.but(n=low), seconds_per_key, pair_on=[], reads="times the time per key")


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
    here = over(runs, "cpu_sort_but_knf", n="2^20..", sort="knf_radix_here")
    yield part("on Knights Ferry", at_least(2.2, speed_up(runs, "knf_radix", over="cpu_sort", n="2^20..")))
    yield beside("its sort against the fastest one, both on the processor at hand", at_least(2.2, here))


@claim(
    "SAT-C2",
    "summary, 2.2, 5",
    "many-core",
    inconsistency="X2",
    quote="Our KNF radix sort is about 1.7X faster than the GTX 280.",
)
def knights_ferry_over_gpu(runs: Runs) -> Answer:
    """Radix sort on Knights Ferry is 1.7 times as fast as the GPU's split radix sort."""
    return at_least(1.7, speed_up(runs, "knf_radix", over="gpu_split_radix", n="2^20.."))


@claim(
    "SAT-C3",
    "3.1",
    "many-core",
    inconsistency="X2",
    quote="This allows for a 1.8X gain in performance over the GTX 280.",
)
def knights_ferry_over_gpu_by_section_3_1(runs: Runs) -> Answer:
    """Radix sort on Knights Ferry is 1.8 times as fast as the GPU's split radix sort."""
    return at_least(1.8, speed_up(runs, "knf_radix", over="gpu_split_radix", n="2^20.."))


@claim(
    "SAT-C4",
    "summary, 1, 5",
    "gpu",
    TABLE_1,
    quote="We also improve the performance of GPU radix sort by 1.6X over previous results.",
)
def over_earlier_split_sort(runs: Runs) -> Answer:
    """The tuned split radix sort is 1.6 times as fast as the earlier one of Satish, Harris and Garland on the same
    GPU."""
    return at_least(1.6, most(speed_up(runs, "gpu_split_radix", over="ipdps09_radix", n="2^20..")))


@claim(
    "SAT-C5",
    "2.2, 3.1",
    "many-core",
    FIGURE_1,
    quote="we perform 6 bits per pass rather than 4 (expect the last stage when we handle 8 bits per pass). … Our "
    "sort runs at about 560 M elements/second.",
)
def constant_rate_on_knights_ferry(runs: Runs) -> Parts:
    """Knights Ferry sorts about 560 million keys per second, in five passes of 6, 6, 6, 6 and 8 bits."""
    rate = level(runs.of("knf_radix", n="2^20.."), keys_per_s)
    rate_here = spread(runs.of("knf_radix_here", n="2^20.."), keys_per_s, spans="2^20..2^24")
    yield part("keys per second", about(560e6, most(rate), within=0.15), figure_of="Knights Ferry")
    yield beside("its sort's rate over n, on the processor at hand", at_most(0.1, rate_here))
    yield part("the digits make up a key", equals(32, arithmetic(6 + 6 + 6 + 6 + 8)))


@claim(
    "SAT-C6",
    "2.1.1",
    "gpu",
    SETTINGS,
    quote="For best efficiency, we found that each thread within a thread warp must independently scan at least 13 "
    "elements. … The choice of D was picked to be 4, since that resulted in most bins having more than 16 "
    "elements",
)
def elements_per_thread(runs: Runs) -> Parts:
    """A thread must scan at least 13 elements for best efficiency, and digits of 4 bits leave most bins more than 16
    elements."""
    few = runs.of("gpu_split_radix_any_grain", n="2^20..", parameters={"items": [4, 8]})
    many = few.but(parameters={"items": [13, 16, 24]})
    of_4_bits = runs.of("gpu_split_radix_any_digit", n="2^20..", parameters={"digit_bits": 4})
    others = of_4_bits.but(parameters={}, parameters_not={"digit_bits": 4})
    yield part(
        "fewer than 13 elements per thread over 13 or more, the fastest of each", at_least(1.0, ratio(few, many))
    )
    yield beside("digits of 4 bits are fastest", at_least(1.0, ratio(others, of_4_bits)))
    yield part("elements a bin, 416 in a warp and 16 bins", at_least(16, arithmetic(13 * 32 / 2**4)))


@claim(
    "SAT-C7",
    "2.1.2, 3.2",
    "gpu",
    TABLE_1,
    inconsistency="X7",
    quote="Step 1 is still bandwidth bound due to the low computation performed – the expected bandwidth bound time"
    " is about 1.4 cycles per element. … Step 1 is bandwidth bound, but with each pass taking about 2 "
    "cycles/second rather than the expected 1.4 cycles/second in bandwidth.",
)
def step_1_is_bound_by_bandwidth(runs: Runs) -> Parts:
    """Step 1 of a pass is bound by bandwidth: 1.4 cycles per element predicted, 2 measured."""
    measured = level(gpu_radix(runs), in_phase("histogram", cycles_per_pass))
    yield part("cycles of one SM per element and pass of the histogram", about(2, measured, within=0.15), figure_of=GPU)
    yield part("the resource that binds it, by the counters", among(["dram"], binding(gpu_radix(runs), "histogram")))
    yield part("predicted from 4 bytes at 2.8 bytes a cycle", about(1.4, arithmetic(4 / 2.8), within=0.05))


@claim(
    "SAT-C8",
    "2.1.2, 3.2",
    "gpu",
    TABLE_1,
    inconsistency="X7b",
    quote="Step 3 is expected to be compute bound, and should take about 9 cycles per element. … the 1-bit splits "
    "take a total of 8.32 cycles/element per pass. Step 3 also involves global memory reads and writes, which"
    " take an additional 4 cycles/element per pass",
)
def step_3_is_bound_by_computing(runs: Runs) -> Parts:
    """Step 3 of a pass is bound by computing: about 9 cycles per element predicted, 8.32 + 4 measured."""
    measured = level(gpu_radix(runs), in_phase("scatter", cycles_per_pass))
    yield part(
        "cycles of one SM per element and pass of sorting and writing the blocks",
        about(8.32 + 4, measured, within=0.15),
        figure_of=GPU,
    )
    yield part(
        "the resource that binds it, by the counters", among(["issue", "shared"], binding(gpu_radix(runs), "scatter"))
    )
    yield part("predicted from 2.2 SIMD operations of 4 cycles", about(9, arithmetic(2.2 * 4), within=0.05))


@claim(
    "SAT-C9",
    "2.1.2",
    "gpu",
    SETTINGS,
    inconsistency="X3",
    quote="Most of this time is spent in the split operations, which take 59 scalar/1.84 SIMD ops, which is about "
    "1.84/(2.2 + 0.3) = 73% of the total operations. In practice, since Step 1 is bandwidth bound, we expect "
    "the split operations to take about 65% of overall time.",
)
def share_of_splits(runs: Runs) -> Parts:
    """The splits are 73 % of the operations and about 65 % of the time."""
    yield part(
        "share of the time of a pass, four splits by what two of four bits cost",
        about(0.65, cost_of_splits(runs, 4, as_share=True), within=0.15),
    )
    yield part("share of the operations", about(0.73, arithmetic(1.84 / (2.2 + 0.3)), within=0.02))


@claim(
    "SAT-C10",
    "2.1.2",
    "arithmetic",
    quote="introducing hardware to double the speed of the split operation will increase the overall sorting rate "
    "by about 1.5X.",
)
def splits_twice_as_fast(runs: Runs) -> Parts:
    """Splits twice as fast would make the whole sort 1.5 times as fast."""
    yield part("Amdahl's law with the 65 % of SAT-C9", about(1.5, arithmetic(1 / (1 - 0.65 + 0.65 / 2)), within=0.05))


@claim(
    "SAT-C11",
    "3.1",
    "cpu",
    FIGURE_1,
    quote="The sorting rate of CPU radix sort is constant at sizes above 128K elements, in line with the linear "
    "O(N) complexity of radix sort.",
)
def constant_rate_of_radix(runs: Runs) -> Answer:
    """The rate of the CPU radix sort is constant from 128K keys on."""
    return at_most(0.1, spread(runs.of("cpu_buffer_radix_paper", n="2^17.."), keys_per_s, spans="2^17..2^24"))


@claim(
    "SAT-C12",
    "3.1",
    "cpu",
    FIGURE_1,
    inconsistency="X6",
    quote="On the other hand, the sorting rate of merge sort reduces with N from about 240 M elements/second at N ="
    " 128 K to 140 M elements/second at N = 128 M. This is the effect of the O(N log N) complexity of merge "
    "sort.",
)
def falling_rate_of_merge(runs: Runs) -> Parts:
    """The rate of the CPU merge sort falls as 1 / log n, from 240 million keys per second at 128K to 140 at 128M."""
    by_n, by_n_here = (growth(runs.of(role), "2^17", "2^26") for role in ("chhugani_merge", "cpu_merge_here"))
    # The paper's own rates are 8 % off 1 / log n.
    yield part("64M against 128K, 1.53 by log n", about(26 / 17, by_n, within=0.15))
    yield beside("the same of libstdc++'s merge sorts", about(26 / 17, by_n_here, within=0.15))


@claim(
    "SAT-C13",
    "3.1",
    "gpu",
    FIGURE_1,
    quote="synchronization costs and high kernel call overheads on GPUs leads to slower performance of both radix "
    "and merge sort for N smaller than 1 million.",
)
def slow_below_a_million(runs: Runs) -> Parts:
    """Both GPU sorts slow down below a million keys: launching and synchronising costs."""
    radix, merge = runs.of("gpu_split_radix"), runs.of("gpu_merge")
    radix_slowdown, merge_slowdown = growth(radix, "2^24", "2^16"), growth(merge, "2^20", "2^16")
    yield part("radix, 64K against 16M", at_least(1.1, radix_slowdown))
    yield part("merge, 64K against 1M", at_least(1.1, merge_slowdown))


@claim(
    "SAT-C14",
    "3.1",
    "cpu",
    TABLE_1,
    quote="On the Core i7, radix sort has a throughput of 240M elements/second and outperforms merge sort for most "
    "values of N starting from 128K elements.",
)
def radix_rate(runs: Runs) -> Parts:
    """The CPU radix sort runs at 240 million keys per second and beats the merge sort for most n from 128K on."""
    rate = level(runs.of("cpu_buffer_radix_paper", n="2^17.."), keys_per_s)
    yield part("keys per second", at_least(240e6, most(rate)), figure_of=CPU)
    yield part("against the SSE merge sort", at_least(1.0, most(over(runs, "chhugani_merge", n="2^17.."))))
    yield beside("against the merge sorts here", at_least(1.0, most(over(runs, "cpu_merge_here", n="2^17.."))))


@claim(
    "SAT-C15",
    "3.1",
    "cpu",
    FIGURE_1,
    quote="At N = 2²⁷, the radix sort throughput is 1.7X the merge sort throughput of 144M elements/ second.",
)
def radix_over_merge(runs: Runs) -> Parts:
    """At 2^27 keys the CPU radix sort is 1.7 times as fast as the merge sort."""
    yield part("against the SSE merge sort", at_least(1.7, over(runs, "chhugani_merge", n="2^27")))
    yield beside(
        "against the merge sorts here, at 2^26", at_least(1.7, over(runs, "cpu_merge_here", n="2^26")), TABLE_1
    )


@claim(
    "SAT-C16",
    "3.1",
    "cpu",
    TABLE_1,
    quote="a single pass of radix sort is written using scalar instructions and takes about 13 cpe … Radix sort "
    "always takes 4 passes, and hence 52 cpe.",
)
def radix_cycles(runs: Runs) -> Parts:
    """The CPU radix sort takes 13 cycles per element and pass, 52 for four passes."""
    measured = level(runs.of("cpu_buffer_radix_paper", n="2^18.."), cycles_per_pass)
    yield part("cycles of one core per element and pass", about(13, most(measured), within=0.15), figure_of=CPU)


@claim(
    "SAT-C17",
    "3.1",
    "cpu",
    config="configs/satish2010/SAT-WIDTH.json",
    inconsistency="X6",
    quote="a single pass of merge sort (using SSE instructions) only takes 2.5 cpe (which is a 3.8X speed-up over "
    "scalar code).",
)
def merge_cycles(runs: Runs) -> Parts:
    """The merge sort takes 2.5 cycles per element and pass, 3.8 times less than scalar code."""
    measured = level(runs.of("chhugani_merge", n="2^18.."), cycles_per_level)
    over_scalar = over(runs, "chhugani_merge_scalar", n="2^20..", sort="chhugani_merge")
    yield part("cycles of one core per element and pass", about(2.5, most(measured), within=0.15), figure_of=CPU)
    yield part("against scalar code", at_least(3.8, most(over_scalar)))


@claim(
    "SAT-C18",
    "3.1",
    "gpu",
    TABLE_1,
    inconsistency="X3",
    quote="Radix sort takes about 115 cycles/element, which is spent in performing 32 1-bit splits (each takes "
    "about 2.3 cycles per element), plus the time taken for histogram computations (2 · 8 = 16 "
    "cycles/element) and writing out local sorted data to global memory (3 · 8 = 24 cycles/element).",
)
def gpu_radix_cycles(runs: Runs) -> Parts:
    """The GPU radix sort takes 115 cycles per element: 32 splits of 2.3, 16 for histograms, 24 for writing."""
    histograms = level(gpu_radix(runs), in_phase("histogram", cycles))
    yield part("cycles of one SM per element", about(115, level(gpu_radix(runs), cycles), within=0.15), figure_of=GPU)
    yield part(
        "cycles of one SM per element and split, by what two of four bits cost",
        about(2.3, cost_of_splits(runs, 1), within=0.15),
        SETTINGS,
        figure_of=GPU,
    )
    yield part("cycles of one SM per element, all histograms", about(16, histograms, within=0.15), figure_of=GPU)
    yield part(
        "share of the histograms, 16 of 115 cycles",
        about(16 / 115, share(gpu_radix(runs), "histogram"), within=0.15),
    )
    yield part("the sum of the parts", about(115, arithmetic(32 * 2.3 + 16 + 24), within=0.02))


@claim(
    "SAT-C19",
    "3.1",
    "gpu",
    TABLE_1,
    quote="merge sort could … potentially run at 268 M elements/second. However, we found that the merge code "
    "suffers from overheads due to index computations and array reversal, resulting in an achieved "
    "performance of only 176 M elements/second.",
)
def gpu_merge_rate(runs: Runs) -> Parts:
    """The GPU merge sort reaches 176 of the 268 million keys per second that its merge network would allow at 2^26."""
    yield part(
        "cycles of one SM per element and level, 32 lanes of 1.4 instructions allow 5.6",
        about(5.6 / 0.657, level(runs.of("gpu_merge", n="2^26"), cycles_per_level), within=0.15),
        figure_of=GPU,
    )
    yield part(
        "share of the rate that the merge network's instructions allow, 176 of 268",
        untestable("no record states the rate that the instructions of the merge network allow on this GPU"),
    )
    yield part(
        "rate that 1.4 instructions allow, in 10^6 per second",
        about(268, arithmetic(30 * 1.3e9 / (4 * 1.4 * 26) / 1e6), within=0.01),
    )


@claim(
    "SAT-C20",
    "3.1",
    "cpu+gpu",
    TABLE_1,
    inconsistency="X4",
    quote="we find that the best radix sort, the GPU radix sort outperforms the best CPU sort by about 20%.",
)
def gpu_radix_over_cpu(runs: Runs) -> Parts:
    """The GPU radix sort is faster than the best CPU sort, by about 20 % on the paper's machines."""
    over_cpu = speed_up(runs, "gpu_split_radix", over="cpu_sort", n="2^20..")
    # The order is the claim's, its size that of two machines: another size has the direction.
    yield part("the GPU's sort against the fastest of the CPU", about(1.2, most(over_cpu), within=0.1, neutral=1))


@claim(
    "SAT-C21",
    "3.1",
    "cpu+gpu",
    TABLE_1,
    quote="the GPU merge sort does perform slightly better than the CPU merge sort, but the difference is still "
    "small.",
)
def gpu_merge_over_cpu_merge(runs: Runs) -> Parts:
    """The GPU merge sort is slightly faster than the CPU merge sort on the paper's machines."""
    over_sse, over_here = (
        speed_up(runs, "gpu_merge", over=role, n="2^20..") for role in ("chhugani_merge", "cpu_merge_here")
    )
    yield part("against the SSE merge sort, slightly being up to a quarter", between(1.0, 1.25, most(over_sse)))
    yield beside("against the merge sorts here", between(1.0, 1.25, most(over_here)))


@claim(
    "SAT-C22",
    "3.2",
    "gpu",
    TABLE_1,
    inconsistency="X3",
    quote="Step 1 is bandwidth bound, but with each pass taking about 2 cycles/second … the 1-bit splits take a "
    "total of 8.32 cycles/element per pass. … an additional 4 cycles/element per pass … Overall, our "
    "algorithm takes about 14.8 cycles/element per pass, or a total of 14.8 × 8 = 118.4 cycles/element for 8 "
    "passes.",
)
def gpu_pass_cycles(runs: Runs) -> Parts:
    """A pass of the GPU radix sort takes 14.8 cycles per element, 118.4 for eight: 2 for step 1, 8.32 for the splits, 4
    for memory."""
    yield part("cycles of one SM per element", about(118.4, level(gpu_radix(runs), cycles), within=0.15), figure_of=GPU)
    yield part(
        "cycles of one SM per element, four splits by what two of four bits cost",
        about(8.32, cost_of_splits(runs, 4), within=0.15),
        SETTINGS,
        figure_of=GPU,
    )
    yield part("share of step 1, 2 of 14.8 cycles", about(2 / 14.8, share(gpu_radix(runs), "histogram"), within=0.15))
    yield part(
        "share of four splits by what two of four bits cost, 8.32 of 14.8 cycles",
        about(8.32 / 14.8, cost_of_splits(runs, 4, as_share=True), within=0.15),
        SETTINGS,
    )
    yield part("the sum of the parts", about(14.8, arithmetic(2 + 8.32 + 4), within=0.02))


@claim(
    "SAT-C23",
    "3.3",
    "cpu",
    TABLE_1,
    inconsistency="X1",
    quote="Our radix sort is up to 1.7X faster than the best reported sort so far (the merge sort based on Chhugani"
    " et al. [9]), and up to 3.8X better than AA-Sort. … We are also 2X better than the IPP radix sort at "
    "larger data sizes.",
)
def radix_over_other_cpu_sorts(runs: Runs) -> Parts:
    """The CPU radix sort is up to 1.7 times as fast as the merge sort, 3.8 times as AA-Sort, 2 times as IPP's radix
    sort."""
    over_ipp = over(runs, "intel_ipp", n="2^18..", threads=1)
    over_all = over(runs, "other_cpu_sort", n="2^18..", sort="cpu_buffer_radix")
    yield part("against the SSE merge sort", at_least(1.7, largest(over(runs, "chhugani_merge", n="2^18.."))))
    yield part("against AA-Sort", at_least(3.8, largest(over(runs, "inoue_aa", n="2^18.."))))
    yield part("against IPP, which sorts on one thread, on one", at_least(2, largest(over_ipp)))
    yield beside("faster than every other CPU sort here", at_least(1.0, over_all))


@claim(
    "SAT-C24",
    "3.3",
    "gpu",
    TABLE_1,
    inconsistency="X5",
    quote="We are about 1.5-2X better than their recent implementation. … Their results show that their "
    "implementation is compute bound",
)
def gpu_merge_over_sample_sort(runs: Runs) -> Parts:
    """The GPU merge sort is 1.5 to 2 times as fast as sample sort, which is bound by computing."""
    over_sample_sort = speed_up(runs, "gpu_merge", over="gpu_sample_sort", n="2^18..")
    yield part("against sample sort", between(1.5, 2.0, most(over_sample_sort)))
    yield part(
        "sample sort follows the clock more than bandwidth, from one GPU to another",
        at_most(0.5, memory_share(runs.of("gpu_sample_sort", value_type="u32")), neutral=0.5),
        config="configs/leischner2009/LEI-F6.json",
    )


@claim(
    "SAT-C25",
    "3.3",
    "gpu",
    FIGURE_1,
    inconsistency="X5",
    quote="Our merge sort is slightly faster than radix up to 256 K elements, but the complexity of radix sort "
    "takes over at larger inputs.",
)
def gpu_merge_over_radix_on_few_keys(runs: Runs) -> Answer:
    """Up to 256K keys the GPU merge sort is slightly faster than the GPU radix sort."""
    return at_least(1.0, speed_up(runs, "gpu_merge", over="gpu_split_radix", n="2^16..2^18"))


@claim(
    "SAT-C26",
    "4, Figure 2",
    "cpu+gpu",
    FIGURE_2,
    quote="we see that CPU performance on 64-bit and 128-bit keys is 2.7X and 10.9X slower than 32-bit keys. … On "
    "GPUs, the slowdown on 64-bit and 128-bit keys is 3.0X and 9.7X.",
)
def wide_keys(runs: Runs) -> Parts:
    """Against 32-bit keys, 64-bit and 128-bit keys take 2.7 and 10.9 times as long on the CPU, 3.0 and 9.7 times on the
    GPU."""
    cpu, gpu = cpu_radix(runs, n="2^20.."), gpu_radix(runs)
    yield part("CPU, 64-bit keys", about(2.7, most(ratio(cpu.but(key_type="u64"), cpu)), within=0.15))
    yield part("CPU, 128-bit keys", about(10.9, most(ratio(cpu.but(key_type="u128"), cpu)), within=0.15))
    yield part("GPU, 64-bit keys", about(3.0, most(ratio(gpu.but(key_type="u64"), gpu)), within=0.15))
    yield part("GPU, 128-bit keys", about(9.7, most(ratio(gpu.but(key_type="u128"), gpu)), within=0.15))


@claim(
    "SAT-C27",
    "4",
    "cpu",
    FIGURE_2,
    quote="CPUs become bandwidth bound for larger than 6 byte keys, and thereafter slow down quadratically with key"
    " width.",
)
def square_of_the_width(runs: Runs) -> Parts:
    """The CPU radix sort is bound by bandwidth above 6 bytes a key and slows down with the square of the width from
    there."""
    keys_64 = cpu_radix(runs, n="2^20..", key_type="u64")
    yield part(
        "128-bit against 64-bit keys: four times the bytes",
        about(4, most(ratio(keys_64.but(key_type="u128"), keys_64)), within=0.15, neutral=2),  # 2 were linear
    )


@claim(
    "SAT-C28",
    "4",
    "cpu",
    FIGURE_2,
    quote="The bandwidth requirement of radix sort therefore scales quadratically with key-width. … The number of "
    "instructions per pass, is therefore constant; compute only increases linearly with the number of passes.",
)
def bytes_by_width(runs: Runs) -> Parts:
    """Bytes moved grow with the square of the key's width, the CPU's instructions only with the width."""
    keys_32 = cpu_radix(runs, n="2^20..")
    yield part("bytes of all passes, 64-bit over 32-bit keys", equals(4, arithmetic((8 * 8) / (4 * 4))))
    yield part("bytes and instructions as counted", untestable("no record of the sort's counters with 64-bit keys"))
    yield part(
        "64-bit over 32-bit keys, between linear and square",
        between(2, 4, most(ratio(keys_32.but(key_type="u64"), keys_32))),
    )


@claim(
    "SAT-C29",
    "4, Figure 2",
    "cpu+gpu",
    FIGURE_2,
    quote="the performance of 32-bit key and rid pairs is only 1.3X worse than 32-bit key sort on CPUs and only "
    "1.2X worse on GPUs.",
)
def record_ids(runs: Runs) -> Parts:
    """A 32-bit record id with each 32-bit key costs 1.3 times the time on the CPU, 1.2 times on the GPU."""
    cpu, gpu = cpu_radix(runs, n="2^20.."), gpu_radix(runs)
    yield part("CPU", about(1.3, most(ratio(cpu.but(value_type="u32"), cpu)), within=0.15))
    yield part("GPU", about(1.2, most(ratio(gpu.but(value_type="u32"), gpu)), within=0.15))


@claim(
    "SAT-C30",
    "3.1, Figure 1",
    "cpu+gpu",
    FIGURE_1,
    quote="N varies from 2¹⁶ to the largest input that fits in memory on the respective platforms … The sorting "
    "rate of CPU radix sort is constant at sizes above 128K elements … GPU trends are also similar at large N"
    " over one million.",
)
def largest_inputs(runs: Runs) -> Parts:
    """Both radix sorts keep their rates up to the largest input that fits into memory."""
    on_cpu = spread(runs.of("cpu_buffer_radix_paper", n="2^24.."), keys_per_s, spans="2^24..2^27")
    on_gpu = spread(runs.of("gpu_split_radix", n="2^24.."), keys_per_s, spans="2^24..2^28")
    yield part("CPU radix, 16M keys to at least 128M", at_most(0.1, on_cpu))
    yield part("GPU radix, 16M keys to at least 256M", at_most(0.1, on_gpu))


@claim(
    "SAT-C31",
    "2.1",
    "gpu",
    quote="scalar code is 32X off in performance from the peak compute flops. For radix sort, this means that the "
    "scalar buffer version of radix sort performs badly.",
)
def scalar_code_on_gpu(runs: Runs) -> Answer:
    """Scalar code reaches a 32nd of the GPU's peak, so that the buffer radix sort is slower than the split one
    there."""
    return at_least(1.0, speed_up(runs, "gpu_split_radix", over="gpu_buffer_radix", n="2^20.."))


@claim("SAT-C32", "2.1.2, 3.2", "gpu", TABLE_1, quote="Step 2 takes negligible time.")
def scan_is_negligible(runs: Runs) -> Answer:
    """Step 2, the prefix sum over the histograms, takes negligible time."""
    return at_most(0.02, most(share(gpu_radix(runs), "scan")))
