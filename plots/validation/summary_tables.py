"""The tables of the page VALIDATE."""

from __future__ import annotations

from typing import Any, Sequence

from ..tables import error_tables, errors_by_kind
from ..analysis import prediction_errors
from ..analysis.error_statistics import group_by, summarise
from . import accuracy, joules, ratios
from ..analysis.prediction_errors import Point
from ..records.quantities import count_text, percent, seconds_text, signed_percent
from ..records.collection import Records
from ..tables.error_tables import error_cells, error_columns
from ..tables.parameter_texts import Settings
from ..tables.record_tables import Cell, Column, Table
from ..records.trail import Check, Trail, blind

_WORST = 20
_KINDS = {
    accuracy.MET: "holds",
    accuracy.MISSED: "fails",
    accuracy.UNDECIDED: "undecided",
    accuracy.NO_CELLS: "untestable",
}
_SIGNS = {True: "✓ held", False: "✗ broken", None: "– not known"}


def checks(found: Sequence[Check]) -> Table:
    columns = [Column("Condition"), Column("Holds"), Column("Found")]
    kinds = {True: "holds", False: "fails", None: "untestable"}
    rows = [[Cell(c.what), Cell(_SIGNS[c.held], kind=kinds[c.held]), Cell(c.found)] for c in found]
    return Table("Order of predictions and measurements", columns, rows, cards=True)


def verdicts(found: Sequence[accuracy.Verdict], is_blind: bool) -> Table:
    columns = [Column("Kind"), Column("Cells"), Column("Target", True), Column("Mean absolute error", True)]
    columns += [Column("95 % interval"), Column("Beyond drift", True), Column("Where cores were free", True)]
    columns += [Column("Errors", True), Column("Verdict")]
    rows = []
    for v in sorted(found, key=lambda v: v.error is None):
        row = [Cell(v.target.kind), Cell(v.target.name), Cell(percent(v.target.limit), v.target.limit)]
        if v.error is None:
            row += [Cell("")] * 5
        else:
            few = v.error.high == float("inf")
            row.append(Cell(percent(v.error.value), v.error.value))
            row.append(Cell("" if few else f"{percent(v.error.low)} … {percent(v.error.high)}"))
            row += [Cell(percent(v.beyond), v.beyond), Cell("") if v.free is None else Cell(percent(v.free), v.free)]
            row.append(Cell(str(v.errors), v.errors))
        text = v.verdict if is_blind or v.verdict == accuracy.NO_CELLS else "not blind"
        kind = _KINDS[v.verdict] if text == v.verdict else "fails"
        why = v.why if is_blind else "the records do not show that the predictions came first"
        row.append(Cell(text, kind=kind, notes=[why] if why else []))
        rows.append(row)
    return Table("Against the targets", columns, rows)


def drift(found: Sequence[accuracy.DriftStatistics]) -> Table:
    columns = [Column("Measured again"), Column("Points", True), Column("Median absolute", True)]
    columns += [Column("Median", True), Column("Worst", True)]
    rows = [
        [
            *(Cell(m.measured), Cell(str(m.points), m.points), Cell(percent(m.absolute), m.absolute)),
            *(Cell(signed_percent(m.signed), m.signed), Cell(signed_percent(m.worst), m.worst)),
        ]
        for m in found
    ]
    return Table("Drift of the machine", columns, rows)


def calibration(trail: Trail) -> Table:
    columns = [Column("When"), Column("On"), Column("Table"), Column("At"), Column("Time against the profile", True)]
    rows = [
        [Cell(d.when), Cell(p.on), Cell(p.table), Cell(p.at), Cell(signed_percent(p.slower), p.slower)]
        for d in trail.drifts
        for p in d.calibration
    ]
    return Table("Calibration points measured again", columns, rows)


def baselines(records: Records, points: Sequence[Point]) -> Table:
    """The models of each kind, and each baseline over the cells that it and a model of the kind haaccuracy."""
    shown = ("points", "mean_absolute", "median_absolute", "p90_absolute", "worst", "within_15")
    columns = [Column("Kind"), Column("Predicted by"), *error_columns(*shown), Column("The models, same cells", True)]
    rows = []
    for kind in accuracy.kinds(points):
        models = accuracy.points_of_kind(records, points, kind)
        errors = {p.measurement.cell: p.error for p in models}
        rows.append([Cell(kind), Cell("the models"), *error_cells(summarise(list(errors.values())), *shown), Cell("")])
        for name, make in accuracy.BASELINES:
            if made := make(models):
                same = summarise([errors[p.measurement.cell] for p in made])
                cells = error_cells(summarise([p.error for p in made]), *shown)
                rows.append([Cell(kind), Cell(name), *cells, *error_cells(same, "mean_absolute")])
    return Table("Baselines", columns, rows)


def worst(points: Sequence[Point]) -> Table:
    """The points with the largest factors between prediction and measurement, each with its phases."""
    columns = [Column("Model"), Column("Cell"), Column("n", True), Column("On"), Column("Measured", True)]
    columns += [Column("Predicted", True), Column("Error", True), Column("Phases: measured, predicted, bound by")]
    rows = []
    for p in sorted(points, key=_farness, reverse=True)[:_WORST]:
        c, seconds = p.measurement.case, p.measurement.seconds
        assert seconds is not None
        lines = []
        for name, measured, predicted, binding in prediction_errors.phase_times(p):
            times = " → ".join("–" if t is None else seconds_text(t) for t in (measured, predicted))
            error = f" ({signed_percent(predicted / measured - 1)})" if measured and predicted is not None else ""
            lines.append(f"{name}: {times}{error}" + (f", {binding}" if binding else ""))
        disturbed = ["disturbed"] if p.measurement.disturbed else []
        rows.append(
            [
                *(Cell(p.model, notes=[p.kind]), Cell(f"{c.type_name} {c.input_text}", notes=[c.parameters_text])),
                *(Cell(count_text(c.n), c.n), Cell(p.measurement.processor, notes=disturbed)),
                *(Cell(seconds_text(seconds.value), seconds.value), Cell(seconds_text(p.predicted_s), p.predicted_s)),
                *(Cell(signed_percent(p.error), p.error), Cell("", kind="lines", notes=lines)),
            ]
        )
    return Table("The worst points", columns, rows, cards=True)


def _farness(point: Point) -> float:
    return max(1 + point.error, 1 / max(1 + point.error, 1e-9))


def coverage(trail: Trail) -> Table:
    """Drawn cells that each kind does not predict, by plug-in and threads, with the reasons."""
    columns = [Column("Kind"), Column("Plug-in"), Column("Threads", True), Column("Cells drawn", True)]
    columns += [Column("Not predicted", True), Column("Why")]
    rows = []
    for c in trail.validation.coverage if trail.validation else ():
        reasons = [f"{cells}: {why}" for why, cells in sorted(c.refused, key=lambda r: -r[1])]
        row = [Cell(c.kind), Cell(c.algorithm), Cell(str(c.threads), c.threads), Cell(str(c.cells), c.cells)]
        rows.append(row + [Cell(str(c.unpredicted), c.unpredicted), Cell("", kind="lines", notes=reasons)])
    return Table("Drawn cells that are not predicted", columns, rows)


def coverage_note(trail: Trail) -> str:
    """Numbers of drawn cells that are not predicted, by kind and number of threads."""
    found = trail.validation.coverage if trail.validation else ()
    if not found:
        return "This validation is older than the record of drawn cells that no model predicts."
    said = []
    for (kind, threads), group in sorted(group_by(found, lambda c: (c.kind, c.threads)).items()):
        drawn, unpredicted = sum(c.cells for c in group), sum(c.unpredicted for c in group)
        said.append(f"{kind}, {threads} thread{'s' if threads > 1 else ''}: {unpredicted} of {drawn}")
    return "Drawn cells that are not predicted: " + "; ".join(said) + "."


def sizes(records: Records, points: Sequence[Point]) -> Table:
    shown = ("points", "mean_absolute", "median_absolute", "p90_absolute", "worst", "bias", "within_15")
    columns = [Column("Kind"), Column("n"), *error_columns(*shown)]
    rows = []
    for kind in accuracy.kinds(points):
        by_size = group_by(accuracy.points_of_kind(records, points, kind), lambda p: accuracy.octaves(p.measurement))
        for name, group in sorted(by_size.items()):
            errors = summarise([p.error for p in group])
            rows.append([Cell(kind), Cell(name), *error_cells(errors, *shown)])
    return Table("By size", columns, rows)


def section(trail: Trail, profiles: dict[str, str]) -> dict[str, Any]:
    """The values of the template for one validation."""
    assert trail.validation is not None
    v, records = trail.validation, accuracy.validated_records(trail)
    found = trail.checks(profiles)
    points = prediction_errors.predicted_points(records)
    is_blind = blind(found)
    drifted = accuracy.machine_drift(trail.drifts)
    shown = [p for kind in accuracy.kinds(points) for p in accuracy.points_of_kind(records, points, kind)]
    return {
        "id": v.id,
        "is_blind": is_blind,
        "summary": summary(trail, points, is_blind, drifted),
        "left_out": v.left_out,
        "checks": checks(found),
        "commitment": trail.sha256,
        "verdicts": verdicts(accuracy.verdicts(records, points, drifted), is_blind),
        "drift": drift(accuracy.drift_rows(trail.drifts)),
        "drift_note": drift_note(drifted),
        "kinds": errors_by_kind.tables(errors_by_kind.error_groups(records, points)),
        "kinds_note": errors_by_kind.TABLE_NOTE,
        "sizes": sizes(records, points),
        "coverage": coverage(trail),
        "coverage_note": coverage_note(trail),
        "groups": error_tables.error_groups(shown) if shown else [],
        "baselines": baselines(records, points),
        "ratios": ratios.table(shown),
        "joules": joules.table(shown),
        "worst": worst(shown),
        "details": [
            calibration(trail),
            *(table(shown, Settings()) for table in (error_tables.points_table, error_tables.phases_table)),
        ],
    }


def summary(trail: Trail, points: Sequence[Point], is_blind: bool, drifted: float) -> str:
    """A summary of the validation in a few sentences."""
    v = trail.validation
    assert v is not None
    measured = len({m.cell for m in trail.measurements if m.ok})
    of = f"of the config {v.config}" if v.config else "of no config"
    left = v.cells - measured
    text = f"From the seed {v.seed}, {v.cells} cells {of} were drawn and predicted {len(trail.predictions)} times; "
    text += f"{measured} are measured" + (
        f", {left} are not, for want of time or for a reason given below. " if left else ". "
    )
    text += (
        "The records show that the predictions came first, by what can be recomputed from them. "
        if is_blind
        else "The records do not show that the predictions came first: no verdict stands. "
    )
    if trail.end is None:
        text += "The validation has not ended: the command that began it goes on. "
    disturbed = len({m.cell for m in trail.measurements if m.ok and m.disturbed})
    if disturbed:
        text += f"{disturbed} of {measured} cells were disturbed. "
    if points and drifted:
        text += f"Meanwhile the machine moved by {percent(drifted)}."
    return text


def drift_note(drifted: float) -> str:
    return (
        "A machine that others share is not the same from one minute to the next. Some points of the profile were "
        "measured again before the first cell and after the last, and some cells a second time at the end; above 0 is "
        f"slower. The drift is the larger of what the cells and what the calibration show between begin and end, here "
        f"{percent(drifted)}. It is independent of what a model misses, so that of a mean error e the part beyond "
        "drift d is √(e² − d²); a target counts as missed only if the interval’s lower end exceeds it beyond drift."
    )
