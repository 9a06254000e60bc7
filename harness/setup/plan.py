#!/usr/bin/env python3
"""Asks the program what each config would take on this machine: plan.py SORTLAB CONFIG… > plan.json

The report's table of what is not measured reads it (plots/records/plan.py). Nothing is measured.
"""

import json
import subprocess
import sys
from collections import Counter

REASONS = 3  # reasons kept of each config, the most frequent first


def read(path: str) -> dict:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def planned(sortlab: str, config: str) -> dict:
    """The cells of a config that can be measured here, the time of those that remain, and why others cannot."""
    artifacts = read(config).get("artifacts", [])
    asked = [sortlab, "run", config, "--dry-run", "--json"]
    said = subprocess.run(asked, stdout=subprocess.PIPE, text=True, check=True).stdout
    cells = [json.loads(line) for line in said.splitlines()]
    skipped = Counter((cell["reason_code"], cell["reason"]) for cell in cells if cell["state"] == "skip")
    return {
        "config": config,
        "artifacts": artifacts,
        "to_run": len(cells) - sum(skipped.values()),
        "seconds": sum(cell["estimate_s"] for cell in cells),
        "reasons": [{"code": code, "text": text} for (code, text), _ in skipped.most_common(REASONS)],
    }


if __name__ == "__main__":
    configs = [path for path in sys.argv[2:] if "sweeps" in read(path)]  # reference.json is a campaign
    json.dump({"configs": [planned(sys.argv[1], config) for config in configs]}, sys.stdout)
