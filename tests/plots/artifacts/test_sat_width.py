"""SAT-WIDTH: ratios of the records, shown with their intervals; a verdict only from records that may decide."""

import csv
import io
from pathlib import Path

import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED

from plots.figures.layout import NARROW
from plots.artifacts.satish2010 import sat_width
from plots.records.collection import read


def cell(algorithm: str, log_n: int, seconds: float, width: str = "", **changes) -> dict:
    parameters = {"width": width, "block_kib": 128, "fifo_kib": 128} if width else dict(synthetic.TUNED)
    return synthetic.measurement(synthetic.case(algorithm, 1 << log_n, parameters=parameters), seconds, **changes)


def made(tmp_path: Path, *cells: dict):
    file = synthetic.write(tmp_path / "r.jsonl", [synthetic.run_record(), *cells])
    return sat_width.make(read([file, *PUBLISHED]).on(synthetic.MACHINE))


def test_each_width_is_over_the_radix_sort_and_the_widest_gives_the_verdict(tmp_path):
    radix = {log_n: cell("satish_cpu_radix", log_n, 1e-3) for log_n in (20, 24)}
    merge = {
        (width, log_n): cell("satish_cpu_merge", log_n, seconds, width)
        for (width, log_n), seconds in {("sse4", 20): 2e-3, ("avx512", 20): 5e-4, ("avx512", 24): 4e-3}.items()
    }
    artifact = made(tmp_path, *radix.values(), *merge.values())
    value = "time of the merge sort ÷ the radix sort’s"
    points = csv.DictReader(io.StringIO(artifact.csv()))
    shown = {(p["series"], float(p["log2 n"])): float(p[value]) for p in points if p["kind"] == "measured"}
    labels = {"sse4": "128 bits (SSE)", "avx512": "512 bits"}
    wanted = {(labels[w], float(n)): m["median_s"] / radix[n]["median_s"] for (w, n), m in merge.items()}
    assert shown == pytest.approx(wanted)
    assert (
        "512 bits, at the 2 of 2 n with free cores: merging overtakes at 2²⁰, it does not at 2²⁴"
        in artifact.caption.text
    )
    assert artifact.svg(NARROW)


def test_the_papers_own_ratio_stands_beside(tmp_path):
    points = list(csv.DictReader(io.StringIO(made(tmp_path).csv())))
    assert {(p["series"], p["kind"]) for p in points} == {("Core i7, SSE", "published")} and len(points) == 5
    assert "Nothing is measured here" in made(tmp_path).caption.text


@pytest.mark.parametrize("changes", [{"disturbed": True}, {"samples_s": [5e-4] * 5, "ci95_s": [5e-4] * 2}])
def test_disturbed_cells_and_few_samples_give_no_verdict(tmp_path, changes):
    cells = [cell("satish_cpu_radix", 20, 1e-3), cell("satish_cpu_merge", 20, 5e-4, "avx512", **changes)]
    assert "no verdict" in made(tmp_path, *cells).caption.text


def test_only_sorts_of_one_run_are_compared(tmp_path):
    other = {**synthetic.run_record(), "run": "20200102T000000Z-abcdef"}
    slow = cell("satish_cpu_radix", 20, 4e-3)
    fast = synthetic.measurement(
        synthetic.case("satish_cpu_radix", 1 << 20, parameters=synthetic.PAPER_FORM), 1e-3, run=other["run"]
    )
    merge = cell("satish_cpu_merge", 20, 2e-3, "avx512")
    said = "512 bits, at the only one of 1 n with free cores: merging overtakes at 2²⁰"
    assert said in made(tmp_path, other, slow, fast, merge).caption.text
    assert "Nothing is measured here" in made(tmp_path, other, fast, merge).caption.text


def test_the_fewest_and_the_most_threads_are_drawn_and_the_csv_has_the_others(tmp_path):
    cells = []
    for threads in (1, 2, 4):
        for algorithm, seconds, width in (("satish_cpu_radix", 1e-3, ""), ("satish_cpu_merge", 2e-3, "avx512")):
            one = cell(algorithm, 20, seconds, width)
            cells.append(synthetic.measurement({**one["case"], "threads": threads}, seconds))
    artifact = made(tmp_path, *cells)
    assert [panel.title for panel in artifact.picture.panels] == ["u32, 1 thread", "u32, 4 threads"]
    panels = {row["panel"] for row in csv.DictReader(io.StringIO(artifact.csv()))}
    assert panels == {"u32, 1 thread", "u32, 2 threads", "u32, 4 threads"}


def test_a_panel_compares_widths_over_several_sizes(tmp_path):
    """u64 with a single width, or with lines of one point, is in the CSV alone."""
    cells = []
    for key, sizes, widths in (("u32", (18, 20, 22), ("sse4", "avx512")), ("u64", (18, 20, 22), ("avx512",))):
        for log_n in sizes:
            for algorithm, seconds, width in (
                ("satish_cpu_radix", 1e-3, ""),
                *(("satish_cpu_merge", 2e-3, width) for width in widths),
            ):
                one = cell(algorithm, log_n, seconds, width)
                cells.append(synthetic.measurement({**one["case"], "key_type": key}, seconds))
    single = cell("satish_cpu_merge", 18, 2e-3, "avx2")
    artifact = made(tmp_path, *cells, single)
    (panel,) = artifact.picture.panels
    assert panel.title.startswith("u32, ")
    assert {line.label for line in panel.lines if line.voice == "measured"} == {"128 bits (SSE)", "512 bits"}
    found = {(row["panel"].partition(",")[0], row["series"]) for row in csv.DictReader(io.StringIO(artifact.csv()))}
    assert {("u32", "256 bits"), ("u64", "512 bits")} <= found
