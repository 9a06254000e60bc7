"""Statistics against the results that SciPy computed of the corpus in tests/data/statistics/, which core/statistics.hpp
is asked for as well; and how often intervals cover."""

import json
import math
import random
from pathlib import Path

import pytest

from plots.records import statistics
from plots.records.statistics import Interval

CORPUS = Path(__file__).parents[2] / "data" / "statistics"


def cases(name):
    found = json.loads((CORPUS / f"{name}.json").read_text(encoding="utf-8"))
    assert len(found) >= 12
    return found


def ends(interval):
    return interval.value, interval.low, interval.high


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in cases("runs")])
def test_medians_and_intervals_of_runs_are_scipys(case):
    found = statistics.run_interval(case["samples"], case["processes"])
    assert ends(found) == pytest.approx((case["median"], case["low"], case["high"]), rel=1e-12)


def test_quantiles_of_students_t_are_scipys():
    for case in cases("student_t"):
        found = statistics.student_t(case["confidence"], case["degrees_of_freedom"])
        assert found == pytest.approx(case["t"], rel=1e-9), case


def test_quantiles_are_numpys():
    for case in cases("quantiles"):
        assert statistics.quantile(case["values"], case["p"]) == pytest.approx(case["quantile"], rel=1e-12)
        if case["p"] == 0.5:
            assert statistics.median(case["values"]) == pytest.approx(case["quantile"], rel=1e-12)


def test_ratios_of_one_process_each_allow_for_the_noise_between_processes():
    on = {"one thread": (1, False), "several threads": (16, False), "device": (1, True)}
    for case in cases("one_process_ratios"):
        noise = statistics.assumed_noise(*on[case["on"]])
        a, b = (
            statistics.comparable(statistics.median_interval(side), side, [0] * len(side), noise)
            for side in (case["a"], case["b"])
        )
        assert ends(b.over(a)) == pytest.approx((case["ratio"], case["low"], case["high"]), rel=1e-9)


def test_ratios_recover_the_variances_of_both_sides():
    for case in cases("ratios"):
        found = Interval(**case["above"]).over(Interval(**case["below"]))
        assert ends(found) == pytest.approx(ends(Interval(**case["ratio"])), rel=1e-12)


def test_a_ratio_is_narrower_than_the_extremes_of_both_and_wider_than_either():
    a, b = Interval(2.0, 1.8, 2.2), Interval(1.0, 0.9, 1.1)
    found = a.over(b)
    assert found.value == 2.0
    assert a.low / b.high < found.low < min(a.low / b.value, a.value / b.high)
    assert a.high / b.low > found.high > max(a.high / b.value, a.value / b.low)
    assert ends(a.over(statistics.exactly(2.0))) == pytest.approx((1.0, 0.9, 1.1))
    assert ends(statistics.exactly(0.0).over(b)) == (0.0, 0.0, 0.0)
    assert Interval(1.0, 0.0, 1.2).over(b).low == 0.0 and Interval(1.0, 0.9, math.inf).over(b).high == math.inf


def test_a_difference_recovers_the_variances_of_both_sides():
    found = Interval(5.0, 4.0, 8.0).minus(Interval(2.0, 0.0, 2.5))
    assert ends(found) == pytest.approx((3.0, 3.0 - math.hypot(1.0, 0.5), 3.0 + math.hypot(3.0, 2.0)))


def test_several_processes_are_not_widened_and_one_is():
    samples, recorded = [1.0, 1.01, 1.02, 1.0, 1.01, 1.02], Interval(1.01, 1.0, 1.02)
    assert statistics.comparable(recorded, samples, [0, 0, 0, 1, 1, 1], 0.03) == recorded
    wider = statistics.comparable(recorded, samples, [0] * 6, 0.03)
    assert wider.low < 1.01 * math.exp(-1.95 * 0.03) and wider.high > 1.01 * math.exp(1.95 * 0.03)


@pytest.mark.parametrize("processes, least, most", [(3, 0.94, 1.0), (9, 0.93, 0.98)])
def test_ratios_cover_the_true_one(processes, least, most):
    """In 1000 simulations of two runs whose processes differ by 5 % and whose samples have heavy tails. Of few
    processes the method covers more than 95 %."""
    noise, hits, runs = random.Random(1), 0, 1000

    def run(centre):
        samples, numbers = [], []
        for process in range(processes):
            mean = centre * math.exp(noise.gauss(0, 0.05))
            samples += [mean * math.exp(0.01 * noise.gauss(0, 1) / math.sqrt(noise.random())) for _ in range(5)]
            numbers += [process] * 5
        return statistics.run_interval(samples, numbers)

    for _ in range(runs):
        found = run(1.3).over(run(1.0))
        hits += found.low <= 1.3 <= found.high
    assert least <= hits / runs <= most
