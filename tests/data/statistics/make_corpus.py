#!/usr/bin/env python3
"""Makes the corpus of samples beside this file, with results computed by SciPy alone.

    python3 -m venv /tmp/scipy && /tmp/scipy/bin/pip install scipy
    /tmp/scipy/bin/python tests/data/statistics/make_corpus.py

tests/plots/records/test_statistics.py asks plots/records/statistics.py for the same results, and
tests/harness/compare/statistics_corpus_test.cpp core/statistics.hpp with harness/compare/ratio.hpp.
"""

import json
from pathlib import Path

import numpy as np
from scipy import stats

HERE = Path(__file__).parent
CONFIDENCE = 0.95
NOISE = {"one thread": 0.03, "several threads": 0.10, "device": 0.01}


def process_means(rng, processes):
    return np.exp(rng.normal(0, 0.03, processes))


def normal(rng, processes, each):
    return [mean * np.exp(rng.normal(0, 0.01, each)) for mean in process_means(rng, processes)]


def drifting(rng, processes, each):
    return [
        mean * np.exp(np.linspace(0, 0.05, each) + rng.normal(0, 0.005, each)) for mean in process_means(rng, processes)
    ]


def bimodal(rng, processes, each):
    return [
        mean * np.exp(0.2 * rng.integers(0, 2, each) + rng.normal(0, 0.005, each))
        for mean in process_means(rng, processes)
    ]


def correlated(rng, processes, each):
    made = []
    for mean in process_means(rng, processes):
        deviation, samples = 0.0, []
        for _ in range(each):
            deviation = 0.8 * deviation + rng.normal(0, 0.01)
            samples.append(mean * np.exp(deviation))
        made.append(np.array(samples))
    return made


def heavy_tailed(rng, processes, each):
    return [mean * (1 + 0.01 * np.abs(rng.standard_cauchy(each))) for mean in process_means(rng, processes)]


SHAPES = (normal, drifting, bimodal, correlated, heavy_tailed)


def order_statistics(samples):
    """Ends of the narrowest symmetric interval of order statistics that covers the median; else of the range."""
    ascending, n = np.sort(samples), len(samples)
    ranks = [r for r in range(1, (n + 1) // 2 + 1) if 1 - 2 * stats.binom.cdf(r - 1, n, 0.5) >= CONFIDENCE]
    rank = max(ranks, default=1)
    return ascending[rank - 1], ascending[n - rank]


def within(groups, centre):
    """The interval that the scatter of samples within processes would give, if processes did not differ."""
    several = [np.log(group) for group in groups if len(group) > 1]
    if not several:
        return centre, centre
    scale = np.sqrt(np.mean([np.pi / 2 * stats.sem(logs) ** 2 for logs in several]) / len(groups))
    return stats.t.interval(CONFIDENCE, sum(len(logs) - 1 for logs in several), loc=centre, scale=scale)


def wider(a, b):
    return max(a, b, key=lambda ends: ends[1] - ends[0])


def run(name, groups, numbers=None):
    """A run's samples in turns, a sample of each process after another, and its result."""
    turns = [(group[i], p) for i in range(max(map(len, groups))) for p, group in enumerate(groups) if i < len(group)]
    samples = np.array([sample for sample, _ in turns])
    median = np.median(samples)
    if len(groups) == 1:
        low, high = order_statistics(samples)
    else:
        logs = np.log([np.median(group) for group in groups])
        between = stats.t.interval(CONFIDENCE, len(logs) - 1, loc=np.mean(logs), scale=stats.sem(logs))
        low, high = np.exp(wider(between, within(groups, np.mean(logs))))
    numbers = numbers or range(len(groups))
    return {
        "name": name,
        "samples": samples.tolist(),
        "processes": [numbers[p] for _, p in turns],
        "median": float(median),
        "low": float(min(low, median)),
        "high": float(max(high, median)),
    }


def runs(rng):
    made = []
    for shape in SHAPES:
        for processes, each in ((2, 4), (3, 5), (3, 15), (9, 7)):
            made.append(run(f"{shape.__name__}, {processes} processes of {each}", shape(rng, processes, each)))
        for each in (6, 9, 25, 101):
            made.append(run(f"{shape.__name__}, one process of {each}", shape(rng, 1, each)))
    for each in (1, 2, 5):
        made.append(run(f"one process of {each}: the range", normal(rng, 1, each)))
    made.append(run("three processes of a sample each", normal(rng, 3, 1)))
    uneven = [group[: 3 + 4 * i] for i, group in enumerate(normal(rng, 4, 15))]
    made.append(run("uneven processes, numbered with gaps", uneven, [7, 0, 12, 3]))
    return made


def quantiles_of_t():
    degrees = (1, 2, 3, 4, 5, 8, 13, 30, 99, 1000)
    return [
        {"confidence": c, "degrees_of_freedom": d, "t": float(stats.t.ppf((1 + c) / 2, d))}
        for c in (0.5, 0.9, 0.95, 0.99, 0.999)
        for d in degrees
    ]


def quantiles(rng):
    """Quantiles of error magnitudes, linear between neighbours as NumPy has them."""
    made = []
    for n in (1, 2, 7, 40):
        values = rng.exponential(0.2, n)
        for p in (0.25, 0.5, 0.9):
            made.append({"values": values.tolist(), "p": p, "quantile": float(np.quantile(values, p))})
    return made


def variance_of_median(samples):
    """From Student's interval for 2 to 5 samples, no two of which bound the median with 95 %; else from ranks."""
    if len(samples) > 5:
        low, high = order_statistics(samples)
        return (np.log(high / low) / 4) ** 2
    logs = np.log(samples)
    low, high = stats.t.interval(CONFIDENCE, len(logs) - 1, loc=np.mean(logs), scale=stats.sem(logs))
    return ((high - low) / 2 / stats.t.ppf((1 + CONFIDENCE) / 2, 1000)) ** 2


def one_process_ratios(rng):
    """Ratios of two medians of one process each, widened by the noise assumed between processes."""
    made, t = [], stats.t.ppf((1 + CONFIDENCE) / 2, 1000)
    for on, noise in NOISE.items():
        for shape in SHAPES:
            for each in (2, 3, 5, 6, 15, 40):
                a, b = (shape(rng, 1, each)[0] for _ in range(2))
                within = sum(variance_of_median(side) for side in (a, b))
                value = np.median(b) / np.median(a)
                factor = np.exp(t * np.sqrt(within + 2 * noise**2))
                sides = {"on": on, "a": a.tolist(), "b": b.tolist()}
                made.append({**sides, "ratio": value, "low": value / factor, "high": value * factor})
    return made


def ratios(rng):
    """Ratios of intervals by Zou & Donner's method on the logarithmic scale."""
    made = []
    for _ in range(20):
        a, b = (np.cumsum(np.concatenate(([rng.uniform(-3, 3)], rng.exponential(0.1, 2)))) for _ in range(2))
        log = a[1] - b[1]
        low = log - np.linalg.norm((a[1] - a[0], b[2] - b[1]))
        high = log + np.linalg.norm((a[2] - a[1], b[1] - b[0]))
        above, below = (dict(zip(("low", "value", "high"), np.exp(ends).tolist())) for ends in (a, b))
        ends = dict(zip(("low", "value", "high"), np.exp([low, log, high]).tolist()))
        made.append({"above": above, "below": below, "ratio": ends})
    return made


def main():
    rng = np.random.default_rng(43)
    parts = {
        "runs": runs(rng),
        "student_t": quantiles_of_t(),
        "quantiles": quantiles(rng),
        "one_process_ratios": one_process_ratios(rng),
        "ratios": ratios(rng),
    }
    for name, cases in parts.items():
        lines = ",\n".join(json.dumps(case) for case in cases)
        (HERE / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
