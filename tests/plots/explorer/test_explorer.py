"""The explorer as a reader gets it, in headless Chromium: choose, filter, link, download, keyboard; what it costs."""

import csv
import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import synthetic_records as synthetic
from browser import Browser

from plots.explorer import command
from plots.explorer.chart_library import _PLACES
from plots.explorer.data import file_names
from plots.explorer.packed import packed, script

ROOT = Path(__file__).resolve().parents[3]
MACHINES, RECORDS = 10, 20_000
FIRST_VIEW_S, FIRST_VIEW_BYTES = 1.5, 2_000_000
SORTS = tuple(synthetic.SORTS)
HOSTILE = (
    "</script><script>document.title='owned'</script>\"'><img src=x onerror=\"document.title='owned'\">\u2028{{7*7}}"
)

needs_chart_js = pytest.mark.skipif(
    not any(Path(place).is_file() for place in _PLACES),
    reason="needs libjs-chart.js, which draws the explorer's charts",
)
pytestmark = needs_chart_js


def machine(index: int, cells: int):
    """An invented machine's run; cells of sorts over types, inputs, threads and n, a quarter of them predictions."""
    name = f"synthetic-{index}"
    run = synthetic.run_record()
    run["machine"] = {**run["machine"], "id": name, "name": f"Synthetic processor {index}"}
    run["run"] = f"2030010{index}T000000Z-abcdef"
    yield run
    inputs = [("uniform", 32.0), ("constant", 0.0), ("sorted", 32.0)]
    inputs += [(f"thearling:ands={k}", e) for k, e in ((1, 25.95), (2, 17.41), (3, 10.78))]
    inputs += [("reverse", 32.0)]
    choices = (
        (d, e, k, t, n, a)
        for d, e in inputs
        for k in ("u32", "u64")
        for t in (1, 2)
        for n in range(10, 28, 2)
        for a in SORTS
    )
    for i, (distribution, entropy, key, threads, log_n, algorithm) in zip(range(cells), choices):
        wanted = dict(distribution=distribution, entropy_bits=entropy, key_type=key, threads=threads)
        case = synthetic.case(algorithm, 1 << log_n, **wanted)
        seconds = synthetic.invented_seconds(case) * (1 + index / 10)
        if i % 4 == 3:
            profile = {"id": name, "name": run["machine"]["name"], "hash": "0" * 16, "origin": "calibrated"}
            case = synthetic.case(SORTS[0], 1 << log_n, **wanted)
            yield synthetic.prediction(case, synthetic.invented_seconds(case) * (1 + index / 10) * 1.1, profile=profile)
        elif i % 97 == 5:
            yield {**synthetic.skipped(case, "it keeps no order"), "machine": name, "run": run["run"]}
        else:
            yield {**synthetic.measurement(case, seconds), "machine": name, "run": run["run"]}


def build(folder: Path, cells, *options: str) -> Path:
    records = synthetic.write(folder / "records.jsonl", cells)
    return command.build(["--records", str(records), *options, "--out", str(folder / "site")])


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """As large as the explorer has to be quick with."""
    cells = [record for index in range(MACHINES) for record in machine(index, RECORDS // MACHINES)]
    cells += synthetic.ALGORITHMS.values()
    return build(tmp_path_factory.mktemp("explorer"), cells)


@pytest.fixture(scope="module")
def hostile_site(tmp_path_factory) -> Path:
    """Machines, sorts, inputs, parameters, reasons and models named by a stranger."""
    cells = []
    for index, name in enumerate((HOSTILE, "../../../evil", "__proto__", "..", "Aux", "aux")):
        refused = synthetic.run_record()
        refused["machine"] = {**refused["machine"], "id": name, "name": name, HOSTILE: HOSTILE}
        cells += [refused, {**synthetic.measurement(synthetic.case(HOSTILE, 1 << 16), 1e-3), "machine": name}]
        run, id_ = synthetic.run_record(), ("aux", "con")[index] if index < 2 else f"machine-{index}"
        run["machine"] = {**run["machine"], "id": id_, "name": name}
        run["environment"] |= {HOSTILE: HOSTILE}
        run["run"] = f"2030010{index}T000000Z-abcdef"
        cells.append(run)
        for algorithm in (HOSTILE, "__proto__", "=cmd()", "../x"):
            for n in (1 << 16, 1 << 20):
                facts = dict(distribution=HOSTILE, parameters={HOSTILE: HOSTILE}, version=HOSTILE)
                case = synthetic.case(algorithm, n, **facts)
                cells.append({**synthetic.measurement(case, 1e-3), "machine": id_, "run": run["run"]})
                profile = {"id": id_, "name": HOSTILE, "hash": "0" * 16, "origin": "calibrated"}
                cells.append(synthetic.prediction(case, 1e-3, profile=profile, model=HOSTILE))
                reason = {**synthetic.skipped({**case, "threads": 2}, HOSTILE), "machine": id_, "run": run["run"]}
                cells.append(reason)
    facts = synthetic.ALGORITHMS["vqsort"]
    cells.append(
        {**facts, "name": HOSTILE, "title": HOSTILE, "source": HOSTILE, "limits": [HOSTILE], "phases": [HOSTILE]}
    )
    return build(tmp_path_factory.mktemp("hostile"), cells)


def wait(done, what: str):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if found := done():
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")


def show(browser: Browser, page: Path, fragment: str = "", width: int = 1280, scheme: str = "light") -> None:
    """Opens the explorer at a fragment and waits until it has drawn."""
    if fragment:
        browser.open(page.parent / "machines.html", width, scheme)
        browser.driver.get(page.as_uri() + fragment)
    else:
        browser.open(page, width, scheme)
    wait(lambda: browser.run("return document.documentElement.dataset.shown"), "the first view")


def tick(browser: Browser, facet: str, *values: str) -> None:
    """Ticks these items of a list, and waits until the address says so."""
    for value in values:
        before = browser.run("return location.hash")
        browser.run(
            'document.querySelector(`[data-facet="${arguments[0]}"] input[value="${arguments[1]}"]`).click()',
            *(facet, value),
        )
        wait(lambda: browser.run("return location.hash") != before, f"{facet} {value}")


def choose(browser: Browser, select: str, value: str) -> None:
    before = browser.run("return location.hash")
    browser.run(
        "const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))",
        *(select, value),
    )
    wait(lambda: browser.run("return location.hash") != before, f"{select} {value}")


def column(browser: Browser, name: str) -> list[str]:
    return browser.run(
        """
        const heads = [...document.querySelectorAll("#table thead th")].map((th) => th.dataset.column);
        const at = heads.indexOf(arguments[0]);
        return [...document.querySelectorAll("#table tbody tr")].map((row) => row.cells[at].textContent);
        """,
        name,
    )


def rates(browser: Browser) -> list[float]:
    """The table's rates in keys a second, which it writes as 49.6 · 10⁹."""
    powers = {"³": 1e3, "⁶": 1e6, "⁹": 1e9}
    return [float(text.split(" · 10")[0]) * powers[text[-1]] for text in column(browser, "rate")]


def lines(browser: Browser) -> list[str]:
    return browser.run(
        "return [...document.querySelectorAll('#lines button')].map((b) => b.textContent.slice(1).trim())"
    )


def downloaded(browser: Browser, name: str) -> str:
    file = browser.downloads / name
    wait(lambda: file.exists() and not list(browser.downloads.glob("*.crdownload")), name)
    text = file.read_text(encoding="utf-8")
    file.unlink()
    return text


def test_the_first_view_is_quick_and_small(browser, site):
    seconds = []
    for _ in range(3):
        show(browser, site)
        seconds.append(browser.run("return performance.getEntriesByName('sortlab-shown')[0].startTime") / 1000)
    loaded = [Path(url.removeprefix("file://")) for url in browser.requests()]
    size = sum(path.stat().st_size for path in loaded)
    print(f"\nfirst view: {min(seconds):.2f} s of {seconds}, {size} bytes, {len(loaded)} files")
    assert all(path.is_relative_to(site.parent) for path in loaded)
    assert size < FIRST_VIEW_BYTES
    assert min(seconds) < FIRST_VIEW_S
    assert sum("/data/synthetic-" in str(path) for path in loaded) == 1
    assert browser.console() == []
    assert len(lines(browser)) == 6


def test_machines_are_loaded_when_they_are_chosen_and_stand_side_by_side(browser, site):
    show(browser, site, "#machine=synthetic-0&sort=vqsort&kind=")
    assert len(lines(browser)) == 1
    browser.requests()
    tick(browser, "machine", "synthetic-3")
    assert [Path(url).name for url in browser.requests()] == ["synthetic-3.js"]
    assert [line for line in lines(browser) if "Synthetic processor 3" in line] == lines(browser)[1:]
    tick(browser, "type", "u64")
    tick(browser, "threads", "2")
    shown = lines(browser)
    assert len(shown) == 8 and all(line.startswith("vqsort") for line in shown)
    assert sum("u64" in line and "2 threads" in line for line in shown) == 2
    browser.driver.back()
    wait(lambda: len(lines(browser)) == 4, "the choice before")


def test_every_chart_draws_what_the_records_say(browser, site):
    show(browser, site, "#machine=synthetic-1&sort=msd_radix_cpu&sort=std_sort&kind=hardware&order=n")
    drawn = """
        const chart = Chart.getChart("canvas");
        return chart.data.datasets.map((set) => [set.line.row.algorithm, set.borderDash ? "predicted" : "measured",
          set.data.map(({ x, y, low, high, row }) =>
            [x, y, low ?? null, high ?? null, row.n, row.s, row.cycles, row.entropy])]);
    """
    sets = {(sort, kind): points for sort, kind, points in browser.run(drawn)}
    assert set(sets) == {("msd_radix_cpu", "measured"), ("msd_radix_cpu", "predicted"), ("std_sort", "measured")}
    for x, rate, low, high, n, seconds, *_ in sets["std_sort", "measured"]:
        assert 2**x == n and rate == pytest.approx(n / seconds / 1e6) and low < rate < high
        case = synthetic.case("std_sort", n, entropy_bits=32.0)
        assert seconds == pytest.approx(1.1 * synthetic.invented_seconds(case), rel=0.03)
    choose(browser, "chart", "cycles")
    for _, y, low, high, n, seconds, cycles, _ in browser.run(drawn)[0][2]:
        assert low < y < high and y == cycles == pytest.approx(synthetic.CLOCK_HZ * seconds / n, rel=1e-4)
    choose(browser, "chart", "ratio")
    ratios = {sort: points for sort, kind, points in browser.run(drawn) if kind == "measured"}
    assert {y for _, y, *_ in ratios["std_sort"]} == {1}
    times = {n: seconds for *_, n, seconds, _, _ in sets["std_sort", "measured"]}
    both = [point for point in ratios["msd_radix_cpu"] if point[4] in times]
    assert len(both) > 3
    for _, y, low, high, n, seconds, *_ in both:
        assert low < y < high and y == pytest.approx(times[n] / seconds)
    choose(browser, "chart", "entropy")
    [*_, (_, _, points)] = browser.run(drawn)
    assert [x for x, *_ in points] == sorted({entropy for *_, entropy in points}) and len(points) > 3
    assert browser.console() == []


def test_the_table_sorts_by_its_heads_and_filters_by_words(browser, site):
    show(browser, site, "#machine=synthetic-0&kind=hardware&rows=all&type=&input=&threads=")
    assert "of 1" in browser.run("return document.getElementById('place').textContent")
    head = "document.querySelector('#table [data-column=\"{}\"] button').click()"
    browser.run(head.format("rate"))
    wait(lambda: "order=rate" in browser.run("return location.hash"), "the order")
    up = rates(browser)
    assert len(up) == 100 and up == sorted(up)
    browser.run(head.format("rate"))
    wait(lambda: "order=-rate" in browser.run("return location.hash"), "the other order")
    down = rates(browser)
    assert down == sorted(down, reverse=True) and down[0] > up[-1]
    assert browser.run("return document.querySelector('[data-column=\"rate\"]').ariaSort") == "descending"
    browser.run("document.getElementById('after').click()")
    assert rates(browser)[0] <= down[-1]
    browser.run(
        "const f = document.getElementById('filter'); f.value = 'skipped order'; f.dispatchEvent(new Event('input'))"
    )
    wait(lambda: "filter=" in browser.run("return location.hash"), "the filter")
    assert set(column(browser, "status")) == {"skipped: it keeps no order"} and set(column(browser, "rate")) == {""}


def test_a_link_brings_the_whole_choice_back(browser, site):
    show(browser, site)
    tick(browser, "machine", "synthetic-2")
    tick(browser, "sort", "std_sort", "vqsort")
    tick(browser, "type", "u64")
    choose(browser, "chart", "ratio")
    choose(browser, "ratio", "vqsort")
    choose(browser, "on", "synthetic-2")
    choose(browser, "scale", "log")
    choose(browser, "rows", "all")
    browser.run("document.querySelector('#table [data-column=\"n\"] button').click()")
    wait(lambda: "order=n" in browser.run("return location.hash"), "the order")
    browser.run("document.querySelector('#lines button').click()")
    wait(lambda: re.search("hidden=.", browser.run("return location.hash")), "a hidden line")
    state = """
        const text = (id) => document.getElementById(id).textContent;
        return [location.hash, text("chart-title"), text("place"),
          [...document.querySelectorAll("#choice select, #rows")].map((s) => s.value),
          [...document.querySelectorAll(".facet input:checked")].map((i) => i.value),
          [...document.querySelectorAll("#lines button")].map((b) => b.textContent + b.getAttribute("aria-pressed")),
          [...document.querySelectorAll("#table tbody tr")].map((tr) => tr.textContent),
          Chart.getChart("canvas").data.datasets.map((set) => set.data.map(({ x, y }) => [x, y]))];
    """
    before = browser.run(state)
    show(browser, site, before[0])
    assert browser.run(state) == before
    # A link to what is not here shows what is.
    show(browser, site, "#machine=gone&machine=synthetic-1&sort=gone&type=gone&chart=gone&order=gone&n=x&kind=gone")
    assert "machine=synthetic-1" in browser.run("return location.hash") and lines(browser)
    assert browser.console() == []


def test_csv_and_records_come_down_as_they_were_written(browser, site):
    show(browser, site, "#machine=synthetic-4&sort=msd_radix_cpu&kind=hardware&order=n")
    browser.run("document.getElementById('csv').click()")
    rows = list(csv.DictReader(io.StringIO(downloaded(browser, "sortlab.csv"))))
    browser.run("document.getElementById('originals').click()")
    records = [json.loads(line) for line in downloaded(browser, "sortlab.jsonl").splitlines()]
    written = (site.parents[1] / "records.jsonl").read_text(encoding="utf-8").splitlines()
    written = [json.loads(line) for line in written if "synthetic-4" in line]
    assert all(record in written for record in records)
    measured = {r["case"]["n"]: r for r in records if r["kind"] == "measurement"}
    predicted = {r["case"]["n"]: r for r in records if r["kind"] == "prediction"}
    assert {int(row["n"]) for row in rows} == set(measured) | set(predicted) and measured and predicted
    for row in rows:
        here, said = measured.get(int(row["n"])), predicted.get(int(row["n"]))
        if here:
            assert float(row["median_s"]) == pytest.approx(here["median_s"], rel=1e-5)
            assert float(row["ci95_high_s"]) == pytest.approx(here["ci95_s"][1], rel=1e-5)
            assert row["run"] == here["run"] and row["machine"] == here["machine"]
        assert (row["predicted_s_hardware"] != "") == (said is not None)
    # A point's own record, by its row; and a machine's file.
    browser.run("document.querySelector('#table tbody tr button').click()")
    wait(
        lambda: browser.run("return document.querySelector('#record[open] #record-save:not([disabled])') !== null"),
        "it",
    )
    assert json.loads(browser.run("return document.getElementById('record-text').textContent").split("\n}\n")[0] + "}")
    browser.run("document.getElementById('record-close').click()")
    browser.run("document.getElementById('every').click()")
    every = [json.loads(line) for line in downloaded(browser, "sortlab-machines.jsonl").splitlines()]
    assert every == [
        r
        for r in written
        if "synthetic-4" in (r.get("machine"), r.get("profile", {}).get("id"))
        or r.get("kind") == "run"
        and r["machine"]["id"] == "synthetic-4"
    ]


def test_keys_reach_everything_and_everything_has_a_name(browser, site):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    show(browser, site)
    reached = []
    for _ in range(120):
        ActionChains(browser.driver, duration=0).send_keys(Keys.TAB).perform()
        e = "document.activeElement"
        reached.append(browser.run(f"return {e}.id || {e}.dataset.facet || {e}.closest('[id]')?.id || {e}.tagName"))
        if reached[-1] == "table" and reached.count("table") > 20:
            break
    wanted = {"theme", "chart", "link", "reset", "canvas", "lines", "rows", "filter", "csv", "originals", "table"}
    assert wanted <= set(reached), reached
    assert browser.run(
        "return [...document.querySelectorAll('.facet:not([hidden]) summary')].every((s) => s.tabIndex === 0)"
    )
    browser.run("document.getElementById('canvas').focus()")
    ActionChains(browser.driver, duration=0).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN).perform()
    said = browser.run("return document.getElementById('said').textContent")
    assert re.search(r"n = 2.*10⁶ keys/s", said), said
    ActionChains(browser.driver, duration=0).send_keys(Keys.ENTER).perform()
    wait(lambda: browser.run("return document.getElementById('record').open"), "the record")
    ActionChains(browser.driver, duration=0).send_keys(Keys.ESCAPE).perform()
    wait(lambda: not browser.run("return document.getElementById('record').open"), "the way back")
    assert browser.run("return document.activeElement.id") == "canvas"
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = {"button", "checkbox", "combobox", "searchbox", "link", "image", "DisclosureTriangle", "region", "form"}
    named = [(node["role"]["value"], node.get("name", {}).get("value")) for node in nodes if not node.get("ignored")]
    assert {"checkbox", "combobox", "searchbox", "button", "image"} <= {role for role, _ in named}
    assert [role for role, name in named if role in roles and not name] == []
    assert any(role in ("img", "image") and "6 lines" in name for role, name in named)


@pytest.mark.parametrize("width, scheme", [(360, "light"), (1280, "dark")])
def test_pages_fit_their_screen_and_follow_the_theme(browser, site, width, scheme):
    show(browser, site, width=width, scheme=scheme)
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.run("return document.getElementById('canvas').getBoundingClientRect().width") > 300
    background = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", background)[:3])) < 200) == (scheme == "dark")
    grid = browser.run("return Chart.getChart('canvas').options.scales.x.grid.color")
    assert grid == {"light": "#e9ebee", "dark": "#272c33"}[scheme]
    for page in ("algorithms.html", "machines.html", "algorithm/msd_radix_cpu.html", "machine/synthetic-0.html"):
        browser.open(site.parent / page, width, scheme)
        assert browser.run("return document.documentElement.scrollWidth") <= width, page
        assert browser.console() == [] and len(browser.requests()) == 1, page


def test_pages_of_sorts_and_machines_say_what_the_records_do(browser, site):
    text = (site.parent / "algorithm" / "msd_radix_cpu.html").read_text(encoding="utf-8")
    assert synthetic.ALGORITHMS["msd_radix_cpu"]["title"] in text
    assert "Synthetic processor 7" in text and "Best and worst inputs" in text and "Model error" in text
    browser.open(site.parent / "algorithm" / "msd_radix_cpu.html", 1280)
    rows = """
        const table = document.querySelector(`table[data-name="${arguments[0]}"]`);
        return [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent));
    """
    for name, best, worst in ((row[0], row[4], row[6]) for row in browser.run(rows, "Best and worst inputs")):
        assert name.startswith("Synthetic processor") and best == "constant" and worst in ("uniform", "sorted")
    for row in browser.run(rows, "Model error"):
        assert row[1] == "hardware" and re.match(r"(8|9|10|11)", row[3]), row  # each prediction is a tenth too long
    page = (site.parent / "machine" / "synthetic-0.html").read_text(encoding="utf-8")
    assert "2020-01-01" in (site.parent / "machines.html").read_text(encoding="utf-8")
    assert "GNU 12.2.0" in page and "#machine=synthetic-0" in page
    # The page's link into the explorer shows the sort.
    browser.driver.get(browser.run("return document.querySelector('.links a').href"))
    wait(lambda: browser.run("return document.documentElement.dataset.shown"), "the explorer")
    assert {line.split(" ")[0] for line in lines(browser)} == {"msd_radix_cpu"}


def test_strings_from_a_stranger_stay_text(browser, hostile_site):
    here = hostile_site.parent
    files = {file.relative_to(here).as_posix() for file in here.rglob("*") if file.is_file()}
    assert all(re.fullmatch(r"[A-Za-z0-9._/-]+", file) and ".." not in file for file in files)
    assert not (hostile_site.parents[2] / "evil.js").exists()
    assert len({file.lower() for file in files}) == len(files)
    show(browser, hostile_site, "#rows=all&place=&type=&threads=&input=&kind=")
    for value in browser.run("return sortlab.index.machines.map((machine) => machine.id)"):
        boxes = "[...document.querySelectorAll('[data-facet=\"machine\"] input')]"
        box = browser.run(f"return {boxes}.find((box) => box.value === arguments[0])", value)
        before = browser.run("return location.hash")
        if not box.is_selected():
            browser.run("arguments[0].click()", box)
            wait(lambda: browser.run("return location.hash") != before, value)
    assert browser.run("return document.body.textContent.includes('<script>document.title')")
    browser.run("document.querySelector('#table tbody tr button').click()")
    wait(lambda: browser.run("return document.querySelector('#record-save:not([disabled])') !== null"), "the record")
    browser.run("document.getElementById('record').close()")
    browser.run("document.getElementById('csv').click()")
    assert "\n'=cmd()," in downloaded(browser, "sortlab.csv")
    pages = ["algorithms.html", "machines.html"]
    pages += [f for f in sorted(files) if f.startswith(("algorithm/", "machine/"))]
    for page in [None, *pages]:
        if page:
            browser.open(hostile_site.parent / page, 360)
        assert browser.run("return document.title").endswith("Sortlab explorer"), page
        assert browser.run("return document.images.length + document.querySelectorAll('main script').length") == 0
        assert browser.run("return document.documentElement.scrollWidth") <= (360 if page else 1280), page
        assert [url for url in browser.requests() if not url.startswith("file://" + str(hostile_site.parent))] == []
        assert browser.console() == [], page


def test_data_end_no_script_and_hold_nothing_but_data():
    text = script("machine", "a", {"x": "</script>\u2028<!--"})
    assert text.isascii() and "<" not in text
    assert json.loads(text[len("sortlab.machine(") : -len(");\n")].partition(",")[2]) == {"x": "</script>\u2028<!--"}
    assert re.fullmatch(
        r'sortlab.packed\("records","a",0,"[A-Za-z0-9+/=]+"\);\n', packed("records", "a", 0, "</script>")
    )
    names = file_names(["plain-1.x", "Plain-1.x", "..", "", "a/b", "a_b", "x" * 300])
    assert names["plain-1.x"] != names["Plain-1.x"] and len({n.lower() for n in names.values()}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}", name) for name in names.values()), names


def test_the_command_says_in_one_line_what_it_cannot_use(tmp_path, capsys):
    records = synthetic.write(
        tmp_path / "records.jsonl", [synthetic.measurement(synthetic.case("vqsort", 1 << 16), 1e-3)]
    )
    nothing = synthetic.write(tmp_path / "nothing.jsonl", [synthetic.run_record()])
    other = tmp_path / "other.js"
    other.write_text("alert(1)")
    out = ("--out", tmp_path / "site")
    for arguments, said in (
        ((), "--records"),
        (("--records", tmp_path / "gone.jsonl", *out), "gone.jsonl: no such file"),
        (("--records", nothing, *out), "no measurement and no prediction"),
        (("--records", records, "--chart-js", other, *out), "is not Chart.js 3 or 4"),
        (("--records", records, "--profile", other, *out), "a machine profile is wanted"),
        (("--records", records, "--out", records), "--out"),
    ):
        assert command.main([str(argument) for argument in arguments]) == 2
        shown = capsys.readouterr()
        assert shown.out == "" and said in shown.err and shown.err.count("\n") == 1, shown
    assert not (tmp_path / "site").exists()
    for start in (["plots/explore.py"], ["-m", "plots.explore"]):
        arguments = [sys.executable, *start, "--records", records, *out]
        done = subprocess.run(arguments, capture_output=True, text=True, cwd=ROOT)
        assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'site' / 'index.html'}\n"), done.stderr


def test_without_the_library_one_line_says_how_to_get_it(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("plots.explorer.chart_library._PLACES", ())
    assert command.main(["--records", "gone.jsonl", "--out", str(tmp_path / "site")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "apt-get install libjs-chart.js" in said and "--chart-js" in said
