"""Predictions of `sortlab what-if`: the effect of each resource on a sort, for each machine asked about."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..records.prediction import Prediction
from ..records.collection import Records


@dataclass
class Question:
    """One case on the machine asked about."""

    prediction: Prediction
    before: Prediction  # on the machine before its changes; the same if nothing was changed
    varied: dict[str, dict[float, Prediction]] = field(default_factory=dict)  # predictions by resource and factor


def questions(records: Records) -> list[Question]:
    """The questions in the order of the records. A repeated question counts once, with its last answer."""
    every = records.every or records
    varied = [p for p in every.predictions if p.what_if and p.what_if.resource]
    wanted = {(p.cell, p.model, p.what_if.of) for p in varied if p.what_if}
    found: dict[tuple[str, str, str], Question] = {}
    last: dict[tuple[str, str], Prediction] = {}
    for p in every.predictions:
        if p.what_if and p.what_if.resource:
            continue
        if p.what_if is None:
            last[(p.cell, p.model)] = p
        if (key := (p.cell, p.model, p.profile_hash)) in wanted:
            found[key] = Question(p, last.get((p.cell, p.model), p))
    for p in varied:
        assert p.what_if is not None
        if one := found.get((p.cell, p.model, p.what_if.of)):
            one.varied.setdefault(p.what_if.resource, {})[p.what_if.times_as_good] = p
    return [one for one in found.values() if one.varied]
