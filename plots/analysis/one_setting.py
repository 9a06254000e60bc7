"""Chooses one setting of each sort for a line, so that no line mixes several, and finds builds that run serially."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Sequence

from ..records import origins
from ..records.algorithm import OURS
from ..records.case import Case, settings_text
from ..records.collection import Records
from ..records.measurement import Measurement, fastest_by
from ..records.quantities import count_text, digits

BY_N = "chosen by n"  # the parameters of a sort that chooses its variant itself
_ENOUGH = 4  # points from which on a setting counts, or as many as the setting with the most has
_SPEEDUP = 1.3  # smallest speedup over one thread by which a build counts as parallel
_CLEARLY = 1.05  # gain from which on a setting counts as faster
_LARGE = 1 << 20  # least n at which a parallel sort is expected to gain from threads
_AUTO = "auto"  # setting of a preset that the sort resolves itself
_PAPER, _TUNED = "paper", "tuned"  # names of presets

_Input = tuple[int, str]  # n and distribution
_Points = dict[_Input, Measurement]


@dataclass(frozen=True)
class Rival:
    """A setting that is faster than the one drawn, and the n at which it is most."""

    gain: float
    n: int
    name: str


@dataclass(frozen=True)
class Chosen:
    """One sort in one setting. The project's own sorts choose variants by n, which together count as one setting."""

    measured: tuple[Measurement, ...]  # one for each n and distribution
    name: str  # name of the setting: a preset, or what differs from the others; empty if there is no other
    parameters: str  # all parameters, as text
    setting: tuple[str, ...] = ()  # parameters, layout and version; empty if all count as one
    rival: Optional[Rival] = None  # a clearly faster setting, of too few points to be drawn

    def has(self, m: Measurement) -> bool:
        """True for a measurement of this sort in this setting."""
        if not self.measured or m.case.algorithm != self.measured[0].case.algorithm:
            return False
        return not self.setting or _setting(m.case) == self.setting


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
    rival = _rival(records, points.get(best, {}), [of for setting, of in points.items() if setting not in able])
    return Chosen(shown, setting_name(records, case, others), BY_N if own else case.parameters_text, best, rival)


def _rival(records: Records, drawn: _Points, others: Iterable[_Points]) -> Optional[Rival]:
    """The setting of too few points that is clearly and by most faster than the drawn one, where both were measured."""
    found = [
        (drawn[at].seconds_per_key.value / m.seconds_per_key.value, at[0], m.case)
        for of in others
        for at, m in of.items()
        if at in drawn
    ]
    if not found:
        return None
    gain, n, case = max(found, key=lambda one: one[:2])
    return Rival(gain, n, setting_name(records, case, [m.case for m in drawn.values()])) if gain >= _CLEARLY else None


def _setting(case: Case) -> tuple[str, ...]:
    return case.parameters_text, case.layout, case.version


def _is_faster(mine: _Points, other: _Points) -> bool:
    """True if the times at the shared points have the smaller geometric mean."""
    shared = mine.keys() & other.keys()
    return sum(math.log(mine[at].seconds_per_key.value / other[at].seconds_per_key.value) for at in shared) < 0


def setting_name(records: Records, case: Case, others: Sequence[Case]) -> str:
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
    """A caption's sentences on the settings that were chosen of several, and on faster ones that have too few points to
    be drawn; empty without a choice."""
    drawn = [one for one in chosen if one.measured]
    named = dict.fromkeys((one.measured[0].case.algorithm, one.name) for one in drawn if one.name)
    text = f"Settings chosen: {'; '.join(f'{sort}: {name}' for sort, name in sorted(named))}. " if named else ""
    rivals: dict[tuple[str, str], Rival] = {}
    for one in drawn:
        case = one.measured[0].case
        known = rivals.get((case.algorithm, case.type_name))
        if one.rival and (known is None or known.gain < one.rival.gain):
            rivals[case.algorithm, case.type_name] = one.rival
    faster = [
        f"{sort} of {type_}: {rival.name}, {digits(rival.gain)} times as fast at n = {count_text(rival.n)}"
        for (sort, type_), rival in sorted(rivals.items())
    ]
    return text + (f"Faster settings, measured at too few n for a line: {'; '.join(faster)}. " if faster else "")


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
