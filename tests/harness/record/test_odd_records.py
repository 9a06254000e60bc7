"""A corpus of odd files of records, with one answer for both readers: C++'s, through `merge`, and Python's.

`expected.json` has, for each file, the number of records in it, the lines that are refused (0: the whole file) and
whether a torn end is left out. C++ refuses a file with any such line and names the first; Python leaves the lines out.
"""

import copy
import json
import os
import random
import re
import subprocess
from pathlib import Path

import pytest
from whole_records import in_its_cell, metered_record, whole_record

from plots.records.collection import Records
from plots.records.jsonl import BadInput, holds_lines
from plots.records.schema import record_fault

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


def test_every_file_is_in_the_table():
    assert set(filter(holds_lines, CORPUS.iterdir())) == {CORPUS / name for name in EXPECTED}


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
    # The union is read again, and holds neither a byte order mark nor DOS's line ends.
    assert answer_of_python(out) == {"records": told["records"], "refused": [], "torn": False}
    assert b"\xef\xbb\xbf" not in out.read_bytes() and b"\r\n" not in out.read_bytes()


def places(value, path=()):
    """The members of a record, and of what it holds: of lists the first element."""
    if path:
        yield path
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*path, name))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


def changed(record, path, *value):
    """The record with one member replaced by `value`, or without it."""
    record = copy.deepcopy(record)
    holder = record
    for name in path[:-1]:
        holder = holder[name]
    if value:
        holder[path[-1]] = value[0]
    else:
        del holder[path[-1]]
    return record


def mutants(record):
    for path in places(record):
        yield changed(record, path)
        for value in (None, True, -1, "", "a text", [], {}):
            yield changed(record, path, value)


EXAMPLES = [json.loads(line) for line in (ROOT / "tests/data/example_records.jsonl").read_text().splitlines()]
EXAMPLES.append(metered_record(whole_record("measurement")))


def merge(file, lines):
    file.write_text("".join(line + "\n" for line in lines))
    return subprocess.run([SORTLAB, "merge", file, "--out", f"{file}.out"], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("place", range(len(EXAMPLES)), ids=lambda i: f"{i}-{EXAMPLES[i]['kind']}")
def test_a_record_with_a_member_lost_or_of_another_type_gets_one_verdict(place, tmp_path):
    sound, refused = [], []
    file = tmp_path / "one.jsonl"
    for number, record in enumerate(mutants(EXAMPLES[place])):
        if record.get("key") == EXAMPLES[place].get("key") is not None:  # else they contradict each other
            record["key"] = f"{number:016x}"
        if record.get("cell") == EXAMPLES[place].get("cell") is not None and not record_fault(record):
            record = in_its_cell(record)
        if record.get("kind") == "run" and record.get("run") == EXAMPLES[place]["run"]:
            record["run"] = f"20261121T003000Z-{number:06x}"
        file.write_text(json.dumps(record) + "\n")
        (refused if answer_of_python(file)["refused"] else sound).append(json.dumps(record))
    assert sound and refused
    done = merge(tmp_path / "sound.jsonl", sound)
    assert done.returncode in (0, 1), f"{done.stderr}: 1 is a conflict between records that were read"
    for line in random.Random(place).sample(refused, min(50, len(refused))):  # each costs the start of a program
        done = merge(file, [line])
        assert done.returncode == 2 and refused_line(done.stderr, file) == 1, line


@pytest.mark.parametrize("name", [name for name, expected in EXPECTED.items() if not expected["refused"]])
def test_a_run_goes_on_behind_what_the_file_holds(name, tmp_path):
    out, before = tmp_path / "out.jsonl", (CORPUS / name).read_bytes()
    out.write_bytes(before)
    command = [SORTLAB, "bench", "-a", "std_sort", "-n", "100", "--samples", "1", "--out", out]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if before.startswith(b"\x1f\x8b"):  # compressed, under whatever name: nothing can be appended
        assert done.returncode == 2 and "is compressed" in done.stderr and out.read_bytes() == before
        return
    assert done.returncode == 0, done.stderr
    answer = answer_of_python(out)
    assert answer["records"] > EXPECTED[name]["records"] + 1 and not answer["refused"] and not answer["torn"]
