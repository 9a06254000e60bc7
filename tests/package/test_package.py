"""Sortlab as a package. Installed into a prefix, it runs without the checkout, builds modules of sorts against its own
headers only, and loads them. A module that it cannot load gives a one-line error. Slow tests run with SORTLAB_FULL."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "release"
slow = pytest.mark.skipif(not os.environ.get("SORTLAB_FULL"), reason="compiles for a minute: run_tests.sh --full")


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, **options)
    assert done.returncode == 0, f"{command}: {done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


class Installed:
    """A user who has only an installed prefix."""

    def __init__(self, prefix, home):
        self.prefix = prefix
        self.sortlab = prefix / "bin" / "sortlab"
        self.examples = prefix / "share/doc/sortlab/examples"
        self.home = home
        home.mkdir()

    def environment(self, **more):
        return {"PATH": os.environ["PATH"], "HOME": str(self.home)} | {k: str(v) for k, v in more.items()}

    def run(self, *words, **variables):
        return run(self.sortlab, *words, cwd=self.home, env=self.environment(**variables))

    def refused(self, *words, **variables):
        """The program's one-line message, without its name."""
        command = [str(word) for word in (self.sortlab, *words)]
        told = subprocess.run(
            command, capture_output=True, text=True, cwd=self.home, env=self.environment(**variables), timeout=60
        )
        assert told.returncode == 2 and told.stdout == "", told
        assert told.stderr.count("\n") == 1, told.stderr
        return told.stderr.removeprefix("sortlab: ").strip()

    def build(self, source, folder, *options):
        given = ["-G", "Ninja", "-S", source, "-B", folder, f"-DCMAKE_PREFIX_PATH={self.prefix}", *options]
        run("cmake", *given)
        return run("cmake", "--build", folder)

    def measured(self, *words, **variables):
        """Status and reason of each algorithm, which are the same in all of its cells."""
        command = [str(word) for word in (self.sortlab, *words, "--json")]
        told = subprocess.run(command, capture_output=True, text=True, cwd=self.home, env=self.environment(**variables))
        records = [r for r in json_lines(told.stdout) if r["kind"] == "measurement"]
        assert records, told.stderr
        outcomes = {(r["case"]["algorithm"], r["status"], r["reason"]) for r in records}
        assert len(outcomes) == len({name for name, _, _ in outcomes}), outcomes
        return {name: (status, reason) for name, status, reason in outcomes}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    run("cmake", "--install", BUILT, "--prefix", folder / "prefix")
    return Installed(folder / "prefix", folder / "home")


@pytest.fixture(scope="module")
def modules(installed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("modules")
    installed.build(Path(__file__).with_name("modules"), folder, f"-DEXAMPLES={installed.examples}")
    names = {name: folder / name / f"{name}.so" for name in ("my_sort", "my_keys")}
    return names | {"sort_in_python": folder / "sort_in_python.so"}


def c_module(folder, name, text):
    """Makes a shared library from C, for modules that our compiler would not make."""
    file = folder / f"{name}.so"
    run("cc", "-shared", "-fPIC", "-x", "c", "-", "-o", file, input=text)
    return file


def test_it_runs_without_the_checkout(installed):
    found = {f["what"]: f["detail"] for f in json_lines(installed.run("doctor", "--json"))}
    assert str(installed.prefix / "share/sortlab") in found["folders"]
    assert str(installed.home / ".local/share/sortlab") in found["folders"]
    assert str(ROOT) not in found["folders"]
    listed = {what: json.loads(installed.run("list", what, "--json")) for what in ("configs", "machines")}
    assert {"quick", "smoke"} <= {c["name"] for c in listed["configs"]} and not any(
        c.get("error") for c in listed["configs"]
    )
    assert {"core_i7", "gtx280"} <= {m["id"] for m in listed["machines"]}
    assert (installed.prefix / "share/sortlab/results/published").is_dir()
    assert (installed.prefix / "share/sortlab/plots/claims/stehle2017").is_dir()


def test_a_config_is_found_and_records_go_to_the_user(installed):
    before = sorted(installed.prefix.rglob("*"))
    told = installed.run("run", "configs/smoke.json", "--filter", "std_sort u32 n=1000 uniform", "--json")
    assert {r["status"] for r in json_lines(told) if r["kind"] == "measurement"} == {"ok"}
    assert len(list(installed.home.glob(".local/share/sortlab/*/smoke.jsonl"))) == 1
    assert sorted(installed.prefix.rglob("*")) == before
    predicted = installed.run("predict", "-a", "satish_cpu_radix", "--n", "2^24", "--machine", "core_i7", "--json")
    assert any(r["kind"] == "prediction" for r in json_lines(predicted))


def test_headers_need_no_other(installed):
    """Fails if the list in install.cmake lacks a header."""
    includes = installed.prefix / "include/sortlab"
    headers = [path for path in includes.rglob("*") if path.is_file()]
    assert len(headers) > 20
    for header in headers:
        for name in re.findall(r'^#include "([^"]+)"', header.read_text(), re.M):
            assert (includes / name).is_file(), f"{header.relative_to(includes)} includes {name}"
        # Building a module needs the compiler, but not the libraries of the program.
        foreign = set(re.findall(r"^#include <([^>]+)>", header.read_text(), re.M)) - {"cuda_runtime.h"}
        assert not {name for name in foreign if "/" in name and not name.startswith("sys/")}, header


def test_a_module_is_measured_beside_others(installed, modules, tmp_path):
    records = tmp_path / "records.jsonl"
    words = ["bench", "-a", "my_sort", "-a", "std_sort", "--n", "1000", "--samples", "3", "--out", records]
    measured = installed.measured("--plugin", modules["my_sort"], *words)
    assert measured == {"my_sort": ("ok", None), "std_sort": ("ok", None)}
    kept = json_lines(records.read_text())
    build = next(r["build"] for r in kept if r["kind"] == "run")
    (module,) = build["modules"]
    assert (module["file"], module["algorithms"]) == ("my_sort.so", ["my_sort"])
    assert "-O3" in module["flags"]  # Release, though nobody asked for it
    assert module["digest"] in {r["case"]["build"] for r in kept if r["kind"] == "measurement"}


def test_a_module_runs_a_config_and_resumes(installed, modules, tmp_path):
    sweep = {"algorithms": ["my_sort"], "keys": ["u32", "f64"], "n": [100], "distributions": ["uniform"]}
    config = tmp_path / "mine.json"
    config.write_text(json.dumps({"name": "mine", "sweeps": [sweep]}))
    words = ["run", config, "--out", tmp_path / "mine.jsonl", "--json"]
    first = json_lines(installed.run(*words, "--plugin", modules["my_sort"]))  # behind the command, too
    assert [r["status"] for r in first if r["kind"] == "measurement"] == ["ok", "ok"]
    assert installed.run("--plugin", modules["my_sort"], *words) == ""


def test_a_distribution_of_a_module_is_an_input(installed, modules, tmp_path):
    records = tmp_path / "records.jsonl"
    words = ["--plugin", modules["my_keys"], "bench", "-a", "std_sort", "-k", "u64", "-n", "1000", "--samples", "3"]
    words += ["-d", "my_keys:word=ba", "--dump", tmp_path / "dump", "--out", records]
    assert installed.measured(*words) == {"std_sort": ("ok", None)}
    kept = json_lines(records.read_text())
    (module,) = next(r["build"] for r in kept if r["kind"] == "run")["modules"]
    assert (module["algorithms"], module["distributions"]) == ([], ["my_keys"])
    case = next(r["case"] for r in kept if r["kind"] == "measurement")
    assert case["distribution"] == "my_keys:word=ba" and case["distribution_parameters"] == {"word": "ba"}
    keys = np.load(next((tmp_path / "dump").glob("*input*.npy")))
    assert list(keys[:4] >> np.uint64(56)) == [ord(letter) for letter in "baba"] and len(set(keys)) == 1000
    listed = json.loads(installed.run("--plugin", modules["my_keys"], "list", "distributions", "--json"))
    assert next(d for d in listed if d["name"] == "my_keys")["parameters"][0]["text"] is True
    refused = installed.refused("--plugin", modules["my_keys"], "bench", "-a", "std_sort", "-d", "my_keys:letters=a")
    assert refused == "distribution my_keys: unknown parameter 'letters'; allowed: word"
    assert "unknown distribution 'my_keys'" in installed.refused("bench", "-a", "std_sort", "-d", "my_keys")


def test_folders_of_modules(installed, modules, tmp_path):
    for name in ("my_sort", "sort_in_python"):
        shutil.copy(modules[name], tmp_path)
    (tmp_path / "README").write_text("no module")
    listed = installed.run("list", "algorithms", "--json", SORTLAB_PLUGIN_PATH=f":{tmp_path}:")
    assert {"my_sort", "sort_in_python"} <= {entry["name"] for entry in json.loads(listed)}
    doctor = installed.run("doctor", "--plugin", tmp_path / "my_sort.so", SORTLAB_PLUGIN_PATH=tmp_path)  # once
    assert doctor.count("my_sort.so: my_sort") == 1


def test_nothing_of_a_module_is_bound_to_the_program(modules):
    """A module exports one object, and its templates are not shared."""
    exported = run("nm", "--dynamic", "--defined-only", modules["my_sort"]).split()
    assert [word for word in exported if word.endswith("sortlab_module")] and len(exported) == 3


def test_a_module_that_cannot_be_loaded_is_one_line(installed, modules, tmp_path):
    version = int(re.search(r"kContractVersion = (\d+);", (ROOT / "algorithms/module.hpp").read_text())[1])
    facts = "struct { unsigned contract, unused; unsigned long layout; } sortlab_module = { %s, 0, 1 };"
    whole = modules["my_sort"].read_bytes()
    (tmp_path / "text.so").write_text("hello")
    (tmp_path / "torn.so").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "end_missing.so").write_bytes(whole[:-1])
    (tmp_path / "copy.so").write_bytes(whole)
    c_module(tmp_path, "other_library", "int number;")
    c_module(tmp_path, "version_9", facts % 9)
    c_module(tmp_path, "other_types", facts % version)
    c_module(tmp_path, "undefined", "int gone(void); int call(void) { return gone(); }" + facts % version)
    faults = {
        "text": "no shared library",
        "torn": "torn: its end is missing",
        "end_missing": "torn: its end is missing",
        "nowhere": "No such file or directory",
        "other_library": "has no symbol sortlab_module",
        "version_9": f"has version 9 of the contract, and this program version {version}: build it again",
        "other_types": "was compiled with other types",
        "undefined": "undefined symbol: gone",
    }
    for name, fault in faults.items():
        file = tmp_path / f"{name}.so"
        told = installed.refused("--plugin", file, "bench", "-a", "std_sort")
        assert told.startswith(f"plugin: {file}: ") and fault in told, told
    told = installed.refused("--plugin", modules["my_sort"], "--plugin", tmp_path / "copy.so", "list", "algorithms")
    assert told == f"plugin: {tmp_path / 'copy.so'}: the name 'my_sort' is taken by {modules['my_sort']}"
    told = installed.refused("doctor", SORTLAB_PLUGIN_PATH="/no/folder")
    assert told == "plugin: /no/folder: does not exist (SORTLAB_PLUGIN_PATH)"
    told = installed.refused("--plugin", tmp_path, "doctor")
    assert told == f"plugin: {tmp_path}: not a file"


def test_a_worker_refuses_another_module_than_its_supervisor_has(installed, modules):
    told = installed.refused("--loaded", f"0123456789abcdef:{modules['my_sort']}", "worker")
    assert told == f"plugin: {modules['my_sort']}: has changed since the run began"


def test_a_sort_in_another_language(installed, modules):
    def outcome(manner):
        """Status and reason, without the step at which it happened."""
        words = ["bench", "-a", "sort_in_python", "--param", f"manner={manner}", "--n", "1000", "--samples", "2"]
        status, reason = installed.measured("--plugin", modules["sort_in_python"], *words)["sort_in_python"]
        return status, reason and re.sub(r"^threw in .*?: ", "", reason)

    assert outcome("sorts") == ("ok", None)
    assert outcome("idles")[0] == "wrong"
    program = Path(__file__).with_name("modules") / "sort_in_python.py"
    assert outcome("babbles") == ("failed", f"{program}: said 'soon' and not nanoseconds")
    assert outcome("leaves") == ("failed", f"{program}: is gone")
    assert outcome("is_late") == ("failed", f"{program}: said 'not yet' and not 'ready'")


@slow
def test_a_name_of_the_program_is_taken(installed, tmp_path):
    shutil.copytree(installed.examples / "my_sort", tmp_path / "std_sort")
    for file in (tmp_path / "std_sort").iterdir():
        file.write_text(file.read_text().replace("my_sort", "std_sort"))
    (tmp_path / "std_sort/my_sort.cpp").rename(tmp_path / "std_sort/std_sort.cpp")
    installed.build(tmp_path / "std_sort", tmp_path / "built")
    told = installed.refused("--plugin", tmp_path / "built/std_sort.so", "doctor")
    assert told.endswith("std_sort.so: the name 'std_sort' is taken by a sort of this program")


@slow
def test_the_module_is_known_by_what_is_in_it(installed, tmp_path):
    """The identity does not depend on the build folder, and changes with a library that the module calls."""
    for name in ("one", "two"):
        source = tmp_path / name / "sort"
        shutil.copytree(installed.examples / "my_sort", source)
        (source / "tuned.cpp").write_text("int tuned() { return 1; }\n")
        cmake = source / "CMakeLists.txt"
        cmake.write_text(
            cmake.read_text() + "add_library(tuned SHARED tuned.cpp)\ntarget_link_libraries(my_sort PRIVATE tuned)\n"
            "set_target_properties(my_sort PROPERTIES BUILD_RPATH $ORIGIN BUILD_RPATH_USE_ORIGIN ON)\n"
        )
        sort = source / "my_sort.cpp"
        sort.write_text("int tuned();\n" + sort.read_text().replace("std::make_heap", "if (tuned()) std::make_heap"))
        installed.build(source, tmp_path / name / "built")

    def digest(name):
        listed = installed.run(
            "--plugin", tmp_path / name / "built/my_sort.so", "list", "algorithms", "my_sort", "--json"
        )
        return json.loads(listed)[0]["build"]

    before = digest("one")
    assert digest("two") == before
    (tmp_path / "two/sort/tuned.cpp").write_text("int tuned() { return 2; }\n")
    run("cmake", "--build", tmp_path / "two/built")
    assert digest("two") != before


@slow
def test_the_gpu_example(installed, tmp_path):
    """The example also builds without nvcc, and reports that."""
    installed.build(installed.examples / "gpu_sort", tmp_path / "without", "-DCMAKE_CUDA_COMPILER=")
    words = ["list", "algorithms", "gpu_sort", "--json"]
    listed = json.loads(installed.run("--plugin", tmp_path / "without/gpu_sort.so", *words))
    assert listed[0]["reason"] == "this build is without CUDA"
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if nvcc is None:
        pytest.skip("no nvcc on PATH or in /usr/local/cuda")
    gpu = subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode == 0 if shutil.which("nvidia-smi") else 0
    architectures = "native" if gpu else "90"
    options = [f"-DCMAKE_CUDA_COMPILER={nvcc}", f"-DCMAKE_CUDA_ARCHITECTURES={architectures}"]
    installed.build(installed.examples / "gpu_sort", tmp_path / "with", *options)
    module = tmp_path / "with/gpu_sort.so"
    (entry,) = json.loads(installed.run("--plugin", module, *words))
    if not entry["runs_here"]:
        assert entry["reason"] != "this build is without CUDA"
        pytest.skip(f"built, not run: {entry['reason']}")
    words = ["bench", "-a", "gpu_sort", "--key", "u32", "--n", "2^20", "--samples", "3"]
    for residency in ("device", "end_to_end"):
        measured = installed.measured("--plugin", module, *words, "--residency", residency)
        assert measured["gpu_sort"] == ("ok", None)


@slow
def test_the_sorts_of_rust(installed, tmp_path):
    rustc = shutil.which("rustc")
    if rustc is None:
        pytest.skip("no rustc on PATH (package rustc)")
    installed.build(installed.examples / "rust_sort", tmp_path, f"-DRUSTC={rustc}")
    keys = ["u32", "u64", "i32", "i64", "f32", "f64", "u128"]
    options = [word for key in keys for word in ("--key", key)]
    for kind in ("unstable", "stable"):
        words = ["bench", "-a", "rust_sort", "--param", f"kind={kind}", *options, "--n", "0", "--n", "5000"]
        measured = installed.measured("--plugin", tmp_path / "rust_sort.so", *words, "--samples", "2")
        assert measured["rust_sort"] == ("ok", None)


@slow
@pytest.mark.parametrize("generator", ["TGZ", "DEB"])
def test_what_cpack_makes_runs(generator, tmp_path):
    if generator == "DEB" and not (shutil.which("dpkg-shlibdeps") and shutil.which("file")):
        pytest.skip("no dpkg-shlibdeps or no file (packages dpkg-dev and file)")
    run("cpack", "-G", generator, "-B", tmp_path / "made", "--config", BUILT / "CPackConfig.cmake")
    (file,) = (path for path in (tmp_path / "made").iterdir() if path.suffix in (".deb", ".gz"))
    root = tmp_path / "root"
    if generator == "DEB":
        fields = run("dpkg-deb", "--field", file)
        assert re.search(r"^Depends: .*libc6 .*libfmt", fields, re.M) and "\nInstalled-Size: " in fields
        run("dpkg-deb", "-x", file, root)
        prefix = root / "usr"
    else:
        root.mkdir()
        run("tar", "-xf", file, "-C", root)
        (prefix,) = root.iterdir()
    there = Installed(prefix, tmp_path / "home")
    assert str(prefix / "share/sortlab") in there.run("doctor")
    assert there.measured("bench", "-a", "std_sort", "--n", "1000", "--samples", "3") == {"std_sort": ("ok", None)}
    there.build(there.examples / "my_sort", tmp_path / "mine")
    words = ["--plugin", tmp_path / "mine/my_sort.so", "bench", "-a", "my_sort", "--n", "1000", "--samples", "3"]
    assert there.measured(*words) == {"my_sort": ("ok", None)}
