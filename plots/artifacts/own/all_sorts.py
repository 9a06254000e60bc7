"""All plug-ins here, by distribution and size: one chart for each type and number of threads, and each GPU."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Callable, Mapping, Optional, Sequence

from ...records import origins
from ...analysis import one_setting, provenance
from ...analysis.one_setting import Chosen
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...records.case import KEY_BYTES, VALUE_BYTES, input_text
from ...figures.chart import Chart, Line, Panel
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.measurement import Measurement
from ...records.number import INTERVAL, TRACE
from ...records.quantities import count_text, digits, percent, threads_text
from ...records.statistics import Interval
from ...records.collection import Records
from ...figures.style import series

_NAMED = 5  # sorts that a chart names: as many colours are told apart at once
_MUST = 7  # the same, if so many are the fastest somewhere
_FEW = 2  # sorts of a panel in which every point is drawn
_PANELS = 9  # distributions in one look
_CURVE = 3  # least number of n that shows how a time goes over n
_ALIKE = 1.05  # ratio of times below which two lines lie on each other
_MOST = 4.0  # times as long as the reference up to which points are drawn, so that the fast sorts are told apart
_HIGHEST = 8.0  # the same, where a sort that is named ends above it
_SMALL = 8  # numbers of a chart up to which a table shows them
_FIRST = 2.0  # above any other sort's nearness to the fastest


@dataclass(frozen=True)
class Quantity:
    """A quantity of a sort that charts show."""

    text: str
    of: Callable[[Measurement], Interval]


NS_PER_KEY = Quantity("ns per key", lambda m: m.seconds_per_key.scaled(1e9))
GIGAKEYS = Quantity("10⁹ keys per second", lambda m: m.keys_per_s.scaled(1e-9))


def make(records: Records) -> list[Artifact]:
    groups: dict[tuple[bool, int, str, str], list[Measurement]] = {}
    for m in records.ok():
        groups.setdefault((not m.case.on_host, m.case.threads, m.case.key_type, m.case.value_type), []).append(m)
    order = sorted(groups, key=lambda g: (g[:2], g[2] == "string", KEY_BYTES[g[2]] + VALUE_BYTES[g[3]], g))
    names = {gpu: algorithms(records, [m for m in records.ok() if m.case.on_host != gpu]) for gpu in (False, True)}
    made = [_chart(records, names[group[0]], *group, groups[group]) for group in order]
    comparing = [chart for chart, compares in made if compares]
    return _few_as_table(records, comparing or [chart for chart, _ in made])


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
    cells = {row[-2] for chart in charts for row in chart.rows}
    measured = [m for m in records.ok() if m.cell in cells]
    disturbed = {m.cell for m in measured if m.disturbed}
    for chart in charts:
        kind = chart.title.partition(" on ")[2] or chart.title.partition(" of ")[2]
        for panel, sort, _, log_n, value, low, high, cell, run in chart.rows:
            rows.append([kind, panel, sort, log_n, value, low, high, cell, run])
            interval = f"± {percent((high - low) / 2 / value)}" if low is not None and high is not None else ""
            label = f"{kind}: {sort}" if panel == "uniform" else f"{kind}, {panel}: {sort}"
            time = digits(value) + ("†" if cell in disturbed else "")
            by_label.setdefault(label, {})[log_n] = GridCell(measured=time, interval=interval)
    sizes = sorted({log_n for of in by_label.values() for log_n in of})
    columns = [GridColumn("ns per key", count_text(round(2**log_n)), measured=True) for log_n in sizes]
    grid_rows = [
        (label, float(place), [of.get(log_n, GridCell()) for log_n in sizes])
        for place, (label, of) in enumerate(by_label.items())
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
    records: Records, names: list[str], gpu: bool, threads: int, key: str, value: str, measured: list[Measurement]
) -> tuple[Artifact, bool]:
    """The chart of a type, and whether it compares sorts: not where no two were measured on the same input."""
    kind = key if value == "none" else f"{key} keys with {value} values"
    measured = one_setting.parallel_ones(records, measured)
    chosen = {
        distribution: one_setting.choose(records, [m for m in measured if m.case.distribution == distribution])
        for distribution in sorted({m.case.distribution for m in measured}, key=lambda d: (d != "uniform", d))
    }
    whole = Chart(
        [Panel(input_text(name), lines(records, names, of)) for name, of in chosen.items()], "ns per key", True
    )
    reference = _reference(names, chosen)
    chart, caption = whole, Caption(
        "Time by distribution and n. No two sorts were measured on the same inputs, so none is compared."
    )
    if reference:
        chart, caption = _compared(records, names, reference, chosen)
    name = key if value == "none" else f"{key}-{value}"
    id_ = f"GPU-{name}" if gpu else f"CPU-{name}-{threads}T"
    title = f"GPU sorts of {kind}" if gpu else f"CPU sorts on {kind}, {threads_text(threads)}"
    caption += one_setting.names_text(one for of in chosen.values() for one in of.values())
    measured = [m for of in chosen.values() for one in of.values() for m in one.measured]
    caption += provenance.caption(records, measured, [])
    return from_picture(chart, id_, title, "", caption, whole=whole), reference is not None


def _compared(
    records: Records, names: Sequence[str], reference: str, chosen: Mapping[str, Mapping[str, Chosen]]
) -> tuple[Chart, Caption]:
    """Times over the reference's, and the caption that says how to read them."""
    known = [name for name in origins.strong(records) if any(name in of for of in chosen.values())]
    shown = _drawn(reference, chosen)
    of_shown = [chosen[distribution] for distribution in shown]
    named = leading(names, [*known, reference, *_winners(reference, of_shown)], of_shown)
    panels = [_over_reference(records, names, named, reference, name, chosen[name]) for name in shown]
    crowded = [name for name in shown if len(chosen[name]) > _FEW]
    most = _ceiling([panel for name, panel in zip(shown, panels) if name in crowded])
    for name, panel in zip(shown, panels):
        if name in crowded:
            panel.lines = [run for line in panel.lines for run in _low_runs(line, most)]
    legend = f"Time of each sort over that of {reference}, by distribution and n: lines in the shaded region, below 1, "
    legend += "are faster."
    if crowded:
        legend += (
            f" Points above {most:g} are not drawn; ↑ beside a name has its time over {reference}’s at its largest n."
        )
    caption = Caption(
        legend,
        "A line has one setting, the fastest of those measured at several n. The CSV has the times of all. "
        + grey_text([name for name in names if any(name in of for of in of_shown)], named),
    )
    caption += _nearest_grey(reference, named, of_shown)
    if len(chosen) > len(shown):
        caption += "Distributions measured with fewer sorts, or at fewer n, are in the CSV. "
    return Chart(panels, f"times as long as {reference}", log=True), caption


def _reference(names: Sequence[str], chosen: Mapping[str, Mapping[str, Chosen]]) -> Optional[str]:
    """The sort with which the others are compared: the one that is, or nearly is, the fastest on most inputs that it
    shares with another."""
    inputs = [by_name for of in chosen.values() for by_name in _by_n(of).values() if len(by_name) > 1]
    wins, shared = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for by_name in inputs:
        quickest = min(m.seconds_per_key.value for m in by_name.values())
        for name, m in by_name.items():
            shared[name] += 1
            wins[name] += m.seconds_per_key.value < _ALIKE * quickest
    return max(names, key=lambda name: (wins[name], shared[name])) if inputs else None


def _by_n(of: Mapping[str, Chosen]) -> dict[int, dict[str, Measurement]]:
    """The measurements of one distribution, by n and sort."""
    by_n: dict[int, dict[str, Measurement]] = {}
    for name, one in of.items():
        for m in one.measured:
            by_n.setdefault(m.case.n, {})[name] = m
    return by_n


def _over_reference(
    records: Records,
    names: Sequence[str],
    named: Sequence[str],
    reference: str,
    distribution: str,
    of: Mapping[str, Chosen],
) -> Panel:
    """Times over the reference's at each n that has both; its own times stand above."""
    base = {m.case.n: m for m in of[reference].measured}
    shared = sorted(n for n, by_name in _by_n(of).items() if n in base and len(by_name) > 1)
    over = {
        name: replace(one, measured=tuple(m for m in one.measured if m.case.n in shared)) for name, one in of.items()
    }
    quantity = Quantity("", lambda m: m.over(base[m.case.n]) if m is not base[m.case.n] else Interval(1.0, 1.0, 1.0))
    drawn = leading_lines(records, names, named, over, quantity)
    ends = sorted(1e9 * base[n].seconds_per_key.value for n in shared)
    taken = digits(ends[0]) if digits(ends[0]) == digits(ends[-1]) else f"{digits(ends[0])} to {digits(ends[-1])}"
    y_label = f"times as long as {reference}, which takes {taken} ns per key"
    return Panel(input_text(distribution), drawn, y_label, neutral=1.0, below=f"faster than {reference}")


def _ceiling(panels: Sequence[Panel]) -> float:
    """Times up to which points are drawn in all panels: _MOST, or a whole number that shows the ends of named lines."""
    ends = [line.y[-1] for panel in panels for line in panel.lines if line.labelled and line.y]
    return max([_MOST, *(float(math.ceil(y)) for y in ends if y <= _HIGHEST)])


def _low_runs(line: Line, most: float) -> list[Line]:
    """The parts of a line that are drawn, each a run of points up to `most`; the last has the name, and the line's last
    value if that is not drawn."""
    runs: list[Line] = []
    after_gap = True
    for x, y, low, high in zip(line.x, line.y, line.low, line.high):
        if y <= most:
            if after_gap:
                runs.append(Line(line.label, line.role, strong=line.strong, labelled=False))
            runs[-1].x.append(x)
            runs[-1].y.append(y)
            runs[-1].low.append(low)
            runs[-1].high.append(high)
        after_gap = y > most
    if not runs:
        return []
    at = count_text(round(2 ** line.x[-1]))
    label = f"{line.label} ↑ {digits(line.y[-1])} at {at}" if after_gap else line.label
    return [*runs[:-1], replace(runs[-1], label=label, labelled=line.labelled)]


def _drawn(reference: str, chosen: Mapping[str, Mapping[str, Chosen]]) -> list[str]:
    """As many distributions as fit in one look: uniform keys, and those with the most curves. Without two curves there
    is nothing to compare over n; if no distribution has them, the one with the most sorts is drawn. Each has the
    reference beside another sort."""
    beside = {
        name: of for name, of in chosen.items() if any(reference in at and len(at) > 1 for at in _by_n(of).values())
    }
    curves = {name: sum(len(one.measured) >= _CURVE for one in of.values()) for name, of in beside.items()}
    able = [name for name in beside if curves[name] > 1] or [max(beside, key=lambda name: len(beside[name]))]
    most = sorted(able, key=lambda name: (name != "uniform", -curves[name]))[:_PANELS]
    return [name for name in chosen if name in most]


def _over(reference: str, of: Mapping[str, Chosen]) -> list[tuple[float, int, str]]:
    """The times of the other sorts over the reference's at each n that has both, with n and name."""
    at_n = ((n, by_name) for n, by_name in _by_n(of).items() if reference in by_name)
    return [
        (m.seconds_per_key.value / by_name[reference].seconds_per_key.value, n, name)
        for n, by_name in at_n
        for name, m in by_name.items()
        if name != reference
    ]


def _winners(reference: str, chosen: Sequence[Mapping[str, Chosen]]) -> list[str]:
    """The sorts that are clearly faster than the reference at some n, the most so first, and the fastest other
    ones at the largest n."""
    found = [(over, name) for of in chosen for over, _, name in _over(reference, of) if over * _ALIKE < 1]
    beside = [(n, -over, name) for of in chosen for over, n, name in _over(reference, of)]
    largest = max((n for n, *_ in beside), default=0)
    last = sorted(((-over, name) for n, over, name in beside if n == largest))
    best = [name for over, name in last if over < _ALIKE * max(1.0, last[0][0])]
    return list(dict.fromkeys([name for _, name in sorted(found)] + best))


def _nearest_grey(reference: str, named: Sequence[str], chosen: Sequence[Mapping[str, Chosen]]) -> str:
    """A caption's sentence: how near the sorts without a name come to the reference."""
    grey = [one for of in chosen for one in _over(reference, of) if one[2] not in named]
    if not grey:
        return ""
    over, n, name = min(grey)
    return f"The nearest of the grey ones takes {digits(over)} times as long ({name}, n = {count_text(n)}). "


def leading(names: Sequence[str], own: Sequence[str], chosen: Sequence[Mapping[str, Chosen]]) -> list[str]:
    """The sorts that a chart names, in the order of their names: those of `own`, and those that come nearest to the
    fastest over all panels, at the n with most sorts. Of sorts that everywhere take about the same time there only
    one is named, since their lines lie on each other."""
    nearest = dict.fromkeys(own, _FIRST)
    at: dict[str, list[float]] = {}  # time over the fastest sort's, by panel
    for of in chosen:
        by_n = _by_n(of)
        best = by_n.get(max(by_n, key=lambda n: (len(by_n[n]), n), default=0), {})
        quickest = min((m.seconds_per_key.value for m in best.values()), default=0.0)
        for name in names:
            at.setdefault(name, []).append(best[name].seconds_per_key.value / quickest if name in best else math.nan)
    for name, times in at.items():
        share = sum(1 / time for time in times if time == time) / len(times)
        if share:
            nearest[name] = max(nearest.get(name, 0.0), share)
    kept: list[str] = []
    for name in sorted(nearest, key=lambda name: -nearest[name]):
        room = _MUST if nearest[name] == _FIRST else _NAMED
        if len(kept) < room and (nearest[name] == _FIRST or not any(_alike(at[name], at[one]) for one in kept)):
            kept.append(name)
    return [name for name in names if name in kept]


def _alike(mine: Sequence[float], other: Sequence[float]) -> bool:
    """True if the times are about the same in each panel that has both, and in no panel only one has a time."""
    pairs = [(a, b) for a, b in zip(mine, other) if a == a or b == b]
    return bool(pairs) and all(a == a and b == b and max(a, b) < _ALIKE * min(a, b) for a, b in pairs)


def leading_lines(
    records: Records,
    names: Sequence[str],
    named: Sequence[str],
    chosen: Mapping[str, Chosen],
    quantity: Quantity = NS_PER_KEY,
) -> list[Line]:
    """The lines of the named sorts, and behind them those of the others, grey and without names."""
    others = lines(records, [name for name in names if name not in named], chosen, quantity)
    grey = [replace(line, role="axis", labelled=False) for line in others]
    return [*grey, *lines(records, named, chosen, quantity)]


def grey_text(names: Sequence[str], named: Sequence[str]) -> str:
    """A caption's sentence on the sorts without a name."""
    others = sum(name not in named for name in names)
    if others == 1:
        return "Grey: the sort, named in the CSV, for which there is no colour. "
    return f"Grey: the {others} sorts, named in the CSV, for which there is no colour. " if others else ""


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
