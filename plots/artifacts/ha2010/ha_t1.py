"""HA-T1 and its plot HA-F5: the pre-sort of all eight passes, alone."""

from __future__ import annotations

from ...figures.artifact import Artifact
from ...records.collection import Records
from .readings import CUDPP, CUDPP_PRESORT, IMPLICIT, MS, PASSES, PRESORT, Column, Ratio, alike
from .columns import disagreements, plot, table


def _columns(records: Records) -> list[Column]:
    cudpp, implicit = alike(records, [CUDPP_PRESORT, PRESORT], PASSES)  # their ratio is of one kind of source
    return [
        Column(CUDPP, "Pre-sort", "Satish CUDPP1.1 presort 8 iterations", cudpp, "series-2"),
        Column(IMPLICIT, "Pre-sort", "Impl radix presort 8 iterations", implicit, "series-1"),
    ]


def make(records: Records) -> Artifact:
    return table(
        records,
        "HA-T1",
        "Pre-sorting in eight passes, milliseconds",
        _columns(records),
        MS,
        disagreements("X13", "X14"),
        [Ratio("CUDPP / implicit", 0, 1, "paper’s text: 1.5 to 1.8")],
    )


def make_plot(records: Records) -> Artifact:
    return plot(
        records,
        "HA-F5",
        "HA-T1",
        "Pre-sorting in eight passes over the number of pairs",
        _columns(records),
        MS,
        "milliseconds, eight passes",
        disagreements("X13"),
    )


ARTIFACTS = {"HA-T1": make, "HA-F5": make_plot}
