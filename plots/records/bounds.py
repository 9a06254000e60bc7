"""Limits on foreign input: depth, length, size and characters.

Every JSON value passes `bounded` once, on its way in, so that each output (page, SVG, PNG, CSV, LaTeX, terminal) may
rely on these limits.
"""

from __future__ import annotations

import unicodedata
from typing import Any

DEPTH = 64  # levels of objects and lists
LINE_BYTES = 1 << 20  # the longest line of records kept has 47 kB
DOCUMENT_BYTES = 1 << 26
NAME, TEXT = 256, 4096  # characters, of what identifies something and of anything else
LEAST, MOST = 1e-30, 1e30  # magnitude of a number; ratios and products of two are still numbers

_JOINERS = "\u200c\u200d"  # of letters in Persian and Hindi, and of emoji


def clean(text: str) -> str:
    """Text that shows all that is in it: line breaks and tabs as spaces; control characters, turns of the writing's
    direction, lone surrogates and noncharacters as \\x1b, \\u202e, \\udc80."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(c: str) -> str:
    if c.isprintable() or c in _JOINERS or unicodedata.category(c) == "Zs":
        return c
    return " " if c in "\t\n\r" else c.encode("unicode_escape").decode("ascii")


def bounded(value: Any, depth: int = 0) -> Any:
    """The value with its strings cleaned. Raises ValueError that names the member and what is allowed."""
    kind = type(value)
    if kind is str:
        return _text(value, TEXT)
    if kind is float or kind is int:
        if value and not LEAST <= abs(value) <= MOST:
            raise ValueError(f" must be a finite number: 0, or from {LEAST:g} to {MOST:g} in magnitude")
    elif kind is dict or kind is list:
        if depth == DEPTH:
            raise ValueError(f" must not be nested deeper than {DEPTH} levels")
        made: Any = {} if kind is dict else [None] * len(value)
        for name, item in value.items() if kind is dict else enumerate(value):
            try:
                if kind is dict:
                    name = _text(name, NAME)
                made[name] = bounded(item, depth + 1)
            except ValueError as error:
                # Of a deep nest the outermost members are enough to find it.
                message = str(error)
                here = (name if len(name) <= NAME else "a name") if kind is dict else f"[{name}]"
                joint = "" if message.startswith((" ", "[")) else ": "
                raise ValueError(message if depth > 8 else f"{clean(here)}{joint}{message}") from None
    return value if kind is not dict and kind is not list else made


def _text(text: str, most: int) -> str:
    text = clean(text)
    if len(text) > most:
        raise ValueError(f" must be at most {most} characters long")
    return text
