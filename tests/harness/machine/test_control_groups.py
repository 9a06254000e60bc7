"""Real control groups around a measurement: a quota marks it, a memory limit skips what does not fit."""

import json
import os
import subprocess
import time
import uuid
from pathlib import Path

import pytest

from listed import listed, plain_sorts

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))


def find_group(controller):
    """The group of this process in the hierarchy of a controller, and the version."""
    groups = dict(line.split(":", 2)[1:] for line in Path("/proc/self/cgroup").read_text().splitlines())
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        words = line.split()
        kind, options = words[words.index("-") + 1], words[-1].split(",")
        group = groups.get(controller) if kind == "cgroup" else groups.get("")
        if group is None or (kind == "cgroup" and controller not in options) or kind not in ("cgroup", "cgroup2"):
            continue
        folder = Path(words[4]) / group.lstrip("/")
        if kind == "cgroup2" and controller not in (folder / "cgroup.subtree_control").read_text().split():
            continue
        return folder, 1 if kind == "cgroup" else 2
    return None, 0


@pytest.fixture
def nested(request):
    """An inner group, whose outer one has the limits; none is set on the inner one."""
    controller, limits = request.param
    parent, version = find_group(controller)
    if parent is None:
        pytest.skip(f"no control groups of {controller}")
    outer = parent / f"sortlab-test-{uuid.uuid4().hex[:8]}"
    inner = outer / "inner"
    try:
        outer.mkdir()
        if version == 2:
            (outer / "cgroup.subtree_control").write_text(f"+{controller}")
        inner.mkdir()
        for name, value in limits[version].items():
            (outer / name).write_text(value)
    except OSError as error:
        for made in (inner, outer):
            if made.exists():
                made.rmdir()
        pytest.skip(f"control groups cannot be made here: {error}")
    yield inner
    inner.rmdir()
    outer.rmdir()


def run_in(group, *command):
    def join():
        (group / "cgroup.procs").write_text(str(os.getpid()))

    return subprocess.run([SORTLAB, *command], capture_output=True, text=True, timeout=300, preexec_fn=join)


# So little that the quota binds even where other programs leave only a part of a processor.
QUOTA = {1: {"cpu.cfs_period_us": "20000", "cpu.cfs_quota_us": "1000"}, 2: {"cpu.max": "1000 20000"}}
MEMORY = {1: {"memory.limit_in_bytes": str(512 << 20)}, 2: {"memory.max": str(512 << 20)}}


@pytest.mark.parametrize("nested", [("cpu", QUOTA)], indirect=True)
def test_a_quota_of_an_outer_group_marks_what_it_slows(nested, tmp_path):
    out, free = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    command = ["bench", "-a", plain_sorts()[0], "-n", "2^18", "--samples", "3", "--processes", "1", "--out"]
    told = run_in(nested, *command, str(out))
    assert told.returncode == 0, told.stderr
    assert "1 of them were stopped by a control group's quota of processor time" in told.stderr
    records = [json.loads(line) for line in out.read_text().splitlines()]
    (run,) = [record for record in records if record["kind"] == "run"]
    (record,) = [record for record in records if record["kind"] == "measurement"]
    assert run["environment"]["cgroup"]["cpu_quota"] == pytest.approx(0.05)
    assert record["throttled_share"] > 0.02 and record["disturbed"] is True
    assert "a control group's quota of processor time stopped its threads" in record["disturbance"]
    assert "limited to 0.05 by a control group" in run_in(nested, "doctor").stdout

    subprocess.run([SORTLAB, *command, free], capture_output=True, text=True, timeout=300, check=True)
    compared = subprocess.run(
        [SORTLAB, "compare", free, out, "--json"], capture_output=True, text=True, timeout=60, check=False
    )
    cell = json.loads(compared.stdout.splitlines()[0])
    assert cell["verdict"] == "ambiguous", cell
    # On a busy machine the free run's times may spread so far that they already allow no change.
    spread = "the interval allows both" in cell["reason"]
    assert spread or "B was disturbed" in cell["reason"] or "A was disturbed" in cell["reason"], cell


@pytest.mark.parametrize("nested", [("memory", MEMORY)], indirect=True)
def test_a_memory_limit_of_an_outer_group_skips_what_does_not_fit(nested, tmp_path):
    told = run_in(nested, "bench", "-a", plain_sorts()[0], "-n", "2^20", "-n", "2^28", "--samples", "3", "--json")
    small, large = sorted(map(json.loads, told.stdout.splitlines()), key=lambda record: record["case"]["n"])
    assert small["status"] == "ok", small["reason"]
    assert large["status"] == "skipped" and large["reason"].endswith("0.5 may be used"), large["reason"]
    assert "512 MiB allowed by its control group" in run_in(nested, "doctor").stdout


FROZEN = {1: ("freezer.state", "FROZEN", "THAWED"), 2: ("cgroup.freeze", "1", "0")}


@pytest.fixture
def freezer():
    """A group that can be frozen; what to write where for that; and what thaws it."""
    parent, version = find_group("freezer")
    if parent is None:  # groups of version 2 all have a freezer, without a controller
        lines = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        parent, version = next((Path(w[4]) for w in lines if w[w.index("-") + 1] == "cgroup2"), None), 2
    group = parent and parent / f"sortlab-test-{uuid.uuid4().hex[:8]}"
    if group is None:
        pytest.skip("no control groups")
    name, frozen, thawed = FROZEN[version]
    try:
        group.mkdir()
        if not (group / name).exists():
            group.rmdir()
            pytest.skip("no group can be frozen here")
    except OSError as error:
        pytest.skip(f"control groups cannot be made here: {error}")
    yield group, (group / name, frozen), (group / name, thawed)
    (group / name).write_text(thawed)
    group.rmdir()


def measured_while_frozen(freezer, out, n, frozen_s, thawed_s, sort=None, threads=1):
    """The record of a sort of n keys whose group is frozen again and again."""
    group, freeze, thaw = freezer
    command = ["bench", "-a", sort or plain_sorts()[0], "-n", n, "-t", str(threads)]
    command += ["--samples", "9", "--processes", "1", "--out", out]
    running = subprocess.Popen(
        [SORTLAB, *command],
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: (group / "cgroup.procs").write_text(str(os.getpid())),
    )
    while running.poll() is None:
        if frozen_s:
            freeze[0].write_text(freeze[1])
        time.sleep(frozen_s)
        thaw[0].write_text(thaw[1])
        time.sleep(thawed_s)
    assert running.returncode == 0
    (record,) = [r for r in map(json.loads, out.read_text().splitlines()) if r["kind"] == "measurement"]
    return record


def test_a_frozen_group_disturbs_also_for_a_moment(freezer, tmp_path):
    record = measured_while_frozen(freezer, tmp_path / "a.jsonl", "2^22", 0.05, 0.05)
    assert record["stopped_share"] > 0.2 and record["disturbed"] is True, record
    assert "it stood still" in record["disturbance"]
    assert "called_s" not in record, record["called_s"]


def test_moments_that_are_as_short_as_the_sort_bend_no_time_unmarked(freezer, tmp_path):
    quiet = measured_while_frozen(freezer, tmp_path / "quiet.jsonl", "2^16", 0, 0.05)["median_s"]
    record = measured_while_frozen(freezer, tmp_path / "a.jsonl", "2^16", 0.003, 0.0035)
    assert record["disturbed"] or record["median_s"] < 1.5 * quiet, record  # a busy machine may freeze too seldom


def test_a_frozen_group_disturbs_a_sort_in_a_process_of_its_own(freezer, tmp_path):
    if not any(entry["name"] == "numpy_sort" and entry["runs_here"] for entry in listed("algorithms")):
        pytest.skip("numpy_sort is not built here")
    record = measured_while_frozen(freezer, tmp_path / "a.jsonl", "2^22", 0.05, 0.05, "numpy_sort")
    assert record["stopped_share"] > 0.2 and record["disturbed"] is True, record
    quiet = measured_while_frozen(freezer, tmp_path / "b.jsonl", "2^16", 0, 0.05, "numpy_sort")
    assert quiet["stopped_share"] == 0, quiet


def parallel_sorts():
    """Sorts of u32 keys on the host that run here on several threads, of our teams of threads and of libraries."""
    return [
        entry["name"]
        for entry in listed("algorithms")
        if entry["runs_on"] == "host" and entry["runs_here"] and entry["parallel"] and "u32" in entry["keys"]
    ]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="a sort on two threads needs two processors")
def test_a_frozen_group_disturbs_sorts_of_several_threads(freezer, tmp_path):
    for sort in parallel_sorts()[::4]:
        record = measured_while_frozen(freezer, tmp_path / f"{sort}.jsonl", "2^22", 0.02, 0.02, sort, 2)
        assert record["disturbed"] is True, record
        # On a busy machine threads wait, which is told of the same time.
        assert record["stopped_share"] > 0.1 or record["waited_share"] > 0.1, record


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="a sort on two threads needs two processors")
@pytest.mark.parametrize("n", ["2^10", "2^16"])
def test_threads_that_sleep_at_barriers_are_not_taken_for_stopped_ones(n, tmp_path):
    out = tmp_path / "a.jsonl"
    command = ["bench", "-n", n, "-t", "2", "--samples", "5", "--processes", "1", "--out", out]
    for sort in parallel_sorts():
        command += ["-a", sort]
    subprocess.run([SORTLAB, *command], capture_output=True, text=True, timeout=300, check=True)
    records = [r for r in map(json.loads, out.read_text().splitlines()) if r["kind"] == "measurement"]
    assert len(records) == len(parallel_sorts())
    for record in records:
        assert record["status"] == "ok" and record["stopped_share"] == 0, record
