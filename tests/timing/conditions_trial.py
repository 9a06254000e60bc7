"""Tries whether conditions outside a sort change its recorded time on this machine.

    hogs     runs of a few sorts, quiet and beside endless loops on half, all and twice the processors: how many records
             are not marked as disturbed though they took more than 1.2 times as long as in quiet, and how many quiet
             ones are marked. Of the former, those whose record tells another distance of the cores than the quiet ones
             are counted apart: the host moved the processors, which `sortlab compare` reads from the record
    company  cells drawn from a config, each measured alone, in its whole block, and both once more: how far the two
             kinds lie apart, beside how far the same kind lies from itself, which is the machine's own doing

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
BAR = 1.05  # ratio of two medians of one cell
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
    drawn = random.Random(seed).sample(sorted(texts), count)
    far: dict[str, int] = {"by company": 0, "of the same kind": 0}
    seen = 0
    for number, cell in enumerate(drawn):
        _, of_input = texts[cell].split(maxsplit=1)
        filters = {
            "alone": f"^{re.escape(texts[cell])}$",
            "together": " " + re.sub(r"threads=[0-9]+", "threads=[0-9]+", re.escape(of_input)) + "$",
        }
        found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in filters}
        for again in range(2):
            for kind, words in filters.items():
                out = folder / f"{kind}.{number}.{again}.jsonl"
                found[kind] += [r for c, r in measure(program, config, out, "--filter", words).items() if c == cell]
        if any(len(records) < 2 for records in found.values()):
            continue
        seen += 1
        times = {kind: [record["median_s"] for record in records] for kind, records in found.items()}
        centre = {kind: statistics.geometric_mean(both) for kind, both in times.items()}
        own = max((max(both) / min(both) for both in times.values()))
        company = centre["together"] / centre["alone"]
        far["by company"] += not 1 / BAR < company < BAR
        far["of the same kind"] += own > BAR
        marked = sum(record["disturbed"] for records in found.values() for record in records)
        if own > BAR or not 1 / BAR < company < BAR:
            print(f"  {texts[cell]}: {company:.3f} times as long together", end="; ")
            print(f"the same again differs by {own:.3f}; {marked} of 4 marked as disturbed", flush=True)
    for what, cells in far.items():
        print(f"{cells} of {seen} cells are more than {100 * (BAR - 1):.0f} % apart {what}")


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
