"""What the tables and plots of Ha et al. read from records: times of whole sorts of pairs, and of parts of them.

A part is measured by its component; where there is none, by the phases of the whole sort, and the table says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Iterable, Mapping, Optional, Sequence

from .. import claims
from ..quantities import Interval
from ..records import Component, Measurement, Phase, Prediction, Published, Records
from .satish2010 import fastest

PAPER = "ha2010"
PLATFORM = "GTX 260"
PASSES = 8  # of 4 bits, for keys of 32 (section 4)
CUDPP, IMPLICIT, BEYOND = "Satish et al. (CUDPP 1.1)", "Ha et al.", "Here, beyond the paper"
ESTIMATOR = "the paper names no estimator: the mean stands beside the median"
_PAIRS = {"key_type": "u32", "value_type": "u32", "distribution": "uniform"}


@dataclass(frozen=True)
class Part:
    """A part of a sort: the component that measures it, and the phases that it is in the whole sort."""

    role: str  # of ledger/sorts.json: the paper's form
    component: str = ""
    component_passes: int = 1  # that one run of the component makes
    phases: tuple[str, ...] = ()


PRESORT = Part("ha_radix", "presort", PASSES, ("presort",))
RANK = Part("ha_radix", "global_rank", 1, ("rank",))
SHUFFLE_AOS = Part("ha_radix", "shuffle_aos", 1, ("shuffle",))
SHUFFLE_SOA = Part("ha_radix", "shuffle_soa")
COPY = Part("ha_radix", "memcpy")
CUDPP_PRESORT = Part("ipdps09_radix", "presort", PASSES, ("sort tiles",))
CUDPP_RANK = Part("ipdps09_radix", phases=("find offsets", "scan"))
CUDPP_SHUFFLE = Part("ipdps09_radix", "shuffle", 1, ("scatter",))


@dataclass(frozen=True)
class Reading:
    """A time of a column at one n, and what models say of it."""

    measurement: Measurement
    seconds: Interval
    exact: bool  # a measurement of its own, with an interval and a mean; phases have neither
    source: str  # "component presort", "phases find offsets, scan", "whole sort"
    mean_s: Optional[float] = None
    predicted_s: Optional[float] = None
    model: Optional[Prediction] = None
    papers_s: Optional[float] = None  # by the paper's own model, on its machine


@dataclass(frozen=True)
class Column:
    group: str
    head: str
    published: str  # `algorithm` of its published records; empty for what the paper has not
    readings: Mapping[int, Reading]
    role: str  # its colour in the plot


@dataclass(frozen=True)
class Ratio:
    """How many times the value of one column another has: both sorts' times, or rates the other way round."""

    head: str
    above: int  # places in the list of columns
    below: int
    note: str = ""


@dataclass(frozen=True)
class Unit:
    """What a table's values are: milliseconds, or millions of pairs a second."""

    name: str
    rate: bool = False

    def of(self, seconds: Interval, n: int) -> Interval:
        return seconds.scaled(1e6 / n).inverse() if self.rate else seconds.scaled(1e3)

    def of_seconds(self, seconds: float, n: int) -> float:
        return self.of(Interval(seconds, seconds, seconds), n).value

    def of_published(self, published: Published) -> float:
        return published.value / 1e6 if self.rate else published.value * 1e3


MS, RATE = Unit("ms"), Unit("Mpairs/s", rate=True)


@lru_cache(maxsize=None)
def _role(name: str) -> dict[str, Any]:
    return claims.roles()[name]


def whole_sorts(records: Records, role: str) -> dict[int, Measurement]:
    """Sorts of pairs in the paper's form, by n."""
    form = _role(role)
    return fastest(records.ok(algorithm=form["plug_ins"][0], parameters=form["parameters"], **_PAIRS))


def other_forms(records: Records, algorithm: str, paper: Iterable[Measurement] = ()) -> dict[int, Measurement]:
    """The fastest sort of pairs by a plug-in in any form but the paper's, by n."""
    excluded = {m.cell for m in paper}
    return fastest([m for m in records.ok(algorithm=algorithm, **_PAIRS) if m.cell not in excluded])


def whole_readings(records: Records, sorts: Mapping[int, Measurement]) -> dict[int, Reading]:
    made = {}
    for n, m in sorts.items():
        assert m.seconds is not None
        own, papers = records.prediction_of(m), records.papers_prediction_of(m)
        made[n] = Reading(
            m,
            m.seconds,
            True,
            "whole sort",
            m.mean_s,
            own.seconds if own else None,
            own,
            papers.seconds if papers else None,
        )
    return made


def part_readings(records: Records, part: Part, passes: int) -> dict[int, Reading]:
    """The part's time in so many passes, by n: of its component, else of the whole sort's phases."""
    whole = whole_sorts(records, part.role)
    components = _components(records, part)
    made = {}
    for n in sorted(whole.keys() | components.keys()):
        sort, component = whole.get(n), components.get(n)
        if component is not None:
            made[n] = _of_component(records, part, component, sort, passes)
        elif sort is not None and (seconds := _phases(sort.phases, part)) is not None:
            made[n] = _of_phases(records, part, sort, seconds * passes / PASSES, passes)
    return made


def _components(records: Records, part: Part) -> dict[int, Component]:
    form = _role(part.role)
    # The name of a shuffle says how it scatters.
    wanted = {k: v for k, v in form["parameters"].items() if k != "scatter"}
    found = records.parts(part.component, algorithm=form["plug_ins"][0], **_PAIRS)
    return fastest([c for c in found if all(c.case.parameters.get(k, v) == v for k, v in wanted.items())])


def _phases(phases: Sequence[Phase], part: Part) -> Optional[float]:
    named = [p.seconds for p in phases if p.name in part.phases]
    return sum(named) if named else None


def _predicted(prediction: Optional[Prediction], part: Part, passes: int) -> Optional[float]:
    """A part of what is predicted of a whole sort."""
    seconds = _phases(prediction.phases, part) if prediction else None
    return seconds * passes / PASSES if seconds is not None else None


def _of_component(
    records: Records, part: Part, component: Component, sort: Optional[Measurement], passes: int
) -> Reading:
    assert component.seconds is not None
    share = passes / part.component_passes
    own, papers = records.prediction_of(component), records.papers_prediction_of(component)
    predicted = own.seconds * share if own else None
    papers_s = papers.seconds * share if papers else None
    if sort is not None and own is None:
        own = records.prediction_of(sort)
        predicted = own.bytes_over_copy_s if own and part == COPY else _predicted(own, part, passes)
    if sort is not None and papers is None:
        papers_s = _predicted(records.papers_prediction_of(sort), part, passes)
    mean = component.mean_s * share if component.mean_s else None
    source = f"component {part.component}"
    return Reading(component, component.seconds.scaled(share), True, source, mean, predicted, own, papers_s)


def _of_phases(records: Records, part: Part, sort: Measurement, seconds: float, passes: int) -> Reading:
    own, papers = records.prediction_of(sort), records.papers_prediction_of(sort)
    return Reading(
        sort,
        Interval(seconds, seconds, seconds),
        False,
        f"phases {', '.join(part.phases)}",
        predicted_s=_predicted(own, part, passes),
        model=own,
        papers_s=_predicted(papers, part, passes),
    )
