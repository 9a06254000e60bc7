"""The share of inputs for which auto's choice is near the fastest setting that was measured."""

import json

import pytest

from plots.commands.auto_choices import main

CASE = {
    "algorithm": "my_sort",
    "key_type": "u32",
    "value_type": "none",
    "layout": "separate",
    "distribution": "uniform",
    "distribution_parameters": {},
    "entropy_bits": None,
    "residency": "device",
    "threads": 1,
    "seed": 1,
}


def case(n, regime):
    return {**CASE, "n": n, "parameters": {"regime": regime}}


def measurement(n, regime, median_s):
    return {"kind": "measurement", "status": "ok", "case": case(n, regime), "median_s": median_s}


@pytest.fixture
def files(tmp_path):
    def write(measured, chosen):
        paths = (tmp_path / "measured.jsonl", tmp_path / "chosen.jsonl")
        for path, records in zip(paths, (measured, chosen)):
            path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return [str(path) for path in paths]

    return write


MEASURED = [
    {"kind": "run"},
    *(measurement(64, regime, seconds) for regime, seconds in (("wide", 1.0), ("partitions", 1.04))),
    *(measurement(128, regime, seconds) for regime, seconds in (("wide", 2.0), ("partitions", 1.0))),
    measurement(256, "wide", 1.0),
]


def test_near_choices_are_enough(files, capsys):
    arguments = files(MEASURED, [{"case": case(64, "partitions")}, {"case": case(128, "partitions")}])
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines() == [
        "u32       100.0 % of 2 within 5 %, mean 2.0 %",
        "all       100.0 % of 2 within 5 %, mean 2.0 %",
    ]
    assert main([*arguments, "--loss", "1"]) == 1


def test_a_choice_that_is_far_is_named_with_the_best(files, capsys):
    chosen = [{"case": case(64, "wide")}, {"case": case(128, "wide")}, {"case": case(256, "wide")}]
    assert main(files(MEASURED, chosen)) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == " 100.0 % slower than regime=partitions: u32, n 128, uniform"
    assert told[-2].startswith("all        50.0 % of 2")
    assert told[-1] == "1 chosen with nothing measured to compare them with"


@pytest.mark.parametrize("chosen", [[], [{"case": case(256, "wide")}], [{"case": {}}]])
def test_nothing_to_compare_is_bad_input(files, capsys, chosen):
    assert main(files(MEASURED, chosen)) == 2
    assert capsys.readouterr().err.count("\n") == 1
