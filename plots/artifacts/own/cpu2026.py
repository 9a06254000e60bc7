"""CPU sorts, 2026: this project's own sort beside the best peer, by type, size, threads and input."""

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
from ...records.quantities import count_text, digits, threads_text
from ...records.collection import Records
from .beside_peers import NO_PEERS, TYPES, marks, missing, over_n, ratio_cell, score, seen, type_text
from .worst_inputs import Shown, worst

# Threads, types, sizes and inputs of configs/cpu2026.json and cpu2026_inputs.json.
SIZES = (1 << 20, 1 << 24, 1 << 27)
THREADS = (1, 2, 16)
INPUTS = Shown(
    id="CPU2026-INPUTS",
    where="one thread",
    residency="host",
    types=(("u32", "none"), ("u64", "none")),
    sizes=tuple(1 << k for k in (10, 14, 18, 22, 26)),
    named=2,
)


def make(records: Records) -> list[Artifact]:
    """The table, the heat map of inputs and the charts over n, if there are records of the flagship."""
    measured = records.in_all_runs(residency="host")
    flagship = origins.flagship(records)
    if flagship is None or not any(m.case.algorithm == flagship for m in measured):
        return []
    comparisons = PairedComparisons(records, flagship)
    found = [_table(records, measured, flagship, comparisons), worst(records, flagship, comparisons, INPUTS)]
    for threads in THREADS:
        title = f"All sorts on uniform keys, {threads_text(threads)}"
        found.append(over_n(records, comparisons, measured, flagship, threads, f"CPU2026-N-{threads}T", title))
    return [artifact for artifact in found if artifact]


def _table(
    records: Records, measured: Sequence[Measurement], flagship: str, every: PairedComparisons
) -> Optional[Artifact]:
    comparisons = {
        (key, value, n, threads): comparison
        for key, value in TYPES
        for n in SIZES
        for threads in THREADS
        if (comparison := every.find(threads, key_type=key, value_type=value, n=n, distribution="uniform"))
    }
    if not comparisons:
        return None
    threads_shown = sorted({threads for *_, threads in comparisons})
    columns = [
        GridColumn(threads_text(threads), head, measured=True)
        for threads in threads_shown
        for head in (flagship, "best library peer", "peer ÷ ours")
    ]
    grid_rows = []
    for index, (key, value, n) in enumerate(dict.fromkeys(case[:3] for case in comparisons)):
        cells = [cell for t in threads_shown for cell in _cells(comparisons.get((key, value, n, t)))]
        grid_rows.append((f"{type_text(key, value)}, {count_text(n)}", float(index), cells))
    grid = Grid("type, n", columns, grid_rows, "mean", here="ns per key")
    header = [
        *("type", "n", "threads", "own_ns", "own_ci95_low", "own_ci95_high", "peer", "peer_threads"),
        *("peer_ns", "peer_ci95_low", "peer_ci95_high", "peer_over_own", "ratio_low", "ratio_high", "disturbed"),
        *TRACE,
    ]
    title = f"{flagship} and the best library peer on uniform keys, ns per key"
    legend = f"Time per key of {flagship} and of the best library peer on uniform keys, by type, n and threads. "
    caption = Caption(legend + seen(flagship, comparisons.values()))
    caption += score(flagship, comparisons.values())
    caption += (
        f"Best is the fastest peer in the same run, on as many threads or fewer. {NO_PEERS}Each sort has "
        "keys and values in the layout with which it is faster. "
    )
    caption += missing(records, measured)
    shown = [m for comparison in comparisons.values() for m in (comparison.own, comparison.peer)]
    caption += provenance.caption(records, shown, [])
    return Artifact(
        id="CPU2026-T",
        title=title,
        paper="",
        caption=caption,
        header=header,
        rows=[_row(comparison) for comparison in comparisons.values()],
        picture=grid,
    )


def _cells(comparison: Optional[PairedComparison]) -> list[GridCell]:
    if comparison is None:
        return [GridCell()] * 3
    return [
        _ns_cell(comparison.own),
        _ns_cell(comparison.peer, comparison.peer_name),
        ratio_cell(comparison.peer_over_own),
    ]


def _ns_cell(m: Measurement, name: str = "") -> GridCell:
    ns = digits(1e9 * m.seconds_per_key.value)
    return GridCell(measured=ns + marks(m), interval=m.width_text, remark=name)


def _row(comparison: PairedComparison) -> list[Any]:
    pair = (comparison.own, comparison.peer)
    own, peer = (Number.of(m.seconds_per_key.scaled(1e9), m) for m in pair)
    case, ratio = comparison.own.case, comparison.peer_over_own
    return [
        *(case.type_name, case.n, case.threads, *own.columns),
        *(comparison.peer.case.algorithm, comparison.peer.case.threads, *peer.columns),
        *(ratio.value, ratio.low, ratio.high),
        "yes" if any(m.disturbed for m in pair) else "no",
        *cells_and_runs(pair),
    ]


TITLE = "CPU sorts, 2026"
ARTIFACTS = {"CPU2026-*": make}
