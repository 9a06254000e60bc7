"""Measures of selected cells, case by case: ratios of times, rates, shares of phases, counts.

A measure of Values or Facts gives the reason in their place where the records cannot decide.
"""

from __future__ import annotations

import functools
import inspect
import math
from dataclasses import replace
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, TypeVar

from ..analysis.memory_share import Gain, gains
from ..records.measurement import Measurement, fastest_by
from ..records.quantities import count_text
from ..records.statistics import Interval, exactly, greatest_over_least
from . import words
from .quantities import Quantity, seconds, time_in_phases
from .selection import Runs, Selection, on_most_threads, require_plug_ins
from .verdicts import Facts, Value, Values
from .words import NotMeasured, NotTestable, NoValue

Measured = TypeVar("Measured", Values, Facts)
_ByCase = dict[tuple[Any, ...], Measurement]


def measure(function: Callable[..., Measured]) -> Callable[..., Measured]:
    """Lets a measure give the reason of a NoValue, and remember what was asked."""
    signature = inspect.signature(function)
    empty: Any = Facts if "Facts" in str(signature.return_annotation) else Values

    @functools.wraps(function)
    def asked(*arguments: Any, **named: Any) -> Measured:
        bound = signature.bind(*arguments, **named)
        given = {"measure": function.__name__, **bound.arguments}
        try:
            return replace(function(*arguments, **named), asked=given)
        except NoValue as why:
            measurable, where = isinstance(why, NotMeasured), getattr(why, "where", "")
            reason: Measured = empty(untestable=str(why), measurable=measurable, where=where, asked=given)
            return reason

    return asked


@measure
def ratio(
    above: Selection,
    below: Selection,
    quantity: Quantity = seconds,
    over: Optional[Quantity] = None,
    pair_on: Sequence[str] = ("n", "distribution"),
    spans: str = "",
    or_stopped: bool = False,
    reads: str = words.LONGER,
    n_over: int = 1,
) -> Values:
    """Ratio of two selections' medians, within the newest run that has both or else of the newest run of each.

    Two sorts of the host are compared on the largest number of threads that both have. `over` is the quantity of the
    second if it is another. `pair_on` names the fields of a case in which the two agree, `spans` the sizes that the
    claim speaks of. With `or_stopped` a cell of the first selection that was stopped at its time limit counts as having
    taken at least that. `n_over` is n of the first side over that of the second in a pair, where their elements differ
    in bytes. `reads` is how the number is read, with its noun: "times as fast", or words.OF_A_COPY if the
    first does all that a copy does and more, and cannot take less.
    """
    require_plug_ins(above, below)
    lower = below.measured(every_run=True, even_disturbed=True, any_threads=True)
    stopped = _stopped(above, lower, pair_on) if or_stopped else []
    pairs: list[tuple[Measurement, Measurement]] = []
    try:
        upper = above.measured(every_run=True, even_disturbed=True, any_threads=True)
        upper, lower = _on_equal_threads(upper, lower)
        pairs = _pairs(upper, lower, pair_on, _oldest_first(above, [upper, lower]), n_over)
    except NoValue:
        if not stopped:
            raise
    if not pairs and not stopped:
        raise NotMeasured(words.NO_PAIR)
    # A case whose second side has another n is named by the first.
    values = [
        replace(
            _value(quantity(a).over((over or quantity)(b)), words.pair(*used), *used),
            fastest=tuple(m.case.algorithm for side, m in ((above, a), (below, b)) if len(side.standing) > 1),
        )
        for a, b in pairs
        for used in [(a, b) if n_over == 1 else (b, a)]
    ]
    return _covering(above, values + stopped, spans)


def speed_up(runs: Runs, role: str, *, over: str, spans: str = "", **case: Any) -> Values:
    """Ratio of another sort's time to that of the role in the same cases."""
    return ratio(runs.of(over, **case), runs.of(role, **case), spans=spans, reads=words.FASTER)


@measure
def level(selection: Selection, quantity: Quantity, even_disturbed: bool = False) -> Values:
    """A quantity of each case; of disturbed cells only where the figure is shown and decides nothing."""
    best = _fastest_by(selection.measured(even_disturbed=even_disturbed), ("n", "distribution"))
    cells = [best[key] for key in sorted(best)]
    return _covering(selection, [_value(quantity(m), words.case(m), m) for m in cells])


@measure
def share(selection: Selection, *phases: str) -> Values:
    """Share of some phases in the time."""
    values = []
    for m in _fastest_by(selection.measured(even_disturbed=True), ("n", "distribution")).values():
        named, whole = time_in_phases(m, phases), seconds(m)
        # Phases are medians without an interval; that of the whole is of what they are a share of.
        values.append(_value(exactly(named).over(whole), words.case(m), m))
    return _covering(selection, values)


@measure
def spread(selection: Selection, quantity: Quantity, spans: str = "") -> Values:
    """Greatest over least quantity of the cases, minus 1, in the newest run that has them or else of several runs.
    `spans` is what n must cover."""
    found = _on_threads_that_span(selection, spans)
    every = selection.measured(every_run=True, even_disturbed=True, any_threads=True)
    return Values([_spread(_of_one_run(selection, found, every, spans), quantity)])


@measure
def spread_at_each_n(selection: Selection, quantity: Quantity) -> Values:
    """The spread over the selection's distributions, at each n that has all of them."""
    by_n: dict[int, list[Measurement]] = {}
    for m in _on_threads_that_span(selection, ""):
        by_n.setdefault(m.case.n, []).append(m)
    every = selection.measured(every_run=True, even_disturbed=True, any_threads=True)
    whole = [
        _of_one_run(selection, found, [m for m in every if m.case.n == n], "")
        for n, found in sorted(by_n.items())
        if not selection.missing([m.case for m in found], "")
    ]
    if not whole:
        raise NotMeasured(selection.missing([m.case for found in by_n.values() for m in found]) or words.NO_N_WITH_ALL)
    cases = [min((m.case for m in found), key=lambda case: case.distribution) for found in whole]
    return Values([replace(_spread(found, quantity), case=case) for found, case in zip(whole, cases)])


def _spread(found: Iterable[Measurement], quantity: Quantity) -> Value:
    ordered = sorted(_fastest_by(found, ("n", "distribution")).values(), key=lambda m: quantity(m).value)
    grown = greatest_over_least([quantity(m) for m in ordered]).minus(exactly(1))
    known = Interval(grown.value, max(grown.low, 0.0), grown.high)
    disturbed = all(m.disturbed for m in ordered)
    return Value(
        known,
        words.spread(ordered),
        places=words.places(ordered),
        disturbed=disturbed,
        cells=len(ordered),
        doubt="" if disturbed else words.disturbed_ends(ordered),
    )


@measure
def marginal(
    with_it: Selection, without: Selection, quantity: Quantity, times: float = 1, as_share: bool = False
) -> Values:
    """A part's cost by ablation: a quantity of the first minus that of the second, times `times`.

    With `as_share` it is a share of the first.
    """
    more, less = (
        _fastest_by(selection.measured(even_disturbed=True), ("n", "distribution")) for selection in (with_it, without)
    )
    values = []
    for key in sorted(more.keys() & less.keys()):
        a, b = quantity(more[key]), quantity(less[key])
        cost = exactly(1).minus(b.over(a)) if as_share else a.minus(b)
        values.append(_value(cost.scaled(times), words.case(less[key], more[key]), less[key], more[key]))
    if not values:
        raise NotMeasured(words.NO_SETTINGS)
    return Values(values)


@measure
def amdahl(with_it: Selection, without: Selection, quantity: Quantity, times: float, part_speed_up: float) -> Values:
    """Speed-up of the whole, by Amdahl's law, if the part that marginal() finds were `part_speed_up` times as fast."""
    shares = marginal(with_it, without, quantity, times, as_share=True)
    if shares.untestable:
        raise (NotMeasured if shares.measurable else NotTestable)(shares.untestable)
    saved = 1 - 1 / part_speed_up

    def gain(share_: float) -> float:
        return 1 / (1 - saved * min(max(share_, 0.0), 1.0))

    def whole(one: Interval) -> Interval:
        return Interval(gain(one.value), gain(one.low), gain(one.high))

    return replace(shares, cases=[replace(value, interval=whole(value.interval)) for value in shares.cases])


@measure
def product_ratio(above: Sequence[Selection], below: Sequence[Selection]) -> Values:
    """Product of the first selections' times over that of the second ones', case by case, in the newest run that has
    all of them: 1 if two costs multiply."""
    fields = ("n", "distribution")
    sides = [[selection.measured(every_run=True, even_disturbed=True) for selection in side] for side in (above, below)]
    values: dict[tuple[Any, ...], Value] = {}
    for run in _oldest_first(above[0], [found for side in sides for found in side]):
        by_side = [[_fastest_by([m for m in found if m.run == run], fields) for found in side] for side in sides]
        for key in set.intersection(*(set(found) for side in by_side for found in side)):
            upper, lower = (_product([seconds(found[key]) for found in side]) for side in by_side)
            used = [found[key] for side in reversed(by_side) for found in reversed(side)]
            values[key] = _value(upper.over(lower), words.case(*used), *used)
    if not values:
        raise NotMeasured(words.NO_RUN_OF_ALL)
    return _covering(above[0], [values[key] for key in sorted(values)])


@measure
def counted_ratio(
    selection: Selection, counters: Sequence[str], phases: Sequence[str], over_phases: Sequence[str]
) -> Values:
    """Sum of these counters in some phases over that in others, as `sortlab count` found them."""
    values = []
    for count in selection.counted():
        above, below = (
            sum(p.per_element.get(c, 0.0) for p in count.phases if p.name in side for c in counters)
            for side in (phases, over_phases)
        )
        if above and below:
            text = f"counted of {words.plain_case(count.case)}, {count.device}"
            values.append(Value(exactly(above / below), text, count.case, places=(words.place(count.device),)))
    if not values:
        raise NotMeasured(words.no_counters(counters, [*phases, *over_phases]))
    return _covering(selection, values)


@measure
def counted(selection: Selection, counter: str, phase: str) -> Values:
    """A counter per element of a phase, the mean of its passes, as `sortlab count` found it."""
    values = []
    for count in selection.counted():
        found = [p.per_element[counter] for p in count.phases if p.name == phase and counter in p.per_element]
        if found:
            text = f"counted of {words.plain_case(count.case)}, {count.device}"
            place = (words.place(count.device),)
            values.append(Value(exactly(sum(found) / len(found)), text, count.case, places=place))
    if not values:
        raise NotMeasured(words.no_counters([counter], [phase]))
    return Values(values, exact=True)


@measure
def counted_growth(above: Selection, below: Selection, counter: str) -> Values:
    """Ratio of a counter per element, of all phases, case by case, as `sortlab count` found it."""
    sides = []
    for selection in (above, below):
        found = {(count.case.n, count.case.distribution): count for count in selection.counted()}
        sums = {case: sum(p.per_element.get(counter, 0.0) for p in count.phases) for case, count in found.items()}
        sides.append({case: (found[case], total) for case, total in sums.items() if total})
    both = sorted(sides[0].keys() & sides[1].keys())
    if not both:
        raise NotMeasured(words.no_counters([counter], [above.key_type, below.key_type]))
    values = []
    for case in both:
        (count, total), (_, total_below) = sides[0][case], sides[1][case]
        values.append(Value(exactly(total / total_below), f"counted of {words.plain_case(count.case)}", count.case))
    return Values(values, exact=True)


@measure
def kernels(selection: Selection) -> Values:
    """Greatest over least number of kernels in the pass that differs most between the cells, minus 1, by
    `sortlab count`. The first pass does not count: it has one bucket whatever the keys are."""
    by_pass: dict[tuple[int, str], list[int]] = {}
    cells = set()
    for count in selection.counted():
        cells.add(count.cell)
        passes = {phase.pass_ for phase in count.phases}
        for pass_ in passes - {min(passes, default=0)}:
            launches = sum(phase.launches for phase in count.phases if phase.pass_ == pass_)
            by_pass.setdefault((pass_, count.case.algorithm), []).append(launches)
    compared = {key: launches for key, launches in by_pass.items() if len(launches) > 1 and min(launches) > 0}
    if not compared:
        raise NotMeasured(words.NO_KERNELS)
    spreads = {key: max(launches) / min(launches) - 1 for key, launches in compared.items()}
    worst = max(spreads, key=lambda key: spreads[key])
    text = words.kernels(worst[1], {p: found for (p, name), found in compared.items() if name == worst[1]}, len(cells))
    places = (words.place(count.device) for count in selection.counted())
    return Values([Value(exactly(spreads[worst]), text, places=tuple(dict.fromkeys(places)))], exact=True)


def failed_sizes(selection: Selection) -> str:
    """The sizes at which the selected sorts failed, in words; empty if none did, or no record tells."""
    try:
        sizes = {m.case.n for m in selection.tried() if m.status == "failed"}
    except NoValue:
        return ""
    return words.all_of([count_text(n) for n in sorted(sizes)]) if sizes else ""


@measure
def binding(selection: Selection, *phases: str) -> Facts:
    """The resource that binds these phases, by the counters of `sortlab count`."""
    measured = {m.cell: m for m in selection.measured()}
    found = [
        (phase.binding, measured[count.cell])
        for count in selection.records.counts
        if count.cell in measured
        for phase in count.phases
        if phase.name in phases
    ]
    if not found:
        raise NotMeasured(words.no_binding(phases))
    places = words.places(m for _, m in found)
    return Facts([resource for resource, _ in found], f"counted in {words.case(found[0][1])}", places=places)


@measure
def memory_share(selection: Selection, minus: Optional[Selection] = None) -> Values:
    """Share of the time that follows bandwidth, from this machine's GPU to each other one (LEI-M4); or how much more it
    is than that of `minus`.

    1 / gain = (1 - share) / ratio of multiprocessors times clock + share / ratio of bandwidths. Needs the profiles of
    both, and ratios that differ.
    """
    selections = [selection, *([minus] if minus else [])]
    require_plug_ins(*selections)
    found = [_gains(one) for one in selections]
    values = []
    for key in sorted(set.intersection(*(set(gains_) for gains_ in found))):
        gain, part = found[0][key], found[0][key].share
        if minus:
            part = part.minus(found[1][key].share)
        values.append(_value(part, f"{words.case(gain.fast)} over {gain.slow.device}", gain.slow, gain.fast))
    if not values:
        raise NotMeasured(words.NO_SECOND_GPU)
    return _covering(selection, values)


@measure
def arithmetic(number: float, source: str = words.PAPERS_NUMBERS, as_share: bool = False) -> Values:
    """A number, perhaps a share, that follows from the paper's own, or from another `source`. It decides nothing about
    a machine."""
    return Values([Value(exactly(number), words.arithmetic(source))], exact=True)


def _value(interval: Interval, text: str, *used: Measurement) -> Value:
    """A value of these measurements, the last of which is its case."""
    return Value(
        interval,
        text,
        used[-1].case,
        places=words.places(used),
        disturbed=any(m.disturbed for m in used),
        few_samples=not all(m.has_interval for m in used),
    )


def _covering(selection: Selection, values: Sequence[Value], spans: str = "") -> Values:
    """The values, and which of the selection's cases they lack."""
    return Values(values, missing=selection.missing([value.case for value in values if value.case], spans))


def _gains(selection: Selection) -> dict[tuple[Any, ...], Gain]:
    """Cells on this machine's GPU and on another one, by that machine and case."""
    here, known = selection.measured(), selection.records.read_bytes_per_s
    found: dict[tuple[Any, ...], Gain] = {}
    compared, without = {m.device for m in here if m.device}, []
    for other in selection.records.others():
        try:
            there = selection.on(other).measured()
        except NoValue:
            without.append(other.gpu)
            continue
        compared |= {m.device for m in there if m.device}
        paired = gains(here, there, known)
        found |= {(other.machine or "", *at): gain for at, gain in paired.items() if gain.is_determined}
    if not found:
        raise _not_on_two_gpus(selection, sorted(compared), without, known)
    return found


def _not_on_two_gpus(
    selection: Selection,
    compared: Sequence[str],
    without: Sequence[str],
    known: Mapping[str, float],
) -> NotMeasured:
    """The reason why the GPUs that ran the selection give no gain, and the one that could mend it."""
    lacking = [device for device in compared if device not in known]
    if len(compared) > 1:
        return NotMeasured(words.no_profile(lacking) if lacking else words.GPUS_ALIKE)
    others = sorted(set(without) - set(compared))
    if not others or not compared:
        return NotMeasured(words.ONE_GPU)
    return NotMeasured(words.on_one_gpu(selection, compared[0], others), where=words.place(others[0]))


def _stopped(above: Selection, below: Iterable[Measurement], fields: Sequence[str]) -> list[Value]:
    """Cells of the first side that were stopped at their time limit: they took at least as long."""
    values, best = [], _fastest_by(below, fields)
    for m in above.tried():
        key = tuple(getattr(m.case, name) for name in fields)
        if m.limit_s and key in best:
            least = m.limit_s / seconds(best[key]).high
            text = f"{words.plain_case(m.case)}, stopped after {m.limit_s:g} s"
            values.append(Value(Interval(least, least, math.inf), text, best[key].case))
    return values


def _oldest_first(selection: Selection, found: Iterable[Iterable[Measurement]]) -> list[str]:
    """The runs that measurements are from, the oldest first."""
    records = selection.records
    started = {run.run: run.started for run in (*records.runs, *records.superseded_runs)}
    return sorted({m.run for side in found for m in side}, key=lambda run: started.get(run, ""))


def _pairs(
    above: Sequence[Measurement],
    below: Sequence[Measurement],
    fields: Sequence[str],
    runs: Sequence[str],
    n_over: int = 1,
) -> list[tuple[Measurement, Measurement]]:
    """The fastest of each side in each case: of the newest run that has both sides, or else of each side's cells, each
    as its newest run has it."""
    latest: list[dict[str, Measurement]] = [{}, {}]
    pairs: dict[tuple[Any, ...], tuple[Measurement, Measurement]] = {}
    for run in runs:
        of_run = [[m for m in side if m.run == run] for side in (above, below)]
        for known, found in zip(latest, of_run):
            known.update((m.cell, m) for m in found)
        in_run = [_fastest_by(found, fields, times) for found, times in zip(of_run, (1, n_over))]
        pairs.update({key: (in_run[0][key], in_run[1][key]) for key in in_run[0].keys() & in_run[1].keys()})
    first, second = (_fastest_by(cells.values(), fields, times) for cells, times in zip(latest, (1, n_over)))
    for key in first.keys() & second.keys():
        pairs.setdefault(key, (first[key], second[key]))
    return [pairs[key] for key in sorted(pairs)]


def _on_equal_threads(
    above: Sequence[Measurement], below: Sequence[Measurement]
) -> tuple[list[Measurement], list[Measurement]]:
    """Both sides on one number of threads, the largest that both have; a side beside a GPU on its own largest. Raises
    NotMeasured if there is none."""
    if any(m.device for m in (*above, *below)):
        return on_most_threads(above), on_most_threads(below)
    both = {m.case.threads for m in above} & {m.case.threads for m in below}
    if not both:
        raise NotMeasured(words.NO_EQUAL_THREADS)
    sides = ([m for m in side if m.case.threads == max(both)] for side in (above, below))
    return next(sides), next(sides)


def _on_threads_that_span(selection: Selection, spans: str) -> list[Measurement]:
    """The cells on the largest number of threads whose sizes cover the claim's. Raises NotMeasured if none do."""
    found = selection.measured(even_disturbed=True, any_threads=True)
    missing = ""
    for threads in sorted({m.case.threads for m in found}, reverse=True):
        there = [m for m in found if m.case.threads == threads]
        lacks = selection.missing([m.case for m in there], spans)
        if not lacks:
            return there
        missing = missing or lacks
    raise NotMeasured(missing)


def _of_one_run(
    selection: Selection, found: Sequence[Measurement], every: Sequence[Measurement], spans: str
) -> Sequence[Measurement]:
    """The cells of the run that by itself covers the span, or without one all cases that were found: of several the
    one with most cases, then the newest. Without such a run those found, whose differences may be the machine's
    between runs. `every` are of all runs, the oldest first."""
    wanted, threads = {(m.case.n, m.case.distribution) for m in found}, found[0].case.threads
    runs: dict[str, list[Measurement]] = {}
    for m in reversed(every):
        if m.case.threads == threads and (m.case.n, m.case.distribution) in wanted:
            runs.setdefault(m.run, []).append(m)
    by_cases = {run: {(m.case.n, m.case.distribution) for m in there} for run, there in runs.items()}
    for run in sorted(runs, key=lambda run: -len(by_cases[run])):
        there, cases = runs[run], by_cases[run]
        if not selection.missing([m.case for m in there], spans) if spans else cases == wanted:
            return there
    return found


def _fastest_by(found: Iterable[Measurement], fields: Sequence[str], n_times: int = 1) -> _ByCase:
    """The fastest of each case, whose n counts `n_times`."""
    return fastest_by(
        found,
        lambda m: tuple(getattr(m.case, name) * (n_times if name == "n" else 1) for name in fields),
    )


def _product(factors: Sequence[Interval]) -> Interval:
    return functools.reduce(lambda product, factor: product.times(factor), factors)
