"""The tables and plots of Ha et al.: components where there are any, phases where not, ratios, and float patterns."""

import struct

import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED, of_later_run, rows

from plots.artifacts.ha2010 import ha_f4, ha_t1, ha_t2, ha_t3, ha_t4
from plots.records.collection import Records, read

MAKERS = [ha_t1.make, ha_t1.make_plot, ha_t2.make, ha_t2.make_plot, ha_t3.make, ha_t4.make, ha_t4.make_plot]
N = 1 << 24


def published_and(tmp_path, *records: dict) -> Records:
    file = synthetic.write(tmp_path / "r.jsonl", records)
    return read([file, *PUBLISHED]).on(synthetic.MACHINE)


@pytest.fixture(scope="module")
def records(tmp_path_factory) -> Records:
    return published_and(tmp_path_factory.mktemp("records"), *synthetic.ha2010())


def one(artifact, column: str, n: int = N) -> dict:
    (found,) = [row for row in rows(artifact) if (row["column"], row["n"]) == (column, str(n))]
    return found


def component(algorithm: str, name: str) -> dict:
    seconds, passes = synthetic.COMPONENTS[algorithm][name]
    return synthetic.component(synthetic.gpu_case(algorithm, N), name, seconds * passes * N + 2e-6)


@pytest.mark.parametrize(
    "make, id_", [(ha_t1.make, "HA-T1"), (ha_t2.make, "HA-T2"), (ha_t3.make, "HA-T3"), (ha_t4.make, "HA-T4")]
)
def test_every_published_value_stands_as_printed(records, make, id_):
    printed = sorted(p.printed for p in records.published if p.id == id_)
    published = "published_mpairs_per_s" if id_ == "HA-T4" else "published_ms"
    assert (
        sorted(r[published] for r in rows(make(records)) if r[published] and not r["source"].startswith("ratio"))
        == printed
    )


@pytest.mark.parametrize("make", MAKERS)
def test_without_records_the_published_values_stand_alone(make):
    artifact = make(read(PUBLISHED))
    assert artifact.rows and "published values only" in artifact.caption.text
    assert not any(row.get("median_ms") for row in rows(artifact))
    artifact.svg(10.5)


def test_microseconds_are_printed_and_milliseconds_meant(records):
    row = one(ha_t1.make(records), "Ha et al.: Pre-sort")
    assert row["published_ms"] == "54" and row["inconsistency"] == "X13"
    assert "X13: HA-T1 is headed microseconds" in ha_t1.make(records).caption.text
    points = [r for r in rows(ha_t1.make_plot(records)) if r["kind"] == "published" and r["n, 2²⁰ pairs"] == "16.0"]
    assert sorted(float(p["milliseconds, eight passes"]) for p in points) == [54, 91]


def test_a_component_measures_eight_passes_in_t1_and_one_in_t3(records):
    wanted = component("ha_implicit_radix", "presort")["median_s"] * 1e3
    eight, one_pass = one(ha_t1.make(records), "Ha et al.: Pre-sort"), one(ha_t3.make(records), "Ha et al.: Pre-sort")
    assert float(eight["median_ms"]) == pytest.approx(wanted)
    assert float(one_pass["median_ms"]) == pytest.approx(wanted / 8)
    assert eight["source"] == "component presort"
    # Its model is that of the whole sort's phase.
    assert float(eight["predicted_ms"]) == pytest.approx(8 * 0.9 * 7e-12 * N * 1e3)
    assert "Parts are predicted as phases of the whole sort" in ha_t1.make(records).caption.text


def test_what_no_component_measures_is_read_from_phases_and_says_so(records, tmp_path):
    row = one(ha_t3.make(records), "Satish et al. (CUDPP 1.1): Rank")
    assert float(row["median_ms"]) == pytest.approx(3e-13 * N * 1e3)
    assert row["source"] == "phases scan" and row["ci95_low_ms"] == ""
    told = ha_t3.make(records).caption.text.partition("No component measures ")[2].partition(": phases of the whole")[0]
    assert "satish_split_radix_2009 (scan)" in told
    case = synthetic.gpu_case("ha_implicit_radix", N)
    alone = published_and(tmp_path, synthetic.run_record(), synthetic.gpu_sort(case))
    assert one(ha_t1.make(alone), "Ha et al.: Pre-sort")["source"] == "phases presort"
    assert one(ha_t2.make(alone), "Ha et al.: SoA")["median_ms"] == ""


def test_the_shuffle_into_arrays_is_predicted_as_a_phase_of_the_sort_that_keeps_them_apart(tmp_path):
    plug_in = synthetic.ALGORITHMS["ha_implicit_radix"]
    apart = {**plug_in["roles"]["ha_radix"], "scatter": "soa"}
    told = {**plug_in, "roles": {**plug_in["roles"], "ha_radix_soa": apart}}
    case = synthetic.gpu_case("ha_implicit_radix", N)
    case = {**case, "parameters": {**case["parameters"], "scatter": "soa"}}
    shuffle = synthetic.component(case, "shuffle_soa", 3e-4)
    cells = [synthetic.run_record(), shuffle, synthetic.gpu_sort(case), synthetic.gpu_prediction(case, 0.9)]
    file = synthetic.write(tmp_path / "r.jsonl", [*cells, *synthetic.ALGORITHMS.values(), told], algorithms=False)
    row = one(ha_t2.make(read([file, *PUBLISHED]).on(synthetic.MACHINE)), "Ha et al.: SoA")
    assert float(row["median_ms"]) == pytest.approx(0.3, rel=0.01) and row["source"] == "component shuffle_soa"
    predicted = 0.9 * synthetic.GPU_PHASES["ha_implicit_radix"]["shuffle"] * N
    assert float(row["predicted_ms"]) == pytest.approx(predicted * 1e3)


def test_t3_has_a_row_for_each_part_with_shares_and_ratios(records):
    artifact = ha_t3.make(records)
    table = {label: cells for label, _, cells in artifact.grid.rows}
    assert list(table) == ["Pre-sort", "Rank", "Shuffle", "Total"]
    assert [cell.published for cell in table["Pre-sort"]] == ["12.25", "70 %", "8.15", "68 %", "1.50", ""]
    ratio = one(artifact, "CUDPP / implicit: Total")
    both = [one(artifact, f"{group}: Total")["median_ms"] for group in ("Satish et al. (CUDPP 1.1)", "Ha et al.")]
    assert float(ratio["median_ms"]) == pytest.approx(float(both[0]) / float(both[1]), rel=0.01)
    assert ratio["published_ms"] == table["Total"][4].published == "1.46"
    shares = [float(table[part][1].measured.rstrip(" %")) for part in ("Pre-sort", "Rank", "Shuffle")]
    assert sum(shares) == pytest.approx(100, abs=1.5)


def test_a_legend_promises_an_interval_where_there_is_one(tmp_path):
    """HA-T1: phases have none."""
    sorts = [synthetic.gpu_sort(synthetic.gpu_case(algorithm, N)) for algorithm in synthetic.GPU_FORMS]
    of_phases = ha_t1.make(published_and(tmp_path, synthetic.run_record(), *sorts))
    assert "Bold: measured" in of_phases.legend and "interval" not in of_phases.legend
    parts = [component("ha_implicit_radix", "presort"), component("satish_split_radix_2009", "counted_presort")]
    assert (
        "half the 95 % interval" in ha_t1.make(published_and(tmp_path, synthetic.run_record(), *sorts, *parts)).legend
    )


def test_ratios_are_of_the_values_shown(records):
    ratio, table = one(ha_t2.make(records), "AoS / memcpy"), ha_t2.make(records)
    above, below = component("ha_implicit_radix", "shuffle_aos"), component("ha_implicit_radix", "memcpy")
    assert float(ratio["median_ms"]) == pytest.approx(above["median_s"] / below["median_s"], rel=0.01)
    assert float(ratio["published_ms"]) == pytest.approx(3.52 / 2.67, abs=0.01)
    assert "paper’s text: 1.4" in [c.note for c in table.grid.columns] and "X14" in table.caption.text


def test_a_pass_is_an_eighth_of_the_sort(records):
    sort = synthetic.gpu_sort(synthetic.gpu_case("ha_implicit_radix", N))
    assert float(one(ha_t3.make(records), "Ha et al.: Total")["median_ms"]) == pytest.approx(sort["median_s"] / 8 * 1e3)
    rate = one(ha_t4.make(records), "Ha et al.: Radix")
    assert float(rate["median_mpairs_per_s"]) == pytest.approx(N / sort["median_s"] / 1e6)
    assert float(rate["ci95_low_mpairs_per_s"]) < float(rate["median_mpairs_per_s"])


def test_other_forms_and_todays_sort_stand_beyond_the_paper(tmp_path):
    case = synthetic.gpu_case("ha_implicit_radix", N)
    tuned = {**case, "parameters": {**case["parameters"], "presort": "recomputed", "tile": "wide"}}
    peer = {**case, "algorithm": "cub_radix", "parameters": {}}
    cells = [synthetic.gpu_sort(case), synthetic.measurement(tuned, 1e-3), synthetic.measurement(peer, 5e-4)]
    table = ha_t4.make(published_and(tmp_path, synthetic.run_record(), *cells))
    rates = {
        c: float(one(table, f"Here, beyond the paper: {c}")["median_mpairs_per_s"])
        for c in ("Implicit, tuned", "cub_radix")
    }
    assert rates["cub_radix"] > rates["Implicit, tuned"] > N / 2e-3 / 1e6


def test_the_papers_own_model_is_kept_apart(tmp_path):
    case = synthetic.gpu_case("ha_implicit_radix", N)
    there = {"id": "gtx_260", "name": "GTX 260", "hash": "0" * 16, "origin": "paper"}
    cells = [synthetic.gpu_sort(case), synthetic.gpu_prediction(case, 100.0, profile=there, model="HA-M2")]
    records = published_and(tmp_path, synthetic.run_record(), *cells)
    row = one(ha_t4.make(records), "Ha et al.: Radix")
    assert row["predicted_mpairs_per_s"] == "" and float(row["paper_model_mpairs_per_s"]) > 0
    panels = {(r["panel"], r["series"]) for r in rows(ha_t4.make_plot(records)) if r["kind"] == "predicted"}
    assert panels == {("GTX 260, published", "predicted on the paper’s machine")}


def test_a_lost_component_has_no_value(tmp_path):
    lost = synthetic.component(synthetic.gpu_case("ha_implicit_radix", N), "presort", 1e-3)
    for name in synthetic.TIMES:
        lost.pop(name, None)
    lost |= {"status": "wrong", "reason": "a tile is not sorted"}
    assert (
        one(ha_t1.make(published_and(tmp_path, synthetic.run_record(), lost)), "Ha et al.: Pre-sort")["median_ms"] == ""
    )


def test_float_patterns_are_those_of_binary32_cut_to_23_digits():
    records = read(PUBLISHED)
    table = {row["number"]: row for row in rows(ha_f4.make(records))}
    assert [table[k]["word"] for k in ("0.5", "0.7", "0.99999997")] == ["0x3F000000", "0x3F333333", "0x3F7FFFFF"]
    for row in table.values():
        sign, exponent, fraction = row["sign_printed"], row["exponent_printed"], row["fraction_printed"]
        bits = int(sign + exponent + fraction[:23], 2)
        assert struct.unpack(">f", bits.to_bytes(4, "big"))[0] == pytest.approx(float(row["number"]), rel=1e-7)
        assert f"0x{bits:08X}" == row["word"]
    assert sorted(int(row["digits_printed"]) for row in table.values()) == [23, 25, 28]


def test_a_component_is_not_divided_by_a_phase(tmp_path):
    """HA-T1: where one pre-sort alone was not measured, both are phases of whole sorts."""
    sorts = [synthetic.gpu_sort(synthetic.gpu_case(algorithm, N)) for algorithm in synthetic.GPU_FORMS]
    ours = component("ha_implicit_radix", "presort")
    both = ("Ha et al.: Pre-sort", "Satish et al. (CUDPP 1.1): Pre-sort")
    made = ha_t1.make(published_and(tmp_path, *sorts, ours))
    assert [one(made, column)["source"].split()[0] for column in both] == ["phases", "phases"]
    theirs = component("satish_split_radix_2009", "counted_presort")
    made = ha_t1.make(published_and(tmp_path, *sorts, ours, theirs))
    assert [one(made, column)["source"].split()[0] for column in both] == ["component", "component"]
    made = ha_t1.make(published_and(tmp_path, sorts[0], ours))
    assert one(made, both[0])["source"].startswith("component")  # nothing to compare with


@pytest.mark.parametrize("make", [ha_t1.make, ha_t2.make, ha_t3.make, ha_t4.make])
def test_no_head_is_italic_without_a_meaning(records, make):
    assert not any(column.italic for column in make(records).grid.columns)


def test_the_copy_belongs_to_neither_sort(records):
    """HA-T3: the row of the copy had its time below Ha et al."""
    grid = ha_t3.make(records).grid
    assert [label for label, *_ in grid.rows] == ["Pre-sort", "Rank", "Shuffle", "Total"]
    (place,) = [i for i, column in enumerate(grid.columns) if column.group == "Copy of the pairs"]
    assert [bool(cells[place].published) for *_, cells in grid.rows] == [False, False, True, False]


def test_phases_are_of_one_run_as_in_the_ledger(tmp_path):
    """HA-T1 and HA-C1: where the newest whole sort reports no phases, both columns are of the newest run that does."""
    sorts = [synthetic.gpu_sort(synthetic.gpu_case(algorithm, N)) for algorithm in synthetic.GPU_FORMS]
    (ours,) = [sort for sort in sorts if sort["case"]["algorithm"] == "ha_implicit_radix"]
    later = of_later_run({**ours, "phases": []})
    records = published_and(tmp_path, synthetic.run_record(), *sorts, component("ha_implicit_radix", "presort"), *later)
    made = ha_t1.make(records)
    both = ("Ha et al.: Pre-sort", "Satish et al. (CUDPP 1.1): Pre-sort")
    ours_of, theirs_of = (one(made, column) for column in both)
    assert ours_of["source"].startswith("phases") and theirs_of["source"].startswith("phases")
    ratio = float(theirs_of["median_ms"]) / float(ours_of["median_ms"])
    assert float(one(made, "CUDPP / implicit")["median_ms"]) == pytest.approx(ratio, rel=0.01)
