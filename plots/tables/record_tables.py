"""The report's tables made from records; a cell has a text, a value to sort by and a kind."""

from __future__ import annotations

import base64
import gzip
import json
import math
import re
from dataclasses import dataclass
from typing import Optional, Sequence

from markupsafe import Markup, escape

from ..records import origins
from ..analysis import provenance
from ..records.case import settings_text
from ..analysis.paired_comparisons import select_run
from ..records.measurement import Component, Measurement
from ..records.folders import PUBLISHED
from ..records.quantities import count_text, digits, seconds_text, signed_percent, span_text
from ..records.collection import Records
from .parameter_texts import Settings


@dataclass(frozen=True)
class Cell:
    text: str
    sort: Optional[float] = None
    kind: str = ""
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Column:
    head: str
    numeric: bool = False


@dataclass(frozen=True)
class Table:
    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    cards: bool = False  # True if a phone shows each row as a card

    @property
    def aligned(self) -> str:
        """CSS classes that name the numeric columns, so that single cells need none."""
        return "".join(f" n{i}" for i, column in enumerate(self.columns, 1) if column.numeric)

    @property
    def packed(self) -> str:
        """The rows of a long table as gzip in Base64, which the page's script unpacks when the reader opens it."""
        if len(self.rows) <= _LONG:
            return ""
        return base64.b64encode(gzip.compress(self.body.encode("utf-8"), 9, mtime=0)).decode()

    @property
    def body(self) -> Markup:
        """The rows as HTML without the optional end tags of cells and rows."""
        heads = [f' data-head="{c.head}"' if self.cards and c.head in _HEADED else "" for c in self.columns]
        return Markup("\n".join("<tr>" + "".join(map(_html, row, heads)) for row in self.rows))


_LONG = 1000  # rows; three such tables were two fifths of a page
_HEADED = ("Cells", "Threads")  # columns that show their head before the number on a card (report.css)
# A number with thin spaces and its exponent or unit, as report.js reads it: 1.23† ± 4 %, −3.4 %, 2²⁰, 1.5 ms.
_SAID = re.compile(r"([+−-]?[0-9\u2009]+(?:\.[0-9]+)?)([⁰¹²³⁴⁵⁶⁷⁸⁹]*)(?: (s|ms|µs|ns|%)$|(?=$|[† ]))")
_FACTORS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "%": 1e-2}
_EXPONENT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def leading_number(text: str) -> Optional[float]:
    """The number at the start of a cell's text that the page's script finds, or None."""
    found = _SAID.match(text)
    if not found or "\u2009" == found[1]:
        return None
    number = float(found[1].replace("−", "-").replace("\u2009", ""))
    return number ** int(found[2].translate(_EXPONENT) or 1) * _FACTORS.get(found[3], 1.0)


def _html(cell: Cell, head: str) -> str:
    kind = f' class="{cell.kind}"' if cell.kind else ""
    notes = "".join(f"<small>{escape(note)}</small>" for note in cell.notes)
    return f"<td{kind}{head}{_sort(cell)}>{escape(cell.text)}{notes}"


def _sort(cell: Cell) -> str:
    """The attribute with the value to sort by; empty if the text begins with that number."""
    if cell.sort is None:
        return ""
    number = leading_number(cell.text)
    rounding = 0.0051 if cell.text.endswith("%") else 0.0  # percentages from 10 on are rounded to integers
    if number is not None and not cell.notes and math.isclose(number, cell.sort, rel_tol=0.006, abs_tol=rounding):
        return ""
    return f" data-sort={cell.sort:.6g}"


def fastest_by_type(records: Records) -> Table:
    """The fastest sort of one run by type and number of threads, beside the flagship and the paper's radix sort."""
    shown = origins.leading(records)
    columns = [
        *(Column("Type"), Column("Threads", True), Column("n", True), Column("Fastest"), Column("ns per key", True)),
        *(column for name in shown for column in (Column(name, True), Column("÷ fastest", True))),
    ]
    groups: dict[tuple[int, float, str], list[Measurement]] = {}
    for m in records.in_all_runs(distribution="uniform", residency="host"):
        groups.setdefault((m.case.threads, m.case.element_bytes, m.case.type_name), []).append(m)
    rows = []
    for (threads, _, type_name), measured in sorted(groups.items()):
        at_n = sorted(_compared(records, measured), key=lambda m: m.seconds_per_key.value)
        if not at_n:
            continue
        n = at_n[0].case.n
        row = [Cell(type_name), Cell(str(threads), threads), Cell(count_text(n), n), Cell(at_n[0].case.algorithm)]
        row.append(_ns(at_n[0]))
        for name in shown:
            own = next(filter(lambda m: m.case.algorithm == name, at_n), None)
            row.append(_ns(own) if own else Cell(""))
            row.append(_times(own, at_n[0]) if own and own is not at_n[0] else Cell("is the fastest" if own else ""))
        rows.append(row)
    return Table("Fastest by type", columns, rows)


def _compared(records: Records, measured: Sequence[Measurement]) -> list[Measurement]:
    """Two or more sorts of one run, or none if every run has a single sort.

    They are taken at the largest n at which a run has the flagship and a peer, else at the largest with several sorts.
    """
    peers = {name for name in {m.case.algorithm for m in measured} if origins.is_peer(records, name)}
    leading = origins.leading(records)
    sizes: dict[int, list[Measurement]] = {}
    for m in measured:
        sizes.setdefault(m.case.n, []).append(m)
    runs = [select_run(sizes[n], leading, peers) for n in sorted(sizes, reverse=True)]
    sorts = [(run, {m.case.algorithm for m in run}) for run in runs]
    several = [(run, names) for run, names in sorts if len(names) > 1]
    with_peer = (run for run, names in several if names.intersection(leading[:1]) and names & peers)
    return next(with_peer, several[0][0] if several else [])


def _ns(m: Measurement) -> Cell:
    ns = m.seconds_per_key.scaled(1e9)
    mark = "†" if m.disturbed else ""
    return Cell(f"{digits(ns.value)}{mark} {m.width_text}", ns.value)


def _times(above: Measurement, below: Measurement) -> Cell:
    ratio = above.over(below)
    return Cell(f"{digits(ratio.value)} [{digits(ratio.low)}, {digits(ratio.high)}]", ratio.value)


def cells(records: Records, settings: Settings) -> Table:
    columns = [
        *(Column("Algorithm"), Column("Type"), Column("n", True), Column("Distribution"), Column("Threads", True)),
        *(Column("Time", True), Column("ns per key", True), Column("10⁶ keys/s", True), Column("Cycles per key", True)),
        *(Column("Samples", True), Column("Predicted", True), Column("Error", True)),
    ]
    rows = []
    for m in records.ok(residency=lambda _: True):
        c, p = m.case, records.find_prediction(m)
        assert m.seconds is not None
        error = p.seconds / m.seconds.value - 1 if p else 0.0
        cycles = Cell(digits(m.cpe_core), m.cpe_core) if m.cpe_core else Cell("")
        rows.append(
            [
                Cell(c.algorithm, notes=[t for t in (c.residency_text, *settings.notes(c), settings.version(c)) if t]),
                *(Cell(c.type_name), Cell(count_text(c.n), c.n), Cell(c.input_text), Cell(str(c.threads), c.threads)),
                Cell(seconds_text(m.seconds.value), m.seconds.value),
                _ns(m),
                Cell(digits(m.keys_per_s.value / 1e6), m.keys_per_s.value / 1e6),
                cycles,
                Cell(str(len(m.samples_s)), len(m.samples_s)),
                Cell(seconds_text(p.seconds), p.seconds) if p else Cell(""),
                Cell(signed_percent(error), error) if p else Cell(""),
            ]
        )
    return Table("All measured cells", columns, rows)


def components(records: Records, settings: Settings) -> Table:
    """Parts of sorts measured by themselves, with the postcondition that was tested."""
    columns = [
        *(Column("Component"), Column("Sort"), Column("Type"), Column("n", True), Column("Distribution")),
        *(Column("Time", True), Column("ns per element", True), Column("Samples", True), Column("Tested")),
    ]
    rows = []
    for m in (m for m in records.components if m.ok):
        c = m.case
        assert m.seconds is not None
        rows.append(
            [
                *(Cell(m.component), Cell(c.algorithm, notes=settings.notes(c))),
                *(Cell(c.type_name), Cell(count_text(c.n), c.n), Cell(c.input_text)),
                *(Cell(seconds_text(m.seconds.value), m.seconds.value), _ns(m)),
                *(Cell(str(len(m.samples_s)), len(m.samples_s)), Cell(m.postcondition)),
            ]
        )
    return Table("Parts of sorts, measured by themselves", columns, rows)


def usual_parameters(settings: Settings) -> Table:
    found = [(name, settings_text(usual), settings.versions[name]) for name, usual in sorted(settings.usual.items())]
    rows = [[Cell(name), Cell(text), Cell(version)] for name, text, version in found if text or version]
    heads = [Column("Algorithm"), Column("Parameters"), Column("Version")]
    return Table("Usual parameters", heads, rows, cards=True)


def skipped(records: Records) -> Table:
    """Cells without a time, a row for each reason."""
    groups: dict[tuple[bool, str, str, int, str], list[Measurement]] = {}
    for m in (*records.measurements, *records.components):
        if not m.ok:
            status = m.status + (" (expected)" if m.expected else "")
            good = m.status == "skipped" or m.expected
            name = m.case.algorithm + (f": {m.component}" if isinstance(m, Component) else "")
            groups.setdefault((good, status, name, m.case.threads, m.reason), []).append(m)
    columns = [Column("Status"), Column("Algorithm"), Column("Cells", True), Column("Threads", True), Column("Reason")]
    columns.append(Column("Types, n, inputs"))
    rows = []
    for (good, status, algorithm, threads, reason), cells in sorted(groups.items()):
        kinds = ", ".join(sorted({m.case.type_name for m in cells}))
        inputs = ", ".join(sorted({m.case.input_text for m in cells}))
        rows.append(
            [
                *(Cell(status, kind="untestable" if good else "fails"), Cell(algorithm)),
                *(Cell(str(len(cells)), len(cells)), Cell(str(threads), threads), Cell(reason)),
                Cell("", notes=[kinds, f"n = {span_text(m.case.n for m in cells)}", inputs]),
            ]
        )
    return Table("Cells without a time", columns, rows, cards=True)


def environment(records: Records) -> list[Table]:
    """The facts of the newest run, then of each other run the facts that differ."""
    tables: list[Table] = []
    newest: dict[str, str] = {}
    for run in reversed(records.runs):
        facts = {"machine": run.machine, "environment": run.environment, "build": run.build, "asked": run.asked}
        here = dict(provenance.flat(facts))
        differing = [(name, text) for name, text in here.items() if newest.get(name) != text]
        differing += [(name, "–") for name in newest if name not in here]
        rows = [[Cell(name), Cell(text)] for name, text in differing]
        name = f"Run {run.run}" + (", where it differs from the newest" if newest else "")
        tables.append(Table(name, [Column("Fact"), Column("Value")], rows, cards=True))
        newest = newest or here
    return tables


def imported(records: Records) -> Table:
    """Imported results, which nobody here verified, in a table of their own."""
    columns = [
        *(Column("Name"), Column("n", True), Column("Threads", True), Column("Time", True), Column("Statistic")),
        *(Column("Samples", True), Column("Machine, as stated"), Column("File")),
    ]
    rows = [
        [
            Cell(i.name, notes=[i.axes_text] if i.axes else []),
            *(Cell(count_text(i.n) if i.n is not None else "", i.n), Cell(str(i.threads or ""), i.threads)),
            *(Cell(seconds_text(i.seconds), i.seconds), Cell(i.statistic)),
            Cell(str(len(i.samples_s)), len(i.samples_s)),
            *(Cell(", ".join(text for text in (i.machine, i.device) if text)), Cell(f"{i.file} ({i.format})")),
        ]
        for i in records.imported
    ]
    return Table("Imported, not verified", columns, rows)


def files(records: Records) -> Table:
    rows = [[Cell(path), Cell(str(count), count)] for path, count in records.files]
    return Table("Files", [Column("File"), Column("Records", True)], rows)


def published(records: Records) -> Table:
    columns = [*(Column("Id"), Column("Algorithm"), Column("Platform"), Column("n"), Column("Input"), Column("Metric"))]
    columns += [Column("Printed"), Column("Note")]
    rows = []
    for index, p in enumerate(records.published):
        metric = f"{p.metric}, {p.statistic}" if p.statistic else p.metric
        rows.append(
            [
                *(Cell(p.id, index, "id"), Cell(p.algorithm, notes=[f"against {p.versus}"] if p.versus else [])),
                Cell(p.platform),
                Cell(p.n_printed, p.n),
                *(Cell(" ".join(text for text in (p.type, p.distribution) if text)), Cell(metric)),
                Cell(f"{p.printed} {p.printed_unit}".strip(), p.value),
                Cell("; ".join(text for text in (p.inconsistency, p.note) if text)),
            ]
        )
    return Table("Published numbers of the papers, as printed", columns, rows)


def inconsistencies() -> Table:
    known = json.loads((PUBLISHED / "inconsistencies.json").read_text(encoding="utf-8"))
    rows = [[Cell(name, index), Cell(text)] for index, (name, text) in enumerate(known.items())]
    return Table("Inconsistencies inside the papers", [Column("Id"), Column("Inconsistency")], rows, cards=True)
