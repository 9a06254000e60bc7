"""Starts a command with its libraries, or names in one line the library that is absent."""

from __future__ import annotations

import gc
import importlib
import importlib.abc
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, Optional, Sequence

from .streams import checked_output

# New objects between two searches for garbage. Records live until a command ends, and so do most objects of a figure: a
# page is drawn in a fifth less time than with Python's own 700, which looks at all records again and again.
_OBJECTS = 200_000

_FIGURES = Path(__file__).resolve().parents[1] / "figures"

# The packages that commands need, and Debian's packages of them; `sortlab doctor` asks for the same.
PACKAGES = {
    "fastjsonschema": "python3-fastjsonschema",
    "jinja2": "python3-jinja2",
    "markupsafe": "python3-markupsafe",
    "matplotlib": "python3-matplotlib",
    "numpy": "python3-numpy",
}


class _MatplotlibFinder(importlib.abc.MetaPathFinder):
    """Imports Matplotlib in the folder of figures, whose empty matplotlibrc it takes for the user's. One in the current
    folder that cannot be read would end the command."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Optional[ModuleSpec]:
        spec = PathFinder.find_spec(name, path, target) if name == "matplotlib" else None
        loader: Any = spec and spec.loader
        if loader is None:
            return None
        execute = loader.exec_module

        def exec_module(module: Any) -> None:
            here = os.open(".", os.O_RDONLY)
            os.chdir(_FIGURES)
            try:
                execute(module)
            finally:
                os.fchdir(here)
                os.close(here)

        loader.exec_module = exec_module
        return spec


def start(module: str, name: str, arguments: Optional[Sequence[str]] = None) -> int:
    """Runs main(arguments) of a module of this package and returns its exit status; 2 if a library is absent or cannot
    be loaded."""
    if sys.flags.optimize > 1:
        print(f"{name}: needs docstrings, which hold the sentences of claims: unset PYTHONOPTIMIZE", file=sys.stderr)
        return 2
    os.environ["MPLBACKEND"] = "Agg"  # figures go to files: a user's own choice may need a display
    if not any(isinstance(finder, _MatplotlibFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _MatplotlibFinder())
    gc.set_threshold(_OBJECTS, 20, 100)
    try:
        main = importlib.import_module(f"{__name__.partition('.')[0]}.{module}").main
        status: int = main(arguments)
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in PACKAGES:
            raise
        print(f"{name}: needs {library}, which is not installed here ({PACKAGES[library]})", file=sys.stderr)
        return 2
    except ImportError as error:  # one that was built for another Python or another NumPy, say
        library = (error.name or "").partition(".")[0]
        if library not in PACKAGES:
            raise
        reason = " ".join(str(error).split())[:200]
        print(f"{name}: needs {library}, which cannot be loaded here: {reason}", file=sys.stderr)
        return 2
    return status


def run(module: str, name: str, arguments: Optional[Sequence[str]] = None) -> int:
    """As start, for a process of its own: with open standard streams, whose output is all written."""
    return checked_output(name, lambda: start(module, name, arguments))
