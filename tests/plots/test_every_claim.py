"""Every query of the ledger can hold, fail and, unless it is of something exact, stay undecided."""

import dataclasses
import math
from typing import Any, Iterator

import pytest
import synthetic_records as synthetic

from plots.claims import query
from plots.claims import judgement
from plots.claims import books
from plots.records.algorithm import Algorithm
from plots.claims.verdicts import FAILS, HOLDS, NOT_TESTABLE, UNDECIDED
from plots.records.count import Count
from plots.records.jsonl import Node
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
    """A sort for a role that no plug-in has, so that the queries of its claims are tested before anybody writes it."""
    name = f"invented_{role}"
    return {
        **synthetic.ALGORITHMS["ha_implicit_radix"],
        "name": name,
        "title": name,
        "roles": {role: {}},
        "presets": {},
    }


ROLES = {role: of for book in books.books() for role, of in book.sorts.items()}
TAKEN = {role for algorithm in BUILT.values() for role in algorithm["roles"]}
MISSING = {role for role, of in ROLES.items() if "facts" not in of} - TAKEN
KNOWN = BUILT | {a["name"]: a for a in (invented(role) for role in sorted(MISSING))}
# What stands for a pattern of distributions.
EXAMPLES = {
    "thearling:*": "thearling:ands=2",
    "zipf:*": "zipf:theta=0.75",
    "few_distinct:distinct=[3-9]": "few_distinct:distinct=4",
    "few_distinct:distinct=??*": "few_distinct:distinct=16",
}
# The value of a form, and the sides whose cells make it.
FORMS = {
    "time_of": ("_ratios", ("time_of", "over_time_of")),
    "level": ("_levels", ("level",)),
    "share": ("_shares", ("share",)),
    "marginal": ("_marginals", ("marginal", "without")),
    "product_of": ("_products", ("product_of", "over_product_of")),
    "flat": ("_flat", ("flat",)),
}
PARTS = [
    pytest.param(book, claim, part, id=f"{claim['id']}-{index}")
    for book in books.books()
    for claim in book.claims
    for index, part in enumerate(claim["parts"])
]
MEASURED = [p for p in PARTS if not {"untestable", "value"} & p.values[2]["query"].keys()]
ARITHMETIC = [p for p in PARTS if "value" in p.values[2]["query"]]
UNTESTABLE = [p for p in PARTS if "untestable" in p.values[2]["query"]]


def records_of(cells: list[dict], counts: list[dict] = [], known: dict[str, dict] = KNOWN) -> Records:
    made = Records(runs=[Run.of(Node(synthetic.run_record(), "run"))])
    made.algorithms = {name: Algorithm.of(Node(a, name)) for name, a in known.items()}
    for cell in cells:
        kind, into = (Component, made.components) if cell["kind"] == "component" else (Measurement, made.measurements)
        into.append(kind.of(Node(cell, "cell")))
    made.counts = [Count.of(Node(count, "count")) for count in counts]
    return made


def sizes(query: dict, selection: dict) -> list[int]:
    if "spans" in query:
        low, high = query._span(query["spans"])
        return [low, math.isqrt(low * int(high)), int(high)]
    return [query._span(selection["n"])[0]] if "n" in selection else [1 << 24]


def levels(query: dict, n: int) -> float:
    return math.log2(n) if "level" in query.get("quantity", "") else 1.0


def other(value: Any) -> Any:
    return {"yes": "no", "no": "yes"}.get(value, value) if isinstance(value, str) else value + 1


class Cells:
    """Invents cells of selections. `names` are sorts that the other side of the query stands on already."""

    def __init__(self, sorts: dict) -> None:
        self.query = query.Query(records_of([]), sorts)
        self.names: dict[str, str] = {}

    def name_of(self, role: str) -> str:
        if role not in self.names:
            standing = sorted(self.query.standing_for(role))
            self.names[role] = next((name for name in standing if name not in self.names.values()), standing[0])
        return self.names[role]

    def of(self, query: dict, selection: dict, scale: float, width: float) -> Iterator[dict]:
        """Every case of a selection, in `scale` times what any takes, its interval `width` times less to more."""
        name = self.name_of(selection["sort"])
        on_host = KNOWN[name]["runs_on"] == "host"
        settings = {k: v[0] if isinstance(v, list) else v for k, v in selection.get("parameters", {}).items()}
        settings |= {
            k: other(v[-1] if isinstance(v, list) else v) for k, v in selection.get("parameters_not", {}).items()
        }
        given = {
            k: selection[k] for k in ("key_type", "value_type", "layout", "threads", "residency") if k in selection
        }
        given = {"residency": "host" if on_host else "device", "threads": 1, **given}
        given["parameters"] = {"digit_bits": 8, **self.query.standing_for(selection["sort"])[name], **settings}
        patterns = selection.get("distribution", "uniform")
        for pattern in patterns if isinstance(patterns, list) else [patterns]:
            for n in sizes(query, selection):
                case = synthetic.case(name, n, distribution=EXAMPLES.get(pattern, pattern), **given)
                yield measured(
                    query, case, selection.get("component"), scale * 1e-11 * n * levels(query, n), width, on_host
                )


def measured(query: dict, case: dict, component: Any, seconds: float, width: float, on_host: bool) -> dict:
    cores = case["threads"] if on_host else synthetic.DEVICE["multiprocessors"]
    named = [query[key].partition(":")[2] for key in ("quantity", "over_quantity") if ":" in query.get(key, "")]
    phases = [
        {"name": phase, "pass": 0, "median_s": 0.5 * seconds, "begin_s": 0.0, "end_s": 0.5 * seconds}
        for phase in (*named, *query.get("phases", ())[:1])
    ]
    changes = dict(
        device=None if on_host else synthetic.DEVICE,
        phases=phases,
        samples_s=[seconds] * 9,
        median_s=seconds,
        ci95_s=[seconds / width, seconds * width],
        mean_s=seconds,
        cpe_core=cores * synthetic.CLOCK_HZ * seconds / case["n"],
    )
    made = synthetic.component(case, component, seconds) if component else synthetic.measurement(case, seconds)
    return {**made, **changes}


def cells_of(query: dict, form: str, sorts: dict, scale: float, width: float) -> list[dict]:
    """Of all sides; what the value follows by its scale: the first side's times, of a share the phase's, of memory that
    above the arrays, of a spread the time of the largest n."""
    cells = Cells(sorts)
    made: list[dict] = []
    for side in FORMS[form][1]:
        for selection in query[side] if isinstance(query[side], list) else [query[side]]:
            first = not made and form in ("time_of", "level", "marginal", "product_of")
            made += cells.of(query, selection, scale if first else 1.0, width)
    for cell in made if form == "share" else ():
        cell["phases"][0]["median_s"] = cell["median_s"] * scale / (1 + scale)
    for cell in made if query.get("quantity") == "bookkeeping_share" else ():
        case = cell["case"]
        arrays = case["n"] * synthetic.KEY_BYTES[case["key_type"]]
        cell["scratch_bytes"] = int(arrays * (1 + scale / 10))
    if form == "flat":
        # Of one size: in the last distribution.
        largest = max((cell["case"]["n"], i) for i, cell in enumerate(made))
        for cell in made[largest[1] : largest[1] + 1]:
            for key in ("median_s", "mean_s", "cpe_core"):
                cell[key] *= scale
            cell["samples_s"] = [scale * s for s in cell["samples_s"]]
            cell["ci95_s"] = [scale * s for s in cell["ci95_s"]]
    return made


def value(query: dict, form: str, sorts: dict, scale: float) -> float:
    found = getattr(query.Query(records_of(cells_of(query, form, sorts, scale, 1.0)), sorts), FORMS[form][0])(query)
    return (found if not isinstance(found, list) else found[0]).interval.value


def scale_for(query: dict, form: str, sorts: dict, wanted: float) -> float:
    """At which scale the value is what is wanted: most are in proportion to it or to its inverse, and the others rise
    or fall all the way."""
    one, two = (value(query, form, sorts, scale) for scale in (1.0, 2.0))
    if one > 0 and (math.isclose(two, 2 * one) or math.isclose(2 * two, one)):
        return wanted / one if two > one else one / wanted
    low, high = (1.0, 1e3) if form == "flat" else (1e-6, 1e9)
    rises = value(query, form, sorts, high) > value(query, form, sorts, low)
    for _ in range(45):
        middle = math.sqrt(low * high)
        if (value(query, form, sorts, middle) < wanted) == rises:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)


def values_of(condition: dict) -> list[tuple[float, float, str]]:
    """Values on which a condition must hold, fail and stay undecided, with the width of their intervals."""
    if "equals" in condition:
        return [(condition["equals"], 1.0, HOLDS), (condition["equals"] + 1, 1.0, FAILS)]
    if "about" in condition or "between" in condition:
        centre, share = condition.get("about", 0), condition.get("within", 0)
        low, high = condition.get("between", (centre * (1 - share), centre * (1 + share)))
        room = (high - low) / 2
        return [
            ((low + high) / 2, 1.0, HOLDS),
            (high + room, 1.0, FAILS),
            (low - room, 1.0, FAILS),
            (high, 3.0, UNDECIDED),
        ]
    edge = condition["at_least"] if "at_least" in condition else condition["at_most"]
    room = 0.1 * (edge or 1)
    more, less = (HOLDS, FAILS) if "at_least" in condition else (FAILS, HOLDS)
    return [(edge + room, 1.0, more), (edge - room, 1.0, less), (edge, 3.0, UNDECIDED)]


def roles(query: dict) -> set[str]:
    sides = [query[side] for side in (*query,) if isinstance(query[side], (dict, list)) and side != "is"]
    every = [one for side in sides for one in (side if isinstance(side, list) else [side]) if isinstance(one, dict)]
    return {one["sort"] for one in every if "sort" in one}


def verdict(book: books.Book, claim: dict, part: dict, records: Records) -> judgement.PartResult:
    one = dataclasses.replace(book, claims=[{**claim, "platform": "gpu", "parts": [part]}])
    (result,) = judgement.judge(records, ledger=[one])
    return result.parts[0]


@pytest.mark.parametrize("book, claim, part", [p for p in MEASURED if MISSING & roles(p.values[2]["query"])])
def test_a_claim_of_a_sort_that_does_not_exist_yet_says_what_it_needs(book, claim, part):
    found = verdict(book, claim, part, records_of([], known=BUILT))
    assert found.verdict == NOT_TESTABLE and found.reason.startswith("needs ")


@pytest.mark.parametrize("book, claim, part", UNTESTABLE)
def test_what_no_record_shows_is_not_testable_and_says_why(book, claim, part):
    found = verdict(book, claim, part, records_of([]))
    assert found.verdict == NOT_TESTABLE and found.reason.startswith(part["query"]["untestable"])


@pytest.mark.parametrize("book, claim, part", ARITHMETIC)
def test_arithmetic_holds_or_fails_and_its_condition_can_do_both(book, claim, part):
    assert verdict(book, claim, part, records_of([])).verdict in (HOLDS, FAILS)
    for wanted, width, said in values_of(part["query"]["is"]):
        if width == 1.0:  # what is computed has no interval, and is never undecided
            one = {**part, "query": {**part["query"], "value": f"1 * {wanted}" if wanted >= 0 else f"0 - {-wanted}"}}
            assert verdict(book, claim, one, records_of([])).verdict == said, wanted


@pytest.mark.parametrize("book, claim, part", MEASURED)
def test_a_query_holds_fails_and_stays_undecided(book, claim, part):
    query, sorts = part["query"], book.sorts
    form = next((form for form in FORMS if form in query), None)
    if "memory_share_of" in query:
        of_two_machines(book, claim, part)
        return
    if "on" in query:
        of_datasheets(book, claim, part)
        return
    if form is None:
        exact(book, claim, part)
        return
    for wanted, width, said in values_of(query["is"]):
        scale = scale_for(query, form, sorts, wanted)
        found = verdict(book, claim, part, records_of(cells_of(query, form, sorts, scale, width)))
        if "figure_of" in part:
            assert found.verdict == NOT_TESTABLE and found.figure and "itself" in found.reason
        elif said != UNDECIDED or query.get("quantity") != "bookkeeping_share":
            assert found.verdict == said, (wanted, found)


def exact(book: books.Book, claim: dict, part: dict) -> None:
    """What is counted has no interval: where it is of several cells, they may disagree."""
    query = part["query"]
    (form,) = query.keys() & {"launches_of", "counted", "binding_of", "status_of", "residency_of"}
    selection = {**query[form], "distribution": ["uniform", "constant"]} if form == "launches_of" else query[form]
    cells = list(Cells(book.sorts).of({}, selection, 1.0, 1.0))
    allowed = query["is"].get("one_of", [])

    def of(good: list[bool]) -> judgement.PartResult:
        counts, measurements = [], []
        for cell, so in zip(cells, good):
            phases = [*query.get("phases", ["scatter"]), *query.get("over_phases", [])]
            count = synthetic.count(cell["case"], {phase: allowed[0] if allowed and so else "none" for phase in phases})
            for phase in count["phases"]:
                twice = 2.0 if phase["name"] in query.get("phases", ()) else 1.0
                phase["kernels"] = [{"name": "k", "launches": 3 if so else 4}]
                phase["per_element"] = {c: twice if so else 1.0 for c in query.get("counters", ["instructions"])}
            counts.append(count)
            status = allowed[0] if so and allowed else "timeout"
            if form == "residency_of":
                cell = cell if so else {**cell, "case": {**cell["case"], "residency": "end_to_end"}}
            measurements.append(cell if form != "status_of" or status == "ok" else lost(cell, status))
        return verdict(book, claim, part, records_of(measurements, counts))

    if form == "launches_of":
        assert (of([True, True]).verdict, of([True, False]).verdict) == (HOLDS, FAILS)
        assert of([True]).verdict == NOT_TESTABLE
    else:
        assert (of([True] * len(cells)).verdict, of([False] * len(cells)).verdict) == (HOLDS, FAILS)


def of_two_machines(book: books.Book, claim: dict, part: dict) -> None:
    """From the GPU at hand to one with twice the multiprocessors' work and four times the bandwidth: the share that
    follows bandwidth is that of a sort alone, or what it has more of than the other."""
    query = part["query"]
    other = dict(machine="other-2c-00000000", run="20300102T000000Z-abcdef")

    def of(share: float, width: float) -> judgement.PartResult:
        cells = []
        maker = Cells(book.sorts)
        for side, own in (("memory_share_of", share), ("minus", 0.25)):
            for cell in maker.of({}, query[side], 1.0, width) if side in query else ():
                gain = 1 / ((1 - own) / 2 + own / 4)
                seconds = cell["median_s"] / gain
                faster = dict(samples_s=[seconds] * 9, median_s=seconds, ci95_s=[seconds / width, seconds * width])
                device = {**synthetic.DEVICE, "name": "Another GPU"}
                cells += [cell, {**cell, **other, **faster, "device": device, "cpe_core": 2 * cell["cpe_core"] / gain}]
        made = records_of(cells)
        made.runs.append(Run.of(Node({**synthetic.run_record(), "run": other["run"]}, "run")))
        made.read_bytes_per_s = {synthetic.DEVICE["name"]: 1e12, "Another GPU": 4e12}
        return verdict(book, claim, part, made.on(synthetic.MACHINE))

    edge = 0.25 if "minus" in query else query["is"]["at_most"]
    more, less = (HOLDS, FAILS) if "at_least" in query["is"] else (FAILS, HOLDS)
    assert of(edge + 0.1, 1.0).verdict == more
    assert of(edge - 0.1, 1.0).verdict == less
    assert of(edge, 1.1).verdict == UNDECIDED
    assert "over NVIDIA H200" in of(edge, 1.1).reason


def of_datasheets(book: books.Book, claim: dict, part: dict) -> None:
    """Two machines by datasheet, one with twice as much of everything; what is said of them decides, and is exact."""
    query = part["query"]
    selection = query.get("gain_elsewhere") or query["binding_elsewhere"]
    (cell,) = Cells(book.sorts).of({}, selection, 1.0, 1.0)

    def said(machine: str, seconds: float, factor: float, binding: str = "dram") -> Prediction:
        factors = dict.fromkeys(["memory.bandwidth", "multiprocessors", "clock"], factor)
        profile = {"id": "x", "name": machine, "hash": "0" * 16, "origin": "scaled", "base": "y", "factors": factors}
        phases = [{"name": "sweep", "seconds": seconds, "binding": binding}]
        changes = dict(profile=profile, phases=phases, model_kind="scaled")
        return Prediction.of(Node(synthetic.prediction(cell["case"], seconds, **changes), "p"))

    def printed(machine: str, seconds: float) -> Published:
        keys = {"u32": "f32", "u64": "i64"}[cell["case"]["key_type"]]
        record = dict(paper="ELSEWHERE", id="ELSEWHERE-X", algorithm="CUB radix sort", platform=machine, type=keys)
        record |= dict(n=cell["case"]["n"], n_printed="n", distribution=cell["case"]["distribution"], metric="time")
        record |= dict(printed={"text": "1", "value": 1, "unit": "s"}, value=seconds, unit="s")
        return Published.of(Node(record, "p"))

    def of(gain: float) -> judgement.PartResult:
        made = records_of([])
        times = {query["over"]: gain, query["on"]: 1.0} if "over" in query else {}
        by_print = query.get("by") == "published"
        made.published = [printed(machine, seconds) for machine, seconds in times.items()] if by_print else []
        # What is not asked says the contrary.
        made.predictions = [
            said(machine, 1.0 if by_print else seconds, 2.0 if machine == query["on"] else 1.0)
            for machine, seconds in times.items()
        ]
        return verdict(book, claim, part, made)

    assert verdict(book, claim, part, records_of([])).reason.startswith("no record of a prediction of")
    if "gain_elsewhere" in query:
        edge = query["is"]["at_most"] * 2 ** len(query["per"])
        assert of(0.99 * edge).verdict == HOLDS and of(1.01 * edge).verdict == FAILS
        return
    for binding in ("dram", "issue", "latency"):
        made = records_of([])
        made.predictions = [said(query["on"], 1.0, 1.0, binding)]
        assert verdict(book, claim, part, made).verdict == (HOLDS if binding in query["is"]["one_of"] else FAILS)


def lost(cell: dict, status: str) -> dict:
    return {**synthetic.skipped(cell["case"], "it was lost", status=status), "cell": cell["cell"]}
