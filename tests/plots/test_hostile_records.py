"""Records, file names and command lines from anyone: what does not fit is one line, all else comes out clean."""

import csv
import json
import os
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import synthetic_profile
import synthetic_records as synthetic

from plots.figures.artifact import Artifact
from plots.figures.bars import BarPanel, Bars, Series
from plots.records.bounds import LINE_BYTES, clean
from plots.records.caption import Caption
from plots.commands.render import main, render
from plots.figures.grid import Grid, GridCell, GridColumn
from plots.records.number import Number
from plots.figures.heat import Heat, HeatCell, HeatPanel
from plots.records.jsonl import BadInput
from plots.records.profile import copy_bandwidth, read_bandwidth
from plots.records.quantities import short
from plots.records.statistics import Interval
from plots.records.schema import DEPTH
from plots.records.collection import read
from plots.figures.stacks import Stack, StackPanel, Stacks

ROOT = Path(__file__).resolve().parents[2]
CASE = synthetic.case("std_sort", 1 << 16)
FIGURE = "CPU-u32-1T"
NAMES = {
    "lone surrogate": "\udfffsort\ud800s\udc80",
    "NUL": "so\0rt",
    "controls": "\x1b[31msort\x7f\x85\ufffe\uffff",
    "line breaks": "so\nrt\r\n\t\u2028\u2029",
    "direction": "\u202esort\u2066\u200f",
    "CJK": "排序算法基数",
    "emoji": "\U0001f600\U0001f468\u200d\U0001f469 sort",
    "bidirectional": "מיון فرز sort",
    "mathematics": "$\\frac{$ sort_$x^$",
    "underscore": "_sort",
    "formula": "=1+1",
}


def nested(levels: int) -> object:
    value: object = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def changed(record: dict, path: str, value: object) -> dict:
    record = json.loads(json.dumps(record))
    *parents, last = path.split(".")
    target = record
    for name in parents:
        target = target[name]
    target[last] = value
    return record


def records_file(folder: Path, *lines: object) -> Path:
    """Records as JSON, and bytes as they are."""
    file = folder / "records.jsonl"
    texts = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    file.write_bytes(b"".join(text + b"\n" for text in texts))
    return file


MEASUREMENT = synthetic.measurement(CASE, 1e-3)
PREDICTION = synthetic.prediction(CASE, 1e-3)
PHASE = {"name": "x", "pass": 0, "seconds": 1.0, "binding": "l2", "work": {}}
ALGORITHM = synthetic.ALGORITHMS["std_sort"]


@pytest.mark.parametrize(
    "record, path, value, says",
    [
        (MEASUREMENT, "case.algorithm", "a" * 20000, "case: algorithm must be at most 4096 characters"),
        (MEASUREMENT, "case.algorithm", "a" * 300, "case: algorithm must be at most 256 characters"),
        (MEASUREMENT, "case.distribution", "\0" * 100, "case: distribution must be at most 256 characters"),
        (MEASUREMENT, "machine", "a" * 20000, "machine must be at most"),
        (MEASUREMENT, "a" * 300, 1, "must be at most 256 characters"),
        (MEASUREMENT, "case.n", 10**400, "case: n must be a finite number: 0, or from 1e-30 to 1e+30"),
        (MEASUREMENT, "case.n", 1 << 64, "case: n must be an integer from 0 to 9223372036854775807"),
        (MEASUREMENT, "case.n", -1, "case: n must be an integer from 0"),
        (MEASUREMENT, "case.threads", 10**400, "case: threads must be a finite number"),
        (MEASUREMENT, "case.threads", 0, "case: threads must be an integer from 1 to 4096"),
        (MEASUREMENT, "median_s", 1e-310, "median_s must be a finite number: 0, or from 1e-30"),
        (MEASUREMENT, "samples_s", [1e-3, 10**400], "samples_s[1] must be a finite number"),
        (MEASUREMENT, "case.parameters", {"passes": ["eight"]}, "case: parameters: passes must be a string, a number"),
        (MEASUREMENT, "case.residency", "moon", "residency must be one of host, device, end_to_end"),
        (MEASUREMENT, "case.layout", "heap", "layout must be one of separate, together"),
        (MEASUREMENT, "protocol", nested(DEPTH), f"must not be nested deeper than {DEPTH} levels"),
        (PREDICTION, "seconds", -1.0, "seconds must be a finite number of at least 0"),
        (PREDICTION, "phases", [{**PHASE, "work": {"l2": "much"}}], "work: l2 must be a finite"),
        (ALGORITHM, "keys", 7, "keys must be a list of strings"),
        (ALGORITHM, "runs_on", "paper", "runs_on must be one of host, device, both"),
        (synthetic.run_record(), "machine.name", {"a": 1}, "machine: name must be a string"),
        (synthetic.run_record(), "environment.deep", nested(DEPTH), f"deeper than {DEPTH} levels"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_a_record_out_of_bounds_is_one_line_and_left_out(tmp_path, record, path, value, says):
    records = read([records_file(tmp_path, MEASUREMENT, changed(record, path, value), PREDICTION)])
    assert (len(records.measurements), len(records.predictions), len(records.runs), records.algorithms) == (1, 1, 0, {})
    (line,) = records.refused
    assert line.startswith(f"{tmp_path}/records.jsonl:2: ") and says in line
    assert len(line) < 1000 and line.isprintable()


@pytest.mark.parametrize(
    "line, says",
    [
        (b'{"a":' * 100000 + b"1" + b"}" * 100000, "deeper than 64 levels"),
        (b"[" * 70000 + b"]" * 70000, "deeper than 64 levels"),
        (b'{"schema": 1, "kind": "run", "n": ' + b"1" * 5000 + b"}", "a number must be at most 1e+30"),
        (json.dumps(MEASUREMENT).replace('"n": 65536', '"n": 1e999').encode(), "n must be a finite number"),
        (b'{"schema": 1, "kind": "\xff"}', "not text in UTF-8 at byte 23"),
        (b"[" * (LINE_BYTES + 1), f"at most {LINE_BYTES} bytes"),
        (b"\0" * 100, "not a JSON object"),
        (b"[1]", "must be a JSON object"),
        (b'{"schema": [1], "kind": "run"}', "schema must be 1"),
        (b'{"schema": 1, "kind": ["run"]}', "kind must be a string"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_line_that_is_no_record_is_one_line_and_left_out(tmp_path, line, says):
    other = synthetic.measurement(synthetic.case("std_sort", 1 << 10), 1e-4)
    records = read([records_file(tmp_path, MEASUREMENT, line, other)])
    assert len(records.measurements) == 2 and records.files == [(str(tmp_path / "records.jsonl"), 2)]
    (said,) = records.refused
    assert said.startswith(f"{tmp_path}/records.jsonl:2: ") and says in said and said.isprintable()


def test_a_file_without_any_record_is_refused(tmp_path):
    with pytest.raises(BadInput, match="^--records .*records.jsonl:1: not a JSON object"):
        read([records_file(tmp_path, b"# Records", b"text")])


def test_zeros_at_the_end_are_a_torn_line(tmp_path):
    file = records_file(tmp_path, MEASUREMENT)
    file.write_bytes(file.read_bytes() + bytes(4096))
    records = read([file])
    assert len(records.measurements) == 1 and records.torn == [str(file)] and records.refused == []


def test_what_is_left_out_is_told_on_stderr_and_in_the_page(tmp_path, capsys):
    bad = [changed(MEASUREMENT, "median_s", "fast")] * 30
    records = records_file(tmp_path, synthetic.run_record(), MEASUREMENT, *bad)
    assert main(["--records", str(records), "--figure", FIGURE, "--out", str(tmp_path / "out")]) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if "left out" in line]
    assert len(said) == 21 and said[-1] == "render.py: left out: 10 more lines that are no records"
    assert "records.jsonl:3: median_s must be a finite number" in said[0]
    page = (tmp_path / "out" / "index.html").read_text()
    assert "records.jsonl:3: median_s must be a finite number" in page and "10 more lines that are no records" in page


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_of_any_characters_reaches_every_output_clean(tmp_path, capsys, name):
    case = {**CASE, "algorithm": name, "distribution": name, "parameters": {name: name}, "version": name}
    run = changed(synthetic.run_record(), "machine.name", name)
    run["environment"] |= {name: name, "cgroup": {name: name}}
    skipped = synthetic.skipped({**case, "n": 5}, name)
    beside = synthetic.measurement({**case, "algorithm": "std_sort"}, 1e-3)
    cells = [synthetic.measurement(case, 1e-3), beside, synthetic.prediction(case, 1e-3), skipped]
    records = records_file(tmp_path, run, synthetic.ALGORITHMS["std_sort"], *cells)
    out = tmp_path / "out"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["--records", str(records), "--figure", FIGURE, "--figure", "SAT-F1", "--out", str(out)]) == 0
    assert capsys.readouterr().err.splitlines() == [f"render.py: no record of kind algorithm, so a peer: {clean(name)}"]
    written = [file for file in out.rglob("*") if file.suffix in (".html", ".svg", ".csv", ".tex")]
    for file in written:
        text = file.read_text(encoding="utf-8")
        assert not [c for c in text if c != "\n" and not c.isprintable() and c not in "\u200d\u2009\xa0"]
        if file.suffix == ".svg":
            ElementTree.fromstring(text)
    texts = ElementTree.parse(out / "artifacts" / f"{FIGURE}.svg").iter("{http://www.w3.org/2000/svg}text")
    assert short(clean(name)).split() in [(text.text or "").split() for text in texts]


def test_pictures_of_long_and_odd_names_are_drawn():
    one = Interval(1.0, 0.9, 1.1)
    names = ["a" * 256, "_b", "$\\frac{$"]
    pictures = [
        Bars(
            [BarPanel(names[0], [Series(name, "series-1", values={name: Number.of(one)}) for name in names])],
            names,
            "ms",
        ),
        Stacks([StackPanel(names[0], [Stack(name, {name: 1.0}) for name in names])], dict.fromkeys(names, "ink"), "ms"),
        Heat("a", "b", "c", names, names, [HeatPanel(names[0], {(names[0], names[1]): HeatCell(one, "x")})]),
        Grid("n", [GridColumn(n, n, note=n) for n in names], [(n, 1, [GridCell("1")] * 3) for n in names], "mean"),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for picture in pictures:
            for width in (10.5, 3.9):
                made = Artifact("X", "", "", Caption(), [], [], picture)
                text = made.svg(width)
                ElementTree.fromstring(text)
                assert "_b" in text and "a" * 100 not in text
                assert max(picture.drawing(width).figure.get_size_inches()) < 20


def test_cells_that_a_spreadsheet_would_compute_are_text():
    cells = ["=1+1", "+cmd", "-x", "@a", " =1", "＝1", "-1.5", "+3.2e-4", "plain", -1.5, None]
    rows = list(csv.reader(Artifact("X", "", "", Caption(), ["=head"], [cells], None).csv().splitlines()))
    assert rows[0] == ["'=head"]
    assert rows[1][:6] == ["'" + cell for cell in cells[:6]]
    assert rows[1][6:] == ["-1.5", "+3.2e-4", "plain", "-1.5", ""]


def test_a_file_whose_name_is_not_utf8_is_read_and_named(tmp_path):
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/r\xff\x1b.jsonl")
    Path(odd).write_bytes(records_file(tmp_path, MEASUREMENT, b"x").read_bytes())
    out = os.fsdecode(os.fsencode(tmp_path) + b"/out\xff")
    command = [sys.executable, ROOT / "plots" / "render.py", "--records", odd, "--figure", FIGURE, "--out", out]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode("ascii") == f"{tmp_path}/out\\udcff/index.html\n"
    assert b"r\\udcff\\x1b.jsonl:2: not a JSON object" in done.stderr and done.stderr.isascii()
    assert "r\\udcff\\x1b.jsonl" in Path(out, "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "option, path, says",
    [
        ("--out", "file", "Not a directory"),
        ("--out", "file/below", "Not a directory"),
        ("--out", "loop", "symbolic links"),
        ("--out", "loop/below", "symbolic links"),
        ("--out", "nowhere", "is a link that leads nowhere"),
        ("--out", "holder", "artifacts is no folder"),
        ("--out", "a" * 300, "File name too long"),
        ("--out", "a/" * 3000, "File name too long"),
        ("--out", "nul\0", "embedded null byte"),
        ("--records", "file/below", "Not a directory"),
        ("--records", "loop", "symbolic links"),
        ("--records", "a" * 300, "File name too long"),
        ("--records", "/dev/zero", "is a device"),
        ("--records", "nul\0", "embedded null byte"),
        ("--profile", ".", "is a folder"),
        ("--profile", "loop", "symbolic links"),
        ("--profile", "deep", "deeper than 64 levels"),
        ("--plugins", "loop", "no such folder"),
        ("--plugins", "\x1b[31m\u202e", "\\x1b[31m\\u202e"),
        ("--machine", "\x1b[31m\ud800", "\\x1b[31m\\ud800"),
        ("--figure", "\n\u202e", "\\u202e"),
    ],
    ids=lambda value: clean(value)[:20],
)
def test_a_bad_command_line_is_one_line_and_nothing_is_written(tmp_path, capsys, monkeypatch, option, path, says):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    Path("deep").write_text('{"a":' * 5000 + "1" + "}" * 5000)
    Path("loop").symlink_to("loop")
    Path("nowhere").symlink_to("nothing")
    Path("holder").mkdir()
    Path("holder", "artifacts").write_text("")
    before = sorted(tmp_path.rglob("*"))
    given = ["--figure", FIGURE] * (option != "--figure") + ["--out", "report"] * (option != "--out")
    assert main([*given, option, path]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and said.err[:-1].isprintable()
    assert says in said.err and (option in said.err)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("value", [0, -1.0, 1e-300, 10**400, "many", None], ids=lambda value: str(value)[:10])
def test_a_profile_out_of_bounds_is_refused(tmp_path, value):
    file = tmp_path / "profile.json"
    table = synthetic_profile.table("B/s", ["threads", "bytes"], [{"at": [1, 1024], "value": value}])
    device = synthetic_profile.profile({"read": table})
    for profile, reads in (
        (synthetic_profile.profile({"copy": table}), copy_bandwidth),
        (synthetic_profile.profile({}, devices=[device]), read_bandwidth),
    ):
        file.write_text(json.dumps(profile))
        with pytest.raises(BadInput, match="value"):
            reads(file)


def test_every_record_that_is_kept_is_within_bounds():
    kept = [*ROOT.glob("results/published/*.jsonl"), ROOT / "tests" / "data" / "example_records.jsonl"]
    kept += ROOT.glob("results/reference/*/quick*.jsonl")
    assert len(kept) > 4 and read(sorted(kept)).refused == []


def test_records_with_odd_parameters_and_no_keys_are_rendered(tmp_path):
    odd = [{"digit_bits": v, "chunks": v} for v in (0, -1, "many", 1e30, True)]
    cells = [synthetic.run_record()]
    for parameters in odd:
        for algorithm in ("satish_cpu_radix", "std_sort"):
            for n in (0, 1, (1 << 63) - 1):
                case = synthetic.case(algorithm, n, parameters=parameters, threads=1 << 20)
                cells.append(synthetic.measurement(case, 1e-29, clock_hz=0, cpe_core=0, scratch_bytes=0))
    records = synthetic.write(tmp_path / "records.jsonl", cells)
    assert render(["--records", str(records), "--figure", FIGURE, "--out", str(tmp_path / "out")]).exists()
