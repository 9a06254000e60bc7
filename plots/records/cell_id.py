"""The identity of a record's case: its `cell`, by the rule of `cell_scheme` 1 (harness/cell/cell_id.hpp)."""

from __future__ import annotations

import functools
import json
from typing import Any, Iterable, Union

from .xxh3 import xxh3

_MEMBERS = (
    "algorithm parameters key_type value_type layout n distribution distribution_parameters seed residency".split()
)
_MEMBERS += ["threads", "cache", "component", "host_memory", "devices", "shard_sizes"]
_ON_DEVICES = ("device", "shards")
_REALS = ("theta",)  # the program's kReals


def cell_id(case: dict[str, Any]) -> str:
    """16 hexadecimal digits. The order of members does not matter."""
    identity = {**case, "cache": "flushed" if case["residency"] in _ON_DEVICES else "as restored"}
    members = ((name, identity[name]) for name in _MEMBERS if name in identity)
    return _digest(_object(members))


@functools.lru_cache(maxsize=1 << 16)
def _digest(text: str) -> str:
    return f"{xxh3(text.encode(errors='replace')):016x}"


def _object(members: Iterable[tuple[str, Any]]) -> str:
    return "{" + ",".join(f"{_text(name)}:{_value(name, value)}" for name, value in members) + "}"


def _value(name: str, value: Any) -> str:
    if isinstance(value, dict):  # parameters by name, the version of a distribution last
        names = sorted(value, key=lambda one: (one == "version", one))
        return _object((one, value[one]) for one in names)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(name, value)
    return _text(value)


def _number(name: str, value: Union[int, float]) -> str:
    """One text for all numbers that are equal, though a tool that wrote a record again may have made 1 of 1.0."""
    if name not in _REALS and value == int(value) and -(2**63) <= value < 2**63:
        return str(int(value))
    return repr(float(value) + 0.0)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
