"""State of a process that another one has set: random addresses come back, all else is recorded and told."""

import contextlib
import ctypes
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from listed import listed, plain_sorts

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

    nice = min(19, os.nice(0) + 7)  # these tests may be polite themselves
    run, _ = bench(tmp_path / "a.jsonl", be_polite)
    assert (run["environment"]["nice"], run["environment"]["scheduler"]) == (nice, "batch")
    done = subprocess.run([SORTLAB, "doctor"], capture_output=True, text=True, timeout=60, preexec_fn=be_polite)
    assert f"scheduler: batch, nice: {nice}" in done.stdout


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


PTRACE_CONT, PTRACE_SEIZE = 7, 0x4206
WALL = 0x40000000
TRACER = shutil.which("strace")


def find_workers(process):
    """The worker processes of a run that have not ended."""
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        try:
            if b"worker" in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                yield int(child)
        except OSError:
            continue


def test_a_debugger_that_is_attached_meanwhile_disturbs(tmp_path):
    out = tmp_path / "r.jsonl"
    command = [SORTLAB, "bench", "-a", plain_sorts()[0], "-n", "2^19", "--samples", "101", "--processes", "1"]
    run = subprocess.Popen([*command, "--out", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seized = 0
    while run.poll() is None and not seized:
        for worker in find_workers(run.pid):
            time.sleep(0.3)
            seized = worker if LIBC.ptrace(PTRACE_SEIZE, worker, None, None) == 0 else 0
    while seized and run.poll() is None:  # a tracer hands signals on, and learns first that the worker has ended
        _, status = os.waitpid(seized, WALL | os.WNOHANG)
        if os.WIFSTOPPED(status):
            LIBC.ptrace(PTRACE_CONT, seized, None, os.WSTOPSIG(status))
        if os.WIFSIGNALED(status) or (status == 0 and not Path(f"/proc/{seized}").exists()):
            break
        time.sleep(0.01)
    run.wait(60)
    if not seized:
        pytest.skip("this system lets no process trace another")
    (cell,) = [record for record in map(json.loads, out.read_text().splitlines()) if record["kind"] == "measurement"]
    assert cell["traced"] is True and cell["disturbed"] is True and "a tracer, a debugger" in cell["disturbance"]


@pytest.mark.skipif(not TRACER, reason="needs strace")
def test_a_tracer_is_recorded_told_and_compared(tmp_path):
    def traced(*words):
        command = [TRACER, "-f", "-o", "/dev/null", SORTLAB, *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)

    _, plain = bench(tmp_path / "a.jsonl")
    assert plain["traced"] is False
    done = traced("bench", "-a", plain_sorts()[0], "-n", "2^16", "--samples", "3", "--out", tmp_path / "b.jsonl")
    if "ptrace" in done.stderr:
        pytest.skip("this system lets no process trace another")
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in (tmp_path / "b.jsonl").read_text().splitlines()]
    assert not [fault for fault in map(record_fault, records) if fault]
    assert records[0]["environment"]["traced"] is True and records[-1]["disturbed"] is True
    command = [SORTLAB, "compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    assert "traced differs: A false; B true" in subprocess.run(command, capture_output=True, text=True).stdout
    assert "under a tracer or debugger" in traced("doctor").stdout


@pytest.mark.parametrize("threads", [1, 2])
def test_process_numbers_of_another_namespace_blame_no_sort(threads, tmp_path):
    """/proc is that of the outer PID namespace, as in a container that sees its host's."""
    if len(os.sched_getaffinity(0)) < threads:
        pytest.skip("needs two processors")
    unshare = ["unshare", "--pid", "--fork", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode != 0:
        pytest.skip("this system makes no namespaces")
    out = tmp_path / "r.jsonl"
    parallel = [one["name"] for one in listed("algorithms") if one["runs_on"] == "host" and one["parallel"]]
    sort = plain_sorts()[0] if threads == 1 else next(name for name in parallel if "parallel" in name)
    command = [SORTLAB, "bench", "-a", sort, "-n", "2^10", "-n", "2^20", "-t", str(threads), "--samples", "5"]
    done = subprocess.run([*unshare, *command, "--out", out], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    cells = [record for record in map(json.loads, out.read_text().splitlines()) if record["kind"] == "measurement"]
    assert [cell["status"] for cell in cells] == ["ok", "ok"] and not any(map(lambda c: c.get("lost_before"), cells))


def test_a_stack_limit_is_raised_or_named(tmp_path):
    def limited(soft, hard):
        return lambda: resource.setrlimit(resource.RLIMIT_STACK, (soft << 10, hard << 10))

    for words in (["--version"], ["bench", "-a", plain_sorts()[0], "-n", "1000"]):
        done = subprocess.run([SORTLAB, *words], capture_output=True, text=True, preexec_fn=limited(128, 128))
        assert done.returncode == 2 and done.stderr == (
            "sortlab: stack: limited to 128 KiB (ulimit -s); at least 1024 KiB are needed\n"
        ), (done.returncode, done.stderr)
    run, _ = bench(tmp_path / "a.jsonl", limited(128, 8192))
    assert run["environment"]["stack_limit_bytes"] == 8 << 20
    run, _ = bench(tmp_path / "b.jsonl", limited(2048, 2048))
    assert run["environment"]["stack_limit_bytes"] == 2 << 20
    command = [SORTLAB, "compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert "stack_limit_bytes differs: A 8388608; B 2097152" in done.stdout


def test_a_stack_of_a_few_pages_is_raised_before_any_library_needs_it():
    """The environment lies on the stack, too, and the loader needs what is left: it is empty here."""

    def limited():
        resource.setrlimit(resource.RLIMIT_STACK, (20 << 10, resource.getrlimit(resource.RLIMIT_STACK)[1]))

    for _ in range(5):  # the stack begins at a random address
        done = subprocess.run([SORTLAB, "--version"], capture_output=True, text=True, preexec_fn=limited, env={})
        assert done.returncode == 0 and done.stderr == "", (done.returncode, done.stderr)


def test_a_limit_of_open_files_is_raised_or_named(tmp_path):
    """Without descriptors nothing would see a sort's threads, or what they wait for."""

    def limited(soft, hard):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    command = [SORTLAB, "bench", "-a", plain_sorts()[0], "-n", "1000", "--samples", "3"]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited(10, 10))
    assert done.returncode == 2
    assert done.stderr == "sortlab: open files: limited to 10 (ulimit -n); at least 12 are needed\n"
    _, cell = bench(tmp_path / "a.jsonl", limited(16, 4096))
    assert cell["status"] == "ok"


def test_a_worker_that_crashes_is_told_though_its_end_was_to_be_ignored(tmp_path):
    """A parent that ignores SIGCHLD passes that on, and the system then does not tell how children ended."""
    out = tmp_path / "r.jsonl"
    command = [SORTLAB, "bench", "-a", plain_sorts()[0], "-n", "2^19", "--samples", "1001", "--processes", "1"]
    ignored = lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # noqa: E731
    run = subprocess.Popen(
        [*command, "--out", out], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=ignored
    )
    while run.poll() is None:  # a worker that is found may be about to end well
        for worker in find_workers(run.pid):
            time.sleep(0.3)
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
    said = run.communicate(timeout=60)[1]
    (cell,) = [record for record in map(json.loads, out.read_text().splitlines()) if record["kind"] == "measurement"]
    assert cell["status"] == "crashed" and cell["signal"] == "SIGKILL" and run.returncode == 1, said
    done = subprocess.run([SORTLAB, "doctor"], capture_output=True, text=True, timeout=120, preexec_fn=ignored)
    assert done.returncode == 0 and "/python3" in done.stdout


def test_a_limit_of_processor_time_blames_no_sort(tmp_path):
    """The system ends the worker with SIGXCPU; the run says why, and the next one measures the cell again."""
    sweep = {"algorithms": [plain_sorts()[0]], "n": ["2^22"], "distributions": ["uniform"]}
    (tmp_path / "c.json").write_text(json.dumps({"name": "c", "protocol": {"samples": 60}, "sweeps": [sweep]}))
    out = tmp_path / "r.jsonl"
    command = [SORTLAB, "run", tmp_path / "c.json", "--out", out]
    one_second = lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, resource.RLIM_INFINITY))  # noqa: E731
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, preexec_fn=one_second)
    last = json.loads(out.read_text().splitlines()[-1])
    assert done.returncode == 1 and (last["status"], last["signal"]) == ("crashed", "SIGXCPU"), done.stderr
    assert "its processor time is limited (ulimit -t)" in last["reason"]
    planned = subprocess.run([*command, "--dry-run"], capture_output=True, text=True, timeout=120)
    assert "1 to run" in planned.stdout


def test_a_limit_of_address_space_is_named(tmp_path):
    def limited(mib):
        return lambda: resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))

    command = [SORTLAB, "bench", "-a", plain_sorts()[0], "--samples", "3", "--out", tmp_path / "r.jsonl", "-n"]
    done = subprocess.run([*command, "1000"], capture_output=True, text=True, preexec_fn=limited(300))
    assert done.returncode == 1 and done.stderr == (
        "sortlab: address space: limited to 307200 KiB (ulimit -v); at least 1048576 KiB are needed\n"
    )
    done = subprocess.run([*command, "2^20"], capture_output=True, text=True, preexec_fn=limited(1024))
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*command, "2^28"], capture_output=True, text=True, preexec_fn=limited(1024))
    last = json.loads((tmp_path / "r.jsonl").read_text().splitlines()[-1])
    assert done.returncode == 0 and (last["status"], last["reason_code"]) == ("skipped", "too_little_memory")


def test_a_limit_of_processes_is_named():
    def limited():
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        os.setuid(65534)

    if os.geteuid() != 0:
        pytest.skip("needs root, to become a user without processes")
    if subprocess.run([SORTLAB, "--version"], capture_output=True, preexec_fn=limited).returncode != 0:
        pytest.skip("no other user may run this program")
    command = [SORTLAB, "bench", "-a", plain_sorts()[0], "-n", "1000"]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited)
    assert done.returncode == 1 and "is allowed (ulimit -u, or pids.max of a control group)" in done.stderr


def test_without_proc_a_line_says_so():
    unshare = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "sh", "-c"]
    if subprocess.run([*unshare, "umount -l /proc"], capture_output=True).returncode != 0:
        pytest.skip("this system makes no namespaces")
    command = f"umount -l /proc; exec {SORTLAB} list algorithms"
    done = subprocess.run([*unshare, command], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("sortlab: /proc: does not show this process")


LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
READ_FILES_AND_FOLDERS = 1 << 2 | 1 << 3
PR_SET_NO_NEW_PRIVS = 38


def deny_reading_proc():
    """A sandbox in which all but /proc may be read. Raises OSError where the kernel has no Landlock."""
    LIBC.syscall.restype = ctypes.c_long
    handled = ctypes.c_uint64(READ_FILES_AND_FOLDERS)
    rules = LIBC.syscall(LANDLOCK_CREATE_RULESET, ctypes.byref(handled), ctypes.c_size_t(8), 0)
    if rules < 0:
        raise OSError("no Landlock")
    for folder in Path("/").iterdir():
        if folder.is_dir() and folder.name != "proc":
            beneath = struct.pack("=Qi", READ_FILES_AND_FOLDERS, os.open(folder, os.O_PATH))
            LIBC.syscall(LANDLOCK_ADD_RULE, rules, 1, beneath, 0)
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if LIBC.syscall(LANDLOCK_RESTRICT_SELF, rules, 0) != 0:
        raise OSError("no Landlock")


def test_a_sandbox_that_hides_what_threads_wait_is_told(tmp_path):
    try:
        seen = subprocess.run(["cat", "/proc/self/stat"], capture_output=True, preexec_fn=deny_reading_proc)
    except subprocess.SubprocessError:
        pytest.skip("this system has no Landlock")
    assert seen.returncode != 0
    command = [SORTLAB, "bench", "-a", plain_sorts()[0], "-n", "1000", "--out", tmp_path / "out.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=deny_reading_proc)
    assert done.returncode == 2 and "sortlab: /proc: the files in /proc/self may not be read" in done.stderr
    assert not (tmp_path / "out.jsonl").exists()


CLOCK = r"""
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The system's clocks, at a share of their rate, and shifted by seconds; another thread's clock is left alone. */
int clock_gettime(clockid_t clock, struct timespec* time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  long long ns = time->tv_sec * 1000000000LL + time->tv_nsec;
  ns = (long long)((double)ns * atof(getenv("FAKE_RATE"))) + atoll(getenv("FAKE_SHIFT")) * 1000000000LL;
  time->tv_sec = ns / 1000000000;
  time->tv_nsec = ns % 1000000000;
  return result;
}
"""


def under_a_clock(folder, rate, shift):
    """The answer of `sortlab list` where a library changes the clock."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: a library that changes the clock is not tried")
    source, library = folder / "clock.c", folder / "clock.so"
    source.write_text(CLOCK)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", source, "-o", library], check=True)
    faked = {"LD_PRELOAD": str(library), "FAKE_RATE": str(rate), "FAKE_SHIFT": str(shift)}
    return subprocess.run(
        [SORTLAB, "list", "machines"], capture_output=True, text=True, timeout=60, env={**os.environ, **faked}
    )


@pytest.mark.parametrize("rate", [0, 0.5, 0.97, 1.03, 2])
def test_a_clock_at_another_rate_is_refused(rate, tmp_path):
    done = under_a_clock(tmp_path, rate, 0)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done
    assert "clock_gettime: runs at another rate than the system's clock" in done.stderr


def test_a_clock_that_is_shifted_bends_no_time(tmp_path):
    done = under_a_clock(tmp_path, 1, 86400)
    assert done.returncode == 0, done.stderr


def test_the_handover_to_a_sort_in_a_process_of_its_own_is_no_waiting(tmp_path):
    if not any(entry["name"] == "numpy_sort" and entry["runs_here"] for entry in listed("algorithms")):
        pytest.skip("numpy_sort is not built here")
    shares = []
    for number in range(9):
        out = tmp_path / f"{number}.jsonl"
        command = [SORTLAB, "bench", "-a", "numpy_sort", "-n", "2^14", "--samples", "5", "--processes", "1"]
        done = subprocess.run([*command, "--out", out], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        (cell,) = [r for r in map(json.loads, out.read_text().splitlines()) if r["kind"] == "measurement"]
        shares.append(cell["waited_share"])
        if shares[-1] < 0.01:  # on a busy machine a sample may wait in earnest
            return
    assert min(shares) < 0.01


HALF_A_PROCESSOR = """
import os, time
os.sched_setaffinity(0, {CPU})
while True:
    end = time.monotonic() + 0.004
    while time.monotonic() < end:
        pass
    time.sleep(0.004)
"""


def test_threads_that_a_sort_ends_in_its_call_are_seen_to_wait(tmp_path):
    own_threads = "boost_block_indirect_sort"
    if not any(entry["name"] == own_threads and entry["runs_here"] for entry in listed("algorithms")):
        pytest.skip(f"{own_threads} is not built here")
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        pytest.skip("one processor: no sort runs on two threads")
    other = subprocess.Popen([sys.executable, "-c", HALF_A_PROCESSOR.replace("CPU", str(cpus[1]))])
    try:
        command = [SORTLAB, "bench", "-a", own_threads, "-n", "2^20", "--threads", "2", "--samples", "5"]
        done = subprocess.run(
            [*command, "--processes", "1", "--out", tmp_path / "out"], capture_output=True, text=True, timeout=120
        )
    finally:
        other.kill()
        other.wait()
    assert done.returncode == 0, done.stderr
    (cell,) = [r for r in map(json.loads, (tmp_path / "out").read_text().splitlines()) if r["kind"] == "measurement"]
    assert cell["disturbed"] and cell["waited_share"] > 0.02, cell
