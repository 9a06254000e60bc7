"""Answers the queries of claims (ledger/README.md, Queries) from one set of records."""

from __future__ import annotations

import fnmatch
import math
from typing import Any, Callable, Sequence

from . import other_gpus
from ..records.case import Case
from .quantities import NotTestable, arithmetic, quantity_of
from ..records.count import Count
from ..records.roles import standing_for
from ..records.measurement import Component, Measurement
from ..records.quantities import Interval, count_text
from ..records.collection import Records
from ..analysis.memory_share import Gain, gains
from .verdicts import FAILS, HOLDS, UNDECIDED, Value, decide, figure_text, over_cases

# What a selection means where it says nothing.
_DEFAULTS = {"key_type": "u32", "value_type": "none", "distribution": "uniform", "threads": "most"}


class NoPlugIn(NotTestable):
    """There is no plug-in for these roles."""

    def __init__(self, roles: list[dict[str, Any]]) -> None:
        self.roles = roles
        for role in roles:
            if "elsewhere" in role:
                super().__init__(role["elsewhere"])
                return
        first = list(dict.fromkeys(role["needs"] for role in roles if role.get("needs")))
        titles = list(dict.fromkeys(role["title"] for role in roles))
        plug_ins = ("a plug-in of " if len(titles) == 1 else "plug-ins of ") + " and ".join(titles)
        super().__init__("needs " + " and ".join([*first, plug_ins]))


class Query:
    """Answers queries from one set of records."""

    def __init__(self, records: Records, sorts: dict[str, Any]) -> None:
        self.records, self.sorts = records, sorts

    def standing_for(self, name: str) -> dict[str, dict[str, Any]]:
        """The sorts that stand for a role, by name, each with the parameters that it then has."""
        return standing_for(self.records, name, self.sorts)

    def _require_plug_ins(self, *names: str) -> None:
        """Raises NotTestable if no sort stands for one of these roles."""
        empty = [self.sorts[name] for name in names if not self.standing_for(name)]
        if empty and not self.records.algorithms and not any("elsewhere" in role for role in empty):
            raise NotTestable(f"no record of {empty[0]['title']}, nor of what any sort is")
        if empty:
            raise NoPlugIn(empty)

    def answer(self, query: dict[str, Any]) -> tuple[str, str, str]:
        """Verdict, measured figure, and what the figure is of. Raises NotTestable."""
        if "untestable" in query:
            raise NotTestable(query["untestable"])
        if "value" in query:
            value = arithmetic(query["value"])
            return (
                decide(Interval(value, value, value), query["is"]),
                f"{value:.4g}",
                "arithmetic on the paper’s numbers",
            )
        if "status_of" in query:
            return self._facts(query, query["status_of"], lambda m: m.status)
        if "residency_of" in query:
            return self._facts(query, query["residency_of"], lambda m: m.case.residency)
        if "flat" in query:
            value = self._flat(query)
            return decide(value.interval, query["is"]), figure_text([value]), value.of
        if "binding_of" in query:
            return self._bindings(query)
        if "binding_elsewhere" in query:
            return other_gpus.answer_binding(self.records, query, self._fits_of(query["binding_elsewhere"]))
        if "launches_of" in query:
            value = self._launches(query)
            return decide(value.interval, query["is"]), f"{value.interval.value:.4g}", value.of
        forms: dict[str, Callable[[dict[str, Any]], list[Value]]] = {
            "time_of": self._ratios,
            "level": self._levels,
            "share": self._shares,
            "marginal": self._marginals,
            "product_of": self._products,
            "counted": self._counted,
            "memory_share_of": self._memory_shares,
            "gain_elsewhere": self._gains_elsewhere,
        }
        (form,) = [name for name in forms if name in query]
        values = forms[form](query)
        answer = over_cases(values, query["is"], query.get("over", "every"))
        missing = _missing(query, form, [value.case for value in values if value.case])
        # One case is enough for a claim about all to fail, and none but all of them for it to hold.
        if missing and not (answer[0] == FAILS and query.get("over", "every") == "every"):
            raise NotTestable(missing)
        return answer

    def select(self, selection: dict[str, Any], every_run: bool = False) -> list[Measurement]:
        """The verified measurements of a selection, undisturbed unless it takes others, on the threads with most cells;
        the newest of each cell, or those of all runs, the oldest first. Raises NotTestable."""
        role = self.sorts[selection["sort"]]
        self._require_plug_ins(selection["sort"])
        standing = self.standing_for(selection["sort"])
        meant = ("sort", "parameters_not", "even_disturbed")
        wanted = {**_DEFAULTS, **{k: v for k, v in selection.items() if k not in meant}}
        asked = selection.get("parameters", {})
        not_so = selection.get("parameters_not", {})
        component = selection.get("component")
        whole = self.records.of_all_runs if every_run else self.records.ok
        of: Sequence[Measurement] = (
            self.records.parts(component, algorithm=lambda name: name in standing)
            if component
            else whole(algorithm=lambda name: name in standing, **_residency(selection))
        )
        found = [
            m
            for m in of
            if (selection.get("even_disturbed", False) or not m.disturbed)
            and m.has_interval
            and _fits(m.case, {**wanted, "parameters": {**standing[m.case.algorithm], **asked}})
            and not (not_so and _has(m.case, not_so))
        ]
        if not found:
            part = f"component {component} of " if component else ""
            raise NotTestable(f"no record of {part}{role['title']} {_selection_text(selection)}")
        if wanted["threads"] != "most":
            return found
        return [m for m in found if m.case.threads == _usual_threads(found, m.case.algorithm)]

    def _ratios(self, query: dict[str, Any]) -> list[Value]:
        quantity = quantity_of(query.get("quantity", "seconds"))
        over_quantity = quantity_of(query.get("over_quantity", query.get("quantity", "seconds")))
        fields = query.get("pair_on", ["n", "distribution"])
        self._require_plug_ins(*(query[side]["sort"] for side in ("time_of", "over_time_of")))
        below = self.select(query["over_time_of"], every_run=True)
        stopped = self._stopped(query, below, fields) if query.get("or_stopped") else []
        try:
            above = self.select(query["time_of"], every_run=True)
        except NotTestable:
            if not stopped:
                raise
            return stopped
        pairs = _pairs(above, below, fields, self._runs(above, below))
        if not pairs and not stopped:
            raise NotTestable("no record of both sides in one case")
        return [Value(quantity(a).over(over_quantity(b)), _pair_text(a, b), b.case) for a, b in pairs] + stopped

    def _stopped(self, query: dict[str, Any], below: list[Measurement], fields: list[str]) -> list[Value]:
        """Cells of the first side that were stopped at their time limit: they took at least as long."""
        values = []
        of = _fastest_by(below, fields)
        for m in self._tried(query["time_of"]):
            key = tuple(getattr(m.case, name) for name in fields)
            if m.limit_s and key in of and of[key].seconds:
                least = m.limit_s / of[key].seconds.high
                text = f"{m.case.type_name} {m.case.distribution} n = {count_text(m.case.n)}"
                text += f", stopped after {m.limit_s:g} s"
                values.append(Value(Interval(least, least, math.inf), text, of[key].case))
        return values

    def _levels(self, query: dict[str, Any]) -> list[Value]:
        quantity = quantity_of(query["quantity"])
        best = _fastest_by(self.select(query["level"]), ["n", "distribution"])
        return [Value(quantity(m), _case_text(m), m.case) for _, m in sorted(best.items(), key=lambda item: item[0])]

    def _shares(self, query: dict[str, Any]) -> list[Value]:
        values = []
        for m in _fastest_by(self.select(query["share"]), ["n", "distribution"]).values():
            named = [p.seconds for p in m.phases if p.name in query["phases"]]
            if not named or m.seconds is None:
                raise NotTestable(f"no phase {' or '.join(query['phases'])} in the records of {m.case.algorithm}")
            # Phases are medians without an interval; that of the whole is of what they are a share of.
            share = Interval(*(sum(named) / end for end in (m.seconds.value, m.seconds.high, m.seconds.low)))
            values.append(Value(share, _case_text(m), m.case))
        return values

    def _marginals(self, query: dict[str, Any]) -> list[Value]:
        """How much a quantity grows from one setting to another, times `times`; `as_share` a share of the larger."""
        quantity, times = quantity_of(query["quantity"]), query.get("times", 1)
        with_it = _fastest_by(self.select(query["marginal"]), ["n", "distribution"])
        without = _fastest_by(self.select(query["without"]), ["n", "distribution"])
        values = []
        for key in sorted(with_it.keys() & without.keys()):
            a, b = quantity(with_it[key]), quantity(without[key])
            grown = Interval(a.value - b.value, a.low - b.high, a.high - b.low).scaled(times)
            whole = a if query.get("as_share") else Interval(1, 1, 1)
            ends = [end / w for end in (grown.low, grown.high) for w in (whole.low, whole.high)]
            values.append(Value(Interval(grown.value / whole.value, min(ends), max(ends)), _case_text(with_it[key])))
        if not values:
            raise NotTestable("no record of both settings in one case")
        return values

    def _products(self, query: dict[str, Any]) -> list[Value]:
        """The product of the first selections' medians over that of the second ones', case by case, all of one run."""
        fields = query.get("pair_on", ["n", "distribution"])
        quantity = quantity_of(query.get("quantity", "seconds"))
        sides = [
            [self.select(selection, every_run=True) for selection in query[side]]
            for side in ("product_of", "over_product_of")
        ]
        values: dict[tuple[Any, ...], Value] = {}
        for run in self._runs(*(found for side in sides for found in side)):  # the newest that has all settings
            by_side = [[_fastest_by([m for m in found if m.run == run], fields) for found in side] for side in sides]
            for key in set.intersection(*(set(found) for side in by_side for found in side)):
                above, below = (_product([quantity(found[key]) for found in side]) for side in by_side)
                m = by_side[0][0][key]
                values[key] = Value(above.over(below), _case_text(m), m.case)
        if not values:
            raise NotTestable("no record of all settings in one case of one run")
        return [values[key] for key in sorted(values)]

    def _counted(self, query: dict[str, Any]) -> list[Value]:
        """What a profiler counted an element in some phases over what it counted in others, by cell."""
        selection = query["counted"]
        self._require_plug_ins(selection["sort"])
        values = []
        for count in self._counts(selection):
            above, below = (
                sum(p.per_element.get(c, 0.0) for p in count.phases if p.name in query[side] for c in query["counters"])
                for side in ("phases", "over_phases")
            )
            if above and below:
                ratio, c = above / below, count.case
                of = f"{c.type_name} {c.distribution} n = {count_text(c.n)}, {count.device}"
                values.append(Value(Interval(ratio, ratio, ratio), f"counted of {of}", c))
        if not values:
            names = " and ".join([*query["phases"], *query["over_phases"]])
            raise NotTestable(f"no {' or '.join(query['counters'])} of the phases {names}; run sortlab count")
        return values

    def _runs(self, *found: list[Measurement]) -> list[str]:
        """The runs that these are of, the oldest first."""
        started = {run.run: run.started for run in (*self.records.runs, *self.records.superseded_runs)}
        return sorted({m.run for of in found for m in of}, key=lambda run: started.get(run, ""))

    def _counts(self, selection: dict[str, Any]) -> list[Count]:
        """What was counted of the verified cells of a selection."""
        standing = self.standing_for(selection["sort"])
        wanted = {**_DEFAULTS, **{k: v for k, v in selection.items() if k != "sort"}, "threads": "most"}
        return [
            count
            for count in self.records.counts
            if count.ok and count.case.algorithm in standing
            if _fits(
                count.case,
                {**wanted, "parameters": {**standing[count.case.algorithm], **selection.get("parameters", {})}},
            )
        ]

    def _launches(self, query: dict[str, Any]) -> Value:
        """How far the kernels of a pass differ in number between the selected cells, by what a profiler counted: the
        greatest over the least, minus 1, in the pass where they differ most."""
        selection = query["launches_of"]
        self._require_plug_ins(selection["sort"])
        by_pass: dict[tuple[int, str], list[int]] = {}
        cells = set()
        for count in self._counts(selection):
            cells.add(count.cell)
            for pass_ in {phase.pass_ for phase in count.phases}:
                launches = sum(phase.launches for phase in count.phases if phase.pass_ == pass_)
                by_pass.setdefault((pass_, count.case.algorithm), []).append(launches)
        compared = {key: launches for key, launches in by_pass.items() if len(launches) > 1 and min(launches) > 0}
        if not compared:
            raise NotTestable("no counted kernels of two cells; run sortlab count")
        spread = {key: max(launches) / min(launches) - 1 for key, launches in compared.items()}
        worst = max(spread, key=lambda key: spread[key])
        kernels = f"{min(compared[worst])} to {max(compared[worst])} kernels"
        of = f"{worst[1]}, pass {worst[0]}, {kernels} in {len(cells)} cells"
        return Value(Interval(spread[worst], spread[worst], spread[worst]), of)

    def _bindings(self, query: dict[str, Any]) -> tuple[str, str, str]:
        """The resource that the profiler's counters name for these phases of the selected cells."""
        measured = {m.cell: m for m in self.select(query["binding_of"])}
        found = [
            (phase.binding, _case_text(measured[count.cell]))
            for count in self.records.counts
            if count.cell in measured
            for phase in count.phases
            if phase.name in query["phases"]
        ]
        if not found:
            raise NotTestable(f"no counters of the phase {' or '.join(query['phases'])}; run sortlab count")
        so = [binding in query["is"]["one_of"] for binding, _ in found]
        verdict = HOLDS if all(so) else FAILS if not any(so) else UNDECIDED
        return verdict, ", ".join(sorted({binding for binding, _ in found})), f"counted in {found[0][1]}"

    def _flat(self, query: dict[str, Any]) -> Value:
        quantity = quantity_of(query["quantity"])
        found = self.select(query["flat"])
        sizes = sorted({m.case.n for m in found})
        if missing := _missing(query, "flat", [m.case for m in found]):
            raise NotTestable(missing)
        values = [quantity(m) for m in _fastest_by(found, ["n", "distribution"]).values()]
        spread = max(v.value for v in values) / min(v.value for v in values) - 1
        least = max(v.low for v in values) / min(v.high for v in values) - 1
        most = max(v.high for v in values) / min(v.low for v in values) - 1
        names = ", ".join(sorted({m.case.algorithm for m in found}))
        of = f"{names}, {_where(found[0])}, spread over n = {count_text(sizes[0])} to {count_text(sizes[-1])}"
        return Value(Interval(spread, max(least, 0.0), most), of)

    def _memory_shares(self, query: dict[str, Any]) -> list[Value]:
        """The share of the time that follows bandwidth, from GPU to GPU; or what it is more than another sort's."""
        named = [query[side] for side in ("memory_share_of", "minus") if side in query]
        self._require_plug_ins(*(selection["sort"] for selection in named))
        of = [self._gains(selection) for selection in named]
        values = []
        for key in sorted(set.intersection(*(set(found) for found in of))):
            gain, share = of[0][key], of[0][key].share
            if len(of) > 1:
                less = of[1][key].share
                share = Interval(share.value - less.value, share.low - less.high, share.high - less.low)
            text = f"{_case_text(gain.fast)} over {gain.slow.device}"
            values.append(Value(share, text, gain.fast.case))
        if not values:
            raise NotTestable("no record of the same cells on two GPUs")
        return values

    def _gains(self, selection: dict[str, Any]) -> dict[tuple[Any, ...], Gain]:
        here = self.select(selection)
        found: dict[tuple[Any, ...], Gain] = {}
        others = self.records.others()
        for other in others:
            try:
                there = Query(other, self.sorts).select(selection)
            except NotTestable:
                continue
            of = gains(here, there, self.records.read_bytes_per_s)
            found |= {(other.machine or "", *at): gain for at, gain in of.items() if gain.parts}
        if found:
            return found
        known = self.records.read_bytes_per_s
        lacking = sorted({m.device for m in here if m.device} - known.keys())
        if others and lacking:
            raise NotTestable(f"no profile with the read bandwidth of {', '.join(lacking)} (--profile)")
        raise NotTestable("needs records and profiles of two GPUs that differ in bandwidth, and not as much in clock")

    def _gains_elsewhere(self, query: dict[str, Any]) -> list[Value]:
        return other_gpus.gains(self.records, query, self._fits_of(query["gain_elsewhere"]))

    def _fits_of(self, selection: dict[str, Any]) -> Callable[[Case], bool]:
        """Whether a case, of whatever machine, is of a selection."""
        self._require_plug_ins(selection["sort"])
        standing = self.standing_for(selection["sort"])
        wanted = {**_DEFAULTS, **{k: v for k, v in selection.items() if k != "sort"}}

        def fits(case: Case) -> bool:
            return case.algorithm in standing and _fits(case, {**wanted, "parameters": standing[case.algorithm]})

        return fits

    def _tried(self, selection: dict[str, Any]) -> list[Measurement]:
        """The cells of a selection that were run, whatever became of them, wherever their data lay."""
        self._require_plug_ins(selection["sort"])
        standing = self.standing_for(selection["sort"])
        wanted = {**_DEFAULTS, **{k: v for k, v in selection.items() if k != "sort"}, "threads": "most"}
        asked = selection.get("parameters", {})
        return [
            m
            for m in self.records.measurements
            if m.case.algorithm in standing and m.status != "skipped"
            if _fits(m.case, {**wanted, "parameters": {**standing[m.case.algorithm], **asked}})
        ]

    def _facts(
        self, query: dict[str, Any], selection: dict[str, Any], of: Callable[[Measurement], str]
    ) -> tuple[str, str, str]:
        """Whether a fact of all cells that were run is one of those wanted."""
        tried = self._tried(selection)
        if not tried:
            raise NotTestable(f"no record of {self.sorts[selection['sort']]['title']} {_selection_text(selection)}")
        so = [of(m) in query["is"]["one_of"] for m in tried]
        figure = ", ".join(sorted({of(m) for m in tried}))
        return HOLDS if all(so) else FAILS if not any(so) else UNDECIDED, figure, f"{len(tried)} cells"


def _case_text(m: Measurement) -> str:
    part = f"{m.component} of " if isinstance(m, Component) else ""
    layout = "" if m.case.value_type == "none" else f" {m.case.layout}"
    return f"{part}{m.case.type_name}{layout} {m.case.distribution} n = {count_text(m.case.n)}, {_where(m)}"


def _pair_text(above: Measurement, below: Measurement) -> str:
    runs = "" if above.run == below.run else ", of two runs"
    return _case_text(below) + (", the cores not free" if above.disturbed or below.disturbed else "") + runs


def _where(m: Measurement) -> str:
    return m.device or f"{m.case.threads}T"


def _selection_text(selection: dict[str, Any]) -> str:
    selected = {**_DEFAULTS, **selection}
    value = "" if selected["value_type"] == "none" else f"+{selected['value_type']}"
    size = f", n = {selected['n']}" if "n" in selected else ""
    threads = "" if selected["threads"] == "most" else f", {selected['threads']}T"
    where = ", end to end," if selected.get("residency") == "end_to_end" else ""
    distribution = " or ".join(_patterns(selected["distribution"]))
    cores = "" if selected.get("even_disturbed") else " the cores free and"
    return f"on {distribution} {selected['key_type']}{value}{size}{threads}{where} with{cores} 6 samples"


def _patterns(distribution: Any) -> list[str]:
    return distribution if isinstance(distribution, list) else [distribution]


def _residency(selection: dict[str, Any]) -> dict[str, str]:
    return {"residency": selection["residency"]} if "residency" in selection else {}


def _missing(query: dict[str, Any], form: str, cases: list[Case]) -> str:
    """Why the cases do not cover the claim: a distribution of its selection, or an end of its span of sizes, is
    missing. Empty if all are there."""
    selected = query[form][0] if isinstance(query[form], list) else query[form]
    several = selected.get("distribution", "")
    for pattern in several if isinstance(several, list) else ():
        if not any(fnmatch.fnmatchcase(case.distribution, pattern) for case in cases):
            return f"no record of all of {', '.join(several)}: {pattern} is missing"
    return _sizes_missing({case.n for case in cases}, query["spans"]) if "spans" in query else ""


def _sizes_missing(found: set[int], spans: str) -> str:
    """Why these sizes do not cover a span, if they do not."""
    (low, high), sizes = _span(spans), sorted(found)
    if sizes[0] <= low and sizes[-1] >= high and len(sizes) > 2:
        return ""
    have = " to ".join(dict.fromkeys(map(count_text, (sizes[0], sizes[-1]))))
    return f"no records from {count_text(low)} to {count_text(int(high))} keys, only {have}"


def _pairs(
    above: list[Measurement], below: list[Measurement], fields: list[str], runs: list[str]
) -> list[tuple[Measurement, Measurement]]:
    """The fastest of each side in each case: of the newest run that has both sides, or else each of its newest run."""
    latest: list[dict[tuple[Any, ...], Measurement]] = [{}, {}]
    pairs: dict[tuple[Any, ...], tuple[Measurement, Measurement]] = {}
    for run in runs:
        of_run = [_fastest_by([m for m in side if m.run == run], fields) for side in (above, below)]
        for known, found in zip(latest, of_run):
            known.update(found)
        pairs.update({key: (of_run[0][key], of_run[1][key]) for key in of_run[0].keys() & of_run[1].keys()})
    for key in latest[0].keys() & latest[1].keys():
        pairs.setdefault(key, (latest[0][key], latest[1][key]))
    return [pairs[key] for key in sorted(pairs)]


def _product(factors: list[Interval]) -> Interval:
    product = factors[0]
    for factor in factors[1:]:
        product = product.over(factor.inverse())
    return product


def _span(text: str) -> tuple[int, float]:
    """ "2^17" , "2^17.." or "2^16..2^18" as least and greatest n."""
    first, dots, last = text.partition("..")
    low = _size(first)
    return low, (_size(last) if last else math.inf) if dots else low


def _size(text: str) -> int:
    if "^" in text:
        base, exponent = text.split("^")
        return int(base) ** int(exponent)
    if text.endswith("M"):
        return int(text[:-1]) << 20
    return int(float(text))


def _fits(case: Case, wanted: dict[str, Any]) -> bool:
    for name in ("key_type", "value_type", "layout", "residency"):
        if name in wanted and getattr(case, name) != wanted[name]:
            return False
    if not any(fnmatch.fnmatchcase(case.distribution, pattern) for pattern in _patterns(wanted["distribution"])):
        return False
    if wanted["threads"] != "most" and case.threads != wanted["threads"]:
        return False
    if "n" in wanted:
        low, high = _span(wanted["n"])
        if not low <= case.n <= high:
            return False
    return _has(case, wanted.get("parameters", {}))


def _has(case: Case, settings: dict[str, Any]) -> bool:
    """Of a list, any of its settings will do."""
    return all(
        case.parameters.get(name) in value if isinstance(value, list) else case.parameters.get(name) == value
        for name, value in settings.items()
    )


def _usual_threads(found: list[Measurement], algorithm: str) -> int:
    """The number of threads with most sizes measured, the larger of equals: all cores, unless disturbed."""
    sizes: dict[int, set[int]] = {}
    for m in found:
        if m.case.algorithm == algorithm:
            sizes.setdefault(m.case.threads, set()).add(m.case.n)
    return max(sizes, key=lambda threads: (len(sizes[threads]), threads))


def _fastest_by(found: list[Measurement], fields: list[str]) -> dict[tuple[Any, ...], Measurement]:
    best: dict[tuple[Any, ...], Measurement] = {}
    for m in found:
        key = tuple(getattr(m.case, name) for name in fields)
        if key not in best or m.seconds_per_key.value < best[key].seconds_per_key.value:
            best[key] = m
    return best
