"""Tables and figures of kept records that stand in where this machine has none."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Sequence

from ..analysis import provenance
from ..figures.artifact import Artifact
from ..records import profile
from ..records.bounds import clean
from ..records.collection import Records, read
from ..records.folders import PUBLISHED, visible_files
from ..records.jsonl import BadInput, holds_lines
from ..report.absent import Absent, Kept


def kept_figures(
    folders: Sequence[Path], wanted: Sequence[Absent], make: Callable[[Records, str], list[Artifact]]
) -> list[Kept]:
    """Takes from each folder in turn what is still wanted; `make` builds the artifacts of an id, or of a pattern.

    Raises BadInput for a folder without records.
    """
    missing, found = [one.id for one in wanted], []
    for folder in folders:
        if not missing:
            break
        records = _records(folder)
        made = {id_: [a for a in make(records, id_) if a.is_measured] for id_ in missing}
        artifacts = [artifact for of in made.values() for artifact in of]
        if artifacts:
            machine = provenance.machine_text(records)
            devices = _devices(records)
            found.append(Kept(devices or machine, f"{devices}, {machine}" if devices else machine, artifacts))
        missing = [id_ for id_ in missing if not made[id_]]
    return found


def _records(folder: Path) -> Records:
    files = [file for file in visible_files(folder, "*") if holds_lines(file)]
    if not files:
        raise BadInput(f"--kept {clean(str(folder))}: must be a folder with records, *.jsonl")
    everything = read([*files, *visible_files(PUBLISHED, "*.jsonl")])
    for file in folder.glob("profile.json"):
        everything.read_bytes_per_s |= profile.read_bandwidth(file)
        everything.copy_bytes_per_s |= profile.device_copy_bandwidth(file)
    return everything.on(everything.machine_of_choice())


def _devices(records: Records) -> str:
    return ", ".join(sorted({m.device for m in (*records.measurements, *records.components) if m.ok and m.device}))
