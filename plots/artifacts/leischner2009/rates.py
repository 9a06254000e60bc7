"""LEI-F3, LEI-F4 and LEI-F5: sorting rates over n by distribution, speedups of sample sort over its opponents, and the
paper's own models of its GPU."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Iterable, Sequence

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.chart import Chart, Line, Panel
from ...records.measurement import Measurement
from ...analysis.selection import At, devices, fastest_within_runs
from ...records.prediction import Prediction
from ...records.published import Published
from ...records.quantities import count_text, digits, percent
from ...records.collection import Records
from . import PAPER
from .sorts import BBSORT, HYBRID, KEYS32, KEYS64, MERGE, MERGE_TODAY, PAIRS, QUICKSORT, RADIX, RADIX_TODAY, SAMPLE
from .sorts import DISTRIBUTIONS, MACHINES, PREDICTED_BY, SAMPLE_OF_FLOATS, TESLA, TUNED
from .sorts import Input, Sort, absent_text, is_named, lost_text, source

MILLION = 1e6
RATE = "million elements a second"
_STATISTICS = {"minimum": "≥", "average": "mean", "average, more than": "mean >"}
_SPAN = (18.0, 28.0)  # log2 n of values published without their n and not measured here
_LARGE = 1 << 20  # least n of LEI-C8's rates
_AXIS = (16.0, 28.0)  # log2 n of what is drawn
_THERE = f"{MACHINES[TESLA]}, uniform keys (own scale)"
_DRAWN = ("uniform", "deterministic duplicates", "sorted")  # inputs of a picture; the others are in the CSV


@dataclass(frozen=True)
class Figure:
    title: str
    input: Input
    distributions: tuple[str, ...]
    sorts: tuple[Sort, ...]
    against: tuple[tuple[Sort, str, str], ...]  # opponent, distribution, id of their published ratio


FIGURES = {
    "LEI-F3": Figure(
        "Sorting 32-bit keys with 32-bit values",
        PAIRS,
        ("uniform", "sorted", "deterministic duplicates"),
        (SAMPLE, TUNED, MERGE, RADIX, MERGE_TODAY, RADIX_TODAY),
        ((MERGE, "uniform", "LEI-C1"), (MERGE, "sorted", "LEI-C4")),
    ),
    "LEI-F4": Figure(
        "Sorting 64-bit keys",
        KEYS64,
        ("uniform", "sorted"),
        (SAMPLE, TUNED, RADIX, MERGE_TODAY, RADIX_TODAY),
        ((RADIX, "uniform", "LEI-C3"),),
    ),
    "LEI-F5": Figure(
        "Sorting 32-bit keys, by distribution",
        KEYS32,
        tuple(DISTRIBUTIONS),
        (SAMPLE, TUNED, QUICKSORT, BBSORT, HYBRID, RADIX, MERGE_TODAY, RADIX_TODAY),
        ((QUICKSORT, "uniform", "LEI-C2"), (HYBRID, "uniform", "LEI-C2"), (BBSORT, "uniform", "")),
    ),
}


def make(records: Records, id_: str) -> Artifact:
    figure = FIGURES[id_]
    floats = (SAMPLE_OF_FLOATS,) if HYBRID in figure.sorts else ()
    best = fastest_within_runs(
        records,
        {sort: figure.input.of(records, sort, figure.distributions) for sort in (*figure.sorts, *floats)},
    )
    lost = figure.input.lost(records, figure.sorts)
    panels = [
        Panel(_title(name), of_name, RATE, scale="rate")
        for name in figure.distributions
        for of_name in [_rates(records, best, figure.sorts, name)]
    ]
    panels += _ratios(records, best, figure)
    there, models = _there(records, figure)
    panels.append(Panel(_THERE, there, RATE))
    shown = [m for sort in figure.sorts for m in best[sort].values()]
    whole = Chart(panels, RATE, log=True, columns=2, own_spans=True, one_x=True)
    chart = replace(whole, panels=_drawn(figure, panels))
    caption = Caption(
        f"Sorting rates of sample sort and of its opponents over n on {devices(shown) or 'a GPU'}, on the same axes "
        "for each input; and how many times as fast sample sort is. Grey: today’s sorts. "
        + looks_text(chart, "dotted: what the paper’s text says, for unstated n")
        + (_constancy(_on(best[SAMPLE], "uniform")) if figure.input is KEYS32 else ""),
        _said(figure) + _alike(figure, best),
    )
    caption += lost_text(lost) + absent_text({sort: best[sort] for sort in figure.sorts}, lost)
    caption += source(records, shown, [p for p in map(records.find_prediction, shown) if p])
    if models:
        caption += (
            f" On the {MACHINES[TESLA]} the paper’s own models, of kind paper, in the CSV: {_words(models)}. By the "
            "bytes and operations that the paper counts a rate is an upper bound, since no other instruction counts."
        )
    artifact = from_picture(chart, id_, figure.title, PAPER, caption, whole=whole)
    artifact.rows = [*artifact.rows, *_lost_rows(figure, lost)]
    return artifact


def _constancy(found: dict[int, Measurement]) -> str:
    """A legend's sentence on what LEI-C8 judges: how constant sample sort's rate is over n."""
    rates = [m.keys_per_s.value for n, m in found.items() if n >= _LARGE]
    if len(rates) < 2:
        return ""
    return (
        f"From {count_text(_LARGE)} uniform keys on, sample sort’s greatest rate (bold) is "
        f"{digits(max(rates) / min(rates))} times its least, which LEI-C8 judges. "
    )


def _drawn(figure: Figure, panels: Sequence[Panel]) -> list[Panel]:
    """The panels of the picture; all is in the CSV. They span 2^16 to 2^28 elements, about the paper's axis, and the
    inputs of _DRAWN; without predictions of today's sorts, which hide the paper's lines, ratios that the paper is
    silent about, and of the paper's GPU the published times alone."""
    hidden = {_title(name) for name in figure.distributions if name not in _DRAWN}
    shown = []
    for panel in panels:
        published = any(line.voice == "published" for line in panel.lines)
        if panel.title in hidden or (panel.scale != "rate" and not published):
            continue
        lines = [
            line
            for line in panel.lines
            if line.voice != "predicted" or (panel.title != _THERE and line.role != MERGE_TODAY.colour)
        ]
        shown.append(replace(panel, lines=[line for line in (one.within(*_AXIS) for one in lines) if line.x]))
    return shown


def _title(distribution: str) -> str:
    return distribution if distribution == "deterministic duplicates" else f"{distribution} keys"


def _alike(figure: Figure, best: dict[Sort, dict[At, Measurement]]) -> str:
    """A caption's sentence on the inputs that are not drawn: how far their rates are from those on uniform keys."""
    names = [name for name in figure.distributions if name not in _DRAWN]
    apart = [
        abs(m.keys_per_s.value / uniform[n].keys_per_s.value - 1)
        for name in names
        for sort in figure.sorts
        for uniform in [_on(best[sort], "uniform")]
        for n, m in _on(best[sort], name).items()
        if n in uniform
    ]
    if not apart:
        return ""
    middle, most = percent(statistics.median(apart)), percent(max(apart))
    return (
        f"{', '.join(names).capitalize()} keys are in the CSV alone: their rates differ from those on uniform keys by "
        f"{middle} in the median of {len(apart)} cells, by {most} at most. "
    )


def rate_line(label: str, colour: str, found: dict[int, Measurement], **how: Any) -> Line:
    line = Line(label, colour, **how)
    for n, m in sorted(found.items()):
        line.add(math.log2(n), m.keys_per_s.scaled(1 / MILLION), m)
    return line


def _on(found: dict[At, Measurement], distribution: str) -> dict[int, Measurement]:
    return {n: m for (n, of), m in found.items() if is_named(distribution, of)}


def _rates(
    records: Records, best: dict[Sort, dict[At, Measurement]], sorts: Iterable[Sort], distribution: str
) -> list[Line]:
    lines = []
    for sort in sorts:
        found = _on(best[sort], distribution)
        predicted = Line(f"{sort.label}, predicted", sort.colour, "predicted", labelled=False)
        for n, m in sorted(found.items()):
            own = records.find_prediction(m)
            if own and own.seconds:
                predicted.add(math.log2(n), n / own.seconds / MILLION, own)
        lines += [rate_line(sort.label, sort.colour, found, strong=sort is SAMPLE), predicted]
    return [line for line in lines if line.x]


def _ratios(records: Records, best: dict[Sort, dict[At, Measurement]], figure: Figure) -> list[Panel]:
    """A panel for each opponent and input that the figure compares, with what the paper says of it."""
    panels = []
    for opponent, distribution, id_ in figure.against:
        said = [p for p in records.published if p.id == id_ and _is_against(p, opponent)]
        mine = _on(best[SAMPLE_OF_FLOATS if opponent is HYBRID else SAMPLE], distribution)
        other = _on(best[opponent], distribution)
        line = Line("measured", opponent.colour)
        predicted = Line("predicted", opponent.colour, "predicted", labelled=False)
        for n in sorted(mine.keys() & other.keys()):
            line.add(math.log2(n), other[n].over(mine[n]), other[n], mine[n])
            pair = [records.find_prediction(m) for m in (other[n], mine[n])]
            if pair[0] and pair[1] and pair[1].seconds:
                predicted.add(math.log2(n), pair[0].seconds / pair[1].seconds, pair[0], pair[1])
        ends = (min(line.x), max(line.x)) if len(line.x) > 1 else _SPAN
        lines = [*(one for one in (line, predicted) if one.x), *(_constant(p, ends) for p in said)]
        name = opponent.label.partition(" (")[0].removesuffix(" of 2009")
        title = f"Sample sort over {name}, {distribution}"
        panels.append(Panel(title, lines, "times as fast", scale="ratio", neutral=1.0, below="sample sort is slower"))
    return panels


def _is_against(p: Published, opponent: Sort) -> bool:
    return p.versus in opponent.published


def _constant(p: Published, ends: tuple[float, float]) -> Line:
    """A line for a value that is published without its n."""
    line = Line(f"paper: {_bound(p)}", "ink", "published", dotless=(0, 1))  # the paper has no point at these n
    for x in ends:
        line.add(x, _value(p))
    return line


def _value(p: Published) -> float:
    return p.value + (1 if p.metric == "improvement" else 0)


def _bound(p: Published) -> str:
    """A published ratio as the paper's text states it: "mean 1.68"."""
    return f"{_STATISTICS.get(p.statistic, '')} {_value(p):.3g}".strip()


def _there(records: Records, figure: Figure) -> tuple[list[Line], list[Prediction]]:
    """The paper's GPU: rates that another paper quotes, and the predictions of the paper's own models."""
    lines: list[Line] = []
    models: list[Prediction] = []
    if figure.input is KEYS32:
        quoted = Line("sample sort, quoted in SAT-T1", SAMPLE.colour, "published")
        for p in sorted((p for p in records.published if _quoted(p)), key=lambda p: p.n or 0):
            quoted.add(math.log2(p.n or 1), (p.n or 1) / p.value / MILLION)
        lines.append(quoted)
    for sort in (SAMPLE, MERGE):
        for model, by_n in figure.input.predicted_there(records, sort, TESLA).items():
            line = Line(f"{sort.label}, {PREDICTED_BY.get(model, model)}", sort.colour, "predicted")
            for n, prediction in by_n.items():
                if prediction.seconds:
                    line.add(math.log2(n), n / prediction.seconds / MILLION, prediction)
            models += list(by_n.values())
            lines.append(line)
    return [line for line in lines if line.x], models


def _quoted(p: Published) -> bool:
    return p.id == "SAT-T1" and p.algorithm.startswith("sample")


def _words(models: list[Prediction]) -> str:
    return ", ".join(sorted({p.model + (" (from the paper’s times)" if p.papers_times else "") for p in models}))


def _said(figure: Figure) -> str:
    text = "The paper’s text does not print the figure’s values, and its statements about them name no n. "
    if figure.input is KEYS32:
        text += "Dotted for the Tesla C1060: times that Satish et al. 2010 quote in their Table 1. "
    return text


def _lost_rows(figure: Figure, lost: dict[Sort, list[Measurement]]) -> list[list[Any]]:
    """A row for each cell without a time, after the numbers."""
    rows = []
    for sort, cells in lost.items():
        for m in sorted(cells, key=lambda m: (m.case.distribution, m.case.n)):
            name = next(d for d in DISTRIBUTIONS if is_named(d, m.case.distribution))
            how = f"{m.status}, expected" if m.expected else m.status
            rows.append([name, sort.label, how, math.log2(m.case.n) if m.case.n else None])
            rows[-1] += [None, None, None, m.cell, m.run]
    return rows


PLACE = 1
ARTIFACTS = {id_: partial(make, id_=id_) for id_ in FIGURES}
