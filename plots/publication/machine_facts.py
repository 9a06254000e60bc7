"""Hardware, software and effort of one machine's records, each fact as a name with its text."""

from __future__ import annotations

from typing import Any, Iterable, Sequence

from ..records.collection import Records
from ..records.quantities import digits
from ..records.run import Run

_UNKNOWN = "not recorded"
_BINARY = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


def hardware(records: Records) -> dict[str, str]:
    """Facts that do not change between boots, from the newest run."""
    if not records.runs:
        return {}
    machine = records.runs[-1].machine
    caches = machine.get("cache_bytes") or {}
    facts = {
        "Processor": machine.get("name"),
        "Cores": f"{machine.get('cores')} ({machine.get('threads')} hardware threads)",
        "Caches": ", ".join(f"{name} {_bytes(size)}" for name, size in caches.items()),
        "Memory": _bytes(machine.get("memory_bytes")),
        "Vector instructions": machine.get("simd"),
        "Virtual machine": "yes" if machine.get("virtual") else "no",
        "GPU": ", ".join(gpus(records)) or "none",
    }
    return {name: str(text or _UNKNOWN) for name, text in facts.items()}


def software(records: Records) -> dict[str, str]:
    """The system and the builds; where runs differ, each value once."""
    runs = records.runs
    build = [run.build for run in runs]
    facts = {
        "Operating system": _several(run.environment.get("os") for run in runs),
        "Kernel": _several(run.environment.get("kernel") for run in runs),
        "CUDA driver": _several(run.environment.get("cuda_driver") for run in runs) if gpus(records) else "",
        "Sortlab": _builds(runs),
        "Compiler": _several(f"{one.get('compiler')} {one.get('flags') or ''}".strip() for one in build),
        "Libraries": _several(
            f"{name} {version}" for one in build for name, version in sorted((one.get("libraries") or {}).items())
        ),
    }
    return {name: text for name, text in facts.items() if text}


def gpus(records: Records) -> list[str]:
    """Names of the GPUs that verified sorts ran on."""
    return sorted({m.device for m in (*records.measurements, *records.components) if m.ok and m.device})


def effort(records: Records) -> dict[str, str]:
    """Days, cells and the time of the timed sorts alone."""
    measured = [*records.measurements, *records.components]
    ok = [m for m in measured if m.ok]
    days = sorted({run.started[:10] for run in records.runs})
    when = " to ".join(dict.fromkeys((days[0], days[-1]))) if days else _UNKNOWN
    return {
        "Measured on": when,
        "Cells": f"{len(ok)} verified, {len(measured) - len(ok)} without a time",
        "Timed sorts alone": duration(sum(sum(m.samples_s) for m in ok)),
    }


def duration(seconds: float) -> str:
    for factor, unit in ((3600, "h"), (60, "min")):
        if seconds >= factor:
            return f"{digits(seconds / factor, 2)} {unit}"
    return f"{digits(seconds, 2)} s"


def _bytes(size: Any) -> str:
    if not isinstance(size, (int, float)) or size <= 0:
        return ""
    factor, unit = next((pair for pair in _BINARY if size >= pair[0]), (1, "bytes"))
    return f"{digits(size / factor)} {unit}"


def _builds(runs: Sequence[Run]) -> str:
    """Each version with its commits."""
    commits: dict[str, dict[str, None]] = {}
    for run in runs:
        commits.setdefault(str(run.build.get("version")), {})[run.commit] = None
    return "; ".join(
        f"{version}, commit{'s' if len(of) > 1 else ''} {', '.join(of)}" for version, of in commits.items()
    )


def _several(values: Iterable[Any]) -> str:
    return "; ".join(dict.fromkeys(str(value) for value in values if value))
