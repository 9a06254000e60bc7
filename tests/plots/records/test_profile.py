"""Bandwidths that the report reads from a machine profile."""

import json
from pathlib import Path

import pytest

from plots.records import profile
from plots.records.jsonl import BadInput


def profile_file(tmp_path: Path, **tables: list) -> Path:
    points = {name: [{"at": at, "value": value} for at, value in given] for name, given in tables.items()}
    made = {name: {"unit": "B/s", "arguments": ["threads", "bytes"], "points": p} for name, p in points.items()}
    file = tmp_path / "profile.json"
    file.write_text(json.dumps({"schema": 1, "kind": "profile", "tables": made}))
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
    read_table = {
        "arguments": ["access_bytes", "bytes"],
        "points": [{"at": at, "value": value} for at, value in points],
    }
    file = tmp_path / "profile.json"
    devices = [{"name": "A GPU", "tables": {"read": read_table}}, {"name": "Another", "tables": {}}]
    file.write_text(json.dumps({"schema": 1, "kind": "profile", "tables": {}, "devices": devices}))
    assert profile.read_bandwidth(file) == {"A GPU": 4e12}
    assert profile.read_bandwidth(profile_file(tmp_path)) == {}
