#!/usr/bin/env python3
"""Renders what `sortlab validate` wrote: python3 plots/validate.py --records FILE --out DIR (see --help)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from plots.commands.validate import main  # noqa: E402

for stream in (sys.stdout, sys.stderr):
    stream.reconfigure(errors="backslashreplace")  # a terminal of few letters shows the others by number
sys.exit(main())
