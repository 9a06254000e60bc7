"""The report's tables of model errors: by plug-in, by group, by point, by phase, and by binding resource."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from ..analysis import binding_resources, prediction_errors
from ..analysis.error_statistics import ErrorStatistics, group_by, summarise
from ..analysis.prediction_errors import Point
from ..records.measurement import Measurement
from ..records.quantities import count_text, digits, percent, seconds_text, signed_percent
from .parameter_texts import Settings
from .record_tables import Cell, Column, Table

_HEADS = {
    "points": "Points",
    "mean_absolute": "Mean absolute",
    "median_absolute": "Median absolute",
    "p90_absolute": "90 % below",
    "worst": "Worst",
    "bias": "Signed mean",
    "within_10": "Within ±10 %",
    "within_15": "Within ±15 %",
}
STATISTICS = tuple(_HEADS)
_SIGNED = ("bias", "worst")


def error_columns(*names: str) -> list[Column]:
    """The heads of error_cells."""
    return [Column(_HEADS[name], True) for name in names]


def error_cells(errors: Optional[ErrorStatistics], *names: str) -> list[Cell]:
    """A cell for each named statistic; empty cells where there are no errors."""
    if errors is None:
        return [Cell("")] * len(names)
    made = []
    for name in names:
        value = getattr(errors, name)
        text = str(value) if name == "points" else signed_percent(value) if name in _SIGNED else percent(value)
        made.append(Cell(text, value))
    return made


def _share(value: Optional[float]) -> Cell:
    return Cell("") if value is None else Cell(percent(value), value)


FAMILIES = (
    "A row is of one model and one family: sorts that work alike, which models/README.md lists. A sort has two rows at "
    "the same n where some of its predictions are older than the names of families: those rows have none."
)


def plug_in_errors(rows: Sequence[prediction_errors.PlugInErrors], settings: Settings) -> Table:
    columns = [Column("Plug-in"), Column("Kind"), Column("n"), *error_columns(*STATISTICS)]
    columns += [Column("Straight line", True), Column("Bytes / copy", True), Column("Worst point")]
    made = []
    for row in rows:
        worst = row.worst.measurement.case
        notes = [f"family {row.family}" if row.family else "", f"model {row.model}" if row.model != row.plug_in else ""]
        made.append(
            [
                *(Cell(row.plug_in, notes=[note for note in notes if note]), Cell(row.kind)),
                *(
                    Cell("≥\u00a02²⁰" if row.large else "<\u00a02²⁰", int(not row.large)),
                    *error_cells(row.errors, *STATISTICS),
                ),
                *(_share(row.line), _share(row.bytes)),
                Cell(
                    f"{worst.type_name} {worst.input_text} n\u00a0=\u00a0{count_text(worst.n)}",
                    notes=settings.notes(worst),
                ),
            ]
        )
    return Table("Model error by plug-in", columns, made)


def papers_models(points: Sequence[prediction_errors.PapersPoint]) -> Table:
    """Predictions of the papers' models for the papers' machines beside the papers' times."""
    columns = [Column("Model"), Column("Machine"), Column("Published as"), Column("n", True), Column("Published", True)]
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


def phase_errors(points: Sequence[Point], settings: Settings) -> Table:
    """Each phase of each form of a plug-in, over all points of large n: its share of the sort's time, and its error."""
    shown = ("mean_absolute", "median_absolute", "p90_absolute", "worst", "bias")
    columns = [Column("Plug-in"), Column("Phase"), Column("Points", True), Column("Share of the time", True)]
    columns += [*error_columns(*shown), Column("Bound by")]
    found = []
    for p in points:
        c = p.measurement.case
        assert p.measurement.seconds is not None
        for name, measured, predicted, binding in prediction_errors.phase_times(p):
            if c.n >= prediction_errors.LARGE and measured and predicted is not None:
                share, error = measured / p.measurement.seconds.value, predicted / measured - 1
                found.append((c, name, share, error, binding))
    rows = []
    groups = group_by(found, lambda phase: (phase[0].algorithm, phase[0].parameters_text, phase[1]))
    for (plug_in, _, name), group in groups.items():
        errors = summarise([error for *_, error, _ in group])
        bound = dict.fromkeys(resource for *_, binding in group for resource in binding.split(", ") if resource)
        rows.append(
            [
                *(Cell(plug_in, notes=settings.notes(group[-1][0])), Cell(name), *error_cells(errors, "points")),
                _share(sum(share for _, _, share, _, _ in group) / len(group)),
                *(*error_cells(errors, *shown), Cell(", ".join(bound))),
            ]
        )
    return Table("Phases by plug-in, n ≥ 2²⁰", columns, rows)


def binding_agreement(found: Sequence[binding_resources.Binding], settings: Settings) -> Table:
    columns = [
        *(Column("Plug-in"), Column("Type"), Column("n", True), Column("Distribution"), Column("Phase")),
        *(Column("Kind"), Column("Passes", True), Column("Model says"), Column("Counters say"), Column("Agree", True)),
        Column("Counted per element"),
    ]
    rows = []
    for b in found:
        c = b.case
        sign, kind = ("✓", "holds") if b.agreeing == b.passes else ("✗", "fails")
        text = sign if b.agreeing in (0, b.passes) else f"{b.agreeing} of {b.passes}"
        rows.append(
            [
                *(Cell(c.algorithm, notes=settings.notes(c)), Cell(c.type_name)),
                *(Cell(count_text(c.n), c.n), Cell(c.input_text), Cell(b.phase), Cell(b.kind)),
                *(Cell(str(b.passes), b.passes), Cell(", ".join(b.predicted))),
                *(Cell(", ".join(b.counted), notes=[b.utilisation_text]), Cell(text, b.agreeing / b.passes, kind)),
                Cell(
                    "",
                    notes=[f"{name} {digits(counted)}, model {digits(modelled)}" for name, counted, modelled in b.work],
                ),
            ]
        )
    return Table("Binding resource, by the model and by counters", columns, rows)


def points_table(points: Sequence[Point], settings: Settings) -> Table:
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
                *(Cell(c.type_name), Cell(count_text(c.n), c.n), Cell(c.input_text), Cell(p.measurement.processor)),
                *(Cell(seconds_text(seconds), seconds), Cell(seconds_text(p.predicted_s), p.predicted_s)),
                Cell(signed_percent(p.error), p.error),
            ]
        )
    return Table("Error by point", columns, rows)


def phases_table(points: Sequence[Point], settings: Settings) -> Table:
    columns = [
        *(Column("Phase"), Column("Type"), Column("n", True), Column("Distribution"), Column("On")),
        *(Column("Measured", True), Column("Predicted", True), Column("Error", True), Column("Bound by")),
    ]
    rows = []
    for p in points:
        c = p.measurement.case
        for name, measured, predicted, binding in prediction_errors.phase_times(p):
            error = predicted / measured - 1 if measured and predicted is not None else None
            rows.append(
                [
                    Cell(name, notes=[" ".join((c.algorithm, *settings.notes(c)))]),
                    *(
                        Cell(c.type_name),
                        Cell(count_text(c.n), c.n),
                        Cell(c.input_text),
                        Cell(p.measurement.processor),
                    ),
                    Cell(seconds_text(measured), measured) if measured is not None else Cell(""),
                    Cell(seconds_text(predicted), predicted) if predicted is not None else Cell(""),
                    Cell(signed_percent(error), error) if error is not None else Cell(""),
                    Cell(binding),
                ]
            )
    return Table("Phases, measured and predicted (passes added up)", columns, rows)


def error_summaries(errors_by_model: Sequence[tuple[str, Sequence[Point]]]) -> Table:
    columns = [Column("Model"), *error_columns(*STATISTICS)]
    rows = [
        [Cell(name), *error_cells(summarise([p.error for p in points]), *STATISTICS)]
        for name, points in errors_by_model
    ]
    return Table("Model error", columns, rows)


_WORKING_SETS = {1 << 20: "up to 1 MiB", 1 << 25: "up to 32 MiB", 1 << 28: "up to 256 MiB"}


def _working_set(measurement: Measurement) -> tuple[int, str]:
    """The size class of keys, values and a second array of both; its limits lie between common cache sizes."""
    size = 2 * measurement.case.n * measurement.case.element_bytes
    for place, (limit, name) in enumerate(_WORKING_SETS.items()):
        if size <= limit:
            return place, name
    return len(_WORKING_SETS), "above 256 MiB"


def error_groups(points: Sequence[Point]) -> list[Table]:
    """The errors by type, working set, processor and distribution."""
    shown = ("points", "mean_absolute", "median_absolute", "p90_absolute", "worst", "within_10", "within_15")
    columns = error_columns(*shown)
    groupings: tuple[tuple[str, Callable[[Measurement], tuple[int, str]]], ...] = (
        ("By type", lambda m: (0, m.case.type_name)),
        ("By working set", _working_set),
        ("By processor", lambda m: (0, m.processor)),
        ("By distribution", lambda m: (0, m.case.input_text)),
    )
    made = []
    for title, group_of in groupings:
        groups = group_by(points, lambda p: group_of(p.measurement))
        rows = [
            [Cell(name), *error_cells(summarise([p.error for p in group]), *shown)]
            for (_, name), group in sorted(groups.items())
        ]
        made.append(Table(title, [Column(title.removeprefix("By ").capitalize()), *columns], rows))
    return made
