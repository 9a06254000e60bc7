"""Holds a campaign's folder to its manifest: one commit, whole files, records that something reads, proven order."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path
from typing import Any, Iterator, Optional

from ..commands.check_validation import read as read_validation
from ..records import profile
from ..records.jsonl import BadInput, Line, content, document, holds_lines, lines
from ..records.schema import record_fault
from ..records.trail import blind
from ..records.whole_file import write_whole
from .manifest import README, VALIDATION, kept_files, read_manifest, sha256, write_manifest
from .program import OWN_ROOT, Program
from .readme import readme

_MEASURED = ("measurement", "component", "count")
_READ = ("run", "algorithm", *_MEASURED, "prediction")
_SHOWN = 3  # faults of one kind and file that are named one by one


def faults(folder: Path, program: Optional[Program] = None) -> list[str]:
    """A line for each fault; none if the folder is what its manifest says. With the build at hand, also the sorts that
    have changed since without a mark. Raises BadInput for a folder without a manifest that can be read."""
    manifest = read_manifest(folder)
    if manifest["ended"] is None or (folder / OWN_ROOT).exists():
        return [f"{folder}: the campaign has not ended; `sortlab campaign run` goes on with it"]
    found = [*_files(folder, manifest), *_steps(folder, manifest), *_profile(folder, manifest)]
    for name in manifest["files"]:
        if holds_lines(Path(name)) and (folder / name).is_file():
            found += _first(list(_records(folder / name, name, manifest)))
    found += _validation(folder, manifest)
    if program:
        unmarked = sorted(set(changed_sorts(folder, manifest, program)) - set(manifest["changed_since"]))
        found += [f"{name}: has changed since it was measured, and is not marked" for name in unmarked]
    return found


def mark(folder: Path, program: Program) -> None:
    """Names in manifest and README the sorts that have changed since. Raises BadInput."""
    manifest = read_manifest(folder)
    manifest["changed_since"] = changed_sorts(folder, manifest, program)
    write_manifest(folder, manifest)
    write_whole(folder / README, readme(manifest))


def changed_sorts(folder: Path, manifest: dict[str, Any], program: Program) -> list[str]:
    """The sorts measured here whose object code in the build at hand is another. Raises BadInput for the build of
    another compiler, which says nothing of them."""
    made_by = f"{manifest['build']['compiler']} {manifest['build']['flags'] or ''}".strip()
    here = program.findings()["build"]["detail"]
    if not here.endswith(made_by):
        raise BadInput(f"--program: must be built as the campaign's, by {made_by}; it is {here}")
    at_hand = {a["name"]: a["build"] for a in program.sorts()}
    measured = set()
    for name in manifest["files"]:
        for line in lines(folder / name, [], []) if holds_lines(Path(name)) else ():
            if line.value.get("kind") in _MEASURED:
                measured.add(line.value["case"]["algorithm"])
    return sorted(
        name for name in measured if at_hand.get(name) != manifest["build"]["sorts"].get(name, {}).get("build")
    )


def _first(found: list[str]) -> list[str]:
    more = len(found) - _SHOWN
    return [*found[:_SHOWN], f"and {more} more in the same file"] if more > 0 else found


def _files(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    there, listed = set(kept_files(folder)), manifest["files"]
    for name in sorted(listed.keys() - there):
        yield f"{name}: is not there"
    for name in sorted(there - listed.keys()):
        yield f"{name}: the manifest does not list it"
    for name in sorted(there & listed.keys()):
        if sha256(folder / name) != listed[name]:
            yield f"{name}: its SHA-256 is not that of the manifest"
    made = _made_by_steps(manifest)
    for name in sorted(name for name in listed if name.removesuffix(".gz") not in made):
        yield f"{name}: no step of the campaign makes it, and no page reads it"
    try:
        same = (folder / README).read_text(encoding="utf-8") == readme(manifest)
    except OSError:
        same = False
    if not same:
        yield f"{README}: is not what the manifest makes"


def _content_sha256(file: Path) -> Optional[str]:
    """Digest of the text that gzip has compressed; None where it cannot be read, which is another fault."""
    try:
        return hashlib.sha256(content(file)).hexdigest()
    except (OSError, EOFError, zlib.error):
        return None


def _made_by_steps(manifest: dict[str, Any]) -> set[str]:
    made = {"profile.json"}
    for step in manifest["steps"]:
        name = step["name"]
        made |= {
            "validate": {"validation/profile.json", VALIDATION},
            "measure": {f"configs/{name}.json", f"{name}.jsonl", f"{name}.predictions.jsonl"},
            "count": {f"{name}.counts.jsonl"},
            "repeat": {f"configs/{name}.json", f"aa/{name}.first.jsonl", f"aa/{name}.second.jsonl"},
        }.get(step["does"], set())
    return made


def _steps(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    predicted = {one["config"]: one for one in manifest["predictions"]}
    for step in manifest["steps"]:
        name = step["name"]
        if step["state"] != "done" and step["does"] != "count":  # a tool that counts may be absent
            yield f"step {name}: {step['state']}; {step['note']}"
        if step["does"] in ("measure", "count") and not step["read_by"]:
            yield f"step {name}: no artifact and no claim reads it"
        if step["does"] == "measure" and manifest["profile"] and not set(step["measured_as"]) & predicted.keys():
            yield f"step {name}: measured without predictions, though there was a profile"
    for config, one in predicted.items():
        if not config.endswith(f"-{one['sha256'][:16]}") or one["sha256"] != _content_sha256(folder / one["file"]):
            yield f"{one['file']}: its runs are not called after it, so that it may be younger than they"


def _profile(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    made = manifest["profile"]
    if made is None:
        return
    if manifest["files"].get(made["file"]) != made["sha256"]:
        yield f"{made['file']}: is not the profile that the calibration made"
    try:
        source = str(document(folder / made["file"], "", "a machine profile is wanted").value.get("source", ""))
    except BadInput as error:
        yield str(error)
        return
    if manifest["commit"] not in source:
        yield f"{made['file']}: is of another commit: {source[:200]}"


def _records(file: Path, name: str, manifest: dict[str, Any]) -> Iterator[str]:
    """The faults of one file of records, in the order of its lines."""
    torn: list[str] = []
    refused: list[str] = []
    runs: set[str] = set()
    predicted = {one["config"]: one for one in manifest["predictions"]}
    known = {config for step in manifest["steps"] for config in step["measured_as"]}
    for line in lines(file, torn, refused):
        record = line.value
        fault, kind = record_fault(record), record.get("kind")
        if fault:
            yield f"{line.where}: {fault}"
        elif kind == "run":
            runs.add(record["run"])
            yield from _run(line, manifest)
            config = record["asked"]["config"]
            if config in predicted and record["started"] < predicted[config]["time"]:
                yield f"{line.where}: began before its predictions were made, at {predicted[config]['time']}"
            if name != VALIDATION and config not in known:
                yield f"{line.where}: of config {config}, which no step of the campaign has"
        elif kind in _MEASURED:
            yield from _measured(line, runs, manifest)
        elif kind not in _READ and name != VALIDATION:
            yield f"{line.where}: no page of a campaign reads a record of kind {kind}"
    yield from refused
    yield from (f"{one}: its last line is torn" for one in torn)


def _run(line: Line, manifest: dict[str, Any]) -> Iterator[str]:
    build, machine = line.value["build"], line.value["machine"]["id"]
    if build.get("commit") != manifest["commit"]:
        yield f"{line.where}: a run of commit {build.get('commit')}, and the campaign is of {manifest['commit']}"
    if build.get("dirty") is not False:
        yield f"{line.where}: a run of a build with changes that no commit has"
    if machine != manifest["machine"]["id"]:
        yield f"{line.where}: a run on {machine}, and the campaign is of {manifest['machine']['id']}"


def _measured(line: Line, runs: set[str], manifest: dict[str, Any]) -> Iterator[str]:
    record = line.value
    algorithm, build = record["case"]["algorithm"], record["case"].get("build")
    if record["run"] not in runs:
        yield f"{line.where}: under no header of its run {record['run']}"
    if record["status"] == "ok" and build != manifest["build"]["sorts"].get(algorithm, {}).get("build"):
        yield f"{line.where}: {algorithm} of build {build}, which is not the campaign's"


def _validation(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    if not any(step["does"] == "validate" for step in manifest["steps"]):
        return
    try:
        _, trail = read_validation(folder / VALIDATION)
        names = profile.by_sha256([folder / "validation/profile.json"])
    except BadInput as error:
        yield str(error)
        return
    if not blind(trail.checks(names)):
        yield f"{VALIDATION}: does not show that its predictions came before the measurements"
    if trail.validation and trail.validation.build.get("commit") != manifest["commit"]:
        yield f"{VALIDATION}: is of another commit"
