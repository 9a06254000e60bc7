"""Shared by the artifacts of Leischner et al.: the paper's sorts, the sorts that stand for them here, and cells without
a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Optional, Sequence

from ...records.caption import Caption
from ...analysis import provenance
from ...records.case import Case
from ...records.roles import standing_for
from ...records.measurement import Measurement
from ...records.prediction import Prediction
from ...records.quantities import power_of_two, span_text
from ...records.collection import Records

Sizes = Callable[[int], Any]  # selects n; figures over log2 n leave out those around a kink (LEI-LEVELS)
TESLA, GTX = "tesla_c1060", "gtx285"  # profiles of the paper's machines
MACHINES = {TESLA: "Tesla C1060", GTX: "GTX 285"}
# Sources of the paper's models: counts of bytes and operations, or the printed gain of one GPU over the other, which
# gives the share of its time that follows bandwidth.
PREDICTED_BY = {"LEI-M1": "from its counts", "LEI-M2": "from its counts", "LEI-M4": "from its printed gain"}
# The paper's inputs by our distributions; p is 240, the default. Of the duplicates' two forms the paper's, in blocks,
# counts where it was measured.
DISTRIBUTIONS = {
    "uniform": ("uniform",),
    "gaussian": ("gaussian",),
    "bucket": ("bucket", "bucket:p=240"),
    "staggered": ("staggered", "staggered:p=240"),
    "deterministic duplicates": ("deterministic_duplicates:p=240", "deterministic_duplicates"),
    "sorted": ("sorted",),
}


@dataclass(frozen=True)
class Sort:
    """A line of the figures."""

    label: str
    colour: str
    role: str  # role of the sort that stands for it here
    key: str = ""  # type of its keys, if it differs from the figure's
    settings: Optional[tuple[tuple[str, Any], ...]] = None  # settings in place of those of its role
    published: tuple[str, ...] = field(default=())  # its names in the published records


SAMPLE = Sort("sample sort", "series-1", "gpu_sample_sort", published=("sample",))
# Settings that are neither the paper's form nor an ablation of it.
TUNED = Sort("sample sort, tuned", "series-6", "gpu_sample_sort", settings=(("bucket_sort", "merge"),))
MERGE = Sort("Thrust merge of 2009", "series-3", "thrust_merge", published=("Thrust merge",))
RADIX = Sort("CUDPP/Thrust radix of 2009", "series-2", "ipdps09_radix", published=("CUDPP radix", "Thrust radix"))
QUICKSORT = Sort("GPU-Quicksort", "series-4", "gpu_quicksort", published=("GPU quicksort",))
BBSORT = Sort("bbsort", "series-5", "bbsort")
HYBRID = Sort("hybrid sort (floats)", "ink", "hybrid_sort", "f32", published=("hybrid sort",))
SAMPLE_OF_FLOATS = Sort("sample sort (floats)", "series-1", "gpu_sample_sort", "f32")
# Today's are grey: they are no part of the paper.
MERGE_TODAY = Sort("CUB’s merge of today", "published", "gpu_merge_of_today")
RADIX_TODAY = Sort("CUB’s radix of today", "published", "gpu_radix_of_today")


@dataclass(frozen=True)
class Input:
    """Keys and values of a figure."""

    words: str
    key: str
    value: str = "none"

    def of(
        self, records: Records, sort: Sort, distributions: Iterable[str], sizes: Sizes = power_of_two
    ) -> list[Measurement]:
        """Measurements of the sorts that stand for `sort` on this input, of every run."""
        wanted = dict(key_type=sort.key or self.key, value_type=self.value, residency="device", layout="separate")
        names = _names(distributions)
        found = records.in_all_runs(distribution=lambda d: d in names, n=sizes, **wanted)
        found = [m for m in found if stands_for(records, sort, m.case)]
        in_blocks, whole = DISTRIBUTIONS["deterministic duplicates"]
        is_in_blocks = any(m.case.distribution == in_blocks for m in found)
        return [m for m in found if not is_in_blocks or m.case.distribution != whole]

    def predicted_there(
        self, records: Records, sort: Sort, profile: str, sizes: Sizes = power_of_two
    ) -> dict[str, dict[int, Prediction]]:
        """Predictions of the paper's own models for uniform keys on one of the paper's machines, by model and n."""
        found: dict[str, dict[int, Prediction]] = {}
        wanted = dict(key_type=sort.key or self.key, value_type=self.value, distribution="uniform")
        for p in records.predicted(layout="separate", n=sizes, **wanted):
            if p.profile_id == profile and p.model.startswith("LEI-") and stands_for(records, sort, p.case):
                found.setdefault(p.model, {})[p.case.n] = p
        return {model: dict(sorted(by_n.items())) for model, by_n in sorted(found.items())}

    def lost(self, records: Records, sorts: Iterable[Sort]) -> dict[Sort, list[Measurement]]:
        """The cells of each sort that ran and have no time, on the paper's distributions."""
        names = _names(DISTRIBUTIONS)
        return {
            sort: [
                m
                for m in records.measurements
                if not m.ok and m.status != "skipped" and m.case.distribution in names
                if (m.case.key_type, m.case.value_type) == (sort.key or self.key, self.value)
                if stands_for(records, sort, m.case)
            ]
            for sort in sorts
        }


KEYS32, KEYS64 = Input("32-bit keys", "u32"), Input("64-bit keys", "u64")
PAIRS = Input("32-bit keys with 32-bit values", "u32", "u32")


def stands_for(records: Records, sort: Sort, case: Case) -> bool:
    """True if a case belongs to a sort that stands for this one, in its form."""
    standing = standing_for(records, sort.role)
    if case.algorithm not in standing:
        return False
    form = standing[case.algorithm] if sort.settings is None else dict(sort.settings)
    return all(case.parameters.get(name, value) == value for name, value in form.items())


def _names(distributions: Iterable[str]) -> set[str]:
    return {name for distribution in distributions for name in DISTRIBUTIONS[distribution]}


def lost_text(lost: dict[Sort, list[Measurement]]) -> str:
    """A caption's sentences about cells without a time."""
    text = ""
    for sort, cells in lost.items():
        by_reason: dict[tuple[str, str, bool, str], list[Measurement]] = {}
        for m in cells:
            by_reason.setdefault((m.case.distribution, m.status, m.expected, m.reason), []).append(m)
        for (distribution, status, expected, reason), of in sorted(by_reason.items()):
            how = f"{status}, as expected" if expected else status
            why = f" ({reason})" if reason else ""
            text += f"No time of {sort.label} on {distribution}, n = {span_text(m.case.n for m in of)}: {how}{why}. "
    return text


def absent_text(shown: dict[Sort, Any], lost: dict[Sort, list[Measurement]]) -> str:
    """A caption's sentence about sorts without a measurement."""
    missing = [sort.label for sort, found in shown.items() if not found and not lost.get(sort)]
    return f"No record here of: {'; '.join(missing)}. " if missing else ""


def source(records: Records, measured: Sequence[Measurement], predictions: Sequence[Prediction]) -> Caption:
    """The end of a caption: its provenance."""
    estimator = "the paper names no estimator"
    return provenance.caption(records, measured, predictions, estimator)


def is_named(distribution: str, named: str) -> bool:
    return named in DISTRIBUTIONS[distribution]
