"""The preset `tuned` of a sort that has no compiled preset of that name."""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
CASE = ["--algorithm", "satish_cpu_radix", "--n", "2^12"]


def sortlab(folder, *words):
    # A checkout of one's own: tunings are kept below results/local.
    environment = {**os.environ, "SORTLAB_ROOT": str(folder)}
    return subprocess.run([SORTLAB, *words], capture_output=True, text=True, env=environment, timeout=120)


def checkout(folder):
    folder.mkdir()
    for path in ROOT.iterdir():
        if path.name not in ("results", "build", ".git"):
            (folder / path.name).symlink_to(path)
    (folder / "results").mkdir()
    return folder


def test_it_is_there_once_the_sort_is_tuned(tmp_path):
    root = checkout(tmp_path / "checkout")
    words = ["bench", *CASE, "--preset", "tuned", "--samples", "3", "--json"]
    refused = sortlab(root, *words)
    assert refused.returncode == 2
    assert "no tuning is kept on this machine; `sortlab tune --algorithm satish_cpu_radix` makes one" in refused.stderr
    tuned = sortlab(root, "tune", *CASE, "--vary", "digit_bits", "--budget", "1m")  # it ends before
    assert tuned.returncode == 0, tuned.stderr
    (kept,) = root.glob("results/local/*/tuned.json")
    done = sortlab(root, *words)
    assert done.returncode == 0, done.stderr
    (record,) = [r for r in map(json.loads, done.stdout.splitlines()) if r["kind"] == "measurement"]
    text = kept.read_text()
    assert f'"digit_bits":{record["case"]["parameters"]["digit_bits"]}' in text.replace(" ", "")


def test_a_sort_without_parameters_has_none(tmp_path):
    done = sortlab(ROOT, "bench", "--algorithm", "std_sort", "--n", "2^12", "--preset", "tuned")
    assert done.returncode == 2 and "unknown preset 'tuned'; allowed: none" in done.stderr
