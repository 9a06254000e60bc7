"""Artifacts and claims are found by looking, those in a folder outside too."""

import json
from pathlib import Path

import pytest
import synthetic_records as synthetic

from plots.claims import books
from plots.artifacts import discovery
from plots.commands.render import main, render

ROOT = Path(__file__).resolve().parents[3]

ARTIFACT = """
from plots.figures.artifact import from_picture
from plots.figures.chart import Chart, Line, Panel

PAPER = "mine2030"


def make(records):
    line = Line("mine", "series-1")
    for name in records.standing_for("my_role"):
        for m in records.ok(algorithm=name):
            line.add(m.case.n, m.seconds, m)
    return from_picture(Chart([Panel("", [line])], "seconds"), "MINE-F1", "Mine", PAPER, "Of my sort.")


ARTIFACTS = {"MINE-F1": make, "MINE-X*": lambda records: []}
"""
CLAIMS = """
from plots.claims.claim import Paper, claim
from plots.claims.measures import speed_up
from plots.claims.verdicts import at_least

PAPER = Paper("MINE", "A sort of mine", name="mine2030")
ROLES = {"my_role": {"title": "my sort"}}


@claim("MINE-C1", section="1", platform="cpu")
def twice_as_fast(runs):
    '''My sort is twice as fast as the fastest other sort on the CPU.'''
    return at_least(2, speed_up(runs, "my_role", over="cpu_sort", n="2^20.."))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "my_sort"
    made.mkdir()
    (made / "artifact.py").write_text(ARTIFACT)
    (made / "claims.py").write_text(CLAIMS)
    return made


@pytest.fixture
def records(tmp_path: Path) -> Path:
    mine = {
        **synthetic.ALGORITHMS["std_sort"],
        "name": "my_sort",
        "runs_on": "device",
        "roles": {"my_role": {"width": 4}},
    }
    cells = [
        synthetic.measurement(synthetic.case("my_sort", 1 << 20, parameters={"width": 4}), 1e-3, 0.001),
        synthetic.measurement(synthetic.case("my_sort", 1 << 20, parameters={"width": 8}), 1e-5, 0.001),
        synthetic.measurement(synthetic.case("vqsort", 1 << 20), 3e-3, 0.001),
    ]
    return synthetic.write(tmp_path / "records.jsonl", [synthetic.run_record(), mine, *cells])


def test_a_folder_outside_brings_an_artifact_and_claims(tmp_path, folder, records):
    page = render(["--records", str(records), "--plugins", str(folder), "--out", str(tmp_path / "out")])
    assert '<section id="MINE-F1">' in page.read_text() and "MINE-C1" in page.read_text()
    assert (tmp_path / "out" / "artifacts" / "MINE-F1.csv").is_file()
    without = render(["--records", str(records), "--out", str(tmp_path / "without")])
    assert "MINE" not in without.read_text()


def test_a_paper_from_outside_is_rendered_alone_and_its_claim_judged(tmp_path, folder, records):
    given = ["--records", str(records), "--plugins", str(folder), "--paper", "mine2030", "--out", str(tmp_path / "out")]
    text = render(given).read_text()
    assert {file.stem for file in (tmp_path / "out" / "artifacts").glob("*.csv")} == {"MINE-F1"}
    assert "Knights Ferry is 2.2 times" not in text  # SAT-C1
    row = text[text.index("MINE-C1") :]
    assert row.index("holds") < row.index("</tr>")  # judged by the parameters of the role, not by the faster ones


@pytest.mark.parametrize(
    "file, text, says",
    [
        ("artifact.py", "import nothing_of_this_name", "ModuleNotFoundError"),
        ("artifact.py", "make = None", "ARTIFACTS must be"),
        ("claims.py", "PAPER = (", "claims.py: SyntaxError"),
        ("claims.py", CLAIMS.replace("PAPER =", "paper ="), "PAPER must be a Paper"),
        ("claims.py", CLAIMS.replace("ROLES =", "roles ="), "MINE-C1 cannot be judged (KeyError: 'no role my_role')"),
        ("claims.py", CLAIMS.replace("title", "name"), "ROLES: my_role: title must be a string"),
        ("claims.py", CLAIMS.replace("at_least(2, ", "at_least("), "MINE-C1 cannot be judged (TypeError"),
        ("claims.py", CLAIMS.replace('section="1", ', ""), "missing 1 required positional argument: 'section'"),
        ("claims.py", CLAIMS.replace("'''", "#"), "MINE-C1: its function needs the sentence as docstring"),
    ],
)
def test_what_cannot_be_read_is_named_and_nothing_written(tmp_path, folder, records, capsys, file, text, says):
    (folder / file).write_text(text)
    out = tmp_path / "out"
    assert main(["--records", str(records), "--plugins", str(folder), "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1 and not out.exists()


def test_a_folder_that_is_none_is_bad_input(tmp_path, capsys):
    assert main(["--plugins", str(tmp_path / "nowhere")]) == 2
    assert "nowhere: no such folder" in capsys.readouterr().err


def test_every_artifact_that_a_config_feeds_is_found():
    ids = [builder.id for builder in discovery.find_builders()]
    assert len(ids) == len(set(ids))
    for config in (ROOT / "configs").glob("*/*.json"):
        for id_ in json.loads(config.read_text()).get("artifacts", []):
            assert any(builder.builds(id_) for builder in discovery.find_builders()), (config.name, id_)


def test_every_paper_with_artifacts_has_claims():
    assert {builder.paper for builder in discovery.find_builders()} - {""} <= {book.name for book in books.books()}
