"""CPU sorts, 2026: this project's own sort beside the best peer, by type, size, threads and input."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from ... import origins, provenance
from ...artifact import Artifact, of_picture
from ...chart import Chart, Panel
from ...duels import Duel, Duels, of_one_run
from ...grid import Grid, GridCell, GridColumn
from ...measurement import Measurement
from ...quantities import count_text, digits, threads_text
from ...records import Records
from . import cpu2026_inputs
from .all_sorts import algorithms, lines

# What configs/cpu2026.json and cpu2026_inputs.json ask for.
_TYPES = (("u32", "none"), ("u64", "none"), ("u32", "u32"), ("u64", "u64"))
_SIZES = (1 << 20, 1 << 24, 1 << 27)
_THREADS = (1, 2, 16)


def make(records: Records) -> list[Artifact]:
    """The table, the heat map of inputs and the charts over n, as far as there are records of the flagship."""
    measured = records.of_all_runs(residency="host")
    flagship = origins.flagship(records)
    if flagship is None or not any(m.case.algorithm == flagship for m in measured):
        return []
    duels = Duels(records, flagship)
    found = [_table(records, measured, flagship, duels), cpu2026_inputs.worst(records, flagship, duels)]
    found += _charts(records, measured, flagship)
    return [artifact for artifact in found if artifact]


def _table(records: Records, measured: Sequence[Measurement], flagship: str, every: Duels) -> Optional[Artifact]:
    duels = {
        (key, value, n, threads): duel
        for key, value in _TYPES
        for n in _SIZES
        for threads in _THREADS
        if (duel := every.of(threads, key_type=key, value_type=value, n=n, distribution="uniform"))
    }
    if not duels:
        return None
    threads_shown = sorted({threads for *_, threads in duels})
    columns = [
        GridColumn(threads_text(threads), head, measured=True)
        for threads in threads_shown
        for head in (flagship, "best peer", "peer ÷ ours")
    ]
    grid_rows = []
    for index, (key, value, n) in enumerate(dict.fromkeys(case[:3] for case in duels)):
        cells = [cell for t in threads_shown for cell in _cells(duels.get((key, value, n, t)))]
        grid_rows.append((f"{_type_text(key, value)}, {count_text(n)}", float(index), cells))
    grid = Grid("type, n", columns, grid_rows, "mean", here="ns per key")
    header = [
        *("type", "n", "threads", "own_ns", "own_ci95_low", "own_ci95_high", "peer", "peer_threads"),
        *("peer_ns", "peer_ci95_low", "peer_ci95_high", "peer_over_own", "ratio_low", "ratio_high", "disturbed"),
    ]
    ratios = [duel.peer_over_own for duel in duels.values()]
    faster, slower = sum(r.low > 1 for r in ratios), sum(r.high < 1 for r in ratios)
    title = f"{flagship} and the best peer on uniform keys, ns per key"
    caption = (
        f"The whole interval lies on {flagship}’s side in {faster} of {len(ratios)} cells, on the peer’s in "
        f"{slower}. "
        "Best is the fastest of all that others wrote, on as many threads or fewer, in the same run. Of keys with "
        "values each sort takes the layout that it is faster with: two arrays, or one (‡). "
        + _missing(records, measured)
    )
    shown = [m for duel in duels.values() for m in (duel.own, duel.peer)]
    caption += provenance.caption(records, shown, [])
    return Artifact(
        id="CPU2026-T",
        title=title,
        paper="",
        caption=caption,
        header=header,
        rows=[_row(duel) for duel in duels.values()],
        latex=grid.latex(f"{title}. {caption}", "tab:CPU2026-T"),
        figure=grid.figure,
        grid=grid,
    )


def _cells(duel: Optional[Duel]) -> list[GridCell]:
    if duel is None:
        return [GridCell()] * 3
    ratio = duel.peer_over_own
    return [
        _ns_cell(duel.own),
        _ns_cell(duel.peer, duel.peer_name),
        GridCell(measured=digits(ratio.value), remark=f"[{digits(ratio.low)}, {digits(ratio.high)}]"),
    ]


def _ns_cell(m: Measurement, name: str = "") -> GridCell:
    ns = digits(1e9 * m.seconds_per_key.value)
    marks = ("†" if m.disturbed else "") + ("‡" if m.case.layout == "together" else "")
    return GridCell(measured=ns + marks, interval=m.width_text, remark=name)


def _row(duel: Duel) -> list[Any]:
    own, peer = (m.seconds_per_key.scaled(1e9) for m in (duel.own, duel.peer))
    case, ratio = duel.own.case, duel.peer_over_own
    return [
        *(case.type_name, case.n, case.threads, own.value, own.low, own.high),
        *(duel.peer.case.algorithm, duel.peer.case.threads, peer.value, peer.low, peer.high),
        *(ratio.value, ratio.low, ratio.high),
        "yes" if duel.own.disturbed or duel.peer.disturbed else "no",
    ]


def _type_text(key: str, value: str) -> str:
    return key if value == "none" else f"{key} + {value}"


def _missing(records: Records, measured: Sequence[Measurement]) -> str:
    have = {m.case.algorithm for m in measured}
    names = [name for name in origins.peers(records) if name not in have]
    return f"No record here of the peers {', '.join(names)}. " if names else ""


def _charts(records: Records, measured: Sequence[Measurement], flagship: str) -> list[Artifact]:
    """All sorts on uniform keys over n: a chart for each number of threads, a panel a type."""
    names = algorithms(records, [m for m in measured if m.case.key_type != "string"])
    uniform = [m for m in measured if m.case.distribution == "uniform" and m.case.n > 1]
    made = []
    for threads in _THREADS:
        on = {(key, value): _at_each_n(uniform, flagship, key, value, threads) for key, value in _TYPES}
        panels = [Panel(_type_text(*type_), lines(records, names, found)) for type_, found in on.items() if found]
        if not any(m.case.algorithm == flagship for found in on.values() for m in found):
            continue
        chart = Chart(panels, "ns per key", log=True, columns=2)
        id_ = f"CPU2026-N-{threads}T"
        title = f"All sorts on uniform keys, {threads_text(threads)}"
        caption = "The sorts at an n are of one run; of several parameter settings of a plug-in the fastest. "
        caption += provenance.caption(records, [m for found in on.values() for m in found], [])
        made.append(of_picture(chart, id_, title, "", caption))
    return made


def _at_each_n(measured: Sequence[Measurement], flagship: str, key: str, value: str, threads: int) -> list[Measurement]:
    """Of each n the sorts that ran beside the flagship."""
    case = key, value, threads
    of = [m for m in measured if (m.case.key_type, m.case.value_type, m.case.threads) == case]
    sizes = dict.fromkeys(m.case.n for m in of)
    return [m for n in sizes for m in of_one_run((m for m in of if m.case.n == n), [flagship])]


ARTIFACTS = {"CPU2026-*": make}
