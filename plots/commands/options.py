"""Options and the reporting of bad input, shared by the commands."""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
from pathlib import Path
from typing import Callable, NoReturn

from ..records.bounds import clean
from ..records.jsonl import BadInput


class Parser(argparse.ArgumentParser):
    """Reports an error like any other bad input."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(message)


def complain(prog: str, message: str) -> None:
    """Writes one line to standard error."""
    print(f"{prog}: {clean(' '.join(message.split()))}", file=sys.stderr)


def escape_unknown_letters() -> None:
    """Lets a terminal that lacks a letter show its number instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def answered(prog: str, body: Callable[[], int]) -> int:
    """Returns the body's exit status, or 2 with one line on standard error for bad input."""
    try:
        return body()
    except BadInput as error:
        complain(prog, str(error))
        return 2


def write_new(path: Path, content: bytes, option: str = "--out") -> None:
    """Writes a new file, whole or not at all. Raises BadInput, also if the file exists."""
    shown = f"{option} {clean(str(path))}"
    try:
        if os.path.lexists(path):
            raise BadInput(f"{shown}: is there already; nothing is overwritten")
        handle, made = tempfile.mkstemp(prefix=".sortlab-", dir=path.parent)
        try:
            with open(handle, "wb") as file:
                file.write(content)
            os.chmod(made, 0o644)
            try:
                os.link(made, path)  # fails if another process has written it meanwhile
            except FileExistsError:
                raise
            except OSError:  # a file system without links
                os.rename(made, path)
        finally:
            if os.path.lexists(made):
                os.unlink(made)
    except (OSError, ValueError) as error:
        raise BadInput(f"{shown}: {getattr(error, 'strerror', None) or error}") from None
