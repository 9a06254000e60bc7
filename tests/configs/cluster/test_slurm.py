"""configs/cluster/slurm on a real Slurm of two nodes: nothing is lost if a node dies or a task is preempted."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import slurm_cluster
from listed import plain_sorts
from slurm_cluster import SlurmCluster, wait_until

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
SUBMIT = ROOT / "configs/cluster/slurm/submit.sh"

ABSENT = slurm_cluster.absent()
needs_slurm = pytest.mark.skipif(
    bool(ABSENT) or not os.environ.get("SORTLAB_FULL"),
    reason=f"not installed: {' '.join(ABSENT)} (Debian: slurmd slurmctld munge)"
    if ABSENT
    else "slow; SORTLAB_FULL=1 runs it",
)


@pytest.fixture(scope="module")
def cluster():
    started = SlurmCluster()
    yield started
    started.close()


@pytest.fixture
def checkout(tmp_path):
    """The parts of a checkout that program and scripts need, with separate local results: a profile of this machine
    with the numbers of another."""
    root = tmp_path / "checkout"
    (root / "results").mkdir(parents=True)
    for folder in ("configs", "generators", "harness", "models", "plots", "results/published"):
        (root / folder).symlink_to(ROOT / folder)
    facts = subprocess.check_output([SORTLAB, "doctor", "--json"], text=True).splitlines()
    machine = next(f["detail"] for f in map(json.loads, facts) if f["what"] == "machine").rpartition("(")[2].rstrip(")")
    profile = json.loads(sorted((ROOT / "results/reference").glob("*-2c-*/profile.json"))[0].read_text())
    folder = root / "results/local" / machine
    folder.mkdir(parents=True)
    (folder / "profile.json").write_text(json.dumps({**profile, "id": machine}))
    return root


def config(path, sorts, inputs, n="2^19", samples=9):
    """A config with one block per input."""
    sweep = {"algorithms": sorts, "n": [n], "seeds": list(range(inputs)), "distributions": ["uniform"]}
    path.write_text(json.dumps({"name": path.stem, "protocol": {"samples": samples}, "sweeps": [sweep]}))
    return path


def submit(cluster, checkout, *arguments, **variables):
    """Ids of the jobs that submit.sh prints, and the folder of the records."""
    environment = {**cluster.environment, "SORTLAB_ROOT": str(checkout), "SORTLAB_PROGRAM": str(SORTLAB), **variables}
    told = subprocess.run([SUBMIT, *arguments], env=environment, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    first, last = told.stdout.splitlines()
    words = first.replace(",", "").split()
    return words[words.index("array") + 1], last.split()[2].rstrip(","), Path(words[-1])


def records(path, kind="measurement"):
    lines = path.read_text().splitlines() if path.exists() else []
    return [r for r in map(json.loads, (line for line in lines if line.endswith("}"))) if r["kind"] == kind]


def planned_cells(path):
    told = subprocess.check_output([SORTLAB, "run", path, "--dry-run", "--json"], text=True)
    return sorted(json.loads(line)["cell"] for line in told.splitlines())


def everything_told(cluster, out):
    logs = sorted([*out.rglob("*.log"), *out.parent.glob("*.log")])
    return cluster.logs() + "\n".join(f"== {p.name}\n{p.read_text()}" for p in logs)


@needs_slurm
def test_a_node_dies_and_the_array_measures_what_one_run_would(cluster, checkout, tmp_path):
    asked = config(tmp_path / "four.json", plain_sorts()[:2], inputs=12)
    array, report, out = submit(cluster, checkout, asked, "sametype", SORTLAB_SHARDS="4")
    shards = [out / f"shard-{k:04}.jsonl" for k in range(1, 5)]
    wait_until("a shard on n1 has a result", lambda: records(shards[0]))
    node = cluster.find_node(f"{array}_1")
    cluster.kill_node(node)
    kept = len(records(shards[0]))
    wait_until("the controller misses the node", lambda: cluster.states()[node].startswith("down"))
    cluster.start_node(node)
    wait_until("the report is written", lambda: cluster.has_ended(report), 240)
    told = everything_told(cluster, out)

    assert 0 < kept < 6, "the node died before or after its work"
    first = next(out.glob("logs/shard-1-*.log")).read_text()
    assert first.count("shard 1/4 on n") == 2 and f", {kept} done before," in first, told
    merged = records(out / "merged.jsonl")
    assert sorted(r["cell"] for r in merged) == planned_cells(asked), told
    assert {r["status"] for r in merged} == {"ok"}
    assert len({r["run"] for r in merged}) == 5, "four tasks, one of them in two runs"
    assert (out / "report/index.html").exists() and "a task takes up to" in told, told


@needs_slurm
def test_a_cancelled_task_stays_cancelled(cluster, checkout, tmp_path):
    asked = config(tmp_path / "one.json", plain_sorts()[:1], inputs=3, samples=41)
    array, report, out = submit(cluster, checkout, asked, SORTLAB_SHARDS="1", SORTLAB_PARTITION="low")
    wait_until("the task measures", lambda: records(out / "shard-0001.jsonl", "run"))
    cluster.ask("scancel", array, report)
    wait_until("nothing is left", lambda: not cluster.ask("squeue", "-h").strip())
    assert "requeued" not in next(out.glob("logs/shard-1-*.log")).read_text()


@needs_slurm
def test_a_preempted_task_ends_its_cells_and_goes_on_after_the_requeue(cluster, checkout, tmp_path):
    asked = config(tmp_path / "one.json", plain_sorts()[:1], inputs=5, samples=41)
    array, report, out = submit(cluster, checkout, asked, SORTLAB_SHARDS="1", SORTLAB_PARTITION="low")
    shard = out / "shard-0001.jsonl"
    wait_until("the task measures", lambda: records(shard))
    urgent = cluster.ask(
        "sbatch", "--parsable", "-p", "high", "-N", "2", "--exclusive", "-o", "/dev/null", "--wrap", "true"
    )
    wait_until("the urgent job had both nodes", lambda: cluster.has_ended(urgent.strip()))
    kept = len(records(shard))
    wait_until("the report is written", lambda: cluster.has_ended(report), 240)
    told = everything_told(cluster, out)

    log = next(out.glob("logs/shard-1-*.log")).read_text()
    assert 0 < kept < 5, told
    assert f"stopped by SIGTERM: {kept} cells measured and 0 done before" in log, told
    assert log.count("shard 1/1 on n") == 2, told
    assert f"one: {5 - kept} cells measured, {kept} done before" in log, told
    assert sorted(r["cell"] for r in records(out / "merged.jsonl")) == planned_cells(asked), told


@pytest.mark.parametrize(
    "arguments, variables, told",
    [
        (["--nonsense"], {}, "unknown option '--nonsense'; --help shows what is allowed"),
        (["configs/none.json"], {}, "configs/none.json: no such config"),
        (["configs/smoke.json"], {"SORTLAB_SHARDS": "0"}, "SORTLAB_SHARDS: '0' is not allowed; allowed: 1 to 999999"),
        (
            ["configs/smoke.json", "a&b"],
            {},
            "node type: 'a&b' is not allowed; allowed: one feature, of A-Z, a-z, 0-9, _ . -",
        ),
        (
            ["configs/smoke.json"],
            {"SORTLAB_PROGRAM": "/none"},
            "SORTLAB_PROGRAM: /none is no program; build it on a node of the kind it is to run on",
        ),
    ],
)
def test_what_is_wrong_is_told_in_one_line(arguments, variables, told, tmp_path):
    sbatch = tmp_path / "sbatch"
    sbatch.write_text("#!/bin/sh\nexit 9\n")
    sbatch.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "SORTLAB_PROGRAM": str(SORTLAB)}
    environment["SORTLAB_OUT"] = str(tmp_path / "out")
    answer = subprocess.run(
        [SUBMIT, *arguments], cwd=ROOT, env={**environment, **variables}, capture_output=True, text=True
    )
    assert (answer.returncode, answer.stderr) == (2, f"submit.sh: {told}\n")


def test_without_slurm_one_line_says_so(tmp_path):
    tools = ["bash", "dirname", "realpath", "basename", "cat"]
    for tool in tools:
        (tmp_path / tool).symlink_to(shutil.which(tool))
    answer = subprocess.run(
        [SUBMIT, "configs/smoke.json"], cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert (
        answer.returncode == 2 and answer.stderr == "submit.sh: sbatch: not found; this is no node of a Slurm cluster\n"
    )
