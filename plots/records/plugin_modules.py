"""Imports Python files from folders outside the package: artifacts and claims of algorithms and of plug-ins."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, Optional

from .jsonl import BadInput

_PACKAGE = __name__.split(".")[0]  # plots in a checkout, sortlab where pip installed it


class _Plots(MetaPathFinder, Loader):
    """Finds this package for a plug-in's `from plots.… import …` under the name that it is installed by."""

    def __init__(self) -> None:
        self._specs: dict[str, Optional[ModuleSpec]] = {}  # original specs, which loading under another name replaces

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        return ModuleSpec(name, self) if f"{name}.".startswith("plots.") else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(f"{_PACKAGE}{spec.name.removeprefix('plots')}")
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = self._specs[module.__spec__.name]


def load(file: Path, name: str, kind: type, words: str) -> ModuleType:
    """Imports the module in a file. Raises BadInput if that fails or the module has no constant `name` of this kind.

    `words` describes the constant.
    """
    if _PACKAGE != "plots" and "plots" not in sys.modules:
        sys.meta_path.insert(0, _Plots())
        importlib.import_module("plots")
    spec = importlib.util.spec_from_file_location(f"sortlab_{file.parent.name}_{file.stem}", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadInput(f"{file}: {type(error).__name__}: {error}") from error
    if not isinstance(getattr(module, name, None), kind):
        raise BadInput(f"{file}: {name} must be {words}")
    return module
