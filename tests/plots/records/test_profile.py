"""Bandwidths that the report reads from a machine profile."""

import json
from pathlib import Path

import pytest
import synthetic_profile as synthetic

from plots.records import profile
from plots.records.jsonl import BadInput


def profile_file(tmp_path: Path, **tables: list) -> Path:
    points = {name: [{"at": at, "value": value} for at, value in given] for name, given in tables.items()}
    made = {name: synthetic.table("B/s", ["threads", "bytes"], p) for name, p in points.items()}
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(synthetic.profile(made)))
    return file


def test_copy_bandwidth_is_that_of_memory_and_of_the_faster_store(tmp_path):
    copy = [([1, 1 << 14], 9e10), ([1, 1 << 26], 2e10), ([2, 1 << 26], 3e10)]
    file = profile_file(tmp_path, copy=copy, copy_nt=[([1, 1 << 26], 2.5e10)])
    assert profile.copy_bandwidth(file) == {1: 2.5e10, 2: 3e10}


@pytest.mark.parametrize("tables", [{}, {"copy": [([1], 2e10)]}, {"copy": [([1, 2], 0)]}, {"copy": [([1, 2], "x")]}])
def test_a_profile_without_copy_bandwidth_is_bad_input(tmp_path, tables):
    with pytest.raises(BadInput, match="--profile"):
        profile.copy_bandwidth(profile_file(tmp_path, **tables))


def test_read_bandwidth_is_that_of_devices_at_the_largest_working_set(tmp_path):
    points = [([4, 1 << 16], 9e12), ([4, 1 << 30], 3e12), ([16, 1 << 30], 4e12)]
    given = [{"at": at, "value": value} for at, value in points]
    read_table = synthetic.table("B/s", ["access_bytes", "bytes"], given)
    file = tmp_path / "profile.json"
    devices = [synthetic.profile({"read": read_table}, name="A GPU"), synthetic.profile({}, name="Another")]
    file.write_text(json.dumps(synthetic.profile({}, devices=devices)))
    assert profile.read_bandwidth(file) == {"A GPU": 4e12}
    assert profile.read_bandwidth(profile_file(tmp_path)) == {}


@pytest.mark.parametrize(
    "table, unit, on_device, wanted",
    [
        ("copy", "1/s", False, "B/s"),
        ("scatter", "B/s", False, "s/element"),
        ("scatter", "s/element", True, "B/s"),
        ("loop.my_loop.bound", "cycles", False, "cycles/element"),
        ("my_sort.copy", "1/s", False, ""),  # only a plug-in knows it
        ("hybrid.pairs", "s", True, "s/element"),
    ],
)
def test_a_table_has_the_unit_that_models_read_it_in(table, unit, on_device, wanted, tmp_path):
    tables = {table: synthetic.table(unit, [], [{"at": [], "value": {"B/s": 1e9, "1/s": 1e9}.get(unit, 1e-9)}])}
    device = synthetic.profile(tables, name="A GPU")
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(synthetic.profile({}, devices=[device]) if on_device else synthetic.profile(tables)))
    if not wanted:
        profile.whole_profile(file)
        return
    with pytest.raises(BadInput, match=f"{table.replace('.', ': ')}: unit must be .*{wanted}"):
        profile.whole_profile(file)


def test_a_table_has_each_point_once(tmp_path):
    example = Path(__file__).resolve().parents[2] / "data" / "machine_with_device.json"
    made = json.loads(example.read_text())
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(made))
    profile.whole_profile(file)
    points = next(iter(made["devices"][0]["tables"].values()))["points"]
    points.append({**points[0], "value": 2 * points[0]["value"]})
    file.write_text(json.dumps(made))
    with pytest.raises(BadInput, match=r"devices\[0\].*: at: must be there once in a table"):
        profile.whole_profile(file)


@pytest.mark.parametrize(
    "unit, value, says",
    [
        ("s/element", -1e-10, "from 0 to 0.001"),  # a cost below nothing
        ("s/element", 0.35, "from 0 to 0.001"),  # nanoseconds
        ("B/s", 25.6, "from 1e\\+07 to 1e\\+16"),  # GB/s
        ("GB/s", 25.6, "unit must be a string like"),
        ("share", 1.5, "from 0 to 1"),
        ("s", 1e-9, ""),
    ],
)
def test_values_that_no_machine_has_are_refused(tmp_path, unit, value, says):
    """The program refuses the same: tests/models/profile_test.cpp."""
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(synthetic.profile({"t": synthetic.table(unit, [], [{"at": [], "value": value}])})))
    if not says:
        profile.whole_profile(file)
        return
    with pytest.raises(BadInput, match=f"tables: t: .*{says}"):
        profile.whole_profile(file)


def test_a_value_lies_in_its_interval(tmp_path):
    file = tmp_path / "profile.json"
    point = {"at": [], "value": 2e-9, "ci95": [3e-9, 4e-9]}
    file.write_text(json.dumps(synthetic.profile({"t": synthetic.table("s", [], [point])})))
    with pytest.raises(BadInput, match="ci95: must be two numbers around the value"):
        profile.whole_profile(file)


def test_every_kept_profile_is_read():
    root = Path(__file__).resolve().parents[3]
    kept = [*root.glob("results/reference/*/profile.json"), *root.glob("models/machines/*.json")]
    assert len(kept) > 10
    for file in kept:
        profile.whole_profile(file)
