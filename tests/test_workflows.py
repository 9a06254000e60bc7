"""The workflows of .github: well formed, pinned, without secrets, and with the commands that the documents show."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DOCUMENTS = "".join((ROOT / name).read_text() for name in ("README.md", "CONTRIBUTING.md"))


def jobs(path):
    return yaml.safe_load(path.read_text())["jobs"]


def steps(path):
    return [step for job in jobs(path).values() for step in job["steps"]]


def test_there_are_some():
    assert [path.name for path in WORKFLOWS] == ["tests.yml", "weekly.yml"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_nothing_is_secret(path):
    uses = [step["uses"] for step in steps(path) if "uses" in step]
    assert uses and all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", use) for use in uses), uses
    assert "secrets." not in path.read_text()
    assert yaml.safe_load(path.read_text())["permissions"] == {"contents": "read"}


def commands(path):
    """Commands of the steps that do not prepare the runner's image; those of a matrix one by one."""
    for job in jobs(path).values():
        for step in job["steps"]:
            if "run" not in step or step.get("name", "").startswith("prepare"):
                continue
            if step["run"] == "${{ matrix.command }}":
                yield from job["strategy"]["matrix"]["command"]
            else:
                yield step["run"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_commands_are_those_that_the_documents_show(path):
    shown = list(commands(path))
    assert shown
    for command in shown:
        assert command in DOCUMENTS, command


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_expressions_name_what_the_matrix_has(path):
    for name, job in jobs(path).items():
        axes = set(job.get("strategy", {}).get("matrix", {}))
        named = set(re.findall(r"matrix\.([a-z_]+)", yaml.safe_dump(job)))
        assert named <= axes, name


@pytest.mark.skipif(not shutil.which("check-jsonschema"), reason="check-jsonschema is not installed: pip install it")
def test_they_match_their_json_schema():
    command = ["check-jsonschema", "--builtin-schema", "vendor.github-workflows", *map(str, WORKFLOWS)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
