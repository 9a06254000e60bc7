"""Judges claims by records: a verdict (verdicts.py) and one sentence of what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional, Sequence

from ..records.collection import Records
from ..records.jsonl import BadInput
from ..records.machines import host_id
from . import findings, words
from .books import Book, books
from .claim import Claim, Part
from .selection import Runs, Selection
from .verdicts import HOLDS, NOT_TESTABLE, UNDECIDED, all_of


@dataclass(frozen=True)
class PartResult:
    name: str
    beside: bool  # decides nothing
    adapted: str  # stand-in for the paper's own, if any
    arithmetic: bool
    verdict: str
    condition: str  # the condition in words
    figure: str  # the measured figure with its interval
    reason: str  # why it is not testable, or what the figure is of


@dataclass(frozen=True)
class ClaimResult:
    id: str
    book: str  # as --paper takes it: satish2010
    paper: str  # the prefix of the paper's claims
    title: str  # the paper's
    section: str
    platform: str
    proposition: str
    quote: str
    found: str  # one sentence
    inconsistency: str
    config: str
    verdict: str
    partial: bool  # some parts could not be tested
    parts: tuple[PartResult, ...]

    @property
    def arithmetic(self) -> bool:
        """True if the claim follows from the paper's own numbers, and no machine can decide it."""
        return self.platform == "arithmetic"

    @property
    def adapted(self) -> tuple[str, ...]:
        """Stand-ins for the paper's own in the parts that decide."""
        deciding = [p for p in self.parts if p.adapted and not p.beside and p.verdict != NOT_TESTABLE]
        return tuple(dict.fromkeys(text for p in deciding for text in p.adapted.split("; ")))

    @property
    def beside(self) -> tuple[PartResult, ...]:
        return tuple(part for part in self.parts if part.beside)


def judge(records: Records, papers: Optional[Iterable[str]] = None, ledger: Sequence[Book] = ()) -> list[ClaimResult]:
    """All claims of the books, by default of the papers', or those of some papers ("satish2010"), judged by one
    machine's records.

    A part that this machine's records cannot decide is judged by another GPU of the same host, wholly by that one.
    Raises BadInput for a claim whose function fails.
    """
    others = [other for other in records.others() if _on_same_host(records, other)]
    return [
        _claim(claim, book, records, others)
        for book in ledger or books()
        if papers is None or book.name in papers
        for claim in book.claims
    ]


def _on_same_host(records: Records, other: Records) -> bool:
    return bool(records.machine and other.machine) and host_id(records.machine or "") == host_id(other.machine or "")


def _claim(claim: Claim, book: Book, records: Records, others: Sequence[Records]) -> ClaimResult:
    odd = ""
    try:
        stated = list(claim.parts(Runs(records, book.roles)))
        for other in others:
            if not any(p.answer.verdict == NOT_TESTABLE and p.answer.on.asked for p in stated):
                break
            there = claim.parts(Runs(other, book.roles))
            stated = [b if _decides(b) and not _decides(a) else a for a, b in zip(stated, there)]
    except (ArithmeticError, ValueError) as error:  # odd values of a record, and not the claim's own fault
        stated, odd = [], f"These records cannot be judged ({type(error).__name__}: {error})."
    except Exception as error:
        raise BadInput(f"{book.where}: {claim.id} cannot be judged ({type(error).__name__}: {error})") from error
    parts = tuple(_part(part, claim) for part in stated)
    counted = [p for p in parts if not p.beside and p.verdict != NOT_TESTABLE]
    if claim.platform != "arithmetic":
        counted = [p for p in counted if not p.arithmetic]  # arithmetic decides nothing about a machine
    verdict = all_of([p.verdict for p in counted])
    partial = bool(counted) and any(p.verdict == NOT_TESTABLE and not p.beside for p in parts)
    if claim.whole and partial and verdict == HOLDS:
        verdict = UNDECIDED
    return ClaimResult(
        id=claim.id,
        book=book.name,
        paper=book.paper,
        title=book.title,
        section=claim.section,
        platform=claim.platform,
        proposition=claim.sentence,
        quote=claim.quote,
        found=odd or _found(claim, stated, parts),
        inconsistency=claim.inconsistency,
        config=claim.config,
        verdict=verdict,
        partial=partial,
        parts=parts,
    )


def _decides(part: Part) -> bool:
    return part.answer.verdict != NOT_TESTABLE


def _part(part: Part, claim: Claim) -> PartResult:
    verdict, figure, reason = part.answer.verdict, part.answer.figure, part.answer.reason
    if verdict == NOT_TESTABLE:
        reason = words.with_config(reason, part.config or claim.config)
    elif part.figure_of:
        verdict, reason = NOT_TESTABLE, words.belongs_to(part.answer.cases, part.figure_of)
    return PartResult(
        name=part.name,
        beside=part.beside,
        adapted=_adapted(part),
        arithmetic=part.answer.arithmetic,
        verdict=verdict,
        condition=findings.condition_text(part.answer),
        figure=figure,
        reason=reason,
    )


def _adapted(part: Part) -> str:
    """Stand-ins for the paper's own that the part names, or the roles of its sorts."""
    asked = [one for value in part.answer.on.asked.values() for one in (value if isinstance(value, list) else [value])]
    roles = [one.roles[one.role].get("adapted", "") for one in asked if isinstance(one, Selection)]
    return "; ".join(dict.fromkeys(text for text in (part.adapted, *roles) if text))


def _found(claim: Claim, stated: Sequence[Part], parts: Sequence[PartResult]) -> str:
    """The sentence of what was found, or of why nothing was."""
    pairs = list(zip(stated, parts))
    of_paper = [(part, result) for part, result in pairs if not part.beside]
    decided = [part for part, result in of_paper if result.verdict != NOT_TESTABLE]
    measured = [part for part in decided if not part.answer.arithmetic or claim.platform == "arithmetic"]
    if measured:
        begin = "By the paper’s numbers" if claim.platform == "arithmetic" else "Here"
        return findings.sentence([(part.name, part.answer) for part in measured], begin)
    figures = [part for part, result in of_paper if part.figure_of and part.answer.verdict != NOT_TESTABLE]
    if figures:
        return findings.found_elsewhere([(part.name, part.answer) for part in figures], figures[0].figure_of)
    missing = [result.reason for _, result in of_paper if result.verdict == NOT_TESTABLE]
    reason = missing[0] if missing else "nothing measured"
    return f"{reason[0].upper()}{reason[1:]}."
