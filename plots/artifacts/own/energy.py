"""ENERGY: keys per joule over n, time against energy with the frontier of both, joules by phase, and what they cost."""

from __future__ import annotations

import math
from typing import Iterable, Optional, Sequence

from ...analysis import one_setting, provenance
from ...analysis.one_setting import Chosen
from ...figures.artifact import Artifact, from_picture
from ...figures.chart import Chart, Line, Panel, power_of_two_value
from ...figures.style import series
from ...records.caption import Caption
from ...records.case import input_text
from ...records.collection import Records
from ...records.measurement import Measurement
from ...records.quantities import count_text, percent
from ...records.statistics import Interval
from . import energy_cost, energy_phases
from .all_sorts import Quantity, algorithms

_Kind = tuple[str, str, str, int]  # residency, type, distribution, threads
_PANELS = 8
PS_PER_KEY = Quantity("ps per key", lambda m: m.seconds_per_key.scaled(1e12))  # whole numbers on an axis
NJ_PER_KEY = Quantity("nJ per key", lambda m: _energy_per_key(m))


def make(records: Records) -> list[Artifact]:
    metered = [m for m in records.ok() if m.energy is not None and m.energy.is_believed and m.case.n > 1]
    kinds: dict[_Kind, list[Measurement]] = {}
    for m in metered:
        kinds.setdefault(_kind(m), []).append(m)
    names = algorithms(records, metered)
    chosen = {kind: one_setting.choose(records, of) for kind, of in sorted(kinds.items(), key=_rank)[:_PANELS]}
    made = [_over_n(records, names, chosen), _against_time(records, names, chosen)]
    more = [*energy_phases.make(records), *energy_cost.make(records)]
    return [artifact for artifact in made if artifact] + more


def _energy_per_key(m: Measurement) -> Interval:
    assert m.energy is not None
    return m.energy.joules.scaled(1e9 / m.case.n)


def _kind(m: Measurement) -> _Kind:
    return m.case.residency, m.case.type_name, m.case.distribution, m.case.threads if m.case.on_host else 0


def _rank(item: tuple[_Kind, Sequence[Measurement]]) -> tuple[int, bool, _Kind]:
    """Kinds with the most measurements first, and of these uniform keys."""
    kind, of = item
    return -len(of), kind[2] != "uniform", kind


def _title(kind: _Kind) -> str:
    residency, type_, distribution, threads = kind
    where = {"device": "", "end_to_end": ", end to end"}.get(residency, f", {threads} threads")
    return f"{type_}, {input_text(distribution)}{where}"


def _over_n(records: Records, names: Sequence[str], chosen: dict[_Kind, dict[str, Chosen]]) -> Optional[Artifact]:
    panels = [
        Panel(
            _title(kind),
            [
                line
                for sort, one in sorted(of.items())
                for line in (_line(names, sort, one.measured), _predicted_line(records, names, sort, one.measured))
                if line.x
            ],
        )
        for kind, of in chosen.items()
        if any(len({m.case.n for m in one.measured}) > 1 for one in of.values())
    ]
    if not panels:
        return None
    shown = [m for of in chosen.values() for one in of.values() for m in one.measured]
    predicted = [p for m in shown if (p := records.find_prediction(m, "hardware")) and p.energy]
    caption = Caption(
        "Keys sorted per joule over n: all that the device, or the processors and their memory, draw while the sort "
        "runs back to back. Higher is cheaper; dashed lines are predicted.",
        "A line has one parameter setting. ",
    )
    caption += _believed(records) + provenance.caption(records, shown, predicted)
    chart = Chart(panels, "10⁶ keys per joule", log=True, columns=2)
    return from_picture(chart, "ENERGY-N", "Keys per joule", "", caption)


def _line(names: Sequence[str], sort: str, measured: Iterable[Measurement]) -> Line:
    line = Line(sort, series(names.index(sort)))
    for m in sorted(measured, key=lambda m: m.case.n):
        assert m.energy is not None
        line.add(math.log2(m.case.n), m.energy.per_joule(m.case.n).scaled(1e-6), m)
    return line


def _predicted_line(records: Records, names: Sequence[str], sort: str, measured: Iterable[Measurement]) -> Line:
    line = Line(sort, series(names.index(sort)), voice="predicted", labelled=False)
    for m in sorted(measured, key=lambda m: m.case.n):
        prediction = records.find_prediction(m, "hardware")
        if prediction is not None and prediction.energy is not None:
            line.add(math.log2(m.case.n), 1e-6 * m.case.n / prediction.energy.joules, prediction)
    return line


def frontier(measured: Iterable[Measurement]) -> list[Measurement]:
    """The sorts that no other one beats in both time and energy, the fastest first."""
    kept: list[Measurement] = []
    for m in sorted(measured, key=lambda m: (m.seconds_per_key.value, _energy_per_key(m).value)):
        if not kept or _energy_per_key(m).value < _energy_per_key(kept[-1]).value:
            kept.append(m)
    return kept


def _against_time(records: Records, names: Sequence[str], chosen: dict[_Kind, dict[str, Chosen]]) -> Optional[Artifact]:
    panels, shown, told = [], [], []
    for kind, of in chosen.items():
        largest = max((m.case.n for one in of.values() for m in one.measured), default=0)
        at = [m for one in of.values() for m in one.measured if m.case.n == largest]
        if len(at) < 2:
            continue
        best = frontier(at)
        lines = [_point(names, m) for m in at]
        edge = Line("frontier", "muted", labelled=False)
        for m in best:
            edge.add(_log_time(m), NJ_PER_KEY.of(m).value, m)
        title = f"{_title(kind)}, n = {count_text(largest)}"
        panels.append(Panel(title, [edge, *lines]))
        told.append(f"{title}: {', '.join(m.case.algorithm for m in best)}")
        shown += at
    if not panels:
        return None
    caption = Caption(
        "Time and energy of a sort per key, at the largest n measured; a line joins the sorts that no other one beats "
        "in both. Lower left is better.",
        f"On that frontier are: {'; '.join(told)}. ",
    )
    caption += _believed(records) + provenance.caption(records, shown, [])
    chart = Chart(
        panels,
        NJ_PER_KEY.text,
        log=True,
        columns=2,
        x_label=PS_PER_KEY.text,
        own_spans=True,
        x_value=power_of_two_value,
    )
    return from_picture(chart, "ENERGY-TIME", "Time and energy of a sort", "", caption)


def _log_time(m: Measurement) -> float:
    """The place on the axis of times, whose powers of two are apart by 1: fast sorts lie close together."""
    return math.log2(PS_PER_KEY.of(m).value)


def _point(names: Sequence[str], m: Measurement) -> Line:
    line = Line(m.case.algorithm, series(names.index(m.case.algorithm)), joined=False)
    line.add(_log_time(m), _energy_per_key(m), m)
    return line


def _believed(records: Records) -> str:
    """A caption's sentences on power caps, and on joules that the driver's power contradicts, which are not shown."""
    metered = [m for m in records.ok() if m.energy is not None]
    doubtful = [m for m in metered if m.energy is not None and not m.energy.is_believed]
    capped = sum(m.energy is not None and "power cap" in m.energy.throttled for m in metered)
    text = f"In {capped} of {len(metered)} cells the driver named a power cap. " if capped else ""
    if not doubtful:
        return text
    worst = max(abs((m.energy.integrated_over_counter or 1) - 1) for m in doubtful if m.energy is not None)
    text += f"{len(doubtful)} cells are left out: "
    return text + f"integrated power differs from the counter by up to {percent(worst)}. "


TITLE = "Energy"
ARTIFACTS = {"ENERGY-*": make}
