"""`bench --dump` of every sort that runs here, checked by a checker that uses only NumPy."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from listed import listed, plain_sorts

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))


def bench(folder, sorts, *arguments, samples=1):
    """The finished process, and the records of the cells that have a result."""
    command = [SORTLAB, "bench", "--json", "--samples", str(samples), "--dump", str(folder), *arguments]
    for sort in sorts:
        command += ["-a", sort]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return done, [record for record in records if record["status"] == "ok"]


def checked(folder):
    command = [sys.executable, "-m", "plots.check", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)


def manifest(folder):
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]


# Few distinct keys, so that an unstable order is detected.
FEW = ["-d", "few_distinct:distinct=16"]
TYPES = {
    "numbers": ["-k", "u32", "-k", "f64", "-v", "none", "-v", "u32", *FEW],
    "pairs together": ["-k", "u32", "-k", "u64", "-k", "u128", "-v", "u32", "--layout", "together", *FEW],
    "signed and wide": ["-k", "i32", "-k", "i64", "-k", "f32", "-k", "u128", "-v", "u64", *FEW],
    "strings": ["-k", "string", "-d", "words", "-d", "shared_prefix:payload=12"],
}


def test_every_sort_that_runs_here_dumps_what_the_checker_finds_right(tmp_path):
    sorts = [entry["name"] for entry in listed("algorithms") if entry["runs_here"]]
    seen = set()
    for name, types in TYPES.items():
        sizes = ["-n", "0", "-n", "1500"] if name in ("numbers", "strings") else ["-n", "1500"]
        folder = tmp_path / name
        done, records = bench(folder, sorts, *types, *sizes)
        assert done.returncode == 0, done.stderr
        dumped = manifest(folder)
        assert {line["cell"] for line in dumped} == {record["cell"] for record in records}
        assert {(line["cell"], line["digest"]) for line in dumped} == {
            (record["cell"], record["verification"]["digest"]) for record in records
        }
        said = checked(folder)
        assert said.returncode == 0, said.stdout + said.stderr
        assert said.stdout.endswith(f"{len(records)} of {len(records)} sorts are right\n")
        seen |= {line["algorithm"] for line in dumped}
    assert seen == set(sorts)


def test_arrays_are_of_the_types_that_are_promised(tmp_path):
    stable = next(e["name"] for e in listed("algorithms") if e["runs_here"] and e["stable"] and "u128" in e["keys"])
    bench(tmp_path / "d", [stable], "-k", "u128", "-k", "f32", "-v", "u64", "-n", "100", *FEW, samples=3)
    wide, narrow = manifest(tmp_path / "d")
    for line, key in ((wide, ("uint64", (100, 2))), (narrow, ("float32", (100,)))):
        for side in ("input", "output"):
            keys, values = (np.load(tmp_path / "d" / line[side][what]) for what in ("keys", "values"))
            assert (keys.dtype, keys.shape) == key and (values.dtype, values.shape) == ("uint64", (100,))
            assert line[side]["keys"] == f"{line['cell']}.{side}.keys.npy"
    assert narrow["case"]["distribution"] == "few_distinct:distinct=16" and narrow["seed"] == 1 and narrow["n"] == 100
    assert narrow["stable"] is True and narrow["order"] is None and narrow["verification"]["stability"] is True


@pytest.fixture(scope="module")
def dump_of_pairs(tmp_path_factory):
    stable = next(e["name"] for e in listed("algorithms") if e["runs_here"] and e["stable"] and "u32" in e["values"])
    folder = tmp_path_factory.mktemp("dump") / "d"
    bench(folder, [stable], "-v", "u32", "-n", "1000", *FEW)
    return folder


def swap(array, i, j):
    array[[i, j]] = array[[j, i]]


def order(arrays, n):
    for array in arrays.values():
        swap(array, n - 1, 0)


def lost(arrays, _):
    arrays["keys"][1] = arrays["keys"][0]
    arrays["values"][1] = arrays["values"][0]


def other_key(arrays, n):
    arrays["keys"][n - 1] = 0xFFFFFFFF


def swapped_value(arrays, n):
    swap(arrays["values"], n - 1, 0)


def instability(arrays, _):
    swap(arrays["values"], 0, 1)


@pytest.mark.parametrize(
    "damage, says",
    [
        (order, "not sorted: key 1 is below the one before it"),
        (lost, "not paired: key 0 has another's value"),
        (other_key, "no permutation: key 999 is there more often"),
        (swapped_value, "not paired: key 0 has another's value"),
        (instability, "not stable: equal keys changed their order, first at key 0"),
    ],
)
def test_a_damaged_dump_is_found(dump_of_pairs, tmp_path, damage, says):
    line = manifest(dump_of_pairs)[0]
    for side in ("input", "output"):
        for name in line[side].values():
            (tmp_path / name).write_bytes((dump_of_pairs / name).read_bytes())
    (tmp_path / "manifest.jsonl").write_bytes((dump_of_pairs / "manifest.jsonl").read_bytes())
    assert checked(tmp_path).returncode == 0
    files = {what: tmp_path / name for what, name in line["output"].items()}
    arrays = {what: np.load(file) for what, file in files.items()}
    damage(arrays, line["n"])
    for what, file in files.items():
        np.save(file, arrays[what])
    said = checked(tmp_path)
    assert said.returncode == 1 and says in said.stdout and said.stdout.startswith("WRONG"), said.stdout


def test_a_folder_that_cannot_take_a_dump_is_one_line(tmp_path):
    sort = plain_sorts()[0]
    full, file = tmp_path / "full", tmp_path / "file"
    full.mkdir()
    (full / "notes.txt").write_text("mine")
    file.write_text("")
    component = listed("components")[0]
    for folder, arguments, says in [
        (full, [], "is not empty; give a new folder"),
        (file, [], "dump: cannot make"),
        (file / "d", [], "dump: cannot make"),
        (tmp_path / "a\x1b", [], "allowed: a name in UTF-8 without control characters"),
        (tmp_path / "c", ["-a", component["algorithm"], "--component", component["name"]], "allowed: whole sorts"),
    ]:
        done, _ = bench(folder, [] if arguments else [sort], *arguments, "-n", "10")
        assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1, done.stderr
        assert done.stdout == ""
    assert [path.name for path in full.iterdir()] == ["notes.txt"] and not (tmp_path / "c").exists()


def test_a_disk_that_takes_no_dump_costs_the_cell_and_says_why(tmp_path):
    sort = plain_sorts()[0]
    limited = ["bash", "-c", 'ulimit -f 8; trap "" XFSZ; exec "$@"', "bash"]  # files of 8 KiB
    command = [*limited, SORTLAB, "bench", "-a", sort, "-n", "1M", "--samples", "1", "--dump", str(tmp_path / "d")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "keys.npy: File too large" in done.stderr, done.stderr
