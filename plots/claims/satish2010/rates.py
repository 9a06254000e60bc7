"""Rates of the sorts over n, and beside each other and other sorts (sections 3 and 5)."""

from __future__ import annotations

from typing import Any

from ..claim import Parts, beside, claim, part
from ..leischner2009 import TWO_GPUS
from ..measures import arithmetic, level, memory_share, ratio, speed_up, spread
from ..quantities import cycles_per_level, cycles_per_pass, keys_per_s, keys_per_s_and_core, seconds, seconds_per_key
from ..readings import A_FACTOR, LARGE_ON_CPU, LARGE_ON_GPU, SLIGHTLY
from ..selection import Runs, Selection
from ..verdicts import Answer, Values, about, at_least, at_most, between, largest, majority, most, untestable
from . import CPU, FIGURE_1, GPU, TABLE_1, over

BOTH_MACHINES = f"{CPU} and the {GPU}"
PAPERS_CORES = 4
SO_MANY = "with as many threads as the paper’s cores"
TUNED = "the setting that is fastest here for the paper’s"


def growth(sort: Selection, low: str, high: str) -> Values:
    """Ratio of a sort's time per key at n = `high` to that at n = `low`."""
    return ratio(sort.but(n=high), sort.but(n=low), seconds_per_key, pair_on=[], reads="times the time per key")


def tuned_over_merge(runs: Runs, n: str) -> Values:
    """Ratio of the SSE merge sort's time to that of the CPU radix sort in the setting that is fastest here."""
    return over(runs, "chhugani_merge", n=n, sort="cpu_buffer_radix")


@claim(
    "SAT-C4",
    "summary, 1, 5",
    "gpu",
    TABLE_1,
    quote="We also improve the performance of GPU radix sort by 1.6X over previous results.",
)
def over_earlier_split_sort(runs: Runs) -> Answer:
    """The paper's GPU radix sort is 1.6 times as fast as the earlier one of Satish, Harris and Garland on the same
    GPU."""
    return at_least(1.6, most(speed_up(runs, "gpu_split_radix", over="ipdps09_radix", n="2^20..")))


@claim(
    "SAT-C11",
    "3.1",
    "cpu",
    FIGURE_1,
    quote="The sorting rate of CPU radix sort is constant at sizes above 128K elements, in line with the linear "
    "O(N) complexity of radix sort.",
)
def constant_rate_of_radix(runs: Runs) -> Parts:
    """The rate of the CPU radix sort is constant above 128K keys (read as: within a tenth; judged from 1M keys on,
    where each of up to 32 cores has the 32K keys that 128K are for each of the paper's four)."""
    radix = runs.of("cpu_buffer_radix_paper")

    def rates(n: str, **threads: int) -> Answer:
        return at_most(0.1, spread(radix.but(n=n, **threads), keys_per_s, spans=f"{n}2^24"))

    yield part("rates from 1M keys on", rates(LARGE_ON_CPU))
    yield part("rates from 256K keys on", rates("2^18.."), figure_of=CPU)
    yield beside(f"rates from 256K keys on, {SO_MANY}", rates("2^18..", threads=PAPERS_CORES), told=True)
    yield beside("rates from 256K keys on, one thread", rates("2^18..", threads=1))


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
    """The rate of the CPU merge sort falls as 1 / log n, from 240 million keys per second at 128K to 140 at 128M
    (judged from 1M keys on, as in SAT-C11)."""
    merge, merge_here = runs.of("chhugani_merge"), runs.of("cpu_merge_here")
    from_128k = growth(merge.but(threads=PAPERS_CORES), "2^17", "2^27")
    # The paper's own rates, 1.71, are 8 % off 1 / log n.
    yield part("128M against 1M keys, 1.35 by log n", about(27 / 20, growth(merge, "2^20", "2^27"), within=A_FACTOR))
    yield beside(
        f"128M against 128K keys, 1.59 by log n, {SO_MANY}",
        about(27 / 17, from_128k, within=A_FACTOR),
        told=True,
    )
    yield beside(
        "libstdc++’s merge sorts, 64M against 1M keys, 1.3 by log n",
        about(26 / 20, growth(merge_here, "2^20", "2^26"), within=A_FACTOR),
    )


@claim(
    "SAT-C13",
    "3.1",
    "gpu",
    FIGURE_1,
    quote="synchronization costs and high kernel call overheads on GPUs leads to slower performance of both radix "
    "and merge sort for N smaller than 1 million.",
)
def slow_below_a_million(runs: Runs) -> Parts:
    """Below a million keys both GPU sorts take longer per key, since launching and synchronising costs (read as: at 64K
    by a tenth or more; the effect is tested, not its cause)."""
    radix, merge = runs.of("gpu_split_radix"), runs.of("gpu_merge")
    yield part("radix, 64K against 1M", at_least(1.1, growth(radix, "2^20", "2^16")))
    yield part("merge, 64K against 1M", at_least(1.1, growth(merge, "2^20", "2^16")))
    yield part(
        "the cause", untestable("times of whole sorts do not separate launches and synchronisation from the rest")
    )


@claim(
    "SAT-C14",
    "3.1",
    "cpu",
    TABLE_1,
    quote="On the Core i7, radix sort has a throughput of 240M elements/second and outperforms merge sort for most "
    "values of N starting from 128K elements.",
)
def radix_rate(runs: Runs) -> Parts:
    """The CPU radix sort runs at 240 million keys per second and beats the merge sort for most n from 128K on (judged
    from 1M keys on, as in SAT-C11)."""
    rate = level(runs.of("cpu_buffer_radix_paper", n="2^17.."), keys_per_s_and_core)

    def beats(role: str, n: str = LARGE_ON_CPU, **threads: Any) -> Answer:
        return at_least(1.0, majority(over(runs, role, n=n, **threads)))

    yield part("keys per second and core, 240 million on four", at_least(240e6 / 4, most(rate)), figure_of=CPU)
    yield part("against the SSE merge sort", beats("chhugani_merge"))
    yield part("against the SSE merge sort, from 128K keys on", beats("chhugani_merge", "2^17.."), figure_of=CPU)
    on_four = beats("chhugani_merge", "2^17..", threads=PAPERS_CORES)
    yield beside(f"against it from 128K keys on, {SO_MANY}", on_four, told=True)
    tuned = at_least(1.0, majority(tuned_over_merge(runs, n=LARGE_ON_CPU)))
    yield beside("the tuned radix sort against it", tuned, adapted=TUNED, told=True)
    yield beside("against libstdc++’s merge sorts", beats("cpu_merge_here"))


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
    on_four = at_least(1.7, over(runs, "chhugani_merge", n="2^27", threads=PAPERS_CORES))
    yield beside(f"against it {SO_MANY}", on_four, told=True)
    yield beside("the tuned radix sort against it", at_least(1.7, tuned_over_merge(runs, n="2^27")), adapted=TUNED)
    yield beside(
        "against libstdc++’s merge sorts, at 2^26", at_least(1.7, over(runs, "cpu_merge_here", n="2^26")), TABLE_1
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
    """A pass of the merge sort takes 2.5 cycles per element and is 3.8 times as fast as in scalar code."""
    measured = level(runs.of("chhugani_merge", n="2^18.."), cycles_per_level)
    # The paper counts cycles of a core that computes. One thread is the nearer to that: the scalar code of many threads
    # waits for the same memory as the vectors do.
    alone = over(runs, "chhugani_merge_scalar", n="2^20..", sort="chhugani_merge", threads=1)
    over_scalar = over(runs, "chhugani_merge_scalar", n="2^20..", sort="chhugani_merge")
    yield part("cycles of one core per element and pass", about(2.5, most(measured), within=0.15), figure_of=CPU)
    whole_sorts = "whole sorts, which also sort their blocks, for a pass"
    name = "whole sorts with SSE registers of 128 bits against scalar code"
    yield part(name, at_least(3.8, most(alone)), adapted=whole_sorts)
    yield beside("the same sorts", at_least(3.8, most(over_scalar)), adapted=whole_sorts, told=True)


@claim(
    "SAT-C20",
    "3.1",
    "cpu+gpu",
    TABLE_1,
    inconsistency="X4",
    quote="In terms of absolute performance of CPU versus GPU, we find that the best radix sort, the GPU radix sort "
    "outperforms the best CPU sort by about 20%. The reason for the relatively low speedup is that scalar buffer code "
    "performs badly on the GPU.",
)
def gpu_radix_over_cpu(runs: Runs) -> Parts:
    """On the paper's two machines the GPU radix sort is only about 20 % faster than the best CPU sort, a "relatively
    low speedup" (not judged, since it compares a GTX 280 with a Core i7)."""
    over_papers, over_all = (
        about(1.2, most(speed_up(runs, "gpu_split_radix", over=role, n="2^20..")), within=A_FACTOR, neutral=1)
        for role in ("papers_cpu_sort", "cpu_sort")
    )
    # "In terms of absolute performance of CPU versus GPU": how far a GPU is ahead of a CPU belongs to the two machines.
    # The message is that the gain is low, which the order alone would hide.
    yield part("against the fastest of the paper's CPU sorts", over_papers, figure_of=BOTH_MACHINES)
    yield beside("against the fastest of all CPU sorts here", over_all, told=True)


@claim(
    "SAT-C21",
    "3.1",
    "cpu+gpu",
    TABLE_1,
    quote="In terms of absolute performance of CPU versus GPU, … the GPU merge sort does perform slightly better than "
    "the CPU merge sort, but the difference is still small.",
)
def gpu_merge_over_cpu_merge(runs: Runs) -> Parts:
    """On the paper's two machines the GPU merge sort is slightly faster than the CPU merge sort (read as: by up to a
    quarter; not judged, as in SAT-C20; by the paper's own Table 1 it is slower at 256K keys)."""
    over_sse, over_here = (
        speed_up(runs, "gpu_merge", over=role, n="2^20..") for role in ("chhugani_merge", "cpu_merge_here")
    )
    yield part("against the SSE merge sort", between(1.0, SLIGHTLY, most(over_sse)), figure_of=BOTH_MACHINES)
    yield beside("against libstdc++’s merge sorts", between(1.0, SLIGHTLY, most(over_here)))
    for n, on_cpu, on_gpu in (("256K", 1.2, 1.3), ("64M", 439.7, 381.8)):
        gain = between(1.0, SLIGHTLY, arithmetic(on_cpu / on_gpu))
        yield part(f"Table 1 at {n} keys, {on_cpu} against {on_gpu} ms", gain, told=True)


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
    """The CPU radix sort is up to 1.7 times as fast as the merge sort, up to 3.8 times as fast as AA-Sort, and twice as
    fast as IPP's radix sort on many keys (read as: from 16M on, where the paper's Table 1 has 2.0 and 2.4; the seconds
    tell how far each form is from the paper's)."""
    many: dict[str, Any] = dict(n="2^24..", threads=1)
    over_all = over(runs, "other_cpu_sort", n="2^18..", sort="cpu_buffer_radix")
    over_merge, over_aa = (largest(over(runs, role, n="2^18..")) for role in ("chhugani_merge", "inoue_aa"))
    yield part("in the paper’s form, against the SSE merge sort", at_least(1.7, over_merge))
    yield part("in the paper’s form, against AA-Sort", at_least(3.8, over_aa))
    yield part(
        "in the paper’s form, against IPP from 16M keys on", at_least(2, largest(over(runs, "intel_ipp", **many)))
    )
    for role, name, paper in (
        ("cpu_buffer_radix_paper", "the radix sort", 0.2710),
        ("chhugani_merge", "the SSE merge sort", 0.4397),
    ):
        taken = level(runs.of(role, n="2^26", threads=PAPERS_CORES), seconds, even_disturbed=True)
        title = f"{name} of 64M keys {SO_MANY}, {1000 * paper:.0f} ms on the Core i7"
        yield part(title, at_most(paper, taken), figure_of=CPU, told=True)
    on_four = at_least(1.7, largest(over(runs, "chhugani_merge", n="2^18..", threads=PAPERS_CORES)))
    yield beside(f"in the paper’s form against the SSE merge sort, {SO_MANY}", on_four, told=True)
    tuned = at_least(1.7, largest(tuned_over_merge(runs, n="2^18..")))
    yield beside("tuned radix sort against the SSE merge sort", tuned, adapted=TUNED)
    tuned = at_least(2, over(runs, "intel_ipp", sort="cpu_buffer_radix", **many))
    yield beside("tuned radix sort against IPP", tuned, adapted=TUNED, told=True)
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
    """The GPU merge sort is 1.5 to 2 times as fast as sample sort, and sample sort is bound by computing (read as: less
    than half of its time follows bandwidth from one GPU to another; the paper takes sample sort's times from a Tesla,
    and here both sorts run on one GPU)."""
    over_sample_sort = speed_up(runs, "gpu_merge", over="gpu_sample_sort", n="2^18..")
    yield part("against sample sort", between(1.5, 2.0, most(over_sample_sort)))
    yield part(
        "less than half of sample sort follows bandwidth, from one GPU to another",
        at_most(0.5, memory_share(runs.of("gpu_sample_sort", n="2^18..")), neutral=0.5),
        machine=TWO_GPUS,
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
def gpu_merge_over_radix_on_few_keys(runs: Runs) -> Parts:
    """Up to 256K keys the GPU merge sort is slightly faster than the GPU radix sort (read as: by up to a quarter, as in
    SAT-C21); on more keys the radix sort is faster (judged at 64K keys, the paper's fewest, and from 16M on, as in
    SAT-C30: the size between them at which one overtakes the other is the GPU's, as in STE-C23)."""

    def merge_over_radix(n: str) -> Values:
        return speed_up(runs, "gpu_merge", over="gpu_split_radix", n=n)

    def radix_over_merge(n: str) -> Values:
        return most(speed_up(runs, "gpu_split_radix", over="gpu_merge", n=n))

    yield part("merge over radix sort, 64K keys", between(1.0, SLIGHTLY, merge_over_radix("2^16")))
    yield part("radix over merge sort, from 16M keys on", at_least(1.0, radix_over_merge(LARGE_ON_GPU)))
    up_to_256k = between(1.0, SLIGHTLY, merge_over_radix("2^16..2^18"))
    yield part("merge over radix sort, up to 256K keys", up_to_256k, figure_of=GPU, told=True)
    from_512k = at_least(1.0, radix_over_merge("2^19.."))
    yield part("radix over merge sort, from 512K keys on", from_512k, figure_of=GPU, told=True)


@claim(
    "SAT-C31",
    "2.1",
    "gpu",
    config="configs/satish2010/SAT-C31.json",
    quote="scalar code is 32X off in performance from the peak compute flops. For radix sort, this means that the "
    "scalar buffer version of radix sort performs badly.",
)
def scalar_code_on_gpu(runs: Runs) -> Parts:
    """Scalar code, one lane of 32, is so slow on a GPU that the buffer radix sort loses to the split one there."""
    over_buffer = speed_up(runs, "gpu_split_radix", over="gpu_buffer_radix", n="2^20..")
    yield part("the split sort over the buffer sort", at_least(1.0, over_buffer))
