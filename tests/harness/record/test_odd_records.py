"""A corpus of odd files of records, with one answer for both readers: C++'s, through `merge`, and Python's.

`expected.json` has, for each file, the number of records in it, the lines that are refused (0: the whole file) and
whether a torn end is left out. C++ refuses a file with any such line and names the first; Python leaves the lines out.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from plots.records.collection import Records
from plots.records.jsonl import BadInput

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
CORPUS = ROOT / "tests/data/odd_records"
EXPECTED = json.loads((CORPUS / "expected.json").read_text())


def refused_line(said, file):
    """The line that a message names; 0 if it names the file alone."""
    named = re.search(re.escape(str(file)) + r"(?::(\d+))?: ", said)
    assert named and said.count("\n") <= 1, said
    return int(named[1] or 0)


def answer_of_python(file):
    records = Records()
    try:
        records.add_file(file)
    except BadInput as error:
        found = records.refused or [str(error)]
        return {"records": 0, "refused": [refused_line(line, file) for line in found], "torn": bool(records.torn)}
    refused = [refused_line(line, file) for line in records.refused]
    return {"records": records.files[0][1], "refused": refused, "torn": bool(records.torn)}


def test_both_readers_know_the_same_kinds():
    source = (ROOT / "harness/record/record_reader.cpp").read_text()
    listed = re.search(r"kKinds\{(.*?)\};", source, re.S)
    schema = json.loads((ROOT / "configs/schemas/record.schema.json").read_text())
    assert sorted(re.findall(r'"(\w+)"', listed[1])) == sorted(schema["properties"]["kind"]["enum"])


def test_every_file_is_in_the_table():
    assert {file.name for file in CORPUS.glob("*.jsonl")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_python_and_the_program_read_the_same(name, tmp_path):
    file, expected = CORPUS / name, EXPECTED[name]
    assert answer_of_python(file) == expected
    out = tmp_path / "out.jsonl"
    done = subprocess.run([SORTLAB, "merge", file, "--out", out, "--json"], capture_output=True, text=True, timeout=60)
    if expected["refused"]:
        assert done.returncode == 2 and done.stdout == "" and not out.exists(), done.stderr
        assert refused_line(done.stderr, file) == expected["refused"][0], done.stderr
        return
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["records"] + told["duplicates"] == expected["records"]
    assert any("left out" in note for note in told["notes"]) == expected["torn"]
    # The union is read again, and holds no byte order mark.
    assert answer_of_python(out) == {"records": told["records"], "refused": [], "torn": False}
    assert b"\xef\xbb\xbf" not in out.read_bytes()


@pytest.mark.parametrize("name", [name for name, expected in EXPECTED.items() if not expected["refused"]])
def test_a_run_goes_on_behind_what_the_file_holds(name, tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_bytes((CORPUS / name).read_bytes())
    command = [SORTLAB, "bench", "-a", "std_sort", "-n", "100", "--samples", "1", "--out", out]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    answer = answer_of_python(out)
    assert answer["records"] > EXPECTED[name]["records"] + 1 and not answer["refused"] and not answer["torn"]
