"""HA-T3: the time of one pass by parts, for 16M pairs."""

from __future__ import annotations

from ...figures.artifact import Artifact
from ...records.collection import Records
from .readings import (
    COPY,
    CUDPP,
    CUDPP_PRESORT,
    CUDPP_RANK,
    CUDPP_SHUFFLE,
    IMPLICIT,
    MS,
    PASSES,
    PRESORT,
    RANK,
    SHUFFLE_AOS,
    Column,
    Part,
    part_readings,
    whole_readings,
    whole_sorts,
)
from .columns import disagreements, table

_N = 1 << 24
_PARTS: tuple[tuple[str, str, str, Part], ...] = (
    (CUDPP, "Pre-sort", "Satish presort", CUDPP_PRESORT),
    (CUDPP, "Rank", "Satish glb rank", CUDPP_RANK),
    (CUDPP, "Shuffle", "Satish glb shuffle", CUDPP_SHUFFLE),
    (IMPLICIT, "Pre-sort", "Impl presort", PRESORT),
    (IMPLICIT, "Rank", "Impl glb rank", RANK),
    (IMPLICIT, "Shuffle", "Impl glb shuffle", SHUFFLE_AOS),
)


def make(records: Records) -> Artifact:
    columns = []
    for group, role, total in ((CUDPP, "ipdps09_radix", "Satish total"), (IMPLICIT, "ha_radix", "Impl total")):
        columns += [
            Column(group, head, published, part_readings(records, part, 1), "series-1")
            for of, head, published, part in _PARTS
            if of == group
        ]
        whole = whole_readings(records, whole_sorts(records, role))
        one_pass = {n: r.share(1 / PASSES) for n, r in whole.items()}
        columns.append(Column(group, "Total", total, one_pass, "series-1"))
    columns.append(Column("Copy", "memcpy", "memcpy DtoD", part_readings(records, COPY, 1), "series-7"))
    return table(
        records,
        "HA-T3",
        "Where one pass over 16M pairs spends its time, milliseconds",
        columns,
        MS,
        "Printed totals are sums of the parts; measured ones an eighth of the whole sort. "
        + disagreements("X13", "X14"),
        sizes=[_N],
    )


ARTIFACTS = {"HA-T3": make}
