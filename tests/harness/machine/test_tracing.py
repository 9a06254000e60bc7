"""A probe in the code of a sort, which stops its threads each time they pass it, disturbs every sample."""

import contextlib
import json
import os
import struct
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))


def offset_of_entry(program):
    """The place in its file where a program begins to run: an instruction that is there in every build."""
    image = program.read_bytes()
    (entry,) = struct.unpack_from("<Q", image, 24)
    (headers,) = struct.unpack_from("<Q", image, 32)
    size, count = struct.unpack_from("<HH", image, 54)
    for at in range(headers, headers + count * size, size):
        kind, _, offset, address, _, bytes_ = struct.unpack_from("<IIQQQQ", image, at)
        if kind == 1 and address <= entry < address + bytes_:  # PT_LOAD
            return entry - address + offset
    raise AssertionError("no segment holds the entry")


def append(file, line):
    """Python's own mode for appending seeks to the end, which this file system refuses."""
    opened = os.open(file, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(opened, line.encode())
    finally:
        os.close(opened)


@contextlib.contextmanager
def probe(program, folder):
    """Sets a probe as `perf probe -x` and bpftrace do."""
    tracing = folder / "tracing"
    tracing.mkdir()
    mounted = subprocess.run(["mount", "-t", "tracefs", "none", tracing], capture_output=True).returncode == 0
    try:
        if not mounted or not (tracing / "uprobe_events").exists():
            pytest.skip("this system lets no program set probes")
        name = f"sortlab{os.getpid()}"
        append(tracing / "uprobe_events", f"p:{name}/entry {program}:{offset_of_entry(program):#x}\n")
        enable = tracing / "events" / name / "entry" / "enable"
        try:
            enable.write_text("1")
            yield
        finally:
            enable.write_text("0")
            append(tracing / "uprobe_events", f"-:{name}/entry\n")
    finally:
        if mounted:
            subprocess.run(["umount", tracing])


def test_a_probe_disturbs(tmp_path):
    def bench(out):
        command = [SORTLAB, "bench", "-a", "std_sort", "-n", "1000", "--samples", "5", "-o", out]
        subprocess.run(command, check=True, capture_output=True)
        return [record for record in map(json.loads, out.read_text().splitlines()) if record["kind"] == "measurement"]

    quiet = bench(tmp_path / "quiet.jsonl")
    assert [record["traced"] for record in quiet] == [False]
    with probe(SORTLAB, tmp_path):
        probed = bench(tmp_path / "probed.jsonl")
    assert [(record["traced"], record["disturbed"]) for record in probed] == [(True, True)]
    assert "a probe" in probed[0]["disturbance"]
