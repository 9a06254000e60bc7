"""Standard streams that are closed, full or without a buffer: no output goes into a file of records, and no command
that lost some of its output ends with status 0."""

import errno
import fcntl
import json
import os
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
EXAMPLES = ROOT / "tests/data/example_records.jsonl"
KEPT = ROOT / "results/reference/amd-epyc-zen5-2c-925e87e7"
HOST = ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/profile_cpu.json"
BENCH = ["bench", "-a", "std_sort", "-n", "100", "-n", "200", "--samples", "1"]
PREDICT = ["predict", "-a", "satish_cpu_radix", "-n", "1000", "--machine", "core_i7"]
ENVIRONMENT = {**os.environ, "SORTLAB_PYTHON": sys.executable, "SORTLAB_ROOT": str(ROOT)}
SUBMIT = ["submit", EXAMPLES, "--profile", KEPT / "profile.json", "--aa", EXAMPLES, EXAMPLES]


def shell(words, redirections, environment=ENVIRONMENT, cwd=None, kept=()):
    """Runs the program with redirections of a shell: `>&-`. It has the `kept` files, too."""
    command = ["bash", "-c", f'"$@" {redirections}', "bash", SORTLAB, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, env=environment, cwd=cwd, pass_fds=kept)


def read_lines(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_what_is_printed_does_not_go_into_the_records(closed, more, tmp_path):
    out = tmp_path / "out.jsonl"
    done = shell([*BENCH, *more, "--out", out], closed)
    assert done.returncode == 0, done.stderr
    made = read_lines(out)
    assert [r["status"] for r in made if r["kind"] == "measurement"] == ["ok", "ok"]
    assert shell(["compare", out, out], "").returncode == 0


@pytest.mark.parametrize("redirection", [">> {}", "2>> {}", "> {} 2>&1"])
@pytest.mark.parametrize("out", ["{}", "/dev/stdout", "link"])
def test_records_do_not_go_where_a_stream_goes(redirection, out, tmp_path):
    """The table would stand between the records, or in place of the first of them."""
    file = tmp_path / "r.jsonl"
    (tmp_path / "link").symlink_to(file)
    if out == "/dev/stdout" and redirection.startswith("2"):
        out = "/dev/stderr"
    done = shell([*BENCH, "--out", out.format(file)], redirection.format(file), cwd=tmp_path)
    assert done.returncode == 2 and b'"kind"' not in file.read_bytes()
    assert b"give another --out" in file.read_bytes() + done.stderr.encode()


def test_a_pipe_gets_records_or_a_table_not_both(tmp_path):
    done = shell([*BENCH, "--out", "/dev/stdout"], "| cat; exit ${PIPESTATUS[0]}")
    assert done.returncode == 2 and done.stdout == "" and "--json to print the records" in done.stderr, done
    one = tmp_path / "one.jsonl"
    one.write_text(EXAMPLES.read_text())
    done = shell(["merge", one, one, "--out", "/dev/stdout"], "| cat; exit ${PIPESTATUS[0]}")
    assert done.returncode == 0 and "duplicates left out" in done.stderr, done
    assert [json.loads(line) for line in done.stdout.splitlines()] == read_lines(one)


def test_a_reader_that_leaves_does_not_end_a_run_whose_records_go_to_a_file(tmp_path):
    out = tmp_path / "r.jsonl"
    sizes = [word for n in range(1000, 1020) for word in ("-n", n)]
    words = ["bench", "-a", "std_sort", *sizes, "--samples", "1", "--json", "--out", out]
    done = shell(words, "| head -n 1 > /dev/null; exit ${PIPESTATUS[0]}")
    assert done.returncode == 1 and "standard output: Broken pipe; what was printed is not complete" in done.stderr
    assert sum(record["kind"] == "measurement" for record in read_lines(out)) == 20


def test_a_run_and_a_tuning_with_all_streams_closed(tmp_path):
    config = {"name": "c", "sweeps": [{"algorithms": ["std_sort"], "n": [100], "distributions": ["uniform"]}]}
    (tmp_path / "c.json").write_text(json.dumps(config))
    out = tmp_path / "out.jsonl"
    assert shell(["run", tmp_path / "c.json", "--out", out], "<&- >&- 2>&-").returncode == 0
    assert read_lines(out)[-1]["status"] == "ok"
    root = tmp_path / "root"
    for folder in ("configs", "models/machines"):
        (root / folder).mkdir(parents=True)
    environment = {**ENVIRONMENT, "SORTLAB_ROOT": str(root), "XDG_DATA_HOME": str(tmp_path / "home")}
    words = ["tune", "--algorithm", "satish_cpu_radix", "--n", "2^10", "--vary", "digit_bits", "--budget", "30s"]
    assert shell(words, "<&- >&- 2>&-", environment).returncode == 0
    assert list((tmp_path / "home").rglob("tuned.json"))


PRINTING = {
    "help": ["--help"],
    "help of a command": ["bench", "--help"],
    "version": ["--version"],
    "list": ["list", "algorithms"],
    "list --json": ["list", "algorithms", "--json"],
    "doctor": ["doctor"],
    "bench": BENCH,
    "bench --json": [*BENCH, "--json"],
    "predict": PREDICT,
    "predict --json": [*PREDICT, "--json"],
    "what-if": ["what-if", "-a", "satish_cpu_radix", "-n", "2^20", "--machine", HOST],
    "compare": ["compare", EXAMPLES, EXAMPLES],
    "compare --json": ["compare", EXAMPLES, EXAMPLES, "--json"],
    "merge": ["merge", EXAMPLES, "--out", "OUT"],
    "run --dry-run": ["run", "configs/smoke.json", "--dry-run", "--out", "OUT"],
    "export": ["export", "--format", "csv", KEPT / "accuracy.jsonl"],
    "export --help": ["export", "--help"],
    "fastest": ["fastest", "--records", KEPT / "algorithms.jsonl", KEPT / "cpu2026.jsonl"],
    "explore --help": ["explore", "--help"],
    "check --help": ["check", "--help"],
    "import": ["import", "--format", "google-benchmark", "THEIRS"],
}


# Python alone heeds the variable.
IN_PYTHON = ["export", "export --help", "fastest", "explore --help", "check --help", "import"]


@pytest.mark.parametrize("name, unbuffered", [(name, "") for name in PRINTING] + [(name, "1") for name in IN_PYTHON])
def test_output_that_is_lost_is_no_success(name, unbuffered, tmp_path):
    (tmp_path / "theirs.json").write_text('{"context": {}, "benchmarks": [{"name": "a", "real_time": 1.0}]}')
    places = {"OUT": tmp_path / "out.jsonl", "THEIRS": tmp_path / "theirs.json"}
    words = [places.get(word, word) if isinstance(word, str) else word for word in PRINTING[name]]
    environment = {**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered}
    done = shell(words, "> /dev/full", environment)
    assert done.returncode not in (0, 134, 139), done.stderr
    assert done.stderr.count("standard output: ") == 1 and "Traceback" not in done.stderr, done.stderr
    assert shell(words, "> /dev/null", environment).returncode == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_disk_that_fills_up_in_the_middle_is_no_success(unbuffered, tmp_path):
    """A write that is cut short is not yet an error, but what follows is."""
    environment = {**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered, "PYTHONDONTWRITEBYTECODE": "1"}
    for words in (["export", "--format", "csv", KEPT / "accuracy.jsonl"], ["list", "algorithms", "--json"]):
        command = ["bash", "-c", f'ulimit -f 16; "$@" > {tmp_path}/out', "bash", SORTLAB, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, env=environment, check=False)
        assert (tmp_path / "out").stat().st_size == 16384
        assert done.returncode == 1 and done.stderr.count(os.strerror(errno.EFBIG)) == 1, done.stderr


def test_a_run_goes_on_where_its_output_is_lost_and_its_records_are_not(tmp_path):
    out = tmp_path / "out.jsonl"
    done = shell([*BENCH, "--json", "--out", out], "> /dev/full")
    assert done.returncode == 1 and "what was printed is not complete" in done.stderr
    assert [r["status"] for r in read_lines(out) if r["kind"] == "measurement"] == ["ok", "ok"]


@pytest.mark.parametrize("words", [BENCH, ["bench", "-a", "none"], ["export", "--format", "csv", "none.jsonl"]])
def test_messages_that_are_lost_change_no_status(words):
    expected = shell(words, "2> /dev/null").returncode
    assert shell(words, "2> /dev/full").returncode == expected in (0, 2)


NOTED = {
    "merge": ["merge", "TORN", "--out", "OUT"],
    "compare": ["compare", "TORN", EXAMPLES],
    "bench": [*BENCH, "--out", "OUT"],
    "run": ["run", "CONFIG", "--out", "OUT"],
    "export": ["export", "--format", "csv", "TORN"],
    "a wrong option": ["bench", "-a", "none"],
}


@pytest.mark.parametrize("name", NOTED)
def test_notes_that_cannot_be_printed_cost_nothing_else(name, tmp_path):
    """Standard error is closed, full, or a pipe whose reader has left."""
    torn, config, out = tmp_path / "torn.jsonl", tmp_path / "config.json", tmp_path / "out.jsonl"
    torn.write_text(EXAMPLES.read_text()[:-200])
    sweep = {"algorithms": ["std_sort"], "n": [100], "distributions": ["uniform"]}
    config.write_text(json.dumps({"name": "c", "protocol": {"samples": 1, "processes": 1}, "sweeps": [sweep]}))
    places = {"TORN": torn, "CONFIG": config, "OUT": out}
    words = [places.get(word, word) if isinstance(word, str) else word for word in NOTED[name]]
    read, write = os.pipe()
    os.close(read)
    seen = set()
    for lost in ("2> /dev/null", "2>&-", "2> /dev/full", f"2>&{write}"):
        out.unlink(missing_ok=True)
        done = shell(words, lost, kept=(write,))
        written = [record["kind"] for record in read_lines(out)] if out.exists() else []
        printed = done.stdout if name in ("merge", "compare", "export") else len(done.stdout.splitlines())
        seen.add((done.returncode, printed, tuple(written)))
    os.close(write)
    assert len(seen) == 1, seen
    assert seen.pop()[0] == (2 if name == "a wrong option" else 0)


@pytest.mark.parametrize("module", ["render", "explore", "check_validation", "check"])
def test_python_started_with_closed_streams_writes_none_of_its_output_into_files(module, tmp_path):
    """File 1 would be the first file that is opened: a page of the report, say."""
    out = tmp_path / "out"
    records = [KEPT / "accuracy.jsonl", KEPT / "algorithms.jsonl"]
    words = {
        "render": ["plots/render.py", "--records", *records, "--figure", "SAT-T1", "--out", out],
        "explore": ["plots/explore.py", "--records", *records, "--out", out],
        "check_validation": ["plots/check_validation.py", "--help"],
        "check": ["-m", "plots.check", "--help"],
    }[module]
    command = ["bash", "-c", '"$@" <&- >&- 2>&-', "bash", sys.executable, *map(str, words)]
    done = subprocess.run(command, timeout=240, cwd=ROOT, check=False)
    assert done.returncode == 0
    for file in out.rglob("*.html") if out.exists() else ():
        assert file.read_text().startswith("<!DOCTYPE html>") or file.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    "words", [["plots/render.py", "--help"], ["plots/explore.py", "--help"], ["-m", "plots.check", "-h"]]
)
def test_python_alone_tells_of_lost_output(words):
    command = ["bash", "-c", '"$@" > /dev/full', "bash", sys.executable, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, cwd=ROOT, check=False)
    assert done.returncode == 1 and done.stderr.count("No space left on device") == 1, done.stderr


LISTED = ["list", "algorithms", "--json"]
EXPORTED = ["export", "--format", "csv", KEPT / "accuracy.jsonl"]


@pytest.mark.parametrize("words, unbuffered", [(LISTED, ""), (EXPORTED, ""), (EXPORTED, "1"), (["run", "--help"], "")])
def test_a_slow_reader_of_a_pipe_that_does_not_wait_gets_everything(words, unbuffered):
    environment = {**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered}
    expected = shell(words, "", environment).stdout
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(write, False)
    process = subprocess.Popen([SORTLAB, *words], stdout=write, stderr=subprocess.PIPE, env=environment)
    os.close(write)
    held, end = 0, time.monotonic() + 60
    while held < 4096 and process.poll() is None and time.monotonic() < end:  # until the pipe is full
        held = struct.unpack("i", fcntl.ioctl(read, termios.FIONREAD, bytes(4)))[0]
        time.sleep(0.01)
    time.sleep(0.1)  # and a further write has found it so
    with open(read, encoding="utf-8") as reader:
        text = reader.read()
    assert process.wait(timeout=60) == 0 and process.stderr.read() == b""
    assert len(text) > 4096 or words[0] == "run"
    assert text == expected


def test_a_reader_may_leave_a_pipe():
    done = shell(["export", "--format", "csv", KEPT / "accuracy.jsonl"], "| head -1")
    assert done.stderr == "" and done.stdout.count("\n") == 1
