"""Selections of records by role and case, from which the measures of a claim are taken."""

from __future__ import annotations

import fnmatch
import functools
import math
from dataclasses import dataclass, field, replace
from typing import Any, Mapping, Optional, Sequence, Union

from ..records.case import KEY_BYTES, VALUE_BYTES, Case
from ..records.collection import Records
from ..records.count import Count
from ..records.measurement import Measurement
from ..records.roles import standing_for
from . import words
from .words import NotMeasured, NotTestable

Roles = dict[str, dict[str, Any]]  # as in records/roles.json, by name


@dataclass(frozen=True)
class Runs:
    """One machine's records, and the roles by which claims select from them."""

    records: Records
    roles: Roles

    def of(self, role: str, **case: Any) -> "Selection":
        """The cells of a role in this case: see Selection. Raises KeyError for a role that there is not."""
        if role not in self.roles:
            raise KeyError(f"no role {role}")
        return Selection(self.records, self.roles, role, **case)

    def standing_for(self, role: str) -> dict[str, dict[str, Any]]:
        """The sorts that stand for a role, by name, each with the parameters that it then has."""
        return standing_for(self.records, role, self.roles)


@dataclass(frozen=True)
class Selection:
    """The cells of a role, uniform 32-bit keys without values unless these fields say otherwise.

    Several sorts may stand for the role and several settings be selected: measures take the fastest of each case.
    """

    records: Records = field(repr=False)
    roles: Roles = field(repr=False)
    role: str
    n: str = ""  # a size or a span: "2^24", "250e6", "2^20..", "2^16..2^18"
    key_type: str = "u32"
    value_type: str = "none"
    layout: str = ""
    distribution: Union[str, Sequence[str]] = "uniform"  # patterns: "zipf:*"
    parameters: Mapping[str, Any] = field(default_factory=dict)  # a list stands for any of its settings
    parameters_not: Mapping[str, Any] = field(default_factory=dict)
    threads: Optional[int] = None  # unless given, the largest number measured
    residency: str = ""  # sorts end to end are selected only by this
    component: str = ""  # a component of the sort in place of the whole

    @property
    def title(self) -> str:
        return str(self.roles[self.role]["title"])

    @functools.cached_property
    def standing(self) -> dict[str, dict[str, Any]]:
        return standing_for(self.records, self.role, self.roles)

    def but(self, **changes: Any) -> "Selection":
        """The same cells but for these fields."""
        return replace(self, **changes)

    def on(self, records: Records) -> "Selection":
        """The same cells of another machine's records."""
        return self.but(records=records)

    def measured(
        self, every_run: bool = False, even_disturbed: bool = False, any_threads: bool = False
    ) -> list[Measurement]:
        """The verified measurements with an interval: the newest of each cell, or those of all runs, the oldest first.

        Of each sort those on the largest number of threads, unless the selection names one or `any_threads` keeps all.
        Disturbed ones are among them only if `even_disturbed`. Raises NotMeasured if there
        are none.
        """
        require_plug_ins(self)
        standing = self.standing
        wanted: dict[str, Any] = {"algorithm": lambda name: name in standing}
        verified: Sequence[Measurement]
        if self.component:
            verified = self.records.parts(self.component, **wanted)
        else:
            wanted |= {"residency": self.residency} if self.residency else {}
            verified = self.records.in_all_runs(**wanted) if every_run else self.records.ok(**wanted)
        found = [
            m
            for m in verified
            if (even_disturbed or not m.disturbed)
            and len(m.samples_s) > 1
            and self.fits(m.case)
            and not (self.parameters_not and _has(m.case, self.parameters_not))
        ]
        if not found:
            raise NotMeasured(words.no_record(self, even_disturbed))
        return found if any_threads or self.threads is not None else on_most_threads(found)

    def tried(self) -> list[Measurement]:
        """The cells that were run, whatever became of them, wherever their data lay. Raises NotMeasured if there is
        no sort for the role."""
        require_plug_ins(self)
        cells = self.but(threads=None)
        return [m for m in self.records.measurements if m.status != "skipped" and cells.fits(m.case)]

    def counted(self) -> list[Count]:
        """The counts of a profiler of verified cells. Raises NotMeasured if there is no sort for the role."""
        require_plug_ins(self)
        cells = self.but(threads=None)
        return [count for count in self.records.counts if count.ok and cells.fits(count.case)]

    def fits(self, case: Case) -> bool:
        """True if a case, of whatever machine, is selected."""
        standing = self.standing
        if case.algorithm not in standing:
            return False
        for name in ("key_type", "value_type", "layout", "residency"):
            if getattr(self, name) and getattr(case, name) != getattr(self, name):
                return False
        if not any(fnmatch.fnmatchcase(case.distribution, pattern) for pattern in self.distributions):
            return False
        if self.threads is not None and case.threads != self.threads:
            return False
        if self.n:
            low, high = span(self.n)
            if not low <= case.n <= high:
                return False
        return _has(case, {**standing[case.algorithm], **self.parameters})

    def is_wider(self, other: "Selection") -> bool:
        """True if these are the same cells as the other's but for wider keys or values: such a sort has more to do."""
        same = (self.role, self.n, self.distribution) == (other.role, other.n, other.distribution)
        return same and self._element_bytes > other._element_bytes

    @property
    def _element_bytes(self) -> int:
        return KEY_BYTES[self.key_type] + VALUE_BYTES[self.value_type]

    @property
    def distributions(self) -> Sequence[str]:
        return [self.distribution] if isinstance(self.distribution, str) else self.distribution

    def missing(self, cases: Sequence[Case], spans: str = "") -> str:
        """Says why these cases do not cover the selection: one of its distributions, or an end of the span of sizes,
        is missing. Empty if all are there."""
        if not isinstance(self.distribution, str):
            for pattern in self.distribution:
                if not any(fnmatch.fnmatchcase(case.distribution, pattern) for case in cases):
                    return words.no_distribution(pattern, self.distribution)
        if not spans:
            return ""
        (low, high), sizes = span(spans), sorted({case.n for case in cases})
        if sizes[0] <= low and sizes[-1] >= high and len(sizes) > 2:
            return ""
        return words.no_span(low, high, sizes)


def require_plug_ins(*selections: Selection) -> None:
    """Raises NotMeasured if no sort stands for one of these roles, and NotTestable if none could here."""
    empty = [selection for selection in selections if not selection.standing]
    roles = [selection.roles[selection.role] for selection in empty]
    if empty and not empty[0].records.algorithms and not any("elsewhere" in role for role in roles):
        raise NotMeasured(words.no_algorithm(empty[0]))
    if empty:
        here = not any("elsewhere" in role for role in roles)
        raise (NotMeasured if here else NotTestable)(words.no_plug_in(roles))


def span(text: str) -> tuple[int, float]:
    """Least and greatest n of "2^17", "2^17.." or "2^16..2^18"."""
    first, dots, last = text.partition("..")
    low = _size(first)
    return low, (_size(last) if last else math.inf) if dots else low


def _size(text: str) -> int:
    if "^" in text:
        base, exponent = text.split("^")
        return int(int(base) ** int(exponent))
    return int(float(text))


def _has(case: Case, settings: Mapping[str, Any]) -> bool:
    return all(
        case.parameters.get(name) in value if isinstance(value, list) else case.parameters.get(name) == value
        for name, value in settings.items()
    )


def on_most_threads(found: Sequence[Measurement]) -> list[Measurement]:
    """Keeps of each sort the measurements on its largest number of threads."""
    most: dict[str, int] = {}
    for m in found:
        most[m.case.algorithm] = max(m.case.threads, most.get(m.case.algorithm, 0))
    return [m for m in found if m.case.threads == most[m.case.algorithm]]
