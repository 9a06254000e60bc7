"""The user's variables: those that would bend times do nothing, and those that a site needs do all they did."""

import json
import os
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
from refused_calls import refusing, refusing_library  # noqa: E402

HOSTILE = {
    "BENCHMARK_REPETITIONS": "2",
    "BENCHMARK_FILTER": "nothing",
    "BENCHMARK_DRY_RUN": "true",
    "BENCHMARK_ENABLE_RANDOM_INTERLEAVING": "true",
    "OMP_PROC_BIND": "close",
    "OMP_PLACES": "cores",
    "OMP_DYNAMIC": "true",
    "OMP_THREAD_LIMIT": "1",
    "OMP_NUM_THREADS": "1",
    "GOMP_CPU_AFFINITY": "0",
    "KMP_AFFINITY": "compact",
    "MALLOC_PERTURB_": "7",
    "MALLOC_ARENA_MAX": "1",
    "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
    "CUDA_LAUNCH_BLOCKING": "1",
    "CUDA_MODULE_LOADING": "EAGER",
    "CUDA_DEVICE_MAX_CONNECTIONS": "1",
    "PYTHONMALLOC": "debug",
}
SITE = {
    "NCCL_NVLS_ENABLE": "0",
    "NCCL_SOCKET_IFNAME": "eth0",
    "NVSHMEM_DISABLE_CUDA_VMM": "1",
    "TORCH_SYMM_MEM_DISABLE_MULTICAST": "1",
    "UCX_TLS": "tcp",
    "OMPI_MCA_btl": "tcp,self",
    "PMIX_RANK": "0",
    "SLURM_JOB_ID": "7",
    "CUDA_VISIBLE_DEVICES": "0",
    "LD_LIBRARY_PATH": "/nonexistent/lib",
    "LC_ALL": "C.UTF-8",
    "https_proxy": "http://somebody:secret@proxy:8080",
}
CPUS = len(os.sched_getaffinity(0))


def sortlab(*arguments, variables=None, **options):
    environment = {**os.environ, **(variables or {})}
    return subprocess.run(
        [SORTLAB, *arguments], capture_output=True, text=True, timeout=300, env=environment, **options
    )


def bench(tmp_path, *arguments, variables=None):
    """The run record and the measurements of a run, whose status is 0."""
    out = tmp_path / f"{time.monotonic_ns()}.jsonl"
    told = sortlab("bench", *arguments, "--samples", "6", "--out", str(out), variables=variables)
    assert told.returncode == 0, told.stderr
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert not [fault for fault in map(record_fault, records) if fault]
    (run,) = [record for record in records if record["kind"] == "run"]
    return run, [record for record in records if record["kind"] == "measurement"]


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.startswith("BENCHMARK_")])
def test_no_variable_of_google_benchmark_bends_a_time(name, tmp_path):
    sort = plain_sorts()[0]
    _, (without,) = bench(tmp_path, "-a", sort, "-n", "2^16")
    _, (hostile,) = bench(tmp_path, "-a", sort, "-n", "2^16", variables={name: HOSTILE[name]})
    assert hostile["status"] == "ok" and hostile["verification"]["order"] is True
    assert hostile["median_s"] < 10 * without["median_s"], "of a coefficient of variation, or of sorted keys"
    assert hostile["median_s"] > without["median_s"] / 10


@pytest.mark.skipif(CPUS < 2, reason="one processor")
@pytest.mark.parametrize(
    "name", ["OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "OMP_DYNAMIC", "OMP_THREAD_LIMIT"]
)
def test_no_variable_of_openmp_takes_threads_away(name, tmp_path):
    sorts = [
        entry["name"]
        for entry in listed("algorithms")
        if entry["runs_on"] == "host" and entry["runs_here"] and entry["parallel"]
        if entry["origin"] == "peer" and "u32" in entry["keys"] and not entry["parameters"]
    ]
    names = [word for sort in sorts for word in ("-a", sort)]
    run, measured = bench(tmp_path, *names, "-n", "2^19", "-t", "2", variables={name: HOSTILE[name]})
    assert len(measured) == len(sorts) > 0
    for record in measured:
        assert (record["status"], record["reason"]) == ("ok", None), record["case"]["algorithm"]
    assert run["environment"]["affinity"] == sorted(os.sched_getaffinity(0))
    assert name in run["environment"]["variables"]["dropped"]


def test_a_variable_that_the_c_library_read_before_is_forgotten_too(tmp_path):
    """glibc fills freed memory for MALLOC_PERTURB_; the program starts anew, with its arguments and its affinity."""
    told = sortlab("doctor", "--json", variables={"MALLOC_PERTURB_": "7", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2"})
    assert told.returncode == 0, told.stderr
    (finding,) = [line for line in map(json.loads, told.stdout.splitlines()) if line["what"] == "environment"]
    assert finding["good"] and finding["detail"].endswith(": GLIBC_TUNABLES, MALLOC_PERTURB_")
    one = {min(os.sched_getaffinity(0))}
    os_affinity = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, one)
        run, _ = bench(tmp_path, "-a", plain_sorts()[0], "-n", "1000", variables=HOSTILE)
    finally:
        os.sched_setaffinity(0, os_affinity)
    assert run["environment"]["affinity"] == sorted(one)
    assert run["asked"]["command"][0] == str(SORTLAB) and run["asked"]["command"][1] == "bench"


def test_doctor_and_the_run_name_what_was_dropped_and_what_goes_through(tmp_path):
    run, _ = bench(tmp_path, "-a", plain_sorts()[0], "-n", "1000", variables=HOSTILE | SITE)
    variables = run["environment"]["variables"]
    assert set(HOSTILE) <= set(variables["dropped"])
    assert not set(HOSTILE) & set(variables["passed"])
    assert set(SITE) <= set(variables["passed"])
    assert variables["passed"]["NCCL_NVLS_ENABLE"] == "0"
    assert variables["passed"]["CUDA_VISIBLE_DEVICES"] == "0"
    assert variables["passed"]["LC_ALL"] == "C.UTF-8"
    for name in ("SLURM_JOB_ID", "https_proxy", "LD_LIBRARY_PATH", "NCCL_SOCKET_IFNAME", "PATH", "HOME"):
        assert variables["passed"][name] is None, "a name, a folder or a secret"
    told = sortlab("doctor", variables=HOSTILE | SITE)
    (line,) = [line for line in told.stdout.splitlines() if "environment" in line.split()[:2]]
    assert all(name in line for name in HOSTILE) and "NCCL" not in line
    assert "secret" not in told.stdout + json.dumps(run)


def test_a_preloaded_library_is_told(tmp_path):
    library = next((path for path in Path("/usr/lib").rglob("libpthread.so.0")), None)
    if library is None:
        pytest.skip("no library that changes nothing")
    run, _ = bench(tmp_path, "-a", plain_sorts()[0], "-n", "1000", variables={"LD_PRELOAD": str(library)})
    assert run["environment"]["variables"]["passed"]["LD_PRELOAD"] == library.name
    told = sortlab("doctor", "--json", variables={"LD_PRELOAD": str(library)})
    (finding,) = [line for line in map(json.loads, told.stdout.splitlines()) if line["what"] == "environment"]
    assert not finding["good"] and library.name in finding["detail"] and finding["cost"]
    files = sorted(tmp_path.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    bench(tmp_path, "-a", plain_sorts()[0], "-n", "1000")
    without = next(path for path in tmp_path.glob("*.jsonl") if path not in files)
    told = sortlab("compare", str(without), str(files[0]), "--json")
    summary = json.loads(told.stdout.splitlines()[-1])
    assert f"preloaded libraries differ: A none; B {library.name}" in summary["notes"]


@pytest.mark.skipif(CPUS < 2, reason="one processor")
def test_a_system_that_refuses_to_bind_threads_disturbs_every_cell(tmp_path):
    variables = refusing(refusing_library(tmp_path), "sched_setaffinity:1")
    _, one_thread = bench(tmp_path, "-a", plain_sorts()[0], "-n", "2^16", variables=variables)
    _, two_threads = bench(tmp_path, "-a", "msd_radix_cpu", "-n", "2^18", "-t", "2", variables=variables)
    for record in (*one_thread, *two_threads):
        assert record["status"] == "ok", record["reason"]
        assert record["affinity_held"] is False and record["disturbed"] is True
        assert record["disturbance"].startswith("the system did not bind its threads to the processors")
        assert record["case"]["affinity"] == sorted(os.sched_getaffinity(0)), "where it may have run"
    told = sortlab("doctor", "--json", variables=variables)
    (finding,) = [line for line in map(json.loads, told.stdout.splitlines()) if line["what"] == "cores"]
    assert not finding["good"] and finding["detail"].endswith("to which the system does not bind threads")
    _, (bound,) = bench(tmp_path, "-a", plain_sorts()[0], "-n", "2^16")
    assert bound["affinity_held"] is True and bound["case"]["affinity"] == [min(os.sched_getaffinity(0))]


@pytest.mark.parametrize("error, name", [(1, "Operation not permitted"), (38, "Function not implemented")])
def test_a_system_that_does_not_tell_the_processors_is_named(tmp_path, error, name):
    variables = refusing(refusing_library(tmp_path), f"sched_getaffinity:{error}")
    command = [SORTLAB, "bench", "-a", plain_sorts()[0], "-n", "1000"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60)
    refused = f"sortlab: processors: sched_getaffinity is refused ({name}); let it through (seccomp)\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", refused)


def read_environment(pid):
    text = Path(f"/proc/{pid}/environ").read_bytes().decode()
    return dict(variable.split("=", 1) for variable in text.split("\0") if "=" in variable)


def environment_of_measuring(command, folder):
    """The environment that the first worker of a command was started with, or the command, if it measures itself."""
    variables = {**os.environ, **HOSTILE, **SITE, "MY_OWN": "1"}
    with subprocess.Popen(
        [SORTLAB, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=variables, cwd=folder
    ) as program:
        try:
            end = time.monotonic() + 60
            while time.monotonic() < end and program.poll() is None:
                if command[0] == "calibrate" and "SORTLAB_DROPPED" in read_environment(program.pid):
                    return read_environment(program.pid)
                for child in Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split():
                    try:
                        words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
                        if b"worker" in words and "SORTLAB_DROPPED" in read_environment(child):
                            return read_environment(child)
                    except FileNotFoundError:
                        pass
                time.sleep(0.005)
            raise AssertionError(f"no worker was started: {program.stderr.read()}")
        finally:
            program.kill()


def commands(tmp_path):
    sort = plain_sorts()[0]
    here = [entry for entry in listed("components") if entry["runs_here"]]
    config = tmp_path / "c.json"
    sweep = {"algorithms": [sort], "n": ["2^20"], "distributions": ["uniform"]}
    config.write_text(json.dumps({"name": "c", "sweeps": [sweep], "protocol": {"samples": 50}}))
    made = {
        "bench": ["bench", "-a", sort, "-n", "2^20", "--samples", "50"],
        "run": ["run", str(config), "--out", str(tmp_path / "run.jsonl")],
        "calibrate": ["calibrate", "--quick", "--probe", "streams", "--out", str(tmp_path / "p.json")],
        "tune": ["tune", "-a", "satish_cpu_radix", "-n", "2^18", "--budget", "20s", "--out", str(tmp_path)],
    }
    for one in here[:1]:
        made["component"] = ["bench", "-a", one["algorithm"], "--component", one["name"], "-n", "2^18"]
    return made


@pytest.mark.parametrize("command", ["bench", "component", "run", "tune", "calibrate"])
def test_what_a_site_needs_reaches_every_worker(command, tmp_path):
    """On some hosts NCCL_NVLS_ENABLE=0 keeps the GPUs alive."""
    made = commands(tmp_path)
    if command not in made:
        pytest.skip("no component runs here")
    found = environment_of_measuring(made[command], tmp_path)
    assert {name: found.get(name) for name in SITE} == SITE
    assert found["PATH"] == os.environ["PATH"]
    if command == "calibrate":  # it measures within its own process
        assert set(found) & set(HOSTILE) == {"PYTHONMALLOC"}
        return
    assert set(found) & set(HOSTILE) == {"GLIBC_TUNABLES"}
    assert found["GLIBC_TUNABLES"] == "glibc.malloc.hugetlb=1", "Sortlab's own"
    assert "MY_OWN" not in found
