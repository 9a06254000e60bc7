"""`bench --energy` on the host, with a tree of files in place of the kernel's counters of energy."""

import json
import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
RANGE_UJ = 500_000_000  # wraps every five seconds
PACKAGE_W, MEMORY_W = 100, 10


@pytest.fixture
def powercap(tmp_path):
    """Counters of a machine that draws 110 W whatever runs."""
    folder, ended = tmp_path / "powercap", threading.Event()
    zones = {"intel-rapl:0": ("package-0", PACKAGE_W), "intel-rapl:0:0": ("dram", MEMORY_W)}
    files = {}
    for zone, (name, _) in zones.items():
        (folder / zone).mkdir(parents=True)
        (folder / zone / "name").write_text(f"{name}\n")
        (folder / zone / "max_energy_range_uj").write_text(f"{RANGE_UJ}\n")
        files[zone] = os.open(folder / zone / "energy_uj", os.O_RDWR | os.O_CREAT)

    def write(begun=time.monotonic()):
        for zone, (_, watts) in zones.items():
            drawn = int(1e6 * watts * (time.monotonic() - begun)) % RANGE_UJ
            os.pwrite(files[zone], b"%012d\n" % drawn, 0)

    def count():
        while not ended.wait(0.004):
            write()

    write()
    counting = threading.Thread(target=count)
    counting.start()
    yield folder
    ended.set()
    counting.join()


def bench(folder, *more):
    command = [SORTLAB, "bench", "-a", "std_sort", "-n", "2^14", "--samples", "3", *more]
    env = {**os.environ, "SORTLAB_POWERCAP": str(folder)}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)


def test_a_sort_draws_its_time_times_the_power(powercap, tmp_path):
    out = tmp_path / "energy.jsonl"
    begun = time.monotonic()
    done = bench(powercap, "--energy", "--out", out)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - begun < 60
    assert "J a sort" in done.stdout and "W while sorting" in done.stdout
    record = json.loads(out.read_text().splitlines()[-1])
    energy = record["energy"]
    assert record["energy_reason"] is None and len(energy["windows"]) == 3
    assert all(window["seconds"] >= 3 for window in energy["windows"])
    watts = PACKAGE_W + MEMORY_W
    assert energy["mean_power_w"] == pytest.approx(watts, rel=0.05)
    assert energy["joules_per_sort"] == pytest.approx(watts * energy["seconds_per_sort"], rel=0.05)
    assert abs(energy["net_joules_per_sort"]) < 0.2 * energy["joules_per_sort"], "it draws as much when idle"
    shares = energy["joules_per_sort_by_domain"]
    assert shares["package"] / shares["dram"] == pytest.approx(PACKAGE_W / MEMORY_W, rel=0.05)
    again = subprocess.run(
        [SORTLAB, "compare", out, out, "--metric", "energy", "--json"], capture_output=True, text=True, timeout=60
    )
    verdict = json.loads(again.stdout.splitlines()[0])
    assert verdict["verdict"] == "same" and verdict["a_joules"] == pytest.approx(energy["joules_per_sort"], rel=0.2)


def test_without_counters_the_cell_says_so_once_and_keeps_its_time(tmp_path):
    out = tmp_path / "none.jsonl"
    done = bench(tmp_path, "--energy", "--out", out)
    assert done.returncode == 0
    assert done.stdout.count("no energy: host: ") == 1
    record = json.loads(out.read_text().splitlines()[-1])
    assert record["status"] == "ok" and record["energy"] is None
    assert record["energy_reason"].startswith(f"host: {tmp_path} has no RAPL zone")


def test_without_the_option_nothing_is_said_of_energy(tmp_path):
    out = tmp_path / "plain.jsonl"
    assert bench(tmp_path, "--out", out).returncode == 0
    assert "energy" not in json.loads(out.read_text().splitlines()[-1])


def test_doctor_names_what_is_missing(tmp_path):
    env = {**os.environ, "SORTLAB_POWERCAP": str(tmp_path), "SORTLAB_NVML": "libno_such_nvml.so"}
    done = subprocess.run([SORTLAB, "doctor"], capture_output=True, text=True, timeout=60, env=env)
    assert "GPU: NVML is not installed (libno_such_nvml.so); host: " in done.stdout


def validate(*words):
    return subprocess.run([SORTLAB, "validate", *map(str, words)], capture_output=True, text=True, timeout=120)


def test_a_validation_of_joules_needs_a_device_whose_energy_is_known(tmp_path):
    refused = validate("--energy", "--kind", "component", "--dry-run", "--machine", "core_i7")
    assert refused.returncode == 2
    assert "energy: no model of kind component predicts joules; allowed: hardware" in refused.stderr
    refused = validate("--energy", "--dry-run", "--seed", 1, "--machine", "core_i7")
    assert refused.returncode == 2 and "energy: the profile has no device" in refused.stderr
    without = ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/h100/profile.json"
    refused = validate("--energy", "--dry-run", "--seed", 1, "--machine", without)
    assert refused.returncode == 2
    assert "energy: the profile has no energy of its device; `sortlab calibrate --energy` measures it" in refused.stderr


def test_joules_are_validated_of_sorts_on_the_device_alone(tmp_path):
    kept = json.loads((ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/h100/profile.json").read_text())
    watts = {"unit": "W", "source": "planted", "arguments": [], "points": [{"at": [], "value": 100.0}]}
    kept["devices"][0]["tables"]["energy.static"] = {**watts, "kind": "hardware"}
    for operation in ("instructions", "shared_accesses", "bytes.l2", "bytes.dram", "bytes.link"):
        table = {**watts, "unit": "J", "points": [{"at": [], "value": 1e-12}], "kind": "hardware"}
        kept["devices"][0]["tables"][f"energy.{operation}"] = table
    profile = tmp_path / "profile.json"
    profile.write_text(json.dumps(kept))
    done = validate("--energy", "--dry-run", "--seed", 5, "--machine", profile, "--budget", "5m")
    assert done.returncode == 0, done.stderr
    drawn = done.stdout.splitlines()
    on_device = [line.split()[0] for line in drawn if line.startswith(("cub_", "msd_radix_gpu", "stehle_", "ha_"))]
    assert on_device
    assert not any(line.startswith(("msd_radix_cpu", "aa_sort", "paradis", "satish_cpu")) for line in drawn)
