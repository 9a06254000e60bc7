"""The `case` of a record: the algorithm, its parameters and its input."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional

from .schema import words


def _type_bytes(kind: str) -> int:
    """Bytes of a key or value type, whose name ends in its bits; strings, and no values, have no width."""
    return int(kind[1:]) // 8 if kind[1:].isdecimal() else 0


KEY_BYTES = {kind: _type_bytes(kind) for kind in words("key_type")}
VALUE_BYTES = {kind: _type_bytes(kind) for kind in words("value_type")}


@dataclass(frozen=True)
class Case:
    """The algorithm, its resolved parameters and its input."""

    algorithm: str
    parameters: dict[str, Any] = field(hash=False)
    version: str
    key_type: str
    value_type: str
    layout: str  # layout of keys and values: separate or together
    n: int
    distribution: str
    distribution_parameters: dict[str, Any] = field(hash=False)  # resolved, by name
    residency: str  # host, device, end_to_end or shards
    host_memory: str  # pinned or pageable; for end_to_end only
    threads: int
    seed: int
    entropy_bits: Optional[float]
    bytes: Optional[int] = None  # bytes of all records together; for strings only
    devices: str = ""  # "2", or "4@0": four shards on device 0; for shards only
    shard_sizes: str = ""  # even, uneven, gaps or one; for shards only

    @classmethod
    def of(cls, case: dict[str, Any]) -> "Case":
        return cls(
            algorithm=case["algorithm"],
            parameters=case["parameters"],
            version=case.get("version", ""),
            key_type=case["key_type"],
            value_type=case["value_type"],
            layout=case["layout"],
            n=int(case["n"]),
            distribution=case["distribution"],
            distribution_parameters=case["distribution_parameters"],
            residency=case["residency"],
            host_memory=case.get("host_memory", ""),
            threads=int(case["threads"]),
            seed=int(case["seed"]),
            entropy_bits=case["entropy_bits"],
            bytes=int(case["bytes"]) if "bytes" in case else None,
            devices=case.get("devices", ""),
            shard_sizes=case.get("shard_sizes", ""),
        )

    @property
    def distribution_name(self) -> str:
        return self.distribution.partition(":")[0]

    @property
    def ands(self) -> Optional[float]:
        """Random words that each key was ANDed with, for inputs of Thearling and Smith: none for uniform keys, and
        infinitely many for constant ones. None for other inputs."""
        if self.distribution_name == "thearling":
            ands = self.distribution_parameters.get("ands")
            return float(ands) if isinstance(ands, (int, float)) else None
        return {"uniform": 0.0, "constant": math.inf}.get(self.distribution_name)

    @property
    def is_entropy(self) -> bool:
        """True for inputs of Thearling and Smith, from uniform to equal keys."""
        return self.ands is not None

    @property
    def input_text(self) -> str:
        return input_text(self.distribution)

    @property
    def type_name(self) -> str:
        """Key type, with the value's after a plus: "u32", "u64+u64"."""
        return self.key_type if self.value_type == "none" else f"{self.key_type}+{self.value_type}"

    @property
    def residency_text(self) -> str:
        """A label for the place of input and result; empty if that is where the sort runs."""
        if self.residency == "shards":
            return f"{self.devices} devices, {self.shard_sizes} shards"
        return f"end to end, {self.host_memory} memory" if self.residency == "end_to_end" else ""

    @property
    def on_host(self) -> bool:
        return self.residency == "host"

    @property
    def element_bytes(self) -> float:
        """Bytes of a key with its value; for records with string keys, the average bytes of a record."""
        if self.bytes is not None:
            return self.bytes / max(self.n, 1)
        return KEY_BYTES[self.key_type] + VALUE_BYTES[self.value_type]

    def whole(self, parameter: str) -> int:
        """An integer parameter; 0 if there is none of that name."""
        value = str(self.parameters.get(parameter, ""))
        return int(value) if value.isascii() and value.isdecimal() and len(value) < 20 else 0

    @property
    def parameters_text(self) -> str:
        return settings_text(self.parameters)


FROM_FILES = ("file", "lines")  # distributions of a user's own keys


def input_text(distribution: str) -> str:
    """A distribution for readers: of a file its name, its column and enough of the digest to tell it from another."""
    name, _, parameters = distribution.partition(":")
    given = dict(one.partition("=")[::2] for one in parameters.split(","))
    if name not in FROM_FILES or not {"name", "digest"} <= set(given):
        return distribution
    digest, place = given.pop("digest"), [given.pop(key) for key in ("name", "column") if key in given]
    # Other escapes stay: they stand for what must not be shown.
    file = ": ".join(place).replace("%2C", ",").replace("%25", "%")
    options = [f"{option}={value}" for option, value in given.items()]
    return ", ".join([file, *options]) + f" ({digest[:4]})"


def settings_text(parameters: dict[str, Any]) -> str:
    return ", ".join(f"{name}={_plain(value)}" for name, value in sorted(parameters.items()))


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
