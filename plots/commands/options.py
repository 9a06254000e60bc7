"""Options and the reporting of bad input, shared by the commands."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Callable, NoReturn, Optional

from ..records.bounds import clean
from ..records.jsonl import BadInput
from ..records.whole_file import write_whole


class Parser(argparse.ArgumentParser):
    """Reports an error like any other bad input."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(message)


def complain(prog: str, message: str) -> None:
    """Writes one line to standard error, which may be gone or full."""
    try:
        one_line = message if message.isprintable() else " ".join(message.split())
        print(f"{prog}: {clean(one_line)}", file=sys.stderr)
    except OSError:
        pass


def answered(prog: str, body: Callable[[], int]) -> int:
    """Returns the body's exit status, or 2 with one line on standard error for bad input."""
    try:
        return body()
    except BadInput as error:
        complain(prog, str(error))
        return 2


def named_file(path: Optional[Path]) -> Optional[Path]:
    """The file to write, or None for standard output, which `-` stands for."""
    return None if path == Path("-") else path


def write_new(path: Path, content: bytes, option: str = "--out") -> None:
    """Writes a new file, whole or not at all. Raises BadInput, also if the file exists."""
    shown = f"{option} {clean(str(path))}"
    try:
        write_whole(path, content, new=True)
    except FileExistsError:
        raise BadInput(f"{shown}: is there already; nothing is overwritten") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{shown}: {getattr(error, 'strerror', None) or error}") from None
