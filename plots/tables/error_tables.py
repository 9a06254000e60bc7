"""The report's tables of what models miss: by plug-in, by group, by point, by phase, and by binding resource."""

from __future__ import annotations

from typing import Optional, Sequence

from ..analysis import binding_resources, prediction_errors
from ..records.quantities import count_text, digits, percent, seconds_text, signed_percent
from .parameter_texts import Settings
from .record_tables import Cell, Column, Table


def _error_columns(first: str) -> list[Column]:
    names = ("Points", "Mean absolute", "Geometric mean", "Bias", "Worst", "Within ±10 %", "Within ±15 %")
    return [Column(first), *(Column(name, True) for name in names)]


def _error_row(s: prediction_errors.Summary) -> list[Cell]:
    return [
        Cell(s.name),
        Cell(str(s.points), s.points),
        Cell(percent(s.mean_absolute), s.mean_absolute),
        Cell(percent(s.geometric_mean), s.geometric_mean),
        Cell(signed_percent(s.bias), s.bias),
        Cell(signed_percent(s.worst.error), s.worst.error),
        Cell(percent(s.within_10), s.within_10),
        Cell(percent(s.within_15), s.within_15),
    ]


def _share(value: Optional[float]) -> Cell:
    return Cell("") if value is None else Cell(percent(value), value)


def plug_in_errors(rows: Sequence[prediction_errors.PlugInErrors], settings: Settings) -> Table:
    columns = [Column("Plug-in"), Column("Kind"), Column("n"), *_error_columns("")[1:]]
    columns += [Column("Straight line", True), Column("Bytes / copy", True), Column("Worst point")]
    made = []
    for row in rows:
        worst = row.summary.worst.measurement.case
        notes = [f"family {row.family}" if row.family else "", f"model {row.model}" if row.model != row.plug_in else ""]
        made.append(
            [
                *(Cell(row.plug_in, notes=[note for note in notes if note]), Cell(row.kind)),
                *(Cell("≥\u00a02²⁰" if row.large else "<\u00a02²⁰", int(not row.large)), *_error_row(row.summary)[1:]),
                *(_share(row.line), _share(row.bytes)),
                Cell(
                    f"{worst.type_name} {worst.distribution} n\u00a0=\u00a0{count_text(worst.n)}",
                    notes=settings.notes(worst),
                ),
            ]
        )
    return Table("Model error by plug-in", columns, made)


def papers_models(points: Sequence[prediction_errors.PapersPoint]) -> Table:
    """The papers' models, on the papers' machines, against the papers' times."""
    columns = [Column("Model"), Column("On"), Column("Of"), Column("n", True), Column("Published", True)]
    columns += [Column("Predicted", True), Column("Error", True)]
    rows = []
    for p in points:
        n, prediction = p.prediction.case.n, p.prediction
        name = prediction.model + (" (from its own times)" if prediction.papers_times else "")
        rows.append(
            [
                *(Cell(name), Cell(prediction.profile_name), Cell(f"{p.published.id} {p.published.algorithm}")),
                *(Cell(count_text(n), n), Cell(seconds_text(p.seconds), p.seconds)),
                *(Cell(seconds_text(prediction.seconds), prediction.seconds), Cell(signed_percent(p.error), p.error)),
            ]
        )
    return Table("The papers’ own models against the papers’ own times", columns, rows)


def phase_errors(points: Sequence[prediction_errors.Point], settings: Settings) -> Table:
    """For each form of a plug-in, each phase over all points of large n: its share of the time and its error."""
    columns = [Column("Plug-in"), Column("Phase"), Column("Points", True), Column("Of the time", True)]
    columns += [Column("Mean absolute", True), Column("Bias", True), Column("Bound by")]
    groups: dict[tuple[str, str, str], list[tuple[float, float, str]]] = {}
    notes: dict[tuple[str, str], list[str]] = {}
    for p in points:
        c = p.measurement.case
        assert p.measurement.seconds is not None
        for name, measured, predicted, binding in prediction_errors.phases(p):
            if c.n >= prediction_errors.LARGE and measured and predicted is not None:
                share = measured / p.measurement.seconds.value
                notes[c.algorithm, c.parameters_text] = settings.notes(c)
                groups.setdefault((c.algorithm, c.parameters_text, name), []).append(
                    (share, predicted / measured - 1, binding)
                )
    rows = []
    for (plug_in, parameters, name), found in groups.items():
        share, bias = (sum(values) / len(found) for values in list(zip(*found))[:2])
        absolute = sum(abs(error) for _, error, _ in found) / len(found)
        rows.append(
            [
                *(
                    Cell(plug_in, notes=notes[plug_in, parameters]),
                    Cell(name),
                    Cell(str(len(found)), len(found)),
                ),
                *(_share(share), _share(absolute), Cell(signed_percent(bias), bias)),
                Cell(", ".join(dict.fromkeys(b for _, _, bound in found for b in bound.split(", ") if b))),
            ]
        )
    return Table("Phases by plug-in, n ≥ 2²⁰", columns, rows)


def binding_agreement(found: Sequence[binding_resources.Binding], settings: Settings) -> Table:
    columns = [
        *(Column("Plug-in"), Column("Type"), Column("n", True), Column("Distribution"), Column("Phase")),
        *(Column("Kind"), Column("Passes", True), Column("Model says"), Column("Counters say"), Column("Agree", True)),
        Column("Counted, an element"),
    ]
    rows = []
    for b in found:
        c = b.case
        sign, kind = ("✓", "holds") if b.agreeing == b.passes else ("✗", "fails")
        text = sign if b.agreeing in (0, b.passes) else f"{b.agreeing} of {b.passes}"
        rows.append(
            [
                *(Cell(c.algorithm, notes=settings.notes(c)), Cell(c.type_name)),
                *(Cell(count_text(c.n), c.n), Cell(c.distribution), Cell(b.phase), Cell(b.kind)),
                *(Cell(str(b.passes), b.passes), Cell(", ".join(b.predicted))),
                *(Cell(", ".join(b.counted), notes=[b.utilisation_text]), Cell(text, b.agreeing / b.passes, kind)),
                Cell(
                    "",
                    notes=[f"{name} {digits(counted)}, model {digits(modelled)}" for name, counted, modelled in b.work],
                ),
            ]
        )
    return Table("Binding resource, by the model and by counters", columns, rows)


def points_table(points: Sequence[prediction_errors.Point], settings: Settings) -> Table:
    columns = [
        *(Column("Model"), Column("Type"), Column("n", True), Column("Distribution"), Column("On")),
        *(Column("Measured", True), Column("Predicted", True), Column("Error", True)),
    ]
    rows = []
    for p in points:
        c = p.measurement.case
        assert p.measurement.seconds is not None
        seconds = p.measurement.seconds.value
        rows.append(
            [
                Cell(p.model, notes=settings.notes(c)),
                *(Cell(c.type_name), Cell(count_text(c.n), c.n), Cell(c.distribution), Cell(p.measurement.processor)),
                *(Cell(seconds_text(seconds), seconds), Cell(seconds_text(p.predicted_s), p.predicted_s)),
                Cell(signed_percent(p.error), p.error),
            ]
        )
    return Table("Error by point", columns, rows)


def phases_table(points: Sequence[prediction_errors.Point], settings: Settings) -> Table:
    columns = [
        *(Column("Phase"), Column("Type"), Column("n", True), Column("Distribution"), Column("On")),
        *(Column("Measured", True), Column("Predicted", True), Column("Error", True), Column("Bound by")),
    ]
    rows = []
    for p in points:
        c = p.measurement.case
        for name, measured, predicted, binding in prediction_errors.phases(p):
            error = predicted / measured - 1 if measured and predicted is not None else None
            rows.append(
                [
                    Cell(name, notes=[" ".join((c.algorithm, *settings.notes(c)))]),
                    *(
                        Cell(c.type_name),
                        Cell(count_text(c.n), c.n),
                        Cell(c.distribution),
                        Cell(p.measurement.processor),
                    ),
                    Cell(seconds_text(measured), measured) if measured is not None else Cell(""),
                    Cell(seconds_text(predicted), predicted) if predicted is not None else Cell(""),
                    Cell(signed_percent(error), error) if error is not None else Cell(""),
                    Cell(binding),
                ]
            )
    return Table("Phases, measured and predicted (passes added up)", columns, rows)


def error_summaries(summaries: Sequence[prediction_errors.Summary]) -> Table:
    return Table("Model error", _error_columns("Model"), [_error_row(s) for s in summaries])


def error_groups(points: Sequence[prediction_errors.Point]) -> list[Table]:
    """The error by type, working set, processor and distribution."""
    columns = [Column(""), Column("Points", True), Column("Mean abs.", True), Column("Worst", True)]
    columns += [Column("±10 %", True), Column("±15 %", True)]
    groupings = (
        ("By type", lambda m: m.case.type_name, ()),
        ("By working set", prediction_errors.working_set, prediction_errors.WORKING_SETS),
        ("By processor", lambda m: m.processor, ()),
        ("By distribution", lambda m: m.case.distribution, ()),
    )
    made = []
    for name, attribute, order in groupings:
        rows = [_error_row(s) for s in prediction_errors.by(points, attribute, order)]
        made.append(Table(name, columns, [[row[i] for i in (0, 1, 2, 5, 6, 7)] for row in rows]))
    return made
