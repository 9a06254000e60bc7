"""OPS: operations per element of each phase, from papers, models and counts, with cycles and the rate of issue."""

from __future__ import annotations

import re
from typing import Optional

from ...analysis import provenance
from ...records.caption import Caption
from ...figures.artifact import Artifact
from ...figures.grid import Grid, GridCell, GridColumn
from ...analysis.counted_operations import Counted, counted, within
from ...analysis.papers_operations import WHOLE, Stated, stated
from ...records.quantities import count_text, digits, signed_percent
from ...records.collection import Records
from ...records.number import TRACE

TITLE = "Operations of an element and pass: the paper's, the model's, and counted"
_CLOSE = 0.05  # error of a predicted count below which the model counts as close
_LEAST = 0.005  # least share of the sort's instructions; smaller phases are in the CSV only
_COLUMNS = (
    GridColumn("passes", "counted", measured=True),
    GridColumn("counted an element and pass", "instructions", measured=True),
    GridColumn("counted an element and pass", "loads", measured=True),
    GridColumn("counted an element and pass", "stores", measured=True),
    GridColumn("counted an element and pass", "branches", measured=True),
    GridColumn("counted an element and pass", "memory bytes", measured=True),
    GridColumn("measured an element and pass", "cycles of a processor", measured=True),
)
_HEADER = (
    "sort", "parameters", "type", "n", "distribution", "tool", "instruction set", "phase", "passes",
    "passes of the sort", "instructions", "model's instructions", "model / counted − 1", "model's operations",
    "instructions an operation",
    "loads", "stores", "branches", "indirect jumps", "memory bytes", "cycles", "instructions a cycle",
    "paper's instructions", "as its formula has them", "paper's bytes", "formula's bytes", "paper's cycles",
    "formula's cycles", "paper's cycles, measured", "paper's id", *TRACE,
)  # fmt: skip


def make(records: Records) -> list[Artifact]:
    found = counted(records)
    if not found:
        return []
    shown = _shown(records, found)
    lines = [_line(records, one, label) for one, label in zip(shown, _labels(records, shown))]
    kept = [i for i, _ in enumerate(_COLUMNS) if any(cells[i].numbers for _, _, cells in lines)]
    columns = tuple(_COLUMNS[i] for i in kept)
    filled = [(label, order, [cells[i] for i in kept]) for label, order, cells in lines]
    grid = Grid("phase: sort", columns, filled, "", "counted")
    rows = [_row(records, one) for one in found]
    caption = _caption(records, found, shown) + _counted_on(records, found)
    return [Artifact("OPS", TITLE, "", caption, _HEADER, rows, grid)]


def _shown(records: Records, found: list[Counted]) -> list[Counted]:
    """The phases that the table shows.

    For each sort these are the settings that stand for a paper's and the fastest (else the first), at their largest
    uniform input of 32-bit keys. Other types are shown if a paper or a model has numbers, and so is each phase: a count
    with nothing beside it is in the CSV.
    """
    cells: dict[str, list[Counted]] = {}
    for one in found:
        cells.setdefault(one.count.cell, []).append(one)
    best: dict[tuple[str, str, str], Counted] = {}
    for phases in cells.values():
        one = phases[0]
        if one.case.distribution != "uniform":
            continue
        told = any(_has_statement(records, p) or (one.count.device and p.modelled is not None) for p in phases)
        if (one.count.device or one.case.type_name != "u32") and not told:
            continue
        stands = next((r for r, p in _roles(records, one).items() if _matches(one, p)), "")
        key = (one.case.algorithm, one.case.type_name, stands)
        if key not in best or _before(one, best[key]):
            best[key] = one
    wanted = {one.count.cell for one in best.values()}
    totals = {
        cell: sum(p.instructions * p.passes for p in phases if p.phase != WHOLE) for cell, phases in cells.items()
    }
    return [
        one
        for one in found
        if one.count.cell in wanted and one.instructions * one.passes >= _LEAST * totals[one.count.cell]
        if _has_statement(records, one) or one.modelled is not None
    ]


def _has_statement(records: Records, one: Counted) -> bool:
    return any(stated(records, one.case, one.phase, q) for q in ("instructions", "bytes", "cycles"))


def _before(one: Counted, other: Counted) -> bool:
    def rank(c: Counted) -> tuple[int, float]:
        return (-c.case.n, c.measurement.cpe_core if c.measurement and c.measurement.cpe_core else float("inf"))

    return rank(one) < rank(other)


def _roles(records: Records, one: Counted) -> dict[str, dict[str, object]]:
    known = records.algorithms.get(one.case.algorithm)
    return {role: parameters for role, parameters in known.roles.items() if parameters} if known else {}


def _matches(one: Counted, parameters: dict[str, object]) -> bool:
    return all(one.case.parameters.get(name) == value for name, value in parameters.items())


def _labels(records: Records, shown: list[Counted]) -> list[str]:
    """Sort, type, n and phase of each line. Two settings of one sort are told apart as the paper's form and the
    fastest; several of the same name by their parameters, which the CSV has of each."""
    settings: dict[tuple[str, str], dict[str, str]] = {}
    for one in shown:
        stands = any(_matches(one, parameters) for parameters in _roles(records, one).values())
        of = settings.setdefault((one.case.algorithm, one.case.type_name), {})
        of[one.case.parameters_text] = "paper’s form" if stands else "fastest setting"
    made = []
    for one in shown:
        of = settings[one.case.algorithm, one.case.type_name]
        name = of[one.case.parameters_text]
        if list(of.values()).count(name) > 1:
            name = one.case.parameters_text
        told = f", {name}" if len(of) > 1 else ""
        phase = re.sub(r"^Device(Radix|Merge)Sort|Kernel$", "", one.phase)
        phase = phase[:1].lower() + phase[1:]  # CUB's own names of its kernels
        made.append(f"{phase}: {one.case.algorithm}{told}, {one.case.type_name}, n = {count_text(one.case.n)}")
    return made


def _line(records: Records, one: Counted, label: str) -> tuple[str, float, list[GridCell]]:
    def stated_number(quantity: str) -> Optional[Stated]:
        return stated(records, one.case, one.phase, quantity)

    def text(value: Optional[float]) -> str:
        return "" if value is None else digits(value)

    def cell(
        value: Optional[float], paper: Optional[Stated] = None, model: Optional[float] = None, remark: str = ""
    ) -> GridCell:
        return GridCell(
            published=paper.text if paper else "", measured=text(value), predicted=text(model), remark=remark
        )

    error = "" if one.error is None else f"model {signed_percent(one.error)}"
    cells = [
        GridCell(measured=f"{one.passes} of {one.whole_passes}" if one.whole_passes else str(one.passes)),
        cell(one.instructions, stated_number("instructions"), one.modelled, error),
        cell(one.per_element.get("loads"), remark=one.code),
        *(cell(one.per_element.get(name)) for name in ("stores", "branches")),
        cell(one.memory_bytes, stated_number("bytes")),
        cell(one.cycles, stated_number("cycles")),
    ]
    return label, one.instructions, cells


def _row(records: Records, one: Counted) -> list[object]:
    papers = [stated(records, one.case, one.phase, quantity) for quantity in ("instructions", "bytes", "cycles")]
    of_papers = [value for p in papers for value in ((p.printed, p.follows) if p else (None, None))]
    of_papers.append(papers[-1].measured if papers[-1] else None)
    work = ", ".join(f"{kind} {digits(amount, 4)}" for kind, amount in sorted(one.operations.items()))
    each = ", ".join(f"{kind} {digits(cost)}" for kind, cost in sorted(one.costs.items()))
    return [
        one.case.algorithm,
        one.case.parameters_text,
        one.case.type_name,
        one.case.n,
        one.case.distribution,
        one.count.tool,
        one.count.simd,
        one.phase,
        one.passes,
        one.whole_passes,
        one.instructions,
        one.modelled,
        one.error,
        work,
        each,
        *(one.per_element.get(name) for name in ("loads", "stores", "branches", "indirect_jumps")),
        one.memory_bytes,
        one.cycles,
        one.issued,
        *of_papers,
        next((p.id for p in papers if p), ""),
        one.count.cell,
        one.count.run,
    ]


def _caption(records: Records, found: list[Counted], shown: list[Counted]) -> Caption:
    tools = ", ".join(
        sorted({f"{one.count.tool} ({one.count.simd})" if one.count.simd else one.count.tool for one in found})
    )
    sizes = sorted({one.case.n for one in found})
    span = count_text(sizes[0]) + (f" to {count_text(sizes[-1])}" if len(sizes) > 1 else "")
    text = Caption(
        f"What a phase does for each element in a pass, counted by {tools} at n = {span}, beside what papers "
        "and models state: the papers' and the fastest settings at the largest n of uniform 32-bit keys. "
        "In brackets: what the paper's own model or formula gives. Cycles are those of one multiprocessor or core, for "
        "each element that it processes itself. “2 of 8”: of a sort’s eight passes, the first two were counted. "
        + _told(records, shown),
        "The CSV has all counts, also those that nobody predicts. On a GPU, instructions are per warp and bytes "
        "are to and from its memory. The model's instructions are its operations times their costs. On the host the "
        "costs are fitted to the other cells of the same sort and "
        "phase; on a GPU they are counts per element of uniform keys at the commonest size. Cycles are missing if the "
        "measurement was disturbed or its interval is wider than ± 10 %. ",
    )
    host = [one for one in found if one.count.simd]
    close, whole = within([one for one in host if one.phase == WHOLE], _CLOSE)
    if whole:
        text += f"Of the whole sorts in the CSV the model predicts {close} of {whole} within 5 %. "
    rate = _counting_rate(found)
    return text + rate


def _told(records: Records, shown: list[Counted]) -> str:
    """A legend's sentences on what the table shows: how close the models are, and how far the papers' numbers."""
    text = ""
    for where, of in (
        ("on the host", [c for c in shown if c.count.simd]),
        ("on a GPU", [c for c in shown if c.count.device]),
    ):
        close, every = within(of, _CLOSE)
        if every:
            text += f"Of {len(of)} phases {where} a model predicts {every}, {close} of them within 5 % of the count. "
    ratios = [
        one.instructions / paper.printed
        for one in shown
        if (paper := stated(records, one.case, one.phase, "instructions")) and paper.printed
    ]
    if ratios:
        low, high = (digits(value, 2) for value in (min(ratios), max(ratios)))
        times = low if low == high else f"{low} to {high}"
        text += (
            f"Counted are {times} times the instructions that the papers print, which leave out the compiler's share. "
        )
    return text


def _counted_on(records: Records, found: list[Counted]) -> Caption:
    """The end of the caption: the processors of the counts."""
    devices = sorted({one.count.device for one in found if one.count.device})
    host = [provenance.machine_text(records)] if any(one.count.simd for one in found) else []
    return Caption(machines=f"Counted on {', and '.join([*host, *devices])}.")


def _counting_rate(found: list[Counted]) -> str:
    """STE-M8: keys per second that a multiprocessor must count, and that it does count."""
    rates = [
        one.measurement.clock_hz / one.cycles
        for one in found
        if one.case.algorithm == "stehle_hybrid_radix" and one.phase == "histogram" and one.cycles
        if one.measurement and one.measurement.clock_hz
    ]
    if not rates:
        return ""
    return (
        "STE-M8 asks for 3 to 4.5·10⁹ keys a second and multiprocessor where memory shall bind the histogram; here it "
        f"counts {digits(max(rates) / 1e9)}·10⁹. "
    )


TITLE = "Operations of an element and pass"
COMMAND = "sortlab count configs/ops.json"
ARTIFACTS = {"OPS*": make}
