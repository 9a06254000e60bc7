"""Verdicts follow from intervals, and those of a claim from its parts."""

import functools
import math

import pytest
import synthetic_records as synthetic

from plots.claims import findings, verdicts, words
from plots.claims.books import books
from plots.claims.selection import Runs
from plots.claims.verdicts import DIRECTION, FAILS, HOLDS, IN_PART, NOT_TESTABLE, REVERSED, UNDECIDED, Value, Values
from plots.claims.verdicts import about, at_least, at_most, between, equals, largest, majority, mean, most, some
from plots.records.case import Case
from plots.records.collection import Records
from plots.records.statistics import Interval, exactly


def interval(value: float, width: float = 0.0) -> Value:
    return Value(Interval(value, value - width, value + width), "")


@pytest.mark.parametrize(
    "value, width, condition, ends, verdict",
    [
        (1.8, 0.05, at_least, [1.7], HOLDS),
        (1.6, 0.05, at_least, [1.7], FAILS),
        (1.7, 0.05, at_least, [1.7], UNDECIDED),
        (0.1, 0.05, at_most, [0.2], HOLDS),
        (1.0, 0.05, between, [0.9, 1.1], HOLDS),
        (1.08, 0.05, between, [0.9, 1.1], UNDECIDED),
        (1.2, 0.05, between, [0.9, 1.1], FAILS),
        (13, 1, functools.partial(about, within=0.15), [13], HOLDS),
        (10, 0.5, functools.partial(about, within=0.15), [13], FAILS),
        (39, 0, equals, [39], HOLDS),
    ],
)
def test_a_verdict_needs_the_whole_interval(value, width, condition, ends, verdict):
    assert condition(*ends, Values([interval(value, width)])).verdict == verdict


@pytest.mark.parametrize(
    "values, over, verdict",
    [
        ([2, 2, 1], lambda values: values, FAILS),
        ([2, 2, 1], most, HOLDS),
        ([2, 1, 1], most, FAILS),
        ([2, 2, 1], majority, HOLDS),
        ([2, 1, 1], majority, FAILS),
        ([2, 1, 1], some, HOLDS),
        ([1, 1, 1], some, FAILS),
        ([1, 1, 3], largest, HOLDS),
        ([1, 1, 3], mean, HOLDS),
        ([1, 1, 1], mean, FAILS),
    ],
)
def test_a_condition_is_of_every_case_or_of_those_named(values, over, verdict):
    assert at_least(1.5, over(Values([interval(v) for v in values]))).verdict == verdict


def test_a_value_of_most_sizes_holds_in_part_where_the_order_is_reversed_at_some():
    values = Values([interval(v) for v in (1.7, 1.7, 0.4)], asked={"measure": "ratio"})
    assert between(1.5, 2.0, most(values)).verdict == IN_PART
    assert between(1.5, 2.0, majority(values)).verdict == HOLDS
    in_order = Values([interval(v) for v in (1.7, 1.7, 1.1)], asked={"measure": "ratio"})
    assert between(1.5, 2.0, most(in_order)).verdict == HOLDS


@pytest.mark.parametrize(
    "low, high, neutral, value, verdict",
    [
        (1.6, math.inf, 1, 1.8, HOLDS),
        (1.6, math.inf, 1, 1.2, DIRECTION),
        (1.6, math.inf, 1, 0.8, REVERSED),
        (1.5, 1.8, 1, 2.5, DIRECTION),
        (-math.inf, 0.5, 0.5, 0.7, REVERSED),
        (3.4, 4.6, 2, 2.5, DIRECTION),  # more than linear, less than square
        (3.4, 4.6, 2, 1.8, REVERSED),
        (0.95, 1.05, None, 1.2, FAILS),
    ],
)
def test_a_size_that_is_off_is_no_order_that_is_reversed(low, high, neutral, value, verdict):
    assert verdicts.Condition(low, high, neutral).decide(Interval(value, value, value)) == verdict


def test_a_direction_needs_the_whole_interval_on_its_side():
    condition = verdicts.Condition(1.6, math.inf, 1)
    assert condition.decide(Interval(1.3, 0.9, 1.7)) == UNDECIDED
    assert condition.decide(Interval(1.3, 0.9, 1.5)) == FAILS  # the size is excluded, whatever the order
    assert condition.decide(Interval(1.6, 1.1, 1.9)) == DIRECTION


@pytest.mark.parametrize(
    "parts, verdict",
    [
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, DIRECTION], DIRECTION),
        ([DIRECTION, UNDECIDED], UNDECIDED),
        ([HOLDS, REVERSED], IN_PART),
        ([IN_PART], IN_PART),
        ([IN_PART, HOLDS], IN_PART),
        ([IN_PART, UNDECIDED], IN_PART),
        ([IN_PART, FAILS], IN_PART),
        ([IN_PART, FAILS, FAILS], FAILS),
        ([HOLDS, FAILS, FAILS], FAILS),
        ([DIRECTION, REVERSED], FAILS),
        ([REVERSED, REVERSED], REVERSED),
        ([REVERSED, UNDECIDED], REVERSED),
        ([], NOT_TESTABLE),
    ],
)
def test_a_claim_is_what_its_parts_are(parts, verdict):
    assert verdicts.all_of(parts) == verdict


@pytest.mark.parametrize(
    "values, over, verdict",
    [
        ([(0.8, 0.25)] * 3, most, UNDECIDED),
        ([(0.8, 0.25)] * 4 + [(0.5, 0.1)] * 3, most, UNDECIDED),  # together 0.65 [0.48, 0.82]
        ([(0.8, 0.25)] * 4 + [(0.5, 0.1)] * 3, majority, UNDECIDED),
        ([(0.8, 0.25)] * 3 + [(0.5, 0.1)] * 4, majority, REVERSED),
        ([(0.8, 0.25)] * 3 + [(0.5, 0.1)] * 3, lambda values: values, FAILS),  # a condition on every case
        ([(1.1, 0.25)] * 4 + [(0.1, 0.01)], most, UNDECIDED),  # 0.68, which one value makes
        ([(1.2, 0.25)] * 3 + [(2.0, 0.1)] * 3, most, UNDECIDED),
        ([(1.2, 0.25)] * 3 + [(2.0, 0.1)] * 4, most, HOLDS),
        ([(1.2, 0.25)] * 2 + [(2.0, 0.1)] * 4 + [(0.9, 0.05)], most, IN_PART),
    ],
)
def test_most_cases_are_judged_by_their_own_intervals(values, over, verdict):
    cases = Values([interval(*value) for value in values], asked={"measure": "ratio"})
    assert at_least(1.0, over(cases)).verdict == verdict


@pytest.mark.parametrize(
    "values, verdict",
    [
        ([0.5, 0.5, 3.0], FAILS),  # the mean is 1.33, the geometric mean 0.91
        ([0.9, 1.2, 1.3], DIRECTION),
        ([0.5, 0.5, 6.0], HOLDS),  # the size itself is the mean's
    ],
)
def test_a_mean_has_a_direction_only_if_the_geometric_mean_has_it(values, verdict):
    found = at_least(1.5, mean(Values([interval(v, 0.01) for v in values], asked={"measure": "ratio"})))
    assert found.verdict == verdict


def test_many_parts_are_told_by_groups():
    asked = {"measure": "ratio", "reads": "times as fast"}

    def ratios(*values: float) -> Values:
        cases = [Value(Interval(v, v - 0.01, v + 0.01), "", places=("the H200",)) for v in values]
        return Values(cases, asked=asked)

    parts = [
        ("over CUB", at_least(1.5, ratios(0.9))),
        ("over CUB", at_least(1.5, ratios(1.2, 1.4))),
        ("over Multisplit", at_least(1.5, ratios(2.0))),
    ]
    assert findings.sentence_by_group(parts) == (
        "Here on the H200: over Multisplit: 2.00 times as fast, holds; over CUB: 0.900 to 1.40 times as fast, none of "
        "2 statements holds (1 holds in direction only, 1 reversed)."
    )


def test_a_part_counts_the_cases_that_have_the_other_order():
    """HA-C9: blocks of 1024 beat those of 512 nowhere, and lose in three of four cases."""
    values = [Value(Interval(v, v - 0.02, v + 0.02), "") for v in (0.955, 0.96, 0.97, 0.985)]
    answer = at_least(1.0, Values(values, asked={"measure": "ratio", "reads": "times as fast"}))
    assert answer.verdict == REVERSED
    assert findings.text(answer) == "0.955 to 0.985 times as fast, 3 of 4 cases the other way round"


def test_an_average_says_which_mean_decides():
    """LEI-C4: 1.18 and 0.903 stood side by side."""
    values = [Value(exactly(v), "") for v in (0.5, 2.0)]
    answer = at_least(1.3, mean(Values(values, asked={"measure": "ratio", "reads": "times as fast"})))
    told = "on average 1.25 times as fast by the arithmetic mean, which decides, 1.00 by the geometric"
    assert findings.text(answer) == told


def test_a_group_of_which_one_case_is_enough_tells_how_many_meet_the_condition():
    """STE-C29: "0.997 to 4.95, 4 of 4 hold" looked as if any of these cost more."""
    asked = {"measure": "product_ratio"}

    def costs(*by_entropy: float) -> Values:
        kinds = (Case.of(synthetic.case("vqsort", 4, distribution=f"thearling:ands={i}")) for i in range(9))
        return some(Values([Value(exactly(v), "", case) for v, case in zip(by_entropy, kinds)], asked=asked))

    parts = [("both", at_least(1.05, costs(1.0, 1.2, 3.0))), ("both", at_least(1.05, costs(0.99, 1.01, 1.0, 4.5)))]
    assert findings.sentence_by_group(parts) == (
        "Here: both: at its greatest 3.00 to 4.50 times as great (1 to 2 of 3 or 4 entropies meet it; the least of all "
        "is 0.990), 2 of 2 statements hold."
    )


def test_a_group_tells_what_only_an_interval_keeps_from_holding():
    """STE-C28, 64-bit keys: 1.30 is above the paper's 1.29, its interval is not."""
    asked = {"measure": "ratio", "reads": "times as fast"}
    values = [Interval(1.30, 1.26, 1.34), Interval(1.93, 1.88, 1.98)]
    parts = [
        ("64-bit keys", at_least(least, Values([Value(value, "a case")], asked=asked)))
        for least, value in zip((1.29, 2.99), values)
    ]
    assert findings.sentence_by_group(parts) == (
        "Here: 64-bit keys: 1.30 to 1.93 times as fast, none of 2 statements holds (2 hold in direction only; "
        "of 1 the value meets the bound, but not the whole interval)."
    )


def test_a_group_that_holds_in_part_counts_its_cases():
    """LEI-C5: the radix sort wins most cases, so that "none of 3 holds" would mislead."""

    def ratios(*values: float) -> Values:
        cases = [
            Value(Interval(v, v - 0.01, v + 0.01), "", Case.of(synthetic.case("a", 1 << k)))
            for k, v in enumerate(values, 20)
        ]
        return most(Values(cases, asked={"measure": "ratio", "reads": "times as fast"}))

    parts = [("radix", at_least(1.0, ratios(1.2, 1.3, 0.8))), ("radix", at_least(1.0, ratios(1.1, 1.4, 0.9, 1.2)))]
    assert [answer.verdict for _, answer in parts] == [IN_PART] * 2
    assert findings.sentence_by_group(parts) == (
        "Here: radix: 0.800 to 1.40 times as fast, as the paper says in 5 of 7 cases, the other way round at n = 2²²."
    )


def test_an_undecided_part_tells_its_interval_and_the_others_their_verdicts():
    """SAT-C29: "1.72 times as long" beside "1.3, within 15 %" read as a failure."""

    def longer(*values: tuple[float, float, float]) -> Values:
        cases = [Value(Interval(*v), "", Case.of(synthetic.case("a", 1 << k))) for k, v in enumerate(values, 20)]
        return most(Values(cases, asked={"measure": "ratio", "reads": words.OF_A_COPY}))

    cpu = about(1.3, longer((1.36, 1.0, 1.85), (2.05, 1.54, 2.73), (1.72, 1.3, 2.3)), within=0.15)
    gpu = about(1.2, longer((1.2, 1.19, 1.21), (1.25, 1.24, 1.26)), within=0.15)
    assert (cpu.verdict, gpu.verdict) == (UNDECIDED, HOLDS)
    first, second = findings.sentence([("CPU", cpu), ("GPU", gpu)]).removesuffix(".").split("; ")
    assert "none of 3 cases holds, 2 undecided, 1 fails: together 1.69, its interval 1." in first
    assert second.startswith("GPU: ") and second.endswith(", holds in 2 of 2 cases")


def test_a_part_of_every_case_counts_what_is_undecided_once():
    """LEI-C8: "4 of 5 cases hold, undecided in 1 of 5 cases"."""
    cases = [Value(Interval(v, v - 0.04, v + 0.04), "", Case.of(synthetic.case("a", 1 << 20))) for v in (0.1, 0.28)]
    answer = at_most(0.3, Values(cases, asked={"measure": "spread"}))
    told = (
        "10 % to 28 % between the least and the greatest, 1 of 2 cases holds, 1 undecided, intervals from 6.0 % to 32 %"
    )
    assert answer.verdict == UNDECIDED and findings.text(answer) == told


def test_values_that_meet_a_condition_but_for_their_intervals_are_counted():
    """HA-C7: "direction holds" of 1.20, where 1.17 to 1.43 holds, was a riddle."""

    def faster(*values: tuple[float, float, float]) -> Values:
        cases = [Value(Interval(*v), "", Case.of(synthetic.case("a", 1 << k))) for k, v in enumerate(values, 20)]
        return most(Values(cases, asked={"measure": "ratio", "reads": words.FASTER}))

    inside = about(1.3, faster((1.3, 1.29, 1.31), (1.2, 1.1, 1.25), (1.2, 1.1, 1.25)), within=0.1)
    assert inside.verdict == DIRECTION
    assert "1 of 3 cases holds, 2 more but for their intervals" in findings.text(inside)
    alone = about(1.3, faster((1.2, 1.1, 1.25)), within=0.1)
    assert findings.text(alone).endswith("holds but for its interval, 1.10 to 1.25")
    outside = about(1.3, faster((1.1, 1.05, 1.15)), within=0.1)
    assert outside.verdict == DIRECTION and "interval" not in findings.text(outside)


def test_a_printed_ratio_has_one_tolerance_in_all_papers():
    """Cases that read "1.3X worse", "1.4 times", "a 20% increase" and "16% more time"."""
    said = {"SAT-C26": 0, "SAT-C29": 0, "STE-C20": 0, "STE-C22": 0, "STE-C24": 0, "HA-C3": 0, "HA-C5": 0, "HA-C6": 0}
    found = {}
    for book in books():
        for claim in book.claims:
            if claim.id in said:
                condition = claim.parts(Runs(Records(), book.roles))[said[claim.id]].answer.condition
                found[claim.id] = round(condition.high / condition.low, 6)
    assert found == dict.fromkeys(said, round(1.1 / 0.9, 6))
