"""HA-T4 and its plot HA-F7: rates of whole sorts of pairs."""

from __future__ import annotations

from ...figures.artifact import Artifact
from ...records.collection import Records
from .readings import BEYOND, CUDPP, IMPLICIT, RATE, Column, Ratio, other_forms, whole_readings, whole_sorts
from .columns import disagreements, plot, table


def _columns(records: Records) -> list[Column]:
    forms = {role: whole_sorts(records, role) for role in ("ipdps09_radix", "ha_radix")}
    return [
        Column(CUDPP, "Radix", "Satish", whole_readings(records, forms["ipdps09_radix"]), "series-2"),
        Column(IMPLICIT, "Radix", "Impl radix", whole_readings(records, forms["ha_radix"]), "series-1"),
    ]


def make(records: Records) -> Artifact:
    columns = _columns(records)
    paper = [r.measurement for r in columns[1].readings.values()]
    today = "gpu_radix_of_today"
    for head, role, colour in (
        ("Implicit, tuned", "ha_radix", "series-3"),
        (", ".join(records.standing_for(today)), today, "series-7"),
    ):
        readings = whole_readings(records, other_forms(records, role, paper))
        columns.append(Column(BEYOND, head, "", readings, colour))
    return table(
        records,
        "HA-T4",
        "Rates of sorting pairs, millions of pairs a second",
        columns,
        RATE,
        disagreements("X14", "X15"),
        [Ratio("implicit / CUDPP", 1, 0, "paper’s text: 1.5")],
    )


def make_plot(records: Records) -> Artifact:
    return plot(
        records,
        "HA-F7",
        "HA-T4",
        "Rates of sorting pairs over the number of pairs",
        _columns(records),
        RATE,
        "million pairs per second",
        disagreements("X14", "X15"),
    )


ARTIFACTS = {"HA-T4": make, "HA-F7": make_plot}
