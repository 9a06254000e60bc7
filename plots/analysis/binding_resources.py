"""Binding resources of phases: the one that a model names beside the one that a profiler's counters name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from ..records.case import Case
from ..records.count import CountedPhase
from ..records.measurement import Phase
from ..records.prediction import Prediction
from ..records.quantities import percent
from ..records.collection import Records

# Counters' names that agree with a model's name of a resource. A tile that was timed as a whole keeps the whole
# multiprocessor busy.
_COVERS = {"memory": ("dram",), "multiprocessor": ("issue", "shared")}
# Counter that measures each kind of a model's work.
_WORK = {
    "instructions": "instructions",
    "bytes.l2": "l2_bytes",
    "bytes.read": "dram_read_bytes",
    "bytes.written": "dram_write_bytes",
    "wavefronts.shared": "shared_wavefronts",
    "atomics.shared": "shared_atomics",
}


@dataclass(frozen=True)
class Binding:
    """One phase of a cell over its passes: the resources that counters and one kind of model name."""

    case: Case
    kind: str
    phase: str
    passes: int
    agreeing: int  # number of passes for which both name the same resource
    predicted: tuple[str, ...]
    counted: tuple[str, ...]
    utilisation: tuple[tuple[str, float], ...]  # mean share of the peak, by resource, most used first
    work: tuple[tuple[str, float, float], ...]  # counter, counted and predicted per element and pass

    @property
    def utilisation_text(self) -> str:
        return ", ".join(f"{name} {percent(share)}" for name, share in self.utilisation)


def agreements(records: Records) -> list[Binding]:
    """Every phase that is both counted and predicted, once for each kind of model."""
    predictions: dict[str, dict[str, Prediction]] = {}
    for p in records.predictions:
        if p.kind in ("component", "hardware"):
            by_kind = predictions.setdefault(p.cell, {})
            by_kind[p.kind] = min(by_kind.get(p.kind, p), p, key=lambda one: one.model)
    made = []
    for count in records.counts:
        for _, prediction in sorted(predictions.get(count.cell, {}).items()):
            predicted = {(p.name, p.pass_): p for p in prediction.phases}
            pairs: dict[str, list[tuple[CountedPhase, Phase]]] = {}
            for phase in count.phases:
                if (phase.name, phase.pass_) in predicted and phase.binding:
                    pairs.setdefault(phase.name, []).append((phase, predicted[phase.name, phase.pass_]))
            made += [_binding(prediction, name, both) for name, both in pairs.items()]
    return made


def share_agreeing(found: Sequence[Binding]) -> float:
    """Share of kernels (passes of phases) for which model and counters name the same resource."""
    return sum(b.agreeing for b in found) / sum(b.passes for b in found)


def _binding(prediction: Prediction, name: str, both: list[tuple[CountedPhase, Phase]]) -> Binding:
    def same(counted: CountedPhase, predicted: Phase) -> bool:
        return counted.binding in _COVERS.get(predicted.binding, (predicted.binding,))

    case = prediction.case
    resources = dict.fromkeys(resource for counted, _ in both for resource in counted.utilisation)
    means = [(r, sum(counted.utilisation.get(r, 0.0) for counted, _ in both) / len(both)) for r in resources]
    work = []
    for quantity, counter in _WORK.items():
        known = [
            (counted.per_element[counter], predicted.work[quantity] / case.n)
            for counted, predicted in both
            if counter in counted.per_element and quantity in predicted.work and case.n
        ]
        if known:
            work.append((counter, *(sum(values) / len(known) for values in zip(*known))))
    return Binding(
        case=case,
        kind=prediction.kind,
        phase=name,
        passes=len(both),
        agreeing=sum(same(counted, predicted) for counted, predicted in both),
        predicted=tuple(dict.fromkeys(predicted.binding for _, predicted in both)),
        counted=tuple(dict.fromkeys(counted.binding for counted, _ in both)),
        utilisation=tuple(sorted(means, key=lambda pair: -pair[1])),
        work=tuple((name, counted, predicted) for name, counted, predicted in work),
    )
