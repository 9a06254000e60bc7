"""The explorer's charts of energy: keys per joule and power over n."""

import csv
import io

import pytest
import synthetic_records as synthetic
from test_explorer import build, choose, column, downloaded, needs_chart_js, show
from whole_records import metered_record

pytestmark = needs_chart_js

SIZES = (18, 20, 22)
JOULES_A_KEY = {"msd_radix_cpu": 2e-8, "vqsort": 3e-8}
WATTS = 480.0
DRAWN = """
    return Chart.getChart("canvas").data.datasets.map((set) =>
      [set.line.row.algorithm, set.data.map(({ x, y, low, high }) => [x, y, low, high])]);
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    cells = [synthetic.run_record()]
    for sort, joules in JOULES_A_KEY.items():
        for log_n in SIZES:
            case = synthetic.case(sort, 1 << log_n)
            made = synthetic.measurement(case, synthetic.invented_seconds(case))
            drawn = joules * (1 << log_n)
            ends = {"joules_per_sort_ci95": [0.9 * drawn, 1.25 * drawn]}
            cells.append(metered_record(made, (drawn,) * 3, watts=WATTS, **ends))
    plain = synthetic.case("std_sort", 1 << 20)
    cells.append(synthetic.measurement(plain, synthetic.invented_seconds(plain)))
    return build(tmp_path_factory.mktemp("energy"), cells)


def test_keys_per_joule_and_power_are_those_of_the_records(browser, site):
    show(browser, site, "#order=n")
    choose(browser, "chart", "energy")
    sets = dict(browser.run(DRAWN))
    assert set(sets) == set(JOULES_A_KEY), "a sort without joules is not drawn"
    for sort, points in sets.items():
        assert [x for x, *_ in points] == list(SIZES)
        for _, y, low, high in points:
            assert y == pytest.approx(1e-6 / JOULES_A_KEY[sort], rel=1e-4)
            assert (low, high) == (pytest.approx(y / 1.25, rel=1e-4), pytest.approx(y / 0.9, rel=1e-4))
    assert "J" in browser.run('return Chart.getChart("canvas").options.scales.y.title.text')
    assert len([text for text in column(browser, "joules") if text]) == len(SIZES) * len(JOULES_A_KEY)
    choose(browser, "chart", "power")
    for points in dict(browser.run(DRAWN)).values():
        assert [y for _, y, *_ in points] == pytest.approx([WATTS] * len(SIZES), rel=1e-4)
    assert browser.console() == []


def test_joules_come_down_as_csv(browser, site):
    show(browser, site, "#order=n&chart=energy")
    browser.run("document.getElementById('csv').click()")
    rows = list(csv.DictReader(io.StringIO(downloaded(browser, "sortlab.csv"))))
    metered = [row for row in rows if row["joules_per_sort"]]
    assert {row["sort"] for row in metered} == set(JOULES_A_KEY)
    for row in metered:
        assert float(row["joules_per_sort"]) == pytest.approx(JOULES_A_KEY[row["sort"]] * int(row["n"]), rel=1e-4)
        assert float(row["mean_power_w"]) == pytest.approx(WATTS, rel=1e-4)
