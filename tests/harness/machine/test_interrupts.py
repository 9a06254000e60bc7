"""A sampling profiler of the whole machine, which no account of threads shows, disturbs what it slows."""

import contextlib
import ctypes
import json
import os
import struct
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

LIBC = ctypes.CDLL(None, use_errno=True)
PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}.get(os.uname().machine)
SOFTWARE, CPU_CLOCK = 1, 0
PERIOD_NS = 25000


@contextlib.contextmanager
def profiler():
    """Interrupts each processor 40 000 times a second, as `perf record -a -e cpu-clock` does."""
    if PERF_EVENT_OPEN is None:
        pytest.skip("the number of perf_event_open is not known here")
    # struct perf_event_attr of its first version: type, size, config, sample period, sample type, read format, flags
    attributes = struct.pack("IIQQQQQIIQ", SOFTWARE, 64, CPU_CLOCK, PERIOD_NS, 0, 0, 0, 0, 0, 0)
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    opened = [LIBC.syscall(PERF_EVENT_OPEN, buffer, -1, cpu, -1, 0) for cpu in sorted(os.sched_getaffinity(0))]
    try:
        if min(opened) < 0:
            pytest.skip("this system lets no process count events")
        yield
    finally:
        for file in opened:
            if file >= 0:
                os.close(file)


def records(out):
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert not [fault for fault in map(record_fault, found) if fault]
    return [record for record in found if record["kind"] == "measurement"]


@pytest.mark.parametrize("n", ["1000", "2^20"])
def test_a_profiler_of_the_machine_disturbs(n, tmp_path):
    out = tmp_path / "r.jsonl"
    with profiler():
        before = Path("/proc/interrupts").read_text()
        time.sleep(0.2)
        if before == Path("/proc/interrupts").read_text():
            pytest.skip("this system does not count interrupts")
        once = ["--samples", "5", "--processes", "1"]
        command = [SORTLAB, "bench", "-a", plain_sorts()[0], "-n", n, *once, "--out", out]
        subprocess.run(command, capture_output=True, timeout=120, check=True)
    (cell,) = records(out)
    assert cell["interrupts_per_s"] > 2000 and cell["disturbed"] is True, cell
    assert "interrupts a second beyond the timer's tick" in cell["disturbance"]


@pytest.mark.parametrize("text", ["", "           CPU0       CPU1\n"])
def test_interrupts_that_the_system_does_not_show_are_unknown_not_none(text, tmp_path):
    """As in a container that hides /proc/interrupts."""
    shown, out = tmp_path / "interrupts", tmp_path / "r.jsonl"
    shown.write_text(text)
    unshare = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "sh", "-c"]
    hide = f"mount --bind {shown} /proc/interrupts"
    if subprocess.run([*unshare, hide], capture_output=True).returncode != 0:
        pytest.skip("this system lets no process mount over /proc/interrupts")
    bench = f"{SORTLAB} bench -a {plain_sorts()[0]} -n 1000 --samples 3 --out {out}"
    command = f"{hide} && {bench} >&2 && {SORTLAB} doctor"
    done = subprocess.run([*unshare, command], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (cell,) = records(out)
    assert cell["interrupts_per_s"] is None, cell
    assert json.loads(out.read_text().splitlines()[0])["environment"]["interrupts_shown"] is False
    (line,) = [line for line in done.stdout.splitlines() if "/proc/interrupts" in line]
    assert line.startswith("!   interrupts ")


def test_a_clock_that_falls_during_a_run_disturbs(tmp_path):
    """The second cell's clock is told against the first one's."""
    out = tmp_path / "r.jsonl"
    sweep = {"algorithms": [plain_sorts()[0]], "n": [1000, "2^21"], "distributions": ["uniform"]}
    protocol = {"samples": 5, "processes": 1}
    (tmp_path / "c.json").write_text(json.dumps({"name": "c", "protocol": protocol, "sweeps": [sweep]}))
    run = subprocess.Popen([SORTLAB, "run", tmp_path / "c.json", "--out", out], stderr=subprocess.DEVNULL)
    while run.poll() is None and not (out.exists() and b'"n":1000,' in out.read_bytes()):
        time.sleep(0.01)
    with profiler():
        assert run.wait(120) == 0
    quiet, slow = sorted(records(out), key=lambda record: record["case"]["n"])
    # The worst sample against the highest clock of the run: no better than the middle one against the first cell's.
    assert slow["clock_share"] <= 1.001 * slow["clock_hz"] / quiet["clock_hz"]
    assert ("of the highest rate of this run" in slow.get("disturbance", "")) == (slow["clock_share"] < 0.7), slow
