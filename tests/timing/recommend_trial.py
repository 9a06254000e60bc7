"""Tries how much the first of `sortlab recommend` costs over the best sort, on columns of real keys on this machine.

For each column it asks `recommend`, then measures whole all sorts that it or a model puts near the first, and tells

    measured   time of the sort that `recommend` names over that of the best
    predicted  time of the sort that the models name over that of the best sort with a model (after `calibrate`)

Nothing else should run meanwhile. Example, on the columns that harness/setup/real_columns.py makes:
    python3 tests/timing/recommend_trial.py build/release/sortlab --threads 1 results/local/real/*.npy
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

NEAR = 2.0  # times the first: sorts that are measured whole
BARS = {"measured": (1.05, 0.95), "predicted": (1.15, 0.90)}  # allowed ratio, and share of columns within it


def recommended(program: Path, column: Path, threads: int, budget: str) -> list[dict[str, Any]]:
    words = [program, "recommend", column, "--threads", str(threads), "--budget", budget, "--json"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    sorts: list[dict[str, Any]] = json.loads(done.stdout)["sorts"]
    return sorts


def near(sorts: list[dict[str, Any]], field: str) -> list[str]:
    """Names of the sorts within NEAR times the least of `field`, that one first."""
    known = sorted((sort for sort in sorts if sort[field] is not None), key=lambda sort: sort[field])
    return [sort["algorithm"] for sort in known if sort[field] <= NEAR * known[0][field]]


def measured(program: Path, column: Path, threads: dict[str, int], folder: Path) -> dict[str, float]:
    """Median seconds of these sorts on the whole column, in one block of samples."""
    times: dict[str, float] = {}
    for count in sorted(set(threads.values())):
        out = folder / f"{column.stem}.{count}.jsonl"
        words = [word for name in threads if threads[name] == count for word in ("-a", name)]
        words += ["--input", str(column), "--threads", str(count), "--out", str(out)]
        subprocess.run([program, "bench", *words], check=True, capture_output=True)
        records = map(json.loads, out.read_text().splitlines())
        ok = (r for r in records if r["kind"] == "measurement" and r["status"] == "ok")
        times.update({record["case"]["algorithm"]: record["median_s"] for record in ok})
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="the built sortlab")
    parser.add_argument("columns", type=Path, nargs="+", help="files of keys")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--budget", default="30s", help="of each recommendation")
    options = parser.parse_args()
    ratios: dict[str, list[float]] = {kind: [] for kind in BARS}
    with tempfile.TemporaryDirectory() as temporary:
        for column in options.columns:
            sorts = recommended(options.program, column, options.threads, options.budget)
            chosen = {"measured": near(sorts, "seconds")}
            if any(sort["predicted_s"] is not None for sort in sorts):
                chosen["predicted"] = near(sorts, "predicted_s")
            threads = {sort["algorithm"]: sort["threads"] for sort in sorts}
            wanted = {name: threads[name] for names in chosen.values() for name in names}
            times = measured(options.program, column, wanted, Path(temporary))
            told = []
            for kind, names in chosen.items():
                best = min((name for name in names if name in times), key=times.__getitem__)
                ratios[kind].append(times[names[0]] / times[best])
                told.append(f"{kind}: {names[0]} at {ratios[kind][-1]:.3f} of {best}")
            print(f"{column.stem}: {'; '.join(told)}", flush=True)
    for kind, (bar, share) in BARS.items():
        within = sum(ratio <= bar for ratio in ratios[kind])
        if ratios[kind]:
            count = len(ratios[kind])
            print(f"{kind}: {within} of {count} within {bar} times the best (asked: {100 * share:.0f} %)", flush=True)


if __name__ == "__main__":
    main()
