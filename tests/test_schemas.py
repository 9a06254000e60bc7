"""Every shipped config, profile and record follows its JSON Schema, and the schemas refuse errors."""

import copy
import json
from functools import lru_cache
from pathlib import Path

import jsonschema
import pytest

from plots.records.schema import record_fault

ROOT = Path(__file__).resolve().parents[1]
SCHEMAS = ROOT / "configs" / "schemas"
EXAMPLES = ROOT / "tests" / "data" / "example_records.jsonl"

COUNTS = ROOT / "results" / "reference" / "intel-xeon-emeraldrapids-16c-f8c882fd" / "counts.jsonl"
WITH_DEVICE = ROOT / "tests" / "data" / "machine_with_device.json"
PROFILES = [
    WITH_DEVICE,
    *sorted(ROOT.glob("models/machines/*.json")),
    *sorted(ROOT.glob("results/reference/**/profile.json")),
]
CAMPAIGN = ROOT / "configs/reference.json"
CONFIGS = sorted(file for file in ROOT.glob("configs/**/*.json") if SCHEMAS not in file.parents and file != CAMPAIGN)
CONFIGS += sorted(ROOT.glob("algorithms/*/configs/*.json"))
RECORDS = [
    EXAMPLES,
    *sorted(ROOT.glob("results/published/*.jsonl")),
    *sorted(ROOT.glob("results/reference/**/*.jsonl")),
]


@lru_cache(maxsize=None)
def validator(name):
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def complaints(name, value):
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(name).iter_errors(value)]


def relative(path):
    return str(path.relative_to(ROOT)) if isinstance(path, Path) else None


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_there_is_something_to_validate():
    assert PROFILES and RECORDS


@pytest.mark.parametrize("path", PROFILES, ids=relative)
def test_profile(path):
    assert complaints("machine_profile", json.loads(path.read_text())) == []


def test_a_device_is_a_profile_without_devices():
    machine = json.loads(WITH_DEVICE.read_text())
    device = machine["devices"][0]
    assert complaints("machine_profile", machine | {"devices": []}) != []
    assert complaints("machine_profile", machine | {"devices": [device | {"devices": [device]}]}) != []
    assert complaints("machine_profile", machine | {"devices": [device | {"gpu": True}]}) != []
    assert complaints("machine_profile", machine | {"gpus": [device]}) != []


@pytest.mark.parametrize("path", CONFIGS, ids=relative)
def test_config(path):
    assert complaints("config", json.loads(path.read_text())) == []


def test_campaign():
    assert complaints("campaign", json.loads(CAMPAIGN.read_text())) == []


@pytest.mark.parametrize("path", RECORDS, ids=relative)
def test_records(path):
    """Each by the validator that is compiled from the schema; every tenth by jsonschema too, which takes far longer."""
    check = validator("record")
    for number, record in enumerate(lines(path), 1):
        faults = list(filter(None, [record_fault(record)]))
        if number % 10 == 1:
            faults += [f"{e.json_path}: {e.message[:200]}" for e in check.iter_errors(record)]
        assert (number, faults) == (number, [])


def example(kind, **wanted):
    return copy.deepcopy(next(r for r in lines(EXAMPLES) if r["kind"] == kind and wanted.items() <= r.items()))


def with_member(record, path, value):
    *parents, name = path.split("/")
    target = record
    for parent in parents:
        target = target[parent]
    target[name] = value
    return record


def component(**changes):
    record = with_member(example("measurement", status="ok"), "case/component", "presort")
    return {
        **record,
        "kind": "component",
        "component": "presort",
        "postcondition": "sorted",
        "iterations": 8,
        **changes,
    }


def test_a_component_is_a_measurement_with_a_postcondition():
    assert complaints("record", component()) == []
    within_tiles = {**component()["verification"], "tiles": True, "ordered_by": "bits 4 to 7, in each tile of 1024"}
    assert complaints("record", component(verification=within_tiles)) == []


@pytest.mark.parametrize(
    "record",
    [
        component(kind="measurement"),
        component(iterations=0),
        component(postcondition=""),
        component(samples_s=[]),
        component(case=example("measurement", status="ok")["case"]),
        component(verification={**component()["verification"], "tiles": False}),
        with_member(example("measurement", status="ok"), "kind", "component"),
        with_member(example("measurement", status="ok"), "case/component", "presort"),
        with_member(example("measurement", status="ok"), "reason", "but slowly"),
        with_member(example("measurement", status="ok"), "verification", None),
        with_member(example("measurement", status="ok"), "verification/multiset", False),
        with_member(example("measurement", status="ok"), "samples_s", []),
        with_member(example("measurement", status="ok"), "samples_s", [0.0]),
        with_member(example("measurement", status="skipped"), "median_s", 1.0),
        with_member(example("measurement", status="skipped"), "reason", None),
        with_member(example("measurement", status="ok"), "status", "wrong"),
        with_member(example("measurement", status="ok"), "case/key_type", "u33"),
        with_member(example("measurement", status="ok"), "case/key_type", "string"),  # without its bytes
        with_member(example("measurement", status="ok"), "case/bytes", 1024),
        with_member(example("measurement", status="ok"), "medain_s", 1.0),
        with_member(example("measurement", status="ok"), "case/residency", "end_to_end"),
        with_member(example("measurement", status="ok"), "case/host_memory", "pinned"),
        with_member(example("run"), "schema", 2),
        with_member(example("run"), "kind", "runs"),
        with_member(example("run"), "build/commit", "main"),
        with_member(example("prediction"), "profile/origin", "guessed"),
        with_member(example("published"), "value", "fast"),
    ],
)
def test_a_wrong_record_is_refused(record):
    assert complaints("record", record) != []


def counted():
    """Counts of the first two passes."""
    return next(r for r in lines(COUNTS) if r["kind"] == "count")


@pytest.mark.parametrize(
    "path, value",
    [
        ("phases/0/per_element/duration", 1.0),
        ("phases/0/per_element/instructions", -1.0),
        ("phases/0/binding", "time"),
        ("phases/0/kernels", []),
        ("verification/order", False),
        ("verification", None),
        ("passes", None),  # counts of all passes have totals
        ("status", "wrong"),
        ("median_s", 1.0),
    ],
)
def test_a_wrong_count_is_refused(path, value):
    record = counted()
    assert complaints("record", record) == []
    parents = [int(part) if part.isdigit() else part for part in path.split("/")]
    target = record
    for parent in parents[:-1]:
        target = target[parent]
    target[parents[-1]] = value
    assert complaints("record", record) != []


def test_a_wrong_config_is_refused():
    sweep = {"algorithms": ["my_sort"], "n": ["2^20", 1000003, "64M", "500e6"], "distributions": ["uniform"]}
    assert complaints("config", {"name": "x", "sweeps": [sweep]}) == []
    for wrong in ({"n": [-5]}, {"n": ["many"]}, {"keys": ["u33"]}, {"colour": "red"}, {"distributions": []}):
        assert complaints("config", {"name": "x", "sweeps": [{**sweep, **wrong}]}) != []
