"""Finds the builders of tables and figures: the modules of artifacts/, and artifact*.py in folders of algorithms and
of plug-ins.

A module builds artifacts if it has `ARTIFACTS`, a dict of functions of one machine's records by artifact id. If the id
is a pattern ("CPU2026-*"), the function returns a list of artifacts with such ids, which may be empty; otherwise it
returns one artifact. `PAPER`, in the module or its package, names the paper; `PLACE` orders the modules of a paper.
`TITLE` names the artifacts of a pattern where there are none, and `COMMAND` makes their records, if no config does.
"""

from __future__ import annotations

import fnmatch
import importlib
import math
import pkgutil
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Iterable, Iterator, Union

from .. import artifacts
from ..figures.artifact import Artifact
from ..records.collection import Records
from ..records.plugin_modules import load


@dataclass(frozen=True)
class Builder:
    """A function that builds artifacts from records."""

    id: str  # id of its artifact, or a pattern of ids
    paper: str  # satish2010; empty if the artifacts belong to no paper
    place: float
    make: Callable[[Records], Union[Artifact, list[Artifact]]]
    title: str = ""  # name of the artifacts of a pattern
    command: str = ""  # makes their records, if no config does

    def builds(self, id_: str) -> bool:
        return fnmatch.fnmatchcase(id_, self.id)

    def artifacts(self, records: Records) -> list[Artifact]:
        made = self.make(records)
        return made if isinstance(made, list) else [made]


def find_builders(folders: Iterable[Path] = ()) -> list[Builder]:
    """All builders, grouped by paper. Raises BadInput for a file that is no such module."""
    found = [builder for module in _modules() for builder in _builders(module, _paper(module))]
    for folder in folders:
        for file in sorted([*folder.glob("artifact*.py"), *folder.glob("artifacts/*.py")]):
            module = load(file, "ARTIFACTS", dict, "a dict of functions by id (plots/artifacts/discovery.py)")
            found += _builders(module, getattr(module, "PAPER", ""))
    return sorted(found, key=lambda builder: (not builder.paper, builder.paper, builder.place))


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(artifacts.__path__, f"{artifacts.__name__}."):
        yield importlib.import_module(found.name)


def _paper(module: ModuleType) -> str:
    package = importlib.import_module(module.__package__ or module.__name__)
    return getattr(module, "PAPER", getattr(package, "PAPER", ""))


def _builders(module: ModuleType, paper: str) -> list[Builder]:
    made: dict[str, Any] = getattr(module, "ARTIFACTS", {})
    place, title, command = (getattr(module, name, default) for name, default in _FACTS.items())
    return [Builder(id_, paper, place, make, title, command) for id_, make in made.items()]


_FACTS: dict[str, Any] = {"PLACE": math.inf, "TITLE": "", "COMMAND": ""}
