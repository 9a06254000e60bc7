"""Shared by the artifacts of Stehle and Jacobsen: the paper's inputs and sorts, and their stand-ins here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Sequence

from ...records.caption import Caption
from ...analysis import provenance
from ...records.roles import common_roles, standing_for
from ...records.measurement import Measurement
from ...records.prediction import Prediction
from ...records.quantities import percent
from ...records.collection import Records

PLATFORM = "Titan X (Pascal)"
HYBRID = "gpu_hybrid_radix"  # role: the paper's form of its sort
# Settings that appendix B switches off one by one.
OPTIMISATIONS = {"look_ahead": 2, "thread_reduction": "yes", "classes": "all", "merge_keys": 3000}
_LISTS = {"lists": "device"}  # the paper's; the released code has the host list the buckets (X25)


@dataclass(frozen=True)
class Input:
    """One of the paper's four kinds of input."""

    words: str
    key: str
    value: str
    n: int  # elements in 2 GB of 10^9 bytes each
    types: tuple[str, ...]  # `type` of its published records
    table3: str  # name of the types in Table 3

    @property
    def bits(self) -> int:
        """The entropy of uniform keys."""
        return 32 if self.key == "u32" else 64

    def of(self, records: Records, sort: "Sort", **wanted: Any) -> list[Measurement]:
        """The newest measurements on a device of the sorts that stand for `sort`, in its form, on this input."""
        return in_form(records, sort, records.ok(**self._wanted(wanted)))

    def in_all_runs(self, records: Records, sort: "Sort", **wanted: Any) -> list[Measurement]:
        """The same measurements of every run."""
        return in_form(records, sort, records.in_all_runs(**self._wanted(wanted)))

    def _wanted(self, more: dict[str, Any]) -> dict[str, Any]:
        return dict(key_type=self.key, value_type=self.value, residency="device", layout="separate") | more


KEYS32 = Input("32-bit keys", "u32", "none", 500_000_000, ("u32",), "32-bit keys")
KEYS64 = Input("64-bit keys", "u64", "none", 250_000_000, ("u64", "64-bit keys and 64/64"), "64-bit keys")
PAIRS32 = Input("32-bit keys with 32-bit values", "u32", "u32", 250_000_000, ("32/32",), "32/32 pairs")
PAIRS64 = Input(
    "64-bit keys with 64-bit values", "u64", "u64", 125_000_000, ("64/64", "64-bit keys and 64/64"), "64/64 pairs"
)
PANELS = {"a": KEYS32, "b": PAIRS32, "c": KEYS64, "d": PAIRS64}  # panels of Figures 6 and 10


@dataclass(frozen=True)
class Sort:
    """A line of the figures."""

    label: str
    colour: str
    role: str  # role of the sorts that stand for it here
    published: str = ""  # its name in the published records, if it is in the paper
    form: str = "role"  # form of the sort: as its role has it; for the hybrid sort also `full` or `tuned`
    here: str = ""  # name of a stand-in that is not the paper's version

    @property
    def label_here(self) -> str:
        return self.here or self.label


HRS = Sort("HRS", "series-1", HYBRID, "HRS", "full", here="HRS, paper’s form")
HRS_TUNED = Sort("HRS, tuned", "series-6", HYBRID, form="tuned")
CUB_5 = Sort("CUB 1.5.1", "series-2", "cub_5bit", "CUB 1.5.1", here="CUB, 5 bits (as 1.5.1)")
CUB_7 = Sort("CUB 1.6.4", "series-5", "cub_7bit", "CUB 1.6.4", here="CUB, 7 bits (as 1.6.4)")
THRUST = Sort("Thrust", "series-3", "thrust_of_today", "Thrust", here="thrust::sort of today")
MGPU = Sort("MGPU", "series-4", "gpu_merge_of_today", "MGPU", here="CUB’s merge (MGPU’s heir)")
SATISH = Sort("Satish et al.", "series-8", "ipdps09_radix", "Satish et al.")
MULTISPLIT = Sort(
    "GPU Multisplit", "series-4", "gpu_multisplit", "GPU Multisplit", here="GPU Multisplit, released form"
)
MULTISPLIT_TUNED = Sort("GPU Multisplit, tuned", "series-3", "gpu_multisplit_tuned")
TODAY = Sort("CUB of today", "series-7", "gpu_radix_of_today")


def in_form(records: Records, sort: Sort, measured: Iterable[Measurement]) -> list[Measurement]:
    """The measurements of the sorts that stand for this one, in its form."""
    standing = standing_for(records, sort.role)
    found = [m for m in measured if m.case.algorithm in standing]
    if sort.form == "role":
        return [m for m in found if _has(m, standing[m.case.algorithm])]
    full = [m for m in found if _has(m, {**_paper(standing[m.case.algorithm]), **OPTIMISATIONS})]
    if sort.form == "full":
        return full
    return without(records, found, {}, "tuned")


def _paper(form: dict[str, Any]) -> dict[str, Any]:
    return {**_LISTS, **form}


def _tiles(form: dict[str, Any]) -> dict[str, Any]:
    """The paper's form without the parameters of ablations and of the list of buckets."""
    return {name: value for name, value in form.items() if name not in OPTIMISATIONS and name not in _LISTS}


def without(
    records: Records, measured: Iterable[Measurement], off: dict[str, Any], form: str = "full"
) -> list[Measurement]:
    """The hybrid sort with these settings in place of its optimisations.

    Its form is the paper's (`full`), or neither that nor one of the paper's ablations (`tuned`). A tuned form may count
    with or without thread reduction.
    """
    standing = standing_for(records, HYBRID)
    found = [m for m in measured if m.case.algorithm in standing]
    if form == "full":
        return [m for m in found if _has(m, {**_paper(standing[m.case.algorithm]), **OPTIMISATIONS, **off})]
    whole = {name: value for name, value in OPTIMISATIONS.items() if name != "thread_reduction"}
    return [m for m in found if _has(m, {**whole, **off}) and not _has(m, _tiles(standing[m.case.algorithm]))]


def _has(m: Measurement, form: dict[str, Any]) -> bool:
    """True if the parameters match the settings; a setting that the sort lacks counts as matching."""
    return all(m.case.parameters.get(name, value) == value for name, value in form.items())


def stand_ins_text(shown: Mapping[Sort, Any]) -> str:
    """A legend's sentence on the sorts here that are not the paper's own versions, as their roles say."""
    adapted = ((sort, str(common_roles()[sort.role].get("adapted", ""))) for sort, found in shown.items() if found)
    told = [f"“{sort.label_here}” is {text}" for sort, text in adapted if text and sort.here]
    return f"Of the sorts here, {'; '.join(told)}. " if told else ""


def absent(shown: dict[Sort, Any]) -> str:
    """A caption's sentence about sorts without a measurement."""
    missing = [sort.label_here for sort, found in shown.items() if not found]
    return f"No record here of: {'; '.join(missing)}. " if missing else ""


def source(records: Records, measured: Sequence[Measurement], predictions: Sequence[Prediction]) -> Caption:
    """The end of a caption: its provenance, with the difference between the paper's estimator and ours."""
    means = [abs(m.mean_s / m.seconds.value - 1) for m in measured if m.mean_s and m.seconds]
    estimator = f"the paper’s own, the mean of its runs, is at most {percent(max(means))} off it" if means else ""
    return provenance.caption(records, measured, predictions, estimator)
