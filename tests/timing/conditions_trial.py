"""Tries whether conditions outside a sort change its recorded time on this machine.

    hogs     runs of a few sorts, quiet and beside endless loops on half, all and twice the processors: how many records
             are not marked as disturbed though they took more than 1.2 times as long as in quiet, and how many quiet
             ones are marked. Of the former, those whose record tells another distance of the cores than the quiet ones
             are counted apart: the host moved the processors, which `sortlab compare` reads from the record
    company  cells drawn from a config, each measured alone and in its whole block: how far apart their medians are

Nothing else should run meanwhile. Examples:
    python3 tests/timing/conditions_trial.py build/release/sortlab hogs --repeats 20
    python3 tests/timing/conditions_trial.py build/release/sortlab company --config configs/quick.json --cells 40
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator

TOO_LONG = 1.2  # times the quiet median
MOVED = 1.5  # times the quiet median of the distance of the cores
HOGGED = {
    "name": "hogs",
    "title": "Sorts beside endless loops",
    "protocol": {"budget_s": 0.25},
    "sweeps": [
        {"algorithms": ["std_sort", "vqsort"], "n": ["2^14", "2^18", "2^21"], "distributions": ["uniform"]},
        {
            "algorithms": ["msd_radix_cpu", "satish_cpu_radix", "tbb_parallel_sort"],
            "n": ["2^14", "2^18", "2^21"],
            "distributions": ["uniform"],
            "threads": [1, 2],
        },
    ],
}


@contextlib.contextmanager
def endless_loops(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def measure(program: Path, config: Path, out: Path, *words: str) -> dict[str, dict[str, Any]]:
    """The verified measurements of a run, by cell."""
    subprocess.run([program, "run", config, "--out", out, *words], check=True, capture_output=True)
    records = map(json.loads, out.read_text().splitlines())
    return {r["cell"]: r for r in records if r["kind"] == "measurement" and r["status"] == "ok"}


def name(record: dict[str, Any]) -> str:
    case = record["case"]
    return f"{case['algorithm']} {case['key_type']} n={case['n']} {case['distribution']} threads={case['threads']}"


def try_hogs(program: Path, folder: Path, repeats: int) -> None:
    config = folder / "hogs.json"
    config.write_text(json.dumps(HOGGED))
    processors = len(os.sched_getaffinity(0))
    quiet = [measure(program, config, folder / f"quiet.{i}.jsonl") for i in range(repeats)]
    cells = [record for run in quiet for record in run.values()]
    marked = sum(record["disturbed"] for record in cells)
    print(f"quiet: {marked} of {len(cells)} records are marked: {100 * marked / len(cells):.1f} %", flush=True)
    usual = {cell: statistics.median(run[cell]["median_s"] for run in quiet if cell in run) for cell in quiet[0]}
    distances = {
        cell: statistics.median(run[cell].get("core_distance_s", 0) for run in quiet if cell in run)
        for cell in quiet[0]
    }
    for loops in sorted({max(1, processors // 2), processors, 2 * processors}):
        with endless_loops(loops):
            runs = [measure(program, config, folder / f"{loops}.{i}.jsonl") for i in range(repeats)]
        cells = [record for run in runs for record in run.values()]
        bent = [r for r in cells if not r["disturbed"] and r["median_s"] > TOO_LONG * usual[r["cell"]]]
        moved = [r for r in bent if r.get("core_distance_s", 0) > MOVED * distances[r["cell"]]]
        marked = sum(record["disturbed"] for record in cells)
        print(f"{loops} loops on {processors} processors: {len(bent)} of {len(cells)} records took more than", end=" ")
        print(
            f"{TOO_LONG} times as long and are not marked, {len(moved)} of them by cores that had moved apart", end="; "
        )
        print(f"{100 * marked / len(cells):.0f} % are marked", flush=True)
        for record in bent:
            by = f", cores {1e9 * record['core_distance_s']:.0f} ns apart" if record in moved else ""
            print(f"  {name(record)}: {record['median_s'] / usual[record['cell']]:.2f} times as long{by}")


def try_company(program: Path, folder: Path, config: Path, count: int, seed: int) -> None:
    # RE2 needs no other escapes in the text of a cell than Python's.
    plain, as_json = (
        subprocess.run(
            [program, "run", config, "--dry-run", "--out", folder / "none.jsonl", *words],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        for words in ([], ["--json"])
    )
    texts = {json.loads(line)["cell"]: text.split(maxsplit=1)[1] for line, text in zip(as_json, plain)}
    together = measure(program, config, folder / "together.jsonl")
    drawn = random.Random(seed).sample(sorted(together), count)
    far = 0
    for number, cell in enumerate(drawn):
        alone = measure(program, config, folder / f"alone.{number}.jsonl", "--filter", f"^{re.escape(texts[cell])}$")
        if cell not in alone:
            continue
        ratio = alone[cell]["median_s"] / together[cell]["median_s"]
        if abs(ratio - 1) <= 0.05:
            continue
        far += 1
        marked = alone[cell]["disturbed"] or together[cell]["disturbed"]
        print(f"  {texts[cell]}: {ratio:.3f} of its time together{' (marked as disturbed)' if marked else ''}")
    print(f"{far} of {count} cells are more than 5 % apart")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="the built sortlab")
    parser.add_argument("trial", choices=["hogs", "company"])
    parser.add_argument("--repeats", type=int, default=20, help="hogs: runs of each kind")
    parser.add_argument("--config", type=Path, default=Path("configs/quick.json"), help="company: the config")
    parser.add_argument("--cells", type=int, default=40, help="company: cells drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="new folder for the records")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        if options.trial == "hogs":
            try_hogs(options.program, folder, options.repeats)
        else:
            try_company(options.program, folder, options.config, options.cells, options.seed)


if __name__ == "__main__":
    main()
