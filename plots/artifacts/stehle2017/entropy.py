"""Figures over the entropy of the keys: published and measured rates, and speedups of HRS."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterable, Mapping, Optional, Sequence

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.chart import Chart, Line, Panel, coincide, merge_coinciding
from ...records.measurement import Measurement
from ...analysis.selection import At, devices, fastest_within_runs
from ...records.prediction import Prediction
from ...records.published import Published
from ...records.quantities import count_text, digits
from ...records.collection import Records
from . import PAPER
from .sorts import HRS, PLATFORM, TODAY, Input, Sort, absent, source, stand_ins_text

X = "entropy of the keys, bits"
OVER_OTHERS = "HRS over each other sort"  # title of a panel
EQUAL = ((0.0, "equal keys"),)  # mark at the left end of the axis
_TIMES = "times as fast"
_BYTES = 2e9  # bytes of every input in Figures 6 and 10
_LEAST_SHARE = 0.00607  # least entropy above 0 of the paper's inputs, over the keys' bits: 0.39 of 64 bits (section 6)
ByEntropy = dict[float, Measurement]


def shown_size(input_: Input, measured: Iterable[Measurement]) -> Optional[int]:
    """The paper's n if it was measured, else the n with most cells, the larger of equals."""
    counts: dict[int, int] = {}
    for m in measured:
        counts[m.case.n] = counts.get(m.case.n, 0) + 1
    if input_.n in counts or not counts:
        return input_.n if counts else None
    return max(counts, key=lambda n: (counts[n], n))


def by_entropy(measured: Mapping[At, Measurement], n: Optional[int]) -> ByEntropy:
    """The measurements of one n, in ascending order of entropy."""
    best = {m.case.entropy_bits: m for (size, _), m in measured.items() if size == n}
    return {bits: best[bits] for bits in sorted(bits for bits in best if bits is not None)}


def make(records: Records, id_: str, title: str, input_: Input, sorts: Sequence[Sort]) -> Artifact:
    """The artifact of one input. `sorts` begins with HRS, with which the others are compared."""
    found = {sort: input_.in_all_runs(records, sort, is_entropy=True) for sort in sorts}
    n = shown_size(input_, [m for of_sort in found.values() for m in of_sort])
    shown = {sort: by_entropy(of_sort, n) for sort, of_sort in fastest_within_runs(records, found).items()}
    measured = [m for of_sort in shown.values() for m in of_sort.values()]
    predictions = [p for p in map(records.find_prediction, measured) if p]
    papers = [p for p in map(records.find_papers_prediction, measured) if p]
    there = [*_published_rates(records, input_, sorts), *_papers_model(records, shown)]
    rates = [*there, *_rates(records, shown)]
    rivals = [sort for sort in shown if sort.published and sort is not HRS]
    later = [sort for sort in shown if not sort.published]
    ratios = [line for sort in rivals for line in _published_ratios(records, input_, sort, bool(shown[sort]))]
    ratios += _ratios(records, shown, [*rivals, *later], input_)
    chart = Chart(
        [
            Panel(
                ", ".join([PLATFORM, *([devices(measured)] if measured else [])]), rates, "GB/s", marks=EQUAL, log=False
            ),
            Panel(OVER_OTHERS, ratios, f"{_TIMES}; below 1 HRS is slower", marks=EQUAL, neutral=1.0),
        ],
        "GB of keys and values a second; times as fast",
        log=True,
        columns=2,
        x_label=X,
        own_spans=True,
    )
    of_later = {sort: _ratios(records, shown, [sort], input_) for sort in later}
    apart = [_over(records, shown, sort, input_, of_later) for sort in rivals]
    others = [line for lines in of_later.values() for line in lines]
    apart.append(_ratio_panel("HRS over its tuned form and later sorts", others))
    # Six sorts' rates in one panel hide each other; each rival has a panel of its own.
    few = {sort: shown[sort] for sort in _in_rates(sorts)}
    of_few = [*_published_rates(records, input_, list(few)), *_papers_model(records, few), *_rates(records, few)]
    first = replace(chart.panels[0], lines=merge_coinciding(of_few))
    drawn = replace(chart, panels=[first, *(panel for panel in apart if panel.filled)])
    caption = Caption(
        "Rates of the hybrid radix sort (HRS) and of other GPU sorts over the entropy of the keys, and how many times "
        "as fast as each of them HRS is, a panel for each that the paper compares. "
        + looks_text(drawn, published=f"hollow: numbers in the paper’s text, for the {PLATFORM}")
        + ("Dotted: the paper’s least (≥) and greatest (≤) ratio over the entropies. " if _has_bounds(drawn) else "")
        + stand_ins_text(shown),
        "Some bounds leave out equal keys. A rival’s published rate is that of HRS divided by the ratio. At each "
        "entropy the measurements are of one run if one has all sorts. The CSV has the rates of all sorts. ",
    )
    if n and n != input_.n:
        caption += f"The paper’s n is {count_text(input_.n)}. "
    if papers:
        caption += f"On the paper’s machine its own model: {', '.join(sorted({p.model for p in papers}))}. "
    caption += absent(shown) + source(records, measured, predictions)
    return from_picture(drawn, id_, f"{title}: {input_.words}, by entropy", PAPER, caption, whole=chart)


def _in_rates(sorts: Sequence[Sort]) -> list[Sort]:
    """The sorts whose rates are drawn: HRS, the paper's first rival, and one of today."""
    first = next(sort for sort in sorts if sort.published and sort is not HRS)
    return [sort for sort in sorts if sort in (HRS, first, TODAY)]


def _ratio_panel(title: str, lines: list[Line]) -> Panel:
    return Panel(title, lines, _TIMES, scale="ratio", marks=EQUAL, neutral=1.0, below="HRS is slower")


def _has_bounds(chart: Chart) -> bool:
    return any(line.voice == "published" and line.dotless for panel in chart.panels for line in panel.lines)


def _over(
    records: Records, shown: dict[Sort, ByEntropy], sort: Sort, input_: Input, of_later: dict[Sort, list[Line]]
) -> Panel:
    """HRS over one rival: what the paper states of it alone, so that no two rivals' lines coincide. A later sort whose
    line lies on the rival's is named in the title, and taken out of `of_later`: one curve is drawn once."""
    lines = [
        replace(line, label="paper" + line.label.removeprefix(f"published: {sort.label}"), labelled=True)
        for line in _published_ratios(records, input_, sort, False)
    ]
    lines = [replace(one, label=f"{one.label}: {digits(one.y[0])}") if len(one.x) == 1 else one for one in lines]
    names = [sort.label_here]
    for line in _ratios(records, shown, [sort], input_):
        lines.append(replace(line, label="measured") if line.voice == "measured" else line)
        alike = [later for later, of in of_later.items() if any(coincide(line, one) for one in of)]
        for later in alike:
            del of_later[later]
        names = [name.removesuffix(" of today") for name in names] if alike else names
        names += [later.label_here for later in alike]
    return _ratio_panel(f"HRS over {' and '.join(names)}", lines)


def _rates(records: Records, shown: dict[Sort, ByEntropy]) -> list[Line]:
    lines = []
    for sort, found in shown.items():
        line, predicted = Line(sort.label_here, sort.colour, strong=sort is HRS), _predicted(sort)
        for bits, m in found.items():
            rate = m.keys_per_s.scaled(m.case.element_bytes / 1e9)
            line.add(bits, rate, m)
            own = records.find_prediction(m)
            if own:
                predicted.add(bits, _gb_per_s(m, own), own)
        lines += [one for one in (line, predicted) if one.x]
    return lines


def _papers_model(records: Records, shown: dict[Sort, ByEntropy]) -> list[Line]:
    lines = []
    for sort, found in shown.items():
        line = Line(f"Titan X, {sort.label}, model", sort.colour, "predicted")
        for bits, m in found.items():
            papers = records.find_papers_prediction(m)
            if papers:
                line.add(bits, _gb_per_s(m, papers), papers)
        lines += [line] if line.x else []
    return lines


def _gb_per_s(m: Measurement, prediction: Prediction) -> float:
    return m.case.n * m.case.element_bytes / prediction.seconds / 1e9


def _predicted(sort: Sort) -> Line:
    return Line(f"{sort.label_here}, predicted", sort.colour, "predicted", labelled=False)


def _ratios(records: Records, shown: dict[Sort, ByEntropy], rivals: Iterable[Sort], input_: Input) -> list[Line]:
    """HRS over each of the rivals, measured and predicted. A name has the ratios that the paper states."""
    lines = []
    base = shown.get(HRS, {})
    for sort in rivals:
        found = shown[sort]
        line, predicted = Line(_with_bounds(records, input_, sort), sort.colour), _predicted(sort)
        for bits in sorted(base.keys() & found.keys()):
            mine, other = base[bits], found[bits]
            line.add(bits, other.over(mine), other, mine)
            pair = [records.find_prediction(m) for m in (other, mine)]
            if pair[0] and pair[1]:
                predicted.add(bits, pair[0].seconds / pair[1].seconds, pair[0], pair[1])
        lines += [one for one in (line, predicted) if one.x]
    return lines


def _published_rates(records: Records, input_: Input, sorts: Sequence[Sort]) -> list[Line]:
    """Published rates at uniform keys, printed as a rate or as a time of 2 GB; rivals by their ratio to HRS."""
    own = [p for p in records.published if p.paper == "STE" and p.algorithm == "HRS" and p.type in input_.types]
    own = [p for p in own if p.distribution == "uniform" and not p.versus and p.metric in ("rate", "time")]
    rates = {p.metric: p.value / 1e9 if p.metric == "rate" else _BYTES / p.value / 1e9 for p in own}
    rate = rates.get("rate", rates.get("time"))
    if rate is None:
        return []
    lines = []
    for sort in sorts:
        line = Line(f"published: {sort.label}, Titan X", sort.colour, "published")
        if sort is HRS:
            line.add(input_.bits, rate)
        for p in _speedups(records, input_, sort):
            if _at(p, input_) == (input_.bits, input_.bits):
                line.add(input_.bits, rate / _times(p))
        lines += [line] if line.x else []
    return lines


def _with_bounds(records: Records, input_: Input, sort: Sort) -> str:
    """A rival's name with the least and greatest ratios that the paper states but of equal keys: "CUB, 7 bits; paper
    1.32 to 1.56"."""
    of = [p for p in _speedups(records, input_, sort) if _at(p, input_) != (0, 0)]
    if not of:
        return sort.label_here
    least = [_times(p) for p in of if _at(p, input_) != (input_.bits, input_.bits) and _bound(p) == "≥"]
    values = sorted(_times(p) for p in of)
    said = " to ".join(dict.fromkeys(map(digits, (values[0], values[-1]))))
    said = f"≥ {said}" if len(least) == len(of) else said if least else f"{said}, uniform"
    name = sort.label_here.partition(" (")[0].removesuffix(", released form")
    whose = "paper" if sort.label.split()[0].lower() in name.lower() else sort.label  # a stand-in of another name
    return f"{name}; {whose} {said}"


def _published_ratios(records: Records, input_: Input, sort: Sort, is_measured: bool) -> list[Line]:
    """A line for each published ratio to a rival, since nothing is published between two points. Equal ratios are drawn
    once. It has no name if the rival's measured line has the ratios in its own, nor at 0 bits: a name stands at the
    right end of a panel."""
    lines = []
    for at, times, bound in sorted({(_at(p, input_), _times(p), _bound(p)) for p in _speedups(records, input_, sort)}):
        of_equal = at == (0, 0)
        at_one = ", equal keys" if of_equal else ", uniform"
        is_bound = at[0] != at[1]
        label = f"published: {sort.label}{f' {bound} {digits(times)}' if is_bound else at_one}"
        is_named = not of_equal and not is_measured
        dotless = (0, 1) if is_bound else ()  # its ends are no points that the paper has
        lines.append(Line(label, sort.colour, "published", labelled=is_named, dotless=dotless))
        for bits in dict.fromkeys(at):
            lines[-1].add(bits, times)
    return lines


def _bound(p: Published) -> str:
    return "≤" if p.statistic.startswith("maximum") else "≥"


def _speedups(records: Records, input_: Input, sort: Sort) -> list[Published]:
    """Printed speedups of HRS, without bounds at a single entropy and without expectations."""
    return [
        p
        for p in records.published
        if p.paper == "STE" and p.algorithm == "HRS" and sort.published and p.versus == sort.published
        if p.type in input_.types and p.metric in ("speedup", "improvement")
        if p.statistic not in ("expected", "more than")
    ]


def _times(p: Published) -> float:
    return 1 + p.value if p.metric == "improvement" else p.value


def _at(p: Published, input_: Input) -> tuple[float, float]:
    """The entropies between which a published number holds."""
    if p.distribution == "uniform" or "(uniform)" in p.statistic:
        return input_.bits, input_.bits
    if p.distribution in ("0-bit", "constant"):
        return 0, 0
    but_equal = "constant input excepted" in p.statistic or "other entropies" in p.statistic
    return (_LEAST_SHARE * input_.bits if but_equal else 0), input_.bits
