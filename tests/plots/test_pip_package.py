"""`pip install .`: the package sortlab finds everything that it needs beside itself, away from the checkout."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import plots.__main__ as commands

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "results/reference/amd-epyc-zen5-2c-925e87e7"
VERSION = re.search(r"project\(sortlab VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
PLUGIN = """
from plots.figures.artifact import Artifact
from sortlab.figures import artifact

assert Artifact is artifact.Artifact, "the same module under both names"
ARTIFACTS = {"MINE-*": lambda records: []}
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The files of the package without the rest of a checkout, as in an installed share folder."""
    made = tmp_path_factory.mktemp("tree")
    for name in ("plots", "results/published", "configs/schemas"):
        shutil.copytree(ROOT / name, made / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "CMakeLists.txt", "README.md"):
        shutil.copy(ROOT / name, made)
    return made


@pytest.fixture(scope="module")
def site(tree, tmp_path_factory):
    """Folder into which the system's pip and setuptools install the package, without network."""
    for module in ("pip", "setuptools", "wheel"):
        if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode:
            pytest.skip(f"{module} is not installed (python3-{module}): pip install . is not tried")
    made = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index"]
    command += ["--no-compile", "--disable-pip-version-check", "--root-user-action=ignore", "--target", str(made), "."]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return made


def python(site, *arguments, cwd):
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}
    return subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=120
    )


def test_what_is_installed(site):
    made = {str(file.relative_to(site)) for file in site.rglob("*") if file.is_file()}
    here = {f"sortlab/{file.relative_to(ROOT / 'plots')}" for file in (ROOT / "plots").rglob("*")}
    here = {name for name in here if not name.startswith("sortlab/site/")}  # makes the checkout's documentation
    wanted = {name for name in here if re.search(r"\.(py|json|css|js|j2|typed)$", name)}
    assert wanted <= made and "sortlab/py.typed" in made
    for folder, of in (("published", "results/published"), ("schemas", "configs/schemas")):
        assert {f"sortlab/data/{folder}/{f.name}" for f in (ROOT / of).iterdir()} <= made
    assert f"sortlab-{VERSION}.dist-info/METADATA" in made


def test_it_renders_away_from_the_checkout(site, tmp_path):
    """With claims, templates and the papers' numbers, and a plug-in's table and claims that name the package plots."""
    (tmp_path / "my_sort").mkdir()
    (tmp_path / "my_sort/artifact.py").write_text(PLUGIN)
    shutil.copy(ROOT / "algorithms/_template/claims.py", tmp_path / "my_sort")
    records = [KEPT / "accuracy.jsonl", KEPT / "algorithms.jsonl"]
    done = python(
        site,
        "-m",
        "sortlab",
        "render",
        "--records",
        *records,
        "--plugins",
        "my_sort",
        "--figure",
        "SAT-T1",
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "report/index.html\n", "")
    page = (tmp_path / "report/index.html").read_text()
    assert 'id="SAT-T1"' in page and "SAT-C1" in page and "_template-C1" in page
    assert "Inconsistencies inside the papers" in page


def test_it_renders_from_a_share_folder(tree, tmp_path):
    """Runs the package from share/sortlab/plots, where `cmake --install` puts it. Output goes to the current folder."""
    done = subprocess.run(
        [
            sys.executable,
            tree / "plots/__main__.py",
            "render",
            "--records",
            KEPT / "accuracy.jsonl",
            "--figure",
            "SAT-T1",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (0, "report/index.html\n"), done.stderr
    assert "Inconsistencies inside the papers" in (tmp_path / "report/index.html").read_text()


def test_it_reads_and_submits_away_from_the_checkout(site, tmp_path):
    pytest.importorskip("pandas", reason="pandas is not installed (python3-pandas): no frames")
    code = f"import sortlab; f = sortlab.read_records({str(KEPT / 'accuracy.jsonl')!r})\n"
    code += "print(len(f.measurements), sortlab.__file__)"
    done = python(site, "-c", code, cwd=tmp_path)
    assert done.stdout == f"192 {site}/sortlab/__init__.py\n", done.stderr
    for name in ("first", "second"):
        lines = (KEPT / f"aa/{name}.jsonl").read_text().splitlines(keepends=True)
        (tmp_path / f"{name}.jsonl").write_text("".join(lines[:25]))
    submit = ["submit", "first.jsonl", "--profile", KEPT / "profile.json", "--aa", "first.jsonl", "second.jsonl"]
    done = python(site, "-m", "sortlab", *submit, cwd=tmp_path)
    assert done.returncode == 1 and "the tree had changes" in done.stderr and "schema" not in done.stderr
    assert not (tmp_path / "results").exists()


def test_commands_are_told(site, tmp_path):
    there = [
        name
        for name, (module, _) in commands.COMMANDS.items()
        if (site / f"sortlab/{module.replace('.', '/')}.py").exists()
    ]
    assert {"render", "export", "import", "artifact", "submit", "check"} <= set(there)
    shown = python(site, "-m", "sortlab", "--help", cwd=tmp_path)
    assert shown.returncode == 0 and re.findall(r"^  ([\w-]+) ", shown.stdout, re.M) == there
    for name in there:
        called = {"convert-keys": "keys convert"}.get(name, name)
        told = python(site, "-m", "sortlab", *called.split(), "--help", cwd=tmp_path)
        assert told.returncode == 0 and f"Example: sortlab {called} " in told.stdout, told.stderr
    for wrong in ([], ["rendr"], ["--records"]):
        done = python(site, "-m", "sortlab", *wrong, cwd=tmp_path)
        assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
        assert f"allowed: {', '.join(there)}" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_reader_may_end_early(tmp_path):
    command = (
        f"{sys.executable} {ROOT}/plots/__main__.py export --format csv --kind samples {KEPT}/accuracy.jsonl | head -1"
    )
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("machine,") and done.stderr == ""


def test_types_are_checked_strictly():
    """py.typed promises types; ./run_tests.sh runs mypy, which wants one for every parameter and result."""
    options = (ROOT / "pyproject.toml").read_text().partition("[tool.mypy]")[2].partition("[[")[0]
    assert 'packages = ["plots"]' in options and "strict = true" in options


def test_the_record_schema_that_is_installed_is_the_checkouts(site):
    mine = json.loads((site / "sortlab/data/schemas/record.schema.json").read_text())
    assert mine == json.loads((ROOT / "configs/schemas/record.schema.json").read_text())
