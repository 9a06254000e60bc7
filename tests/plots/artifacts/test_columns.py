"""COLUMNS: what is measured, predicted and chosen by uniform keys, for each column."""

import pytest
import synthetic_records as synthetic

from plots.artifacts.own import columns
from plots.records.collection import read

N = 1 << 20
DELAY = "file:name=delay.npy,digest=0123456789abcdef"
HOUR = "file:name=hour.npy,digest=fedcba9876543210"


def cases(distribution, **seconds):
    return [
        synthetic.measurement(synthetic.case(name, N, distribution=distribution), time, 0)
        for name, time in seconds.items()
    ]


def made(tmp_path, *records):
    return columns.make(read([synthetic.write(tmp_path / "records.jsonl", [synthetic.run_record(), *records])]))


def choose_rows(artifact, column):
    at = {name: i for i, name in enumerate(artifact.header)}
    return {row[at["choice"]]: (row[at["sort"]], row[at["regret"]]) for row in artifact.rows if row[0] == column}


def test_the_regret_of_uniform_keys_is_shown(tmp_path):
    (artifact,) = made(
        tmp_path,
        *cases("uniform", vqsort=1e-3, std_sort=9e-3),
        *cases(DELAY, vqsort=3e-3, std_sort=2e-3),
        *cases(HOUR, vqsort=1e-3, std_sort=2e-3),
    )
    uniform = columns._WHOSE["uniform"]
    assert choose_rows(artifact, "delay.npy (0123)") == {
        columns._WHOSE["measured"]: ("std_sort", 0),
        uniform: ("vqsort", pytest.approx(0.5)),
    }
    assert choose_rows(artifact, "hour.npy (fedc)")[uniform] == ("vqsort", 0)
    assert "the fastest sort on 1 of 2 columns; elsewhere theirs takes up to 50 % more" in artifact.caption.notes
    (panel,) = artifact.picture.panels
    bars = {one.label: one.values["delay (0123), u32"].value for one in panel.series}
    assert bars[uniform] == pytest.approx(3e-3 * 1e9 / N)


def test_models_choose_by_their_predictions(tmp_path):
    sorts = {"satish_cpu_radix": (2e-3, 5e-3), "vqsort": (3e-3, 4e-3)}
    records = []
    for name, (measured, predicted) in sorts.items():
        case = synthetic.case(name, N, distribution=DELAY)
        records += [synthetic.measurement(case, measured, 0), synthetic.prediction(case, predicted)]
    (artifact,) = made(tmp_path, *records)
    assert choose_rows(artifact, "delay.npy (0123)") == {
        columns._WHOSE["measured"]: ("satish_cpu_radix", 0),
        columns._WHOSE["predicted"]: ("vqsort", pytest.approx(0.5)),
    }


def test_one_sort_alone_or_no_column_makes_no_figure(tmp_path):
    assert made(tmp_path, *cases("uniform", vqsort=1e-3, std_sort=9e-3), *cases(DELAY, vqsort=1e-3)) == []
