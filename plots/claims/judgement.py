"""Judges claims by records: each holds, fails, is undecided, or is not testable here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional, Sequence

from ..records.collection import Records
from ..records.jsonl import BadInput
from . import words
from .books import Book, books
from .claim import Claim, Part
from .selection import Runs
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
    """All claims of the books, by default of the papers', or those of some papers ("satish2010"), judged by one
    machine's records. Raises BadInput for a claim whose function fails."""
    return [
        _claim(claim, book, Runs(records, book.roles))
        for book in ledger or books()
        if papers is None or book.name in papers
        for claim in book.claims
    ]


def _claim(claim: Claim, book: Book, runs: Runs) -> ClaimResult:
    try:
        parts = tuple(_part(part, claim) for part in claim.parts(runs))
    except Exception as error:
        raise BadInput(f"{book.where}: {claim.id} cannot be judged ({type(error).__name__}: {error})") from error
    counted = [p for p in parts if not p.adapted and p.verdict != NOT_TESTABLE]
    # Arithmetic alone decides nothing about a machine.
    if claim.platform != "arithmetic" and all(p.arithmetic for p in counted):
        counted = []
    verdict = all_of([p.verdict for p in counted]) if counted else NOT_TESTABLE
    partial = bool(counted) and len(counted) < sum(not p.adapted for p in parts)
    if claim.whole and partial and verdict == HOLDS:
        verdict = UNDECIDED
    return ClaimResult(
        id=claim.id,
        paper=book.paper,
        section=claim.section,
        platform=claim.platform,
        proposition=claim.sentence,
        inconsistency=claim.inconsistency,
        config=claim.config,
        verdict=verdict,
        partial=partial,
        parts=parts,
    )


def _part(part: Part, claim: Claim) -> PartResult:
    verdict, figure, reason = part.answer.verdict, part.answer.figure, part.answer.reason
    if verdict == NOT_TESTABLE:
        reason = words.with_config(reason, part.config or claim.config)
    elif part.figure_of:
        verdict, reason = NOT_TESTABLE, words.belongs_to(part.answer.cases, part.figure_of)
    return PartResult(part.name, part.adapted, part.answer.arithmetic, verdict, figure, reason)
