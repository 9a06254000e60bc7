"""The standard streams: open from the start, and checked at the end. Needs nothing but Python's own library."""

from __future__ import annotations

import io
import os
import select
import sys
from typing import Any, Callable, Optional


def checked_output(prog: str, command: Callable[[], int]) -> int:
    """Runs a command and returns its exit status: another than 0, after one line on standard error, where what it
    printed is not all there."""
    output = _open_streams()
    status = 1
    try:
        status = command()
    except KeyboardInterrupt:
        print(f"{prog}: stopped by SIGINT", file=sys.stderr)
        status = 130
    except SystemExit as asked:  # --help
        status = asked.code if isinstance(asked.code, int) else int(asked.code is not None)
    except OSError as error:
        if error is not output.error:
            raise
    lost = _output_error() or output.error
    if lost is None:
        return status
    # The rest of the buffer must not fail again as Python ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if not isinstance(lost, BrokenPipeError):  # the reader of a pipe may leave when it has enough
        print(f"{prog}: standard output: {lost.strerror or lost}; what was printed is not complete", file=sys.stderr)
    return status or 1


class _Patient(io.FileIO):
    """A stream that waits for its reader, also where its writer must not wait (O_NONBLOCK)."""

    def write(self, data: Any) -> int:
        while (written := super().write(data)) is None:  # the pipe is full
            select.select([], [self], [])
        return written


class _Messages(_Patient):
    """Standard error. Messages that are lost change no status."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


class _Output(_Patient):
    """Standard output, which remembers that it could not be written."""

    error: Optional[OSError] = None

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            self.error = error
            raise


def _open_streams() -> _Output:
    """Opens each descriptor of 0, 1 and 2 that is closed on the null device. Otherwise the next file to be opened gets
    the number, and what is printed is written into it."""
    while (least := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(least, True)
    os.close(least)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False))
    # With a buffer in any case: without one, as with PYTHONUNBUFFERED, Python takes a short write for a whole one. A
    # terminal that lacks a letter shows its number.
    output = _Output(1, "w", closefd=False)
    sys.stdout.flush()
    unbuffered = isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(output),
        encoding=sys.stdout.encoding,
        errors="backslashreplace",
        line_buffering=unbuffered or output.isatty(),
    )
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(_Messages(2, "w", closefd=False)),
            encoding=sys.stderr.encoding,
            errors="backslashreplace",
            line_buffering=True,
        )
    return output


def _output_error() -> Optional[OSError]:
    try:
        sys.stdout.flush()
    except OSError as error:
        return error
    return None
