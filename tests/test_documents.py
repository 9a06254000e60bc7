"""Documents are right: links resolve, shown commands exist, and the version is stated in one place."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build/release/sortlab"))
IGNORED = {".git", ".venv", "build", "report"}
DOCUMENTS = sorted(p for p in ROOT.rglob("*.md") if not IGNORED & set(p.relative_to(ROOT).parts))
VERSION = re.search(r"project\(sortlab VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def without_code(text):
    """Markdown without fenced blocks and inline code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))


def anchors(document):
    """The anchors that GitHub gives a document's headings."""
    headings = re.findall(r"^#+\s+(.*?)\s*$", re.sub(r"^```.*?^```", "", document.read_text(), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def commands(document):
    """Each command line in the shell blocks of a document, as words. Lines are joined, comments and pipes cut off."""
    for block in re.findall(r"^```sh\n(.*?)^```", document.read_text(), flags=re.S | re.M):
        for line in block.replace("\\\n", " ").splitlines():
            for part in re.split(r"&&|\|", line):
                words = shlex.split(part, comments=True)
                if words:
                    yield words


SHOWN = [(document.relative_to(ROOT), words) for document in DOCUMENTS for words in commands(document)]


def named(case):
    return " ".join(case[1])[:60]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_resolve(document):
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(document.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (document.parent / path).resolve() if path else document
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    assert not broken


@pytest.mark.parametrize("case", [c for c in SHOWN if c[1][0].endswith("sortlab")], ids=named)
def test_shown_sortlab_commands_exist(case):
    _, words = case
    assert words[0] == "build/release/sortlab"
    subcommand = [w for w in words[1 : 3 if words[1] in ("machine", "keys") else 2] if not w.startswith("-")]
    told = subprocess.run([SORTLAB, *subcommand, "--help"], capture_output=True, text=True, cwd=ROOT)
    assert told.returncode == 0, told.stderr
    for option in (w.partition("=")[0] for w in words if w.startswith("--")):
        assert re.search(rf"(^|[\s,]){option}\b", told.stdout), f"{option} is no option of {' '.join(words[:2])}"


@pytest.mark.parametrize("case", [c for c in SHOWN if c[1][0].startswith("./")], ids=named)
def test_shown_scripts_know_their_options(case):
    _, words = case
    told = subprocess.run([ROOT / words[0], "--help"], capture_output=True, text=True, cwd=ROOT)
    assert told.returncode == 0, told.stderr
    for option in (w for w in words if w.startswith("--")):
        assert option in told.stdout, f"{option} is no option of {words[0]}"


@pytest.mark.parametrize("case", SHOWN, ids=named)
def test_shown_inputs_exist(case):
    """Files of the repository that a shown command reads; local measurements and outputs may be absent."""
    _, words = case
    for word in words:
        if re.match(r"(configs|models|plots|tests|results/(published|reference))/", word):
            assert (ROOT / word).exists(), word


@pytest.mark.parametrize("script", ["run_all.sh", "run_tests.sh"])
def test_unknown_option_is_told_in_one_line(script):
    told = subprocess.run([ROOT / script, "--nonsense"], capture_output=True, text=True, cwd=ROOT)
    assert told.returncode == 2 and told.stdout == ""
    assert told.stderr.count("\n") == 1 and "--nonsense" in told.stderr and "--help" in told.stderr


def test_version_of_the_program():
    told = subprocess.run([SORTLAB, "--version"], capture_output=True, text=True)
    assert told.returncode == 0 and VERSION in told.stdout


def test_the_readme_names_the_kinds_of_the_programs_models():
    """Not their number, so that a sort with a model needs no change here."""
    told = subprocess.run([SORTLAB, "list", "models", "--json"], capture_output=True, text=True, check=True)
    kinds = {model["model_kind"] for model in json.loads(told.stdout)}
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    (sentence,) = re.findall(r"models that each state their kind: (.*?)\. ", text)
    assert set(re.findall(r"\(`(\w+)`\)", sentence)) == kinds
    assert not re.search(r"\d", sentence)


def test_version_stands_in_one_place():
    """Only CMakeLists.txt states the version. The change log may describe it, and test records have some version."""
    sources = {".txt", ".md", ".cff", ".cpp", ".hpp", ".py", ".toml", ".sh", ".cmake", ".html"}
    repeats = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*")
        if path.suffix in sources
        and not (IGNORED | {"tests"}) & set(path.relative_to(ROOT).parts)
        and re.search(rf"(?<![\d.]){re.escape(VERSION)}(?![\d.])", path.read_text(errors="replace"))
    ]
    assert set(repeats) - {"CHANGELOG.md"} == {"CMakeLists.txt"}


def test_newest_change_is_of_this_version():
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M).group(1)
    assert newest in ("Unreleased", VERSION)


def test_citation_names_the_four_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "title", "message", "authors"} <= citation.keys()
    assert "version" not in citation
    first_authors = {reference["authors"][0]["family-names"].lower() for reference in citation["references"]}
    papers = {re.match(r"[a-z]+", path.stem).group() for path in (ROOT / "results/published").glob("*[0-9].jsonl")}
    assert first_authors == papers


def test_citation_and_licence_agree():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["license"] == "Apache-2.0"
    assert (ROOT / "LICENSE").read_text().split()[:4] == ["Apache", "License", "Version", "2.0,"]


def test_presets_are_what_the_documents_say():
    presets = json.loads((ROOT / "CMakePresets.json").read_text())
    shown = {preset["name"] for preset in presets["configurePresets"] if not preset.get("hidden")}
    assert shown == {"release", "debug", "asan", "tsan", "fuzz", "aarch64"}


def test_sanitizers_are_built_with_line_tables_only():
    """Sanitizer builds have only line tables, since full debug information is several times as large as the rest."""
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    sanitizers = [
        p["cacheVariables"] for p in presets if "-fsanitize" in p.get("cacheVariables", {}).get("CMAKE_CXX_FLAGS", "")
    ]
    assert len(sanitizers) == 3
    for variables in sanitizers:
        flags = variables[f"CMAKE_CXX_FLAGS_{variables['CMAKE_BUILD_TYPE'].upper()}"].split()
        assert [flag for flag in flags if flag.startswith("-g")] == ["-g1"]


def test_hooks_before_a_commit_use_the_versions_that_decide_the_format():
    """The versions of ./run_tests.sh, and so of CI."""
    packages = (ROOT / "harness/setup/packages.sh").read_text()
    decide = re.search(r"^formatters=\((.*)\)$", packages, re.M)[1].split()
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    pinned = [version for hook in hooks for version in hook.get("additional_dependencies", [])]
    assert sorted(pinned) == sorted(decide) and len(decide) == 2
    checks = re.findall(r"^ +part (\S+)", (ROOT / "run_tests.sh").read_text(), re.M)
    assert {hook["id"] for hook in hooks} <= set(checks)
