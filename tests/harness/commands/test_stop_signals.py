"""A run that a signal ends prints one line: the kept cells, and the command that resumes the run."""

import contextlib
import fcntl
import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest

from listed import listed, plain_sorts

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
CELLS = 400  # more than are measured while a busy machine lets a test wait


def config(path, sort, cells=CELLS, n="2^16", samples=5, processes=1):
    sweep = {"algorithms": [sort], "n": [n], "seeds": list(range(cells)), "distributions": ["uniform"]}
    protocol = {"samples": samples, "processes": processes, "timeout_s": 600}
    path.write_text(json.dumps({"name": "long", "protocol": protocol, "sweeps": [sweep]}))
    return str(path)


def started(tmp_path, sort, **options):
    """A run in its own process group, as a terminal starts it, of which two cells are measured."""
    out = tmp_path / "a file.jsonl"
    command = [SORTLAB, "run", config(tmp_path / "c.json", sort), "--out", str(out)]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True, **options)
    end = time.monotonic() + 60
    while run.poll() is None and time.monotonic() < end:
        if out.exists() and out.read_bytes().count(b'"kind":"measurement"') >= 2:
            return run, out
        time.sleep(0.002)
    raise AssertionError(f"no cell was measured: {run.stderr and run.stderr.read()}")


SENT_TO_ALL = [signal.SIGUSR1, signal.SIGUSR2, signal.SIGRTMIN + 2, signal.SIGRTMAX]
SENT_TO_ONE = [signal.SIGXCPU, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGSTKFLT, signal.SIGSYS]
IGNORED_BY_WORKERS = [number for number in SENT_TO_ALL + SENT_TO_ONE if number != signal.SIGXCPU]


@pytest.mark.parametrize("number", SENT_TO_ALL + SENT_TO_ONE)
def test_warnings_and_ends_of_time_limits_end_a_run_as_sigterm_does(number, tmp_path):
    run, out = started(tmp_path, plain_sorts()[0], stderr=subprocess.PIPE, text=True)
    if number in SENT_TO_ALL:
        os.killpg(run.pid, number)
    else:  # the system sends these to one process
        run.send_signal(number)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 128 + number, told
    kept = out.read_text().count('"kind":"measurement"')
    name = f"SIGRTMIN+{number - signal.SIGRTMIN}" if number >= signal.SIGRTMIN else number.name
    stopped = f"sortlab: stopped by {name}: {kept} cells measured and 0 done before are kept in {out}, "
    assert told.splitlines()[-1].startswith(stopped), told


@pytest.mark.parametrize("number", IGNORED_BY_WORKERS)
def test_a_worker_ignores_what_ends_its_run(number, tmp_path):
    run, out = started(tmp_path, plain_sorts()[0])
    (worker,) = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    (ignored,) = [line for line in Path(f"/proc/{worker}/status").read_text().splitlines() if "SigIgn" in line]
    assert int(ignored.split()[1], 16) & 1 << (number - 1)
    os.kill(int(worker), number)
    run.terminate()
    run.wait(timeout=60)
    assert '"status":"crashed"' not in out.read_text()


FAULTS = ["SEGV", "BUS", "FPE", "ILL", "TRAP", "ABRT", "PIPE"]


def test_a_fault_that_another_process_sends_is_no_crash_of_the_sort(tmp_path):
    run, out = started(tmp_path, plain_sorts()[0])
    (worker,) = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    for name in FAULTS:
        os.kill(int(worker), signal.Signals[f"SIG{name}"])
        time.sleep(0.05)
    before = out.read_text().count('"kind":"measurement"')
    end = time.monotonic() + 60
    while time.monotonic() < end and out.read_text().count('"kind":"measurement"') < before + 2:
        time.sleep(0.01)
    assert Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split() == [worker]
    run.terminate()
    run.wait(timeout=60)
    assert '"status":"crashed"' not in out.read_text()


def test_inherited_timers_of_processor_time_and_notices_end_nothing(tmp_path):
    def set_timers():
        for timer in (signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            signal.setitimer(timer, 0.2)  # it would end the command between its start and its end

    words = ["bench", "-a", plain_sorts()[0], "-n", "2^22", "--samples", "5", "--out", tmp_path / "out.jsonl"]
    bench = subprocess.Popen([SORTLAB, *words], stdout=subprocess.DEVNULL, preexec_fn=set_timers)
    time.sleep(0.2)
    for notice in (signal.SIGIO, signal.SIGPWR):
        bench.send_signal(notice)
    assert bench.wait(timeout=60) == 0


def test_an_alarm_set_before_the_command_ends_it_in_one_line(tmp_path):
    words = [SORTLAB, "run", config(tmp_path / "c.json", plain_sorts()[0], cells=9999), "--out", tmp_path / "out"]
    run = subprocess.run(words, capture_output=True, text=True, timeout=60, preexec_fn=lambda: signal.alarm(1))
    assert run.returncode == 128 + signal.SIGALRM and "stopped by SIGALRM: " in run.stderr, run.stderr


@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT, signal.SIGTERM])
def test_ctrl_c_reaches_all_processes_and_one_answers(number, turn, tmp_path):
    numpy = next((a for a in listed("algorithms") if a["name"] == "numpy_sort"), None)
    if numpy is None or not numpy["runs_here"]:
        pytest.skip(numpy["reason"] if numpy else "numpy_sort is not in this build")
    run, out = started(tmp_path, "numpy_sort", stderr=subprocess.PIPE, text=True)
    os.killpg(run.pid, number)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 128 + number, told
    *cells, last = told.splitlines()
    assert all(line.startswith("cell ") for line in cells), told
    kept = out.read_text().count('"kind":"measurement"')
    assert last == (
        f"sortlab: stopped by {number.name}: {kept} cells measured and 0 done before are kept in {out}, "
        f"{CELLS - kept} are left; `{SORTLAB} run {tmp_path / 'c.json'} --out '{out}'` resumes"
    )


def test_signals_that_its_parent_blocks_end_a_run(tmp_path):
    def block():
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGCONT})

    run, _ = started(tmp_path, plain_sorts()[0], stderr=subprocess.PIPE, text=True, preexec_fn=block)
    workers = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    for process in [run.pid, *workers]:
        (blocked,) = [line for line in Path(f"/proc/{process}/status").read_text().splitlines() if "SigBlk" in line]
        assert not int(blocked.split()[1], 16) & 1 << (signal.SIGCONT - 1), process
    run.terminate()
    _, told = run.communicate(timeout=60)
    assert run.returncode == 128 + signal.SIGTERM, told


@pytest.mark.parametrize("signals", [1, 2])
def test_with_grace_the_cell_at_hand_ends_unless_a_second_signal_comes(signals, tmp_path):
    out = tmp_path / "out.jsonl"
    asked = config(tmp_path / "c.json", plain_sorts()[0], cells=3, n="2^17", samples=41, processes=3)
    command = [SORTLAB, "run", asked, "--out", str(out), "--grace", "60s"]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    end = time.monotonic() + 60
    while time.monotonic() < end and not (out.exists() and b'"kind":"measurement"' in out.read_bytes()):
        time.sleep(0.002)
    time.sleep(0.1)  # well into the second cell, which takes half a second or more
    for _ in range(signals):
        os.killpg(run.pid, signal.SIGTERM)
        time.sleep(0.05)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 128 + signal.SIGTERM, told
    assert out.read_text().count('"kind":"measurement"') == (2 if signals == 1 else 1), told


def test_a_worker_that_is_stopped_and_continued_again_and_again_ends_with_a_note(tmp_path):
    sweep = {"algorithms": ["std_sort"], "n": ["2^21"], "distributions": ["uniform"]}
    protocol = {"samples": 5, "processes": 1, "timeout_s": 0.5}
    (tmp_path / "c.json").write_text(json.dumps({"name": "often", "protocol": protocol, "sweeps": [sweep]}))
    out = tmp_path / "out.jsonl"
    run = subprocess.Popen([SORTLAB, "run", tmp_path / "c.json", "--out", out], stderr=subprocess.PIPE, text=True)
    children, end = Path(f"/proc/{run.pid}/task/{run.pid}/children"), time.monotonic() + 60
    while run.poll() is None and time.monotonic() < end:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # one may end meanwhile
            for worker in children.read_text().split():  # a sort takes longer than it goes on
                os.kill(int(worker), signal.SIGSTOP)
                time.sleep(0.02)
                os.kill(int(worker), signal.SIGCONT)
        time.sleep(0.02)
    ended = run.poll()
    run.kill()
    assert ended == 1, run.stderr.read()
    (cell,) = [r for r in map(json.loads, out.read_text().splitlines()) if r["kind"] == "measurement"]
    assert (cell["status"], cell["reason_code"]) == ("timeout", "stood_still")
    assert "was stopped and continued again and again by signals, and gave no sample for " in cell["reason"]


def test_a_terminal_that_goes_away_ends_a_run_with_its_status(tmp_path):
    ours, theirs = pty.openpty()

    def heed():  # a parent may ignore the signal, as nohup does
        signal.signal(signal.SIGHUP, signal.SIG_DFL)

    run, out = started(tmp_path, plain_sorts()[0], stderr=theirs, preexec_fn=heed)
    os.close(theirs)
    os.close(ours)
    run.send_signal(signal.SIGHUP)
    assert run.wait(timeout=60) == 128 + signal.SIGHUP
    assert all(json.loads(line) for line in out.read_text().splitlines())


@pytest.mark.parametrize("with_errors", [False, True])
@pytest.mark.parametrize("command", ["run", "bench"])
def test_a_reader_that_does_not_read_holds_no_signal_up(command, with_errors, tmp_path):
    out = tmp_path / "out.jsonl"
    sort = plain_sorts()[0]
    words = ["run", config(tmp_path / "c.json", sort, n="1000", samples=3)]
    if command == "bench":
        words = ["bench", "-a", sort, "--samples", "3", "--processes", "1"]
        words += [word for n in range(1000, 1400) for word in ("-n", str(n))]
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
    errors = write if with_errors else subprocess.PIPE
    run = subprocess.Popen([SORTLAB, *words, "--json", "--out", out], stdout=write, stderr=errors, text=True)
    os.close(write)
    try:
        kept, end = -1, time.monotonic() + 60
        while time.monotonic() < end:  # until the pipe is full and nothing more comes
            time.sleep(1)
            now = out.read_bytes().count(b'"kind":"measurement"') if out.exists() else 0
            if 0 < now == kept:
                break
            kept = now
        begin = time.monotonic()
        run.send_signal(signal.SIGTERM)
        assert run.wait(timeout=60) == 128 + signal.SIGTERM
        assert time.monotonic() - begin < 10
    finally:
        run.kill()
        os.close(read)
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert 0 < sum(record["kind"] == "measurement" for record in records) < 400
    if not with_errors:
        assert "standard output: its reader does not read; what was printed is not complete" in run.stderr.read()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_calibration_says_what_is_kept(number, tmp_path):
    profile = tmp_path / "profile.json"
    command = [SORTLAB, "calibrate", "--quick", "--only", "host", "--out", str(profile)]
    calibration = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    time.sleep(1)
    os.killpg(calibration.pid, number)
    _, told = calibration.communicate(timeout=60)
    assert calibration.returncode == 128 + number
    again = " ".join(map(str, command))
    samples = Path(f"{profile}.host.samples")
    kept = f"what was measured is kept in {samples}; `{again}` resumes"
    nothing = f"nothing is written; `{again}` starts over"
    assert told == f"sortlab: stopped by {number.name}: {kept if samples.exists() else nothing}\n"
    assert not profile.exists()


def test_a_sweep_says_what_is_kept(tmp_path):
    command = [SORTLAB, "tune", "--algorithm", "satish_cpu_radix", "--n", "2^16", "--vary", "digit_bits"]
    command += ["--budget", "60s", "--out", str(tmp_path)]
    records = tmp_path / "tune.jsonl"
    sweep = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    end = time.monotonic() + 60
    while sweep.poll() is None and time.monotonic() < end:
        if records.exists() and b'"kind":"measurement"' in records.read_bytes():
            break
        time.sleep(0.002)
    os.killpg(sweep.pid, signal.SIGINT)
    _, told = sweep.communicate(timeout=60)
    assert sweep.returncode == 128 + signal.SIGINT, told
    again = " ".join(map(str, command))
    kept = f"sortlab: stopped by SIGINT: what was measured is kept in {records}; `{again}` resumes"
    assert told.splitlines()[-1] == kept


@pytest.mark.parametrize("kept", [True, False])
def test_a_bench_says_in_one_line_that_it_starts_over(kept, tmp_path):
    out = tmp_path / "out.jsonl"
    # One process a cell: from several, the first line would come after most of the work on all cells.
    command = [SORTLAB, "bench", "--algorithm", plain_sorts()[0], "--n", "2^18", "--samples", "41", "--json"]
    command += ["--processes", "1"]
    command += [word for seed in range(1, 41) for word in ("--seed", str(seed))] + (["--out", str(out)] if kept else [])
    bench = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    first = bench.stdout.readline()
    os.killpg(bench.pid, signal.SIGINT)
    rest, told = bench.communicate(timeout=60)
    assert bench.returncode == 128 + signal.SIGINT, told
    measured = len((first + rest).splitlines())
    assert told == (
        f"sortlab: stopped by SIGINT: {measured} cells measured{f' are kept in {out}' if kept else ''}, "
        f"{40 - measured} are left; `{' '.join(map(str, command))}` starts over\n"
    )


def test_an_interrupted_count_leaves_no_files_and_no_tool(tmp_path):
    tool = tmp_path / "valgrind"
    tool.write_text('#!/bin/sh\n[ "$1" = --version ] && echo valgrind-3.19.0 && exit\nexec sleep 1000\n')
    tool.chmod(0o755)
    files = tmp_path / "files"
    files.mkdir()
    command = [SORTLAB, "count", "-a", plain_sorts()[0], "-n", "1000", "--valgrind", str(tool)]
    count = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(files)},
    )
    tools = []
    end = time.monotonic() + 60
    while time.monotonic() < end and not tools:
        found = Path(f"/proc/{count.pid}/task/{count.pid}/children").read_text().split()
        tools = [child for child in found if b"sleep" in Path(f"/proc/{child}/cmdline").read_bytes()]
        time.sleep(0.01)
    assert len(list(files.iterdir())) == 2, "the exchanged files, and the tool's"
    os.kill(count.pid, signal.SIGINT)
    _, told = count.communicate(timeout=60)
    assert count.returncode == 128 + signal.SIGINT, told
    assert told.splitlines()[-1].startswith("sortlab: stopped by SIGINT: nothing is kept; "), told
    assert not list(files.iterdir())
    assert not Path(f"/proc/{tools[0]}").exists()


def test_an_interrupted_bench_says_what_is_kept_and_that_it_starts_over(tmp_path):
    out = tmp_path / "out.jsonl"
    sizes = [word for n in range(40) for word in ("-n", str(2**17 + n))]
    command = [SORTLAB, "bench", "-a", plain_sorts()[0], *sizes, "--samples", "5", "--out", str(out)]
    bench = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while time.monotonic() < end and not (out.exists() and b'"kind":"measurement"' in out.read_bytes()):
        time.sleep(0.002)
    bench.send_signal(signal.SIGINT)
    _, told = bench.communicate(timeout=60)
    kept = out.read_text().count('"kind":"measurement"')
    assert bench.returncode == 128 + signal.SIGINT, told
    assert told.startswith(
        f"sortlab: stopped by SIGINT: {kept} cells measured are kept in {out}, {40 - kept} are left; `"
    )
    assert told.endswith("` starts over\n") and told.count("\n") == 1 and "budget" not in told


@pytest.mark.parametrize("target", ["/dev/full", "/proc/none/p.json", "folder"])
def test_a_calibration_that_could_not_be_written_measures_nothing(target, tmp_path):
    (tmp_path / "folder").mkdir()
    command = [SORTLAB, "calibrate", "--quick", "--only", "host", "--out", tmp_path / target]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert done.returncode == 2 and done.stdout == "", done.stdout
    assert done.stderr.startswith(f"sortlab: out: cannot write '{tmp_path / target}': "), done.stderr
    assert done.stderr.endswith("; nothing was measured\n") and done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_an_interrupted_calibration_goes_on_with_its_samples(tmp_path):
    profile = tmp_path / "profile.json"
    samples = Path(f"{profile}.host.samples")
    command = [SORTLAB, "calibrate", "--quick", "--probe", "streams", "--out", str(profile)]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 120
    while time.monotonic() < end and not (samples.exists() and samples.read_bytes().count(b'"value"') > 10):
        time.sleep(0.01)
    first.send_signal(signal.SIGINT)
    _, told = first.communicate(timeout=60)
    assert first.returncode == 128 + signal.SIGINT, told
    again = " ".join(map(str, command))
    *progress, last = told.splitlines()
    assert last == f"sortlab: stopped by SIGINT: what was measured is kept in {samples}; `{again}` resumes"
    assert all(
        line.startswith("calibrating the host: ") for line in progress
    )  # a calibration of more than 30 s shows them
    assert not profile.exists()
    kept = samples.read_text().splitlines()
    second = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while second.poll() is None and time.monotonic() < end:  # at its end it removes the file
        now = samples.read_text().splitlines() if samples.exists() else kept
        assert now[: len(kept)] == kept, "it goes on with the same file"
        if len(now) > len(kept):
            break
    _, told = second.communicate(timeout=180)
    assert second.returncode == 0 and told.startswith(f"going on with the samples of {samples} after "), told
    assert json.loads(profile.read_text())["tables"] and not samples.exists()
