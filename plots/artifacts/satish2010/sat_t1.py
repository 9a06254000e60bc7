"""SAT-T1: running times in milliseconds of the best sorts on the CPU and the GPU, by number of keys.

The table has the paper's columns and this project's own, on as many threads as the paper's machine has cores; the CSV
has the tuned forms, the other numbers of threads and the means too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional, Sequence

from ...records import origins
from ...analysis import one_setting, provenance
from ...analysis.fastest import processor_word
from ...records.caption import Caption
from ...figures.artifact import Artifact
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.machines import plain_name
from ...records.measurement import Measurement, fastest_by_n
from ...records.number import TRACE, Number
from ...records.prediction import Prediction
from ...records.published import Published
from ...records.quantities import binary_text, digits, threads_text
from ...records.collection import Records
from . import PAPER
from .columns import (
    COLUMNS,
    CORES,
    CPU,
    GPU,
    GPU_MERGE,
    GPU_RADIX,
    GPU_ROLES,
    GPU_SAMPLE,
    MERGE,
    RADIX,
    ROLES,
)
from .columns import blocks_of_threads, in_both_forms, records_of_gpu

# Columns without plug-in in their heads.
_PEER = "Fastest library peer"
_NAMED = ("Sortlab’s own", _PEER)
_BEYOND = "Here, beyond the paper"
_ESTIMATOR = "the paper names no estimator: the CSV has the mean beside the median"
_HEADER = [
    *("column", "platform_published", "n", "published_ms", "inconsistency", "measured_by", "parameters", "threads"),
    *(
        "median_ms",
        "ci95_low_ms",
        "ci95_high_ms",
        "mean_ms",
        "predicted_ms",
        "model",
        "paper_model_ms",
        "disturbed",
        *TRACE,
    ),
]


@dataclass(frozen=True)
class _Shown:
    """A column with its measurements by threads and n; on a GPU, whose threads are no choice, under 0 threads."""

    platform: str  # the paper's, or _BEYOND
    head: str
    published: str  # `algorithm` of its published records, if any
    records: Records  # the records of its machine
    measured: dict[int, dict[int, Measurement]]

    def at(self, threads: int, n: int, first: bool) -> Optional[Measurement]:
        """The measurement in a row. Those of a GPU stand in the first block of threads, which the table shows; there a
        peer may take fewer threads, as a caller would."""
        if self.head == _PEER and first:
            on_fewer = [by_n[n] for count, by_n in self.measured.items() if count <= threads and n in by_n]
            return fastest_by_n(on_fewer).get(n)
        found = self.measured.get(threads) or (self.measured.get(0) if first else None)
        return (found or {}).get(n)

    @property
    def drawn(self) -> bool:
        """True for a column of the table; the others are in the CSV."""
        return self.platform != _BEYOND or self.head in _NAMED

    @property
    def gpu(self) -> str:
        return next((m.device for of in self.measured.values() for m in of.values() if m.device), "")


def make(records: Records) -> Artifact:
    published = {(p.algorithm, p.n): p for p in records.published if p.id == "SAT-T1"}
    columns = _fill_columns(records)
    others = {threads for column in columns for threads in column.measured if threads}
    blocks = blocks_of_threads(records) or sorted(others, reverse=True) or [0]
    blocks.sort(key=lambda threads: threads != CORES)  # the published times are of so many cores
    shown_sizes = {n for _, n in published}
    allowed = [m for m in _peers(records) if m.case.threads <= blocks[0] and m.case.n in shown_sizes]
    peers = sorted({m.case.algorithm for m in allowed})
    drawn = [column for column in columns if column.drawn]
    rows: list[list[Any]] = []
    grid_rows = []
    shown: list[Measurement] = []
    predictions: list[Prediction] = []
    for threads in blocks:
        first = threads == blocks[0]
        for n in sorted({n for _, n in published if n}):
            cells = []
            for column in columns:
                printed = published.get((column.published, n)) if first else None
                m = column.at(threads, n, first)
                own = column.records.find_prediction(m) if m else None
                papers = column.records.find_papers_prediction(m) if m else None
                shown += [m] if m else []
                predictions += [own] if own else []
                if column.drawn:
                    cells.append(_cell(printed, m, own, named=column.head in _NAMED))
                if first or m:
                    rows.append(_row(column, n, printed, m, own, papers))
            if first:
                grid_rows.append((binary_text(n), float(n), cells))
    return Artifact(
        id="SAT-T1",
        title="Running times in milliseconds, uniform u32 keys",
        paper=PAPER,
        caption=_caption(columns, blocks, published, peers)
        + provenance.caption(records, shown, predictions, _ESTIMATOR),
        header=_HEADER,
        rows=rows,
        picture=Grid(
            "n; times in ms", _grid_columns(records, drawn, blocks[0], only_peer=len(peers) == 1), grid_rows, "mean"
        ),
    )


def _fill_columns(records: Records) -> list[_Shown]:
    """The paper's columns, and those of ours that have a measurement."""
    gpu = records_of_gpu(records)
    here = {role: in_both_forms(gpu if role in GPU_ROLES else records, role) for role in ROLES}

    def column(platform: str, head: str, measured: Sequence[Measurement], algorithm: str = "") -> _Shown:
        of = gpu if any(m.device for m in measured) else records
        return _Shown(platform, head, algorithm, of, _by_threads(measured))

    columns = [column(c.platform, c.head, here[c.role][0] if c.role else [], c.published) for c in COLUMNS]
    own = records.ok(algorithm=origins.flagship(records), key_type="u32", value_type="none", distribution="uniform")
    for head, measured in (
        ("Radix, tuned", here[RADIX][1]),
        ("Merge, tuned", here[MERGE][1]),
        ("Sortlab’s own", own),
        (_PEER, _peers(records)),
        ("GPU radix, tuned", here[GPU_RADIX][1]),
        ("GPU merge, tuned", here[GPU_MERGE][1]),
        ("GPU sample, tuned", here[GPU_SAMPLE][1]),
    ):
        columns += [column(_BEYOND, head, measured)] if measured else []
    return columns


def _by_threads(measured: Iterable[Measurement]) -> dict[int, dict[int, Measurement]]:
    groups: dict[int, list[Measurement]] = {}
    for m in measured:
        groups.setdefault(m.case.threads if m.case.on_host else 0, []).append(m)
    return {threads: fastest_by_n(of) for threads, of in groups.items()}


def _peers(records: Records) -> list[Measurement]:
    """Peers on the host that stand for no column of the paper; on several threads no builds that run serially."""
    in_columns = {name for role in ROLES for name in records.standing_for(role)}
    found = records.ok(
        algorithm=lambda name: origins.is_peer(records, name) and name not in in_columns,
        key_type="u32",
        value_type="none",
        distribution="uniform",
        residency="host",
    )
    return one_setting.parallel_ones(records, found)


def _seen(
    columns: Sequence[_Shown], threads: int, published: Mapping[tuple[str, Optional[int]], Published], n: int
) -> str:
    """A caption's sentences that say what to see: the fastest of the paper's sorts on each platform, there and here, at
    the largest n."""
    told = []
    for platform, where in (
        (CPU, f"the processor here, on {threads} threads" if threads else ""),
        (GPU, "the GPU here"),
    ):
        of = [c for c in columns if c.platform == platform]
        here = [(m.seconds.value, c.head) for c in of if (m := c.at(threads, n, True)) and m.seconds]
        there = [(p.value, c.head) for c in of if (p := published.get((c.published, n)))]
        if here and there:
            (mine, name), (theirs, their_name) = min(here), min(there)
            names = [head.partition(" [")[0] for head in (name, their_name)]
            told.append(f"{names[0]}, {_ms(mine)} ms, on {where} ({names[1]}, {_ms(theirs)} ms, on the {platform})")
    return f"At {binary_text(n)} keys the fastest of the paper’s sorts is {'; and '.join(told)}. " if told else ""


def _caption(
    columns: Sequence[_Shown],
    blocks: Sequence[int],
    published: Mapping[tuple[str, Optional[int]], Published],
    peers: Sequence[str],
) -> Caption:
    measured = {c.published for c in columns if c.measured}
    reasons = [c.absent for c in COLUMNS if c.absent and c.published not in measured]
    if not any(c.gpu for c in columns):
        reasons.append("these records hold no sort on a GPU")
    absent = "; ".join(dict.fromkeys(reasons))
    on = f", CPU sorts on {blocks[0]} threads" if blocks[0] > 1 else ", CPU sorts on one thread" if blocks[0] else ""
    text = f"Times of sorting 32-bit keys by n, published and here{on}; M = 2²⁰ keys. "
    if any(c.measured and c.published for c in columns):
        text += (
            "The last line of a cell: how many times as fast as published the sort is here; in the last columns, its "
        )
        text += "name. "
    text += "Italic heads: the paper’s own sorts. "
    text += _seen(columns, blocks[0], published, max((n for _, n in published if n), default=0))
    text += f"Grey columns are published values only ({absent}). " if absent else ""
    caption = Caption(text)
    caption += f"Published times of the Core i7 are of {CORES} cores. Each time is the newest of its sort, so that "
    caption += "those of a row may be of several runs; claims divide times of one run. "
    if blocks[1:]:
        caption += f"The CSV has the CPU sorts on {', '.join(map(str, blocks[1:]))} threads as well. "
    if peers:
        on_threads = threads_text(blocks[0])
        caption += (
            f"Of libraries’ sorts that stand for no other column, {', '.join(peers)} "
            f"{'was' if len(peers) == 1 else 'were'} measured on {on_threads}"
            f"{' or fewer, and the fastest counts' if blocks[0] > 1 else ''}. "
        )
    hidden = [c.head for c in columns if not c.drawn]
    caption += f"In the CSV and in SAT-F1 alone: {', '.join(hidden)}. " if hidden else ""
    gpus = dict.fromkeys(c.gpu for c in columns if c.gpu)
    return caption + (f"GPU columns are of one GPU, an {', '.join(gpus)}. " if gpus else "")


def _grid_columns(records: Records, columns: Sequence[_Shown], threads: int, only_peer: bool) -> list[GridColumn]:
    """The heads of the table. A peer is called the fastest only if there are others on no more threads."""
    notes = {c.published: (c.own, c.note) for c in COLUMNS}
    made = []
    for column in columns:
        own, note = notes.get(column.published, (False, ""))
        note = "; ".join(text for text in (note, _where(records, column, threads)) if text)
        head = "The one library peer" if only_peer and column.head == _PEER else column.head
        made.append(GridColumn(column.platform, head, italic=own, measured=bool(column.measured), note=note))
    return made


def _where(records: Records, column: _Shown, threads: int) -> str:
    """The machine of a column's measurements: "here H100", "here Xeon 4T"; empty if it has none in the table."""
    if column.gpu:
        return f"here {plain_name(column.gpu)}"
    sizes = {n for by_n in column.measured.values() for n in by_n}
    found = [m for n in sizes if (m := column.at(threads, n, True))]
    if not found:
        return ""
    at_most = "≤ " if column.head == _PEER and threads > 1 else ""
    return f"here {processor_word(records, found[0])} {at_most}{threads}T"


def _ms(seconds: float) -> str:
    return digits(seconds * 1e3)


def _cell(printed: Optional[Published], m: Optional[Measurement], own: Optional[Prediction], named: bool) -> GridCell:
    if m is None or m.seconds is None:
        return GridCell(published=printed.printed if printed else "")
    faster = f"{digits(printed.value / m.seconds.value, 2)} × as fast" if printed else ""
    return GridCell(
        published=printed.printed if printed else "",
        measured=_ms(m.seconds.value) + ("†" if m.disturbed else ""),
        interval=m.width_text,
        predicted=_ms(own.seconds) if own else "",
        remark=f"{m.case.algorithm} {m.case.threads}T" if named else faster,
    )


def _row(
    column: _Shown,
    n: int,
    printed: Optional[Published],
    m: Optional[Measurement],
    own: Optional[Prediction],
    papers: Optional[Prediction],
) -> list[Any]:
    ms = Number.of(m.seconds.scaled(1e3), m) if m and m.seconds else None
    return [
        column.head,
        None if column.platform == _BEYOND else column.platform,
        *(n, printed.printed if printed else None),
        printed.inconsistency or None if printed else None,
        *((m.case.algorithm, m.case.parameters_text, m.case.threads) if m else (None, None, None)),
        *(ms.columns if ms else (None, None, None)),
        m.mean_s * 1e3 if m and m.mean_s else None,
        *((own.seconds * 1e3, own.model) if own else (None, None)),
        papers.seconds * 1e3 if papers else None,
        ("yes" if m.disturbed else "no") if m else None,
        *(ms.trace if ms else (None, None)),
    ]


PLACE = 1
ARTIFACTS = {"SAT-T1": make}
