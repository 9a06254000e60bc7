"""Books of claims: complete, well formed, and of what the plug-ins declare."""

import json
import math
import os
import re
import subprocess
from pathlib import Path

import pytest
from planted_records import ROOT, read_planted

from plots.claims import books
from plots.claims import judgement
from plots.claims import verdicts
from plots.claims.claim import claim as make_claim
from plots.claims.selection import Runs, Selection
from plots.claims.verdicts import FAILS, HOLDS, OPEN
from plots.records.collection import Records

BOOKS = books.books()
ALL = [pytest.param(book, claim, id=claim.id) for book in BOOKS for claim in book.claims]
ROLES = {role: facts for book in BOOKS for role, facts in book.roles.items()}
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))


def parts(book, claim):
    """The parts of a claim by no records: each answer tells what was asked."""
    return claim.parts(Runs(Records(), book.roles))


def selections(book, claim) -> list[Selection]:
    """All selections of a claim's parts; a product has lists of them."""
    asked = [value for part in parts(book, claim) for value in part.answer.on.asked.values()]
    every = [one for value in asked for one in (value if isinstance(value, list) else [value])]
    return [one for one in every if isinstance(one, Selection)]


def test_claims_of_a_paper_are_numbered_without_a_gap():
    for book in BOOKS:
        assert [claim.id for claim in book.claims] == [f"{book.paper}-C{i + 1}" for i in range(len(book.claims))]
        assert book.claims


def test_every_paper_with_numbers_has_a_book_and_its_numbers_are_of_its_claims_and_tables():
    books = {book.name: book for book in BOOKS}
    for file in (ROOT / "results" / "published").glob("*.jsonl"):
        book = books[file.stem]
        known = {claim.id for claim in book.claims}
        for record in map(json.loads, file.read_text().splitlines()):
            assert record["paper"] == book.paper
            assert record["id"] in known or not record["id"].startswith(f"{book.paper}-C"), record["id"]


@pytest.mark.parametrize("book, claim", ALL)
def test_a_claim_is_well_formed(book, claim):
    assert claim.platform in ("cpu", "gpu", "many-core", "cpu+gpu", "arithmetic")
    assert claim.sentence.endswith(".") and claim.section and parts(book, claim)
    # Our own book, of GPUs that are not here, quotes nobody.
    assert bool(claim.quote) == (book.paper != "ELSEWHERE")
    known = json.loads((ROOT / "results" / "published" / "inconsistencies.json").read_text())
    assert (claim.inconsistency or "X1") in known
    assert not claim.config or (ROOT / claim.config).is_file()
    for selection in selections(book, claim):
        assert selection.role in ROLES
        if selection.n:
            assert re.fullmatch(r"[\d^e]+(\.\.([\d^e]+)?)?", selection.n)
    for part in parts(book, claim):
        assert not part.config or (ROOT / part.config).is_file()
        assert part.answer.on.asked or (part.answer.is_open and part.answer.reason)
        if part.answer.arithmetic:
            assert all(math.isfinite(value.interval.value) for value in part.answer.on.cases)
        if len(parts(book, claim)) > 1:
            assert part.name


@pytest.mark.parametrize("platform, sentence", [("abacus", "Beads are slow."), ("cpu", "")])
def test_a_claim_has_a_sentence_and_a_platform(platform, sentence):
    def find(runs):
        return verdicts.untestable("nothing is known")

    find.__doc__ = sentence
    with pytest.raises(ValueError, match="MINE-C1: "):
        make_claim("MINE-C1", "1", platform)(find)


def listed() -> list[dict]:
    told = subprocess.run([SORTLAB, "list", "algorithms", "--json"], capture_output=True, text=True, check=True)
    return json.loads(told.stdout)


def test_selections_ask_for_parameters_that_the_plug_ins_have():
    """A parameter that was renamed would leave its claim without records for ever."""
    declared = {a["name"]: {p["name"]: p for p in a["parameters"]} for a in listed()}
    standing: dict[str, list[str]] = {}
    for algorithm in listed():
        for role in algorithm["roles"]:
            standing.setdefault(role, []).append(algorithm["name"])
    for selection in (one for book in BOOKS for claim in book.claims for one in selections(book, claim)):
        for plug_in in standing.get(selection.role, []):
            for asked in (selection.parameters, selection.parameters_not):
                for name, values in asked.items():
                    parameter = declared[plug_in][name]
                    for value in values if isinstance(values, list) else [values]:
                        if "choices" in parameter:
                            assert value in parameter["choices"], (plug_in, name, value)
                        else:
                            low, high = parameter["range"]
                            assert low <= int(value) <= high, (plug_in, name, value)


def test_roles_that_plug_ins_take_are_those_of_the_claims():
    """A misspelt role would leave its claims without a sort; the program checks the parameters that come with it."""
    for algorithm in listed():
        assert algorithm["roles"].keys() <= ROLES.keys(), algorithm["name"]


def test_what_facts_select_is_what_the_title_says(tmp_path):
    runs = Runs(read_planted(tmp_path), ROLES)
    assert set(runs.standing_for("cpu_merge_here")) == {"std_stable_sort", "libstdcxx_parallel_sort"}
    every, others = runs.standing_for("cpu_sort"), runs.standing_for("other_cpu_sort")
    assert every.keys() - others.keys() == {"satish_cpu_radix"}
    assert {"msd_radix_cpu", "vqsort"} <= others.keys() and "cub_radix" not in every


def test_nothing_measured_leaves_every_claim_of_a_machine_untestable_with_a_reason():
    for result in judgement.judge(Records()):
        if result.platform != "arithmetic":
            assert result.verdict in OPEN, result.id
            assert all(part.reason for part in result.parts if part.verdict in OPEN)
        else:
            assert result.verdict in (HOLDS, FAILS), result.id
