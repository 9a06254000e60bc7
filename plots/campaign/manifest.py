"""The manifest of a campaign: its build, its steps with their commands and order, and the checksums of its files.

It is written after each command, so that a campaign goes on where it ended; `ended` is null until all steps are done.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Iterator

from ..records.folders import visible_files
from ..records.jsonl import BadInput, Line, document, holds_lines, lines
from ..records.schema import manifest_fault
from ..records.whole_file import write_whole
from .program import OWN_ROOT
from .readme import readme

MANIFEST, README = "manifest.json", "README.md"
VALIDATION = "validation/validation.jsonl"


def now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Raises BadInput."""
    node = document(folder / MANIFEST, "", "the manifest of a campaign is wanted")
    fault = manifest_fault(node.value)
    if fault:
        raise BadInput(f"{node.where}: {fault}")
    return node.value


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    write_whole(folder / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")


def kept_files(folder: Path) -> list[str]:
    """The files of a campaign's folder but for manifest and README, as paths inside it."""
    found = [file.relative_to(folder) for file in visible_files(folder, "**/*")]
    return [str(f) for f in found if f.parts[0] != OWN_ROOT and str(f) not in (MANIFEST, README)]


def record_lines(folder: Path) -> Iterator[tuple[str, Line]]:
    """The records of a folder, each with its file."""
    for name in kept_files(folder):
        if holds_lines(Path(name)):
            for line in lines(folder / name, [], []):
                yield name, line


def finish(folder: Path, manifest: dict[str, Any]) -> None:
    """Compresses the records, and writes the manifest, completed by what they say and by checksums, and the README."""
    _pack(folder, manifest)
    seeds: set[int] = set()
    started: dict[str, str] = {}
    times: dict[str, list[dict[str, Any]]] = {}
    for name, line in record_lines(folder):
        record = line.value
        if record["kind"] == "run":
            started[record["run"]] = record["started"]
            build = record["build"]
            manifest["build"] |= {key: build.get(key) for key in ("compiler", "flags", "libraries")}
            manifest["build"]["driver"] = record["environment"].get("cuda_driver")
        elif record["kind"] in ("measurement", "component"):
            seeds.add(record["case"]["seed"])
            if record["status"] == "ok":
                times.setdefault(f"{name} {record['key']}", []).append(record)
    for records in times.values():
        records.sort(key=lambda record: started.get(record["run"], ""))  # newest last
    manifest["seeds"] = sorted(seeds)
    newest = {records[-1]["cell"]: records[-1] for records in times.values()}.values()
    manifest["cells"] = {"timed": len(newest), "disturbed": sum(r.get("disturbed", False) for r in newest)}
    manifest["again"] = [_again(records) for records in times.values() if len(records) > 1]
    manifest["files"] = {name: sha256(folder / name) for name in kept_files(folder)}
    manifest["ended"] = now()
    write_manifest(folder, manifest)
    write_whole(folder / README, readme(manifest))


def _pack(folder: Path, manifest: dict[str, Any]) -> None:
    """Compresses the files of records but for the validation's, to which `sortlab validate` can add. Not all bytes of a
    text are worth a place in every clone: ten of them take that of one."""
    for name in kept_files(folder):
        if name.endswith(".jsonl") and name != VALIDATION:
            write_whole(folder / f"{name}.gz", gzip.compress((folder / name).read_bytes(), mtime=0))
            (folder / name).unlink()
    for one in manifest["predictions"]:
        one["file"] = one["file"].removesuffix(".gz") + ".gz"


def _again(records: list[dict[str, Any]]) -> dict[str, Any]:
    """The entry of a cell that was measured more than once, with the reason that its earlier records give."""
    case, earlier = records[0]["case"], [r.get("disturbance") for r in records[:-1] if r.get("disturbed")]
    why = "; ".join(dict.fromkeys(str(one) for one in earlier))
    return {
        "cell": records[0]["cell"],
        "algorithm": case["algorithm"],
        "n": case["n"],
        "times": len(records),
        "why": why or "another sort of its input was disturbed, or was not measured yet",
    }
