#!/usr/bin/env python3
"""Builds the explorer of results: python3 plots/explore.py --records FILE… --out FOLDER (see --help)."""

import importlib
import sys
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent
if not __package__:  # called by its path: the package is the folder it lies in
    sys.path.insert(0, str(_FOLDER.parent))
_PACKAGE = __package__ or _FOLDER.name

if __name__ == "__main__":
    sys.exit(importlib.import_module(f"{_PACKAGE}.commands.start").run("explorer.command", "explore.py"))
