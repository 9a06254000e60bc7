"""Judges the claims of the ledger (ledger/README.md) by records: holds, fails, undecided, or not testable here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Sequence

from .query import Query
from .quantities import NotTestable
from ..records.jsonl import BadInput
from .books import Book, books
from ..records.collection import Records
from .verdicts import HOLDS, NOT_TESTABLE, UNDECIDED, all_of


@dataclass(frozen=True)
class PartResult:
    name: str
    adapted: bool
    arithmetic: bool
    verdict: str
    figure: str  # the measured figure with its interval
    reason: str  # why it is not testable, or what the figure is of


@dataclass(frozen=True)
class ClaimResult:
    id: str
    paper: str
    section: str
    platform: str
    proposition: str
    inconsistency: str
    config: str
    verdict: str
    partial: bool  # some parts could not be tested
    parts: tuple[PartResult, ...]

    @property
    def adapted(self) -> tuple[PartResult, ...]:
        return tuple(part for part in self.parts if part.adapted)


def judge(records: Records, papers: Optional[Iterable[str]] = None, ledger: Sequence[Book] = ()) -> list[ClaimResult]:
    """All claims of the ledger, by default of the papers', or those of some papers ("satish2010"), judged by one
    machine's records. Raises BadInput for a claim that cannot be read."""
    results = []
    for book in ledger or books():
        if papers is None or book.name in papers:
            results += [_claim(claim, book, Query(records, book.sorts)) for claim in book.claims]
    return results


def _claim(claim: dict[str, Any], book: Book, query: Query) -> ClaimResult:
    try:
        parts = tuple(_part(part, claim, query) for part in claim["parts"])
    except (KeyError, TypeError, ValueError) as error:
        why = f"{type(error).__name__}: {error}"
        raise BadInput(f"{book.where}: {claim['id']}: no query that can be answered ({why})") from error
    counted = [p for p in parts if not p.adapted and p.verdict != NOT_TESTABLE]
    # Arithmetic alone decides nothing about a machine.
    if claim["platform"] != "arithmetic" and all(p.arithmetic for p in counted):
        counted = []
    verdict = all_of([p.verdict for p in counted]) if counted else NOT_TESTABLE
    partial = bool(counted) and len(counted) < sum(not p.adapted for p in parts)
    if claim.get("whole") and partial and verdict == HOLDS:
        verdict = UNDECIDED
    return ClaimResult(
        id=claim["id"],
        paper=book.paper,
        section=claim["section"],
        platform=claim["platform"],
        proposition=claim["proposition"],
        inconsistency=claim.get("inconsistency", ""),
        config=claim.get("config", ""),
        verdict=verdict,
        partial=partial,
        parts=parts,
    )


def _part(part: dict[str, Any], claim: dict[str, Any], query: Query) -> PartResult:
    verdict, figure, reason = NOT_TESTABLE, "", ""
    try:
        verdict, figure, reason = query.answer(part["query"])
    except NotTestable as why:
        reason = str(why)
        config = part.get("config") or claim.get("config")
        if reason.startswith("no record") and config:
            reason += f"; run {config}"
    if "figure_of" in part and verdict != NOT_TESTABLE:
        cases = re.sub(r", \d+ hold and \d+ fail", "", reason)
        verdict, reason = NOT_TESTABLE, f"{cases}; the paper’s figure is of the {part['figure_of']} itself"
    adapted = bool(part.get("adapted"))
    return PartResult(part.get("name", ""), adapted, "value" in part["query"], verdict, figure, reason)
