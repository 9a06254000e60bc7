"""SAT-WIDTH: does merging overtake radix as registers widen? The merge sort's time by width over the radix sort's."""

from __future__ import annotations

import math
from dataclasses import replace

from ...analysis import provenance
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...figures.chart import Chart, Line, Panel
from ...records.measurement import Measurement
from ...records.quantities import count_text, digits, threads_text
from ...records.statistics import Interval
from ...records.collection import Records
from . import PAPER
from .columns import ESTIMATOR, MERGE, RADIX

_WIDTHS = {  # label and colour by the merge sort's registers, narrowest first
    "scalar": ("scalar", "series-7"),
    "sse4": ("128 bits (SSE)", "series-3"),
    "avx2": ("256 bits", "series-5"),
    "avx512": ("512 bits", "series-1"),
}
_LEAST = 3  # least number of points of a line that is drawn
_Ratios = dict[int, tuple[Measurement, Measurement]]  # merge and radix sort by n


def make(records: Records) -> Artifact:
    panels, verdicts = [], []
    shown: list[Measurement] = []
    kinds = _panels(records)
    for key, threads in kinds:
        by_width = {width: _pairs(records, key, threads, width) for width in _WIDTHS}
        lines = [_line(width, pairs) for width, pairs in by_width.items() if pairs]
        lines += [_published(records)] if key == "u32" else []
        panels.append(Panel(f"{key}, {threads_text(threads)}", lines))
        verdicts.append(_verdict(key, threads, by_width))
        shown += dict.fromkeys(m for pairs in by_width.values() for pair in pairs.values() for m in pair)
    panels = panels or [Panel("u32", [_published(records)])]
    panels = [replace(panel, neutral=1.0, below="merge sort is faster") for panel in panels]
    chart = Chart(panels, "time of the merge sort ÷ the radix sort’s", log=True, one_x=True)
    of_ends = [panel for kind, panel in zip(kinds, panels) if kind in _drawn(kinds)]
    comparing = [panel for panel in map(_long_lines, of_ends) if _compares(panel)]
    drawn = replace(chart, panels=comparing or of_ends or panels)
    caption = Caption(
        "Time of the merge sort over the radix sort’s, by n and by the width of the merge sort’s registers. Shaded: "
        "the merge sort is faster; hollow: SAT-T1, SSE on four cores.",
        "Other numbers of threads, and widths with fewer than three sizes, are in the CSV. The buffer radix "
        "sort has its fastest setting, the merge sort of Chhugani et al. registers of each width, and both as many "
        "threads. ",
    )
    caption += " ".join(verdicts)
    caption += provenance.caption(records, shown, [], ESTIMATOR)
    title = "Merge over radix sort as registers widen"
    return from_picture(drawn, "SAT-WIDTH", title, PAPER, caption, whole=chart)


def _standing(records: Records, role: str, **wanted: object) -> list[Measurement]:
    """Measurements of the sorts that stand for the role, with any parameters."""
    standing = records.standing_for(role)
    return records.in_all_runs(
        algorithm=lambda name: name in standing,
        value_type="none",
        distribution="uniform",
        residency="host",
        **wanted,
    )


def _panels(records: Records) -> list[tuple[str, int]]:
    """Key types and threads with which both sorts were measured."""
    kinds = [{(m.case.key_type, m.case.threads) for m in _standing(records, name)} for name in (RADIX, MERGE)]
    return sorted(
        (key, threads)
        for key, threads in kinds[0] & kinds[1]
        if key in ("u32", "u64") and any(_pairs(records, key, threads, width) for width in _WIDTHS)
    )


def _drawn(kinds: list[tuple[str, int]]) -> set[tuple[str, int]]:
    """The least and the greatest number of threads of each key type, which show the most."""
    threads = {key: [count for of, count in kinds if of == key] for key, _ in kinds}
    return {(key, count) for key, of in threads.items() for count in (min(of), max(of))}


def _long_lines(panel: Panel) -> Panel:
    """The panel without lines of one point or two, which show no course over n."""
    return replace(panel, lines=[line for line in panel.lines if len(line.x) >= _LEAST])


def _compares(panel: Panel) -> bool:
    """True if a panel has two widths measured, so that it says something of width."""
    return [line.voice for line in panel.lines].count("measured") > 1


def _pairs(records: Records, key: str, threads: int, width: str) -> _Ratios:
    """Both sorts at their fastest, by n, in the newest run that has both."""
    radix = _standing(records, RADIX, key_type=key, threads=threads)
    merge = _standing(records, MERGE, key_type=key, threads=threads, parameters={"width": width})
    found: dict[int, list[tuple[Measurement, Measurement]]] = {}
    for m in merge:
        for r in radix:
            if m.run == r.run and m.case.n == r.case.n > 1:
                found.setdefault(m.case.n, []).append((m, r))
    return {n: _newest(pairs) for n, pairs in sorted(found.items())}


def _newest(pairs: list[tuple[Measurement, Measurement]]) -> tuple[Measurement, Measurement]:
    """The newest of `pairs`, which are ordered by run, oldest first."""
    of_run = [pair for pair in pairs if pair[0].run == pairs[-1][0].run]
    return min(of_run, key=lambda pair: (pair[0].seconds_per_key.value, pair[1].seconds_per_key.value))


def _ratio(pair: tuple[Measurement, Measurement]) -> Interval:
    return pair[0].over(pair[1])


def _line(width: str, pairs: _Ratios) -> Line:
    label, role = _WIDTHS[width]
    line = Line(label, role, strong=width == "avx512")
    for n, pair in pairs.items():
        line.add(math.log2(n), _ratio(pair), *pair)
    return line


def _published(records: Records) -> Line:
    times = {(p.algorithm, p.n): p.value for p in records.published if p.id == "SAT-T1" and p.n}
    line = Line("Core i7, SSE", "published", "published")
    for algorithm, n in sorted(times):
        if algorithm == "merge-Chhugani" and ("radix-buffer(own)", n) in times:
            line.add(math.log2(n), times[algorithm, n] / times["radix-buffer(own)", n])
    return line


def _verdict(key: str, threads: int, by_width: dict[str, _Ratios]) -> str:
    """A panel's verdict by the widest registers. It needs intervals of both sorts and free cores."""
    widest = [width for width in _WIDTHS if by_width[width]][-1]
    pairs = {n: p for n, p in by_width[widest].items() if all(m.has_interval and not m.disturbed for m in p)}
    of = f"{key} on {threads_text(threads)}, {_WIDTHS[widest][0]}"
    if not pairs:
        return f"{of}: no verdict: at no n do both sorts have measurements with free cores."
    ratios = {n: _ratio(pair) for n, pair in pairs.items()}
    faster = [n for n, ratio in ratios.items() if ratio.high < 1]
    slower = [n for n, ratio in ratios.items() if ratio.low > 1]
    between = [n for n in ratios if n not in faster and n not in slower]
    verdicts = (("merging overtakes", faster), ("it does not", slower), ("undecided", between))
    changes = [f"{word} at {', '.join(map(count_text, at))}" for word, at in verdicts if at]
    last = max(ratios)
    each = [f"{_WIDTHS[w][0]} {_text(_ratio(by_width[w][last]))}" for w in _WIDTHS if last in by_width[w]]
    # Cells that were disturbed are drawn as well, and may lie on the other side.
    free = f"{'only one' if len(ratios) == 1 else len(ratios)} of {len(by_width[widest])} n with free cores"
    text = f"{of}, at the {free}: {', '.join(changes)}. "
    return f"{text}At {count_text(last)} in times of the radix sort: {', '.join(each)}."


def _text(ratio: Interval) -> str:
    return f"{digits(ratio.value)} [{digits(ratio.low)}, {digits(ratio.high)}]"


PLACE = 4
ARTIFACTS = {"SAT-WIDTH": make}
