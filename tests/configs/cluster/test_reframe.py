"""configs/cluster/reframe on ReFrame's local system: rates are logged, kept records are the reference, and the verdict
of `sortlab compare` decides."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
CHECK = ROOT / "configs/cluster/reframe"
VERSION = "4.10.4"


@pytest.fixture(scope="module")
def reframe(tmp_path_factory):
    """ReFrame as installed, or in a virtual environment from PyPI, which takes half a minute."""
    if installed := shutil.which("reframe"):
        return installed
    if not os.environ.get("SORTLAB_FULL"):
        pytest.skip("reframe is not installed; SORTLAB_FULL=1 fetches it from PyPI")
    folder = tmp_path_factory.mktemp("reframe")
    subprocess.run(["/usr/bin/python3", "-m", "venv", folder], check=True)
    pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    fetched = subprocess.run([*pip, f"reframe-hpc=={VERSION}"], capture_output=True, text=True)
    if fetched.returncode != 0:
        pytest.skip(f"reframe-hpc cannot be fetched: {(fetched.stderr.splitlines() or ['no reason given'])[-1]}")
    return str(folder / "bin/reframe")


def check(reframe, folder, program=SORTLAB, **settings):
    """Output of ReFrame, its exit status, and the folder of its results."""
    settings = {"config": "configs/smoke.json", "filter": "^std_sort u32 n=65536", **settings}
    command = [reframe, "--prefix", folder, "--checkpath", CHECK, "--run", "--name", "^sortlab_run", "--nocolor"]
    command += ["-S", f"sortlab_build.program={program}", f"--report-file={folder}/report.json"]
    command += [word for name, value in settings.items() for word in ("-S", f"sortlab_run.{name}={value}")]
    home = {**os.environ, "HOME": str(folder)}
    answer = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=folder, env=home)
    report = json.loads((folder / "report.json").read_text())
    cases = {case["name"].split()[0]: case for run in report["runs"] for case in run["testcases"]}
    return answer, cases["sortlab_run"]


def performance_rates(case):
    """Value, reference and unit of each performance variable."""
    return [(value, reference, unit) for value, reference, _, _, unit, *_ in case["perfvalues"].values()]


def changed(records, path, factor):
    """The records with every time multiplied by a factor."""
    lines = [json.loads(line) for line in records.read_text().splitlines()]
    for record in lines:
        if record["kind"] == "measurement":
            for field in ("samples_s", "ci95_s"):
                record[field] = [factor * s for s in record[field]]
            for field in ("median_s", "mean_s", "min_s"):
                record[field] *= factor
            record["keys_per_s"] /= factor
    path.write_text("".join(json.dumps(record) + "\n" for record in lines))
    return path


def test_rates_references_and_the_verdict(reframe, tmp_path):
    first = tmp_path / "first"
    first.mkdir()
    answer, case = check(reframe, first)
    assert answer.returncode == 0, answer.stdout
    records = next(first.glob("output/**/sortlab_run/records.jsonl"))
    measured = [r for r in map(json.loads, records.read_text().splitlines()) if r["kind"] == "measurement"]
    rates = performance_rates(case)
    assert len(measured) == 3
    assert sorted(value for value, _, _ in rates) == pytest.approx(sorted(r["keys_per_s"] / 1e6 for r in measured))
    assert {(reference, unit) for _, reference, unit in rates} == {(0, "Mkeys/s")}

    # The reference is a hundred times slower: nothing became slower, and the kept rate is shown.
    slow = tmp_path / "slow"
    slow.mkdir()
    answer, case = check(reframe, slow, kept=changed(records, tmp_path / "slow.jsonl", 100))
    assert answer.returncode == 0, answer.stdout
    kept = sorted(reference for _, reference, _ in performance_rates(case))
    assert kept == pytest.approx(sorted(r["keys_per_s"] / 1e8 for r in measured))

    # The reference is a hundred times faster: every cell became slower, and the check fails with compare's message.
    fast = tmp_path / "fast"
    fast.mkdir()
    answer, case = check(reframe, fast, kept=changed(records, tmp_path / "fast.jsonl", 0.01))
    assert answer.returncode == 1 and case["result"] == "fail"
    assert case["fail_phase"] == "sanity" and "slower by" in case["fail_reason"], case["fail_reason"]


@pytest.mark.parametrize(
    "settings, phase, told",
    [
        ({"program": "/nowhere/sortlab"}, "", ""),
        ({"kept": "no/such/file.jsonl"}, "sanity", "no such"),
        ({"filter": "no such cell"}, "sanity", "matches no cell"),
    ],
)
def test_what_is_wrong_fails_the_check(reframe, tmp_path, settings, phase, told):
    answer, case = check(reframe, tmp_path, **settings)
    assert answer.returncode == 1 and case["result"] != "pass"
    if told:
        assert case["fail_phase"] == phase and told in case["fail_reason"].lower(), case["fail_reason"]
