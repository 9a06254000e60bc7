"""The shared libraries that are loaded: recorded by build id, told where LD_LIBRARY_PATH changes them, and compared."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from listed import plain_sorts

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))

from plots.records.schema import record_fault  # noqa: E402


def libraries_of_loader():
    """Path of each library by the name that the program asks the loader for."""
    told = subprocess.run(["ldd", SORTLAB], capture_output=True, text=True, check=True).stdout
    return {name: Path(path) for name, path in re.findall(r"^\s*(\S+) => (/\S+)", told, re.MULTILINE)}


def bench(out, **variables):
    command = [SORTLAB, "bench", "-a", plain_sorts()[0], "-n", "1000", "--samples", "3", "--out", out]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ, **variables})
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert not [fault for fault in map(record_fault, records) if fault]
    return records[0]["environment"]["libraries"]


@pytest.fixture
def other_build(tmp_path):
    """A folder with a copy of a library of the program, which has another build id, and the library's name."""
    loaded = bench(tmp_path / "before.jsonl")
    folder = tmp_path / "lib"
    folder.mkdir()
    for name, path in libraries_of_loader().items():
        content = path.read_bytes()
        build = bytes.fromhex(loaded[name])
        if re.match(r"lib(c|m|pthread|dl|rt)\.so|ld-", name) or content.count(build) != 1:
            continue
        (folder / name).write_bytes(content.replace(build, build[::-1]))
        return folder, name
    pytest.skip("no library with a build id of its own")


def test_every_library_is_named_by_its_build(tmp_path):
    loaded = bench(tmp_path / "a.jsonl")
    assert set(libraries_of_loader()) <= set(loaded)
    assert all(re.fullmatch("[0-9a-f]{16,64}", build) for build in loaded.values())
    tool = shutil.which("readelf")
    for name, path in libraries_of_loader().items() if tool else []:
        told = subprocess.run([tool, "-n", path], capture_output=True, text=True, check=True).stdout
        found = re.search(r"Build ID: (\w+)", told)
        assert not found or found[1] == loaded[name]


def test_another_build_of_a_library_is_recorded_told_and_compared(other_build, tmp_path):
    folder, name = other_build
    plain = bench(tmp_path / "a.jsonl")
    other = bench(tmp_path / "b.jsonl", LD_LIBRARY_PATH=str(folder))
    assert [key for key in plain if plain[key] != other[key]] == [name]
    command = [SORTLAB, "compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    builds = f"{name} (A {plain[name][:8]}; B {other[name][:8]})"
    assert f"note: other builds of shared libraries were loaded: {builds}" in done.stdout.splitlines()
    same = subprocess.run([*command[:2], tmp_path / "a.jsonl", tmp_path / "a.jsonl"], capture_output=True, text=True)
    assert "shared libraries" not in same.stdout
    for path, wanted in ((str(folder), f"LD_LIBRARY_PATH brings other builds of {name}"), (str(tmp_path), None)):
        environment = {**os.environ, "LD_LIBRARY_PATH": path}
        told = subprocess.run([SORTLAB, "doctor"], capture_output=True, text=True, timeout=120, env=environment).stdout
        assert (wanted in told) if wanted else "LD_LIBRARY_PATH" not in told


def test_a_library_that_is_replaced_during_a_run_ends_it(other_build, tmp_path):
    folder, name = other_build
    (tmp_path / "used").mkdir()
    shutil.copy(libraries_of_loader()[name], tmp_path / "used" / name)
    out = tmp_path / "r.jsonl"
    words = ["-a", plain_sorts()[0], *[word for n in range(16, 22) for word in ("-n", f"2^{n}")], "--samples", "30"]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path / "used")}
    run = subprocess.Popen(
        [SORTLAB, "bench", *words, "--processes", "30", "--out", out],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    while not (out.exists() and b'"kind":"run"' in out.read_bytes()) and run.poll() is None:
        time.sleep(0.01)
    os.replace(folder / name, tmp_path / "used" / name)
    said = run.communicate(timeout=120)[1]
    assert run.returncode == 1 and f"another build of {name} is loaded since the run began" in said, said


def test_a_resumed_run_says_that_its_cells_had_other_libraries(other_build, tmp_path):
    folder, name = other_build
    sweep = {"algorithms": [plain_sorts()[0]], "n": [1000], "distributions": ["uniform"]}
    (tmp_path / "c.json").write_text(json.dumps({"name": "c", "protocol": {"samples": 3}, "sweeps": [sweep]}))
    command = [SORTLAB, "run", tmp_path / "c.json", "--out", tmp_path / "r.jsonl"]
    first = subprocess.run(command, capture_output=True, text=True, timeout=120)
    again = subprocess.run(command, capture_output=True, text=True, timeout=120)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder)}
    other = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    said = f"measured with other builds of {name}\n"
    assert said not in first.stderr and said not in again.stderr and said in other.stderr, other.stderr
    assert (first.returncode, again.returncode, other.returncode) == (0, 0, 0)
