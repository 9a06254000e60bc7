"""The report's pages have no barriers, in both themes and at two widths."""

from pathlib import Path

import pytest
import synthetic_records as synthetic
from accessible import axe, axe_violations, barriers
from page_links import broken_links

from plots.commands.render import render

KEPT = next((Path(__file__).resolve().parents[3] / "results/reference").glob("*/gpu2026/profile.json")).parent
needs_axe = pytest.mark.skipif(
    axe() is None, reason="needs axe-core: pip install axe-playwright-python, or SORTLAB_AXE"
)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A page with every kind of section, and one of kept figures."""
    folder = tmp_path_factory.mktemp("accessible")
    records = synthetic.write(folder / "records.jsonl", synthetic.everything((20,)))
    folder_out = render(["--records", str(records), "--kept", str(KEPT), "--out", str(folder / "out")]).parent
    assert {page.name for page in folder_out.glob("*.html")} == {"index.html", "kept.html"}
    return folder_out


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read_and_controls_have_names(browser, report, width, scheme):
    for page in report.glob("*.html"):
        browser.open(page, width, scheme)
        assert barriers(browser) == []


def test_a_barrier_is_found(browser, tmp_path):
    (tmp_path / "a.html").write_text('<p style="color: #999">pale</p><button></button><p>dark</p>')
    browser.open(tmp_path / "a.html", 390)
    found = barriers(browser)
    assert [text.partition(":")[0] for text in found] == ["contrast 2.85", "no name"]


@needs_axe
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, report, width, scheme):
    for page in report.glob("*.html"):
        browser.open(page, width, scheme)
        assert axe_violations(browser, axe()) == []


def test_every_link_leads_somewhere(report):
    assert broken_links(report) == []
