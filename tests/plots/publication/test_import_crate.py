"""A colleague's crate is shown beside one's own records, or declined in one line if it is not what it says."""

import csv
import hashlib
import json
import shutil

import pytest
import synthetic_records as synthetic

from plots.exchange.foreign import main

THEIRS = "other-4c-11111111"
FACTOR = 2.0  # their times over mine


def their_records():
    """The same cells of another machine."""
    changed = []
    for record in synthetic.everything((16, 18, 20)):
        text = json.dumps(record).replace(synthetic.MACHINE, THEIRS).replace("Synthetic processor", "Another processor")
        record = json.loads(text.replace(synthetic.RUN, "20210101T000000Z-fedcba"))
        if record["kind"] in ("measurement", "component") and record["status"] == "ok":
            record = synthetic.scaled(record, FACTOR)
        changed.append(record)
    return changed


@pytest.fixture
def mine(tmp_path):
    return synthetic.write(tmp_path / "mine.jsonl", synthetic.everything((16, 20, 24)))


@pytest.fixture
def crate(tmp_path):
    """A crate as any tool may write it, without the library."""
    folder = tmp_path / "crate"
    (folder / "records").mkdir(parents=True)
    synthetic.write(folder / "records/theirs.jsonl", their_records())
    describe(folder, ["records/theirs.jsonl"])
    return folder


def describe(folder, files, **changes):
    entities = [{"@id": "./", "@type": "Dataset", "name": "Their records", "hasPart": [{"@id": id_} for id_ in files]}]
    for id_ in files:
        content = (folder / id_).read_bytes() if (folder / id_).exists() else b""
        entity = {"@id": id_, "@type": "File", "sha256": hashlib.sha256(content).hexdigest()}
        entities.append({**entity, **changes})
    (folder / "ro-crate-metadata.json").write_text(json.dumps({"@context": "", "@graph": entities}))


def verified(made):
    """Cells whose last record has a time."""
    last = {r["cell"]: r for r in made if r["kind"] in ("measurement", "component") and r["case"]["n"]}
    return {cell for cell, record in last.items() if record["status"] == "ok"}


def imported(crate, mine, out, *more):
    return main(["--format", "ro-crate", str(crate), "--records", str(mine), "--out", str(out), *more])


def test_both_machines_stand_side_by_side(crate, mine, tmp_path, capsys):
    assert imported(crate, mine, tmp_path / "out") == 0
    told = capsys.readouterr()
    page = (tmp_path / "out/index.html").read_text()
    assert "Synthetic processor" in page and "Another processor" in page and "Their records" in page
    assert page.count('class="chip ') >= 2 * 80  # both verdicts of each claim
    assert "http://" not in page.replace("http://www.w3.org", "") and told.err == ""
    assert f"takes {FACTOR:.2f} times as long in the median" in told.out
    for artifact in ("FASTEST", "FASTEST-GAINS"):
        assert f'id="{artifact}"' in page and (tmp_path / f"out/artifacts/{artifact}.svg").exists()


def test_cells_of_both_are_joined_by_their_id_alone(crate, mine, tmp_path):
    assert imported(crate, mine, tmp_path / "out") == 0
    cells = list(csv.DictReader((tmp_path / "out/artifacts/cells.csv").open()))
    sides = [verified(synthetic.everything((16, 20, 24))), verified(their_records())]
    assert {row["cell"] for row in cells} == sides[0] & sides[1] and len(cells) > 20
    assert all(abs(float(row["theirs_over_mine"]) - FACTOR) < 1e-9 for row in cells)
    assert all(float(row["ci95_low"]) < FACTOR < float(row["ci95_high"]) for row in cells)


def test_a_changed_file_is_declined(crate, mine, tmp_path, capsys):
    with (crate / "records/theirs.jsonl").open("a") as file:
        file.write("\n")
    assert imported(crate, mine, tmp_path / "out") == 2
    assert "its SHA-256 is not the one in ro-crate-metadata.json" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_file_without_a_digest_is_named(crate, mine, tmp_path, capsys):
    describe(crate, ["records/theirs.jsonl"], sha256=None)
    assert imported(crate, mine, tmp_path / "out") == 0
    assert capsys.readouterr().err == (
        "sortlab import: 1 files of the crate have no SHA-256 in its metadata, and are not checked\n"
    )


@pytest.mark.parametrize("id_", ["../mine.jsonl", "/etc/passwd.jsonl", "file:///etc/x.jsonl", "records/link.jsonl"])
def test_a_crate_reads_no_file_outside_itself(crate, mine, tmp_path, id_, capsys):
    (crate / "records/link.jsonl").symlink_to(mine)
    describe(crate, [id_])
    assert imported(crate, mine, tmp_path / "out") == 2
    assert f"{id_} must be a path inside the crate" in capsys.readouterr().err


@pytest.mark.parametrize(
    "spoil, says",
    [
        (lambda crate: shutil.rmtree(crate), "must be the folder of an unpacked crate"),
        (lambda crate: (crate / "ro-crate-metadata.json").unlink(), "no such file"),
        (lambda crate: (crate / "ro-crate-metadata.json").write_text("[]"), "must be a JSON object"),
        (
            lambda crate: (crate / "ro-crate-metadata.json").write_text('{"@graph": []}'),
            "root data entity ./ is missing",
        ),
        (
            lambda crate: (crate / "ro-crate-metadata.json").write_text('{"@graph": [1]}'),
            "@graph must be a list of objects",
        ),
        (lambda crate: describe(crate, []), "names no file of records"),
        (lambda crate: describe(crate, ["records/none.jsonl"]), "no such file"),
    ],
)
def test_what_is_no_crate_is_declined_in_one_line(crate, mine, tmp_path, spoil, says, capsys):
    spoil(crate)
    assert imported(crate, mine, tmp_path / "out") == 2
    told = capsys.readouterr()
    assert says in told.err and told.err.count("\n") == 1 and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--format", "ro-crate", "a", "b"], "--format ro-crate takes one crate"),
        (["--format", "ro-crate", "a"], "--out: a page is written to a folder; name one"),
        (["--format", "ro-crate", "a", "--out", "o"], "--records: name the records to show beside the crate"),
        (["--format", "nvbench", "a", "--machine", "m"], "apply only to --format ro-crate"),
    ],
)
def test_options_that_do_not_fit_are_named(arguments, says, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert says in capsys.readouterr().err and list(tmp_path.iterdir()) == []
