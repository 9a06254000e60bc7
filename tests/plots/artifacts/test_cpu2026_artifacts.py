"""CPU sorts, 2026: ratios, their intervals and the names of peers are those of the records."""

import json
from pathlib import Path

import pytest
import synthetic_records as synthetic
from planted_records import ROOT, read_planted, rows

from plots.commands import render
from plots.records import origins
from plots.report import page as report
from plots.tables import record_tables
from plots.figures.layout import NARROW, WIDE
from plots.artifacts.own import all_sorts, beside_peers, cpu2026, worst_inputs
from plots.records.statistics import Interval
from plots.records.collection import Records, read

OWN = "msd_radix_cpu"


def sort(algorithm: str, n: int, seconds: float, **changes) -> dict:
    return synthetic.measurement(synthetic.case(algorithm, n, **changes), seconds)


def interval(record: dict) -> Interval:
    return Interval(record["median_s"], *record["ci95_s"])


def made(records: Records) -> dict:
    return {artifact.id: artifact for artifact in cpu2026.make(records)}


def test_without_the_flagship_there_is_no_section(tmp_path):
    assert cpu2026.make(read_planted(tmp_path, sort("vqsort", 1 << 20, 1e-3))) == []


def test_the_table_sets_the_flagship_beside_the_best_that_others_wrote(tmp_path):
    own = synthetic.in_three_processes(sort(OWN, 1 << 20, 2e-3))
    best = synthetic.in_three_processes(sort("vqsort", 1 << 20, 3e-3))
    others = [sort("std_sort", 1 << 20, 9e-3), sort("satish_cpu_radix", 1 << 20, 1e-3), sort("paradis", 1 << 20, 1e-4)]
    table = made(read_planted(tmp_path, own, best, *others))["CPU2026-T"]
    (row,) = rows(table)
    wanted = interval(best).over(interval(own))
    assert (row["peer"], row["type"], row["n"], row["threads"]) == ("vqsort", "u32", str(1 << 20), "1")
    assert float(row["peer_over_own"]) == pytest.approx(wanted.value)
    assert float(row["ratio_low"]) == pytest.approx(wanted.low) and float(row["ratio_high"]) == pytest.approx(
        wanted.high
    )
    assert float(row["own_ns"]) == pytest.approx(1e9 * own["median_s"] / (1 << 20))
    assert "side in 1 of 1 cells, on the peer’s in 0" in table.caption.text and "raduls2" in table.caption.text
    assert "vqsort" in table.latex


def test_a_peer_may_leave_threads_unused_and_is_named_with_its_own(tmp_path):
    cells = [sort(OWN, 1 << 20, 2e-3, threads=2), sort("vqsort", 1 << 20, 1e-3)]
    cells.append(sort("tbb_parallel_sort", 1 << 20, 8e-3, threads=2))
    cells.append(sort("tbb_parallel_sort", 1 << 20, 1e-4, threads=4))  # more than the flagship had
    table = made(read_planted(tmp_path, *cells))["CPU2026-T"]
    (row,) = rows(table)
    assert (row["threads"], row["peer"], row["peer_threads"]) == ("2", "vqsort", "1")
    assert [cell.remark for cell in table.grid.rows[0][2]][1] == "vqsort, 1T"
    assert "side in 0 of 1 cells, on the peer’s in 1" in table.caption.text


def run_id(day: int) -> str:
    return f"203{day}0101T000000Z-{day}"


def of_runs(tmp_path: Path, *runs: list[dict]) -> Records:
    """Each list's cells as one run, oldest first; written newest first, since the order of files says nothing."""
    lines = []
    for day, cells in enumerate(runs):
        run, started = run_id(day), f"203{day}-01-01T00:00:00Z"
        lines = [dict(synthetic.run_record(), run=run, started=started), *(c | {"run": run} for c in cells), *lines]
    return read([synthetic.write(tmp_path / "r.jsonl", lines)]).on(synthetic.MACHINE)


def test_medians_of_two_runs_are_not_divided(tmp_path):
    own, peer = sort(OWN, 1 << 24, 1e-2), sort("vqsort", 1 << 24, 2e-2)
    apart = of_runs(tmp_path, [own], [peer])
    assert [artifact.id for artifact in cpu2026.make(apart)] == ["CPU2026-N-1T"]
    assert {row["series"] for row in rows(made(apart)["CPU2026-N-1T"])} == {OWN}
    assert "fastest library peer" not in report.page(apart, [], [])
    assert record_tables.fastest_by_type(apart).rows == []


def test_a_pair_is_of_the_run_that_has_both_though_one_was_measured_again(tmp_path):
    slow, fast = sort(OWN, 1 << 24, 3e-2), sort(OWN, 1 << 24, 1e-2)
    records = of_runs(tmp_path, [slow, sort("vqsort", 1 << 24, 6e-2)], [fast])
    assert [m.run for m in records.ok(algorithm=OWN)] == [run_id(1)]
    (row,) = rows(made(records)["CPU2026-T"])
    assert float(row["peer_over_own"]) == pytest.approx(2, rel=0.05)
    assert float(row["own_ns"]) == pytest.approx(3e7 / (1 << 24), rel=0.05)
    assert "the fastest library peer takes, vqsort on 1 thread" in report.page(records, [], [])


def test_of_runs_with_both_the_one_with_most_peers_counts_and_then_the_newest(tmp_path):
    def run(factor: float, *peers: str) -> list[dict]:
        return [sort(OWN, 1 << 24, 1e-2), *(sort(name, 1 << 24, 1e-2 * factor) for name in peers)]

    def ratio(*runs: list[dict]) -> float:
        return float(rows(made(of_runs(tmp_path, *runs))["CPU2026-T"])[0]["peer_over_own"])

    both = "vqsort", "ips4o"
    assert ratio(run(2, *both), run(3, *both)) == pytest.approx(3, rel=0.05)
    assert ratio(run(2, *both), run(3, "vqsort")) == pytest.approx(2, rel=0.05)


def test_the_worst_inputs_are_named_worst_first(tmp_path):
    times = {("zipf", 10): (2e-6, 1e-6), ("sorted", 14): (3e-5, 1e-5), ("uniform", 14): (1e-5, 2e-5)}
    cells = []
    for (distribution, log_n), (own, peer) in times.items():
        changes = dict(key_type="u64", distribution=distribution)
        cells.append(sort(OWN, 1 << log_n, own, **changes))
        cells.append(sort("boost_pdqsort", 1 << log_n, peer, **changes))
    cells += [sort(OWN, 1 << 12, 1.0), sort("vqsort", 1 << 12, 1e-6)]  # a cell of another size
    heat = made(read_planted(tmp_path, *cells))["CPU2026-INPUTS"]
    value = f"{OWN} ÷ best library peer"
    ratios = {(row["distribution"], row["n"]): float(row[value]) for row in rows(heat)}
    assert ratios == pytest.approx(
        {("uniform", str(1 << 14)): 0.5, ("zipf", str(1 << 10)): 2, ("sorted", str(1 << 14)): 3}, rel=0.05
    )
    worst = heat.caption.text.index("u64 sorted at n = 2¹⁴"), heat.caption.text.index("u64 zipf at n = 2¹⁰")
    assert worst[0] < worst[1] and "as in 2 of 3 cells" in heat.caption.text
    assert heat.svg(WIDE) and heat.svg(NARROW) and r"\cellcolor" in heat.latex


def test_charts_hold_every_sort_of_a_type_and_number_of_threads(tmp_path):
    names = [OWN, "satish_cpu_radix", "vqsort", "paradis"]
    cells = [
        sort(name, n, 1e-9 * n, key_type=key) for name in names for n in (1 << 20, 1 << 24) for key in ("u32", "u64")
    ]
    charts = made(read_planted(tmp_path, *cells))
    assert [id_ for id_ in charts if "-N-" in id_] == ["CPU2026-N-1T"]
    points = rows(charts["CPU2026-N-1T"])
    assert {(row["panel"], row["series"]) for row in points} == {
        (key, name) for key in ("u32", "u64") for name in names
    }


def test_the_best_peer_of_any_n_has_a_name_in_the_chart(tmp_path):
    """raduls2 was grey, though the table beside named it."""
    others = ["x86_simd_sort", "ips4o", "ips2ra", "boost_spreadsort", "std_sort", "vqsort"]
    cells = [sort(OWN, 1 << k, 1e-9 * (1 << k), threads=2) for k in (20, 22, 24)]
    cells += [sort(n, 1 << k, (2 + i) * 1e-9 * (1 << k), threads=2) for i, n in enumerate(others) for k in (20, 22, 24)]
    cells += [sort("raduls2", 1 << k, s * 1e-9 * (1 << k), threads=2) for k, s in ((20, 1.5), (22, 20), (24, 20))]
    (panel,) = made(read_planted(tmp_path, *cells))["CPU2026-N-2T"].picture.panels
    assert {"x86_simd_sort", "raduls2"} <= {line.label for line in panel.lines if line.role != "axis"}


def test_the_flagship_comes_first_and_the_papers_sort_second(tmp_path):
    records = read_planted(
        tmp_path, *(sort(name, 1 << 20, 1e-3) for name in ("aa_sort", "satish_cpu_radix", "msd_radix_cpu"))
    )
    assert all_sorts.algorithms(records, records.ok()) == ["msd_radix_cpu", "satish_cpu_radix", "aa_sort"]


def test_the_page_leads_with_the_flagship_against_the_best_peer(tmp_path):
    cells = [sort(OWN, 1 << 24, 2e-2), sort("paradis", 1 << 24, 1e-2), sort("vqsort", 1 << 24, 4e-2)]
    records = read_planted(tmp_path, *cells, sort("satish_cpu_radix", 1 << 24, 3e-2))
    page = report.page(records, cpu2026.make(records), [])
    assert "msd_radix_cpu sorts 2²⁴ keys in" in page and "the fastest library peer takes, vqsort on 1 thread" in page
    assert '<section id="cpu2026">' in page
    (row,) = record_tables.fastest_by_type(records).rows
    assert row[3].text == "paradis" and [row[i].text != "" for i in (5, 6, 7, 8)] == [True] * 4
    alone, beside = sort("std_sort", 1 << 26, 2e-1), [sort(name, 1 << 25, 5e-2) for name in ("paradis", "std_sort")]
    assert record_tables.fastest_by_type(read_planted(tmp_path, *cells, alone)).rows[0][2].text == "2²⁴"
    assert record_tables.fastest_by_type(read_planted(tmp_path, *cells, *beside)).rows[0][2].text == "2²⁴"
    assert record_tables.fastest_by_type(read_planted(tmp_path, *cells[1:], *beside)).rows[0][2].text == "2²⁵"
    without = read_planted(tmp_path, *cells[1:], sort("satish_cpu_radix", 1 << 24, 3e-2))
    assert "satish_cpu_radix sorts" in report.page(without, [], [])


CONFIGS = {
    name: json.loads((ROOT / "configs" / f"{name}.json").read_text())
    for name in ("cpu2026", "cpu2026_large", "cpu2026_inputs", "cpu2026_inputs_large")
}
SWEEPS = [sweep for config in CONFIGS.values() for sweep in config["sweeps"]]


def asked(algorithm: str) -> set[tuple]:
    """The cells of an algorithm in the four configs: key and value type, log2 n, distribution, threads."""
    return {
        (key, value, n, distribution, threads)
        for sweep in SWEEPS
        if algorithm in sweep["algorithms"]
        for key in sweep.get("keys", ["u32"])
        for value in sweep.get("values", ["none"])
        for n in sweep["n"]
        for distribution in sweep["distributions"]
        for threads in sweep.get("threads", [1])
    }


def test_the_configs_ask_for_all_that_the_page_shows():
    own, sizes = asked(OWN), {1 << 20: "2^20", 1 << 24: "2^24", 1 << 27: "2^27"}
    for key, value in beside_peers.TYPES:
        for n in cpu2026.SIZES:
            assert {(key, value, sizes[n], "uniform", threads) for threads in cpu2026.THREADS} <= own
    for type_ in cpu2026.INPUTS.types:
        found = {(d.partition(":")[0], n) for k, v, n, d, t in own if ((k, v), t) == (type_, 1)}
        assert {n for d, n in found if d == "zipf"} == {f"2^{n.bit_length() - 1}" for n in cpu2026.INPUTS.sizes}
        assert {d for d, n in found if n == "2^22"} == set(worst_inputs.INPUTS) - {"iota", "runs"}


def test_every_peer_of_the_page_is_a_plug_in_that_the_configs_ask_for(tmp_path):
    records = read_planted(tmp_path)
    named = {name for sweep in SWEEPS for name in sweep["algorithms"]}
    assert set(origins.peers(records)) == {name for name in named if origins.is_peer(records, name)}
    assert origins.flagship(records) == OWN and OWN in named
    assert all(list((ROOT / "algorithms").glob(f"*/{name}.cpp")) for name in named)


def test_a_sort_that_no_record_tells_of_is_a_peer_and_is_named(tmp_path, capsys):
    known = [synthetic.ALGORITHMS[OWN], sort(OWN, 1 << 20, 2e-3)]
    file = synthetic.write(tmp_path / "r.jsonl", [synthetic.run_record(), *known, sort("stray", 1 << 20, 3e-3)], False)
    render.render(["--records", str(file), "--figure", "CPU2026-T", "--out", str(tmp_path / "out")])
    assert capsys.readouterr().err == "render.py: no record of kind algorithm, so a peer: stray\n"
    (row,) = rows(made(read([file]).on(synthetic.MACHINE))["CPU2026-T"])
    assert row["peer"] == "stray"
    assert "they count as peers and stand for no role: stray" in (tmp_path / "out" / "index.html").read_text()


def test_without_a_record_of_any_algorithm_nothing_breaks(tmp_path, capsys):
    cells = [sort(name, 1 << 20, 2e-3) for name in (OWN, "vqsort", "satish_cpu_radix")]
    file = synthetic.write(tmp_path / "r.jsonl", [synthetic.run_record(), *cells], False)
    page = render.render(["--records", str(file), "--out", str(tmp_path / "out")]).read_text()
    assert capsys.readouterr().err.count("\n") == 1
    assert "nor of what any sort is; run configs/" in page and "vqsort" in page


def test_what_a_build_with_the_sort_says_counts_before_what_stands_for_it(tmp_path):
    absent = {**synthetic.ALGORITHMS["ips4o"], "family": "unknown", "title": "IPS4o, not in this build"}
    for lines in ([absent, synthetic.ALGORITHMS["ips4o"]], [synthetic.ALGORITHMS["ips4o"], absent]):
        read_back = read([synthetic.write(tmp_path / "r.jsonl", lines, False)])
        assert read_back.algorithms["ips4o"].family == "sample"


def test_the_chart_over_n_shows_the_run_of_the_table(tmp_path):
    """A newer run without a peer had the flagship at another speed, which looked like a bend of its line."""
    paired = [sort(name, n, 1e-9 * n) for n in (1 << 20, 1 << 24) for name in (OWN, "vqsort")]
    alone = [sort(name, n, 5e-9 * n) for n in (1 << 18, 1 << 20) for name in (OWN, "paradis")]
    charts = made(of_runs(tmp_path, paired, alone))
    (row,) = [row for row in rows(charts["CPU2026-T"]) if row["n"] == str(1 << 20)]
    shown = {row["log2 n"]: row for row in rows(charts["CPU2026-N-1T"]) if row["series"] == OWN}
    assert set(shown) == {"20.0", "24.0"}
    assert float(shown["20.0"]["ns per key"]) == float(row["own_ns"])
