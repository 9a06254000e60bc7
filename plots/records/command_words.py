"""Words of recorded commands that name a place on somebody's machine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from . import jsonl

_ABSOLUTE = re.compile(r"(?:^|=)(?:[/~]|[A-Za-z]:[\\/])")
HOME = re.compile(r"(?:/home/|/Users/|[A-Za-z]:\\+Users\\+)[^/\\\s\"']+|/root/")


def personal(word: str) -> bool:
    """True if a word of a command names a place on somebody's machine."""
    return _ABSOLUTE.search(word) is not None or HOME.search(word) is not None


def shortened(word: str) -> str:
    """A path from configs/ or results/ on, else its last part; any other word unchanged."""
    option, joint, path = word.rpartition("=")
    if not personal(word):
        return word
    parts = [part for part in re.split(r"[/\\]+", path) if part and part != "~"]
    start = next((i for i, part in enumerate(parts) if part in ("configs", "results")), len(parts) - 1)
    return option + joint + "/".join(parts[start:])


def content(file: Path, shorten: bool) -> bytes:
    """The file's bytes, unpacked; if asked for, with the commands of its runs shortened and nothing else changed."""
    whole = jsonl.content(file)
    if not shorten:
        return whole
    made = []
    for line in whole.splitlines(keepends=True):
        record: Any = json.loads(line) if b'"asked"' in line else {}
        command = record.get("asked", {}).get("command")
        if command and any(map(personal, command)):
            record["asked"]["command"] = [shortened(word) for word in command]
            line = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        made.append(line)
    return b"".join(made)
