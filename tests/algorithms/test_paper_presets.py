"""Presets that stand for a paper or its released code: the table in each sort's README names every parameter, with the
paper's value, ours, and where it is from; ours are those of the code."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
HEADING = "## The paper's settings\n"
SOURCES = r"(?:(?:SAT|HA|LEI|STE) (?:\d|Table)|released|inference)"


def listed():
    done = subprocess.run(
        [SORTLAB, "list", "algorithms", "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "SORTLAB_ROOT": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    return {a["name"]: a for a in json.loads(done.stdout)}


def papers_presets(algorithm):
    """Presets named for a paper, its released code, or a version of the library that it measures."""
    return {p: given for p, given in algorithm["presets"].items() if re.match(r"paper|released|cub_\d", p)}


ALGORITHMS = {name: a for name, a in listed().items() if papers_presets(a)}


def table(name):
    """The rows of a sort's table, by parameter and column."""
    text = (ROOT / f"algorithms/{name}/README.md").read_text(encoding="utf-8")
    assert text.count(HEADING) == 1, f"algorithms/{name}/README.md: one section {HEADING.strip()} is wanted"
    lines = text.partition(HEADING)[2].partition("\n## ")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    head, _, *body = rows
    return [dict(zip((cell.strip("`") for cell in head), (cell.strip("`") for cell in row))) for row in body]


def test_the_four_papers_have_such_presets():
    assert len(ALGORITHMS) >= 18
    assert {a["paper"] for a in ALGORITHMS.values()} >= {"satish2010", "leischner2009", "stehle2017", "ha2010"}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_parameter_has_a_row(name):
    assert [row["parameter"] for row in table(name)] == [p["name"] for p in ALGORITHMS[name]["parameters"]]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_our_values_are_those_of_the_presets(name):
    algorithm = ALGORITHMS[name]
    standard = {p["name"]: str(p["default"]) for p in algorithm["parameters"]}
    presets = papers_presets(algorithm)
    for row in table(name):
        assert row.keys() == {"parameter", "the paper", "where", *presets}, name
        for preset, given in presets.items():
            assert row[preset] == str(given.get(row["parameter"], standard[row["parameter"]])), (preset, row)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_value_has_a_source(name):
    for row in table(name):
        assert row["the paper"] and re.match(SOURCES, row["where"]), row
        # An inference says so.
        if re.search(r"\bnot (said|given)\b", row["the paper"]) and "released" not in row["where"]:
            assert "inference" in row["where"], row
