"""The command line of the page VALIDATE: one validation, checked from its records alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Optional, Sequence

from ..analysis import prediction_errors, provenance
from ..analysis.error_statistics import summarise
from ..records import profile
from ..report import page as report
from ..tables import record_tables
from ..validation import accuracy, joules, ratios
from ..figures.artifact import Artifact
from ..artifacts.own import validate as artifacts_of
from ..records.bounds import clean
from .render import shown, writable
from ..records.jsonl import BadInput
from .options import Parser
from ..records.quantities import percent
from ..records.collection import Records
from ..records.trail import Trail, blind
from ..records.whole_file import write_whole


def _parser() -> Parser:
    parser = Parser(
        prog="check_validation.py",
        description="Checks that a validation's predictions came before its measurements, and reports their errors.",
        epilog="Example: sortlab check-validation --records validation.jsonl --profile profile.json --out page",
    )
    parser.add_argument("--records", required=True, type=Path, metavar="FILE", help="what `sortlab validate` wrote")
    parser.add_argument(
        "--profile", nargs="+", type=Path, default=[], metavar="FILE", help="the profile that it was predicted from"
    )
    parser.add_argument(
        "--beside", nargs="+", type=Path, default=[], metavar="FILE", help="validations of other machines, for ratios"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the page and its figures there")
    return parser


def read(path: Path) -> tuple[Records, Trail]:
    """The records of one validation, and its trail. Raises BadInput for a file that holds none."""
    everything = Records()
    everything.add_file(path)
    everything.files = [(shown(str(name)), count) for name, count in everything.files]
    trail = next((t for t in everything.trails if t.validation), None)
    if trail is None or trail.validation is None:
        raise BadInput(f"--records {clean(str(path))}: holds no validation; allowed: what `sortlab validate` writes")
    return everything.on(trail.validation.machine), trail


def page(records: Records, trail: Trail, artifacts: Sequence[Artifact], profiles: dict[str, str]) -> str:
    sections = report.sections_of_validations(records, artifacts, profiles)
    v = trail.validation
    assert v is not None
    names = [(f"validate-{section['id']}", "VALIDATE") for section in sections]
    names += [("skipped", "Not measured"), ("environment", "Environment"), ("provenance", "Provenance")]
    return report.render_template(
        "validate.html.j2",
        (),
        machine=records.runs[-1].machine_name if records.runs else v.machine,
        headline=_headline(trail, profiles),
        facts=[*report.facts(records), f"seed {v.seed}"],
        sections=names,
        validations=sections,
        skipped=record_tables.skipped(records),
        environment=record_tables.environment(records),
        provenance=record_tables.files(records),
        provenance_notes=report.provenance_notes(records),
    )


def _headline(trail: Trail, profiles: dict[str, str]) -> str:
    records = accuracy.validated_records(trail)
    points = prediction_errors.predicted_points(records)
    if not blind(trail.checks(profiles)):
        return "The records do not show that the predictions came before the measurements"
    if not points:
        return "Predicted; nothing is measured yet"
    means = []
    for kind in accuracy.kinds(points):
        errors = summarise([p.error for p in accuracy.points_of_kind(records, points, kind)])
        means.append(f"{percent(errors.mean_absolute)} by {kind} models over {errors.points} cells")
    return "Mean absolute error of predictions that came before the measurements: " + ", ".join(means)


def _points(trail: Trail) -> list[prediction_errors.Point]:
    """The points of a validation that tables show, of all kinds."""
    records = accuracy.validated_records(trail)
    points = prediction_errors.predicted_points(records)
    return [p for kind in accuracy.kinds(points) for p in accuracy.points_of_kind(records, points, kind)]


def report_lines(trail: Trail, profiles: dict[str, str], beside: Sequence[Trail] = ()) -> list[str]:
    """Checks and verdicts for a terminal, one per line. `beside`: validations of other machines, for ratios."""
    signs = {True: "holds", False: "BROKEN", None: "not known"}
    found = trail.checks(profiles)
    lines = [f"{signs[check.held]:>9}  {check.what}: {check.found}" for check in found]
    records = accuracy.validated_records(trail)
    drift = accuracy.machine_drift(trail.drifts)
    for v in accuracy.verdicts(records, prediction_errors.predicted_points(records), drift):
        if v.error is None:
            continue
        verdict = v.verdict if blind(found) else "not blind"
        few = "" if v.error.high == float("inf") else f" [{percent(v.error.low)}, {percent(v.error.high)}]"
        why = f" ({v.why})" if v.why else ""
        lines.append(
            f"{verdict:>9}  {v.target.kind}, {v.target.name}: {percent(v.error.value)}{few} over {v.errors} errors, "
            f"target {percent(v.target.limit)}, beyond drift {percent(v.beyond)}{why}"
        )
    for kind, name, errors in ratios.found([*_points(trail), *(p for other in beside for p in _points(other))]):
        lines.append(
            f"{'ratios':>9}  {kind}, {name}: mean {percent(errors.mean_absolute)}, median "
            f"{percent(errors.median_absolute)} over {errors.points} ratios"
        )
    for what, name, errors in joules.found(_points(trail)):
        if what == "all":
            lines.append(
                f"{'joules':>9}  mean {percent(errors.mean_absolute)}, median {percent(errors.median_absolute)} over "
                f"{errors.points} cells"
            )
    if drift:
        lines.append(f"{'drift':>9}  the machine moved by {percent(drift)} meanwhile")
    return lines


def render(arguments: Optional[Sequence[str]] = None) -> tuple[list[str], bool]:
    """Returns the lines to print, and True if the predictions came first and the validation has ended, by which its
    file is known to be whole. Raises BadInput before writing anything."""
    options = _parser().parse_args(arguments)
    if options.out:
        writable(options.out)
    profiles = profile.by_sha256(options.profile)
    records, trail = read(options.records)
    for line in provenance.notes_on_records(records):
        print(f"check_validation.py: {line}", file=sys.stderr)
    lines = report_lines(trail, profiles, [read(path)[1] for path in options.beside])
    if options.out:
        records.trails = [trail]
        artifacts = artifacts_of.make(records)
        text = page(records, trail, artifacts, profiles)
        where = options.out / "index.html"
        try:
            for artifact in artifacts:
                artifact.write(options.out / "artifacts")
            options.out.mkdir(parents=True, exist_ok=True)
            write_whole(where, text, durable=False)
        except OSError as error:
            raise BadInput(f"--out {options.out}: {error.strerror}") from None
        lines.append(clean(str(where)))
    return lines, blind(trail.checks(profiles)) and trail.end is not None


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0; 1 if the predictions did not come first, or the validation has not ended; 2 with one line on
    standard error for bad input."""
    try:
        lines, is_proven = render(arguments)
    except BadInput as error:
        print(f"check_validation.py: {clean(' '.join(str(error).split()))}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0 if is_proven else 1
