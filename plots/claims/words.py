"""The words of verdicts: cases and figures as the report shows them, and the reasons why records cannot decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

from ..records.case import Case, settings_text
from ..records.machines import plain_name
from ..records.measurement import Component, Measurement
from ..records.quantities import count_text, digits, threads_text
from ..records.statistics import Interval

if TYPE_CHECKING:
    from .selection import Selection

PAPERS_NUMBERS = "the paper’s numbers"
COUNT = "run sortlab count"

NO_CLOCK = "no record of the clock"
OF_A_COPY = "times as long as a copy"  # the reading of a ratio to a copy that the first side includes or exceeds
LONGER, FASTER = "times as long", "times as fast"
UNWRITTEN = "no plug-in "  # begins a reason that a run cannot mend
PROFILE = "(--profile)"  # ends a reason that the option mends
NO_KEYS = "no keys were sorted"
NO_PAIR = "no record of both sides in one case"
NO_EQUAL_THREADS = "no record of both sides on one number of threads"
NO_SETTINGS = "no record of both settings in one case"
NO_RUN_OF_ALL = "no record of all settings in one case of one run"
NO_N_WITH_ALL = "no n with records of all distributions"
NO_KERNELS = f"no counted kernels of two cells after the first pass; {COUNT}"
NO_SECOND_GPU = "no record of the same cells on two GPUs"
ONE_GPU = "records of one GPU alone"
GPUS_ALIKE = "the GPUs with records differ as much in clock as in bandwidth, or in neither"


class NoValue(Exception):
    """The reason why the records give no value."""


class NotMeasured(NoValue):
    """A run could give the value, perhaps on a machine that it names; these records do not."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(reason)
        self.where = where


class NotTestable(NoValue):
    """No run of these sorts could give the value."""


# Cases and figures


def case(*compared: Measurement) -> str:
    """The case of the last of these measurements, and what makes any of them less certain."""
    m = compared[-1]
    part = f"{m.component} of " if isinstance(m, Component) else ""
    layout = "" if m.case.value_type == "none" else f" {m.case.layout}"
    text = f"{part}{m.case.type_name}{layout} {m.case.distribution} n = {count_text(m.case.n)}, {where(m)}"
    if any(one.disturbed for one in compared):
        text += ", disturbed"
    few = [len(one.samples_s) for one in compared if not one.has_interval]
    return f"{text}, {samples(min(few))}" if few else text


def plain_case(c: Case) -> str:
    return f"{c.type_name} {c.distribution} n = {count_text(c.n)}"


def pair(above: Measurement, below: Measurement) -> str:
    return case(above, below) + ("" if above.run == below.run else ", of two runs")


def samples(count: int) -> str:
    return f"{count} samples"


def where(m: Measurement) -> str:
    return m.device or f"{m.case.threads}T"


def places(found: Iterable[Measurement]) -> tuple[str, ...]:
    """The places where sorts ran, as a sentence names them: "the H200", "16 threads"."""
    return tuple(dict.fromkeys(place(m.device) if m.device else threads_text(m.case.threads) for m in found))


def place(device: str) -> str:
    return f"the {plain_name(device)}"


def spread(found: Sequence[Measurement]) -> str:
    """Names the cells of a spread, the one with the least value first, and the two of its ends."""
    names, sizes = ", ".join(sorted({m.case.algorithm for m in found})), sorted({m.case.n for m in found})
    few = [m for m in found if not m.has_interval]
    uncertain = doubts([m.disturbed for m in found].count(True), len(few))
    runs = len({m.run for m in found})
    text = f"{names}, {where(found[0])}, {len(found)} cells, {f'of {runs} runs, ' if runs > 1 else ''}{uncertain}"
    if len(sizes) > 1:
        least, greatest = (count_text(m.case.n) for m in (found[0], found[-1]))
        return f"{text}n = {count_text(sizes[0])} to {count_text(sizes[-1])}, least at {least}, greatest at {greatest}"
    least, greatest = (m.case.distribution for m in (found[0], found[-1]))
    return f"{text}n = {count_text(sizes[0])}, least on {least}, greatest on {greatest}"


def disturbed_ends(found: Sequence[Measurement]) -> str:
    """Says which ends of a spread, the one with the least value first, are of disturbed cells; empty if neither is."""
    ends = [name for name, m in (("least", found[0]), ("greatest", found[-1])) if m.disturbed]
    return f"the {' and the '.join(ends)} disturbed" if ends else ""


def kernels(algorithm: str, launches: Mapping[int, Sequence[int]], cells: int) -> str:
    """The number of kernels in each pass, which records count from 0."""
    passes = [
        f"{' to '.join(dict.fromkeys(map(str, (min(found), max(found)))))} in pass {pass_ + 1}"
        for pass_, found in sorted(launches.items())
    ]
    return f"{algorithm}, kernels in {cells} cells: {', '.join(passes)}"


def several(texts: Sequence[str], tally: str = "") -> str:
    """One case as it is, several by the first and the last."""
    if len(texts) == 1:
        return texts[0]
    return f"{len(texts)} cases, {tally}from {texts[0]} to {texts[-1]}"


def tally(found: Sequence[str]) -> str:
    """Counts cases by verdict: "3 hold, 2 hold in direction only, "."""
    said = {"holds": "hold{s}", "direction holds": "hold{s} in direction only", "undecided": "undecided"}
    said |= {"holds in part": "hold{s} in part", "reversed": "reversed", "fails": "fail{s}"}
    counts = [(found.count(verdict), text) for verdict, text in said.items() if verdict in found]
    return "".join(f"{count} {text.format(s='s' if count == 1 else '')}, " for count, text in counts)


def but_for_intervals(count: int) -> str:
    """Counts the parts whose values meet the condition while their intervals reach beyond it."""
    return f"; of {count} the value meets the bound, but not the whole interval" if count else ""


def doubts(disturbed: int, few_samples: int) -> str:
    """Counts the cases that are less certain: "3 disturbed, 1 of few samples, "."""
    said = ((disturbed, "disturbed"), (few_samples, "of few samples"))
    return "".join(f"{count} {text}, " for count, text in said if count)


def all_disturbed(cells: int) -> str:
    """Says that the processors were free in none of the cells: " (all 11 cells disturbed)"; empty for 0."""
    named = {1: "the cell", 2: "both cells"}.get(cells, f"all {cells} cells")
    return f" ({named} disturbed)" if cells else ""


def together(whole: Interval) -> str:
    """The geometric mean by which cases are judged that are undecided one by one."""
    return f"together {digits(whole.value)} [{digits(whole.low)}, {digits(whole.high)}], "


def fastest(sorts: Iterable[str]) -> str:
    """Names the sorts that were the fastest of those that a role stands for; empty if it stands for one."""
    names = list(dict.fromkeys(sorts))
    return f"the fastest is {' or '.join(names)}" if names else ""


def mean(cases: int, uncertain: str = "") -> str:
    return f"mean of {cases} cases" + (f", {uncertain[:-2]}" if uncertain else "")


def all_of(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def holding(held: int, cases: int) -> str:
    """Counts the cases that hold, where the others do not: "2 of 6 cases hold"."""
    return f"{held or 'none'} of {cases} cases hold{'' if held > 1 else 's'}"


def arithmetic(source: str) -> str:
    return f"arithmetic on {source}"


# Reasons


def with_remedy(reason: str, config: str, machine: str) -> str:
    """Names the config that measures what is missing, and a machine that can."""
    if not config or reason.startswith(UNWRITTEN) or reason.endswith(PROFILE):
        return reason
    run = f"{reason} {config}" if reason.endswith(COUNT) else f"{reason}; run {config}"
    return f"{run} on {machine}" if machine else run


def belongs_to(cases: str, machine: str) -> str:
    return f"{cases}; the paper’s figure is of the {machine} itself"


def nothing_beside(reason: str, machine: str) -> str:
    return f"the paper’s figure is of the {machine} itself, and none here stands beside it: {reason}"


def left_open(not_measured: Sequence[str], not_testable: Sequence[str]) -> str:
    """Names the parts without a verdict: " Not measured: the second; the third. Not testable: the fourth."."""
    lists = (("Not measured", not_measured), ("Not testable", not_testable))
    return "".join(f" {verdict}: {'; '.join(names)}." for verdict, names in lists if names)


def no_record(selection: Selection, even_disturbed: bool = False) -> str:
    part = f"component {selection.component} of " if selection.component else ""
    free = "2 samples or more" if even_disturbed else "nothing disturbed and 2 samples or more"
    return f"no record of {part}{selection.title} {_selected(selection)}, with {free}"


def _selected(selection: Selection) -> str:
    value = "" if selection.value_type == "none" else f"+{selection.value_type}"
    said = [f"on {' or '.join(selection.distributions)} {selection.key_type}{value}"]
    said += [f"n = {selection.n}"] if selection.n else []
    said += [] if selection.threads is None else [f"{selection.threads}T"]
    said += ["end to end"] if selection.residency == "end_to_end" else []
    said += [settings_text(dict(selection.parameters))] if selection.parameters else []
    return ", ".join(said)


def no_plug_in(roles: Sequence[dict[str, Any]]) -> str:
    """The reason where no sort stands for some roles: a role's own, a plug-in that nobody has written, or records."""
    for role in roles:
        if "elsewhere" in role:
            return str(role["elsewhere"])
    unwritten = [role for role in roles if role.get("unwritten")]
    first = list(dict.fromkeys(role["needs"] for role in unwritten or roles if role.get("needs")))
    titles = list(dict.fromkeys(role["title"] for role in unwritten or roles))
    if not unwritten:
        return f"no record of {' and '.join(titles)}" + (f" (needs {' and '.join(first)})" if first else "")
    return f"{UNWRITTEN}of {' or '.join(titles)}"


def no_algorithm(selection: Selection) -> str:
    return f"no record of {selection.title}, nor of what any sort is"


def no_distribution(pattern: str, wanted: Sequence[str]) -> str:
    return f"no record of all of {', '.join(wanted)}: {pattern} is missing"


def no_span(low: int, high: float, sizes: Sequence[int]) -> str:
    have = " to ".join(dict.fromkeys(map(count_text, (sizes[0], sizes[-1]))))
    beyond = [(sizes[0] > low, "down", low), (sizes[-1] < high, "up", int(high))]
    needed = " and ".join(f"{way} to n = {count_text(end)}" for is_missing, way, end in beyond if is_missing)
    text = f"no records from {count_text(low)} to {count_text(int(high))} keys, only {have}"
    return f"{text}: sizes {needed} are needed" if needed else text


def no_phase(phases: Sequence[str], m: Measurement) -> str:
    return f"no phase {' or '.join(phases)} in the records of {m.case.algorithm}"


def no_counters(counters: Sequence[str], phases: Sequence[str]) -> str:
    return f"no {' or '.join(counters)} counted of {' and '.join(phases)}; {COUNT}"


def no_binding(phases: Sequence[str]) -> str:
    return f"no counters of the phase {' or '.join(phases)}; {COUNT}"


def no_scratch(m: Measurement) -> str:
    return f"no record of the scratch memory of {m.case.algorithm}"


def no_digits(m: Measurement) -> str:
    return f"the records of {m.case.algorithm} say nothing of bits a digit"


def on_one_gpu(selection: Selection, device: str, others: Sequence[str]) -> str:
    """The reason where one of several GPUs alone ran the selection."""
    there = all_of([place(name) for name in others])
    return f"{selection.title} {_selected(selection)} was measured on {place(device)} and not on {there}"


def no_profile(devices: Iterable[str]) -> str:
    return f"no profile with the read bandwidth of {', '.join(devices)} {PROFILE}"


def no_published(machine: str) -> str:
    return f"no record of a rate published for {machine}"


def no_published_pair(on: str, over: str) -> str:
    return f"nobody has published times of one cell on both {on} and {over}, and no run here could decide it"


def no_prediction(machine: str) -> str:
    return f"no record of a prediction of {machine}"
