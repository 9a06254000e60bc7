"""GPU2026-ENTROPY: rates over the entropy of the keys, from equal to uniform ones."""

from __future__ import annotations

from typing import Optional, Sequence

from ...records import origins
from ...analysis import one_setting, provenance
from ...analysis.one_setting import Chosen
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...figures.chart import Chart, Line, Panel
from ...analysis.paired_comparisons import PairedComparisons
from ...records.measurement import Measurement
from ...records.quantities import count_text
from ...records.collection import Records
from ...figures.style import series
from .all_sorts import GIGAKEYS, algorithms
from .beside_peers import TYPES, type_text

_LEAST = 3  # least number of entropies of a line


def chart(
    records: Records, comparisons: PairedComparisons, measured: Sequence[Measurement], own: str
) -> Optional[Artifact]:
    """A panel for each type, at the n with most entropies of the project's own sort, then at the largest n."""
    drawn = {type_: found for type_ in TYPES if (found := _by_entropy(comparisons, measured, own, *type_))}
    if not drawn:
        return None
    every = [m for found in drawn.values() for of in found.values() for m in of]
    names, strong = algorithms(records, every), origins.strong(records)
    panels = []
    settings: list[Chosen] = []
    for type_, found in drawn.items():
        chosen = one_setting.choose(records, [m for run in found.values() for m in run])
        settings += chosen.values()
        lines = [_line(chosen[name], series(i), name in strong) for i, name in enumerate(names) if name in chosen]
        n = next(iter(found.values()))[0].case.n
        drawn_lines, title = [line for line in lines if line.x], f"{type_text(*type_)}, n = {count_text(n)}"
        panels.append(Panel(title, drawn_lines, marks=((0.0, "equal keys: nothing to move"),)))
    picture = Chart(panels, GIGAKEYS.text, log=True, columns=2, x_label="entropy of the keys, bits", own_spans=True)
    caption = Caption(
        "Rates of GPU sorts over the entropy of the keys. Equal keys, which need not be moved, are on the left, "
        "uniform keys on the right, and uniform words ANDed once to twelve times between them.",
        "All sorts at one entropy come from one run, and a line is of one parameter setting. Sorts measured on uniform "
        "keys alone are not shown.",
    )
    caption += one_setting.names_text(settings)
    caption += provenance.caption(records, every, [])
    return from_picture(picture, "GPU2026-ENTROPY", "GPU sorts by entropy of the keys", "", caption)


def _by_entropy(
    comparisons: PairedComparisons, measured: Sequence[Measurement], own: str, key: str, value: str
) -> dict[float, list[Measurement]]:
    """The sorts that ran beside the project's own, in ascending order of entropy."""
    wanted = dict(key_type=key, value_type=value, is_entropy=True)
    cases = [m.case for m in measured if (m.case.key_type, m.case.value_type) == (key, value) and m.case.is_entropy]
    of_n: dict[int, dict[float, list[Measurement]]] = {}
    for n, bits in sorted({(case.n, case.entropy_bits) for case in cases if case.entropy_bits is not None}):
        run = comparisons.run(1, n=n, entropy_bits=bits, **wanted)
        if any(m.case.algorithm == own for m in run):
            of_n.setdefault(n, {})[bits] = run
    most = max(of_n, key=lambda n: (len(of_n[n]), n), default=0)
    return of_n[most] if most and len(of_n[most]) >= _LEAST else {}


def _line(chosen: Chosen, role: str, strong: bool) -> Line:
    """The line over ascending entropy, without points if there are too few."""
    line = Line(chosen.measured[0].case.algorithm, role, strong=strong)
    if len(chosen.measured) >= _LEAST:
        for m in sorted(chosen.measured, key=lambda m: m.case.entropy_bits or 0.0):
            line.add(m.case.entropy_bits or 0.0, GIGAKEYS.of(m), m)
    return line
