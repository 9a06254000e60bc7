"""STE-F11 to STE-F14: change of HRS's rate without one optimisation, over the entropy of the keys (appendix B)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Optional, Sequence

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.chart import Chart, Line, Panel
from ...records.measurement import Measurement
from ...records.prediction import Prediction
from ...analysis.selection import devices, fastest_within_runs
from ...records.statistics import Interval
from ...records.collection import Records
from . import PAPER
from .entropy import X, by_entropy, shown_size
from .sorts import KEYS32, KEYS64, PAIRS32, PAIRS64, Input, source, without

_Setting = tuple[str, str, dict[str, Any]]
_ALL: _Setting = ("all", "", {})
_OFF: tuple[_Setting, ...] = (  # the paper's name, its colour, the settings
    ("no look-ahead", "series-1", {"look_ahead": 0}),
    ("no thread red. histo", "series-3", {"thread_reduction": "no"}),
    ("single local sort config", "series-5", {"classes": "one"}),
    ("no bucket merging", "series-4", {"merge_keys": 0}),
    ("no merge + single config", "series-2", {"classes": "one", "merge_keys": 0}),
)

_LEFT_OUT = {  # the optimisation that each name says is off
    "no look-ahead": "writing up to three keys of one digit at once",
    "no thread red. histo": "reducing each thread’s updates of the histogram",
    "single local sort config": "local sorts for several sizes of buckets",
    "no bucket merging": "merging small buckets into one local sort",
    "no merge + single config": "either of the last two",
}


@dataclass(frozen=True)
class Delta:
    """Change of HRS's rate at one entropy without an optimisation, in per cent of the rate with all."""

    without: str
    colour: str
    full: Measurement
    off: Measurement
    measured: Interval
    predicted: Optional[float]
    predictions: tuple[Prediction, ...]  # the two whose ratio `predicted` is

    @property
    def bits(self) -> float:
        assert self.off.case.entropy_bits is not None
        return self.off.case.entropy_bits


def deltas(records: Records, input_: Input, form: str = "full") -> list[Delta]:
    """The changes by optimisation and entropy, of the paper's form or a tuned one; both times come from one run."""
    every = records.in_all_runs(
        key_type=input_.key, value_type=input_.value, is_entropy=True, residency="device", layout="separate"
    )
    settings = [_ALL, *(one for one in _OFF if form == "full" or "thread_reduction" not in one[2])]
    found = {label: without(records, every, off, form) for label, _, off in settings}
    n = shown_size(input_, found[_ALL[0]])
    shown = {label: by_entropy(of_label, n) for label, of_label in fastest_within_runs(records, found).items()}
    full = shown[_ALL[0]]
    made = []
    for label, colour, _ in settings[1:]:
        for bits, off in shown[label].items():
            if bits in full and full[bits].run == off.run:
                pair = [records.find_prediction(m) for m in (full[bits], off)]
                known = tuple(p for p in pair if p)
                predicted = 100 * (known[0].seconds / known[1].seconds - 1) if len(known) == 2 else None
                made.append(Delta(label, colour, full[bits], off, _change(full[bits], off), predicted, known))
    return made


def make(records: Records, id_: str, input_: Input) -> Artifact:
    found, tuned = deltas(records, input_), deltas(records, input_, "tuned")
    missing = [label for label, *_ in _OFF if all(d.without != label for d in found)]
    shown = list({m.cell: m for d in (*found, *tuned) for m in (d.full, d.off)}.values())
    panels = [Panel(f"{devices(shown) or 'A GPU'}, paper’s form", _lines(found))]
    panels += [Panel("The tuned form", _lines(tuned))] if tuned else []
    y_label = "change of the sorting rate without it, % of the rate with all"
    chart = Chart(panels, y_label, columns=2, x_label=X, own_spans=True)
    caption = Caption(
        "Change of the hybrid radix sort’s rate, over the entropy of the keys, without "
        f"{_without_text(found + tuned)}. Below 0 it is slower without. {looks_text(chart)}",
        "Both rates of a point come from one run. The text does not print the figure’s values. ",
    )
    if missing:
        caption += f"No record here of: {'; '.join(missing)}, or of the paper’s form beside it. "
    if shown:
        caption += source(records, shown, [p for p in map(records.find_prediction, shown) if p])
    title = f"What each optimisation of HRS gains: {input_.words}"
    return from_picture(chart, id_, title, PAPER, caption)


def _without_text(found: Sequence[Delta]) -> str:
    """Names the optimisations that are left out, each with its line."""
    shown = [f"{_LEFT_OUT[label]} (“{label}”)" for label, *_ in _OFF if any(d.without == label for d in found)]
    return " or ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]])) or "one of its optimisations"


def _lines(found: list[Delta]) -> list[Line]:
    lines = []
    for label, colour, _ in _OFF:
        line, predicted = Line(label, colour), Line(f"{label}, predicted", colour, "predicted", labelled=False)
        for d in (d for d in found if d.without == label):
            line.add(d.bits, d.measured, d.full, d.off)
            if d.predicted is not None:
                predicted.add(d.bits, d.predicted, *d.predictions)
        lines += [one for one in (line, predicted) if one.x]
    return lines


def _change(full: Measurement, off: Measurement) -> Interval:
    """Change of the rate in per cent."""
    ratio = full.over(off)
    return Interval(*(100 * (end - 1) for end in (ratio.value, ratio.low, ratio.high)))


PLACE = 9
INPUTS = {"STE-F11": KEYS32, "STE-F12": KEYS64, "STE-F13": PAIRS32, "STE-F14": PAIRS64}
ARTIFACTS = {id_: partial(make, id_=id_, input_=input_) for id_, input_ in INPUTS.items()}
