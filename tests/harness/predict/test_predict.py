"""sortlab predict from outside: the papers' machines, records that follow the schema, fits apart, and bad input."""

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest

from listed import device_sorts, listed, plain_sorts
from whole_records import component_record, lost_record, measured_in

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
RECORD_SCHEMA = json.loads((ROOT / "configs" / "schemas" / "record.schema.json").read_text())
PROFILE_SCHEMA = json.loads((ROOT / "configs" / "schemas" / "machine_profile.schema.json").read_text())
SATISH = ["--algorithm", "satish_cpu_radix", "--param", "digit_bits=8"]
H200 = ROOT / "results" / "reference" / "intel-xeon-emeraldrapids-16c-f8c882fd" / "profile.json"
HOST = ROOT / "results" / "reference" / "intel-xeon-graniterapids-2c-47e04dc8" / "profile.json"
CORE_I7 = ["--machine", str(ROOT / "models" / "machines" / "core_i7.json")]


def predict(*arguments, root=ROOT):
    command = [SORTLAB, "predict", *arguments]
    environment = {**os.environ, "SORTLAB_ROOT": str(root)}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


def records(*arguments, root=ROOT):
    done = predict(*arguments, "--json", root=root)
    assert done.returncode == 0, done.stderr
    made = [json.loads(line) for line in done.stdout.splitlines()]
    for record in made:
        jsonschema.validate(record, RECORD_SCHEMA)
    return made


def test_the_papers_model_on_the_papers_machine():
    made = {r["model"]: r for r in records(*SATISH, "--n", "64M", "--threads", "4", *CORE_I7)}
    assert made["SAT-M4"]["cpe_core"] == pytest.approx(52)
    assert made["SAT-M4"]["seconds"] == pytest.approx(0.271, rel=0.01)  # Table 1
    assert made["SAT-M4"]["profile"]["origin"] == "paper"
    assert made["SAT-M4"]["baselines"] == {"bytes_over_copy_s": None}  # the paper states no bandwidth
    assert "satish_cpu_radix" not in made  # reads quantities that only a calibrated machine has


@pytest.mark.parametrize(
    "machine, algorithm, n, value, model, milliseconds",
    [
        ("gtx280", "satish_split_radix", "2^26", "none", "SAT-M3", 81.6 * 2**26 / 39e6),
        ("gtx280", "satish_split_radix", "2^26", "none", "SAT-M3-parts-3.2", 114.56 * 2**26 / 39e6),
        ("gtx280", "satish_gpu_merge", "2^26", "none", "SAT-M5", 26 * 1.4 * 4 * 2**26 / 39e6),
        ("gtx260", "ha_implicit_radix", "16M", "u32", "HA-M2", 8 * 12.05),
        ("gtx260", "satish_split_radix_2009", "16M", "u32", "HA-M2-CUDPP", 8 * 17.55),
        ("titan_x_pascal", "stehle_hybrid_radix", "500e6", "none", "STE-M10", (32 + 4096 / 6912) * 500 / 369.17),
    ],
)
def test_the_papers_models_of_gpu_sorts(machine, algorithm, n, value, model, milliseconds):
    preset = "paper_2010" if algorithm == "satish_gpu_merge" else "paper"
    case = ["--algorithm", algorithm, "--preset", preset, "--n", n, "--value", value]
    made = {r["model"]: r for r in records(*case, "--machine", machine)}
    assert made[model]["seconds"] * 1e3 == pytest.approx(milliseconds, rel=1e-4)
    assert all(phase["binding"] and phase["work"] for phase in made[model]["phases"])


def device_profile(path, **changes):
    """A host whose sorts are predicted, with the H200 of a kept profile and other facts about this device."""
    (device,) = json.loads(H200.read_text())["devices"]
    path.write_text(json.dumps(json.loads(HOST.read_text()) | {"devices": [device | changes]}))
    return ["--machine", str(path)]


def test_a_prediction_names_its_kind_and_the_tables_that_it_read():
    case = ["--algorithm", "cub_radix", "--n", "2^24", "--machine", str(H200)]
    made = {r["model"]: r for r in records(*case)}
    assert {name: r["model_kind"] for name, r in made.items()} == {
        "cub_radix": "component",
        "cub_radix-counts": "hardware",
    }
    assert all(r["model_family"] == "A, one sweep a pass" for r in made.values())
    tables = {t["name"]: t for t in made["cub_radix"]["tables"]}
    assert tables["tile.rank_match"]["kind"] == "component" and tables["launch"]["kind"] == "hardware"
    asked = tables["tile.rank_match"]["arguments"]
    assert (asked["digit_bits"], asked["key_bytes"], asked["value_bytes"]) == (8, 4, 0)
    assert tables["launch"] == {"name": "launch", "kind": "hardware", "arguments": {}, "read": "exact"}
    assert {t["kind"] for t in made["cub_radix-counts"]["tables"]} == {"hardware"}
    assert {r["model"] for r in records(*case, "--kind", "hardware")} == {"cub_radix-counts"}


def test_the_reason_is_that_of_the_model_which_calibration_feeds():
    """The profile has a quantity of another version; the paper's model lacks a constant of the paper's machine, too."""
    done = predict(*SATISH, "--n", "2^24", "--machine", H200)
    assert done.returncode == 2 and "'part' of the profile" in done.stderr and "not 2" in done.stderr, done.stderr


def test_a_prediction_beyond_what_was_calibrated_says_so_to_people():
    words = ["--algorithm", "satish_cpu_radix", "--n", "3e9", "--machine", HOST]
    beyond = {table["name"] for table in records(*words)[0]["tables"] if table["read"] == "extrapolated"}
    assert beyond
    (line,) = [
        line for line in predict(*words).stdout.splitlines() if "extrapolated beyond what was calibrated" in line
    ]
    assert all(f"{name} (" in line for name in beyond), line
    assert "extrapolated" not in predict(*words[:2], "--n", "1e6", *words[4:]).stdout


@pytest.mark.parametrize(
    "changes, expected",
    [
        ({"compute_capability": "8.0"}, "compute_capability of NVIDIA H200 is 8.0; allowed: 9.0"),
        ({"compute_capability": "9.0", "libraries": {"CUB": "2.8.0"}}, "libraries.CUB of NVIDIA H200 is 2.8.0"),
        ({"cache_bytes": {"shared": 102400, "L2": 62914560}}, "cache_bytes.shared of NVIDIA H200 is 102400"),
    ],
)
def test_a_model_refuses_another_device_than_it_is_made_for(tmp_path, changes, expected):
    machine = device_profile(tmp_path / "profile.json", **changes)
    done = predict("--algorithm", "cub_radix", "--n", "2^24", *machine)
    assert done.returncode == 2 and expected in done.stderr and done.stderr.count("\n") == 1
    # Among other output, one line per model.
    done = predict(
        "--algorithm", "cub_radix", "--algorithm", "satish_cpu_radix", "--n", "2^24", "--n", "2^22", *machine
    )
    assert done.returncode == 0 and "satish_cpu_radix (component) on" in done.stdout
    refusals = [line for line in done.stderr.splitlines() if expected in line]
    assert len(refusals) == 2 and all(line.startswith("not predicted: machine: ") for line in refusals)


def test_a_device_profile_may_state_what_the_models_are_made_for(tmp_path):
    machine = device_profile(tmp_path / "profile.json", compute_capability="9.0", libraries={"CUB": "3.0.1"})
    (made,) = records("--algorithm", "cub_radix", "--n", "2^24", "--kind", "component", *machine)
    (kept,) = records("--algorithm", "cub_radix", "--n", "2^24", "--kind", "component", "--machine", str(H200))
    assert made["seconds"] == kept["seconds"]
    assert made["profile"]["compute_capability"] == "9.0" and made["profile"]["libraries"] == {"CUB": "3.0.1"}


def test_list_shows_the_tables_that_a_model_reads():
    command = [SORTLAB, "list", "models", "cub_radix-counts"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
    assert "model_kind        hardware" in shown
    assert "(component)" not in shown and "reads             issue.lop3 (hardware)\n" in shown
    command[-1] = "satish_cpu_radix"
    (entry,) = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=120).stdout)
    assert {"name": "append", "kind": "component"}.items() <= next(
        t for t in entry["tables"] if t["name"] == "append"
    ).items()


def test_options_make_a_product_and_a_model_can_be_chosen():
    made = records(
        *SATISH, "--n", "1M", "--n", "4M", "--key", "u32", "--key", "u64", "--model", "SAT-M7", "--machine", "core_i7"
    )
    assert sorted((r["case"]["key_type"], r["case"]["n"]) for r in made) == [
        ("u32", 1 << 20),
        ("u32", 1 << 22),
        ("u64", 1 << 20),
        ("u64", 1 << 22),
    ]
    seconds = {(r["case"]["key_type"], r["case"]["n"]): r["seconds"] for r in made}
    assert seconds["u64", 1 << 20] / seconds["u32", 1 << 20] == pytest.approx(8 / 3)


def measured(path, algorithm, times):
    case = records(*SATISH, "--n", "1M", "--machine", "core_i7")[0]["case"] | {"algorithm": algorithm, "parameters": {}}
    lines = [
        measured_in(seconds, key=f"{n:016x}", case=case | {"n": n, "layout": "together"})
        for n, seconds in times.items()
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_fitted_models_stand_apart(tmp_path):
    times = tmp_path / "times.jsonl"
    (law,) = [model for model in listed("models") if model["name"] == "fitted_nlogn"]
    sort = next(name for name in plain_sorts() if name in law["algorithms"])
    measured(times, sort, {1 << 16: 16 * 65536e-9, 1 << 20: 20 * 1048576e-9})
    fitted = tmp_path / "fitted.json"
    assert predict("--fit", str(times), "--out", str(fitted)).returncode == 0
    profile = json.loads(fitted.read_text())
    jsonschema.validate(profile, PROFILE_SCHEMA)
    assert profile["origin"] == "fitted"
    rate = profile["tables"][f"fitted_nlogn {sort} u32/none uniform threads=1: rate"]["points"][0]["value"]
    assert rate == pytest.approx(1e-9)


def predicted_on_a_device():
    """A device sort with a model that reads a calibrated profile."""
    return next(name for name in device_sorts() if any(model["name"] == name for model in listed("models")))


def test_records_that_no_model_can_predict_here_give_no_prediction_and_no_error(tmp_path):
    times, predicted = tmp_path / "times.jsonl", tmp_path / "predicted.jsonl"
    sort = predicted_on_a_device()
    measured(times, sort, {1 << 16: 5e-5})
    done = predict("--for", str(times), *CORE_I7, "--out", str(predicted))
    assert done.returncode == 0 and predicted.read_text() == ""
    assert f"not predicted: {sort}" in done.stderr and "has no quantity" in done.stderr


OTHER = "other-4c"


def other_machine(root, *recorded):
    """A checkout with the profile of another machine, and records of cells measured there."""
    for folder in ("configs", "generators"):
        (root / folder).mkdir()
    kept = root / "results" / "reference" / OTHER
    kept.mkdir(parents=True)
    lines = [
        measured_in(1e-3, run=f"20261121T00000{i}Z-0a", key=f"{i:016x}", case=case) for i, case in enumerate(recorded)
    ]
    (kept / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    profile = json.loads((ROOT / "models" / "machines" / "core_i7.json").read_text()) | {"id": OTHER}
    (root / "profile.json").write_text(json.dumps(profile))
    return ["--machine", str(root / "profile.json")]


def test_auto_on_another_machine_is_what_its_newest_record_says(tmp_path):
    (asked,) = [r["case"] for r in records(*SATISH, "--n", "1M", "--model", "SAT-M4", *CORE_I7)]
    was, now, other_digits = (
        asked | {"parameters": asked["parameters"] | changed}
        for changed in (
            {"flush": "nontemporal", "buffer_lines_log2": 3},
            {"flush": "ordinary", "buffer_lines_log2": 4},
            {"digit_bits": 11, "buffer_lines_log2": 0},
        )
    )
    machine = other_machine(tmp_path, was, now, other_digits)
    done = predict(*SATISH, "--n", "1M", "--model", "SAT-M4", *machine, "--json", root=tmp_path)
    record = json.loads(done.stdout)
    assert record["case"]["parameters"] == now["parameters"] and record["profile"]["id"] == OTHER
    assert done.stderr == ""
    (tmp_path / "now.jsonl").write_text(json.dumps(measured_in(1e-3, case=now)) + "\n")
    (same,) = records("--for", str(tmp_path / "now.jsonl"), "--model", "SAT-M4", *machine, root=tmp_path)
    assert record["cell"] == same["cell"]


def test_auto_that_only_the_other_machine_could_tell_is_named(tmp_path):
    machine = other_machine(tmp_path)
    done = predict(*SATISH, "--n", "1M", "--n", "2M", "--model", "SAT-M4", *machine, "--json", root=tmp_path)
    assert done.returncode == 0 and done.stdout.count("\n") == 2
    assert done.stderr.count("\n") == 1 and "holds the choice: satish_cpu_radix flush; --param" in done.stderr
    done = predict(*SATISH, "--param", "flush=ordinary", "--n", "1M", "--model", "SAT-M4", *machine, root=tmp_path)
    assert done.returncode == 0 and done.stderr == ""


@pytest.mark.parametrize("kind", ["skipped", "component"])
def test_records_without_a_measured_sort_give_no_prediction_and_no_error(tmp_path, kind):
    """Records of a GPU sort's config on a machine without a GPU, and of a config of components."""
    cells, predicted = tmp_path / "cells.jsonl", tmp_path / "predicted.jsonl"
    measured(cells, device_sorts()[0], {1 << 16: 5e-5})
    record = json.loads(cells.read_text())
    record = lost_record(record, "skipped", "no device") if kind == "skipped" else component_record(record)
    cells.write_text(json.dumps(record) + "\n")
    done = predict("--for", str(cells), *CORE_I7, "--out", str(predicted))
    assert done.returncode == 0 and predicted.read_text() == ""
    cells.write_text("")
    done = predict("--for", str(cells), *CORE_I7, "--out", str(predicted))
    assert done.returncode == 2 and "holds no cell that was measured or counted" in done.stderr


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ([], "give --algorithm, a config or --for RECORDS"),
        ([*SATISH, "--machine", "core_i8"], "did you mean 'core_i7'?"),
        ([*SATISH, "--model", "SAT-M44", *CORE_I7], "did you mean 'SAT-M4'?"),
        ([*SATISH, "--model", "SAT-M8", *CORE_I7], "nothing can be predicted"),
        (["--for", "missing.jsonl", *CORE_I7], "missing.jsonl"),
        ([*SATISH, "--n", "-5", *CORE_I7], "n"),
        ([*SATISH, "--machine", str(ROOT / "README.md")], "is not JSON"),
        (["--fit", str(ROOT / "tests" / "data" / "example_records.jsonl")], "fit: the records hold no algorithm"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments, expected, tmp_path):
    before = sorted(tmp_path.iterdir())
    done = predict(*arguments)
    assert done.returncode == 2
    assert expected in done.stderr and done.stderr.count("\n") == 1
    assert done.stdout == "" and sorted(tmp_path.iterdir()) == before


def test_a_machine_is_named_as_list_shows_it_or_by_its_id_where_that_is_one_profile():
    profiles = listed("machines")
    of = {p["profile"]: p for p in profiles}
    assert len(of) == len(profiles)  # no two have one name
    by_id: dict = {}
    for profile in profiles:
        by_id.setdefault(profile["id"], []).append(profile["profile"])
    case = [*SATISH, "--n", "2^20", "--kind", "component"]
    one, found = "intel-xeon-graniterapids-2c-47e04dc8", []
    for name in (
        f"{one}/profile",
        "amd-epyc-zen4-2c-bafb4314/validation_3",
        "amd-epyc-zen4-2c-bafb4314/validation_all",
    ):
        for given in (name, of[name]["path"]):
            found.append(records(*case, "--machine", given)[0]["profile"])
        assert found[-1] == found[-2] and found[-1]["id"] == of[name]["id"]
    assert found[0]["hash"] != found[2]["hash"] != found[4]["hash"]
    assert by_id[one] == [f"{one}/profile"] and records(*case, "--machine", one)[0]["profile"] == found[0]
    several = "intel-xeon-emeraldrapids-16c-f8c882fd"
    done = predict(*case, "--machine", several)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.rstrip().endswith(f"allowed: {', '.join(by_id[several])}") and len(by_id[several]) > 5


def test_an_uncalibrated_machine_is_told_what_to_do(tmp_path):
    for folder in ("configs", "generators"):  # the folders that make a checkout
        (tmp_path / folder).mkdir()
    done = predict(*SATISH, root=tmp_path)
    assert done.returncode == 2
    assert "run `sortlab calibrate --quick`" in done.stderr and done.stderr.count("\n") == 1
