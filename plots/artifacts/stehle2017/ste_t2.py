"""STE-T2: the worked example of Table 2, row by row as printed and as computed."""

from __future__ import annotations

from typing import Optional, Sequence

from ...records.caption import Caption
from ...figures.artifact import Artifact
from ...figures.grid import Grid, GridCell, GridColumn
from ...records.collection import Records
from . import PAPER
from .worked_example import KEYS, Bucket, example

# Table 2, a word for each column; "-" is an empty one. A bucket's name or "local", which spans several columns, stands
# in the first of them.
_PRINTED = {
    "keys": "31 12 01 23 12 22 12 00 11 10 10 31 03 13 12 03",
    "histogram": "4 8 2 2 - - - - - - - - - - - -",
    "prefix sum": "0 4 12 14 - - - - - - - - - - - -",
    "buckets": "b0 - - - b1 - - - - - - - b2 - b3 -",
    "scattered": "01 00 03 03 12 12 12 11 10 10 13 12 23 22 31 31",
    "histograms": "1 1 0 2 2 1 4 1 - - - - local - local -",
    "prefix sums": "0 1 2 2 0 2 3 7 - - - - local - local -",
    "sub-buckets": "b0 b1 b3 - b0 - b1 b2 - - - b3 local - local -",
    "sorted": "00 01 03 03 10 10 11 12 12 12 12 13 22 23 31 31",
}
_HEADER = ["row", "place", "printed", "computed"]


def computed() -> dict[str, list[str]]:
    """The rows of the table, computed."""
    of = example()
    wide = len(KEYS)
    return {
        "keys": list(of.keys),
        "histogram": _filled(of.histogram, wide),
        "prefix sum": _filled(of.prefix, wide),
        "buckets": _spans([(f"b{bucket.digit}", len(bucket.keys)) for bucket in of.buckets]),
        "scattered": list(of.scattered),
        "histograms": _bucket_row(of.buckets, [bucket.histogram for bucket in of.buckets]),
        "prefix sums": _bucket_row(of.buckets, [bucket.prefix for bucket in of.buckets]),
        "sub-buckets": _spans([span for bucket in of.buckets for span in _sub_buckets(bucket)]),
        "sorted": list(of.sorted),
    }


def _filled(values: Sequence[int], wide: int) -> list[str]:
    return [*map(str, values), *[""] * (wide - len(values))]


def _bucket_row(buckets: Sequence[Bucket], values: Sequence[Optional[tuple[int, ...]]]) -> list[str]:
    """Each bucket's values from its first column on; "local" for a bucket without values."""
    return [
        word
        for bucket, of in zip(buckets, values)
        for word in (_spans([("local", len(bucket.keys))]) if of is None else _filled(of, len(bucket.keys)))
    ]


def _sub_buckets(bucket: Bucket) -> list[tuple[str, int]]:
    """Names and sizes of the sub-buckets that are not empty."""
    if bucket.histogram is None:
        return [("local", len(bucket.keys))]
    return [(f"b{digit}", count) for digit, count in enumerate(bucket.histogram) if count]


def _spans(names: Sequence[tuple[str, int]]) -> list[str]:
    return [word for name, wide in names for word in (name, *[""] * (wide - 1))]


def printed() -> dict[str, list[str]]:
    return {row: ["" if word == "-" else word for word in words.split()] for row, words in _PRINTED.items()}


def make(records: Records) -> Artifact:
    of_paper, here = printed(), computed()
    columns = [GridColumn("Place", str(place), measured=True) for place in range(len(KEYS))]
    grid_rows, rows = [], []
    for index, row in enumerate(of_paper):
        pairs = list(zip(of_paper[row], here[row]))
        grid_rows.append((row, float(index), [GridCell(published=a, measured=b) for a, b in pairs]))
        rows += [[row, place, a or None, b or None] for place, (a, b) in enumerate(pairs)]
    grid = Grid("row", columns, grid_rows, "mean", here="computed")
    differ = sum(a != b for row in of_paper for a, b in zip(of_paper[row], here[row]))
    caption = Caption(
        "The paper’s worked example: 16 keys of two digits of radix 4; buckets of at most three keys are sorted "
        "locally. Computed, not measured: "
        f"{'every value is as printed' if not differ else f'{differ} values are not as printed'}.",
        "The paper’s pass may leave any order inside a bucket; the computed order is that of the input, as printed.",
    )
    title = "The worked example of the hybrid radix sort"
    return Artifact(
        id="STE-T2",
        title=title,
        paper=PAPER,
        caption=caption,
        header=_HEADER,
        rows=rows,
        picture=grid,
    )


PLACE = 1
ARTIFACTS = {"STE-T2": make}
