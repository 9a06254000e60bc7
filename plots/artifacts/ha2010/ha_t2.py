"""HA-T2 and its plot HA-F6: the global shuffle of one pass, as structures, as arrays, CUDPP's, and a copy."""

from __future__ import annotations

from ...figures.artifact import Artifact
from ...records.collection import Records
from .readings import COPY, CUDPP_SHUFFLE, IMPLICIT, MS, SHUFFLE_AOS, SHUFFLE_SOA, Column, Ratio, part_readings
from .columns import disagreements, plot, table


def _columns(records: Records) -> list[Column]:
    return [
        Column(IMPLICIT, "AoS", "shuffle AOS", part_readings(records, SHUFFLE_AOS, 1), "series-1"),
        Column(IMPLICIT, "SoA", "shuffle SOA", part_readings(records, SHUFFLE_SOA, 1), "series-3"),
        Column("Satish et al.", "CUDPP", "shuffle CUDPP", part_readings(records, CUDPP_SHUFFLE, 1), "series-2"),
        Column("Copy", "memcpy DtoD", "memcpy DtoD", part_readings(records, COPY, 1), "series-7"),
    ]


def make(records: Records) -> Artifact:
    return table(
        records,
        "HA-T2",
        "The global shuffle of one pass, milliseconds",
        _columns(records),
        MS,
        "Arrays come pre-sorted by a 4-bit digit in tiles of 1024. " + disagreements("X14", "X15", "X17"),
        [
            Ratio("SoA / AoS", 1, 0, "paper’s text: 1.25"),
            Ratio("CUDPP / SoA", 2, 1, "paper’s text: 1.15"),
            Ratio("CUDPP / AoS", 2, 0, "paper’s text: 1.4"),
            Ratio("AoS / memcpy", 0, 3, "paper’s text: 1.4"),
        ],
    )


def make_plot(records: Records) -> Artifact:
    return plot(
        records,
        "HA-F6",
        "HA-T2",
        "The global shuffle of one pass over the number of pairs",
        _columns(records),
        MS,
        "milliseconds, one pass",
        disagreements("X15", "X17"),
    )


ARTIFACTS = {"HA-T2": make, "HA-F6": make_plot}
