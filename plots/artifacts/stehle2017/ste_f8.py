"""STE-F8: parts of the times of naive and heterogeneous sorts of 6 GB of 64/64 pairs from host to host."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Optional

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...records.measurement import Measurement, fastest_by, phase_seconds
from ...analysis.selection import devices, fastest_by_input
from ...records.prediction import Prediction
from ...records.quantities import count_text
from ...records.collection import Records
from ...records.number import Number
from ...figures.stacks import Stack, StackPanel, Stacks
from . import PAPER
from .sorts import CUB_5, HRS, HRS_TUNED, PAIRS64, TODAY, Sort, source, stand_ins_text

HETEROGENEOUS = "heterogeneous_sort"  # name of the role
_N = 375_000_000
_PAPER = "_paper"  # ends the setting of a sort in the paper's form
_TO, _SORT, _BACK, _COPIES = "PCIe HtD", "on-GPU sorting", "PCIe DtH", "PCIe, both ways"
_CHUNKED, _MERGE = "chunked sort", "CPU merging"
_COLOURS = {
    _TO: "series-1",
    _COPIES: "series-1",
    _SORT: "series-2",
    _BACK: "part-6",
    _CHUNKED: "series-3",
    _MERGE: "series-5",
}
MERGERS = {"ours": "Sortlab", "libstdcxx": "libstdc++"}  # names of the merge's settings
_NAIVE = (CUB_5, HRS, HRS_TUNED, TODAY)
_Kind = tuple[str, str]  # the sort of the chunks, and the merge
_Part = tuple[Stack, list[Measurement]]


def heterogeneous(records: Records, **wanted: Any) -> list[Measurement]:
    """Whole sorts of 64/64 pairs from host to host."""
    standing = records.standing_for(HETEROGENEOUS)
    return records.ok(
        algorithm=lambda name: name in standing,
        key_type=PAIRS64.key,
        value_type=PAIRS64.value,
        residency="end_to_end",
        **wanted,
    )


def paper_name(records: Records, word: str) -> str:
    """The paper's name of the sort that a setting names: of the hybrid sort in the paper's form, or tuned."""
    form = word.removesuffix(_PAPER)
    if form not in records.standing_for(HRS.role):
        return word
    return HRS.label_here if word.endswith(_PAPER) else HRS_TUNED.label


def make(records: Records) -> Artifact:
    found = heterogeneous(records, distribution="uniform", n=_N)
    there = _share_there(found)
    naive = [one for sort in _NAIVE for one in _naive(records, sort, there)]
    kinds = sorted({(_word(m, "sort"), _word(m, "merge")) for m in found})
    panels = [StackPanel("Titan X: parts only", _published(records), "published")]
    panels.append(StackPanel("Naive, here", [stack for stack, _ in naive]))
    shown = [m for _, measured in naive for m in measured]
    chunked: dict[_Kind, StackPanel] = {}
    for kind in kinds:
        by_chunks = _by_chunks([m for m in found if (_word(m, "sort"), _word(m, "merge")) == kind])
        shown += by_chunks.values()
        stacks = [_chunked(records, chunks, m) for chunks, m in by_chunks.items()]
        name = f"{paper_name(records, kind[0])}, merged by {MERGERS.get(kind[1], kind[1])}"
        chunked[kind] = StackPanel(name, stacks)
    panels += chunked.values() or [StackPanel("Heterogeneous, here", [])]
    whole = Stacks(panels, _COLOURS, "milliseconds")
    two = _two(chunked)
    drawn = [*panels[:2], *(StackPanel(title, chunked[kind].stacks) for title, kind in two.items())]
    picture = replace(whole, panels=drawn if chunked else panels, columns=len(drawn))
    caption = Caption(
        f"Parts of the time to sort {count_text(_N)} pairs from host to host: naively, copying, sorting and copying "
        "back, or by s chunks that are merged by the host; all panels have one scale. "
        + looks_text(
            picture,
            "hollow: the parts that the paper prints, without the copy back and the merge",
            "filled: medians measured",
            "dashed mark: predicted total",
        )
        + stand_ins_text({sort: _naive(records, sort, there) for sort in _NAIVE}),
        "The host merges the sorted chunks by Sortlab’s merge, or by libstdc++’s, that of the GNU C++ library. Naive "
        "sorts are measured end to end and on the device alone; the difference is copying. ",
    )
    if chunked:
        caption += "".join(f"{title}: {chunked[kind].title}. " for title, kind in two.items())
        caption += "The CSV has all heterogeneous sorts. "
    if there is not None:
        caption += "The time of copying is divided into there and back as timed with one chunk (s = 1). "
    missing = [sort.label_here for sort in _NAIVE if not _naive(records, sort, there)]
    missing += [] if kinds else ["the heterogeneous sort"]
    if missing:
        caption += f"No record here of: {'; '.join(missing)}. "
    if any(m.case.threads for m in found):
        caption += f"Threads of the host: {', '.join(map(str, sorted({m.case.threads for m in found})))}. "
    caption += f"{devices(shown)}. " if shown else ""
    predictions = [p for p in map(records.find_prediction, shown) if p]
    title = "Sorting 6 GB of 64/64 pairs from host to host"
    caption += source(records, shown, predictions)
    return from_picture(picture, "STE-F8", title, PAPER, caption, whole=whole)


def _two(chunked: dict[_Kind, StackPanel]) -> dict[str, _Kind]:
    """The kinds that are drawn, by their panels' titles: the paper's form, and the one with the fastest sort of two
    chunks or more."""

    def least(kind: _Kind) -> float:
        return min((stack.whole for stack in chunked[kind].stacks if _MERGE in stack.parts), default=math.inf)

    papers = min((kind for kind in chunked if kind[0].endswith(_PAPER)), key=least, default=None)
    fastest = min(chunked, key=least, default=None)
    named = {"s chunks, paper’s form": papers, "s chunks, fastest here": fastest if fastest != papers else None}
    return {title: kind for title, kind in named.items() if kind}


def _word(m: Measurement, name: str) -> str:
    return str(m.case.parameters.get(name, ""))


def _published(records: Records) -> list[Stack]:
    ms = {p.algorithm: 1e3 * p.value for p in records.published if p.id == "STE-C24" and p.metric == "time"}
    naive, chunked = Stack("CUB, naive"), Stack("s = 16")
    for stack, part, algorithm in (
        (naive, _TO, "H2D copy"),
        (naive, _SORT, "CUB: on-GPU sort"),
        (chunked, _CHUNKED, "heterogeneous: chunked sort, s=16"),
    ):
        if algorithm in ms:
            stack.parts[part] = ms[algorithm]
    return [stack for stack in (naive, chunked) if stack.parts]


def _share_there(found: list[Measurement]) -> Optional[float]:
    """The share of copying that goes to the GPU, from the sort of a single chunk, whose copies are timed."""
    whole = [m for m in found if m.case.whole("chunks") == 1]
    times = [(phase_seconds(m.phases, "copy_in"), phase_seconds(m.phases, "copy_out")) for m in whole]
    return next((there / (there + back) for there, back in times if there and back), None)


def _naive(records: Records, sort: Sort, there: Optional[float]) -> list[_Part]:
    """The bar of a naive sort: the sort alone, and the copies, which are the rest of the time end to end."""
    wanted = dict(distribution="uniform", n=_N)
    whole = fastest_by_input(PAIRS64.of(records, sort, residency="end_to_end", **wanted)).get((_N, "uniform"))
    alone = fastest_by_input(PAIRS64.of(records, sort, **wanted)).get((_N, "uniform"))
    if not whole or not alone or not whole.seconds or not alone.seconds:
        return []
    ms, sorting = 1e3 * whole.seconds.value, 1e3 * alone.seconds.value
    copies = max(ms - sorting, 0.0)
    parts = {_COPIES: copies, _SORT: sorting}
    if there is not None:
        parts = {_TO: copies * there, _SORT: sorting, _BACK: copies * (1 - there)}
    return [(Stack(sort.label_here, parts, _ms(records.find_prediction(whole)), [whole, alone]), [whole, alone])]


def _by_chunks(found: list[Measurement]) -> dict[int, Measurement]:
    """The fastest measurement of each number of chunks."""
    return dict(sorted(fastest_by(found, lambda m: m.case.whole("chunks")).items()))


def _chunked(records: Records, chunks: int, m: Measurement) -> Stack:
    """The bar of a heterogeneous sort: the merge by its phase, and everything before it. A single chunk is copied,
    sorted and copied back one after the other."""
    assert m.seconds is not None
    there, back = phase_seconds(m.phases, "copy_in"), phase_seconds(m.phases, "copy_out")
    if chunks == 1 and there and back:
        copies = {_TO: 1e3 * there, _SORT: 1e3 * max(m.seconds.value - there - back, 0.0), _BACK: 1e3 * back}
        return Stack("s = 1", copies, _ms(records.find_prediction(m)), [m])
    merging = 1e3 * (phase_seconds(m.phases, "merge") or 0)
    whole = 1e3 * m.seconds.value
    parts = {_CHUNKED: max(whole - merging, 0.0), **({_MERGE: merging} if merging else {})}
    return Stack(f"s = {chunks}", parts, _ms(records.find_prediction(m)), [m])


def _ms(prediction: Optional[Prediction]) -> Optional[Number]:
    return Number.of(1e3 * prediction.seconds, prediction) if prediction else None


PLACE = 6
ARTIFACTS = {"STE-F8": make}
