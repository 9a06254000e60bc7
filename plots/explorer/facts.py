"""Tables for the pages of algorithms and machines, made from records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence

from ..analysis import prediction_errors
from ..analysis.error_statistics import summarise
from ..tables import record_tables
from ..tables.error_tables import error_cells, error_columns
from ..records.algorithm import Algorithm
from ..records.jsonl import Node
from ..records.measurement import Measurement, fastest, phase_name
from ..records.prediction import KINDS
from ..records.quantities import count_text, digits, signed_percent
from ..records.collection import Records
from ..tables.record_tables import Cell, Column, Table

_LARGE = 1 << 16  # elements; at smaller n noise hides the differences between inputs


@dataclass(frozen=True)
class OneMachine:
    """One machine's records, with the points that its own profile predicts."""

    id: str
    name: str
    records: Records
    points: Sequence[prediction_errors.Point]


def here(records: Records, id_: str, name: str) -> OneMachine:
    of_machine = records.on(id_, alone=True)
    return OneMachine(id_, name, of_machine, prediction_errors.predicted_points(of_machine))


def algorithm_facts(algorithm: Algorithm, record: dict[str, Any]) -> Table:
    """The facts in a sort's own record."""
    yes_no: dict[Any, str] = {True: "yes", False: "no"}
    facts = [
        ("Source", algorithm.source),
        ("Family", algorithm.family),
        ("Origin", {"ours": "this project's", "paper": "a paper's", "peer": "a peer's"}[algorithm.origin]),
        ("Paper", algorithm.paper),
        ("Runs on", {"both": "host and device"}.get(algorithm.runs_on, algorithm.runs_on)),
        ("Keys", ", ".join(algorithm.keys)),
        ("Values", ", ".join(_texts(record.get("values")))),
        ("Layouts of keys and values", ", ".join(_texts(record.get("layouts")))),
        ("Parallel", yes_no[algorithm.parallel]),
        ("Stable", yes_no[algorithm.stable]),
        *((head, yes_no.get(record.get(name))) for head, name in _FLAGS),
        ("Phases", ", ".join(map(phase_name, _texts(record.get("phases"))))),
        *(("Known limit", text) for text in _texts(record.get("limits"))),
    ]
    return _facts("Facts", facts)


_FLAGS = (("In place", "in_place"), ("Allocates inside the call", "allocates_inside"))


def _texts(value: Any) -> list[str]:
    """The strings of a list that a record may hold."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _facts(name: str, facts: Sequence[tuple[str, Optional[str]]]) -> Table:
    return Table(name, [Column("Fact"), Column("Value")], [[Cell(head), Cell(text)] for head, text in facts if text])


def parameters(of: Sequence[OneMachine], algorithm: str, record: dict[str, Any]) -> Table:
    """The presets, and the fastest measurement with each set of parameters."""
    presets = record.get("presets")
    rows = [
        [Cell(f"preset {name}"), Cell(_settings(settings)), Cell(""), Cell("")]
        for name, settings in sorted((presets if isinstance(presets, dict) else {}).items())
    ]
    sets: dict[str, list[Measurement]] = {}
    for machine in of:
        for m in machine.records.ok(algorithm=algorithm, n=lambda n: n > 0, residency=lambda _: True):
            sets.setdefault(m.case.parameters_text, []).append(m)
    for text, measured in sorted(sets.items(), key=lambda item: -len(item[1])):
        best = fastest(measured)
        c = best.case
        where = [f"{c.type_name}, {c.input_text}", f"{best.processor}, n = {count_text(c.n)}"]
        row = [Cell("measured"), Cell(text or "none"), Cell(str(len(measured)), len(measured))]
        rows.append([*row, _rate(best, where)])
    columns = [Column("Kind"), Column("Parameters"), Column("Cells", True), Column("Fastest, 10⁶ keys/s", True)]
    return Table("Parameters", columns, rows)


def _settings(settings: Any) -> str:
    items = sorted(settings.items()) if isinstance(settings, dict) else []
    return ", ".join(f"{name}={value}" for name, value in items) or "none"


def _rate(m: Measurement, notes: Sequence[str] = ()) -> Cell:
    rate = m.keys_per_s.value
    return Cell(digits(rate / 1e6), rate / 1e6, notes=notes)


def inputs(of: Sequence[OneMachine], algorithm: str) -> Table:
    """The inputs sorted fastest and slowest on each machine, at the largest n measured on several inputs."""
    columns = [
        *(Column("Machine"), Column("Keys and values"), Column("n", True), Column("Inputs", True)),
        *(Column("Best input"), Column("10⁶ keys/s", True), Column("Worst input"), Column("10⁶ keys/s", True)),
        Column("Best ÷ worst", True),
    ]
    rows = []
    for machine in of:
        groups: dict[tuple[str, str], dict[int, dict[str, list[Measurement]]]] = {}
        for m in machine.records.ok(algorithm=algorithm, n=lambda n: n >= _LARGE):
            by_n = groups.setdefault((m.processor, m.case.type_name), {})
            by_n.setdefault(m.case.n, {}).setdefault(m.case.distribution, []).append(m)
        for (processor, type_name), by_n in sorted(groups.items()):
            several = {n: by_input for n, by_input in by_n.items() if len(by_input) > 1}
            if not several:
                continue
            n = max(several)
            each = sorted((fastest(measured) for measured in several[n].values()), key=lambda m: m.keys_per_s.value)
            worst, best = each[0], each[-1]
            ratio = best.keys_per_s.value / worst.keys_per_s.value
            rows.append(
                [
                    *(Cell(machine.name, notes=[processor]), Cell(type_name), Cell(count_text(n), n)),
                    *(Cell(str(len(each)), len(each)), Cell(best.case.input_text), _rate(best)),
                    *(Cell(worst.case.input_text), _rate(worst), Cell(digits(ratio), ratio)),
                ]
            )
    return Table("Best and worst inputs", columns, rows)


_ERRORS = ("points", "mean_absolute", "median_absolute", "p90_absolute", "bias", "within_15")


def model_error(of: Sequence[OneMachine], algorithm: Optional[str] = None) -> Table:
    """Errors of models by kind, (predicted − measured) / measured, for one sort on each machine or for every sort."""
    columns = [
        *(Column("Machine" if algorithm else "Sort"), Column("Kind of model")),
        *error_columns(*_ERRORS),
        Column("Worst", True),
    ]
    groups: dict[tuple[str, int], list[prediction_errors.Point]] = {}
    for machine in of:
        for point in machine.points:
            name = machine.name if algorithm else point.measurement.case.algorithm
            if algorithm in (None, point.measurement.case.algorithm):
                groups.setdefault((name, KINDS.index(point.kind)), []).append(point)
    rows = []
    for (name, kind), points in sorted(groups.items()):
        errors, worst = summarise([p.error for p in points]), prediction_errors.worst_point(points).measurement.case
        where = f"{worst.type_name}, n = {count_text(worst.n)}, {worst.input_text}"
        cells = error_cells(errors, *_ERRORS)
        farthest = Cell(signed_percent(errors.worst), errors.worst, notes=[where])
        rows.append([Cell(name), Cell(KINDS[kind]), *cells, farthest])
    return Table("Model error", columns, rows)


def machine_tables(machine: OneMachine) -> list[Table]:
    """The measurements of each sort on a machine, and its runs with the facts of machine, environment and build."""
    groups: dict[str, list[Measurement]] = {}
    for m in machine.records.measurements:
        groups.setdefault(m.case.algorithm, []).append(m)
    rows = []
    for name, measured in sorted(groups.items()):
        good = [m for m in measured if m.ok]
        quiet, timed = sum(not m.disturbed for m in good), [m for m in good if m.case.n]
        row = [Cell(name), *(Cell(str(count), count) for count in (len(measured), len(good), quiet))]
        rows.append([*row, _rate(fastest(timed)) if timed else Cell("")])
    heads = ("Cells", "Verified", "Undisturbed", "Fastest, 10⁶ keys/s")
    columns = [Column("Sort"), *(Column(head, True) for head in heads)]
    return [Table("Measurements", columns, rows), *record_tables.environment(machine.records)]


def profile_tables(profile: Node) -> list[Table]:
    """The tables of a machine profile and of its devices: each quantity with its unit and range. Raises BadInput."""
    made = [_profile_table(profile, "Profile of the host")]
    made += [_profile_table(device, "Profile of a device") for device in profile.objects("devices", optional=True)]
    return made


def _profile_table(node: Node, name: str) -> Table:
    rows = []
    of = node.object("tables")
    for quantity in sorted(of.value):
        table = of.object(quantity)
        values = [point.number("value") for point in table.objects("points", optional=True)]
        if not values:
            continue
        unit, what = table.text("unit"), table.prose("source", optional=True) or ""
        arguments = ", ".join(table.texts("arguments", optional=True))
        rows.append(
            [
                *(Cell(quantity), Cell(what, notes=[f"by {arguments}"] if arguments else [])),
                *(Cell(str(len(values)), len(values)), Cell(f"{min(values):.4g}", min(values))),
                *(Cell(f"{max(values):.4g}", max(values)), Cell(unit)),
            ]
        )
    columns = [Column("Quantity"), Column("Measurement"), Column("Points", True), Column("Least", True)]
    title = ": ".join(text for text in (name, node.text("name", optional=True) or "") if text)
    return Table(title, [*columns, Column("Greatest", True), Column("Unit")], rows)


def machine_profiles(profiles: Sequence[Node], machine: str) -> list[tuple[str, list[Table]]]:
    """The source and the tables of each profile of a machine. Raises BadInput."""
    made = []
    for profile in profiles:
        if profile.text("id") == machine:
            made.append((profile.prose("source", optional=True) or "", profile_tables(profile)))
    return made
