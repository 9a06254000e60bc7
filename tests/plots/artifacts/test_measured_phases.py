"""PHASES-*: the phases of each sort that reports several, predicted or not."""

from pathlib import Path
from typing import Any

import pytest
import synthetic_records as synthetic

from plots.artifacts.own import measured_phases
from plots.records.collection import read


def phases(**seconds: float) -> list[dict[str, Any]]:
    """Each phase in two passes of half of its time."""
    return [
        {"name": name, "pass": p, "median_s": s / 2, "begin_s": 0.0, "end_s": s / 2}
        for name, s in seconds.items()
        for p in range(2)
    ]


def made(tmp_path: Path, *records: dict[str, Any]):
    file = synthetic.write(tmp_path / "records.jsonl", [synthetic.run_record(), *records])
    return {artifact.id: artifact for artifact in measured_phases.make(read([file]))}


def stacks(artifact) -> dict[str, dict[str, dict[str, float]]]:
    """Parts by panel and category."""
    return {panel.title: {s.name: s.parts for s in panel.stacks} for panel in artifact.picture.panels}


def sort(algorithm: str, n: int, seconds: float, parts: dict[str, float], **changes: Any) -> dict[str, Any]:
    return synthetic.measurement(synthetic.case(algorithm, n, **changes), seconds, 0, phases=phases(**parts))


def test_passes_are_added_up_and_the_rest_is_shown(tmp_path):
    (artifact,) = made(tmp_path, sort("satish_cpu_radix", 1 << 20, 4e-3, {"histogram": 1e-3, "scatter": 2e-3})).values()
    assert artifact.id == "PHASES-satish_cpu_radix"
    parts = stacks(artifact)["u32, 1 thread"]["2²⁰"]
    scale = 1e9 / (1 << 20)
    assert parts == pytest.approx(
        {"histogram": 1e-3 * scale, "scatter": 2e-3 * scale, "outside of phases": 1e-3 * scale}
    )
    assert sum(parts.values()) == pytest.approx(4e-3 * scale)


def test_a_prediction_is_marked_where_there_is_one(tmp_path):
    measured = [sort("satish_cpu_radix", n, 4e-3, {"histogram": 1e-3, "scatter": 2e-3}) for n in (1 << 18, 1 << 20)]
    predicted = synthetic.prediction(measured[1]["case"], 5e-3)
    (artifact,) = made(tmp_path, *measured, predicted).values()
    marks = [stack.predicted for panel in artifact.picture.panels for stack in panel.stacks]
    assert marks[0] is None and marks[1].value == pytest.approx(5e-3 * 1e9 / (1 << 20))


def test_a_panel_has_one_setting_and_sizes_that_are_powers_of_two(tmp_path):
    parts = {"histogram": 1e-3, "scatter": 2e-3}
    tuned = {**synthetic.PAPER_FORM, "digit_bits": 11}
    sizes = [1 << 18, 1 << 20, 1 << 22, 1 << 24, 3 << 22]
    cells = [sort("satish_cpu_radix", n, 4e-3, parts, parameters=tuned) for n in sizes]
    cells.append(sort("satish_cpu_radix", 1 << 26, 9e-3, parts, parameters=synthetic.PAPER_FORM))
    (artifact,) = made(tmp_path, *cells).values()
    assert {title: list(of) for title, of in stacks(artifact).items()} == {
        "u32, 1 thread": ["2¹⁸", "2²⁰", "2²²", "2²⁴"]
    }
    assert "digit_bits=11" in artifact.caption.text and "digit_bits=8" not in artifact.caption.text


def test_single_and_overlapping_phases_are_left_out(tmp_path):
    single = sort("vqsort", 1 << 20, 4e-3, {"sort": 3e-3})
    overlapping = sort("satish_cpu_radix", 1 << 20, 4e-3, {"copy": 3e-3, "sort": 3e-3})
    other_input = sort("satish_cpu_radix", 1 << 22, 4e-3, {"histogram": 1e-3, "scatter": 2e-3}, distribution="sorted")
    assert made(tmp_path, single, overlapping, other_input) == {}


def test_a_panel_spans_the_sizes_and_few_kinds_are_shown(tmp_path):
    parts = {"histogram": 1e-3, "scatter": 2e-3}
    many = [sort("satish_cpu_radix", 1 << bits, 4e-3, parts) for bits in range(16, 27)]
    kinds = [
        sort("satish_cpu_radix", 1 << 20, 4e-3, parts, key_type="u64", threads=threads) for threads in (1, 2, 4, 8)
    ]
    (artifact,) = made(tmp_path, *many, *kinds).values()
    panels = stacks(artifact)
    assert len(panels) == 3
    assert list(panels["u32, 1 thread"]) == ["2¹⁶", "2¹⁸", "2²¹", "2²⁴", "2²⁶"]
    assert {row[1] for row in artifact.rows if row[0] == "u32, 1 thread"} == {1 << k for k in (16, 18, 21, 24, 26)}


@pytest.mark.parametrize("slow, own", [(2.0, False), (9.0, True)])
def test_panels_far_apart_have_their_own_scales_and_the_caption_says_so(tmp_path, slow, own):
    cells = [
        sort("satish_cpu_radix", n, seconds, {"histogram": 0.4 * seconds, "scatter": 0.5 * seconds}, threads=threads)
        for n in (1 << 20, 1 << 22)
        for threads, seconds in ((1, slow * 1e-3), (2, 1e-3))
    ]
    (artifact,) = made(tmp_path, *cells).values()
    assert artifact.picture.own_spans == own
    assert ("own scale" in artifact.caption.text) == own
    assert all(title.endswith("(own scale)") == own for title in stacks(artifact))


def test_bars_of_very_different_heights_are_shares_with_the_time_above(tmp_path):
    """2²⁰ keys take 10 ns each, 2²⁴ keys 1 ns each."""
    cells = [
        sort("satish_cpu_radix", n, s * n, {"histogram": 0.4 * s * n, "scatter": 0.6 * s * n})
        for n, s in ((1 << 20, 10e-9), (1 << 24, 1e-9))
    ]
    predicted = synthetic.prediction(cells[1]["case"], 1.2e-9 * (1 << 24))
    (artifact,) = made(tmp_path, *cells, predicted).values()
    (panel,) = artifact.picture.panels
    assert [stack.parts["histogram"] for stack in panel.stacks] == pytest.approx([40, 40])
    assert [stack.total for stack in panel.stacks] == pytest.approx([10, 1])
    # The axis is of shares alone: the predicted time is a number in brackets below the measured one.
    assert panel.stacks[1].predicted.value == pytest.approx(1.2) and artifact.picture.predicted_above
    (axes,) = artifact.picture.drawing(7).figure.axes
    above = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert above["1.00"] > above["(1.20)"] > 100 and above["10.0"] < above["1.00"]
    assert not [line for line in axes.lines if line.is_dashed()]
    assert artifact.caption.legend.startswith("Share of each phase in the time of")
    # The axis of shares ends at 100, whatever room the legend and the marks take.
    labels = {text.get_text() for text in artifact.picture.drawing(7).figure.texts}
    assert "100" in labels and not labels & {"120", "125", "150"}
    assert [row[4] for row in artifact.rows if row[3] == "histogram"] == pytest.approx([4, 0.4])  # ns per element


def test_a_phase_that_takes_nearly_all_is_drawn_and_told_in_words(tmp_path):
    """It was once left out so that the others were seen, and a figure of a sort's phases lacked the main one."""
    cells = [
        sort("satish_cpu_radix", n, s * n, {"histogram": (1 - most) * s * n, "scatter": most * s * n})
        for n, s, most in ((1 << 20, 10e-9, 0.75), (1 << 24, 1e-9, 0.98))
    ]
    (artifact,) = made(tmp_path, *cells, synthetic.prediction(cells[1]["case"], 1.2e-9 * (1 << 24))).values()
    (panel,) = artifact.picture.panels
    assert [dict(stack.parts) for stack in panel.stacks] == [
        {"histogram": pytest.approx(25), "scatter": pytest.approx(75)},
        {"histogram": pytest.approx(2), "scatter": pytest.approx(98)},
    ]
    assert "“scatter” takes 75.0 to 98.0 %." in artifact.caption.legend


def test_phases_that_add_up_to_more_than_the_sort_are_shares_of_their_sum(tmp_path):
    """Each phase is a median of its own: here they take 1.05 times the sort."""
    cells = [
        sort("satish_cpu_radix", n, s * n, {"histogram": 0.42 * s * n, "scatter": 0.63 * s * n})
        for n, s in ((1 << 20, 10e-9), (1 << 24, 1e-9))
    ]
    (artifact,) = made(tmp_path, *cells).values()
    (panel,) = artifact.picture.panels
    assert [sum(stack.parts.values()) for stack in panel.stacks] == pytest.approx([100, 100])
    assert [stack.total for stack in panel.stacks] == pytest.approx([10, 1])  # the sort's, and not the phases' sum
    assert "in 2 of 2 bars they add up to more than the sort’s median" in artifact.caption.text


def test_all_panels_are_of_one_setting(tmp_path):
    """Buffers of 4 lines on 2 threads beside 2 lines on 4 looked like an effect of the threads."""
    parts = {"histogram": 1e-3, "scatter": 2e-3}
    cells = [
        sort("satish_cpu_radix", n, 4e-3, parts, parameters={"lines": lines}, threads=threads)
        for n in (1 << 18, 1 << 20)
        for threads, lines in ((2, 4), (4, 2), (8, 2))
    ]
    (artifact,) = made(tmp_path, *cells).values()
    assert list(stacks(artifact)) == ["u32, 4 threads", "u32, 8 threads"]
    notes = artifact.caption.notes
    assert "one setting (lines=2)" in notes and "Not shown" in notes and "settings: u32, 2 threads." in notes


def test_all_panels_are_of_one_commit_the_newest_of_those_with_as_many(tmp_path):
    parts = {"histogram": 1e-3, "scatter": 2e-3}

    def run(day: int, seconds: float, *threads: int) -> list[dict[str, Any]]:
        begin = synthetic.run_record()
        begin |= {"run": f"203001{day:02}T000000Z-abcdef", "started": f"2030-01-{day:02}T00:00:00Z"}
        begin["build"] = {**begin["build"], "commit": f"{day:010}" + 30 * "0"}
        cells = [sort("satish_cpu_radix", 1 << 20, seconds, parts, threads=count) for count in threads]
        return [begin, *({**cell, "run": begin["run"]} for cell in cells)]

    records = [*run(1, 4e-3, 1, 2), *run(2, 5e-3, 1, 2), *run(3, 6e-3, 2)]
    file = synthetic.write(tmp_path / "records.jsonl", records)
    everything = read([file])
    (artifact,) = measured_phases.make(everything.on(everything.machine_of_choice(None)))
    assert list(stacks(artifact)) == ["u32, 1 thread", "u32, 2 threads"]
    wholes = [stack.total for panel in artifact.picture.panels for stack in panel.stacks]
    assert wholes == pytest.approx([5e6 / (1 << 20)] * 2, rel=0.01)


def test_a_bar_is_as_high_as_its_number_and_the_legend_says_that_its_phases_add_up_to_more(tmp_path):
    cells = [
        sort("satish_cpu_radix", n, n * 1e-9, {"histogram": 0.5 * n * 1e-9, "scatter": part * n * 1e-9})
        for n in (1 << 20, 1 << 22)
        for part in (0.55,)
    ]
    (artifact,) = made(tmp_path, *cells).values()
    assert "which add up to as much as 5.0 % more and are drawn in proportion" in artifact.legend
    stacks = [stack for panel in artifact.picture.panels for stack in panel.stacks]
    assert all(stack.whole <= 1.000001 * stack.total for stack in stacks)
    exact = [sort("satish_cpu_radix", 1 << 20, 4e-3, {"histogram": 1e-3, "scatter": 2e-3})]
    (artifact,) = made(tmp_path, *exact).values()
    assert "in proportion" not in artifact.legend


def test_sizes_that_are_powers_of_two_are_exponents(tmp_path):
    parts = {"histogram": 1e-3, "scatter": 2e-3}
    cells = [sort("satish_cpu_radix", 1 << k, 4e-3, parts) for k in (26, 28)]
    (artifact,) = made(tmp_path, *cells).values()
    texts = {text.get_text() for text in artifact.picture.drawing(7).figure.texts}
    assert {"26", "28", "log₂ n"} <= texts and "2²⁶" not in texts


def test_a_phase_whose_name_says_too_little_is_explained(tmp_path):
    """PHASES-msd_radix_gpu: “levels”."""
    (artifact,) = made(tmp_path, sort("satish_cpu_radix", 1 << 20, 4e-3, {"levels": 1e-3, "scatter": 2e-3})).values()
    assert "“levels” splits buckets again" in artifact.legend and "“scatter”" not in artifact.legend
