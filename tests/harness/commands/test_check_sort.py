"""`sortlab check-sort` finds nothing in honest sorts, and the README shows the faults that it looks for."""

import json
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))


def check_sort(*arguments):
    return subprocess.run([SORTLAB, "check-sort", *arguments], capture_output=True, text=True, timeout=120)


def test_the_readme_shows_the_faults():
    listed = check_sort("--faults")
    assert listed.returncode == 0
    assert listed.stdout in (ROOT / "algorithms" / "README.md").read_text()


def test_an_honest_sort_has_none():
    answer = check_sort("std_sort", "--time-budget", "4")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "cells without a fault, 0 with one" in answer.stdout
    assert "at most 0 allocations in a sort" in answer.stdout
    assert "the result lies in the input's arrays" in answer.stdout, "an empty input is sorted in place, too"


def cells_tried(name):
    """The cells of check-sort's plan, and those of the sort without a preset, in its own layout."""
    answer = check_sort(name, "--time-budget", "0.1s")
    counts = re.search(r"(\d+) cells without a fault, (\d+) with one, (\d+) declined, (\d+) left", answer.stdout)
    listed = subprocess.run([SORTLAB, "list", "algorithms", "--json"], capture_output=True, text=True, check=True)
    info = next(sort for sort in json.loads(listed.stdout) if sort["name"] == name)
    threads = 2 if info["parallel"] and len(os.sched_getaffinity(0)) > 1 else 1
    sizes, distributions = 7, 3
    plain = len(info["keys"]) * len(info["values"]) * sizes * distributions * threads
    return sum(map(int, counts.groups())), plain


def test_presets_and_layouts_are_tried_too():
    tried, plain = cells_tried("std_sort")  # without presets
    assert tried == plain
    tried, plain = cells_tried("satish_cpu_radix")
    assert tried > plain


def test_bad_input_gets_one_line():
    for arguments, message in (([], "name a sort"), (["std_srot"], "did you mean 'std_sort'")):
        answer = check_sort(*arguments)
        assert answer.returncode == 2
        assert message in answer.stderr and answer.stderr.count("\n") == 1
