"""Figures: axes, lines, labels and files as drawn by Matplotlib."""

import re

import matplotlib
import pytest
from matplotlib.patches import Polygon
from matplotlib.text import Text

from plots.figures import chart, latex, style
from plots.figures import svg
from plots.figures.bars import BarPanel, Bars, Series
from plots.figures.grid import Grid, GridCell, GridColumn
from plots.figures.heat import Heat, HeatCell, HeatPanel, differences, ratio_text
from plots.records.statistics import Interval
from plots.figures.layout import NARROW, WIDE, Cell, empty, put, text_width
from plots.figures.ticks import linear_y_axis
from plots.artifacts.own import model_error
from plots.artifacts.satish2010 import sat_f1, sat_f2, sat_t1
from plots.records.caption import Caption
from plots.records.number import Number
from plots.figures.stacks import Stack, StackPanel, Stacks
from plots.figures.artifact import draw, from_picture, looks_text
from plots.figures.chart import VOICES, Chart, Line, Panel

LEADER = 0.6  # points, thickness of the line from a name to the line that it names


def draw_panel(line: Line, width: float = WIDE, **chart):
    """The axes of a chart of one line."""
    (axes,) = Chart([Panel("", [line])], "y", **chart).drawing(width).figure.axes
    return axes


def test_a_users_matplotlibrc_changes_nothing():
    """Not the one of the current folder either, from which Matplotlib reads its settings as it is imported."""
    picture = Chart(
        [Panel("", [Line("one", "series-1", x=[1.0, 2.0], y=[1.0, 2.0], low=[1.0, 1.0], high=[2.0, 2.0])])], "y"
    )

    def drawn():
        with style.applied():
            figure = picture.drawing(WIDE).figure
            axes = figure.axes[0]
            return axes.xaxis.get_major_ticks()[0].tick1line.get_markersize(), axes.get_axisbelow(), figure.dpi

    plain = drawn()
    with matplotlib.rc_context({"xtick.major.size": 40, "axes.axisbelow": False, "figure.dpi": 33}):
        assert drawn() == plain


def test_a_wide_axis_has_few_ticks():
    line = Line("one", "series-1", x=[0.0, 64.0], y=[1.0, 2.0], low=[1.0, 2.0], high=[1.0, 2.0])
    assert list(draw_panel(line, x_label="bits").get_xticks()) == list(range(0, 65, 8))


def test_a_linear_axis_has_round_ticks():
    def ticks(low, high):
        axes = empty(4, 3).add_axes(Cell(0, 0, 4, 3))
        linear_y_axis(axes, low, high)
        shown = [at for at in axes.get_yticks() if low <= at <= high]
        return axes.yaxis.get_major_formatter().format_ticks(shown)

    assert ticks(0, 1) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert ticks(0, 31) == ["0", "5", "10", "15", "20", "25", "30"]
    assert ticks(-3, 4) == ["−3", "−2", "−1", "0", "1", "2", "3", "4"]
    assert ticks(0, 3e6)[:3] == ["0", "5·10⁵", "1·10⁶"]


def test_lines_stand_where_their_values_are():
    line = Line("one", "series-1", x=[16.0, 18.0], y=[1.0, 100.0], low=[1.0, 50.0], high=[1.0, 100.0])
    axes = draw_panel(line, log=True)
    (drawn,) = [of for of in axes.lines if of.get_color() == style.light("series-1") and of.get_linewidth() > LEADER]
    assert drawn.get_xdata().tolist() == line.x and drawn.get_ydata().tolist() == line.y
    low, middle, high = (axes.transData.transform((17, value))[1] for value in (1.0, 10.0, 100.0))
    assert middle == pytest.approx((low + high) / 2) and low < high
    (band,) = axes.patches
    assert band.get_path().get_extents().y1 == 100.0 and band.get_alpha() == 0.18


@pytest.mark.parametrize("log", [True, False])
def test_labels_and_gridlines_stand_where_their_values_are(log):
    line = Line("one", "series-1", x=[16.0, 18.0], y=[1.0, 100.0], low=[1.0, 50.0], high=[1.0, 100.0])
    axes = draw_panel(line, log=log)
    figure = axes.figure
    height = figure.get_size_inches()[1] * 72
    labels = {text.get_text(): text.get_position()[1] * height for text in figure.texts if text.get_ha() == "right"}
    (grid,) = [of for of in axes.lines if of.get_color() == style.light("grid")]
    drawn = {
        round(figure.transFigure.inverted().transform(axes.transAxes.transform((0, y)))[1] * height, 3)
        for y in grid.get_ydata()
        if y == y
    }
    assert {"50", "100"} < labels.keys() if log else labels.keys() == {"0", "20", "40", "60", "80", "100"}
    for text, baseline in labels.items():
        at = figure.transFigure.inverted().transform(axes.transData.transform((16, float(text))))[1] * height
        assert baseline == pytest.approx(at - 3.0) and round(at, 3) in drawn
    assert len(drawn) == len(labels)
    below = [text.get_text() for text in figure.texts if text.get_ha() == "center"]
    assert below == ["16", "17", "18", "log₂ n"]


def test_a_value_without_a_logarithm_is_drawn_just_below_the_box():
    line = Line("one", "series-1", x=[16.0, 17.0, 18.0], y=[1.0, 0.0, 9.0], low=[1.0, 0.0, 9.0], high=[1.0, 0.0, 9.0])
    axes = draw_panel(line, log=True)
    (drawn,) = [of for of in axes.lines if of.get_color() == style.light("series-1") and of.get_linewidth() > LEADER]
    bottom, top = (axes.transAxes.transform((0, share))[1] for share in (0, 1))
    at = axes.transData.transform((17, drawn.get_ydata()[1]))[1]
    assert bottom - 0.03 * (top - bottom) < at < bottom


def drawn_marks(*lines: Line) -> list[svg.Mark]:
    (marks,) = svg.marks(Chart([Panel("", lines)], "y").drawing(WIDE))
    return marks


def make_line(name: str, voice: str, y: float) -> Line:
    return Line(name, "series-3", voice, x=[16.0, 18.0], y=[y, y], low=[0.9 * y] * 2, high=[1.1 * y] * 2)


def test_published_is_hollow_measured_solid_with_its_interval_and_predicted_dashed():
    looks = {voice: [m.look for m in drawn_marks(make_line("a", voice, 1.0))] for voice in VOICES}
    own = {
        voice: [look for look in of if "series-3" in (look.stroke, look.fill) and look.width != 10 * LEADER]
        for voice, of in looks.items()
    }
    (line, dots) = [look for look in own["published"] if look.stroke]
    inner = looks["published"][looks["published"].index(dots) + 1]
    assert line.dashes and inner.stroke == "ground" and inner.width < dots.width
    band, line, dots = [look for look in own["measured"] if not look.size]
    assert (band.fill, band.opacity) == ("series-3", 0.18) and not line.dashes and dots.width > line.width
    (line,) = [look for look in own["predicted"] if look.stroke]
    assert line.dashes == (48, 26)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_names_of_lines_stand_beside_the_box_without_overlap(width):
    lines = [make_line(f"sort {i}", "measured", 1.0 + 0.001 * i) for i in range(12)]
    drawing = Chart([Panel("crowded", lines)], "y").drawing(width)
    (marks,) = svg.marks(drawing)
    names = sorted((m.y, m.x, m.text) for m in marks if m.text.startswith("sort "))
    assert [text for _, _, text in names] == [f"sort {i}" for i in reversed(range(12))]
    assert all(after[0] - before[0] >= 10 * style.SIZE for before, after in zip(names, names[1:]))
    (axes,), (inches, high) = drawing.figure.axes, drawing.figure.get_size_inches()
    box = axes.get_position()
    assert all(x > 720 * inches * box.x1 for _, x, _ in names)
    for y, x, text in names:
        assert 0 < y < 720 * high and x + 720 * text_width(text, style.SIZE) < 720 * inches


def test_a_caption_says_nothing_of_looks_that_the_figure_lacks():
    measured = Line("one", "series-1", x=[16.0, 18.0], y=[1.0, 2.0])
    chart = Chart([Panel("", [measured])], "y")
    assert looks_text(chart) == "Solid, with intervals: measured. "
    both = Chart([Panel("", [measured, Line("two", "series-1", "predicted", x=[16.0], y=[1.0])])], "y")
    assert looks_text(both, measured="filled: measured") == "Filled: measured; dashed: predicted. "
    artifact = from_picture(both, "T", "title", "", Caption("One. Two. ", "Three.", "Measured on X.", "Commit 1."))
    assert artifact.legend == "One. Two. Measured on X." and artifact.notes == "Three."
    assert artifact.caption.provenance == "Commit 1."


def test_numbers_of_a_narrow_heat_map_keep_apart():
    cell = HeatCell(Interval(0.87, 0.8, 0.9), "peer")
    names = [str(i) for i in range(20)]
    heat = Heat("row", "n", "ratio", ["a"], names, [HeatPanel("", {("a", name): cell for name in names})])
    texts = [text for text in heat.drawing(NARROW).figure.texts if text.get_text() == "0.87"]
    width = NARROW / len(names)  # more than a cell has
    assert len(texts) == 20 and text_width("0.87", texts[0].get_fontsize(), True) < width


def test_panels_of_one_x_axis_have_round_ticks():
    lines = [Line("one", "series-1", x=[4.0, 64.0], y=[1.0, 2.0]), Line("two", "series-2", x=[64.0], y=[1.0])]
    chart = Chart([Panel("", [line]) for line in lines], "y", one_x=True)
    for axes in chart.drawing(WIDE).figure.axes:
        assert list(axes.get_xticks()) == list(range(8, 65, 8))


def test_svg_paths_are_steps_of_whole_tenths_of_a_point():
    drawing = empty(1.0, 1.0)
    axes = drawing.add_axes(Cell(0, 0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set(xlim=(0, 72), ylim=(72, 0))
    axes.plot([1.0, 3.26, 3.0], [2.0, 2.0, 1.0], color=style.light("series-1"), linewidth=1.3)
    put(axes, 5.0, 72 - 6.04, "a<b", "muted", fontsize=8)
    text = svg.whole(drawing, svg.marks(drawing))
    assert 'viewBox="0 0 720 720"' in text and 'd="M10 20h23l-3-10"' in text
    assert '<text class="fm z80" x="50" y="60">a&lt;b</text>' in text


def test_panels_that_a_page_may_arrange_stand_each_by_itself():
    lines = [Line("one", "series-1", x=[16.0, 17.0], y=[1.0, y], low=[1.0, y], high=[1.0, y]) for y in (2.0, 9.0, 5.0)]
    chart = Chart([Panel(f"panel {i}", [line]) for i, line in enumerate(lines)], "y")
    pieces = from_picture(chart, "A", "", "", "").texts.pieces
    assert [[i for i in range(3) if f"panel {i}" in piece] for piece in pieces] == [[0], [1], [2]]
    assert {re.search(r'viewBox="\d+ \d+ (\d+)', piece).group(1) for piece in pieces} == {str(round(720 * NARROW))}
    assert len({axes.get_ylim() for axes in chart.drawing(WIDE).figure.axes}) == 1
    assert from_picture(Chart(chart.panels[:2], "y"), "A", "", "", "").texts.pieces == []


@pytest.mark.parametrize("ending, begins", [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_png_and_a_pdf_are_drawn_where_asked_for(tmp_path, records, ending, begins):
    artifact = sat_f1.make(records)
    written = []
    for folder in ("a", "b"):
        artifact.write(tmp_path / folder, [ending])
        written.append((tmp_path / folder / f"SAT-F1.{ending}").read_bytes())
    assert written[0].startswith(begins) and len(written[0]) > 10000 and written[0] == written[1]


def test_pictures_drawn_by_several_processes_are_those_drawn_by_one(records):
    def made():
        return [sat_f1.make(records), sat_f2.make(records), sat_t1.make(records), model_error.make(records)[0]] * 4

    together = made()
    draw(together)
    assert [a.texts for a in together[:4]] == [a.texts for a in made()[:4]]


def test_a_figure_inline_has_no_colour_of_its_own(records):
    artifact = sat_f1.make(records)
    for width in (WIDE, NARROW):
        inline = svg.inline(artifact.svg(width), "label")
        assert 'class="s1 ' in inline and "#" not in inline and "style" not in inline and " id=" not in inline
        assert " width=" not in inline.split(">")[0]
    alone = svg.file(artifact.svg(WIDE), "a title <b>")
    assert "<title>a title &lt;b&gt;</title>" in alone and 'role="img"' in alone
    light, dark = alone.split("@media(prefers-color-scheme:dark)")
    assert style.COLOURS["series-1"][0] in light and style.COLOURS["series-1"][1] in dark and "var(" not in alone


def test_labels_of_a_short_logarithmic_axis_differ():
    line = Line("a", "series-1", x=[0, 1], y=[0.2, 0.38])
    drawing = Chart([Panel("", [line])], "y", log=True).drawing(WIDE)
    labels = [text.get_text() for text in drawing.figure.texts if text.get_text().startswith("0.")]
    assert len(labels) > 2 and len(set(labels)) == len(labels)


def test_a_mark_and_a_neutral_value_stand_where_their_values_are():
    line = Line("a", "series-1", x=[0.0, 8.0, 16.0], y=[0.5, 1.0, 2.0])
    panel = Panel("p", [line], marks=((8.0, "here"),), neutral=1.0)
    drawing = Chart([panel], "times", log=True).drawing(WIDE)
    (axes,) = drawing.figure.axes
    upright = [one for one in axes.lines if list(one.get_xdata()) == [8.0, 8.0]]
    level = [one for one in axes.lines if list(one.get_ydata()) == [1.0, 1.0]]
    assert upright and level and "here" in [text.get_text() for text in drawing.figure.texts]


def test_a_line_that_ends_inside_of_the_panel_has_its_name_there():
    ending, long = Line("ends", "series-1", x=[0.0, 2.0], y=[1.0, 1.0]), Line("long", "series-2", x=[0, 8], y=[2, 2])
    figure = Chart([Panel("p", [ending, long])], "y").drawing(WIDE).figure
    at, box = {text.get_text(): text.get_position()[0] for text in figure.texts}, figure.axes[0].get_position()
    assert box.x0 < at["ends"] < box.x0 + box.width / 2 and at["long"] > box.x1


def test_a_leader_through_the_panel_does_not_look_like_data():
    """Leaders in the lines' colours were read as measurements from the last point on."""
    ending = Line("ends", "series-1", x=[0.0, 2.0], y=[1.0, 1.0])
    long = [Line(f"{i}", "series-2", x=[0, 8], y=[i / 20, i / 20], labelled=i == 40) for i in range(41)]
    (axes,) = Chart([Panel("p", [ending, *long])], "y").drawing(WIDE).figure.axes
    found = [one for one in axes.lines if max(one.get_xdata()) > 1 and one.get_transform() == axes.transAxes]
    through = [one for one in found if min(one.get_xdata()) < 0.4 and one.get_linewidth() == 0.6]
    assert [one.get_color() for one in through] == [style.COLOURS["muted"][0]] and through[0].is_dashed()


@pytest.mark.parametrize("high, labels", [(2.6, {"1", "1.5", "2"}), (60.0, {"1", "2", "5", "10", "20", "50"})])
def test_a_logarithmic_axis_has_at_least_three_labels(high, labels):
    drawing = Chart([Panel("", [Line("a", "series-1", x=[16, 18], y=[1.0, high])])], "y", log=True).drawing(WIDE)
    assert labels == {text.get_text() for text in drawing.figure.texts} & {"1", "1.5", "2", "5", "10", "20", "50"}


def test_a_caption_says_that_bars_stand_beside_their_points():
    lines = [Line(f"{i}", f"series-{i + 1}", x=[16, 18], y=[2.0, 2.0], low=[1, 1], high=[3, 3]) for i in range(3)]
    assert "a short stroke leads to the bar’s own point" in looks_text(Chart([Panel("", lines)], "s"))
    assert "stroke" not in looks_text(Chart([Panel("", lines[:2])], "s"))


def test_close_names_stand_as_the_lines_do_where_both_have_points():
    """FASTEST: the H200's line is above the H100's dot at 2^29, and falls below it by 2^30."""
    line, dot = Line("H200", "series-1", x=[20, 29, 29.2], y=[0.2, 95, 80]), Line(
        "H100, dot", "series-2", x=[29], y=[84]
    )
    figure = Chart([Panel("p", [dot, line])], "y", log=True).drawing(WIDE).figure
    up = {text.get_text(): text.get_position()[1] for text in figure.texts}
    assert up["H200"] > up["H100, dot"]


def test_bars_of_intervals_stand_in_the_box():
    """STE-F12: those at 0 bits stood over the labels of the y axis."""
    lines = [
        Line(f"sort {i}", f"series-{i + 1}", x=[0.0, 64.0], y=[2.0, 2.0], low=[1.0, 1.0], high=[3.0, 3.0])
        for i in range(5)
    ]
    (axes,) = Chart([Panel("", lines)], "s").drawing(WIDE).figure.axes
    places = [sorted({x for x in one.get_xdata() if x == x}) for one in axes.lines if one.get_linewidth() == 0.8]
    bars = [found for found in places if len(found) == 2 and found != [0.0, 1.0]]
    assert len(bars) == 5 and min(map(min, bars)) >= 0 and max(map(max, bars)) <= axes.get_xlim()[1]
    assert len({found[0] for found in bars}) == 5  # none on another's


def test_a_band_says_what_it_means():
    line = Line("a", "series-1", x=[16, 18], y=[-30.0, 40.0])
    drawing = Chart([Panel("p", [line])], "error", bands=((-15, 15),), band_name="within ±15 %").drawing(WIDE)
    (text,) = [text for text in drawing.figure.texts if text.get_text() == "within ±15 %"]
    axes = drawing.figure.axes[0]
    at = axes.transData.inverted().transform(drawing.figure.transFigure.transform(text.get_position()))
    assert -15 < at[1] < 15


def test_a_lone_dot_has_its_name_beside_it():
    """At the panel's right end nobody would take the name for the dot's."""
    dot, long = Line("dot", "series-1", x=[2.0], y=[1.5]), Line("long", "series-2", x=[0.0, 8.0], y=[1.0, 2.0])
    last = Line("last", "series-3", x=[8.0], y=[1.2])  # no room beside it
    drawing = Chart([Panel("p", [dot, long, last])], "y").drawing(WIDE)
    places = {text.get_text(): text.get_window_extent().x0 for text in drawing.figure.findobj(Text)}
    assert places["dot"] < places["long"] - 100 and places["last"] == pytest.approx(places["long"], abs=1)


def test_names_of_lone_dots_at_one_x_do_not_lie_on_each_other():
    near = [Line(f"dot {i}", "series-1", x=[2.0], y=[1.5 + i / 100]) for i in range(3)]
    drawing = Chart([Panel("p", [Line("long", "series-2", x=[0.0, 8.0], y=[1.0, 2.0]), *near])], "y").drawing(WIDE)
    boxes = [t.get_window_extent() for t in drawing.figure.findobj(Text) if t.get_text().startswith("dot")]
    assert len(boxes) == 3 and not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_a_logarithmic_axis_has_the_values_that_its_label_names(tmp_path):
    """A column named in GB once held their logarithms."""
    line = Line("a", "series-1", x=[2.0, 3.0, 4.0], y=[1.0, 2.0, 3.0])
    picture = Chart([Panel("p", [line])], "y", x_label="GB", x_value=chart.power_of_two_value)
    assert {"4", "8", "16"} <= {text.get_text() for text in picture.drawing(WIDE).figure.texts}
    header, rows = picture.rows()
    assert [row[header.index("GB")] for row in rows] == [4, 8, 16]


def test_a_heat_map_of_differences_is_shaded_by_sign_and_has_no_empty_rows():
    cells = {("a", 16): HeatCell(Interval(-20.0, -21, -19), ""), ("a", 64): HeatCell(Interval(0.2, 0, 1), "")}
    cells[("b", 64)] = HeatCell(Interval(4.0, 3, 5), "")
    panels = [HeatPanel("p", cells), HeatPanel("q", {("b", 16): HeatCell(Interval(1.0, 0, 2), "")})]
    scale = differences(full=30, bold=15)
    heat = Heat("sort", "n", "error", ["a", "b"], [16, 64], panels, scale=scale, own_rows=True)
    assert [heat.shown_rows(panel) for panel in panels] == [["a", "b"], ["b"]]
    drawing = heat.drawing(WIDE)
    texts = {text.get_text(): text for text in drawing.figure.texts}
    assert {"−20", "0", "+4", "+1"} <= set(texts)
    assert texts["−20"].get_fontweight() == "bold" and texts["+4"].get_fontweight() == "normal"
    first, _, third = drawing.figure.axes[0].patches[:3]
    assert first.get_facecolor()[:3] != third.get_facecolor()[:3]
    assert first.get_alpha() > third.get_alpha()
    assert latex.escape("−20") in heat.latex("c", "l")


def test_bars_on_a_logarithmic_axis_start_at_one():
    one = Series("s", "series-1")
    one.add("twice", 2.0)
    one.add("half", 0.5)
    (axes,) = Bars([BarPanel("p", [one])], ["twice", "half"], "times", log=True).drawing(WIDE).figure.axes
    assert axes.get_yscale() == "log"
    spans = [sorted((bar.get_y(), bar.get_y() + bar.get_height())) for bar in axes.patches]
    assert spans == [[1.0, 2.0], [0.5, 1.0]]


def test_a_table_is_as_wide_as_its_texts_and_a_row_has_only_its_own_lines():
    columns = [GridColumn("group", f"column {i}", measured=True) for i in range(30)]
    full = [GridCell(published="1.23", measured="4.56", interval="± 7 %") for _ in columns]
    measured = [GridCell(measured="4.56", interval="± 7 %") for _ in columns]
    grid = Grid("n", columns, [("a", 1.0, full), ("b", 2.0, measured)], "mean")
    figure = grid.drawing(WIDE).figure
    sizes = {text.get_fontsize() for text in figure.texts if text.get_text() == "4.56 ± 7 %"}
    assert sizes == {8.0} and figure.get_size_inches()[0] > 2 * WIDE  # and not ever smaller letters
    kinds = [text.get_text() for text in figure.texts]
    assert kinds.count("published") == 1 and kinds.count("measured here") == 2
    few = Grid("n", columns[:2], [("a", 1.0, full[:2])], "mean")
    assert few.drawing(WIDE).figure.get_size_inches()[0] == pytest.approx(WIDE)


def test_panels_of_bars_may_have_axes_of_their_own():
    small, large = Series("s", "series-1"), Series("s", "series-1")
    small.add("a", 1.5)
    large.add("a", 4000.0)
    bars = Bars([BarPanel("gain", [small]), BarPanel("rate", [large], "keys a second")], ["a"], "times")
    gain, rate = bars.drawing(WIDE).figure.axes
    assert gain.get_ylim()[1] < 10 < 4000 < rate.get_ylim()[1]


def test_names_of_the_columns_of_a_narrow_heat_map_keep_apart():
    names = [f"0.{i}" for i in range(30, 50)]
    cell = HeatCell(Interval(0.87, 0.8, 0.9), "peer")
    heat = Heat("row", "n", "ratio", ["a"], names, [HeatPanel("", {("a", name): cell for name in names})])
    texts = [text for text in heat.drawing(NARROW).figure.texts if text.get_text() in names]
    assert len(texts) == 20 and text_width("0.44", texts[0].get_fontsize()) < NARROW / len(names)


def test_a_logarithmic_axis_of_bars_has_no_labels_beside_the_legend():
    series = [Series(f"s{i}", "series-1") for i in range(5)]
    for one in series:
        one.add("a", 8.0)
    texts = {
        text.get_text() for text in Bars([BarPanel("p", series)], ["a"], "times", log=True).drawing(4).figure.texts
    }
    assert "5" in texts and not texts & {"20", "50", "100"}


def legend_texts(axes) -> list:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_a_legend_names_the_mark_of_predictions_where_there_is_one():
    with_mark, without = Series("published", "published", "published"), Series("measured", "series-1")
    for series in (with_mark, without):
        series.add("a", 1.5)
    with_mark.predict("a", 2.0)
    bars = Bars([BarPanel("p", [with_mark]), BarPanel("q", [without])], ["a"], "times as fast")
    assert [legend_texts(axes) for axes in bars.drawing(WIDE).figure.axes] == [["published", "predicted"], ["measured"]]
    stacks = [Stack("a", {"scatter": 2.0}, Number(3.0)), Stack("b", {"scatter": 2.0})]
    picture = Stacks([StackPanel("p", stacks)], {"scatter": "series-1"}, "ns per element")
    assert [legend_texts(axes) for axes in picture.drawing(WIDE).figure.axes] == [["scatter", "predicted"]]
    above = Stacks([StackPanel("p", stacks)], {"scatter": "series-1"}, "ns per element", predicted_above=True)
    (axes,) = above.drawing(WIDE).figure.axes
    assert legend_texts(axes) == ["scatter"] and "(3.00)" in {text.get_text() for text in axes.texts}


def test_a_panel_may_have_a_logarithmic_axis_where_the_others_have_none():
    line = Line("one", "series-1", x=[16.0, 18.0], y=[1.0, 100.0])
    chart = Chart([Panel("rates", [line]), Panel("ratios", [line], log=True)], "y", own_spans=True)
    assert [axes.get_yscale() for axes in chart.drawing(WIDE).figure.axes] == ["linear", "log"]


def test_a_short_line_may_have_its_name_below_its_last_point():
    short = Line("short", "series-1", x=[2.0], y=[5.0], named_inside=True)
    long = Line("long", "series-2", x=[2.0, 6.0], y=[10.0, 10.0])
    figure = Chart([Panel("p", [short, long])], "y").drawing(WIDE).figure
    at = {text.get_text(): text.get_position() for text in figure.texts}
    box = figure.axes[0].get_position()
    assert at["long"][0] > box.x1 > at["short"][0] >= box.x0 and at["short"][1] < at["long"][1]


def test_errors_without_a_sign_have_none():
    signed, absolute = (differences(full=40, bold=20, signed=signed) for signed in (True, False))
    assert (signed.text(12.0), absolute.text(12.0), signed.text(-12.0)) == ("+12", "12", "−12")


def test_a_line_may_be_drawn_within_an_axis():
    line = Line("one", "series-1", x=[10.0, 16.0, 18.0], y=[1.0, 2.0, 3.0], low=[0.5, 1.5, 2.5], high=[1.5, 2.5, 3.5])
    cut = line.within(16, 28)
    assert (cut.x, cut.y, cut.low, cut.high) == ([16.0, 18.0], [2.0, 3.0], [1.5, 2.5], [2.5, 3.5])
    assert len(cut.traces) == 2 and len(line.x) == 3 and cut.label == line.label


@pytest.mark.parametrize("lines, hidden", [(2, False), (3, True)])
def test_intervals_that_would_hide_each_other_are_bars(lines, hidden):
    """Three bands on each other were a brown field in which no interval was seen."""
    drawn = [
        Line(f"sort {i}", f"series-{i + 1}", x=[16, 18], y=[2.0 + i / 10, 2], low=[1.0, 1.9], high=[3.0, 2.1])
        for i in range(lines)
    ]
    grey = Line("other", "axis", labelled=False, x=[16, 18], y=[2.0, 2.0], low=[1.0, 1.0], high=[3.0, 3.0])
    assert chart.bands_hide_each_other([*drawn, grey]) == hidden
    (axes,) = Chart([Panel("", [*drawn, grey])], "s").drawing(WIDE).figure.axes
    bands = [artist for artist in axes.get_children() if isinstance(artist, Polygon)]
    assert len(bands) == (0 if hidden else lines)  # a grey line in the background has none


def test_lines_that_lie_on_each_other_have_one_line_with_both_names():
    """STE-F6: thrust::sort was hidden below CUB, which it calls."""
    x = [0.0, 16.0, 32.0]
    lines = [
        Line("CUB", "series-1", x=x, y=[10.0, 11.0, 12.0]),
        Line("thrust", "series-2", x=x, y=[10.1, 11.0, 11.9]),
        Line("merge", "series-3", x=x, y=[10.0, 11.0, 14.0]),
        Line("model", "series-3", "predicted", x=x, y=[10.0, 11.0, 14.0], labelled=False),
    ]
    assert [line.label for line in chart.merge_coinciding(lines)] == ["CUB, thrust", "merge", "model"]


def test_a_name_inside_a_panel_stands_where_no_other_line_has_a_point():
    short_line = Line("short", "series-1", x=[16, 18], y=[50.0, 50.0], named_inside=True)

    def place(*others: float) -> float:
        lines = [
            short_line,
            *(Line(f"at {y}", "series-2", x=[18, 26], y=[y, 100.0], labelled=False) for y in (0, *others)),
        ]
        figure = Chart([Panel("", lines)], "s").drawing(WIDE).figure
        (name,) = [text for text in figure.texts if text.get_text() == "short"]
        return name.get_position()[1]

    below, above, beside = place(), place(47.0), place(47.0, 54.0)
    assert below < beside < above


def test_no_bold_ratio_is_written_as_1():
    assert [ratio_text(value) for value in (1.0, 1.02, 0.961, 1.06)] == ["1.00", "1.02", "0.96", "1.1"]
