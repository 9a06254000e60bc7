"""STE-F11 to STE-F14: what HRS loses without one of its optimisations, over the entropy of the keys (appendix B)."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...artifact import Artifact, of_picture
from ...chart import Chart, Line, Panel
from ...measurement import Measurement
from ...quantities import Interval
from ...records import Records
from . import PAPER
from .entropy import X, by_entropy, is_entropy, size_of
from .sorts import KEYS32, KEYS64, PAIRS32, PAIRS64, Input, devices, source, without

_OFF: tuple[tuple[str, str, dict[str, Any]], ...] = (  # as the paper calls it, its colour, the settings
    ("no look-ahead", "series-1", {"look_ahead": 0}),
    ("no thread red. histo", "series-3", {"thread_reduction": "no"}),
    ("single local sort config", "series-5", {"classes": "one"}),
    ("no bucket merging", "series-4", {"merge_keys": 0}),
    ("no merge + single config", "series-2", {"classes": "one", "merge_keys": 0}),
)


def make(records: Records, id_: str, input_: Input) -> Artifact:
    every = records.ok(
        key_type=input_.key, value_type=input_.value, distribution=is_entropy, residency="device", layout="separate"
    )
    full = without(records, every, {})
    n = size_of(input_, full)
    base = by_entropy(full, n)
    lines, missing = [], []
    shown: list[Measurement] = list(base.values())
    for label, colour, off in _OFF:
        line, predicted = Line(label, colour), Line(f"{label}, predicted", colour, "predicted", labelled=False)
        found = by_entropy(without(records, every, off), n)
        for bits in sorted(base.keys() & found.keys()):
            delta = _delta(base[bits], found[bits])
            line.add(bits, delta.value, delta.low, delta.high)
            shown.append(found[bits])
            said = [records.prediction_of(m) for m in (base[bits], found[bits])]
            if said[0] and said[1]:
                predicted.add(bits, 100 * (said[0].seconds / said[1].seconds - 1))
        lines += [one for one in (line, predicted) if one.x]
        missing += [] if line.x else [label]
    panel = Panel(f"{devices(shown) or 'A GPU'}, measured here", lines)
    chart = Chart([panel], "sorting rate without it, % more or less than with all", columns=1, x_label=X)
    caption = (
        "The figure’s own values are not printed in the text. All optimisations: the paper’s form. Solid with its "
        "interval: measured here; dashed: predicted. "
    )
    if not base:
        caption += "No record here of: HRS, paper’s form, with all optimisations. "
    if missing:
        caption += f"No record here of: {'; '.join(missing)}. "
    if shown:
        caption += source(records, shown, [p for p in map(records.prediction_of, shown) if p])
    title = f"HRS without one of its optimisations: {input_.words}"
    return of_picture(chart, id_, title, PAPER, caption)


def _delta(full: Measurement, off: Measurement) -> Interval:
    """Per cent that the rate changes by."""
    ratio = full.seconds_per_key.over(off.seconds_per_key)
    return Interval(*(100 * (end - 1) for end in (ratio.value, ratio.low, ratio.high)))


PLACE = 9
ARTIFACTS = {
    id_: partial(make, id_=id_, input_=input_)
    for id_, input_ in (("STE-F11", KEYS32), ("STE-F12", KEYS64), ("STE-F13", PAIRS32), ("STE-F14", PAIRS64))
}
