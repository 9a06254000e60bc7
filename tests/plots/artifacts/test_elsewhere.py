"""Machines that nobody here has: published and predicted times side by side, and what more of a resource would do."""

import json
from pathlib import Path

import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED

from plots.artifacts import discovery
from plots.artifacts.own.elsewhere import _SOURCES
from plots.figures.layout import NARROW, WIDE
from plots.analysis.other_gpus import binding_shares, cells, disagreement, errors_of_cells, work_and_bandwidth
from plots.records.collection import Records, read
from plots.analysis.memory_share import memory_share
from plots.analysis.what_if import questions

MAKERS = {builder.id: builder for builder in discovery.find_builders() if not builder.paper}
BASE = "nvidia-h200-132sm"
FACTORS = {"memory.bandwidth": 2.0, "multiprocessors": 1.5, "clock": 0.8}
N = 1 << 24
SCALED = dict(id="a", name="A", hash="1" * 16, origin="scaled", base=BASE)


def case(n: int = N, **changes) -> dict:
    return synthetic.case("cub_radix", n, residency="device", affinity=[], parameters={}, **changes)


def printed(platform: str, seconds: float, n: int = N, **changes) -> dict:
    record = dict(schema=1, kind="published", paper="ELSEWHERE", id="ELSEWHERE-A", algorithm="CUB radix sort")
    record |= dict(versus=None, platform=platform, n=n, n_printed=str(n), type="f32", distribution="uniform")
    record |= dict(metric="time", statistic="mean", printed={"text": "1", "value": 1, "unit": "ms"}, value=seconds)
    return {**record, "unit": "s", "note": None, "inconsistency": None, **changes}


def said(case_: dict, machine: str, seconds: float, **changes) -> dict:
    profile = dict(id=machine.lower(), name=machine, hash="1" * 16, origin="scaled", base=BASE, factors=FACTORS)
    phases = [
        {"name": "histogram", "pass": 0, "seconds": 0.2 * seconds, "binding": "shared", "work": {}},
        {"name": "sweep", "pass": 0, "seconds": 0.8 * seconds, "binding": "dram", "work": {}},
    ]
    given = dict(profile=profile, model_kind="scaled", phases=phases)
    return synthetic.prediction(case_, seconds, **{**given, **changes})


def here(case_: dict, measured: float, predicted: float) -> list[dict]:
    device = {"device": synthetic.DEVICE, "phases": []}
    return [
        synthetic.measurement(case_, measured, 0.0005, **device),
        synthetic.prediction(case_, predicted, model_kind="component"),
    ]


def records_with_cub(tmp_path, *records: dict) -> Records:
    known = synthetic.ALGORITHMS["cub_radix"]
    file = synthetic.write(tmp_path / "r.jsonl", [synthetic.run_record(), known, *records])
    return read([file]).on(synthetic.MACHINE)


def planted(tmp_path) -> Records:
    """8 ms here, predicted 10; on machine A published as 5 and 4 ms and predicted 6; on B only predicted."""
    return records_with_cub(
        tmp_path,
        *here(case(), 8e-3, 10e-3),
        *here(case(1 << 16), 8e-5, 10e-5),
        said(case(), "A", 6e-3),
        said(case(1 << 16), "A", 3e-5),
        said(case(), "B", 1e-3),
        printed("A", 5e-3),
        printed("A", 4e-3, id="ELSEWHERE-B"),
        printed("A", 6e-5, n=1 << 16),
        printed("C", 5e-3),
    )


def test_published_meets_predicted_and_measured(tmp_path):
    one, again, small, unknown = cells(planted(tmp_path))
    assert one.error == pytest.approx(6 / 5 - 1) and again.error == pytest.approx(6 / 4 - 1)
    assert one.gain == pytest.approx(8 / 5, rel=1e-3) and one.predicted_gain == pytest.approx(10 / 6)
    assert small.error == pytest.approx(-0.5)
    assert unknown.error is None and unknown.predicted_gain is None  # no machine of that name is predicted
    found = errors_of_cells([one, again, small])
    assert found and found.points == 3 and found.worst == pytest.approx(0.5)
    assert (found.mean_absolute, found.bias) == (pytest.approx((0.2 + 0.5 + 0.5) / 3), pytest.approx(0.2 / 3))
    apart = disagreement([one, again, small])
    assert apart and apart[0] == pytest.approx(0.25) and apart[1] is one
    assert work_and_bandwidth([one]) == pytest.approx((1.2, 2.0))
    assert binding_shares([one.predicted]) == pytest.approx({"shared": 0.2, "dram": 0.8})


def test_what_if_records_are_no_machines_by_datasheet(tmp_path):
    question = {"of": "1" * 16, "resource": "clock", "times_as_good": 2.0}
    records = records_with_cub(tmp_path, said(case(), "A", 6e-3, what_if=question), printed("A", 5e-3))
    assert [one.predicted for one in cells(records)] == [None]
    assert MAKERS["ELSEWHERE*"].artifacts(records) == []


def test_the_page_says_how_far_off_each_machine_is(tmp_path):
    machines, by_cell, rates = MAKERS["ELSEWHERE*"].artifacts(planted(tmp_path))
    assert [machines.id, by_cell.id, rates.id] == ["ELSEWHERE", "ELSEWHERE-CELLS", "ELSEWHERE-RATES"]
    speed, errors = machines.picture.panels
    (published,) = speed.series
    assert published.voice == "published" and published.values["A"].value == 1.79  # mean of 8/5 and 8/4
    assert published.predicted["A"].value == pytest.approx(10 / 6)
    large, small = (series.values["A"].value for series in errors.series)
    assert (large, small) == (pytest.approx(35), pytest.approx(50))
    share = f"predicted {100 * memory_share(10 / 6, 1.2, 2.0):.0f} %"
    told = "A: multiprocessors × clock 1.20, bandwidth 2.00; signed error +35 % of 2 large cells; follows bandwidth: "
    assert told in machines.caption.text and f"{share}; bound by dram 80 %." in machines.caption.text
    assert len(machines.rows) == 3 and len(by_cell.rows) == 2
    (panel,) = by_cell.picture.panels
    assert panel.title == "Other GPUs" and [series.voice for series in panel.series] == ["published"]
    assert {name: v.value for name, v in panel.series[0].values.items()} == {"A f32, A": 1.6, "A f32, B": 2.0}
    assert [v.value for v in panel.series[0].predicted.values()] == pytest.approx([10 / 6] * 2)
    assert "two sources" in by_cell.caption.text.lower() and "25 %" in by_cell.caption.text
    for artifact in (machines, by_cell, rates):
        assert "ELSEWHERE" in artifact.latex and artifact.svg(WIDE) and artifact.svg(NARROW)


def test_without_predictions_there_is_no_page(tmp_path):
    assert MAKERS["ELSEWHERE*"].artifacts(records_with_cub(tmp_path, printed("A", 5e-3))) == []


# Predictions of sortlab what-if


def varied(resource: str, good: float, seconds: float, of: str = "0" * 16, **profile) -> dict:
    question = {"of": of, "resource": resource, "times_as_good": good}
    changed = dict(id="gpu-what-if", name=f"GPU with {resource}", hash=f"{hash((resource, good)) & 0xFFFF:016x}")
    return said(
        case(), "A", seconds, what_if=question, profile={**changed, "origin": "scaled", "base": BASE, "factors": {}}
    )


def asked_about(seconds: float, **changes) -> dict:
    profile = dict(id="gpu", name="GPU", hash="0" * 16, origin="calibrated")
    return synthetic.prediction(case(), seconds, **{"profile": profile, "model_kind": "component", **changes})


def test_a_tornado_has_what_matters_most_first(tmp_path):
    records = records_with_cub(
        tmp_path,
        asked_about(4e-3),
        *(varied("clock", good, s) for good, s in ((2.0, 3.2e-3), (0.5, 5e-3))),
        *(varied("memory.bandwidth", good, s) for good, s in ((2.0, 2e-3), (0.5, 8e-3))),
        *(varied("link.bandwidth", good, 4e-3) for good in (2.0, 0.5)),
        varied("launch.latency", 2.0, 1e-3, of="9" * 16),  # for a machine that nobody asked about
    )
    (chart,) = MAKERS["WHAT-IF*"].artifacts(records)
    assert chart.id == "WHAT-IF" and "GPU" in chart.title and "component" in chart.caption.text
    assert [row[1:4] for row in chart.rows] == [
        ["memory.bandwidth", pytest.approx(2.0), pytest.approx(0.5)],
        ["clock", pytest.approx(1.25), pytest.approx(0.8)],
        ["link.bandwidth", pytest.approx(1.0), pytest.approx(1.0)],
    ]
    drawn = chart.svg(WIDE)
    assert "memory.bandwidth" in drawn and "link.bandwidth" not in drawn  # a factor that changes nothing
    assert r"\begin{tikzpicture}" in chart.latex and "memory.bandwidth" in chart.latex
    assert chart.svg(NARROW)


def test_a_question_asked_again_counts_once_and_a_set_machine_names_what_it_was(tmp_path):
    set_ = dict(id="gpu-what-if", name="GPU with clock 2x", hash="2" * 16, origin="scaled", base=BASE, factors={})
    answer = [
        asked_about(4e-3),
        said(case(), "A", 3e-3, profile=set_, what_if={"of": "2" * 16}),
        *(varied("clock", good, s, of="2" * 16) for good, s in ((2.0, 2e-3), (0.5, 4e-3))),
    ]
    records = records_with_cub(tmp_path, *answer, *answer)
    (one,) = questions(records)
    assert (one.before.seconds, one.prediction.seconds) == (4e-3, 3e-3)
    (chart,) = MAKERS["WHAT-IF*"].artifacts(records)
    assert "1.33 × as fast as GPU" in chart.svg(WIDE)


@pytest.mark.parametrize(
    "changes, reason",
    [
        ({"what_if": {"resource": "clock"}}, "what_if: of"),
        ({"what_if": {"of": "0" * 16, "resource": "clock", "times_as_good": "twice"}}, "times_as_good"),
        ({"profile": {**SCALED, "factors": {"clock": -1}}}, "profile: factors: clock"),
    ],
)
def test_a_record_that_is_none_is_told(tmp_path, changes, reason):
    lines = [synthetic.run_record(), said(case(), "A", 1e-3, **changes)]
    file = tmp_path / "r.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (refused,) = read([Path(file)]).refused
    assert reason in refused


def test_every_published_source_has_a_name_in_words():
    ids = {p.id.partition("-")[2] for p in read(PUBLISHED).published if p.paper == "ELSEWHERE"}
    assert ids and ids == _SOURCES.keys()
    assert max(map(len, (f"H200 NVL i32 merge, {_SOURCES['PR3114']}", f"RTX 5080 32/32, {_SOURCES['VRDX']}"))) <= 32
