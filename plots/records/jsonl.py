"""JSON from anyone: the one way in. Torn last lines are left out, wrong fields named by file, line and path. A Node
reads documents that have no schema."""

from __future__ import annotations

import gzip
import json
import math
import os
import re
import stat
import zlib
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Sequence

from .bounds import DOCUMENT_BYTES, LINE_BYTES, PIPE_BYTES, PIPE_LINES, clean, cleaned
from .schema import DEPTH, LEAST, MOST, NAME, TEXT, levels

_WHOLE = (1 << 64) - 1


class BadInput(Exception):
    """Input that cannot be used; the message is one line that names the field and the allowed values."""


class Node:
    """A JSON object with its place, so that a wrong field is named by file, line and path."""

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

    def text(self, name: str, optional: bool = False, most: int = NAME) -> Any:
        found = self._typed(name, str, "a string", optional)
        if found is not None and len(found) > most:
            raise BadInput(f"{self.where}: {name} must be at most {most} characters long")
        return found

    def prose(self, name: str, optional: bool = False) -> Any:
        """Free text, in contrast to a name."""
        return self.text(name, optional, TEXT)

    def choice(self, name: str, allowed: Sequence[str], optional: bool = False) -> Any:
        found = self.text(name, optional)
        if found is not None and found not in allowed:
            raise BadInput(f"{self.where}: {name} must be one of {', '.join(allowed)}")
        return found

    def number(self, name: str, optional: bool = False, least: float = -math.inf) -> Any:
        found = self._typed(name, (int, float), "a finite number", optional)
        if found and not LEAST <= abs(found) <= MOST:
            words = f"a finite number: 0, or from {LEAST:g} to {MOST:g} in magnitude"
            raise BadInput(f"{self.where}: {name} must be {words}")
        if found is not None and found < least:
            raise BadInput(f"{self.where}: {name} must be a finite number of at least {least:g}")
        return found

    def integer(self, name: str, optional: bool = False, least: int = 0, most: int = _WHOLE) -> Any:
        words = f"an integer from {least} to {most}"
        found = self._typed(name, int, words, optional)
        if found is not None and not least <= found <= most:
            raise BadInput(f"{self.where}: {name} must be {words}")
        return found

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

    def texts(self, name: str, optional: bool = False) -> list[str]:
        items = self._typed(name, list, "a list of strings", optional) or []
        if not all(isinstance(item, str) for item in items):
            raise BadInput(f"{self.where}: {name} must be a list of strings")
        return items


class Line(Node):
    """An object of a file of JSON lines, with the bytes of its line."""

    def __init__(self, value: dict[str, Any], where: str, raw: bytes) -> None:
        super().__init__(value, where)
        self.raw = raw


def holds_lines(file: Path) -> bool:
    """True if its name is that of a file of JSON lines, compressed or not."""
    return file.name.endswith((".jsonl", ".jsonl.gz"))


def lines(path: Path, torn: list[str], refused: list[str]) -> Iterator[Line]:
    """The objects of a file of JSON lines, which gzip may have compressed, one at a time. A line that is not an object
    is listed in `refused`; a last line without its line break that does not parse was torn by a kill: `torn` gets the
    file's name."""
    shown = clean(str(path))
    with opened(path, "--records", "a file of JSON lines is wanted") as file:
        is_pipe = stat.S_ISFIFO(os.fstat(file.fileno()).st_mode)
        if not _is_compressed(file):
            yield from _lines(file, _PIPE if is_pipe else None, shown, torn, refused)
            return
        try:
            with gzip.GzipFile(fileobj=file, mode="rb") as unpacked:
                yield from _lines(unpacked, _COMPRESSED, shown, torn, refused)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            why = "ends early" if isinstance(error, EOFError) else "is damaged"
            raise BadInput(f"--records {shown}: {why}; allowed: a file of gzip, whole") from None


def content(path: Path) -> bytes:
    """The bytes of a file, unpacked where gzip has compressed it. Raises OSError, EOFError or zlib.error."""
    data = path.read_bytes()
    return gzip.decompress(data) if data.startswith(_GZIP) else data


def _is_compressed(file: BufferedReader) -> bool:
    return file.peek(len(_GZIP))[: len(_GZIP)] == _GZIP


def _lines(
    file: BufferedIOBase, unbounded: Optional[tuple[str, str]], shown: str, torn: list[str], refused: list[str]
) -> Iterator[Line]:
    """`unbounded` says what a file is whose content may have no end, and what to do then."""
    number, size, last_record = 0, 0, 0
    while line := file.readline(LINE_BYTES + 1):
        number += 1
        size += len(line)
        if unbounded and size > PIPE_BYTES:
            raise BadInput(f"--records {shown}: is {unbounded[0]} with more than 512 MiB; {unbounded[1]}")
        if unbounded and number - last_record > PIPE_LINES:
            raise BadInput(f"--records {shown}: is {unbounded[0]} with {PIPE_LINES} lines that are no records")
        where, ended = f"{shown}:{number}", line.endswith(b"\n")
        if number == 1 and line[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise BadInput(f"--records {shown}: is UTF-16; allowed: UTF-8, as Sortlab writes")
        line = _without_mark(line)  # files with a mark may have been put one after the other
        if len(line) > LINE_BYTES and not ended:
            while (rest := file.readline(LINE_BYTES)) and not rest.endswith(b"\n"):
                size += len(rest)
                if unbounded and size > PIPE_BYTES:
                    break
            refused.append(f"{where}: a line must be at most {LINE_BYTES} bytes long")
            continue
        whole = line if ended else line.rstrip(b"\0")  # a file system leaves zeros after a power failure
        if len(whole) < len(line):
            torn.append(shown)
        if not whole.strip(_SPACES):
            continue
        try:
            node = Line(_object(whole), where, whole)
        except BadInput as error:
            refused.append(f"{where}: {error}")
        except ValueError as error:
            if ended or not _may_be_torn(whole):
                refused.append(f"{where}: not a JSON object: {error}")
            elif len(whole) == len(line):
                torn.append(shown)
        else:
            last_record = number
            yield node


_SPACES = b" \t\r\n"  # white space of JSON
_PIPE = ("a pipe", "write it to a file first")
_COMPRESSED = ("compressed", "unpack it first")
_GZIP = b"\x1f\x8b"  # beginning of every file of gzip
_BEGIN = b'{"schema":'  # beginning of every record that Sortlab writes
_MARK = b"\xef\xbb\xbf"  # the byte order mark that some editors put in front of UTF-8


def _without_mark(text: bytes) -> bytes:
    return text[len(_MARK) :] if text.startswith(_MARK) else text


_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|\\?$)', re.DOTALL)  # a text, or the beginning of one
_BRACKETS = re.compile(rb"[{}]")


def _may_be_torn(line: bytes) -> bool:
    """True if a kill during a write can have left this: the beginning of a record, however short. Records that other
    programs have put on one line, or end in carriage returns, were not torn by a kill."""
    return line[: len(_BEGIN)] == _BEGIN[: len(line)] and b"\r" not in line and not _begins_with_object(line)


def _begins_with_object(line: bytes) -> bool:
    """True for a line that begins with a whole JSON object, valid or not: its first bracket is closed."""
    depth = 0
    for bracket in _BRACKETS.findall(_QUOTED.sub(b"", line)):
        depth += 1 if bracket == b"{" else -1
        if depth == 0:
            return True
    return False


def document(path: Path, option: str, wanted: str) -> Node:
    """The JSON object that a file holds. Raises BadInput that names the option and what is expected."""
    where = f"{option} {clean(str(path))}".strip()
    with opened(path, option, wanted) as file:
        return parsed(file.read(DOCUMENT_BYTES + 1), where, wanted)


def parsed(text: bytes, where: str, wanted: str, foreign: bool = False) -> Node:
    """The JSON object in a text. Raises BadInput that names its place and what is expected. In a `foreign` one the last
    of two members of one name counts, as in most readers."""
    if len(text) > DOCUMENT_BYTES:
        raise BadInput(f"{where}: must be at most {DOCUMENT_BYTES} bytes long; {wanted}")
    try:
        return Node(
            _object(_without_mark(text), _last_members if foreign else _members),
            where,
        )
    except (BadInput, ValueError) as error:
        raise BadInput(f"{where}: {error}; {wanted}") from None


def opened(path: Path, option: str, wanted: str) -> BufferedReader:
    """A file to read. Raises BadInput for anything else, a device that never ends among them."""
    where = f"{option} {clean(str(path))}".strip()
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise BadInput(f"{where}: is a folder; {wanted}")
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise BadInput(f"{where}: is a device; {wanted}")
        return open(path, "rb")
    except FileNotFoundError:
        raise BadInput(f"{where}: no such file") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{where}: {getattr(error, 'strerror', error)}; {wanted}") from None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of an object. Raises BadInput for a key that is there twice: readers would disagree about which of
    the two counts."""
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise BadInput(f"{clean(twice[:NAME])}: is there twice; allowed: once")
    return members


def _last_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(pairs)


def _object(text: bytes, members: Callable[[list[tuple[str, Any]]], Any] = _members) -> dict[str, Any]:
    """The object, its texts clean. Raises ValueError for text that is not JSON, and BadInput for any other value."""
    try:
        characters = text.decode("utf-8")
        value: Any = json.loads(characters, parse_constant=lambda _: math.inf, object_pairs_hook=members)
        if characters.count("[") + characters.count("{") > DEPTH and levels(value) > DEPTH:
            raise BadInput(f"must not be nested deeper than {DEPTH} levels")
        if not isinstance(value, dict):
            raise BadInput("must be a JSON object")
        # Only an escape or an odd character can make a text of the value unclean.
        is_clean = "\\" not in characters and characters.strip().isprintable()
        checked: dict[str, Any] = value if is_clean else cleaned(value)
        return checked
    except UnicodeDecodeError as error:
        raise ValueError(f"not text in UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise BadInput(f"must not be nested deeper than {DEPTH} levels") from None
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python reads no integer of more than 4300 digits
        raise BadInput(f"a number must be at most {MOST:g}") from None
