"""FASTEST, FASTEST-GAINS: rates of each machine’s fastest sort over n; gains of one machine over another."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, Callable, Optional, Sequence

from ...analysis.fastest import TYPES, FastestLine, Gain, Point, fastest_lines, gain_rows, gains, rows
from ...records.caption import Caption
from ...figures.artifact import Artifact, looks_text
from ...figures.chart import Chart, Line, Panel
from ...figures.style import series
from ...records.machines import has_gpu
from ...records.quantities import count_text, digits, power_of_two
from ...records.prediction import Prediction
from ...records.collection import Records
from .beside_peers import type_text

_GIGA = 1e9
_KINDS = {True: "GPUs", False: "processors"}


def make(records: Records) -> list[Artifact]:
    """FASTEST, and FASTEST-GAINS where there are two machines with the same n; nothing without a line."""
    lines = fastest_lines(records)
    if not lines:
        return []
    colours = _colours(lines)
    found = [_rates(records, lines, colours)]
    every = gains(lines)
    return found + ([_gains(records, every, colours)] if every else [])


def _colours(lines: Sequence[FastestLine]) -> dict[str, str]:
    """A machine's colour is the same in both figures."""
    names = dict.fromkeys(line.machine for line in sorted(lines, key=lambda line: line.machine))
    return {machine: series(i) for i, machine in enumerate(names)}


def _rates(records: Records, lines: Sequence[FastestLine], colours: dict[str, str]) -> Artifact:
    panels = []
    for type_ in TYPES:
        shown = [line for line in lines if line.type == type_]
        drawn = [one for line in shown for one in _rate_lines(line, colours[line.machine])]
        panels += [Panel(type_text(*type_), drawn)] if drawn else []
    chart = Chart(panels, "10⁹ keys per second", log=True, columns=2)
    caption = Caption(
        f"Rate of each machine’s fastest sort of uniform keys over n, which is mostly {_mostly(lines)}. "
        f"{looks_text(chart)}"
        + ("A lone dot has its rate in its name. " if _has_dots(lines) else "")
        + ("With copies: the keys come from the host’s memory and return to it. " if _has_copies(lines) else ""),
        "A line uses only sorts measured at all of its n; no other sort is faster at any of these. Each line includes "
        "at least one sort that is the fastest on each faster machine of its kind, so that no machine looks slow only "
        "because that sort was not run there. A processor’s sorts run on as many threads as "
        "its line says, or fewer. Without copies the keys are in the memory of the processor that sorts them. "
        "Fastest somewhere: "
        f"{_by_machine(lines, lambda line: [p.measurement.case.algorithm for p in line.points])}. ",
    )
    if any(line.others for line in lines):
        caption += "Not measured at every n of a line, but the fastest elsewhere: "
        caption += _by_machine(lines, lambda line: line.others) + ". "
    caption += _provenance(records, lines)
    return _artifact("FASTEST", TITLE, caption, rows(lines), chart)


def _has_dots(lines: Sequence[FastestLine]) -> bool:
    return any(len(line.points) == 1 for line in lines)


def _has_copies(lines: Sequence[FastestLine]) -> bool:
    return any(line.copies for line in lines)


def _rate_lines(line: FastestLine, colour: str) -> list[Line]:
    measured, predicted = Line(line.label, colour), Line("", colour, "predicted", labelled=False)
    for point in line.points:
        x = math.log2(point.measurement.case.n)
        measured.add(x, point.rate.scaled(1 / _GIGA), point.measurement)
        if point.predicted_rate:
            predicted.add(x, point.predicted_rate / _GIGA, *_predictions(point))
    if len(line.points) == 1:
        measured.label += _dot_text(measured.y[0], line.points[0].measurement.case.n)
    return [one for one in (measured, predicted) if one.x]


def _dot_text(value: float, n: int) -> str:
    """End of a lone dot’s name: its value, and its n where that is short."""
    return f", {digits(value)}" + (f" at {count_text(n)}" if power_of_two(n) else "")


def _predictions(*points: Point) -> list[Prediction]:
    return [point.prediction for point in points if point.prediction]


def _mostly(lines: Sequence[FastestLine]) -> str:
    """The sort that is the fastest at most points, on GPUs and on processors."""
    counts: dict[bool, Counter[str]] = {}
    for line in lines:
        of_kind = counts.setdefault(has_gpu(line.machine), Counter())
        of_kind.update(point.measurement.case.algorithm for point in line.points)
    texts = [f"{counts[gpu].most_common(1)[0][0]} on {kind}" for gpu, kind in _KINDS.items() if gpu in counts]
    return " and ".join(texts)


def _by_machine(lines: Sequence[FastestLine], sorts_of: Callable[[FastestLine], Sequence[str]]) -> str:
    """The names of sorts by machine."""
    names: dict[str, dict[str, None]] = {}
    for line in lines:
        names.setdefault(line.name, {}).update(dict.fromkeys(sorts_of(line)))
    return "; ".join(f"{machine}: {', '.join(sorts)}" for machine, sorts in names.items() if sorts)


def _provenance(records: Records, lines: Sequence[FastestLine]) -> Caption:
    every = records.every or records
    runs = {point.measurement.run for line in lines for point in line.points}
    commits = sorted({run.commit for run in every.runs if run.run in runs})
    candidates = sorted({name for line in lines for name in line.candidates})
    machines = dict.fromkeys(line.name.partition(", ")[0] for line in lines)
    details = f"Sorts compared: {', '.join(candidates)}; commits {', '.join(commits) or 'unknown'}."
    return Caption(machines=f"Measured on {' and '.join(machines)}.", provenance=details)


def _gains(records: Records, every: Sequence[Gain], colours: dict[str, str]) -> Artifact:
    """The gains of one machine over each other; the CSV has those of each."""
    panels = []
    for type_ in TYPES:
        for copies in (False, True):
            of = [gain for gain in every if gain.fast.type == type_ and gain.fast.copies == copies]
            base = _base(of)
            drawn = [one for line in _pairs(of, base) for one in _gain_lines(line, colours[line[0].slow.machine])]
            if base:
                where = ", with copies" if copies else ""
                title = f"{type_text(*type_)}{where}: {base.name} over others"
                is_slower = any(gain < 1 for line in drawn for gain in line.y)
                panels.append(Panel(title, drawn, neutral=1.0, below="slower" if is_slower else ""))
    chart = Chart(panels, "times as fast", log=True, columns=2, own_spans=True)
    caption = Caption(
        "How many times as fast the fastest sort of the machine that a panel names is as that of each other machine, "
        "at the same n; below 1 it is slower. " + looks_text(chart, predicted="dashed: predicted for both machines"),
        "The machine that is named shares the most sizes with others, and of several it is the fastest. The CSV has "
        "the gain of each machine over each. Both sides have their own fastest sort. ",
    )
    caption += _provenance(records, list(dict.fromkeys(line for gain in every for line in (gain.fast, gain.slow))))
    return _artifact(
        "FASTEST-GAINS", "How many times as fast one machine is as another", caption, gain_rows(every), chart
    )


def _artifact(id_: str, title: str, caption: Caption, made: Sequence[dict[str, Any]], chart: Chart) -> Artifact:
    return Artifact(id_, title, "", caption, list(made[0]), [list(row.values()) for row in made], chart)


def _base(of: Sequence[Gain]) -> Optional[FastestLine]:
    """The line that shares most sizes with others, and of several the fastest, so that most gains are above 1."""
    shared: dict[FastestLine, int] = {}
    for gain in of:
        shared[gain.fast] = shared.get(gain.fast, 0) + 1
    if not shared:
        return None
    return max(shared, key=lambda line: (shared[line], max(point.rate.value for point in line.points)))


def _pairs(of: Sequence[Gain], base: Optional[FastestLine]) -> list[list[Gain]]:
    """The gains of one line, by the other machine."""
    found: dict[str, list[Gain]] = {}
    for gain in of:
        if gain.fast == base:
            found.setdefault(gain.slow.machine, []).append(gain)
    return list(found.values())


def _gain_lines(of: Sequence[Gain], colour: str) -> list[Line]:
    measured, predicted = Line(of[0].slow.name, colour), Line("", colour, "predicted", labelled=False)
    for gain in of:
        measured.add(math.log2(gain.n), gain.measured, *gain.measurements)
        if gain.predicted:
            predicted.add(math.log2(gain.n), gain.predicted, *_predictions(*gain.points))
    if len(of) == 1:
        measured.label += _dot_text(of[0].measured.value, of[0].n)
    return [one for one in (measured, predicted) if one.x]


def text_table(lines: Sequence[FastestLine]) -> str:
    """The lines as a table for a terminal: a row for each machine, type and n."""
    heads = ["machine", "keys", "n", "fastest sort", "10⁹ keys/s", "predicted"]
    found = [
        [
            *(line.label, type_text(*line.type), count_text(p.measurement.case.n), p.measurement.case.algorithm),
            *(f"{p.rate.value / _GIGA:.3g}", f"{p.predicted_rate / _GIGA:.3g}" if p.predicted_rate else ""),
        ]
        for line in lines
        for p in line.points
    ]
    widths = [max(len(row[i]) for row in [heads, *found]) for i in range(len(heads))]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in [heads, *found]
    )


TITLE = "The fastest sort over n, by machine"
PLACE = -1
ARTIFACTS = {"FASTEST*": make}
