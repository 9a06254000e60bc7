"""Shared by the pages of 2026: this project's own sort beside the best peer, on the host or on a device."""

from __future__ import annotations

from typing import Iterable, Optional, Sequence

from ...records import origins
from ...analysis import one_setting, provenance
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.chart import Chart, Panel
from ...analysis.paired_comparisons import PairedComparison, PairedComparisons
from ...figures.grid import GridCell
from ...records.measurement import Measurement
from ...records.quantities import count_text, digits, threads_text
from ...records.statistics import Interval, median
from ...records.collection import Records
from .all_sorts import NS_PER_KEY, Quantity, algorithms, lines
from .coloured import behind, grey_text, leading, times_by_n

NO_PEERS = "Implementations of papers’ sorts are no peers. "
TYPES = (("u32", "none"), ("u64", "none"), ("u32", "u32"), ("u64", "u64"))


def type_text(key: str, value: str) -> str:
    return key if value == "none" else f"{key} + {value}"


def score(own: str, comparisons: Iterable[PairedComparison]) -> str:
    """A caption's sentence: the number of cells in which the whole interval favours either side."""
    ratios = [comparison.peer_over_own for comparison in comparisons]
    faster, slower = sum(r.low > 1 for r in ratios), sum(r.high < 1 for r in ratios)
    return f"The whole interval lies on {own}’s side in {faster} of {len(ratios)} cells, on the peer’s in {slower}. "


def seen(own: str, comparisons: Iterable[PairedComparison]) -> str:
    """A caption's sentence that says what to see: how many times as fast as the best peer the project's own sort is."""
    ordered = sorted(comparisons, key=lambda one: one.peer_over_own.value)
    ratios = [one.peer_over_own.value for one in ordered]
    if len(ordered) == 1:
        return f"{own} is {digits(ratios[0])} times as fast. "
    threads = len({one.own.case.threads for one in ordered}) > 1
    ends = []
    for one in (ordered[0], ordered[-1]):
        c = one.own.case
        where = [type_text(c.key_type, c.value_type), f"n = {count_text(c.n)}"]
        where += [threads_text(c.threads)] if threads else []
        ends.append(f"{digits(one.peer_over_own.value)} ({', '.join(where)})")
    return f"{own} is {' to '.join(ends)} times as fast, {digits(median(ratios))} in the median. "


def missing(records: Records, measured: Iterable[Measurement], runs_on: str = "host") -> str:
    have = {m.case.algorithm for m in measured}
    names = [name for name in origins.peers(records, runs_on) if name not in have]
    return f"No record here of the peers {', '.join(names)}. " if names else ""


def interval_text(ratio: Interval) -> str:
    return f"[{digits(ratio.low)}, {digits(ratio.high)}]"


def ratio_cell(ratio: Interval) -> GridCell:
    return GridCell(measured=digits(ratio.value), remark=interval_text(ratio))


def marks(m: Measurement) -> str:
    return ("†" if m.disturbed else "") + ("‡" if m.case.layout == "together" else "")


def over_n(
    records: Records,
    comparisons: PairedComparisons,
    measured: Sequence[Measurement],
    own: str,
    threads: int,
    id_: str,
    title: str,
    quantity: Quantity = NS_PER_KEY,
) -> Optional[Artifact]:
    """All sorts on uniform keys over n, on `threads` threads, a panel for each type; None without the project's own."""
    names = algorithms(records, [m for m in measured if m.case.key_type != "string"])
    sizes = sorted({m.case.n for m in measured if m.case.distribution == "uniform" and m.case.n > 1})
    on = {type_: _at_each_n(records, comparisons, sizes, type_, threads) for type_ in TYPES}
    if not any(m.case.algorithm == own for found in on.values() for m in found):
        return None
    chosen = {type_: one_setting.choose(records, found) for type_, found in on.items()}
    named = leading(names, [own], [times_by_n(of) for of in chosen.values()])
    panels = [
        Panel(type_text(*type_), behind(lines(records, names, of, quantity), names, named))
        for type_, of in chosen.items()
        if of
    ]
    chart = Chart(panels, quantity.text, log=True, columns=2)
    caption = Caption(
        f"Every sort on uniform keys over n, in {quantity.text}, a panel for each type. "
        + looks_text(chart)
        + grey_text(panels),
        "A line has one parameter setting, the fastest of those measured at several n. The sorts at one n come from "
        f"one run, the same as in the table of best peers; n at which no peer ran beside {own} are not shown.",
    )
    every = [one for of in chosen.values() for one in of.values()]
    caption += one_setting.names_text(every)
    caption += provenance.caption(records, [m for one in every for m in one.measured], [])
    return from_picture(chart, id_, title, "", caption)


def _at_each_n(
    records: Records, comparisons: PairedComparisons, sizes: Sequence[int], type_: tuple[str, str], threads: int
) -> list[Measurement]:
    """The sorts of one run at each n. Sizes at which no peer ran beside the project's own sort are left out, unless
    none ran at any: those runs' times differ by the machine's drift, which would look like a bend of a line."""
    key, value = type_
    by_n = {n: comparisons.run(threads, n=n, key_type=key, value_type=value, distribution="uniform") for n in sizes}
    paired = {n: run for n, run in by_n.items() if any(origins.is_peer(records, m.case.algorithm) for m in run)}
    found = [m for run in (paired or by_n).values() for m in run if m.case.threads == threads]
    return one_setting.parallel_ones(records, found)
