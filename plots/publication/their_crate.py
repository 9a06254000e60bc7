"""A colleague's crate: its files of records and profiles, as its metadata names them, their digests checked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Optional, Sequence

from ..records.bounds import clean
from ..records.jsonl import BadInput, Node, document, holds_lines, opened

METADATA = "ro-crate-metadata.json"
_CHUNK = 1 << 20


@dataclass(frozen=True)
class TheirCrate:
    name: str
    records: Sequence[Path]
    profiles: Sequence[Path]
    unchecked: int  # files without a digest


def their_crate(folder: Path) -> TheirCrate:
    """Reads the metadata of an unpacked crate. Raises BadInput, also for a file that has changed since."""
    if not folder.is_dir():
        raise BadInput(f"{clean(str(folder))}: must be the folder of an unpacked crate, which holds {METADATA}")
    metadata = document(folder / METADATA, "", "the metadata of an RO-Crate is wanted")
    by_id = {str(entity.value.get("@id")): entity for entity in metadata.objects("@graph")}
    root = by_id.get("./")
    if root is None:
        raise BadInput(f"{metadata.where}: @graph: the root data entity ./ is missing")
    files = [by_id[id_] for id_ in _parts(root) if id_ in by_id and _is_file(by_id[id_])]
    records: list[Path] = []
    profiles: list[Path] = []
    unchecked = 0
    for entity in files:
        id_ = entity.text("@id")
        into = records if holds_lines(Path(id_)) else profiles if id_.endswith(".json") else None
        if into is None:
            continue
        file = _inside(folder, id_, metadata.where)
        digest = entity.text("sha256", optional=True)
        unchecked += digest is None
        if digest is not None and _sha256(file) != digest:
            raise BadInput(f"{clean(str(file))}: its SHA-256 is not the one in {METADATA}: the file has changed")
        into.append(file)
    if not records:
        raise BadInput(f"{metadata.where}: names no file of records, *.jsonl")
    name = root.prose("name", optional=True) or folder.name
    return TheirCrate(clean(str(name)), records, profiles, unchecked)


def _parts(root: Node) -> list[str]:
    """Ids of the root's parts, of which a list of one may be given as the value itself."""
    parts: Any = root.value.get("hasPart", [])
    parts = parts if isinstance(parts, list) else [parts]
    return [str(part.get("@id")) for part in parts if isinstance(part, dict)]


def _is_file(entity: Node) -> bool:
    kinds = entity.value.get("@type")
    return "File" in (kinds if isinstance(kinds, list) else [kinds])


def _inside(folder: Path, id_: str, where: str) -> Path:
    """The file of a part. Raises BadInput for one that does not lie in the crate."""
    place = PurePosixPath(id_)
    inside = not place.is_absolute() and ".." not in place.parts and ":" not in id_ and "\\" not in id_
    file = folder / id_
    resolved: Optional[Path] = None
    try:
        resolved = file.resolve()
    except (OSError, RuntimeError, ValueError):
        pass
    if not inside or resolved is None or folder.resolve() not in resolved.parents:
        raise BadInput(f"{where}: {clean(id_)} must be a path inside the crate")
    return file


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with opened(file, "", "a file of the crate is wanted") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
