"""Measures of machines that are not here, by datasheet or as published: how much faster one is than another beside how
much more of a resource it has, and the resource that binds a sort there."""

from __future__ import annotations

import math
from typing import Any, Mapping, Sequence

from ..analysis.other_gpus import SORTS, PublishedCell, binding_shares, cells, scaled, unsigned_type
from ..records.case import Case
from ..records.prediction import Prediction
from ..records.published import Published
from ..records.quantities import count_text
from ..records.statistics import exactly
from . import words
from .measures import measure
from .selection import Selection, require_plug_ins
from .verdicts import Facts, Value, Values
from .words import NotMeasured, NotTestable

_ByCase = Mapping[tuple[Any, ...], Prediction]


@measure
def predicted_gain(selection: Selection, on: str, over: str, per: Sequence[str] = ()) -> Values:
    """Predicted time on the machine `over` divided by that on `on`, over their ratios of the resources `per`."""
    fast, slow = _by_case(selection, on), _by_case(selection, over)
    both = sorted(fast.keys() & slow.keys(), key=str)
    if not both:
        raise NotMeasured(f"no cell predicted for {on} and {over}")
    found = [(slow[key].seconds / fast[key].seconds, words.plain_case(fast[key].case)) for key in both]
    return _per_resource(selection, found, on, over, per, "predicted")


@measure
def published_gain(selection: Selection, on: str, over: str, per: Sequence[str] = ()) -> Values:
    """The same ratio, from times that others published for one cell on both machines. Raises NotTestable if nobody
    did, which no run mends."""
    _by_case(selection, on), _by_case(selection, over)
    by_machine: dict[str, list[PublishedCell]] = {}
    for one in cells(selection.records):
        if one.predicted and selection.fits(one.predicted.case):
            by_machine.setdefault(one.published.platform, []).append(one)
    found = [
        (b.seconds / a.seconds, f"{a.published.type} n = {count_text(a.n)} ({a.published.id})")
        for a in by_machine.get(on, ())
        for b in by_machine.get(over, ())
        if _same(a, b)
    ]
    if not found:
        raise NotTestable(words.no_published_pair(on, over))
    return _per_resource(selection, found, on, over, per, "published")


@measure
def published_rate_gain(selection: Selection, on: str, over: str) -> Values:
    """Ratio of the published keys per second on two machines, of each at the largest n that was published for it."""
    fast, slow = (_largest_published(selection, machine) for machine in (on, over))
    rates = [(one.n or 0) / one.value if one.unit == "s" else one.value for one in (fast, slow)]
    text = " over ".join(
        f"{one.type} n = {count_text(one.n or 0)} ({one.id}) on {one.platform}" for one in (fast, slow)
    )
    return Values([Value(exactly(rates[0] / rates[1]), f"{text}, published")])


def _largest_published(selection: Selection, machine: str) -> Published:
    wanted = (selection.key_type, selection.value_type)
    found = [
        one
        for one in selection.records.published
        if one.platform == machine
        and SORTS.get(one.algorithm) == selection.role
        and one.n
        and unsigned_type(one.type) == wanted
        and one.distribution in selection.distributions
    ]
    if not found:
        raise NotMeasured(words.no_published(machine))
    return max(found, key=lambda one: one.n or 0)


@measure
def predicted_binding(selection: Selection, on: str) -> Facts:
    """The resource that binds for most of the time there, as predicted."""
    found, texts = [], []
    for p in _by_case(selection, on).values():
        shares = binding_shares([p])
        found.append(max(shares, key=lambda name: shares[name]))
        texts.append(f"{words.plain_case(p.case)}, predicted, {on}")
    return Facts(found, words.several(texts), predicted=True)


def _by_case(selection: Selection, machine: str) -> _ByCase:
    """Predictions of one machine by datasheet, by case. Raises NotMeasured if there are none."""
    require_plug_ins(selection)
    predictions = scaled(selection.records)
    found = {_key(p.case): p for p in predictions if p.profile_name == machine and selection.fits(p.case)}
    if not found:
        raise NotMeasured(words.no_prediction(machine))
    return found


def _key(c: Case) -> tuple[Any, ...]:
    return (c.algorithm, c.key_type, c.value_type, c.n, c.distribution)


def _per_resource(
    selection: Selection, found: Sequence[tuple[float, str]], on: str, over: str, per: Sequence[str], source: str
) -> Values:
    """Gains from one machine to another, each over the machines' ratios of these resources."""
    ratio = math.prod(_factor(selection, on, resource) / _factor(selection, over, resource) for resource in per)
    values = [(gain / ratio, f"{text}, {source}, {on}") for gain, text in found]
    return Values([Value(exactly(gain), text) for gain, text in values])


def _factor(selection: Selection, machine: str, resource: str) -> float:
    """Ratio of a machine's resource to that of the machine that was measured."""
    return next(p.factors.get(resource, 1.0) for p in scaled(selection.records) if p.profile_name == machine)


def _same(a: PublishedCell, b: PublishedCell) -> bool:
    p, q = a.published, b.published
    return (unsigned_type(p.type), p.n, p.distribution, p.algorithm) == (
        unsigned_type(q.type),
        q.n,
        q.distribution,
        q.algorithm,
    )
