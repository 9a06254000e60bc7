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
import sys
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Iterable, Iterator, Optional, Union

from .. import artifacts
from ..figures.artifact import Artifact
from ..records.jsonl import BadInput
from ..records.collection import Records

_PACKAGE = __name__.split(".")[0]  # plots in a checkout, sortlab where pip installed it


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
    """All makers, those of a paper one after the other. Raises BadInput for a file that is not such a module."""
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


class _Plots(MetaPathFinder, Loader):
    """Finds this package for a plug-in's `from plots.… import …` under the name that it is installed by."""

    def __init__(self) -> None:
        self._specs: dict[str, Optional[ModuleSpec]] = {}  # as they were: loading under another name replaces them

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        return ModuleSpec(name, self) if f"{name}.".startswith("plots.") else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(f"{_PACKAGE}{spec.name.removeprefix('plots')}")
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = self._specs[module.__spec__.name]


def _load(file: Path) -> ModuleType:
    if _PACKAGE != "plots" and "plots" not in sys.modules:
        sys.meta_path.insert(0, _Plots())
        importlib.import_module("plots")
    name = f"sortlab_{file.parent.name}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadInput(f"{file}: {type(error).__name__}: {error}") from error
    if not isinstance(getattr(module, "ARTIFACTS", None), dict):
        raise BadInput(f"{file}: ARTIFACTS must be a dict of functions by id (plots/artifacts/discovery.py)")
    return module
