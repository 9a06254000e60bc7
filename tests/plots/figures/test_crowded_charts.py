"""Charts of many lines: leaders, names and marks that cross nothing, bars joined to their points, an axis that cuts."""

import itertools
import math

import pytest
from matplotlib.text import Text

from plots.figures import style
from plots.figures.bars import BarPanel, Bars, Series
from plots.figures.chart import Chart, Line, Panel
from plots.figures.layout import NARROW, WIDE
from plots.figures.line_names import Box, leader_around
from plots.figures.stacks import Stack, StackPanel, Stacks
from plots.records.number import Number

NAME = Box(10.0, 0.0, 50.0, 8.0)


@pytest.mark.parametrize("end, is_straight", [((90.0, 4.0), False), ((90.0, 60.0), True)])
def test_a_leader_goes_around_a_name(end, is_straight):
    way = leader_around([NAME], (0.0, 4.0), end)
    assert (len(way) == 2) == is_straight and (way[0], way[-1]) == ((0.0, 4.0), end)
    assert not any(NAME.is_crossed(*stretch) for stretch in itertools.pairwise(way))
    assert sum(math.dist(*stretch) for stretch in itertools.pairwise(way)) < 1.2 * math.dist((0.0, 4.0), end)


def test_a_leader_is_not_hidden_below_a_line():
    """CPU2026-N-16T, u32 + u32: above the name paradis the leader came to lie below another line."""
    above = [(float(x), 10.0) for x in range(8, 90, 2)]
    (_, *bends, _) = leader_around([NAME], (0.0, 4.5), (90.0, 4.5), above)
    assert bends and all(y < 4.5 for _, y in bends) and leader_around([NAME], (0.0, 4.5), (90.0, 4.5))[1][1] > 4.5


def test_a_leader_that_nothing_frees_is_straight():
    assert leader_around([NAME], (20.0, 4.0), (90.0, 4.0)) == [(20.0, 4.0), (90.0, 4.0)]


def test_leaders_avoid_the_names_inside_of_the_panel():
    """CPU2026-N-16T, u64 + u64: the leader to satish_cpu_merge went through the name x86_simd_sort."""
    x, ends = [20.0, 24.0], {"x86_simd_sort": 4.1, "satish_cpu_merge": 3.55, "parlaylib_integer_sort": 3.5}
    lines = [Line(name, f"series-{i + 2}", x=x, y=[3.0, end]) for i, (name, end) in enumerate(ends.items())]
    lines.append(Line("msd_radix_cpu", "series-1", x=[20.0, 27.0], y=[1.5, 1.5], strong=True))
    lines.append(Line("far above", "axis", x=x, y=[20.0, 20.0], labelled=False))
    figure = Chart([Panel("p", lines)] * 4, "ns", log=True).drawing(WIDE).figure
    axes = figure.axes[0]
    box = axes.get_window_extent()
    names = [text.get_window_extent() for text in figure.findobj(Text) if text.get_text() in ends]
    within = [Box(b.x0, b.y0, b.x1, b.y1) for b in names if b.x0 < box.x1 and b.y0 > box.y0]
    (dotted,) = [one for one in axes.lines if one.get_linewidth() == 0.6 and one.is_dashed()]
    points = [tuple(axes.transAxes.transform(at)) for at in zip(dotted.get_xdata(), dotted.get_ydata())]
    stretches = [pair for pair in itertools.pairwise(points) if not math.isnan(pair[0][0] + pair[1][0])]
    assert within and max(abs(b[0] - a[0]) for a, b in stretches) > 50
    assert not any(name.is_crossed(*stretch) for name in within for stretch in stretches)


def test_a_bar_beside_its_point_is_joined_to_it():
    """SAT-F1: the bar of one line was read as that of another."""
    lines = [Line(f"{i}", f"series-{i + 1}", x=[16, 18], y=[2.0, 2.0], low=[1, 1], high=[3, 3]) for i in range(3)]
    (axes,) = Chart([Panel("", lines)], "s").drawing(WIDE).figure.axes
    strokes = [one for one in axes.lines if one.get_linewidth() == 1.0]
    assert len(strokes) == 3
    for one in strokes:
        x, y = one.get_xdata(), one.get_ydata()
        assert {x[0], x[3]} == {16, 18} and {y[0], y[1]} == {2.0}


def test_names_of_marks_cross_no_other_mark():
    """LEI-LEVELS: the right one of two dotted lines went through the name of the left one."""
    marks = ((29.0, "last quicksort gone, 32/32 pairs"), (33.0, "last quicksort gone, 64-bit keys"))
    line = Line("a", "series-1", x=[8.0, 34.0], y=[1.0, 2.0])
    figure = Chart([Panel("", [line], marks=marks)] * 4, "s", columns=2).drawing(WIDE).figure
    axes = figure.axes[0]
    names = [text.get_window_extent() for text in figure.texts if text.get_text().startswith("last")][:2]
    upright = [one for one in axes.lines if len(set(one.get_xdata())) == 1 and one.is_dashed()]
    assert len(upright) == len(names) == 2
    for one in upright:
        x = axes.transData.transform((one.get_xdata()[0], 1))[0]
        top = axes.transAxes.transform((0, one.get_ydata()[1]))[1]
        assert not any(box.x0 < x < box.x1 and top > box.y0 + 1 for box in names)


def test_a_line_leaves_an_axis_that_cuts_it():
    line = Line("a", "series-1", x=[16.0, 17.0], y=[1.0, 4.0], dotless=(1,))
    chart = Chart([Panel("", [line, Line("b", "series-2", x=[16.0], y=[9.0])], ceiling=4.0)], "s", log=True)
    (axes,) = chart.drawing(WIDE).figure.axes
    assert axes.get_ylim()[1] == 4.0 and "4" in [text.get_text() for text in axes.figure.texts]
    (drawn,) = [one for one in axes.lines if list(one.get_xdata()) == [16.0, 17.0]]
    assert drawn.get_markevery() == [0]


def test_names_at_the_top_stand_below_the_name_of_the_y_axis():
    """CPU-u32-1T, g_group: the names of two lines that leave the axis lay on “times as long as …”."""
    lines = [
        Line(f"boost_flat_stable_sort {i} ↑ 13.0 at 2¹⁸", f"series-{i + 2}", x=[16, 17], y=[1.0, 4.0]) for i in range(2)
    ]
    lines.append(Line("long", "series-1", x=[16, 22], y=[1.0, 1.0]))
    panel = Panel("p", lines, "times as long as msd_radix_cpu, which takes 1.78 to 3.45 ns per key", ceiling=4.0)
    figure = Chart([panel] * 9, "s", log=True).drawing(WIDE).figure
    axis, *_ = [t.get_window_extent() for t in figure.texts if t.get_text().startswith("times as long")]
    names = [t.get_window_extent() for t in figure.texts if "↑" in t.get_text()]
    assert names and not any(axis.overlaps(name) for name in names)


def test_parts_of_a_bar_differ_and_a_mark_is_seen_on_each():
    """PHASES-sintorn_hybrid_sort: two browns, two blues, and black dashes on dark grey."""

    def rgb(role: str, theme: int) -> list[int]:
        text = style.COLOURS[role][theme]
        return [int(text[i : i + 2], 16) for i in (1, 3, 5)]

    for theme in (0, 1):
        colours = [rgb(style.part(i), theme) for i in range(10)]
        assert min(math.dist(a, b) for a, b in itertools.combinations(colours, 2)) > 40
    series = Series("a", "series-7")
    series.values["c"], series.predicted["c"] = Number(2.0), Number(1.0)
    (axes,) = Bars([BarPanel("", [series])], ["c"], "s").drawing(WIDE).figure.axes
    under, dashes = [one for one in axes.lines if list(one.get_ydata()) == [1.0, 1.0]]
    assert under.get_color() == style.COLOURS["ground"][0] and not under.is_dashed() and dashes.is_dashed()
    assert under.get_linewidth() > dashes.get_linewidth() and under.get_zorder() < dashes.get_zorder()


def test_series_differ_in_colour():
    """SAT-F2: radix sort in the paper’s form and tuned were two blues."""
    for theme in (0, 1):
        values = [style.COLOURS[style.series(i)][theme] for i in range(style.SERIES)]
        colours = [[int(text[i : i + 2], 16) for i in (1, 3, 5)] for text in values]
        assert min(math.dist(a, b) for a, b in itertools.combinations(colours, 2)) > 50


def test_names_of_lines_that_left_at_the_top_stand_at_the_right():
    """GPU-u64-u64, constant keys: the axis's end struck names through, and a leader crossed the y axis's name."""
    ends = {17.2: "first ↑ 25.2 at 2²⁸", 17.3: "second ↑ 10.2 at 2²⁰", 18.2: "third ↑ 35.6 at 2²⁸"}
    lines = [
        Line(name, f"series-{i + 2}", x=[16.0, end], y=[4.0, 5.0], dotless=(1,))
        for i, (end, name) in enumerate(ends.items())
    ]
    lines.append(Line("msd_radix_gpu", "series-1", x=[16.0, 28.0], y=[1.0, 1.0], strong=True))
    figure = Chart([Panel("p", lines, ceiling=5.0)] * 3, "times", log=True).drawing(WIDE).figure
    axes = figure.axes[0]
    box = axes.get_window_extent()
    names = [text.get_window_extent() for text in figure.texts if text.get_text() in ends.values()][:3]
    assert len(names) == 3 and all(name.x0 > box.x1 and name.y1 < box.y1 + 10 for name in names)
    assert not [one for one in axes.lines if one.get_linewidth() == 0.6 and one.is_dashed()]


def test_names_of_lines_that_left_at_the_top_stand_above_those_that_did_not():
    """GPU-u64, constant keys: cub_merge, which ends at 7.5 times, stood above two that leave at 8."""
    ends = {17.8: "first ↑ 16 at 2²⁸", 18.4: "second ↑ 17 at 2²⁸"}
    lines = [
        Line(f, f"series-{i + 2}", x=[16.0, e], y=[4.0, 5.0], dotless=(1,)) for i, (e, f) in enumerate(ends.items())
    ]
    lines.append(Line("a name that has no room beside it", "series-5", x=[16.0, 17.0], y=[3.0, 4.9]))
    lines.append(Line("msd_radix_gpu", "series-1", x=[16.0, 20.0], y=[1.0, 1.0], strong=True))
    figure = Chart([Panel("p", lines, ceiling=5.0)] * 3, "times", log=True).drawing(WIDE).figure
    heights = {text.get_text(): text.get_position()[1] for text in figure.texts}
    assert heights[lines[2].label] < min(heights[name] for name in ends.values())


def test_a_band_does_not_narrow_to_a_point_without_an_interval():
    """STE-F9a: the band of the first size ended at the second, of which there was one sample."""
    none = [None] * 3
    line = Line("a", "series-1", x=[2.0, 3.0, 4.0], y=[2.0] * 3, low=[1.0, *none[:2]], high=[3.0, *none[:2]])
    (axes,) = Chart([Panel("", [line])], "s").drawing(WIDE).figure.axes
    (bar,) = [one for one in axes.lines if list(one.get_xdata()) == [2.0, 2.0]]
    assert list(bar.get_ydata()) == [1.0, 3.0] and not axes.patches
    line = Line("a", "series-1", x=[2.0, 3.0, 4.0], y=[2.0] * 3, low=[1.0, 1.0, None], high=[3.0, 3.0, None])
    (axes,) = Chart([Panel("", [line])], "s").drawing(WIDE).figure.axes
    (band,) = axes.patches
    assert {x for x, _ in band.get_xy()} == {2.0, 3.0}


def test_intervals_look_alike_in_all_panels():
    """MODEL-ERROR: one panel had bands and the others bars, and the bands were taken for something else."""
    crowd = [Line(f"{i}", f"series-{i + 1}", x=[16, 18], y=[2.0, 2.0], low=[1, 1], high=[3, 3]) for i in range(3)]
    for axes in Chart([Panel("", crowd), Panel("", crowd[:1])], "s").drawing(WIDE).figure.axes:
        assert not axes.patches and [one for one in axes.lines if one.get_linewidth() == 1.0]


def test_a_bound_has_no_points_and_a_line_that_leaves_has_an_arrowhead():
    bound = Line("paper ≥ 2", "ink", "published", x=[0.0, 32.0], y=[2.0, 2.0], dotless=(0, 1))
    left = Line("a", "series-1", x=[16.0, 17.0], y=[1.0, 4.0], dotless=(1,))
    (axes,) = Chart([Panel("", [bound, left], ceiling=4.0)], "s", log=True).drawing(WIDE).figure.axes
    (drawn,) = [one for one in axes.lines if list(one.get_xdata()) == [0.0, 32.0] and one.is_dashed()]
    assert drawn.get_markevery() == []
    (head,) = [one for one in axes.lines if one.get_marker() == "^"]
    assert (list(head.get_xdata()), list(head.get_ydata())) == ([17.0], [4.0])


def test_bars_whose_names_would_overlap_lie_behind_them():
    """ELSEWHERE-CELLS: slanted names were hard to read, and hard to give to their bars."""
    names = [f"a sort with a long name, number {i}" for i in range(6)]
    one, other = Series("published", "published", "published"), Series("measured", "series-1")
    for i, name in enumerate(names):
        one.add(name, 1.0 + i)
        one.predict(name, 1.1 + i)
        other.add(name, 2.0)
    for width in (WIDE, NARROW):
        figure = Bars([BarPanel("p", [one, other]), BarPanel("q", [one])], names, "times").drawing(width).figure
        texts = [text for text in figure.texts if text.get_text() in names]
        assert len(texts) == 12 and all(text.get_rotation() == 0 for text in texts)
        boxes = [text.get_window_extent() for text in texts]
        assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))
        assert min(box.x0 for box in boxes) >= 0
        first, second = figure.axes
        assert len(first.patches) == 12 and len(second.patches) == 6
        assert sorted({patch.get_width() for patch in second.patches}) == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert first.get_position().height > second.get_position().height  # each box ends below its own last bar


def test_names_below_stacked_bars_are_in_lines_where_they_are_long():
    """STE-F8: names of all panels were slanted for those of one; PHASES: so were numbers of elements."""
    long, short = ["CUB, 5 bits (as 1.5.1)", "HRS, paper’s form"], ["s = 1", "s = 2"]
    panels = [StackPanel(names[0], [Stack(name, {"a": 1.0}) for name in names * 2]) for names in (long, short)]
    figure = Stacks(panels * 2, {"a": "series-1"}, "ms", columns=4).drawing(WIDE).figure
    texts = [text for text in figure.texts if text.get_text() in ("CUB, 5", "bits (as", "1.5.1)", "s = 1")]
    assert len(texts) > 4 and all(text.get_rotation() == 0 for text in texts)
    millions = [Stack(n * 10**6, {"a": 1.0}) for n in (16, 64, 250, 500, 1000)]
    picture = Stacks([StackPanel("p", millions)] * 3, {"a": "series-1"}, "ns", x_label="number n of elements")
    names = [text.get_text() for text in picture.drawing(WIDE).figure.texts]
    assert names.count("500") == 3 and "n, 10⁶ elements" in names and "500\u2009000\u2009000" not in names


def test_a_part_that_no_bar_shows_is_not_in_the_legend():
    """PHASES-msd_radix_cpu: nobody found the colour of the sortedness check."""
    stacks = [Stack("a", {"check": 0.01, "sort": 2.0}), Stack("b", {"check": 0.02, "sort": 2.0})]
    picture = Stacks([StackPanel("p", stacks)], {"check": "series-1", "sort": "series-2"}, "ns")
    (axes,) = picture.drawing(WIDE).figure.axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["sort"] and picture.unseen == ["check"]
