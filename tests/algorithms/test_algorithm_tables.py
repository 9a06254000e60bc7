"""The tables of algorithms/README.md match the program's list of algorithms."""

import os
from pathlib import Path

import pytest

from algorithms import table

ROOT = Path(__file__).resolve().parents[2]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))


def algorithm(**facts):
    entry = {"name": "my_sort", "title": "My sort", "source": "This page", "family": "radix", "origin": "ours"}
    entry |= {"paper": None, "build": "0123456789abcdef", "runs_on": "host", "parallel": True, "stable": False}
    return entry | {"keys": ["u32", "u64"], "values": ["none"], "reason": None} | facts


def test_the_tables_are_current():
    text = table.README.read_text()
    assert table.written(text, table.listed_by(SORTLAB)) == text, "python3 algorithms/table.py writes them anew"


def test_what_a_build_lacks_keeps_its_row():
    empty = f"before\n{table.BEGIN}{table.END}after\n"
    once = table.written(empty, [algorithm(), algorithm(name="peer", origin="peer", keys=table.FIXED_WIDTH)])
    assert "| [my_sort](my_sort) | My sort | This page | radix | ours | u32 u64 | none | many | no |\n" in once
    assert once.index("[my_sort]") < once.index("[peer]") < once.index("after")
    lacking = algorithm(name="peer", build=table.NO_DIGEST, family="unknown", reason="not in this build")
    assert table.written(once, [algorithm(), lacking]) == once
    with pytest.raises(SystemExit, match="peer: not in this build"):
        table.written(empty, [lacking])
