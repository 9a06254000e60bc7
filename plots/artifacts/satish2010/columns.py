"""What SAT-T1 and SAT-F1 share: the paper's columns and the plug-ins that stand for them here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from .. import claims, ours
from ..measurement import Measurement
from ..records import Records

PAPER = "satish2010"


def _paper_forms() -> dict[str, dict[str, Any]]:
    """By plug-in, the parameters of the paper’s form, as its claims are judged by; none of a library."""
    roles = claims.roles()
    return {
        roles[name]["plug_ins"][0]: roles[name].get("parameters", {})
        for name in (
            *("satish_cpu_radix_paper", "chhugani_merge", "aa_sort", "ipp_radix"),
            *("knf_radix_here", "satish_gpu_radix", "satish_gpu_merge"),
        )
    }


PAPER_FORMS = _paper_forms()
# SAT does not say how many runs its times stand for; the mean of the samples is shown beside the median.
ESTIMATOR = "the paper names no estimator: the mean stands beside the median"


@dataclass(frozen=True)
class Column:
    """A column of SAT-T1, a line of SAT-F1."""

    platform: str
    head: str
    published: str  # `algorithm` of its published records
    algorithm: Optional[str] = None  # the plug-in here, if there is one
    own: bool = False  # the paper's own implementation, italic in the paper
    absent: str = ""  # why it is not measured here, where it is not
    note: str = ""


NO_SAMPLE_SORT = "sample sort is no plug-in here"
NO_IPP = "these records hold no sort of IPP, which is built in where it is found"
COLUMNS = (
    Column("Core i7", "Radix", "radix-buffer(own)", "satish_cpu_radix", own=True),
    Column("Core i7", "IPP [2]", "radix-IPP", "ipp_radix", absent=NO_IPP),
    Column("Core i7", "Merge [9]", "merge-Chhugani", "satish_cpu_merge"),
    Column("Core i7", "AA-Sort [13]", "AA-sort", "aa_sort", note="headed “Radix” (X1)"),
    Column("GTX 280", "Radix", "radix-split(own)", "satish_split_radix", own=True),
    Column("GTX 280", "Merge", "merge(own)", "satish_gpu_merge", own=True),
    Column("GTX 280", "Sample [18]", "sample[18]", absent=NO_SAMPLE_SORT, note="measured on a Tesla C1060"),
)


def most_threads(measurements: list[Measurement]) -> int:
    """The paper used all cores of its machine: the most threads measured here with the cores free."""
    free = [m.case.threads for m in measurements if not m.disturbed] or [m.case.threads for m in measurements]
    return max(free, default=1)


def forms(records: Records, algorithm: str) -> tuple[list[Measurement], list[Measurement]]:
    """A sort of the paper on uniform u32: in the paper's form, and as tuned for this machine (any other parameters)."""
    everything = records.ok(algorithm=algorithm, key_type="u32", value_type="none", distribution="uniform")
    threads = most_threads(everything)
    chosen = [m for m in everything if m.case.threads == threads]
    form = PAPER_FORMS[algorithm]
    paper = [m for m in chosen if all(m.case.parameters.get(k) == v for k, v in form.items())]
    return paper, [m for m in chosen if m not in paper]


def own_sort(records: Records) -> dict[int, Measurement]:
    """This project's own sort on the same keys, on as many threads as the paper's."""
    found = records.ok(algorithm=ours.FLAGSHIP, key_type="u32", value_type="none", distribution="uniform")
    threads = most_threads(found)
    return fastest([m for m in found if m.case.threads == threads])


def fastest(measurements: list[Measurement]) -> dict[int, Measurement]:
    """The fastest measurement of each n; of no keys there is no rate."""
    best: dict[int, Measurement] = {}
    for m in measurements:
        if not m.seconds or m.case.n == 0:
            continue
        if m.case.n not in best or m.seconds_per_key.value < best[m.case.n].seconds_per_key.value:
            best[m.case.n] = m
    return best
