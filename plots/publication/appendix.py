"""The appendix of an artifact, from records alone: machine, software, time, and a row for each claim of the papers."""

from __future__ import annotations

from typing import Optional, Sequence

from ..analysis import provenance
from ..claims.judgement import ClaimResult
from ..claims.verdicts import MEANINGS
from ..records.collection import Records
from . import machine_facts
from .document import Commands, Section, Table

_CLAIM_SHARES = (0.08, 0.15, 0.22, 0.21, 0.16, 0.09)
_DECIDES_NOTHING = "–"


def sections(records: Records, results: Sequence[ClaimResult], crate: Optional[str]) -> list[Section]:
    """The appendix. `crate` describes the files beside it, or is None if they are not there."""
    made = [
        Section("Abstract", [_abstract(records, results)]),
        Section("Hardware", [_facts(machine_facts.hardware(records))]),
        Section("Software", [_facts(machine_facts.software(records))]),
        Section(
            "Time",
            [
                _facts(machine_facts.effort(records)),
                "The time of the timed sorts is a lower bound: making inputs, warm-ups, verification and calibration "
                "take as long again or longer.",
            ],
        ),
        Section("Installation and workflow", _workflow(records)),
        Section("Evaluation and expected results", [_verdicts(results)]),
    ]
    papers: dict[str, list[ClaimResult]] = {}
    for result in results:
        papers.setdefault(result.title, []).append(result)
    made += [Section(title, [claims_table(of)], level=2) for title, of in papers.items()]
    if crate is not None:
        made.append(Section("Records", [crate]))
    return made


def claims_table(results: Sequence[ClaimResult]) -> Table:
    rows = [(r.id, command(r), r.proposition, r.found, tolerance(r), r.verdict) for r in results]
    return Table(("Claim", "Command", "Expected", "Found", "Tolerance", "Verdict"), rows, _CLAIM_SHARES, code=(1,))


def command(result: ClaimResult) -> str:
    """The command that measures what decides a claim; empty for arithmetic on the paper's numbers."""
    if result.arithmetic:
        return ""
    return f"./run_all.sh --config {result.config}" if result.config else f"./run_all.sh --paper {result.book}"


def tolerance(result: ClaimResult) -> str:
    """The condition of each part that decides the claim: the values that count as the paper's."""
    deciding = [part for part in result.parts if not part.beside and part.condition]
    decided = [part for part in deciding if part.decides]
    asked = [(part.name, f"{part.condition} {part.rule}".strip()) for part in decided or deciding]
    texts = [f"{name}: {condition}" if name else condition for name, condition in asked]
    return "; ".join(dict.fromkeys(texts)) or _DECIDES_NOTHING


def _abstract(records: Records, results: Sequence[ClaimResult]) -> str:
    gpus = machine_facts.gpus(records)
    with_gpu = f" with {', '.join(gpus)}" if gpus else ""
    return (
        f"Measurements of sorts by Sortlab on {provenance.machine_text(records)}{with_gpu}, every sample of which was "
        f"verified, and what they say of {len(results)} claims of published papers. All that follows is computed from "
        "the records; no number was entered by hand."
    )


def _facts(facts: dict[str, str]) -> Table:
    return Table(("Fact", "Value"), list(facts.items()), (0.25, 0.70))


def _workflow(records: Records) -> list[str | Commands]:
    commits = list(dict.fromkeys(str(run.build.get("commit") or "") for run in records.runs))
    checkouts = [f"git checkout {commit}" for commit in commits if commit][-1:]
    return [
        "In a clone of Sortlab, on Debian 12 or 13 or Ubuntu 24.04. The first command installs, builds, calibrates, "
        "measures, predicts and writes a report; the second writes this appendix from the records of the first. The "
        "command of a claim measures what decides this claim alone.",
        Commands(
            [
                *checkouts,
                "./run_all.sh",
                "build/release/sortlab artifact --records results/local/* --author NAME --out artifact",
            ]
        ),
    ]


def _verdicts(results: Sequence[ClaimResult]) -> Table:
    rows = []
    for verdict, meaning in MEANINGS.items():
        of = [r for r in results if r.verdict == verdict]
        computed = sum(r.arithmetic for r in of)
        count = f"{len(of)}" + (f" ({computed} by arithmetic)" if computed else "")
        rows.append((verdict, meaning, count))
    return Table(("Verdict", "Meaning", "Claims"), rows, (0.2, 0.5, 0.25))
