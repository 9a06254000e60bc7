"""LEI-LEVELS: the rate over n around 2^24, where the first level's mean bucket has M elements and about half of all
elements are distributed again."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Sequence

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.chart import Chart, Line, Panel
from ...records.measurement import Measurement, phase_seconds
from ...records.number import Source
from ...analysis.selection import devices, fastest_within_runs
from ...records.prediction import Prediction
from ...records.quantities import count_text, seconds_text
from ...records.collection import Records
from . import PAPER
from .rates import MILLION, RATE
from .sorts import KEYS64, MACHINES, PAIRS, SAMPLE, TESLA, Input, absent_text, source

_M = 1 << 20
_SPAN = range(7 * _M, 36 * _M)
_WAYS, _BUCKET = 128, 1 << 17  # k and M (section 5)
_WHOLE = 0.97  # time of the second level over the first’s from which on nearly all elements reach it
_JUMP = 1.5  # times as long as at the next n
_INPUTS = (  # inputs, each with its oversampling
    (PAIRS, 30, "32/32 pairs, 30 samples a bucket", "series-1"),
    (KEYS64, 15, "64-bit keys, 15 samples a bucket", "series-2"),
)


_ENDS = (
    "“No quicksort from here”: all buckets are distributed again, and none is left to a quicksort that the others wait "
    "for. "
)


def make(records: Records) -> Artifact:
    rates, there = [], []
    jumps: list[tuple[str, Measurement, Measurement]] = []
    shares: dict[str, list[Line]] = {}
    shown: list[Measurement] = []
    predictions: list[Prediction] = []
    for input_, oversampling, label, colour in _INPUTS:
        name = label.partition(",")[0]
        (best,) = fastest_within_runs(
            records, {SAMPLE: input_.of(records, SAMPLE, ["uniform"], _SPAN.__contains__)}
        ).values()
        found = [m for _, m in sorted(best.items())]
        own = [p for p in map(records.find_prediction, found) if p]
        shown, predictions = shown + found, predictions + own
        rates += [_measured(label, colour, found), _predicted(f"{label}, predicted", colour, own, labelled=False)]
        papers = _papers(records, input_)
        there.append(replace(_predicted(label, colour, papers), bound=True))
        jumps += [(name, *pair) for pair in _jumps(found)]
        shares[name] = [
            _again("time", colour, found),
            _again("time, predicted", colour, own, "predicted", False),
            _expected("elements, computed", colour, oversampling),
        ]
    begins = ((_WAYS * _BUCKET / _M, f"mean bucket of {count_text(_BUCKET)}"),)
    middles = sorted(((before.case.n + after.case.n) / 2 / _M, name) for name, before, after in jumps)
    ends = [(x, f"no quicksort from here: {name}") for x, name in middles]
    of_two = "second level, % of the first level"
    panels = [
        Panel(f"Rate here, on {devices(shown) or 'a GPU'}", [line for line in rates if line.x], marks=ends),
        Panel(
            f"Upper bound of the rate on a {MACHINES[TESLA]}",
            [line for line in there if line.x],
            f"{RATE}, by counted operations",
            marks=begins,
        ),
        *(
            Panel(
                f"What a second level takes: {name}",
                [line for line in of if line.x],
                of_two,
                scale="share",
                marks=begins,
            )
            for name, of in shares.items()
        ),
    ]
    chart = Chart(panels, RATE, columns=2, x_label="n, 2²⁰ elements", own_spans=True, one_x=True)
    hollow = "hollow: elements that reach the second level, as computed"
    caption = Caption(
        "Sample sort distributes elements to 128 buckets, and again those of buckets of more than 2¹⁷ elements: above "
        "its rates over n, below the time and the elements of this second level. "
        f"{looks_text(chart, hollow)}"
        + ("Dashes and dots: upper bound of the rate, by counted operations. " * any(o.x for o in there))
        + (_ENDS if jumps else ""),
        f"{_why(jumps)}The two machines’ rates have scales of their own. Time: of the phase that finds buckets. At "
        "16 · 2²⁰ elements the mean of 128 buckets is M = 2¹⁷, with a deviation of 18 % for 30 samples a bucket and "
        "26 % for 15 (LEI-M3). Larger buckets are distributed again, into buckets that leave quicksort little to do. ",
    )
    caption += absent_text({SAMPLE: shown}, {}) + source(records, shown, predictions)
    return from_picture(chart, "LEI-LEVELS", _title(shown), PAPER, caption)


def _title(shown: Sequence[Measurement]) -> str:
    """Names the sizes from which on some elements, and nearly all of them, are distributed twice."""
    reached = sorted(m.case.n for m in shown if _second_level(m))
    whole = [n for n in reached if all(_second_level(m) >= _WHOLE for m in shown if m.case.n >= n)]
    told = ""
    if reached and whole and whole[0] != reached[0]:
        told = f": some elements from {reached[0] / _M:.0f} · 2²⁰ on, nearly all from {whole[0] / _M:.0f} · 2²⁰ on"
    return f"Where sample sort distributes twice{told}"


def _second_level(m: Source) -> float:
    """Time of the second level’s phase `find` over the first’s."""
    first, second = (phase_seconds((p for p in m.phases if p.pass_ == level), "find") or 0 for level in (0, 1))
    return second / first if first else 0.0


def _jumps(found: Sequence[Measurement]) -> list[tuple[Measurement, Measurement]]:
    """The neighbours in n between which the sorting of buckets shrinks most, if it shrinks by far though n grows."""
    shrunk = [
        (_bucket_sort(before) / _bucket_sort(after), before, after)
        for before, after in zip(found, found[1:])
        if _bucket_sort(after)
    ]
    most = max(shrunk, key=lambda one: one[0], default=None)
    return [most[1:]] if most and most[0] > _JUMP else []


def _bucket_sort(m: Measurement) -> float:
    return phase_seconds(m.phases, "sort buckets") or 0.0


def _why(jumps: Sequence[tuple[str, Measurement, Measurement]]) -> str:
    """A caption's sentences on what the jumps of the rate are."""
    if not jumps:
        return ""
    times = "; ".join(
        f"{seconds_text(_bucket_sort(before))} and {seconds_text(_bucket_sort(after))} for {name}"
        for name, before, after in jumps
    )
    return (
        "By the sort's model, the rate jumps where the last quicksort is gone: until then one block sorts the last "
        "bucket of at most M elements so, while all others wait. Sorting the buckets takes, before and after, "
        f"{times}. "
    )


def _papers(records: Records, input_: Input) -> list[Prediction]:
    """Predictions of the paper's model that knows no times."""
    of = input_.predicted_there(records, SAMPLE, TESLA, _SPAN.__contains__)
    return next((list(by_n.values()) for by_n in of.values() if not any(p.knows_times for p in by_n.values())), [])


def _measured(label: str, colour: str, found: list[Measurement]) -> Line:
    line = Line(label, colour)
    for m in found:
        line.add(m.case.n / _M, m.keys_per_s.scaled(1 / MILLION), m)
    return line


def _predicted(label: str, colour: str, found: list[Prediction], labelled: bool = True) -> Line:
    line = Line(label, colour, "predicted", labelled=labelled)
    for p in found:
        if p.seconds:
            line.add(p.case.n / _M, p.case.n / p.seconds / MILLION, p)
    return line


def _again(label: str, colour: str, found: Sequence[Source], voice: str = "measured", labelled: bool = True) -> Line:
    """Time of the second level’s phase `find` over the first’s, in per cent."""
    line = Line(label, colour, voice, labelled=labelled)
    for one in found:
        if phase_seconds((p for p in one.phases if p.pass_ == 0), "find"):
            line.add(one.case.n / _M, 100 * _second_level(one), one)
    return line


def _expected(label: str, colour: str, oversampling: int) -> Line:
    """LEI-M3: share of elements that are distributed again, in per cent, for distinct keys."""
    line = Line(label, colour, "published")
    for step in range(-15, 16):
        n = round((1 << 24) * 1.05**step)
        line.add(n / _M, 100 * again(n, oversampling))
    return line


def again(n: int, oversampling: int) -> float:
    """Probability that an element lies in a bucket larger than M.

    Bucket sizes follow Beta(a + 1, a k + 1 - a); it is the probability that at most a of a k + 1 uniform numbers are
    below M / n.
    """
    share, numbers = _BUCKET / n, oversampling * _WAYS + 1
    if share >= 1:
        return 0.0
    return math.fsum(
        math.exp(
            math.lgamma(numbers + 1)
            - math.lgamma(below + 1)
            - math.lgamma(numbers - below + 1)
            + below * math.log(share)
            + (numbers - below) * math.log1p(-share)
        )
        for below in range(oversampling + 1)
    )


PLACE = 3
ARTIFACTS = {"LEI-LEVELS": make}
