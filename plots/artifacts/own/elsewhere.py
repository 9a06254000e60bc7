"""ELSEWHERE: published times of CUB's sorts on other GPUs, the models' predictions from their datasheets, and
measurements and predictions of the GPU on which the models were calibrated."""

from __future__ import annotations

import re
from typing import Iterable, Optional, Sequence

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...figures.bars import BarPanel, Bars, Series
from ...analysis.other_gpus import (
    LARGE,
    PublishedCell,
    binding,
    cells,
    disagreement,
    errors_of_cells,
    platforms,
    scaled,
    work_and_bandwidth,
)
from ...records.quantities import count_text, digits, percent, signed_percent
from ...records.statistics import geometric_mean
from ...records.collection import Records
from ...records.number import TRACE, cells_and_runs
from ...analysis.error_statistics import summarise
from ...analysis.memory_share import ALIKE, memory_share

TITLE = "CUB’s sorts on other GPUs: published, and predicted from their datasheets"
_OWN_PANEL = 3  # least number of bars of a machine for a panel of its own
_HEADER = (
    "machine", "sort", "type", "n", "distribution", "source", "published_s", "predicted_there_s", "error",
    "measured_here_s", "predicted_here_s", "gain_published", "gain_predicted", "bound_by", "note", *TRACE,
)  # fmt: skip


def make(records: Records) -> list[Artifact]:
    if not scaled(records):
        return []
    found = [one for one in cells(records) if one.predicted]
    return [_machines(records, found), _cells(records, found), _rates(records, found)] if found else []


def _machines(records: Records, found: list[PublishedCell]) -> Artifact:
    here = _here(found) or "the measured GPU"
    speed = Series("published", "published", "published")
    errors = [Series(f"n ≥ {count_text(LARGE)}", "series-1", "predicted"), Series("smaller n", "series-2", "predicted")]
    told = []
    for platform in platforms(found):
        name, of = _short(platform), [one for one in found if one.published.platform == platform]
        large = [one for one in of if one.n >= LARGE]
        published, predicted = _gains(large)
        if published and predicted:
            speed.add(name, float(digits(published)))
            speed.predict(name, predicted, *(one.predicted for one in large if one.predicted))
        for series, cells_ in zip(errors, (large, [one for one in of if one.n < LARGE])):
            e = errors_of_cells(cells_)
            if e:
                series.add(name, 100 * e.mean_absolute, *(one.predicted for one in cells_ if one.predicted))
        told.append(_machine_text(name, of))
    panels = [BarPanel(f"Speed of CUB’s sorts, n ≥ {count_text(LARGE)}", [speed], f"times as fast as on {here}")]
    panels.append(BarPanel("How far predictions are off", errors, "mean absolute error, % of the published time"))
    picture = Bars(panels, list(map(_short, platforms(found))), "times as fast")
    rows = [_row(one) for one in found]
    return Artifact("ELSEWHERE", TITLE, "", _caption(found, here, told), _HEADER, rows, picture)


def _gains(large: list[PublishedCell]) -> tuple[Optional[float], Optional[float]]:
    """Speed of another GPU over the one here, published and predicted: geometric means over cells that have both."""
    both = [(one.gain, one.predicted_gain) for one in large if one.gain and one.predicted_gain]
    published, predicted = (geometric_mean(gains) for gains in zip(*both)) if both else (None, None)
    return published, predicted


def _machine_text(name: str, of: list[PublishedCell]) -> str:
    """A machine's datasheet over that of the GPU here, what binds it, and its signed error."""
    large = [one for one in of if one.n >= LARGE]
    ratios, e = work_and_bandwidth(of), errors_of_cells(large)
    shares = [
        f"{kind} {share}"
        for kind, gain in zip(("published", "predicted"), _gains(large))
        if (share := _share(gain, ratios))
    ]
    parts = [
        f"multiprocessors × clock {digits(ratios[0])}, bandwidth {digits(ratios[1])}" if ratios else "",
        f"signed error {signed_percent(e.bias)} of {e.points} large cells" if e else "",
        f"follows bandwidth: {', '.join(shares)}" if shares else "",
        f"bound by {bound}" if (bound := binding(one.predicted for one in large if one.predicted)) else "",
    ]
    return f"{name}: {'; '.join(filter(None, parts))}."


def _here(found: list[PublishedCell]) -> str:
    return next((one.here.device for one in found if one.here and one.here.device), "")


def _share(gain: Optional[float], ratios: Optional[tuple[float, float]]) -> str:
    """LEI-M4's share of the time on the measured GPU; empty if the two ratios are too close."""
    if gain is None or ratios is None or abs(ratios[1] / ratios[0] - 1) <= ALIKE:
        return ""
    return percent(memory_share(gain, *ratios))


def _caption(found: list[PublishedCell], here: str, told: list[str]) -> Caption:
    large = errors_of_cells(one for one in found if one.n >= LARGE)
    text = Caption(
        f"How many times as fast CUB's sorts are on other GPUs as on {here}: hollow as others published, dashed as we "
        "predict; and how far our predictions are from the published times. "
        "Models of kind scaled scale each resource of the measured GPU by the datasheets (models/machines/README.md), "
        "and know no time of these machines.",
        f"Speeds are geometric means over the cells from {count_text(LARGE)} elements on that were measured on {here} "
        "too. Follows bandwidth: the share of its time that explains the gain between the two ratios (LEI-M4). It lies "
        "above 100 % or below 0 if the gain is outside of them. The CSV has each cell and names its source. Each "
        f"machine over {here}: {' '.join(told)} ",
    )
    own = [
        one.here_predicted.seconds / one.here.seconds.value - 1
        for one in found
        if one.here and one.here.seconds and one.here_predicted and one.n >= LARGE
    ]
    if own:
        error = percent(summarise(own).mean_absolute)
        text += f"The mean absolute error at the same cells of the {here} itself is {error}. "
    if large:
        text += f"Over all {large.points} large cells elsewhere it is {percent(large.mean_absolute)}."
    return text + _measured_on(found)


def _measured_on(found: Sequence[PublishedCell]) -> Caption:
    """The end of a caption: the machines of the measured and of the published times."""
    gpus = dict.fromkeys(one.here.device for one in found if one.here and one.here.device)
    there = f"published of {', '.join(map(_short, platforms(list(found))))}"
    measured = f"Measured on {' and '.join(gpus)}; " if gpus else ""
    return Caption(machines=f"{measured}{there if gpus else there.capitalize()}.")


def _row(one: PublishedCell) -> list[object]:
    p = one.published
    predicted = one.predicted
    assert predicted is not None
    return [
        *_named(one),
        one.seconds,
        predicted.seconds,
        one.error,
        one.here.seconds.value if one.here and one.here.seconds else None,
        one.here_predicted.seconds if one.here_predicted else None,
        one.gain,
        one.predicted_gain,
        binding([predicted]),
        p.note,
        *_trace(one),
    ]


def _trace(one: PublishedCell) -> tuple[str, str]:
    return cells_and_runs([source for source in (one.here, one.predicted) if source])


def _named(one: PublishedCell) -> list[object]:
    p = one.published
    return [p.platform, p.algorithm, p.type, one.n, p.distribution, p.id]


# Each cell


def _cells(records: Records, found: list[PublishedCell]) -> Artifact:
    here = _here(found) or "the measured GPU"
    shown = _largest(found)
    by_platform = [[one for one in shown if one.published.platform == name] for name in platforms(shown)]
    others = [one for of in by_platform if len(of) < _OWN_PANEL for one in of]
    groups = [(_short(of[0].published.platform), of) for of in by_platform if len(of) >= _OWN_PANEL]
    groups += [("Other GPUs", others)] if others else []
    names: dict[str, None] = {}
    panels = []
    for title, of in groups:
        speed = Series("published", "published", "published")
        for one in of:
            if one.gain and one.predicted_gain and one.predicted:
                name = _cell_name(one, with_machine=of is others)
                names[name] = None
                speed.add(name, float(digits(one.gain)))
                speed.predict(name, one.predicted_gain, one.predicted)
        panels.append(BarPanel(title, [speed]))
    picture = Bars(panels, list(names), f"times as fast as on {here}")
    title = "CUB's sorts elsewhere, cell by cell"
    caption = Caption(
        f"How many times as fast CUB's sorts are on another GPU as on {here}, for each published cell: hollow as "
        f"published, dashed as predicted. Each bar is of the largest n of a source, from {count_text(LARGE)} on"
        f"{_ands_text(names)}.",
        "Names of bars have the type and the source: CCCL is CUB's own repository, the others measured CUB beside "
        "their own sorts. The CSV has n, times and errors, that of ELSEWHERE all n. "
        "Signed and floating keys count as unsigned keys of their width. ",
    )
    apart = disagreement(found)
    if apart:
        p = apart[1].published
        caption += (
            f"Two sources of the same cell differ by up to {percent(apart[0])} "
            f"({p.platform}, {p.type}, n = {count_text(apart[1].n)}, {p.distribution})."
        )
    caption += _measured_on(found)
    header = (
        *("machine", "sort", "type", "n", "distribution", "source"),
        "published_s",
        "predicted_s",
        "error",
        *TRACE,
    )
    rows_csv = [
        [*_named(one), one.seconds, one.predicted.seconds, one.error, *_trace(one)] for one in shown if one.predicted
    ]
    return Artifact("ELSEWHERE-CELLS", title, "", caption, header, rows_csv, picture)


def _ands_text(names: Iterable[str]) -> str:
    """Explains the distributions that bars name: "; ands=2: each key is the AND of 3 random words"."""
    levels = sorted({int(found[1]) for name in names if (found := re.search(r" ands=(\d+)", name))})
    told = [f"ands={level}: {'each key is the AND ' if not i else ''}of {level + 1}" for i, level in enumerate(levels)]
    return f"; {', '.join(told)} random words" if told else ""


def _cell_name(one: PublishedCell, with_machine: bool) -> str:
    """Type, distribution unless uniform, sort unless radix, and source, after the machine where the title has none."""
    p = one.published
    machine = f"{_short(p.platform)} " if with_machine else ""
    spread = "" if p.distribution == "uniform" else f" {p.distribution.rpartition(':')[2]}"
    kind = " merge" if "merge" in p.algorithm else ""
    source = p.id.partition("-")[2]
    return f"{machine}{p.type.removesuffix(' pairs')}{spread}{kind}, {_SOURCES.get(source, source)}"


_SOURCES = {  # the sources of published cells in words, by the end of their ids
    "RMG": "RMG Sort",
    "ONESWEEP": "Onesweep paper",
    "ISSUE9768": "CCCL issue",
    "PR3114": "CCCL launch",
    "PR3611": "CCCL, 2025",
    "PR9816": "CCCL, 2026",
    "LIBCUSORT": "libcusort",
    "VRDX": "Vulkan sort",
}


def _largest(found: list[PublishedCell]) -> list[PublishedCell]:
    """The cell of the largest n for each source, type and distribution."""
    best: dict[tuple[str, ...], PublishedCell] = {}
    for one in found:
        p = one.published
        key = (p.platform, p.id, p.algorithm, p.type, p.distribution)
        if one.n >= LARGE and (key not in best or one.n > best[key].n):
            best[key] = one
    return list(best.values())


def _short(platform: str) -> str:
    return platform.removeprefix("NVIDIA ").removeprefix("GeForce ")


# Rates of each machine if one resource alone counted


def _rates(records: Records, found: list[PublishedCell]) -> Artifact:
    panels = []
    names: list[str] = []
    for title, width in (("keys of 32 bits", "32"), ("keys of 64 bits", "64")):
        published = Series("published", "series-1", "published")
        work = Series("the measured GPU's rate × SMs and clock", "series-7")
        bandwidth = Series("the measured GPU's rate × bandwidth", "series-2")
        for platform in platforms(found):
            of = [
                one
                for one in found
                if one.published.platform == platform
                and one.n >= LARGE
                and one.published.type[1:] == width
                and "radix" in one.published.algorithm
            ]
            ratios = work_and_bandwidth(of)
            if not of or not ratios:
                continue
            best = max(of, key=lambda one: (one.n, one.published.distribution == "uniform", one.n / one.seconds))
            assert best.predicted is not None
            name = _short(platform)
            names.append(name)
            published.add(name, float(digits(best.n / best.seconds / 1e9)))
            published.predict(name, best.n / best.predicted.seconds / 1e9, best.predicted)
            measured = best.here.seconds.value if best.here and best.here.seconds else None
            of_rate = best.here if measured else best.here_predicted
            seconds = measured or (best.here_predicted.seconds if best.here_predicted else None)
            if seconds and of_rate:
                for series, ratio in ((work, ratios[0]), (bandwidth, ratios[1])):
                    series.add(name, best.n / seconds / 1e9 * ratio, of_rate)
        panels.append(BarPanel(title, [published, work, bandwidth]))
    bars = Bars(panels, list(dict.fromkeys(names)), "10⁹ keys a second")
    caption = Caption(
        "Rates of CUB's radix sort at the largest n published for each machine: hollow as published, dashed as "
        "predicted from the datasheet. Filled: the measured (else predicted) rate of the GPU here, times the ratio of "
        "multiprocessors and clock, or of bandwidth, alone.",
        "A sort bound by multiprocessors follows the first and a memory-bound sort the second; the lesser is a "
        "limit if nothing else changes.",
    )
    caption += _measured_on(found)
    return from_picture(bars, "ELSEWHERE-RATES", "Which ratio a sort follows from GPU to GPU", "", caption)


ARTIFACTS = {"ELSEWHERE*": make}
