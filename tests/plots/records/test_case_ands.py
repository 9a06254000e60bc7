"""Inputs of Thearling and Smith are known by their resolved parameters, not by the text of the distribution."""

import math

import pytest

import synthetic_records as synthetic
from plots.records.case import Case


@pytest.mark.parametrize(
    "distribution, parameters, ands",
    [
        ("uniform", {}, 0),
        ("thearling:ands=3", {"ands": 3}, 3),
        ("thearling", {"ands": 1}, 1),  # the default, which the text leaves out
        ("constant", {}, math.inf),
        ("zipf:theta=0.75", {"theta": 0.75}, None),
        ("thearling:ands=3", {}, None),  # a record that does not tell
    ],
)
def test_random_words_that_a_key_was_anded_with(distribution, parameters, ands):
    case = Case.of(synthetic.case("std_sort", 1 << 10, distribution=distribution, distribution_parameters=parameters))
    assert case.ands == ands and case.is_entropy == (ands is not None)
