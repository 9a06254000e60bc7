"""Results of other harnesses: records that say nobody verified them, and that nothing takes for verified ones."""

import json
import struct
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import synthetic_records as synthetic

from plots.analysis import prediction_errors
from plots.commands.render import render
from plots.exchange.export import main as export
from plots.exchange.foreign import main
from plots.records.collection import read

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "results/reference/amd-epyc-zen5-2c-925e87e7"
SCHEMA = json.loads((ROOT / "configs/schemas/record.schema.json").read_text())


def gbench(**changes):
    def run(name, seconds, index, **more):
        entry = {"name": name, "run_name": name, "run_type": "iteration", "repetitions": 3, "repetition_index": index}
        entry |= {"threads": 1, "iterations": 10, "real_time": seconds * 1e3, "cpu_time": 1.0, "time_unit": "ms"}
        return {**entry, **more}

    median = {"run_type": "aggregate", "aggregate_name": "median"}
    made = {
        "context": {"date": "2020-01-01T00:00:00+00:00", "host_name": "theirs", "num_cpus": 8, "mhz_per_cpu": 3000},
        "benchmarks": [
            *(run("BM_sort/1024", seconds, i, n=1024.0) for i, seconds in enumerate((0.003, 0.001, 0.002))),
            run("BM_sort/1024_median", 0.002, 0, **median, run_name="BM_sort/1024"),
            run("BM_aggregates_median", 0.5, 0, **median, run_name="BM_aggregates", time_unit="us"),
            {"name": "BM_sort_BigO", "run_name": "BM_sort", "run_type": "aggregate", "aggregate_name": "BigO"},
            run("BM_broken", 1.0, 0, error_occurred=True, error_message="no"),
        ],
    }
    return {**made, **changes}


def summary(tag, **values):
    kinds = {int: "int64", float: "float64", str: "string"}
    data = [{"name": k, "type": kinds[type(v)], "value": str(v)} for k, v in values.items()]
    return {"tag": tag, "name": tag, "data": data}


def nvbench(**changes):
    def state(*summaries, **more):
        axes = [{"name": "Elements{io}", "type": "int64", "value": "65536"}]
        axes.append({"name": "KeyT{ct}", "type": "string", "value": "U32"})
        return {
            "name": "…",
            "device": 0,
            "axis_values": axes,
            "summaries": list(summaries),
            "is_skipped": False,
            **more,
        }

    times = "nv/json/bin:nv/cold/sample_times"
    return {
        "meta": {"argv": ["x"], "version": {"json": {"major": 1}, "nvbench": {"string": "0.1.0"}}},
        "devices": [{"id": 0, "name": "NVIDIA H200", "sm_default_clock_rate": 1980000000}],
        "benchmarks": [
            {
                "name": "base",
                "states": [
                    state(
                        summary("nv/cold/time/gpu/mean", value=2e-5),
                        summary("nv/cold/time/gpu/stdev/relative", value=float("inf")),
                        summary("nv/cold/sample_size", value=300),
                    ),
                    state(
                        summary("nv/cold/time/gpu/mean", value=2e-5),
                        summary(times, filename="/home/them/theirs.json-bin/0.bin", size=3),
                        summary("nv/element_count/Elements", value=65000),
                    ),
                    {**state(), "is_skipped": True, "skip_reason": "too large"},
                ],
            }
        ],
        **changes,
    }


def imported(tmp_path, format_, value):
    file = tmp_path / "theirs.json"
    file.write_text(json.dumps(value))
    assert main(["--format", format_, str(file), "--out", str(tmp_path / "theirs.jsonl")]) == 0
    made = [json.loads(line) for line in (tmp_path / "theirs.jsonl").read_text().splitlines()]
    for record in made:
        jsonschema.validate(record, SCHEMA)
        assert (
            record["kind"] == "imported" and record["verified"] is False and record["source"]["file"] == "theirs.json"
        )
    return made


def test_google_benchmark(tmp_path, capsys):
    sort, aggregate = imported(tmp_path, "google-benchmark", gbench())
    assert (
        capsys.readouterr().err == f"sortlab import: {tmp_path}/theirs.json: 1 results without a time (skipped, or "
        "failed) are left out\n"
    )
    assert sort["samples_s"] == pytest.approx([0.003, 0.001, 0.002]) and sort["seconds"] == pytest.approx(0.002)
    assert (sort["name"], sort["n"], sort["threads"], sort["statistic"]) == ("BM_sort/1024", 1024, 1, "median")
    assert sort["machine"] == {"name": "theirs", "processors": 8, "clock_hz": 3e9, "device": None}
    assert aggregate["samples_s"] == [] and aggregate["seconds"] == pytest.approx(5e-4)
    assert aggregate["n"] is None and aggregate["statistic"] == "median"


def test_nvbench(tmp_path):
    (tmp_path / "theirs.json-bin").mkdir()
    (tmp_path / "theirs.json-bin/0.bin").write_bytes(struct.pack("<3f", 3e-5, 1e-5, 2e-5))
    mean, sampled = imported(tmp_path, "nvbench", nvbench())
    assert (mean["seconds"], mean["statistic"], mean["n"], mean["samples_s"]) == (2e-5, "mean", 65536, [])
    assert mean["axes"] == {"Elements{io}": 65536, "KeyT{ct}": "U32"}
    assert mean["counters"] == {"nv/cold/sample_size": 300}
    assert mean["machine"]["device"] == "NVIDIA H200" and mean["machine"]["clock_hz"] == 1.98e9
    assert sampled["statistic"] == "median" and sampled["seconds"] == pytest.approx(2e-5) and sampled["n"] == 65000


def test_nothing_takes_them_for_verified_ones(tmp_path, capsys):
    """The same tables, figures, claims and errors with them and without; the page says that there are some."""
    theirs = tmp_path / "theirs.jsonl"
    imported(tmp_path, "google-benchmark", gbench())
    files = [str(KEPT / f"{name}.jsonl") for name in ("accuracy", "accuracy.predictions", "algorithms")]
    pages = {}
    for name, more in (("without", []), ("with", [str(theirs)]), ("asked", [str(theirs), "--imported"])):
        pages[name] = render(["--records", *files, *more, "--paper", "satish2010", "--out", str(tmp_path / name)])
    written = sorted(file.relative_to(tmp_path / "without") for file in (tmp_path / "without").rglob("*.*"))
    assert {"SAT-F1.csv", "SAT-F2.csv", "index.html"} <= {file.name for file in written}
    for name in ("with", "asked"):
        assert sorted(f.relative_to(tmp_path / name) for f in (tmp_path / name).rglob("*.*")) == written
        for file in written:
            if file.name != "index.html":
                assert (tmp_path / name / file).read_bytes() == (tmp_path / "without" / file).read_bytes()
    text = {name: page.read_text() for name, page in pages.items()}
    assert "BM_sort" not in text["with"] and "2 imported results, which nobody here verified" in text["with"]
    assert text["asked"].count("BM_sort/1024") == 1 and 'id="imported"' in text["asked"]
    model = {name: page.split('id="model"')[1].split("</section>")[0] for name, page in text.items()}
    assert model["without"] == model["with"] == model["asked"]
    assert len(prediction_errors.predicted_points(read([theirs]))) == 0 and read([theirs]).measurements == []
    capsys.readouterr()
    assert export(["--format", "google-benchmark", str(theirs)]) == 2
    assert "no verified result; the 2 imported ones are not verified" in capsys.readouterr().err


def test_a_record_cannot_be_both(tmp_path):
    ours = synthetic.measurement(synthetic.case("vqsort", 1024), 1e-3)
    (theirs, _) = imported(tmp_path, "google-benchmark", gbench())
    for wrong in ({**ours, "verified": False}, {**theirs, "verified": True}, {**theirs, "cell": ours["cell"]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)
    file = tmp_path / "mixed.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in (ours, {**theirs, "verified": True}, theirs)))
    records = read([file])
    assert len(records.imported) == 1 and "verified must be false" in records.refused[0]


@pytest.mark.parametrize(
    "format_, text, says",
    [
        ("google-benchmark", "{", "a JSON file of google-benchmark is wanted"),
        ("google-benchmark", "[1]", "must be a JSON object"),
        ("google-benchmark", json.dumps({"context": {}}), "benchmarks must be a list of objects"),
        ("google-benchmark", json.dumps(gbench(benchmarks=[])), "holds no result with a time"),
        ("google-benchmark", json.dumps(nvbench()), "context must be an object"),
        ("google-benchmark", json.dumps(gbench()).replace('"ms"', '"days"'), "time_unit must be one of s, ms, us, ns"),
        ("google-benchmark", json.dumps(gbench()).replace('"real_time": 3.0', '"real_time": "3"'), "a finite number"),
        ("nvbench", json.dumps(gbench()), "meta must be an object"),
        ("nvbench", json.dumps(nvbench()).replace('"major": 1', '"major": 7'), "major must be 1"),
        ("nvbench", json.dumps(nvbench()).replace('"2e-05"', '"fast"'), "value must be of type float64"),
        ("nvbench", json.dumps(nvbench()).replace('"2e-05"', '"-2e-05"'), "must be above 0"),
        ("nvbench", "[" * 100_000, "must not be nested deeper"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(format_, text, says, tmp_path, capsys):
    file = tmp_path / "theirs.json"
    file.write_text(text)
    assert main(["--format", format_, str(file), "--out", str(tmp_path / "out.jsonl")]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.splitlines()[-1].startswith("sortlab import: ") and says in told.err
    assert told.err.count("\n") == 1 + ("without a time" in told.err)
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    "change, names, says",
    [
        (('"real_time": 3.0', '"real_time": -3.0'), ["BM_aggregates"], "real_time must be above 0"),
        (('"real_time": 3.0', '"real_time": 0'), ["BM_aggregates"], "real_time must be above 0"),
        (('"real_time": 3.0', '"real_time": NaN'), ["BM_aggregates"], "real_time must be a finite number above 0"),
        (
            ('"real_time": 500.0', '"real_time": Infinity'),
            ["BM_sort/1024"],
            "real_time must be a finite number above 0",
        ),
        (('"n": 1024.0', '"n": 1024.0, "rate": Infinity'), ["BM_sort/1024", "BM_aggregates"], "rate: not finite"),
        (('"n": 1024.0', '"n": -Infinity'), ["BM_sort/1024", "BM_aggregates"], "n: not finite"),
        (('"n": 1024.0', '"n": 1e300'), ["BM_sort/1024", "BM_aggregates"], "n: not finite, or beyond 1e+30"),
        (('"n": 1024.0', '"n": 1024.0, "n": 512'), ["BM_sort/1024", "BM_aggregates"], ""),
    ],
)
def test_an_odd_number_leaves_the_other_results(change, names, says, tmp_path, capsys):
    (tmp_path / "theirs.json").write_text(json.dumps(gbench()).replace(*change))
    out = tmp_path / "out.jsonl"
    assert main(["--format", "google-benchmark", str(tmp_path / "theirs.json"), "--out", str(out)]) == 0
    made = [json.loads(line) for line in out.read_text().splitlines()]
    assert [record["name"] for record in made] == names and says in capsys.readouterr().err
    for record in made:
        jsonschema.validate(record, SCHEMA)
        assert "rate" not in record["counters"]


def test_a_pipe_is_read_once(tmp_path):
    command = f"{sys.executable} -m plots import --format nvbench <(cat {tmp_path}/x.json) | wc -l"
    (tmp_path / "x.json").write_text(json.dumps(nvbench()))
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "2", done.stderr


def test_a_dash_is_standard_output(tmp_path, capsys, monkeypatch):
    file = tmp_path / "theirs.json"
    file.write_text('{"context": {}, "benchmarks": [{"name": "a", "real_time": 1.0}]}')
    monkeypatch.chdir(tmp_path)
    assert main(["--format", "google-benchmark", str(file), "--out", "-"]) == 0
    (record,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert record["kind"] == "imported" and [f.name for f in tmp_path.iterdir()] == ["theirs.json"]


def test_nothing_is_overwritten_or_mixed(tmp_path, capsys):
    file, measured = tmp_path / "theirs.json", tmp_path / "quick.jsonl"
    file.write_text(json.dumps(gbench()))
    measured.write_text("ours")
    assert main(["--format", "google-benchmark", str(file), "--out", str(measured)]) == 2
    assert "is there already; nothing is overwritten" in capsys.readouterr().err and measured.read_text() == "ours"


def test_hostile_names_are_shown_clean(tmp_path):
    made = json.dumps(gbench()).replace("BM_sort/1024", "\\u202e<script>alert(1)</script>\\u001b[31m")
    (record, _) = imported(tmp_path, "google-benchmark", json.loads(made))
    assert record["name"].isprintable()
    page = render(
        ["--records", str(tmp_path / "theirs.jsonl"), "--imported", "--figure", "SAT-T1", "--out", str(tmp_path)]
    )
    assert "<script>alert" not in page.read_text() and "&lt;script&gt;alert" in page.read_text()
