"""Chooses one setting of each sort for a line, so that no line mixes several, and finds builds that run serially."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Iterable, Sequence

from ..records import origins
from ..records.algorithm import OURS
from ..records.case import Case, settings_text
from ..records.collection import Records
from ..records.measurement import Measurement, fastest_by

BY_N = "chosen by n"  # the parameters of a sort that chooses its variant itself
_ENOUGH = 4  # points from which on a setting counts, or as many as the setting with the most has
_SPEEDUP = 1.3  # smallest speedup over one thread by which a build counts as parallel
_LARGE = 1 << 20  # least n at which a parallel sort is expected to gain from threads
_AUTO = "auto"  # setting of a preset that the sort resolves itself
_PAPER, _TUNED = "paper", "tuned"  # names of presets

_Input = tuple[int, str]  # n and distribution
_Points = dict[_Input, Measurement]


@dataclass(frozen=True)
class Chosen:
    """One sort in one setting. The project's own sorts choose variants by n, which together count as one setting."""

    measured: tuple[Measurement, ...]  # one for each n and distribution
    name: str  # name of the setting: a preset, or what differs from the others; empty if there is no other
    parameters: str  # all parameters, as text


def choose(records: Records, measured: Iterable[Measurement]) -> dict[str, Chosen]:
    """The setting of each sort, by the sort's name. `measured` are of one type and number of threads.

    A setting needs _ENOUGH points. Of two settings the one with the smaller geometric mean of times counts, over the
    points that both have; the one that beats most others is chosen, then that with the most points.
    """
    by_sort: dict[str, list[Measurement]] = {}
    for m in measured:
        by_sort.setdefault(m.case.algorithm, []).append(m)
    return {name: _chosen(records, of) for name, of in by_sort.items()}


def _chosen(records: Records, measured: Sequence[Measurement]) -> Chosen:
    known = records.algorithms.get(measured[0].case.algorithm)
    own = known is not None and known.origin == OURS
    settings: dict[tuple[str, ...], list[Measurement]] = {}
    for m in measured:
        settings.setdefault(() if own else _setting(m.case), []).append(m)
    points = {setting: fastest_by(of, lambda m: (m.case.n, m.case.distribution)) for setting, of in settings.items()}
    enough = min(_ENOUGH, max(map(len, points.values())))
    able = {setting: of for setting, of in points.items() if len(of) >= enough}

    def rank(setting: tuple[str, ...]) -> tuple[int, int, float]:
        of = able[setting]
        wins = sum(_is_faster(of, other) for name, other in able.items() if name != setting)
        return wins, len(of), -max(of.items())[1].seconds_per_key.value

    best = max(able, key=rank, default=())
    shown = tuple(m for _, m in sorted(able.get(best, {}).items()))
    case = shown[0].case if shown else measured[0].case
    others = [of[0].case for setting, of in settings.items() if setting != best]
    return Chosen(shown, _name(records, case, others), BY_N if own else case.parameters_text)


def _setting(case: Case) -> tuple[str, ...]:
    return case.parameters_text, case.layout, case.version


def _is_faster(mine: _Points, other: _Points) -> bool:
    """True if the times at the shared points have the smaller geometric mean."""
    shared = mine.keys() & other.keys()
    return sum(math.log(mine[at].seconds_per_key.value / other[at].seconds_per_key.value) for at in shared) < 0


def _name(records: Records, case: Case, others: Sequence[Case]) -> str:
    """The preset with these parameters, else "tuned" if the sort has such a preset, else what differs."""
    if not others:
        return ""
    known = records.algorithms.get(case.algorithm)
    presets = known.presets if known else {}
    name = next((name for name, preset in presets.items() if preset and _has(case, preset)), "")
    name = name or (_TUNED if _TUNED in presets else "")
    if not name:
        differing = {k: v for k, v in case.parameters.items() if any(o.parameters.get(k) != v for o in others)}
        name = settings_text(differing)
    name = {_PAPER: "paper’s form"}.get(name, name)
    version = case.version if any(other.version != case.version for other in others) else ""
    layout = "one array" if case.layout == "together" and any(o.layout != case.layout for o in others) else ""
    return ", ".join(text for text in (name, version, layout) if text)


def _has(case: Case, preset: dict[str, Any]) -> bool:
    return all(value == _AUTO or _text(case.parameters.get(name)) == value for name, value in preset.items())


def _text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def names_text(chosen: Iterable[Chosen]) -> str:
    """A caption's sentence with the settings that were chosen of several; empty without a choice."""
    named = dict.fromkeys((one.measured[0].case.algorithm, one.name) for one in chosen if one.name and one.measured)
    return f"Settings chosen: {'; '.join(f'{sort}: {name}' for sort, name in sorted(named))}. " if named else ""


def is_serial(records: Records, m: Measurement) -> bool:
    """True for a measurement on several threads of a build that gains nothing from them.

    Its version is then at no n from 2^20 on _SPEEDUP times as fast as on one thread. Without a pair of the same input
    on one thread nothing is known, and the build counts as parallel.
    """
    c = m.case
    if not c.on_host or c.threads < 2 or not origins.is_peer(records, c.algorithm):
        return False
    wanted = dict(algorithm=c.algorithm, key_type=c.key_type, value_type=c.value_type, version=c.version)
    by_threads: dict[int, _Points] = {}
    for threads in (1, c.threads):
        found = records.in_all_runs(**wanted, threads=threads, n=lambda n: n >= _LARGE)
        by_threads[threads] = fastest_by(found, lambda m: (m.case.n, m.case.distribution))
    one, many = by_threads[1], by_threads[c.threads]
    shared = one.keys() & many.keys()
    return bool(shared) and all(
        one[at].seconds_per_key.value < _SPEEDUP * many[at].seconds_per_key.value for at in shared
    )


def parallel_ones(records: Records, measured: Iterable[Measurement]) -> list[Measurement]:
    """The measurements without those of serial builds on several threads."""
    known: dict[tuple[Any, ...], bool] = {}
    kept = []
    for m in measured:
        build = (m.case.algorithm, m.case.type_name, m.case.version, m.case.threads)
        if build not in known:
            known[build] = is_serial(records, m)
        if not known[build]:
            kept.append(m)
    return kept
