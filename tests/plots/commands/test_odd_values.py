"""One odd record, or one table that cannot be made, takes no page down: the rest is drawn, and what is left out is
told."""

import json
from pathlib import Path

import pytest
import synthetic_records as synthetic

from plots.claims import books
from plots.commands import render
from plots.figures import artifact

CASE = synthetic.case("std_sort", 1 << 16)
EMPTY = synthetic.case("std_sort", 0)


def records_file(folder, *records):
    file = folder / "records.jsonl"
    made = [synthetic.run_record(), synthetic.measurement(CASE, 1e-3), *records]
    file.write_text("".join(json.dumps(record) + "\n" for record in made))
    return str(file)


def what_if(case, seconds, resource=None):
    asked = {"of": "0123456789abcdef"} | ({"resource": resource, "times_as_good": 2.0} if resource else {})
    made = {**synthetic.prediction(CASE, seconds), "case": case, "cell": synthetic.cell_id(case)}
    made["profile"] = {**made["profile"], "hash": "0123456789abcdef"}
    return {**made, "what_if": asked} if resource else made


def test_a_question_about_no_elements_is_left_out_and_the_rest_is_drawn(tmp_path, capsys):
    """As `what-if -n 0` once wrote it: all times are 0."""
    odd = [what_if(EMPTY, 0), what_if(EMPTY, 0, "clock"), {**what_if(EMPTY, 0, "clock")}]
    odd[2]["what_if"] = {**odd[2]["what_if"], "times_as_good": 0.5}
    file = records_file(tmp_path, *odd, what_if(CASE, 1e-3), what_if(CASE, 5e-4, "clock"))
    assert render.main(["--records", file, "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().err
    assert said.count("seconds must be above 0 where there is a what_if") == 2
    page = (tmp_path / "out/index.html").read_text()
    assert "seconds must be above 0 where there is a what_if" in page and "std_sort" in page


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), ValueError("odd"), KeyError("x")])
def test_a_table_that_fails_is_left_out(error, tmp_path, monkeypatch, capsys):
    found = render.Found.__init__

    def with_failing(self, outside=()):
        found(self, outside)

        def fail(_records):
            raise error

        self.builders = [*self.builders, render.Builder("ODD-1", "", 1.0, fail)]
        self.ids = [builder.id for builder in self.builders]

    monkeypatch.setattr(render.Found, "__init__", with_failing)
    assert render.main(["--records", records_file(tmp_path), "--out", str(tmp_path / "out")]) == 0
    told = f"ODD-1 cannot be made of these records ({type(error).__name__}: "
    assert told in capsys.readouterr().err
    assert "ODD-1 cannot be made" in (tmp_path / "out/index.html").read_text()
    assert list((tmp_path / "out/artifacts").glob("CPU-*.svg"))


def test_a_picture_that_cannot_be_drawn_is_left_out(tmp_path, monkeypatch, capsys):
    drawn = artifact.Artifact._drawn

    def fail(self):
        if self.id.startswith("CPU-"):
            raise OverflowError("too large")
        return drawn(self)

    monkeypatch.setattr(artifact.Artifact, "_drawn", fail)
    assert render.main(["--records", records_file(tmp_path), "--out", str(tmp_path / "out")]) == 0
    assert "CPU-u32-1T cannot be made of these records (OverflowError: too large)" in capsys.readouterr().err
    assert not list((tmp_path / "out/artifacts").glob("CPU-*")) and (tmp_path / "out/index.html").exists()


def test_a_claim_that_odd_values_break_is_not_judged_and_the_others_are(tmp_path, monkeypatch):
    (claim, *_), name = books.books()[0].claims, books.books()[0].name

    def fail(_self, _runs):
        raise ZeroDivisionError("division by zero")

    kept = type(claim).parts
    monkeypatch.setattr(type(claim), "parts", lambda self, runs: (fail if self.id == claim.id else kept)(self, runs))
    file = records_file(tmp_path)
    assert render.main(["--records", file, "--paper", name, "--out", str(tmp_path / "out")]) == 0
    page = Path(tmp_path / "out/index.html").read_text()
    assert page.count("These records cannot be judged (ZeroDivisionError: division by zero).") >= 1
