"""Model errors on the page: by kind, plug-in and phase, beside baselines, counters and papers' own times."""

import csv
import functools
import io

import pytest
import synthetic_records as synthetic
from planted_records import read_planted

from plots.analysis import binding_resources
from plots.tables import error_tables
from plots.analysis import prediction_errors
from plots.tables import errors_by_kind
from plots.artifacts.own import model_error
from plots.commands.render import render
from plots.records.collection import Records

HA = "ha_implicit_radix"


read_with_published = functools.partial(read_planted, published=True)


def scaled_prediction(prediction: dict, measured: dict, factor: float) -> dict:
    return prediction | {"seconds": factor * measured["median_s"]}


def predicted(case: dict, factor: float, **changes: object) -> list[dict]:
    sort = synthetic.gpu_sort(case)
    return [sort, scaled_prediction(synthetic.gpu_prediction(case, 1.0, **changes), sort, factor)]


def test_each_plug_in_has_a_row_for_large_and_one_for_small_n_of_each_kind(tmp_path):
    cells = [*predicted(synthetic.gpu_case(HA, 1 << 24), 1.08), *predicted(synthetic.gpu_case(HA, 1 << 20), 0.8)]
    cells += predicted(synthetic.gpu_case(HA, 1 << 16), 0.5)
    component = predicted(synthetic.gpu_case(HA, 1 << 24), 1.04, model_kind="component")[1:]
    records = read_with_published(tmp_path, *cells, *component)
    rows = {
        (r.plug_in, r.large, r.kind): r
        for r in prediction_errors.errors_by_plug_in(prediction_errors.predicted_points(records))
    }
    assert set(rows) == {(HA, True, "hardware"), (HA, True, "component"), (HA, False, "hardware")}
    large = rows[HA, True, "hardware"]
    assert large.errors.points == 2 and large.errors.mean_absolute == pytest.approx(0.14)
    assert large.errors.worst == pytest.approx(-0.2)
    assert (large.errors.within_10, large.errors.within_15) == (pytest.approx(0.5), pytest.approx(0.5))
    assert rows[HA, True, "component"].errors.mean_absolute == pytest.approx(0.04)
    assert rows[HA, False, "hardware"].errors.mean_absolute == pytest.approx(0.5)
    assert {r.family for r in rows.values()} == {"C, implicit counting"}


def test_of_two_kinds_the_one_that_knows_more_is_shown(tmp_path):
    case = synthetic.gpu_case(HA, 1 << 24)
    records = read_with_published(tmp_path, *predicted(case, 1.1), predicted(case, 1.04, model_kind="component")[1])
    (m,) = records.ok()
    assert records.find_prediction(m).kind == "component"
    points = prediction_errors.predicted_points(records)
    assert len(points) == 2 and [p.kind for p in prediction_errors.preferred(records, points)] == ["component"]


def test_baselines_stand_beside_each_row(tmp_path):
    cells = []
    for n in (1 << 20, 1 << 22, 1 << 24):
        cells += predicted(synthetic.gpu_case(HA, n), 1.0)
    (row,) = prediction_errors.errors_by_plug_in(
        prediction_errors.predicted_points(read_with_published(tmp_path, *cells))
    )
    sort = 8 * sum(synthetic.GPU_PHASES[HA].values())
    assert row.line < 0.02  # the invented times lie on a line
    assert row.bytes == pytest.approx(1 - 4e-12 / sort, abs=0.1)  # a copy's time, by the prediction's own baseline
    assert prediction_errors.bytes_baseline(prediction_errors.predicted_points(Records())) == []


def test_the_papers_models_are_held_against_the_papers_times(tmp_path):
    there = {"id": "gtx260", "name": "NVIDIA GTX 260", "hash": "0" * 16, "origin": "paper"}
    changes = dict(profile=there, model="HA-M2", model_kind="paper", papers_times=True)
    n = 16 << 20
    of_paper = synthetic.prediction(synthetic.gpu_case(HA, n), 8 * 12.05e-3, **changes)
    elsewhere = synthetic.prediction(synthetic.gpu_case(HA, 3 << 20), 1.0, **changes)  # n that is not printed
    records = read_with_published(tmp_path, of_paper, elsewhere)
    (point,) = prediction_errors.papers_points(records)
    assert point.error == pytest.approx(8 * 12.05e-3 / (n / 178e6) - 1) and abs(point.error) < 0.03
    (row,) = error_tables.papers_models([point]).rows
    assert [cell.text for cell in row[:3]] == ["HA-M2 (from its own times)", "NVIDIA GTX 260", "HA-T4 Impl radix"]
    assert prediction_errors.predicted_points(records) == []


def test_a_papers_cpu_model_is_of_all_its_cores(tmp_path):
    there = {"id": "core_i7", "name": "Core i7", "hash": "0" * 16, "origin": "paper"}
    cells = [
        synthetic.prediction(
            synthetic.case("satish_cpu_radix", 1 << 26, threads=t), 1.0 / t, profile=there, model="SAT-M4"
        )
        for t in (1, 4)
    ]
    (point,) = prediction_errors.papers_points(read_with_published(tmp_path, *cells))
    assert point.error == pytest.approx(0.25 / 0.271 - 1)


def test_model_and_counters_name_what_binds_each_phase(tmp_path):
    case = synthetic.gpu_case(HA, 1 << 24)
    sort, prediction = predicted(case, 1.0)
    for phase in prediction["phases"]:
        phase["work"] = {"instructions": 9 * case["n"]}
    counted = synthetic.count(
        case, {"presort": "shared", "rank": "latency", "shuffle": "dram", "a kernel outside": "issue"}
    )
    found = {b.phase: b for b in binding_resources.agreements(read_with_published(tmp_path, sort, prediction, counted))}
    assert set(found) == {"presort", "rank", "shuffle"}
    # The model says shared, memory and memory: the memory of a device is what the counters call dram.
    assert {name: (b.agreeing, b.passes) for name, b in found.items()} == {
        "presort": (8, 8),
        "rank": (0, 8),
        "shuffle": (8, 8),
    }
    assert binding_resources.share_agreeing(list(found.values())) == pytest.approx(2 / 3)
    assert found["presort"].work == (("instructions", 10.0, 9.0),) and found["presort"].utilisation_text == "dram 90 %"


def test_kernels_of_cub_are_the_models_phases(tmp_path):
    case = synthetic.case("cub_radix", 1 << 24, parameters={}, residency="device")
    phases = [
        {"name": "DeviceRadixSortOnesweepKernel", "pass": p, "seconds": 1e-4, "binding": "shared", "work": {}}
        for p in range(4)
    ]
    counted = synthetic.count(case, {"DeviceRadixSortOnesweepKernel": "shared", "EmptyKernel": "latency"})
    (found,) = binding_resources.agreements(
        read_with_published(tmp_path, synthetic.prediction(case, 1e-3, phases=phases), counted)
    )
    assert (found.phase, found.passes, found.agreeing) == ("DeviceRadixSortOnesweepKernel", 4, 4)


@pytest.mark.parametrize("counted, agreeing", [("issue", 8), ("shared", 8), ("dram", 0)])
def test_a_model_of_measured_tiles_knows_a_multiprocessor_as_a_whole(tmp_path, counted, agreeing):
    case = synthetic.gpu_case(HA, 1 << 24)
    sort, prediction = predicted(case, 1.0, model_kind="component")
    for phase in prediction["phases"]:
        phase["binding"] = "multiprocessor"
    (found,) = binding_resources.agreements(
        read_with_published(tmp_path, sort, prediction, synthetic.count(case, {"presort": counted}))
    )
    assert (found.kind, found.agreeing, found.predicted) == ("component", agreeing, ("multiprocessor",))


def test_counters_of_another_machine_or_of_no_model_say_nothing(tmp_path):
    case = synthetic.gpu_case(HA, 1 << 24)
    sort, prediction = predicted(case, 1.0)
    elsewhere = synthetic.count(case, {"presort": "shared"}, machine="other-1c-00000000")
    assert binding_resources.agreements(read_with_published(tmp_path, sort, prediction, elsewhere)) == []
    assert (
        binding_resources.agreements(read_with_published(tmp_path, sort, synthetic.count(case, {"presort": "shared"})))
        == []
    )


def test_gpu_sorts_have_a_heat_map_apart_from_the_hosts(tmp_path):
    host = synthetic.case("satish_cpu_radix", 1 << 20)
    cells = [synthetic.measurement(host, 1e-2), synthetic.prediction(host, 1.1e-2)]
    for algorithm in synthetic.GPU_FORMS:
        cells += predicted(synthetic.gpu_case(algorithm, 1 << 24), 0.9)
    made = {a.id: a for a in model_error.make(read_with_published(tmp_path, *cells))}
    assert set(made) == {"MODEL-ERROR", "MODEL-ERROR-GPU", "MODEL-ERROR-KINDS"}
    rows = list(csv.DictReader(io.StringIO(made["MODEL-ERROR-GPU"].csv())))
    assert {r["panel"] for r in rows} == {f"{a}, NVIDIA H200" for a in synthetic.GPU_FORMS}
    assert all(float(r["error, % of the measured time (below 0: too fast)"]) == pytest.approx(-10) for r in rows)
    assert "NVIDIA H200" not in made["MODEL-ERROR"].caption.text
    (of_type,) = made["MODEL-ERROR-GPU"].picture.panels
    assert {row for row, _ in of_type.cells} == set(synthetic.GPU_FORMS)
    assert all(n == 1 << 24 and cell.ratio.value == pytest.approx(-10) for (_, n), cell in of_type.cells.items())
    kinds = made["MODEL-ERROR-KINDS"].picture
    titles = [panel.title for panel in kinds.panels]
    assert titles == ["hardware models of CPU sorts", "hardware models of GPU sorts"]
    errors = [kinds.panels[1].cells[name, "whole sorts"].ratio.value for name in kinds.shown_rows(kinds.panels[1])]
    assert errors == pytest.approx([10, 10])
    assert model_error.make(Records()) == []


def test_phases_are_off_by_more_than_their_total(tmp_path):
    case = synthetic.gpu_case(HA, 1 << 24)
    sort, prediction = predicted(case, 1.0)
    factors = {"presort": 1.5, "rank": 1.0, "shuffle": 0.5}
    each = {name: s * case["n"] for name, s in synthetic.GPU_PHASES[HA].items()}
    for phase in prediction["phases"]:
        phase["seconds"] = factors[phase["name"]] * each[phase["name"]]
    records = read_with_published(tmp_path, sort, prediction)
    found = {
        (g.by, g.name): g for g in errors_by_kind.error_groups(records, prediction_errors.predicted_points(records))
    }
    plug_in = found["plug-in", HA]
    assert plug_in.kind == "hardware"
    assert (plug_in.totals.points, plug_in.totals.mean_absolute) == (1, pytest.approx(0, abs=1e-9))
    assert (plug_in.phases.points, plug_in.phases.mean_absolute) == (3, pytest.approx(1 / 3))
    assert (plug_in.phases.bias, plug_in.phases.within_15) == (pytest.approx(0, abs=1e-9), pytest.approx(1 / 3))
    assert found["phase", f"{HA}: shuffle"].phases.bias == pytest.approx(-0.5)
    assert found["phase", f"{HA}: shuffle"].totals is None
    # The page has a table for each way of grouping, where the errors of phases stand below those of sorts.
    made = {table.columns[1].head: table for table in errors_by_kind.tables(list(found.values()))}
    assert list(made) == ["Sorts", "Plug-in", "On", "Size", "Phase"]
    assert all(
        len(table.columns) <= 10 and len(row) == len(table.columns) for table in made.values() for row in table.rows
    )
    (row,) = made["Plug-in"].rows
    assert (row[1].text, row[3].text, list(row[3].notes)) == (HA, "0 %", ["phases 33 %"])
    assert not any(cell.notes for row in made["Phase"].rows for cell in row)
    assert 0.95 < plug_in.phases_over_total < 1  # the invented sort waits besides
    assert {by for by, _ in found} == {"all", "plug-in", "threads", "size", "phase"}


@pytest.mark.parametrize(
    "analytical, level, work, kind, papers_times",
    [
        (True, "B", {}, "component", False),
        (True, "A", {"elements": 1.0}, "hardware", False),
        (True, "A", {"counters": 1.0}, "component", False),  # a scan or a search that was measured as the sort has it
        (True, "paper", {}, "paper", False),
        (False, "paper", {}, "paper", True),
        (False, "fitted", {}, "fitted", False),
    ],
)
def test_records_from_before_are_of_the_kind_that_they_had_in_fact(
    tmp_path, analytical, level, work, kind, papers_times
):
    record = synthetic.prediction(synthetic.case("satish_cpu_radix", 1 << 20), 1.0)
    record["phases"][0]["work"] = work
    for name in ("model_kind", "model_family", "tables"):
        del record[name]
    (found,) = read_with_published(tmp_path, record | {"analytical": analytical, "level": level}).predictions
    assert (found.kind, found.papers_times, found.family) == (kind, papers_times, "")


def test_the_page_shows_all_of_it(tmp_path):
    case = synthetic.gpu_case(HA, 1 << 24)
    records = [
        synthetic.run_record(),
        *predicted(case, 1.1),
        synthetic.count(case, {"presort": "issue", "shuffle": "dram"}),
    ]
    lost = synthetic.component(case, "presort", 1e-3)
    for name in synthetic.TIMES:
        lost.pop(name, None)
    records += [lost | {"status": "wrong", "reason": "a tile is not sorted"}, synthetic.component(case, "memcpy", 1e-4)]
    file = synthetic.write(tmp_path / "r.jsonl", records)
    text = render(["--records", str(file), "--out", str(tmp_path / "out")]).read_text()
    for said in (
        "Model error by plug-in",
        "family C, implicit counting",
        "A row is of one model and one family",
        "Binding resource, by the model and by counters",
        "for 50 % of 16 kernels by hardware models",
        "Model error by kind",
        "Totals gain from cancellation",
        "Phases by plug-in",
        "Parts of sorts, measured by themselves",
        "memcpy did what it must",
        "ha_implicit_radix: presort",
        "a tile is not sorted",
    ):
        assert said in text, said
