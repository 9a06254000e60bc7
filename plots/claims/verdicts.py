"""A verdict on values: holds, fails or undecided, of one case or over several; and the values in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Optional

from ..records.case import Case
from ..records.quantities import Interval, digits

HOLDS, FAILS, UNDECIDED, NOT_TESTABLE = "holds", "fails", "undecided", "not testable here"
VERDICTS = (HOLDS, FAILS, UNDECIDED, NOT_TESTABLE)


@dataclass(frozen=True)
class Value:
    """One case's value, and the case in words and as a record has it."""

    interval: Interval
    of: str
    case: Optional[Case] = None


def over_cases(values: list[Value], condition: dict[str, Any], over: str) -> tuple[str, str, str]:
    """The verdict over several cases, the figure, and the cases in words."""
    if over in ("largest", "mean"):
        ends = [[v.interval.value for v in values], [v.interval.low for v in values], [v.interval.high for v in values]]
        take = max if over == "largest" else (lambda numbers: sum(numbers) / len(numbers))
        one = Interval(*(take(end) for end in ends))
        of = max(values, key=lambda v: v.interval.value).of if over == "largest" else f"mean of {len(values)} cases"
        return decide(one, condition), figure_text([Value(one, of)]), of
    verdicts = [decide(v.interval, condition) for v in values]
    holding, failing = verdicts.count(HOLDS), verdicts.count(FAILS)
    if over == "every":
        verdict = all_of(verdicts)
    elif over == "some":
        verdict = HOLDS if holding else FAILS if failing == len(values) else UNDECIDED
    else:  # most
        verdict = HOLDS if 2 * holding > len(values) else FAILS if 2 * failing >= len(values) else UNDECIDED
    of = (
        values[0].of if len(values) == 1 else f"{len(values)} cases, {holding} hold and {failing} fail, {_ends(values)}"
    )
    return verdict, figure_text(values), of


def decide(value: Interval, condition: dict[str, Any]) -> str:
    """Holds if the whole interval meets the condition, fails if none of it does."""
    if "about" in condition:
        centre, share = condition["about"], condition["within"]
        low, high = centre * (1 - share), centre * (1 + share)
    elif "between" in condition:
        low, high = condition["between"]
    elif "equals" in condition:
        low, high = condition["equals"] * (1 - 1e-9), condition["equals"] * (1 + 1e-9)
    else:
        low, high = condition.get("at_least", -math.inf), condition.get("at_most", math.inf)
    if value.low >= low and value.high <= high:
        return HOLDS
    return FAILS if value.high < low or value.low > high else UNDECIDED


def figure_text(values: list[Value]) -> str:
    if len(values) == 1:
        v = values[0].interval
        return f"{_number(v.value)} [{_number(v.low)}, {_number(v.high)}]"
    low, high = min(v.interval.low for v in values), max(v.interval.high for v in values)
    middle = sorted(v.interval.value for v in values)[len(values) // 2]
    return f"{_number(middle)} ({_number(low)} … {_number(high)})"


def _number(value: float) -> str:
    return f"{digits(value / 1e6)}·10⁶" if value >= 1e6 else digits(value)


def _ends(values: list[Value]) -> str:
    return f"from {values[0].of} to {values[-1].of}"


def all_of(verdicts: list[str]) -> str:
    for verdict in (FAILS, UNDECIDED, HOLDS):
        if verdict in verdicts:
            return verdict
    return NOT_TESTABLE
