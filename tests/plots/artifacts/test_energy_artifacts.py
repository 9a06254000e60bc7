"""The artifacts ENERGY: keys per joule over n, and the frontier of time and energy."""

import json
from dataclasses import replace

import pytest
from matplotlib.text import Text
from whole_records import in_its_cell, measured_in, metered_record, whole_record

from plots.artifacts.own import energy, energy_phases
from plots.figures.layout import WIDE
from plots.records.cell_id import cell_id
from plots.records.collection import read
from plots.records.jsonl import BadInput
from plots.records.prices import read_prices


def record(number, algorithm, n, seconds, joules, **energies):
    made = measured_in(seconds)
    made["case"] = {**made["case"], "algorithm": algorithm, "n": n, "distribution": "uniform", "parameters": {}}
    made["case"]["distribution_parameters"] = {}
    made |= {
        "cell": cell_id(made["case"]),
        "key": f"{number:016x}",
        "keys_per_s": n / seconds,
        "bytes_per_s": 8 * n / seconds,
    }
    cycles = made["clock_hz"] * seconds / n
    made |= {"cpe_wall": cycles, "cpe_core": cycles}
    return metered_record(made, joules, **energies)


@pytest.fixture
def records(tmp_path):
    made = []
    # At both sizes: the first is the fastest, the second the cheapest, the third neither.
    for place, n in enumerate((1 << 20, 1 << 24)):
        scale = n / (1 << 20)
        for number, (sort, seconds, joules) in enumerate(
            [("fast_sort", 1e-3, 0.6), ("cheap_sort", 2e-3, 0.4), ("slow_sort", 3e-3, 0.5)]
        ):
            made.append(record(10 * place + number, sort, n, seconds * scale, [j * scale for j in (joules,) * 3]))
    made.append(record(99, "doubtful_sort", 1 << 24, 1e-4, (0.1,) * 3, integrated_over_counter=0.8))
    file = tmp_path / "energy.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in made))
    found = read([file])
    assert not found.refused
    return found


def test_keys_per_joule_over_n(records):
    made = {artifact.id: artifact for artifact in energy.make(records)}
    rows = made["ENERGY-N"].rows
    assert {row[1] for row in rows} == {"fast_sort", "cheap_sort", "slow_sort"}
    at = {(row[1], row[3]): row[4] for row in rows}
    assert at["cheap_sort", 24.0] == pytest.approx(1e-6 * (1 << 20) / 0.4)
    assert "1 cells are left out" in made["ENERGY-N"].caption.text


def test_the_frontier_holds_what_nothing_beats_in_both(records):
    at = [m for m in records.ok() if m.case.n == 1 << 24 and m.energy.is_believed]
    assert [m.case.algorithm for m in energy.frontier(at)] == ["fast_sort", "cheap_sort"]
    made = {artifact.id: artifact for artifact in energy.make(records)}
    assert "fast_sort, cheap_sort" in made["ENERGY-TIME"].caption.text
    frontier = [row for row in made["ENERGY-TIME"].rows if row[1] == "frontier"]
    assert len(frontier) == 2


def predicted(measurement, joules):
    """A prediction of kind hardware for the measured cell, of two phases."""
    phases = [
        {"name": "histogram", "pass": 0, "static_joules": joules / 8, "dynamic_joules": joules / 8},
        {"name": "scatter", "pass": 0, "static_joules": joules / 4, "dynamic_joules": joules / 2},
    ]
    times = [{"name": p["name"], "pass": 0, "seconds": 1e-3, "binding": "dram", "work": {}} for p in phases]
    energy = {"joules": joules, "static_power_w": 100, "phases": phases}
    case_, name = measurement["case"], measurement["machine"]
    made = whole_record("prediction", case=case_, phases=times, energy=energy)
    made |= {"model_kind": "hardware", "model_family": "", "tables": [], "seconds": 2e-3}
    made |= {"profile": {**made["profile"], "id": name}}
    return {key: value for key, value in made.items() if key not in ("analytical", "level")}


def test_joules_by_phase_stand_beside_the_measured_sum(tmp_path):
    made = record(1, "cub_radix", 1 << 24, 1e-3, (0.5,) * 3)
    made["case"]["residency"] = "device"
    made = in_its_cell(made)
    device = {"name": "NVIDIA H100", "compute_capability": "9.0", "multiprocessors": 132, "clock_hz": 1.98e9}
    made["device"] = {**device, "memory_bytes": 1 << 36, "l2_bytes": 1 << 25, "driver": "13.0", "runtime": "13.0"}
    made["cpe_core"] = 132 * made["cpe_wall"]
    file = tmp_path / "phases.jsonl"
    prediction = predicted(made, 0.55)
    prediction["profile"] |= {"name": "NVIDIA H100", "origin": "calibrated"}
    file.write_text("".join(json.dumps(one) + "\n" for one in (made, prediction)))
    found = read([file])
    assert not found.refused
    artifacts = {artifact.id: artifact for artifact in energy.make(found.on(found.machine_of_choice()))}
    rows = artifacts["ENERGY-PHASES"].rows
    scale = 1e9 / (1 << 24)
    parts = {row[3]: row[4] for row in rows if row[1] == "cub_radix, predicted"}
    assert parts == pytest.approx(
        {"static": 0.55 * 3 / 8 * scale, "scatter": 0.55 / 2 * scale, "histogram": 0.55 / 8 * scale}
    )
    assert [row[4] for row in rows if row[1] == "cub_radix"] == [pytest.approx(0.5 * scale)]
    assert "mean absolute error over 1 cells is 10 %" in artifacts["ENERGY-PHASES"].caption.text


def test_two_settings_of_a_sort_have_names_of_their_own(records):
    """Both presets of the hybrid radix sort had one name."""
    (one, *_) = records.ok(algorithm="fast_sort")
    other = replace(one, case=replace(one.case, parameters={"digit_bits": 8, "items": 9}))
    third = replace(one, case=replace(one.case, parameters={"digit_bits": 8, "items": 18}))
    names = energy_phases.bar_names(records, [one, other, third])
    assert len(set(names)) == 3 and names[1:] == [
        "fast_sort, digit_bits=8, items=9",
        "fast_sort, digit_bits=8, items=18",
    ]
    assert energy_phases.bar_names(records, [one]) == ["fast_sort"]


def test_names_of_sorts_of_about_the_same_time_and_energy_do_not_overlap(tmp_path):
    made = [record(i, f"sort_{i}", 1 << 24, (1 + i / 100) * 1e-3, (0.5 + i / 100,) * 3) for i in range(4)]
    file = tmp_path / "near.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in [*made, record(9, "slow", 1 << 24, 1e-2, (4.0,) * 3)]))
    (artifact,) = [one for one in energy.make(read([file])) if one.id == "ENERGY-TIME"]
    figure = artifact.picture.drawing(WIDE).figure
    texts = [text for text in figure.findobj(Text) if text.get_text().startswith(("sort_", "slow"))]
    boxes = [text.get_window_extent() for text in texts]
    assert len(boxes) == 5 and not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert min(row[3] for row in artifact.rows) == pytest.approx(
        1e9 / (1 << 24)
    )  # ps per key, though the axis has powers


def test_predicted_keys_per_joule_stand_beside_the_measured(tmp_path):
    made = [record(i, "cub_radix", 1 << log_n, 1e-3, (0.5,) * 3) for i, log_n in enumerate((20, 24))]
    predictions = [predicted(one, 0.25) for one in made]
    for one in predictions:
        one["profile"]["origin"] = "calibrated"
    file = tmp_path / "both.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in [*made, *predictions]))
    found = read([file])
    assert not found.refused
    artifacts = {artifact.id: artifact for artifact in energy.make(found.on(found.machine_of_choice()))}
    rows = {(row[2], row[3]): row[4] for row in artifacts["ENERGY-N"].rows}
    assert rows["predicted", 24.0] == pytest.approx(2 * rows["measured", 24.0])


def test_costs_follow_from_prices_alone(records):
    assert "ENERGY-COST" not in {artifact.id for artifact in energy.make(records)}
    records.prices = read_prices("0.30", ["2"])
    (costs,) = [artifact for artifact in energy.make(records) if artifact.id == "ENERGY-COST"]
    by_price = {row[2]: row for row in costs.rows}
    hours = 1e12 * 1e-4 / (1 << 24) / 3600  # the doubtful sort is the fastest: its time is not in doubt
    assert by_price["hour"][5:7] == [pytest.approx(hours), pytest.approx(2 * hours)]
    kwh = 1e12 * 0.4 / (1 << 20) / 3.6e6
    assert by_price["kWh"][3] == "cheap_sort"
    assert by_price["kWh"][5:7] == [pytest.approx(kwh), pytest.approx(0.3 * kwh)]


@pytest.mark.parametrize("price", ["", "free", "0", "-1", "nan", "1e10"])
def test_a_price_that_is_none_is_refused(price):
    with pytest.raises(BadInput, match="a price above 0 and below 1e9 is wanted"):
        read_prices(price, [])
    with pytest.raises(BadInput, match="--price-per-hour"):
        read_prices(None, [f"here={price}"])


def test_nothing_is_drawn_without_joules(tmp_path):
    file = tmp_path / "none.jsonl"
    file.write_text(json.dumps(measured_in(1e-3)) + "\n")
    assert energy.make(read([file])) == []
