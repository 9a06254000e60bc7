"""STE-ERROR-TYPES, STE-ERROR-PHASES and STE-ERROR-ABLATIONS: errors of the models of the paper's sorts by type over
entropies and n, by phase, and in the contribution of an optimisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterable, Optional, Sequence, Union

from ...analysis import prediction_errors, provenance
from ...analysis.error_statistics import ErrorStatistics, summarise
from ...records.caption import Caption
from ...figures.artifact import Artifact
from ...figures.bars import BarPanel, Bars, Series
from ...figures.heat import Heat, HeatCell, HeatPanel, differences
from ...analysis.prediction_errors import LARGE, Point
from ...records.case import KEY_BYTES
from ...records.measurement import Measurement
from ...records.number import TRACE, Number, cells_and_runs
from ...records.quantities import percent
from ...records.statistics import Interval
from ...records.collection import Records
from ...figures.style import series
from . import PAPER
from .entropy import X
from .sorts import HRS, HRS_TUNED, HYBRID, in_form
from .ste_f8 import HETEROGENEOUS
from .ste_f11 import INPUTS, Delta, deltas

LARGE_PHASES = 1 << 24  # minimum number of elements for errors of phases
NEAR = 5.0  # percentage points
_SHORT = 0.05  # share of a sort below which a phase is not drawn: an error there hardly changes the whole
_FORM_TITLES = {"other settings": "other settings, and ablations", "heterogeneous": "heterogeneous, host to host"}
_FORMS = ("paper’s form", "tuned", "other settings", "heterogeneous")
_PHASES = {  # names in the figure; the CSV has those of the records
    "decompose": "split pairs",
    "recompose": "join pairs",
    "copy_in": "copy to the GPU",
    "sort": "sort on the GPU",
    "copy_out": "copy back",
    "merge": "merge on the host",
}
_NUMBERS = ["points", "mean_absolute", "signed", "within_15"]


@dataclass(frozen=True)
class _Predicted:
    """A predicted cell with the form of its sort."""

    form: str
    point: Point

    @property
    def type(self) -> str:
        return self.point.measurement.case.type_name


def make(records: Records) -> list[Artifact]:
    """The artifacts over measured cells that a hardware or component model predicts."""
    predicted = _predicted(records)
    found = [(id_, d) for id_, input_ in INPUTS.items() for d in deltas(records, input_) if d.predicted is not None]
    made = []
    if any(_large(cell, LARGE) for cell in predicted):
        made.append(_by_type(records, [cell for cell in predicted if _large(cell, LARGE)]))
    if phases := [
        (cell, *phase)
        for cell in predicted
        if _large(cell, LARGE_PHASES)
        for phase in prediction_errors.phase_times(cell.point)
    ]:
        made.append(_by_phase(records, phases))
    if found:
        made.append(_by_ablation(records, found))
    return made


def _large(cell: _Predicted, least: int) -> bool:
    return cell.point.measurement.case.n >= least


def _predicted(records: Records) -> list[_Predicted]:
    hybrid, whole = records.standing_for(HYBRID), records.standing_for(HETEROGENEOUS)
    measured = records.ok(residency=lambda _: True, algorithm=lambda name: name in hybrid or name in whole)
    forms = {
        m.cell: form
        for form, sort in (("paper’s form", HRS), ("tuned", HRS_TUNED))
        for m in in_form(records, sort, [m for m in measured if m.case.algorithm in hybrid])
    }
    predicted = []
    for m in measured:
        p = records.find_prediction(m)
        if p and p.kind in ("component", "hardware") and p.seconds > 0:
            form = "heterogeneous" if m.case.algorithm in whole else forms.get(m.cell, "other settings")
            predicted.append(_Predicted(form, Point(p.model, p.kind, m, p.seconds, p)))
    return predicted


def _by_type(records: Records, predicted: Sequence[_Predicted]) -> Artifact:
    """Errors by type, over every distribution and n from LARGE on."""
    rows: list[list[Any]] = []
    types = sorted({cell.type for cell in predicted}, key=_width)
    bars = []
    for place, form in enumerate(_FORMS):
        one = Series(form, series(place))
        for type_ in types:
            points = [cell.point for cell in predicted if (cell.form, cell.type) == (form, type_)]
            if points:
                errors, at = (
                    summarise([p.error for p in points]),
                    prediction_errors.worst_point(points).measurement.case,
                )
                one.add(type_, 100 * errors.mean_absolute, *(p.measurement for p in points))
                rows.append([form, type_, *_numbers(errors), errors.worst, at.distribution, at.n])
                rows[-1] += one.values[type_].trace
        bars += [one] if one.values else []
    picture = Bars([BarPanel("whole sorts", bars)], types, "mean absolute error, % of the measured time")
    caption = Caption(
        "Mean absolute error of the models by type, over all measured distributions and n ≥ 2²⁰. Other settings are "
        "the paper’s form without optimisations, and the trials for Table 3. "
    )
    header = ["form", "type", *_NUMBERS, "worst", "worst_distribution", "worst_n", *TRACE]
    return _artifact(
        records, "STE-ERROR-TYPES", "Model error by type", caption, picture, header, rows, _cells(predicted)
    )


_Phase = tuple[_Predicted, str, Optional[float], Optional[float], str]


def _by_phase(records: Records, phases: Sequence[_Phase]) -> Artifact:
    """Errors by phase, summed over its passes, with its share of the sort."""
    groups: dict[tuple[str, str, str], list[tuple[float, float, Measurement]]] = {}
    for cell, name, measured, predicted, _ in phases:
        seconds = cell.point.measurement.seconds
        if measured and predicted is not None and seconds:
            groups.setdefault((cell.form, cell.type, name), []).append(
                (predicted / measured - 1, measured / seconds.value, cell.point.measurement)
            )
    names = list(dict.fromkeys(name for _, name, *_ in phases if any(key[2] == name for key in groups)))
    types = sorted({key[1] for key in groups}, key=_width)
    panels, rows, left_out = [], [], set()
    for form in _FORMS:
        bars = []
        for place, type_ in enumerate(types):
            one = Series(type_, series(place))
            for name in names:
                found = groups.get((form, type_, name), [])
                if found:
                    errors = summarise([error for error, *_ in found])
                    value = Number.of(100 * errors.mean_absolute, *(m for *_, m in found))
                    share = sum(share for _, share, _ in found) / len(found)
                    rows.append([form, type_, name, *_numbers(errors), share, *value.trace])
                    if share < _SHORT:
                        left_out.add(name)
                    else:
                        one.values[_PHASES.get(name, name)] = value
            bars += [one] if one.values else []
        panels += [BarPanel(_FORM_TITLES.get(form, form), bars)] if bars else []
    shown = [_PHASES.get(name, name) for name in names]
    picture = Bars(panels, shown, "mean absolute error, % of the measured phase")
    caption = Caption(
        "Mean absolute error of the models by phase, a panel for each form of the sort and a colour for each type, "
        "over all measured distributions and n ≥ 2²⁴"
        + (f", without phases that take less than {100 * _SHORT:g} % of their sort" if left_out else "")
        + ". Passes of a phase are added up.",
        (
            f"Not drawn where they are short: {', '.join(name for name in names if name in left_out)}. "
            if left_out
            else ""
        )
        + "The CSV has all phases, each with its share of the sort. ",
    )
    header = ["form", "type", "phase", *_NUMBERS, "share_of_the_sort", *TRACE]
    cells = _cells(cell for cell, *_ in phases)
    return _artifact(records, "STE-ERROR-PHASES", "Model error by phase", caption, picture, header, rows, cells)


def _by_ablation(records: Records, found: Sequence[tuple[str, Delta]]) -> Artifact:
    """Predicted minus measured change of the rate, in percentage points."""
    panels, rows, counts = [], [], []
    for id_ in dict.fromkeys(id_ for id_, _ in found):
        cells_: dict[tuple[str, Union[str, int]], HeatCell] = {}
        of_figure = [d for figure, d in found if figure == id_]
        for d in of_figure:
            m = d.measured
            off = Interval(*(_off_by(d, v) for v in (m.value, m.high, m.low)))
            cells_[d.without, _bits_text(d)] = HeatCell(off, "", (d.full, d.off))
            rows.append([id_, INPUTS[id_].words, d.without, d.bits, m.value, m.low, m.high])
            rows[-1] += [
                d.predicted,
                _off_by(d, m.value),
                "yes" if _same_sign(d) else "no",
                *cells_and_runs((d.full, d.off)),
            ]
        panels.append(HeatPanel(f"{id_}: {INPUTS[id_].words}", cells_))
        counts.append(f"{id_}: {_count(of_figure, _near)}")
    every = [d for _, d in found]
    chart = Heat(
        "without",
        "entropy, % of the key’s bits",
        "predicted − measured, percentage points",
        list(dict.fromkeys(d.without for d in every)),
        list(dict.fromkeys(map(_bits_text, sorted(every, key=_share_of_bits)))),
        panels,
        scale=differences(full=3 * NEAR, bold=NEAR),
    )
    caption = Caption(
        "Error of the predicted change of the sorting rate without an optimisation: predicted minus measured, in per "
        f"cent of the rate with all. Bold: more than {NEAR:g} percentage points.",
        f"Points within that: {_count(every, _near)} "
        f"({'; '.join(counts)}). The sign is predicted for {_count([d for d in every if _decided(d)], _same_sign)} of "
        "the changes whose interval excludes 0. ",
    )
    header = ["figure", "input", "without", X, "measured_percent", "ci95_low", "ci95_high", "predicted_percent"]
    header += ["difference_points", "same_sign", *TRACE]
    cells = [m for d in every for m in (d.full, d.off)]
    title = "Model error in what an optimisation contributes"
    return _artifact(records, "STE-ERROR-ABLATIONS", title, caption, chart, header, rows, cells)


def _share_of_bits(d: Delta) -> float:
    """Entropy over the width of the key."""
    return d.bits / (8 * KEY_BYTES[d.off.case.key_type])


def _bits_text(d: Delta) -> str:
    share = 100 * _share_of_bits(d)
    return f"{share:.0f}" if share >= 10 else f"{share:.2g}"


def _off_by(d: Delta, measured: float) -> float:
    assert d.predicted is not None
    return d.predicted - measured


def _near(d: Delta) -> bool:
    return abs(_off_by(d, d.measured.value)) <= NEAR


def _decided(d: Delta) -> bool:
    return not d.measured.low <= 0 <= d.measured.high


def _same_sign(d: Delta) -> bool:
    assert d.predicted is not None
    return d.predicted * d.measured.value > 0


def _count(of: Sequence[Delta], holds: Callable[[Delta], bool]) -> str:
    so = sum(map(holds, of))
    return f"{so} of {len(of)}" + (f", {percent(so / len(of))}" if of else "")


def _width(type_name: str) -> tuple[int, str]:
    return len(type_name), type_name


def _numbers(errors: ErrorStatistics) -> list[Any]:
    return [errors.points, errors.mean_absolute, errors.bias, errors.within_15]


def _cells(predicted: Iterable[_Predicted]) -> list[Measurement]:
    return [cell.point.measurement for cell in predicted]


def _artifact(
    records: Records,
    id_: str,
    title: str,
    caption: Caption,
    picture: Any,
    header: list[str],
    rows: list[list[Any]],
    cells: Sequence[Measurement],
) -> Artifact:
    measured = list({m.cell: m for m in cells}.values())
    caption += provenance.caption(records, measured, [p for p in map(records.find_prediction, measured) if p])
    return Artifact(id_, title, PAPER, caption, header, rows, picture)


PLACE = 10
ARTIFACTS = {"STE-ERROR-*": make}
