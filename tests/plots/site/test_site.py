"""The documentation as a site: every page is on it, every link leads somewhere, search works from a folder."""

import importlib.util
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[3]
SPEC = importlib.util.spec_from_file_location("build_site", ROOT / "plots/site/build.py")
site = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(site)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "pages"
    site.gather(folder)
    return folder


def test_every_document_is_a_page(pages):
    documents = {path.relative_to(ROOT).as_posix() for path in site.tracked(".md")}
    assert {"README.md", "algorithms/README.md", "configs/cluster/README.md"} <= documents
    gathered = {path.relative_to(pages).as_posix() for path in pages.rglob("*.md")}
    assert {page for page in gathered if not page.startswith("api/")} == documents
    assert len(gathered) == len(documents) + len(site.CONTRACTS) + 1


def test_what_a_page_links_to_is_beside_it(pages):
    assert (pages / "CITATION.cff").exists()
    assert "](aa_sort/README.md)" in (pages / "algorithms/README.md").read_text()


def test_the_page_of_the_algorithms_lists_every_folder_which_no_document_does(pages):
    listed = re.findall(r"^- \[(\w+)\]\(\1/README.md\): \S", (pages / "algorithms/README.md").read_text(), re.M)
    folders = {path.parent.name for path in (ROOT / "algorithms").glob("*/CMakeLists.txt")}
    assert set(listed) == folders - {"_template"}
    assert not re.search(r"^(\||-) \[\w+\]\(\w+\)", (ROOT / "algorithms/README.md").read_text(), re.M)


def test_the_first_example_of_a_sort_is_std_sort():
    (example, *_) = re.findall(r"```cpp\n(.*?)```", (ROOT / "algorithms/README.md").read_text(), re.S)
    assert example == (ROOT / "algorithms/std_sort/std_sort.cpp").read_text()


@pytest.mark.parametrize("name", site.CONTRACTS)
def test_a_page_of_a_header_has_all_of_it(pages, name):
    """Every word of comments and declarations, in their order."""

    def words(text):
        return re.findall(r"[A-Za-z_]\w+", text)

    page = pages / "api" / (name.replace("/", "_").removesuffix(".hpp") + ".md")
    body = re.sub(r"&(lt|gt|amp);", " ", page.read_text().split("\n", 1)[1])
    shown = words(re.sub(r"^## .*$|^```cpp$", "", body, flags=re.M))
    kept = re.sub(
        r"^(#pragma once|#include .*|namespace .*|}  // namespace.*)$", "", (ROOT / name).read_text(), flags=re.M
    )
    assert shown == words(kept)


def test_lists_and_links_as_mkdocs_wants_them(tmp_path, monkeypatch):
    monkeypatch.setattr(site, "ROOT", tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/README.md").write_text("# F\n")
    (tmp_path / "bare").mkdir()
    (tmp_path / "code.hpp").write_text("int x;\n")
    document = tmp_path / "a.md"
    document.write_text(
        "Text:\n- one\n- two\n\n[f](folder), [b](bare), [c](code.hpp), [h](#top), [w](https://x.org)\n"
        "```sh\ntext\n- [f](folder)\n```\n"
    )
    copied = set()
    text = site.site_page(document, copied)
    assert text == (
        "Text:\n\n- one\n- two\n\n[f](folder/README.md), [b], [c](code.hpp), [h](#top), [w](https://x.org)\n"
        "```sh\ntext\n- [f](folder)\n```\n"
    )
    assert copied == {tmp_path / "code.hpp"}


class Links(HTMLParser):
    """Collects the links, the loaded files and the anchors of a page."""

    def __init__(self):
        super().__init__()
        self.leads, self.loads, self.anchors = [], [], set()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.leads.append(given["href"])
        elif tag in ("link", "script", "img"):
            self.loads += [given[name] for name in ("href", "src") if given.get(name)]


def parse_links(path):
    parser = Links()
    parser.feed(path.read_text())
    return parser


has_mkdocs = subprocess.run(["/usr/bin/python3", "-c", "import mkdocs"], capture_output=True).returncode == 0
needs_mkdocs = pytest.mark.skipif(
    not has_mkdocs or not os.environ.get("SORTLAB_FULL"),
    reason="slow; SORTLAB_FULL=1 runs it" if has_mkdocs else "mkdocs is not installed",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("html")
    command = ["/usr/bin/python3", ROOT / "plots/site/build.py", "--out", folder]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return folder


@needs_mkdocs
def test_every_link_of_the_site_leads_somewhere_and_nothing_is_loaded_from_elsewhere(built):
    parsed = {path: parse_links(path) for path in built.rglob("*.html") if path.name != "404.html"}
    broken = set()
    for path, page in parsed.items():
        for target in page.leads + page.loads:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                assert target not in page.loads, f"{path} loads {target}"
                continue
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = parsed[file].anchors if file in parsed else set()
            if not file.exists() or (parts.fragment and file in parsed and unquote(parts.fragment) not in anchors):
                broken.add(f"{path.relative_to(built)} -> {target}")
    assert len(parsed) > 60 and not broken


@needs_mkdocs
@pytest.mark.skipif(not shutil.which("chromedriver"), reason="chromedriver is not installed")
def test_search_finds_a_page_opened_from_a_folder(built):
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(option)
    browser = webdriver.Chrome(options=options)
    try:
        browser.implicitly_wait(20)
        browser.get((built / "index.html").as_uri() + "?q=look-back")
        results = browser.find_elements("css selector", "#mkdocs-search-results article a")
        assert any("algorithms/" in result.get_attribute("href") for result in results)
    finally:
        browser.quit()
