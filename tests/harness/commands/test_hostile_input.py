"""Hostile and broken files: the program prints one line with file and field, exits with status 2, and loses no cell."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from listed import plain_sorts
from whole_records import whole_record

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
MACHINES = ROOT / "models" / "machines"
DEEP = "[" * 70000 + "]" * 70000
DEEP_OBJECTS = '{"a":' * 200000 + "1" + "}" * 200000
TOO_DEEP = "nested too deeply; allowed: 64 levels"
LIBRARY_WORDS = ("json.exception", "filesystem error", "stod", "std::", "basic_string")


def sortlab(*arguments, **options):
    return subprocess.run([SORTLAB, *arguments], capture_output=True, timeout=60, **options)


def refused(*arguments, **options):
    """The one-line error message, without `sortlab: `."""
    done = sortlab(*arguments, **options)
    told = done.stderr.decode()
    assert done.returncode == 2, told
    assert told.startswith("sortlab: ") and told.count("\n") == 1 and done.stdout == b""
    assert not any(word in told for word in LIBRARY_WORDS)
    return told.removeprefix("sortlab: ").rstrip("\n")


def predict(machine):
    return ["predict", "--algorithm", "satish_cpu_radix", "--n", "1M", "--machine", str(machine)]


def small_config(path, cells=3):
    sweep = {"algorithms": [plain_sorts()[0]], "n": [1 << (4 + i) for i in range(cells)], "distributions": ["uniform"]}
    path.write_text(json.dumps({"name": "small", "protocol": {"samples": 1, "warmup": 0}, "sweeps": [sweep]}))
    return str(path)


NESTED = {"lists": DEEP, "objects": '{"x":' + DEEP_OBJECTS + ',"name":"t"}', "without an end": "[" * 70_000_000}


@pytest.mark.parametrize("which", NESTED)
def test_nesting_is_bounded_in_configs_profiles_and_records(which, tmp_path):
    text = NESTED[which]
    file = tmp_path / "deep.json"
    file.write_text(text)
    expected = TOO_DEEP if len(text) < 64 << 20 else "too long; allowed: 64 MiB"
    assert refused("run", str(file), "--dry-run") == f"{file}: {expected}"
    assert refused(*predict(file)) == f"{file}: {expected}"
    file.write_text('{"schema":1,"kind":"measurement","x":' + text + "}\n")
    for command in (["predict", "--machine", "core_i7", "--for", str(file)], ["compare", str(file), str(file)]):
        assert refused(*command).startswith(f"{file}:1: {expected}")


def test_more_shards_than_blocks_cost_nothing(tmp_path):
    config = small_config(tmp_path / "c.json")
    arguments = ["run", config, "--dry-run", "--out", str(tmp_path / "none.jsonl")]
    parts = [sortlab(*arguments, "--shard", f"{i}/2000000000").stdout.decode() for i in (1, 2, 3, 4, 2000000000)]
    assert [part.splitlines()[-1].split(",")[0] for part in parts] == ["1 cells: 0 done"] * 3 + ["0 cells: 0 done"] * 2


@pytest.mark.parametrize(
    "member, expected",
    [
        ({"status": 5}, "status: must be one of ok, wrong, failed, crashed, timeout, skipped"),
        ({"status": "fine"}, "status: must be one of ok, wrong, failed, crashed, timeout, skipped"),
        ({"cell": [1]}, "cell: must be a text like ^[0-9a-f]{16}$"),
        ({"case": 7}, "case: must be an object"),
        ({"median_s": "fast"}, "median_s: must be a finite number above 0"),
    ],
)
def test_a_record_with_a_wrong_member_is_named(member, expected, tmp_path):
    file = tmp_path / "r.jsonl"
    file.write_text(json.dumps(whole_record("measurement", **member)) + "\n")
    for command in (["--fit", str(file)], ["--machine", "core_i7", "--for", str(file)]):
        assert refused("predict", *command) == f"{file}:1: {expected}"
    config = small_config(tmp_path / "c.json")
    assert refused("run", config, "--dry-run", "--out", str(file)) == f"{file}:1: {expected}"


@pytest.mark.parametrize("member", ["case", "median_s"])
def test_a_record_without_its_case_or_time_is_named(member, tmp_path):
    file = tmp_path / "r.jsonl"
    record = whole_record("measurement")
    del record[member]
    file.write_text(json.dumps(record) + "\n")
    for command in (["--fit", str(file)], ["--machine", "core_i7", "--for", str(file)]):
        assert refused("predict", *command) == f"{file}:1: {member}: is missing"


def test_a_record_without_its_parameters_names_the_one_that_a_model_needs(tmp_path):
    host = str(ROOT / "results" / "reference" / "intel-xeon-graniterapids-2c-47e04dc8" / "profile.json")
    case = json.loads(sortlab(*predict("core_i7"), "--model", "SAT-M4", "--json").stdout)["case"]
    record = whole_record("measurement", case=case | {"parameters": {}})
    file = tmp_path / "r.jsonl"
    file.write_text(json.dumps(record) + "\n")
    told = sortlab("predict", "--for", str(file), "--model", "satish_cpu_radix", "--machine", host).stderr.decode()
    assert told.startswith("not predicted: ") and told.count("\n") == 1
    assert "is auto; allowed: the value that ran" in told


def test_a_number_of_400_digits_is_told_in_words_with_its_field(tmp_path):
    digits = "1" + "0" * 399
    too_large = "a number of 400 characters is too large; allowed: -1.8e308 to 1.8e308"
    file = tmp_path / "c.json"
    for member, where in ((f'"n":[4,{digits}]', "n[1]"), (f'"n":[4],"seeds":[{digits}]', "seeds[0]")):
        file.write_text('{"name":"t","sweeps":[{' + member + "}]}")
        assert refused("run", str(file)) == f"{file}: sweeps[0].{where}: {too_large}"
    file.write_text('{"schema":1,"kind":"measurement","case":{"n":' + digits + "}}\n")
    assert refused("compare", str(file), str(file)) == f"{file}:1: case.n: {too_large}"
    file.write_text('{"id":"x","clock_hz":' + digits + "}")
    assert refused(*predict(file)) == f"{file}: clock_hz: {too_large}"
    # Fewer digits form a number, for which the field has its own bounds.
    file.write_text(small := json.dumps({"name": "t", "sweeps": [{"algorithms": [plain_sorts()[0]], "n": [0]}]}))
    file.write_text(small.replace('"n": [0]', f'"n": [{"9" * 100}]'))
    assert refused("run", str(file)).startswith(f"{file}: sweeps[0].n[0]: n: '1e+100' is not allowed; allowed: 0 to")


@pytest.mark.parametrize(
    "command",
    [
        ["predict", "--algorithm", "satish_cpu_radix", "--machine", "LOOP"],
        ["run", "CONFIG", "--dry-run", "--out", "LOOP"],
        ["merge", str(ROOT / "tests" / "data" / "example_records.jsonl"), "--out", "LOOP"],
        ["run", "LOOP"],
    ],
)
def test_a_loop_of_links_is_one_line(command, tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    names = {"LOOP": str(loop), "CONFIG": small_config(tmp_path / "c.json")}
    assert str(loop) in refused(*[names.get(word, word) for word in command])


@pytest.mark.parametrize(
    "place, value, expected",
    [
        (["clock_hz"], 0, "clock_hz: expected a number from 1e+06 to 1e+12, not 0"),
        (["clock_hz"], -1, "clock_hz: expected a number from 1e+06 to 1e+12, not -1"),
        (["cores"], 0, "cores: expected an integer from 1 to 1000000, not 0"),
        (["tables", "satish2010.merge_pass", "points", 0, "value"], 1e-300, "0 or a number from 1e-30 on, not 1e-300"),
        (["tables", "satish2010.merge_pass", "points", 0, "value"], 1e300, "a number from 0 to 1e+06, not 1e+300"),
        (["tables", "satish2010.bandwidth_bound_from", "points", 0, "value"], -1, "a number from 1 to 1e+15, not -1"),
    ],
)
def test_a_profile_is_held_to_sensible_bounds(place, value, expected, tmp_path):
    profile = json.loads((MACHINES / "core_i7.json").read_text())
    inside = profile
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    file = tmp_path / "p.json"
    file.write_text(json.dumps(profile))
    told = refused(*predict(file))
    assert told.startswith(f"{file}: {place[0]}") and told.endswith(expected)


def test_names_reach_the_terminal_escaped(tmp_path):
    name = "a\x1b[31m\u202eb"
    told = refused(*predict(tmp_path / name))
    assert "a\\x1b[31m\\u202eb" in told
    done = sortlab("predict", "--for", os.fsencode(str(tmp_path)) + b"/\xff.jsonl", "--machine", "core_i7")
    assert done.returncode == 2 and b"/\\xff.jsonl" in done.stderr
    profile = json.loads((MACHINES / "core_i7.json").read_text()) | {"name": name}
    (tmp_path / "p.json").write_text(json.dumps(profile))
    done = sortlab(*predict(tmp_path / "p.json"))
    assert done.returncode == 0, done.stderr
    assert b"on a\\x1b[31m\\u202eb:" in done.stdout
    assert not any(raw in done.stdout + done.stderr for raw in (b"\x1b", "\u202e".encode()))


def test_a_run_goes_on_after_whatever_a_crash_left_at_the_end_of_its_file(tmp_path):
    config, out = small_config(tmp_path / "c.json"), tmp_path / "r.jsonl"
    resume = ["run", config, "--out", str(out)]
    done = sortlab(*resume)
    assert done.returncode == 0, done.stderr
    whole = out.read_bytes()
    cells = whole.count(b'"kind":"measurement"')
    # A complete last line without a line break counts, and stays.
    out.write_bytes(whole[:-1])
    done = sortlab(*resume)
    assert done.returncode == 0 and f" 0 cells measured, {cells} done before" in done.stderr.decode()
    assert out.read_bytes() == whole
    # Zeros after it are cut off and reported.
    out.write_bytes(whole + bytes(512))
    done = sortlab(*resume)
    assert done.returncode == 0 and f" {cells} done before" in done.stderr.decode()
    assert f"out: {out}: zeros at its end (512 B) were left out\n" in done.stderr.decode()
    assert out.read_bytes() == whole
    # If they replace the end of a line, that cell is measured again.
    out.write_bytes(whole[:-100] + bytes(100))
    done = sortlab(*resume)
    assert done.returncode == 0 and f" 1 cells measured, {cells - 1} done before" in done.stderr.decode()
    assert out.read_bytes().startswith(whole[: whole[:-100].rindex(b"\n") + 1])
    assert b"\0" not in out.read_bytes()


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_a_device_holds_no_records(device, tmp_path):
    """Some never end."""
    expected = f"{device}: is a device; a file of records (*.jsonl) is needed"
    assert refused("compare", device, device) == expected
    assert refused("merge", device, "--out", str(tmp_path / "out.jsonl")) == expected
    planned = sortlab("run", ROOT / "configs/smoke.json", "--dry-run", "--out", device)
    assert planned.returncode == 0 and b" 0 done" in planned.stdout
