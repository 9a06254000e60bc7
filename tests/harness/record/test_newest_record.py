"""The newest record of a cell counts, whatever became of it and wherever it stands.

Both readers are asked of the same files: C++'s through `compare`, and Python's."""

import itertools
import json
import os
import subprocess
from pathlib import Path

import pytest
from whole_records import OF_TIMES, measured_in, timed_record, whole_record

from plots.analysis.provenance import notes_on_records
from plots.exchange.record_rows import measurements
from plots.records.collection import read

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
# The names of these runs do not begin with their time: only `started` tells which is the newer.
OLD, NEW = "20191231T000000Z-0000000a", "20180101T000000Z-0000000b"
STARTS = {OLD: "2018-01-01T00:00:00Z", NEW: "2019-12-31T00:00:00Z"}


def run_record(run, started=None):
    return whole_record("run", run=run, started=started or STARTS[run])


def lost(run, status):
    record = {name: value for name, value in whole_record("measurement", run=run).items() if name not in OF_TIMES}
    record.pop("phases"), record.pop("phase_time", None)
    return {**record, "status": status, "reason": "planted", "verification": None}


def timed(run, seconds):
    return timed_record(whole_record("measurement", run=run), [seconds] * 5)


def written(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def newest_of_python(file):
    records = read([file])
    newest = [row["run"] for row in measurements(records) if not row["superseded"]]
    on = records.on(whole_record("measurement")["machine"])
    assert newest == [m.run for m in on.measurements]
    return newest


def compared(a, b, *more):
    return subprocess.run([SORTLAB, "compare", a, b, *more], capture_output=True, text=True, timeout=60)


def newest_of_the_program(file, tmp_path, records):
    """The runs whose record is the one that `compare` takes from a file."""
    found = []
    for record in records:
        alone = written(tmp_path / "alone.jsonl", run_record(record["run"]), record)
        if record["status"] == "ok":
            answer = json.loads(compared(alone, file, "--json").stdout.splitlines()[0])
            found += [record["run"]] * (answer["ratio"] == 1)
        else:
            done = compared(written(tmp_path / "ok.jsonl", measured_in(0.005)), file, "--fail-if-slower", "5")
            found += [record["run"]] * (done.returncode == 3 and record["status"] in done.stderr)
    return found


OUTCOMES = [(timed(OLD, 0.005), new) for new in (timed(NEW, 0.007), lost(NEW, "failed"), lost(NEW, "wrong"))]


@pytest.mark.parametrize("records", OUTCOMES, ids=lambda records: records[1]["status"])
@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_both_readers_take_the_record_of_the_run_that_started_last(records, order, tmp_path):
    lines = [run_record(OLD), records[0], run_record(NEW), records[1]]
    file = written(tmp_path / "all.jsonl", *(lines[i] for i in order))
    assert newest_of_python(file) == newest_of_the_program(file, tmp_path, records) == [NEW]


@pytest.mark.parametrize("first", [OLD, NEW])
def test_the_last_in_the_file_counts_of_runs_that_started_in_one_second(first, tmp_path):
    last = NEW if first == OLD else OLD
    records = [timed(first, 0.005), timed(last, 0.007)]
    runs = [run_record(run, STARTS[NEW]) for run in (last, first)]
    file = written(tmp_path / "all.jsonl", *runs, *records)
    assert newest_of_python(file) == newest_of_the_program(file, tmp_path, records) == [last]


def test_a_run_that_no_record_describes_is_the_oldest(tmp_path):
    records = [timed(OLD, 0.005), timed(NEW, 0.007)]
    file = written(tmp_path / "all.jsonl", run_record(OLD), *records)
    assert newest_of_python(file) == newest_of_the_program(file, tmp_path, records) == [OLD]


def test_a_gate_fails_by_the_newest_record_of_a_merged_file(tmp_path):
    old = written(tmp_path / "old.jsonl", run_record(OLD), timed(OLD, 0.005))
    new = written(tmp_path / "new.jsonl", run_record(NEW), lost(NEW, "failed"))
    merged = tmp_path / "merged.jsonl"
    subprocess.run([SORTLAB, "merge", new, old, "--out", merged], check=True, capture_output=True, timeout=60)
    done = compared(old, merged, "--fail-if-slower", "5")
    assert done.returncode == 3 and "failed: planted" in done.stderr


@pytest.mark.parametrize("started, noted", [("2999-12-31T23:59:59Z", True), ("2001-01-01T00:00:00Z", False)])
def test_a_run_that_began_later_than_now_is_named_by_both(started, noted, tmp_path):
    file = written(tmp_path / "records.jsonl", run_record(OLD, started), timed(OLD, 1e-3))
    lines = [line for line in notes_on_records(read([file])) if started in line]
    assert len(lines) == noted and all("one of the clocks is wrong" in line for line in lines)
    words = ["bench", "-a", "std_sort", "-n", "100", "--samples", "3", "--processes", "1", "--out", file]
    done = subprocess.run([SORTLAB, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (f"out: {file}: holds a run that began later than now" in done.stderr) == noted, done.stderr
