"""Records that keep to the schema and yet contradict themselves, or an earlier record.

The program knows the same rules (harness/record/contradictions.hpp), and a corpus of files is asked of both.
"""

from __future__ import annotations

import json
import statistics
from typing import Any

from .case import KEY_BYTES, VALUE_BYTES
from .cell_id import cell_id

_FREE, _WAITING = 0.9, 0.01  # the program's kFree and kLeastWaiting
_CLOCK, _INTERRUPTS, _IN_HUGE_PAGES = 0.7, 2000, 0.9  # kLeastClock, kMaxPerSecond, kLeastInHugePages
_ROUNDING = 1e-9  # relative difference that two computations of one number may have
_MEASURED = ("measurement", "component")


def own_contradiction(record: dict[str, Any], raw: bytes) -> str:
    """A member of the record that contradicts another, in words; empty if none does. `raw` is the line of the record,
    whose texts are not yet cleaned."""
    kind = record["kind"]
    if "cell" in record and "case" in record and record["cell"] != cell_id(record["case"]):
        cell = cell_id(json.loads(raw)["case"])
        if record["cell"] != cell:
            return f"cell must be {cell}, which follows from the case"
    if kind in _MEASURED:
        return (record["status"] == "ok" and _wrong_times(record)) or _wrong_length(record)
    if kind == "prediction" and "energy" in record:
        phases = record["energy"]["phases"]
        if not _agree(record["energy"]["joules"], sum(p["static_joules"] + p["dynamic_joules"] for p in phases)):
            return "energy.joules must be the sum of the phases' joules"
    if kind == "prediction" and "what_if" in record and record["seconds"] <= 0:
        return "seconds must be above 0 where there is a what_if, which is a ratio of times"
    if kind == "published" and (record["value"] is None or record["unit"] is None):
        return f"{'value' if record['value'] is None else 'unit'} must be given"
    return ""


def _wrong_length(record: dict[str, Any]) -> str:
    """Checks the lists that have a member for each sample."""
    samples = len(record.get("samples_s", ()))
    for name in ("processes", "inputs", "batches"):
        if len(record.get(name, range(samples))) != samples:
            return f"{name} must have a number for each of the {samples} samples, not {len(record[name])}"
    if samples and "interleaved" in record["protocol"] and "inputs" not in record:
        return f"inputs must have a number for each of the {samples} samples where they are interleaved"
    return ""


def _wrong_times(record: dict[str, Any]) -> str:
    """Checks the times of a measurement that is ok against each other and against n."""
    median, samples = record["median_s"], record["samples_s"]
    if not record["ci95_s"][0] <= median <= record["ci95_s"][1]:
        return "ci95_s must be two positive times around median_s"
    if fault := _wrong_derived(record):
        return fault
    if fault := _wrong_mark(record):
        return fault
    if fault := _check_energy(record):
        return fault
    verified = record["verification"]["samples"]
    if verified != len(samples):
        return f"verification.samples must be {len(samples)}, the number of samples_s, not {verified}"
    return ""


def _wrong_mark(record: dict[str, Any]) -> str:
    """Checks that a measurement with a cause of disturbance is called disturbed. Older records lack some causes."""
    if record.get("disturbed", True):
        return ""
    causes = [name for name in ("core_share", "device_share") if record.get(name, 1) < _FREE]
    causes += [name for name in ("waited_share", "throttled_share", "stopped_share") if record.get(name, 0) > _WAITING]
    causes += ["clock_share"] if record.get("clock_share", 1) < _CLOCK else []
    causes += ["interrupts_per_s"] if (record.get("interrupts_per_s") or 0) > _INTERRUPTS else []
    causes += ["huge_page_share"] if record.get("huge_page_share", 1) < _IN_HUGE_PAGES else []
    causes += [name for name in ("pages_read", "traced", "huge_pages_changed") if record.get(name)]
    causes += ["affinity_held"] if record.get("affinity_held") is False else []
    return f"disturbed must be true where {causes[-1]} is {json.dumps(record[causes[-1]])}" if causes else ""


def _wrong_derived(record: dict[str, Any]) -> str:
    """Checks the numbers that follow from samples, case and clock."""
    median, samples, case_ = record["median_s"], record["samples_s"], record["case"]
    n, clock_hz = case_["n"], record["clock_hz"]
    is_text = case_["key_type"] == "string"
    size = case_["bytes"] if is_text else n * (KEY_BYTES[case_["key_type"]] + VALUE_BYTES[case_["value_type"]])
    rules = {
        "median_s": (statistics.median(samples), "the median of samples_s"),
        "mean_s": (sum(samples) / len(samples), "the mean of samples_s"),
        "min_s": (min(samples), "the least of samples_s"),
        "keys_per_s": (n / median, "n over median_s"),
        "bytes_per_s": (2 * size / median, "twice the bytes of keys and values over median_s"),
    }
    if n and clock_hz is not None:
        cores = record["device"]["multiprocessors"] if "device" in record else case_["threads"]
        rules["cpe_wall"] = (clock_hz * median / n, "clock_hz times median_s over n")
        rules["cpe_core"] = (cores * clock_hz * median / n, "processors times clock_hz times median_s over n")
    if "called_s" in record and "called_median_s" in record:
        rules["called_median_s"] = (statistics.median(record["called_s"]), "the median of called_s")
    if "phases_over_whole" in record:
        phases_s = sum(phase["median_s"] for phase in record["phases"])
        rules["phases_over_whole"] = (phases_s / median, "the sum of the phases' median_s over median_s")
    for name, (expected, words) in rules.items():
        if record[name] is None or not _agree(record[name], expected):
            return f"{name} must be {words}"
    for name in ("cpe_wall", "cpe_core"):
        if name not in rules and record[name] is not None:
            return f"{name} must be null where there are no elements or no clock_hz"
    return ""


def _check_energy(record: dict[str, Any]) -> str:
    """Checks that a record has its energy or the reason why there is none."""
    energy, reason = record.get("energy"), record.get("energy_reason")
    if ("energy" in record) != ("energy_reason" in record) or (
        "energy" in record and (energy is None) == (reason is None)
    ):
        return "energy_reason must be a text where energy is null, and null where it is not"
    return "" if energy is None else _wrong_energy(energy)


def _wrong_energy(energy: dict[str, Any]) -> str:
    """Checks the joules that follow from the windows in which they were metered."""
    windows, joules, seconds = energy["windows"], energy["joules_per_sort"], energy["seconds_per_sort"]
    idle_w = (energy["idle_before_w"] + energy["idle_after_w"]) / 2

    def per_sort(unit: str) -> float:
        return float(sum((w[unit] - w[f"restoring_{unit}"]) / w["sorts"] for w in windows) / len(windows))

    def differs(value: float, expected: float) -> bool:  # a difference of two numbers is as exact as these are
        return bool(abs(value - expected) > _ROUNDING * max(joules, idle_w * seconds))

    for unit, value in (("joules", joules), ("seconds", seconds)):
        if not _agree(value, per_sort(unit)):
            return f"energy.{unit}_per_sort must be the mean of the windows' {unit} over their sorts, without restoring"
    if not _agree(energy["mean_power_w"], joules / seconds):
        return "energy.mean_power_w must be joules_per_sort over seconds_per_sort"
    if differs(energy["net_joules_per_sort"], joules - idle_w * seconds):
        return "energy.net_joules_per_sort must be joules_per_sort without the idle power in that time"
    if differs(sum(energy["joules_per_sort_by_domain"].values()), joules):
        return "energy.joules_per_sort_by_domain must add up to joules_per_sort"
    for name in ("joules_per_sort", "net_joules_per_sort"):
        lower, upper = energy[f"{name}_ci95"]
        if not lower <= energy[name] <= upper:
            return f"energy.{name}_ci95 must be two numbers around {name}"
    return ""


def _agree(a: float, b: float) -> bool:
    return abs(a - b) <= _ROUNDING * max(abs(a), abs(b))


def _same(a: Any, b: Any) -> bool:
    """True if two values are equal, and neither is a number where the other is true or false, which Python takes for 1
    and 0."""
    if isinstance(a, bool) != isinstance(b, bool):
        return False
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(value, b[name]) for name, value in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)


class EarlierRecords:
    """Contradictions between records, which are taken in the order of reading: a run is of one machine, is described
    once, and has one record of each key."""

    def __init__(self) -> None:
        self.was_copy = False  # the last record equals an earlier one of its run: files may have been put together
        self._machines: dict[str, tuple[str, str]] = {}  # machine of each run, and its first place
        self._known: dict[tuple[str, str, str], tuple[bytes, str]] = {}  # record and place by kind, run and key

    def contradiction(self, record: dict[str, Any], raw: bytes, where: str) -> str:
        """The contradiction in words; empty if there is none, and the record is known from now on.

        `raw` is the line of the record, `where` is FILE:LINE."""
        self.was_copy = False
        kind, (file, _, _) = record["kind"], where.rpartition(":")
        is_run = kind == "run"
        if not is_run and kind not in _MEASURED and kind != "count":
            return ""

        def shown(place: str) -> str:
            return f"line {place.rpartition(':')[2]}" if place.rpartition(":")[0] == file else place

        identity = (kind, record["run"], record.get("key", ""))
        first, place = self._known.get(identity, (raw, where))
        # The order of members does not matter.
        is_other = first != raw and not _same(json.loads(first), record)
        if is_run and is_other:
            return f"run must be there once; {shown(place)} has it with other values"
        machine = record["machine"]["id"] if is_run else record["machine"]
        known_machine, machine_place = self._machines.get(record["run"], (machine, where))
        if known_machine != machine:
            member = "machine.id" if is_run else "machine"
            return f"{member} must be {known_machine}, that of its run on {shown(machine_place)}"
        if is_other:
            return f"key must be there once in a run; {shown(place)} has it with other values"
        self.was_copy = place != where and not is_run
        self._known.setdefault(identity, (raw, where))
        self._machines.setdefault(record["run"], (machine, where))
        return ""
