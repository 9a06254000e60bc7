"""Entries of `sortlab list`, for tests that need some entry without naming one."""

import json
import os
import subprocess
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))


@lru_cache(maxsize=None)
def listed(what):
    """The entries of `sortlab list WHAT --json`."""
    told = subprocess.run([SORTLAB, "list", what, "--json"], capture_output=True, text=True, check=True, timeout=120)
    return json.loads(told.stdout)


def plain_sorts():
    """Sorts of u32 keys on the host that run here on one thread and take no parameters."""
    return [
        entry["name"]
        for entry in listed("algorithms")
        if entry["runs_on"] == "host" and entry["runs_here"] and not entry["parallel"]
        if not entry["parameters"] and "u32" in entry["keys"]
    ]


def device_sorts():
    """Device sorts of u32 keys without parameters, even if they do not run here."""
    return [
        entry["name"]
        for entry in listed("algorithms")
        if entry["runs_on"] == "device" and not entry["parameters"] and "u32" in entry["keys"]
    ]
