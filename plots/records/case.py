"""What was sorted, by what: the `case` of a record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

from .jsonl import Node

# Strings have no width.
KEY_BYTES = {"u32": 4, "u64": 8, "i32": 4, "i64": 8, "f32": 4, "f64": 8, "u128": 16, "string": 0}
VALUE_BYTES = {"none": 0, "u32": 4, "u64": 8}
LAYOUTS = ("separate", "together")
RESIDENCIES = ("host", "device", "end_to_end")
N_MOST, THREADS_MOST = (1 << 63) - 1, 1 << 20


def is_entropy(distribution: str) -> bool:
    """Whether an input is one of Thearling and Smith's, from uniform keys to equal ones."""
    return distribution in ("uniform", "constant") or distribution.startswith("thearling:")


@dataclass(frozen=True)
class Case:
    """What was sorted, by what. `parameters` are the algorithm's resolved ones."""

    algorithm: str
    parameters: dict[str, Any] = field(hash=False)
    version: str
    key_type: str
    value_type: str
    layout: str  # of keys and values: separate or together
    n: int
    distribution: str
    residency: str  # host, device or end_to_end
    host_memory: str  # of end_to_end alone: pinned or pageable
    threads: int
    seed: int
    entropy_bits: Optional[float]
    bytes: Optional[int] = None  # of all records together; strings alone

    @classmethod
    def of(cls, node: Node) -> "Case":
        key = node.choice("key_type", tuple(KEY_BYTES))
        return cls(
            algorithm=node.text("algorithm"),
            parameters=node.settings("parameters"),
            version=node.text("version", optional=True) or "",
            key_type=key,
            value_type=node.choice("value_type", tuple(VALUE_BYTES)),
            layout=node.choice("layout", LAYOUTS),
            n=node.integer("n", most=N_MOST),
            distribution=node.text("distribution"),
            residency=node.choice("residency", RESIDENCIES),
            host_memory=node.text("host_memory", optional=True) or "",
            threads=node.integer("threads", least=1, most=THREADS_MOST),
            seed=node.integer("seed", optional=True) or 0,
            entropy_bits=node.number("entropy_bits", optional=True, least=0),
            bytes=node.integer("bytes", optional=key != "string", most=N_MOST),
        )

    @property
    def type_name(self) -> str:
        """Key type, with the value's after a plus: "u32", "u64+u64"."""
        return self.key_type if self.value_type == "none" else f"{self.key_type}+{self.value_type}"

    @property
    def residency_text(self) -> str:
        """What a label must say of where input and result lie; nothing where they lie where the sort runs."""
        return f"end to end, {self.host_memory} memory" if self.residency == "end_to_end" else ""

    @property
    def on_host(self) -> bool:
        return self.residency == "host"

    @property
    def element_bytes(self) -> float:
        """Of a key with its value; of a record with a string for its key, on average."""
        if self.bytes is not None:
            return self.bytes / max(self.n, 1)
        return KEY_BYTES[self.key_type] + VALUE_BYTES[self.value_type]

    def whole(self, parameter: str) -> int:
        """An integer parameter; 0 where there is none of that name."""
        value = str(self.parameters.get(parameter, ""))
        return int(value) if value.isascii() and value.isdecimal() and len(value) < 20 else 0

    @property
    def parameters_text(self) -> str:
        return settings_text(self.parameters)


def settings_text(parameters: dict[str, Any]) -> str:
    return ", ".join(f"{name}={_plain(value)}" for name, value in sorted(parameters.items()))


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
