"""GPU sorts, 2026: this project's own sort beside the best peer, by type, size and input."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from ...records import origins
from ...analysis import provenance
from ...records.caption import Caption
from ...figures.artifact import Artifact
from ...analysis.paired_comparisons import PairedComparison, PairedComparisons
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.measurement import Measurement
from ...records.number import TRACE, Number, cells_and_runs
from ...records.quantities import count_text, digits
from ...records.collection import Records
from . import gpu2026_entropy, gpu2026_limits
from .all_sorts import GIGAKEYS
from .beside_peers import NO_PEERS, TYPES, marks, missing, over_n, ratio_cell, score, seen, type_text
from .gpu2026_limits import share_values, shares_text
from .worst_inputs import Shown, worst

# Types and sizes of configs/gpu2026.json and gpu2026_between.json.
SIZES = tuple(1 << k for k in range(10, 31, 2))
INPUTS = Shown(id="GPU2026-INPUTS", where="on the device", residency="device", types=TYPES, sizes=SIZES, named=1)


def make(records: Records) -> list[Artifact]:
    """The table, the shares of copy bandwidth, the chart over entropy, the heat map of inputs and the chart over n, if
    there are records of the flagship."""
    measured = records.in_all_runs(residency="device")
    flagship = origins.flagship(records, "device")
    if flagship is None or not any(m.case.algorithm == flagship for m in measured):
        return []
    comparisons = PairedComparisons(records, flagship, "device")
    found = [
        _table(records, measured, flagship, comparisons),
        gpu2026_limits.table(records, comparisons, measured, flagship),
        over_n(records, comparisons, measured, flagship, 1, "GPU2026-N", "All GPU sorts on uniform keys", GIGAKEYS),
        gpu2026_entropy.chart(records, comparisons, measured, flagship),
        worst(records, flagship, comparisons, INPUTS),
    ]
    return [artifact for artifact in found if artifact]


def _table(
    records: Records, measured: Sequence[Measurement], flagship: str, every: PairedComparisons
) -> Optional[Artifact]:
    comparisons = {
        (key, value, n): comparison
        for key, value in TYPES
        for n in SIZES
        if (comparison := every.find(1, key_type=key, value_type=value, n=n, distribution="uniform"))
    }
    if not comparisons:
        return None
    columns = [
        GridColumn("times as fast", "ours over the peer", measured=True),
        *(GridColumn("10⁹ keys per second", head, measured=True) for head in (flagship, "best library peer")),
    ]
    rows = [
        (f"{type_text(key, value)}, {count_text(n)}", float(index), _cells(comparison))
        for index, ((key, value, n), comparison) in enumerate(comparisons.items())
    ]
    grid = Grid("type, n", columns, rows, "mean", here="")
    title = f"{flagship} and the best library peer on uniform keys, in a GPU’s memory"
    caption = Caption(
        f"Rates of {flagship} and of the best library peer on uniform keys, by type and n. "
        + seen(flagship, comparisons.values())
    )
    caption += score(flagship, comparisons.values()) + (f"Best is the fastest peer in the same run. {NO_PEERS}")
    caption += f"The CSV also has shares of the copy bandwidth. {shares_text(records)}"
    caption += missing(records, measured, "device")
    shown = [m for comparison in comparisons.values() for m in (comparison.own, comparison.peer)]
    caption += provenance.caption(records, shown, [])
    header = [
        *("type", "n", "layout", "own_gkeys_per_s", "own_ci95_low", "own_ci95_high"),
        *("peer", "peer_layout", "peer_gkeys_per_s", "peer_ci95_low", "peer_ci95_high"),
        *("peer_over_own", "ratio_low", "ratio_high"),
        *(f"{side}_{what}" for side in ("own", "peer") for what in ("copy_share", "bytes", "bytes_from", "own_share")),
        *("disturbed", *TRACE),
    ]
    return Artifact(
        id="GPU2026-T",
        title=title,
        paper="",
        caption=caption,
        header=header,
        rows=[_row(records, comparison) for comparison in comparisons.values()],
        picture=grid,
    )


def _cells(comparison: PairedComparison) -> list[GridCell]:
    return [
        ratio_cell(comparison.peer_over_own),
        _rate_cell(comparison.own),
        _rate_cell(comparison.peer, comparison.peer_name),
    ]


def _rate_cell(m: Measurement, name: str = "") -> GridCell:
    return GridCell(measured=digits(GIGAKEYS.of(m).value) + marks(m), interval=m.width_text, remark=name)


def _row(records: Records, comparison: PairedComparison) -> list[Any]:
    pair = (comparison.own, comparison.peer)
    own, peer = (Number.of(GIGAKEYS.of(m), m) for m in pair)
    case, ratio = comparison.own.case, comparison.peer_over_own
    return [
        *(case.type_name, case.n, case.layout, *own.columns),
        *(comparison.peer.case.algorithm, comparison.peer.case.layout, *peer.columns),
        *(ratio.value, ratio.low, ratio.high),
        *(value for m in pair for value in share_values(records, m)),
        "yes" if any(m.disturbed for m in pair) else "no",
        *cells_and_runs(pair),
    ]


TITLE = "GPU sorts, 2026"
ARTIFACTS = {"GPU2026-*": make}
