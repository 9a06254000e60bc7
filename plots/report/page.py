"""report/index.html: one offline page with everything inline, from records alone.

Every string from a record passes through jinja2's autoescape. The only unescaped markup is our own style sheet, our own
script and the SVG that svg.py wrote, which escapes text. A content security policy names the hash of our script, so
that nothing else would run even so.
"""

from __future__ import annotations

import base64
import hashlib
import html
from dataclasses import dataclass
from typing import Any, Optional, Sequence

import jinja2
from markupsafe import Markup

from ..claims.judgement import ClaimResult
from ..analysis.error_statistics import group_by, summarise
from ..analysis import binding_resources, prediction_errors, provenance
from ..tables import error_tables, errors_by_kind, record_tables
from ..records import origins
from ..figures import style, svg
from ..validation import summary_tables
from ..figures.artifact import Artifact
from ..figures.layout import NARROW, WIDE
from ..analysis.paired_comparisons import PairedComparisons
from ..records.folders import TEMPLATES
from .ledger import ledger, tile_text
from ..records.quantities import count_text, digits, percent, seconds_text, signed_percent, threads_text
from ..records.collection import Records
from ..tables.parameter_texts import Settings
from .absent import Kept

_STYLES = ("report.css", "claims.css")
_ENDINGS = {"svg": "SVG", "pdf": "PDF", "png": "PNG", "csv": "CSV", "tex": "LaTeX"}
_TODAY = {
    "cpu2026": "CPU sorts, 2026",
    "gpu2026": "GPU sorts, 2026",
}  # titles of sections, by the start of their artifacts' ids


@dataclass(frozen=True)
class Tile:
    figure: str
    text: str


def page(
    records: Records,
    artifacts: Sequence[Artifact],
    results: Sequence[ClaimResult],
    copy_bytes_per_s: Optional[dict[int, float]] = None,
    also: Sequence[str] = (),
    with_imported: bool = False,
    profiles: Optional[dict[str, str]] = None,
    absent: Sequence[dict[str, object]] = (),
) -> str:
    """Returns the whole page as HTML.

    `copy_bytes_per_s` is by threads, from a machine profile. `also` names further endings of artifacts: png, pdf.
    `with_imported` lists unverified results in a table of their own. `profiles` are file names by SHA-256. `absent` are
    the rows of the table of what is not measured here (absent.py).
    """
    sorts = [a for a in artifacts if a.id.startswith(("CPU-", "GPU-"))]
    today = {name: [a for a in artifacts if a.id.startswith(f"{name.upper()}-")] for name in _TODAY}
    pictures = [a for a in artifacts if a.id.startswith("MODEL-ERROR")]
    placed = {a.id for a in (*sorts, *pictures, *(a for of in today.values() for a in of))}
    drawn = [a for a in artifacts if a.id.startswith("VALIDATE-")]
    papers = [a for a in artifacts if a.id not in placed | {a.id for a in drawn}]
    papers.sort(key=lambda a: not a.id.startswith("FASTEST"))  # the figure that people ask for first
    validations = sections_of_validations(records, drawn, profiles or {})
    points = prediction_errors.predicted_points(records)
    settings = Settings(m.case for m in (*records.measurements, *records.components) if m.ok)
    model = _model(records, points, pictures, copy_bytes_per_s, settings) if points else None
    sections = [("summary", "Summary"), *((a.id, a.id) for a in papers)]
    sections += [(name, title) for name, title in _TODAY.items() if today[name]]
    sections += [("sorts", "All sorts")] * bool(sorts)
    sections += [(f"validate-{v['id']}", "VALIDATE") for v in validations]
    sections += [("model", "Model error")] * bool(model)
    usual = record_tables.usual_parameters(settings)
    imported = record_tables.imported(records) if with_imported and records.imported else None
    sections += [("claims", "Claims")] + [("absent", "Not measured here")] * bool(absent)
    sections += [("skipped", "Cells without a time")] + [("imported", "Imported")] * bool(imported)
    sections += [("parameters", "Parameters")] * bool(usual.rows)
    sections += [("environment", "Environment")]
    sections += [("provenance", "Provenance")]
    return render_template(
        "report.html.j2",
        also,
        machine=records.runs[-1].machine_name if records.runs else "",
        headline=_headline(records),
        facts=facts(records),
        sections=sections,
        tiles=_tiles(records, points, results),
        best=record_tables.fastest_by_type(records),
        best_note="Uniform keys. Each row is of one run: the largest n at which a run has our sort and a peer, or else "
        f"several sorts. In ns per key, median with half its 95 % interval. {provenance.machine_text(records)}. "
        + provenance.assumed_noise_text([*records.measurements, *records.components]),
        papers_artifacts=[_shown(a) for a in papers],
        today=[(name, _TODAY[name], [_shown(a) for a in of]) for name, of in today.items() if of],
        sorts=[_shown(a) for a in sorts],
        cells=record_tables.cells(records, settings),
        components=record_tables.components(records, settings),
        validations=validations,
        model=model,
        baseline_note=_baseline_note(copy_bytes_per_s),
        ledger=ledger(results),
        claims_note=_claims_note(records),
        usual=usual,
        absent=absent,
        skipped=record_tables.skipped(records),
        imported=imported,
        environment=record_tables.environment(records),
        provenance=record_tables.files(records),
        provenance_notes=provenance_notes(records, with_imported),
        published=record_tables.published(records),
        inconsistencies=record_tables.inconsistencies(),
    )


def kept_page(kept: Sequence[Kept], also: Sequence[str]) -> str:
    """A page of tables and figures of kept records, each labelled with its machine."""
    shown = [(of.machine, [_shown(a) for a in of.artifacts]) for of in kept]
    return render_template("kept.html.j2", also, kept=shown, folder="artifacts/kept")


def figures_page(title: str, artifacts: Sequence[Artifact], also: Sequence[str]) -> str:
    """A page of some tables and figures alone."""
    return page_with_artifacts("figures_page.html.j2", artifacts, also, title=title)


def page_with_artifacts(template: str, artifacts: Sequence[Artifact], also: Sequence[str], **shown: Any) -> str:
    """A page from one of the templates that shows tables and figures."""
    return render_template(template, also, artifacts=[_shown(a) for a in artifacts], **shown)


def render_template(template: str, also: Sequence[str], **shown: Any) -> str:
    """A page from one of the templates, with style sheet and script."""
    script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    css = jinja2.Template("".join((TEMPLATES / name).read_text(encoding="utf-8") for name in _STYLES))
    page: str = environment.get_template(template).render(
        **{"folder": "artifacts", **shown},
        css=Markup(css.render(light=style.css(0), dark=style.css(1), figures=_figures())),
        endings=[(ending, name) for ending, name in _ENDINGS.items() if ending in ("svg", "csv", "tex", *also)],
        script=Markup(script),
        script_hash=Markup("sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()),
    )
    return page


def sections_of_validations(
    records: Records, artifacts: Sequence[Artifact], profiles: dict[str, str]
) -> list[dict[str, Any]]:
    """The sections of the validations, with their pictures. `profiles` are file names by SHA-256."""
    made = []
    for trail in records.trails:
        shown = summary_tables.section(trail, profiles)
        prefix = f"VALIDATE-{trail.validation.seed}" if trail.validation else ""
        shown["pictures"] = [_shown(a) for a in artifacts if a.id in (prefix, f"{prefix}-SORTS")]
        made.append(shown)
    return made


def _figures() -> str:
    """The style sheet of the figures, which takes its colours from the page."""
    return svg.SHAPES + svg.colours(lambda role: f"var(--{role})")


def _shown(artifact: Artifact) -> dict[str, Any]:
    """The values of an artifact that the template reads."""
    label = html.escape(f"{artifact.id}: {artifact.title}")
    shown: dict[str, Any] = {
        "id": artifact.id,
        "title": artifact.title,
        "legend": artifact.legend,
        "notes": artifact.notes,
        "provenance": artifact.caption.provenance,
        "grid": artifact.grid,
    }
    if artifact.grid is not None:
        return shown
    if pieces := artifact.texts.pieces:
        shown["pieces"] = [Markup(svg.inline(piece, f"{label}, {i}")) for i, piece in enumerate(pieces, 1)]
        shown["columns"] = "two" if len(pieces) in (2, 4) else "three"
    else:
        for name, width in (("wide", WIDE), ("narrow", NARROW)):
            shown[name] = Markup(svg.inline(artifact.svg(width), label))
    return shown


def _headline(records: Records) -> str:
    """The flagship (else the paper's radix sort) beside the best peer, at the largest n of a run with both."""
    wanted: dict[str, Any] = {"key_type": "u32", "value_type": "none", "distribution": "uniform"}
    sizes = sorted({m.case.n for m in records.ok(residency="host", **wanted)}, reverse=True)
    both = [PairedComparisons(records, own) for own in origins.leading(records)]
    pairs = (comparisons.find(n=n, **wanted) for comparisons in both for n in sizes)
    comparison = next((pair for pair in pairs if pair), None)
    if comparison is None:
        return "Measured, published and predicted times of sorts"
    best, peer, ratio, n = comparison.own, comparison.peer, comparison.own_over_peer, comparison.own.case.n
    return (
        f"{best.case.algorithm} sorts {count_text(n)} keys in {seconds_text(best.seconds_per_key.value * n)} on "
        f"{threads_text(best.case.threads)}: {digits(ratio.value)} [{digits(ratio.low)}, {digits(ratio.high)}] times "
        f"what the fastest library peer takes, {peer.case.algorithm} on {threads_text(peer.case.threads)}"
    )


def provenance_notes(records: Records, with_imported: bool = False) -> list[str]:
    notes = [f"{line[0].upper()}{line[1:]}." for line in provenance.notes_on_records(records)]
    if records.imported and not with_imported:
        notes.append(f"{len(records.imported)} imported results, which nobody here verified, are not shown.")
    unknown = records.unknown_algorithms()
    if unknown:
        text = "No record says whose these are, so they count as peers and stand for no role: "
        notes.append(text + ", ".join(unknown) + ".")
    return notes


def facts(records: Records) -> list[str]:
    if not records.runs:
        return ["no measurements"]
    run = records.runs[-1]
    return [
        provenance.machine_text(records),
        *([records.gpu] if records.gpu else []),
        run.started.replace("T", " ").replace("Z", " UTC"),
        f"commit {run.commit}",
    ]


def _tiles(records: Records, points: Sequence[prediction_errors.Point], results: Sequence[ClaimResult]) -> list[Tile]:
    ok = sum(m.ok for m in records.measurements)
    skipped = sum(m.status == "skipped" for m in records.measurements)
    bad = [m for m in records.measurements if not m.ok and m.status != "skipped"]
    unexpected = sum(not m.expected for m in bad)
    disturbed = sum(m.disturbed for m in records.measurements)
    tiles = [
        Tile(
            str(ok),
            f"cells verified; {skipped} skipped with a reason; {len(bad)} wrong, failed, crashed or out of time"
            + (f" ({unexpected} not expected)" if bad else ""),
        )
    ]
    if disturbed:
        tiles.append(Tile(str(disturbed), "of them disturbed (†)"))
    shown = prediction_errors.from_calibration(points)
    for where, of_place in (
        (" of CPU sorts", [p for p in shown if p.measurement.case.on_host]),
        (
            " of GPU sorts, n ≥ 2²⁰",
            [p for p in shown if p.measurement.device and p.measurement.case.n >= prediction_errors.LARGE],
        ),
    ):
        for kind in sorted({p.kind for p in of_place}):  # each kind by itself: one knows more than another
            errors = summarise([p.error for p in of_place if p.kind == kind])
            text = f"mean absolute error of the {kind} models{where} over {errors.points} cells; "
            text += f"median {percent(errors.median_absolute)}, 90 % below {percent(errors.p90_absolute)}, "
            text += f"worst {signed_percent(errors.worst)}, {percent(errors.within_15)} within ±15 %"
            tiles.append(Tile(percent(errors.mean_absolute), text))
    return tiles + [Tile(*tile_text(results))]


def _model(
    records: Records,
    points: Sequence[prediction_errors.Point],
    pictures: Sequence[Artifact],
    copy_bytes_per_s: Optional[dict[int, float]],
    settings: Settings,
) -> dict[str, Any]:
    predicted = prediction_errors.from_calibration(points) or list(points)
    shown = prediction_errors.preferred(records, predicted) or predicted
    by_model = group_by(points, lambda p: (p.model, p.kind))
    summaries: list[tuple[str, Sequence[prediction_errors.Point]]] = [
        (f"{name} ({kind})", by_model[name, kind]) for name, kind in sorted(by_model)
    ]
    for name, baseline in (
        ("baseline: best straight line through the measured times", prediction_errors.line_baseline(predicted)),
        ("baseline: bytes over copy bandwidth", prediction_errors.bytes_baseline(shown, copy_bytes_per_s)),
    ):
        summaries += [(name, baseline)] if baseline else []
    found = binding_resources.agreements(records)
    details = [error_tables.points_table(points, settings), error_tables.phase_errors(shown, settings)]
    details.append(error_tables.phases_table(_in_detail(shown), settings))
    papers = prediction_errors.papers_points(records)
    return {
        "overall": error_tables.error_summaries(summaries),
        "kinds": errors_by_kind.tables(errors_by_kind.error_groups(records, points)),
        "kinds_note": errors_by_kind.TABLE_NOTE,
        "plug_ins": error_tables.plug_in_errors(
            prediction_errors.errors_by_plug_in(points, copy_bytes_per_s), settings
        ),
        "families_note": error_tables.FAMILIES,
        "groups": error_tables.error_groups(shown),
        "pictures": [_shown(picture) for picture in pictures],
        "bindings": error_tables.binding_agreement(found, settings) if found else None,
        "bindings_note": _bindings_note(found),
        "papers": error_tables.papers_models(papers) if papers else None,
        "tables": details,
    }


def _in_detail(points: Sequence[prediction_errors.Point]) -> list[prediction_errors.Point]:
    """The points whose phases are listed one by one: all on the host, and on a GPU the largest n of uniform keys."""
    largest: dict[tuple[str, str, str], prediction_errors.Point] = {}
    for p in points:
        c = p.measurement.case
        key = (c.algorithm, c.parameters_text, c.type_name)
        if not c.on_host and c.distribution == "uniform":
            if key not in largest or c.n > largest[key].measurement.case.n:
                largest[key] = p
    return [p for p in points if p.measurement.case.on_host] + list(largest.values())


def _bindings_note(found: Sequence[binding_resources.Binding]) -> str:
    if not found:
        return ""
    shares = []
    for kind in sorted({b.kind for b in found}):
        of = [b for b in found if b.kind == kind]
        shares.append(
            f"{percent(binding_resources.share_agreeing(of))} of {sum(b.passes for b in of)} kernels by {kind} models"
        )
    return (
        f"Model and counters name the same binding resource for {', '.join(shares)}. A multiprocessor is bound by "
        "issue or by shared memory; latency is what remains where no resource is much used. Shares are of its peak."
    )


def _baseline_note(copy_bytes_per_s: Optional[dict[int, float]]) -> str:
    text = (
        "Beside the models stand the best straight line a + b·n through the measured times of each series, and keys "
        "and values read and written once at the copy bandwidth"
    )
    if not copy_bytes_per_s:
        return text + " where a prediction names it."
    of_threads = sorted(copy_bytes_per_s.items())
    rates = ", ".join(f"{digits(rate / 1e9)} GB/s on {threads_text(threads)}" for threads, rate in of_threads)
    return text + f" (as a prediction names it, else {rates}, read + written)."


def _claims_note(records: Records) -> str:
    where = provenance.machine_text(records) if records.runs else "no machine yet"
    gpus = dict.fromkeys(gpu for gpu in (records.gpu, *(other.gpu for other in records.others())) if gpu)
    with_gpu = f" with an {' or, where that has no records, an '.join(gpus)}" if gpus else ""
    return (
        f"What each paper says beside what was found here, on {where}{with_gpu}. A line opens: the paper's words, each "
        "condition, its figure with the 95 % interval. An absolute figure of a paper's machine is shown beside, never "
        "judged against another machine."
    )
