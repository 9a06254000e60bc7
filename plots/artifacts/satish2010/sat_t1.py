"""SAT-T1: running times in milliseconds of the best sorts on the CPU and the GPU, by number of keys."""

from __future__ import annotations

from typing import Any, Optional

from ...records import origins
from ...analysis import provenance
from ...figures.artifact import Artifact
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.measurement import Measurement, fastest_by_n
from ...records.prediction import Prediction
from ...records.published import Published
from ...records.quantities import binary_text, digits, threads_text
from ...records.collection import Records
from . import PAPER
from .columns import COLUMNS, ESTIMATOR, GPU_MERGE, GPU_RADIX, GPU_SAMPLE, MERGE, RADIX, ROLES, forms, own_sort

# Columns without plug-in and threads in their heads.
_NAMED = ("Sortlab’s own", "Fastest peer")
_HEADER = [
    *("column", "platform_published", "n", "published_ms", "inconsistency", "measured_by", "parameters", "threads"),
    *("median_ms", "ci95_low_ms", "ci95_high_ms", "mean_ms", "predicted_ms", "model", "paper_model_ms", "disturbed"),
]


def make(records: Records) -> Artifact:
    published = {(p.algorithm, p.n): p for p in records.published if p.id == "SAT-T1"}
    here, tuned = {}, {}
    for role in ROLES:
        here[role], tuned[role] = map(fastest_by_n, forms(records, role))
    columns = [(c.platform, c.head, c.published, here.get(c.role, {})) for c in COLUMNS]
    for head, measured in (
        ("Radix, tuned", tuned[RADIX]),
        ("Merge, tuned", tuned[MERGE]),
        ("Sortlab’s own", own_sort(records)),
        ("Fastest peer", _fastest_peers(records)),
        ("GPU radix, tuned", tuned[GPU_RADIX]),
        ("GPU merge, tuned", tuned[GPU_MERGE]),
        ("GPU sample sort, tuned", tuned[GPU_SAMPLE]),
    ):
        columns.append(("Here, beyond the paper", head, "", measured))
    columns = [column for column in columns if column[2] or column[3]]

    sizes = sorted({n for _, n in published if n})
    rows: list[list[Any]] = []
    grid_rows = []
    shown: list[Measurement] = []
    predictions: list[Prediction] = []
    for n in sizes:
        cells = []
        for platform, head, algorithm, measured in columns:
            m = measured.get(n)
            own = records.find_prediction(m) if m else None
            papers = records.find_papers_prediction(m) if m else None
            shown += [m] if m else []
            predictions += [own] if own else []
            cells.append(_cell(published.get((algorithm, n)), m, own, named=head in _NAMED))
            rows.append(_row(head, platform, n, published.get((algorithm, n)), m, own, papers))
        grid_rows.append((binary_text(n), float(n), cells))
    grid = Grid("n", _columns(columns), grid_rows, "mean")
    title = "Running times in milliseconds, uniform u32 keys"
    reasons = [c.absent for c in COLUMNS if c.absent and not here.get(c.role)]
    if not any(m.device for m in shown):
        reasons.append("these records hold no sort on a GPU")
    absent = "; ".join(dict.fromkeys(reasons))
    grey = f"Grey columns are published values only ({absent}). " if absent else ""
    caption = f"Times of sorting 32-bit keys by n; M = 2²⁰ keys. {grey}"
    caption += f"Published times are of 4 cores{_threads_text(columns)}. "
    caption += provenance.caption(records, shown, predictions, ESTIMATOR)
    return Artifact(
        id="SAT-T1",
        title=title,
        paper=PAPER,
        caption=caption,
        header=_HEADER,
        rows=rows,
        picture=grid,
    )


def _fastest_peers(records: Records) -> dict[int, Measurement]:
    """The fastest peer at each n that stands for no column of the paper, on any number of threads."""
    in_columns = {name for role in ROLES for name in records.standing_for(role)}
    return fastest_by_n(
        records.ok(
            algorithm=lambda name: origins.is_peer(records, name) and name not in in_columns,
            key_type="u32",
            value_type="none",
            distribution="uniform",
            residency="host",
        )
    )


def _threads(measured: dict[int, Measurement]) -> list[int]:
    """The numbers of threads with which a column was measured on the host."""
    return sorted({m.case.threads for m in measured.values() if m.case.on_host})


def _threads_text(columns: list[tuple[str, str, str, dict[int, Measurement]]]) -> str:
    """A caption's words about the threads of each column."""
    heads: dict[tuple[int, ...], list[str]] = {}
    for _, head, _, measured in columns:
        if threads := _threads(measured):
            heads.setdefault(tuple(threads), []).append(head)
    if not heads:
        return ""
    texts = [
        f"{', '.join(of)} on "
        + (threads_text(threads[0]) if len(threads) == 1 else f"the fastest of {', '.join(map(str, threads))} threads")
        for threads, of in heads.items()
    ]
    return "; measured here: " + "; ".join(texts)


def _columns(columns: list[tuple[str, str, str, dict[int, Measurement]]]) -> list[GridColumn]:
    notes = {c.published: (c.own, c.note) for c in COLUMNS}
    made = []
    for platform, head, algorithm, measured in columns:
        own, note = notes.get(algorithm, (False, ""))
        threads = _threads(measured)
        if len(threads) == 1:
            note = "; ".join(text for text in (note, f"here {threads_text(threads[0])}") if text)
        made.append(GridColumn(platform, head, italic=own, measured=bool(measured), note=note))
    return made


def _ms(seconds: float) -> str:
    return digits(seconds * 1e3)


def _cell(printed: Optional[Published], m: Optional[Measurement], own: Optional[Prediction], named: bool) -> GridCell:
    if m is None or m.seconds is None:
        return GridCell(published=printed.printed if printed else "")
    threads = f", {m.case.threads}T" if named else ""
    return GridCell(
        published=printed.printed if printed else "",
        measured=_ms(m.seconds.value) + ("†" if m.disturbed else ""),
        interval=m.width_text,
        estimator=_ms(m.mean_s) if m.mean_s else "",
        predicted=_ms(own.seconds) if own else "",
        remark=f"{m.case.algorithm}{threads}" if named else "",
    )


def _row(
    head: str,
    platform: str,
    n: int,
    printed: Optional[Published],
    m: Optional[Measurement],
    own: Optional[Prediction],
    papers: Optional[Prediction],
) -> list[Any]:
    seconds = m.seconds if m else None
    return [
        *(head, platform if printed else None, n, printed.printed if printed else None),
        printed.inconsistency or None if printed else None,
        *((m.case.algorithm, m.case.parameters_text, m.case.threads) if m else (None, None, None)),
        *((seconds.value * 1e3, seconds.low * 1e3, seconds.high * 1e3) if seconds else (None, None, None)),
        m.mean_s * 1e3 if m and m.mean_s else None,
        *((own.seconds * 1e3, own.model) if own else (None, None)),
        papers.seconds * 1e3 if papers else None,
        ("yes" if m.disturbed else "no") if m else None,
    ]


PLACE = 1
ARTIFACTS = {"SAT-T1": make}
