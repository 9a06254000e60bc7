"""The claims ledger: complete and well formed; verdicts follow from intervals; arithmetic is safe."""

import json
import math
import re
from pathlib import Path

import pytest
import synthetic_records as synthetic

from plots import claims
from plots.claims import FAILS, HOLDS, NOT_TESTABLE, UNDECIDED, Value, arithmetic, over_cases
from plots.quantities import Interval
from plots.records import Records, read

PAPERS = ("satish2010", "stehle2017", "ha2010", "leischner2009")
BOOKS = {name: json.loads((claims.LEDGER / f"{name}.json").read_text()) for name in PAPERS}
ALL = [(book["paper"], claim) for book in BOOKS.values() for claim in book["claims"]]
SORTS = json.loads((claims.LEDGER / "sorts.json").read_text())
ROOT = Path(__file__).resolve().parent.parent


def records_of(tmp_path: Path, *records: dict) -> Records:
    read_back = read([synthetic.write(tmp_path / "r.jsonl", [synthetic.run_record(), *records])])
    return read_back.on(synthetic.MACHINE)


def test_the_ledger_holds_every_claim_of_the_four_papers():
    ids = [claim["id"] for _, claim in ALL]
    wanted = [
        f"{paper}-C{i}"
        for paper, count in (("SAT", 32), ("STE", 32), ("HA", 12), ("LEI", 17))
        for i in range(1, count + 1)
    ]
    assert ids == wanted


@pytest.mark.parametrize("paper, claim", ALL, ids=lambda c: c["id"] if isinstance(c, dict) else c)
def test_a_claim_is_well_formed(paper, claim):
    assert set(claim) <= {"id", "section", "platform", "proposition", "inconsistency", "config", "parts"}
    assert claim["platform"] in ("cpu", "gpu", "many-core", "cpu+gpu", "arithmetic")
    assert claim["proposition"].endswith(".") and claim["section"] and claim["parts"]
    known = json.loads((ROOT / "results" / "published" / "inconsistencies.json").read_text())
    assert claim.get("inconsistency", "X1") in known
    if "config" in claim:
        assert (ROOT / claim["config"]).is_file()
    for part in claim["parts"]:
        query = part["query"]
        for side in ("time_of", "over_time_of", "level", "flat", "share", "status_of"):
            if side in query:
                assert query[side]["sort"] in SORTS
                if "n" in query[side]:
                    assert re.fullmatch(r"[\d^eM]+(\.\.([\d^eM]+)?)?", query[side]["n"])
        assert ("untestable" in query) != ("is" in query)
        if "value" in query:
            assert math.isfinite(arithmetic(query["value"]))
        if len(claim["parts"]) > 1:
            assert part.get("name")


def test_nothing_measured_leaves_every_claim_of_a_machine_untestable_with_a_reason():
    for result in claims.judge(Records()):
        if result.platform != "arithmetic":
            assert result.verdict == NOT_TESTABLE, result.id
            assert all(part.reason for part in result.parts if part.verdict == NOT_TESTABLE)
        else:
            assert result.verdict in (HOLDS, FAILS), result.id


def interval(value: float, width: float = 0.0) -> Value:
    return Value(Interval(value, value - width, value + width), "")


@pytest.mark.parametrize(
    "value, width, condition, verdict",
    [
        (1.8, 0.05, {"at_least": 1.7}, HOLDS),
        (1.6, 0.05, {"at_least": 1.7}, FAILS),
        (1.7, 0.05, {"at_least": 1.7}, UNDECIDED),
        (0.1, 0.05, {"at_most": 0.2}, HOLDS),
        (1.0, 0.05, {"between": [0.9, 1.1]}, HOLDS),
        (1.08, 0.05, {"between": [0.9, 1.1]}, UNDECIDED),
        (1.2, 0.05, {"between": [0.9, 1.1]}, FAILS),
        (13, 1, {"about": 13, "within": 0.15}, HOLDS),
        (10, 0.5, {"about": 13, "within": 0.15}, FAILS),
        (39, 0, {"equals": 39}, HOLDS),
    ],
)
def test_a_verdict_needs_the_whole_interval(value, width, condition, verdict):
    assert over_cases([interval(value, width)], condition, "every")[0] == verdict


@pytest.mark.parametrize(
    "values, over, verdict",
    [
        ([2, 2, 1], "every", FAILS),
        ([2, 2, 1], "most", HOLDS),
        ([2, 1, 1], "most", FAILS),
        ([2, 1, 1], "some", HOLDS),
        ([1, 1, 1], "some", FAILS),
        ([1, 1, 3], "largest", HOLDS),
        ([1, 1, 3], "mean", HOLDS),
        ([1, 1, 1], "mean", FAILS),
    ],
)
def test_over_says_of_which_cases(values, over, verdict):
    assert over_cases([interval(v) for v in values], {"at_least": 1.5}, over)[0] == verdict


def radix(n: int, **changes: object) -> dict:
    return synthetic.case("satish_cpu_radix", n, parameters=synthetic.PAPER_FORM, **changes)


def verdict_of(records: Records, claim: str) -> claims.ClaimResult:
    (found,) = [r for r in claims.judge(records) if r.id == claim]
    return found


@pytest.mark.parametrize("slope, verdict", [(0.0, HOLDS), (0.05, FAILS)])
def test_a_constant_rate_holds_and_a_falling_one_fails(tmp_path, slope, verdict):
    cells = [
        synthetic.measurement(radix(1 << k), 5e-9 * (1 << k) * (1 + slope * (k - 17)), 0.001) for k in range(17, 25)
    ]
    result = verdict_of(records_of(tmp_path, *cells), "SAT-C11")
    assert result.verdict == verdict and not result.partial


def test_sizes_that_do_not_span_the_claim_decide_nothing(tmp_path):
    cells = [synthetic.measurement(radix(1 << k), 5e-9 * (1 << k)) for k in range(18, 22)]
    result = verdict_of(records_of(tmp_path, *cells), "SAT-C11")
    assert result.verdict == NOT_TESTABLE and "only 2¹⁸ to 2²¹" in result.parts[0].reason


@pytest.mark.parametrize("factor, verdict", [(1.30, HOLDS), (1.8, FAILS)])
def test_payload_costs_what_the_records_say(tmp_path, factor, verdict):
    plain = synthetic.measurement(radix(1 << 22), 0.02, 0.001)
    pairs = synthetic.measurement(radix(1 << 22, value_type="u32"), 0.02 * factor, 0.001)
    result = verdict_of(records_of(tmp_path, plain, pairs), "SAT-C29")
    assert result.verdict == verdict and result.partial  # the GPU's part cannot be tested


def test_disturbed_cells_decide_nothing(tmp_path):
    plain = synthetic.measurement(radix(1 << 22), 0.02)
    pairs = synthetic.measurement(radix(1 << 22, value_type="u32"), 0.026, disturbed=True)
    assert verdict_of(records_of(tmp_path, plain, pairs), "SAT-C29").verdict == NOT_TESTABLE


def test_a_handful_of_samples_has_no_interval_and_decides_nothing(tmp_path):
    plain = synthetic.measurement(radix(1 << 22), 0.02)
    pairs = synthetic.measurement(radix(1 << 22, value_type="u32"), 0.026)
    pairs["samples_s"] = pairs["samples_s"][:5]
    result = verdict_of(records_of(tmp_path, plain, pairs), "SAT-C29")
    assert result.verdict == NOT_TESTABLE and "6 samples" in result.parts[0].reason


def test_a_stand_in_opponent_is_shown_and_decides_nothing(tmp_path):
    cells = [
        synthetic.measurement(radix(1 << 26), 0.3),
        synthetic.measurement(synthetic.case("std_stable_sort", 1 << 26), 5.0),
    ]
    result = verdict_of(records_of(tmp_path, *cells), "SAT-C15")
    assert result.verdict == NOT_TESTABLE
    assert [part.verdict for part in result.parts if part.adapted] == [HOLDS]


@pytest.mark.parametrize("text", ["__import__('os')", "(1).real", "'a' * 9", "ceil(1, 2)", "[1]", "lambda: 1"])
def test_arithmetic_is_nothing_but_arithmetic(text):
    with pytest.raises((ValueError, SyntaxError)):
        arithmetic(text)
