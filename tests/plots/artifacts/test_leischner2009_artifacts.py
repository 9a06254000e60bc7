"""The figures of Leischner et al.: what is published, measured and predicted, on one GPU and two; what has no time."""


import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED, rows

from plots.artifacts import discovery
from plots.figures.layout import NARROW, WIDE
from plots.artifacts.leischner2009.rates import FIGURES
from plots.artifacts.leischner2009 import levels
from plots.artifacts.satish2010 import sat_t1
from plots.records.collection import Records, read
from plots.analysis.memory_share import memory_share

MAKERS = {builder.id: builder.make for builder in discovery.find_builders() if builder.paper == "leischner2009"}
RATE = "million elements a second"
TESLA, GTX = "Tesla C1060", "GTX 285"
OTHER = {"machine": "other-2c-00000000", "run": "20200102T000000Z-abcdef"}
FORMS = {
    "leischner_sample_sort": synthetic.SAMPLE_PAPER,
    "satish_gpu_merge": synthetic.MERGE_PAPER,
    "satish_split_radix_2009": synthetic.GPU_FORMS["satish_split_radix_2009"],
}
# Times as long as sample sort, on 32/32 pairs.
TIMES = {"leischner_sample_sort": 1.0, "satish_gpu_merge": 1.6, "satish_split_radix_2009": 0.7, "cub_radix": 0.2}


def case(algorithm: str, n: int, **changes) -> dict:
    given = {"parameters": FORMS.get(algorithm, {}), "value_type": "u32", "residency": "device", "affinity": []}
    return synthetic.case(algorithm, n, **{**given, **changes})


def sorted_in(case_: dict, seconds: float, **changes) -> dict:
    return synthetic.measurement(case_, seconds, 0.0005, **{"device": synthetic.DEVICE, "phases": [], **changes})


def said(case_: dict, seconds: float, model: str, machine: str, **changes) -> dict:
    names = {"tesla_c1060": "NVIDIA Tesla C1060", "gtx285": "Zotac GTX 285"}
    profile = {"id": machine, "name": names[machine], "hash": "0" * 16, "origin": "paper"}
    given = dict(model=model, profile=profile, model_kind="paper")
    if model == "LEI-M4":
        given["papers_times"] = True
    return synthetic.prediction(case_, seconds, **{**given, **changes})


def two_machines(tmp_path, *records: dict) -> Records:
    later = {**synthetic.run_record(), "run": OTHER["run"], "started": "2020-01-02T00:00:00Z"}
    later["machine"] = {**later["machine"], "id": OTHER["machine"]}
    file = synthetic.write(tmp_path / "r.jsonl", [synthetic.run_record(), later, *records])
    return read([file, *PUBLISHED]).on(synthetic.MACHINE)


def points(artifact, panel: str, y: str = RATE, x: str = "log2 n") -> dict:
    """Values by series, kind and x of one panel."""
    found = [row for row in rows(artifact) if row["panel"] == panel and row[y]]
    return {(row["series"], row["kind"], round(float(row[x]), 3)): float(row[y]) for row in found}


def pairs(sizes=(20, 22, 24), distribution="uniform", **changes) -> list[dict]:
    return [
        sorted_in(case(name, 1 << k, distribution=distribution, **changes), times * 1e-10 * (1 << k))
        for k in sizes
        for name, times in TIMES.items()
    ]


def test_every_figure_has_a_maker():
    assert MAKERS.keys() == {"LEI-F3", "LEI-F4", "LEI-F5", "LEI-F6", "LEI-M4", "LEI-LEVELS"}


@pytest.mark.parametrize("id_", MAKERS)
def test_without_records_nothing_is_measured_and_the_caption_says_so(id_):
    artifact = MAKERS[id_](read(PUBLISHED))
    assert artifact.id == id_ and artifact.paper == "leischner2009"
    assert "published values only" in artifact.caption.text
    assert not any(row["kind"] in ("measured", "predicted") for row in rows(artifact))
    for width in (WIDE, NARROW):
        assert artifact.svg(width)
    assert artifact.latex


def test_rates_and_ratios_are_of_the_papers_form_and_of_one_run(tmp_path):
    tuned = sorted_in(case("leischner_sample_sort", 1 << 22, parameters=synthetic.SAMPLE_TUNED), 2e-4)
    stored = {**synthetic.SAMPLE_PAPER, "ids": "stored"}  # an ablation: neither of the two
    faster = sorted_in(case("leischner_sample_sort", 1 << 22, parameters=stored), 1e-5)
    artifact = MAKERS["LEI-F3"](two_machines(tmp_path, *pairs(), tuned, faster))
    rates = points(artifact, "uniform keys")
    assert rates["sample sort", "measured", 22] == pytest.approx(1e4, rel=0.01)
    assert rates["sample sort, tuned", "measured", 22] == pytest.approx((1 << 22) / 2e-4 / 1e6, rel=0.01)
    assert rates["CUB’s radix of today", "measured", 22] == pytest.approx(5e4, rel=0.01)
    # Today's sorts are grey, each other one has a colour of its own.
    lines = {line.label: line.role for line in artifact.picture.panels[0].lines if line.voice == "measured"}
    assert lines.pop("CUB’s radix of today") == "published" and len(set(lines.values())) == len(lines)
    colours = [sort.colour for sort in FIGURES["LEI-F5"].sorts if not sort.label.endswith("of today")]
    assert len(set(colours)) == len(colours) and {"series-5", "series-8"} - set(colours)  # these two look alike
    ratios = points(artifact, "Sample sort over Thrust merge, uniform")
    assert ratios["measured", "measured", 22] == pytest.approx(1.6, rel=0.01)
    # An opponent and an input have a panel of their own, so that no two published lines are of different ones.
    for distribution, wanted in (
        ("uniform", {"≥ 1.25": 1.25, "mean 1.68": 1.68}),
        ("sorted", {"≥ 1": 1, "mean 1.3": 1.3}),
    ):
        ratios = points(artifact, f"Sample sort over Thrust merge, {distribution}")
        published = {name: value for (name, kind, _), value in ratios.items() if kind == "published"}
        assert published == pytest.approx({f"paper: {name}": value for name, value in wanted.items()})
    # Nothing is published of the paper's GPU on pairs, so that the picture leaves out its panel.
    assert not any(panel.title.startswith(TESLA) for panel in artifact.picture.panels)
    assert not points(artifact, "sorted keys") and "CUB’s merge of today" in artifact.caption.text


def test_values_that_are_published_as_speedups_stand_as_they_are(tmp_path):
    ratios = points(MAKERS["LEI-F4"](two_machines(tmp_path)), "Sample sort over CUDPP/Thrust radix, uniform")
    assert sorted(ratios.values()) == [1.63, 1.63, 2, 2]
    figure = MAKERS["LEI-F5"](two_machines(tmp_path))
    for rival in ("GPU-Quicksort", "hybrid sort"):
        assert list(points(figure, f"Sample sort over {rival}, uniform").values()) == [2, 2]


def test_times_that_another_paper_quotes_stand_on_the_papers_gpu(tmp_path):
    quoted = points(MAKERS["LEI-F5"](two_machines(tmp_path)), "Tesla C1060, uniform keys (own scale)")
    assert quoted["sample sort, quoted in SAT-T1", "published", 24] == pytest.approx(120.0, abs=0.05)
    assert len(quoted) == 5


def test_the_papers_models_stay_on_the_papers_gpus(tmp_path):
    c = case("leischner_sample_sort", 1 << 24)
    cells = [sorted_in(c, 2e-3), said(c, 24e-3, "LEI-M2", "tesla_c1060"), said(c, 197e-3, "LEI-M4", "tesla_c1060")]
    cells += [said(c, 15e-3, "LEI-M2", "gtx285"), synthetic.prediction(c, 2.5e-3)]
    artifact = MAKERS["LEI-F3"](two_machines(tmp_path, *cells))
    assert points(artifact, "Tesla C1060, uniform keys (own scale)") == {
        ("sample sort, from its counts", "predicted", 24): pytest.approx((1 << 24) / 24e-3 / 1e6),
        ("sample sort, from its printed gain", "predicted", 24): pytest.approx((1 << 24) / 197e-3 / 1e6),
    }
    assert points(artifact, "uniform keys")["sample sort, predicted", "predicted", 24] == pytest.approx(6710.9, abs=0.1)
    assert "LEI-M4 (from the paper’s times)" in artifact.caption.text
    two = MAKERS["LEI-F6"](two_machines(tmp_path, *cells))
    assert points(two, "GTX 285, by our models") == {
        ("sample sort, from its counts", "predicted", 24): pytest.approx((1 << 24) / 15e-3 / 1e6)
    }
    gains = points(two, "GTX 285 over Tesla C1060")
    assert gains["sample sort, from its counts", "predicted", 24] == pytest.approx(24 / 15)
    assert gains["CUDPP radix, published", "published", 18] == pytest.approx(1.3)


def keys(algorithm: str, distribution: str, n: int = 1 << 22, **changes) -> dict:
    return case(algorithm, n, value_type="none", distribution=distribution, **changes)


def test_what_has_no_time_is_a_result(tmp_path):
    hybrid = keys("sintorn_hybrid_sort", "deterministic_duplicates", key_type="f32")
    reason = "a division holds more than its share"
    failed = {**synthetic.skipped(hybrid, reason, status="failed"), "expected": True}
    stopped = keys("bbsort", "deterministic_duplicates")
    stopped = synthetic.skipped(stopped, "took longer than 10.2 s in a timed sort", status="timeout")
    done = [sorted_in(keys("bbsort", d), 1e-3) for d in ("uniform", "bucket:p=240", "staggered")]
    other = sorted_in(keys("bbsort", "bucket:p=16"), 1e-5)  # not the paper's
    artifact = MAKERS["LEI-F5"](two_machines(tmp_path, failed, stopped, *done, other))
    assert (
        f"hybrid sort (floats) on deterministic_duplicates, n = 2²²: failed, as expected ({reason})"
        in artifact.caption.text
    )
    assert "No time of bbsort on deterministic_duplicates, n = 2²²: timeout (took longer" in artifact.caption.text
    lost = {(row["series"], row["kind"]): row for row in rows(artifact) if not row[RATE]}
    assert lost.keys() == {("hybrid sort (floats)", "failed, expected"), ("bbsort", "timeout")}
    assert {row["panel"] for row in lost.values()} == {"deterministic duplicates"}
    for panel in ("uniform", "bucket", "staggered"):
        assert points(artifact, f"{panel} keys")["bbsort", "measured", 22] == pytest.approx(4194, abs=5)
    missing = artifact.caption.text.partition("No record here of: ")[2].partition(".")[0]
    assert "GPU-Quicksort" in missing and "bbsort" not in missing and "hybrid" not in missing
    assert artifact.svg(WIDE)


def test_the_hybrid_sort_of_floats_is_held_against_sample_sort_on_floats(tmp_path):
    cells = [
        sorted_in(keys("leischner_sample_sort", "uniform", key_type=k), s) for k, s in (("u32", 9e-4), ("f32", 1e-3))
    ]
    cells.append(sorted_in(keys("sintorn_hybrid_sort", "uniform", key_type="f32"), 3e-3))
    artifact = MAKERS["LEI-F5"](two_machines(tmp_path, *cells))
    ratios = points(artifact, "Sample sort over hybrid sort, uniform")
    assert ratios["measured", "measured", 22] == pytest.approx(3, rel=0.01)
    assert len([key for key in points(artifact, "uniform keys") if key[0].startswith("sample sort")]) == 1


# Two GPUs


def on_another(cell: dict, gain: float) -> dict:
    """The same cell on a GPU with the same multiprocessors at twice the clock."""
    return synthetic.scaled(cell, 1 / gain, clock=2, **OTHER, device={**synthetic.DEVICE, "name": "Another GPU"})


GAINS = {"leischner_sample_sort": 2.2, "satish_gpu_merge": 2.5, "satish_split_radix_2009": 3.5}


@pytest.fixture
def of_two(tmp_path) -> Records:
    here = pairs()
    there = [on_another(cell, GAINS[cell["case"]["algorithm"]]) for cell in here if cell["case"]["algorithm"] in GAINS]
    records = two_machines(tmp_path, *here, *there)
    records.read_bytes_per_s |= {"NVIDIA H200": 1e12, "Another GPU": 4e12}
    return records


def test_another_gpu_has_its_own_panel_and_the_gain_one_more(of_two):
    artifact = MAKERS["LEI-F6"](of_two)
    assert points(artifact, "NVIDIA H200, measured here")["sample sort", "measured", 24] == pytest.approx(1e4, rel=0.01)
    assert points(artifact, "Another GPU, measured there")["sample sort", "measured", 24] == pytest.approx(
        2.2e4, rel=0.01
    )
    gains = points(artifact, "Another GPU over NVIDIA H200")
    assert gains["sample sort", "measured", 24] == pytest.approx(2.2, rel=1e-3)
    assert gains["CUDPP/Thrust radix of 2009", "measured", 20] == pytest.approx(3.5, rel=1e-3)
    assert "one machine" not in artifact.caption.text
    assert artifact.svg(WIDE)
    # The picture has bars: the mean gains as printed and as measured, and the rates here.
    papers, measured = artifact.picture.panels  # no rates of one GPU, which have nothing to stand against
    assert {name: number.value for name, number in papers.series[0].values.items()} == pytest.approx(
        {"CUDPP radix": 1.3, "Thrust radix": 1.25, "Thrust merge": 1.18, "sample": 1.18}
    )
    assert measured.title == "Another GPU over NVIDIA H200"
    assert measured.series[0].values["sample sort"].value == pytest.approx(2.2, rel=1e-3)


def test_without_a_second_gpu_the_legend_says_that_no_gain_is_measured(tmp_path):
    artifact = MAKERS["LEI-F6"](two_machines(tmp_path, *pairs()))
    assert len(artifact.picture.panels) == 1
    assert "no gain is measured" in artifact.legend and "measured" not in MAKERS["LEI-F6"](read(PUBLISHED)).legend
    c = case("leischner_sample_sort", 1 << 24)
    told = [said(c, 24e-3, "LEI-M2", "tesla_c1060"), said(c, 15e-3, "LEI-M2", "gtx285")]
    assert "Radix sorts have no mark" in MAKERS["LEI-F6"](two_machines(tmp_path, *pairs(), *told)).legend


def test_shares_are_of_what_is_published_predicted_and_measured(of_two):
    artifact = MAKERS["LEI-M4"](of_two)
    here = {(row["sort"], row["kind"]): row for row in rows(artifact)}
    shares = {
        name: float(here[name, "published"]["follows_bandwidth"]) for name in ("CUDPP radix", "Thrust radix", "sample")
    }
    assert [round(share, 2) for share in shares.values()] == [0.37, 0.27, 0.11]
    measured = here["sample", "measured"]
    assert float(measured["gain"]) == pytest.approx(2.2, rel=1e-3)
    assert float(measured["follows_bandwidth"]) == pytest.approx(memory_share(2.2, 2, 4), abs=1e-3)
    assert here["CUDPP radix", "measured"]["follows_bandwidth"] == here["Thrust radix", "measured"]["follows_bandwidth"]
    assert artifact.grid is not None and artifact.svg(WIDE)


def test_what_the_counts_predict_stands_beside_what_is_published(tmp_path):
    cells = []
    for k in (22, 24):
        c = case("leischner_sample_sort", 1 << k)
        for model, slow, fast in (("LEI-M2", 16.0, 10.0), ("LEI-M4", 11.8, 10.0)):
            cells += [said(c, slow, model, "tesla_c1060"), said(c, fast, model, "gtx285")]
    artifact = MAKERS["LEI-M4"](two_machines(tmp_path, *cells))
    (row,) = [row for row in rows(artifact) if row["kind"].startswith("predicted")]
    assert (row["sort"], row["kind"], float(row["gain"])) == ("sample", "predicted by LEI-M2", pytest.approx(1.6))
    assert float(row["follows_bandwidth"]) == pytest.approx(memory_share(1.6, 1.476 / 1.296, 124.7 / 73.3))


def test_gpus_that_differ_in_nothing_part_no_time(of_two):
    of_two.read_bytes_per_s |= {"Another GPU": 2e12}  # as much more as the clock
    artifact = MAKERS["LEI-M4"](of_two)
    cells = [cell.measured for _, _, row in artifact.grid.rows for cell in row]
    assert sum(bool(text) for text in cells) == 4  # the gains alone


# Levels


def test_a_second_level_shows_in_its_phases(tmp_path):
    cells = []
    for millions, again in ((12, 0.0), (16, 0.5), (24, 1.0)):
        n = millions << 20
        c = case("leischner_sample_sort", n)
        finds = [("find", 0, 1e-4), ("find", 1, again * 1e-4)] if again else [("find", 0, 1e-4)]
        phases = [{"name": f, "pass": p, "median_s": s, "begin_s": 0.0, "end_s": s} for f, p, s in finds]
        cells.append(sorted_in(c, 1e-10 * n, phases=phases))
        phases = [{"name": f, "pass": p, "seconds": 50 * s, "binding": "memory", "work": {}} for f, p, s in finds]
        cells += [said(c, 1e-8 * n, model, "tesla_c1060", phases=phases) for model in ("LEI-M2", "LEI-M4")]
    artifact = MAKERS["LEI-LEVELS"](
        two_machines(tmp_path, *cells, sorted_in(case("leischner_sample_sort", 1 << 28), 1.0))
    )
    x = artifact.header[3]
    rates = points(artifact, "Rate here, on NVIDIA H200", x=x)
    assert rates == {
        ("32/32 pairs, 30 samples a bucket", "measured", m): pytest.approx(1e4, rel=0.01) for m in (12, 16, 24)
    }
    there = points(artifact, "Upper bound of the rate on a Tesla C1060", x=x)
    assert list(there.values()) == pytest.approx([100] * 3)
    # Dashed means predicted in the other panels; a bound looks otherwise, and the legend says how.
    bounds = [line.bound for panel in artifact.picture.panels for line in panel.lines if line.voice == "predicted"]
    assert any(bounds) and "Dashes and dots: upper bound of the rate, by counted operations" in artifact.legend
    assert "on 4.8pt off 2pt on 1pt off 2pt" in artifact.latex
    shares = points(artifact, "What a second level takes: 32/32 pairs", "%" if "%" in artifact.header else RATE, x)
    assert [shares["time", "measured", m] for m in (12, 16, 24)] == pytest.approx([0, 50, 100])
    expected = {n: value for (name, kind, n), value in shares.items() if name == "elements, computed"}
    # At 2^24 half of the first level's time is the second's, at 24 · 2^20 all of it.
    assert artifact.title == (
        "Where sample sort distributes twice: some elements from 16 · 2²⁰ on, nearly all from 24 · 2²⁰ on"
    )
    assert {name for panel in artifact.picture.panels for _, name in panel.marks} == {"mean bucket of 2¹⁷"}
    assert len(expected) == 31 and expected[16] == pytest.approx(100 * levels.again(1 << 24, 30))


def test_a_jump_of_the_rate_is_marked_and_explained_by_the_sorting_of_buckets(tmp_path):
    def cells(slow_until: int) -> list[dict]:
        made = []
        for millions in (20, 24, 28, 32):
            s = 6e-3 if millions <= slow_until else 2e-3
            phases = [{"name": "sort buckets", "pass": 2, "median_s": s, "begin_s": 0.0, "end_s": s}]
            made.append(sorted_in(case("leischner_sample_sort", millions << 20), 2e-3 + s, phases=phases))
        return made

    artifact = MAKERS["LEI-LEVELS"](two_machines(tmp_path, *cells(24)))
    assert [list(panel.marks) for panel in artifact.picture.panels][0] == [
        (26.0, "no quicksort from here: 32/32 pairs")
    ]
    assert artifact.title == "Where sample sort distributes twice"
    assert (
        "6.00 ms and 2.00 ms for 32/32 pairs" in artifact.notes and "“No quicksort from here”: all" in artifact.legend
    )
    even = MAKERS["LEI-LEVELS"](two_machines(tmp_path, *cells(0)))
    assert not even.picture.panels[0].marks and "No quicksort" not in even.legend


def test_what_is_distributed_again_follows_the_sample():
    assert 0.5 < levels.again(1 << 24, 30) < 0.6  # larger buckets hold more of the elements
    assert levels.again(1 << 17, 30) == 0 and levels.again(1 << 26, 15) > 0.9999
    assert levels.again(1 << 23, 15) > levels.again(1 << 23, 30) > 0


def test_the_sample_column_of_sat_t1_is_of_this_sort(tmp_path):
    n = 1 << 22
    cells = [sorted_in(keys("leischner_sample_sort", "uniform", n), 4e-4)]
    cells.append(sorted_in(keys("leischner_sample_sort", "uniform", n, parameters=synthetic.SAMPLE_TUNED), 2e-4))
    artifact = sat_t1.make(two_machines(tmp_path, *cells))
    found = {row["column"]: row for row in rows(artifact) if row["n"] == str(n) and row["median_ms"]}
    assert found.keys() == {"Sample [18]", "GPU sample, tuned"}
    assert float(found["Sample [18]"]["median_ms"]) == pytest.approx(0.4, rel=0.01)
    assert found["Sample [18]"]["published_ms"] == "38.1"
    assert "these records hold no sample sort" not in artifact.caption.text


def test_predictions_of_todays_sorts_are_in_the_csv_alone(tmp_path):
    today, merge = case("cub_radix", 1 << 22), case("satish_gpu_merge", 1 << 22)
    cells = [*pairs((22,)), synthetic.prediction(today, 1e-4), synthetic.prediction(merge, 1e-3)]
    artifact = MAKERS["LEI-F3"](two_machines(tmp_path, *cells))
    csv_has = {series for series, kind, _ in points(artifact, "uniform keys") if kind == "predicted"}
    drawn = {line.label for line in artifact.picture.panels[0].lines if line.voice == "predicted"}
    assert csv_has - drawn == {"CUB’s radix of today, predicted"} and "Thrust merge of 2009, predicted" in drawn


def test_inputs_that_are_not_drawn_are_in_the_csv_and_the_caption_says_how_far_they_are(tmp_path):
    cells = [
        sorted_in(keys("leischner_sample_sort", distribution), seconds)
        for distribution, seconds in (
            ("uniform", 1e-3),
            ("gaussian", 1e-3 / 1.2),
            ("staggered", 1e-3),
            ("sorted", 2e-3),
        )
    ]
    artifact = MAKERS["LEI-F5"](two_machines(tmp_path, *cells))
    assert [panel.title for panel in artifact.picture.drawn][:2] == ["uniform keys", "sorted keys"]
    assert points(artifact, "gaussian keys")["sample sort", "measured", 22] == pytest.approx(
        (1 << 22) / 1e3 * 1.2, rel=0.01
    )
    assert "Gaussian, bucket, staggered keys are in the CSV alone" in artifact.caption.text
    assert "of 2 cells, by 20 % at most" in artifact.caption.text


def test_the_papers_gpu_has_its_published_line_alone(tmp_path):
    """Three lines of one colour were a published one and two predictions, which are in the CSV."""
    c = keys("leischner_sample_sort", "uniform", 1 << 24)
    both = [said(c, 24e-3, "LEI-M2", "tesla_c1060"), said(c, 197e-3, "LEI-M4", "tesla_c1060")]
    artifact = MAKERS["LEI-F5"](two_machines(tmp_path, *both))
    (panel,) = [panel for panel in artifact.picture.panels if panel.title.startswith(TESLA)]
    assert [line.label for line in panel.lines] == ["sample sort, quoted in SAT-T1"]
    assert {kind for _, kind, _ in points(artifact, panel.title)} == {"published", "predicted"}
    assert "an upper bound" in artifact.caption.text
