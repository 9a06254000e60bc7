"""Tables and figures hold what the records hold: every number, its kind, and the caption's facts."""

import json
import math
import re
from pathlib import Path

import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED, ROOT, rows

from plots.analysis.error_statistics import summarise
from plots.analysis import prediction_errors
from plots.records import profile
from plots.figures import style
from plots.figures import svg
from plots.tables import record_tables
from plots.figures.layout import NARROW, WIDE, Cell, empty, linear_y_axis, put, text_width
from plots.artifacts import model_error
from plots.artifacts.own import all_sorts
from plots.artifacts.satish2010 import sat_f1, sat_f2, sat_s4, sat_t1
from plots.figures.artifact import draw, of_picture
from plots.figures.chart import VOICES, Chart, Line, Panel
from plots.records.jsonl import BadInput
from plots.records.quantities import Interval, binary_text, count_text, digits, seconds_text, signed_percent
from plots.records.collection import Records, read


@pytest.fixture(scope="module")
def records(tmp_path_factory) -> Records:
    file = synthetic.write(tmp_path_factory.mktemp("records") / "r.jsonl", synthetic.everything((16, 18, 20, 22, 24)))
    return read([file, *PUBLISHED]).on(synthetic.MACHINE)


def test_invented_and_published_records_are_true_to_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "configs" / "schemas" / "record.schema.json").read_text())
    check = jsonschema.Draft202012Validator(schema)
    lines = [json.loads(line) for file in PUBLISHED for line in file.read_text().splitlines()]
    for record in [*synthetic.everything((16,)), *lines]:
        check.validate(record)


def test_sat_t1_has_every_published_value_as_printed(records):
    printed = {(p.algorithm, p.n): p.printed for p in records.published if p.id == "SAT-T1"}
    shown = [row["published_ms"] for row in rows(sat_t1.make(records)) if row["published_ms"]]
    assert sorted(shown) == sorted(printed.values()) and shown


def test_sat_t1_measures_the_papers_form_on_all_cores_and_greys_the_rest(records):
    artifact = sat_t1.make(records)
    columns = artifact.grid.columns
    assert [c.head for c in columns if c.measured] == ["Radix", "Radix, tuned", "Sortlab’s own", "Fastest peer"]
    (cell,) = [
        row
        for row in rows(artifact)
        if (row["column"], row["n"], row["platform_published"]) == ("Radix", "4194304", "Core i7")
    ]
    case = synthetic.case("satish_cpu_radix", 1 << 22, parameters=synthetic.PAPER_FORM, threads=2)
    record = synthetic.measurement(case, synthetic.invented_seconds(case))
    assert float(cell["median_ms"]) == pytest.approx(1e3 * record["median_s"])
    assert float(cell["mean_ms"]) == pytest.approx(1e3 * record["mean_s"])  # beside the median
    assert float(cell["ci95_high_ms"]) == pytest.approx(1e3 * record["ci95_s"][1])
    assert float(cell["predicted_ms"]) == pytest.approx(1e3 * synthetic.invented_seconds(case) * (1.1 - 0.06))
    assert (cell["threads"], cell["published_ms"]) == ("2", "17.2")
    # 64M was not measured: published value, nothing else.
    assert all(not row["median_ms"] for row in rows(artifact) if row["n"] == str(64 << 20))
    assert r"\textcolor{gray}{25.4}" in artifact.latex and "17.2 &" in artifact.latex


def test_sat_t1_and_sat_f1_take_of_each_column_the_threads_that_it_was_measured_on(tmp_path):
    """The paper's radix sort and the merge sort on 4 threads, IPP on 1, the tuned radix sort on 4 and on 16."""
    tuned = {**synthetic.PAPER_FORM, "digit_bits": 11}
    forms = [
        ("satish_cpu_radix", synthetic.PAPER_FORM, (1, 4)),
        ("satish_cpu_radix", tuned, (4, 16)),
        ("ipp_radix", {}, (1,)),
        ("msd_radix_cpu", {}, (16,)),
    ]
    cells = [synthetic.run_record()]
    for algorithm, parameters, on in forms:
        for threads in on:
            case = synthetic.case(algorithm, 1 << 20, parameters=parameters, threads=threads)
            cells.append(synthetic.measurement(case, 1e-1 / threads, spread=0))
    cells.append({**synthetic.ALGORITHMS["std_sort"], "name": "ipp_radix", "roles": {"intel_ipp": {}}})
    records = read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE)
    artifact = sat_t1.make(records)
    table = {
        (row["platform_published"], row["column"]): (row["threads"], float(row["median_ms"]))
        for row in rows(artifact)
        if row["n"] == str(1 << 20) and row["median_ms"]
    }
    assert table == {
        ("Core i7", "Radix"): ("4", 25.0),
        ("Core i7", "IPP [2]"): ("1", 100.0),
        ("", "Radix, tuned"): ("4", 25.0),
        ("", "Sortlab’s own"): ("16", 6.25),
    }
    notes = {(c.group, c.head): c.note for c in artifact.grid.columns if c.measured}
    assert notes["Core i7", "Radix"] == "here 4 threads" and notes["Core i7", "IPP [2]"] == "here 1 thread"
    said = "Radix, Radix, tuned on 4 threads; IPP [2] on 1 thread; Sortlab’s own on 16 threads. "
    assert f"Published times are of 4 cores; measured here: {said}" in artifact.caption
    lines = {row["series"] for row in rows(sat_f1.make(records)) if row["kind"] == "measured"}
    assert lines == {"here, paper’s form, 4T", "here, tuned, 4T", "here, msd_radix_cpu, 16T"}


def test_sat_t1_takes_the_tuned_forms_own_threads_where_the_papers_has_others(tmp_path):
    tuned = {**synthetic.PAPER_FORM, "digit_bits": 11}
    cells = [synthetic.run_record()]
    for parameters, threads in ((synthetic.PAPER_FORM, 4), (tuned, 16)):
        case = synthetic.case("satish_cpu_radix", 1 << 20, parameters=parameters, threads=threads)
        cells.append(synthetic.measurement(case, 1e-1 / threads))
    records = read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE)
    threads = {row["column"]: row["threads"] for row in rows(sat_t1.make(records)) if row["median_ms"]}
    assert threads == {"Radix": "4", "Radix, tuned": "16"}


def test_sat_t1_says_where_the_paper_disagrees_with_itself(records):
    assert {row["inconsistency"] for row in rows(sat_t1.make(records)) if row["column"] == "AA-Sort [13]"} == {"X1"}


def test_sat_f1_has_all_lines_of_the_paper_and_ours(records):
    points = rows(sat_f1.make(records))
    names = {(row["series"], row["kind"]) for row in points}
    assert {name for name, kind in names if kind == "published"} == {
        "Core i7 radix (buffer)",
        "Core i7 merge",
        "GTX 280 radix (split)",
        "GTX 280 merge",
        "Knights Ferry radix",
    }
    assert ("here, paper’s form, 2T", "measured") in names and ("predicted", "predicted") in names
    rate = {(row["series"], row["log2 n"]): float(row["million keys per second"]) for row in points}
    assert rate["Core i7 radix (buffer)", "26.0"] == pytest.approx(2**26 / 0.271 / 1e6)
    assert rate["Core i7 merge", "17.0"] == 240 and rate["GTX 280 merge", "26.0"] == pytest.approx(175.8, abs=0.1)
    assert rate["Knights Ferry radix", "18.0"] == 560


@pytest.mark.parametrize("make", [sat_t1.make, sat_f1.make, lambda records: model_error.make(records)[0]])
def test_a_caption_names_machine_n_estimator_interval_and_commit(records, make):
    caption = make(records).caption
    for fact in ("Synthetic processor, 2 cores", "n = 2", "median of 9 samples", "95 % interval", "commit 0123456789"):
        assert fact in caption
    assert "satish_cpu_radix (hardware) from profile ffeeddcc" in caption


def test_disturbed_cells_are_marked(tmp_path):
    case = synthetic.case("satish_cpu_radix", 1 << 18, parameters=synthetic.PAPER_FORM)
    cells = [synthetic.run_record(), synthetic.measurement(case, 1e-3, disturbed=True)]
    artifact = sat_t1.make(read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE))
    assert "†" in artifact.grid.rows[0][2][0].measured and "cores were not free in 1 of 1 cells" in artifact.caption


@pytest.mark.parametrize("n", [0, 1])
def test_cells_of_hardly_any_keys_break_no_artifact(tmp_path, n):
    cells = [synthetic.run_record()]
    cells += [synthetic.measurement(synthetic.case("satish_cpu_radix", size), 1e-6) for size in (n, 1 << 18)]
    records = read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE)
    assert sat_f1.make(records).rows and sat_t1.make(records).rows and list(all_sorts.make(records))


def test_all_sorts_are_compared_by_type_threads_and_distribution(records):
    artifacts = {a.id: a for a in all_sorts.make(records)}
    assert {"CPU-u32-1T", "CPU-u32-2T", "CPU-u32-u32-1T", "CPU-u64-1T", "CPU-u128-1T"} <= set(artifacts)
    points = rows(artifacts["CPU-u32-1T"])
    assert {row["panel"] for row in points} == set(synthetic.ORDER_FACTOR)
    assert {row["series"] for row in points} == set(synthetic.SORTS)
    # The faster of the radix sort's two settings is shown.
    case = synthetic.case("satish_cpu_radix", 1 << 20)
    record = synthetic.measurement(case, synthetic.invented_seconds(case))
    wanted = {"panel": "uniform", "series": "satish_cpu_radix", "log2 n": "20.0"}
    (found,) = [row for row in points if wanted.items() <= row.items()]
    assert float(found["ns per key"]) == pytest.approx(1e9 * record["median_s"] / (1 << 20))


def test_sorts_on_a_gpu_stand_apart_from_those_on_the_host(tmp_path):
    paper = {"split": "vertical", "digit_bits": 4, "items": 13, "warps": 4}
    forms = {"paper": (paper, 4e-3), "tuned": ({**paper, "split": "fused", "items": 48}, 2e-3)}
    on_gpu = {
        form: synthetic.measurement(
            synthetic.case("satish_split_radix", 1 << 20, parameters=parameters, residency="device"),
            s,
            device=synthetic.DEVICE,
        )
        for form, (parameters, s) in forms.items()
    }
    host = synthetic.measurement(synthetic.case("std_sort", 1 << 20), 5e-3)
    file = synthetic.write(tmp_path / "r", [synthetic.run_record(), host, *on_gpu.values()])
    records = read([file, *PUBLISHED]).on(synthetic.MACHINE)

    table = {row["column"]: row for row in rows(sat_t1.make(records)) if row["n"] == str(1 << 20) and row["median_ms"]}
    assert float(table["Fastest peer"]["median_ms"]) == pytest.approx(1e3 * host["median_s"])
    assert float(table["Radix"]["median_ms"]) == pytest.approx(1e3 * on_gpu["paper"]["median_s"])
    assert table["Radix"]["platform_published"] == "GTX 280"
    assert float(table["GPU radix, tuned"]["median_ms"]) == pytest.approx(1e3 * on_gpu["tuned"]["median_s"])
    names = {row["series"] for row in rows(sat_f1.make(records)) if row["kind"] == "measured"}
    assert names == {"H200, radix, paper’s form", "H200, radix, tuned"}
    charts = {a.id: a for a in all_sorts.make(records)}
    assert {row["series"] for row in rows(charts["GPU-u32"])} == {"satish_split_radix"}
    assert {row["series"] for row in rows(charts["CPU-u32-1T"])} == {"std_sort"}
    assert "NVIDIA H200" in charts["GPU-u32"].caption and "NVIDIA H200" not in charts["CPU-u32-1T"].caption


def of_records(algorithm: str, payload: int, seconds: float, rearranging: float, **changes) -> dict:
    n, distribution = 1 << 18, "random_strings:min_length=8,max_length=8"
    distribution += f",payload={payload}" if payload else ""
    changes = {"key_type": "string", "distribution": distribution, "bytes": n * (8 + payload), **changes}
    phases = [
        {"name": "sort", "pass": 0, "median_s": seconds - rearranging, "begin_s": 0.0, "end_s": 0.1},
        {"name": "rearrange", "pass": 0, "median_s": rearranging, "begin_s": 0.1, "end_s": 0.2},
    ]
    return synthetic.measurement(synthetic.case(algorithm, n, **changes), seconds, spread=0, phases=phases)


def test_sat_s4_shows_the_rate_of_records_and_the_share_of_rearranging_them_by_length(tmp_path):
    cells = [
        synthetic.run_record(),
        of_records("satish_records", 0, 0.010, 0.002),
        of_records("satish_records", 120, 0.020, 0.015),
        of_records("satish_records", 120, 0.040, 0.015, parameters={"prefix_bytes": "4"}),  # slower: not shown
        of_records("std_string_sort", 0, 0.050, 0.005),
        of_records("std_string_sort", 0, 0.001, 0.001, distribution="words"),  # records of other lengths
    ]
    records = read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE)
    points = rows(sat_s4.make(records))
    shown = {
        (p["panel"], p["series"], float(p["log2 of a record’s bytes"])): float(p[next(k for k in p if "million" in k)])
        for p in points
    }
    assert shown == pytest.approx(
        {
            ("Records sorted", "satish_records, 1 thread", 3.0): (1 << 18) / 0.010 / 1e6,
            ("Records sorted", "satish_records, 1 thread", 7.0): (1 << 18) / 0.020 / 1e6,
            ("Records sorted", "std_string_sort, 1 thread", 3.0): (1 << 18) / 0.050 / 1e6,
            ("Rearranging them", "satish_records, 1 thread", 3.0): 20,
            ("Rearranging them", "satish_records, 1 thread", 7.0): 75,
            ("Rearranging them", "std_string_sort, 1 thread", 3.0): 10,
        }
    )
    strings = next(a for a in all_sorts.make(records) if a.id == "CPU-string-1T")
    assert {row["panel"] for row in rows(strings)} >= {"words"}
    assert sat_s4.make(records).svg(WIDE)
    nothing = read([synthetic.write(tmp_path / "none", cells[:1]), *PUBLISHED]).on(synthetic.MACHINE)
    assert "Nothing is measured here" in sat_s4.make(nothing).caption


WIDTHS = {"32-bit keys": ("u32", "none"), "64-bit keys": ("u64", "none"), "32-bit keys + rid": ("u32", "u32")}


def test_sat_f2_draws_ratios_to_the_radix_sort_of_32_bit_keys_and_names_what_is_missing(tmp_path):
    forms = {"satish_split_radix": {"split": "vertical", "digit_bits": 4, "items": 13, "warps": 4}}
    forms["satish_gpu_merge"] = {"merge": "bitonic", "tile": 256}
    times = {"32-bit keys": 1.0, "64-bit keys": 2.9, "32-bit keys + rid": 1.4}
    cells, made = [synthetic.run_record()], {}
    for algorithm, form in forms.items():
        for name, (key, value) in WIDTHS.items():
            for n in (1 << 20, 1 << 24):
                changes = dict(parameters=form, key_type=key, value_type=value, residency="device")
                case = synthetic.case(algorithm, n, **changes)
                seconds = 1e-9 * n * times[name] * (3 if "merge" in algorithm else 1)
                made[algorithm, name] = synthetic.measurement(case, seconds, device=synthetic.DEVICE)
                cells += [made[algorithm, name], synthetic.prediction(case, 2 * seconds)]
    artifact = sat_f2.make(read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE))
    bars = {(r["series"], r["kind"], r["category"]): r for r in rows(artifact)}
    value = "time, relative to the radix sort of 32-bit keys"
    base = made["satish_split_radix", "32-bit keys"]["median_s"]
    for algorithm, label in (
        ("satish_split_radix", "radix, paper’s form"),
        ("satish_gpu_merge", "merge, paper’s form"),
    ):
        for name in WIDTHS:
            wanted = made[algorithm, name]["median_s"] / base
            assert float(bars[label, "measured", name][value]) == pytest.approx(wanted)
    assert float(bars["radix, paper’s form", "predicted", "64-bit keys"][value]) == pytest.approx(2.9)
    assert ("radix, paper’s form", "measured", "128-bit keys") not in bars
    assert float(bars["Core i7 radix, published", "published", "128-bit keys"][value]) == 10.9
    assert float(bars["GTX 280 radix, published", "published", "32-bit keys + rid"][value]) == 1.2
    for missing in ("GPU radix, paper’s form (128-bit keys)", "GPU radix, tuned", "CPU radix, paper’s form"):
        assert missing in artifact.caption
    assert r"\begin{tikzpicture}" in artifact.latex and "merge, paper’s form" in artifact.latex
    assert artifact.svg(NARROW)


def test_sat_f2_sets_the_cpus_merge_sort_over_the_radix_sort_on_as_many_threads(tmp_path):
    sse = {"width": "sse4", "block_kib": 128, "fifo_kib": 128}
    cases = [
        (synthetic.case("satish_cpu_radix", 1 << 24, parameters=synthetic.PAPER_FORM, threads=2), 1e-2),
        (synthetic.case("satish_cpu_radix", 1 << 24, parameters=synthetic.PAPER_FORM), 2e-2),
        (synthetic.case("satish_cpu_merge", 1 << 24, parameters=sse), 3e-2),
        (synthetic.case("satish_cpu_merge", 1 << 24, parameters=sse, key_type="u64"), 8e-2),
    ]
    cells = [synthetic.measurement(case, seconds, 0.0) for case, seconds in cases]
    file = synthetic.write(tmp_path / "r", [synthetic.run_record(), *cells])
    artifact = sat_f2.make(read([file, *PUBLISHED]).on(synthetic.MACHINE))
    value = "time, relative to the radix sort of 32-bit keys"
    bars = {r["category"]: float(r[value]) for r in rows(artifact) if r["series"] == "merge, paper’s form"}
    assert bars == pytest.approx({"32-bit keys": 1.5, "64-bit keys": 4})
    assert "CPU merge, paper’s form (128-bit keys, 32-bit keys + rid)" in artifact.caption


def test_sat_f1_sets_knights_ferrys_sort_and_our_own_beside_the_papers(tmp_path):
    form = {"passes": "paper", "tile_kib": 64, "stores": "ordinary", "skip_constant_digits": "no", "target": "AVX3"}
    cases = [
        (synthetic.case("knf_split_radix", 1 << 24, parameters=form), 2e-2),
        (synthetic.case("knf_split_radix", 1 << 24, parameters={**form, "passes": "eights"}), 1e-2),
        (synthetic.case("msd_radix_cpu", 1 << 24, threads=2), 5e-3),
    ]
    cells = [synthetic.measurement(case, seconds, 0.0) for case, seconds in cases]
    file = synthetic.write(tmp_path / "r", [synthetic.run_record(), *cells])
    points = rows(sat_f1.make(read([file, *PUBLISHED]).on(synthetic.MACHINE)))
    rates = {r["series"]: float(r["million keys per second"]) for r in points if r["kind"] == "measured"}
    wanted = {"here, KNF, paper’s form, 1T": 2e-2, "here, KNF, tuned, 1T": 1e-2, "here, msd_radix_cpu, 2T": 5e-3}
    assert rates == pytest.approx({name: (1 << 24) / seconds / 1e6 for name, seconds in wanted.items()})


def test_sat_f2_has_the_papers_model_on_the_papers_machine_and_both_baselines_at_one(records, tmp_path):
    there = {"id": "core_i7", "name": "Core i7", "hash": "0" * 16, "origin": "paper"}
    cells = [synthetic.run_record()]
    for key, width in (("u32", 4), ("u64", 8)):
        case = synthetic.case("satish_cpu_radix", 1 << 24, key_type=key, threads=4)
        seconds = 1e-3 * max(13 * width, 13 / 6 * width**2)
        cells.append(synthetic.prediction(case, seconds, profile=there, model="SAT-M7"))
    with_model = read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE)
    marks = {r["category"]: r for r in rows(sat_f2.make(with_model)) if r["kind"] == "predicted"}
    value = "time, relative to the radix sort of 32-bit keys"
    assert {k: round(float(r[value]), 2) for k, r in marks.items()} == {"32-bit keys": 1.0, "64-bit keys": 2.67}
    measured = {r["category"]: r for r in rows(sat_f2.make(records)) if r["series"] == "radix, tuned"}
    assert float(measured["32-bit keys"][value]) == 1.0 and float(measured["64-bit keys"][value]) > 1


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
    assert s.geometric_mean == pytest.approx((0.2 * 0.1 * 0.05) ** (1 / 3))
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


def profile_file(tmp_path: Path, **tables: list) -> Path:
    points = {name: [{"at": at, "value": value} for at, value in given] for name, given in tables.items()}
    made = {name: {"unit": "B/s", "arguments": ["threads", "bytes"], "points": p} for name, p in points.items()}
    file = tmp_path / "profile.json"
    file.write_text(json.dumps({"schema": 1, "kind": "profile", "tables": made}))
    return file


def test_copy_bandwidth_is_that_of_memory_and_of_the_faster_store(tmp_path):
    copy = [([1, 1 << 14], 9e10), ([1, 1 << 26], 2e10), ([2, 1 << 26], 3e10)]
    file = profile_file(tmp_path, copy=copy, copy_nt=[([1, 1 << 26], 2.5e10)])
    assert profile.copy_bandwidth(file) == {1: 2.5e10, 2: 3e10}


@pytest.mark.parametrize("tables", [{}, {"copy": [([1], 2e10)]}, {"copy": [([1, 2], 0)]}, {"copy": [([1, 2], "x")]}])
def test_a_profile_without_copy_bandwidth_is_bad_input(tmp_path, tables):
    with pytest.raises(BadInput, match="--profile"):
        profile.copy_bandwidth(profile_file(tmp_path, **tables))


def test_read_bandwidth_is_that_of_devices_at_the_largest_working_set(tmp_path):
    points = [([4, 1 << 16], 9e12), ([4, 1 << 30], 3e12), ([16, 1 << 30], 4e12)]
    read_table = {
        "arguments": ["access_bytes", "bytes"],
        "points": [{"at": at, "value": value} for at, value in points],
    }
    file = tmp_path / "profile.json"
    devices = [{"name": "A GPU", "tables": {"read": read_table}}, {"name": "Another", "tables": {}}]
    file.write_text(json.dumps({"schema": 1, "kind": "profile", "tables": {}, "devices": devices}))
    assert profile.read_bandwidth(file) == {"A GPU": 4e12}
    assert profile.read_bandwidth(profile_file(tmp_path)) == {}


def draw_panel(line: Line, width: float = WIDE, **chart):
    """The axes of a chart of one line."""
    (axes,) = Chart([Panel("", [line])], "y", **chart).drawing(width).figure.axes
    return axes


def test_a_wide_axis_has_few_ticks():
    line = Line("one", "series-1", x=[0.0, 64.0], y=[1.0, 2.0], low=[1.0, 2.0], high=[1.0, 2.0])
    assert list(draw_panel(line, x_label="bits").get_xticks()) == list(range(0, 65, 8))


def test_a_linear_axis_has_round_ticks():
    def ticks(low, high):
        axes = empty(4, 3).add_axes(Cell(0, 0, 4, 3))
        linear_y_axis(axes, low, high)
        shown = [at for at in axes.get_yticks() if low <= at <= high]
        return axes.yaxis.get_major_formatter().format_ticks(shown)

    assert ticks(0, 1) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert ticks(0, 31) == ["0", "5", "10", "15", "20", "25", "30"]
    assert ticks(-3, 4) == ["−3", "−2", "−1", "0", "1", "2", "3", "4"]
    assert ticks(0, 3e6)[:3] == ["0", "5·10⁵", "1·10⁶"]


def test_lines_stand_where_their_values_are():
    line = Line("one", "series-1", x=[16.0, 18.0], y=[1.0, 100.0], low=[1.0, 50.0], high=[1.0, 100.0])
    axes = draw_panel(line, log=True)
    (drawn,) = [of for of in axes.lines if of.get_color() == style.light("series-1")]
    assert drawn.get_xdata().tolist() == line.x and drawn.get_ydata().tolist() == line.y
    low, middle, high = (axes.transData.transform((17, value))[1] for value in (1.0, 10.0, 100.0))
    assert middle == pytest.approx((low + high) / 2) and low < high
    (band,) = axes.collections
    assert band.get_paths()[0].get_extents().y1 == 100.0 and band.get_alpha() == 0.18


def test_a_value_without_a_logarithm_is_drawn_just_below_the_box():
    line = Line("one", "series-1", x=[16.0, 17.0, 18.0], y=[1.0, 0.0, 9.0], low=[1.0, 0.0, 9.0], high=[1.0, 0.0, 9.0])
    axes = draw_panel(line, log=True)
    (drawn,) = [of for of in axes.lines if of.get_color() == style.light("series-1")]
    bottom, top = (axes.transAxes.transform((0, share))[1] for share in (0, 1))
    at = axes.transData.transform((17, drawn.get_ydata()[1]))[1]
    assert bottom - 0.03 * (top - bottom) < at < bottom


def drawn_marks(*lines: Line) -> list[svg.Mark]:
    (marks,) = svg.marks(Chart([Panel("", lines)], "y").drawing(WIDE))
    return marks


def make_line(name: str, voice: str, y: float) -> Line:
    return Line(name, "series-3", voice, x=[16.0, 18.0], y=[y, y], low=[0.9 * y] * 2, high=[1.1 * y] * 2)


def test_published_is_hollow_measured_solid_with_its_interval_and_predicted_dashed():
    looks = {voice: [m.look for m in drawn_marks(make_line("a", voice, 1.0))] for voice in VOICES}
    own = {voice: [look for look in of if "series-3" in (look.stroke, look.fill)] for voice, of in looks.items()}
    (line, dots) = [look for look in own["published"] if look.stroke]
    inner = looks["published"][looks["published"].index(dots) + 1]
    assert line.dashes and inner.stroke == "ground" and inner.width < dots.width
    band, line, dots = [look for look in own["measured"] if not look.size]
    assert (band.fill, band.opacity) == ("series-3", 0.18) and not line.dashes and dots.width > line.width
    (line,) = [look for look in own["predicted"] if look.stroke]
    assert line.dashes == (48, 26)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_names_of_lines_stand_beside_the_box_without_overlap(width):
    lines = [make_line(f"sort {i}", "measured", 1.0 + 0.001 * i) for i in range(12)]
    drawing = Chart([Panel("crowded", lines)], "y").drawing(width)
    (marks,) = svg.marks(drawing)
    names = sorted((m.y, m.x, m.text) for m in marks if m.text.startswith("sort "))
    assert [text for _, _, text in names] == [f"sort {i}" for i in reversed(range(12))]
    assert all(after[0] - before[0] >= 10 * style.SIZE for before, after in zip(names, names[1:]))
    (axes,), (inches, high) = drawing.figure.axes, drawing.figure.get_size_inches()
    box = axes.get_position()
    assert all(x > 720 * inches * box.x1 for _, x, _ in names)
    for y, x, text in names:
        assert 0 < y < 720 * high and x + 720 * text_width(text, style.SIZE) < 720 * inches


def test_svg_paths_are_steps_of_whole_tenths_of_a_point():
    drawing = empty(1.0, 1.0)
    axes = drawing.add_axes(Cell(0, 0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set(xlim=(0, 72), ylim=(72, 0))
    axes.plot([1.0, 3.26, 3.0], [2.0, 2.0, 1.0], color=style.light("series-1"), linewidth=1.3)
    put(axes, 5.0, 72 - 6.04, "a<b", "muted", fontsize=8)
    text = svg.whole(drawing, svg.marks(drawing))
    assert 'viewBox="0 0 720 720"' in text and 'd="M10 20h23l-3-10"' in text
    assert '<text class="fm z80" x="50" y="60">a&lt;b</text>' in text


def test_panels_that_a_page_may_arrange_stand_each_by_itself():
    lines = [Line("one", "series-1", x=[16.0, 17.0], y=[1.0, y], low=[1.0, y], high=[1.0, y]) for y in (2.0, 9.0, 5.0)]
    chart = Chart([Panel(f"panel {i}", [line]) for i, line in enumerate(lines)], "y")
    pieces = of_picture(chart, "A", "", "", "").texts.pieces
    assert [[i for i in range(3) if f"panel {i}" in piece] for piece in pieces] == [[0], [1], [2]]
    assert {re.search(r'viewBox="\d+ \d+ (\d+)', piece).group(1) for piece in pieces} == {str(round(720 * NARROW))}
    assert len({axes.get_ylim() for axes in chart.drawing(WIDE).figure.axes}) == 1
    assert of_picture(Chart(chart.panels[:2], "y"), "A", "", "", "").texts.pieces == []


@pytest.mark.parametrize("ending, begins", [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_png_and_a_pdf_are_drawn_where_asked_for(tmp_path, records, ending, begins):
    artifact = sat_f1.make(records)
    written = []
    for folder in ("a", "b"):
        artifact.write(tmp_path / folder, [ending])
        written.append((tmp_path / folder / f"SAT-F1.{ending}").read_bytes())
    assert written[0].startswith(begins) and len(written[0]) > 10000 and written[0] == written[1]


def test_pictures_drawn_by_several_processes_are_those_drawn_by_one(records):
    def made():
        return [sat_f1.make(records), sat_f2.make(records), sat_t1.make(records), model_error.make(records)[0]] * 4

    together = made()
    draw(together)
    assert [a.texts for a in together[:4]] == [a.texts for a in made()[:4]]


def test_what_a_cell_says_is_read_as_a_number():
    said = ["1.23† ± 4 %", "−3.4 %", "2²⁰", "1.50 ms", "250\u2009000", "u64", "1 of 13", "16T", ""]
    assert [record_tables.leading_number(text) for text in said] == [
        1.23,
        -0.034,
        1 << 20,
        0.0015,
        250000,
        None,
        1,
        None,
        None,
    ]


def test_a_value_to_sort_by_is_written_where_the_text_does_not_tell_it():
    cells = [
        record_tables.Cell("1.50 ms", 0.0015),
        record_tables.Cell("1 of 13", 1 / 13),
        record_tables.Cell("<b>", 2.0, "id"),
    ]
    table = record_tables.Table("t", [record_tables.Column("a", True)] * 3, [cells])
    assert table.aligned == " n1 n2 n3"
    assert table.body == '<tr><td>1.50 ms<td data-sort=0.0769231>1 of 13<td class="id" data-sort=2>&lt;b&gt;'


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


def test_a_figure_inline_has_no_colour_of_its_own(records):
    artifact = sat_f1.make(records)
    for width in (WIDE, NARROW):
        inline = svg.inline(artifact.svg(width), "label")
        assert 'class="s1 ' in inline and "#" not in inline and "style" not in inline and " id=" not in inline
        assert " width=" not in inline.split(">")[0]
    alone = svg.file(artifact.svg(WIDE), "a title <b>")
    assert "<title>a title &lt;b&gt;</title>" in alone and 'role="img"' in alone
    light, dark = alone.split("@media(prefers-color-scheme:dark)")
    assert style.COLOURS["series-1"][0] in light and style.COLOURS["series-1"][1] in dark and "var(" not in alone


@pytest.mark.parametrize(
    "text, wanted",
    [
        (digits(0.0123456), "0.0123"),
        (digits(9.996), "10.0"),
        (digits(12345.6), "12300"),
        (digits(0), "0"),
        (seconds_text(0.0051), "5.10 ms"),
        (seconds_text(3e-8), "30.0 ns"),
        (count_text(1 << 20), "2²⁰"),
        (count_text(1000003), "1\u2009000\u2009003"),
        (binary_text(64 << 20), "64M"),
        (binary_text(1 << 18), "256K"),
        (signed_percent(-0.034), "−3.4 %"),
        (signed_percent(0.42), "+42 %"),
    ],
)
def test_numbers_are_written_so(text, wanted):
    assert text == wanted


def test_a_ratios_interval_spans_both():
    ratio = Interval(2.0, 1.8, 2.2).over(Interval(1.0, 0.9, 1.1))
    assert (ratio.value, ratio.low, ratio.high) == (2.0, pytest.approx(1.8 / 1.1), pytest.approx(2.2 / 0.9))
    assert math.isclose(Interval(2.0, 1.9, 2.1).inverse().high, 1 / 1.9)
