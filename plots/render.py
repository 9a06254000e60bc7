#!/usr/bin/env python3
"""Renders records: python3 plots/render.py --records FILE… --out report (see --help)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from plots.commands.start import run  # noqa: E402

sys.exit(run("commands.render", "render.py"))
