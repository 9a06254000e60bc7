"""The one writer of whole files: the old file or the new one, whatever happens to the program or the disk."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Iterator, Optional

_NUMBERS = itertools.count()
_UNSUPPORTED = {
    errno.EINVAL,
    errno.EROFS,
    errno.ENOSYS,
    errno.EOPNOTSUPP,
}  # errors of file systems that cannot synchronise
# Errors of the folder, where the file itself may still be written: a file that a container mounts, say.
_FOLDERS = {errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV}


def write_whole(path: Path, content: bytes | str, new: bool = False, durable: bool = True) -> None:
    """Makes `content` the content of a file.

    It is written to a temporary file beside the target, synchronised if `durable`, and renamed. A symbolic link is
    followed. The file keeps its mode; a new one gets the umask's. A file with further hard links keeps them: it is
    written in place, while the temporary file is there. With `new`, an existing file or link is left alone.
    Raises OSError, FileExistsError where `new` and the file exists.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if new and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    try:
        old: Optional[os.stat_result] = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with open(path, "wb") as device:  # or a folder, which refuses
            device.write(data)
        return
    target = path if new else Path(os.path.realpath(path))
    if old is not None and not os.access(target, os.W_OK):  # a file that is protected stays as it is
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    try:
        _replace(target, data, old, new, durable)
    except OSError as error:
        if old is None or error.errno not in _FOLDERS:
            raise
        _write_in_place(target, data, durable)


def _replace(target: Path, data: bytes, old: Optional[os.stat_result], new: bool, durable: bool) -> None:
    made = target.parent / f".{target.name[:200]}.{os.getpid()}-{next(_NUMBERS)}"
    # The umask gives it its mode, which that of mkstemp would not be.
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                _synchronise(file.fileno())
            if old is not None:
                _take_owner_and_mode(file.fileno(), old)
        if old is not None and old.st_nlink > 1:  # or its other names would keep what it held
            _write_in_place(target, data, durable)
        elif new:
            _link(made, target)
        else:
            os.replace(made, target)
    finally:
        if os.path.lexists(made):
            os.unlink(made)


def _link(made: Path, target: Path) -> None:
    """Gives the file its name, unless another process has written one of that name meanwhile."""
    try:
        os.link(made, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.replace(made, target)


def _synchronise(file: int) -> None:
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise


def _take_owner_and_mode(file: int, old: os.stat_result) -> None:
    """As far as the file system lets us."""
    try:
        os.fchown(file, old.st_uid, old.st_gid)
    except OSError:
        pass
    try:
        os.fchmod(file, stat.S_IMODE(old.st_mode))
    except OSError:
        pass


def _write_in_place(target: Path, data: bytes, durable: bool) -> None:
    """Writes to an existing file. If that fails, puts back what it held, as far as that can be."""
    before = target.read_bytes()
    try:
        with open(target, "r+b") as file:
            file.write(data)
            file.truncate()
            file.flush()
            if durable:
                _synchronise(file.fileno())
    except OSError:
        with open(target, "r+b") as file:
            file.write(before)
            file.truncate()
        raise


@contextlib.contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """A new folder to write in, which becomes `target` if nothing is raised, and is removed otherwise."""
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".sortlab-", dir=target.parent))
    try:
        yield made
        made.chmod(0o777 & ~_umask())
        os.rename(made, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _umask() -> int:
    """The permissions that new files of this process do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
