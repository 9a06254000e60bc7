"""Judges claims by records: a verdict (verdicts.py) and one sentence of what was found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Iterable, Optional, Sequence

from ..records.collection import Records
from ..records.jsonl import BadInput
from ..records.machines import host_id
from . import findings, words
from .books import Book, books
from .claim import Claim, Part
from .selection import Runs, Selection
from .verdicts import DIRECTION, HOLDS, NOT_JUDGED, NOT_MEASURED, NOT_TESTABLE, OPEN, all_of

MODEL_FAILS, ONLY_PREDICTED = "the model fails", "predicted only"
_TOLD_BESIDE = 4


@dataclass(frozen=True)
class PartResult:
    name: str
    beside: bool  # decides nothing
    adapted: str  # stand-in for the paper's own, if any
    arithmetic: bool
    verdict: str
    decides: bool  # counts for the claim's verdict
    predicted: bool  # prediction of a model
    condition: str  # the condition in words
    rule: str  # the cases that must meet it; empty for one case
    figure: str  # the measured figure with its interval, in the condition's unit
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
    model: str  # note that the model fails, or that nothing else was tried; empty if neither
    unmeasured: bool  # some parts lack records, and others have a verdict
    partial: bool  # some parts cannot be tested, and others have a verdict
    parts: tuple[PartResult, ...]
    own: bool = False  # a statement of this project, not of a paper

    @property
    def arithmetic(self) -> bool:
        """True if the claim follows from arithmetic, and no machine can decide it."""
        return self.platform == "arithmetic"

    @property
    def adapted(self) -> tuple[str, ...]:
        """Stand-ins for the paper's own in the parts that decide."""
        deciding = [p for p in self.parts if p.adapted and p.decides]
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
            if not any(p.answer.is_open and p.answer.on.asked for p in stated):
                break
            there = claim.parts(Runs(other, book.roles))
            stated = [b if _decides(b) and not _decides(a) else a for a, b in zip(stated, there)]
    except (ArithmeticError, ValueError) as error:  # odd values of a record, and not the claim's own fault
        stated, odd = [], f"These records cannot be judged ({type(error).__name__}: {error})."
    except Exception as error:
        raise BadInput(f"{book.where}: {claim.id} cannot be judged ({type(error).__name__}: {error})") from error
    parts, model = _judged([_part(part, claim) for part in stated])
    counted = [p for p in parts if p.decides]
    left_open = {p.verdict for p in parts if p.verdict in OPEN and not p.beside}
    verdict = all_of([p.verdict for p in counted])
    # A claim with predictions alone is not measured, unless no run could measure it.
    if not counted and (NOT_MEASURED in left_open or model == ONLY_PREDICTED and not left_open):
        verdict = NOT_MEASURED
    if verdict in OPEN:
        stated, parts = _beside_unjudged(stated, parts)
    return ClaimResult(
        id=claim.id,
        book=book.name,
        paper=book.paper,
        title=book.title,
        own=book.own,
        section=claim.section,
        platform=claim.platform,
        proposition=claim.sentence,
        quote=claim.quote,
        found=odd or _found(claim, verdict, list(zip(stated, parts))),
        inconsistency=claim.inconsistency,
        config=claim.config,
        verdict=verdict,
        model=model,
        unmeasured=bool(counted) and NOT_MEASURED in left_open,
        partial=bool(counted) and NOT_TESTABLE in left_open,
        parts=parts,
    )


def _beside_unjudged(stated: Sequence[Part], parts: Sequence[PartResult]) -> tuple[list[Part], tuple[PartResult, ...]]:
    """Takes the verdicts of the parts beside a claim that is not judged; their figures stay."""
    pairs = [
        (replace(part, answer=replace(part.answer, verdict=NOT_TESTABLE, reason=part.answer.cases)), result)
        if part.beside and not part.answer.is_open
        else (part, result)
        for part, result in zip(stated, parts)
    ]
    results = (
        replace(result, verdict=NOT_JUDGED, reason=part.answer.cases)
        if result.beside and result.verdict not in OPEN
        else result
        for part, result in pairs
    )
    return [part for part, _ in pairs], tuple(results)


def _judged(parts: Sequence[PartResult]) -> tuple[tuple[PartResult, ...], str]:
    """The parts, and a note on a model's predictions, which decide nothing: a model cannot confirm itself."""
    counted = [p for p in parts if p.decides]
    predicted = [p.verdict for p in counted if p.predicted]
    if not predicted:
        return tuple(parts), ""
    model = "" if all_of(predicted) in (HOLDS, DIRECTION) else MODEL_FAILS
    if len(predicted) == len(counted):
        model = ONLY_PREDICTED
    return tuple(replace(p, decides=p.decides and not p.predicted) for p in parts), model


def _decides(part: Part) -> bool:
    return not part.answer.is_open


def _part(part: Part, claim: Claim) -> PartResult:
    verdict, reason = part.answer.verdict, part.answer.reason
    if part.figure_of:
        if not part.answer.is_open:
            reason = words.belongs_to(part.answer.cases, part.figure_of)
        elif verdict == NOT_MEASURED:
            reason = words.nothing_beside(reason, part.figure_of)
        verdict = NOT_TESTABLE
    elif verdict == NOT_MEASURED:
        reason = words.with_remedy(reason, part.config or claim.config, _where(part))
    return PartResult(
        name=part.name,
        beside=part.beside,
        adapted=_adapted(part),
        arithmetic=part.answer.arithmetic,
        verdict=verdict,
        # Arithmetic decides nothing about a machine.
        decides=not part.beside
        and verdict not in OPEN
        and (claim.platform == "arithmetic" or not part.answer.arithmetic),
        predicted=part.answer.predicted,
        condition=findings.condition_text(part.answer),
        rule=part.answer.rule,
        figure="" if part.answer.is_open else findings.figure_text(part.answer),
        reason=reason,
    )


def _adapted(part: Part) -> str:
    """Stand-ins for the paper's own that the part names, or the roles of its sorts."""
    roles = [role.get("adapted", "") for role in _roles(part)]
    return "; ".join(dict.fromkeys(text for text in (part.adapted, *roles) if text))


def _where(part: Part) -> str:
    """A machine that can measure the part: that of its reason, its own, or one that can run its sorts."""
    if part.answer.on.where or part.machine:
        return part.answer.on.where or part.machine
    needs = dict.fromkeys(role["needs"] for role in _roles(part) if role.get("needs"))
    return f"a host with {' and '.join(needs)}" if needs else "any host"


def _roles(part: Part) -> list[dict[str, Any]]:
    """Facts of the roles of the part's sorts, as in roles.json."""
    asked = [one for value in part.answer.on.asked.values() for one in (value if isinstance(value, list) else [value])]
    return [one.roles[one.role] for one in asked if isinstance(one, Selection)]


def _found(claim: Claim, verdict: str, pairs: Sequence[tuple[Part, PartResult]]) -> str:
    """The sentence of what was found, or of why nothing was; then what is beside the claim and tells another story."""
    of_paper = [(part, result) for part, result in pairs if not part.beside]
    decided = [part for part, result in pairs if result.decides]
    # A model's predictions come last.
    shown = [*decided, *(part for part, r in of_paper if r.predicted and r.verdict not in OPEN and not r.decides)]
    told = _told_arithmetic(claim, pairs) + _told_beside(verdict, pairs)
    if shown:
        begin = _begin(claim, decided or shown)
        if all(part.group for part in shown):
            found = findings.sentence_by_group([(part.group, part.answer) for part in shown], begin)
        else:
            found = findings.sentence([(part.name, part.answer) for part in shown], begin)
        return found + _told_figures(of_paper) + told + _left_open(of_paper)
    figures = [part for part, result in of_paper if part.figure_of and not part.answer.is_open]
    if figures:
        found = findings.found_elsewhere([(part.name, part.answer) for part in figures], figures[0].figure_of)
        return found + told + _left_open(of_paper)
    # The reason of a figure of another machine comes last: it says less of the claim.
    without = sorted(of_paper, key=lambda pair: bool(pair[0].figure_of))
    missing = [result.reason for _, result in without if result.verdict == verdict]
    reason = missing[0] if missing else "nothing measured"
    return f"{reason[0].upper()}{reason[1:]}.{told}"


def _told_figures(of_paper: Sequence[tuple[Part, PartResult]]) -> str:
    """Sentence of the figures of another machine that a claim with a verdict has told."""
    told = [part for part, _ in of_paper if part.told and part.figure_of and not part.answer.is_open]
    answers = [(part.name, part.answer) for part in told]
    return f" {findings.found_elsewhere(answers, told[0].figure_of, 'Not judged')}" if told else ""


def _told_arithmetic(claim: Claim, pairs: Sequence[tuple[Part, PartResult]]) -> str:
    """Sentence of the arithmetic on the paper's numbers that a claim about a machine has told."""
    of_numbers = [(part.name, part.answer) for part, r in pairs if part.told and r.arithmetic and not r.decides]
    return f" {findings.sentence(of_numbers, f'By {words.PAPERS_NUMBERS},', True)}" if of_numbers else ""


def _told_beside(verdict: str, pairs: Sequence[tuple[Part, PartResult]]) -> str:
    """Sentence of the first parts beside the claim whose verdict differs from its own, or that are told anyway."""
    of_others = [
        part for part, r in pairs if part.beside and r.verdict not in OPEN and (part.told or r.verdict != verdict)
    ]
    others = [(part.name, part.answer) for part in of_others]
    differ = len({answer.verdict for _, answer in others[:_TOLD_BESIDE]}) > 1
    return f" {findings.sentence(others[:_TOLD_BESIDE], 'Beside it', differ)}" if others else ""


def _left_open(of_paper: Sequence[tuple[Part, PartResult]]) -> str:
    """Names the parts without a verdict, but for figures of another machine; those that are told, with the reason."""
    named = [
        (f"{part.name} ({r.reason})" if part.told else part.name, r.verdict)
        for part, r in of_paper
        if r.verdict in OPEN and part.name and not part.figure_of
    ]
    lists = [[name for name, verdict in named if verdict == wanted] for wanted in OPEN]
    return words.left_open(*lists)


def _begin(claim: Claim, decided: Sequence[Part]) -> str:
    """The first words of the sentence of what was found: whose numbers these are."""
    if claim.platform == "arithmetic":
        return f"By {decided[0].answer.on.asked.get('source', words.PAPERS_NUMBERS)}"
    return "Elsewhere," if all(part.answer.elsewhere for part in decided) else "Here"
