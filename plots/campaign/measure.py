"""Runs a campaign's steps in order of worth, a slice of time at a time, and goes on where the last slice ended."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Optional, Sequence

from ..artifacts.discovery import find_builders
from ..claims.books import books
from ..records.folders import ALGORITHMS, ROOT
from ..records.jsonl import BadInput
from ..records.whole_file import write_whole
from . import program as programs
from .manifest import MANIFEST, finish, now, read_manifest, sha256, write_manifest
from .plan import Campaign, Step, merged, readers
from .program import OWN_ROOT, Program

_LEAST_S = 3.0  # a command is not begun with less time
_GRACE_S = 60.0  # for what a command with a budget of its own does after it


class SliceEnded(Exception):
    """The time of this call is over, or a signal asked it to end."""


@dataclass
class Call:
    """One call of the command."""

    program: Program
    folder: Path
    campaign: Campaign
    slice_s: float
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.slice_s
        self.manifest: dict[str, Any] = {}
        self._steps: dict[str, Step] = {}

    def show_plan(self) -> None:
        """Says what each step would measure, and its time by the models."""
        self._begin()
        for step in self._steps.values():
            self.say(self._planned(step))
        if not (self.folder / MANIFEST).exists():
            shutil.rmtree(self.folder)
        bound = sum(entry["bound_s"] for entry in self.manifest["steps"])
        self.say(f"at most {bound / 60:.0f} minutes on this machine, of kind {self.manifest['machine']['kind']}")

    def run(self) -> bool:
        """Returns True if the campaign has ended, and False if a further call must go on. Raises BadInput."""
        self._begin()
        if self.manifest["ended"]:
            self.say(f"this campaign ended at {self.manifest['ended']}")
            return True
        self.manifest["slices"] += 1
        self._save()
        try:
            for entry in self.manifest["steps"]:
                if entry["state"] in ("waiting", "begun"):
                    self._take(self._steps[entry["name"]], entry)
        except SliceEnded:
            self.say(f"{self._time_left()}; the same command goes on")
            return False
        shutil.rmtree(self.folder / OWN_ROOT)
        finish(self.folder, self.manifest)
        return True

    @property
    def failed(self) -> list[str]:
        return [entry["name"] for entry in self.manifest["steps"] if entry["state"] == "failed"]

    def _save(self) -> None:
        write_manifest(self.folder, self.manifest)

    def _begin(self) -> None:
        """Begins the manifest, or takes up that of an earlier call by the same build on the same machine."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if (self.folder / MANIFEST).exists():
            self.manifest = read_manifest(self.folder)
        elif any(entry.name != OWN_ROOT for entry in self.folder.iterdir()):
            raise BadInput(f"--out {self.folder}: holds files and no manifest; allowed: a new folder, or a campaign's")
        if self.manifest and self.manifest["ended"]:
            return
        self.program.make_root()
        findings = self.program.findings()
        begun = self._new(findings)
        kind = begun["machine"]["kind"]
        self._steps = {step.name: step for step in self.campaign.on(kind)}
        if not self._steps:
            raise BadInput(f"--campaign {self.campaign.path}: has no step for a machine of kind {kind}")
        if not self.manifest:
            self.manifest = begun
            return
        for name, what in (("commit", "commit"), ("machine", "machine"), ("campaign", "campaign")):
            if self.manifest[name] != begun[name]:
                raise BadInput(f"--out {self.folder}: was begun with another {what}; give a new folder")
        if self.manifest["build"]["program_sha256"] != begun["build"]["program_sha256"]:
            raise BadInput(f"--out {self.folder}: was begun by another build of this commit; give a new folder")

    def _new(self, findings: dict[str, dict[str, Any]]) -> dict[str, Any]:
        commit, devices = programs.clean_commit(findings), programs.gpus(findings)
        kind = "cpu" if not devices else "gpu" if len(devices) == 1 else "gpus"
        sorts = {
            a["name"]: {"build": a["build"], "version": a["version"]} for a in self.program.sorts() if a["runs_here"]
        }
        build = dict.fromkeys(("compiler", "flags", "libraries", "driver"))
        name, _, _ = findings["machine"]["detail"].rpartition(" (")
        path = self.campaign.path.resolve()
        return {
            "schema": 1,
            "kind": "campaign",
            "title": self.campaign.title,
            "machine": {"id": programs.machine_id(findings), "name": name, "kind": kind, "gpus": devices},
            "commit": commit,
            "version": findings["build"]["detail"].partition(",")[0].removeprefix("Sortlab "),
            "began": now(),
            "ended": None,
            "slices": 0,
            "campaign": {
                "file": str(path.relative_to(ROOT)) if ROOT in path.parents else path.name,
                "sha256": sha256(path),
            },
            "build": {"program_sha256": self.program.sha256(), **build, "sorts": sorts},
            "profile": None,
            "cells": {"timed": 0, "disturbed": 0},
            "seeds": [],
            "steps": [_entry(step, step.minutes[kind]) for step in self.campaign.on(kind)],
            "predictions": [],
            "again": [],
            "changed_since": [],
            "files": {},
        }

    def _take(self, step: Step, entry: dict[str, Any]) -> None:
        """Goes on with a step until it is done. Raises SliceEnded."""
        entry["state"] = "begun"
        self.say(self._planned(step))
        does = {
            "calibrate": self._calibrate,
            "validate": self._validate,
            "measure": self._measure,
            "count": self._count,
            "repeat": self._repeat,
        }
        does[step.does](step, entry)
        if entry["state"] == "begun":
            entry["state"] = "done"
        self._save()
        self.say(f"{step.name}: {'; '.join(filter(None, (entry['state'], entry['note'])))}. {self._time_left()}")

    def _do(self, entry: dict[str, Any], *words: str, budget: bool = False, grace_s: float = 0.0) -> Optional[int]:
        """Runs a command within the time of the step and of the slice, and returns its exit status; None if the step's
        time is over. `budget`: the command takes --time-budget. Raises SliceEnded where it must go on."""
        of_step, of_slice = entry["bound_s"] + grace_s - entry["spent_s"], self._end - time.monotonic()
        limit = min(of_step, of_slice)
        if limit < _LEAST_S or self.program.caught:
            if of_step < _LEAST_S:
                return None
            raise SliceEnded
        told = [*words, "--time-budget", f"{limit:.0f}s"] if budget else list(words)
        # With a budget the program ends by itself, a little later.
        clock = time.monotonic()
        command: dict[str, Any] = {"command": ["sortlab", *told], "began": now(), "ended": None, "status": None}
        entry["commands"].append(command)
        self._save()  # so that it is known even if this process is killed
        status, asked = self.program.do(told, limit * 1.5 + _GRACE_S if budget else limit)
        entry["spent_s"] = round(entry["spent_s"] + time.monotonic() - clock, 1)
        command |= {"ended": now(), "status": status}
        self._save()
        if asked and status != 0:
            if not self.program.caught and of_step <= of_slice:
                return None
            raise SliceEnded
        return status

    def _fail(self, entry: dict[str, Any], note: str) -> None:
        entry["state"], entry["note"] = "failed", note

    def _calibrate(self, step: Step, entry: dict[str, Any]) -> None:
        status = self._do(entry, "calibrate", *step.arguments, "--out", "profile.json")
        if status != 0:
            raise BadInput(f"{step.name}: no profile within {entry['bound_s'] / 60:g} minutes, and all else needs it")
        own = self.folder / OWN_ROOT / "results/local" / self.manifest["machine"]["id"] / "profile.json"
        own.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.folder / "profile.json", own)
        self.manifest["profile"] = {"file": "profile.json", "sha256": sha256(self.folder / "profile.json")}

    def _validate(self, step: Step, entry: dict[str, Any]) -> None:
        words = ["--machine", "profile.json", "--seed", str(step.seed), "--budget", f"{0.8 * entry['bound_s']:.0f}s"]
        words += [*step.arguments, "--no-page", "--out", "validation"]
        status = self._do(entry, "validate", *words, grace_s=_GRACE_S)
        if status is None:
            self._fail(entry, "its time was over before it ended")
        elif status == 1:
            entry["note"] = "cells without result, or predictions that differ afterwards"
        elif status != 0:
            self._fail(entry, f"exit status {status}")

    def _config(self, step: Step) -> str:
        """The config that a step measures, in the folder; made, with its predictions, before anything is measured."""
        name = f"configs/{step.name}.json"
        known = any(one["config"].startswith(f"{step.name}-") for one in self.manifest["predictions"])
        if not known and not self._entry(step)["measured_as"]:
            self._write_config(step, step.name)
            if step.does == "measure" and self.manifest["profile"]:
                self._predict(step)
        return name

    def _entry(self, step: Step) -> dict[str, Any]:
        found: dict[str, Any] = next(one for one in self.manifest["steps"] if one["name"] == step.name)
        return found

    def _write_config(self, step: Step, name: str) -> None:
        names = [a["name"] for a in self.program.sorts() if (a["runs_on"] == "host") == (step.on == "cpu")]
        config = merged(name, self.campaign.title, [one.path for one in step.configs], names)
        file = self.folder / "configs" / f"{step.name}.json"
        file.parent.mkdir(exist_ok=True)
        write_whole(file, json.dumps(config, indent=1) + "\n")
        self._entry(step)["measured_as"] = [name]

    def _predict(self, step: Step) -> None:
        """Predicts the step's cells for this machine and for the papers' machines, and calls the config after it."""
        config, text = f"configs/{step.name}.json", ""
        for machine in ("profile.json", *self.program.papers_machines()):
            text += self.program.predicted(config, machine)
        file = f"{step.name}.predictions.jsonl"
        write_whole(self.folder / file, text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        self._write_config(step, f"{step.name}-{digest[:16]}")
        self.manifest["predictions"].append(
            {"file": file, "sha256": digest, "time": now(), "config": f"{step.name}-{digest[:16]}"}
        )
        self._save()

    def _measure(self, step: Step, entry: dict[str, Any]) -> None:
        self._run(step, entry, f"{step.name}.jsonl")

    def _repeat(self, step: Step, entry: dict[str, Any]) -> None:
        for name in ("first", "second"):
            self._run(step, entry, f"aa/{step.name}.{name}.jsonl")

    def _run(self, step: Step, entry: dict[str, Any], out: str) -> None:
        words = (self._config(step), "--out", out, "--again", str(step.again))
        (self.folder / out).parent.mkdir(exist_ok=True)
        _check_alone(self.folder / out)
        before: Sequence[str] = ()
        while True:
            todo = [cell["key"] for cell in self.program.plan(*words) if cell["state"] == "run"]
            if not todo or todo == before:
                break
            before = todo
            status = self._do(entry, "run", *words, budget=True)
            if status not in (0, 1, None):
                return self._fail(entry, f"exit status {status}")
            if status is None:
                break
        lost = len(todo)
        if lost:
            entry["note"] = f"{lost} cells of {out} left when its time was over, or disturbed or without result again"

    def _count(self, step: Step, entry: dict[str, Any]) -> None:
        names = [json.loads((ROOT / one.path).read_text(encoding="utf-8"))["name"] for one in step.configs]
        entry["measured_as"] = names
        for one in step.configs:
            out = f"{step.name}.counts.jsonl"
            status = self._do(entry, "count", one.path, *step.arguments, "--out", out)
            if status is None:
                entry["note"] = f"its time was over at {one.path}"
                return
            if status != 0:
                self._fail(entry, f"{one.path}: exit status {status}")

    def _planned(self, step: Step) -> str:
        """A line about the rest of a step, with its time by the models where these know it."""
        entry = self._entry(step)
        left = f"at most {max(0.0, entry['bound_s'] - entry['spent_s']) / 60:.1f} minutes"
        if step.does != "measure":
            return f"{step.name}: {step.does}, {left}"
        file = self.folder / OWN_ROOT / "plan.json"
        names = [a["name"] for a in self.program.sorts() if (a["runs_on"] == "host") == (step.on == "cpu")]
        write_whole(file, json.dumps(merged(step.name, "", [one.path for one in step.configs], names)))
        planned = self.program.plan(str(file), "--out", f"{step.name}.jsonl", "--again", str(step.again))
        todo = [cell["estimate_s"] for cell in planned if cell["state"] == "run"]
        skipped = sum(cell["state"] == "skip" for cell in planned)
        return (
            f"{step.name}: {len(todo)} of {len(planned)} cells to measure, {skipped} to skip, in about "
            f"{sum(todo) / 60:.1f} minutes; {left}"
        )

    def _time_left(self) -> str:
        open_ = [entry for entry in self.manifest["steps"] if entry["state"] in ("waiting", "begun")]
        seconds = sum(max(0.0, entry["bound_s"] - entry["spent_s"]) for entry in open_)
        return f"{len(open_)} of {len(self.manifest['steps'])} steps left, at most {seconds / 60:.1f} minutes"


def _check_alone(records: Path) -> None:
    """Raises BadInput while another program writes to the file: that of a campaign that was killed goes on alone."""
    with contextlib.suppress(FileNotFoundError), open(records, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(f"{records}: another program is writing it; wait for it, then go on") from None
        except OSError:  # a file system without locks, of which the program says more
            pass


def _entry(step: Step, minutes: float) -> dict[str, Any]:
    folders = sorted(file.parent for file in ALGORITHMS.glob("[!_]*/CMakeLists.txt"))
    builders, every = find_builders(folders), books(folders)
    read_by = [name for one in step.configs for name in readers(one, builders, every)]
    return {
        "name": step.name,
        "does": step.does,
        "on": step.on,
        "bound_s": 60 * minutes,
        "spent_s": 0,
        "state": "waiting",
        "note": "",
        "configs": {one.path: sha256(ROOT / one.path) for one in step.configs},
        "read_by": list(dict.fromkeys(read_by)),
        "measured_as": [],
        "commands": [],
    }
