"""A description of a file of keys, as `sortlab keys describe --out` writes it: keys.json."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .bounds import clean
from .jsonl import BadInput

_MOST_BYTES = 1 << 24
_MOST_VALUES = 1 << 16


@dataclass(frozen=True)
class KeyDescription:
    name: str  # the file's, and its column's
    digest: str
    key_type: str
    n: int
    bit_shares: list[float]  # share of ones, highest bit first
    quantiles: list[float]  # evenly spread over the shares from 0 to 1; may be infinite or NaN
    over_position: list[float]  # ranks of the keys at evenly spread positions, as shares of n

    @property
    def text(self) -> str:
        """Name and enough of the digest to tell it from another."""
        return f"{self.name} ({self.digest[:4]})"

    @property
    def distribution(self) -> list[tuple[float, float]]:
        """Points of the distribution function: key, and share of the keys up to it. Only finite keys."""
        steps = max(len(self.quantiles) - 1, 1)
        return [(value, i / steps) for i, value in enumerate(self.quantiles) if math.isfinite(value)]

    @property
    def is_skewed(self) -> bool:
        """True if a few great keys would press the others to an edge of a linear axis."""
        keys = [key for key, _ in self.distribution]
        return bool(keys) and 0 <= keys[0] and keys[len(keys) // 2] < 0.02 * keys[-1]

    @property
    def log_distribution(self) -> list[tuple[float, float]]:
        """The distribution function over log2 of the keys; a key of 0 stands at the smallest key above 0."""
        points = self.distribution
        least = min((key for key, _ in points if key > 0), default=1.0)
        return [(math.log2(max(key, least)), share) for key, share in points]


def read_key_description(path: Path) -> KeyDescription:
    """Reads keys.json. Raises BadInput that names the file and the field."""
    file = clean(str(path))
    try:
        with open(path, "rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise BadInput(f"{file}: is longer than {_MOST_BYTES >> 20} MiB")
        json_ = json.loads(content.decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"{file}: {clean(str(error))[:200]}") from None
    if not isinstance(json_, dict) or json_.get("kind") != "keys":
        raise BadInput(f"{file}: no description that `sortlab keys describe --out` wrote")

    def text(name: str) -> str:
        value = json_.get(name)
        if not isinstance(value, str):
            raise BadInput(f"{file}: {name}: allowed: text")
        return clean(value)[:200]

    def numbers(name: str, low: float = -math.inf, high: float = math.inf) -> list[float]:
        values = json_.get(name)
        if isinstance(values, list) and math.isinf(low):  # JSON has neither NaN nor infinity
            values = [math.nan if value is None else value for value in values]
        if not isinstance(values, list) or not 0 < len(values) <= _MOST_VALUES or not all(map(_is_number, values)):
            raise BadInput(f"{file}: {name}: allowed: a list of numbers")
        if not all(low <= value <= high for value in values if value == value):
            raise BadInput(f"{file}: {name}: allowed: numbers from {low:g} to {high:g}")
        return [float(value) for value in values]

    digest = text("digest")
    if not re.fullmatch("[0-9a-f]{16}", digest):
        raise BadInput(f"{file}: digest: allowed: 16 hexadecimal digits")
    n = json_.get("n")
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise BadInput(f"{file}: n: allowed: a whole number from 1 on")
    return KeyDescription(
        *(text("name"), digest, text("key_type"), n, numbers("bit_shares", 0, 1)),
        *(numbers("quantiles"), numbers("over_position", 0, 1)),
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
