"""LEI-F6, rates on two GPUs, and LEI-M4, the share of each sort's time that follows bandwidth: for the paper's two GPUs
as published and by its counts, and for this machine's GPU with every other GPU in the records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Optional, Sequence

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.bars import BarPanel, Bars, Series
from ...figures.chart import Chart, Line, Panel
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.measurement import Measurement
from ...records.number import TRACE, Number, cells_and_runs
from ...analysis.selection import fastest_by_input, fastest_within_runs
from ...records.prediction import Prediction
from ...records.published import Published
from ...records.quantities import digits, percent
from ...records.statistics import Interval, exactly, mean_interval
from ...records.collection import Records
from ...analysis.memory_share import Gain, gains, memory_share
from . import PAPER
from .rates import MILLION, RATE, rate_line
from .sorts import GTX, MACHINES, MERGE, PAIRS, PREDICTED_BY, RADIX, SAMPLE, TESLA, Sort, absent_text, source

_SORTS = (SAMPLE, MERGE, RADIX)
_PUBLISHED = (  # sorts of Figure 6, each with the sort that stands for it here
    ("CUDPP radix", RADIX),
    ("Thrust radix", RADIX),
    ("Thrust merge", MERGE),
    ("sample", SAMPLE),
)
_COLOURS = {"CUDPP radix": "series-2", "Thrust radix": "series-8", "Thrust merge": "series-3", "sample": "series-1"}
_PAPERS = f"{MACHINES[GTX]} over {MACHINES[TESLA]}"
_DASHED = "dashed marks: predicted, for the paper’s GPUs by counts of bytes and operations"
_SPAN = (18.0, 28.0)  # log2 n of the axis without predictions


def make(records: Records) -> Artifact:
    panels = [Panel(f"{name}, by our models", _there(records, profile)) for profile, name in MACHINES.items()]
    best = fastest_within_runs(records, {sort: PAIRS.of(records, sort, ["uniform"]) for sort in _SORTS})
    panels.append(Panel(f"{_device(best)}, measured here", _here(records, best)))
    for other in records.others():
        found = {sort: fastest_by_input(PAIRS.of(other, sort, ["uniform"])) for sort in _SORTS}
        if any(found.values()):
            panels.append(Panel(f"{_device(found)}, measured there", _here(other, found)))
    panels.append(Panel(_PAPERS, _papers_gains(records), "times as fast"))
    for name, by_sort in _gains(records).items():
        panels.append(
            Panel(name, [_gain_line(sort, found) for sort, found in by_sort.items() if found], "times as fast")
        )
    shown = [m for found in best.values() for m in found.values()]
    chart = Chart(panels, RATE, columns=2, own_spans=True)
    bars = _bars(records)
    legend = "How many times as fast each sort of 32-bit pairs is on one GPU as on another, the mean over n. "
    legend += looks_text(bars, "hollow: published", "filled: measured", _DASHED)
    if bars.panels[0].series[0].predicted:
        legend += "Radix sorts have no mark there: the paper counts the work of merge and sample sort alone. "
    if any(best.values()) and not _gains(records):
        legend += (
            "No second GPU of these records has the same sorts, so that no gain is measured; the CSV has the rates "
        )
        legend += "of one. "
    caption = Caption(
        legend,
        "The marks on the paper’s gains are ours: LEI-M1 (merge) and LEI-M2 (sample) turn the bytes and operations "
        "that the text counts into times, and give more than it states. The CSV has "
        "gains and rates at every n, also by the gain that the text prints (LEI-M4). ",
    )
    if not records.others():
        caption += "The records hold only one machine with a GPU. "
    caption += absent_text(dict(best), {}) + source(
        records, shown, [p for p in map(records.find_prediction, shown) if p]
    )
    title = "Sorting 32-bit keys with 32-bit values from GPU to GPU"
    return from_picture(bars, "LEI-F6", title, PAPER, caption, whole=chart)


def _bars(records: Records) -> Bars:
    """Mean gains of one GPU over another."""
    published = Series("published, for unstated n", "published", "published")
    for name, p in _printed(records).items():
        published.add(name, 1 + p.value)
    for name, sort in _PUBLISHED:
        for model, by_n in _predicted_gains(records, sort).items():
            if model != "LEI-M4" and by_n:  # LEI-M4 knows the gain
                published.predict(name, sum(slow.seconds / fast.seconds for slow, fast in by_n.values()) / len(by_n))
    panels = [BarPanel(_PAPERS, [published])]
    for name, by_sort in _gains(records).items():
        gained = Series("measured", "series-1")
        for sort, found in by_sort.items():
            if found:
                both = [m for gain in found.values() for m in (gain.fast, gain.slow)]
                gained.add(sort.label, mean_interval([gain.gain for gain in found.values()]), *both)
        panels.append(BarPanel(name, [gained]))
    names = [*(name for name, _ in _PUBLISHED), *(sort.label for sort in _SORTS)]
    return Bars(panels, names, "times as fast")


def _device(best: dict[Sort, Any]) -> str:
    names: list[str] = [m.device for found in best.values() for m in found.values() if m.device]
    return names[0] if names else "A GPU"


def _there(records: Records, profile: str) -> list[Line]:
    lines = []
    for sort in _SORTS:
        for model, by_n in PAIRS.predicted_there(records, sort, profile).items():
            line = Line(f"{sort.label}, {PREDICTED_BY.get(model, model)}", sort.colour, "predicted")
            for n, p in by_n.items():
                if p.seconds:
                    line.add(math.log2(n), n / p.seconds / MILLION, p)
            lines.append(line)
    return [line for line in lines if line.x]


def _here(records: Records, best: dict[Sort, dict[tuple[int, str], Measurement]]) -> list[Line]:
    lines = []
    for sort, found in best.items():
        predicted = Line(f"{sort.label}, predicted", sort.colour, "predicted", labelled=False)
        for (n, _), m in sorted(found.items()):
            own = records.find_prediction(m)
            if own and own.seconds:
                predicted.add(math.log2(n), n / own.seconds / MILLION, own)
        by_n = {n: m for (n, _), m in found.items()}
        lines += [rate_line(sort.label, sort.colour, by_n, strong=sort is SAMPLE), predicted]
    return [line for line in lines if line.x]


def _printed(records: Records) -> dict[str, Published]:
    return {p.algorithm: p for p in records.published if p.id == "LEI-C14" and p.metric == "improvement"}


def _papers_gains(records: Records) -> list[Line]:
    lines = []
    for sort in _SORTS:
        for model, by_n in _predicted_gains(records, sort).items():
            line = Line(f"{sort.label}, {PREDICTED_BY.get(model, model)}", sort.colour, "predicted")
            for n, (slow, fast) in by_n.items():
                line.add(math.log2(n), slow.seconds / fast.seconds, slow, fast)
            lines.append(line)
    xs = [x for line in lines for x in line.x]
    ends = (min(xs), max(xs)) if len(set(xs)) > 1 else _SPAN
    for name, p in _printed(records).items():
        line = Line(f"{name}, published", _COLOURS.get(name, "published"), "published")
        for x in ends:
            line.add(x, 1 + p.value)
        lines.append(line)
    return lines


def _predicted_gains(records: Records, sort: Sort) -> dict[str, dict[int, tuple[Prediction, Prediction]]]:
    """Predictions for the C1060 and the GTX 285, by model and n; their ratio is the gain."""
    slow, fast = (PAIRS.predicted_there(records, sort, profile) for profile in (TESLA, GTX))
    return {
        model: {n: (slow[model][n], by_n[n]) for n in by_n if n in slow[model] and by_n[n].seconds}
        for model, by_n in fast.items()
        if model in slow
    }


def _gains(records: Records) -> dict[str, dict[Sort, dict[Any, Gain]]]:
    """Measured gains between each other GPU and this one, by the name of the pair."""
    found: dict[str, dict[Sort, dict[Any, Gain]]] = {}
    for other in records.others():
        for sort in _SORTS:
            here, there = (fastest_by_input(PAIRS.of(of, sort, ["uniform"])).values() for of in (records, other))
            of = gains(here, there, records.read_bytes_per_s)
            for gain in list(of.values())[:1]:
                found.setdefault(f"{gain.fast.device} over {gain.slow.device}", {})[sort] = of
    return found


def _gain_line(sort: Sort, found: dict[Any, Gain]) -> Line:
    line = Line(sort.label, sort.colour, strong=sort is SAMPLE)
    for (n, _), gain in found.items():
        line.add(math.log2(n), gain.gain, gain.fast, gain.slow)
    return line


# LEI-M4


@dataclass(frozen=True)
class _Cell:
    """A gain and the share of the slower GPU's time that follows bandwidth."""

    gain: Interval
    share: Optional[Interval]  # None if the two GPUs' ratios are too close


def _measured(found: list[Gain]) -> _Cell:
    parts = all(gain.is_determined for gain in found)
    return _Cell(
        mean_interval([gain.gain for gain in found]), mean_interval([gain.share for gain in found]) if parts else None
    )


_HEADER = [
    "sort",
    "gpus",
    "kind",
    "gain",
    "gain_low",
    "gain_high",
    "follows_bandwidth",
    "share_low",
    "share_high",
    "of",
    *TRACE,
]


def decomposition(records: Records) -> Artifact:
    clock, bandwidth = _ratios(records)
    measured = _gains(records)
    columns = [GridColumn(_PAPERS, "gain"), GridColumn(_PAPERS, "follows bandwidth")]
    for name in measured:
        columns += [GridColumn(name, "gain", measured=True), GridColumn(name, "follows bandwidth", measured=True)]
    printed = _printed(records)
    rows: list[list[Any]] = []
    grid_rows: list[tuple[str, float, list[GridCell]]] = []
    models: list[str] = []
    for name, sort in _PUBLISHED:
        p = printed.get(name)
        share = _published_cell(1 + p.value, clock, bandwidth) if p else None
        by_model = {
            model: [slow.seconds / fast.seconds for slow, fast in of.values()]
            for model, of in _predicted_gains(records, sort).items()
            if of
        }
        counts = next((model for model in by_model if model != "LEI-M4"), None)
        own = _published_cell(sum(by_model[counts]) / len(by_model[counts]), clock, bandwidth) if counts else None
        models += [counts] if counts else []
        cells = [
            GridCell(published=p.printed + " %" if p else "", predicted=_gain_text(own)),
            GridCell(published=_share_text(share), predicted=_share_text(own)),
        ]
        rows += _rows(name, _PAPERS, "published", share, p.n_printed if p else "")
        rows += _rows(name, _PAPERS, f"predicted by {counts}", own, "")
        for pair, by_sort in measured.items():
            found = by_sort.get(sort, {})
            cell = _measured(list(found.values())) if found else None
            cells += [
                GridCell(measured=_gain_text(cell), interval=_width(cell.gain)) if cell else GridCell(),
                GridCell(measured=_share_text(cell), interval=_width(cell.share))
                if cell and cell.share
                else GridCell(),
            ]
            of = " ".join(str(n) for n, _ in found)
            both = [m for gain in found.values() for m in (gain.fast, gain.slow)]
            rows += _rows(name, pair, "measured", cell, of, both)
        grid_rows.append((name, float(len(grid_rows)), cells))
    grid = Grid("sort", columns, grid_rows, "mean")
    title = "Which share of a sort’s time follows bandwidth rather than the clock"
    shown = [
        m for by_sort in measured.values() for of in by_sort.values() for g in of.values() for m in (g.slow, g.fast)
    ]
    caption = Caption(
        f"Share s of the slower GPU’s time that follows bandwidth: 1 / gain = (1 − s) / {digits(clock)} + s / "
        f"{digits(bandwidth)}, with the ratios of clock and of measured bandwidth (LEI-M4). Published gains are means "
        "over unstated n."
    )
    if models:
        caption += (
            f"Predicted, the mean over n, by {', '.join(dict.fromkeys(models))}, which count no instruction but the "
        )
        caption += "algorithm’s own, and so put more on bandwidth. "
    caption += "For other GPUs the ratio of clocks includes multiprocessors. " if measured else ""
    caption += source(records, shown, [])
    return Artifact(
        id="LEI-M4",
        title=title,
        paper=PAPER,
        caption=caption,
        header=_HEADER,
        rows=rows,
        picture=grid,
    )


def _ratios(records: Records) -> tuple[float, float]:
    """Ratios of the paper's two GPUs as printed: of clocks, and of measured bandwidths."""
    of = {(p.metric, p.platform): p.value for p in records.published if p.id == "LEI-C14"}
    clock, bandwidth = (of[metric, "GTX 285"] / of[metric, "C1060"] for metric in ("clock", "measured bandwidth"))
    return clock, bandwidth


def _published_cell(gain: float, clock: float, bandwidth: float) -> _Cell:
    share = memory_share(gain, clock, bandwidth)
    return _Cell(exactly(gain), exactly(share))


def _gain_text(cell: Optional[_Cell]) -> str:
    return percent(cell.gain.value - 1) if cell else ""


def _share_text(cell: Optional[_Cell]) -> str:
    return percent(cell.share.value) if cell and cell.share else ""


def _width(interval: Interval) -> str:
    return f"± {percent((interval.high - interval.low) / 2)}"


def _rows(
    name: str, gpus: str, kind: str, cell: Optional[_Cell], of: str, sources: Sequence[Measurement] = ()
) -> list[list[Any]]:
    if cell is None:
        return []
    gain, share = cell.gain, cell.share
    numbers = [value for one in (gain, share) for value in (Number.of(one).columns if one else [None] * 3)]
    return [[name, gpus, kind, *numbers, of or None, *cells_and_runs(sources)]]


PLACE = 2
ARTIFACTS = {"LEI-F6": make, "LEI-M4": decomposition}
