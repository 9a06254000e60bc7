"""Starts a command with its libraries, or names in one line the library that is absent."""

from __future__ import annotations

import importlib
import sys
from typing import Optional, Sequence

from .options import escape_unknown_letters

PACKAGES = {
    "jinja2": "python3-jinja2",
    "markupsafe": "python3-markupsafe",
    "matplotlib": "python3-matplotlib",
    "numpy": "python3-numpy",
}


def start(module: str, name: str, arguments: Optional[Sequence[str]] = None) -> int:
    """Runs main(arguments) of a module of this package and returns its exit status; 2 if a library is absent."""
    escape_unknown_letters()
    try:
        main = importlib.import_module(f"{__name__.partition('.')[0]}.{module}").main
    except ModuleNotFoundError as error:
        if error.name not in PACKAGES:
            raise
        print(f"{name}: needs {error.name}, which is not installed here ({PACKAGES[error.name]})", file=sys.stderr)
        return 2
    status: int = main(arguments)
    return status
