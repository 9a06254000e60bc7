"""GPU sorts, 2026: rates, ratios, shares and the worst inputs are those of the records, and no claim outruns them."""

import json
import math
from pathlib import Path

import pytest
import synthetic_records as synthetic
from planted_records import ROOT, rows

from plots.analysis import bandwidth_bounds
from plots.records import origins
from plots.report import page as report
from plots.figures.layout import NARROW, WIDE
from plots.artifacts.own import beside_peers, gpu2026, worst_inputs
from plots.records.case import Case
from plots.records.collection import Records, read

OWN = "msd_radix_gpu"
CONFIG = json.loads((ROOT / "configs/gpu2026.json").read_text())
BETWEEN = json.loads((ROOT / "configs/gpu2026_between.json").read_text())
LIKE_CUB = synthetic.ALGORITHMS["cub_radix"]
KNOWN = {  # no records of these are kept yet
    OWN: {**LIKE_CUB, "name": OWN, "title": OWN, "origin": "ours", "roles": {}, "stable": False},
    "libcusort": {**LIKE_CUB, "name": "libcusort", "title": "libcusort", "roles": {}},
}
COPY = 4e12  # bytes a second


def device_records(tmp_path: Path, *records: dict) -> Records:
    file = synthetic.write(tmp_path / "r.jsonl", [synthetic.run_record(), *KNOWN.values(), *records])
    found = read([file]).on(synthetic.MACHINE)
    found.copy_bytes_per_s = {synthetic.DEVICE["name"]: COPY}
    return found


def sort(algorithm: str, n: int, seconds: float, **changes) -> dict:
    case = synthetic.case(algorithm, n, **{"residency": "device", "affinity": [], **changes})
    return synthetic.measurement(case, seconds, device=synthetic.DEVICE)


def predicted(record: dict, bytes_an_element: float) -> dict:
    work = {"bytes.read": 0.5 * bytes_an_element * record["case"]["n"]}
    phases = [
        {"name": "histogram", "pass": 0, "seconds": 1e-3, "binding": "memory", "work": work},
        {
            "name": "scatter",
            "pass": 0,
            "seconds": 1e-3,
            "binding": "memory",
            "work": {"bytes.written": work["bytes.read"]},
        },
        {"name": "memset", "pass": 0, "seconds": 1e-6, "binding": "latency", "work": {"launches": 1.0}},
    ]
    return synthetic.prediction(record["case"], 2e-3, phases=phases)


def made(records: Records) -> dict:
    return {artifact.id: artifact for artifact in gpu2026.make(records)}


def test_without_the_flagship_on_a_device_there_is_no_section(tmp_path):
    assert gpu2026.make(device_records(tmp_path, sort("cub_radix", 1 << 20, 1e-3))) == []
    assert gpu2026.make(device_records(tmp_path, sort("msd_radix_cpu", 1 << 20, 1e-3, residency="host"))) == []


def test_the_table_gives_rates_and_the_ratio_of_times_with_its_interval(tmp_path):
    own, best = map(synthetic.in_three_processes, (sort(OWN, 1 << 28, 4e-3), sort("libcusort", 1 << 28, 6e-3)))
    others = [sort("cub_radix", 1 << 28, 7e-3), sort("stehle_hybrid_radix", 1 << 28, 1e-3)]  # a paper's sort: no peer
    records = device_records(tmp_path, own, best, *others)
    table = made(records)["GPU2026-T"]
    (row,) = rows(table)
    assert (row["type"], row["n"], row["peer"], row["layout"]) == ("u32", str(1 << 28), "libcusort", "separate")
    assert float(row["own_gkeys_per_s"]) == pytest.approx((1 << 28) / own["median_s"] / 1e9)
    assert float(row["peer_over_own"]) == pytest.approx(best["median_s"] / own["median_s"])
    ends = [math.log(best["median_s"] / best["ci95_s"][0]), math.log(own["ci95_s"][1] / own["median_s"])]
    assert float(row["ratio_low"]) == pytest.approx(float(row["peer_over_own"]) * math.exp(-math.hypot(*ends)))
    assert f"{OWN} is {float(row['peer_over_own']):.2f} times as fast." in table.caption.legend
    assert f"{OWN}’s side in 1 of 1 cells, on the peer’s in 0" in table.caption.text
    for said in ("NVIDIA H200", "Synthetic processor", "95 % interval", "cub_merge"):
        assert said in table.caption.text
    assert table.svg(WIDE) and table.svg(NARROW) and "libcusort" in table.latex


def test_nobody_is_ahead_where_the_intervals_overlap(tmp_path):
    own, peer = sort(OWN, 1 << 20, 1e-4), sort("cub_radix", 1 << 20, 1.001e-4)
    caption = made(device_records(tmp_path, own, peer))["GPU2026-T"].caption.text
    assert "side in 0 of 1 cells, on the peer’s in 0" in caption
    few = synthetic.retimed(peer, samples_s=peer["samples_s"][:5])
    assert (
        "have no such interval, and none is shown" in made(device_records(tmp_path, own, few))["GPU2026-T"].caption.text
    )


def test_a_peer_of_another_run_is_no_peer(tmp_path):
    other = dict(sort("cub_radix", 1 << 24, 1e-3), run="20210101T000000Z-c")
    run = dict(synthetic.run_record(), run="20210101T000000Z-c", started="2021-01-01T00:00:00Z")
    assert "GPU2026-T" not in made(device_records(tmp_path, run, sort(OWN, 1 << 24, 1e-3), other))


def test_shares_are_of_the_devices_copy_bandwidth(tmp_path):
    n = 1 << 28
    own, peer = sort(OWN, n, 4e-3), sort("cub_radix", n, 6e-3)
    records = device_records(tmp_path, own, peer, predicted(peer, 37.5))
    (row,) = rows(made(records)["GPU2026-T"])
    for side, record, moved, source in (("own", own, 28, "design"), ("peer", peer, 37.5, "cub_radix")):
        seconds = record["median_s"]
        assert float(row[f"{side}_copy_share"]) == pytest.approx(8 * n / COPY / seconds)
        assert float(row[f"{side}_bytes"]) == pytest.approx(moved) and row[f"{side}_bytes_from"] == source
        assert float(row[f"{side}_own_share"]) == pytest.approx(moved * n / COPY / seconds)
    by_model = device_records(tmp_path, own, peer, predicted(own, 30))
    (row,) = rows(made(by_model)["GPU2026-T"])
    assert (float(row["own_bytes"]), row["own_bytes_from"], row["peer_bytes"]) == (30, OWN, "")


@pytest.mark.parametrize(
    "key,value,moved", [("u32", "none", 28), ("u64", "none", 56), ("u32", "u32", 52), ("u64", "u64", 104)]
)
def test_the_designs_bytes_are_those_of_its_readme(tmp_path, key, value, moved):
    n = bandwidth_bounds.LEAST_N
    cells = [
        sort(OWN, n, 1e-3, key_type=key, value_type=value),
        sort(OWN, n // 4, 1e-3, key_type=key, value_type=value),
    ]
    cells.append(sort(OWN, n, 1e-3, key_type=key, value_type=value, distribution="constant"))
    records = device_records(tmp_path, *cells)
    found = {(m.case.n, m.case.distribution): bandwidth_bounds.device_traffic(records, m) for m in records.ok()}
    assert found[n, "uniform"].bytes == moved
    assert found[n // 4, "uniform"] is None and found[n, "constant"] is None


def test_without_a_profile_there_is_no_share_and_the_caption_says_so(tmp_path):
    records = device_records(tmp_path, sort(OWN, 1 << 28, 4e-3), sort("cub_radix", 1 << 28, 6e-3))
    records.copy_bytes_per_s = {}
    table = made(records)["GPU2026-T"]
    (row,) = rows(table)
    assert row["own_copy_share"] == row["own_own_share"] == ""
    assert "No machine profile" in table.caption.text


def test_every_sort_stands_beside_what_memory_lets_through(tmp_path):
    n = 1 << 28
    times = {OWN: 4e-3, "cub_radix": 5e-3, "cub_merge": 3e-3, "satish_split_radix": 2e-3}
    cells = [sort(name, n, seconds) for name, seconds in times.items()]
    cells += [sort(OWN, 1 << 30, 2e-2), sort("cub_radix", 1 << 30, 3e-2), sort("ha_implicit_radix", 1 << 20, 1e-5)]
    table = made(device_records(tmp_path, *cells, predicted(cells[2], 136)))["GPU2026-LIMITS"]
    found = {row["sort"]: row for row in rows(table)}
    assert list(found) == ["satish_split_radix", "cub_merge", OWN, "cub_radix"]  # the fastest first
    assert (
        "satish_split_radix is the fastest: " in table.caption.legend and "nearest to" in table.caption.legend.lower()
    )
    assert {row["n"] for row in found.values()} == {str(n)}
    assert float(found["cub_merge"]["own_share"]) == pytest.approx(136 * n / COPY / cells[2]["median_s"])
    assert (found["satish_split_radix"]["bytes"], found[OWN]["bytes_from"]) == ("", "design")
    assert "its model or, with *, by its design; blank where neither tells them" in table.legend


def test_a_star_is_explained_only_where_there_is_one(tmp_path):
    cells = [sort(OWN, 1 << 28, 4e-3), sort("cub_radix", 1 << 28, 6e-3)]
    records = device_records(tmp_path, *cells, *(predicted(cell, 50) for cell in cells))
    table = made(records)["GPU2026-LIMITS"]
    assert "an element’s below, by its model. " in table.legend and "*" not in table.legend + table.latex


def test_the_worst_input_of_each_type_is_named(tmp_path):
    times = {
        ("u32", "none", "zipf:theta=1.25", 16): (2e-6, 1e-6),
        ("u32", "none", "sorted", 24): (3e-5, 1e-5),
        ("u64", "u64", "few_distinct", 20): (1e-5, 2e-5),
        ("u64", "u64", "uniform", 20): (1e-5, 4e-5),
    }
    cells = []
    for (key, value, distribution, log_n), (own, peer) in times.items():
        changes = dict(key_type=key, value_type=value, distribution=distribution)
        cells += [sort(OWN, 1 << log_n, own, **changes), sort("cub_radix", 1 << log_n, peer, **changes)]
    heat = made(device_records(tmp_path, *cells))["GPU2026-INPUTS"]
    assert "u32 sorted at n = 2²⁴" in heat.caption.text and "u64 + u64 few_distinct at n = 2²⁰" in heat.caption.text
    assert "zipf" not in heat.caption.text and "as in 2 of 4 cells; it is below 1 in 2" in heat.caption.text
    assert {row["panel"] for row in rows(heat)} == {"u32", "u64 + u64"}
    assert heat.svg(WIDE) and heat.svg(NARROW)


def test_inputs_of_a_family_stand_in_the_order_of_their_settings():
    names = ["thearling:ands=11", "zipf:theta=1.25", "thearling:ands=2", "zipf:theta=0.5", "uniform", "mine"]
    order = ["uniform", "thearling:ands=2", "thearling:ands=11", "zipf:theta=0.5", "zipf:theta=1.25", "mine"]
    cases = [Case.of(synthetic.case(OWN, 1 << 24, distribution=name)) for name in names]
    assert [case.distribution for case in sorted(cases, key=worst_inputs._place)] == order


def test_the_chart_by_entropy_goes_from_equal_to_uniform_keys(tmp_path):
    inputs = {"constant": 0.0, "thearling:ands=5": 3.5, "thearling:ands=1": 25.9, "uniform": 32.0}
    cells = [
        sort(name, n, 1e-3, distribution=d, entropy_bits=bits)
        for name in (OWN, "cub_radix")
        for d, bits in inputs.items()
        for n in (1 << 24, 1 << 28)
    ]
    cells.append(sort("cub_merge", 1 << 28, 1e-3, entropy_bits=32.0))
    chart = made(device_records(tmp_path, *cells))["GPU2026-ENTROPY"]
    points = rows(chart)
    assert {row["series"] for row in points} == {OWN, "cub_radix"} and {row["panel"] for row in points} == {
        "u32, n = 2²⁸"
    }
    of_own = [float(row["entropy of the keys, bits"]) for row in points if row["series"] == OWN]
    assert of_own == sorted(inputs.values())


def test_the_page_has_a_section_of_gpu_sorts_beside_that_of_cpu_sorts(tmp_path):
    records = device_records(tmp_path, sort(OWN, 1 << 28, 4e-3), sort("cub_radix", 1 << 28, 6e-3))
    page = report.page(records, gpu2026.make(records), [])
    assert '<section id="gpu2026"><h2>GPU sorts, 2026</h2>' in page and 'id="cpu2026"' not in page
    points = rows(made(records)["GPU2026-N"])
    assert {row["series"] for row in points} == {OWN, "cub_radix"}


def test_of_many_sorts_the_leading_ones_have_names_and_the_others_are_grey(tmp_path):
    peers = [f"peer{i}" for i in range(12)]
    cells = [sort(OWN, 1 << 28, 4e-3), *(sort(name, 1 << 28, 5e-3 + 1e-3 * i) for i, name in enumerate(peers))]
    chart = made(device_records(tmp_path, *cells))["GPU2026-N"]
    lines = {line.label: line for line in chart.picture.panels[0].lines}
    assert {name for name, line in lines.items() if line.labelled} == {OWN, *peers[:5]}
    assert len({line.role for line in lines.values() if line.labelled}) == 6
    assert {line.role for line in lines.values() if not line.labelled} == {"axis"}
    assert "Grey: the 7 sorts " in chart.caption.legend and len(rows(chart)) == 13


def test_of_sorts_that_take_the_same_time_one_has_a_name(tmp_path):
    times = {OWN: 4e-3, "cub_radix": 5e-3, "thrust_sort": 5.1e-3, "bbsort": 9e-3}
    chart = made(device_records(tmp_path, *(sort(name, 1 << 28, s) for name, s in times.items())))["GPU2026-N"]
    lines = {line.label: line for line in chart.picture.panels[0].lines}
    assert {name for name, line in lines.items() if not line.labelled} == {"thrust_sort"}


def asked(config: dict, algorithm: str) -> set[tuple]:
    """The cells of an algorithm: key and value type, log2 n, distribution."""
    return {
        (key, value, int(n.removeprefix("2^")), distribution)
        for sweep in config["sweeps"]
        if algorithm in [a if isinstance(a, str) else a["name"] for a in sweep["algorithms"]]
        for key in sweep["keys"]
        for value in sweep.get("values", ["none"])
        for n in sweep["n"]
        for distribution in sweep["distributions"]
    }


def named(config: dict) -> set[str]:
    return {a if isinstance(a, str) else a["name"] for sweep in config["sweeps"] for a in sweep["algorithms"]}


def test_the_configs_ask_for_all_that_the_page_shows():
    own, between = asked(CONFIG, OWN), asked(BETWEEN, OWN)
    sizes = {n.bit_length() - 1 for n in gpu2026.SIZES}
    for type_ in beside_peers.TYPES:
        found = {(n, d) for key, value, n, d in own if (key, value) == type_}
        assert {n for n, d in found if d == "uniform"} == sizes
        at_most = {d for n, d in found if n == 28}
        assert {f"thearling:ands={ands}" for ands in range(1, 13)} <= at_most
        assert {f"zipf:theta={theta}" for theta in ("0.5", "0.75", "1", "1.25")} <= at_most
        assert {d.partition(":")[0] for d in at_most} == set(worst_inputs.INPUTS) - {"iota", "runs"}
        beside = {(n, d) for key, value, n, d in between if (key, value) == type_}
        assert {d for _, d in beside} == at_most - {"uniform"}
        assert {n for n, _ in beside}.isdisjoint({n for n, d in found if d != "uniform"})


def test_every_cell_of_the_flagship_has_the_peers_that_may_win():
    for config in (CONFIG, BETWEEN):
        for peer in ("cub_radix", "libcusort"):
            assert asked(config, OWN) == asked(config, peer)
        merge = {cell for cell in asked(config, OWN) if cell[2] <= 20}
        tuned = asked(config, OWN) - merge
        assert merge <= asked(config, "cub_merge") and tuned <= asked(config, "cub_radix_tuned")


def test_the_config_names_every_sort_of_a_device_that_takes_words(tmp_path):
    records = device_records(tmp_path)
    of_device = {a["name"] for a in synthetic.ALGORITHMS.values() if a["runs_on"] == "device" and "u32" in a["keys"]}
    assert of_device <= named(CONFIG) and named(BETWEEN) <= named(CONFIG)
    assert origins.flagship(records, "device") == OWN and "libcusort" in origins.peers(records, "device")
    assert all(list((ROOT / "algorithms").glob(f"*/{name}.cpp")) for name in named(CONFIG))
