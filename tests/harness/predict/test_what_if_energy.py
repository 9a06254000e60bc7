"""`what-if --power-cap` and `--dram-traffic`, and the energy in predictions, on a kept H100 with made-up joules."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
H100 = ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/h100/profile.json"
JOULES = {"instructions": 6e-10, "shared_accesses": 5e-10, "bytes.l2": 12e-12, "bytes.dram": 45e-12}
STATIC_W = 150
CASE = ["-a", "cub_radix", "-n", "2^28"]


@pytest.fixture
def profile(tmp_path):
    made = json.loads(H100.read_text())
    (device,) = made["devices"]
    tables = {"energy.static": ("W", STATIC_W), **{f"energy.{name}": ("J", value) for name, value in JOULES.items()}}
    for name, (unit, value) in tables.items():
        point = {"at": [], "value": value}
        device["tables"][name] = {"unit": unit, "source": "made up", "arguments": [], "points": [point]}
        device["tables"][name]["kind"] = "hardware"
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(made))
    return path


def sortlab(*arguments):
    return subprocess.run([SORTLAB, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def answer(profile, *asked):
    done = sortlab("what-if", *CASE, "--machine", profile, "--json", *asked)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_phases_are_static_power_and_operations(profile):
    done = sortlab("predict", *CASE, "--kind", "hardware", "--machine", profile, "--json")
    record = json.loads(done.stdout.splitlines()[0])
    energy = record["energy"]
    assert energy["static_power_w"] == STATIC_W
    for phase, joules in zip(record["phases"], energy["phases"]):
        assert joules["static_joules"] == pytest.approx(STATIC_W * phase["seconds"], rel=1e-3)
        operations = sum(JOULES[name] * phase["work"].get(name, 0) for name in JOULES)
        assert joules["dynamic_joules"] == pytest.approx(operations, rel=1e-3)
    sums = sum(p["static_joules"] + p["dynamic_joules"] for p in energy["phases"])
    assert energy["joules"] == pytest.approx(sums, rel=1e-12)
    moved = [phase["work"] for phase in record["phases"] if phase["name"] == "DeviceRadixSortOnesweepKernel"]
    for work in moved:
        assert work["bytes.dram"] == pytest.approx(work["bytes.read"] + work["bytes.written"], rel=1e-3)


@pytest.mark.parametrize("sort", ["msd_radix_gpu", "stehle_hybrid_radix", "leischner_sample_sort", "cub_merge"])
def test_every_counted_sort_has_its_instructions(profile, sort):
    preset = {"stehle_hybrid_radix": ["--preset", "paper"], "leischner_sample_sort": ["--preset", "tuned"]}.get(
        sort, []
    )
    done = sortlab("predict", "-a", sort, *preset, "-n", "2^26", "--kind", "hardware", "--machine", profile, "--json")
    phases = json.loads(done.stdout.splitlines()[0])["phases"]
    for name in ("instructions", "shared_accesses", "bytes.dram"):
        assert sum(phase["work"].get(name, 0) for phase in phases) / 2**26 > 1, name


def test_a_cap_lowers_the_clock_until_power_fits(profile):
    found = answer(profile, "--power-cap", "400")
    now, asked = found["now"], found["asked"]
    assert now["watts"] > 400 and asked["watts"] == pytest.approx(400, rel=1e-3)
    assert asked["clock_share"] < 1 and asked["seconds"] > now["seconds"] and asked["joules"] < now["joules"]
    loose = answer(profile, "--power-cap", "5000")
    assert loose["asked"] == loose["now"]


def test_half_the_traffic_saves_its_joules_and_time(profile):
    found = answer(profile, "--dram-traffic", "0.5")
    assert found["asked"]["seconds"] < found["now"]["seconds"]
    assert found["asked"]["joules"] < found["now"]["joules"]


def test_what_cannot_be_answered_is_one_line(profile):
    for words, asked in (
        ("power-cap: 50 W: at 30 % of its clock the sort draws", ["--power-cap", "50"]),
        ("power-cap: 0; allowed: above 0", ["--power-cap", "0"]),
        ("set: not together with power-cap", ["--power-cap", "400", "--set", "clock=2x"]),
    ):
        done = sortlab("what-if", *CASE, "--machine", profile, *asked)
        assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1
    done = sortlab("what-if", *CASE, "--machine", H100, "--power-cap", "400")
    assert done.returncode == 2 and "has no energy of a GPU; `sortlab calibrate --only device --energy`" in done.stderr
