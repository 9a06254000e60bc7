"""The worst inputs of this project's own sort relative to the best peer, as a heat map, with the worst named."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Optional

from ...analysis import provenance
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...analysis.paired_comparisons import PairedComparison, PairedComparisons
from ...figures.heat import Heat, HeatCell, HeatPanel
from ...records.case import Case, input_text
from ...records.quantities import count_text, digits
from ...records.statistics import Interval
from ...records.collection import Records
from .beside_peers import NO_PEERS, interval_text, type_text

INPUTS = (  # distributions in the order of the rows
    *("uniform", "thearling", "gaussian", "zero", "bucket", "g_group", "staggered", "worst_regular"),
    *("deterministic_duplicates", "randomized_duplicates", "zipf", "few_distinct", "constant"),
    *("sorted", "reverse", "nearly_sorted", "organ_pipe", "iota", "runs"),
)
_GIVEN = re.compile(r"=(-?\d+(?:\.\d+)?)(?:,|$)")  # numbers among the parameters in a distribution's name
_EXPLAINED = {
    "thearling": "thearling:ands=k: each key is the AND of k + 1 random words",
    "bucket": "bucket, staggered, g_group: ranges of keys in blocks of the input (Helman et al.)",
    "worst_regular": "worst_regular:p: the worst case of regular sampling by p processors",
}


@dataclass(frozen=True)
class Shown:
    """The inputs, types and sizes that a page shows."""

    id: str
    where: str  # "one thread"
    residency: str
    types: tuple[tuple[str, str], ...]  # key and value, a panel each
    sizes: tuple[int, ...]
    named: int  # number of worst inputs of each type that the caption names


_Cell = tuple[tuple[str, str], str, int]  # key and value type, distribution, n


def worst(records: Records, own: str, every: PairedComparisons, shown: Shown) -> Optional[Artifact]:
    cases = {m.case.distribution: m.case for m in records.ok(residency=shown.residency)}
    names = sorted(cases, key=lambda name: _place(cases[name]))
    comparisons = {
        (type_, name, n): comparison
        for type_ in shown.types
        for name in names
        for n in shown.sizes
        if (comparison := every.find(1, key_type=type_[0], value_type=type_[1], distribution=name, n=n))
    }
    if not comparisons:
        return None
    ratios = {cell: comparison.own_over_peer for cell, comparison in comparisons.items()}
    panels = []
    for type_ in dict.fromkeys(cell[0] for cell in comparisons):
        cells: dict[tuple[str, str | int], HeatCell] = {
            (input_text(cell[1]), cell[2]): HeatCell(
                ratios[cell], comparison.peer_name, [comparison.own, comparison.peer]
            )
            for cell, comparison in comparisons.items()
            if cell[0] == type_
        }
        panels.append(HeatPanel(type_text(*type_), cells))
    inputs = {cell[1] for cell in comparisons}
    rows_shown = [input_text(name) for name in names if name in inputs]
    columns_shown = [n for n in shown.sizes if any(cell[2] == n for cell in comparisons)]
    heat = Heat("distribution", "n", f"{own} ÷ best library peer", rows_shown, columns_shown, panels)
    inputs_at = {n: {cell[1] for cell in comparisons if cell[2] == n} for n in columns_shown}
    # A size with a single input has no place in a comparison of inputs, unless all sizes are such.
    drawn = replace(heat, column_names=[n for n in columns_shown if len(inputs_at[n]) > 1] or columns_shown)
    worst = "; ".join(_described(cell, ratios[cell], comparisons[cell]) for cell in _slowest(ratios, shown.named))
    title = f"Time of {own} over the best library peer’s by input, {shown.where}"
    faster, slower = sum(r.high < 1 for r in ratios.values()), sum(r.low > 1 for r in ratios.values())
    measured = [m for comparison in comparisons.values() for m in (comparison.own, comparison.peer)]
    caption = Caption(
        f"Time of {own} over the fastest library peer’s in the same run, by input and n. Below 1 (blue) {own} is "
        "faster, above 1 (red) the peer. "
        f"Bold: the whole interval is above 1, as in {slower} of {len(ratios)} cells; it is below 1 in {faster}. "
        f"A cell without a number was not measured. {_explained(inputs)}",
        f"The worst of each type: {worst}. {NO_PEERS}",
    )
    caption += provenance.caption(records, measured, [])
    return from_picture(drawn, shown.id, title, "", caption, whole=heat)


def _explained(distributions: set[str]) -> str:
    """A legend's sentence on inputs whose names do not say what they are."""
    names = {name.partition(":")[0] for name in distributions}
    told = [text for name, text in _EXPLAINED.items() if name in names]
    return f"{'; '.join(told)}. " if told else ""


def _slowest(ratios: dict[_Cell, Interval], of_each_type: int) -> list[_Cell]:
    """The worst cells of each type, worst first."""
    found: dict[tuple[str, str], list[_Cell]] = {}
    for cell in sorted(ratios, key=lambda cell: -ratios[cell].value):
        found.setdefault(cell[0], []).append(cell)
    return [cell for cells in found.values() for cell in cells[:of_each_type]]


def _described(cell: _Cell, ratio: Interval, comparison: PairedComparison) -> str:
    type_, name, n = cell
    at = f"{type_text(*type_)} {input_text(name)} at n = {count_text(n)}"
    return f"{at}, {digits(ratio.value)} {interval_text(ratio)} times {comparison.peer_name}"


def _place(case: Case) -> tuple[int, str, list[float], str]:
    """Sort key: the distribution's name, then the numbers given with it (2 ANDs before 11), without those that follow
    from n."""
    name = case.distribution_name
    numbers = [float(number) for number in _GIVEN.findall(case.distribution)]
    return (INPUTS.index(name) if name in INPUTS else len(INPUTS)), name, numbers, case.distribution
