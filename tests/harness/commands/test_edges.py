"""Values at the edge, from the command line: inputs whose work would grow without bound, arrays of no elements, numbers
written in other ways, one input by two names; and messages that name what to change."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plots.commands import start

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
ENVIRONMENT = {**os.environ, "SORTLAB_ROOT": str(ROOT), "SORTLAB_PYTHON": sys.executable}


def sortlab(*words, cwd=None, **environment):
    return subprocess.run(
        [SORTLAB, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=cwd,
        env={**ENVIRONMENT, **environment},
    )


def processor_seconds():
    """Time that ended child processes have worked, which neighbours hardly lengthen."""
    used = os.times()
    return used.children_user + used.children_system


def extremes():
    """Each distribution with each of its numbers at the least and at the largest that is allowed."""
    for distribution in json.loads(sortlab("list", "distributions", "--json").stdout):
        if any("text" in parameter for parameter in distribution["parameters"]):
            continue  # needs a file: test_key_files.py
        for parameter in distribution["parameters"]:
            for number in parameter.get("range", ()):
                yield f"{distribution['name']}:{parameter['name']}={int(number)}"


def test_a_small_input_is_made_in_seconds_whatever_its_parameters():
    """Or it is refused. The longest key of a string has 256 MiB, which take longest."""
    settings = list(extremes())
    assert len(settings) > 60
    for setting in settings:
        for kind in (["-a", "std_sort", "-k", "u64"], ["-a", "std_string_sort", "-k", "string"]):
            begin = processor_seconds()
            once = ["--samples", "1", "--processes", "1"]  # each process makes the input's tables
            done = sortlab("bench", *kind, "-n", "0", "-n", "1", "-n", "100", *once, "-d", setting)
            assert done.returncode == 0, f"{setting}: {done.stderr}"
            assert processor_seconds() - begin < 30, setting


@pytest.mark.parametrize("setting", ["nearly_sorted:swaps=1000000000000", "runs:runs=1000000000"])
def test_a_prediction_of_a_small_input_ends(setting):
    begin = time.monotonic()
    done = sortlab("predict", "-a", "satish_cpu_radix", "-n", "100", "--machine", "core_i7", "-d", setting)
    assert time.monotonic() - begin < 5
    if "swaps" in setting:
        assert done.returncode == 2 and "swaps=1000000000000 is too many for 100 keys; allowed: 0 to " in done.stderr
    else:
        assert done.returncode == 0, done.stderr


def test_no_elements():
    profile = ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/profile_cpu.json"
    done = sortlab("what-if", "-a", "satish_cpu_radix", "-n", "0", "--machine", profile)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith("sortlab: n: 0 elements take no time")
    for words in (["predict", "-a", "satish_cpu_radix", "--machine", "core_i7"], ["bench", "-a", "std_sort"]):
        done = sortlab(*words, "-n", "0")
        assert done.returncode == 0 and "nan" not in done.stdout and "inf" not in done.stdout, done.stdout


def config(folder, **sweep):
    made = {"name": "c", "sweeps": [{"algorithms": ["std_sort"], "n": [100], "distributions": ["uniform"], **sweep}]}
    (folder / "c.json").write_text(json.dumps(made))
    return folder / "c.json"


def planned(file, folder):
    done = sortlab("run", file, "--dry-run", "--json", "--out", folder / "none.jsonl")
    assert done.returncode == 0, done.stderr
    return [json.loads(line)["case"] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("n, whole", [("500e6", 500_000_000), ("1e3", 1000), ("1000.0", 1000), ('"5e8"', 500_000_000)])
def test_a_number_may_be_written_with_an_exponent_or_a_point(n, whole, tmp_path):
    file = config(tmp_path, n=["N"])
    file.write_text(file.read_text().replace('"N"', n))
    assert [case["n"] for case in planned(file, tmp_path)] == [whole]


def test_so_may_a_parameter(tmp_path):
    file = config(tmp_path, algorithms=[{"name": "satish_cpu_radix", "parameters": {"digit_bits": 8.0}}], threads=[1e0])
    assert [case["parameters"]["digit_bits"] for case in planned(file, tmp_path)] == [8]


@pytest.mark.parametrize("n", [1.5, 1e300, -1.0])
def test_other_numbers_are_refused(n, tmp_path):
    done = sortlab("run", config(tmp_path, n=[n]), "--dry-run")
    assert done.returncode == 2 and "allowed: 0 to 2^40" in done.stderr


@pytest.mark.parametrize("option, most", [("--processes", 1000), ("--samples", 1_000_000)])
def test_examples_of_a_message_are_values_that_it_allows(option, most):
    done = sortlab("bench", "-a", "std_sort", "-n", "1000", option, "0")
    assert done.returncode == 2 and done.stderr.endswith(f"'0' is not allowed; allowed: 1 to {most}\n"), done.stderr
    assert "as 1000003, 2^24, 64M" in sortlab("bench", "-a", "std_sort", "-n", "x").stderr


def test_a_key_twice_is_refused_with_its_place(tmp_path):
    file = config(tmp_path)
    file.write_text(file.read_text().replace('"n": [100]', '"n": [100], "n": [200]'))
    done = sortlab("run", file, "--dry-run")
    assert done.returncode == 2 and f"{file}: sweeps[0].n: is there twice; allowed: once" in done.stderr, done.stderr


def test_a_config_may_begin_with_a_byte_order_mark(tmp_path):
    file = config(tmp_path)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert len(planned(file, tmp_path)) == 1


@pytest.mark.parametrize(
    "names, cells",
    [
        (["uniform", "uniform:range_bits=32"], {"uniform"}),
        (["uniform:range_bits=31"], {"uniform:range_bits=31"}),
        (["sorted:range_bits=32", "sorted"], {"sorted"}),
        (["zipf:theta=0.75,distinct=100", "zipf"], {"zipf:theta=0.75"}),
        (["zipf:distinct=99"], {"zipf:theta=0.75,distinct=99"}),
    ],
)
def test_one_input_is_one_cell(names, cells, tmp_path):
    cases = planned(config(tmp_path, distributions=names), tmp_path)
    assert {case["distribution"] for case in cases} == cells and len(cases) == len(cells)


def test_keys_of_64_bits_are_another_input(tmp_path):
    cases = planned(config(tmp_path, distributions=["uniform", "uniform:range_bits=32"], keys=["u64"]), tmp_path)
    assert len(cases) == 2


def test_nothing_of_a_library_stands_between_the_lines(tmp_path):
    """oneTBB warned of the workers that a limit of one thread took from other arenas."""
    words = ["bench", "-a", "tbb_parallel_sort", "-t", "1", "-t", "2", "--samples", "5", "-n", "2^10", "-n", "2^16"]
    assert "TBB Warning" not in sortlab(*words).stderr


def test_a_wrong_folder_for_temporary_files_is_named(tmp_path):
    for folder in (tmp_path / "none", tmp_path / "file"):
        (tmp_path / "file").write_text("")
        done = sortlab("count", "-a", "satish_cpu_radix", "-n", "2^10", "--tool", "callgrind", TMPDIR=str(folder))
        if "valgrind" in done.stderr:
            pytest.skip("valgrind is not installed")
        assert done.returncode == 2 and f"TMPDIR: no folder can be made in {folder}: " in done.stderr, done.stderr


@pytest.mark.parametrize("command", ["render", "explore", "export", "check"])
def test_a_wrong_root_is_named(command, tmp_path):
    done = sortlab(command, "--help", SORTLAB_ROOT=str(tmp_path))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"sortlab: SORTLAB_ROOT: '{tmp_path}' is no Sortlab checkout")


def test_the_advice_on_a_dump_works_anywhere(tmp_path):
    done = sortlab("bench", "-a", "std_sort", "-n", "100", "--samples", "1", "--dump", "my dump", cwd=tmp_path)
    advice = "dump: to check it: sortlab check 'my dump'"
    assert advice in done.stderr.splitlines(), done.stderr
    words = advice.removeprefix("dump: to check it: ")
    command = f'sortlab() {{ "{SORTLAB}" "$@"; }}; {words}'
    checked = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True)
    assert checked.returncode == 0 and "1 of 1 sorts are right" in checked.stdout, checked.stderr
    assert "plots.check" not in sortlab("bench", "--help").stdout


def without(library, folder):
    """A Python that lacks a library, or whose library cannot be loaded."""
    (folder / "sitecustomize.py").write_text(
        "import importlib.abc, sys\n"
        "class Absent(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        f"        if name.partition('.')[0] == '{library}':\n"
        f"            raise ModuleNotFoundError(name, name='{library}')\n"
        "sys.meta_path.insert(0, Absent())\n"
    )
    return {"PYTHONPATH": str(folder)}


NEEDING = {
    "numpy": [["render", "--help"], ["check", "x"], ["explore", "--help"]],
    "jinja2": [["render", "--help"], ["explore", "--help"], ["fastest", "--help"], ["check-validation", "--help"]],
    "matplotlib": [["render", "--help"], ["fastest", "--help"]],
    "fastjsonschema": [["render", "--help"], ["export", "--help"], ["import", "--help"], ["submit", "--help"]],
}


@pytest.mark.parametrize("library, words", [(name, words) for name, all_ in NEEDING.items() for words in all_])
def test_a_missing_package_is_named_in_a_line(library, words, tmp_path):
    done = sortlab(*words, **without(library, tmp_path))
    if done.returncode == 0:  # this command does without it
        assert library not in ("jinja2", "fastjsonschema") or words == ["explore", "--help"]
        return
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert f"needs {library}" in done.stderr and f"python3-{library}" in done.stderr


def test_a_package_that_cannot_be_loaded_is_named_too(tmp_path):
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy/__init__.py").write_text("raise ImportError('built for another Python', name='numpy')")
    done = sortlab("render", "--help", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "needs numpy, which cannot be loaded here" in done.stderr


def test_a_python_without_docstrings_is_told():
    """Commands that sortlab starts are spared the variable; scripts that a user starts are not."""
    script = [sys.executable, ROOT / "plots" / "render.py", "--help"]
    for level, status in (("2", 2), ("1", 0)):
        assert sortlab("render", "--help", PYTHONOPTIMIZE=level).returncode == 0
        done = subprocess.run(script, env={**os.environ, "PYTHONOPTIMIZE": level}, capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        assert status == 0 or done.stderr.count("\n") == 1 and "unset PYTHONOPTIMIZE" in done.stderr


def python_finding(**environment):
    done = sortlab("doctor", "--json", **environment)
    return next(found for found in map(json.loads, done.stdout.splitlines()) if found["what"] == "Python")


def test_doctor_names_missing_packages(tmp_path):
    assert python_finding()["good"]
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nreal = u.find_spec\n"
        "u.find_spec = lambda name, package=None: None if name in ('numpy', 'jinja2') else real(name, package)\n"
    )
    found = python_finding(PYTHONPATH=str(tmp_path))
    assert not found["good"] and "without jinja2, numpy" in json.dumps(found)
    assert "python3-jinja2 python3-numpy" in found["cost"]


def test_doctor_asks_for_the_packages_of_the_commands():
    source = (ROOT / "harness/commands/python_commands.cpp").read_text()
    asked = source[source.index("find_spec") - 400 : source.index("find_spec")]
    assert all(f"'{name}'" in asked for name in start.PACKAGES)


@pytest.mark.parametrize("part", ["host", "device"])
def test_a_probe_alone_makes_no_profile_of_the_machine(tmp_path, part):
    """Later commands and run_all.sh would take it for a whole calibration. Another file may hold it."""
    for folder in ("configs", "generators"):
        (tmp_path / folder).mkdir()
    only = ["--only", "device"] if part == "device" else []
    done = sortlab("calibrate", "--quick", "--probe", "streams", *only, SORTLAB_ROOT=str(tmp_path))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    if "no device to calibrate" in done.stderr:
        pytest.skip("needs a GPU")
    assert f"has no calibration of this {part}" in done.stderr
    assert f"run `sortlab calibrate{''.join(f' {word}' for word in only)} --quick` first" in done.stderr
    assert not list(tmp_path.rglob("profile.json*")), "nothing is written"


@pytest.mark.parametrize(
    "words",
    [
        ["bench", "-a", "std_sort", "-n", "100", "--out", ""],
        ["bench", "-a", "std_sort", "-n", "100", "--dump="],
        ["run", "configs/smoke.json", "-o", ""],
    ],
)
def test_a_name_that_a_shell_left_empty_is_refused(words):
    done = sortlab(*words, cwd=ROOT)
    assert done.returncode == 2 and "is empty" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["--out", "-"], ["--out=-"], ["-o", "-"], ["-o-"]])
def test_a_dash_is_no_file(words, tmp_path):
    """Elsewhere it stands for standard output; a file of that name would be a surprise."""
    done = sortlab("bench", "-a", "std_sort", "-n", "100", "--samples", "1", *words, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "/dev/stdout" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_torn_end_is_told_where_it_held_a_measurement(tmp_path):
    whole, torn = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl"
    assert sortlab("bench", "-a", "std_sort", "-n", "100", "--samples", "1", "--out", whole).returncode == 0
    torn.write_bytes(whole.read_bytes()[:-100])
    told = sortlab("compare", torn, whole)
    assert told.returncode == 2 and "holds no measurement; a torn last line was left out" in told.stderr
    two = (
        "bench",
        "-a",
        "satish_cpu_radix",
        "-n",
        "100",
        "-n",
        "200",
        "--samples",
        "1",
        "--out",
        tmp_path / "two.jsonl",
    )
    assert sortlab(*two).returncode == 0
    torn.write_bytes((tmp_path / "two.jsonl").read_bytes()[:-100])
    told = sortlab("predict", "--for", torn, "--machine", "core_i7")
    assert told.returncode == 0 and f"{torn}: a torn last line was left out" in told.stderr


def test_a_limit_of_processor_time_is_named_where_it_ends_a_worker(tmp_path):
    out = tmp_path / "records.jsonl"
    words = f"ulimit -t 1; exec {SORTLAB} bench -a std_sort -n 2^25 --samples 5 --out {out}"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
    assert done.returncode == 1 and "ulimit -t" in done.stderr, done.stderr
    assert '"status":"crashed"' in out.read_text()


def test_a_pipe_that_nobody_reads_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    done = sortlab("bench", "-a", "std_sort", "-n", "100", "--out", tmp_path / "pipe")
    assert done.returncode == 2 and "nobody reads" in done.stderr


def test_a_parameter_given_twice_is_refused():
    done = sortlab("bench", "-a", "std_sort", "-n", "100", "-d", "zipf:theta=0.5,theta=0.9")
    assert done.returncode == 2 and "names theta twice" in done.stderr


@pytest.mark.parametrize("budget", ["nan", "inf", "0", "-1", "25ss", "later"])
def test_a_time_budget_is_a_time(budget):
    done = sortlab("check-sort", "std_sort", f"--time-budget={budget}")
    assert done.returncode == 2 and "a time above 0 and below 1e9 s, as 90, 90s, 5m" in done.stderr


def test_few_descriptors_suffice(tmp_path):
    out = tmp_path / "records.jsonl"
    words = f"ulimit -n 12; exec {SORTLAB} bench -a std_sort -n 100 --samples 3 --out {out}"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, timeout=60, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    assert '"status":"ok"' in out.read_text()


def test_workers_that_cannot_start_end_the_run_and_blame_no_sort(tmp_path):
    out = tmp_path / "records.jsonl"
    done = sortlab("bench", "-a", "std_sort", "-n", "100", "--out", out, SORTLAB_TURNSTILE="nonsense")
    assert done.returncode != 0 and "no worker can be started" in done.stderr
    assert '"measurement"' not in out.read_text()


@pytest.mark.parametrize("key", ["string", "u128"])
def test_all_means_every_sort_of_the_key_type(key):
    distribution = "words" if key == "string" else "uniform"
    words = ["-k", key, "-n", "100", "-d", distribution, "--samples", "3", "--processes", "1", "--json"]
    done = sortlab("bench", "-a", "all", *words)
    assert done.returncode == 0, done.stderr
    records = map(json.loads, done.stdout.splitlines())
    measured = {r["case"]["algorithm"]: r["status"] for r in records if r["kind"] == "measurement"}
    algorithms = json.loads(sortlab("list", "algorithms", "--json").stdout)
    assert set(measured) == {entry["name"] for entry in algorithms if key in entry["keys"]}
    runs = {entry["name"] for entry in algorithms if entry["runs_here"]}
    assert "ok" in {status for name, status in measured.items() if name in runs}
    assert {status for name, status in measured.items() if name not in runs} <= {"skipped"}
