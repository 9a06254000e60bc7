"""State of a process that another one has set: random addresses come back, all else is recorded and told."""

import ctypes
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from listed import plain_sorts

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))

from plots.records.schema import record_fault  # noqa: E402

LIBC = ctypes.CDLL(None)
ADDR_NO_RANDOMIZE = 0x0040000
PR_SET_THP_DISABLE = 41


def fix_addresses():
    LIBC.personality(ctypes.c_ulong(ADDR_NO_RANDOMIZE))


def forbid_huge_pages():
    LIBC.prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)


def bench(out, preexec_fn=None, **variables):
    """The run record and the measurement of one cell."""
    command = [SORTLAB, "bench", "-a", plain_sorts()[0], "-n", "2^16", "--samples", "3", "--out", out]
    environment = {**os.environ, **variables}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, preexec_fn=preexec_fn, env=environment)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert not [fault for fault in map(record_fault, records) if fault]
    (run,) = [record for record in records if record["kind"] == "run"]
    (cell,) = [record for record in records if record["kind"] == "measurement"]
    return run, cell


def test_workers_have_random_addresses_even_under_a_debugger(tmp_path):
    out = tmp_path / "r.jsonl"
    command = [SORTLAB, "bench", "-a", plain_sorts()[0], "-n", "2^18", "--samples", "101", "--out", out]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=fix_addresses)
    seen = set()
    while run.poll() is None:
        for child in Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split():
            try:
                words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
                personality = Path(f"/proc/{child}/personality").read_text()
            except OSError:
                continue
            if b"worker" in words:
                seen.add(personality.strip())
        time.sleep(0.01)
    assert run.returncode == 0 and seen == {"00000000"}
    record = json.loads(out.read_text().splitlines()[0])
    assert record["environment"]["addresses_restored"] is True


def test_what_forbids_huge_pages_is_recorded_told_and_compared(tmp_path):
    plain, _ = bench(tmp_path / "a.jsonl")
    without, _ = bench(tmp_path / "b.jsonl", forbid_huge_pages)
    assert plain["environment"]["huge_pages_disabled"] is False and plain["environment"]["addresses_restored"] is False
    assert without["environment"]["huge_pages_disabled"] is True
    command = [SORTLAB, "compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert "huge_pages_disabled differs: A false; B true" in done.stdout + done.stderr
    command = [SORTLAB, "doctor"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, preexec_fn=forbid_huge_pages)
    assert "disabled for this process" in done.stdout


def test_a_polite_or_idle_process_is_recorded_and_told(tmp_path):
    def be_polite():
        os.nice(7)
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))

    run, _ = bench(tmp_path / "a.jsonl", be_polite)
    assert (run["environment"]["nice"], run["environment"]["scheduler"]) == (7, "batch")
    done = subprocess.run([SORTLAB, "doctor"], capture_output=True, text=True, timeout=60, preexec_fn=be_polite)
    assert "scheduler: batch, nice: 7" in done.stdout


@pytest.mark.parametrize("earlier", ["", "TBB_NUM_THREADS"])
def test_variables_are_dropped_though_an_earlier_start_dropped_others(earlier, tmp_path):
    """As where a shell that Sortlab started, or a job that copied its environment, starts it again."""
    run, cell = bench(tmp_path / "r.jsonl", SORTLAB_DROPPED=earlier, BENCHMARK_REPETITIONS="2", OMP_PROC_BIND="close")
    assert cell["median_s"] < 0.1, "a time, not a coefficient of variation"
    expected = sorted([*filter(None, [earlier]), "BENCHMARK_REPETITIONS", "OMP_PROC_BIND"])
    assert run["environment"]["variables"]["dropped"] == expected


def test_endless_and_many_variables_leave_a_record_that_can_be_read(tmp_path):
    many = {f"OMP_{i:04}{'X' * 300}": "1" for i in range(60)}
    run, cell = bench(tmp_path / "r.jsonl", **many, **{"SLURM_" + "Y" * 3000: "1"})
    dropped = run["environment"]["variables"]["dropped"]
    assert cell["status"] == "ok" and "..." in dropped and len(dropped) > 10
