"""STE-F9a and STE-F9b: the heterogeneous sort from host to host over the size of the input, beside PARADIS and other
sorts of the host."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import log2
from typing import Any

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.chart import Chart, Line, Panel, power_of_two_value
from ...records.measurement import Measurement, fastest_by_n
from ...analysis.selection import devices
from ...records.roles import standing_for
from ...records.collection import Records
from . import PAPER
from .sorts import PAIRS64, source
from .ste_f8 import MERGERS, heterogeneous, paper_name

_BYTES = 16  # bytes of a pair
_X = "input in GB (10⁹ bytes)"
_SIZES = (250_000_000, 500_000_000, 1_000_000_000, 2_000_000_000, 4_000_000_000)  # pairs: 4 to 64 GB
_HASHED = ",map=hashed"  # ends the name of Zipf's input in its other form
_COLOURS = {  # colours by the beginning of a line's name; the paper's two sorts as in the published panel
    "HRS, paper’s form": "series-1",
    "HRS, tuned, merged by Sortlab": "series-3",
    "HRS": "series-6",
    "PARADIS, tuned": "series-8",
    "PARADIS": "series-2",
}
_HASHED_TITLE = "Zipf’s ranks hashed over all 64 bits"
_PUBLISHED = {"uniform": "uniform", "zipf:theta=0.75": "zipf .75"}  # names in the published records


def make(records: Records, id_: str, distribution: str, words: str) -> Artifact:
    forms = lambda d: d == distribution or d == f"{distribution}{_HASHED}"  # noqa: E731
    of_host = records.ok(
        n=lambda n: n in _SIZES,
        key_type=PAIRS64.key,
        value_type=PAIRS64.value,
        distribution=forms,
        residency="host",
    )
    paradis = [m for m in of_host if m.case.algorithm in records.standing_for("cho_in_place_radix")]
    found = [m for m in heterogeneous(records, distribution=forms) if m.case.n in _SIZES]
    here: dict[str, list[Line]] = {}  # lines by distribution
    shown: list[Measurement] = []
    threads = sorted({m.case.threads for m in (*found, *of_host)})
    for (of, label), measured in _group_lines(records, found, of_host, paradis, len(threads) > 1).items():
        lines = here.setdefault(of, [])
        colour = next((colour for start, colour in _COLOURS.items() if label.startswith(start)), "series-7")
        line, predicted = Line(label, colour), Line(f"{label}, predicted", colour, "predicted", labelled=False)
        for n, m in sorted(fastest_by_n(measured).items()):
            assert m.seconds is not None
            shown.append(m)
            line.add(_log_gb(n), m.seconds, m)
            own = records.find_prediction(m)
            if own:
                predicted.add(_log_gb(n), own.seconds, own)
        lines += [line, predicted]
    published = _published(records, _PUBLISHED[distribution])
    panels = [Panel("Published: Titan X; PARADIS on 32 cores", published)]
    on_threads = f", {threads[0]} threads" if len(threads) == 1 else ""
    machine = f"{devices(m for m in shown if m.device) or 'A GPU'} and host{on_threads}"
    panels.append(Panel(machine, here.get(distribution, [])))
    hashed = here.get(f"{distribution}{_HASHED}")
    if hashed:
        panels.append(Panel(_HASHED_TITLE, hashed))
    times = Chart(panels, "seconds", columns=2, x_label=_X, one_x=True, x_value=power_of_two_value)
    last = max((x for panel in panels for line in panel.lines for x in line.x), default=0.0)
    # The picture has the published points among the measured lines: the sizes of the two seldom meet.
    named = [replace(line, label=f"published: {line.label}") for line in published]
    both = [Panel(machine, [*here.get(distribution, []), *named])]
    # One size is no curve over sizes: the CSV has it.
    both += [panel for panel in panels[2:] if any(len(line.x) > 1 for line in panel.lines)]
    chart = replace(times, panels=[_as_rates(panel, last) for panel in both], y_label="GB of input a second")
    caption = Caption(
        "How much input the heterogeneous sort (HRS), PARADIS and other sorts sort a second from host to host, over "
        "its size; times are in the CSV. "
        + looks_text(
            chart,
            published="hollow: published, on a Titan X (PARADIS on a host of 32 cores)",
            measured="solid, with intervals: measured with the fastest number of chunks",
        )
        + _apart_text(published, here.get(distribution, [])),
        "The paper’s heterogeneous sort ran on a Titan X and six cores; PARADIS’ times are quoted from its own "
        "paper, on a host of 32 cores. By ratio: printed nowhere, but derived from printed ratios and a printed time. "
        "A line’s name says which sort sorts the chunks and which merges them. ",
    )
    if any(m.case.distribution != distribution for m in shown):
        caption += (
            "Keys are Zipf’s ranks, as the generator that the paper cites returns them, or hashed over all bits"
            + (". " if len(both) > 1 else ", which the CSV alone has. ")
        )
    missing = [name for name, of in (("the heterogeneous sort", found), ("PARADIS", paradis)) if not of]
    if missing:
        caption += f"No record here of: {'; '.join(missing)}. "
    caption += source(records, shown, [p for p in map(records.find_prediction, shown) if p])
    return from_picture(chart, id_, f"64/64 pairs from host to host, {words}", PAPER, caption, whole=times)


def _apart_text(published: list[Line], here: list[Line]) -> str:
    """A legend's sentence on sizes, if none is both published and measured."""
    theirs, ours = ({x for line in of for x in line.x} for of in (published, here))
    if not theirs or not ours or theirs & ours:
        return ""
    return f"No size is in both: published are {_gb_text(theirs)}, measured {_gb_text(ours)}. "


def _gb_text(sizes: set[float]) -> str:
    """The ends of some sizes, given as log₂ of GB."""
    return " to ".join(dict.fromkeys(f"{2**x:.3g}" for x in (min(sizes), max(sizes)))) + " GB"


def _as_rates(panel: Panel, last: float) -> Panel:
    """The panel with rates in GB/s instead of times. A measured line that ends long before `last`, the largest size of
    the axis, has its name at its end, since a leader to the right would cross other lines."""
    lines = []
    for line in panel.lines:
        sizes = [2**x for x in line.x]
        ends = {
            name: [gb / s if s else None for gb, s in zip(sizes, of)]
            for name, of in (("low", line.high), ("high", line.low))
        }
        rates: dict[str, Any] = {"y": [gb / s for gb, s in zip(sizes, line.y)], **ends}
        lines.append(replace(line, named_inside=line.voice == "measured" and line.x[-1:] < [last - 1.5], **rates))
    return replace(panel, lines=lines)


def _log_gb(n: int) -> float:
    return log2(n * _BYTES / 1e9)


def _group_lines(
    records: Records,
    found: list[Measurement],
    of_host: list[Measurement],
    paradis: list[Measurement],
    names_threads: bool,
) -> dict[tuple[str, str], list[Measurement]]:
    """Lines by distribution and name: of the sort on the device and the merge, or of the host's sort, with its threads
    where these differ."""
    lines: dict[tuple[str, str], list[Measurement]] = {}

    def add(m: Measurement, *words: str) -> None:
        label = ", ".join([*words, *([f"{m.case.threads}T"] if names_threads else [])])
        lines.setdefault((m.case.distribution, label), []).append(m)

    for m in found:
        words = [
            _merged_by(word) if name == "merge" else paper_name(records, word)
            for name, word in ((name, str(m.case.parameters.get(name, ""))) for name in ("sort", "merge"))
            if word
        ]
        add(m, *words)
    of_paper = standing_for(records, "cho_in_place_radix")
    for m in of_host:
        name = m.case.algorithm
        if m in paradis:
            form = of_paper[name].items()
            is_papers = all(m.case.parameters.get(setting) == value for setting, value in form)
            name = "PARADIS" if is_papers else "PARADIS, tuned"
        add(m, name)
    return dict(sorted(lines.items()))


def _merged_by(word: str) -> str:
    return f"merged by {MERGERS.get(word, word)}"


def _published(records: Records, distribution: str) -> list[Line]:
    """Printed times, and apart from them times derived from printed ratios and a printed time; the first of X11's two
    ratios counts."""
    of = [p for p in records.published if p.paper == "STE" and p.distribution == distribution and p.n]
    times: dict[tuple[str, int], float] = {(p.algorithm, p.n): p.value for p in of if p.metric == "time" and p.n}
    printed = set(times)
    for _ in range(2):  # first from PARADIS on 32 threads to the paper's sort, then from that to PARADIS on 16
        for p in of:
            if p.metric != "speedup" or not p.n:
                continue
            mine, other = (p.algorithm, p.n), (p.versus, p.n)
            if mine in times:
                times.setdefault(other, times[mine] * p.value)
            elif other in times:
                times.setdefault(mine, times[other] / p.value)
    lines: dict[tuple[str, bool], Line] = {}
    colours: dict[str, Any] = {"heterogeneous": "series-1", "PARADIS 16T": "series-2", "PARADIS 32T": "series-4"}
    for (name, n), seconds in sorted(times.items(), key=lambda item: item[0][1]):
        if name in colours:
            derived = (name, n) not in printed
            new = Line(f"{name}, by ratio" if derived else name, colours[name], "published")
            lines.setdefault((name, derived), new).add(_log_gb(n), seconds)
    return [lines[name, derived] for name in colours for derived in (False, True) if (name, derived) in lines]


PLACE = 7
ARTIFACTS = {
    "STE-F9a": partial(make, id_="STE-F9a", distribution="uniform", words="uniform"),
    "STE-F9b": partial(make, id_="STE-F9b", distribution="zipf:theta=0.75", words="skewed (Zipf, θ = 0.75)"),
}
