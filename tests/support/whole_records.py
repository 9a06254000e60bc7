"""Records that the schema accepts: the examples in tests/data with some members changed."""

import copy
import json
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "data" / "example_records.jsonl"
OF_TIMES = (
    *("samples_s", "median_s", "ci95_s", "mean_s", "min_s", "keys_per_s", "bytes_per_s", "cpe_wall", "cpe_core"),
    "phases_from",
)


def whole_record(kind, **members):
    """The first example of a kind, with these members in place of its own."""
    examples = map(json.loads, EXAMPLES.read_text().splitlines())
    return {**next(example for example in examples if example["kind"] == kind), **members}


def measured_in(seconds, **members):
    """A measurement of samples that all took as long."""
    times = {"median_s": seconds, "samples_s": [seconds] * 5, "ci95_s": [seconds] * 2}
    record = whole_record("measurement", **{**times, **members})
    return {**record, "keys_per_s": record["case"]["n"] / seconds, **members}


def lost_record(record, status, reason):
    """The measurement without times."""
    kept = {name: value for name, value in record.items() if name not in (*OF_TIMES, "phases", "processes")}
    return {**kept, "status": status, "reason": reason}


def component_record(record):
    """The measurement as one of a component."""
    record = copy.deepcopy(record)
    record["case"]["component"] = "histogram"
    return {**record, "kind": "component", "component": "histogram", "postcondition": "counted", "iterations": 1}
