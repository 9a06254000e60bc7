"""CPU2026-INPUTS: the inputs on which this project's own sort is at its worst beside the best peer."""

from __future__ import annotations

from typing import Optional

from ... import provenance
from ...artifact import Artifact, of_picture
from ...duels import Duel, Duels
from ...heat import Heat, HeatCell, HeatPanel
from ...quantities import Interval, count_text, digits
from ...records import Records

# What configs/cpu2026_inputs.json asks for.
_SIZES = tuple(1 << k for k in (10, 14, 18, 22, 26))
_TYPES = ("u32", "u64")
_INPUTS = (  # order of the rows; of each the settings by name
    *("uniform", "thearling", "gaussian", "zero", "bucket", "g_group", "staggered", "worst_regular"),
    *("deterministic_duplicates", "randomized_duplicates", "zipf", "few_distinct", "constant"),
    *("sorted", "reverse", "nearly_sorted", "organ_pipe", "iota", "runs"),
)


def worst(records: Records, flagship: str, every: Duels) -> Optional[Artifact]:
    names = sorted({m.case.distribution for m in records.ok(value_type="none", residency="host")}, key=_place)
    duels = {
        (key, name, n): duel
        for key in _TYPES
        for name in names
        for n in _SIZES
        if (duel := every.of(1, key_type=key, value_type="none", distribution=name, n=n))
    }
    if not duels:
        return None
    ratios = {case: duel.own_over_peer for case, duel in duels.items()}
    panels = []
    for key in dict.fromkeys(case[0] for case in duels):
        of = {case: duel.peer_name for case, duel in duels.items() if case[0] == key}
        cells = {(case[1], count_text(case[2])): HeatCell(ratios[case], peer) for case, peer in of.items()}
        panels.append(HeatPanel(key, cells))
    rows_shown = [name for name in names if any(case[1] == name for case in duels)]
    columns_shown = [count_text(n) for n in _SIZES if any(case[2] == n for case in duels)]
    heat = Heat("distribution", "n", f"{flagship} ÷ best peer", rows_shown, columns_shown, panels)
    slowest = sorted(duels, key=lambda case: -ratios[case].value)[:3]
    said = "; ".join(_said(case, ratios[case], duels[case]) for case in slowest)
    title = f"Worst inputs: time of {flagship} over the best peer’s, one thread"
    slower = sum(r.low > 1 for r in ratios.values())
    shown = [m for duel in duels.values() for m in (duel.own, duel.peer)]
    caption = (
        f"Below 1 (blue) {flagship} is faster, above 1 (red) a peer is; bold where the whole interval is above 1, "
        f"as in {slower} of {len(ratios)} cells. The peer is each cell’s own fastest in the same run. "
        f"The worst: {said}. " + provenance.caption(records, shown, [])
    )
    return of_picture(heat, "CPU2026-INPUTS", title, "", caption, "tab")


def _said(case: tuple[str, str, int], ratio: Interval, duel: Duel) -> str:
    key, name, n = case
    interval = f"[{digits(ratio.low)}, {digits(ratio.high)}]"
    return f"{key} {name} at n = {count_text(n)}, {digits(ratio.value)} {interval} times {duel.peer_name}"


def _place(distribution: str) -> tuple[int, str]:
    name = distribution.partition(":")[0]
    return (_INPUTS.index(name) if name in _INPUTS else len(_INPUTS)), distribution
