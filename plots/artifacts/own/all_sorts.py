"""All plug-ins here, by distribution and size: one chart for each type and number of threads, and each GPU."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Callable, Mapping, Optional, Sequence

from ...records import origins
from ...analysis import one_setting, provenance, within_runs
from ...analysis.one_setting import Chosen
from ...records.caption import Caption
from ...figures.artifact import Artifact, looks_text
from ...records.case import KEY_BYTES, VALUE_BYTES, input_text
from ...figures.chart import Chart, Line, Panel
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.measurement import Measurement
from ...records.number import INTERVAL, TRACE, Number
from ...records.quantities import count_text, digits, threads_text
from ...records.statistics import Interval
from ...records.collection import Records
from ...figures.style import series
from .coloured import ABOVE, Times, behind, grey_text, leading

_FEW = 2  # sorts of a panel in which every point is drawn
_PANELS = 9  # distributions in one look
_CURVE = 3  # least number of n that shows how a time goes over n
_MOST = 4.0  # times as long as the reference up to which points are drawn, so that the fast sorts are told apart
_HIGHEST = 8.0  # the same, where a sort that is named ends above it
_SMALL = 8  # numbers of a chart up to which a table shows them


_Group = tuple[bool, int, str, str]  # on a GPU, threads, key type, value type


@dataclass(frozen=True)
class Quantity:
    """A quantity of a sort that charts show."""

    text: str
    of: Callable[[Measurement], Interval]


NS_PER_KEY = Quantity("ns per key", lambda m: m.seconds_per_key.scaled(1e9))
GIGAKEYS = Quantity("10⁹ keys per second", lambda m: m.keys_per_s.scaled(1e-9))


def make(records: Records) -> list[Artifact]:
    groups: dict[_Group, list[Measurement]] = {}
    for m in records.ok():
        groups.setdefault(_group(m), []).append(m)
    in_runs: dict[_Group, list[Measurement]] = {}
    for m in records.in_all_runs():
        in_runs.setdefault(_group(m), []).append(m)
    order = sorted(groups, key=lambda g: (g[:2], g[2] == "string", KEY_BYTES[g[2]] + VALUE_BYTES[g[3]], g))
    names = {gpu: algorithms(records, [m for m in records.ok() if m.case.on_host != gpu]) for gpu in (False, True)}
    made = [_chart(records, names[group[0]], *group, groups[group], in_runs[group]) for group in order]
    comparing = [chart for chart, compares in made if compares]
    return _few_as_table(records, comparing or [chart for chart, _ in made])


def _group(m: Measurement) -> _Group:
    return not m.case.on_host, m.case.threads, m.case.key_type, m.case.value_type


def _few_as_table(records: Records, charts: list[Artifact]) -> list[Artifact]:
    """The charts, of which those of a processor or a GPU that have a few numbers each are one table."""
    shown = [chart for chart in charts if not _is_small(chart)]
    if not shown:
        return charts
    for place, where in (("CPU", "CPU sorts"), ("GPU", "GPU sorts")):
        small = [chart for chart in charts if _is_small(chart) and chart.id.startswith(place)]
        if small:
            shown.append(_table(records, f"{place}-FEW", f"{where} at few sizes", small))
    return shown


def _is_small(chart: Artifact) -> bool:
    """True if all numbers of a chart are of one distribution, and so few that a table says more."""
    return len(chart.rows) <= _SMALL and len({row[0] for row in chart.rows}) == 1


def _table(records: Records, id_: str, title: str, charts: Sequence[Artifact]) -> Artifact:
    """The numbers of small charts: a row for each sort, type and number of threads, and a column for each n."""
    rows: list[list[Any]] = []
    by_label: dict[str, dict[float, GridCell]] = {}
    cells = {tuple(row[-2:]) for chart in charts for row in chart.rows}
    measured = [m for m in records.in_all_runs() if (m.cell, m.run) in cells]
    of = {(m.cell, m.run): m for m in measured}
    for chart in charts:
        kind = chart.title.partition(" on ")[2] or chart.title.partition(" of ")[2]
        for row in chart.rows:
            (panel, sort, _, log_n, value, low, high), (cell, run) = row[:7], row[-2:]
            rows.append([kind, panel, sort, log_n, value, low, high, cell, run])
            label = f"{kind}: {sort}" if panel == "uniform" else f"{kind}, {panel}: {sort}"
            m = of[cell, run]
            time = digits(value) + ("†" if m.disturbed else "")
            by_label.setdefault(label, {})[log_n] = GridCell(measured=time, interval=m.width_text)
    sizes = sorted({log_n for of in by_label.values() for log_n in of})
    columns = [GridColumn("ns per key", f"n = {count_text(round(2**log_n))}", measured=True) for log_n in sizes]
    grid_rows = [
        (label, float(place), [by_n.get(log_n, GridCell()) for log_n in sizes])
        for place, (label, by_n) in enumerate(by_label.items())
    ]
    caption = Caption(
        "Times per key of sorts of types that were measured at few sizes, of uniform keys unless a row says otherwise: "
        "compare the rows of one type."
    )
    caption += provenance.caption(records, measured, [])
    header = ["type", "distribution", "sort", "log2 n", "ns per key", *INTERVAL, *TRACE]
    return Artifact(id_, title, "", caption, header, rows, Grid("type, sort", columns, grid_rows, "mean"))


def algorithms(records: Records, measurements: list[Measurement]) -> list[str]:
    """All names, in the order that fixes their colours."""
    return sorted({m.case.algorithm for m in measurements}, key=origins.order(records))


def _chart(
    records: Records,
    names: list[str],
    gpu: bool,
    threads: int,
    key: str,
    value: str,
    measured: list[Measurement],
    in_runs: list[Measurement],
) -> tuple[Artifact, bool]:
    """The chart of a type, and whether it has two sorts on one input. Only those of one run are compared."""
    kind = key if value == "none" else f"{key} keys with {value} values"
    measured, in_runs = (one_setting.parallel_ones(records, found) for found in (measured, in_runs))
    chosen = {
        distribution: one_setting.choose(records, [m for m in measured if m.case.distribution == distribution])
        for distribution in sorted({m.case.distribution for m in measured}, key=lambda d: (d != "uniform", d))
    }
    picture: Any = Chart(
        [Panel(input_text(name), lines(records, names, of)) for name, of in chosen.items()], "ns per key", True
    )
    caption = Caption(
        "Time by distribution and n. No two sorts were measured on the same inputs in one run, so none is compared."
    )
    reference = within_runs.find_reference(names, in_runs)
    pairs: dict[str, within_runs.Pairs] = {}
    if reference:
        for name, of in chosen.items():
            here = [m for m in in_runs if m.case.distribution == name]
            pairs[name] = within_runs.over_reference(records, here, of, reference)
    if reference and any(pairs.values()):
        picture, caption = _compared(records, names, reference, pairs)
    name = key if value == "none" else f"{key}-{value}"
    every = [one for of in chosen.values() for one in of.values()]
    caption += one_setting.names_text(every)
    caption += provenance.caption(records, [m for one in every for m in one.measured], [])
    header, rows = _rows(names, chosen, pairs)
    return (
        Artifact(
            id=f"GPU-{name}" if gpu else f"CPU-{name}-{threads}T",
            title=f"GPU sorts of {kind}" if gpu else f"CPU sorts on {kind}, {threads_text(threads)}",
            paper="",
            caption=caption,
            header=header,
            rows=rows,
            picture=picture,
        ),
        any(pairs.values()) or _shares_an_input(chosen),
    )


def _shares_an_input(chosen: Mapping[str, Mapping[str, Chosen]]) -> bool:
    """True if two sorts were measured on one input, though perhaps in two runs: a table of times may have both."""
    sizes = [[m.case.n for one in of.values() for m in one.measured] for of in chosen.values()]
    return any(len(set(found)) < len(found) for found in sizes)


def _rows(
    names: Sequence[str], chosen: Mapping[str, Mapping[str, Chosen]], pairs: Mapping[str, within_runs.Pairs]
) -> tuple[list[str], list[list[Any]]]:
    """The times of all sorts: of the run in which a sort is compared with the reference, with both times and their
    ratio; without such a run, of the newest, with its time alone."""
    header = ["panel", "series", "kind", "log2 n", "ns per key", *INTERVAL]
    header += ["reference_ns_per_key", "times_as_long", "ratio_low", "ratio_high", *TRACE]
    rows: list[list[Any]] = []
    for distribution, of in chosen.items():
        for name in (name for name in names if name in of):
            for m in of[name].measured:
                pair = pairs.get(distribution, {}).get(name, {}).get(m.case.n)
                shown = pair.measured if pair else m
                time = Number.of(NS_PER_KEY.of(shown), shown)
                ratio: list[Optional[float]] = [None] * 4
                if pair:
                    over = pair.over
                    ratio = [NS_PER_KEY.of(pair.base).value, over.value, over.low, over.high]
                point = [input_text(distribution), name, "measured", math.log2(m.case.n), *time.columns]
                rows.append([*point, *ratio, *time.trace])
    return header, rows


def _compared(
    records: Records, names: Sequence[str], reference: str, pairs: Mapping[str, within_runs.Pairs]
) -> tuple[Chart, Caption]:
    """Times over the reference's, and the caption that says how to read them."""
    times = {
        distribution: {name: {n: pair.over.value for n, pair in by_n.items()} for name, by_n in of.items()}
        for distribution, of in pairs.items()
    }
    shown = _drawn(times)
    of_shown = [times[distribution] for distribution in shown]
    own = [reference, *(name for name in origins.strong(records) if name in names and name != reference)]
    named = leading(names, own, of_shown)
    panels = [_over_reference(records, names, named, reference, name, pairs[name]) for name in shown]
    crowded = [name for name in shown if len(times[name]) > _FEW]
    most = _ceiling([panel for name, panel in zip(shown, panels) if name in crowded])
    is_cut = any(y > most for name, panel in zip(shown, panels) if name in crowded for o in panel.lines for y in o.y)
    for name, panel in zip(shown, panels):
        if name in crowded and is_cut:
            panel.lines = [run for line in panel.lines for run in _low_runs(line, most)]
            panel.scale, panel.ceiling = "crowded", most
        else:
            panel.scale = "few sorts"
    chart = Chart(panels, f"times as long as {reference}", log=True, own_spans=True)
    legend = f"Time of each sort over that of {reference} in the same run, by distribution and n: lines in the shaded "
    legend += "region, below 1, are faster."
    if is_cut:
        legend += (
            f" An axis that ends at {most:g} cuts what is above: arrowheads show where lines leave it or come back, "
            f"and ↑ beside a name has the time over {reference}’s at the largest n."
        )
    caption = Caption(
        f"{legend} {looks_text(chart)}{grey_text(panels)}",
        "A line has one setting, the fastest of those measured at several n. Its points may be of several runs: each "
        "is of a run that measured both sorts, of several that with most peers, then the newest. The CSV has both "
        "times, and those of sorts that no run has beside the reference. ",
    )
    caption += _nearest_grey(reference, named, of_shown)
    if len(times) > len(shown):
        caption += "Distributions measured with fewer sorts, or at fewer n, are in the CSV. "
    return chart, caption


def _over_reference(
    records: Records,
    names: Sequence[str],
    named: Sequence[str],
    reference: str,
    distribution: str,
    pairs: within_runs.Pairs,
) -> Panel:
    """Times over the reference's at each n of a run that has both; its own times stand above."""
    strong = origins.strong(records)
    found: list[Line] = []
    for index, name in enumerate(names):
        if name in pairs:
            line = Line(name, series(index), strong=name in strong)
            for n, pair in sorted(pairs[name].items()):
                sources = (pair.measured,) if pair.measured is pair.base else (pair.measured, pair.base)
                line.add(math.log2(n), pair.over, *sources)
            found.append(line)
    ends = sorted(1e9 * pair.base.seconds_per_key.value for pair in pairs[reference].values())
    taken = digits(ends[0]) if digits(ends[0]) == digits(ends[-1]) else f"{digits(ends[0])} to {digits(ends[-1])}"
    y_label = f"times as long as {reference}, which takes {taken} ns per key"
    return Panel(
        input_text(distribution), behind(found, names, named), y_label, neutral=1.0, below=f"faster than {reference}"
    )


def _ceiling(panels: Sequence[Panel]) -> float:
    """Times up to which points are drawn in all panels: _MOST, or a whole number that shows the ends of named lines."""
    ends = [line.y[-1] for panel in panels for line in panel.lines if line.labelled and line.y]
    return max([_MOST, *(float(math.ceil(y)) for y in ends if y <= _HIGHEST)])


def _low_runs(line: Line, most: float) -> list[Line]:
    """The parts of a line that are drawn, each a run of points up to `most`, on to where the line leaves the axis; the
    last has the name, and the line's last value if that is not drawn."""
    runs: list[Line] = []
    before: Optional[tuple[float, float]] = None
    for x, y, low, high in zip(line.x, line.y, line.low, line.high):
        if y <= most:
            if before is None or before[1] > most:
                runs.append(replace(line, x=[], y=[], low=[], high=[], traces=[], labelled=False))
                if before is not None:
                    _leave(runs[-1], before, (x, y), most)
            runs[-1].x.append(x)
            runs[-1].y.append(y)
            runs[-1].low.append(low)
            runs[-1].high.append(None if high is None else min(high, most))
        elif before is not None and before[1] <= most:
            _leave(runs[-1], before, (x, y), most)
        before = x, y
    if not runs or before is None:
        return []
    at = count_text(round(2 ** line.x[-1]))
    label = f"{line.label}{ABOVE}{digits(line.y[-1])} at {at}" if before[1] > most else line.label
    return [*runs[:-1], replace(runs[-1], label=label, labelled=line.labelled)]


def _leave(run: Line, one: tuple[float, float], other: tuple[float, float], most: float) -> None:
    """Adds the point without a dot at which a line from one point to the other crosses the axis's upper end."""
    (x0, y0), (x1, y1) = one, other
    run.x.append(x0 + (x1 - x0) * math.log(most / y0) / math.log(y1 / y0))
    run.y.append(most)
    run.low.append(None)
    run.high.append(None)
    run.dotless += (len(run.x) - 1,)


def _drawn(times: Mapping[str, Times]) -> list[str]:
    """As many distributions as fit in one look: uniform keys, and those with the most curves. Without two curves there
    is nothing to compare over n; if no distribution has them, the one with the most sorts is drawn. Each has the
    reference beside another sort."""
    beside = {name: of for name, of in times.items() if of}
    curves = {name: sum(len(by_n) >= _CURVE for by_n in of.values()) for name, of in beside.items()}
    able = [name for name in beside if curves[name] > 1] or [max(beside, key=lambda name: len(beside[name]))]
    most = sorted(able, key=lambda name: (name != "uniform", -curves[name]))[:_PANELS]
    return [name for name in times if name in most]


def _over(reference: str, of: Times) -> list[tuple[float, int, str]]:
    """The times of the other sorts over the reference's, with n and name."""
    return [(over, n, name) for name, by_n in of.items() if name != reference for n, over in by_n.items()]


def _nearest_grey(reference: str, named: Sequence[str], times: Sequence[Times]) -> str:
    """A caption's sentence: how near the sorts without a name come to the reference."""
    grey = [one for of in times for one in _over(reference, of) if one[2] not in named]
    if not grey:
        return ""
    over, n, name = min(grey)
    return f"The nearest of the grey ones takes {digits(over)} times as long ({name}, n = {count_text(n)}). "


def lines(
    records: Records, names: Sequence[str], chosen: Mapping[str, Chosen], quantity: Quantity = NS_PER_KEY
) -> list[Line]:
    """A line for each named sort, in the setting chosen for it; all its measurements are of one distribution."""
    lines, strong = [], origins.strong(records)
    for index, name in enumerate(names):
        if name in chosen:
            line = Line(name, series(index), strong=name in strong)
            for m in chosen[name].measured:
                line.add(math.log2(m.case.n), quantity.of(m), m)
            lines.append(line)
    return lines


ARTIFACTS = {"[CG]PU-*": make}
