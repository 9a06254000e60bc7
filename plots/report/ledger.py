"""The ledger of claims as the page shows it: by paper, one line a claim, and everything else on demand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Sequence

from ..claims.judgement import ClaimResult
from ..claims.verdicts import DIRECTION, FAILS, HOLDS, IN_PART, MEANINGS, NOT_MEASURED, NOT_TESTABLE, OPEN, REVERSED
from ..claims.verdicts import RULE_MEANINGS, UNDECIDED, VERDICTS

KINDS = {  # classes of the style sheet
    HOLDS: "holds",
    DIRECTION: "direction",
    IN_PART: "in-part",
    UNDECIDED: "undecided",
    REVERSED: "reversed",
    FAILS: "fails",
    NOT_MEASURED: "unmeasured",
    NOT_TESTABLE: "untestable",
}
ARITHMETIC = "by arithmetic"
ALL_PAPERS = "all papers"


@dataclass(frozen=True)
class Counts:
    """The number of a paper's claims by verdict; those that follow from arithmetic apart."""

    title: str
    by_verdict: dict[str, int]
    arithmetic: str

    @classmethod
    def of(cls, title: str, results: Iterable[ClaimResult]) -> "Counts":
        judged = list(results)
        measured = [r.verdict for r in judged if not r.arithmetic]
        computed = [r.verdict for r in judged if r.arithmetic]
        good = computed.count(HOLDS)
        told = f"{good} of {len(computed)} hold" if good != len(computed) else f"{good} hold" if good else "–"
        return cls(title, {verdict: measured.count(verdict) for verdict in VERDICTS}, told)


def ledger(results: Sequence[ClaimResult]) -> dict[str, Any]:
    """The values of the template claims.html.j2."""
    papers: dict[str, list[ClaimResult]] = {}
    of_papers = [r for r in results if not r.own]
    for r in results:
        papers.setdefault(r.title, []).append(r)
    return {
        "kinds": KINDS,
        "meanings": MEANINGS,
        "rules": RULE_MEANINGS,
        "open": OPEN,
        "counts": [
            *(Counts.of(title, of) for title, of in papers.items() if not of[0].own),
            Counts.of(ALL_PAPERS, of_papers),
            *(Counts.of(title, of) for title, of in papers.items() if of[0].own),
        ],
        "papers": papers,
        "arithmetic": ARITHMETIC,
        "all_papers": ALL_PAPERS,
    }


def tile_text(results: Sequence[ClaimResult]) -> tuple[str, str]:
    """Numbers of the papers' claims judged, and of each verdict."""
    results = [r for r in results if not r.own]
    counts = Counts.of("", results).by_verdict
    decided = sum(count for verdict, count in counts.items() if verdict not in OPEN)
    said = [f"{counts[v]} {text}" for v, text in _TILE.items() if counts[v]]
    computed = sum(r.arithmetic for r in results)
    apart = f"; {computed} more by arithmetic alone" if computed else ""
    return f"{decided} of {sum(counts.values())}", f"claims judged: {', '.join(said) or 'none'}{apart}"


_TILE = {
    HOLDS: "hold",
    DIRECTION: "have the right direction",
    IN_PART: "hold in part",
    UNDECIDED: "undecided",
    REVERSED: "reversed",
    FAILS: "fail",
}
