"""Chooses the sorts of a chart that have a colour and a name; the others are grey lines behind them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Mapping, Sequence

from ...analysis.one_setting import Chosen
from ...analysis.within_runs import ALIKE
from ...figures.chart import Line, Panel
from ...figures.style import SERIES, series

NAMED = 6  # sorts that a chart names: as many colours are told apart at once
_MUST = 7  # the same, if so many are the fastest somewhere, or the nearest in a panel
_NEAREST = 3  # sorts at one n that count as near to the fastest
_FAR = 4.0  # times as long as the fastest from which on none does

ABOVE = " ↑ "  # between a line's name and its value beyond the axis

Times = Mapping[str, Mapping[int, float]]  # times by sort and n; those of one n are on one scale
_At = dict[tuple[int, int], dict[str, float]]  # times by panel and n, and sort


def leading(names: Sequence[str], own: Sequence[str], times: Sequence[Times]) -> list[str]:
    """The sorts that a chart names, in the order of `names`, which are those of all colours.

    These are `own`; the sorts that are clearly faster than them at some n; the sort of each panel that is the nearest
    to them at most n; and those that most often are among the nearest over all n drawn. Of sorts that everywhere take
    about the same time one is enough, since their lines lie on each other.
    """
    at = _by_n(times)
    near = _nearness(at, own)
    must = list(dict.fromkeys([*own, *_nearest_in_panels(at, own, len(times)), *_winners(at, own)]))[:_MUST]
    kept = [name for name in must if any(name in of for of in times)]
    for name in sorted(near, key=lambda name: near[name], reverse=True):
        if len(kept) < NAMED and name not in kept and not any(_alike(at, name, one) for one in kept):
            kept.append(name)
    return [name for name in names if name in kept]


def _by_n(times: Sequence[Times]) -> _At:
    at: _At = {}
    for panel, of in enumerate(times):
        for name, by_n in of.items():
            for n, time in by_n.items():
                at.setdefault((panel, n), {})[name] = time
    return at


def _others(sorts: Mapping[str, float], own: Sequence[str]) -> list[str]:
    """The other sorts at one n, the fastest first."""
    return sorted((name for name in sorts if name not in own), key=lambda name: sorts[name])


def _nearest_in_panels(at: _At, own: Sequence[str], panels: int) -> list[str]:
    """The other sort of each panel that is the fastest at most n."""
    found: list[str] = []
    for panel in range(panels):
        first = [others[0] for (of, _), sorts in at.items() if of == panel and (others := _others(sorts, own))]
        found += [name for name, _ in Counter(first).most_common(1)]
    return [name for name, _ in Counter(found).most_common()]


def _winners(at: _At, own: Sequence[str]) -> list[str]:
    """The fastest sorts at those n at which they are clearly faster than `own`, the furthest ahead first."""
    ahead: dict[str, float] = {}
    for sorts in at.values():
        mine = min((sorts[name] for name in own if name in sorts), default=0.0)
        others = _others(sorts, own)
        if others and sorts[others[0]] * ALIKE < mine:
            ahead[others[0]] = max(ahead.get(others[0], 0.0), mine / sorts[others[0]])
    return sorted(ahead, key=lambda name: -ahead[name])


def _nearness(at: _At, own: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Nearness of each other sort to the fastest: the fastest’s time over its own, summed over the n at which it is
    among the nearest, of which the first counts most; and its square summed over all n, so that a slow sort gains
    little by many n. A panel counts by its sorts, however many n it has."""
    sizes = Counter(panel for panel, _ in at)
    sorts_of: dict[int, set[str]] = {}
    for (panel, _), sorts in at.items():
        sorts_of.setdefault(panel, set()).update(sorts)
    near: dict[str, tuple[float, float]] = {}
    for (panel, _), sorts in at.items():
        fastest, weight = min(sorts.values()), len(sorts_of[panel]) / sizes[panel]
        for place, name in enumerate(_others(sorts, own), 1):
            share = fastest / sorts[name] if sorts[name] > 0 else 0.0
            is_near = place <= _NEAREST and sorts[name] < _FAR * fastest
            nearest, every = near.get(name, (0.0, 0.0))
            near[name] = nearest + weight * share / place * is_near, every + weight * share**2
    return near


def _alike(at: _At, one: str, other: str) -> bool:
    """True if the first was measured at no n without the other, and their times are about the same in the mean."""
    shared = [(sorts[one], sorts.get(other, math.nan)) for sorts in at.values() if one in sorts]
    apart = [abs(math.log(a / b)) if a > 0 and b > 0 else math.nan for a, b in shared]
    return bool(apart) and math.fsum(apart) / len(apart) < math.log(ALIKE)


def times_by_n(chosen: Mapping[str, Chosen]) -> Times:
    """The times per key of each sort, by n."""
    return {name: {m.case.n: m.seconds_per_key.value for m in one.measured} for name, one in chosen.items()}


def behind(found: Sequence[Line], names: Sequence[str], named: Sequence[str]) -> list[Line]:
    """The lines of the named sorts, each in a colour of its own, and behind them those of the others, grey and without
    names. `names` are all sorts, in the order of their colours."""
    roles: dict[str, str] = {}
    for name in named:
        own = series(names.index(name))
        free = [role for role in (own, *map(series, range(SERIES))) if role not in roles.values()]
        roles[name] = next(iter(free), own)
    grey = [replace(line, role="axis", labelled=False, strong=False) for line in found if line.label not in named]
    return [*grey, *(replace(line, role=roles[line.label]) for line in found if line.label in named)]


def grey_text(panels: Sequence[Panel]) -> str:
    """A legend's sentence on the sorts that are drawn without a name."""
    others = len({line.label.partition(ABOVE)[0] for panel in panels for line in panel.lines if line.is_background})
    if not others:
        return ""
    sorts = "the sort that is" if others == 1 else f"the {others} sorts that are"
    return f"Grey: {sorts} seldom among the nearest to the fastest, or like one with a name; the CSV names all."
