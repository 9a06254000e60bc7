"""CALLED: sorts as they are timed, and as a program calls them."""

import pytest
import synthetic_records as synthetic

from plots.artifacts.own import called
from plots.records.collection import read

N = 1 << 20


def sort(algorithm, seconds, **fields):
    return synthetic.measurement(synthetic.case(algorithm, N), seconds, 0, **fields)


def made(tmp_path, *records):
    return called.make(read([synthetic.write(tmp_path / "records.jsonl", [synthetic.run_record(), *records])]))


def test_a_call_adds_to_the_time_that_counts_elsewhere(tmp_path):
    slow = sort("msd_radix_cpu", 4e-3, called_median_s=6e-3)
    (artifact,) = made(tmp_path, slow, sort("vqsort", 5e-3, called_median_s=4.9e-3))
    (panel,) = artifact.picture.panels
    scale = 1e9 / N
    assert {stack.category: stack.parts for stack in panel.stacks} == {
        "vqsort": pytest.approx({"as timed": 5e-3 * scale}),
        "msd_radix_cpu": pytest.approx({"as timed": 4e-3 * scale, "added by a program's call": 2e-3 * scale}),
    }
    assert [stack.category for stack in panel.stacks] == ["vqsort", "msd_radix_cpu"]  # the faster call first


def test_records_without_such_calls_make_no_figure(tmp_path):
    assert made(tmp_path, sort("vqsort", 5e-3)) == []
