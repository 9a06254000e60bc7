"""Hypothesis against all that Python reads of foreign files: records, profiles, dumps. Whatever they hold, an answer is
an exit status, one line a thing, and pages and pictures that parse.

A minute's part runs with ./run_tests.sh, the same examples every time; `--full`, or SORTLAB_FUZZ_S seconds a test, goes
on with others. What failed once is kept.
"""

import contextlib
import io
import json
import os
import tempfile
import time
import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import synthetic_profile
import synthetic_records as synthetic
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from plots import check
from plots.commands import render
from plots.records.bounds import clean
from plots.records.jsonl import BadInput
from plots.records.profile import copy_bandwidth, read_bandwidth
from plots.records.collection import read

ROOT = Path(__file__).resolve().parents[2]
SECONDS = float(os.environ.get("SORTLAB_FUZZ_S", 900 if os.environ.get("SORTLAB_FULL") else 0))

CASE = synthetic.case("std_sort", 1 << 16)
RECORDS = [
    synthetic.run_record(),
    synthetic.measurement(CASE, 1e-3),
    synthetic.measurement({**CASE, "algorithm": "satish_cpu_radix", "key_type": "u64", "value_type": "u32"}, 2e-3),
    synthetic.prediction(CASE, 1e-3),
    synthetic.skipped({**CASE, "n": 5}, "no reason"),
    synthetic.ALGORITHMS["std_sort"],
    *map(json.loads, (ROOT / "tests" / "data" / "example_records.jsonl").read_text().splitlines()),
]
POINTS = [{"at": [1, 1024], "value": 1e9}, {"at": [2, 2048], "value": 2e9}]
TABLE = synthetic_profile.table("B/s", ["threads", "bytes"], POINTS)
DEVICE = synthetic_profile.profile({"read": TABLE})
PROFILE = synthetic_profile.profile({"copy": TABLE}, devices=[DEVICE])
FIGURES = ["CPU-u32-1T", "SAT-F1", "HA-F4", "STE-F6"]


def fuzzed(examples, *strategies, kept=()):
    """The given number of fixed examples, and the kept ones; then, while SECONDS last, further examples."""

    def of(test):
        how = {"max_examples": examples, "deadline": None, "suppress_health_check": list(HealthCheck)}

        def with_settings(**others):
            made = given(*strategies)(test)
            for arguments in kept:
                made = example(*arguments)(made)
            return settings(**how, **others)(made)

        def run():
            end = time.monotonic() + SECONDS
            with_settings(derandomize=True, database=None)()
            while time.monotonic() < end:
                with_settings(print_blob=True)()

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return of


texts = st.text(st.characters(), max_size=300) | st.sampled_from(["\x1b[31m", "\u202e", "\ud800", "=1+1", "$\\frac{$"])
numbers = st.integers() | st.floats() | st.sampled_from([10**400, -1, 0, 1 << 63, 1e-310, 1e308, -0.0])
scalars = st.none() | st.booleans() | numbers | texts
values = st.recursive(scalars, lambda v: st.lists(v, max_size=4) | st.dictionaries(texts, v, max_size=4), max_leaves=12)


def places(value, path=()):
    """The paths of all members and items below."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in items:
        yield (*path, name)
        yield from places(item, (*path, name))


@st.composite
def mutated(draw, bases):
    """A copy of a base with some members changed, left out, doubled or replaced by members of another base."""
    made = json.loads(json.dumps(draw(st.sampled_from(bases))))
    for _ in range(draw(st.integers(1, 3))):
        every = list(places(made))
        if not every:
            break
        *parents, last = draw(st.sampled_from(every))
        target = made
        for name in parents:
            target = target[name]
        how = draw(st.sampled_from(["scalar", "value", "delete", "swap", "add"]))
        if how == "delete":
            del target[last]
        elif how == "swap":
            other = draw(st.sampled_from(bases))
            *others, at = draw(st.sampled_from(list(places(other))))
            for name in others:
                other = other[name]
            target[last] = json.loads(json.dumps(other[at]))
        elif how == "add" and isinstance(target, dict):
            target[draw(texts)] = draw(values)
        else:
            target[last] = draw(scalars if how == "scalar" else values)
    return json.dumps(made).encode()


@st.composite
def spliced(draw, bases):
    """The bytes of a base, some of them changed."""
    line = bytearray(json.dumps(draw(st.sampled_from(bases))).encode())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(line)))
        line[at : at + draw(st.integers(0, 8))] = draw(st.binary(max_size=8))
    return bytes(line)


def json_lines(bases):
    return mutated(bases) | spliced(bases)


def is_one_line(said):
    return clean(said) == said and len(said) < 2000


KEPT = [
    b"\0" * 100,
    json.dumps({**RECORDS[0], "environment": {"\xa0": 1e31}}).encode(),  # a space, and no control character
    b'{"a":' * 5000 + b"1" + b"}" * 5000,
    b'{"schema": 1, "kind": "run", "n": ' + b"1" * 5000 + b"}",
]


@fuzzed(150, st.lists(json_lines(RECORDS), min_size=1, max_size=8), kept=[([line],) for line in KEPT])
def test_records_are_read_or_refused_in_one_line_each(lines):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.jsonl"
        file.write_bytes(b"".join(line + b"\n" for line in lines))
        try:
            refused = read([file]).refused
        except BadInput as error:
            refused = [str(error)]
        assert all(map(is_one_line, refused))


@fuzzed(6, st.lists(mutated(RECORDS), min_size=20, max_size=40), st.sampled_from(FIGURES))
def test_what_is_read_is_rendered_clean(lines, figure):
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        file, out = Path(folder) / "records.jsonl", Path(folder) / "out"
        whole = [json.dumps(record).encode() for record in RECORDS[:3]]
        file.write_bytes(b"".join(line + b"\n" for line in [*whole, *lines]))
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            status = render.main(["--records", str(file), "--figure", figure, "--out", str(out)])
        assert all(map(is_one_line, said.getvalue().splitlines()))
        assert status in (0, 2) and out.exists() == (status == 0)
        for written in out.rglob("*") if status == 0 else ():
            if written.suffix in (".html", ".svg", ".csv", ".tex"):
                text = written.read_text(encoding="utf-8")
                assert clean(text.replace("\n", "")) == text.replace("\n", "")
                if written.suffix == ".svg":
                    ElementTree.fromstring(text)


@fuzzed(150, json_lines([PROFILE]))
def test_profiles_are_read_or_refused_in_one_line(text):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile.json"
        file.write_bytes(text)
        for reads in (copy_bandwidth, read_bandwidth):
            try:
                reads(file)
            except BadInput as error:
                assert is_one_line(str(error))


def checked(folder):
    said, bad = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(bad):
        status = check.main([str(folder)])
    assert all(map(is_one_line, [*said.getvalue().splitlines(), *bad.getvalue().splitlines()]))
    assert status in (0, 1, 2) and (status == 2) == bool(bad.getvalue())
    return status


def dump(folder, keys, values, order, **changes):
    """Keys of one type with values, and a possible output of a sort."""
    made = {"input.keys": keys, "input.values": values, "output.keys": keys[order], "output.values": values[order]}
    for name, array in made.items():
        np.save(folder / f"{name}.npy", array)
    sort = {"algorithm": "a", "cell": "0", "key_type": "u32", "value_type": "u32", "n": len(keys), "stable": True}
    sort |= {side: {what: f"{side}.{what}.npy" for what in ("keys", "values")} for side in ("input", "output")}
    return {**sort, **changes}


@fuzzed(150, st.lists(st.integers(0, 3), max_size=12), st.randoms(use_true_random=False), kept=[([0, 0], None)])
def test_the_checker_calls_one_output_right(keys, random):
    """The stable permutation; for a sort that claims no stability, also those that differ only for equal keys."""
    made, values = np.array(keys, "uint32"), np.arange(len(keys), dtype="uint32")
    right = sorted(range(len(keys)), key=lambda i: keys[i])
    order = list(reversed(right))
    if random:
        random.shuffle(order)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for stable in (True, False):
            sort = dump(folder, made, values, np.array(order, int), stable=stable)
            (folder / "manifest.jsonl").write_text(json.dumps(sort) + "\n")
            is_right = order == right if stable else [keys[i] for i in order] == sorted(keys)
            assert checked(folder) == (0 if is_right else 1)


SORT = {"algorithm": "a", "cell": "0", "key_type": "u32", "value_type": "u32", "n": 3, "stable": True, "order": None}
SORT |= {side: {what: f"{side}.{what}.npy" for what in ("keys", "values")} for side in ("input", "output")}
SORTS = [
    SORT,
    {**SORT, "key_type": "f32", "order": {"unit_floats": True, "shift": 0, "bits": 23}},
    {**SORT, "key_type": "u128", "order": {"unit_floats": False, "shift": 7, "bits": 64}},
    {**SORT, "key_type": "string", "value_type": "none"},
]


NO_HEADER_LENGTH = (json.dumps(SORT).encode(), 10, b"\0")  # the header ends within a bracket


@fuzzed(150, json_lines(SORTS), st.integers(0, 200), st.binary(max_size=8), kept=[NO_HEADER_LENGTH])
def test_a_dump_of_anyone_is_judged_or_refused(line, at, bytes_of_array):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump(folder, np.array([2, 1, 2], "uint32"), np.arange(3, dtype="uint32"), np.array([1, 0, 2]))
        (folder / "manifest.jsonl").write_bytes(line + b"\n")
        array = bytearray((folder / "output.keys.npy").read_bytes())
        array[at : at + len(bytes_of_array)] = bytes_of_array
        (folder / "output.keys.npy").write_bytes(array)
        checked(folder)
