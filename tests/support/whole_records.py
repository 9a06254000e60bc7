"""Records that the schema accepts: the examples in tests/data with some members changed."""

import copy
import json
import statistics
from pathlib import Path

from plots.records.cell_id import cell_id

EXAMPLES = Path(__file__).resolve().parents[1] / "data" / "example_records.jsonl"
OF_TIMES = (
    *("samples_s", "median_s", "ci95_s", "mean_s", "min_s", "keys_per_s", "bytes_per_s", "cpe_wall", "cpe_core"),
    *("phases_from", "phase_time", "energy", "energy_reason"),
)


def in_its_cell(record):
    """The record with the cell that follows from its case."""
    return {**record, "cell": cell_id(record["case"])}


def whole_record(kind, **members):
    """The first example of a kind, with these members in place of its own, in the cell of its case."""
    examples = map(json.loads, EXAMPLES.read_text().splitlines())
    record = {**next(example for example in examples if example["kind"] == kind), **members}
    return in_its_cell(record) if isinstance(members.get("case"), dict) else record


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


def metered_record(record, joules=(0.52, 0.5, 0.51), watts=500.0, idle_watts=100.0, **members):
    """The measurement on a GPU with its energy: `joules` are those of one sort in each window."""
    windows = [
        {
            "sorts": 3000,
            "seconds": 3000 * (j / watts + 1e-4),
            "joules": 3000 * (j + 0.02),
            "restoring_seconds": 0.3,
            "restoring_joules": 60.0,
        }
        for j in joules
    ]
    gross = sum((w["joules"] - w["restoring_joules"]) / w["sorts"] for w in windows) / len(windows)
    seconds = sum((w["seconds"] - w["restoring_seconds"]) / w["sorts"] for w in windows) / len(windows)
    net = gross - idle_watts * seconds
    energy = {
        "joules_per_sort": gross,
        "joules_per_sort_ci95": [gross - 0.02, gross + 0.02],
        "net_joules_per_sort": net,
        "net_joules_per_sort_ci95": [net - 0.02, net + 0.02],
        "joules_per_sort_by_domain": {"device": gross},
        "seconds_per_sort": seconds,
        "mean_power_w": gross / seconds,
        "idle_before_w": idle_watts,
        "idle_after_w": idle_watts,
        "counter_step_s": 0.1,
        "counter_steps": 51,
        "integrated_over_counter": 1.01,
        "device": {
            "sm_clock_hz": 1.98e9,
            "memory_clock_hz": 2.619e9,
            "temperature_begin_c": 40.0,
            "temperature_end_c": 45.0,
            "power_limit_w": 700.0,
            "throttled_shares": {"power cap": 0.25},
        },
        "windows": windows,
    }
    return {**record, "energy": {**energy, **members}, "energy_reason": None}


def lost_record(record, status, reason):
    """The measurement without times."""
    kept = {name: value for name, value in record.items() if name not in (*OF_TIMES, "phases", "processes")}
    return {**kept, "status": status, "reason": reason}


def component_record(record):
    """The measurement as one of a component."""
    record = copy.deepcopy(record)
    record["case"]["component"] = "histogram"
    return {
        **in_its_cell(record),
        "kind": "component",
        "component": "histogram",
        "postcondition": "counted",
        "iterations": 1,
    }
