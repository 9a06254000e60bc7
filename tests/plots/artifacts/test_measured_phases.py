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
        "u32, 1 thread, digit_bits=11": ["2¹⁸", "2²⁰", "2²²", "2²⁴"]
    }
    assert "digit_bits=11" in artifact.caption.text and "digit_bits=8" not in artifact.caption.text
    long = {**tuned, "buffer_lines_log2": 4, "flush": "avx512"}
    cells[:5] = [sort("satish_cpu_radix", n, 4e-3, parts, parameters=long) for n in sizes]
    (artifact,) = made(tmp_path, *cells).values()
    assert list(stacks(artifact)) == ["u32, 1 thread"] and "flush=avx512" in artifact.caption.text


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


def test_a_phase_that_takes_nearly_all_is_told_in_words_so_that_the_others_are_seen(tmp_path):
    cells = [
        sort("satish_cpu_radix", n, s * n, {"histogram": (1 - most) * s * n, "scatter": most * s * n})
        for n, s, most in ((1 << 20, 10e-9, 0.75), (1 << 24, 1e-9, 0.98))
    ]
    (artifact,) = made(tmp_path, *cells, synthetic.prediction(cells[1]["case"], 1.2e-9 * (1 << 24))).values()
    (panel,) = artifact.picture.panels
    assert [dict(stack.parts) for stack in panel.stacks] == [
        {"histogram": pytest.approx(25)},
        {"histogram": pytest.approx(2)},
    ]
    assert "“scatter” takes 75.0 to 98.0 % of the time" in artifact.caption.legend
    assert artifact.picture.y_label == "% of the time; “scatter” takes the rest of 100 %"
    figure = artifact.picture.drawing(7).figure
    labels = {text.get_text() for text in figure.texts}
    assert "20" in labels and "100" not in labels
    # The number above a bar is its height, and not the time of the whole sort.
    assert {text.get_text() for text in figure.axes[0].texts} == {"25.0", "2.00"}
    assert {row[3] for row in artifact.rows} >= {"histogram", "scatter"}  # the CSV has all


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


def test_panels_of_different_settings_say_which(tmp_path):
    """The paper's buffers of 4 lines on 2 threads, of 2 lines on 4: no effect of the threads."""
    parts = {"histogram": 1e-3, "scatter": 2e-3}
    longer = {"digit_bits": 8, "flush": "a very long name of a way of flushing"}
    for one, other, wanted in (
        ({"lines": 4}, {"lines": 2}, ["u32, 2 threads, lines=4", "u32, 4 threads, lines=2"]),
        ({"lines": 4}, {"lines": 4}, ["u32, 2 threads", "u32, 4 threads"]),
        ({"lines": 4}, longer, ["u32, 2 threads, lines=4", "u32, 4 threads, setting 2"]),
    ):
        cells = [
            sort("satish_cpu_radix", n, 4e-3, parts, parameters=parameters, threads=threads)
            for n in (1 << 18, 1 << 20)
            for threads, parameters in ((2, one), (4, other))
        ]
        (artifact,) = made(tmp_path, *cells).values()
        assert list(stacks(artifact)) == wanted


def test_the_legend_says_that_a_bar_is_higher_than_its_number(tmp_path):
    cells = [
        sort("satish_cpu_radix", n, n * 1e-9, {"histogram": 0.5 * n * 1e-9, "scatter": part * n * 1e-9})
        for n in (1 << 20, 1 << 22)
        for part in (0.55,)
    ]
    (artifact,) = made(tmp_path, *cells).values()
    assert "whose sum, the bar, is up to 5.0 % higher" in artifact.legend
    exact = [sort("satish_cpu_radix", 1 << 20, 4e-3, {"histogram": 1e-3, "scatter": 2e-3})]
    (artifact,) = made(tmp_path, *exact).values()
    assert "higher" not in artifact.legend


def test_sizes_that_are_powers_of_two_are_exponents(tmp_path):
    parts = {"histogram": 1e-3, "scatter": 2e-3}
    cells = [sort("satish_cpu_radix", 1 << k, 4e-3, parts) for k in (26, 28)]
    (artifact,) = made(tmp_path, *cells).values()
    texts = {text.get_text() for text in artifact.picture.drawing(7).figure.texts}
    assert {"26", "28", "log₂ n"} <= texts and "2²⁶" not in texts
