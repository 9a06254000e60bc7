"""Tries what intervals and verdicts are worth on this machine: equal runs, and runs of sorts with a delay put in.

Runs a config of sorts on one thread, or on a GPU, several times, and with each delay as often, in turn, then prints
- how many cells' interval holds the median of the other equal runs,
- the verdicts of `compare` on all pairs of equal runs, and between equal and delayed runs,
- how often the gate `--fail-if-slower 5` fails.

Nothing else should run meanwhile, unless --interleaved tries `compare --interleaved`. Example:
    python3 tests/timing/verdict_trial.py build/release/tests/timing_test --runs 6
"""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

HOST_SWEEP = {
    "algorithms": ["delayed_introsort", "delayed_merge_sort", "delayed_heap_sort"],
    "n": ["2^10", "2^14", "2^16", "2^18"],
    "distributions": ["uniform", "zipf"],
}
DEVICE_SWEEP = {
    "algorithms": ["delayed_device_radix_sort", "delayed_device_merge_sort"],
    "keys": ["u32", "u64"],
    "n": ["2^16", "2^20", "2^24"],
    "distributions": ["uniform", "zipf"],
}


def verdict_config(sweep: dict[str, list[str]]) -> dict[str, Any]:
    return {
        "name": "verdict_trial",
        "title": "Sorts with a delay put in",
        "protocol": {"budget_s": 0.2, "interval_share": 0.01},
        "sweeps": [sweep],
    }


def measure(program: Path, config: Path, out: Path) -> None:
    subprocess.run([program, "run", config, "--out", out], check=True, capture_output=True)


def times(records: Path) -> dict[str, tuple[float, float, float]]:
    """Median and interval of each undisturbed cell."""
    found = {}
    for line in records.read_text().splitlines():
        record = json.loads(line)
        if record["kind"] == "measurement" and record["status"] == "ok" and not record["disturbed"]:
            found[record["cell"]] = (record["median_s"], *record["ci95_s"])
    return found


def covered(runs: list[Path]) -> tuple[int, int]:
    """Intervals that hold the median of the other runs' medians, and all intervals."""
    measured = [times(run) for run in runs]
    held = count = 0
    for run in measured:
        for cell, (_, low, high) in run.items():
            others = [other[cell][0] for other in measured if other is not run and cell in other]
            if others:
                count += 1
                held += low <= statistics.median(others) <= high
    return held, count


def verdicts(program: Path, pairs: list[tuple[Path, Path]]) -> tuple[collections.Counter, collections.Counter]:
    """Verdicts on all cells, and exit statuses of the gate."""
    found: collections.Counter = collections.Counter()
    statuses: collections.Counter = collections.Counter()
    for a, b in pairs:
        done = subprocess.run(
            [program, "compare", a, b, "--json", "--fail-if-slower", "5"], capture_output=True, text=True
        )
        statuses[done.returncode] += 1
        found.update(json.loads(line)["verdict"] for line in done.stdout.splitlines()[:-1])
    return found, statuses


def try_interleaved(programs: dict[int, Path], config: Path, runs: int) -> None:
    for delay, program in programs.items():
        found: collections.Counter = collections.Counter()
        statuses: collections.Counter = collections.Counter()
        for _ in range(runs):
            done = subprocess.run(
                [programs[0], "compare", programs[0], program, "--interleaved", config, "--json"]
                + ["--fail-if-slower", "5"],
                capture_output=True,
                text=True,
            )
            statuses[done.returncode] += 1
            found.update(json.loads(line)["verdict"] for line in done.stdout.splitlines()[:-1])
        print_verdicts(f"{delay} % slower" if delay else "equal", runs, found, statuses)


def print_verdicts(name: str, pairs: int, found: collections.Counter, statuses: collections.Counter) -> None:
    shares = ", ".join(f"{verdict} {100 * n / found.total():.1f} %" for verdict, n in found.most_common())
    gates = ", ".join(f"{n} with status {status}" for status, n in sorted(statuses.items()))
    print(f"{name}: {found.total()} cells in {pairs} pairs: {shares}; gate: {gates}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="the built timing_test")
    parser.add_argument("--runs", type=int, default=6, help="runs of each kind")
    parser.add_argument("--delays", type=int, nargs="*", default=[5, 10], help="delays in per cent")
    parser.add_argument("--device", action="store_true", help="sort on the GPU, with a program built with CUDA")
    parser.add_argument("--interleaved", action="store_true", help="let the two programs take their samples in turn")
    parser.add_argument("--keep", type=Path, help="new folder for the records")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        config = folder / "config.json"
        config.write_text(json.dumps(verdict_config(DEVICE_SWEEP if options.device else HOST_SWEEP)))
        programs = {delay: Path(temporary) / f"delayed_{delay}" for delay in (0, *options.delays)}
        for program in programs.values():
            shutil.copy(options.program, program)
        if options.interleaved:
            try_interleaved(programs, config, options.runs)
            return
        runs: dict[int, list[Path]] = {delay: [] for delay in programs}
        for number in range(options.runs):
            for delay, program in programs.items():
                runs[delay].append(folder / f"delayed_{delay}.{number}.jsonl")
                measure(program, config, runs[delay][-1])
        held, count = covered(runs[0])
        print(f"{held} of {count} intervals hold the median of the other equal runs: {100 * held / count:.1f} %")
        pairs = {"equal": list(itertools.combinations(runs[0], 2))}
        pairs |= {f"{delay} % slower": list(itertools.product(runs[0], runs[delay])) for delay in options.delays}
        for name, of_kind in pairs.items():
            print_verdicts(name, len(of_kind), *verdicts(programs[0], of_kind))


if __name__ == "__main__":
    main()
