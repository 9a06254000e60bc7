"""The schemas of configs and profiles agree with the program about every member, right and wrong. The program reads all
records that their schema accepts."""

import copy
import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest
from whole_records import in_its_cell, measured_in

from plots.records.collection import Records
from plots.records.jsonl import BadInput

ROOT = Path(__file__).resolve().parents[1]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
MISSING = object()
VALUES = [MISSING, None, True, -1, 1.5, 10**13, "", "x", [], [1, 2], {}]

CONFIG = {
    "$schema": "../schemas/config.schema.json",
    "name": "every_member",
    "title": "all that a config may hold",
    "energy": False,
    "protocol": {
        "warmup": 1,
        "interval_share": 0.02,
        "min_samples": 5,
        "max_samples": 9,
        "budget_s": 1,
        "timeout_s": 9,
    },
    "sweeps": [
        {
            "algorithms": [
                "std_sort",
                {"name": "satish_cpu_radix", "parameters": {"digit_bits": [8, 11], "flush": "ordinary"}},
            ],
            "keys": ["u32", "f64"],
            "values": ["none"],
            "n": [0, "2^10", 1000],
            "distributions": ["uniform", "thearling:ands=2"],
            "threads": [1, 2],
            "seeds": [1],
            "residency": ["host"],
            "host_memory": ["pinned"],
            "layout": "separate",
            "protocol": {"samples": 3},
            "energy": True,
        }
    ],
    "artifacts": ["SAT-T1"],
}

# Facts that only the program checks: names, their parameters, and relations between numbers.
MEANINGS = {
    "config": ("algorithms[", "distributions[", "max_samples", "min_samples"),
    "machine_profile": (".at:", "two numbers around the value"),
}


def profile():
    """The smallest profile that has every member, on a machine with a device."""
    table = {"unit": "s", "source": "MB1", "kind": "hardware", "arguments": ["bytes"], "points": []}
    table["points"].append({"at": [64], "value": 1e-9, "ci95": [0.9e-9, 1.1e-9]})
    rate = {**copy.deepcopy(table), "unit": "B/s", "points": [{"at": [64], "value": 1e9, "ci95": [0.9e9, 1.1e9]}]}
    machine = {"schema": 1, "kind": "profile", "id": "some-machine", "name": "Some machine", "origin": "calibrated"}
    machine |= {
        "source": "this test",
        "clock_hz": 2e9,
        "cores": 2,
        "cache_bytes": {"L2": 1048576},
        "memory_bytes": 2**34,
    }
    tables = {"launch": table, "copy": rate}
    device = {**machine, "compute_capability": "9.0", "libraries": {"CUB": "3.0.1"}, "tables": tables}
    return {**machine, "tables": {"wake": table}, "devices": [device]}


def places(value, path=()):
    """Every member and element by its path, except those of the device that the machine also has."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in inside:
        yield (*path, key)
        if path or "devices" not in value or key == "devices":
            yield from places(member, (*path, key))


def mutated(value, path, member):
    changed = copy.deepcopy(value)
    *parents, key = path
    inside = changed
    for parent in parents:
        inside = inside[parent]
    if member is MISSING:
        del inside[key]
    else:
        inside[key] = member
    return changed


def mutants(value):
    yield "as it is", value
    yield "with another member", {**value, "colour": 1}
    for path in places(value):
        for member in VALUES:
            told = "missing" if member is MISSING else json.dumps(member)
            yield f"{'/'.join(map(str, path))}: {told}", mutated(value, path, member)
        inside = value
        for step in path:
            inside = inside[step]
        if isinstance(inside, dict):
            yield f"{'/'.join(map(str, path))}: another member", mutated(value, (*path, "colour"), 1)


def complaint(command, file):
    """The program's error message for the file, or an empty string."""
    done = subprocess.run([SORTLAB, *command], capture_output=True, text=True, timeout=60)
    told = done.stderr.removeprefix("sortlab: ")
    return told if done.returncode == 2 and told.startswith(str(file)) else None


COMMANDS = {
    "config": lambda file: ["run", file, "--dry-run", "--out", "/dev/null"],
    "machine_profile": lambda file: ["predict", "--algorithm", "std_sort", "--n", "8", "--machine", file],
}


@pytest.mark.parametrize("kind, value", [("config", CONFIG), ("machine_profile", profile())], ids=COMMANDS)
def test_schema_and_program_agree(kind, value, tmp_path):
    schema = json.loads((ROOT / "configs" / "schemas" / f"{kind}.schema.json").read_text())
    check = jsonschema.Draft202012Validator(schema)
    file = tmp_path / "mutant.json"
    wrong, verdicts = [], {True: 0, False: 0}
    for name, mutant in mutants(value):
        file.write_text(json.dumps(mutant))
        by_schema = check.is_valid(mutant)
        told = complaint(COMMANDS[kind](str(file)), file)
        verdicts[told is None] += 1
        meaning = told is not None and any(words in told for words in MEANINGS[kind])
        if by_schema != (told is None) and not (by_schema and meaning):
            wrong.append(f"{name}: the schema {'takes' if by_schema else 'refuses'} it; the program: {told}")
    assert wrong == []
    assert all(count > 20 for count in verdicts.values())


def is_read_by_python(record, file):
    """A few rules, such as an interval around its median, are no schema's; both languages have them."""
    file.write_text(json.dumps(record) + "\n")
    try:
        Records().add_file(file)
    except BadInput:
        return False
    return True


def test_the_program_reads_every_record_that_the_schema_takes(tmp_path):
    schema = json.loads((ROOT / "configs" / "schemas" / "record.schema.json").read_text())
    check = jsonschema.Draft202012Validator(schema)
    lines = (ROOT / "tests" / "data" / "example_records.jsonl").read_text().splitlines()
    file = tmp_path / "one.jsonl"
    another = json.dumps(measured_in(1e-3, run="20261121T003001Z-4f1c2b", key="f" * 16)) + "\n"
    taken, refused = 0, 0
    for record in map(json.loads, lines):
        for _, mutant in mutants(record):
            if check.is_valid(mutant) and mutant.get("cell") == record.get("cell") is not None:
                mutant = in_its_cell(mutant)
            if check.is_valid(mutant) and is_read_by_python(mutant, file):
                # Mutants of one record contradict each other: each is in a file of its own, beside a measurement.
                file.write_text(json.dumps(mutant) + "\n" + another)
                done = subprocess.run([SORTLAB, "compare", file, file], capture_output=True, text=True, timeout=60)
                assert (done.returncode, done.stderr) == (0, ""), json.dumps(mutant)
                taken += 1
            else:
                refused += 1
    assert taken > 200 and refused > 200
