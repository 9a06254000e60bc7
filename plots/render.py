#!/usr/bin/env python3
"""Renders records: python3 plots/render.py --records FILE… --out report (see --help)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from plots.commands.options import escape_unknown_letters  # noqa: E402
from plots.commands.render import main  # noqa: E402

escape_unknown_letters()
sys.exit(main())
