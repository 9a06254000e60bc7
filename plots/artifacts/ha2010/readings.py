"""Readings for the tables and plots of Ha et al.: times of whole sorts of pairs, and of parts of them.

A part is measured by its component. Without one, the phases of the whole sort stand for it, and the table says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Iterable, Mapping, Optional, Sequence

from ...records.measurement import Component, Measurement, fastest_by_n, phase_seconds
from ...records.prediction import Prediction
from ...records.published import Published
from ...records.statistics import Interval, exactly
from ...records.collection import Records

PLATFORM = "GTX 260"
PASSES = 8  # passes of 4 bits for keys of 32 bits (section 4)
CUDPP, IMPLICIT, BEYOND = "Satish et al. (CUDPP 1.1)", "Ha et al.", "Here, beyond the paper"
ESTIMATOR = "the paper names no estimator: the mean stands beside the median"
_PAIRS: dict[str, Any] = {"key_type": "u32", "value_type": "u32", "distribution": "uniform"}


@dataclass(frozen=True)
class Part:
    """A part of a sort: the component that measures it, and its phases in the whole sort."""

    role: str  # role in records/roles.json: the paper's form
    component: str
    phases: tuple[str, ...] = ()
    sort: str = ""  # role of the whole sort, if it differs from `role`


PRESORT = Part("ha_radix", "presort", ("presort",))
RANK = Part("ha_radix", "global_rank", ("rank",))
SHUFFLE_AOS = Part("ha_radix", "shuffle_aos", ("shuffle",))
SHUFFLE_SOA = Part("ha_radix", "shuffle_soa", ("shuffle",), sort="ha_radix_soa")
COPY = Part("ha_radix", "memcpy")
CUDPP_PRESORT = Part("ipdps09_radix", "counted_presort", ("sort tiles", "find offsets"))
CUDPP_RANK = Part("ipdps09_radix", "scan", ("scan",))
CUDPP_SHUFFLE = Part("ipdps09_radix", "shuffle", ("scatter",))


@dataclass(frozen=True)
class Predicted:
    """A model's value; for a part, the value of the whole sort's model."""

    seconds: float
    model: Prediction


@dataclass(frozen=True)
class Reading:
    """A time of a column at one n, with its predictions."""

    measurement: Measurement
    seconds: Interval
    exact: bool  # True for a measurement with interval and mean; phases have neither
    source: str  # "component presort", "phases sort tiles, find offsets", "whole sort"
    mean_s: Optional[float] = None
    predicted: Optional[Predicted] = None
    papers: Optional[Predicted] = None  # the paper's own model on its machine

    @property
    def seconds_to_compare(self) -> Interval:
        """The time with the interval that comparisons take; phases have none."""
        if not self.exact or self.measurement.seconds is None:
            return self.seconds
        return self.measurement.seconds_to_compare.scaled(self.seconds.value / self.measurement.seconds.value)

    def share(self, factor: float) -> "Reading":
        """The reading and its predictions, multiplied by `factor`."""
        return replace(
            self,
            seconds=self.seconds.scaled(factor),
            mean_s=self.mean_s * factor if self.mean_s else None,
            predicted=replace(self.predicted, seconds=self.predicted.seconds * factor) if self.predicted else None,
            papers=replace(self.papers, seconds=self.papers.seconds * factor) if self.papers else None,
        )


@dataclass(frozen=True)
class Column:
    group: str
    head: str
    published: str  # `algorithm` of its published records; empty if the paper has none
    readings: Mapping[int, Reading]
    role: str  # its colour in the plot


@dataclass(frozen=True)
class Ratio:
    """Ratio of two columns: time over time, or the inverse for rates."""

    head: str
    above: int  # positions in the list of columns
    below: int
    note: str = ""


@dataclass(frozen=True)
class Unit:
    """Unit of a table's values: milliseconds, or millions of pairs per second."""

    name: str
    rate: bool = False

    def convert(self, seconds: Interval, n: int) -> Interval:
        return seconds.scaled(1e6 / n).inverse() if self.rate else seconds.scaled(1e3)

    def convert_seconds(self, seconds: float, n: int) -> float:
        return self.convert(exactly(seconds), n).value

    def convert_published(self, published: Published) -> float:
        return published.value / 1e6 if self.rate else published.value * 1e3


MS, RATE = Unit("ms"), Unit("Mpairs/s", rate=True)


def whole_sorts(records: Records, role: str) -> dict[int, Measurement]:
    """Sorts of pairs in the paper's form, by n."""
    return fastest_by_n(
        m
        for algorithm, form in records.standing_for(role).items()
        for m in records.ok(algorithm=algorithm, parameters=form, **_PAIRS)
    )


def other_forms(records: Records, role: str, paper: Iterable[Measurement] = ()) -> dict[int, Measurement]:
    """The fastest sort of pairs that stands for a role, with any parameters other than the paper's, by n."""
    standing = records.standing_for(role)
    excluded = {m.cell for m in paper}
    found = records.ok(algorithm=lambda name: name in standing, **_PAIRS)
    return fastest_by_n(m for m in found if m.cell not in excluded)


def whole_readings(records: Records, sorts: Mapping[int, Measurement]) -> dict[int, Reading]:
    return {n: _reading(records, m, "whole sort") for n, m in sorts.items()}


def alike(records: Records, parts: Sequence[Part], passes: int) -> list[dict[int, Reading]]:
    """Readings of parts that are compared: at each n all from components, or all from the phases of whole sorts of one
    run, the newest that has them, as the claims compare them."""
    read = [part_readings(records, part, passes) for part in parts]
    for n, sorts in _with_phases_in_one_run(records, parts).items():
        if not all(n in one and one[n].exact for one in read):
            for one, part, sort in zip(read, parts, sorts):
                one[n] = _phase_reading(sort, part, passes, _phase_predictions(records, part, sort))
    return read


def _with_phases_in_one_run(records: Records, parts: Sequence[Part]) -> dict[int, list[Measurement]]:
    """The whole sorts that report the phases of these parts, by n, of the newest run that has them all."""
    every = records.in_all_runs(**_PAIRS)
    by_run: dict[str, list[Measurement]] = {}
    for m in every:
        by_run.setdefault(m.run, []).append(m)
    found: dict[int, list[Measurement]] = {}
    for of_run in by_run.values():
        by_part = [_reporting(records, part, of_run) for part in parts]
        for n in set.intersection(*(set(of_part) for of_part in by_part)):
            found[n] = [of_part[n] for of_part in by_part]
    return found


def _reporting(records: Records, part: Part, measured: Iterable[Measurement]) -> dict[int, Measurement]:
    """The fastest of these whole sorts that report the part's phases, in the paper's form, by n."""
    forms = records.standing_for(part.sort or part.role)
    return fastest_by_n(
        m
        for m in measured
        if m.case.algorithm in forms
        and phase_seconds(m.phases, *part.phases) is not None
        and all(m.case.parameters.get(name) == value for name, value in forms[m.case.algorithm].items())
    )


def _phase_reading(sort: Measurement, part: Part, passes: int, predictions: Mapping[str, Any]) -> Reading:
    """The phases of a whole sort, over this many passes, with predictions of one pass. The sort must report them."""
    whole = phase_seconds(sort.phases, *part.phases)
    assert whole is not None
    of_one_pass = Reading(sort, exactly(whole / PASSES), False, f"phases {', '.join(part.phases)}", **predictions)
    return of_one_pass.share(passes)


def part_readings(records: Records, part: Part, passes: int) -> dict[int, Reading]:
    """The part's time over this many passes, by n: from its component, else from the whole sort's phases."""
    whole = whole_sorts(records, part.sort or part.role)
    components = _components(records, part)
    made = {}
    for n in sorted(whole.keys() | components.keys()):
        sort, component = whole.get(n), components.get(n)
        predictions: dict[str, Any] = _phase_predictions(records, part, sort) if sort else {}
        if component is not None:
            of_all = _reading(records, component, f"component {part.component}").share(passes / component.iterations)
            own = {name: s for name, s in predictions.items() if getattr(of_all, name) is None}
            made[n] = replace(of_all, **{name: replace(s, seconds=s.seconds * passes) for name, s in own.items()})
        elif sort is not None and phase_seconds(sort.phases, *part.phases) is not None:
            made[n] = _phase_reading(sort, part, passes, predictions)
    return made


def _reading(records: Records, m: Measurement, source: str) -> Reading:
    assert m.seconds is not None
    own, papers = records.find_prediction(m), records.find_papers_prediction(m)
    return Reading(
        m,
        m.seconds,
        True,
        source,
        m.mean_s,
        Predicted(own.seconds, own) if own else None,
        Predicted(papers.seconds, papers) if papers else None,
    )


def _phase_predictions(records: Records, part: Part, sort: Measurement) -> dict[str, Predicted]:
    """Predictions of the part in one pass of the whole sort, by the name of Reading's field."""
    predictions = {}
    for name, prediction in (
        ("predicted", records.find_prediction(sort)),
        ("papers", records.find_papers_prediction(sort)),
    ):
        if prediction is None:
            continue
        seconds = phase_seconds(prediction.phases, *part.phases)
        if seconds is not None:
            predictions[name] = Predicted(seconds / PASSES, prediction)
        elif part == COPY and prediction.bytes_over_copy_s:
            predictions[name] = Predicted(prediction.bytes_over_copy_s, prediction)
    return predictions


def _components(records: Records, part: Part) -> dict[int, Component]:
    found = []
    for algorithm, form in records.standing_for(part.role).items():
        # The name of a shuffle tells its way of scattering.
        wanted = {k: v for k, v in form.items() if k != "scatter"}
        of = records.parts(part.component, algorithm=algorithm, **_PAIRS)
        found += [c for c in of if all(c.case.parameters.get(k, v) == v for k, v in wanted.items())]
    return {n: c for n, c in fastest_by_n(found).items() if isinstance(c, Component)}
