"""Conditions on values and facts, and the verdicts that follow: holds, fails, undecided, not testable here."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Mapping, Optional, Sequence, Union

from ..records.case import Case
from ..records.quantities import Interval
from . import words

HOLDS, FAILS, UNDECIDED, NOT_TESTABLE = "holds", "fails", "undecided", "not testable here"
VERDICTS = (HOLDS, FAILS, UNDECIDED, NOT_TESTABLE)


@dataclass(frozen=True)
class Value:
    """One case's value, and the case in words and as a record has it."""

    interval: Interval
    text: str
    case: Optional[Case] = None


@dataclass(frozen=True)
class Values:
    """The values of all cases, in their order, or the reason why the records give none."""

    cases: Sequence[Value] = ()
    untestable: str = ""
    missing: str = ""  # the case that the claim is about and no record has
    over: str = "every"  # the cases that must meet a condition
    exact: bool = False  # computed or counted: shown without an interval
    asked: Mapping[str, Any] = field(default_factory=dict)  # the measure and its arguments


@dataclass(frozen=True)
class Facts:
    """One word for each case, such as a status, or the reason why the records give none."""

    words: Sequence[str] = ()
    text: str = ""  # the cases
    untestable: str = ""
    predicted: bool = False
    asked: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """The verdict of a condition, with the figure that decides it."""

    verdict: str
    figure: str  # the measured figure with its interval
    reason: str  # why it is not testable, or the cases of the figure
    on: Union[Values, Facts] = Values()
    low: float = -math.inf  # the condition: these ends, or these words
    high: float = math.inf
    allowed: Sequence[str] = ()

    @property
    def cases(self) -> str:
        """The cases of the figure, without the tally of those that hold."""
        if isinstance(self.on, Values) and self.on.over in ("every", "most", "some"):
            return words.several([value.text for value in self.on.cases])
        return self.reason

    @property
    def arithmetic(self) -> bool:
        return self.on.asked.get("measure") == "arithmetic"


def at_least(least: float, values: Values) -> Answer:
    return _answer(values, least, math.inf)


def at_most(most_: float, values: Values) -> Answer:
    return _answer(values, -math.inf, most_)


def between(least: float, most_: float, values: Values) -> Answer:
    return _answer(values, least, most_)


def about(centre: float, values: Values, within: float) -> Answer:
    """Holds up to `within`, a share of the centre, to either side."""
    return _answer(values, centre * (1 - within), centre * (1 + within))


def equals(number: float, values: Values) -> Answer:
    return _answer(values, number * (1 - 1e-9), number * (1 + 1e-9))


def among(allowed: Sequence[str], facts: Facts) -> Answer:
    """Holds if all words are allowed and fails if none is. In an exact prediction one disallowed word fails."""
    if facts.untestable:
        return Answer(NOT_TESTABLE, "", facts.untestable, facts, allowed=allowed)
    so = [word in allowed for word in facts.words]
    verdict = HOLDS if all(so) else FAILS if facts.predicted or not any(so) else UNDECIDED
    return Answer(verdict, ", ".join(sorted(set(facts.words))), facts.text, facts, allowed=allowed)


def untestable(reason: str) -> Answer:
    """No records can decide it, for this reason."""
    return Answer(NOT_TESTABLE, "", reason)


def most(values: Values) -> Values:
    """A condition must hold in more than half of the cases."""
    return replace(values, over="most")


def some(values: Values) -> Values:
    """A condition must hold in one case."""
    return replace(values, over="some")


def largest(values: Values) -> Values:
    """A condition must hold for the largest value."""
    return replace(values, over="largest")


def mean(values: Values) -> Values:
    """A condition must hold for the mean of all cases."""
    return replace(values, over="mean")


def decide(value: Interval, low: float, high: float) -> str:
    """Holds if the whole interval lies between the ends, fails if none of it does."""
    if value.low >= low and value.high <= high:
        return HOLDS
    return FAILS if value.high < low or value.low > high else UNDECIDED


def all_of(verdicts: Sequence[str]) -> str:
    """The verdict on a claim whose parts have these."""
    for verdict in (FAILS, UNDECIDED, HOLDS):
        if verdict in verdicts:
            return verdict
    return NOT_TESTABLE


def _answer(values: Values, low: float, high: float) -> Answer:
    if values.untestable:
        return Answer(NOT_TESTABLE, "", values.untestable, values, low, high)
    verdict, figure, text = _over_cases(values, low, high)
    # One case is enough for a claim about all to fail, and none but all of them for it to hold.
    if values.missing and not (verdict == FAILS and values.over == "every"):
        return Answer(NOT_TESTABLE, "", values.missing, values, low, high)
    return Answer(verdict, figure, text, values, low, high)


def _over_cases(values: Values, low: float, high: float) -> tuple[str, str, str]:
    """The verdict over several cases, the figure, and the cases in words."""
    cases, over = values.cases, values.over
    intervals = [value.interval for value in cases]
    if over in ("largest", "mean"):
        ends = [[i.value for i in intervals], [i.low for i in intervals], [i.high for i in intervals]]
        one = Interval(*(max(end) if over == "largest" else sum(end) / len(end) for end in ends))
        text = max(cases, key=lambda v: v.interval.value).text if over == "largest" else words.mean(len(cases))
        return decide(one, low, high), words.figure([one]), text
    verdicts = [decide(interval, low, high) for interval in intervals]
    holding, failing = verdicts.count(HOLDS), verdicts.count(FAILS)
    if over == "every":
        verdict = all_of(verdicts)
    elif over == "some":
        verdict = HOLDS if holding else FAILS if failing == len(cases) else UNDECIDED
    else:  # most
        verdict = HOLDS if 2 * holding > len(cases) else FAILS if 2 * failing >= len(cases) else UNDECIDED
    text = words.several([value.text for value in cases], f"{holding} hold and {failing} fail, ")
    return verdict, words.figure(intervals, values.exact), text
