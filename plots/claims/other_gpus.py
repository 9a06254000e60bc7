"""Claims about machines that are not here: how much faster one is than another by its datasheet, or as published,
beside how much more of a resource it has; and what binds a sort there."""

from __future__ import annotations

import math
from typing import Any, Callable

from ..records.case import Case
from .quantities import NotTestable
from ..analysis.other_gpus import PublishedCell, binding_shares, cells, scaled, width_of
from ..records.prediction import Prediction
from ..records.quantities import Interval, count_text
from ..records.collection import Records
from .verdicts import FAILS, HOLDS, Value, over_cases

Fits = Callable[[Case], bool]


def gains(records: Records, query: dict[str, Any], fits: Fits) -> list[Value]:
    """Times as fast `on` one machine as `over` another, over the ratios of the resources `per`, case by case. Raises
    NotTestable."""
    fast, slow = (_on(records, query[side], fits) for side in ("on", "over"))
    ratio = math.prod(_factor(records, query["on"], r) / _factor(records, query["over"], r) for r in query["per"])
    of = _published if query["by"] == "published" else _predicted
    values = [
        Value(Interval(gain / ratio, gain / ratio, gain / ratio), f"{text}, {query['by']}, {query['on']}")
        for gain, text in of(records, query, fast, slow, fits)
    ]
    if not values:
        raise NotTestable(f"no cell of {query['on']} and {query['over']} {query['by']}")
    return values


def answer_binding(records: Records, query: dict[str, Any], fits: Fits) -> tuple[str, str, str]:
    """Verdict, the resource that binds for most of the time, and the cases. Raises NotTestable."""
    found = _on(records, query["on"], fits)
    values, names = [], []
    for p in found.values():
        shares = binding_shares([p])
        most = max(shares, key=lambda name: shares[name])
        names.append(most)
        so = 1.0 if most in query["is"]["one_of"] else 0.0
        values.append(Value(Interval(so, so, so), f"{_text(p.case)}, predicted, {query['on']}", p.case))
    verdict, _, of = over_cases(values, {"at_least": 1}, query.get("over_cases", "every"))
    return (HOLDS if verdict == HOLDS else FAILS), ", ".join(sorted(set(names))), of


def _on(records: Records, machine: str, fits: Fits) -> dict[tuple[Any, ...], Prediction]:
    """Predictions of one machine by datasheet, by case. Raises NotTestable."""
    found = {_key(p.case): p for p in scaled(records) if p.profile_name == machine and fits(p.case)}
    if not found:
        raise NotTestable(f"no record of a prediction of {machine}")
    return found


def _key(c: Case) -> tuple[Any, ...]:
    return (c.algorithm, c.key_type, c.value_type, c.n, c.distribution)


def _factor(records: Records, machine: str, resource: str) -> float:
    """How many times as much of the resource the machine has as the one that was measured."""
    return next(p.factors.get(resource, 1.0) for p in scaled(records) if p.profile_name == machine)


def _predicted(
    records: Records,
    query: dict[str, Any],
    fast: dict[tuple[Any, ...], Prediction],
    slow: dict[tuple[Any, ...], Prediction],
    fits: Fits,
) -> list[tuple[float, str]]:
    both = sorted(fast.keys() & slow.keys(), key=str)
    return [(slow[key].seconds / fast[key].seconds, _text(fast[key].case)) for key in both]


def _published(
    records: Records,
    query: dict[str, Any],
    fast: dict[tuple[Any, ...], Prediction],
    slow: dict[tuple[Any, ...], Prediction],
    fits: Fits,
) -> list[tuple[float, str]]:
    """Each published time of one machine paired with each of the other, cell by cell."""
    by: dict[str, list[PublishedCell]] = {}
    for one in cells(records):
        if one.predicted and fits(one.predicted.case):
            by.setdefault(one.published.platform, []).append(one)
    return [
        (b.seconds / a.seconds, f"{a.published.type} n = {count_text(a.n)} ({a.published.id})")
        for a in by.get(query["on"], ())
        for b in by.get(query["over"], ())
        if _same(a, b)
    ]


def _same(a: PublishedCell, b: PublishedCell) -> bool:
    p, q = a.published, b.published
    return (width_of(p.type), p.n, p.distribution, p.algorithm) == (width_of(q.type), q.n, q.distribution, q.algorithm)


def _text(c: Case) -> str:
    return f"{c.type_name} {c.distribution} n = {count_text(c.n)}"
