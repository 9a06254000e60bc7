"""Sentences of what was found of a claim: "1.84 times as fast, 1.20 at 2²⁰"."""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from typing import Any, Callable, Mapping, Optional, Sequence

from ..records.case import Case
from ..records.quantities import count_text, digits, percent, seconds_text
from ..records.statistics import Interval, exactly, geometric_mean, geometric_mean_interval, median
from . import quantities, words
from .selection import Selection
from .verdicts import DIRECTION, HOLDS, IN_PART, REVERSED, UNDECIDED, Answer, Facts, Value, Values
from .verdicts import NOT_TESTABLE, is_of_most_ratios, leaning

_CLOSE = 0.1  # share of the median within which the extremes are not named
_NAMED_PARTS = 3

Show = Callable[[float], str]


def _scaled(factor: float) -> Show:
    return lambda value: digits(value / factor)


_UNITS: dict[Any, tuple[Show, str]] = {  # writing of a quantity's value, and its unit
    quantities.seconds: (seconds_text, ""),
    quantities.keys_per_s: (_scaled(1e6), "million keys a second"),
    quantities.bytes_per_s: (_scaled(1e9), "GB/s"),
    quantities.keys_per_s_and_core: (_scaled(1e6), "million keys a second and core"),
    quantities.keys_per_s_and_multiprocessor: (_scaled(1e9), "·10⁹ keys a second and multiprocessor"),
    quantities.bookkeeping_share: (percent, ""),
    quantities.cycles: (digits, "cycles an element"),
    quantities.cycles_per_pass: (digits, "cycles an element and pass"),
    quantities.cycles_per_level: (digits, "cycles an element and level"),
}
_TIMES = {  # reading of the measures that are ratios, with the noun that a number of times needs
    "amdahl": words.FASTER,
    "predicted_gain": words.FASTER,
    "published_gain": words.FASTER,
    "published_rate_gain": words.FASTER,
    "product_ratio": "times as great",
    "counted_ratio": "times as many",
    "counted_growth": "times as many",
}
_SHORT = {"memory.bandwidth": "bandwidth"}
_RESOURCES = {"dram": "device memory", "shared": "shared memory", "issue": "issue of instructions"}


def sentence(parts: Sequence[tuple[str, Answer]], begin: str = "Here", say_verdicts: bool = False) -> str:
    """Names the findings of several parts, and what they were measured on; the first few of many. `say_verdicts` is for
    parts that the claim's own verdict says nothing of: their verdicts follow, unless all hold."""
    more = len(parts) - _NAMED_PARTS
    named = parts if more <= 1 else parts[:_NAMED_PARTS]
    places = [_place(answer) for _, answer in parts]
    of_all = places[0] if len(set(places)) == 1 else ""
    sizes = {name: _sizes(answer) for name, answer in parts}
    most = max(sizes.values(), default=0)
    texts = []
    # Beside a part that is undecided the others say their verdicts.
    verdicts = {answer.verdict for _, answer in parts}
    is_mixed = {UNDECIDED} < verdicts or say_verdicts and verdicts != {HOLDS}
    disturbed = [_disturbed(answer) for _, answer in parts]
    in_all = sum(disturbed) if len(parts) > 1 and all(disturbed) else 0
    for (name, answer), place, cells in zip(named, places, disturbed):
        few = f" (n ≤ {count_text(sizes[name])})" if 0 < sizes[name] < most else ""
        verdict = f", {_verdict_text(answer)}" if is_mixed and answer.verdict != UNDECIDED else ""
        where = name if of_all else f"{name},{place}" if name and place else f"{name}{place}"
        found = (f"{where}: " if where else "") + text(answer) + few + verdict
        texts.append(found + ("" if in_all else words.all_disturbed(cells)))
    if more > 1:
        all_ = "all " if len(verdicts) == 1 else "of all "
        texts.append(f"{more} more; {all_}{words.tally([answer.verdict for _, answer in parts])[:-2]}")
    # One named finding: "Here on the H200, over CUB: 1.41 times"; several: "Here on the H200: 32-bit keys: …; …".
    after = "," if of_all and len(parts) == 1 and parts[0][0] else ":" if of_all else ""
    return f"{begin}{of_all}{after} {'; '.join(texts)}{words.all_disturbed(in_all)}." if texts else ""


def _verdict_text(answer: Answer) -> str:
    """The verdict, with the number of cases that hold where most of them need to: "holds in 4 of 5 cases"."""
    if answer.verdict != HOLDS or isinstance(answer.on, Facts) or answer.on.over not in ("most", "majority"):
        return answer.verdict
    held = [answer.condition.decide(value.interval) for value in answer.on.cases].count(HOLDS)
    return f"{HOLDS} in {held} of {len(answer.on.cases)} cases"


def sentence_by_group(parts: Sequence[tuple[str, Answer]], begin: str = "Here") -> str:
    """Sums up many parts by groups: the smallest and largest value of each group, and how many of its parts hold.
    Groups that hold as a whole come first, then those that hold in part."""
    groups: dict[str, list[Answer]] = {}
    for group, answer in parts:
        groups.setdefault(group, []).append(answer)
    places = list(dict.fromkeys(_place(answer) for _, answer in parts))
    told = []
    for group, answers in sorted(groups.items(), key=lambda item: _rank([answer.verdict for answer in item[1]])):
        disturbed = [_disturbed(answer) for answer in answers]
        cells = sum(disturbed) if all(disturbed) else 0
        told.append(f"{group}: {_span_text(answers)}, {_holding(answers)}{words.all_disturbed(cells)}")
    at = f" on {words.all_of([place.removeprefix(' on ') for place in places if place])}" if any(places) else ""
    return f"{begin}{at}: {'; '.join(told)}."


def _rank(verdicts: Sequence[str]) -> int:
    """The place of a group in its sentence: 0 if all of its parts hold, 1 if some do, 2 if none does."""
    if all(verdict == HOLDS for verdict in verdicts):
        return 0
    return 1 if any(verdict in (HOLDS, IN_PART) for verdict in verdicts) else 2


def _span_text(answers: Sequence[Answer]) -> str:
    """The least and the greatest value of several parts, all of one measure. Of parts for which one case is enough,
    these are of their greatest cases, with how many of their cases meet the condition."""
    of = [a.on.cases for a in answers if isinstance(a.on, Values)]
    values = [v.interval.value for cases in of for v in cases]
    show, unit = _shown(answers[0].on.asked)
    if all(isinstance(a.on, Values) and a.on.over == "some" and math.isinf(a.high) for a in answers):
        held = [sum(a.condition.decide(v.interval) == HOLDS for v in cases) for a, cases in zip(answers, of)]
        greatest = [max(v.interval.value for v in cases) for cases in of]
        noun = _noun([v for cases in of for v in cases])
        met = f"{_span(held, ' to ')} of {_span([len(cases) for cases in of], ' or ')} {noun} meet it"
        ends = " to ".join(dict.fromkeys((show(min(greatest)), show(max(greatest)))))
        return f"at its greatest {ends} {unit} ({met}; the least of all is {show(min(values))})"
    ends = " to ".join(dict.fromkeys((show(min(values)), show(max(values)))))
    return ends + (f" {unit}" if unit else "")


def _span(counts: Sequence[int], between: str) -> str:
    return between.join(dict.fromkeys((str(min(counts)), str(max(counts)))))


def _noun(values: Sequence[Value]) -> str:
    """The field in which cases differ, in the plural."""
    known = [value.case for value in values if value.case]
    if len({case.n for case in known if case.type_name == known[0].type_name}) > 1:
        return "cases"
    return "entropies" if known and all(case.is_entropy for case in known) else "cases"


def _holding(answers: Sequence[Answer]) -> str:
    """Counts the parts that hold, and the others by verdict: "none of 9 statements holds (8 hold in direction
    only, 1 fail)"."""
    verdicts = [answer.verdict for answer in answers]
    if IN_PART in verdicts:
        return _cases_as_the_paper_says(answers)
    if len(verdicts) == 1:
        return verdicts[0]
    holding = verdicts.count(HOLDS)
    others = words.tally([verdict for verdict in verdicts if verdict != HOLDS])[:-2]
    others += words.but_for_intervals(sum(map(_holds_but_for_its_interval, answers)))
    head = f"{holding or 'none'} of {len(verdicts)} statements {'hold' if holding > 1 else 'holds'}"
    return f"{head} ({others})" if others else head


def _holds_but_for_its_interval(answer: Answer) -> bool:
    """True if a part has the direction alone, though each value that decides it meets the condition."""
    values = [exactly(interval.value) for interval in answer.shown]
    return answer.verdict == DIRECTION and all(answer.condition.decide(value) == HOLDS for value in values)


def _cases_as_the_paper_says(answers: Sequence[Answer]) -> str:
    """Counts the cases of parts some of which hold in part, and names the sizes at which the order is the other way
    round: "as the paper says in 25 of 31 cases, the other way round at n = 2¹⁸"."""
    found = [(a.condition.decide(v.interval), v.case) for a in answers if isinstance(a.on, Values) for v in a.on.cases]
    so = [verdict in (HOLDS, DIRECTION) for verdict, _ in found].count(True)
    sizes = sorted({case.n for verdict, case in found if verdict == REVERSED and case})
    text_ = f"as the paper says in {so} of {len(found)} cases"
    return f"{text_}, the other way round at n = {words.all_of([count_text(n) for n in sizes])}" if sizes else text_


def _place(answer: Answer) -> str:
    """The places where a part was measured: " on the H200", " on 16 threads"."""
    return f" on {' and '.join(answer.places)}" if answer.places else ""


def _disturbed(answer: Answer) -> int:
    """Number of a part's cells, if all of them were disturbed, else 0."""
    cases = [] if isinstance(answer.on, Facts) else answer.on.cases
    return sum(value.cells for value in cases) if all(value.disturbed for value in cases) else 0


def _sizes(answer: Answer) -> int:
    """The largest of several n of a part; 0 if there is one n, or one case that is named decides."""
    if isinstance(answer.on, Facts) or answer.on.over == "largest":
        return 0
    known = {value.case.n for value in answer.on.cases if value.case}
    return max(known) if len(known) > 1 else 0


def text(answer: Answer) -> str:
    """Words for the values that one condition was held against."""
    if isinstance(answer.on, Facts):
        return _facts(answer.on.words)
    show, unit = _shown(answer.on.asked)
    named = words.fastest(name for value in answer.on.cases for name in value.fastest)
    told = _over_cases(answer, show, f" {unit}" if unit else "")
    told[0] += _lone_size(answer.on)
    doubts = [value.doubt for value in answer.on.cases] if len(answer.on.cases) == 1 else []
    return ", ".join([*told, *filter(None, [_undecided_text(answer, show), _in_range_text(answer), *doubts, named])])


def _lone_size(values: Values) -> str:
    """Names the n of a lone case where the claim speaks of a span: " at 250 000 000 alone"."""
    spans = [one for one in values.asked.values() if isinstance(one, Selection) and ".." in one.n]
    case = values.cases[0].case if len(values.cases) == 1 and values.cases[0].cells <= 2 else None
    return f" at {count_text(case.n)} alone" if case and spans else ""


def _in_range_text(answer: Answer) -> str:
    """Says of values which have the direction alone that they meet the paper's condition, if only their intervals reach
    beyond it: "1 of 4 cases holds, 3 more but for their intervals"; empty for other verdicts."""
    if answer.verdict != DIRECTION or isinstance(answer.on, Facts) or answer.on.over in ("mean", "some"):
        return ""
    decide = answer.condition.decide
    inside = [one for one in answer.shown if decide(exactly(one.value)) == HOLDS]
    held = sum(decide(one) == HOLDS for one in inside)
    more = len(inside) - held
    if not more:
        return ""
    if len(answer.shown) == 1:
        return f"holds but for its interval, {_ends_text(answer.shown[0])}"
    # _over_cases has counted those that hold.
    is_told = answer.on.over == "every" and held
    counted = "" if is_told else f"{words.holding(held, len(answer.shown))}, "
    return f"{counted}{more}{' more' if held else ''} but for {'its interval' if more == 1 else 'their intervals'}"


def _ends_text(interval: Interval) -> str:
    return f"{digits(interval.low)} to {digits(interval.high)}"


def _undecided_text(answer: Answer, show: Show) -> str:
    """Says what leaves an answer undecided, since its values alone would look decided: the interval, in how many of
    several cases, and to which side these lean, if to one: "undecided in 6 of 11 cases, leaning the other way: together
    0.696, its interval 0.494 to 0.980"; empty for other verdicts."""
    if answer.verdict != UNDECIDED or isinstance(answer.on, Facts):
        return ""
    intervals = [value.interval for value in answer.on.cases]
    if len(answer.shown) == 1:
        return _interval_text(answer.shown[0], show)
    found = [answer.condition.decide(interval) for interval in intervals]
    others = words.tally([one for one in found if one != HOLDS])[:-2]
    # _over_cases has counted those that hold.
    is_told = answer.on.over == "every" and HOLDS in found
    told = others if is_told else f"{words.holding(found.count(HOLDS), len(found))}, {others}"
    if not is_of_most_ratios(answer.on):
        low, high = min(one.low for one in intervals), max(one.high for one in intervals)
        return f"{told}, intervals from {show(low)} to {show(high)}"
    side = leaning(answer)
    if side != UNDECIDED:
        told += f", leaning {'to the paper’s side' if side in (HOLDS, DIRECTION) else 'the other way'}"
    whole = geometric_mean_interval(intervals)
    return f"{told}: together {show(whole.value)}, {_interval_text(whole, show)}"


def _interval_text(interval: Interval, show: Show) -> str:
    return f"its interval {show(interval.low)} to {show(interval.high)}"


def _facts(words: Sequence[str]) -> str:
    return ", ".join(_RESOURCES.get(word, word) for word in sorted(set(words)))


def figure_text(answer: Answer) -> str:
    """One value with its interval, or the median of several and what their intervals span, in the unit of
    condition_text."""
    if isinstance(answer.on, Facts):
        return _facts(answer.on.words)
    if not answer.shown:
        return ""
    show, unit = _shown(answer.on.asked)
    return _with_unit(_figure(answer.shown, answer.on.exact, show), answer.on.asked, unit)


def _figure(intervals: Sequence[Interval], exact: bool, show: Show) -> str:
    middle = median(one.value for one in intervals)
    low, high = min(one.low for one in intervals), max(one.high for one in intervals)
    if exact or low == high:
        return (_plain if show is digits and exact else show)(middle)
    brackets = ("[", ", ", "]") if len(intervals) == 1 else ("(", " … ", ")")
    return f"{show(middle)} {brackets[0]}{show(low)}{brackets[1]}{show(high)}{brackets[2]}"


def _with_unit(text_: str, asked: Mapping[str, Any], unit: str) -> str:
    """A figure or condition with the unit of a quantity; ratios and shares need none."""
    return f"{text_} {unit}" if unit and asked.get("measure") in ("level", "marginal") else text_


def condition_text(answer: Answer) -> str:
    """Words for a condition: "at least 1.6", "1.5 to 1.8", "issue or shared"."""
    if isinstance(answer.on, Facts):
        return " or ".join(_RESOURCES.get(word, word) for word in answer.allowed)
    if answer.on.asked.get("measure") == "kernels":
        return "the same number in every cell"
    if not answer.on.asked:
        return ""
    low, high = answer.low, answer.high
    show, unit = _shown(answer.on.asked)
    plain: Show = _plain if show is digits else show
    if math.isinf(low):
        text_ = f"at most {plain(high)}"
    elif math.isinf(high):
        text_ = f"at least {plain(low)}"
    else:
        text_ = plain((low + high) / 2) if high - low <= 1e-6 * abs(high) else f"{plain(low)} to {plain(high)}"
    return _with_unit(text_, answer.on.asked, unit)


def _plain(value: float) -> str:
    """A number as one writes it: whole, or with a few digits."""
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e6 else f"{value:.4g}"


def _shown(asked: Mapping[str, Any]) -> tuple[Show, str]:
    """The writing of a measure's values, and their unit."""
    measure = asked.get("measure")
    if measure == "ratio":
        reads = str(asked.get("reads", words.LONGER))
        if reads.startswith("of the "):
            return percent, reads
        return digits, reads
    if measure == "arithmetic" and asked.get("as_share"):
        return lambda value: f"{digits(100 * value)} %", ""
    if measure == "share" or measure == "marginal" and asked.get("as_share"):
        return percent, "of the time"
    if measure in ("spread", "spread_at_each_n"):
        return percent, "between the least and the greatest"
    if measure == "memory_share":
        return percent, "of the time follows bandwidth"
    if measure == "kernels":
        return (
            lambda value: "the same number of kernels in every cell" if not value else f"{percent(value)} more kernels",
            "",
        )
    quantity: Any = asked.get("quantity")
    if isinstance(quantity, functools.partial):  # in_phase
        quantity = quantity.args[1]
    if measure in ("level", "marginal") and quantity in _UNITS:
        show, unit = _UNITS[quantity]
        return show, unit.replace("keys", "pairs") if _are_pairs(asked) else unit
    if measure in ("predicted_gain", "published_gain") and asked.get("per"):
        return digits, f"times the gain in {words.all_of([_SHORT.get(name, name) for name in asked['per']])}"
    return digits, _TIMES.get(str(measure), "")


def _are_pairs(asked: Mapping[str, Any]) -> bool:
    """True for a quantity of keys with values."""
    selected = [one for one in asked.values() if isinstance(one, Selection)]
    return bool(selected) and all(one.value_type != "none" for one in selected)


def _over_cases(answer: Answer, show: Show, unit: str) -> list[str]:
    """The median, and the extremes where they are far from it, with their cases. Those that hold are counted only of
    an answer that is judged."""
    assert isinstance(answer.on, Values)
    values, condition = answer.on, answer.condition
    cases = sorted(values.cases, key=lambda value: value.interval.value)
    if values.exact and len(cases) == 1 and show is digits:
        return [_plain(cases[0].interval.value) + unit]
    if values.over == "mean":
        ratios = [value.interval.value for value in cases]
        mean, geometric = show(sum(ratios) / len(ratios)), show(geometric_mean(ratios))
        return [f"on average {mean}{unit} by the arithmetic mean, which decides", f"{geometric} by the geometric"]
    if values.over == "largest":
        return [f"at most {show(cases[-1].interval.value)}{unit}", *filter(None, [_at(cases[-1], cases)])]
    least, greatest = (show(end.interval.value) for end in (cases[0], cases[-1]))
    if values.over == "every" and least != greatest:
        where = [_at(end, cases) for end in (cases[0], cases[-1])]
        named = [f"{value} ({place})" if place else value for value, place in zip((least, greatest), where)]
        found = [condition.decide(value.interval) for value in cases]
        held, turned = found.count(HOLDS), found.count(REVERSED)
        told = [words.holding(held, len(cases))] if 0 < held < len(cases) else []
        if not held and 0 < turned < len(cases):
            told = [f"{turned} of {len(cases)} cases the other way round"]
        return [f"{' to '.join(named)}{unit}", *([] if answer.is_open else told)]
    if values.over == "some":
        best = cases[0] if math.isinf(condition.low) else cases[-1]
        return [" ".join(filter(None, [show(best.interval.value) + unit, _at(best, cases)]))]
    middle = median(one.interval.value for one in cases)
    ends = [cases[0]] if math.isinf(condition.high) else [cases[-1]] if math.isinf(condition.low) else []
    extremes = []
    for end in ends or (cases[0], cases[-1]):
        at = _at(end, cases)
        if at and abs(end.interval.value - middle) > _CLOSE * abs(middle):
            extremes.append(f"{show(end.interval.value)} {at}")
    return [show(middle) + unit, *extremes]


def _at(value: Value, cases: Sequence[Value]) -> str:
    """Names a case by its n or its distribution, where these tell it from the others."""
    known = [one.case for one in cases if one.case]
    if value.case is None or len(known) < 2:
        return ""
    parts = [_size(value.case, known), _distribution(value.case, known)]
    told = " ".join(part for part in parts if part)
    return told and (told if told.startswith("on ") else f"at {told}")


def _size(case: Case, among: Sequence[Case]) -> str:
    return count_text(case.n) if len({one.n for one in among}) > 1 else ""


def _distribution(case: Case, among: Sequence[Case]) -> str:
    if len({one.distribution for one in among}) < 2:
        return ""
    if case.is_entropy and case.entropy_bits:
        return f"on {digits(case.entropy_bits)} bits of entropy"
    return f"on {case.distribution}"


def found_elsewhere(figures: Sequence[tuple[str, Answer]], machine: Optional[str], begin: str = "Here") -> str:
    """Figures of this machine beside absolute ones of the paper's, which are not judged."""
    figures = [(name, replace(answer, verdict=NOT_TESTABLE)) for name, answer in figures]
    return f"{sentence(figures, begin)[:-1]}, beside a figure of the {machine} itself." if figures else ""
