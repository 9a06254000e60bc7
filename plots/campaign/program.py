"""The program `sortlab` as a campaign calls it: what it is, what it plans, and its commands within a time."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Optional, Sequence

from ..records.folders import CHECKOUT, ROOT
from ..records.jsonl import BadInput

OWN_ROOT = ".root"  # folder of a campaign that stands for the checkout, without other records of this machine


class Program:
    """A build of sortlab that works in a campaign's folder.

    It sees the checkout with results of its own, so that neither an older profile nor older records and tunings decide
    what is measured.
    """

    def __init__(self, path: Path, folder: Path, own_root: bool = True) -> None:
        if not CHECKOUT:
            raise BadInput("campaign: needs a checkout, whose configs it measures; run it there")
        if not os.access(path, os.X_OK):
            raise BadInput(f"--program {path}: no such program; allowed: sortlab, built by ./run_all.sh or cmake")
        self._path, self._folder = path.resolve(), folder
        root = folder / OWN_ROOT if own_root else ROOT
        self._environment = {**os.environ, "SORTLAB_ROOT": str(root), "SORTLAB_PYTHON": sys.executable}
        self._caught = 0

    def make_root(self) -> None:
        root = self._folder / OWN_ROOT
        (root / "results").mkdir(parents=True, exist_ok=True)
        for entry in ROOT.iterdir():
            if entry.name not in ("results", ".git") and not (root / entry.name).is_symlink():
                (root / entry.name).symlink_to(entry)
        if not (root / "results/published").is_symlink():
            (root / "results/published").symlink_to(ROOT / "results/published")

    def sha256(self) -> str:
        return hashlib.sha256(self._path.read_bytes()).hexdigest()

    def ask(self, *words: str) -> str:
        """The output of a command that measures nothing. Raises BadInput with its error."""
        done = subprocess.run(
            ["sortlab", *words],
            executable=self._path,
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise BadInput(" ".join((done.stderr.splitlines() or [f"sortlab {words[0]}: no answer"])[-1].split()))
        return done.stdout

    def findings(self) -> dict[str, dict[str, Any]]:
        """Doctor's findings by name."""
        found = [json.loads(line) for line in self.ask("doctor", "--json").splitlines()]
        return {one["what"]: one for one in found}

    def sorts(self) -> list[dict[str, Any]]:
        made: list[dict[str, Any]] = json.loads(self.ask("list", "algorithms", "--json"))
        return made

    def papers_machines(self) -> list[str]:
        return [m["id"] for m in json.loads(self.ask("list", "machines", "--json")) if m["origin"] == "paper"]

    def predicted(self, config: str, machine: str) -> str:
        """The predictions of a config's cells; empty if no model covers any of them. Raises BadInput."""
        try:
            return self.ask("predict", config, "--machine", machine, "--json")
        except BadInput as error:
            if "nothing can be predicted" not in str(error):
                raise
            return ""

    def plan(self, *words: str) -> list[dict[str, Any]]:
        """The cells of `run` with these words: each with its state (done, skip or run) and estimated seconds."""
        return [json.loads(line) for line in self.ask("run", *words, "--dry-run", "--json").splitlines()]

    def do(self, words: Sequence[str], limit_s: float) -> tuple[int, bool]:
        """Runs a command, which is asked to end after `limit_s` or when this process is. Returns its exit status, and
        True if it was asked to end."""
        end, asked = time.monotonic() + limit_s, False
        before = {number: signal.signal(number, self._catch) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            child = subprocess.Popen(  # in a session of its own: a terminal's interrupt reaches it once, from here
                ["sortlab", *words],
                executable=self._path,
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
            while child.poll() is None:
                if not asked and (self._caught or time.monotonic() >= end):
                    child.send_signal(signal.SIGINT)
                    asked = True
                time.sleep(0.05)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return child.returncode, asked

    def _catch(self, number: int, _: Any) -> None:
        self._caught = number

    @property
    def caught(self) -> int:
        """The signal that asked this process to end; 0 if none did."""
        return self._caught


def clean_commit(findings: dict[str, dict[str, Any]]) -> str:
    """The commit of the build. Raises BadInput unless the build and the checkout are of one commit, without changes."""
    commit = findings["commit"]
    if not commit["good"]:
        raise BadInput(
            f"campaign: the build is of no clean commit ({commit['detail']}); commit, build, and begin again"
        )
    head, changes = (_git("rev-parse", "HEAD"), _git("status", "--porcelain"))
    if head is not None and head != commit["detail"]:
        raise BadInput(
            f"campaign: the build is of {commit['detail'][:10]} and the checkout of {head[:10]}; build again"
        )
    if changes:
        changed = changes.splitlines()[0].split()[-1]
        raise BadInput(f"campaign: the checkout has changes that no commit has ({changed}); commit, and build again")
    return str(commit["detail"])


def _git(*words: str) -> Optional[str]:
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def machine_id(findings: dict[str, dict[str, Any]]) -> str:
    return re.sub(r".*\((.*)\)$", r"\1", findings["machine"]["detail"])


def gpus(findings: dict[str, dict[str, Any]]) -> list[str]:
    """The names of the GPUs that this build can sort on."""
    built, found = findings["CUDA toolkit"]["good"], findings["GPU"]
    return re.sub(r" \(driver for .*\)$", "", found["detail"]).split(", ") if built and found["good"] else []
