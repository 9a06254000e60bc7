"""Every part of every claim can hold, fail or be reversed, keep its direction if it has one, and stay undecided unless
it states something exact."""

import dataclasses
import functools
import itertools
import math
import re
from typing import Any, Iterable, Iterator, Mapping

import pytest
import synthetic_records as synthetic

from plots.claims import books
from plots.claims import judgement
from plots.claims import quantities
from plots.claims.claim import Claim, Part
from plots.claims.measures import arithmetic
from plots.claims.selection import Runs, Selection, span
from plots.claims.verdicts import DIRECTION, FAILS, HOLDS, NOT_MEASURED, NOT_TESTABLE, REVERSED, UNDECIDED, Answer
from plots.claims.verdicts import Condition
from plots.claims.verdicts import between
from plots.claims.words import OF_A_COPY, UNWRITTEN
from plots.records.algorithm import Algorithm
from plots.records.case import KEY_BYTES
from plots.records.count import Count
from plots.records.measurement import Component, Measurement
from plots.records.prediction import Prediction
from plots.records.published import Published
from plots.records.collection import Records
from plots.records.run import Run

BUILT = {
    a["name"]: a
    for a in [*synthetic.ALGORITHMS.values(), synthetic.HYBRID, synthetic.HETEROGENEOUS, *synthetic.LEISCHNER]
}


def invented(role: str) -> dict:
    """A sort for a role that no plug-in has, so that its claims are tested before anybody writes it."""
    name = f"invented_{role}"
    return {
        **synthetic.ALGORITHMS["ha_implicit_radix"],
        "name": name,
        "title": name,
        "roles": {role: {}},
        "presets": {},
    }


BOOKS = books.books()
ROLES = {role: facts for book in BOOKS for role, facts in book.roles.items()}
TAKEN = {role for algorithm in BUILT.values() for role in algorithm["roles"]}
MISSING = {role for role, facts in ROLES.items() if "facts" not in facts} - TAKEN
KNOWN = BUILT | {a["name"]: a for a in (invented(role) for role in sorted(MISSING))}
# A distribution for each pattern.
EXAMPLES = {
    "thearling:*": "thearling:ands=2",
    "zipf:*": "zipf:theta=0.75",
    "few_distinct:distinct=[3-9]": "few_distinct:distinct=4",
    "few_distinct:distinct=??*": "few_distinct:distinct=16",
}
# The selections whose cells make a value of each measure.
SPREADS = ("spread", "spread_at_each_n")
SIDES = {
    "ratio": ("above", "below"),
    "level": ("selection",),
    "share": ("selection",),
    "marginal": ("with_it", "without"),
    "amdahl": ("with_it", "without"),
    "product_ratio": ("above", "below"),
    "spread": ("selection",),
    "spread_at_each_n": ("selection",),
}


@dataclasses.dataclass(frozen=True)
class Stated:
    """One part of a claim, and the condition that it states."""

    book: books.Book
    claim: Claim
    index: int
    answer: Answer  # the answer without records
    figure_of: str

    @property
    def asked(self) -> Mapping[str, Any]:
        """The measure and its arguments."""
        return self.answer.on.asked

    @property
    def measure(self) -> str:
        return self.asked.get("measure", "")

    def by(self, records: Records) -> Answer:
        """The part's answer by these records."""
        found = self.claim.find(Runs(records, self.book.roles))
        return found if isinstance(found, Answer) else next(itertools.islice(found, self.index, None)).answer

    def judged(self, records: Records) -> judgement.PartResult:
        """The part as a claim of its own: what stands beside a claim without a verdict has none."""

        def alone(runs: Runs) -> Iterator[Part]:
            yield dataclasses.replace(self.claim.parts(runs)[self.index], beside=False)

        return judged(self.book, dataclasses.replace(self.claim, platform="gpu", find=alone), records).parts[0]


def judged(book: books.Book, claim: Claim, records: Records) -> judgement.ClaimResult:
    (result,) = judgement.judge(records, ledger=[dataclasses.replace(book, claims=[claim])])
    return result


def stated() -> Iterator[Any]:
    for book in BOOKS:
        for claim in book.claims:
            for index, part in enumerate(claim.parts(Runs(Records(), book.roles))):
                yield pytest.param(Stated(book, claim, index, part.answer, part.figure_of), id=f"{claim.id}-{index}")


PARTS = list(stated())
MEASURED = [p for p in PARTS if p.values[0].measure not in ("", "arithmetic")]
ARITHMETIC = [p for p in PARTS if p.values[0].measure == "arithmetic"]
UNTESTABLE = [p for p in PARTS if not p.values[0].measure]


def selections(asked: Mapping[str, Any]) -> list[Selection]:
    """All selections of a measure; a product has lists of them."""
    every = [one for argument in asked.values() for one in (argument if isinstance(argument, list) else [argument])]
    return [one for one in every if isinstance(one, Selection)]


def planted(cells: list[dict], counts: list[dict] = [], known: dict[str, dict] = KNOWN) -> Records:
    made = Records(runs=[Run.of(synthetic.run_record())])
    made.algorithms = {name: Algorithm.of(a) for name, a in known.items()}
    for cell in cells:
        kind, into = (Component, made.components) if cell["kind"] == "component" else (Measurement, made.measurements)
        into.append(kind.of(cell))
    made.counts = [Count.of(count) for count in counts]
    return made


def sizes(asked: Mapping[str, Any], selection: Selection) -> list[int]:
    if asked.get("spans"):
        low, high = span(asked["spans"])
        return [low, math.isqrt(low * int(high)), int(high)]
    return [span(selection.n)[0]] if selection.n else [1 << 24]


def levels(asked: Mapping[str, Any], n: int) -> float:
    return math.log2(n) if asked.get("quantity") is quantities.cycles_per_level else 1.0


def phases(asked: Mapping[str, Any]) -> list[str]:
    """The phases whose times a measure reads; the first of several that it adds up."""
    given = [asked[name] for name in ("quantity", "over") if isinstance(asked.get(name), functools.partial)]
    return [*(quantity.args[0][0] for quantity in given), *asked.get("phases", ())[:1]]


def other(value: Any) -> Any:
    return {"yes": "no", "no": "yes"}.get(value, value) if isinstance(value, str) else value + 1


class Cells:
    """Invents cells of selections. `names` are sorts that the other side of the measure stands on already."""

    def __init__(self, roles: dict) -> None:
        self.runs = Runs(planted([]), roles)
        self.names: dict[str, str] = {}

    def sort_name(self, role: str) -> str:
        if role not in self.names:
            standing = sorted(self.runs.standing_for(role))
            self.names[role] = next((name for name in standing if name not in self.names.values()), standing[0])
        return self.names[role]

    def made(self, asked: Mapping[str, Any], selection: Selection, scale: float, width: float) -> Iterator[dict]:
        """Every case of a selection, in `scale` times what any takes, its interval `width` times less to more."""
        name = self.sort_name(selection.role)
        on_host = KNOWN[name]["runs_on"] == "host"
        settings = {k: v[0] if isinstance(v, list) else v for k, v in selection.parameters.items()}
        settings |= {k: other(v[-1] if isinstance(v, list) else v) for k, v in selection.parameters_not.items()}
        fields = ("key_type", "value_type", "layout", "threads", "residency")
        given = {field: getattr(selection, field) for field in fields if getattr(selection, field)}
        given = {"residency": "host" if on_host else "device", "threads": 1, **given}
        given["parameters"] = {"digit_bits": 8, **self.runs.standing_for(selection.role)[name], **settings}
        times = asked.get("n_over", 1) if selection is asked.get("above") else 1
        for pattern in selection.distributions:
            for n in (times * n for n in sizes(asked, selection)):
                case = synthetic.case(name, n, distribution=EXAMPLES.get(pattern, pattern), **given)
                seconds = scale * 1e-11 * n * levels(asked, n)
                yield measured(asked, case, selection.component, seconds, width, on_host)


def measured(asked: Mapping[str, Any], case: dict, component: str, seconds: float, width: float, on_host: bool) -> dict:
    cores = case["threads"] if on_host else synthetic.DEVICE["multiprocessors"]
    changes = dict(
        device=None if on_host else synthetic.DEVICE,
        phases=[
            {"name": phase, "pass": 0, "median_s": 0.5 * seconds, "begin_s": 0.0, "end_s": 0.5 * seconds}
            for phase in phases(asked)
        ],
        samples_s=[seconds] * 9,
        processes=[0, 1, 2] * 3,
        median_s=seconds,
        ci95_s=[seconds / width, seconds * width],
        mean_s=seconds,
        cpe_core=cores * synthetic.CLOCK_HZ * seconds / case["n"],
    )
    made = synthetic.component(case, component, seconds) if component else synthetic.measurement(case, seconds)
    return {**made, **changes}


def cells(part: Stated, scale: float, width: float) -> list[dict]:
    """Cells of all sides; what the value follows by its scale: the first side's times, the time of a share's phase, the
    memory above the arrays, of a spread the time of the largest n, of one at each n a time of the smallest."""
    asked, builder = part.asked, Cells(part.book.roles)
    made: list[dict] = []
    for side in SIDES[part.measure]:
        for selection in asked[side] if isinstance(asked[side], list) else [asked[side]]:
            first = not made and part.measure in ("ratio", "level", "marginal", "amdahl", "product_ratio")
            made += builder.made(asked, selection, scale if first else 1.0, width)
    for cell in made if part.measure == "share" else ():
        cell["phases"][0]["median_s"] = cell["median_s"] * scale / (1 + scale)
    for cell in made if asked.get("quantity") is quantities.bookkeeping_share else ():
        case = cell["case"]
        arrays = case["n"] * KEY_BYTES[case["key_type"]]
        cell["scratch_bytes"] = int(arrays * (1 + scale / 10))
    if part.measure in SPREADS:
        # If there is one size, it is in the last distribution.
        sign = 1 if part.measure == "spread" else -1
        chosen = max((sign * cell["case"]["n"], i) for i, cell in enumerate(made))
        for cell in made[chosen[1] : chosen[1] + 1]:
            for key in ("median_s", "mean_s", "cpe_core"):
                cell[key] *= scale
            cell["samples_s"] = [scale * s for s in cell["samples_s"]]
            cell["ci95_s"] = [scale * s for s in cell["ci95_s"]]
    return made


def value(part: Stated, scale: float) -> float:
    return part.by(planted(cells(part, scale, 1.0))).on.cases[0].interval.value


def scale_for(part: Stated, wanted: float) -> float:
    """The scale at which the value is what is wanted: most are in proportion to it or to its inverse, and the others
    rise or fall all the way."""
    one, two = (value(part, scale) for scale in (1.0, 2.0))
    if one > 0 and (math.isclose(two, 2 * one) or math.isclose(2 * two, one)):
        return wanted / one if two > one else one / wanted
    low, high = (1.0, 1e3) if part.measure in SPREADS else (1e-6, 1e9)
    rises = value(part, high) > value(part, low)
    for _ in range(45):
        middle = math.sqrt(low * high)
        if (value(part, middle) < wanted) == rises:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)


def values_by_verdict(condition: Condition) -> Iterable[tuple[float, float, str]]:
    """Values on which a condition must hold, fail and stay undecided, with the width of their intervals."""
    if condition.neutral is not None:
        return values_with_direction(condition, condition.neutral)
    low, high = condition.low, condition.high
    if math.isfinite(low) and math.isfinite(high):
        room = (high - low) / 2
        return [
            ((low + high) / 2, 1.0, HOLDS),
            (high + room, 1.0, FAILS),
            (low - room, 1.0, FAILS),
            (high, 3.0, UNDECIDED),
        ]
    edge = low if math.isfinite(low) else high
    room = 0.1 * (edge or 1)
    more, less = (HOLDS, FAILS) if edge == low else (FAILS, HOLDS)
    return [(edge + room, 1.0, more), (edge - room, 1.0, less), (edge, 3.0, UNDECIDED)]


def values_with_direction(condition: Condition, neutral: float) -> Iterable[tuple[float, float, str]]:
    """The same of a condition with a neutral value: what lies on its side of that has its direction."""
    low, high = condition.low, condition.high
    above = low >= neutral
    near, far = (low, high) if above else (high, low)
    inside = (low + high) / 2 if math.isfinite(far) else near * (1.1 if above else 1 / 1.1)
    found = [(inside, 1.0, HOLDS), (neutral * (1 / 1.1 if above else 1.1), 1.0, REVERSED)]
    # An interval that reaches over the neutral value leaves even the direction open.
    found.append((inside, 3 * max(inside / neutral, neutral / inside), UNDECIDED))
    if near != neutral:
        found.append(((near + neutral) / 2, 1.0, DIRECTION))
    if math.isfinite(far):
        found.append((far * (1.1 if above else 1 / 1.1), 1.0, DIRECTION))
    return found


def missing_roles(part: Stated) -> set[str]:
    return MISSING & {selection.role for selection in selections(part.asked)}


@pytest.mark.parametrize("part", [p for p in MEASURED if missing_roles(p.values[0])])
def test_a_claim_of_a_sort_that_no_record_knows_says_what_it_needs(part):
    """A plug-in, or, where one is written, records of it."""
    roles = [ROLES[name] for name in missing_roles(part)]
    found = part.judged(planted([], known=BUILT))
    elsewhere = any("elsewhere" in role for role in roles)
    begin = (
        "needs " if elsewhere else "no plug-in of " if any(role.get("unwritten") for role in roles) else "no record of "
    )
    verdict = NOT_TESTABLE if elsewhere or part.figure_of else NOT_MEASURED
    reason = found.reason.rpartition("none here stands beside it: ")[2]
    assert found.verdict == verdict and reason.startswith(begin)
    assert begin != "no plug-in of " or "run configs" not in found.reason  # no run would mend it


@pytest.mark.parametrize("part", UNTESTABLE)
def test_what_no_record_shows_is_not_testable_and_says_why(part):
    found = part.judged(planted([]))
    assert part.answer.reason and found.reason.startswith(part.answer.reason)
    assert found.verdict == (NOT_MEASURED if part.answer.reason.startswith(UNWRITTEN) else NOT_TESTABLE)


@pytest.mark.parametrize("part", ARITHMETIC)
def test_arithmetic_holds_or_fails_and_its_condition_can_do_both(part):
    assert part.judged(planted([])).verdict in (HOLDS, FAILS)
    low, high = part.answer.low, part.answer.high
    for wanted, width, said in values_by_verdict(part.answer.condition):
        if width == 1.0:  # computed numbers have no interval and are never undecided
            one = dataclasses.replace(part.claim, find=lambda runs: between(low, high, arithmetic(wanted)))
            assert judged(part.book, one, planted([])).parts[0].verdict == said, wanted


@pytest.mark.parametrize("part", MEASURED)
def test_a_part_holds_fails_and_stays_undecided(part):
    if part.measure == "memory_share":
        judge_on_two_machines(part)
    elif "on" in part.asked:
        judge_by_datasheets(part)
    elif part.measure not in SIDES:
        judge_exact(part)
    else:
        for wanted, width, said in values_by_verdict(part.answer.condition):
            found = part.judged(planted(cells(part, scale_for(part, wanted), width)))
            if part.figure_of:
                assert found.verdict == NOT_TESTABLE and found.figure and "itself" in found.reason
            elif said != UNDECIDED or part.asked.get("quantity") is not quantities.bookkeeping_share:
                assert found.verdict == said, (wanted, found)
            assert unit(found.figure) == unit(found.condition), found


def unit(text: str) -> str:
    """The unit of a figure or condition: its words without the numbers. Any unit of time counts as s."""
    words = [word for word in re.split(r"[\s\[\](),…]+", text) if word not in ("", "at", "least", "most", "to")]
    words = [re.sub("^[mµn]s$", "s", word) for word in words if not re.fullmatch(r"[-−]?[\d.]+", word)]
    return " ".join(dict.fromkeys(words))


def test_wider_elements_have_no_direction():
    """Against 32-bit keys no sort of 64-bit keys, or of pairs, could take less: SAT-C26 to C29."""
    wider = [p.values[0] for p in MEASURED if p.values[0].measure == "ratio"]
    wider = [p for p in wider if p.asked["above"].is_wider(p.asked["below"])]
    assert {p.claim.id for p in wider} >= {"SAT-C26", "SAT-C27", "SAT-C28", "SAT-C29"}
    assert all(p.answer.condition.neutral is None for p in wider)


def test_what_includes_another_has_no_direction():
    """No shuffle can be faster than a copy, nor a chunked sort than the copy in it: HA-C5, STE-C16 and C24."""
    including = [p.values[0] for p in MEASURED if p.values[0].asked.get("reads") == OF_A_COPY]
    assert {p.claim.id for p in including} == {"HA-C5", "STE-C16", "STE-C24"}
    assert all(p.answer.condition.neutral is None for p in including)


def judge_exact(part: Stated) -> None:
    """Counts have no interval, but those of several cells may disagree."""
    if part.measure == "counted_growth":
        judge_growth(part)
        return
    if part.measure == "counted":
        judge_counted(part)
        return
    asked, allowed = part.asked, part.answer.allowed
    selection = asked["selection"]
    if part.measure == "kernels":
        selection = selection.but(distribution=["uniform", "constant"])
    invented_cells = list(Cells(part.book.roles).made({}, selection, 1.0, 1.0))

    def found(good: list[bool]) -> judgement.PartResult:
        counts, measurements = [], []
        for cell, so in zip(invented_cells, good):
            named = [*asked.get("phases", ["scatter"]), *asked.get("over_phases", [])]
            count = synthetic.count(cell["case"], {phase: allowed[0] if allowed and so else "none" for phase in named})
            for phase in count["phases"]:
                twice = 2.0 if phase["name"] in asked.get("phases", ()) else 1.0
                phase["kernels"] = [{"name": "k", "launches": 3 if so else 4}]
                phase["per_element"] = {c: twice if so else 1.0 for c in asked.get("counters", ["instructions"])}
            if part.measure == "kernels":  # the first pass decides nothing
                count["phases"] += [{**phase, "pass": 1} for phase in count["phases"]]
            counts.append(count)
            measurements.append(cell)
        return part.judged(planted(measurements, counts))

    if part.measure == "kernels":
        assert (found([True, True]).verdict, found([True, False]).verdict) == (HOLDS, FAILS)
        assert found([True]).verdict == NOT_MEASURED
    else:
        every = len(invented_cells)
        assert (found([True] * every).verdict, found([False] * every).verdict) == (HOLDS, FAILS)


def judge_counted(part: Stated) -> None:
    """A counter of one phase, alike in all passes."""
    asked, high = part.asked, part.answer.high
    for wanted, said in ((high / 1.1, HOLDS), (high * 1.1, FAILS)):
        counts, measurements = [], list(Cells(part.book.roles).made({}, asked["selection"], 1.0, 1.0))
        for cell in measurements:
            count = synthetic.count(cell["case"], {asked["phase"]: "dram", "scatter": "issue"})
            for p in count["phases"]:
                p["per_element"] = {asked["counter"]: wanted if p["name"] == asked["phase"] else 1e3}
            counts.append(count)
        assert part.judged(planted(measurements, counts)).verdict == said, wanted
    assert part.judged(planted(measurements, [])).verdict == NOT_MEASURED


def judge_growth(part: Stated) -> None:
    """Counts of two selections of the same cases."""
    low, high = part.answer.low, part.answer.high
    for wanted, said in (((low + high) / 2, HOLDS), (low / 1.1, FAILS), (high * 1.1, FAILS)):
        counts = []
        for side, per_element in (("above", wanted), ("below", 1.0)):
            for cell in Cells(part.book.roles).made({}, part.asked[side], 1.0, 1.0):
                count = synthetic.count(cell["case"], {"scatter": "issue"})
                count["phases"] = [{**p, "per_element": {part.asked["counter"]: per_element}} for p in count["phases"]]
                counts.append(count)
        assert part.judged(planted([], counts)).verdict == said, wanted
    alone = part.judged(planted([], counts[:1]))
    assert alone.verdict == NOT_MEASURED and "run sortlab count" in alone.reason


def judge_on_two_machines(part: Stated) -> None:
    """From the GPU at hand to one with twice the multiprocessors' work and four times the bandwidth: the share that
    follows bandwidth is that of a sort alone, or what it has more of than the other."""
    asked, another = part.asked, dict(machine="other-2c-00000000", run="20200102T000000Z-abcdef")

    def found(share: float, width: float) -> judgement.PartResult:
        made = []
        builder = Cells(part.book.roles)
        for side, own in (("selection", share), ("minus", 0.25)):
            for cell in builder.made({}, asked[side], 1.0, width) if side in asked else ():
                gain = 1 / ((1 - own) / 2 + own / 4)
                seconds = cell["median_s"] / gain
                faster = dict(samples_s=[seconds] * 9, median_s=seconds, ci95_s=[seconds / width, seconds * width])
                device = {**synthetic.DEVICE, "name": "Another GPU"}
                made += [cell, {**cell, **another, **faster, "device": device, "cpe_core": 2 * cell["cpe_core"] / gain}]
        records = planted(made)
        records.runs.append(Run.of({**synthetic.run_record(), "run": another["run"]}))
        records.read_bytes_per_s = {synthetic.DEVICE["name"]: 1e12, "Another GPU": 4e12}
        return part.judged(records.on(synthetic.MACHINE))

    edge = 0.25 if "minus" in asked else part.answer.high
    assert part.answer.condition.neutral in (0, 0.5)
    more, less = (HOLDS, REVERSED) if math.isfinite(part.answer.low) else (REVERSED, HOLDS)
    assert found(edge + 0.1, 1.0).verdict == more
    assert found(edge - 0.1, 1.0).verdict == less
    assert found(edge, 1.1).verdict == UNDECIDED
    assert "over NVIDIA H200" in found(edge, 1.1).reason


def judge_by_datasheets(part: Stated) -> None:
    """Two machines by datasheet, one with twice as much of everything; what is said of them decides, and is exact."""
    asked = part.asked
    (cell,) = Cells(part.book.roles).made({}, asked["selection"], 1.0, 1.0)

    def said(machine: str, seconds: float, factor: float, binding: str = "dram") -> Prediction:
        factors = dict.fromkeys(["memory.bandwidth", "multiprocessors", "clock"], factor)
        profile = {"id": "x", "name": machine, "hash": "0" * 16, "origin": "scaled", "base": "y", "factors": factors}
        bound = [{"name": "sweep", "pass": 0, "seconds": seconds, "binding": binding, "work": {}}]
        changes = dict(profile=profile, phases=bound, model_kind="scaled")
        return Prediction.of(synthetic.prediction(cell["case"], seconds, **changes))

    def printed(machine: str, seconds: float) -> Published:
        keys = {"u32": "f32", "u64": "i64"}[cell["case"]["key_type"]]
        record = dict(paper="ELSEWHERE", id="ELSEWHERE-X", algorithm="CUB radix sort", platform=machine, type=keys)
        record |= dict(n=cell["case"]["n"], n_printed="n", distribution=cell["case"]["distribution"], metric="time")
        record |= dict(printed={"text": "1", "value": 1, "unit": "s"}, value=seconds, unit="s", statistic=None)
        record |= dict(versus=None, note=None, inconsistency=None)
        return Published.of(record)

    def found(gain: float) -> judgement.PartResult:
        made = planted([])
        times = {asked["over"]: gain, asked["on"]: 1.0}
        by_print = part.measure.startswith("published_")
        made.published = [printed(machine, seconds) for machine, seconds in times.items()] if by_print else []
        # Predictions that are not asked for say the contrary.
        made.predictions = [
            said(machine, 1.0 if by_print else seconds, 2.0 if machine == asked["on"] else 1.0)
            for machine, seconds in times.items()
        ]
        return part.judged(made)

    assert part.judged(planted([])).reason.startswith("no record of a")
    if "over" in asked:
        is_bound = math.isfinite(part.answer.high)
        edge = (part.answer.high if is_bound else part.answer.low) * 2 ** len(asked.get("per", ()))
        good, bad = (0.99, 1.01) if is_bound else (1.01, 0.99)
        assert found(good * edge).verdict == HOLDS and found(bad * edge).verdict == FAILS
        return
    for binding in ("dram", "issue", "latency"):
        made = planted([])
        made.predictions = [said(asked["on"], 1.0, 1.0, binding)]
        assert part.judged(made).verdict == (HOLDS if binding in part.answer.allowed else FAILS)
