"""Machine profiles that keep to their schema, with the tables that a test gives."""

from typing import Any


def table(unit: str, arguments: list[str], points: list[dict[str, Any]]) -> dict[str, Any]:
    return {"unit": unit, "source": "this test", "arguments": arguments, "points": points}


def profile(tables: dict[str, Any], **members: Any) -> dict[str, Any]:
    """A profile of a machine, or of a device of one."""
    made = {"schema": 1, "kind": "profile", "id": "a-machine", "name": "A machine", "origin": "calibrated"}
    made |= {
        "source": "this test",
        "clock_hz": 2e9,
        "cores": 2,
        "cache_bytes": {"L2": 2**20},
        "memory_bytes": 2**34,
    }
    return made | {"tables": tables, **members}
