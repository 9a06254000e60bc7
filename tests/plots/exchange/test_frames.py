"""Records as pandas frames: what the kept records say, with units in the columns' names."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import plots
from plots.exchange import record_rows
from plots.records.jsonl import BadInput

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "results" / "reference"
ZEN5 = KEPT / "amd-epyc-zen5-2c-925e87e7"
XEON = KEPT / "intel-xeon-emeraldrapids-16c-f8c882fd"
FILES = [
    *(ZEN5 / "accuracy.jsonl", ZEN5 / "accuracy.predictions.jsonl", ZEN5 / "algorithms.jsonl"),
    *(XEON / "claims_gpu.jsonl", XEON / "counts.jsonl", XEON / "ha.jsonl", ROOT / "results/published/ha2010.jsonl"),
]
UNITS = ("_s", "_hz", "_bytes", "_bits", "_elements", "_per_element", "_per_s", "_share", "_utc")


@pytest.fixture(scope="module")
def pandas():
    return pytest.importorskip("pandas", reason="pandas is not installed (python3-pandas): no frames")


@pytest.fixture(scope="module")
def frames(pandas):
    return plots.read_records(*FILES)


@pytest.fixture(scope="module")
def written():
    return [json.loads(line) for file in FILES for line in file.read_text().splitlines()]


def of_kind(written, kind):
    return [record for record in written if record["kind"] == kind]


def test_every_record_is_in_a_frame(frames, written):
    assert frames.refused == ()
    for kind, frame in (
        *(("measurement", frames.measurements), ("component", frames.components), ("run", frames.runs)),
        *(("prediction", frames.predictions), ("published", frames.published), ("algorithm", frames.algorithms)),
    ):
        assert len(frame) == len(of_kind(written, kind)) > 0, kind
    measured = of_kind(written, "measurement") + of_kind(written, "component")
    assert len(frames.samples) == sum(len(r.get("samples_s", [])) for r in measured)
    assert len(frames.phases) == sum(len(r.get("phases", [])) for r in measured)
    # Launches that share a pass are one row: four passes of CUB's over 2^28 keys, in two grids each.
    counted = [phase for r in of_kind(written, "count") for phase in r["phases"]]
    shared = [phase for phase in counted if [kernel["grid"] for kernel in phase["kernels"]] == ["(1, 1, 1)"]]
    shared = [phase for phase in shared if phase["name"] == "DeviceRadixSortOnesweepKernel"]
    assert len(shared) == 4 and len(frames.counted_phases) == len(counted) - len(shared)
    assert len(frames.imported) == 0 and "time_s" in frames.imported.columns


def test_numbers_are_those_of_the_records(frames, written):
    by_key = frames.measurements.set_index(["key", "run"])
    assert by_key.index.is_unique
    for record in of_kind(written, "measurement"):
        row = by_key.loc[record["key"], record["run"]]
        assert row["algorithm"] == record["case"]["algorithm"] and row["n_elements"] == record["case"]["n"]
        if record["status"] == "ok":
            found = [row[c] for c in ("median_s", "ci95_low_s", "ci95_high_s", "mean_s", "rate_elements_per_s")]
            wanted = [record["median_s"], *record["ci95_s"], record["mean_s"], record["keys_per_s"]]
            assert found == pytest.approx(wanted, rel=1e-12)
            if record["case"]["key_type"] != "string":
                assert row["nominal_rate_bytes_per_s"] == pytest.approx(record["bytes_per_s"], rel=1e-9)
            if record["cpe_wall"]:
                cycles = [row["wall_cycles_per_element"], row["core_cycles_per_element"]]
                assert cycles == pytest.approx([record["cpe_wall"], record["cpe_core"]], rel=1e-9)
    for record, seconds in zip(of_kind(written, "prediction"), frames.predictions["predicted_s"]):
        assert seconds == record["seconds"]


def test_frames_join(frames):
    """Measured beside predicted, as anybody would do it."""
    both = frames.measurements.merge(frames.predictions, on=["machine", "cell"], suffixes=("", "_predicted"))
    assert len(both) > 100
    assert (both.predicted_s / both.median_s).between(0.2, 5).all()


def test_the_readmes_merge_joins_no_two_gpus(pandas):
    """With the records of an H200 and an H100 in one host, by the lines in plots/README.md."""
    lines = (ROOT / "plots/README.md").read_text(encoding="utf-8").partition("import sortlab")[2]
    merge = next(line for line in lines.splitlines() if line.startswith("both = "))
    frames = plots.read_records(XEON)
    both = eval(merge.partition(" = ")[2], {"frames": frames})
    on_gpus = both[both.device != ""]
    assert set(on_gpus.device) == {"NVIDIA H200", "NVIDIA H100 80GB HBM3"} and len(on_gpus) > 1000
    assert (on_gpus.device == on_gpus.profile_name).all()
    measured = frames.measurements[frames.measurements.device != ""]
    assert (measured.groupby("machine").device.nunique() == 1).all()


def test_a_column_of_numbers_names_its_unit_or_counts(frames, pandas):
    bare = {
        "seed",
        "threads",
        "samples",
        "sample",
        "processes",
        "process",
        "pass",
        "launches",
        "iterations",
        "cores",
        "hardware_threads",
        "value",
    }
    for kind in record_rows.KINDS:
        frame = getattr(frames, kind)
        for name, column in frame.items():
            if pandas.api.types.is_numeric_dtype(column) and column.dtype != bool and name not in bare:
                assert name.endswith(UNITS), f"{kind}: {name}"


def test_columns_are_the_same_without_rows_and_stand_in_the_readme(frames):
    readme = (ROOT / "plots/README.md").read_text(encoding="utf-8")
    for kind, of in record_rows.KINDS.items():
        made = of(frames.records)
        declared = record_rows.header(kind, [])
        assert list(getattr(frames, kind).columns)[: len(declared)] == declared
        if kind != "counted_phases" and made:
            assert set(made[0]) == set(declared), kind
        told = re.search(rf"^\| `{kind}` \| (.*) \|$", readme, re.M)
        assert told, f"{kind} is not in plots/README.md"
        missing = [name for name in declared if f"`{name}`" not in readme]
        assert missing == []


def test_a_cell_measured_twice_is_marked(pandas):
    frames = plots.read_records(XEON / "cpu2026.jsonl", XEON / "cpu2026_large.jsonl")
    old = frames.measurements[frames.measurements.superseded]
    assert len(old) > 0
    started = frames.runs.set_index("run").started_utc
    for _, row in old.iterrows():
        same = frames.measurements.query("cell == @row.cell and not superseded")
        assert len(same) == 1 and started[same.run.iloc[0]] > started[row.run]


def test_a_folder_is_its_files(pandas, tmp_path):
    assert len(plots.read_records(ZEN5 / "aa").runs) == 16
    with pytest.raises(BadInput, match=r"holds no \*.jsonl"):
        plots.read_records(tmp_path)
    with pytest.raises(BadInput, match="no such file"):
        plots.read_records(tmp_path / "none.jsonl")
    with pytest.raises(BadInput, match="no path given"):
        plots.read_records()


def test_without_pandas_one_line_says_so():
    code = "import sys; sys.modules['pandas'] = None; import plots, plots.records.jsonl\n"
    code += "try: plots.read_records('x')\nexcept plots.records.jsonl.BadInput as error: print(error)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.count("\n") == 1 and "pandas" in done.stdout and "python3-pandas" in done.stdout, done.stderr
