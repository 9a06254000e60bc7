"""Limits on foreign input that no schema states: its size, and the characters of its texts.

Every text passes `cleaned` once, on its way in, so that each output (page, SVG, PNG, CSV, LaTeX, terminal) may rely on
it. The limits of names, texts and numbers are the schema's (schema.py).
"""

from __future__ import annotations

import unicodedata
from typing import Any

LINE_BYTES = 1 << 26  # limit of a line, as in core/parse_json.hpp; a million samples take a quarter of it
DOCUMENT_BYTES = 1 << 26
PIPE_BYTES = 1 << 29  # a pipe may have no end; as in harness/record/record_reader.cpp
PIPE_LINES = 10_000  # lines of a pipe, one after the other, that are no records: more are not waited for

_JOINERS = "\u200c\u200d"  # join letters in Persian and Hindi, and emoji


def clean(text: str) -> str:
    """Text that shows all that is in it: line breaks and tabs as spaces; control characters, turns of the writing's
    direction, lone surrogates and noncharacters as \\x1b, \\u202e, \\udc80."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(c: str) -> str:
    if c.isprintable() or c in _JOINERS or unicodedata.category(c) == "Zs":
        return c
    return " " if c in "\t\n\r" else c.encode("unicode_escape").decode("ascii")


def cleaned(value: Any) -> Any:
    """The value with clean names and texts."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(name): cleaned(item) for name, item in value.items()}
    return [cleaned(item) for item in value] if isinstance(value, list) else value
