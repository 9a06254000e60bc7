"""All plug-ins here, by distribution and size: one chart for each type and number of threads, and each GPU."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Callable, Mapping, Sequence

from ...records import origins
from ...analysis import one_setting, provenance
from ...analysis.one_setting import Chosen
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...records.case import KEY_BYTES, VALUE_BYTES, input_text
from ...figures.chart import Chart, Line, Panel
from ...records.measurement import Measurement
from ...records.quantities import threads_text
from ...records.statistics import Interval
from ...records.collection import Records
from ...figures.style import series

_NAMED = 5  # sorts that a chart names: as many colours are told apart at once
_PANELS = 9  # distributions in one look
_CURVE = 3  # least number of n that shows how a time goes over n
_ALIKE = 1.05  # ratio of times below which two lines lie on each other
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
    return [_chart(records, names[group[0]], *group, groups[group]) for group in order]


def algorithms(records: Records, measurements: list[Measurement]) -> list[str]:
    """All names, in the order that fixes their colours."""
    return sorted({m.case.algorithm for m in measurements}, key=origins.order(records))


def _chart(
    records: Records, names: list[str], gpu: bool, threads: int, key: str, value: str, measured: list[Measurement]
) -> Artifact:
    kind = key if value == "none" else f"{key} keys with {value} values"
    measured = one_setting.parallel_ones(records, measured)
    chosen = {
        distribution: one_setting.choose(records, [m for m in measured if m.case.distribution == distribution])
        for distribution in sorted({m.case.distribution for m in measured}, key=lambda d: (d != "uniform", d))
    }
    known = [name for name in origins.strong(records) if any(name in of for of in chosen.values())]
    shown = _drawn(chosen)
    named = leading(names, known, [chosen[distribution] for distribution in shown])
    panels = {name: Panel(input_text(name), leading_lines(records, names, named, of)) for name, of in chosen.items()}
    whole = Chart(list(panels.values()), "ns per key", log=True)
    chart = replace(whole, panels=[panels[name] for name in shown])
    name = key if value == "none" else f"{key}-{value}"
    id_ = f"GPU-{name}" if gpu else f"CPU-{name}-{threads}T"
    title = f"GPU sorts of {kind}" if gpu else f"CPU sorts on {kind}, {threads_text(threads)}"
    caption = Caption(
        "All sorts by distribution and n. A line has one setting, the fastest of those measured at several n.",
        grey_text([name for name in names if any(name in of for of in chosen.values())], named)
        + (
            "Distributions measured with fewer sorts, or at fewer n, are in the CSV. "
            if len(chosen) > len(shown)
            else ""
        )
        + one_setting.names_text(one for of in chosen.values() for one in of.values()),
    )
    measured = [m for of in chosen.values() for one in of.values() for m in one.measured]
    caption += provenance.caption(records, measured, [])
    return from_picture(chart, id_, title, "", caption, whole=whole)


def _drawn(chosen: Mapping[str, Mapping[str, Chosen]]) -> list[str]:
    """As many distributions as fit in one look: uniform keys, and those with the most curves. Without two curves there
    is nothing to compare over n; if no distribution has them, the one with the most sorts is drawn."""
    curves = {name: sum(len(one.measured) >= _CURVE for one in of.values()) for name, of in chosen.items()}
    able = [name for name in chosen if curves[name] > 1] or [max(chosen, key=lambda name: len(chosen[name]))]
    most = sorted(able, key=lambda name: (name != "uniform", -curves[name]))[:_PANELS]
    return [name for name in chosen if name in most]


def leading(names: Sequence[str], own: Sequence[str], chosen: Sequence[Mapping[str, Chosen]]) -> list[str]:
    """The sorts that a chart names, in the order of their names: the project's own, and those that come nearest to the
    fastest of any panel, at the n with most sorts. Of sorts that everywhere take about the same time there only one is
    named, since their lines lie on each other."""
    nearest = dict.fromkeys(own, _FIRST)
    at: dict[str, list[float]] = {}  # time over the fastest sort's, by panel
    for of in chosen:
        by_n: dict[int, dict[str, Measurement]] = {}
        for name, one in of.items():
            for m in one.measured:
                by_n.setdefault(m.case.n, {})[name] = m
        best = by_n.get(max(by_n, key=lambda n: (len(by_n[n]), n), default=0), {})
        quickest = min((m.seconds_per_key.value for m in best.values()), default=0.0)
        for name in names:
            at.setdefault(name, []).append(best[name].seconds_per_key.value / quickest if name in best else math.nan)
    for name, times in at.items():
        share = max((1 / time for time in times if time == time), default=0.0)
        nearest[name] = max(nearest.get(name, 0.0), share)
    kept: list[str] = []
    for name in sorted(nearest, key=lambda name: -nearest[name]):
        if len(kept) < _NAMED and (nearest[name] == _FIRST or not any(_alike(at[name], at[one]) for one in kept)):
            kept.append(name)
    return [name for name in names if name in kept]


def _alike(mine: Sequence[float], other: Sequence[float]) -> bool:
    """True if the times are about the same in each panel that has both, and in no panel only one has a time."""
    pairs = [(a, b) for a, b in zip(mine, other) if a == a or b == b]
    return bool(pairs) and all(max(a, b) < _ALIKE * min(a, b) for a, b in pairs)


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
        return "Grey: the sort, named in the CSV, that is slower or like one named. "
    return f"Grey: the {others} sorts, named in the CSV, that are slower or like one named. " if others else ""


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
