"""`sortlab recommend`, and `validate --input`: sorts for a user's own keys, here and elsewhere."""

import json
import os
import re
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))


def sortlab(*words):
    environment = {**os.environ, "SORTLAB_PYTHON": "/usr/bin/python3", "SORTLAB_ROOT": str(ROOT)}
    command = [str(SORTLAB), *(str(word) for word in words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, cwd=ROOT)


def recommended(file, *words):
    """The answer within a budget that this machine, however busy, can do with."""
    for budget in ("6s", "15s", "40s", "100s"):
        done = sortlab("recommend", file, "--budget", budget, *words)
        if "budget: no sort ended within it" not in done.stderr:
            break
    return done


@pytest.fixture(scope="module")
def arrays():
    rng = np.random.default_rng(47)
    return {
        "uniform": rng.integers(0, 1 << 64, 300_000, dtype=np.uint64),
        "small": rng.integers(0, 1000, 300_000).astype("<u4"),
        "one": np.array([5], dtype="<u8"),
    }


def test_the_fastest_sort_is_recommended(tmp_path, arrays):
    np.save(tmp_path / "keys.npy", arrays["uniform"])
    for budget in ("6s", "15s", "40s", "100s"):  # a busy machine measures few in a short one
        done = sortlab("recommend", tmp_path / "keys.npy", "--budget", budget, "--json", "--threads", 1)
        found = json.loads(done.stdout or '{"sorts": []}')
        whole = [sort for sort in found["sorts"] if sort["from"] == "measured"]
        if whole and "std_sort" in [sort["algorithm"] for sort in found["sorts"]]:
            break
    assert done.returncode == 0, done.stderr
    assert (found["n"], found["key_type"]) == (300_000, "u64")
    assert whole and found["sorts"][: len(whole)] == whole  # measured on all keys, fastest first
    assert [sort["seconds"] for sort in whole] == sorted(sort["seconds"] for sort in whole)
    assert all(low <= sort["seconds"] <= high for sort in whole for low, high in [sort["ci95_s"]])
    by_name = {sort["algorithm"]: sort["seconds"] for sort in found["sorts"]}
    assert by_name["std_sort"] > whole[0]["seconds"]
    stable = recommended(tmp_path / "keys.npy", "--stable", "-t", 1, "--value", "u32")
    assert stable.returncode == 0, stable.stderr
    assert "std_sort:" not in stable.stdout.split("left out")[0] and "is not stable" in stable.stdout
    assert stable.stdout.rstrip().splitlines()[-1].startswith("On this machine, ")


def test_scratch_is_limited_by_name_and_the_budget_kept(tmp_path, arrays):
    np.save(tmp_path / "keys.npy", arrays["uniform"])
    done = recommended(tmp_path / "keys.npy", "--scratch", "0.5x", "-t", 1, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert all(sort["scratch"] <= 0.5 for sort in found["sorts"])
    too_much = found["left_out"]["needs more than 0.5x of scratch memory"]
    assert "satish_cpu_radix" in too_much and "std_sort" not in too_much
    unknown = found["left_out"]["allocates while it sorts, so its scratch memory is not known"]
    assert "std_stable_sort" in unknown
    assert not {*too_much, *unknown} & {sort["algorithm"] for sort in found["sorts"]}
    begin = time.monotonic()
    sortlab("recommend", tmp_path / "keys.npy", "--budget", "2s", "-t", 1)
    assert time.monotonic() - begin < 2 + 12  # a step in progress is ended; the rest is room for busy machines


def test_another_machine_is_predicted_with_the_error_of_validations(tmp_path, arrays):
    np.save(tmp_path / "keys.npy", arrays["uniform"][:100_000])
    machine = ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd"
    words = ("--machine", machine / "h200/profile.json", "-t", 1)
    done = recommended(tmp_path / "keys.npy", *words, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    by_name = {sort["algorithm"]: sort for sort in found["elsewhere"]["sorts"]}
    seconds = [sort["seconds"] for sort in found["elsewhere"]["sorts"]]
    assert seconds == sorted(seconds) and len(by_name) == len(seconds)
    models = [sort for sort in by_name.values() if sort["from"] in ("component", "hardware")]
    assert models and all(sort["interval_cells"] >= 20 and sort["why"] for sort in models)
    assert all(low < high for low, high in (sort["interval90_s"] for sort in models))
    # Its interval is that of the ratios in the kept validations.
    few = 0
    for sort in models:
        ratios = find_ratios(sort["from"], lambda case: case["algorithm"] == sort["algorithm"])
        if len(ratios) < 20:
            few += 1
            ratios = find_ratios(sort["from"], lambda case: case["residency"] != "host")
        assert sort["interval_cells"] == len(ratios)
        assert sort["interval90_s"] == pytest.approx([sort["seconds"] * r for r in np.percentile(ratios, (5, 95))])
    assert 0 < few < len(models)
    # A sort without a model is scaled from a record of that machine, and never said to be predicted.
    record = by_name["vqsort"]
    assert record["from"] == "nearest record" and record["interval90_s"] is None and record["why"] is None
    distribution, n = re.fullmatch(r"(.+), (\d+) keys", record["nearest"]).groups()
    times = kept_times(machine, "vqsort", "u64", distribution, int(n))
    assert any(record["seconds"] == pytest.approx(time * 100_000 / int(n)) for time in times)
    assert distribution == "uniform"
    assert f"on {found['elsewhere']['machine']}, " in found["sentence"]
    limited = recommended(tmp_path / "keys.npy", *words, "--scratch", "0.5x", "--stable", "--json")
    if limited.returncode == 0:  # a stable sort with so little scratch memory is in this build
        sorts = json.loads(limited.stdout)["elsewhere"]["sorts"]
        assert not {"vqsort", "cub_radix", "satish_cpu_radix"} & {sort["algorithm"] for sort in sorts}
    else:
        assert limited.returncode == 2 and "scratch: no sort" in limited.stderr


VALIDATED = []  # case, kind of model, and measured over predicted time, of all kept validations


def find_ratios(kind, wanted):
    if not VALIDATED:
        for file in sorted((ROOT / "results/reference").rglob("validation.jsonl")):
            records = [json.loads(line) for line in file.read_text().splitlines()]
            done = {r["cell"]: r["median_s"] for r in records if r["kind"] == "measurement" and r["status"] == "ok"}
            for r in records:
                if r["kind"] == "prediction" and r["cell"] in done:
                    VALIDATED.append((r["case"], r["model_kind"], done[r["cell"]] / r["seconds"]))
    return [ratio for case, kind_, ratio in VALIDATED if kind_ == kind and wanted(case)]


def kept_times(folder, sort, key, distribution, n):
    times = []
    for file in folder.rglob("*.jsonl"):
        for line in file.read_text().splitlines():
            record = json.loads(line)
            if record["kind"] == "measurement" and record["status"] == "ok":
                case = record["case"]
                if (case["algorithm"], case["key_type"], case["n"]) == (sort, key, n):
                    times += [record["median_s"]] * (case["distribution"] == distribution)
    return times


@pytest.mark.parametrize(
    "words, text",
    [
        (["--scratch", "much"], "scratch: 'much' is not allowed; allowed: a multiple"),
        (["--scratch", "-1x"], "scratch: '-1x' is not allowed"),
        (["--scratch", "nan"], "scratch: 'nan' is not allowed"),
        (["--machine", "none_such"], "none_such"),
        (["--budget", "soon"], "budget"),
    ],
)
def test_a_bad_wish_is_refused_before_anything_is_measured(tmp_path, arrays, words, text):
    np.save(tmp_path / "keys.npy", arrays["one"])
    done = sortlab("recommend", tmp_path / "keys.npy", *words)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1 and text in done.stderr, done


def test_a_file_without_keys_is_refused(tmp_path):
    np.save(tmp_path / "none.npy", np.zeros(0, dtype="<u8"))
    done = sortlab("recommend", tmp_path / "none.npy", "--budget", "5s")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"sortlab: file {tmp_path / 'none.npy'}: holds no keys\n"


def test_a_validation_draws_from_files(tmp_path, arrays):
    """Cells of these files alone, predicted before anything runs."""
    np.save(tmp_path / "keys.npy", arrays["small"][:150_000])
    profile = ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/h200/profile.json"
    done = sortlab(
        "validate", "--dry-run", "--seed", 3, "--machine", profile, "--input", tmp_path / "keys.npy", "--budget", "20s"
    )
    assert done.returncode == 0, done.stderr
    cells = [line for line in done.stdout.splitlines() if " n=" in line]
    assert cells and all("n=150000 file:name=keys.npy,digest=" in line for line in cells)
    for words, text in (
        (["--input", tmp_path / "none.npy"], "No such file"),
        (["--input", tmp_path / "keys.npy", "--config", "configs/quick.json"], "input: a config names its own"),
    ):
        done = sortlab("validate", "--quick", "--budget", "10s", "--out", tmp_path / "out", *words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and text in done.stderr, done
        assert not (tmp_path / "out").exists()
