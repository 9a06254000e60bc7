"""SAT-F1: throughput of radix and merge sorts over n, on the paper's machines and here, with our own sort."""

from __future__ import annotations

import math
from dataclasses import replace

from ...records import origins
from ...analysis import provenance
from ...analysis.fastest import processor_word
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.chart import Chart, Line, Panel
from ...records.measurement import Measurement, fastest_by_n
from ...records.collection import Records
from . import PAPER
from .columns import ESTIMATOR, GPU_MERGE, GPU_RADIX, KNF_RADIX, MERGE, RADIX, forms, own_sort, records_of_gpu

_CPU, _KNF, _GPU = "CPU: Core i7, and here", "Knights Ferry, and its sort here", "GPU: GTX 280, and here"
_RATIO = "GPU merge against GPU radix sort"
_TABLE_LINES = (  # panel, label, `algorithm` in SAT-T1, colour
    (_CPU, "Core i7 radix (buffer)", "radix-buffer(own)", "series-1"),
    (_CPU, "Core i7 merge", "merge-Chhugani", "series-5"),
    (_GPU, "GTX 280 radix (split)", "radix-split(own)", "series-3"),
    (_GPU, "GTX 280 merge", "merge(own)", "series-4"),
)

_HERE = (  # panel, role, names of its lines, their colours
    (_CPU, RADIX, "radix, ", "series-1", "series-2"),
    (_CPU, MERGE, "merge, ", "series-5", "series-6"),
    (_KNF, KNF_RADIX, "its sort, ", "series-7", "series-8"),
    (_GPU, GPU_RADIX, "radix, ", "series-3", "series-7"),
    (_GPU, GPU_MERGE, "merge, ", "series-4", "series-8"),
)

_AXIS = (16.0, 28.0)  # log2 n of what is drawn


def make(records: Records) -> Artifact:
    """SAT-F1. The figure's image is lost: its published points come from SAT-T1 and from rates in the text."""
    panels: dict[str, list[Line]] = {_CPU: [], _KNF: [_knights_ferry(records)], _GPU: []}
    for panel, *line in _TABLE_LINES:
        panels[panel].append(_published(records, *line))
    shown = []
    gpu = records_of_gpu(records)
    for panel, sort_role, sort, role, tuned_role in _HERE:
        of = gpu if panel == _GPU else records
        paper, tuned = map(fastest_by_n, forms(of, sort_role))
        shown += [*paper.values(), *tuned.values()]
        panels[panel] += _here(of, f"{sort}paper’s form", paper, role, strong=True)
        panels[panel] += _here(of, f"{sort}tuned", tuned, tuned_role, strong=False)
    own = own_sort(records)
    shown += own.values()
    panels[_CPU] += _here(records, origins.flagship(records) or "", own, "ink", strong=False)
    predictions = [p for m in shown for p in [(gpu if m.device else records).find_prediction(m)] if p]
    panels[_RATIO] = [_published_ratio(panels[_GPU])]
    for of, tuned_role in [(gpu, "series-8"), *([] if gpu is records else [(records, "series-6")])]:
        lines, used = _measured_ratios(of, tuned_role)
        panels[_RATIO] += lines
        shown += used
    # Today's sorts may be a hundred times as fast as the paper's.
    values = [y for title, lines in panels.items() if title != _RATIO for line in lines for y in line.y]
    log = max(values, default=1) > 10 * min(values, default=1)
    filled = {title: [line for line in lines if line.x] for title, lines in panels.items()}
    drawn = [Panel(title, lines, scale="rate") for title, lines in filled.items() if title != _RATIO]
    drawn.append(
        Panel(
            _RATIO, filled[_RATIO], "times as fast as radix sort", neutral=1.0, below="merge sort is slower", log=True
        )
    )
    whole = Chart(drawn, "million keys per second", log=log, own_spans=True, one_x=True)
    chart = replace(whole, panels=[_drawn(panel) for panel in drawn])
    published = (
        "Published points are SAT-T1 and the rates named in section 3.1, since the figure’s image has no numbers. "
    )
    legend = (
        "Sorting rates of 32-bit keys over n on the paper’s machines and here, and how many times as fast merge sort "
        "is as radix sort on each GPU. The sort of Knights Ferry runs here on the CPU. "
    )
    legend += looks_text(
        chart, published="hollow and dotted: published", predicted="dashed, in the same colour: predicted"
    )
    published += "The CPU’s predictions, and other n than 2¹⁶ to 2²⁸, are in the CSV alone. "
    caption = Caption(legend, published) + provenance.caption(records, shown, predictions, ESTIMATOR)
    title = "Radix and merge sort over the number of keys"
    return from_picture(chart, "SAT-F1", title, PAPER, caption, whole=whole)


def _drawn(panel: Panel) -> Panel:
    """The panel about the paper's axis, that of the CPU without predictions: those of five sorts hide its lines."""
    lines = [line for line in panel.lines if panel.title != _CPU or line.voice != "predicted"]
    return replace(panel, lines=[line for line in (one.within(*_AXIS) for one in lines) if line.x])


def _published(records: Records, label: str, algorithm: str, role: str) -> Line:
    line = Line(label, role, "published")
    points = {p.n: p for p in records.published if p.id == "SAT-T1" and p.algorithm == algorithm and p.n}
    rates = {n: n / p.value for n, p in points.items() if n}
    named = {"merge-Chhugani": ("SAT-C12", "SAT-C15"), "merge(own)": ("SAT-C19",)}.get(algorithm, ())
    for p in records.published:
        if p.id in named and p.algorithm == "merge" and p.metric == "throughput" and p.n:
            if p.statistic != "instruction bound":
                rates.setdefault(p.n, p.value)
    for n in sorted(rates):
        line.add(math.log2(n), rates[n] / 1e6)
    return line


def _published_ratio(published: list[Line]) -> Line:
    """Speed of merge sort over that of radix sort on the paper's GPU."""
    by_name = {line.label: dict(zip(line.x, line.y)) for line in published}
    there, other = by_name["GTX 280 merge"], by_name["GTX 280 radix (split)"]
    on_papers = Line("GTX 280", "series-4", "published")
    for x in sorted(there.keys() & other.keys()):
        on_papers.add(x, there[x] / other[x])
    return on_papers


def _measured_ratios(of: Records, tuned_role: str) -> tuple[list[Line], list[Measurement]]:
    """The same on a GPU of this host: both sorts in the paper's form, and both tuned; and their measurements."""
    by_role = [[fastest_by_n(form) for form in forms(of, role)] for role in (GPU_RADIX, GPU_MERGE)]
    lines: list[Line] = []
    used: list[Measurement] = []
    for (form, role), (radix, merge) in zip((("paper’s form", "series-4"), ("tuned", tuned_role)), zip(*by_role)):
        both = sorted(radix.keys() & merge.keys())
        if both:
            where = processor_word(of, radix[both[0]])
            line = Line(f"both {form}, {where}", role, strong=form != "tuned")
            for n in both:
                line.add(math.log2(n), merge[n].keys_per_s.over(radix[n].keys_per_s), merge[n], radix[n])
                used += [merge[n], radix[n]]
            lines.append(line)
    return lines, used


def _knights_ferry(records: Records) -> Line:
    """One rate for all large n (SAT-C5), drawn over the span of SAT-T1."""
    line = Line("Knights Ferry radix", "published", "published", dotless=(0, 1))
    rates = [p.value for p in records.published if p.id == "SAT-C5"]
    if rates:
        for log_n in (18.0, 26.0):
            line.add(log_n, rates[0] / 1e6)
    return line


def _here(records: Records, form: str, best: dict[int, Measurement], role: str, strong: bool) -> list[Line]:
    if not best:
        return []
    first = next(iter(best.values()))
    where, threads = processor_word(records, first), "" if first.device else f" {first.case.threads}T"
    name = f"{form}, {where}{threads}"
    measured, predicted = Line(name, role, strong=strong), Line("predicted", role, "predicted", labelled=False)
    for n, m in sorted(best.items()):
        measured.add(math.log2(n), m.keys_per_s.scaled(1e-6), m)
        prediction = records.find_prediction(m)
        if prediction:
            predicted.add(math.log2(n), n / prediction.seconds / 1e6, prediction)
    return [measured, predicted] if predicted.x else [measured]


PLACE = 2
ARTIFACTS = {"SAT-F1": make}
