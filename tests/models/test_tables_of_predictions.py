"""The tables that predictions list: a model of kind hardware reads no table of kind component, under whatever name."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "results" / "reference"

# Tables of pieces of sorts, by the begin of their names. `scatter` is a piece of a radix sort on a host, and a stream
# of runs on a device.
PIECES = ("aa.", "append", "alone.", "bbsort.", "hybrid.", "hybrid_sort.", "merge.", "msd.", "overlap.read", "paradis.")
PIECES += ("quicksort.", "sample_sort.", "search.", "split.", "tile.")
BOTH = {"scatter", "count"}

# These predictions were kept before `predict` refused them: the loop of a merge was not analysed yet.
BEFORE = {("msd_radix_cpu-loops", "msd.merge"): 3}


def predictions(paths):
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                if '"kind":"prediction"' in line[:100]:
                    yield json.loads(line)


def wrong_reads(made):
    """Number of predictions by model and table: of kind hardware, with a table of kind component."""
    found = defaultdict(int)
    for p in made:
        if p.get("model_kind") == "hardware":  # the oldest records have no kind
            for table in p.get("tables", ()):
                if table["kind"] != "hardware" or table["name"].startswith(PIECES):
                    found[p["model"], table["name"]] += 1
    return dict(found)


@pytest.fixture(scope="module")
def kept():
    return list(predictions(sorted(KEPT.glob("**/*.jsonl"))))


def test_kept_predictions_of_hardware_models_read_no_piece_of_a_sort(kept):
    assert sum(p.get("model_kind") == "hardware" for p in kept) > 1000
    assert wrong_reads(kept) == BEFORE


def test_a_table_is_of_one_kind_in_all_kept_predictions(kept):
    kinds = defaultdict(set)
    for p in kept:
        for table in p.get("tables", ()):
            if table["name"] not in BOTH:
                kinds[table["name"]].add(table["kind"])
                assert table["kind"] == "component" or not table["name"].startswith(PIECES), table["name"]
    assert len(kinds) > 100 and all(len(found) == 1 for found in kinds.values())


def test_a_table_under_another_name_or_kind_is_found():
    read = {"model_kind": "hardware", "model": "m", "tables": [{"name": "copy", "kind": "hardware"}]}
    assert wrong_reads([read]) == {}
    for name, kind in (("copy", "component"), ("msd.merge", "hardware")):
        assert wrong_reads([{**read, "tables": [{"name": name, "kind": kind}]}]) == {("m", name): 1}
