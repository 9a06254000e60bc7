"""Parameters in tables: the most frequent setting once, and the differences in a row."""

import re

import pytest
import synthetic_records as synthetic

from plots.commands.render import render
from plots.records.collection import read
from plots.tables.parameter_texts import Settings


def _cell(n, **parameters):
    return synthetic.measurement(synthetic.case("satish_cpu_radix", n, parameters=parameters), 1e-3)


@pytest.fixture
def records(tmp_path):
    cells = [synthetic.run_record()]
    cells += [_cell(1 << 16, digit_bits=11, flush="ordinary")]
    cells += [_cell(1 << n, digit_bits=8, flush="ordinary") for n in (18, 20)]
    cells += [_cell(1 << 22, digit_bits=8), _cell(1 << 24, digit_bits=8, flush="ordinary", lines=4)]
    return synthetic.write(tmp_path / "records.jsonl", cells)


def test_a_row_names_what_differs_from_most(records):
    cases = [m.case for m in read([records]).measurements]
    settings = Settings(cases)
    assert settings.usual == {"satish_cpu_radix": {"digit_bits": 8, "flush": "ordinary"}}
    assert [settings.notes(case) for case in cases] == [["digit_bits=11"], [], [], ["flush=–"], ["lines=4"]]


def test_without_usual_parameters_a_row_names_all(records):
    case = read([records]).measurements[0].case
    assert Settings().notes(case) == ["digit_bits=11, flush=ordinary"]
    assert Settings([case]).notes(case) == []


def test_the_page_lists_the_usual_parameters(records, tmp_path):
    page = render(["--records", str(records), "--out", str(tmp_path / "out")]).read_text(encoding="utf-8")
    section = re.search(r'<section id="parameters">.*?</section>', page, re.S)
    assert section and "<td>satish_cpu_radix<td>digit_bits=8, flush=ordinary" in section[0]
    assert '<a href="#parameters">' in page and "<small>digit_bits=11</small>" in page
