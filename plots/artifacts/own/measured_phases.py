"""PHASES-*: the measured phases of each sort that reports several, stacked over n, with or without a prediction."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Sequence

from ...analysis import one_setting, provenance
from ...analysis.one_setting import BY_N, Chosen
from ...records.caption import Caption
from ...records.case import settings_text
from ...figures.artifact import Artifact, from_picture, looks_text
from ...records.number import Number
from ...figures.stacks import Stack, StackPanel, Stacks
from ...figures.style import series
from ...records.collection import Records
from ...records.machines import plain_name
from ...records.measurement import Measurement, phase_seconds
from ...records.quantities import digits, percent, power_of_two, threads_text

_PANELS = 3  # types and numbers of threads shown of a sort
_SIZES = 5  # bars of a panel
_FAR = 3.0  # ratio of the highest bars of two panels from which each has its own scale
_UNEVEN = 4.0  # ratio of the bars of a panel from which they are drawn as shares
_DOMINANT = 70.0  # share, in %, from which on a phase would hide the others if it has it in every bar
_LEAST_POWERS = 2  # number of powers of two from which on other sizes are not shown
_LETTERS = 24  # length of a setting's name that a title has room for
_REST = "outside of phases"
_LIST = "list"  # a phase of sorts that split buckets again
_IN_BRACKETS = ", measured and, in brackets, predicted"
_OVERLAP = 1.1  # phases that together take longer than this share of the sort overlap
_SEEN = 0.005  # share by which a bar must be higher than its number for the legend to say so
_Kind = tuple[str, int]  # type and threads


def make(records: Records) -> list[Artifact]:
    by_sort: dict[str, list[Measurement]] = {}
    for m in records.ok(distribution="uniform"):
        if len(_names(m)) > 1 and not _overlaps(m):
            by_sort.setdefault(m.case.algorithm, []).append(m)
    return [_of_sort(records, name, found) for name, found in sorted(by_sort.items())]


def _of_sort(records: Records, name: str, found: list[Measurement]) -> Artifact:
    by_kind: dict[_Kind, list[Measurement]] = {}
    for m in found:
        by_kind.setdefault((m.case.type_name, m.case.threads), []).append(m)
    chosen = {kind: one_setting.choose(records, of)[name] for kind, of in by_kind.items()}
    most = sorted(chosen, key=lambda kind: (-len(chosen[kind].measured), kind))[:_PANELS]
    shown = {kind: _spread({m.case.n: m for m in chosen[kind].measured}) for kind in sorted(most)}
    measured = [m for of in shown.values() for m in of]
    parts = [*dict.fromkeys(name for m in measured for name in _names(m)), _REST]
    settings = _settings([chosen[kind] for kind in shown])
    panels = [
        StackPanel(_title(kind, of[0], setting), [_stack(records, m) for m in of])
        for (kind, of), setting in zip(shown.items(), settings)
    ]
    highest = [max(stack.whole for stack in panel.stacks) for panel in panels]
    as_shares = any(max(bars) > _UNEVEN * min(bars) for bars in ([s.whole for s in panel.stacks] for panel in panels))
    own_scales = not as_shares and max(highest) > _FAR * min(highest)
    whole = Stacks(
        panels,
        {part: series(index) for index, part in enumerate(parts)},
        "ns per element",
        x_label="number n of elements",
        own_spans=own_scales,
    )
    picture = _shares(whole) if as_shares else whole
    dominant = _dominant(picture) if as_shares else ""
    largest = [stack.parts[dominant] for panel in picture.panels for stack in panel.stacks] if dominant else []
    picture = _without(picture, dominant) if dominant else picture
    predicted = [p for p in map(records.find_prediction, measured) if p]
    caption = Caption(
        (
            _dominant_text(name, dominant, largest)
            if dominant
            else f"Share of each phase in the time of {name} on uniform keys, passes added up, by the number n of "
            f"elements. Above a bar stands the whole time in ns per element{_IN_BRACKETS if predicted else ''}. "
            if as_shares
            else f"Time of each phase of {name} on uniform keys, passes added up, by the number n of elements. "
        )
        + ("Each panel has its own scale. " if own_scales else "")
        + looks_text(
            picture,
            measured="filled: medians measured",
            predicted="" if as_shares else "dashed mark: predicted for the whole sort",
        )
        + ("" if as_shares else _higher_text(measured)),
        f"{_REST.capitalize()}: what the phases leave of the sort’s time. All bars of a panel have one setting, the "
        f"fastest of those measured at several n: {'; '.join(_setting_text(chosen[kind]) for kind in shown)}. ",
    )
    caption += _overlap_text(measured)
    marks = [stack.predicted is not None for panel in panels for stack in panel.stacks]
    if any(marks) and not all(marks) and not dominant:
        without = "a number in brackets" if as_shares else "a dashed mark"
        caption += f"Bars without {without} have no prediction in these records. "
    if _LIST in parts:
        caption += f"{_LIST.capitalize()}: the kernels that list the buckets for the next pass. "
    title = f"Measured phases of {name}"
    caption += provenance.caption(records, measured, predicted)
    return from_picture(picture, f"PHASES-{name}", title, "", caption, whole=whole)


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


def _dominant(shares: Stacks) -> str:
    """The phase that takes nearly all of every bar; empty if there is none."""
    stacks = [stack for panel in shares.panels for stack in panel.stacks]
    most = [part for part in shares.colours if all(stack.parts.get(part, 0) >= _DOMINANT for stack in stacks)]
    return most[0] if most else ""


def _dominant_text(name: str, dominant: str, largest: Sequence[float]) -> str:
    return (
        f"“{dominant}” takes {digits(min(largest))} to {digits(max(largest))} % of the time of {name} on uniform keys "
        "and is not drawn: a bar, and the number above it, is what is left, in %. The CSV has all times. "
    )


def _without(shares: Stacks, dominant: str) -> Stacks:
    """The same bars without a phase, so that the others can be told apart. The number above a bar is its height."""

    def rest(stack: Stack) -> Stack:
        parts = {part: share for part, share in stack.parts.items() if part != dominant}
        return replace(stack, parts=parts, total=None, predicted=None)

    panels = [replace(panel, stacks=[rest(stack) for stack in panel.stacks]) for panel in shares.panels]
    y_label = f"% of the time; “{dominant}” takes the rest of 100 %"
    return replace(shares, panels=panels, y_label=y_label, last_tick=None, predicted_above=False)


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


def _settings(shown: Sequence[Chosen]) -> list[str]:
    """The name of each panel's setting, with the parameters in which the panels differ where their names do not tell.
    One that is longer than a title is left to the caption, and where settings differ the title says that they do."""
    names = [one.name if len(one.name) <= _LETTERS else "" for one in shown]
    of = [{} if one.parameters == BY_N else one.measured[0].case.parameters for one in shown]
    before = list(names)
    for i, (name, parameters) in enumerate(zip(before, of)):
        alike = [other for other_name, other in zip(before, of) if other_name == name and other != parameters]
        if alike:
            differing = {k: v for k, v in parameters.items() if any(other.get(k) != v for other in alike)}
            text = ", ".join(filter(None, [name, settings_text(differing)]))
            names[i] = text if len(text) <= _LETTERS else ", ".join(filter(None, [name, f"setting {i + 1}"]))
    return names


def _title(kind: _Kind, m: Measurement, setting: str) -> str:
    """Type, processor and the setting's name."""
    return ", ".join(text for text in (kind[0], plain_name(m.device) or threads_text(kind[1]), setting) if text)


def _setting_text(chosen: Chosen) -> str:
    case = chosen.measured[0].case
    return f"{case.type_name}: {chosen.parameters or 'no parameters'}"


def _stack(records: Records, m: Measurement) -> Stack:
    assert m.seconds is not None
    scale = 1e9 / m.case.n
    parts = {name: scale * (phase_seconds(m.phases, name) or 0) for name in _names(m)}
    time = scale * m.seconds.value
    rest = time - sum(parts.values())
    parts |= {_REST: rest} if rest > 0 else {}
    return Stack(m.case.n, parts, _predicted(records, m, scale), [m], total=time)


def _higher_text(measured: Sequence[Measurement]) -> str:
    """A legend's sentence on bars that are higher than the number above them."""
    over = max((_summed(m) / m.seconds.value - 1 for m in measured if m.seconds), default=0.0)
    if over < _SEEN:
        return ""
    return (
        "The number above a bar is the sort’s median; its phases are medians of their own, whose sum, the bar, is up "
        f"to {percent(over)} higher. "
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
