"""The identity of a case, whichever tool wrote its record last."""

import json
from pathlib import Path

import pytest
import synthetic_records as synthetic

from plots.records.cell_id import cell_id

KEPT = Path(__file__).resolve().parents[3] / "results"
# Cases that differ in these alone have numbers of the same forms.
_OF_MANY = ("affinity", "build", "version", "n", "seed", "threads", "entropy_bits")


def rewritten(value, one):
    """The value with each number as `one` writes it."""
    if isinstance(value, dict):
        return {name: rewritten(member, one) for name, member in value.items()}
    return one(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def without_fraction(number):
    """As JavaScript and jq write a number."""
    return int(number) if number == int(number) else number


def with_fraction(number):
    return float(number) if number < 2**53 else number


def test_kept_records_have_theirs_though_a_tool_wrote_their_numbers_again():
    kept = {}
    for file in KEPT.rglob("*.jsonl"):
        for line in file.read_text().splitlines():
            record = json.loads(line)
            if "cell" in record and "case" in record:
                case = {name: value for name, value in record["case"].items() if name not in _OF_MANY}
                kept[json.dumps(case, sort_keys=True)] = record
    assert len(kept) > 1000
    for record in kept.values():
        for one in (lambda number: number, without_fraction, with_fraction):
            assert cell_id(rewritten(record["case"], one)) == record["cell"], record["case"]


@pytest.mark.parametrize("name", ["theta", "another"])
def test_equal_numbers_are_one_and_others_are_not(name):
    ids = [cell_id(synthetic.case("a_sort", 1000, parameters={name: value})) for value in (1, 1.0, True, "1", 2, 1.5)]
    assert ids[0] == ids[1] and len(set(ids)) == 5
