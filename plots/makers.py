"""Finds what makes tables and figures: the modules of artifacts/, and artifact*.py in folders of algorithms and of
plug-ins.

A module makes artifacts if it has `ARTIFACTS`, a function of one machine's records by id. Where the id is a pattern
("CPU2026-*") the function returns a list of artifacts with such ids, perhaps an empty one; otherwise one artifact.
`PAPER`, of the module or of the package that it lies in, is the paper that they are of; `PLACE` orders its modules.
"""

from __future__ import annotations

import fnmatch
import importlib
import importlib.util
import math
import pkgutil
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Iterable, Iterator, Union

from . import artifacts
from .artifact import Artifact
from .jsonl import BadInput
from .records import Records


@dataclass(frozen=True)
class Maker:
    id: str  # of its artifact, or a pattern of several
    paper: str  # satish2010, or empty if they are of none
    place: float
    make: Callable[[Records], Union[Artifact, list[Artifact]]]

    def makes(self, id_: str) -> bool:
        return fnmatch.fnmatchcase(id_, self.id)

    def artifacts(self, records: Records) -> list[Artifact]:
        made = self.make(records)
        return made if isinstance(made, list) else [made]


def makers(folders: Iterable[Path] = ()) -> list[Maker]:
    """All makers, those of a paper one after the other. Raises BadInput for a file that is no such module."""
    found = [maker for module in _modules() for maker in _of(module, _paper(module))]
    for folder in folders:
        for file in sorted([*folder.glob("artifact*.py"), *folder.glob("artifacts/*.py")]):
            module = _load(file)
            found += _of(module, getattr(module, "PAPER", ""))
    return sorted(found, key=lambda maker: (not maker.paper, maker.paper, maker.place))


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(artifacts.__path__, f"{artifacts.__name__}."):
        yield importlib.import_module(found.name)


def _paper(module: ModuleType) -> str:
    package = importlib.import_module(module.__package__ or module.__name__)
    return getattr(module, "PAPER", getattr(package, "PAPER", ""))


def _of(module: ModuleType, paper: str) -> list[Maker]:
    made: dict[str, Any] = getattr(module, "ARTIFACTS", {})
    return [Maker(id_, paper, getattr(module, "PLACE", math.inf), make) for id_, make in made.items()]


def _load(file: Path) -> ModuleType:
    name = f"sortlab_{file.parent.name}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadInput(f"{file}: {type(error).__name__}: {error}") from error
    if not isinstance(getattr(module, "ARTIFACTS", None), dict):
        raise BadInput(f"{file}: ARTIFACTS must be a dict of functions by id (plots/makers.py)")
    return module
