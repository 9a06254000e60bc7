"""The CSV of every figure and table leads back to records: each measured number names its cell and run, each predicted
number its cell, sizes are numbers, and only what was measured has an interval."""

from pathlib import Path

import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED

from plots.artifacts.discovery import find_builders
from plots.records.collection import read
from plots.records.measurement import Measurement
from plots.records.number import Number, cells_and_runs
from plots.records.prediction import Prediction
from plots.records.statistics import Interval

REFERENCE = Path(__file__).parents[3] / "results" / "reference"
MACHINES = sorted(folder for folder in REFERENCE.iterdir() if folder.is_dir())
COMPUTED = {"STE-T2", "HA-F4"}  # tables of nothing that was measured
SIZES = {"n", "category", "n_elements"}
SUPERSCRIPTS = set("⁰¹²³⁴⁵⁶⁷⁸⁹")
ABSOLUTE = {"SAT-F1", "LEI-F3", "LEI-F4", "STE-F7a", "STE-F9a"}  # have published, measured and predicted points


def rows(artifact):
    for row in artifact.rows:
        assert len(row) == len(artifact.header), artifact.id
        yield dict(zip(artifact.header, row))


@pytest.fixture(scope="module", params=MACHINES, ids=lambda folder: folder.name)
def kept(request):
    """A kept machine's records with those of its fellows, and its artifacts without those of COMPUTED."""
    records = read([request.param, *PUBLISHED])
    records = records.on(records.machine_of_choice())
    made = [artifact for builder in find_builders() for artifact in builder.artifacts(records)]
    return records, [artifact for artifact in made if artifact.id not in COMPUTED]


def test_numbers_name_cells_and_runs_that_are_in_the_records(kept):
    records, artifacts = kept
    every = records.every
    measured = {(m.cell, m.run) for m in (*every.measurements, *every.components, *every.counts)}
    cells = {cell for cell, _ in measured} | {p.cell for p in every.predictions}
    traced = 0
    for artifact in artifacts:
        for row in rows(artifact):
            named, runs = (row["cell"] or "").split(), (row["run"] or "").split()
            assert set(named) <= cells, (artifact.id, row)
            pairs = zip(named, runs * len(named) if len(runs) == 1 else runs)
            assert not runs or all(pair in measured for pair in pairs), (artifact.id, row)
            if row.get("kind") == "measured":
                assert named and runs, (artifact.id, row)
                traced += 1
            if row.get("kind") == "predicted":
                assert named, (artifact.id, row)
    assert traced > 0


def test_only_measured_numbers_have_intervals(kept):
    _, artifacts = kept
    for artifact in artifacts:
        for row in rows(artifact):
            low, high = row.get("ci95_low"), row.get("ci95_high")
            assert (low is None) == (high is None), (artifact.id, row)
            if low is not None:
                assert row.get("kind", "measured") == "measured" and low < high, (artifact.id, row)


def test_sizes_are_numbers(kept):
    _, artifacts = kept
    for artifact in artifacts:
        for row in rows(artifact):
            for name in SIZES & row.keys():
                assert not SUPERSCRIPTS & set(str(row[name])), (artifact.id, row)


def test_kept_records_show_points_of_each_kind():
    """The checks above see points with intervals, and published and predicted ones without."""
    records = read([REFERENCE / "intel-xeon-emeraldrapids-16c-f8c882fd", *PUBLISHED])
    records = records.on(records.machine_of_choice())
    made = {a.id: a for b in find_builders() if ABSOLUTE & {b.id} for a in b.artifacts(records)}
    kinds = {(row["kind"], row["ci95_low"] is not None) for artifact in made.values() for row in rows(artifact)}
    assert {("measured", True), ("published", False), ("predicted", False)} <= kinds
    assert ("published", True) not in kinds and ("predicted", True) not in kinds


def measurement(n: int, run: str = "r1") -> Measurement:
    return Measurement.of(synthetic.measurement(synthetic.case("std_sort", n), 1e-3, run=run))


def test_cells_of_one_run_name_it_once():
    first, second = measurement(1 << 16), measurement(1 << 18)
    assert cells_and_runs([first, second]) == (f"{first.cell} {second.cell}", "r1")
    assert cells_and_runs([first, first]) == (first.cell, "r1")


def test_each_cell_has_its_run_when_runs_differ():
    made = [measurement(1 << 16, "r1"), measurement(1 << 18, "r2"), measurement(1 << 20, "r1")]
    cells, runs = cells_and_runs(made)
    assert (cells.split(), runs.split()) == ([m.cell for m in made], ["r1", "r2", "r1"])


def test_a_prediction_names_its_cell_and_no_run():
    case = synthetic.case("std_sort", 1 << 16)
    predicted = Prediction.of(synthetic.prediction(case, 1e-3))
    assert cells_and_runs([predicted]) == (synthetic.cell_id(case), "")
    assert cells_and_runs([measurement(1 << 16), predicted]) == (synthetic.cell_id(case), "r1")


def test_a_time_of_few_samples_has_no_interval():
    """With fewer than 6 samples of one process ci95_s is their range."""
    record = synthetic.measurement(synthetic.case("std_sort", 1 << 16), 1e-3)
    few = synthetic.retimed(record, samples_s=record["samples_s"][:5])
    for made, has in ((record, True), (few, False)):
        m = Measurement.of(made)
        assert m.seconds.low < m.seconds.high
        assert (Number.of(m.seconds, m).low is not None) == has


def test_a_number_has_no_interval_of_zero_width():
    assert Number.of(Interval(2.0, 2.0, 2.0)) == Number.of(2.0) == Number(2.0, None, None, ("", ""))
    assert Number.of(Interval(2.0, 1.0, 3.0)).columns == [2.0, 1.0, 3.0]
