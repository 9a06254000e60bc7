#!/usr/bin/env python3
"""Simulates a sweep over the nodes of a cluster: its duration, and the losses if nodes fail or are preempted.

The plan is the program's: `sortlab run CONFIG --shard k/N --dry-run` says which cells a shard has and how long each is
expected to take. So is the rule by which a task goes on, since the program is asked again at some of the restarts. What
is made up is the cluster: exponential times to failure and preemption, and times of cells around the expected ones.

    configs/cluster/simulate.py configs/seeds.json --shards 200 --nodes 200
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

ROOT = Path(__file__).resolve().parents[2]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))

HOUR = 3600.0
# Slurm's defaults: SlurmdTimeout, and cred_expire, the waiting time of a requeued job.
MISSED_S = 300.0
REQUEUE_S = 120.0
# Assumed times: until a failed node is back, until a preempting job returns a node, and until a task has started.
REPAIR_S = 1800.0
PREEMPTION_S = 1800.0
START_S = 10.0
# The same values as in shard.sbatch and calibrate.sbatch.
GRACE_S = 120.0
AROUND_A_CELL_S = 0.2

# Scenarios: failures of a node per 1000 hours, and preemptions per hour.
TURNS = 20  # simulations of each scenario
SCENARIOS = [(0.0, 0.0), (10.0, 0.0), (100.0, 0.0), (0.0, 0.1), (0.0, 1.0), (100.0, 1.0)]


@dataclass
class Cell:
    key: str
    expected_s: float
    planned: dict  # `cell` and `case` as the program plans them


@dataclass
class Shard:
    """The work of one task of the array: blocks of cells on one input, in the order of the run."""

    index: int
    blocks: list[list[Cell]]
    skipped: int

    @property
    def cells(self) -> list[Cell]:
        return [cell for block in self.blocks for cell in block]

    @property
    def expected_s(self) -> float:
        return sum(cell.expected_s for cell in self.cells)

    @property
    def limit_s(self) -> float:
        """The time limit that calibrate.sbatch requests."""
        return 600 + GRACE_S + sum(2 * cell.expected_s + AROUND_A_CELL_S for cell in self.cells)


@dataclass
class Outcome:
    wall_s: float = 0.0
    busy_s: float = 0.0
    lost_s: float = 0.0
    failures: int = 0
    preemptions: int = 0
    out_of_time: int = 0
    asked: int = 0  # restarts at which the program agreed on the finished cells
    records: dict[int, bytes] = field(default_factory=dict)  # contents of each shard's file


def dry_run(config: str, shard: str, out: Path | None = None) -> list[dict]:
    command = [str(SORTLAB), "run", config, "--shard", shard, "--dry-run", "--json"]
    told = subprocess.run(command + ["--out", str(out or os.devnull)], capture_output=True, text=True, check=False)
    if told.returncode != 0:
        raise SystemExit(told.stderr.strip())
    return [json.loads(line) for line in told.stdout.splitlines()]


def plan_shards(config: str, count: int) -> list[Shard]:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        plans = list(pool.map(lambda k: dry_run(config, f"{k}/{count}"), range(1, count + 1)))
    shards = []
    for index, plan in enumerate(plans, 1):
        blocks: dict[str, list[Cell]] = {}
        for cell in (c for c in plan if c["state"] == "run"):
            case = cell["case"]
            of_input = ("key_type", "value_type", "n", "distribution", "distribution_parameters", "seed", "residency")
            block = blocks.setdefault(json.dumps([case[name] for name in of_input]), [])
            block.append(Cell(cell["key"], cell["estimate_s"], {"cell": cell["cell"], "case": case}))
        shards.append(Shard(index, list(blocks.values()), sum(c["state"] == "skip" for c in plan)))
    return shards


def record(cell: Cell) -> bytes:
    """A measurement that settles the cell without a time: a failure that the sort's known limits name."""
    protocol: dict = {"cache": "warm", "warmup": 1, "rule": "samples", "interval_share": None, "budget_s": None}
    kind = {
        "schema": 1,
        "kind": "measurement",
        "key": cell.key,
        **cell.planned,
        "run": "20260101T000000Z-0",
        "machine": "simulated-1c-0",
        "protocol": {**protocol, "min_samples": 1, "max_samples": 1, "stopped": None},
        "status": "failed",
        "expected": True,
        "reason": "simulated",
        "verification": None,
    }
    return json.dumps(kind).encode() + b"\n"


def done_in(file: bytes) -> set[str]:
    """The cells that a file settles; a torn last line does not count."""
    return {json.loads(line)["key"] for line in file.splitlines(keepends=True) if line.endswith(b"\n")}


class Simulation:
    def __init__(self, config: str, shards: list[Shard], nodes: int, seed: int = 1, ask: int = 0):
        self.config, self.shards, self.nodes, self.ask = config, shards, nodes, ask
        self.chance = random.Random(seed)
        self.seconds = {
            cell.key: AROUND_A_CELL_S + cell.expected_s * self.chance.lognormvariate(0, 0.3)
            for shard in shards
            for cell in shard.cells
        }

    def run(self, failures_in_1000_h: float, preemptions_an_hour: float) -> Outcome:
        """Runs each shard on the node that is free first, until all have ended."""
        outcome = Outcome(records={shard.index: b"" for shard in self.shards})
        free = [(0.0, node) for node in range(self.nodes)]
        waiting = [(0.0, shard.index) for shard in self.shards]
        while waiting:
            ready, index = heapq.heappop(waiting)
            available, node = heapq.heappop(free)
            begin = max(ready, available)
            fails = begin + self.time_to(failures_in_1000_h / 1000)
            taken = begin + self.time_to(preemptions_an_hour)
            ended, why = self.task(self.shards[index - 1], begin, fails, taken, outcome)
            outcome.busy_s += ended - begin
            outcome.wall_s = max(outcome.wall_s, ended)
            back, again = {
                "done": (0, None),
                "failed": (REPAIR_S, MISSED_S),
                "taken": (PREEMPTION_S, 0),
                "limit": (0, 0),
            }[why]
            heapq.heappush(free, (ended + back, node))
            if again is not None:
                heapq.heappush(waiting, (ended + again + REQUEUE_S, index))
        return outcome

    def time_to(self, an_hour: float) -> float:
        return self.chance.expovariate(an_hour) * HOUR if an_hour > 0 else float("inf")

    def task(self, shard: Shard, begin: float, fails: float, taken: float, outcome: Outcome) -> tuple[float, str]:
        """Runs one task from its start until it ends. Returns the reason: done, failed, taken or limit."""
        file = outcome.records[shard.index]
        file = file[: file.rfind(b"\n") + 1]  # a torn last line is cut off
        done = done_in(file)
        signal = min(taken, begin + shard.limit_s - GRACE_S)
        now = begin + START_S
        why = "done"
        for block in shard.blocks:
            left = [cell for cell in block if cell.key not in done]
            if not left:
                continue
            # Samples are taken in turn, so that a block's cells end almost together, at worst all at its end.
            end = now + sum(self.seconds[cell.key] for cell in left)
            if now >= signal:
                why = "taken" if signal == taken else "limit"
                break
            killed = min(fails, signal + GRACE_S)
            if end > killed:
                why = "failed" if killed == fails else "taken" if signal == taken else "limit"
                outcome.lost_s += max(0.0, killed - now)
                if why == "failed":  # perhaps in the middle of a line
                    file += record(left[0])[: self.chance.randrange(60)]
                now = max(now, killed)
                break
            file += b"".join(map(record, left))
            now = end
        outcome.failures += why == "failed"
        outcome.preemptions += why == "taken"
        outcome.out_of_time += why == "limit"
        outcome.records[shard.index] = file
        if why != "done" and outcome.asked < self.ask:
            self.ask_program(shard, file)
            outcome.asked += 1
        return now, why

    def ask_program(self, shard: Shard, file: bytes) -> None:
        """Checks that the program resumes where the simulation does."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "shard.jsonl"
            path.write_bytes(file)
            plan = dry_run(self.config, f"{shard.index}/{len(self.shards)}", path)
        theirs = {cell["key"] for cell in plan if cell["state"] == "done"}
        if theirs != done_in(file):
            raise SystemExit(
                f"shard {shard.index}: the program finds {len(theirs)} cells done, not {len(done_in(file))}"
            )


def duration(seconds: float) -> str:
    return f"{seconds / HOUR:.1f} h" if seconds >= HOUR else f"{seconds / 60:.1f} min"


def report(config: str, shards: list[Shard], nodes: int, ask: int) -> str:
    cells = [cell for shard in shards for cell in shard.cells]
    blocks = [block for shard in shards for block in shard.blocks]
    longest = max(sum(cell.expected_s for cell in block) for block in blocks)
    expected = sorted(shard.expected_s for shard in shards)
    lines = [
        f"{len(cells)} cells to measure and {sum(s.skipped for s in shards)} to skip, on {len(blocks)} inputs; "
        f"{duration(sum(expected))} on one node, the longest input {duration(longest)}; {len(shards)} shards of "
        f"{duration(expected[0])} to {duration(expected[-1])}.",
        "",
        "| failures of a node in 1000 h | its preemptions in 1 h | tasks killed | preempted | wall time | longest "
        f"of {TURNS} | lost of the nodes' time |",
        "|---|---|---|---|---|---|---|",
    ]
    for failures, preemptions in SCENARIOS:
        simulations = [Simulation(config, shards, nodes, seed, ask if seed == 1 else 0) for seed in range(1, TURNS + 1)]
        outcomes = [simulation.run(failures, preemptions) for simulation in simulations]
        wall = sorted(outcome.wall_s for outcome in outcomes)
        lines.append(
            f"| {failures:g} | {preemptions:g} | {mean(o.failures for o in outcomes):.1f} | "
            f"{mean(o.preemptions for o in outcomes):.1f} | {duration(median(wall))} | {duration(wall[-1])} | "
            f"{100 * sum(o.lost_s for o in outcomes) / sum(o.busy_s for o in outcomes):.1f} % |"
        )
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("config")
    parser.add_argument("--shards", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--ask", type=int, default=3, help="restarts of each case at which the program is asked")
    options = parser.parse_args(arguments)
    if min(options.shards, options.nodes) < 1:
        parser.error("--shards and --nodes: allowed: 1 or more")
    shards = plan_shards(options.config, options.shards)
    if not any(shard.blocks for shard in shards):
        parser.error(f"{options.config}: no cell runs on this machine")
    print(report(options.config, shards, options.nodes, options.ask))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
