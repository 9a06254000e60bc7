"""STE-F2: bandwidth of the histogram kernel over the number of digit values, with and without thread reduction."""

from __future__ import annotations

import math
from typing import Optional

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.chart import Chart, Line, Panel, power_of_two_value
from ...records.case import Case
from ...records.measurement import Component
from ...analysis.selection import devices, fastest_by_input
from ...records.quantities import digits
from ...records.collection import Records
from . import PAPER
from .sorts import HRS, KEYS32, PLATFORM, in_form, source, without

_COMPONENT = "histogram"
_SMS = 28  # multiprocessors of the Titan X (Pascal): 3584 cores, 128 each
_KEY_BYTES = 4
_DIGIT_VALUES = 256  # values of a digit of 8 bits
_SHARE = "% of the read peak"
_NO_REDUCTION = "(reduction: no numbers printed)"
_CURVES = (("thread reduction & atomics", "yes", "series-1"), ("atomics only", "no", "series-2"))


def make(records: Records) -> Artifact:
    parts = records.parts(_COMPONENT, key_type=KEYS32.key, value_type=KEYS32.value)
    found = [c for c in parts if _digit_values(c.case) is not None]
    n = KEYS32.n if any(c.case.n == KEYS32.n for c in found) else max((c.case.n for c in found), default=0)
    curves = {name: _by_q(records, [c for c in found if c.case.n == n], setting) for name, setting, _ in _CURVES}
    shown = [c for curve in curves.values() for c in curve.values()]
    peak, peak_text = _peak(records, shown)
    here = []
    for name, _, colour in _CURVES:
        line, predicted = Line(name, colour), Line(f"{name}, predicted", colour, "predicted", labelled=False)
        for q, c in curves[name].items():
            rate = c.keys_per_s.scaled(100 * c.iterations * _KEY_BYTES / peak)
            line.add(math.log2(q), rate, c)
            own = records.find_prediction(c)
            if own:
                share = 100 * c.iterations * c.case.n * _KEY_BYTES / own.seconds / peak
                predicted.add(math.log2(q), share, own)
        here += [one for one in (line, predicted) if one.x]
    panels = [
        Panel(f"{PLATFORM}, published", _published(records), f"{_SHARE} {_NO_REDUCTION}"),
        Panel(f"{devices(shown) or 'A GPU'}, measured here", here),
    ]
    chart = Chart(
        panels,
        _SHARE,
        columns=2,
        x_label="q, distinct digit values",
        one_x=True,
        x_value=power_of_two_value,
    )
    caption = Caption(
        "Bandwidth of the histogram kernel on keys uniform over q values of their most significant digit. "
        f"{_found_text(curves)}"
        f"{looks_text(chart)}",
        f"Published: 1.7 and 3.3 billion updates a "
        f"second and multiprocessor (section 4.3), of {_SMS} multiprocessors and 369.17 GB/s; the curve with thread "
        "reduction has no numbers in the text. ",
    )
    missing = [name for name, _, _ in _CURVES if not curves[name]]
    if missing:
        caption += f"No record here of: {' and '.join(missing)} (component {_COMPONENT}). "
    caption += peak_text + source(records, shown, [p for p in map(records.find_prediction, shown) if p])
    return from_picture(chart, "STE-F2", "The histogram kernel over the number of digit values", PAPER, caption)


def _found_text(curves: dict[str, dict[int, Component]]) -> str:
    """A sentence on whether thread reduction makes the kernel faster here, by the intervals at each q."""
    reduced, alone = (curves[name] for name, *_ in _CURVES)
    both = sorted(reduced.keys() & alone.keys())
    faster = [q for q in both if reduced[q].keys_per_s.low > alone[q].keys_per_s.high]
    slower = [q for q in both if reduced[q].keys_per_s.high < alone[q].keys_per_s.low]
    if not both:
        return ""
    if len(slower) == len(both):
        return "Here the reduction never helps: atomics alone are faster at every q. "
    if not faster:
        return f"Here the reduction never helps: atomics alone are faster at {len(slower)} of {len(both)} q. "
    return f"Here the reduction helps at q = {', '.join(map(str, faster))}, of {len(both)} q. "


def _digit_values(case: Case) -> Optional[int]:
    """Number of values of the most significant digit if all are equally frequent, else None."""
    if case.distribution_name == "few_distinct":
        distinct = int(case.distribution_parameters["distinct"])
        return distinct if 0 < distinct <= _DIGIT_VALUES else None
    return {"constant": 1, "uniform": _DIGIT_VALUES}.get(case.distribution)


def _by_q(records: Records, found: list[Component], setting: str) -> dict[int, Component]:
    """The measurements of a curve, in ascending order of the number of values."""
    form = without(records, found, {"thread_reduction": setting}) if setting == "no" else in_form(records, HRS, found)
    best = fastest_by_input(form)
    by_q = {_digit_values(c.case): c for _, c in sorted(best.items(), reverse=True)}
    return {q: c for q, c in sorted((q, c) for q, c in by_q.items() if q) if isinstance(c, Component)}


def _peak(records: Records, shown: list[Component]) -> tuple[float, str]:
    """The bandwidth that stands for the read peak, and a sentence that names it."""
    known = [records.read_bytes_per_s.get(c.device) for c in shown]
    if known and known[0]:
        return known[0], f"The read peak of {shown[0].device} is the profile’s, {digits(known[0] / 1e9)} GB/s. "
    rates = [c.keys_per_s.value * c.iterations * _KEY_BYTES for c in shown]
    if not rates:
        return 1.0, ""
    return max(rates), "No profile with the device’s read peak was given (--profile): of the fastest here instead. "


def _published(records: Records) -> list[Line]:
    peaks = [p.value for p in records.published if p.id == "STE-F2" and p.metric == "bandwidth"]
    rates = {p.distribution: p.value for p in records.published if p.id == "STE-C10" and "atomics" in p.algorithm}
    line = Line("atomics only", "series-2", "published")
    for distribution, rate in rates.items():
        for q in (1,) if "q=1" in distribution else (3, _DIGIT_VALUES):
            if peaks:
                line.add(math.log2(q), 100 * rate * _SMS * _KEY_BYTES / peaks[0])
    return [line] if line.x else []


PLACE = 3
ARTIFACTS = {"STE-F2": make}
