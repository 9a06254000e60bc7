"""An artifact's appendix and citation say what the records say, and its crate names the run that made each file."""

import dataclasses
import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import synthetic_records as synthetic

from plots.claims import judgement
from plots.claims.books import books
from plots.publication import appendix, command, crate
from plots.publication.command import main
from plots.records.collection import read
from plots.records.folders import ALGORITHMS

ROOT = Path(__file__).resolve().parents[3]
PROFILE = json.loads((ROOT / "tests/data/machine_with_device.json").read_text())
NO_ROCRATE = importlib.util.find_spec("rocrate") is None
needs_rocrate = pytest.mark.skipif(NO_ROCRATE, reason="the library rocrate is not installed: pip install rocrate")
needs_validator = pytest.mark.skipif(
    NO_ROCRATE or importlib.util.find_spec("rocrate_validator") is None,
    reason="rocrate-validator is not installed: pip install roc-validator",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A machine's folder: records of two sizes, a prediction, its profile."""
    made = tmp_path_factory.mktemp("machine") / "synthetic"
    made.mkdir()
    synthetic.write(made / "quick.jsonl", synthetic.everything((16, 20, 24)))
    (made / "profile.json").write_text(json.dumps({**PROFILE, "id": synthetic.MACHINE}))
    return made


def written(folder, out, *more):
    arguments = ["--records", str(folder), "--author", "Doe, Jane", "--out", str(out), *more]
    return main(arguments)


@pytest.fixture
def without_library(monkeypatch):
    monkeypatch.setattr(crate, "is_available", lambda: False)


def claim_rows(text):
    """The rows of claims in Markdown, by id."""
    cells = [[c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in text.splitlines() if "|" in line]
    return {row[0]: row for row in cells if re.fullmatch(r"[A-Z0-9]+-[A-Z]+\d+", row[0])}


def judged(folder):
    records = read([folder, *sorted((ROOT / "results/published").glob("*.jsonl"))])
    ledger = books(sorted(file.parent for file in ALGORITHMS.glob("[!_]*/CMakeLists.txt")))
    return {r.id: r for r in judgement.judge(records.on(synthetic.MACHINE), None, ledger)}


def test_without_the_library_the_rest_is_written_and_one_line_says_so(folder, tmp_path, without_library, capsys):
    out = tmp_path / "artifact"
    assert written(folder, out) == 0
    told = capsys.readouterr()
    assert told.err == f"sortlab artifact: {command.NO_LIBRARY}\n" and told.out == f"{out}\n"
    assert sorted(f.name for f in out.iterdir()) == ["CITATION.cff", "appendix.md", "appendix.tex"]


def test_each_claim_has_a_row_with_its_verdict(folder, tmp_path, without_library):
    assert written(folder, tmp_path / "artifact") == 0
    rows, found = claim_rows((tmp_path / "artifact/appendix.md").read_text()), judged(folder)
    assert rows.keys() == found.keys() and len(rows) > 90
    assert {id_: row[-1] for id_, row in rows.items()} == {id_: r.verdict for id_, r in found.items()}
    assert len({r.verdict for r in found.values()}) > 2  # a table of one verdict would show nothing
    for id_, row in rows.items():
        result = found[id_]
        paper = f"./run_all.sh --paper {result.book}"
        wanted = f"./run_all.sh --config {result.config}" if result.config else paper
        assert row[1] == ("" if result.arithmetic else f"`{wanted}`")
        if result.config:
            assert (ROOT / result.config).exists(), id_


def test_one_paper_has_the_rows_of_its_claims_alone(folder, tmp_path, without_library):
    assert written(folder, tmp_path / "artifact", "--paper", "satish2010") == 0
    rows = claim_rows((tmp_path / "artifact/appendix.md").read_text())
    assert rows and all(id_.startswith("SAT-") for id_ in rows)
    assert rows["SAT-C4"][4] == "at least 1.6 in most cases"


def test_a_tolerance_is_the_condition_of_the_parts_that_decide():
    def part(name, verdict, condition, **more):
        facts = dict(beside=False, adapted="", arithmetic=False, decides=False, predicted=False, figure="", reason="")
        facts["rule"] = ""
        return judgement.PartResult(name=name, verdict=verdict, condition=condition, **{**facts, **more})

    parts = (
        part("keys per second", "not testable", "at least 240 million keys a second"),
        part("against the merge sort", "fails", "at least 1", decides=True, rule="in most cases"),
        part("by its parts", "holds", "32", arithmetic=True),
        part("a later library", "holds", "at least 2", beside=True),
    )
    facts = dict.fromkeys(
        ("book", "paper", "title", "section", "proposition", "quote", "found", "inconsistency", "model"), ""
    )
    result = judgement.ClaimResult(
        id="SAT-C0", platform="cpu", config="", verdict="fails", unmeasured=False, partial=True, parts=parts, **facts
    )
    assert appendix.tolerance(result) == "against the merge sort: at least 1 in most cases"
    undecided = dataclasses.replace(result, parts=parts[:1])
    assert appendix.tolerance(undecided) == "keys per second: at least 240 million keys a second"
    assert (
        appendix.tolerance(dataclasses.replace(result, platform="arithmetic", parts=parts[2:3])) == "by its parts: 32"
    )


def test_the_appendix_names_machine_software_and_time(folder, tmp_path, without_library):
    assert written(folder, tmp_path / "artifact") == 0
    text = (tmp_path / "artifact/appendix.md").read_text()
    for wanted in (
        "| Processor | Synthetic processor |",
        "| Cores | 2 (2 hardware threads) |",
        "| Caches | L1d 32.0 KiB, L2 1.00 MiB, L3 32.0 MiB |",
        "| Memory | 24.0 GiB |",
        "| Sortlab | 0.0.0, commit 0123456789 |",
        "| Compiler | GNU 12.2.0 -O3 |",
        "| Measured on | 2020-01-01 |",
        "    git checkout 0123456789abcdef0123456789abcdef01234567",
    ):
        assert wanted in text, wanted
    seconds = sum(
        sum(record.get("samples_s", ()))
        for record in map(json.loads, (folder / "quick.jsonl").read_text().splitlines())
        if record["kind"] in ("measurement", "component")
    )
    assert seconds > 60 and f"| Timed sorts alone | {float(f'{seconds / 60:.2g}'):g} min |" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(folder, tmp_path, without_library):
    assert written(folder, tmp_path / "artifact") == 0
    (tmp_path / "whole.tex").write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs,longtable,array,textcomp}"
        "\\begin{document}\\appendix\\input{artifact/appendix.tex}\\end{document}"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "whole.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]


def test_text_of_a_record_is_no_markup(folder, tmp_path, without_library):
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    text = (folder / "quick.jsonl").read_text().replace("Synthetic processor", "a|b_c*<i>\\\\input{x}#")
    (hostile / "quick.jsonl").write_text(text)
    assert written(hostile, tmp_path / "artifact") == 0
    made = (tmp_path / "artifact/appendix.md").read_text()
    assert "| Processor | a&#124;b&#95;c&#42;&#60;i&#62;&#92;input{x}&#35; |" in made
    assert r"a\textbar{}b\_c*\textless{}i" in (tmp_path / "artifact/appendix.tex").read_text().replace(
        "allowbreak{}", ""
    )
    assert "\\input{x}" not in (tmp_path / "artifact/appendix.tex").read_text()


def test_the_citation_follows_the_format(folder, tmp_path, without_library):
    yaml = pytest.importorskip("yaml")
    assert written(folder, tmp_path / "artifact", "--author", "A Group", "--paper", "ha2010") == 0
    made = yaml.safe_load((tmp_path / "artifact/CITATION.cff").read_text())
    assert made["cff-version"] == "1.2.0" and made["type"] == "dataset" and made["license"] == "Apache-2.0"
    assert made["authors"] == [{"family-names": "Doe", "given-names": "Jane"}, {"name": "A Group"}]
    assert str(made["date-released"]) == "2020-01-01" and made["title"] and made["message"]
    software, paper = made["references"]
    assert software["commit"] == "0123456789abcdef0123456789abcdef01234567" and software["type"] == "software"
    assert paper["title"] == "Implicit radix sorting on GPUs"


def test_the_papers_are_cited_as_in_the_checkout():
    yaml = pytest.importorskip("yaml")
    whole = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    papers = json.loads((ROOT / "results/published/papers.json").read_text())
    assert list(papers.values()) == whole["references"]
    assert set(papers) == {f.stem for f in (ROOT / "results/published").glob("*.jsonl")} - {"elsewhere"}


def made_entities(folder):
    from plots.publication.kept_files import kept_files

    records = read([folder]).on(synthetic.MACHINE)
    about = crate.About("Title", ["Doe, Jane"], "CC0-1.0", "2020-01-02")
    return crate.entities(records, kept_files([folder], [], False), ["appendix.md"], about)


def test_a_run_is_an_action_with_instrument_object_and_result(folder):
    made = made_entities(folder)
    action = made.others[f"#run-{synthetic.RUN}"]
    assert action["@type"] == "CreateAction" and action["startTime"] == "2020-01-01T00:00:00+00:00"
    assert action["result"] == [{"@id": "records/quick.jsonl"}]
    tool = made.others[action["instrument"]["@id"]]
    assert action["instrument"]["@id"] == "swh:1:rev:0123456789abcdef0123456789abcdef01234567"
    assert tool["@type"] == "SoftwareApplication" and tool["softwareVersion"] == "0.0.0"
    assert made.others[action["object"][0]["@id"]]["value"] == "quick, digest 00112233445566ff"
    assert "sortlab run configs/quick.json" in action["description"]
    assert made.others[action["agent"][0]["@id"]]["familyName"] == "Doe"


def test_every_reference_leads_to_an_entity(folder):
    made = made_entities(folder)
    known = made.others.keys() | made.files.keys()
    referred = re.findall(r'"@id": "([^"]+)"', json.dumps([made.root, made.files, made.others]))
    assert referred and set(referred) <= known
    assert made.root["conformsTo"] == {"@id": "https://w3id.org/ro/wfrun/process/0.5"}
    actions = {id_ for id_, of in made.others.items() if of["@type"] == "CreateAction"}
    assert {mention["@id"] for mention in made.root["mentions"]} == actions and len(actions) > 1


def test_a_file_has_its_digest_and_size(folder):
    made = made_entities(folder)
    assert sorted(made.files) == ["appendix.md", "records/profile.json", "records/quick.jsonl"]
    content = (folder / "quick.jsonl").read_bytes()
    file = made.files["records/quick.jsonl"]
    assert file["sha256"] == hashlib.sha256(content).hexdigest() and file["contentSize"] == str(len(content))


@pytest.mark.parametrize(
    "more, says",
    [
        (["--author", ", Jane"], "--author , Jane: must be"),
        (["--license", "my own"], "--license my own: must be an SPDX identifier"),
        (["--paper", "satish2011"], "--paper: invalid choice: 'satish2011'"),
        (["--machine", "none"], "--machine none: no record of it"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(folder, tmp_path, more, says, capsys):
    assert written(folder, tmp_path / "artifact", *more) == 2
    told = capsys.readouterr()
    assert says in told.err and told.err.count("\n") == 1 and list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(folder, tmp_path, capsys):
    (tmp_path / "artifact").mkdir()
    assert written(folder, tmp_path / "artifact") == 2
    assert "nothing is overwritten" in capsys.readouterr().err and list((tmp_path / "artifact").iterdir()) == []


def test_a_folder_of_somebodys_machine_is_named_or_shortened(folder, tmp_path, without_library, capsys):
    personal = tmp_path / "personal"
    personal.mkdir()
    text = (folder / "quick.jsonl").read_text().replace("configs/quick.json", "/home/jane/s/configs/quick.json")
    (personal / "quick.jsonl").write_text(text)
    assert written(personal, tmp_path / "artifact") == 2
    assert "the command names /home/jane/s/configs/quick.json; --shorten-paths" in capsys.readouterr().err
    assert written(personal, tmp_path / "artifact", "--shorten-paths") == 0


def test_two_files_of_one_name_keep_their_folders_or_are_declined(folder, tmp_path, without_library, capsys):
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    twice = ["--records", str(folder / "quick.jsonl"), str(other / "quick.jsonl")]
    assert main([*twice, "--author", "A", "--out", str(tmp_path / "artifact")]) == 2
    assert "another file is named quick.jsonl; give their folders instead" in capsys.readouterr().err
    assert main(["--records", str(folder), str(other), "--author", "A", "--out", str(tmp_path / "artifact")]) == 0


@needs_rocrate
def test_the_crate_holds_the_records_unchanged(folder, tmp_path):
    assert written(folder, tmp_path / "artifact") == 0
    made = tmp_path / "artifact"
    assert (made / "records/quick.jsonl").read_bytes() == (folder / "quick.jsonl").read_bytes()
    graph = {e["@id"]: e for e in json.loads((made / "ro-crate-metadata.json").read_text())["@graph"]}
    assert {part["@id"] for part in graph["./"]["hasPart"]} == {
        str(file.relative_to(made))
        for file in made.rglob("*")
        if file.is_file() and file.name != "ro-crate-metadata.json"
    }


@needs_validator
def test_the_crate_is_a_valid_process_run_crate(folder, tmp_path):
    assert written(folder, tmp_path / "artifact") == 0
    validator = [sys.executable, ROOT / "tests/support/crate_validator.py", tmp_path / "artifact"]
    done = subprocess.run(validator, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr[-2000:]
    metadata = tmp_path / "artifact/ro-crate-metadata.json"
    metadata.write_text(metadata.read_text().replace('"instrument"', '"tool"'))
    done = subprocess.run(validator, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1 and "MUST have an instrument" in done.stdout
