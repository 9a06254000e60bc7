"""The identity of a record's case: its `cell`, by the rule of `cell_scheme` 1 (harness/cell/cell_id.hpp)."""

from __future__ import annotations

import functools
import json
from typing import Any

from .xxh3 import xxh3

_MEMBERS = (
    "algorithm parameters key_type value_type layout n distribution distribution_parameters seed residency".split()
)
_MEMBERS += ["threads", "cache", "component", "host_memory", "devices", "shard_sizes"]
_ON_DEVICES = ("device", "shards")


def cell_id(case: dict[str, Any]) -> str:
    """16 hexadecimal digits. The order of members does not matter."""
    identity = {**case, "cache": "flushed" if case["residency"] in _ON_DEVICES else "as restored"}
    members = ((name, identity[name]) for name in _MEMBERS if name in identity)
    return _digest("{" + ",".join(f"{_text(name)}:{_value(name, value)}" for name, value in members) + "}")


@functools.lru_cache(maxsize=1 << 16)
def _digest(text: str) -> str:
    return f"{xxh3(text.encode(errors='replace')):016x}"


def _value(name: str, value: Any) -> str:
    if isinstance(value, dict):  # parameters by name, the version of a distribution last
        names = sorted(value, key=lambda one: (one == "version", one))
        return "{" + ",".join(f"{_text(one)}:{_text(value[one])}" for one in names) + "}"
    return _text(int(value) if name in ("n", "seed", "threads") else value)


def _text(value: Any) -> str:
    """JSON as the program writes it."""
    if isinstance(value, float) and 1e15 <= abs(value) < 1e16:  # the program writes 1.5e+15
        digits = repr(int(abs(value)))
        fraction = digits[1:].rstrip("0")
        return f"{'-' if value < 0 else ''}{digits[0]}{'.' if fraction else ''}{fraction}e+15"
    return json.dumps(value, ensure_ascii=False)
