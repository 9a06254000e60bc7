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
    bool(ABSENT), reason=f"not installed: {' '.join(ABSENT)} (Debian: slurmd slurmctld munge)"
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


def ask_to_submit(cluster, checkout, *arguments, **variables):
    environment = {**cluster.environment, "SORTLAB_ROOT": str(checkout), "SORTLAB_PROGRAM": str(SORTLAB), **variables}
    return subprocess.run([SUBMIT, *arguments], env=environment, capture_output=True, text=True)


def submit(cluster, checkout, *arguments, **variables):
    """Ids of the jobs that submit.sh prints, and the folder of the records."""
    told = ask_to_submit(cluster, checkout, *arguments, **variables)
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


def preempt(cluster):
    """Takes both nodes away from what runs there, until an urgent job has had them."""
    words = ("--parsable", "-p", "high", "-N", "2", "--exclusive", "--mem=0", "-o", "/dev/null", "--wrap", "true")
    urgent = cluster.ask("sbatch", *words)
    wait_until("the urgent job had both nodes", lambda: cluster.has_ended(urgent.strip()))


@needs_slurm
def test_preempted_tasks_end_their_cells_and_go_on_after_the_requeue(cluster, checkout, tmp_path):
    """Both tasks of an array: the id of one of them is that of the array."""
    asked = config(tmp_path / "two.json", plain_sorts()[:1], inputs=10, samples=41)
    array, report, out = submit(cluster, checkout, asked, SORTLAB_SHARDS="2", SORTLAB_PARTITION="low")
    shards = [out / f"shard-{k:04}.jsonl" for k in (1, 2)]
    wait_until("both tasks measure", lambda: all(map(records, shards)))
    preempt(cluster)
    kept = [len(records(shard)) for shard in shards]
    wait_until("the report is written", lambda: cluster.has_ended(report), 240)
    told = everything_told(cluster, out)

    for k in (0, 1):
        log = next(out.glob(f"logs/shard-{k + 1}-*.log")).read_text()
        assert 0 < kept[k] < 5, told
        assert f"stopped by SIGTERM: {kept[k]} cells measured and 0 done before" in log, told
        assert log.count(f"shard {k + 1}/2 on n") == 2 and log.count("requeued") == 1, told
        assert f"two: {5 - kept[k]} cells measured, {kept[k]} done before" in log, told
    assert sorted(r["cell"] for r in records(out / "merged.jsonl")) == planned_cells(asked), told


@needs_slurm
def test_a_second_sweep_measures_what_is_missing(cluster, checkout, tmp_path):
    """The first sweep leaves a copy of the profile below results/local/, which is not this machine's."""
    asked = config(tmp_path / "two.json", plain_sorts()[:1], inputs=4)
    runs = []
    for _ in range(2):
        array, report, out = submit(cluster, checkout, asked, SORTLAB_SHARDS="2", SBATCH_EXPORT="NONE")
        assert cluster.ask("scontrol", "show", "job", f"{array}_1").count("MinMemoryNode=0"), "all of a node's memory"
        wait_until("the report is written", lambda: cluster.has_ended(report), 240)
        told = everything_told(cluster, out)
        assert out.is_relative_to(checkout / "results/local"), told
        assert sorted(r["cell"] for r in records(out / "merged.jsonl")) == planned_cells(asked), told
        assert (out / "report/index.html").exists(), told
        runs.append({r["run"] for r in records(out / "merged.jsonl")})
    assert runs[0] == runs[1], "the second sweep measured again"
    assert "failed" not in next(out.parent.glob(f"report-{report}.log")).read_text()


@needs_slurm
def test_two_sweeps_at_once_measure_each_cell_once(cluster, checkout, tmp_path):
    """Their tasks of the only shard run beside each other, on two nodes: one of them finds its file taken."""
    asked = config(tmp_path / "one.json", plain_sorts()[:1], inputs=4, samples=41)
    sweeps = [submit(cluster, checkout, asked, SORTLAB_SHARDS="1") for _ in range(2)]
    out = sweeps[0][2]
    for _, report, _ in sweeps:
        wait_until("the report is written", lambda: cluster.has_ended(report), 240)
    told = everything_told(cluster, out)
    assert sorted(r["cell"] for r in records(out / "shard-0001.jsonl")) == planned_cells(asked), told
    ended = {}  # logs of the task and of the report, by the report's exit code
    for array, report, _ in sweeps:
        code = cluster.ask("scontrol", "show", "job", report).partition("ExitCode=")[2][0]
        logs = (out / f"logs/shard-1-{array}.log", out.parent / f"report-{report}.log")
        ended[code] = [log.read_text() for log in logs]
    assert sorted(ended) == ["0", "1"], told
    assert "another program is writing" in ended["1"][0] and "have not ended" in ended["1"][1], told
    assert sorted(r["cell"] for r in records(out / "merged.jsonl")) == planned_cells(asked), told
    assert "calibration" not in ended["0"][1] + ended["1"][1], told


def calibrating(tmp_path, calibrate):
    """A program whose `calibrate` is the shell command given: calibration takes minutes."""
    program = tmp_path / "sortlab"
    program.write_text(f'#!/bin/bash\nif [ "$1" = calibrate ]; then\n{calibrate}\nfi\nexec {SORTLAB} "$@"\n')
    program.chmod(0o755)
    return str(program)


@needs_slurm
def test_a_preempted_calibration_goes_on_after_the_requeue(cluster, checkout, tmp_path):
    (profile,) = (checkout / "results/local").glob("*/profile.json")
    profile.rename(profile.with_name("made"))
    program = calibrating(
        tmp_path,
        f"trap 'exit 143' TERM; mv {profile.parent}/half {profile} && exit\n"
        f"mv {profile.parent}/made {profile.parent}/half\n"
        "for i in {1..600}; do sleep 0.1; done; exit 1",
    )
    asked = config(tmp_path / "two.json", plain_sorts()[:1], inputs=2)
    words = {"SORTLAB_SHARDS": "2", "SORTLAB_PARTITION": "low", "SORTLAB_PROGRAM": program}
    array, report, out = submit(cluster, checkout, asked, **words)
    wait_until("the calibration runs", (profile.parent / "half").exists)
    preempt(cluster)
    wait_until("the report is written", lambda: cluster.has_ended(report), 240)
    told = everything_told(cluster, out)
    assert next(out.glob("logs/calibrate-*.log")).read_text().count(", start ") == 2, told
    assert sorted(r["cell"] for r in records(out / "merged.jsonl")) == planned_cells(asked), told


@needs_slurm
def test_the_report_says_that_a_calibration_failed(cluster, checkout, tmp_path):
    (profile,) = (checkout / "results/local").glob("*/profile.json")
    profile.unlink()
    asked = config(tmp_path / "two.json", plain_sorts()[:1], inputs=2)
    program = calibrating(tmp_path, "exit 1")
    array, report, out = submit(cluster, checkout, asked, SORTLAB_SHARDS="2", SORTLAB_PROGRAM=program)
    wait_until("the report has ended", lambda: cluster.has_ended(report), 240)
    said = next(out.parent.glob(f"report-{report}.log")).read_text()
    assert "any: calibration " in said and f" failed or was cancelled, and array {array} with it" in said, said
    assert "have not ended (failed, cancelled or stopped too often): 1 2" in said, said
    assert "ExitCode=1:0" in cluster.ask("scontrol", "show", "job", report)


@needs_slurm
def test_all_jobs_are_queued_or_none(cluster, checkout, tmp_path):
    asked = config(tmp_path / "two.json", plain_sorts()[:1], inputs=2)
    for types, variables in [(["sametype", "othertype"], {}), (["sametype"], {"SORTLAB_SHARDS": "5000"})]:
        told = ask_to_submit(cluster, checkout, asked, *types, **variables)
        assert told.returncode == 2 and "nothing is queued" in told.stderr, told
        assert told.stdout == "" and cluster.ask("squeue", "-h").strip() == "", told


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
