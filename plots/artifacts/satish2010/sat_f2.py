"""SAT-F2: radix and merge sorts by key width, relative to the radix sort of 32-bit keys on the same machine."""

from __future__ import annotations

from dataclasses import dataclass
from ...analysis import provenance
from ...analysis.fastest import processor_word
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture, looks_text
from ...figures.bars import BarPanel, Bars, Series
from ...records.measurement import Measurement, fastest_by_n
from ...records.prediction import Prediction
from ...records.quantities import count_text, span_text
from ...records.collection import Records
from . import PAPER
from .columns import ESTIMATOR, GPU_MERGE, GPU_RADIX, MERGE, RADIX, in_form, most_threads

_INPUTS = {  # category: key and value type here, `type` of the published records
    "32-bit keys": ("u32", "none", "32-bit"),
    "64-bit keys": ("u64", "none", "64-bit"),
    "128-bit keys": ("u128", "none", "128-bit"),
    "32-bit keys + rid": ("u32", "u32", "32+32"),
}
_BASE = "32-bit keys"
_MODEL = "SAT-M7"  # the paper's own model of key widths
_HOLLOW, _DASHED = "hollow bars: published", "dashed marks: predicted"


@dataclass(frozen=True)
class _Sort:
    """A sort here, and the radix sort of 32-bit keys to which its times are relative."""

    label: str
    role: str
    relative_to: str  # role of that radix sort
    paper: bool  # True for the paper's form, False for the tuned one
    colour: str


_PANELS = (  # for each processor, the paper's name and its sorts here
    (
        "CPU",
        "Core i7",
        (
            _Sort("radix, paper’s form", RADIX, RADIX, True, "series-1"),
            _Sort("radix, tuned", RADIX, RADIX, False, "series-5"),
            _Sort("merge, paper’s form", MERGE, RADIX, True, "series-4"),
            _Sort("merge, tuned", MERGE, RADIX, False, "series-2"),
        ),
    ),
    (
        "GPU",
        "GTX 280",
        (
            _Sort("radix, paper’s form", GPU_RADIX, GPU_RADIX, True, "series-3"),
            _Sort("radix, tuned", GPU_RADIX, GPU_RADIX, False, "series-5"),
            _Sort("merge, paper’s form", GPU_MERGE, GPU_RADIX, True, "series-4"),
            _Sort("merge, tuned", GPU_MERGE, GPU_RADIX, False, "series-2"),
        ),
    ),
)


_Y_LABEL = "time, relative to the same form's radix sort of 32-bit keys"


def make(records: Records) -> Artifact:
    panels, absent = [], []
    shown: list[Measurement] = []
    for processor, platform, sorts in _PANELS:
        published = _published(records, platform)
        series = [published] if published.values else []
        here: list[Measurement] = []
        for sort in sorts:
            made, measured = _measured(records, sort)
            here += measured
            series += [made] if made.values else []
            missing = [name for name in _INPUTS if name not in made.values]
            if missing:
                which = "" if len(missing) == len(_INPUTS) else f" ({', '.join(missing)})"
                absent.append(f"{processor} {sort.label}{which}")
        shown += here
        devices = dict.fromkeys(
            processor_word(records, m) + (f" {m.case.threads}T" if m.case.on_host else "") for m in here
        )
        # The number of threads and n are in the picture too, which may stand without its caption.
        on = [f"n = {span_text(m.case.n for m in here)}"] if here else []
        panels.append(BarPanel(f"{processor}: {', '.join([platform, *devices, *on])}", series))
    bars = Bars(panels, list(_INPUTS), _Y_LABEL, log=True)
    predictions = [p for p in map(records.find_prediction, shown) if p]
    is_by_papers_model = any(s.voice == "published" and s.predicted for panel in panels for s in panel.series)
    by_papers_model = f", on the paper’s bars by its own model {_MODEL}" if is_by_papers_model else ""
    sizes = sorted({m.case.n for m in shown})
    caption = Caption(
        "Times by key width over the same machine’s radix sort of 32-bit keys in the same form: bars start at 1. "
        + looks_text(bars, _HOLLOW, "filled, with 95 % intervals: measured", _DASHED + by_papers_model),
        "The text gives no values for the merge sorts; on the CPU the sort of "
        "Chhugani et al. stands for them, in SSE registers and tuned in the widest here, in scalar code for 128-bit "
        "keys. ",
    )
    if absent:
        caption += f"No record here of: {'; '.join(absent)}. "
    if sizes:
        caption += f"Each sort has the largest n with most widths, {', '.join(map(count_text, sizes))}. "
    caption += provenance.caption(records, shown, predictions, ESTIMATOR)
    title = "Time by key width, and with record ids"
    return from_picture(bars, "SAT-F2", title, PAPER, caption)


def _published(records: Records, platform: str) -> Series:
    """The radix sort's bars, the base of 1 among them, with the paper's model for the paper's machine."""
    series = Series(f"{platform} radix, published", "published", "published")
    printed = {p.type: p.value for p in records.published if p.id in ("SAT-C26", "SAT-C29") and p.platform == platform}
    if printed:
        series.add(_BASE, 1.0)
    for category, (_, _, type_) in _INPUTS.items():
        if type_ in printed:
            series.add(category, printed[type_])
    for category, (ratio, sources) in _papers_model(records, "Core i7" in platform).items():
        series.predict(category, ratio, *sources)
    return series


def _papers_model(records: Records, host: bool) -> dict[str, tuple[float, list[Prediction]]]:
    """Ratios by the paper's model on the paper's machine; they are the same for every n."""
    found: dict[tuple[str, str], dict[tuple[int, int], Prediction]] = {}
    for p in records.predictions:
        c = p.case
        if p.profile_origin == "paper" and p.model.startswith(_MODEL) and c.on_host == host and c.n:
            found.setdefault((c.key_type, c.value_type), {})[c.n, c.threads] = p
    bases = found.get(_INPUTS[_BASE][:2], {})
    ratios = {}
    for category, (key, value, _) in _INPUTS.items():
        both = sorted(bases.keys() & found.get((key, value), {}).keys())
        if both:
            pair = [found[key, value][both[-1]], bases[both[-1]]]
            ratios[category] = pair[0].seconds / pair[1].seconds, pair
    return ratios


def _measured(records: Records, sort: _Sort) -> tuple[Series, list[Measurement]]:
    """The series of a sort, and its measurements, at the largest n with most widths and most intervals."""
    series = Series(sort.label, sort.colour)
    bases = _select_form(records, sort.relative_to, _BASE, sort.paper)
    found_of = {category: _select_form(records, sort.role, category, sort.paper) for category in _INPUTS}
    # Both sorts need the same number of threads, otherwise the ratio would compare these.
    both = {m.case.threads for m in bases} & {m.case.threads for found in found_of.values() for m in found}
    threads = most_threads([m for m in bases if m.case.threads in both])
    base = _on_threads(bases, threads)
    by_category = {category: _on_threads(found, threads) for category, found in found_of.items()}
    at = {n: [found[n] for found in by_category.values() if n in found] for n in base}
    n = max(at, key=lambda n: (sum(m.has_interval for m in at[n]), len(at[n]), n), default=None)
    if n is None or not at[n]:
        return series, []
    measured = [base[n]]
    base_prediction = records.find_prediction(base[n])
    for category, found in by_category.items():
        m = found.get(n)
        if m is None:
            continue
        measured += [m] if m is not base[n] else []
        series.add(category, 1.0 if m is base[n] else m.over(base[n]), m, base[n])
        own = records.find_prediction(m)
        if own and base_prediction and m is not base[n]:
            series.predict(category, own.seconds / base_prediction.seconds, own, base_prediction)
    return series, measured


def _select_form(records: Records, role: str, category: str, paper: bool) -> list[Measurement]:
    """The measurements in the paper's form, or those in any other form."""
    key, value, _ = _INPUTS[category]
    standing = records.standing_for(role)
    found = records.ok(algorithm=lambda name: name in standing, key_type=key, value_type=value, distribution="uniform")
    of_paper = in_form(records, role, found)
    return of_paper if paper else [m for m in found if m not in of_paper]


def _on_threads(found: list[Measurement], threads: int) -> dict[int, Measurement]:
    """The fastest measurement of each n on this number of threads."""
    return fastest_by_n(m for m in found if m.case.threads == threads)


PLACE = 3
ARTIFACTS = {"SAT-F2": make}
