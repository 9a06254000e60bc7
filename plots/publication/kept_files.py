"""Files that go into a crate: where each lies there, its bytes, and what its records say of their origin."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable, Sequence

from ..records.bounds import clean
from ..records.collection import profile_files, record_files
from ..records.command_words import content, personal
from ..records.jsonl import BadInput, document, lines


@dataclass(frozen=True)
class KeptFile:
    """A file of records, or a machine profile."""

    place: str  # path in the crate, with slashes
    content: bytes = field(repr=False)
    kinds: dict[str, int] = field(hash=False)  # number of records by kind; empty for a profile
    runs: tuple[str, ...] = ()  # runs that measured something in it
    models: tuple[str, ...] = ()  # digests of the models that predicted something in it
    profile: str = ""  # machine of a profile

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def kept_files(given: Sequence[Path], profiles: Sequence[Path], shorten: bool) -> list[KeptFile]:
    """The records and profiles of files and folders; of a folder both. Raises BadInput where a command names a place
    on somebody's machine, unless `shorten` writes its last part alone, and where two files would lie at one place."""
    placed: dict[str, Path] = {}
    for path in given:
        inside = path.resolve().name if path.is_dir() and len(given) > 1 else ""
        found = [*record_files(path), *(profile_files(path) if path.is_dir() else ())]
        for file in found:
            _place(placed, "/".join(filter(None, ("records", inside, _relative(file, path)))), file)
    for file in profiles:
        if file.resolve() not in {known.resolve() for known in placed.values()}:
            _place(placed, f"records/{file.name}", file)
    return [
        _profile(place, file) if file.suffix == ".json" else _records(place, file, shorten)
        for place, file in sorted(placed.items())
    ]


def _relative(file: Path, of: Path) -> str:
    # Records go into a crate as text.
    return (file.relative_to(of).as_posix() if of.is_dir() else file.name).removesuffix(".gz")


def _place(placed: dict[str, Path], place: str, file: Path) -> None:
    if place in placed and placed[place].resolve() != file.resolve():
        raise BadInput(f"{clean(str(file))}: another file is named {clean(file.name)}; give their folders instead")
    placed[place] = file


def _profile(place: str, file: Path) -> KeptFile:
    id_ = document(file, "--profile", "a machine profile is wanted").text("id")
    return KeptFile(place, file.read_bytes(), {}, profile=id_)


def _records(place: str, file: Path, shorten: bool) -> KeptFile:
    kinds: Counter[str] = Counter()
    runs: dict[str, None] = {}
    models: dict[str, None] = {}
    for line in lines(file, [], []):
        kind = line.value.get("kind")
        kinds[str(kind)] += 1
        if kind == "run" and not shorten:
            word = next((w for w in _words(line.value.get("asked")) if personal(w)), None)
            if word is not None:
                raise BadInput(f"{line.where}: the command names {word}; --shorten-paths writes its last part alone")
        elif kind in ("measurement", "component", "count"):
            runs[str(line.value.get("run"))] = None
        elif kind == "prediction":
            models[str(line.value.get("model_digest"))] = None
    return KeptFile(place, content(file, shorten), dict(kinds), tuple(runs), tuple(models))


def _words(asked: object) -> Iterable[str]:
    command = asked.get("command") if isinstance(asked, dict) else None
    return [word for word in command if isinstance(word, str)] if isinstance(command, list) else []


def contents_text(kinds: dict[str, int]) -> str:
    """The contents of a file: "10 runs, 566 measurements"."""
    return ", ".join(f"{count} {kind}{'s' if count != 1 else ''}" for kind, count in sorted(kinds.items()))
