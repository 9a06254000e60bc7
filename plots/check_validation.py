#!/usr/bin/env python3
"""Checks what `sortlab validate` wrote, and renders its page.

python3 plots/check_validation.py --records FILE --out DIR (see --help)
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from plots.commands.start import run  # noqa: E402

sys.exit(run("commands.check_validation", "check_validation.py"))
