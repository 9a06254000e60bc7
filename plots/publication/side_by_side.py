"""Two machines side by side: what they are, what each finds of the papers' claims, and the cells that both measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Sequence

from ..claims.judgement import ClaimResult
from ..claims.verdicts import OPEN
from ..records import statistics
from ..records.collection import Records
from ..records.measurement import Measurement
from ..records.quantities import count_text, digits, threads_text
from ..records.statistics import Interval
from . import machine_facts


@dataclass(frozen=True)
class Fact:
    name: str
    mine: str
    theirs: str

    @property
    def differs(self) -> bool:
        return self.mine != self.theirs


@dataclass(frozen=True)
class Finding:
    """A claim as each machine's records judge it."""

    mine: ClaimResult
    theirs: ClaimResult

    @property
    def differs(self) -> bool:
        return self.mine.verdict != self.theirs.verdict

    @property
    def is_decided(self) -> bool:
        """True if both machines decide it."""
        return self.mine.verdict not in OPEN and self.theirs.verdict not in OPEN


@dataclass(frozen=True)
class Shared:
    """A cell that both machines verified."""

    mine: Measurement
    theirs: Measurement

    @property
    def ratio(self) -> Interval:
        """Their time over mine, below 1 where theirs is faster."""
        return self.theirs.over(self.mine)


@dataclass(frozen=True)
class Summary:
    """The shared cells of one sort, type and processor."""

    algorithm: str
    type_name: str
    processors: str
    cells: int
    sizes: str
    median: float
    least: float
    greatest: float


def facts(mine: Records, theirs: Records) -> list[Fact]:
    sides = [
        {**machine_facts.hardware(r), **machine_facts.software(r), **machine_facts.effort(r)} for r in (mine, theirs)
    ]
    names = dict.fromkeys([*sides[0], *sides[1]])
    return [Fact(name, sides[0].get(name, "–"), sides[1].get(name, "–")) for name in names]


def findings(mine: Sequence[ClaimResult], theirs: Sequence[ClaimResult]) -> list[Finding]:
    """The claims that a machine can decide: first those that both decide and not alike, last those that one does."""
    of_theirs = {result.id: result for result in theirs}
    pairs = [Finding(result, of_theirs[result.id]) for result in mine if not result.arithmetic]
    return sorted(pairs, key=lambda pair: (not pair.is_decided, not pair.differs))


def shared(mine: Records, theirs: Records) -> list[Shared]:
    """The cells that both verified: the same sort, settings, input and number of threads."""
    of_theirs = {m.cell: m for m in _verified(theirs)}
    found = [Shared(m, of_theirs[m.cell]) for m in _verified(mine) if m.cell in of_theirs]
    return sorted(found, key=lambda one: (*_group(one), one.mine.case.distribution, one.mine.case.n))


def _verified(records: Records) -> list[Measurement]:
    return [m for m in (*records.measurements, *records.components) if m.ok and m.case.n > 0]


def _group(one: Shared) -> tuple[str, str, str]:
    case = one.mine.case
    on = [m.device or threads_text(m.case.threads) for m in (one.mine, one.theirs)]
    return case.algorithm, case.type_name, " / ".join(dict.fromkeys(on))


def summaries(found: Iterable[Shared]) -> list[Summary]:
    groups: dict[tuple[str, str, str], list[Shared]] = {}
    for one in found:
        groups.setdefault(_group(one), []).append(one)
    made = []
    for (algorithm, type_name, processors), of in groups.items():
        ratios = [one.ratio.value for one in of]
        ends = [count_text(n) for n in (min(o.mine.case.n for o in of), max(o.mine.case.n for o in of))]
        sizes = " … ".join(dict.fromkeys(ends))
        least, greatest = min(ratios), max(ratios)
        median = statistics.median(ratios)
        made.append(Summary(algorithm, type_name, processors, len(of), sizes, median, least, greatest))
    return made


HEADER = ("algorithm", "parameters", "type", "distribution", "n", "processor_mine", "processor_theirs", "cell")
TIMES = ("median_mine_s", "ci95_low_mine_s", "ci95_high_mine_s", "median_theirs_s", "ci95_low_theirs_s")
RATIO = ("ci95_high_theirs_s", "theirs_over_mine", "ci95_low", "ci95_high")


def rows(found: Iterable[Shared]) -> tuple[Sequence[str], list[Sequence[Any]]]:
    """Header and rows of the CSV of all shared cells."""
    made: list[Sequence[Any]] = []
    for one in found:
        case = one.mine.case
        on = [m.device or threads_text(m.case.threads) for m in (one.mine, one.theirs)]
        named = (case.algorithm, case.parameters_text, case.type_name, case.distribution, case.n, *on, one.mine.cell)
        sides = [one.mine.seconds, one.theirs.seconds, one.ratio]
        made.append((*named, *(value for i in sides if i for value in (i.value, i.low, i.high))))
    return (*HEADER, *TIMES, *RATIO), made


def headline(pairs: Sequence[Finding], found: Sequence[Shared]) -> str:
    """One sentence: how many verdicts agree, and how the times compare."""
    both = [pair for pair in pairs if pair.is_decided]
    agree = sum(not pair.differs for pair in both)
    text = f"{agree} of {len(both)} claims that both machines decide have the same verdict"
    text = text if both else "no claim is decided by both machines"
    if not found:
        return f"{text}; no cell was measured on both"
    median = statistics.median(one.ratio.value for one in found)
    cells = f"{len(found)} cells" if len(found) != 1 else "one cell"
    return f"{text}; {cells} measured on both, in which theirs takes {digits(median)} times as long in the median"
