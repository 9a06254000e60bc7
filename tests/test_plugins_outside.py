"""An algorithm needs only its folder, even outside the checkout. Renamed copies of the example and of a GPU sort are
built, tested, measured, calibrated, predicted and shown, and nothing in the checkout changes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "build" / "release"
EXAMPLE = ROOT / "algorithms" / "_template"
WITH_DEVICE = ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/profile.json"
PREDICTED = (WITH_DEVICE.parent / "reference_gpu.predictions.jsonl").read_text(encoding="utf-8")
DEVICE_SORT = next(
    file.parent
    for file in sorted(ROOT.glob("algorithms/*/*.cu"))
    if file.stem == file.parent.name
    and (file.parent / "model.cpp").is_file()
    and f'"algorithm":"{file.stem}"' in PREDICTED  # predicted from tables of the kept profile
)


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}: {done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


def copied(source, target):
    """Copies the folder under another name, and renames it in file contents and file names."""
    for file in (path for path in source.rglob("*") if path.is_file()):
        to = target / str(file.relative_to(source)).replace(source.name, target.name)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(file.read_text().replace(source.name, target.name))
    return target


def cached(build):
    """The CMake options of the first build, for the second one."""
    told = re.compile(r"((?:SORTLAB_|CMAKE_BUILD_TYPE|CMAKE_CXX_FLAGS|CMAKE_CUDA_ARCHITECTURES)\w*:\w+)=(.*)")
    entries = filter(None, map(told.fullmatch, (build / "CMakeCache.txt").read_text().splitlines()))
    return [f"-D{entry[1]}={entry[2]}" for entry in entries if not entry[1].startswith("SORTLAB_PLUGINS:")]


def checkout():
    """Every file of the checkout that is not a cache or a build, with its size and time.

    Tests that run meanwhile measure, and what they learn of the machine is kept in results/local.
    """
    ignored = {".git", "build", "__pycache__", ".pytest_cache", ".hypothesis"}
    files = (p for p in ROOT.rglob("*") if not ignored & set(p.relative_to(ROOT).parts) and p.is_file())
    files = (p for p in files if ROOT / "results" / "local" not in p.parents)
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


class Outside:
    def __init__(self, folder):
        self.sort = copied(EXAMPLE, folder / "my_sort")
        self.device_sort = copied(DEVICE_SORT, folder / "my_gpu_sort")
        with (self.sort / "sort.cpp").open("a") as source:  # a place where the folder's path would show
            source.write("const char* file_of_my_sort() { return __FILE__; }\n")
        self.build = folder / "build"
        self.sortlab = self.build / "sortlab"

    def make(self):
        """A separate build, which compiles these folders and takes the rest from the existing build."""
        launcher = ROOT / "tests" / "take_built.sh"
        launchers = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("CXX", "CUDA")]
        plugins = f"-DSORTLAB_PLUGINS={self.sort};{self.device_sort}/"
        run("cmake", "-G", "Ninja", "-S", ROOT, "-B", self.build, *cached(BUILT), *launchers, plugins)
        targets = ["sortlab", "conformance_test", "my_sort_test"]
        environment = os.environ | {"SORTLAB_BUILT": str(BUILT)}
        run("cmake", "--build", self.build, "--target", *targets, env=environment)

    def list_tests(self, name):
        """The tests of a plug-in in ctest, and their results."""
        report = self.build / f"{name}.xml"
        chosen = ["-L", f"^{name}$", "-LE", "slow", "--output-junit", report]
        done = subprocess.run(["ctest", "--test-dir", self.build, "-V", *chosen], capture_output=True, text=True)
        assert report.exists(), done.stdout[-3000:] + done.stderr[-3000:]
        cases = ElementTree.parse(report).getroot().iter("testcase")
        return {
            case.get("name"): "skipped" if case.find("skipped") is not None else case.get("status") for case in cases
        }, done.stdout


@pytest.fixture(scope="module")
def outside(tmp_path_factory):
    before = checkout()
    made = Outside(tmp_path_factory.mktemp("outside"))
    made.make()
    yield made
    after = checkout()
    assert {path for path in before | after if before.get(path) != after.get(path)} == set()


@pytest.fixture(scope="module")
def records(outside, tmp_path_factory):
    """Records of the plug-in's own config on this machine."""
    file = tmp_path_factory.mktemp("records") / "records.jsonl"
    run(outside.sortlab, "run", outside.sort / "configs/my_sort.json", "--out", file)
    return file


@pytest.fixture(scope="module")
def profile(outside, records, tmp_path_factory):
    """A kept profile under this machine's name. Measuring bandwidths would take most of a minute."""
    file = tmp_path_factory.mktemp("profile") / "profile.json"
    here = next(r["machine"]["id"] for r in json_lines(records.read_text()) if r["kind"] == "run")
    file.write_text(json.dumps(json.loads(WITH_DEVICE.read_text(encoding="utf-8")) | {"id": here}))
    run(outside.sortlab, "calibrate", "--quick", "--only", "host", "--probe", "my_sort", "--out", file)
    return file


@pytest.fixture(scope="module")
def predictions(outside, records, profile):
    file = records.with_name("predictions.jsonl")
    run(outside.sortlab, "predict", "--for", records, "--machine", profile, "--out", file)
    return file


def test_the_program_knows_them(outside):
    listed = {entry["name"]: entry for entry in json.loads(run(outside.sortlab, "list", "algorithms", "--json"))}
    assert listed["my_sort"]["runs_here"] is True
    assert listed["my_gpu_sort"]["runs_on"] == "device"
    assert EXAMPLE.name not in listed
    models = {
        entry["name"]: entry["algorithms"] for entry in json.loads(run(outside.sortlab, "list", "models", "--json"))
    }
    assert models["my_sort"] == ["my_sort"] and models["my_gpu_sort"] == ["my_gpu_sort"]


def test_the_build_identity_does_not_tell_where_the_folder_lies(outside):
    objects = [path for name in ("my_sort", "my_gpu_sort") for path in outside.build.glob(f"algorithms/{name}/**/*.o")]
    code = b"".join(path.read_bytes() for path in objects)
    assert b"./algorithms/my_sort/sort.cpp" in code
    assert str(outside.sort.parent).encode() not in code


def test_they_are_held_to_the_contract(outside):
    ended, text = outside.list_tests("my_sort")
    assert set(ended.values()) == {"run"}, text
    assert {"conformance.my_sort.Covering", "my_sort.Plan.SortsByEveryBitOfTheKey"} <= ended.keys()


def test_a_gpu_sort_is_tested_where_there_is_a_gpu(outside):
    ended, text = outside.list_tests("my_gpu_sort")
    assert "conformance.my_gpu_sort.Covering" in ended
    why = json.loads(run(outside.sortlab, "list", "algorithms", "my_gpu_sort", "--json"))[0]["reason"]
    if why is None:
        assert set(ended.values()) == {"run"}, text
    else:
        assert set(ended.values()) == {"skipped"} and why in text


def test_it_is_measured_beside_others(outside):
    listed = json.loads(run(outside.sortlab, "list", "algorithms", "--json"))
    other = next(a["name"] for a in listed if a["runs_here"] and a["runs_on"] == "host" and "u32" in a["keys"])
    told = run(outside.sortlab, "bench", "-a", "my_sort", "-a", other, "--n", "1000", "--samples", "3", "--json")
    measured = {r["case"]["algorithm"]: r["status"] for r in json_lines(told) if r["kind"] == "measurement"}
    assert measured == {"my_sort": "ok", other: "ok"}


def test_its_config_is_run(records):
    measured = [r for r in json_lines(records.read_text()) if r["kind"] == "measurement"]
    assert len(measured) == 6 and all(r["status"] == "ok" for r in measured)


def test_its_probe_is_calibrated_and_its_model_reads_it(profile, predictions):
    assert len(json.loads(profile.read_text())["tables"]["my_sort.scatter"]["points"]) == 4
    made = [r for r in json_lines(predictions.read_text()) if r["kind"] == "prediction" and r["model"] == "my_sort"]
    assert len(made) == 6 and all(r["seconds"] > 0 for r in made)
    assert {phase["name"] for r in made for phase in r["phases"]} == {"histogram", "scatter"}


def test_the_model_of_a_gpu_sort_needs_no_gpu(outside):
    told = run(
        outside.sortlab, "predict", "-a", "my_gpu_sort", "--n", "2^24", "--machine", WITH_DEVICE, "--json"
    )  # a profile of a machine that was calibrated with its GPU
    assert "my_gpu_sort" in {r["model"] for r in json_lines(told)}


def test_its_artifact_and_its_claim_are_shown(outside, records, predictions, tmp_path):
    given = ["--records", records, predictions, "--plugins", outside.sort, "--out", tmp_path / "report"]
    run(sys.executable, ROOT / "plots" / "render.py", *given)
    page = (tmp_path / "report" / "index.html").read_text()
    assert "my_sort-C1" in page and '<section id="my_sort-F1">' in page
    table = (tmp_path / "report" / "artifacts" / "my_sort-F1.csv").read_text()
    assert "measured" in table and "predicted" in table


@pytest.mark.parametrize(
    "folder, fault",
    [
        ("my_sort", "my_sort: not an absolute path"),
        ("{tmp}/empty", "there is no CMakeLists.txt in it"),
        ("{tmp}/my sort", "letters, digits and underscores"),
        (f"{{tmp}}/{DEVICE_SORT.name}", f"the name is taken by algorithms/{DEVICE_SORT.name}"),
        ("{tmp}/one/my_sort;{tmp}/two/my_sort", "the name is taken by {tmp}/one/my_sort"),
    ],
)
def test_a_bad_folder_is_one_line(folder, fault, tmp_path):
    for name in ("my sort", DEVICE_SORT.name, "one/my_sort", "two/my_sort"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "CMakeLists.txt").touch()
    (tmp_path / "empty").mkdir()
    given = folder.format(tmp=tmp_path)
    told = subprocess.run(
        ["cmake", f"-DSORTLAB_PLUGINS={given}", "-P", ROOT / "algorithms/plugins.cmake"], capture_output=True, text=True
    )
    assert told.returncode != 0
    said = " ".join(told.stderr.split())
    assert "SORTLAB_PLUGINS: " in said and fault.format(tmp=tmp_path) in said
