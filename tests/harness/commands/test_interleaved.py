"""`compare --interleaved`: two programs that take their samples in turn."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
ENVIRONMENT = {**os.environ, "SORTLAB_ROOT": str(ROOT), "SORTLAB_PYTHON": sys.executable}
CONFIG = {
    "name": "two",
    "title": "Two sorts",
    "sweeps": [{"algorithms": ["std_sort", "std_stable_sort"], "n": ["2^8", "2^12"], "distributions": ["uniform"]}],
}


def compare(folder, *words, a=SORTLAB, b=SORTLAB):
    config = folder / "config.json"
    config.write_text(json.dumps(CONFIG))
    return subprocess.run(
        [SORTLAB, "compare", a, b, "--interleaved", config, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=120,
        env=ENVIRONMENT,
    )


def test_both_programs_sort_the_same_inputs_in_turn_and_the_records_can_be_compared_again(tmp_path):
    out = tmp_path / "records"
    done = compare(tmp_path, "--samples", 12, "--processes", 3, "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line).get("verdict") for line in done.stdout.splitlines()[:-1]].count("incomparable") == 0
    sides = []
    for name in ("a.jsonl", "b.jsonl"):
        records = [json.loads(line) for line in (out / name).read_text().splitlines()]
        sides.append({r["cell"]: r for r in records if r["kind"] == "measurement"})
    assert sides[0].keys() == sides[1].keys() and len(sides[0]) == 4
    for cell, a in sides[0].items():
        b = sides[1][cell]
        assert a["status"] == b["status"] == "ok"
        assert a["protocol"]["interleaved"] == b["protocol"]["interleaved"]
        assert len(set(a["processes"])) == 3
        common = set(a["inputs"]) & set(b["inputs"])
        assert len(common) >= 9
    again = subprocess.run(
        [SORTLAB, "compare", out / "a.jsonl", out / "b.jsonl", "--json"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
    )
    assert again.stdout == done.stdout


def test_a_folder_that_exists_and_a_program_that_is_none_are_named(tmp_path):
    done = compare(tmp_path, "--out", tmp_path)
    assert done.returncode == 2 and "--out" in done.stderr and "new folder" in done.stderr
    done = compare(tmp_path, b=tmp_path / "nothing")
    assert done.returncode == 2 and "nothing" in done.stderr and len(done.stderr.splitlines()) == 1
    other = tmp_path / "other"
    shutil.copy("/bin/false", other)
    done = compare(tmp_path, b=other)
    # `false` ends with 1, like a run whose cells have no result, and writes no records.
    assert done.returncode == 2 and "b.jsonl" in done.stderr


def is_measured(file):
    return Path(file).exists() and '"kind":"measurement"' in Path(file).read_text()


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("number, to_all", [(signal.SIGTERM, False), (signal.SIGINT, True)])
def test_a_signal_is_answered_by_what_is_kept_and_how_to_go_on(number, to_all, kept, tmp_path):
    config, out = tmp_path / "config.json", tmp_path / "records"
    # The first record comes after all cells' first turns.
    sweep = {**CONFIG["sweeps"][0], "seeds": list(range(1, 26))}
    config.write_text(json.dumps({**CONFIG, "sweeps": [sweep]}))
    words = [SORTLAB, "compare", SORTLAB, SORTLAB, "--interleaved", config, *(["--out", out] if kept else [])]
    words = [*map(str, words), "--samples", "6", "--processes", "2"]
    files = [str(out / name) for name in ("a.jsonl", "b.jsonl")]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, start_new_session=True)
    end = time.monotonic() + (60 if kept else 2)
    while time.monotonic() < end and not (kept and all(map(is_measured, files))):
        time.sleep(0.1)
    (os.killpg if to_all else os.kill)(process.pid, number)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 128 + number, told
    assert told == f"sortlab: stopped by {number.name}: " + (
        f"what {out} holds is kept; `{SORTLAB} compare {' '.join(files)}` compares it, and the same command with "
        "another --out starts over\n"
        if kept
        else f"nothing is kept; `{' '.join(words)}` starts over\n"
    )
    if kept:
        assert subprocess.run([SORTLAB, "compare", *files], capture_output=True, env=ENVIRONMENT).returncode == 0


def test_its_options_need_it():
    done = subprocess.run([SORTLAB, "compare", "a", "b", "--samples", "9"], capture_output=True, text=True)
    assert done.returncode != 0 and "--interleaved" in done.stderr
