"""JSON lines from anyone: torn last lines left out, wrong fields named by file, line and path."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any


class BadInput(Exception):
    """What a user gave cannot be used; one line that names the field and what is allowed."""


class Node:
    """A JSON object and where it stands, so that a wrong field is named by file, line and path."""

    def __init__(self, value: dict[str, Any], where: str) -> None:
        self.value, self.where = value, where

    def _typed(self, name: str, kind: type | tuple[type, ...], words: str, optional: bool) -> Any:
        found = self.value.get(name)
        if found is None and optional:
            return None
        wrong = not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool)
        if wrong or (isinstance(found, float) and not math.isfinite(found)):
            raise BadInput(f"{self.where}: {name} must be {words}")
        return found

    def text(self, name: str, optional: bool = False) -> Any:
        return self._typed(name, str, "a string", optional)

    def number(self, name: str, optional: bool = False) -> Any:
        return self._typed(name, (int, float), "a finite number", optional)

    def integer(self, name: str, optional: bool = False) -> Any:
        return self._typed(name, int, "an integer", optional)

    def flag(self, name: str, optional: bool = False) -> Any:
        return bool(self._typed(name, bool, "true or false", optional))

    def object(self, name: str, optional: bool = False) -> "Node":
        return Node(self._typed(name, dict, "an object", optional) or {}, f"{self.where}: {name}")

    def objects(self, name: str, optional: bool = False) -> list["Node"]:
        items = self._typed(name, list, "a list of objects", optional) or []
        if not all(isinstance(item, dict) for item in items):
            raise BadInput(f"{self.where}: {name} must be a list of objects")
        return [Node(item, f"{self.where}: {name}[{i}]") for i, item in enumerate(items)]

    def numbers(self, name: str, optional: bool = False) -> list[float]:
        items = self._typed(name, list, "a list of numbers", optional) or []
        if not all(isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x) for x in items):
            raise BadInput(f"{self.where}: {name} must be a list of finite numbers")
        return items


def complete_lines(path: Path, torn: list[str]) -> list[tuple[int, str]]:
    """Numbered non-empty lines; a last line without its end that does not parse was torn by a kill and is left out."""
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise BadInput(f"--records {path}: no such file") from None
    except IsADirectoryError:
        raise BadInput(f"--records {path}: is a folder; a file of JSON lines is wanted") from None
    except UnicodeDecodeError as error:
        cut = path.read_bytes()
        if error.start < cut.rfind(b"\n") + 1:
            raise BadInput(f"--records {path}: not text in UTF-8; a file of JSON lines is wanted") from None
        torn.append(str(path))  # cut in the middle of a character
        text = cut[: cut.rfind(b"\n") + 1].decode("utf-8")
    lines = text.split("\n")
    last = lines.pop()
    if last.strip():
        try:
            json.loads(last)
            lines.append(last)
        except ValueError:
            torn.append(str(path))
    return [(i, line) for i, line in enumerate(lines, 1) if line.strip()]
