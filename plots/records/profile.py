"""Bandwidths from a machine profile: the host's copy bandwidth for the bytes baseline, and devices'
read and copy bandwidth for rates as shares."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Iterable

from .bounds import DOCUMENT_BYTES, clean
from .jsonl import BadInput, Node, document, opened
from .schema import profile_fault

_TABLES = ("copy", "copy_nt")  # bytes read + written per second, by threads and bytes of each thread's working set


def copy_bandwidth(path: Path) -> dict[int, float]:
    """Bytes read and written per second by threads, at the largest working set and by the faster kind of store.

    Raises BadInput.
    """
    tables = whole_profile(path).object("tables")
    best: dict[int, float] = {}
    for name in _TABLES:
        if name in tables.value:
            for threads, rate in _largest(tables.object(name)).items():
                best[threads] = max(rate, best.get(threads, 0.0))
    if not best:
        raise BadInput(f"{tables.where}: must hold {' or '.join(_TABLES)}")
    return best


def by_sha256(paths: Iterable[Path]) -> dict[str, str]:
    """The profiles' names by the SHA-256 of their bytes. Raises BadInput."""
    found = {}
    for path in paths:
        with opened(path, "--profile", "a machine profile is wanted") as file:
            found[hashlib.sha256(file.read(DOCUMENT_BYTES)).hexdigest()] = clean(path.name)
    return found


def read_bandwidth(path: Path) -> dict[str, float]:
    """Peak bytes per second that a kernel reads from device memory at the largest working set, by device.

    Raises BadInput.
    """
    return _device_bandwidths(path, "read")


def device_copy_bandwidth(path: Path) -> dict[str, float]:
    """Bytes read and written per second by a copy in device memory, by device."""
    return _device_bandwidths(path, "copy")


def _device_bandwidths(path: Path, table_name: str) -> dict[str, float]:
    best: dict[str, float] = {}
    for device in whole_profile(path).objects("devices", optional=True):
        table = device.object("tables").object(table_name, optional=True)
        points = []
        for point in table.objects("points", optional=True):
            at, rate = point.numbers("at"), point.number("value")
            if not at or rate <= 0:
                raise BadInput(f"{point.where}: at must hold the working set, value be above 0")
            points.append((at, rate))
        most = max((at[-1] for at, _ in points), default=0.0)
        if points:
            best[device.text("name")] = max(value for at, value in points if at[-1] == most)
    return best


def whole_profile(path: Path) -> Node:
    """A profile as `sortlab calibrate` writes it. Raises BadInput, also for a value that no machine can have."""
    profile = document(path, "--profile", "a machine profile is wanted")
    fault = profile_fault(profile.value)
    if fault:
        raise BadInput(f"{profile.where}: {fault}")
    _check_points(profile)
    return profile


def _check_points(profile: Node) -> None:
    """Raises BadInput for a point that a table has twice, or that lies outside its interval, as the program does."""
    for machine in (profile, *profile.objects("devices", optional=True)):
        for name in machine.object("tables").value:
            seen = set()
            for point in machine.object("tables").object(name).objects("points"):
                at = tuple(point.numbers("at"))
                if at in seen:
                    raise BadInput(f"{point.where}: at: must be there once in a table")
                seen.add(at)
                interval = point.numbers("ci95") if "ci95" in point.value else []
                if interval and not interval[0] <= point.number("value") <= interval[1]:
                    raise BadInput(f"{point.where}: ci95: must be two numbers around the value")


def _largest(table: Node) -> dict[int, float]:
    """The value at the largest working set, by number of threads."""
    if table.value.get("arguments") != ["threads", "bytes"]:
        raise BadInput(f'{table.where}: arguments must be ["threads", "bytes"]')
    best: dict[int, tuple[float, float]] = {}
    for point in table.objects("points"):
        at, rate = point.numbers("at"), point.number("value")
        if len(at) != 2 or rate <= 0:
            raise BadInput(f"{point.where}: at must be threads and bytes, value above 0")
        best[int(at[0])] = max(best.get(int(at[0]), (0.0, 0.0)), (at[1], rate))
    return {threads: rate for threads, (_, rate) in best.items()}
