"""STE-F7a and STE-F7b: times over n at three entropies, of 64-bit keys and of 64/64 pairs, and from which n HRS beats
CUB."""

from __future__ import annotations

import math
from functools import partial
from typing import Optional

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.chart import Chart, Line, Panel
from ...records.measurement import Measurement
from ...analysis.selection import At, devices, fastest_within_runs
from ...records.published import Published
from ...records.quantities import count_text
from ...records.collection import Records
from . import PAPER
from .sorts import CUB_5, HRS, KEYS64, MGPU, PAIRS64, TODAY
from .sorts import Input, Sort, absent, source, stand_ins_text

_SORTS = (HRS, CUB_5, MGPU, TODAY)
_ENTROPIES = (  # bits, Case.ands, colour
    ("51.92", 1, "series-1"),
    ("34.79", 2, "series-3"),
    ("0.00", math.inf, "series-2"),
)
_SPAN = range(250_000, 500_000_001)
_ByN = dict[int, Measurement]


def make(records: Records, id_: str, input_: Input) -> Artifact:
    wanted = [ands for _, ands, _ in _ENTROPIES]
    found = {
        sort: [m for m in input_.in_all_runs(records, sort, ands=lambda ands: ands in wanted) if m.case.n in _SPAN]
        for sort in _SORTS
    }
    best = fastest_within_runs(records, found)
    panels, crossings, ratios = [], [], _published(records, input_)
    for bits, ands, colour in _ENTROPIES:
        by_n = {sort: _at(found, ands) for sort, found in best.items()}
        panels.append(Panel(f"entropy {bits} bits", _lines(records, by_n)))
        ratios += _ratio(records, f"{bits} bits", colour, by_n[HRS], by_n[CUB_5])
        first = _faster_from(by_n[HRS], by_n[CUB_5])
        if first:
            crossings.append(f"from {count_text(first)} at {bits} bits")
    even = [(math.log2(p.value), f"published: even at {p.value / 1e6:g}M") for p in _crossings(records, input_)]
    title = "Time of CUB, 5 bits, over HRS’"
    panels.append(Panel(title, ratios, "times as fast", marks=even, neutral=1.0, below="HRS is slower"))
    shown = [m for found in best.values() for m in found.values()]
    chart = Chart(panels, "milliseconds", log=True, columns=2, own_spans=True)
    legend = "Sorting times of the hybrid radix sort (HRS) and of other GPU sorts over n, at three entropies, on "
    legend += f"{devices(shown) or 'a GPU'}. {looks_text(chart)}{stand_ins_text(best)}"
    caption = Caption(legend, _said(records, input_))
    caption += f"Here HRS in the paper’s form is the faster one {', '.join(crossings)}. " if crossings else ""
    caption += absent(best) + source(records, shown, [p for p in map(records.find_prediction, shown) if p])
    return from_picture(chart, id_, f"Sorting {input_.words} over their number", PAPER, caption)


def _at(found: dict[At, Measurement], ands: float) -> _ByN:
    return {n: m for (n, _), m in sorted(found.items()) if m.case.ands == ands}


def _lines(records: Records, by_n: dict[Sort, _ByN]) -> list[Line]:
    lines = []
    for sort, found in by_n.items():
        line = Line(sort.label_here, sort.colour, strong=sort is HRS)
        predicted = Line(f"{sort.label_here}, predicted", sort.colour, "predicted", labelled=False)
        for n, m in found.items():
            if m.seconds is not None:
                line.add(math.log2(n), m.seconds.scaled(1e3), m)
            own = records.find_prediction(m)
            if own:
                predicted.add(math.log2(n), 1e3 * own.seconds, own)
        lines += [one for one in (line, predicted) if one.x]
    return lines


def _faster_from(mine: _ByN, other: _ByN) -> Optional[int]:
    """The least n from which on HRS is faster at every n measured for both; None if it is slower at the largest."""
    first = None
    for n in sorted(mine.keys() & other.keys(), reverse=True):
        if mine[n].seconds_per_key.value >= other[n].seconds_per_key.value:
            return first
        first = n
    return first


def _ratio(records: Records, label: str, colour: str, mine: _ByN, other: _ByN) -> list[Line]:
    line, predicted = Line(label, colour), Line(f"{label}, predicted", colour, "predicted", labelled=False)
    for n in sorted(mine.keys() & other.keys()):
        line.add(math.log2(n), other[n].over(mine[n]), other[n], mine[n])
        pair = [records.find_prediction(m) for m in (other[n], mine[n])]
        if pair[0] and pair[1]:
            predicted.add(math.log2(n), pair[0].seconds / pair[1].seconds, pair[0], pair[1])
    return [one for one in (line, predicted) if one.x]


def _crossings(records: Records, input_: Input) -> list[Published]:
    return [p for p in records.published if p.id == "STE-C23" and p.type == input_.table3]


def _published(records: Records, input_: Input) -> list[Line]:
    """The published crossing, at which both are equally fast for any keys; a mark in the panel names it."""
    lines = []
    for p in _crossings(records, input_):
        lines.append(Line(f"Titan X, {p.versus}, worst keys", "published", "published", labelled=False))
        lines[-1].add(math.log2(p.value), 1.0)
    return lines


def _said(records: Records, input_: Input) -> str:
    """A caption's sentence about the published crossing, the only number in the text."""
    text = "The text does not print the figure’s values. "
    for p in _crossings(records, input_):
        text += (
            f"Published: HRS is faster than {p.versus} from {p.value / 1e6:g} million elements on, whatever the keys. "
        )
    return text


PLACE = 5
ARTIFACTS = {
    "STE-F7a": partial(make, id_="STE-F7a", input_=KEYS64),
    "STE-F7b": partial(make, id_="STE-F7b", input_=PAIRS64),
}
