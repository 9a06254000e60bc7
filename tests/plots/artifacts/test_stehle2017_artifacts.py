"""The tables and figures of Stehle and Jacobsen: what is published, measured and predicted, and what is missing."""

import functools
import math

import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED, read_planted, rows

from plots.artifacts import discovery
from plots.figures.layout import NARROW, WIDE
from plots.artifacts.stehle2017 import worked_example
from plots.artifacts.stehle2017.entropy import OVER_OTHERS
from plots.records.collection import Records, read

MADE = {builder.id: builder.make for builder in discovery.find_builders() if builder.paper == "stehle2017"}
MAKERS = {id_: make for id_, make in MADE.items() if "*" not in id_}
FIGURES_BY_ENTROPY = [f"STE-F{number}{letter}" for number in (6, 10) for letter in "abcd"]
ABLATIONS = ["STE-F11", "STE-F12", "STE-F13", "STE-F14"]
TITAN, HERE = "Titan X (Pascal), published", "NVIDIA H200, measured here"
RATES = "Titan X (Pascal), NVIDIA H200"
ABLATED = "NVIDIA H200, paper’s form"
CHANGE = "change of the sorting rate without it, % of the rate with all"
INPUTS = {"a": ("u32", "none", 500), "b": ("u32", "u32", 250), "c": ("u64", "none", 250), "d": ("u64", "u64", 125)}
ENTROPIES = {"uniform": 1.0, "thearling:ands=2": 0.543564, "constant": 0.0}  # probability of each bit


def case(algorithm: str, letter: str, parameters: dict, distribution: str = "uniform", **changes) -> dict:
    key, value, millions = INPUTS[letter]
    bits = ENTROPIES[distribution] * (32 if key == "u32" else 64) if distribution in ENTROPIES else None
    given = dict(key_type=key, value_type=value, parameters=parameters, distribution=distribution, entropy_bits=bits)
    return synthetic.case(algorithm, **{"n": millions * 10**6, **given, "residency": "device", **changes})


def sorted_in(case_: dict, seconds: float, **changes) -> dict:
    return synthetic.measurement(case_, seconds, 0.001, **{"device": synthetic.DEVICE, "phases": [], **changes})


def hybrid(letter: str = "a", distribution: str = "uniform", **off) -> dict:
    return case("stehle_hybrid_radix", letter, {**synthetic.HYBRID_PAPER, **off}, distribution)


read_with_published = functools.partial(read_planted, published=True)


def points(artifact, panel: str, y: str = "GB of keys and values a second; times as fast") -> dict:
    """Values by series, kind and x of one panel."""
    found = [row for row in rows(artifact) if row["panel"] == panel]
    x = artifact.header[3]
    return {(row["series"], row["kind"], float(row[x])): float(row[y]) for row in found}


def test_every_table_and_figure_has_a_maker():
    figures = {
        f"STE-F{name}"
        for name in ("2", "5", "6a", "6b", "6c", "6d", "7a", "7b", "8", "9a", "9b", "11", "12", "13", "14")
    }
    assert MAKERS.keys() == figures | {f"STE-F10{letter}" for letter in "abcd"} | {"STE-T2", "STE-T3"}
    assert MADE.keys() - MAKERS.keys() == {"STE-ERROR-*"}


@pytest.mark.parametrize("id_", MAKERS)
def test_without_records_nothing_is_measured_and_the_caption_says_so(id_):
    artifact = MAKERS[id_](read(PUBLISHED))
    assert artifact.id == id_ and artifact.paper == "stehle2017"
    assert id_ == "STE-T2" or "No record here of: " in artifact.caption.text
    assert not any(row.get("kind") in ("measured", "predicted") for row in rows(artifact))
    for width in (WIDE, NARROW):
        assert artifact.svg(width)
    assert artifact.latex


def test_the_example_comes_out_as_printed():
    artifact = MAKERS["STE-T2"](Records())
    assert "every value is as printed" in artifact.caption.text
    assert all(row["printed"] == row["computed"] for row in rows(artifact))
    assert len({row["row"] for row in rows(artifact)}) == 9


def test_the_example_follows_its_keys():
    changed = worked_example.example(["33", *worked_example.KEYS[1:]])
    assert changed.histogram == (4, 8, 2, 2) and changed.sorted[-1] == "33"
    assert changed.buckets[1].prefix == (0, 2, 3, 7) and changed.buckets[3].histogram is None
    assert worked_example.example(["00"] * 4).buckets[0].histogram == (4, 0, 0, 0)


def test_table_3_shows_the_fastest_setting_and_what_is_missing(tmp_path):
    tuned = {**synthetic.HYBRID_TUNED, "threads": 512, "items": 24}
    cells = [
        sorted_in(hybrid("a"), 20e-3),
        sorted_in(case("stehle_hybrid_radix", "a", tuned), 10e-3),
        sorted_in(case("stehle_hybrid_radix", "a", {**tuned, "block_keys": 8192}), 12e-3),
        sorted_in(hybrid("d"), 15e-3),
    ]
    artifact = MAKERS["STE-T3"](read_with_published(tmp_path, *cells))
    here = {(row["input"], row["setting"]): row for row in rows(artifact)}
    assert [here["32-bit keys", s]["fastest_here"] for s in ("KPB", "threads", "KPT", "theta_hat")] == [
        *("12288", "512", "24", "9216")
    ]
    assert here["32-bit keys", "KPB"]["published"] == "6912" and here["32-bit keys", "KPB"]["settings_tried"] == "3"
    assert float(here["32-bit keys", "KPB"]["over_papers_form"]) == pytest.approx(0.5, rel=0.02)
    assert [here["64/64 pairs", s]["fastest_here"] for s in ("KPB", "threads")] == ["2304", "256"]
    assert here["32/32 pairs", "KPB"]["inconsistency"] == "X9"
    assert "No record here of: 64-bit keys, 32/32 pairs." in artifact.caption.text


def histogram(q: int, reduced: str, seconds: float) -> dict:
    c = hybrid("a", f"few_distinct:distinct={q}", thread_reduction=reduced)
    return synthetic.component(c, "histogram", seconds, 0.001)


def test_the_histogram_is_shown_as_a_share_of_the_read_peak(tmp_path):
    cells = [
        histogram(q, reduced, 1e-3 * (2 if (q, reduced) == (1, "no") else 1))
        for q in (1, 4)
        for reduced in ("yes", "no")
    ]
    records = read_with_published(tmp_path, *cells)
    y = "% of the read peak"
    shares = points(MAKERS["STE-F2"](records), HERE, y)
    assert "No profile with the device’s read peak" in MAKERS["STE-F2"](records).caption.text
    assert shares["atomics only", "measured", 1] == pytest.approx(50, abs=0.5)
    records.read_bytes_per_s = {"NVIDIA H200": 4e12}
    shares = points(MAKERS["STE-F2"](records), HERE, y)
    assert shares["thread reduction & atomics", "measured", 4] == pytest.approx(100 * 2e9 / 1e-3 / 4e12, rel=0.01)
    figure = MAKERS["STE-F2"](records)
    published = points(figure, TITAN, y)
    assert published["atomics only", "published", 1] == pytest.approx(51.6, abs=0.1)
    # Both panels have the same axes, and the caption says what the reduction brings.
    assert len({(axes.get_xlim(), axes.get_ylim()) for axes in figure.picture.drawing(WIDE).figure.axes}) == 1
    assert "Here the reduction helps at q = 1, of 2 q." in figure.legend
    cells = [histogram(q, reduced, 1e-3 * (2 if reduced == "yes" else 1)) for q in (1, 4) for reduced in ("yes", "no")]
    never = MAKERS["STE-F2"](read_with_published(tmp_path, *cells))
    assert "Here the reduction never helps: atomics alone are faster at every q." in never.legend


@pytest.mark.parametrize("id_", FIGURES_BY_ENTROPY)
def test_rates_by_entropy_are_of_bytes_and_ratios_of_times(tmp_path, id_):
    letter = id_[-1]
    seconds = {"uniform": 10e-3, "thearling:ands=2": 15e-3, "constant": 20e-3}
    cells = []
    for distribution, s in seconds.items():
        mine = hybrid(letter, distribution)
        cub = case("cub_radix_lsd", letter, synthetic.CUB_5BIT, distribution)
        tuned = case("stehle_hybrid_radix", letter, synthetic.HYBRID_TUNED, distribution)
        # Without an optimisation it is neither the paper's form nor a tuned one.
        off = hybrid(letter, distribution, look_ahead=0)
        cells += [sorted_in(mine, s), synthetic.prediction(mine, 0.9 * s), sorted_in(off, 0.1 * s)]
        cells += [sorted_in(cub, 2 * s), synthetic.prediction(cub, 2.7 * s), sorted_in(tuned, 0.5 * s)]
    artifact = MAKERS[id_](read_with_published(tmp_path, *cells))
    bits = 32 if letter in "ab" else 64
    rates, ratios = points(artifact, RATES), points(artifact, OVER_OTHERS)
    assert rates["HRS, paper’s form", "measured", bits] == pytest.approx(200, rel=0.01)
    assert rates["HRS, paper’s form, predicted", "predicted", 0] == pytest.approx(2 / 0.018, rel=0.01)
    assert rates["HRS, tuned", "measured", bits] == pytest.approx(400, rel=0.01)
    (cub,) = {name for name, kind, _ in ratios if kind == "measured" and name.startswith("CUB, 5 bits; paper ")}
    assert ratios[cub, "measured", 0] == pytest.approx(2, rel=0.01)
    assert ratios["CUB, 5 bits (as 1.5.1), predicted", "predicted", bits] == pytest.approx(3)
    assert points(artifact, OVER_OTHERS)["HRS, tuned", "measured", bits] == pytest.approx(0.5, rel=0.01)
    assert "CUB of today" in artifact.caption.text.partition("No record here of: ")[2]
    assert "“CUB, 5 bits (as 1.5.1)” is CUB of today, with the digits and passes of 1.5.1" in artifact.legend
    assert "mean of its runs" in artifact.caption.text and artifact.svg(WIDE)


def test_what_the_text_names_of_figures_6_and_10_stands_at_its_entropy():
    published = read(PUBLISHED)
    rates = points(MAKERS["STE-F6d"](published), "Titan X (Pascal)")
    assert rates["published: HRS, Titan X", "published", 64] == 35.7
    assert rates["published: CUB 1.5.1, Titan X", "published", 64] == pytest.approx(35.7 / 4)
    rates = points(MAKERS["STE-F6a"](published), "Titan X (Pascal)")
    assert rates["published: HRS, Titan X", "published", 32] == pytest.approx(2 / 0.0626)
    ratios = points(MAKERS["STE-F6a"](published), OVER_OTHERS)
    assert [ratios["published: Satish et al. ≥ 3.66", "published", x] for x in (0, 32)] == [3.66, 3.66]
    ratios = points(MAKERS["STE-F6a"](published), OVER_OTHERS)
    assert ratios["published: CUB 1.5.1, equal keys", "published", 0] == 1.7
    (over_cub,) = [panel for panel in MAKERS["STE-F6a"](published).picture.panels if "over CUB, 5" in panel.title]
    assert [(line.label, line.x, line.dotless) for line in over_cub.lines] == [
        ("paper, equal keys: 1.70", [0], ()),
        ("paper ≥ 1.69", [0, 32], (0, 1)),  # a bound, whose ends are no points of the paper
    ]
    keys64 = [
        row
        for row in rows(MAKERS["STE-F6c"](published))
        if row["series"].startswith("published: CUB 1.5.1, ") and row["panel"] == OVER_OTHERS
    ]
    assert [row["entropy of the keys, bits"] for row in keys64] == ["0", "64"]  # 1.58 is in two claims
    newer = points(MAKERS["STE-F10b"](published), OVER_OTHERS)
    assert newer["published: GPU Multisplit ≤ 1.62", "published", 0] == 1.62
    newer = points(MAKERS["STE-F10b"](published), OVER_OTHERS)
    bound = [x for name, _, x in newer if name == "published: CUB 1.6.4 ≥ 1.28"]
    assert bound == pytest.approx([0.19, 32], abs=0.01)  # equal keys excepted, so that it does not begin at 0 bits
    assert newer["published: CUB 1.6.4 ≥ 1.28", "published", 32] == pytest.approx(1.28)
    missing = "GPU Multisplit, released form; GPU Multisplit, tuned"
    assert missing in MAKERS["STE-F10b"](published).caption.text
    assert missing not in MAKERS["STE-F10d"](published).caption.text  # the paper has it for 32-bit keys alone


@pytest.mark.parametrize("id_", ["STE-F10a", "STE-F10b"])
def test_multisplit_is_drawn_in_the_released_form_and_tuned_once_it_is_measured(tmp_path, id_):
    released = {"level": "block", "counters": "lanes", "digit_bits": 7, "items": 4, "threads": 256}
    tuned = {"level": "block", "counters": "shared", "digit_bits": 8}
    roles = {"gpu_multisplit": released, "gpu_multisplit_tuned": tuned}
    sort = {**synthetic.HYBRID, "name": "multisplit_radix", "title": "multisplit_radix", "roles": roles}
    cells = [sort, sorted_in(hybrid(id_[-1]), 10e-3)]
    for parameters, seconds in ((released, 20e-3), ({**tuned, "items": 16, "threads": 256}, 12e-3)):
        cells.append(sorted_in(case("multisplit_radix", id_[-1], parameters), seconds))
    artifact = MAKERS[id_](read_with_published(tmp_path, *cells))
    ratios = points(artifact, OVER_OTHERS)
    bounds = {"STE-F10a": "≥ 1.53", "STE-F10b": "1.29 to 1.62"}[id_]
    assert ratios[f"GPU Multisplit; paper {bounds}", "measured", 32] == pytest.approx(2, rel=0.01)
    later = points(artifact, OVER_OTHERS)
    assert later["GPU Multisplit, tuned", "measured", 32] == pytest.approx(1.2, rel=0.01)
    assert "Multisplit" not in artifact.caption.text.partition("No record here of: ")[2]


@pytest.mark.parametrize("id_, letter", [("STE-F7a", "c"), ("STE-F7b", "d")])
def test_times_over_n_stand_by_entropy_and_say_where_they_cross(tmp_path, id_, letter):
    cells = []
    for n in (10**6, 2 * 10**6, 16 * 10**6):
        mine = {**hybrid(letter, "constant"), "n": n}
        cub = {**case("cub_radix_lsd", letter, synthetic.CUB_5BIT, "constant"), "n": n}
        cells += [sorted_in(mine, 1e-4 + 2e-11 * n), sorted_in(cub, 5e-5 + 5e-11 * n)]
        cells += [synthetic.prediction(mine, 1e-4)]
    artifact = MAKERS[id_](read_with_published(tmp_path, *cells))
    times = points(artifact, "entropy 0.00 bits", "milliseconds")
    assert {kind for _, kind, _ in times} == {"measured", "predicted"}
    assert not points(artifact, "entropy 51.92 bits", "milliseconds")
    ratios = points(artifact, "Time of CUB, 5 bits, over HRS’", "milliseconds")
    assert ratios["0.00 bits", "measured", math.log2(10**6)] == pytest.approx(10 / 12, rel=0.01)
    (crossing,) = [(x, y) for (_, kind, x), y in ratios.items() if kind == "published"]
    assert crossing == (pytest.approx(math.log2(1.9e6 if letter == "c" else 1.6e6)), 1)
    assert "the faster one from 2\u2009000\u2009000 at 0.00 bits" in artifact.caption.text
    assert f"from {1.9 if letter == 'c' else 1.6} million elements on" in artifact.caption.text
    of_ratios = artifact.picture.panels[-1]
    assert [name for _, name in of_ratios.marks] == [f"published: even at {1.9 if letter == 'c' else 1.6}M"]
    assert not any(line.labelled for line in of_ratios.lines if line.voice == "published")


def from_host(chunks: int, seconds: float, merging: float, n: int = 375_000_000, **changes) -> dict:
    parameters = {**synthetic.HETEROGENEOUS_PAPER, "chunks": chunks, **changes.pop("parameters", {})}
    given = dict(residency="end_to_end", host_memory="pinned", threads=16, n=n)
    c = case("stehle_heterogeneous", "d", parameters, **{**given, **changes})
    merge = {"name": "merge", "pass": 0, "median_s": merging, "begin_s": 0.0, "end_s": merging}
    return sorted_in(c, seconds, phases=[merge] if merging else [])


def test_figure_8_stacks_the_parts_of_the_time(tmp_path):
    n = 375_000_000
    cub = {**case("cub_radix_lsd", "d", synthetic.CUB_5BIT), "n": n}
    whole = {**cub, "residency": "end_to_end", "host_memory": "pinned"}
    cells = [sorted_in(cub, 0.1), sorted_in(whole, 0.4), from_host(4, 0.9, 0.5), from_host(16, 1.0, 0.7)]
    cells.append(synthetic.prediction(cells[2]["case"], 0.8))
    artifact = MAKERS["STE-F8"](read_with_published(tmp_path, *cells))
    parts = {(r["panel"], r["category"], r["part"]): float(r["milliseconds"]) for r in rows(artifact)}
    naive = "Naive, here", "CUB, 5 bits (as 1.5.1)"
    assert parts[(*naive, "on-GPU sorting")] == pytest.approx(100, rel=0.01)
    assert parts[(*naive, "PCIe, both ways")] == pytest.approx(300, rel=0.01)
    here = "HRS, paper’s form, merged by libstdc++"
    assert parts[here, "s = 4", "CPU merging"] == pytest.approx(500)
    assert parts[here, "s = 4", "chunked sort"] == pytest.approx(400, rel=0.01)
    assert parts[here, "s = 4", "in all"] == pytest.approx(800)
    assert parts["Titan X: parts only", "s = 16", "chunked sort"] == pytest.approx(629)
    assert "HRS, paper’s form" in artifact.caption.text.partition("No record here of: ")[2]
    assert not artifact.picture.own_spans  # bars of all panels are compared
    assert "tikzpicture" in artifact.latex and "on-GPU sorting" in artifact.latex and artifact.svg(NARROW)


def test_figure_8_draws_the_papers_form_and_the_fastest_and_its_csv_has_all(tmp_path):
    forms = {"libstdcxx": {}, "ours": {"merge": "ours"}}
    cells = [from_host(s, 0.9, 0.5, parameters=form) for s in (2, 4) for form in forms.values()]
    tuned = {"sort": "stehle_hybrid_radix", "merge": "ours"}
    cells += [from_host(s, 0.5 + 0.1 * s, 0.2, parameters=tuned) for s in (2, 4)]
    artifact = MAKERS["STE-F8"](read_with_published(tmp_path, *cells))
    drawn = {panel.title: panel for panel in artifact.picture.drawn}
    assert list(drawn) == [
        "Titan X: parts only",
        "s chunks, paper’s form",
        "s chunks, fastest here",
    ]
    assert drawn["s chunks, fastest here"].stacks[0].whole == pytest.approx(700, rel=0.01)
    assert "s chunks, fastest here: HRS, tuned, merged by Sortlab." in artifact.caption.text
    panels = {row["panel"] for row in rows(artifact)}
    assert {f"HRS, paper’s form, merged by {name}" for name in ("Sortlab", "libstdc++")} < panels


def test_figure_8_separates_the_copies_there_and_back(tmp_path):
    n = 375_000_000
    cub = {**case("cub_radix_lsd", "d", synthetic.CUB_5BIT), "n": n}
    whole = {**cub, "residency": "end_to_end", "host_memory": "pinned"}
    alone = from_host(1, 0.4, 0)
    alone["phases"] = [{"name": name, "pass": 0, "median_s": s} for name, s in (("copy_in", 0.2), ("copy_out", 0.1))]
    artifact = MAKERS["STE-F8"](read_with_published(tmp_path, sorted_in(cub, 0.1), sorted_in(whole, 0.4), alone))
    parts = {(r["category"], r["part"]): float(r["milliseconds"]) for r in rows(artifact) if r["kind"] == "measured"}
    naive = "CUB, 5 bits (as 1.5.1)"
    assert parts[naive, "PCIe HtD"] == pytest.approx(200, rel=0.02)
    assert parts[naive, "PCIe DtH"] == pytest.approx(100, rel=0.02)
    assert parts["s = 1", "PCIe HtD"] == 200 and parts["s = 1", "PCIe DtH"] == 100
    assert parts["s = 1", "on-GPU sorting"] == pytest.approx(100, rel=0.1)
    assert "divided into there and back as timed with one chunk" in artifact.caption.text


def test_figure_5_draws_the_papers_schedule_and_what_ran(tmp_path):
    sort = from_host(4, 0.9, 0)
    sort["phases"] = [
        {
            "name": name,
            "pass": chunk,
            "median_s": 0.1,
            "begin_s": 0.1 * (chunk + delay),
            "end_s": 0.1 * (chunk + delay + 1),
        }
        for chunk in range(4)
        for delay, name in enumerate(("copy_in", "sort", "copy_out"))
    ]
    artifact = MAKERS["STE-F5"](read_with_published(tmp_path, sort))
    found = {(r["kind"], r["lane"], int(r["chunk"])): (float(r["begin"]), float(r["end"])) for r in rows(artifact)}
    # At step 2 chunk 0 leaves, and chunk 2 takes its place (section 5).
    assert found["published", "copy back", 0] == found["published", "copy to the GPU", 2] == (2, 3)
    assert found["published", "sort on the GPU", 1] == (2, 3) and len(found) == 2 * 12
    assert found["measured", "copy back", 3] == pytest.approx((500, 600))
    assert artifact.is_measured and artifact.svg(NARROW) and "tikzpicture" in artifact.latex


def test_figure_9_sets_paradis_beside_the_heterogeneous_sort(tmp_path):
    zipf = "zipf:theta=0.75"
    sorts = [from_host(16, 4.0, 2.0, 10**9, distribution=zipf)]
    sorts.append(from_host(16, 3.0, 2.0, 10**9, distribution=zipf, parameters={"sort": "stehle_hybrid_radix"}))
    for form, distribution, seconds in (
        (synthetic.PARADIS_PAPER, zipf, 9.0),
        ({"digit_bits": 8, "small_sort": 2048}, zipf, 7.0),
        (synthetic.PARADIS_PAPER, f"{zipf},map=hashed", 8.0),
    ):
        paradis = case("paradis", "d", form, distribution, residency="host", threads=16, n=10**9)
        sorts.append(synthetic.measurement(paradis, seconds, 0.001, phases=[]))
    artifact = MAKERS["STE-F9b"](read_with_published(tmp_path, *sorts))
    times = points(artifact, "NVIDIA H200 and host, 16 threads", "seconds")
    assert times["PARADIS", "measured", 16] == pytest.approx(9, rel=0.01)
    assert times["PARADIS, tuned", "measured", 16] == pytest.approx(7, rel=0.01)
    hashed = points(artifact, "Zipf’s ranks hashed over all 64 bits", "seconds")
    assert hashed["PARADIS", "measured", 16] == pytest.approx(8, rel=0.01)
    assert times["HRS, paper’s form, merged by libstdc++", "measured", 16] == pytest.approx(4, rel=0.01)
    assert times["HRS, tuned, merged by libstdc++", "measured", 16] == pytest.approx(3, rel=0.01)
    title = "Published: Titan X; PARADIS on 32 cores"
    published = points(artifact, title, "seconds")
    assert published["heterogeneous", "published", 64] == 16 and published["PARADIS 32T", "published", 64] == 25.4
    # One size of hashed ranks is no curve.
    assert (
        len(artifact.picture.panels) == 1 and "hashed over all bits, which the CSV alone has" in artifact.caption.text
    )
    # Times that are printed nowhere stand apart.
    assert published["PARADIS 16T, by ratio", "published", 64] == pytest.approx(2.06 * 16)
    # No size is in both.
    assert "No size is in both" not in artifact.caption.text  # 16 GB
    uniform_here = MAKERS["STE-F9a"](read_with_published(tmp_path, from_host(16, 4.0, 2.0, 10**9)))
    assert "No size is in both: published are 64 GB, measured 16 GB." in uniform_here.legend
    more = from_host(16, 8.0, 2.0, 2 * 10**9, distribution=zipf, parameters={"sort": "stehle_hybrid_radix"})
    hashed = dict(residency="host", threads=16, n=2 * 10**9)
    second = case("paradis", "d", synthetic.PARADIS_PAPER, f"{zipf},map=hashed", **hashed)
    sorts.append(synthetic.measurement(second, 16.0, 0.001, phases=[]))
    wider = MAKERS["STE-F9b"](read_with_published(tmp_path, *sorts, more))
    here, hashed_here = wider.picture.panels
    assert [line.label for line in here.lines if line.voice == "published"][0] == "published: heterogeneous"
    assert not any(line.voice == "published" for line in hashed_here.lines)
    paper, tuned = (
        next(
            line
            for line in here.lines
            if line.label == f"HRS, {form}, merged by libstdc++" and line.voice == "measured"
        )
        for form in ("paper’s form", "tuned")
    )
    # The page shows 16 GB in 4 s as a rate, whose interval has its ends exchanged, and names a short line beside it.
    assert paper.y == [pytest.approx(4, rel=0.01)] and paper.low[0] < paper.y[0] < paper.high[0]
    assert paper.named_inside and not tuned.named_inside and paper.role != tuned.role
    of_figure_a = MAKERS["STE-F9a"](read(PUBLISHED))
    uniform = points(of_figure_a, title, "seconds")
    assert uniform["heterogeneous, by ratio", "published", 64] == pytest.approx(19.8 / 1.18)
    assert uniform["PARADIS 16T, by ratio", "published", 64] == pytest.approx(1.53 * 19.8 / 1.18)
    assert "PARADIS 16T" not in {series for series, _, _ in uniform} and "32 cores" in of_figure_a.caption.text
    # Both panels have the same sizes, so that one published size does not have an axis of its own.
    spans = {axes.get_xlim() for axes in artifact.picture.drawing(7).figure.axes}
    assert spans == {(2 - 0.25, 6 + 0.25)}  # log2 of 4 and 64 GB
    texts = [text.get_text() for text in artifact.picture.drawing(7).figure.texts]
    assert {"4", "8", "16", "32", "64"} <= set(texts)  # GB
    assert len({axes.get_ylim() for axes in artifact.picture.drawing(7).figure.axes}) == 1


@pytest.mark.parametrize("id_, letter", zip(ABLATIONS, "acbd"))
def test_what_an_optimisation_contributes_is_a_change_of_the_rate(tmp_path, id_, letter):
    full, off = hybrid(letter, "constant"), hybrid(letter, "constant", look_ahead=0)
    other = hybrid(letter, "constant", classes="one", merge_keys=0)
    released = hybrid(letter, "constant", lists="host")  # not the paper's form
    cells = [sorted_in(full, 10e-3), sorted_in(off, 12.5e-3), sorted_in(other, 40e-3), sorted_in(released, 1e-3)]
    cells += [synthetic.prediction(full, 10e-3), synthetic.prediction(off, 20e-3)]
    artifact = MAKERS[id_](read_with_published(tmp_path, *cells))
    deltas = points(artifact, ABLATED, CHANGE)
    assert deltas["no look-ahead", "measured", 0] == pytest.approx(-20, abs=0.5)
    assert deltas["no look-ahead, predicted", "predicted", 0] == pytest.approx(-50)
    assert deltas["no merge + single config", "measured", 0] == pytest.approx(-75, abs=0.5)
    missing = "No record here of: no thread red. histo; single local sort config; no bucket merging, or of"
    assert missing in artifact.caption.text and artifact.svg(WIDE)


LATER = {**synthetic.run_record(), "run": "20200102T000000Z-abcdef", "started": "2020-01-02T00:00:00Z"}


def of_later_run(record: dict) -> dict:
    return {**record, "run": LATER["run"]}


def test_each_rival_has_a_panel_of_its_own(tmp_path):
    """Two rivals over which the paper has HRS 1.28 and 1.29 times as fast are not in one panel."""
    tuned = case("stehle_hybrid_radix", "b", synthetic.HYBRID_TUNED)
    cells = [sorted_in(hybrid("b"), 10e-3), sorted_in(case("cub_radix_lsd", "b", synthetic.CUB_5BIT), 40e-3)]
    figure = MAKERS["STE-F10b"](read_with_published(tmp_path, *cells, sorted_in(tuned, 5e-3))).picture
    rates, *ratios = figure.panels
    assert rates.neutral is None and all(panel.neutral == 1 for panel in ratios)
    by_title = {panel.title: panel.lines for panel in ratios}
    cub_5, cub_7, multisplit, own = by_title.values()
    assert [list(by_title)[i].split()[-1] for i in (0, 1)] == ["1.5.1)", "1.6.4)"]
    assert [line.label for line in cub_5 if line.voice == "measured"] == ["measured"]
    assert "paper ≥ 1.28" in {line.label for line in cub_7}
    assert {"paper ≥ 1.29", "paper ≤ 1.62"} <= {line.label for line in multisplit}
    assert [line.label for line in own] == ["HRS, tuned"]


def test_sorts_and_ablations_are_compared_inside_one_run(tmp_path):
    """A newer run of HRS alone, on a slower day, leaves the older run's ratios as they are."""
    mine, off = hybrid("a", "constant"), hybrid("a", "constant", look_ahead=0)
    cub = case("cub_radix_lsd", "a", synthetic.CUB_5BIT, "constant")
    cells = [sorted_in(mine, 10e-3), sorted_in(cub, 20e-3), sorted_in(off, 12.5e-3)]
    records = read_with_published(tmp_path, LATER, *cells, of_later_run(sorted_in(mine, 40e-3)))
    ratios = points(MAKERS["STE-F6a"](records), OVER_OTHERS)
    assert ratios["CUB, 5 bits; paper ≥ 1.69", "measured", 0] == pytest.approx(2, rel=0.01)
    assert points(MAKERS["STE-F11"](records), ABLATED, CHANGE)["no look-ahead", "measured", 0] == pytest.approx(
        -20, abs=0.5
    )
    apart = read_with_published(tmp_path, LATER, sorted_in(mine, 10e-3), of_later_run(sorted_in(off, 12.5e-3)))
    assert points(MAKERS["STE-F11"](apart), ABLATED, CHANGE) == {}
    # A newer run of both takes their place.
    both = [
        of_later_run(sorted_in(mine, 10e-3)),
        of_later_run(sorted_in(cub, 30e-3)),
        of_later_run(sorted_in(off, 1.0)),
    ]
    ratios = points(MAKERS["STE-F6a"](read_with_published(tmp_path, LATER, *cells, *both)), OVER_OTHERS)
    assert ratios["CUB, 5 bits; paper ≥ 1.69", "measured", 0] == pytest.approx(3, rel=0.01)


def test_a_tuned_form_without_an_optimisation_is_not_the_tuned_form(tmp_path):
    tuned = case("stehle_hybrid_radix", "a", synthetic.HYBRID_TUNED)
    off = case("stehle_hybrid_radix", "a", {**synthetic.HYBRID_TUNED, "merge_keys": 0})
    artifact = MAKERS["STE-F6a"](read_with_published(tmp_path, sorted_in(tuned, 10e-3), sorted_in(off, 5e-3)))
    assert points(artifact, RATES)["HRS, tuned", "measured", 32] == pytest.approx(200, rel=0.01)


def test_a_tuned_form_is_ablated_beside_the_papers(tmp_path):
    cells = []
    for off, seconds in (({}, 10e-3), ({"look_ahead": 0}, 12.5e-3), ({"classes": "one", "merge_keys": 0}, 20e-3)):
        cells.append(
            sorted_in(case("stehle_hybrid_radix", "a", {**synthetic.HYBRID_TUNED, **off}, "constant"), seconds)
        )
    artifact = MAKERS["STE-F11"](read_with_published(tmp_path, *cells))
    deltas = points(artifact, "The tuned form", CHANGE)
    assert deltas["no look-ahead", "measured", 0] == pytest.approx(-20, abs=0.5)
    assert deltas["no merge + single config", "measured", 0] == pytest.approx(-50, abs=0.5)
    assert len(deltas) == 2 and points(artifact, ABLATED, CHANGE) == {}
    assert "at once (“no look-ahead”) or either" in artifact.legend and "bucket merging" not in artifact.legend


def shown_errors(records: Records) -> dict[str, list[dict]]:
    return {artifact.id: rows(artifact) for artifact in MADE["STE-ERROR-*"](records)}


def told(case_: dict, seconds: float, factor: float, phases: dict[str, tuple[float, float]] = {}) -> list[dict]:
    """A sort, and what its model says: of the whole by a factor, of each phase (measured, predicted)."""
    measured = [{"name": name, "pass": 0, "median_s": s, "begin_s": 0.0, "end_s": s} for name, (s, _) in phases.items()]
    said = [{"name": name, "pass": 0, "seconds": s, "binding": "dram", "work": {}} for name, (_, s) in phases.items()]
    sort = sorted_in(case_, seconds, phases=measured)
    predicted = synthetic.prediction(case_, factor * sort["median_s"], phases=said, model_kind="component")
    return [sort, predicted]


def test_model_errors_stand_by_form_and_type_and_phase(tmp_path):
    phases = {"histogram": (2e-3, 2.2e-3), "scatter": (4e-3, 3e-3)}
    cells = told(hybrid("a"), 10e-3, 1.1, phases) + told(hybrid("a", "constant"), 20e-3, 0.7)
    cells += told({**hybrid("a"), "n": 1 << 19}, 1e-4, 3.0)  # too few keys
    cells += told({**hybrid("a"), "n": 1 << 21}, 1e-3, 1.0, {"scatter": (1e-4, 9e-4)})  # too few for phases
    cells += told(case("stehle_hybrid_radix", "c", synthetic.HYBRID_TUNED), 10e-3, 1.2)
    cells += told(hybrid("a", look_ahead=0), 10e-3, 1.3)
    found = shown_errors(read_with_published(tmp_path, *cells))
    assert found.keys() == {"STE-ERROR-TYPES", "STE-ERROR-PHASES", "STE-ERROR-ABLATIONS"}
    types = {(row["form"], row["type"]): row for row in found["STE-ERROR-TYPES"]}
    assert types.keys() == {("paper’s form", "u32"), ("tuned", "u64"), ("other settings", "u32")}
    paper = types["paper’s form", "u32"]
    assert paper["points"] == "3" and float(paper["mean_absolute"]) == pytest.approx(0.4 / 3)
    assert float(paper["worst"]) == pytest.approx(-0.3) and paper["worst_distribution"] == "constant"
    assert float(types["tuned", "u64"]["signed"]) == pytest.approx(0.2)
    by_phase = {(row["form"], row["phase"]): row for row in found["STE-ERROR-PHASES"]}
    assert float(by_phase["paper’s form", "histogram"]["mean_absolute"]) == pytest.approx(0.1)
    assert float(by_phase["paper’s form", "scatter"]["signed"]) == pytest.approx(-0.25)
    assert float(by_phase["paper’s form", "scatter"]["share_of_the_sort"]) == pytest.approx(0.4, rel=0.01)
    fitted = synthetic.prediction(hybrid("a"), 10e-3, model_kind="fitted")
    assert shown_errors(read_with_published(tmp_path, sorted_in(hybrid("a"), 10e-3), fitted)) == {}
    assert shown_errors(Records()) == {}


def test_phases_that_are_short_in_their_sort_are_in_the_csv_alone(tmp_path):
    phases = {"histogram": (2e-3, 2.2e-3), "assign": (1e-4, 2e-4), "scatter": (4e-3, 3e-3)}
    records = read_with_published(tmp_path, *told(hybrid("a"), 10e-3, 1.1, phases))
    (artifact,) = [a for a in MADE["STE-ERROR-*"](records) if a.id == "STE-ERROR-PHASES"]
    assert {row["phase"] for row in rows(artifact)} == phases.keys()
    (bars,) = artifact.picture.panels[0].series
    assert bars.values.keys() == {"histogram", "scatter"}
    assert "less than 5 % of their sort" in artifact.caption.legend and "short: assign." in artifact.caption.notes


@pytest.mark.parametrize("off_by, near, sign", [(1.0, "1 of 1, 100 %", "yes"), (1.3, "0 of 1, 0 %", "no")])
def test_model_errors_of_ablations_are_in_percentage_points(tmp_path, off_by, near, sign):
    """Measured: a quarter more time, −20 % of the rate."""
    cells = told(hybrid("a", "constant"), 10e-3, 1.0) + told(hybrid("a", "constant", look_ahead=0), 12.5e-3, 1.0)
    cells[3]["seconds"] /= off_by
    records = read_with_published(tmp_path, *cells)
    (row,) = shown_errors(records)["STE-ERROR-ABLATIONS"]
    assert row["without"] == "no look-ahead" and float(row["measured_percent"]) == pytest.approx(-20, abs=0.5)
    assert float(row["difference_points"]) == pytest.approx(80 * off_by - 80, abs=0.6) and row["same_sign"] == sign
    (artifact,) = [a for a in MADE["STE-ERROR-*"](records) if a.id == "STE-ERROR-ABLATIONS"]
    assert f"Points within that: {near} (STE-F11: {near})" in artifact.caption.text and artifact.svg(NARROW)


def test_heterogeneous_sorts_have_a_model_error_of_their_own(tmp_path):
    sort = from_host(16, 1.0, 0.5)
    records = read_with_published(tmp_path, sort, synthetic.prediction(sort["case"], 1.12, model_kind="component"))
    (row,) = shown_errors(records)["STE-ERROR-TYPES"]
    assert row["form"] == "heterogeneous" and float(row["mean_absolute"]) == pytest.approx(0.12, abs=0.005)
