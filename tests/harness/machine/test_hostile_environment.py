"""A run under all that a job script or a container may set measures the same cells with the same outcome, or says what
differed."""

import errno
import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from listed import listed
from test_control_groups import find_group
from test_environment import CPUS, HOSTILE, SITE

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))


@pytest.fixture
def group_with_quota():
    """A control group of one and a half processors, or none where none can be made."""
    parent, version = find_group("cpu")
    group = parent and parent / f"sortlab-hostile-{os.getpid()}"
    try:
        group.mkdir()
        limits = {1: ("cpu.cfs_quota_us", "150000"), 2: ("cpu.max", "150000 100000")}
        (group / limits[version][0]).write_text(limits[version][1])
    except (OSError, AttributeError):
        yield None
        return
    yield group
    remove(group)


def remove(group):
    """A process that was killed may stay in its group for a moment."""
    for _ in range(100):
        try:
            return group.rmdir()
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            time.sleep(0.1)
    group.rmdir()


def run(config, out, group=None, closed=False, variables=None):
    def prepare():
        if group:
            (group / "cgroup.procs").write_text(str(os.getpid()))
        if closed:
            os.close(1)

    told = subprocess.run(
        [SORTLAB, "run", config, "--out", out],
        stdout=None if closed else subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=600,
        preexec_fn=prepare,
        env={**os.environ, **(variables or {})},
    )
    assert told.returncode == 0, told.stderr
    records = [json.loads(line) for line in out.read_text().splitlines()]
    (run_record,) = [record for record in records if record["kind"] == "run"]
    return run_record, {record["cell"]: record for record in records if record["kind"] == "measurement"}


def test_a_hostile_environment_changes_no_record_unsaid(tmp_path, group_with_quota):
    sorts = [
        entry["name"]
        for entry in listed("algorithms")
        if entry["runs_on"] == "host" and entry["runs_here"] and entry["origin"] == "peer" and "u32" in entry["keys"]
    ]
    sweep = {"algorithms": sorts, "n": ["2^10", "2^18"], "distributions": ["uniform"], "threads": [1, min(2, CPUS)]}
    config = tmp_path / "c.json"
    config.write_text(json.dumps({"name": "c", "protocol": {"samples": 9}, "sweeps": [sweep]}))
    _, friendly = run(config, tmp_path / "a.jsonl")
    hostile_run, hostile = run(config, tmp_path / "b.jsonl", group_with_quota, True, HOSTILE | SITE)
    assert set(friendly) == set(hostile) and len(friendly) > 5
    for cell, record in friendly.items():
        other = hostile[cell]
        name = f"{record['case']['algorithm']} {record['case']['n']} {record['case']['threads']}"
        assert (record["status"], record["reason"]) == (other["status"], other["reason"]), name
        assert record["case"] == other["case"] and record["key"] == other["key"], name
        assert record["verification"] == other["verification"], name
        if record["status"] != "ok":
            continue
        assert ("disturbance" in other) == other["disturbed"], name
        slower = other["median_s"] / record["median_s"]
        assert other["disturbed"] or record["disturbed"] or 1 / 3 < slower < 3, name
    environment = hostile_run["environment"]
    assert set(HOSTILE) <= set(environment["variables"]["dropped"])
    if group_with_quota:
        assert environment["cgroup"]["cpu_quota"] == 1.5
