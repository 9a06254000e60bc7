"""All plug-ins here, by distribution and size: one chart for each type and number of threads, and each GPU."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Mapping

from ...records import origins
from ...analysis import one_setting, provenance
from ...analysis.one_setting import Chosen
from ...figures.artifact import Artifact, from_picture
from ...records.case import KEY_BYTES, VALUE_BYTES
from ...figures.chart import Chart, Line, Panel
from ...records.measurement import Measurement
from ...records.quantities import threads_text
from ...records.statistics import Interval
from ...records.collection import Records
from ...figures.style import series


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
    panels = [Panel(distribution, lines(records, names, of)) for distribution, of in chosen.items()]
    chart = Chart(panels, "ns per key", log=True)
    name = key if value == "none" else f"{key}-{value}"
    id_ = f"GPU-{name}" if gpu else f"CPU-{name}-{threads}T"
    title = f"GPU sorts of {kind}" if gpu else f"CPU sorts on {kind}, {threads_text(threads)}"
    caption = (
        "All sorts by distribution and n. A line has one setting, the fastest of those measured at several n. "
        + one_setting.names_text(one for of in chosen.values() for one in of.values())
        + provenance.caption(records, [m for of in chosen.values() for one in of.values() for m in one.measured], [])
    )
    return from_picture(chart, id_, title, "", caption)


def lines(
    records: Records, names: list[str], chosen: Mapping[str, Chosen], quantity: Quantity = NS_PER_KEY
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
