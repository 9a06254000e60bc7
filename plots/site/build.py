#!/usr/bin/env python3
"""Builds the documentation as a site in build/site/html: the READMEs and pages in place, and the contract headers.

    plots/site/build.py            # needs mkdocs: Debian's package, or PyPI's
    plots/site/build.py --gather   # only the pages, in build/site/pages
"""

from __future__ import annotations

import argparse
import html
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
BUILD = ROOT / "build" / "site"

# Headers that a new sort, distribution or model includes.
CONTRACTS = [
    "algorithms/plugin.hpp",
    "algorithms/component.hpp",
    "algorithms/phase_timer.hpp",
    "algorithms/probe.hpp",
    "core/key_types.hpp",
    "core/parameters.hpp",
    "core/record.hpp",
    "generators/distribution.hpp",
    "generators/record_distribution.hpp",
    "models/cost.hpp",
    "models/distribution_view.hpp",
    "models/machine_profile.hpp",
    "models/model.hpp",
]
DECLARED = re.compile(r"(?:struct|class|enum class|using|concept)\s+(\w+)|([\w~]+)\s*\(|\b(k[A-Z]\w+)")


def tracked(ending: str) -> list[Path]:
    """The checkout's files of this ending, without hidden folders and without what was built or measured here."""
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", f"*{ending}"], capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        names = [name for name in listing.stdout.splitlines() if not name.startswith(".")]
        return [ROOT / name for name in names if (ROOT / name).exists()]
    made_here = {"build", "report", ".venv", ".pytest_cache", ".github"}
    found = sorted(ROOT.rglob(f"*{ending}"))
    return [path for path in found if not made_here & set(path.relative_to(ROOT).parts)]


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """`text` with `change` applied outside fenced blocks and inline code."""
    pieces = re.split(r"(^```.*?^```|`[^`\n]*`)", text, flags=re.S | re.M)
    return "".join(piece if i % 2 else change(piece) for i, piece in enumerate(pieces))


def site_page(document: Path, copied: set[Path]) -> str:
    """A document for MkDocs. Linked files that are no pages are added to `copied`."""

    def link(match: re.Match[str]) -> str:
        target: str = match[1]
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        name, mark, anchor = target.partition("#")
        path = (document.parent / name).resolve()
        if path.is_dir():
            if not (path / "README.md").exists():
                return "]"  # nothing to show: the text stays
            return f"]({name.rstrip('/')}/README.md{mark}{anchor})"
        if path.suffix != ".md":
            copied.add(path)
        return match[0]

    lines: list[str] = []
    fenced = False
    for line in document.read_text(encoding="utf-8").splitlines():
        fenced ^= line.startswith("```")
        item = re.match(r"(- |\d+\. )", line)
        # MkDocs wants a blank line before a list that follows a paragraph.
        if item and not fenced and lines and re.match(r"[^\s\-#|>\d]", lines[-1]):
            lines.append("")
        lines.append(line)
    text = "\n".join(lines) + "\n"
    # A link's text may hold inline code, so links are changed everywhere but in fenced blocks.
    pieces = re.split(r"(^```.*?^```)", text, flags=re.S | re.M)
    return "".join(p if i % 2 else re.sub(r"\]\(([^)\s]+)\)", link, p) for i, p in enumerate(pieces))


def prose(comment: list[str]) -> str:
    text = " ".join(re.sub(r"^///? ?", "", line) for line in comment)
    return outside_code(text, lambda piece: re.sub(r"([*\[\]])", r"\\\1", html.escape(piece, quote=False)))


def api_page(header: Path) -> str:
    """A header as a page: comments at the margin become text, declarations become code under their names."""
    lines = header.read_text(encoding="utf-8").splitlines()
    left_out = re.compile(r"#pragma once|#include|namespace \w*|}  // namespace|using namespace")
    name = header.relative_to(ROOT).as_posix()
    at = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    page = [f"# {name}", "", prose(lines[:at]), ""]
    lines = [line for line in lines[at:] if not left_out.match(line)]
    at = 0
    while at < len(lines):
        comment, code = [], []
        while at < len(lines) and not lines[at]:
            at += 1
        while at < len(lines) and lines[at].startswith("//"):
            comment.append(lines[at])
            at += 1
        while at < len(lines) and not lines[at].startswith("//"):
            code.append(lines[at])
            at += 1
        declared = DECLARED.search("\n".join(code))
        if declared:
            page += [f"## {next(filter(None, declared.groups()))}", ""]
        page += [prose(comment), ""] if comment else []
        page += ["```cpp", *"\n".join(code).strip("\n").splitlines(), "```", ""] if any(code) else []
    return "\n".join(page)


def algorithm_list() -> str:
    """Every algorithm's folder with the first paragraph of its README, for the page of algorithms/."""
    entries = ["", "### Folders", ""]
    for document in sorted((ROOT / "algorithms").glob("[!_]*/README.md")):
        about = document.read_text(encoding="utf-8").split("\n\n")[1].replace("\n", " ")
        about = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", about)  # its links are relative to its own folder
        entries.append(f"- [{document.parent.name}]({document.parent.name}/README.md): {about}")
    return "\n".join(entries) + "\n"


def gather(pages: Path) -> None:
    """Writes all pages below `pages`, in the tree of the checkout, with the files to which they link."""
    shutil.rmtree(pages, ignore_errors=True)
    copied: set[Path] = set()
    for document in tracked(".md"):
        target = pages / document.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(site_page(document, copied), encoding="utf-8")
    with (pages / "algorithms" / "README.md").open("a", encoding="utf-8") as page:
        page.write(algorithm_list())
    for path in sorted(copied):
        target = pages / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    contents = []
    for name in CONTRACTS:
        target = pages / "api" / (name.replace("/", "_").removesuffix(".hpp") + ".md")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(api_page(ROOT / name), encoding="utf-8")
        about = target.read_text(encoding="utf-8").split("\n")[2]
        contents.append(f"- [{name}]({target.name}): {about.split('. ')[0].rstrip('.')}")
    index = [
        "# API",
        "",
        "The headers that a sort, a distribution or a model includes, as they are written.",
        "",
        *contents,
    ]
    (pages / "api" / "README.md").write_text("\n".join(index) + "\n", encoding="utf-8")
    shutil.copy(HERE / "search_in_files.js", pages)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--gather", action="store_true", help="gather the pages, and build no site")
    parser.add_argument("--out", type=Path, default=BUILD / "html", help="the site's folder")
    options = parser.parse_args(arguments)
    gather(BUILD / "pages")
    if options.gather:
        return 0
    # --strict makes a broken link between pages an error.
    command = ["-m", "mkdocs", "build", "--quiet", "--strict", "-f", str(HERE / "mkdocs.yml"), "-d", str(options.out)]
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import mkdocs"], capture_output=True, check=False).returncode == 0:
            break
    else:
        print(
            "build.py: mkdocs: not installed; as root: apt-get install --no-install-recommends mkdocs", file=sys.stderr
        )
        return 1
    status = subprocess.run([python, *command], check=False).returncode
    if status == 0:
        index = (options.out / "search/search_index.json").read_text(encoding="utf-8")
        (options.out / "search/search_index.js").write_text(f"const searchIndex = {index};\n", encoding="utf-8")
        print(options.out / "index.html")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
