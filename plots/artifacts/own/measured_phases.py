"""PHASES-*: the measured phases of each sort that reports several, stacked over n, with or without a prediction."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Mapping, Optional, Sequence

from ...analysis import provenance
from ...analysis.one_setting import BY_N
from ...records.algorithm import OURS
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...records.number import Number
from ...figures.stacks import Stack, StackPanel, Stacks
from ...figures.style import part as part_colour
from ...records.collection import Records
from ...records.machines import plain_name
from ...records.measurement import Measurement, phase_seconds
from ...records.quantities import digits, percent, power_of_two, threads_text

_PANELS = 3  # types and numbers of threads shown of a sort
_SIZES = 5  # bars of a panel
_FAR = 3.0  # ratio of the highest bars of two panels from which each has its own scale
_UNEVEN = 4.0  # ratio of the bars of a panel from which they are drawn as shares
_DOMINANT = 70.0  # share, in %, from which on a phase hides the others if it has it in every bar
_LEAST_POWERS = 2  # number of powers of two from which on other sizes are not shown
_REST = "outside of phases"
_MEANINGS = {  # names alone do not say what happens in these phases
    "assign": "lists the buckets that are split next, and those that are sorted locally",
    "fill": "writes pivots into the gaps between the parts",
    "find": "finds and counts each element’s bucket",
    "find offsets": "finds where each digit begins in a sorted tile",
    "find cuts": "finds which parts of two runs each block merges",
    "host": "the host reads the parts’ sizes and chooses pivots",
    "levels": "splits buckets again, level by level, while they are too large for one block",
    "list": "lists the buckets for the next pass",
    _REST: "is what the phases leave of the sort’s time",
    "pack": "joins slices into buckets, or takes out padding",
    "permute": "moves elements to the buckets of their digits",
    "recurse": "sorts the buckets that one thread has alone",
    "repair": "gathers the elements for which a thread found no room",
    "sample": "draws and sorts the sample of the splitters",
    "sort vectors": "sorts four keys in each vector",
}
_IN_BRACKETS = ", measured and, in brackets, predicted"
_OVERLAP = 1.1  # phases that together take longer than this share of the sort overlap
_SEEN = 0.005  # share by which a bar must be higher than its number for the legend to say so
_Kind = tuple[str, int]  # type and threads


def make(records: Records) -> list[Artifact]:
    by_sort: dict[str, list[Measurement]] = {}
    for m in records.in_all_runs(distribution="uniform", residency=("host", "device").__contains__):
        if len(_names(m)) > 1 and not _overlaps(m):
            by_sort.setdefault(m.case.algorithm, []).append(m)
    return [_of_sort(records, name, found) for name, found in sorted(by_sort.items())]


def _of_sort(records: Records, name: str, found: list[Measurement]) -> Artifact:
    shown = _of_one_build(records, found)
    measured = [m for of in shown.values() for m in of]
    parts = [*dict.fromkeys(name for m in measured for name in _names(m)), _REST]
    panels = [StackPanel(_title(kind, of[0]), [_stack(records, m) for m in of]) for kind, of in shown.items()]
    highest = [max(stack.whole for stack in panel.stacks) for panel in panels]
    as_shares = any(max(bars) > _UNEVEN * min(bars) for bars in ([s.whole for s in panel.stacks] for panel in panels))
    own_scales = not as_shares and max(highest) > _FAR * min(highest)
    if own_scales:
        panels = [replace(panel, title=f"{panel.title} (own scale)") for panel in panels]
    whole = Stacks(
        panels,
        {part: part_colour(index) for index, part in enumerate(parts)},
        "ns per element",
        x_label="number n of elements",
        own_spans=own_scales,
    )
    picture = _shares(whole) if as_shares else _as_high_as_their_numbers(whole)
    predicted = [p for p in map(records.find_prediction, measured) if p]
    caption = Caption(
        (
            f"Share of each phase in the time of {name} on uniform keys, passes added up, by the number n of elements. "
            f"{_dominant_text(picture)}Above a bar stands the whole time in ns per element"
            f"{_IN_BRACKETS if predicted else ''}. "
            if as_shares
            else f"Time of each phase of {name} on uniform keys, passes added up, by the number n of elements. "
        )
        + ("Each panel has its own scale. " if own_scales else "")
        + looks_text(
            picture,
            measured="filled: medians measured",
            predicted="" if as_shares else "dashed mark: predicted for the whole sort",
        )
        + ("" if as_shares else _higher_text(measured))
        + _meanings_text([part for part in parts if part not in picture.unseen])
        + _unseen_text(picture),
        f"All bars are of one commit and one setting "
        f"({_setting_text(records, measured[0])}). {_dropped_text(found, shown)}",
    )
    caption += _overlap_text(measured)
    marks = [stack.predicted is not None for panel in panels for stack in panel.stacks]
    if any(marks) and not all(marks):
        without = "a number in brackets" if as_shares else "a dashed mark"
        caption += f"Bars without {without} have no prediction in these records. "
    title = f"Measured phases of {name}"
    caption += provenance.caption(records, measured, predicted)
    return from_picture(picture, f"PHASES-{name}", title, "", caption, whole=whole)


def _meanings_text(parts: Sequence[str]) -> str:
    """A legend's sentence on the phases whose names say too little."""
    told = [f"“{part}” {_MEANINGS[part]}" for part in sorted(parts) if part in _MEANINGS]
    return f"Phases: {'; '.join(told)}. " if told else ""


def _unseen_text(picture: Stacks) -> str:
    """A legend's sentence on the phases that no bar shows."""
    return f"Too short to be seen: {', '.join(picture.unseen)}. " if picture.unseen else ""


def _as_high_as_their_numbers(whole: Stacks) -> Stacks:
    """The same bars, of which none is higher than its sort's median: the mark of the prediction stands beside it."""

    def lower(stack: Stack) -> Stack:
        if stack.total is None or stack.whole <= stack.total:
            return stack
        return replace(stack, parts={part: v * stack.total / stack.whole for part, v in stack.parts.items()})

    return replace(
        whole, panels=[replace(panel, stacks=[lower(stack) for stack in panel.stacks]) for panel in whole.panels]
    )


def _shares(whole: Stacks) -> Stacks:
    """The same bars as shares of their sort, where the low ones would be too low to read. The parts of a bar add up to
    100 %; times, measured and predicted, are numbers above them."""

    def share(stack: Stack) -> Stack:
        measured = stack.whole if stack.total is None else stack.total
        return replace(stack, parts={part: 100 * v / stack.whole for part, v in stack.parts.items()}, total=measured)

    panels = [replace(panel, stacks=[share(stack) for stack in panel.stacks]) for panel in whole.panels]
    above = "ns per element" + (", (predicted)" if "predicted" in whole.voices else "")
    return replace(
        whole, panels=panels, y_label=f"% of the time; above: {above}", last_tick=100.0, predicted_above=True
    )


def _dominant_text(shares: Stacks) -> str:
    """A legend's sentence on a phase that takes nearly all of every bar, beside which the others are hardly seen."""
    stacks = [stack for panel in shares.panels for stack in panel.stacks]
    for part in shares.colours:
        taken = [stack.parts.get(part, 0.0) for stack in stacks]
        if min(taken) >= _DOMINANT:
            return f"“{part}” takes {digits(min(taken))} to {digits(max(taken))} %. "
    return ""


def _names(m: Measurement) -> list[str]:
    return list(dict.fromkeys(phase.name for phase in m.phases))


def _overlaps(m: Measurement) -> bool:
    assert m.seconds is not None
    return _summed(m) > _OVERLAP * m.seconds.value


def _spread(by_n: dict[int, Measurement]) -> list[Measurement]:
    """The measurements of _SIZES sizes at most: the smallest, the largest, and others evenly between them."""
    sizes = sorted(by_n)
    powers = [n for n in sizes if power_of_two(n) is not None]
    sizes = powers if len(powers) >= _LEAST_POWERS else sizes
    if len(sizes) > _SIZES:
        sizes = [sizes[round(i * (len(sizes) - 1) / (_SIZES - 1))] for i in range(_SIZES)]
    return [by_n[n] for n in sizes]


def _of_one_build(records: Records, found: Sequence[Measurement]) -> dict[_Kind, list[Measurement]]:
    """The bars of each panel, all of one commit and one setting, so that panels differ in type and threads alone: of
    those with most panels and bars the newest commit, then the fastest setting. `found` has the oldest run first.
    """
    commits = {run.run: run.commit for run in (records.every or records).runs}
    builds: dict[tuple[str, str], list[Measurement]] = {}
    for m in found:
        setting = BY_N if _chooses_by_n(records, m) else f"{m.case.parameters_text}, {m.case.version}"
        builds.setdefault((commits.get(m.run, ""), setting), []).append(m)

    def rank(of: Sequence[Measurement]) -> tuple[int, int, int, float]:
        bars = [m for panel in _panels(of).values() for m in panel]
        newest = max(i for i, m in enumerate(found) if commits.get(m.run, "") == commits.get(of[0].run, ""))
        pace = sum(math.log(m.seconds_per_key.value) for m in bars) / len(bars)
        return len(_panels(of)), len(bars), newest, -pace

    return _panels(max(builds.values(), key=rank))


def _panels(found: Sequence[Measurement]) -> dict[_Kind, list[Measurement]]:
    """The bars of the types and numbers of threads with most sizes."""
    by_kind: dict[_Kind, dict[int, Measurement]] = {}
    for m in found:
        by_kind.setdefault(_kind(m), {})[m.case.n] = m
    most = sorted(by_kind, key=lambda kind: (-len(by_kind[kind]), kind))[:_PANELS]
    return {kind: _spread(by_kind[kind]) for kind in sorted(most)}


def _kind(m: Measurement) -> _Kind:
    return m.case.type_name, m.case.threads


def _chooses_by_n(records: Records, m: Measurement) -> bool:
    """True for the project's own sorts, whose variants count as one setting."""
    known = records.algorithms.get(m.case.algorithm)
    return known is not None and known.origin == OURS


def _setting_text(records: Records, m: Measurement) -> str:
    return BY_N if _chooses_by_n(records, m) else m.case.parameters_text or "no parameters"


def _dropped_text(found: Sequence[Measurement], shown: Mapping[_Kind, Sequence[Measurement]]) -> str:
    """A note on the types and threads without a panel."""
    dropped = {_title(_kind(m), m) for m in found if _kind(m) not in shown}
    return f"Not shown, as measured at fewer n or by other commits or settings: {'; '.join(sorted(dropped))}. " * bool(
        dropped
    )


def _title(kind: _Kind, m: Measurement) -> str:
    """Type, and device or threads."""
    return f"{kind[0]}, {plain_name(m.device) or threads_text(kind[1])}"


def _stack(records: Records, m: Measurement) -> Stack:
    assert m.seconds is not None
    scale = 1e9 / m.case.n
    parts = {name: scale * (phase_seconds(m.phases, name) or 0) for name in _names(m)}
    time = scale * m.seconds.value
    rest = time - sum(parts.values())
    parts |= {_REST: rest} if rest > 0 else {}
    return Stack(m.case.n, parts, _predicted(records, m, scale), [m], total=time)


def _higher_text(measured: Sequence[Measurement]) -> str:
    """A legend's sentence on phases that add up to more than the number above their bar."""
    over = max((_summed(m) / m.seconds.value - 1 for m in measured if m.seconds), default=0.0)
    if over < _SEEN:
        return ""
    return (
        "A bar is as high as the sort’s median, the number above it; its phases are medians of their own, which add up "
        f"to as much as {percent(over)} more and are drawn in proportion. "
    )


def _summed(m: Measurement) -> float:
    return phase_seconds(m.phases, *_names(m)) or 0.0


def _overlap_text(measured: Sequence[Measurement]) -> str:
    """A caption's sentence on phases that add up to more than their sort's time."""
    over = [summed / m.seconds.value for m in measured if m.seconds and (summed := _summed(m)) > m.seconds.value]
    if not over:
        return ""
    return (
        f"Phases are medians of their own: in {len(over)} of {len(measured)} bars they add up to more than the sort’s "
        f"median, to {digits(max(over))} times as much at most, and shares are of their sum. "
    )


def _predicted(records: Records, m: Measurement, scale: float) -> Optional[Number]:
    prediction = records.find_prediction(m)
    return Number.of(scale * prediction.seconds, prediction) if prediction else None


ARTIFACTS = {"PHASES-*": make}
