"""Records for other programs: Google Benchmark's own compare.py reads them, and a spreadsheet runs nothing of them."""

import csv
import io
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
import synthetic_records as synthetic

from plots.exchange.export import main, benchmark_name
from plots.records.collection import read

ROOT = Path(__file__).resolve().parents[3]
AA = ROOT / "results" / "reference" / "amd-epyc-zen5-2c-925e87e7" / "aa"
# Google Benchmark's tools: the distribution's libbenchmark-tools, or a checkout.
COMPARE = Path(os.environ.get("GOOGLE_BENCHMARK_TOOLS", "/usr/share/benchmark")) / "compare.py"
# compare.py loads SciPy for its U test, 15 MB that nothing else here wants. Without it the test stays out, and this is
# the geometric mean that its last line shows.
SCIPY = """
import numpy


def gmean(times):
    return numpy.exp(numpy.log(numpy.array(times)).mean(axis=0))


def mannwhitneyu(*_, **__):
    raise NotImplementedError
"""


def exported(capsys, *arguments):
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


CELLS = 40  # cells used out of 184, since compare.py takes quadratic time


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The same cells of two kept runs."""
    folder, cells = tmp_path_factory.mktemp("kept"), None
    for name in ("first", "second"):
        records = [json.loads(line) for line in (AA / f"{name}.jsonl").read_text().splitlines()]
        cells = cells or {r["cell"] for r in [r for r in records if r["kind"] == "measurement"][:CELLS]}
        of_cells = [r for r in records if r["kind"] == "run" or r.get("cell") in cells]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in of_cells))
    return folder


@pytest.fixture(scope="module")
def sides(kept):
    for name in ("first", "second"):
        assert main(["--format", "google-benchmark", str(kept / f"{name}.jsonl"), "--out", str(kept / name)]) == 0
    return [kept / "first", kept / "second"]


def test_each_sample_is_a_repetition(kept, sides):
    made = json.loads(sides[0].read_text())
    records = read([kept / "first.jsonl"])
    assert made["context"]["host_name"] == "amd-epyc-zen5-2c-925e87e7" and "verified" in made["context"]["sortlab"]
    by_name = {}
    for entry in made["benchmarks"]:
        by_name.setdefault(entry["run_name"], []).append(entry)
    assert len(by_name) == len(records.measurements) == CELLS
    for m in records.measurements:
        entries = by_name[benchmark_name(m)]
        single = [e for e in entries if e["run_type"] == "iteration"]
        assert [e["real_time"] for e in single] == pytest.approx([s * 1e9 for s in m.samples_s])
        assert [e["repetition_index"] for e in single] == list(range(len(m.samples_s)))
        if len(m.samples_s) == 1:
            assert entries == single  # as Google Benchmark has it: of one repetition there are no aggregates
            continue
        (median,) = [e for e in entries if e.get("aggregate_name") == "median"]
        assert median["name"] == benchmark_name(m) + "_median" and median["time_unit"] == "ns"
        assert median["real_time"] == pytest.approx(statistics.median(m.samples_s) * 1e9)
        assert median["items_per_second"] == pytest.approx(m.keys_per_s.value)


def test_compare_py_opens_them(kept, sides, tmp_path):
    if not COMPARE.exists():
        pytest.skip(f"{COMPARE} is not here (libbenchmark-tools): Google Benchmark's own reader is not asked")
    environment = dict(os.environ)
    utest = (
        subprocess.run([sys.executable, "-c", "import scipy.stats"], capture_output=True, check=False).returncode == 0
    )
    if not utest:
        (tmp_path / "scipy").mkdir()
        (tmp_path / "scipy/__init__.py").touch()
        (tmp_path / "scipy/stats.py").write_text(SCIPY)
        environment["PYTHONPATH"] = str(tmp_path)
    command = [sys.executable, COMPARE, "--no-color", *([] if utest else ["--no-utest"]), "benchmarks", *sides]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    both = [read([kept / f"{name}.jsonl"]) for name in ("first", "second")]
    seconds = [{benchmark_name(m): m.seconds.value for m in of.measurements if len(m.samples_s) > 1} for of in both]
    judged = {line.split()[0]: float(line.split()[1]) for line in lines if "_median " in line}
    assert (
        set(judged) == {f"{name}_median" for name in seconds[0].keys() & seconds[1].keys()} and len(judged) > CELLS // 2
    )
    for name, first in ((name, first) for name, first in seconds[0].items() if name in seconds[1]):
        assert judged[f"{name}_median"] == pytest.approx(seconds[1][name] / first - 1, abs=1e-4)
    assert any(line.startswith("OVERALL_GEOMEAN") for line in lines)
    assert any("_pvalue" in line for line in lines) == utest


def test_csv_has_a_row_a_cell(kept, capsys):
    made = list(csv.DictReader(io.StringIO(exported(capsys, "--format", "csv", kept / "first.jsonl"))))
    measured = read([kept / "first.jsonl"]).measurements
    assert len(made) == len(measured)
    for row, m in zip(made, measured):
        assert (
            row["cell"] == m.cell
            and float(row["median_s"]) == m.seconds.value
            and row["disturbed"] in ("true", "false")
        )
    samples = exported(capsys, "--format", "csv", "--kind", "samples", kept / "first.jsonl").splitlines()
    assert len(samples) == 1 + sum(len(m.samples_s) for m in measured)


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", " =1", "\t=1"])
def test_no_cell_is_a_formula(text, tmp_path, capsys):
    case = synthetic.case(text, 1024, distribution=text, parameters={"p": text})
    file = tmp_path / "records.jsonl"
    file.write_text(json.dumps(synthetic.measurement(case, 1e-3)) + "\n")
    (row,) = csv.DictReader(io.StringIO(exported(capsys, "--format", "csv", file)))
    assert row["algorithm"].startswith("'") and row["distribution"].startswith("'")
    assert not [cell for cell in row.values() if cell.strip()[:1] in set("=+-@")]


def test_only_verified_results_of_one_machine_go_out(tmp_path, capsys):
    case = synthetic.case("vqsort", 1024)
    ours, other = synthetic.measurement(case, 1e-3), synthetic.measurement(case, 2e-3, machine="other-1c-00000001")
    file = tmp_path / "records.jsonl"
    lost = synthetic.skipped(synthetic.case("std_sort", 1024), "too slow")
    file.write_text("".join(json.dumps(r) + "\n" for r in (synthetic.run_record(), ours, other, lost)))
    assert main(["--format", "google-benchmark", str(file)]) == 2
    assert "--machine: the records hold several machines" in capsys.readouterr().err
    made = json.loads(exported(capsys, "--format", "google-benchmark", file, "--machine", synthetic.MACHINE))
    assert {e["run_name"].split("/")[0] for e in made["benchmarks"]} == {"vqsort"}
    assert made["benchmarks"][0]["real_time"] == pytest.approx(ours["samples_s"][0] * 1e9)


def test_a_torn_end_is_told(kept, tmp_path, capsys):
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes((kept / "first.jsonl").read_bytes()[:-100])
    assert main(["--format", "csv", str(torn)]) == 0
    assert capsys.readouterr().err == f"sortlab export: left out: the last line of {torn}, which was torn by a kill\n"


@pytest.mark.parametrize("format_", ["csv", "google-benchmark"])
def test_a_dash_is_standard_output(format_, kept, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = kept / "first.jsonl"
    plain = exported(capsys, "--format", format_, file)
    assert exported(capsys, "--format", format_, file, "--out", "-") == plain != ""
    assert not list(tmp_path.iterdir())


def test_parquet_or_one_line(kept, tmp_path, capsys):
    out = tmp_path / "m.parquet"
    status = main(["--format", "parquet", str(kept / "first.jsonl"), "--out", str(out)])
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        told = capsys.readouterr().err
        assert status == 2 and told.count("\n") == 1 and "PyArrow" in told and not out.exists()
        pytest.skip("PyArrow is not installed: that it is asked for is all that was tried")
    assert status == 0
    assert parquet.read_table(out).num_rows == CELLS


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--format", "xml", "{file}"], "invalid choice: 'xml'"),
        (["--format", "csv"], "required: RECORDS"),
        (["--format", "csv", "{file}", "--out", "{file}"], "is there already; nothing is overwritten"),
        (["--format", "csv", "{file}", "--out", "{folder}/no/x.csv"], "No such file or directory"),
        (["--format", "csv", "{file}", "--kind", "counted_phases"], "the records hold none; they hold: measurements"),
        (["--format", "csv", "{folder}/none.jsonl"], "no such file"),
        (["--format", "parquet", "{file}"], "--out: parquet is written to a file"),
        (["--format", "csv", "{file}", "--machine", "x"], "--machine applies only to google-benchmark"),
        (["--format", "google-benchmark", "{file}", "--kind", "samples"], "--kind applies only to csv and parquet"),
        (["--format", "google-benchmark", "{file}", "--machine", "x"], "--machine x: no record of it"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_lost(arguments, says, tmp_path, capsys):
    file = tmp_path / "records.jsonl"
    file.write_text(json.dumps(synthetic.measurement(synthetic.case("vqsort", 1024), 1e-3)) + "\n")
    before = file.read_bytes()
    assert main([word.format(file=file, folder=tmp_path) for word in arguments]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and told.err.startswith("sortlab export: ") and says in told.err
    assert file.read_bytes() == before and list(tmp_path.iterdir()) == [file]
