"""Claims of Stehle and Jacobsen that need no record."""

import re

import pytest
from planted_records import ROOT

from plots.claims import books
from plots.claims.selection import Runs
from plots.claims.stehle2017.passes import NETWORK, sorted_inputs
from plots.records.collection import Records


def test_the_network_that_is_judged_is_the_one_that_runs():
    """STE-C31."""
    code = (ROOT / "algorithms" / "stehle_hybrid_radix" / "network.hpp").read_text()
    (listed,) = re.findall(r"kNetwork\[\]\{(.*?)\};", code, re.DOTALL)
    assert tuple((int(low), int(high)) for low, high in re.findall(r"\{(\d), (\d)\}", listed)) == NETWORK


@pytest.mark.parametrize("left_out", range(len(NETWORK)))
def test_no_comparator_is_for_nothing(left_out):
    assert sorted_inputs(NETWORK, 9) == 512
    assert sorted_inputs([one for i, one in enumerate(NETWORK) if i != left_out], 9) < 512


def test_a_sentence_of_many_parts_names_few_groups():
    """STE-C28: ten groups, each with the paper's bounds, made a line that nobody read to its end."""
    (book,) = [book for book in books.books() if book.paper == "STE"]
    (claim,) = [claim for claim in book.claims if claim.id == "STE-C28"]
    stated = [part for part in claim.parts(Runs(Records(), book.roles)) if not part.beside]
    groups = [part.group for part in stated]
    assert len(stated) > 10 and 1 < len(set(groups)) <= 6 and all(groups)
