"""sortlab what-if, and machines by datasheet, from outside: records that follow the schema, tables, and bad input."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from plots.analysis.what_if import questions
from plots.records.collection import read

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
SCHEMAS = ROOT / "configs" / "schemas"
RECORD_SCHEMA = json.loads((SCHEMAS / "record.schema.json").read_text())
KEPT = ROOT / "results" / "reference" / "intel-xeon-emeraldrapids-16c-f8c882fd"
H200 = ["--machine", KEPT / "profile_leischner.json"]
HOST = ["--machine", KEPT / "profile_cpu.json"]
CUB = ["--algorithm", "cub_radix", "--n", "2^24"]


def sortlab(*arguments):
    environment = {**os.environ, "SORTLAB_ROOT": str(ROOT), "SORTLAB_PYTHON": sys.executable}
    command = [SORTLAB, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


def records(*arguments):
    done = sortlab(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    made = [json.loads(line) for line in done.stdout.splitlines()]
    for record in made[:3]:  # the others are made alike, and a check takes its time
        jsonschema.validate(record, RECORD_SCHEMA)
    return made


def factor(record, resource):
    return record["profile"].get("factors", {}).get(resource, 1)


def test_each_resource_by_itself_gets_better_and_worse():
    now, *varied = records("what-if", *CUB, *H200)
    assert now["model_kind"] == "component" and "what_if" not in now
    assert {r["model_kind"] for r in varied} == {"scaled"} and {r["profile"]["base"] for r in varied} == {
        "nvidia-h200-132sm"
    }
    by = {(r["what_if"]["resource"], r["what_if"]["times_as_good"]): r for r in varied}
    assert len(by) == len(varied) == 24 and all(r["what_if"]["of"] == now["profile"]["hash"] for r in varied)
    assert factor(by["memory.bandwidth", 2], "memory.bandwidth") == 2
    assert factor(by["memory.latency", 2], "memory.latency") == 0.5  # a latency is as good where it is shorter
    for resource in ("memory.bandwidth", "clock", "launch.latency"):
        assert by[resource, 2]["seconds"] < now["seconds"] < by[resource, 0.5]["seconds"], resource
    # No measurement is joined with them.
    assert {r["profile"]["id"] for r in varied} == {"nvidia-h200-132sm-what-if"}


def test_what_is_set_is_the_machine_that_is_asked_about():
    _, set_, *varied = records(
        "what-if", *CUB, *H200, "--set", "memory.bandwidth=2x", "--set", "clock=0.5", "--by", "4"
    )
    assert (factor(set_, "memory.bandwidth"), factor(set_, "clock")) == (2, 0.5)
    assert set_["what_if"] == {"of": set_["profile"]["hash"]}
    better = next(r for r in varied if r["what_if"]["resource"] == "memory.bandwidth" and factor(r, "clock") == 0.5)
    assert factor(better, "memory.bandwidth") == 8 and better["what_if"]["of"] == set_["profile"]["hash"]


def test_a_sort_of_the_host_has_other_resources():
    merge = ["--algorithm", "satish_cpu_merge", "-p", "width=avx512"]
    now, *varied = records("what-if", *merge, "--n", "2^24", "--threads", "16", *HOST)
    gains = {
        r["what_if"]["resource"]: now["seconds"] / r["seconds"] for r in varied if r["what_if"]["times_as_good"] > 1
    }
    assert set(gains) == {"clock", "memory.bandwidth", "memory.latency", "synchronization.latency"}
    # Merging is bound by its instructions: SAT, section 5.
    assert gains["clock"] > 1.8 and gains["memory.bandwidth"] < 1.1


def test_radix_sort_gains_by_bandwidth_where_merging_does_not():
    """Satish et al. 2010, section 4.2, on an H200."""
    gain = {}
    for sort in ("satish_split_radix", "satish_gpu_merge"):
        now, set_, *_ = records("what-if", "--algorithm", sort, "--n", "2^24", *H200, "--set", "memory.bandwidth=2x")
        gain[sort] = now["seconds"] / set_["seconds"]
    assert gain["satish_split_radix"] > 1.3 > 1.15 > gain["satish_gpu_merge"]


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ([*CUB, "--set", "memory.bandwith=2x"], "set: unknown resource 'memory.bandwith' of a GPU (did you mean 'memo"),
        ([*CUB, "--set", "clock=fast"], "set: clock: 'fast' is no factor; allowed: from 0.01x to 100x, as in clock=2x"),
        ([*CUB, "--by", "1"], "by: 1; allowed: from 1.01 to 100"),
        ([*CUB, "--model", "cub_radx"], "model: unknown name 'cub_radx' (did you mean 'cub_radix'?)"),
        ([*CUB, "--algorithm", "satish_cpu_radix"], "algorithm: sorts of a GPU and of a host have other resources"),
        ([], "algorithm: none given; allowed: those of `sortlab list algorithms`"),
        (["--algorithm", "std_sort", "--n", "2^20"], "no model of kind component or hardware predicts it"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments, expected):
    done = sortlab("what-if", *arguments, *H200)
    assert done.returncode == 2 and not done.stdout
    assert expected in done.stderr and done.stderr.count("\n") == 1


def modelled_gpu_sorts():
    """All sorts of a device with a model of kind component or hardware."""
    on_device = {a["name"] for a in listed_as_json("algorithms") if a["runs_on"] == "device"}
    models = [m for m in listed_as_json("models") if m["model_kind"] in ("component", "hardware")]
    return sorted({sort for m in models for sort in m["algorithms"]} & on_device)


def listed_as_json(kind):
    done = sortlab("list", kind, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_list_of_declined_sorts_is_what_the_tool_declines():
    page = (ROOT / "models" / "machines" / "README.md").read_text()
    listed = re.search(r"^Declined sorts: (.*)\.$", page, re.M)
    declined = set()
    for sort in modelled_gpu_sorts():
        key = "f32" if sort == "sintorn_hybrid_sort" else "u32"  # it takes floats alone
        done = sortlab("what-if", "--algorithm", sort, "--n", "2^14", "--key", key, *H200)
        assert done.returncode in (0, 2), done.stderr
        if done.returncode == 2:
            assert "no rule scales" in done.stderr, done.stderr
            declined.add(sort)
    assert set(re.findall(r"`(\w+)`", listed[1])) == declined


@pytest.mark.parametrize(
    "case, machine",
    [
        (CUB, H200),
        (["--algorithm", "msd_radix_gpu", "--n", "2^22"], H200),
        (["--algorithm", "satish_gpu_merge", "--n", "2^20", "--dist", "zipf"], H200),
        (["--algorithm", "satish_cpu_merge", "-p", "width=avx512", "--n", "2^22", "--threads", "16"], HOST),
        (["--algorithm", "satish_cpu_radix", "--n", "2^22", "--threads", "2"], HOST),
    ],
)
def test_what_binds_a_phase_is_the_resource_whose_doubling_shortens_it_most(case, machine):
    now, *varied = records("what-if", *case, *machine)
    doubled = {r["what_if"]["resource"]: r for r in varied if r["what_if"]["times_as_good"] == 2}

    def seconds(record, phase):
        return sum(p["seconds"] for p in record["phases"] if (p["name"], p["pass"]) == (phase["name"], phase["pass"]))

    assert now["phases"]
    for phase in now["phases"]:
        before = seconds(now, phase)
        gains = {resource: before - seconds(r, phase) for resource, r in doubled.items()}
        if max(gains.values()) <= 1e-3 * before:
            assert phase["binding"] == "none", phase
        else:
            assert gains[phase["binding"]] == max(gains.values()), (phase, gains)


def test_a_resource_that_the_model_cannot_tell_is_left_out_aloud():
    case = ["--algorithm", "satish_gpu_merge", "--preset", "paper", "--value", "u32", "--n", "2^24"]
    done = sortlab("what-if", *case, *H200)
    assert done.returncode == 0 and "memory.bandwidth" in done.stdout
    assert "not varied: issue: " in done.stderr and "no operations were counted" in done.stderr


def test_it_writes_records_and_a_page_with_the_chart(tmp_path):
    done = sortlab("what-if", *CUB, *H200, "--set", "clock=2x", "--out", tmp_path / "page")
    assert done.returncode == 0, done.stderr
    assert "2 x as good" in done.stdout and "times as fast as NVIDIA H200; bound by" in done.stdout
    assert "times as fast as NVIDIA H200 with clock 2x, of which one resource changes:" in done.stdout
    (one,) = questions(read([tmp_path / "page" / "what_if.jsonl"]))
    assert one.before.profile_name == "NVIDIA H200" and one.prediction.profile_name == "NVIDIA H200 with clock 2x"
    page = (tmp_path / "page" / "index.html").read_text()
    assert "NVIDIA H200 with clock 2x" in page and "memory.bandwidth" in page
    assert (tmp_path / "page" / "artifacts" / "WHAT-IF.svg").exists()


@pytest.mark.parametrize("file", sorted((ROOT / "models" / "machines").glob("*.json")), ids=lambda file: file.stem)
def test_a_machine_by_datasheet_says_so_and_what_it_is_scaled_from(file):
    sheet = json.loads(file.read_text())
    jsonschema.validate(sheet, json.loads((SCHEMAS / "machine_profile.schema.json").read_text()))
    if sheet["origin"] != "datasheet":
        return
    (made,) = records("predict", *CUB, "--kind", "component", "--machine", file.stem)
    assert made["model_kind"] == "scaled" and made["profile"]["base"] == "nvidia-h200-132sm"
    assert (made["profile"]["id"], made["profile"]["name"]) == (sheet["id"], sheet["name"])
    assert made["profile"]["compute_capability"] == "9.0"  # the capability that its tables were measured for
    assert factor(made, "multiprocessors") == pytest.approx(sheet["cores"] / 132, rel=1e-4)
    bandwidth = sheet["tables"]["datasheet.bandwidth"]["points"][0]["value"]
    assert factor(made, "memory.bandwidth") == pytest.approx(bandwidth / 4814304e6, rel=1e-4)


@pytest.mark.parametrize(
    "changes, expected",
    [
        ({"base": "no/such.json"}, "base: 'no/such.json' is not here; allowed: a measured profile's file"),
        ({"base": "models/machines/gtx280.json"}, "base: 'models/machines/gtx280.json' has no device"),
        ({"base": ""}, "base: expected a text that is not empty"),
        (
            {"compute_capability": "7.0"},
            "compute_capability of NVIDIA B200 is 7.0; allowed: 7.5, 8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0, 10.3, 11.0, "
            "12.0, 12.1",
        ),
        ({"tables": {}}, "has no quantity 'datasheet.bandwidth'"),
        ({"cache_bytes": {}}, "does not state cache L2"),
    ],
)
def test_a_datasheet_that_cannot_be_read_is_one_line(tmp_path, changes, expected):
    sheet = json.loads((ROOT / "models/machines/b200.json").read_text()) | changes
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(sheet))
    done = sortlab("predict", *CUB, "--machine", file)
    assert done.returncode == 2 and expected in done.stderr and done.stderr.count("\n") == 1
