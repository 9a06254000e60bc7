"""Conditions on values and facts, and the verdicts that follow."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Mapping, Optional, Sequence, Union

from ..records.case import Case
from ..records.statistics import Interval, exactly, geometric_mean_interval, greatest_interval, mean_interval
from . import words
from .selection import Selection

HOLDS, DIRECTION, IN_PART, UNDECIDED = "holds", "direction holds", "holds in part", "undecided"
REVERSED, FAILS = "reversed", "fails"
NOT_MEASURED, NOT_TESTABLE = "not measured", "not testable"
MEANINGS = {
    HOLDS: "order and size as the paper has them",
    DIRECTION: "the order or the sign is right; the size is not, or its interval spans the threshold. The size may be "
    "a bound on a speed-up, such as “at least 1.66 times”",
    IN_PART: "at least as many of its statements hold as fail or are reversed; or the order is reversed at some sizes",
    UNDECIDED: "an interval spans the threshold: of several cases, those of so many that neither more than half meet "
    "the condition nor more than half are the other way round. The sentence then says to which side they lean together",
    REVERSED: "the order is the other way round: of several cases in more than half of them, whatever the others "
    "show. A claim is reversed if every one of its statements is",
    FAILS: "a shape, a share or a bound on one is not met, or there is no difference. Where every case must have the "
    "paper's order, one that has not is enough; the statement fails while the order is the other way round in half of "
    "the cases or fewer, and is reversed in more. A claim fails if more of its statements fail or are reversed than "
    "hold",
    NOT_MEASURED: "no record here shows it; the row names the config and the machine that would, or the plug-in that "
    "nobody has written",
    NOT_TESTABLE: "no run could decide it: an absolute figure of the paper's machine, a ratio of two of them or a size "
    "from which one of them is fast, a processor that nobody has, or what the paper leaves open",
}
VERDICTS = tuple(MEANINGS)
RULES = {  # the cases that must meet a condition, by Values.over
    "every": "in every case",
    "most": "in most cases",
    "majority": "in a majority of the cases",
    "some": "in some case",
    "largest": "by the largest value",
    "mean": "on average",
}
RULE_MEANINGS = {
    "in every case": "each case must meet the condition; one that fails decides. The paper says “never”, “at least”, "
    "“all”",
    "in most cases": "more than half must meet it; the claim holds in part where the order is the other way round in "
    "another. Each case is judged by its own interval; where these leave too many open, the geometric mean of all "
    "(“together”) is shown and decides nothing. Used when the paper gives one number without saying for which n",
    "in a majority of the cases": "more than half must meet it by their own intervals, whatever becomes of the others. "
    "The geometric mean is shown as in most cases. The paper says “most”",
    "in some case": "one case is enough. The paper says “up to”, or “may”",
    "by the largest value": "the greatest of all cases must meet it. The paper says “up to” or “as much as”",
    "on average": "the arithmetic mean of all cases must meet it; where it has the direction alone, the geometric mean "
    "must have it too. The paper says “on average”",
}
OPEN = (NOT_MEASURED, NOT_TESTABLE)  # no verdict
NOT_JUDGED = ""  # the verdict of a part beside a claim without one
_GOOD, _BAD = (HOLDS, DIRECTION), (FAILS, REVERSED)
_WITH_DIRECTION = ("ratio", "product_ratio")  # measures of which 1 is neither more nor less


@dataclass(frozen=True)
class Value:
    """One case's value, and the case in words and as a record has it."""

    interval: Interval
    text: str
    case: Optional[Case] = None
    places: tuple[str, ...] = ()  # places of its sorts: "the H200", "16 threads"
    disturbed: bool = False
    cells: int = 1  # number of cells that the value is of; two that are compared count once
    few_samples: bool = False  # fewer than an interval of order statistics needs
    doubt: str = ""  # reason why it is uncertain, though not all of its cells are disturbed
    fastest: tuple[str, ...] = ()  # the sorts that were the fastest of those that stand for a role


@dataclass(frozen=True)
class Values:
    """The values of all cases, in their order, or the reason why the records give none."""

    cases: Sequence[Value] = ()
    untestable: str = ""
    measurable: bool = False  # a run could give them
    where: str = ""  # the machine on which it could, if the reason names one
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
    measurable: bool = False  # a run could give them
    where: str = ""  # the machine on which it could, if the reason names one
    predicted: bool = False
    places: tuple[str, ...] = ()  # places of the sorts
    asked: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Condition:
    """The range in which a value must lie for its claim to hold, and the claim's neutral value: 1 for a ratio, say,
    which separates faster from slower. None if the claim has no direction.

    A value outside the range but on its side of the neutral value has the claim's direction.
    """

    low: float = -math.inf
    high: float = math.inf
    neutral: Optional[float] = None

    def decide(self, value: Interval) -> str:
        """The verdict on one value, which needs its whole interval."""
        if value.low >= self.low and value.high <= self.high:
            return HOLDS
        if self.neutral is not None:
            above = self.low >= self.neutral
            if (value.low > self.neutral) if above else (value.high < self.neutral):
                return DIRECTION
            if (value.high < self.neutral) if above else (value.low > self.neutral):
                return REVERSED
        return FAILS if value.high < self.low or value.low > self.high else UNDECIDED


@dataclass(frozen=True)
class Answer:
    """The verdict of a condition, with the figure that decides it."""

    verdict: str
    reason: str  # why it is not testable, or the cases of the figure
    on: Union[Values, Facts] = Values()
    condition: Condition = Condition()
    allowed: Sequence[str] = ()  # the words that facts must be among

    @property
    def low(self) -> float:
        return self.condition.low

    @property
    def high(self) -> float:
        return self.condition.high

    @property
    def cases(self) -> str:
        """The cases of the figure, without the tally of those that hold."""
        if isinstance(self.on, Values) and self.on.over in ("every", "most", "majority", "some"):
            named = words.fastest(name for value in self.on.cases for name in value.fastest)
            return "; ".join(filter(None, [words.several([value.text for value in self.on.cases]), named]))
        return self.reason

    @property
    def is_open(self) -> bool:
        """True if there is no verdict."""
        return self.verdict in OPEN

    @property
    def rule(self) -> str:
        """The cases that must meet the condition, in words; empty if there is one case of its kind."""
        if isinstance(self.on, Facts) or self.on.over == "every" and len(self.on.cases) < 2:
            return ""
        return RULES[self.on.over]

    @property
    def arithmetic(self) -> bool:
        """True for a number that says nothing of a machine."""
        return self.on.asked.get("measure") == "arithmetic"

    @property
    def predicted(self) -> bool:
        """True for a model's prediction."""
        return str(self.on.asked.get("measure")).startswith("predicted_")

    @property
    def elsewhere(self) -> bool:
        """True for numbers that others published, or a model predicts, for machines that are not here."""
        return self.predicted or str(self.on.asked.get("measure")).startswith("published_")

    @property
    def places(self) -> tuple[str, ...]:
        """The places where the sorts ran, as far as they were measured here."""
        every = self.on.places if isinstance(self.on, Facts) else [p for v in self.on.cases for p in v.places]
        return tuple(dict.fromkeys(every))

    @property
    def shown(self) -> Sequence[Interval]:
        """The values that the figure shows: of all cases, or the one that they are judged by together."""
        if not isinstance(self.on, Values):
            return ()
        intervals = [value.interval for value in self.on.cases]
        return [_ONE[self.on.over](intervals)] if intervals and self.on.over in _ONE else intervals


def at_least(least: float, values: Values, neutral: Optional[float] = None) -> Answer:
    return _answer(values, least, math.inf, neutral)


def at_most(most_: float, values: Values, neutral: Optional[float] = None) -> Answer:
    return _answer(values, -math.inf, most_, neutral)


def between(least: float, most_: float, values: Values, neutral: Optional[float] = None) -> Answer:
    return _answer(values, least, most_, neutral)


def about(centre: float, values: Values, within: float, neutral: Optional[float] = None) -> Answer:
    """Holds up to `within`, a share of the centre, to either side."""
    return _answer(values, centre * (1 - within), centre * (1 + within), neutral)


def equals(number: float, values: Values) -> Answer:
    return _answer(values, number * (1 - 1e-9), number * (1 + 1e-9))


def among(allowed: Sequence[str], facts: Facts) -> Answer:
    """Holds if all words are allowed and fails if none is. In an exact prediction one disallowed word fails."""
    if facts.untestable:
        return Answer(_open(facts), facts.untestable, facts, allowed=allowed)
    so = [word in allowed for word in facts.words]
    verdict = HOLDS if all(so) else FAILS if facts.predicted or not any(so) else UNDECIDED
    return Answer(verdict, facts.text, facts, allowed=allowed)


def untestable(reason: str) -> Answer:
    """No records can decide it, for this reason."""
    return Answer(NOT_TESTABLE, reason)


def unwritten(what: str) -> Answer:
    """Records would decide it, once someone writes `what`."""
    return Answer(NOT_MEASURED, words.UNWRITTEN + what)


def _open(found: Union[Values, Facts]) -> str:
    return NOT_MEASURED if found.measurable else NOT_TESTABLE


def most(values: Values) -> Values:
    """A condition must hold in more than half of the cases, and is not reversed in any of them."""
    return replace(values, over="most")


def majority(values: Values) -> Values:
    """A condition must hold in more than half of the cases, since the paper says so: whatever becomes of the others."""
    return replace(values, over="majority")


def some(values: Values) -> Values:
    """A condition must hold in one case."""
    return replace(values, over="some")


def largest(values: Values) -> Values:
    """A condition must hold for the largest value."""
    return replace(values, over="largest")


def mean(values: Values) -> Values:
    """A condition must hold for the mean of all cases."""
    return replace(values, over="mean")


def all_of(verdicts: Sequence[str]) -> str:
    """The verdict on a claim whose parts have these."""
    good, bad = (sum(verdict in side for verdict in verdicts) for side in ((*_GOOD, IN_PART), _BAD))
    if not verdicts:
        return NOT_TESTABLE
    if bad or IN_PART in verdicts:
        if (HOLDS in verdicts or IN_PART in verdicts) and good >= bad:
            return IN_PART
        return FAILS if good or FAILS in verdicts else REVERSED
    return next(verdict for verdict in (UNDECIDED, DIRECTION, HOLDS) if verdict in verdicts)


def _answer(values: Values, low: float, high: float, neutral: Optional[float] = None) -> Answer:
    if neutral is None and _has_opposite(values.asked) and (low >= 1 or high <= 1):
        neutral = 1.0
    condition = Condition(low, high, neutral)
    if values.untestable:
        return Answer(_open(values), values.untestable, values, condition)
    verdict, text = _over_cases(values, condition)
    # One case is enough for a claim about all to fail, and none but all of them for it to hold.
    if values.missing and not (verdict in _BAD and values.over == "every"):
        return Answer(NOT_MEASURED, values.missing, values, condition)
    return Answer(verdict, text, values, condition)


_ONE = {"largest": greatest_interval, "mean": mean_interval}  # the value by which all cases are judged


def _has_opposite(asked: Mapping[str, Any]) -> bool:
    """True of a ratio that could lie on either side of 1. What includes the other cannot take less, nor can wider
    elements of the same sort and n."""
    above, below = asked.get("above"), asked.get("below")
    wider = isinstance(above, Selection) and isinstance(below, Selection) and above.is_wider(below)
    return asked.get("measure") in _WITH_DIRECTION and not wider and asked.get("reads") != words.OF_A_COPY


def _over_cases(values: Values, condition: Condition) -> tuple[str, str]:
    """The verdict over several cases, and the cases in words."""
    cases, over = values.cases, values.over
    intervals = [value.interval for value in cases]
    doubts = words.doubts([v.disturbed for v in cases].count(True), [v.few_samples for v in cases].count(True))
    if over in _ONE:
        text = max(cases, key=lambda v: v.interval.value).text if over == "largest" else words.mean(len(cases), doubts)
        verdict = condition.decide(_ONE[over](intervals))
        if over == "mean" and verdict == DIRECTION and values.asked.get("measure") in _WITH_DIRECTION:
            verdict = _also_by_geometric_mean(condition.decide(geometric_mean_interval(intervals)))
        return verdict, text
    found = [condition.decide(interval) for interval in intervals]
    verdict = {"every": _every, "some": _some, "most": _most, "majority": _majority}[over](found)
    tally = words.tally(found)
    if verdict in (UNDECIDED, FAILS) and UNDECIDED in found and len(found) > 1 and is_of_most_ratios(values):
        tally += words.together(geometric_mean_interval(intervals))
    named = words.fastest(name for value in cases for name in value.fastest)
    return verdict, "; ".join(filter(None, [words.several([value.text for value in cases], tally + doubts), named]))


def _also_by_geometric_mean(verdict: str) -> str:
    """The verdict on a mean of which only the direction is right, by that on the geometric mean: a few great ratios
    outweigh many small ones in the mean, which then says nothing of the direction."""
    if verdict in _GOOD:
        return DIRECTION
    return UNDECIDED if verdict == UNDECIDED else FAILS


def is_of_most_ratios(values: Values) -> bool:
    """True if the geometric mean of the cases says something where their own intervals do not decide."""
    return values.over in ("most", "majority") and values.asked.get("measure") in _WITH_DIRECTION


def leaning(answer: Answer) -> str:
    """The verdict that the geometric mean would give cases which their own intervals leave undecided, if more than half
    of the values themselves are on its side; else undecided. It decides nothing."""
    if isinstance(answer.on, Facts) or answer.verdict != UNDECIDED or not is_of_most_ratios(answer.on):
        return UNDECIDED
    intervals = [value.interval for value in answer.on.cases]
    verdict = answer.condition.decide(geometric_mean_interval(intervals))
    side = _GOOD if verdict == DIRECTION else (verdict,) if verdict in (HOLDS, REVERSED) else _BAD
    so = sum(answer.condition.decide(exactly(one.value)) in side for one in intervals)
    return verdict if 2 * so > len(intervals) else UNDECIDED


def _every(found: Sequence[str]) -> str:
    if 2 * found.count(REVERSED) > len(found):
        return REVERSED
    if any(verdict in _BAD for verdict in found):
        return FAILS
    return next(verdict for verdict in (UNDECIDED, DIRECTION, HOLDS) if verdict in found)


def _some(found: Sequence[str]) -> str:
    for verdict in (HOLDS, DIRECTION, UNDECIDED, FAILS):
        if verdict in found:
            return verdict
    return REVERSED


def _most(found: Sequence[str]) -> str:
    verdict = _majority(found)
    return IN_PART if verdict in _GOOD and REVERSED in found else verdict


def _majority(found: Sequence[str]) -> str:
    if 2 * found.count(HOLDS) > len(found):
        return HOLDS
    if 2 * sum(verdict in _GOOD for verdict in found) > len(found):
        return DIRECTION
    if 2 * found.count(REVERSED) > len(found):
        return REVERSED
    return FAILS if 2 * sum(verdict in _BAD for verdict in found) >= len(found) else UNDECIDED
