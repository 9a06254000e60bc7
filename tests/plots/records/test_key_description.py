"""Descriptions of files of keys, and their picture in the report."""

import json

import pytest
import synthetic_records as synthetic

from plots.artifacts.key_pictures import key_picture
from plots.commands.render import main
from plots.records.jsonl import BadInput
from plots.records.key_description import read_key_description

GOOD = {
    "kind": "keys",
    "name": "delay.npy",
    "digest": "0123456789abcdef",
    "key_type": "u32",
    "n": 5,
    "bit_shares": [0.0, 0.25, 0.5],
    "quantiles": [0, 1, 2, 3, None],
    "over_position": [0.2, 0.9, 0.5],
}


def written(tmp_path, **changes):
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({**GOOD, **changes}))
    return path


def test_the_picture_shows_bits_distribution_and_order(tmp_path):
    artifact = key_picture(read_key_description(written(tmp_path)))
    bits, function, order = ([*zip(p.lines[0].x, p.lines[0].y)] for p in artifact.picture.panels)
    assert bits == [(2.0, 0.0), (1.0, 0.25), (0.0, 0.5)]  # the highest bit first
    assert function == [(0, 0), (1, 0.25), (2, 0.5), (3, 0.75)]  # without NaN
    assert order == [(pytest.approx(100 * (i + 0.5) / 3), y) for i, y in enumerate(GOOD["over_position"])]
    assert artifact.id == "KEYS-01234567" and "delay.npy (0123)" in artifact.title


def test_keys_far_out_are_drawn_by_their_logarithm(tmp_path):
    artifact = key_picture(read_key_description(written(tmp_path, quantiles=[0, 4, 8, 16, 2**40])))
    assert artifact.picture.panels[1].lines[0].x == [2.0, 2.0, 3.0, 4.0, 40.0]  # 0 stands at the least key above 0


@pytest.mark.parametrize(
    "changes, field",
    [
        ({"kind": "profile"}, "no description"),
        ({"digest": "../../../../etc"}, "digest"),
        ({"n": 0}, "n"),
        ({"n": True}, "n"),
        ({"bit_shares": [2]}, "bit_shares"),
        ({"bit_shares": []}, "bit_shares"),
        ({"over_position": ["a"]}, "over_position"),
        ({"quantiles": {}}, "quantiles"),
        ({"name": 7}, "name"),
    ],
)
def test_a_bad_description_is_one_line(tmp_path, capsys, changes, field):
    path = written(tmp_path, **changes)
    with pytest.raises(BadInput, match=field):
        read_key_description(path)
    assert main(["--keys", str(path), "--out", str(tmp_path / "report")]) == 2
    assert capsys.readouterr().err.count("\n") == 1 and not (tmp_path / "report").exists()


def test_the_report_has_the_picture(tmp_path, capsys):
    records = synthetic.write(
        tmp_path / "records.jsonl",
        [synthetic.run_record(), synthetic.measurement(synthetic.case("std_sort", 1 << 16), 1e-3)],
    )
    out = tmp_path / "report"
    assert main(["--records", str(records), "--keys", str(written(tmp_path)), "--out", str(out)]) == 0
    assert {path.suffix for path in (out / "artifacts").glob("KEYS-01234567.*")} == {".svg", ".csv", ".tex"}
    assert 'id="KEYS-01234567"' in (out / "index.html").read_text()
