"""Roles of plots/records/roles.json: a sort of the program has each, or the role says why there is none."""

import json
from pathlib import Path

from test_paper_presets import listed

ROOT = Path(__file__).resolve().parents[2]


def test_every_role_has_a_sort_or_says_that_it_has_none():
    taken = {role for algorithm in listed().values() for role in algorithm["roles"]}
    roles = json.loads((ROOT / "plots/records/roles.json").read_text(encoding="utf-8"))
    without = {name for name, facts in roles.items() if facts.get("unwritten") or "elsewhere" in facts}
    by_facts = {name for name, facts in roles.items() if "facts" in facts}
    of_others = {name: facts["any_of"] for name, facts in roles.items() if "any_of" in facts}
    assert all(set(others) <= taken for others in of_others.values())
    # A library that this build is without stands for its role all the same.
    libraries = {"intel_ipp"}
    assert roles.keys() - without - by_facts - of_others.keys() - libraries <= taken
    assert not without & taken
