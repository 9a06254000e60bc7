#!/usr/bin/env python3
"""Renders what `sortlab validate` wrote: python3 plots/validate.py --records FILE --out DIR (see --help)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from plots.commands.start import start  # noqa: E402

sys.exit(start("commands.validate", "validate.py"))
