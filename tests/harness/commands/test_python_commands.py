"""The commands implemented in Python, called through `sortlab`."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import plots.__main__ as commands

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
KEPT = ROOT / "results/reference/amd-epyc-zen5-2c-925e87e7"
ENVIRONMENT = {**os.environ, "SORTLAB_PYTHON": sys.executable}


def sortlab(*arguments, cwd=None, **environment):
    return subprocess.run(
        [SORTLAB, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=120,
        env={**ENVIRONMENT, "SORTLAB_ROOT": str(ROOT), **environment},
    )


def test_the_program_and_the_package_name_the_same_commands():
    shown = dict(re.findall(r"^  ([\w-]+) +(\S.*)$", sortlab("--help").stdout.split("Subcommands:")[1], re.M))
    for name, (module, what) in commands.COMMANDS.items():
        if (ROOT / f"plots/{module.replace('.', '/')}.py").exists():
            assert shown[name].lower() == what.lower()[: len(shown[name])], name
        else:
            assert name not in shown


def test_a_command_gets_its_words_as_they_are(tmp_path):
    """Options, their order, words that look like another command, and the current folder."""
    (tmp_path / "merge").write_bytes((KEPT / "accuracy.jsonl").read_bytes())
    done = sortlab("export", "merge", "--kind", "samples", "--format=csv", "--out", "list", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "list\n", "")
    assert (tmp_path / "list").read_text().startswith("machine,run,cell,key,algorithm,sample,process,sample_s\n")


def test_render_reaches_the_page(tmp_path):
    records = [KEPT / "accuracy.jsonl", KEPT / "algorithms.jsonl"]
    done = sortlab("render", "--records", *records, "--figure", "SAT-T1", "--out", tmp_path / "report", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report/index.html").exists()


def test_a_module_of_the_callers_folder_is_not_taken_for_ours(tmp_path):
    for name in ("plots", "json"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('theirs')")
    done = sortlab("check", "none", cwd=tmp_path)
    assert done.returncode == 2 and "theirs" not in done.stderr and "none/manifest.jsonl" in done.stderr


def test_no_way_to_start_python_takes_modules_from_the_callers_folder(tmp_path):
    """pip's package, the search for packages, `python3 -m`; an empty entry of PYTHONPATH is the current folder."""
    for folder in ("root/configs", "root/generators", "root/models/machines", "site/sortlab", "here"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "site/sortlab/__main__.py").write_text("import json, sys; print(sys.argv[1:])")
    for name in ("json", "runpy", "numpy", "importlib", "sitecustomize"):
        (tmp_path / f"here/{name}.py").write_text("raise SystemExit('theirs')")
    here, paths = tmp_path / "here", f"{tmp_path / 'site'}:"
    done = sortlab("render", "x", cwd=here, SORTLAB_ROOT=str(tmp_path / "root"), PYTHONPATH=paths)
    assert (done.returncode, done.stdout) == (0, "['render', 'x']\n"), done.stderr
    done = sortlab("doctor", "--json", cwd=here, PYTHONPATH=":")
    (python,) = [one for one in map(json.loads, done.stdout.splitlines()) if one["what"] == "Python"]
    assert python["good"], python
    (here / "plots").symlink_to(ROOT / "plots")
    (here / "runpy.py").unlink()
    (here / "importlib.py").unlink()
    (here / "sitecustomize.py").unlink()
    done = subprocess.run([sys.executable, "-m", "plots", "--help"], cwd=here, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("usage: "), done.stderr
    done = subprocess.run([sys.executable, "-m", "plots.check", "none"], cwd=here, capture_output=True, text=True)
    assert done.returncode == 2 and "none/manifest.jsonl" in done.stderr


@pytest.mark.parametrize("settings", [b"font.size: 40\naxes.facecolor: red\nno setting", b"\xff\xfe"])
def test_a_matplotlibrc_of_the_callers_folder_is_not_read(tmp_path, settings):
    records = [KEPT / "accuracy.jsonl", KEPT / "algorithms.jsonl"]
    made = []
    for name, content in (("without", None), ("with", settings)):
        (tmp_path / name).mkdir()
        if content:
            (tmp_path / name / "matplotlibrc").write_bytes(content)
        done = sortlab("render", "--records", *records, "--figure", "SAT-F1", "--out", "report", cwd=tmp_path / name)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        made.append({file.name: file.read_bytes() for file in (tmp_path / name / "report").rglob("*.svg")})
    assert made[0] and made[0] == made[1]


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["export", "--format", "csv", "none.jsonl"], "sortlab export: --records none.jsonl: no such file"),
        (["import", "x"], "sortlab import: the following arguments are required: --format"),
        (["submit"], "sortlab submit: the following arguments are required: RECORDS, --profile, --aa"),
        (["render", "--rekords", "x"], "--rekords"),
        (["check", "none"], "check: none/manifest.jsonl"),
    ],
)
def test_bad_input_is_one_line_with_status_2(arguments, says, tmp_path):
    done = sortlab(*arguments, cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1 and says in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_without_python_one_line_says_so(tmp_path):
    done = sortlab("export", "--help", SORTLAB_PYTHON=str(tmp_path / "python3"))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("sortlab: export: ") and "cannot be run: No such file or directory" in done.stderr


def test_an_installed_folder_without_the_package_leaves_it_to_pip(tmp_path):
    """A root without plots/: the command then runs the installed module sortlab."""
    for folder in ("root/configs", "root/generators", "root/models/machines", "site/sortlab"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "site/sortlab/__main__.py").write_text("import sys; print(sys.argv[1:])")
    done = sortlab("render", "--out", "x y", SORTLAB_ROOT=str(tmp_path / "root"), PYTHONPATH=str(tmp_path / "site"))
    assert (done.returncode, done.stdout) == (0, "['render', '--out', 'x y']\n"), done.stderr


def test_the_program_takes_no_imported_result_for_a_measurement(tmp_path):
    theirs = {
        "context": {"date": "", "host_name": "x", "num_cpus": 2, "mhz_per_cpu": 3000},
        "benchmarks": [{"name": "BM_sort", "real_time": 1.0, "cpu_time": 1.0, "time_unit": "ms", "iterations": 1}],
    }
    (tmp_path / "theirs.json").write_text(json.dumps(theirs))
    done = sortlab("import", "--format", "google-benchmark", "theirs.json", "--out", "theirs.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    alone = sortlab("compare", "theirs.jsonl", "theirs.jsonl", cwd=tmp_path)
    assert alone.returncode == 2 and "holds no measurement" in alone.stderr
    shutil.copy(KEPT / "aa/first.jsonl", tmp_path / "ours.jsonl")
    merged = sortlab("merge", "ours.jsonl", "theirs.jsonl", "--out", "both.jsonl", cwd=tmp_path)
    assert merged.returncode == 0, merged.stderr
    told = [
        json.loads(line)
        for line in sortlab("compare", "ours.jsonl", "both.jsonl", "--json", cwd=tmp_path).stdout.splitlines()
    ]
    assert told[-1]["cells"] == 184 and told[-1]["counts"]["same"] == 184
    done = sortlab("predict", "--for", "theirs.jsonl", "--machine", KEPT / "profile.json", cwd=tmp_path)
    assert "BM_sort" not in done.stdout and done.returncode == 2, done.stderr


@pytest.mark.parametrize(
    "setting",
    ["INSPECT=1", "STARTUP=/nonexistent", "DEVMODE=1", "WARNINGS=error", "OPTIMIZE=2", "VERBOSE=1", "MALLOCSTATS=1"]
    + ["PROFILEIMPORTTIME=1", "IOENCODING=unknown", "HASHSEED=text", "MALLOC=unknown", "TRACEMALLOC=text", "UTF8=x"],
)
def test_variables_of_python_have_no_effect(setting, tmp_path):
    name, _, value = setting.partition("=")
    command = ["export", KEPT / "accuracy.jsonl", "--kind", "samples", "--format=csv", "--out", tmp_path / "out.csv"]
    done = sortlab(*command, **{f"PYTHON{name}": value})
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path / 'out.csv'}\n", "")
    assert (tmp_path / "out.csv").stat().st_size > 0


def test_doctor_asks_a_python_without_the_callers_settings():
    done = sortlab("doctor", "--json", PYTHONVERBOSE="1", PYTHONHASHSEED="text")
    (python,) = [one for one in map(json.loads, done.stdout.splitlines()) if one["what"] == "Python"]
    assert python["good"], python
