"""Shared by the artifacts of Satish et al.: the paper's columns, and the roles of their stand-ins here."""

from __future__ import annotations

from dataclasses import dataclass

from ...records import origins
from ...records.machines import host_id
from ...records.measurement import Measurement, fastest_by_n
from ...records.collection import Records

# Roles of the paper's sorts, each in the paper's form, and of the library with which it compares them.
RADIX, MERGE, AA_SORT, IPP = "cpu_buffer_radix_paper", "chhugani_merge", "inoue_aa", "intel_ipp"
KNF_RADIX, GPU_RADIX, GPU_MERGE = "knf_radix_here", "gpu_split_radix", "gpu_merge"
GPU_SAMPLE = "gpu_sample_sort"
CPU_ROLES, GPU_ROLES = (RADIX, MERGE, AA_SORT, IPP), (GPU_RADIX, GPU_MERGE, GPU_SAMPLE)
ROLES = (*CPU_ROLES, KNF_RADIX, *GPU_ROLES)
CORES = 4  # cores of the paper's Core i7
# The paper does not say how many runs its times stand for; the mean of the samples is shown beside the median.
ESTIMATOR = "the paper names no estimator: the mean stands beside the median"


@dataclass(frozen=True)
class Column:
    """A column of SAT-T1, a line of SAT-F1."""

    platform: str
    head: str
    published: str  # `algorithm` of its published records
    role: str = ""  # role of the sorts that stand for it here; empty if none does
    own: bool = False  # the paper's own implementation, italic in the paper
    absent: str = ""  # reason why it is not measured here
    note: str = ""


CPU, GPU = "Core i7", "GTX 280"
NO_IPP = "these records hold no sort of IPP, which is built in where it is found"
NO_SAMPLE = "these records hold no sample sort on a GPU"
COLUMNS = (
    Column(CPU, "Radix", "radix-buffer(own)", RADIX, own=True),
    Column(CPU, "IPP [2]", "radix-IPP", IPP, absent=NO_IPP),
    Column(CPU, "Merge [9]", "merge-Chhugani", MERGE),
    Column(CPU, "AA-Sort [13]", "AA-sort", AA_SORT, note="the paper heads it “Radix”"),
    Column(GPU, "Radix", "radix-split(own)", GPU_RADIX, own=True),
    Column(GPU, "Merge", "merge(own)", GPU_MERGE, own=True),
    Column(GPU, "Sample [18]", "sample[18]", GPU_SAMPLE, absent=NO_SAMPLE, note="measured on a Tesla C1060"),
)


def most_threads(measurements: list[Measurement]) -> int:
    """The largest number of threads measured here with free cores, since the paper used all cores of its machine."""
    free = [m.case.threads for m in measurements if not m.disturbed] or [m.case.threads for m in measurements]
    return max(free, default=1)


def in_form(records: Records, role: str, measured: list[Measurement]) -> list[Measurement]:
    """The measurements in the form that their sort has in this role."""
    standing = records.standing_for(role)

    def so(m: Measurement) -> bool:
        form = standing.get(m.case.algorithm, {})
        return all(m.case.parameters.get(name) == value for name, value in form.items())

    return [m for m in measured if so(m)]


def in_both_forms(records: Records, role: str) -> tuple[list[Measurement], list[Measurement]]:
    """A sort of the paper on uniform u32: in the paper's form, and tuned for this machine (any other parameters)."""
    standing = records.standing_for(role)
    everything = records.ok(
        algorithm=lambda name: name in standing, key_type="u32", value_type="none", distribution="uniform"
    )
    paper = in_form(records, role, everything)
    in_paper = {id(m) for m in paper}
    return paper, [m for m in everything if id(m) not in in_paper]


def forms(records: Records, role: str) -> tuple[list[Measurement], list[Measurement]]:
    """Both forms, each on one number of threads: the tuned form on the paper form's if measured so, else on its own
    largest."""
    paper, tuned = in_both_forms(records, role)
    paper = _on(most_threads(paper), paper)
    beside = _on(paper[0].case.threads, tuned) if paper else []
    return paper, beside or _on(most_threads(tuned), tuned)


def _on(threads: int, measured: list[Measurement]) -> list[Measurement]:
    return [m for m in measured if m.case.threads == threads]


def blocks_of_threads(records: Records) -> list[int]:
    """The numbers of threads on which the paper's CPU sorts were measured: first the one with most of its parallel
    sorts in its forms, the larger of equals, then the others from the largest on."""
    both = [in_both_forms(records, role) for role in CPU_ROLES]
    every = {m.case.threads for forms_ in both for form in forms_ for m in form if m.case.on_host}
    in_papers_form = [{m.case.threads for m in paper} for paper, _ in both[:3]]
    columns = {threads: sum(threads in of for of in in_papers_form) for threads in every}
    first = max(columns, key=lambda threads: (columns[threads], threads), default=None)
    return sorted(every, key=lambda threads: (threads != first, -threads))


def records_of_gpu(records: Records) -> Records:
    """The records of one GPU, this machine's or another in the same host: the one that has the most of the paper's GPU
    sorts measured in both the paper's form and the tuned one."""

    def filled(of: Records) -> int:
        return sum(bool(in_both_forms(of, role)[0]) for role in GPU_ROLES)

    others = [other for other in records.others() if host_id(other.machine or "") == host_id(records.machine or "")]
    return max([records, *others], key=filled)


def own_sort(records: Records) -> dict[int, Measurement]:
    """This project's own sort on the same keys, on as many threads as the paper's."""
    found = records.ok(algorithm=origins.flagship(records), key_type="u32", value_type="none", distribution="uniform")
    threads = most_threads(found)
    return fastest_by_n(m for m in found if m.case.threads == threads)
