"""Statistics of errors, the baselines, and the points that count."""

import pytest
import synthetic_records as synthetic

from plots.analysis.error_statistics import summarise
from plots.analysis import prediction_errors
from plots.records.collection import read


def test_errors_are_signed_and_summed_up_as_defined(tmp_path):
    cells = [synthetic.run_record()]
    for log_n, ratio in ((18, 1.2), (20, 0.9), (22, 1.05)):
        case = synthetic.case("satish_cpu_radix", 1 << log_n)
        record = synthetic.measurement(case, 1e-9 * (1 << log_n))
        cells += [record, synthetic.prediction(case, ratio * record["median_s"])]
    points = prediction_errors.predicted_points(read([synthetic.write(tmp_path / "r", cells)]).on(synthetic.MACHINE))
    s = summarise([p.error for p in points])
    assert s.mean_absolute == pytest.approx((0.2 + 0.1 + 0.05) / 3)
    assert s.bias == pytest.approx((0.2 - 0.1 + 0.05) / 3)
    assert (s.median_absolute, s.p90_absolute) == (pytest.approx(0.1), pytest.approx(0.18))
    assert s.worst == pytest.approx(0.2)
    assert (s.within_10, s.within_15) == (pytest.approx(2 / 3), pytest.approx(2 / 3))


def test_the_line_baseline_is_exact_where_times_lie_on_a_line(tmp_path):
    cells = [synthetic.run_record()]
    for log_n in (18, 20, 22, 24):
        case = synthetic.case("satish_cpu_radix", 1 << log_n)
        cells += [synthetic.measurement(case, 1e-3 + 4e-9 * (1 << log_n), 0.0), synthetic.prediction(case, 1.0)]
    points = prediction_errors.predicted_points(read([synthetic.write(tmp_path / "r", cells)]).on(synthetic.MACHINE))
    assert all(abs(p.error) < 1e-9 for p in prediction_errors.line_baseline(points))
    assert prediction_errors.line_baseline(points[:2]) == []  # two points are their own line


def test_the_bytes_baseline_reads_and_writes_everything_once(records):
    points = prediction_errors.predicted_points(records)
    of = prediction_errors.bytes_baseline(points, {1: 20e9, 2: 30e9})
    for point in of:
        c = point.measurement.case
        assert point.predicted_s == pytest.approx(2 * c.n * c.element_bytes / {1: 20e9, 2: 30e9}[c.threads])


def test_a_fitted_or_foreign_prediction_is_not_taken_for_this_machines_model(tmp_path):
    case = synthetic.case("satish_cpu_radix", 1 << 20)
    foreign = {"id": "core_i7", "name": "Core i7", "hash": "0" * 16, "origin": "paper"}
    cells = [
        *(synthetic.run_record(), synthetic.measurement(case, 1e-3)),
        synthetic.prediction(case, 9.0, profile=foreign, model="SAT-M4"),
        synthetic.prediction(case, 3.0, model="line", model_kind="fitted"),
        synthetic.prediction(case, 2.0),
    ]
    records = read([synthetic.write(tmp_path / "r", cells)]).on(synthetic.MACHINE)
    (m,) = records.ok()
    assert records.find_prediction(m).seconds == 2.0
    assert records.find_papers_prediction(m).seconds == 9.0
    assert sorted(p.predicted_s for p in prediction_errors.predicted_points(records)) == [2.0, 3.0]
