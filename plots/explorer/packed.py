"""Data for the site as scripts: JSON that calls functions of page/data.js, and texts compressed for them.

A page that is opened from a folder may load scripts and nothing else, so that all data are calls of functions. Their
arguments are JSON in ASCII without `<`, which cannot end a script. Compressed texts are gzip in Base64.
"""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

LINES_A_FILE = 1000  # original records in one script, which is loaded on request


def script(function: str, *arguments: Any) -> str:
    """A script that calls one of data.js's functions with JSON."""
    written = (json.dumps(argument, separators=(",", ":")).replace("<", "\\u003c") for argument in arguments)
    return f"sortlab.{function}({','.join(written)});\n"


def packed(kind: str, file: str, part: int, text: str) -> str:
    """A script with a compressed text: the `part`-th of a machine's file, of kind `machine` or `records`."""
    return script(
        "packed", kind, file, part, base64.b64encode(gzip.compress(text.encode("utf-8"), 9, mtime=0)).decode()
    )
