"""All CPU plug-ins here, by distribution and size: one chart for each type and number of threads."""

from __future__ import annotations

import math

from .. import provenance
from ..artifact import Artifact
from ..chart import Chart, Line, Panel
from ..quantities import threads_text
from ..records import KEY_BYTES, VALUE_BYTES, Measurement, Records
from ..style import series

# Kept apart from the others by weight; the rest follow in alphabetical order.
_FIRST = "satish_cpu_radix"


def make(records: Records) -> list[Artifact]:
    measured = records.ok()
    groups: dict[tuple[str, str, int], list[Measurement]] = {}
    for m in measured:
        groups.setdefault((m.case.key_type, m.case.value_type, m.case.threads), []).append(m)
    order = sorted(groups, key=lambda g: (g[2], KEY_BYTES[g[0]] + VALUE_BYTES[g[1]], g))
    names = algorithms(measured)
    return [_chart(records, names, *group, groups[group]) for group in order]


def algorithms(measurements: list[Measurement]) -> list[str]:
    """All names, in the order that fixes their colours."""
    return sorted({m.case.algorithm for m in measurements}, key=lambda name: (name != _FIRST, name))


def _chart(
    records: Records, names: list[str], key: str, value: str, threads: int, measured: list[Measurement]
) -> Artifact:
    kind = key if value == "none" else f"{key} keys with {value} values"
    panels = [
        Panel(distribution, _lines(names, [m for m in measured if m.case.distribution == distribution]))
        for distribution in sorted({m.case.distribution for m in measured}, key=lambda d: (d != "uniform", d))
    ]
    chart = Chart(panels, "ns per key", log=True)
    header, rows = chart.rows()
    id_ = f"CPU-{key}{'' if value == 'none' else '-' + value}-{threads}T"
    title = f"CPU sorts on {kind}, {threads_text(threads)}"
    caption = "Of several parameter settings of a plug-in the fastest. " + provenance.caption(records, measured, [])
    return Artifact(
        id=id_,
        title=title,
        paper="",
        caption=caption,
        header=header,
        rows=rows,
        latex=chart.latex(f"{title}. {caption}", f"fig:{id_}"),
        figure=chart.figure,
    )


def _lines(names: list[str], measured: list[Measurement]) -> list[Line]:
    lines = []
    for index, name in enumerate(names):
        best: dict[int, Measurement] = {}
        for m in measured:
            if m.case.algorithm == name and m.case.n > 0:
                if m.case.n not in best or m.seconds_per_key.value < best[m.case.n].seconds_per_key.value:
                    best[m.case.n] = m
        line = Line(name, series(index), strong=name == _FIRST)
        for n, m in sorted(best.items()):
            ns = m.seconds_per_key.scaled(1e9)
            line.add(math.log2(n), ns.value, ns.low, ns.high)
        if line.x:
            lines.append(line)
    return lines
