"""Records that the schema accepts: the examples in tests/data with some members changed."""

import copy
import json
import statistics
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "data" / "example_records.jsonl"
OF_TIMES = (
    *("samples_s", "median_s", "ci95_s", "mean_s", "min_s", "keys_per_s", "bytes_per_s", "cpe_wall", "cpe_core"),
    *("phases_from", "phase_time"),
)


def whole_record(kind, **members):
    """The first example of a kind, with these members in place of its own."""
    examples = map(json.loads, EXAMPLES.read_text().splitlines())
    return {**next(example for example in examples if example["kind"] == kind), **members}


def timed_record(record, samples):
    """The measurement of keys of 32 bits on one thread with these samples, and with what follows from them, its case
    and its clock. Its interval is their range."""
    median, n = statistics.median(samples), record["case"]["n"]
    cycles = record["clock_hz"] * median / n
    times = {"samples_s": samples, "median_s": median, "ci95_s": [min(samples), max(samples)]}
    times |= {"mean_s": sum(samples) / len(samples), "min_s": min(samples)}
    times |= {"keys_per_s": n / median, "bytes_per_s": 8 * n / median, "cpe_wall": cycles, "cpe_core": cycles}
    return {**record, **times, "verification": {**record["verification"], "samples": len(samples)}}


def measured_in(seconds, **members):
    """A measurement of samples that all took as long."""
    return {**timed_record(whole_record("measurement", **members), [seconds] * 5), **members}


def lost_record(record, status, reason):
    """The measurement without times."""
    kept = {name: value for name, value in record.items() if name not in (*OF_TIMES, "phases", "processes")}
    return {**kept, "status": status, "reason": reason}


def component_record(record):
    """The measurement as one of a component."""
    record = copy.deepcopy(record)
    record["case"]["component"] = "histogram"
    return {**record, "kind": "component", "component": "histogram", "postcondition": "counted", "iterations": 1}
