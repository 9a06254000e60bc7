"""The sort's own figure: its time per key over n, measured and predicted by its model. See plots/README.md."""

import math

from plots.analysis import provenance
from plots.figures.artifact import Artifact, from_picture
from plots.figures.chart import Chart, Line, Panel
from plots.records.caption import Caption
from plots.records.collection import Records

SORT = "_template"


def make(records: Records) -> Artifact:
    panels = []
    for key in ("u32", "u64"):
        measured, predicted = Line("measured", "series-1"), Line("predicted", "series-1", "predicted")
        for m in sorted(records.ok(algorithm=SORT, key_type=key), key=lambda m: m.case.n):
            ns = m.seconds_per_key.scaled(1e9)
            measured.add(math.log2(m.case.n), ns, m)
        for p in sorted(records.predicted(algorithm=SORT, key_type=key), key=lambda p: p.case.n):
            predicted.add(math.log2(p.case.n), 1e9 * p.seconds / p.case.n, p)
        panels.append(Panel(key, [line for line in (measured, predicted) if line.x]))
    caption = Caption("Time per key over n. Solid, with intervals: measured; dashed: predicted.")
    caption += provenance.caption(records, records.ok(algorithm=SORT), [])
    return from_picture(Chart(panels, "ns per key"), f"{SORT}-F1", "Time per key of the example", "", caption)


ARTIFACTS = {f"{SORT}-F1": make}
