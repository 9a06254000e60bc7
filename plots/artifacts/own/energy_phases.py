"""ENERGY-PHASES: joules of a GPU sort by phase, static and dynamic, as predicted, beside what was measured in sum."""

from __future__ import annotations

from typing import Iterable, Optional, Sequence

from ...analysis import provenance
from ...analysis.one_setting import setting_name
from ...figures.artifact import Artifact, from_picture
from ...figures.stacks import Stack, StackPanel, Stacks
from ...figures.style import part as part_colour
from ...records.caption import Caption
from ...records.case import Case, input_text, settings_text
from ...records.collection import Records
from ...records.energy import PredictedEnergy
from ...records.measurement import Measurement
from ...records.prediction import Prediction
from ...records.quantities import count_text, percent
from ...records.statistics import mean

_PANELS = 4
_PHASES = 7  # phases of a panel that have a part of their own
_STATIC, _OTHERS, _MEASURED = "static", "other phases", "measured"
_Kind = tuple[str, str, int]  # type, distribution, n
_Pair = tuple[Measurement, Prediction]


def make(records: Records) -> list[Artifact]:
    by_kind: dict[_Kind, list[_Pair]] = {}
    for m in records.ok(residency="device"):
        prediction = records.find_prediction(m, "hardware")
        if m.energy is None or not m.energy.is_believed or prediction is None or prediction.energy is None:
            continue
        by_kind.setdefault((m.case.type_name, m.case.distribution, m.case.n), []).append((m, prediction))
    if not by_kind:
        return []
    order = sorted(by_kind, key=lambda kind: (-len(by_kind[kind]), kind[1] != "uniform", -kind[2], kind))
    return [_phases(records, {kind: by_kind[kind] for kind in order[:_PANELS]}, by_kind)]


def _phases(records: Records, shown: dict[_Kind, list[_Pair]], every: dict[_Kind, list[_Pair]]) -> Artifact:
    names = _largest(prediction.energy for pairs in shown.values() for _, prediction in pairs)
    parts = [_STATIC, *names, _OTHERS, _MEASURED]
    panels = []
    for (type_, distribution, n), pairs in shown.items():
        stacks = []
        bars = bar_names(records, [m for m, _ in pairs])
        for sort, (m, prediction) in sorted(zip(bars, pairs), key=lambda bar: bar[0]):
            assert prediction.energy is not None and m.energy is not None
            scale = 1e9 / n
            stacks.append(Stack(f"{sort}, predicted", _parts(prediction.energy, names, scale), sources=[prediction]))
            stacks.append(Stack(sort, {_MEASURED: scale * m.energy.joules.value}, sources=[m]))
        panels.append(StackPanel(f"{type_}, {input_text(distribution)}, {count_text(n)}", stacks))
    picture = Stacks(
        panels, {part: part_colour(i) for i, part in enumerate(parts)}, "nJ per key", own_spans=True, columns=1
    )
    pairs = [pair for of in every.values() for pair in of]
    errors = [abs(p.energy.joules / m.energy.joules.value - 1) for m, p in pairs if p.energy and m.energy]
    caption = Caption(
        "Energy of a GPU sort per key: what its model predicts by phase, with static power over the predicted time, "
        "and beside it what was measured in sum.",
        f"The predictions know no joules of a sort; their mean absolute error over {len(errors)} cells is "
        f"{percent(mean(errors))}. ",
    )
    shown_pairs = [pair for of in shown.values() for pair in of]
    caption += provenance.caption(records, [m for m, _ in shown_pairs], [p for _, p in shown_pairs])
    return from_picture(picture, "ENERGY-PHASES", "Energy of a sort by phase", "", caption)


def bar_names(records: Records, measured: Sequence[Measurement]) -> list[str]:
    """The names of the sorts: with their settings where a sort has several, by parameters if these have one name."""
    by_sort: dict[str, list[Case]] = {}
    for m in measured:
        by_sort.setdefault(m.case.algorithm, []).append(m.case)
    names = []
    for m in measured:
        others = [case for case in by_sort[m.case.algorithm] if case is not m.case]
        setting = setting_name(records, m.case, others)
        if any(setting_name(records, case, [m.case]) == setting for case in others):
            differing = {k: v for k, v in m.case.parameters.items() if any(o.parameters.get(k) != v for o in others)}
            setting = settings_text(differing) or setting
        names.append(", ".join(text for text in (m.case.algorithm, setting) if text))
    return names


def _largest(energies: Iterable[Optional[PredictedEnergy]]) -> list[str]:
    """The phases with the largest shares of the dynamic energy of some sort, so that each sort has parts of its own."""
    shares: dict[str, float] = {}
    for energy in energies:
        sums: dict[str, float] = {}
        for phase in energy.phases if energy else ():
            sums[phase.name] = sums.get(phase.name, 0.0) + phase.dynamic_joules
        for name, joules in sums.items():
            shares[name] = max(shares.get(name, 0.0), joules / (sum(sums.values()) or 1.0))
    return sorted(shares, key=lambda name: -shares[name])[:_PHASES]


def _parts(energy: PredictedEnergy, names: Sequence[str], scale: float) -> dict[str, float]:
    parts = {_STATIC: scale * sum(phase.static_joules for phase in energy.phases)}
    for phase in energy.phases:
        part = phase.name if phase.name in names else _OTHERS
        parts[part] = parts.get(part, 0.0) + scale * phase.dynamic_joules
    return {part: value for part, value in parts.items() if value > 0}
