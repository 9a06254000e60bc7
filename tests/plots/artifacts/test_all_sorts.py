"""Charts of all sorts, by type, threads and distribution."""

import re

import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED, rows

from plots.artifacts.own import all_sorts, coloured
from plots.artifacts.satish2010 import sat_f1, sat_t1
from plots.records.case import input_text
from plots.records.collection import read


@pytest.mark.parametrize("n", [0, 1])
def test_cells_of_hardly_any_keys_break_no_artifact(tmp_path, n):
    cells = [synthetic.run_record()]
    for sort in ("satish_cpu_radix", "vqsort"):
        cells += [synthetic.measurement(synthetic.case(sort, size), 1e-6) for size in (n, 1 << 18)]
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
    beside = [
        synthetic.measurement(synthetic.case("vqsort", 1 << 20), 6e-3),
        synthetic.measurement(synthetic.case("cub_radix", 1 << 20, residency="device"), 1e-3, device=synthetic.DEVICE),
    ]
    file = synthetic.write(tmp_path / "r", [synthetic.run_record(), host, *beside, *on_gpu.values()])
    records = read([file, *PUBLISHED]).on(synthetic.MACHINE)

    table = {row["column"]: row for row in rows(sat_t1.make(records)) if row["n"] == str(1 << 20) and row["median_ms"]}
    assert float(table["Fastest library peer"]["median_ms"]) == pytest.approx(1e3 * host["median_s"])
    assert float(table["Radix"]["median_ms"]) == pytest.approx(1e3 * on_gpu["paper"]["median_s"])
    assert table["Radix"]["platform_published"] == "GTX 280"
    assert float(table["GPU radix, tuned"]["median_ms"]) == pytest.approx(1e3 * on_gpu["tuned"]["median_s"])
    names = {row["series"] for row in rows(sat_f1.make(records)) if row["kind"] == "measured"}
    assert names == {"radix, paper’s form, H200", "radix, tuned, H200"}
    charts = {a.id: a for a in all_sorts.make(records)}
    assert {row["series"] for row in rows(charts["GPU-u32"])} == {"satish_split_radix", "cub_radix"}
    assert {row["series"] for row in rows(charts["CPU-u32-1T"])} == {"std_sort", "vqsort"}
    assert "NVIDIA H200" in charts["GPU-u32"].caption.text and "NVIDIA H200" not in charts["CPU-u32-1T"].caption.text


def test_a_chart_draws_the_inputs_with_most_curves_and_its_csv_has_all(tmp_path):
    """Gaussian keys have one curve, and keys named iota one n."""
    inputs = ["uniform", "sorted", "reverse", "gaussian", "zero", "staggered", "bucket", "g_group", "constant", "iota"]
    cells = [
        synthetic.measurement(synthetic.case(sort, 1 << log_n, distribution=name), 1e-9 * (i + 1) * (1 << log_n))
        for i, sort in enumerate(("std_sort", "vqsort"))
        for name in inputs
        for log_n in ((20,) if name == "iota" else (18, 20, 22))
        if (sort, name) != ("vqsort", "gaussian")
    ]
    records = read([synthetic.write(tmp_path / "r", [synthetic.run_record(), *cells])]).on(synthetic.MACHINE)
    (chart,) = all_sorts.make(records)
    drawn = {panel.title for panel in chart.picture.panels}
    assert drawn == {input_text(name) for name in inputs if name not in ("gaussian", "iota")}
    assert {row["panel"] for row in rows(chart)} == set(inputs)
    assert "Distributions measured with fewer sorts, or at fewer n, are in the CSV." in chart.caption.text


@pytest.mark.parametrize(
    "names, said",
    [
        (["a"], ""),  # fewer sorts than may be named
        (["a", "d"], "Grey: the sort that is "),
        (["a", "d", "d ↑ 9.0 at 2²⁰", "e", "f"], "Grey: the 3 sorts that are "),
    ],
)
def test_the_caption_counts_the_sorts_that_are_drawn_without_a_name(names, said):
    found = [all_sorts.Line(name, "series-1" if name == "a" else "axis") for name in names]
    text = coloured.grey_text([all_sorts.Panel("p", found)] * 2)
    assert text.startswith(said) and bool(text) == bool(said)


def sorted_at(times: dict[str, dict[int, float]]) -> list[dict]:
    """ns per key of each sort by log₂ n."""
    return [
        synthetic.measurement(synthetic.case(name, 1 << log_n), 1e-9 * ns * (1 << log_n))
        for name, of in times.items()
        for log_n, ns in of.items()
    ]


def made(tmp_path, times: dict[str, dict[int, float]]):
    file = synthetic.write(tmp_path / "r", [synthetic.run_record(), *sorted_at(times)])
    return all_sorts.make(read([file]).on(synthetic.MACHINE))


def test_times_stand_over_those_of_the_sort_that_is_the_fastest_most_often(tmp_path):
    times = {"std_sort": {18: 8, 20: 8, 22: 8}, "vqsort": {16: 9, 18: 4, 20: 4, 22: 10}}
    (chart,) = made(tmp_path, times)
    (panel,) = chart.picture.panels
    drawn = {line.label: dict(zip(line.x, line.y)) for line in panel.lines}
    assert drawn["vqsort"] == {18: 1, 20: 1, 22: 1}  # at 2^16 nothing stands beside it
    assert drawn["std_sort"] == pytest.approx({18: 2, 20: 2, 22: 0.8}, rel=0.02)
    assert panel.y_label == "times as long as vqsort, which takes 4.03 to 10.1 ns per key"
    assert [float(row["ns per key"]) for row in rows(chart) if row["series"] == "vqsort"] == pytest.approx(
        [9, 4, 4, 10], rel=0.02
    )


def test_lines_of_slow_sorts_leave_the_axis_at_its_end_and_come_back(tmp_path):
    """CPU-u32-4T: a hole in a line, below the axis's end, looked like a size that was not measured."""
    times = {"vqsort": {log_n: 2 for log_n in (16, 18, 20, 22)}, "std_sort": {16: 3, 18: 20, 20: 4, 22: 4}}
    times["std_stable_sort"] = {16: 3, 18: 4, 20: 5, 22: 20}
    (chart,) = made(tmp_path, times)
    (panel,) = chart.picture.panels
    # A line that leaves the panel has its last value beside its name, with its n: the point beside it has another.
    assert [line.label for line in panel.lines if "stable" in line.label] == ["std_stable_sort ↑ 10.0 at 2²²"]
    assert "An axis that ends at 4 cuts what is above" in chart.caption.legend and panel.ceiling == 4
    left, back = [line for line in panel.lines if line.label == "std_sort"]
    assert (left.x[0], back.x[1:]) == (16, [20, 22]) and left.y[-1] == back.y[0] == 4
    assert 16 < left.x[-1] < 18 < back.x[0] < 20 and (left.dotless, back.dotless) == ((1,), (0,))
    assert [line.labelled for line in panel.lines if line.label == "std_sort"] == [False, True]


def test_the_axis_reaches_the_ends_of_named_sorts(tmp_path):
    """Each sort but the fastest left its panel, and only arrows told where to."""
    times = {name: {16: 2, 18: 3, 20: end} for name, end in (("std_sort", 6.5), ("std_stable_sort", 5.5))}
    times["vqsort"] = {16: 1, 18: 1, 20: 1}
    (chart,) = made(tmp_path, times)
    (panel,) = chart.picture.panels
    assert {line.label: line.x for line in panel.lines} == {name: [16, 18, 20] for name in times}
    assert panel.ceiling is None and "cuts what is above" not in chart.caption.legend


def test_a_panel_of_two_sorts_draws_every_point(tmp_path):
    (chart,) = made(tmp_path, {"vqsort": {16: 2, 18: 2, 20: 2}, "std_sort": {16: 3, 18: 4, 20: 20}})
    (panel,) = chart.picture.panels
    assert next(line for line in panel.lines if line.label == "std_sort").y[-1] == pytest.approx(10, rel=0.02)
    assert "cuts what is above" not in chart.caption.text


def test_a_sort_that_is_faster_somewhere_or_the_best_at_the_largest_n_has_a_name(tmp_path):
    """And the caption says how near those without a name come."""
    flat = {16: 3.0, 18: 3.0, 20: 3.0, 22: 3.0}
    others = ["ips4o", "ips2ra", "boost_pdqsort", "boost_spinsort", "boost_spreadsort", "std_sort"]
    times = {
        "vqsort": {n: 2.0 for n in flat},
        **{name: {n: 3 + 0.4 * i for n in flat} for i, name in enumerate(others)},
    }
    times["std_stable_sort"] = {**flat, 16: 1.0, 18: 9.0, 20: 9.0, 22: 9.0}  # the fastest once
    times["boost_flat_stable_sort"] = {16: 9.0, 18: 9.0, 20: 9.0, 22: 2.2}  # the second at the end
    (chart,) = made(tmp_path, times)
    (panel,) = chart.picture.panels
    named = {line.label.split(" ↑")[0] for line in panel.lines if line.role != "axis"}
    assert {"vqsort", "std_stable_sort", "boost_flat_stable_sort"} <= named
    grey = min(t / 2 for i, name in enumerate(others) if name not in named for t in [3 + 0.4 * i])
    (said,) = re.findall(r"The nearest of the grey ones takes ([0-9.]+) times as long", chart.caption.text)
    assert float(said) == pytest.approx(grey, rel=0.02)


def flat(ratio: float, *sizes: int) -> dict[int, float]:
    return dict.fromkeys(sizes or range(8), ratio)


def test_the_sorts_nearest_at_most_n_have_colours_before_those_near_at_one_n():
    """The best peer at most sizes was grey, where one that is ten times as slow had a colour for one size."""
    times = {"own": flat(1.0), "near": flat(1.2, *range(7)) | {7: 9.0}, "second": flat(1.5), "third": flat(1.8)}
    times |= {f"once {i}": flat(9.0) | {i: 1.1} for i in (0, 3)} | {f"far {i}": flat(10.0 + i) for i in range(6)}
    named = coloured.leading(list(times), ["own"], [times])
    assert named[:4] == ["own", "near", "second", "third"] and len(named) == coloured.NAMED


def test_a_panel_in_which_few_were_measured_gives_no_colour_to_a_slow_sort():
    """ips4o took eight times as long, and was the third of three in most panels."""
    near = {f"near {i}": flat(1.1 + i / 10) for i in range(6)}
    uniform = {"own": flat(1.0), **near, "slow": flat(8.0)}
    others = {"own": flat(1.0), "near 0": flat(1.1), "slow": flat(8.0)}
    assert "slow" not in coloured.leading(list(uniform), ["own"], [uniform, *[others] * 8])


def test_a_sort_that_is_faster_at_one_n_has_a_colour():
    times = {"own": flat(1.0), "once": flat(9.0) | {3: 0.5}} | {f"near {i}": flat(1.1 + i / 10) for i in range(9)}
    assert "once" in coloured.leading(list(times), ["own"], [times])


def test_of_lines_that_lie_on_each_other_one_has_a_colour():
    times = {"own": flat(1.0), "near": flat(1.2), "alike": flat(1.21, 2, 3, 4), "far": flat(3.0)}
    assert coloured.leading(list(times), ["own"], [times]) == ["own", "near", "far"]


def test_sorts_beside_which_nothing_was_measured_have_a_chart_only_if_no_others_have(tmp_path):
    times = {"std_sort": {18: 8, 20: 8, 22: 8}, "vqsort": {16: 9}}
    (alone,) = made(tmp_path, times)
    assert (
        alone.picture.y_label == "ns per key"
        and "No two sorts were measured on the same inputs" in alone.caption.legend
    )
    case = synthetic.case("std_sort", 1 << 20, key_type="u64")
    pair = [synthetic.measurement({**case, "algorithm": name}, 1e-2) for name in ("std_sort", "vqsort")]
    file = synthetic.write(tmp_path / "r2", [synthetic.run_record(), *sorted_at(times), *pair])
    assert [chart.id for chart in all_sorts.make(read([file]).on(synthetic.MACHINE))] == ["CPU-u64-1T"]


def test_types_with_few_numbers_share_one_table(tmp_path):
    times = {"vqsort": {k: 2 for k in (16, 18, 20, 22, 24)}, "std_sort": {k: 4 for k in (16, 18, 20, 22, 24)}}
    few = []
    for name, ns in (("std_sort", 9.0), ("std_stable_sort", 8.0)):
        case = synthetic.case(name, 1 << 20, key_type="u128")
        few.append(synthetic.measurement(case, ns * 1e-9 * (1 << 20), 0.001, disturbed=name == "std_sort"))
    few[0] = synthetic.retimed(few[0], samples_s=few[0]["samples_s"][:4])
    file = synthetic.write(tmp_path / "r", [synthetic.run_record(), *sorted_at(times), *few])
    chart, table = all_sorts.make(read([file]).on(synthetic.MACHINE))
    assert (chart.id, table.id) == ("CPU-u32-1T", "CPU-FEW") and table.is_measured
    found = {row["sort"]: row for row in rows(table)}
    assert float(found["std_sort"]["ns per key"]) == pytest.approx(9, rel=0.01)
    assert found["std_sort"]["cell"] == few[0]["cell"] and found["std_sort"]["type"] == "u128, 1 thread"
    assert [cell.measured.endswith("†") for *_, (cell,) in table.grid.rows] == [True, False]
    assert [cell.interval[:4] for *_, (cell,) in table.grid.rows] == ["(4 s", "± 0."]
    assert [column.head for column in table.grid.columns] == ["n = 2²⁰"]
    assert "±: half the 95 % interval of the median" in table.legend and "too few for an interval" in table.legend
    assert (
        "† other programs disturbed the measurement;" in table.legend and table.latex.count("disturbed the meas") == 1
    )
    assert [label for label, *_ in table.grid.rows] == ["u128, 1 thread: std_sort", "u128, 1 thread: std_stable_sort"]


def test_the_region_below_the_reference_is_named(tmp_path):
    (chart,) = made(tmp_path, {"std_sort": {18: 8, 20: 8, 22: 8}, "vqsort": {18: 4, 20: 4, 22: 10}})
    (panel,) = chart.picture.panels
    assert panel.neutral == 1 and panel.below == "faster than vqsort"
    drawing = chart.picture.drawing(10)
    assert panel.below in {text.get_text() for text in drawing.figure.texts}


def as_run(cells: list[dict], day: int) -> list[dict]:
    """The cells as one run of its own."""
    run = f"203{day}0101T000000Z-{day}"
    started = f"203{day}-01-01T00:00:00Z"
    return [dict(synthetic.run_record(), run=run, started=started), *(cell | {"run": run} for cell in cells)]


def test_a_point_is_of_a_run_that_has_both_sorts(tmp_path):
    """A newer run on a slower machine measured the reference again: divided by its time, vqsort seemed the faster."""
    together = as_run(sorted_at({"msd_radix_cpu": {18: 2, 20: 2}, "vqsort": {18: 3, 20: 3}}), 1)
    later = as_run(sorted_at({"msd_radix_cpu": {18: 4, 20: 4, 22: 4}, "paradis": {18: 8, 20: 8}}), 2)
    alone = as_run(sorted_at({"vqsort": {22: 3}}), 3)
    records = read([synthetic.write(tmp_path / "r", [*together, *later, *alone])]).on(synthetic.MACHINE)
    (chart,) = all_sorts.make(records)
    (panel,) = chart.picture.panels
    drawn = {line.label: dict(zip(line.x, line.y)) for line in panel.lines}
    assert drawn["vqsort"] == pytest.approx({18: 1.5, 20: 1.5}, rel=0.02)  # at 2^22 no run has both
    assert drawn["paradis"] == pytest.approx({18: 2, 20: 2}, rel=0.02)
    ratios = {(row["series"], row["log2 n"]): row for row in rows(chart)}
    assert float(ratios["vqsort", "18.0"]["reference_ns_per_key"]) == pytest.approx(2, rel=0.02)
    assert float(ratios["paradis", "18.0"]["reference_ns_per_key"]) == pytest.approx(4, rel=0.02)
    assert ratios["vqsort", "22.0"]["times_as_long"] == "" and ratios["vqsort", "22.0"]["ns per key"]
    assert "in the same run" in chart.caption.legend


def test_named_sorts_have_colours_of_their_own(tmp_path):
    """The ninth sort has the first one's colour, and both may be named."""
    names = [f"sort_{i}" for i in range(9)]
    found = [all_sorts.Line(name, all_sorts.series(i)) for i, name in enumerate(names)]
    drawn = coloured.behind(found, names, ["sort_0", "sort_8"])
    roles = {line.label: line.role for line in drawn if line.labelled}
    assert roles["sort_0"] == all_sorts.series(0) and roles["sort_8"] not in (roles["sort_0"], "axis")
    drawn = coloured.behind(found, names, [f"sort_{i}" for i in (0, 1, 4, 5, 7, 8)])
    roles = {line.label: line.role for line in drawn if line.labelled}
    assert len(roles) == len(set(roles.values())) == coloured.NAMED


def test_few_numbers_of_two_runs_are_a_table_of_times(tmp_path):
    """Two sorts of 128-bit keys on a GPU, each of a run of its own: nothing is divided, and nothing is lost."""
    wide = [
        run_record
        for day, name in enumerate(("std_sort", "vqsort"), 1)
        for run_record in as_run([synthetic.measurement(synthetic.case(name, 1 << 20, key_type="u128"), 1e-3)], day)
    ]
    compared = as_run(
        sorted_at({"msd_radix_cpu": {18: 2, 20: 2, 22: 2, 24: 2, 26: 2}, "vqsort": {18: 3, 20: 3, 22: 3, 24: 3}}), 3
    )
    records = read([synthetic.write(tmp_path / "r", [*wide, *compared])]).on(synthetic.MACHINE)
    charts = {chart.id: chart for chart in all_sorts.make(records)}
    assert {row["sort"] for row in rows(charts["CPU-FEW"])} == {"std_sort", "vqsort"}
