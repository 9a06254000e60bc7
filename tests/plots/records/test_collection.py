"""Reading of files that are torn, broken, foreign or missing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import synthetic_records as synthetic

from plots.analysis.provenance import notes_on_records
from plots.records.cell_id import cell_id
from plots.records.jsonl import BadInput
from plots.records.collection import profile_files, read, record_files
from plots.exchange.record_rows import counted_phases

ROOT = Path(__file__).resolve().parents[3]
OLD, NEW = "20190101T000000Z-a", "20200101T000000Z-b"
KERNELS = synthetic.kernels("scan")
CASE = synthetic.case("std_sort", 1 << 16)


def written(tmp_path: Path, *records: dict) -> Path:
    return synthetic.write(tmp_path / "records.jsonl", records, algorithms=False)


def with_field(path: str, value: object) -> dict:
    """A measurement with one field changed: "case.n"."""
    record = json.loads(json.dumps(synthetic.measurement(CASE, 1e-3)))
    *parents, last = path.split(".")
    target = record
    for name in parents:
        target = target[name]
    target[last] = value
    return record


def test_the_example_records_are_read():
    records = read([ROOT / "tests" / "data" / "example_records.jsonl"])
    assert (len(records.runs), len(records.measurements), len(records.predictions), len(records.published)) == (
        1,
        2,
        1,
        1,
    )
    assert [m.ok for m in records.measurements] == [True, False]


def test_hidden_files_beside_records_are_passed_over(tmp_path):
    written(tmp_path, synthetic.measurement(CASE, 1e-3))
    (tmp_path / "._records.jsonl").write_bytes(b"\0\5\x16\7Mac OS X")  # as macOS leaves on other file systems
    device = tmp_path / "._device"  # and a folder's own
    device.mkdir()
    for file in (tmp_path / "._profile.json", device / "profile.json"):
        file.write_bytes(b"\0\5\x16\7Mac OS X")
    assert len(read(record_files(tmp_path)).measurements) == 1 and profile_files(tmp_path) == []


def test_records_of_an_emulator_are_left_out(tmp_path):
    real = synthetic.measurement(CASE, 1e-3)
    emulated = {**synthetic.measurement(CASE, 1e-3, run=NEW), "machine": "emulated-arm-neoverse-v2-1c-01234567"}
    records = read([written(tmp_path, real, emulated)])
    assert [m.machine for m in records.measurements] == [real["machine"]]
    assert records.emulated == 1
    assert notes_on_records(records) == ["left out: 1 records of runs under an emulator"]


def test_counts_are_a_table_of_phases():
    machine = "intel-xeon-emeraldrapids-16c-f8c882fd"
    records = read([ROOT / "results" / "reference" / machine / "counts.jsonl"]).on(machine)
    assert records.measurements == [] and len(records.counts) > 30
    wanted = {"algorithm": "satish_split_radix", "key_type": "u32", "value_type": "none", "n_elements": 1 << 24}
    rows = [row for row in counted_phases(records) if {name: row[name] for name in wanted} == wanted]
    histograms = [row for row in rows if row["phase"] == "histogram"]
    assert histograms and {row["pass"] for row in histograms} == {0, 1}
    for row in histograms:
        assert row["global_load_sectors_per_element"] == pytest.approx(4 / 32)  # reads each key once
        assert 0 < row["dram_used_share"] < 1 and row["device"] == "NVIDIA H200"


def test_a_count_with_a_text_for_a_number_is_named(tmp_path):
    phase = {"name": "scan", "pass": 0, "per_element": {"instructions": "many"}, "utilisation": {}, "binding": "dram"}
    file = written(tmp_path, {**synthetic.count(CASE, {}), "phases": [{**phase, "kernels": KERNELS, "occupancy": 0.5}]})
    with pytest.raises(BadInput, match="per_element: instructions must be a finite number"):
        read([file])


@pytest.mark.parametrize("cut", [1, 10, 400])
def test_a_torn_last_line_is_left_out(tmp_path, cut):
    file = written(tmp_path, synthetic.run_record(), synthetic.measurement(CASE, 1e-3))
    file.write_bytes(file.read_bytes()[:-cut])
    records = read([file])
    whole = cut == 1  # only the line's end is missing
    assert len(records.measurements) == whole
    assert bool(records.torn) != whole


def test_a_line_torn_inside_a_character_is_left_out(tmp_path):
    file = written(tmp_path, synthetic.run_record())
    file.write_bytes(file.read_bytes() + '{"schema":1,"kind":"µ'.encode()[:-1])
    records = read([file])
    assert len(records.runs) == 1 and records.torn == [str(file)]


@pytest.mark.parametrize(
    "record, names",
    [
        (with_field("kind", "measurments"), "kind"),
        (with_field("schema", 2), "schema"),
        (with_field("case.n", "many"), "n must be an integer"),
        (with_field("case.n", True), "n must be an integer"),
        (with_field("case.key_type", "u33"), "u32, u64"),
        (with_field("case.parameters", []), "parameters must be an object"),
        (with_field("median_s", "fast"), "median_s must be a finite number"),
        (with_field("median_s", float("nan")), "median_s must be a finite number"),
        (with_field("ci95_s", [2.0, 1.0]), "ci95_s"),
        (with_field("ci95_s", [None, 1.0]), "ci95_s"),
        (with_field("status", "fine"), "status must be one of"),
        (with_field("samples_s", "x"), "samples_s"),
        (with_field("phases", [1]), "phases must be a list of objects"),
    ],
)
def test_a_wrong_field_is_named_with_its_line(tmp_path, record, names):
    records = read([written(tmp_path, synthetic.run_record(), record)])
    (line,) = records.refused
    assert "records.jsonl:2" in line and names in line
    assert (len(records.runs), records.measurements) == (1, [])


def test_a_broken_line_in_the_middle_is_named_and_left_out(tmp_path):
    file = written(tmp_path, synthetic.run_record())
    file.write_text('{"schema":1,\n' + file.read_text())
    records = read([file])
    assert len(records.runs) == 1 and records.torn == []
    (line,) = records.refused
    assert line.startswith(f"{file}:1: not a JSON object: ")


def test_sorts_end_to_end_are_found_only_where_they_are_asked_for(tmp_path):
    there_and_back = synthetic.case("cub_radix", 1 << 16, residency="end_to_end", host_memory="pinned")
    records = read([written(tmp_path, synthetic.measurement(CASE, 1e-3), synthetic.measurement(there_and_back, 1e-3))])
    assert [m.case.algorithm for m in records.ok()] == ["std_sort"]
    found = records.ok(residency="end_to_end")
    assert [m.case.residency_text for m in found] == ["end to end, pinned memory"]
    assert records.ok(residency=lambda _: True) == records.measurements


def test_of_a_cell_measured_twice_the_newest_run_counts(tmp_path):
    runs = [
        dict(synthetic.run_record(), run=OLD, started="2019-01-01T00:00:00Z"),
        dict(synthetic.run_record(), run=NEW, started="2020-01-01T00:00:00Z"),
    ]
    cells = [synthetic.measurement(CASE, 1e-3, run=run) for run in (NEW, OLD)]
    kept = read([written(tmp_path, *runs, *cells)]).on(synthetic.MACHINE)
    assert [m.run for m in kept.ok()] == [NEW]
    assert [r.run for r in kept.runs] == [NEW]
    assert ([m.run for m in kept.superseded], [r.run for r in kept.superseded_runs]) == ([OLD], [OLD])
    assert [m.run for m in kept.in_all_runs()] == [OLD, NEW]


@pytest.mark.parametrize("order", [("listed", "old", "new"), ("new", "old", "listed")])
def test_a_sort_is_what_the_newest_run_says_of_it(tmp_path, order):
    described = json.loads(synthetic.KEPT[0].read_text(encoding="utf-8").splitlines()[0])
    files = {}
    for name, run in (("listed", None), ("old", OLD), ("new", NEW)):
        started = run and f"{run[:4]}-01-01T00:00:00Z"
        runs = [dict(synthetic.run_record(), run=run, started=started)] if run else []
        records = [*runs, dict(described, title=f"as of {name}"), *runs]
        files[name] = synthetic.write(tmp_path / f"{name}.jsonl", records, algorithms=False)
    known = read([files[name] for name in order]).algorithms[described["name"]]
    assert known.title == "as of new"
    assert read([files["listed"]]).algorithms[described["name"]].title == "as of listed"


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--records", "/nowhere/x.jsonl"], "no such file"),
        (["--records", "{folder}"], "holds no *.jsonl"),
        (["--records", "{binary}"], "UTF-8"),
        (["--paper", "satish2011"], "did you mean satish2010"),
        (["--figure", "SAT-T9"], "SAT-T1"),
        (["--machine", "nobody"], "no record of it"),
        (["--profile", "/nowhere.json"], "no such file"),
        (["--colour", "red"], "--colour"),
    ],
)
def test_bad_input_is_one_line_and_nothing_written(tmp_path, arguments, says):
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00\n\x80\n")
    given = [a.format(folder=tmp_path, binary=binary) for a in arguments]
    out = tmp_path / "report"
    command = [sys.executable, ROOT / "plots" / "render.py", *given, "--out", out]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert says in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""
    assert not out.exists()


def test_a_phase_that_was_renamed_has_its_present_name(tmp_path):
    old = with_field("phases", [{"name": "guard", "pass": 0, "median_s": 1e-4}])
    (measurement,) = read([written(tmp_path, old)]).measurements
    assert [phase.name for phase in measurement.phases] == ["sortedness check"]


def on_gpu(name: str, seconds: float, run: str = synthetic.RUN) -> dict:
    """One and the same cell, on a GPU of this name."""
    case = synthetic.gpu_case("ha_implicit_radix", 1 << 20)
    return synthetic.measurement(case, seconds, device={**synthetic.DEVICE, "name": name}, run=run)


def predicted_on(name: str, seconds: float) -> dict:
    record = synthetic.prediction(synthetic.gpu_case("ha_implicit_radix", 1 << 20), seconds)
    return {**record, "profile": {**record["profile"], "name": name}}


def test_two_gpus_of_one_host_are_two_machines(tmp_path):
    """The same cell on both: neither supersedes the other, and neither is predicted by the other's profile."""
    runs = [synthetic.run_record(), {**synthetic.run_record(), "run": NEW, "started": "2020-01-01T00:00:00Z"}]
    gpus = ["NVIDIA H200", "NVIDIA H100 80GB HBM3"]
    cells = [on_gpu(gpus[0], 1e-3), on_gpu(gpus[1], 2e-3, NEW), synthetic.measurement(CASE, 1e-3)]
    predictions = [predicted_on(gpus[0], 1.1e-3), predicted_on(gpus[1], 2.2e-3)]
    records = read([written(tmp_path, *runs, *cells, *predictions)])
    h200, h100 = (records.on(m.machine) for m in records.measurements[:2])
    assert h200.machine != h100.machine and {h200.machine, h100.machine, synthetic.MACHINE} == {
        m.machine for m in records.measurements
    }
    for here, seconds, device in ((h200, 1e-3, gpus[0]), (h100, 2e-3, gpus[1])):
        assert not here.superseded
        (gpu,) = [m for m in here.measurements if m.device]
        assert gpu.device == device and gpu.seconds.value == pytest.approx(seconds, rel=0.02)
        assert here.find_prediction(gpu).seconds == pytest.approx(1.1 * seconds)
        # The host's sorts belong to both.
        assert [m.case.algorithm for m in here.measurements if not m.device] == ["std_sort"]
        assert [other.machine for other in here.others()] == [({h200.machine, h100.machine} - {here.machine}).pop()]
    assert not [m for m in records.on(synthetic.MACHINE, alone=True).measurements if m.device]


def test_a_host_shows_the_gpu_with_the_most_records(tmp_path):
    more = {**on_gpu("NVIDIA H100", 1e-3), "key": "0123456789abcdef"}
    more["case"] = {**more["case"], "seed": 2}
    more["cell"] = cell_id(more["case"])
    cells = [on_gpu("NVIDIA H200", 1e-3), on_gpu("NVIDIA H100", 2e-3), more, synthetic.measurement(CASE, 1e-3)]
    records = read([written(tmp_path, synthetic.run_record(), *cells)])
    assert records.machine_of_choice() == f"{synthetic.MACHINE}.nvidia-h100"
    assert records.machine_of_choice(synthetic.MACHINE) == synthetic.MACHINE
    for chosen in (synthetic.MACHINE, f"{synthetic.MACHINE}.nvidia-h100"):
        assert {m.device for m in records.on(chosen).measurements} == {"", "NVIDIA H100"}
    with pytest.raises(BadInput, match=rf"{synthetic.MACHINE}\.nvidia-h200"):
        records.machine_of_choice("another")


def test_a_folder_is_read_with_the_folders_of_its_gpus(tmp_path):
    """Repeated runs and validations, which lie in folders too, are not among its records."""
    for name in ("", "h100", "aa", "validation"):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        if name in ("h100", "validation"):
            (folder / "profile.json").write_text("{}", encoding="utf-8")
        file = folder / ("validation.jsonl" if name == "validation" else "records.jsonl")
        synthetic.write(file, [synthetic.run_record(), synthetic.measurement(CASE, 1e-3)], algorithms=False)
    assert [Path(path).relative_to(tmp_path) for path, _ in read([tmp_path]).files] == [
        Path("records.jsonl"),
        Path("h100/records.jsonl"),
    ]


def test_the_folder_of_a_kept_machine_has_the_records_of_its_gpus():
    folder = ROOT / "results" / "reference" / "intel-xeon-emeraldrapids-16c-f8c882fd"
    records = read([folder])
    shown = records.on(records.machine_of_choice())
    assert shown.machine == f"{folder.name}.nvidia-h200"
    assert {m.device for m in shown.measurements} == {"", "NVIDIA H200"}
    (h100,) = shown.others()
    assert h100.machine == f"{folder.name}.nvidia-h100-80gb-hbm3" and len(h100.measurements) > 150
    # Each cell of the H100 is there, once.
    cells = {(m.machine, m.cell) for m in records.measurements if m.machine == h100.machine}
    assert len(cells) == len([m for m in h100.measurements if m.device])
