"""The page as a reader gets it: headless Chromium loads it, sorts, filters, turns it dark, at two widths."""

import html.parser
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import synthetic_records as synthetic
from browser import Browser
from markupsafe import escape

from plots.claims import books, judgement
from plots.claims.verdicts import MEANINGS, RULE_MEANINGS
from plots.report.ledger import KINDS, ledger
from plots.report import page as report_page
from plots.tables import record_tables
from plots.records.schema import NAME, TEXT
from plots.commands.render import render

ROOT = Path(__file__).resolve().parents[3]
# Text that a stranger may put into any string of a record.
HOSTILE = (
    "<script>document.title='owned'</script>\"'><img src=x onerror=\"document.title='owned'\">--></style>{{7*7}}$x^2$"
)


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    records = synthetic.write(folder / "records.jsonl", synthetic.everything((18, 20, 22, 24, 26)))
    return render(["--records", str(records), "--out", str(folder / "out")])


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory) -> Path:
    """Every string of every record that the schema leaves free holds markup."""
    folder = tmp_path_factory.mktemp("hostile")
    fixed = {"kind", "model_kind", "status", "key_type", "value_type", "cell", "key", "run", "id", "machine"}
    fixed |= {"layout", "residency", "started", "build", "commit", "model_digest", "hash", "origin", "rule", "stopped"}
    fixed |= {"digest"}

    def poison(value, name=""):
        if isinstance(value, dict):
            return {k if k in fixed or name == "case" else k: poison(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [poison(v, name) for v in value]
        known = name == "algorithm" and value == "satish_cpu_radix" or name in fixed
        return HOSTILE + value if isinstance(value, str) and not known else value

    cells = [synthetic.run_record()]
    for algorithm in ("satish_cpu_radix", "vqsort"):
        for log_n in (16, 18, 20, 22):
            case = synthetic.case(algorithm, 1 << log_n)
            cells += [synthetic.measurement(case, 1e-8 * (1 << log_n)), synthetic.prediction(case, 1e-8 * (1 << log_n))]
    cells.append(synthetic.skipped(synthetic.case("std_sort", 1 << 20), "no reason"))
    case = synthetic.case("satish_cpu_radix", 1 << 20, distribution="sorted")
    cells = [synthetic.in_its_cell(poison(c)) for c in cells]
    cells += [synthetic.measurement(c, 1e-2) for c in (synthetic.case("satish_cpu_radix", 1 << 20), case)]
    cells[0]["environment"] |= {HOSTILE: HOSTILE, "cgroup": {HOSTILE: HOSTILE}}
    cells[0]["build"]["version"] = "0.1.0"
    facts = synthetic.ALGORITHMS["vqsort"]
    cells.append({**facts, "name": HOSTILE + "vqsort", "title": HOSTILE, "source": HOSTILE, "roles": {HOSTILE: {}}})
    records = synthetic.write(folder / "records.jsonl", cells)
    return render(["--records", str(records), "--out", str(folder / "out")])


@pytest.fixture(scope="module")
def long_report(tmp_path_factory) -> Path:
    """Every name is as long as a name may be, every other text as long as a text may be, without a break."""
    folder = tmp_path_factory.mktemp("long")
    name, text = "W" * NAME, "M" * TEXT
    run = synthetic.run_record()
    run["machine"]["name"], run["environment"] = name, {name: {name: text}}
    cells = [run]
    for algorithm in (name, "W" + name[1:-1] + "V", "satish_cpu_radix"):
        for n in (1 << 16, 1 << 20):
            case = synthetic.case(algorithm, n, parameters={name[:-8]: name}, version=name)
            cells += [synthetic.measurement(case, 1e-3), synthetic.prediction(case, 1e-3, model=name)]
        cells.append(synthetic.measurement({**case, "distribution": name}, 1e-3))
    cells.append(synthetic.component(synthetic.case(name, 1 << 20), name, 1e-3, postcondition=text))
    cells.append(synthetic.skipped(synthetic.case(name, 1 << 10), text))
    records = synthetic.write(folder / "records.jsonl", cells)
    return render(["--records", str(records), "--out", str(folder / "out")])


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_loads_alone_without_errors_and_fits(browser, report, width, scheme):
    browser.open(report, width, scheme)
    assert browser.requests() == [report.as_uri()]
    assert browser.console() == []
    assert browser.run("return document.documentElement.scrollWidth") <= width
    shown = "narrow" if width < 600 else "wide"
    assert (
        browser.run("return document.querySelector('.' + arguments[0] + ' svg').getBoundingClientRect().width", shown)
        > 300
    )
    background = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", background)[:3])) < 200) == (scheme == "dark")
    # Text in figures follows the page's theme: readable on its ground.
    fill = browser.run("return getComputedStyle(document.querySelector('#SAT-F1 svg text')).fill")
    assert fill in ("rgb(91, 100, 110)", "rgb(163, 173, 184)")[scheme == "dark"]


def column(browser: Browser, name: str, index: int) -> list[str]:
    script = """
        const rows = document.querySelector(`table[data-name="${arguments[0]}"]`).tBodies[0].rows;
        return [...rows].map(row => row.cells[arguments[1]].dataset.sort ?? row.cells[arguments[1]].textContent);
    """
    return browser.run(script, name, index)


def click_head(browser: Browser, name: str, index: int) -> None:
    script = """
        const table = document.querySelector(`table[data-name="${arguments[0]}"]`);
        [...table.tHead.rows].at(-1).cells[arguments[1]].querySelector("button").click();
    """
    browser.run(script, name, index)


def test_a_click_sorts_a_table_by_numbers_and_another_turns_it_round(browser, report):
    browser.open(report, 1280)
    name, time = "All measured cells", 5
    before = [record_tables.leading_number(x) for x in column(browser, name, time)]
    assert before != sorted(before)
    click_head(browser, name, time)
    assert [record_tables.leading_number(x) for x in column(browser, name, time)] == sorted(before)
    click_head(browser, name, time)
    assert [record_tables.leading_number(x) for x in column(browser, name, time)] == sorted(before, reverse=True)
    click_head(browser, name, 0)
    names = column(browser, name, 0)
    assert names == sorted(names) and len(set(names)) > 3
    assert browser.console() == []


def test_a_long_table_is_packed_until_it_is_opened(browser, report, tmp_path, monkeypatch):
    records = synthetic.write(tmp_path / "records.jsonl", synthetic.everything((18, 20, 22, 24, 26)))
    monkeypatch.setattr(record_tables, "_LONG", 20)
    packed = render(["--records", str(records), "--out", str(tmp_path / "out")])
    name, table = "All measured cells", """document.querySelector('table[data-name="All measured cells"]')"""
    browser.open(report, 1280)
    whole = [column(browser, name, index) for index in range(12)]
    browser.open(packed, 1280)
    assert browser.run(f"return {table}.tBodies[0].rows.length") == 1 < len(whole[0])
    assert f"These {len(whole[0])} rows need JavaScript" in browser.run(f"return {table}.textContent")
    browser.run(f"{table}.closest('details').open = true")
    for _ in range(100):
        if browser.run(f"return {table}.tBodies[0].rows.length") > 1:
            break
        time.sleep(0.02)
    assert [column(browser, name, index) for index in range(12)] == whole
    click_head(browser, name, 0)
    assert column(browser, name, 0) == sorted(whole[0])
    script = f"""
        const field = {table}.closest("details").querySelector("input.filter");
        field.value = "std_sort";
        field.dispatchEvent(new Event("input"));
        return [...{table}.tBodies[0].rows].filter(row => !row.hidden).length;
    """
    assert browser.run(script) == sum("std_sort" in text for text in whole[0]) > 0
    assert browser.console() == []


def test_the_papers_table_sorts_too(browser, report):
    browser.open(report, 390)
    click_head(browser, "SAT-T1", 0)
    click_head(browser, "SAT-T1", 0)
    assert column(browser, "SAT-T1", 0) == [str(float(1 << k)) for k in (26, 24, 22, 20, 18)]


def test_the_filter_keeps_rows_that_hold_all_words(browser, report):
    browser.open(report, 1280)
    script = """
        const field = document.querySelector("#claims input.filter");
        field.value = arguments[0];
        field.dispatchEvent(new Event("input"));
        return [...document.querySelectorAll('details.claim')].filter(c => !c.hidden).length;
    """
    claims = {book.paper: len(book.claims) for book in books.books()}
    assert browser.run(script, "") == sum(claims.values())
    assert browser.run(script, "ha-c") == claims["HA"]
    assert browser.run(script, "sat-c thus no row") == 0


def test_the_theme_button_overrides_the_system(browser, report):
    browser.open(report, 1280, "light")
    light = browser.run("return getComputedStyle(document.body).backgroundColor")
    for _ in range(2):  # auto, light, dark
        browser.run("document.getElementById('theme').click()")
    assert browser.run("return document.getElementById('theme').textContent") == "Theme: dark"
    assert browser.run("return getComputedStyle(document.body).backgroundColor") != light


@pytest.mark.parametrize("width", [390, 1280])
def test_long_strings_make_no_page_wider_than_its_screen(browser, long_report, width):
    browser.open(long_report, width)
    browser.run("for (const details of document.querySelectorAll('details')) details.open = true;")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    wider = """
        const seen = [...document.querySelectorAll("h1, h2, h3, p, li, summary, figcaption, .tile, .columns > div")];
        return seen.filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth).map(e => e.tagName + e.className);
    """
    assert browser.run(wider) == []
    assert browser.run("return document.body.textContent.includes('M'.repeat(4096))")


def test_a_record_from_a_stranger_runs_no_script(browser, hostile_report):
    for width in (390, 1280):
        browser.open(hostile_report, width)
        assert browser.run("return document.title").startswith("Sortlab report")
        assert browser.run("return document.scripts.length") == 1
        assert browser.run("return document.images.length") == 0
        assert browser.console() == []
        assert browser.requests() == [hostile_report.as_uri()]
        assert browser.run("return document.body.textContent.includes('<script>document.title')")


class Elements(html.parser.HTMLParser):
    """Names and attributes of the elements of a document."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes |= {name for name, _ in attrs}


def test_hostile_strings_are_text_in_the_page_and_in_every_svg(hostile_report):
    pages = [hostile_report, *(hostile_report.parent / "artifacts").glob("*.svg")]
    assert len(pages) > 5
    for page in pages:
        elements = Elements(page.read_text())
        assert elements.names.count("script") == (page.suffix == ".html")
        assert "img" not in elements.names and not {a for a in elements.attributes if a.startswith("on")}
    assert "49$x^2$" not in hostile_report.read_text()


def test_hostile_strings_do_not_leave_their_argument_in_latex(hostile_report):
    texts = [file.read_text() for file in (hostile_report.parent / "artifacts").glob("*.tex")]
    assert any(r"\textless{}script\textgreater{}" in text for text in texts)
    assert all("$x^2$" not in text and text.count(r"\begin{") == text.count(r"\end{") for text in texts)


def test_the_page_needs_nothing_from_elsewhere(report):
    text = report.read_text()
    addresses = set(re.findall(r"""(?:src|href)=["']([^"']*)""", text))
    assert not [a for a in addresses if not re.match(r"#|data:,|artifacts/", a)]
    for address in addresses:
        if address.startswith("artifacts/"):
            assert (report.parent / address).stat().st_size > 100


def test_the_same_records_give_the_same_files(tmp_path):
    records = synthetic.write(tmp_path / "records.jsonl", synthetic.everything((16, 20)))
    written = []
    for name in ("a", "b"):
        page = render(["--records", str(records), "--paper", "satish2010", "--out", str(tmp_path / name)])
        written.append({f.name: f.read_bytes() for f in page.parent.rglob("*") if f.is_file()})
    assert written[0] == written[1]


def test_without_measurements_the_papers_numbers_stand_alone(tmp_path):
    command = [sys.executable, ROOT / "plots" / "render.py", "--out", tmp_path / "out"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "out" / "index.html").read_text()
    assert "271.0" in text and "Nothing is measured here yet" in text and "no measurements" in text


@pytest.mark.parametrize("library", ["matplotlib", "jinja2", "numpy"])
def test_a_report_needs_no_pandas_and_names_a_library_that_is_absent(tmp_path, library):
    for absent, status in (("pandas", 0), (library, 2)):
        program = f"""
import importlib.abc, sys
class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] == "{absent}":
            raise ModuleNotFoundError(name, name="{absent}")
sys.meta_path.insert(0, Absent())
from plots.commands.start import start
sys.exit(start("commands.render", "render.py", ["--figure", "SAT-T1", "--out", sys.argv[1]]))
"""
        command = [sys.executable, "-c", program, str(tmp_path / str(status))]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == status, done.stderr
        assert (tmp_path / str(status)).exists() == (status == 0)
    assert done.stderr == f"render.py: needs {library}, which is not installed here (python3-{library})\n"


@pytest.mark.parametrize("also", [[], ["png"], ["png", "pdf"]])
def test_one_artifact_of_one_paper(tmp_path, also):
    options = [f"--{ending}" for ending in also]
    page = render(["--paper", "satish2010", "--figure", "SAT-T1", "--out", str(tmp_path), *options])
    names = {f"SAT-T1.{ending}" for ending in ("svg", "csv", "tex", *also)}
    assert {file.name for file in (tmp_path / "artifacts").iterdir()} == names
    assert set(re.findall(r'href="artifacts/([^"]+)"', page.read_text())) == names  # the page offers what was written


def test_a_table_of_many_columns_fits_a_desk(browser, tmp_path):
    """Places 13 to 15 of the worked example were out of view."""
    browser.open(render(["--figure", "STE-T2", "--out", str(tmp_path)]), 1280)
    edges = "const box = document.querySelector('#STE-T2 .scroll'); return [box.scrollWidth, box.clientWidth];"
    wide, seen = browser.run(edges)
    assert wide <= seen


def test_a_table_says_that_it_goes_on_to_the_right(browser, report):
    browser.open(report, 390)
    told = """
        const seen = [...document.querySelectorAll(".scroll")].filter(box => !box.closest("details:not([open])"));
        const says = (box) => getComputedStyle(box, "::before").content !== "none";
        return seen.map(box => [box.scrollWidth > box.clientWidth + 1, says(box)]);
    """
    browser.run("return new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
    found = browser.run(told)
    assert [True, True] in found and [False, False] in found and all(wide == says for wide, says in found)


def test_the_counts_of_claims_are_all_in_view_on_a_phone(browser, report):
    browser.open(report, 390)
    script = "const t = document.querySelector('.claim-counts').parentElement; return [t.scrollWidth, t.clientWidth];"
    wide, seen = browser.run(script)
    assert wide <= seen


def test_names_in_tables_are_whole_words_and_notes_fit_a_desk(browser, report):
    """Facts of a run were broken inside words, and notes of published numbers to one letter a line."""
    browser.open(report, 1280)
    browser.run("for (const details of document.querySelectorAll('details')) details.open = true;")
    script = """
        const rows = document.querySelector(`table[data-name^="${arguments[0]}"]`).tBodies[0].rows;
        const cells = [...rows].map(row => [...row.cells].at(arguments[1]).getBoundingClientRect());
        const most = (of) => Math.max(...cells.map(of));
        return [most(c => c.height), -most(c => -c.width), most(c => c.right)];
    """
    height, width, _ = browser.run(script, "Run ", 0)
    assert height < 60 and width > 120
    _, width, right = browser.run(script, "Published numbers", -1)
    assert width > 200 and right <= 1280


def test_the_ledger_has_one_line_a_claim_and_counts_arithmetic_apart(records):
    """Each line has the paper's sentence, what was found and the verdict; everything else opens on demand."""
    results = judgement.judge(records)
    shown = ledger(results)
    assert [len(claims) for claims in shown["papers"].values()] == [len(book.claims) for book in books.books()]
    (every,) = [counts for counts in shown["counts"] if counts.title == "all papers"]
    of_papers = [r for r in results if not r.own]
    computed = sum(r.arithmetic for r in of_papers)
    assert computed > 5 and sum(every.by_verdict.values()) == len(of_papers) - computed
    (own,) = [counts for counts in shown["counts"] if counts.title.startswith("No paper")]
    assert shown["counts"][-1] is own and sum(own.by_verdict.values()) == len(results) - len(of_papers)
    assert every.arithmetic == f"{computed} hold"
    text = report_page.page(records, [], results)
    lines = re.findall(r'<details class="claim" id="claim-([^"]+)"><summary>(.*?)</summary>', text, re.S)
    assert [id_ for id_, _ in lines] == [r.id for r in results]
    for (_, line), r in zip(lines, results):
        assert str(escape(r.proposition)) in line and str(escape(r.found)) in line
        assert f'<b class="chip {KINDS[r.verdict]}">{r.verdict}</b>' in line
        assert not r.quote or str(escape(r.quote)) not in line and str(escape(r.quote)) in text
    for meanings in (MEANINGS, RULE_MEANINGS):
        assert all(f">{name}</dt><dd>{escape(meaning)}</dd>" in text for name, meaning in meanings.items())
    for rule in {part.rule for r in results for part in r.parts if part.rule}:
        assert rule in RULE_MEANINGS and f"<small>{rule}</small>" in text


def test_a_failing_model_is_told_from_a_failing_claim(records):
    """ELSEWHERE-C3: what was published decides, and a note beside the verdict tells of the model."""
    (result,) = [r for r in judgement.judge(records) if r.id == "ELSEWHERE-C3"]
    note = f"<small>{judgement.MODEL_FAILS}</small></span></summary>"
    assert note not in report_page.page(records, [], [result])
    assert note in report_page.page(records, [], [replace(result, model=judgement.MODEL_FAILS)])


def test_types_with_few_numbers_are_a_table_of_the_page(tmp_path):
    cells = [synthetic.run_record()]
    for name, ns in (("std_sort", 4.0), ("std_stable_sort", 8.25)):
        for case in (
            *(synthetic.case(name, 1 << k) for k in (16, 18, 20, 22, 24)),
            synthetic.case(name, 1 << 20, key_type="u128"),
        ):
            cells.append(synthetic.measurement(case, ns * 1e-9 * case["n"], 0.001))
    file = synthetic.write(tmp_path / "r.jsonl", cells)
    text = render(["--records", str(file), "--out", str(tmp_path / "out")]).read_text()
    table = text.partition('data-name="CPU-FEW"')[2].partition("</table>")[0]
    # A long name may break after an underscore, and nowhere else.
    assert "u128, 1 thread: std_<wbr>stable_<wbr>sort" in table and ">8.26<" in table
