"""Sentences of what was found of a claim: "1.84 times as fast, 1.20 at 2²⁰"."""

from __future__ import annotations

import functools
import math
from typing import Any, Callable, Mapping, Optional, Sequence

from ..records.case import Case
from ..records.quantities import count_text, digits, percent, seconds_text
from . import quantities
from .verdicts import Answer, Condition, Facts, Value, Values

_CLOSE = 0.1  # share of the median within which the extremes are not named
_NAMED_PARTS = 3

Show = Callable[[float], str]


def _scaled(factor: float) -> Show:
    return lambda value: digits(value / factor)


_UNITS: dict[Any, tuple[Show, str]] = {  # writing of a quantity's value, and its unit
    quantities.seconds: (seconds_text, ""),
    quantities.keys_per_s: (_scaled(1e6), "million keys a second"),
    quantities.bytes_per_s: (_scaled(1e9), "GB/s"),
    quantities.keys_per_s_and_core: (_scaled(1e9), "·10⁹ keys a second and multiprocessor"),
    quantities.bookkeeping_share: (percent, ""),
    quantities.cycles: (digits, "cycles an element"),
    quantities.cycles_per_pass: (digits, "cycles an element and pass"),
    quantities.cycles_per_level: (digits, "cycles an element and level"),
}
_RESOURCES = {"dram": "device memory", "shared": "shared memory", "issue": "issue of instructions"}


def sentence(parts: Sequence[tuple[str, Answer]], begin: str = "Here") -> str:
    """Names the findings of several parts; the first few of many."""
    texts = [(f"{name}: " if name else "") + text(answer) for name, answer in parts]
    more = len(texts) - _NAMED_PARTS
    shown = texts if more <= 1 else [*texts[:_NAMED_PARTS], f"{more} more"]
    return f"{begin} {'; '.join(shown)}." if texts else ""


def text(answer: Answer) -> str:
    """Words for the values that one condition was held against."""
    if isinstance(answer.on, Facts):
        return ", ".join(_RESOURCES.get(word, word) for word in sorted(set(answer.on.words)))
    show, unit = _shown(answer.on.asked)
    return ", ".join(_over_cases(answer.on, answer.condition, show, f" {unit}" if unit else ""))


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
        text_ = plain((low + high) / 2) if high - low < 1e-6 * abs(high) else f"{plain(low)} to {plain(high)}"
    return f"{text_} {unit}" if unit and answer.on.asked.get("measure") in ("level", "marginal") else text_


def _plain(value: float) -> str:
    """A number as one writes it: whole, or with a few digits."""
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e6 else f"{value:.4g}"


def _shown(asked: Mapping[str, Any]) -> tuple[Show, str]:
    """The writing of a measure's values, and their unit."""
    measure = asked.get("measure")
    if measure == "ratio":
        return digits, str(asked.get("reads", "times"))
    if measure == "share" or measure == "marginal" and asked.get("as_share"):
        return percent, "of the time"
    if measure == "spread":
        return percent, "between the least and the greatest"
    if measure == "memory_share":
        return percent, "of the time follows bandwidth"
    if measure == "kernels":
        return lambda value: "as many kernels in every cell" if not value else f"{percent(value)} more kernels", ""
    quantity: Any = asked.get("quantity")
    if isinstance(quantity, functools.partial):  # in_phase
        quantity = quantity.args[1]
    if measure in ("level", "marginal") and quantity in _UNITS:
        return _UNITS[quantity]
    return digits, "" if measure in ("arithmetic", "level", "marginal") else "times"


def _over_cases(values: Values, condition: Condition, show: Show, unit: str) -> list[str]:
    """The median, and the extremes where they are far from it, with their cases."""
    cases = sorted(values.cases, key=lambda value: value.interval.value)
    if values.exact and len(cases) == 1 and show is digits:
        return [_plain(cases[0].interval.value) + unit]
    if values.over == "mean":
        return [f"on average {show(sum(value.interval.value for value in cases) / len(cases))}{unit}"]
    if values.over == "largest":
        return [f"at most {show(cases[-1].interval.value)}{unit}", *filter(None, [_at(cases[-1], cases)])]
    middle = cases[len(cases) // 2].interval.value
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
    return f"on {case.distribution}" if len({one.distribution for one in among}) > 1 else ""


def found_elsewhere(figures: Sequence[tuple[str, Answer]], machine: Optional[str]) -> str:
    """Figures of this machine beside absolute ones of the paper's."""
    return f"{sentence(figures)[:-1]}, beside a figure of the {machine} itself." if figures else ""
