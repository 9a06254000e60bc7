"""SAT-S4: records of section 4, sorted by their strings and then rearranged: rate, and share of the rearranging."""

from __future__ import annotations

import math

from ...analysis import provenance
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...figures.chart import Chart, Line, Panel
from ...records.measurement import Measurement, fastest_by, phase_seconds
from ...records.quantities import threads_text
from ...records.collection import Records
from ...figures.style import series
from . import PAPER

# Keys of one length, so that records differ in their payloads alone.
_INPUT = "random_strings:min_length=8,max_length=8"


def make(records: Records) -> Artifact:
    found = [m for m in records.ok(key_type="string") if (m.case.distribution + ",").startswith(_INPUT + ",")]
    most = max((m.case.n for m in found), default=0)
    shown = _fastest([m for m in found if m.case.n == most])
    papers = records.standing_for("records_by_prefixes")
    kinds = sorted({kind for kind, _ in shown}, key=lambda kind: (kind[0] not in papers, kind))
    rates, shares = [], []
    for index, (algorithm, threads) in enumerate(kinds):
        label = f"{algorithm}, {threads_text(threads)}"
        rate, share = Line(label, series(index)), Line(label, series(index))
        for (kind, length), m in sorted(shown.items()):
            if kind != (algorithm, threads) or m.seconds is None:
                continue
            rate.add(math.log2(length), m.keys_per_s.scaled(1e-6), m)
            rearranging = phase_seconds(m.phases, "rearrange") or 0
            share.add(math.log2(length), 100 * rearranging / m.seconds.value, m)
        rates.append(rate)
        shares.append(share)
    panels = [
        Panel("Records sorted", rates, "million records per second"),
        Panel("Rearranging them", shares, "% of the time"),
    ]
    label = "million records per second; of the rearranging, % of the time"
    chart = Chart(panels, label, columns=2, x_label="log₂ of a record’s bytes", own_spans=True)
    title = "Records sorted by strings of 8 bytes, by their length with payload"
    caption = Caption(
        "Rates of sorting records by their length, and share of the time that rearranging takes: median of the phase "
        "over median of the sort. Each plug-in has its fastest setting.",
        "The paper reports no times of records.",
    )
    caption += provenance.caption(records, list(shown.values()), [])
    return from_picture(chart, "SAT-S4", title, PAPER, caption)


def _fastest(found: list[Measurement]) -> dict[tuple[tuple[str, int], float], Measurement]:
    """The fastest measurements by plug-in, threads and bytes of a record."""
    return fastest_by(
        (m for m in found if m.case.element_bytes > 0),
        lambda m: ((m.case.algorithm, m.case.threads), m.case.element_bytes),
    )


PLACE = 5
ARTIFACTS = {"SAT-S4": make}
