#!/usr/bin/env python3
"""Renders records: python3 plots/render.py --records FILE… --out report (see --help)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from plots.commands.render import main  # noqa: E402

for stream in (sys.stdout, sys.stderr):
    stream.reconfigure(errors="backslashreplace")  # a terminal of few letters shows the others by number
sys.exit(main())
