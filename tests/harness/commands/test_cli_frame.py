"""The command line from outside: list, compare, merge, doctor, and the report of bad input."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from listed import device_sorts, listed, plain_sorts
from whole_records import in_its_cell, lost_record, timed_record, whole_record

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
CORE_I7 = str(ROOT / "models" / "machines" / "core_i7.json")
EXAMPLES = str(ROOT / "tests" / "data" / "example_records.jsonl")
NOT_JSON = str(ROOT / "tests" / "data" / "odd_records" / "comment.jsonl")


def sortlab(*arguments, cwd=None):
    return subprocess.run([SORTLAB, *arguments], capture_output=True, text=True, cwd=cwd, timeout=120)


@pytest.fixture(scope="module")
def any_of():
    """Names of existing entries, any of which will do."""
    sort, other = plain_sorts()[:2]
    components = listed("components")
    return {
        "sort": sort,
        "other": other,
        "device": device_sorts()[0],
        "owner": components[0]["algorithm"],
        "component": components[0]["name"],
        "components": ", ".join(f"{c['algorithm']}/{c['name']}" for c in components),
    }


@pytest.mark.parametrize("command", [[], ["run"], ["render"]])
def test_help_is_a_word_as_well_as_an_option(command):
    by_word, by_option = sortlab("help", *command), sortlab(*command, "--help")
    assert by_word.returncode == 0 and "Example: sortlab" in by_word.stdout
    assert by_word.stdout == by_option.stdout


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ([], "command: none given; allowed: list"),
        (["lsit"], "did you mean 'list'?"),
        (["list"], "WHAT is required"),
        (["list", "algoritms"], "did you mean 'algorithms'?"),
        (["list", "algorithms", "--jsno"], "did you mean '--json'?"),
        (["list", "algorithms", "{sort}x"], "did you mean '{sort}'?"),
        (["list", "components", "{component}"], "allowed: {components}"),
        (["list", "algorithms", "{sort}", "{other}"], "argument: '{other}' was not expected"),
        (["list", "a\x1b[31m\nb"], "a\\x1b[31m b"),
        (["compare", EXAMPLES], "B is required"),
        (["compare", EXAMPLES, "missing.jsonl"], "missing.jsonl: cannot be read"),
        (["compare", EXAMPLES, EXAMPLES, "--fail-if-slower", "fast"], "--fail-if-slower"),
        (["compare", EXAMPLES, EXAMPLES, "--fail-if-slower", "-1"], "--fail-if-slower: allowed: 0 to 1000"),
        (["compare", EXAMPLES, NOT_JSON], "not JSON"),
        (["merge", EXAMPLES], "--out is required"),
        (["merge", "missing.jsonl", "--out", "out.jsonl"], "missing.jsonl: cannot be read"),
        (["merge", NOT_JSON, "--out", "out.jsonl"], ":1: not JSON"),
        (["count"], "what to count: give --algorithm or a config"),
        (["count", "--algorithm", "{sort}", "--threads", "2"], "nothing to count: {sort} u32 n=1048576"),
        (["count", "--algorithm", "{sort}", "--tool", "gprof"], "--tool: gprof not in {{callgrind,perf_event,likwid}}"),
        (["count", "--algorithm", "{owner}", "--component", "{component}"], "a component; its kernels"),
        (["count", "--algorithm", "{device}", "--passes", "0"], "--passes: Value 0 not in range"),
        (["tune", "--algorithm", "{owner}", "--component", "{component}"], "component: tune times whole sorts"),
        (["validate", "--budget", "soon"], "'soon'"),
        (["validate", "--seed", "-1"], "seed: '-1'"),
        (["validate", "--kind", "paper"], "--kind: paper not in"),
        (["validate", "--algorithm", "{sort}x"], "did you mean '{sort}'?"),
        (
            ["validate", "--algorithm", "std_sort"],
            "algorithm: no model of kind component or hardware predicts std_sort",
        ),
        (["validate", "--config", "missing.json"], "missing.json"),
        (["validate", "--machine", CORE_I7, "--out", "out"], "machine: '" + CORE_I7 + "' is the profile of core_i7"),
        (["validate", "--machine", "missing.json"], "missing.json"),
        (["validate", "--dry-run", "--out", "out"], "dry-run: needs a profile"),
        (["doctor", "now"], "argument: 'now' was not expected"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(arguments, expected, any_of, tmp_path):
    arguments, expected = [word.format(**any_of) for word in arguments], expected.format(**any_of)
    done = sortlab(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("sortlab: ")
    assert expected in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_every_command_shows_an_example():
    overview = sortlab("--help")
    assert overview.returncode == 0
    commands = re.findall(r"^  ([a-z]+) ", overview.stdout.split("Subcommands:")[1], re.MULTILINE)
    assert {"list", "compare", "merge", "doctor"} <= set(commands)
    for command in commands:
        text = sortlab(command, "--help")
        assert text.returncode == 0
        assert f"Example: sortlab {command} " in text.stdout or f"Example: sortlab {command}\n" in text.stdout, command


def test_list_gives_one_json_array():
    for what in ("algorithms", "components", "distributions", "models", "configs", "machines"):
        done = sortlab("list", what, "--json")
        assert done.returncode == 0 and done.stderr == ""
        entries = json.loads(done.stdout)
        assert isinstance(entries, list)
        assert done.stdout.count("\n") == 1
        assert sortlab("list", what).returncode == 0
        names = [(entry.get("algorithm"), entry.get("profile") or entry["name"]) for entry in entries]
        assert all(name for _, name in names) and len(set(names)) == len(names)
    algorithms = listed("algorithms")
    assert any(entry["runs_here"] and entry["reason"] is None for entry in algorithms)
    assert all(entry["runs_here"] or entry["reason"] for entry in algorithms)


@pytest.mark.parametrize("width", ["60", "80", "132"])
def test_list_fits_the_line_and_names_every_entry(width):
    environment = os.environ | {"COLUMNS": width}
    most = int(width)
    for what in ("algorithms", "components", "distributions", "models", "configs", "machines"):
        done = subprocess.run([SORTLAB, "list", what], capture_output=True, text=True, env=environment, timeout=120)
        header, *rows = done.stdout.splitlines()
        naming = [" ".join(row.split()[: 2 if what == "components" else 1]) for row in rows]
        owners = [f"{e['algorithm']} " if what == "components" else "" for e in listed(what)]
        assert naming == [owner + (e.get("profile") or e["name"]) for owner, e in zip(owners, listed(what))]
        names = max(len(name) for name in naming) + 4
        assert max(map(len, [header, *rows])) <= max(most, names), what
        if "title" not in header and what == "algorithms":
            assert "title" in done.stderr and "sortlab list algorithms NAME" in done.stderr
    wide = subprocess.run(
        [SORTLAB, "list", "algorithms"], capture_output=True, text=True, env=environment | {"COLUMNS": "1000"}
    )
    assert "…" not in wide.stdout and wide.stderr == ""


def test_list_shows_everything_where_no_terminal_limits_it():
    environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    done = subprocess.run([SORTLAB, "list", "machines"], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0 and done.stderr == "" and "…" not in done.stdout
    for profile, line in zip(listed("machines"), done.stdout.splitlines()[1:], strict=True):
        assert {profile["profile"], profile["id"], profile["path"]} <= set(line.split())
        assert profile.get("date", "-") in line.split() and profile.get("gpu", "-") in line


def test_list_tells_all_of_one_entry():
    sort = next(a for a in listed("algorithms") if a["presets"] and any("range" in p for p in a["parameters"]))
    shown = sortlab("list", "algorithms", sort["name"]).stdout
    parameter = next(p for p in sort["parameters"] if "range" in p)
    assert f"{parameter['name']}={parameter['default']} ({parameter['range'][0]} to {parameter['range'][1]}): " in shown
    assert f"preset            {next(iter(sort['presets']))}: " in shown
    name = listed("models")[0]["name"]
    entry = json.loads(sortlab("list", "models", name, "--json").stdout)
    assert [model["name"] for model in entry] == [name]
    part = listed("components")[0]
    shown = sortlab("list", "components", f"{part['algorithm']}/{part['name']}").stdout
    assert f"iterations        {part['iterations']}\n" in shown


@pytest.mark.parametrize(
    "ncu, gpu, reason",
    [
        ("/no/ncu", "work", "'/no/ncu' is no program"),
        ("fake", "none", "cannot count: the driver shows no GPU"),
    ],
)
def test_count_without_ncu_or_gpu_says_so_and_writes_nothing(ncu, gpu, reason, tmp_path):
    driver = SORTLAB.parent / "tests" / "libfake_cuda_driver.so"
    if not driver.exists():
        pytest.skip(f"{driver} is not built")
    if "without CUDA" in sortlab("list", "algorithms", "--json").stdout:
        pytest.skip("this build is without CUDA")
    (tmp_path / "libcuda.so.1").symlink_to(driver)
    done = subprocess.run(
        [SORTLAB, "count", "--algorithm", device_sorts()[0], "--out", tmp_path / "counts.jsonl"]
        + ["--ncu", ROOT / "tests" / "harness" / "count" / "fake_ncu.sh" if ncu == "fake" else ncu],
        capture_output=True,
        text=True,
        env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path), "FAKE_CUDA": gpu},
        timeout=120,
    )
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and reason in done.stderr
    assert not (tmp_path / "counts.jsonl").exists()


def test_compare_with_itself(tmp_path):
    done = sortlab("compare", EXAMPLES, EXAMPLES, "--json", "--fail-if-slower", "1")
    assert done.returncode == 0, done.stderr
    *cells, summary = [json.loads(line) for line in done.stdout.splitlines()]
    assert [cell["verdict"] for cell in cells] == ["same"]
    assert summary["counts"]["same"] == 1 and summary["skipped_in_both"] == 1


def slower(path, factor):
    """The example measurement with its times multiplied."""
    records = [json.loads(line) for line in Path(EXAMPLES).read_text().splitlines()]
    ok = next(record for record in records if record.get("status") == "ok")
    ok = timed_record(ok, [seconds * factor for seconds in ok["samples_s"]])
    ok["run"] = "20261122T003000Z-4f1c2b"
    path.write_text(json.dumps(ok) + "\n")
    return str(path)


def test_threshold(tmp_path):
    twice = slower(tmp_path / "twice.jsonl", 2)
    passed = sortlab("compare", EXAMPLES, twice, "--fail-if-slower", "50")
    assert passed.returncode == 1
    slowed = json.loads(Path(twice).read_text())
    assert f"slower by 100.0 %: cell {slowed['cell']}, {slowed['case']['algorithm']}" in passed.stderr
    assert sortlab("compare", EXAMPLES, twice, "--fail-if-slower", "150").returncode == 0
    assert sortlab("compare", EXAMPLES, twice).returncode == 0
    assert sortlab("compare", twice, EXAMPLES, "--fail-if-slower", "1").returncode == 0


def consistent(record):
    """A record with the cell of its case, the key of its cell, and with what follows from its samples."""
    record = in_its_cell(record)
    return {**timed_record(record, record["samples_s"]), "key": record["cell"][::-1]}


def example_run(path, *changes):
    """Writes the verified example measurement, once for each of these changes of its members."""
    records = [json.loads(line) for line in Path(EXAMPLES).read_text().splitlines()]
    ok = next(record for record in records if record.get("status") == "ok")
    records = [consistent({**ok, **change}) for change in changes]
    lost = [
        lost_record(r, r["status"], r["reason"] or "needs 4 processors") if r["status"] != "ok" else r for r in records
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in lost))
    return str(path)


OTHER_CELL = {"case": {**whole_record("measurement")["case"], "seed": 2}}
OTHER_ID = in_its_cell(OTHER_CELL)["cell"]
WRONG = {"status": "wrong", "reason": "not sorted: key 3"}
CRASHED = {"status": "crashed", "reason": "SIGSEGV"}
TWICE = {"samples_s": [0.02, 0.021, 0.022], "run": "20261122T003000Z-4f1c2b"}


@pytest.mark.parametrize(
    "before, after, status, told",
    [
        ([{}], [{}], 0, ""),
        ([{}, OTHER_CELL], [{}], 0, "1 of 2 cells were not judged"),
        ([{}], [TWICE], 1, "slower by"),
        (
            [{}, OTHER_CELL],
            [{}, {**WRONG, **OTHER_CELL}],
            3,
            f"wrong: not sorted: key 3: cell {OTHER_ID}",
        ),
        ([{}, OTHER_CELL], [TWICE, {**WRONG, **OTHER_CELL}], 3, "slower by"),
        (
            [{}, {**WRONG, **OTHER_CELL}],
            [{}, {**WRONG, **OTHER_CELL}],
            3,
            f"wrong: not sorted: key 3: cell {OTHER_ID}",
        ),
        ([{}, {**WRONG, **OTHER_CELL}], [{}, OTHER_CELL], 0, "1 of 2 cells were not judged"),
        ([{}], [{}, {**CRASHED, **OTHER_CELL}], 3, f"crashed: SIGSEGV: cell {OTHER_ID}"),
        ([{}, {**CRASHED, **OTHER_CELL}], [{}, {**CRASHED, **OTHER_CELL}], 0, "1 of 2 cells were not judged"),
        ([{}], [{}, {**WRONG, **OTHER_CELL, "expected": True}], 0, "1 of 2 cells were not judged"),
        ([{}], [OTHER_CELL], 4, "undecided: none of 2 cells was judged"),
        ([{}], [{"machine": "other-1c-00000000"}], 4, "undecided: none of 1 cells was judged"),
        ([{}], [{**TWICE, "disturbed": True, "disturbance": "a neighbour"}], 4, "undecided"),
        ([{"status": "skipped"}], [{"status": "skipped"}], 4, "undecided: none of 0 cells was judged"),
    ],
)
def test_a_gate_passes_only_what_it_has_judged(before, after, status, told, tmp_path):
    a, b = example_run(tmp_path / "a.jsonl", *before), example_run(tmp_path / "b.jsonl", *after)
    for more in ([], ["--json"]):
        done = sortlab("compare", a, b, "--fail-if-slower", "5", *more)
        assert done.returncode == status, done.stderr
        assert told in done.stderr
    assert sortlab("compare", a, b).returncode == 0


def test_merge(tmp_path):
    out = tmp_path / "out.jsonl"
    assert sortlab("merge", EXAMPLES, EXAMPLES, "--out", str(out)).returncode == 0
    assert out.read_text() == Path(EXAMPLES).read_text()
    changed = tmp_path / "changed.jsonl"
    records = [json.loads(line) for line in Path(EXAMPLES).read_text().splitlines()]
    ok = next(record for record in records if record.get("status") == "ok")
    ok |= timed_record(ok, [1.25 * seconds for seconds in ok["samples_s"]])
    changed.write_text("".join(json.dumps(record) + "\n" for record in records))
    conflict = sortlab("merge", str(changed), "--out", str(out))
    assert conflict.returncode == 1
    assert (
        "differ in bytes_per_s, ci95_s, cpe_core, cpe_wall, keys_per_s, mean_s, median_s, min_s, samples_s"
        in conflict.stderr
    )
    assert out.read_text() == Path(EXAMPLES).read_text()


def test_doctor_tells_the_cost_of_what_is_missing():
    done = sortlab("doctor", "--json")
    assert done.returncode == 0
    findings = [json.loads(line) for line in done.stdout.splitlines()]
    assert {
        "machine",
        "compiler",
        "SIMD",
        "cores",
        "caches",
        "huge pages",
        "hardware counters",
        "CUDA toolkit",
        "GPU",
        "calibration",
    } <= {finding["what"] for finding in findings}
    assert all(finding["good"] != bool(finding["cost"]) for finding in findings)
