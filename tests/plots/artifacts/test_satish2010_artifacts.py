"""Artifacts of Satish et al.: every number of the records, its kind, and the facts of captions."""

import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED, rows

from plots.figures.layout import NARROW, WIDE
from plots.artifacts.own import model_error
from plots.artifacts.own import all_sorts
from plots.artifacts.satish2010 import sat_f1, sat_f2, sat_s4, sat_t1
from plots.records.collection import read


def test_sat_t1_has_every_published_value_as_printed(records):
    printed = {(p.algorithm, p.n): p.printed for p in records.published if p.id == "SAT-T1"}
    shown = [row["published_ms"] for row in rows(sat_t1.make(records)) if row["published_ms"]]
    assert sorted(shown) == sorted(printed.values()) and shown


def test_sat_t1_measures_the_papers_form_on_all_cores_and_greys_the_rest(records):
    artifact = sat_t1.make(records)
    columns = artifact.grid.columns
    assert [c.head for c in columns if c.measured] == ["Radix", "Sortlab’s own", "Fastest library peer"]
    (cell,) = [
        row
        for row in rows(artifact)
        if (row["column"], row["n"], row["platform_published"]) == ("Radix", "4194304", "Core i7")
        and row["published_ms"]
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


def test_a_row_of_sat_t1_compares_on_one_number_of_threads(tmp_path):
    """The paper's radix sort on 1 and 4 threads, IPP on 1, the tuned radix sort on 4 and on 16: a block of rows each,
    first the one with most of the paper's parallel sorts."""
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
        (row["threads"], row["platform_published"], row["column"]): float(row["median_ms"])
        for row in rows(artifact)
        if row["n"] == str(1 << 20) and row["median_ms"]
    }
    assert table == {
        ("4", "Core i7", "Radix"): 25.0,
        ("4", "", "Radix, tuned"): 25.0,
        ("16", "", "Radix, tuned"): 6.25,
        ("16", "", "Sortlab’s own"): 6.25,
        ("1", "Core i7", "Radix"): 100.0,
        ("1", "Core i7", "IPP [2]"): 100.0,
    }
    # The table has the rows of as many threads as the paper's machine has cores, each with its published time and the
    # ratio; the tuned forms and the other threads are in the CSV.
    assert [label for label, _, _ in artifact.grid.rows] == ["256K", "1M", "4M", "16M", "64M"]
    assert [bool(cells[0].published) for _, _, cells in artifact.grid.rows] == [True] * 5
    assert artifact.grid.rows[1][2][0].remark == "0.18 × as fast"  # 4.4 ms there, 25 ms here
    assert not any("tuned" in column.head for column in artifact.grid.columns)
    assert "CPU sorts on 4 threads" in artifact.caption.legend
    assert "The CSV has the CPU sorts on 16, 1 threads as well." in artifact.caption.text
    lines = {row["series"] for row in rows(sat_f1.make(records)) if row["kind"] == "measured"}
    assert lines == {
        *("radix, paper’s form, Synthetic 4T", "radix, tuned, Synthetic 4T", "msd_radix_cpu, Synthetic 16T")
    }


def test_published_values_of_four_cores_stand_in_the_rows_of_four_threads(tmp_path):
    cells = [synthetic.run_record()]
    forms = {"satish_cpu_radix": synthetic.PAPER_FORM, "satish_cpu_merge": {"width": "sse4"}}
    for algorithm, threads in (("satish_cpu_radix", 4), *((name, 16) for name in forms)):
        case = synthetic.case(algorithm, 1 << 20, parameters=forms[algorithm], threads=threads)
        cells.append(synthetic.measurement(case, 1e-1 / threads))
    records = read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE)
    artifact = sat_t1.make(records)
    (cells,) = [cells for label, _, cells in artifact.grid.rows if label == "1M"]
    # The first column is the Core i7's, the fifth the GTX 280's: both have something published in the one row.
    assert cells[0].published and cells[4].published
    (radix,) = [r for r in rows(artifact) if r["column"] == "Radix" and r["median_ms"] and r["published_ms"]]
    assert radix["threads"] == "4"
    assert "of 4 cores" in artifact.caption.text


def test_the_fastest_peer_on_several_threads_runs_on_several(tmp_path):
    """A build that is no faster on 16 threads than on one counts on one thread alone."""
    cells = [synthetic.run_record()]
    cases = [("satish_cpu_radix", synthetic.PAPER_FORM, threads, 9.0, 1 << 20) for threads in (1, 16)]
    cases += [("serial", {}, threads, 1.0, n) for threads in (1, 16) for n in (1 << 20, 1 << 22)]
    cases += [("parallel", {}, threads, 16.0 / threads, n) for threads in (1, 16) for n in (1 << 20, 1 << 24)]
    for name, parameters, threads, seconds, n in cases:
        cells.append(
            synthetic.measurement(
                synthetic.case(name, n, parameters=parameters, threads=threads), seconds * n / (1 << 20)
            )
        )
    records = read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE)
    peers = {
        (row["threads"], int(row["n"])): row["measured_by"]
        for row in rows(sat_t1.make(records))
        if row["column"] == "Fastest library peer" and row["measured_by"]
    }
    assert peers[("16", 1 << 20)] == "parallel" and peers[("1", 1 << 20)] == "serial"
    assert ("16", 1 << 22) not in peers and peers[("16", 1 << 24)] == "parallel"


def test_the_fastest_peer_may_run_on_fewer_threads_than_the_row(tmp_path):
    """As on the page FASTEST: a peer on one thread was six times as fast as the only one on four."""
    cells = [synthetic.run_record()]
    for name, form, threads, seconds in (
        ("satish_cpu_radix", synthetic.PAPER_FORM, 4, 0.2),
        ("on_one", {}, 1, 0.4),
        ("on_four", {}, 4, 2.4),
        ("on_eight", {}, 8, 0.1),
    ):
        case = synthetic.case(name, 1 << 20, parameters=form, threads=threads)
        cells.append(synthetic.measurement(case, seconds, spread=0))
    artifact = sat_t1.make(read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE))
    heads = {column.head: (i, column.note) for i, column in enumerate(artifact.grid.columns)}
    (cells,) = [cells for label, _, cells in artifact.grid.rows if label == "1M"]
    place, note = heads["Fastest library peer"]
    assert (cells[place].measured, cells[place].remark) == ("400", "on_one 1T")
    assert note.startswith("here ") and note.endswith(" ≤ 4T")
    assert artifact.grid.columns[0].note.endswith(" 4T") and not artifact.grid.columns[1].note  # no IPP


SPLIT = {"digit_bits": 4, "items": 13, "split": "vertical", "warps": 4}
MERGE = {"merge": "bitonic", "tile": 256}


def gpu_cell(algorithm: str, parameters: dict, gpu: str, seconds: float) -> dict:
    case = synthetic.case(algorithm, 1 << 20, parameters=parameters, residency="device", affinity=[])
    return synthetic.measurement(case, seconds, 0, phases=[], device={**synthetic.DEVICE, "name": gpu})


def test_the_gpu_columns_of_sat_t1_are_of_one_gpu(tmp_path):
    """The radix sort was measured on both GPUs, the merge sort on one: that one's columns are shown."""
    cell, split = gpu_cell, SPLIT
    h100, h200 = "NVIDIA H100 80GB HBM3", "NVIDIA H200"
    more = [cell("satish_split_radix", {**split, "items": i}, h200, 1e-3) for i in (8, 16)]
    cells = [cell("satish_split_radix", split, h200, 1e-3), cell("satish_split_radix", split, h100, 2e-3), *more]
    cells.append(cell("satish_gpu_merge", {"merge": "bitonic", "tile": 256}, h100, 3e-3))
    everything = read([synthetic.write(tmp_path / "r", [synthetic.run_record(), *cells]), *PUBLISHED])
    records = everything.on(everything.machine_of_choice())
    assert records.gpu == h200
    artifact = sat_t1.make(records)
    columns = (("GTX 280", "Radix"), ("GTX 280", "Merge"))
    found = {(r["platform_published"], r["column"]): r["median_ms"] for r in rows(artifact) if r["n"] == str(1 << 20)}
    assert [float(found[column]) for column in columns] == [2.0, 3.0]
    notes = {(c.group, c.head): c.note for c in artifact.grid.columns}
    assert [notes[column] for column in columns] == ["here H100"] * 2 and h100 in artifact.caption.text
    # So do the GPU's panel of SAT-F1 and the ratio of its two sorts.
    figure = {(r["panel"], r["series"]): r["million keys per second"] for r in rows(sat_f1.make(records))}
    on_gpu = {series for panel, series in figure if panel.startswith("GPU: ")}
    assert {"radix, paper’s form, H100", "merge, paper’s form, H100"} <= on_gpu
    assert float(figure["GPU merge against GPU radix sort", "both paper’s form, H100"]) == pytest.approx(2 / 3)


def test_sat_f1_has_the_ratio_of_each_gpu_that_has_both_sorts(tmp_path):
    """Beside the GPU with the paper's forms the page's own, on which both sorts are tuned."""
    forms = {"satish_split_radix": (SPLIT, {**SPLIT, "items": 8}), "satish_gpu_merge": (MERGE, {**MERGE, "tile": 1024})}
    h100, h200 = "NVIDIA H100 80GB HBM3", "NVIDIA H200"
    cells = []
    for algorithm, (paper, tuned) in forms.items():
        seconds = 3e-3 if algorithm == "satish_gpu_merge" else 2e-3
        cells += [gpu_cell(algorithm, form, h100, seconds) for form in (paper, tuned)]
        cells += [gpu_cell(algorithm, {**tuned, "more": i}, h200, seconds / (i + 1)) for i in range(3)]
    everything = read([synthetic.write(tmp_path / "r", [synthetic.run_record(), *cells]), *PUBLISHED])
    records = everything.on(everything.machine_of_choice())
    assert records.gpu == h200
    made = sat_f1.make(records)
    (panel,) = [panel for panel in made.picture.panels if panel.title.startswith("GPU merge")]
    ratios = {line.label: line.y[0] for line in panel.lines if line.voice == "measured"}
    assert ratios == pytest.approx(
        dict.fromkeys(("both paper’s form, H100", "both tuned, H100", "both tuned, H200"), 2 / 3)
    )
    assert len({line.role for line in panel.lines if line.voice == "measured"}) == 3
    assert "NVIDIA H200" in made.caption.machines


def test_sat_t1_says_where_the_paper_disagrees_with_itself(records):
    assert {row["inconsistency"] for row in rows(sat_t1.make(records)) if row["column"] == "AA-Sort [13]"} == {"X1"}


def test_sat_f1_has_all_lines_of_the_paper_and_ours(records):
    figure = sat_f1.make(records)
    points = rows(figure)
    (cpu,) = [panel for panel in figure.picture.panels if panel.title.startswith("CPU")]
    assert {line.voice for line in cpu.lines} == {"published", "measured"}  # the CSV alone has the predictions
    assert [panel.below for panel in figure.picture.panels if panel.neutral] == ["merge sort is slower"]
    names = {(row["series"], row["kind"]) for row in points}
    assert {name for name, kind in names if kind == "published"} == {
        "Core i7 radix (buffer)",
        "Core i7 merge",
        "GTX 280 radix (split)",
        "GTX 280 merge",
        "GTX 280",  # the ratio of both
        "Knights Ferry radix",
    }
    assert ("radix, paper’s form, Synthetic 2T", "measured") in names and ("predicted", "predicted") in names
    rate = {(row["series"], row["log2 n"]): float(row["million keys per second"]) for row in points}
    assert rate["Core i7 radix (buffer)", "26.0"] == pytest.approx(2**26 / 0.271 / 1e6)
    assert rate["Core i7 merge", "17.0"] == 240 and rate["GTX 280 merge", "26.0"] == pytest.approx(175.8, abs=0.1)
    assert rate["Knights Ferry radix", "18.0"] == 560
    over_radix = rate["GTX 280 merge", "26.0"] / rate["GTX 280 radix (split)", "26.0"]
    assert rate["GTX 280", "26.0"] == pytest.approx(over_radix) and over_radix < 1


@pytest.mark.parametrize("make", [sat_t1.make, sat_f1.make, lambda records: model_error.make(records)[0]])
def test_a_caption_names_machine_n_estimator_interval_and_commit(records, make):
    caption = make(records).caption.text
    for fact in ("Synthetic processor, 2 cores", "n = 2", "median of 9 samples", "95 % interval", "commit 0123456789"):
        assert fact in caption
    assert "satish_cpu_radix (hardware) from profile ffeeddcc" in caption


def test_disturbed_cells_are_marked(tmp_path):
    case = synthetic.case("satish_cpu_radix", 1 << 18, parameters=synthetic.PAPER_FORM)
    cells = [synthetic.run_record(), synthetic.measurement(case, 1e-3, disturbed=True)]
    artifact = sat_t1.make(read([synthetic.write(tmp_path / "r", cells), *PUBLISHED]).on(synthetic.MACHINE))
    assert "†" in artifact.grid.rows[0][2][0].measured and "1 of 1 cells were disturbed" in artifact.caption.text


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
    assert "Nothing is measured here" in sat_s4.make(nothing).caption.text


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
    value = "time, relative to the same form's radix sort of 32-bit keys"
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
        assert missing in artifact.caption.text
    assert r"\begin{tikzpicture}" in artifact.latex and "merge, paper’s form" in artifact.latex
    assert artifact.svg(NARROW)
    # A caption says only what is drawn.
    assert "dashed marks: predicted." in artifact.caption.legend and "SAT-M7" not in artifact.caption.legend


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
    value = "time, relative to the same form's radix sort of 32-bit keys"
    bars = {r["category"]: float(r[value]) for r in rows(artifact) if r["series"] == "merge, paper’s form"}
    assert bars == pytest.approx({"32-bit keys": 1.5, "64-bit keys": 4})
    assert "CPU merge, paper’s form (128-bit keys, 32-bit keys + rid)" in artifact.caption.text


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
    wanted = {"its sort, paper’s form, Synthetic 1T": 2e-2, "its sort, tuned, Synthetic 1T": 1e-2}
    wanted["msd_radix_cpu, Synthetic 2T"] = 5e-3
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
    assert "on the paper’s bars by its own model SAT-M7" in sat_f2.make(with_model).caption.legend
    value = "time, relative to the same form's radix sort of 32-bit keys"
    assert {k: round(float(r[value]), 2) for k, r in marks.items()} == {"32-bit keys": 1.0, "64-bit keys": 2.67}
    measured = {r["category"]: r for r in rows(sat_f2.make(records)) if r["series"] == "radix, tuned"}
    assert float(measured["32-bit keys"][value]) == 1.0 and float(measured["64-bit keys"][value]) > 1
