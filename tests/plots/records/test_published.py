"""The papers' numbers in results/published/: all there, each complete, each told apart from every other."""

import collections
import json
import math
import re
import struct
from pathlib import Path

import pytest

PUBLISHED = Path(__file__).resolve().parents[3] / "results" / "published"
FILES = sorted(PUBLISHED.glob("*.jsonl"))
RECORDS = [json.loads(line) for file in FILES for line in file.read_text().splitlines()]

FIELDS = [
    *("schema", "kind", "paper", "id", "algorithm", "versus", "platform", "n", "n_printed", "type", "distribution"),
    *("metric", "statistic", "printed", "value", "unit", "note", "inconsistency"),
]
IDENTITY = ("id", "algorithm", "versus", "platform", "n_printed", "type", "distribution", "metric", "statistic")
# Printed unit -> factor to the converted unit, and the converted unit.
CONVERSIONS = {
    "ms": (1e-3, "s"),
    "us": (1e-3, "s"),  # HA-T1 heads milliseconds with "us" (X13)
    "µs": (1e-6, "s"),
    None: (1e-3, "s"),  # HA-T2 prints no unit (X17)
    "Mkeys/s": (1e6, "1/s"),
    "Mpairs/s": (1e6, "1/s"),
    "GKey/s": (1e9, "1/s"),
    "GItems/s": (1e9, "1/s"),
    "GB/s": (1e9, "B/s"),
    "GHz": (1e9, "Hz"),
    "%": (1e-2, "1"),
    "thr": (1, "threads"),
    "binary32": (1, "1"),  # HA-F4 prints bits; the value is the number that they stand for
}


def test_one_paper_a_file():
    """Each file holds one paper; the tests of claims check the papers and their numbers."""
    papers = [{json.loads(line)["paper"] for line in file.read_text().splitlines()} for file in FILES]
    assert all(len(paper) == 1 for paper in papers)
    assert len(set.union(*papers)) == len(FILES)


def test_tables_are_complete():
    """A table that a paper prints by n has a value of each column at each n."""
    tables = collections.defaultdict(set)
    for r in RECORDS:
        if re.fullmatch(r"[A-Z]+-T\d+", r["id"]) and r["n"]:
            tables[r["id"]].add((r["algorithm"], r["n"]))
    assert tables
    for name, cells in tables.items():
        columns, sizes = {column for column, _ in cells}, {n for _, n in cells}
        assert len(cells) == len(columns) * len(sizes), name


def test_records_are_unique():
    counts = collections.Counter(tuple(r[field] for field in IDENTITY) for r in RECORDS)
    assert [identity for identity, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: f"{r['id']} {r['algorithm']} {r['n_printed']} {r['metric']}")
def test_record_is_complete(record):
    assert list(record) == FIELDS
    assert (record["schema"], record["kind"]) == (1, "published")
    assert record["id"].startswith(record["paper"] + "-")
    assert all(record[field] for field in ("algorithm", "metric", "unit"))
    assert set(record["printed"]) == {"text", "value", "unit"}
    if record["printed"]["unit"] == "binary32":
        bits = "".join(record["printed"]["text"].split())[:32]  # X26: more digits are printed than there are
        value = struct.unpack(">f", int(bits, 2).to_bytes(4, "big"))[0]
        assert math.isclose(value, record["printed"]["value"], rel_tol=2**-24)
    else:
        assert float(record["printed"]["text"]) == record["printed"]["value"]
    assert all(record[field] != "" for field in FIELDS)


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: f"{r['id']} {r['algorithm']} {r['n_printed']} {r['metric']}")
def test_value_follows_from_what_is_printed(record):
    printed = record["printed"]
    factor, unit = CONVERSIONS.get(printed["unit"], (1, printed["unit"]))
    assert record["unit"] == unit
    assert math.isclose(record["value"], printed["value"] * factor, rel_tol=1e-9)


def one(**fields):
    found = [r for r in RECORDS if all(r[name] == value for name, value in fields.items())]
    assert len(found) == 1
    return found[0]


def test_sizes_are_in_each_papers_own_units():
    # SAT and HA: M = 2^20; only that makes 176 Mkeys/s of 2^26 keys in 381.8 ms.
    row = one(id="SAT-T1", algorithm="merge(own)", n_printed="64M")
    assert row["n"] == 2**26 and round(row["n"] / row["value"] / 1e6) == 176
    assert one(id="HA-T4", algorithm="Satish", n_printed="10M")["n"] == 10 * 2**20
    # STE: 2 GB is 2e9 bytes, keys and values together.
    assert one(id="STE-C6", metric="time")["n"] == 125_000_000
    assert one(id="STE-C20", metric="time")["n"] == 250_000_000
    assert one(id="STE-C22", type="32/32")["n"] == 250_000_000


def test_printed_digits_survive():
    assert one(id="SAT-T1", algorithm="radix-buffer(own)", n_printed="64M")["printed"]["text"] == "271.0"
    assert one(id="HA-T2", algorithm="shuffle AOS", n_printed="4M")["printed"]["text"] == "0.90"


def test_where_a_paper_disagrees_with_itself_the_record_says_so():
    assert {r["inconsistency"] for r in RECORDS if r["id"] == "SAT-T1" and r["algorithm"] == "AA-sort"} == {"X1"}
    assert {r["inconsistency"] for r in RECORDS if r["id"] == "HA-T1"} == {"X13"}
    assert one(id="STE-T3", type="32/32 pairs", metric="KPB")["inconsistency"] == "X9"
    assert one(id="SAT-C20")["inconsistency"] == "X4"


def test_every_inconsistency_named_is_explained():
    explained = json.loads((PUBLISHED / "inconsistencies.json").read_text())
    assert {r["inconsistency"] for r in RECORDS} - {None} <= explained.keys()
