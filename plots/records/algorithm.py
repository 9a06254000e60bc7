"""The facts about an algorithm in its record of kind `algorithm`."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, field
from typing import Any

OURS, PAPER, PEER = "ours", "paper", "peer"
_NOT_BUILT = "unknown"  # family of a placeholder for a sort that is not in the build


@dataclass(frozen=True)
class Algorithm:
    name: str
    title: str
    source: str
    family: str
    origin: str  # origin of its code: ours, a paper's or a peer's
    paper: str  # satish2010, or empty
    runs_on: str  # host, device or both
    keys: tuple[str, ...]
    parallel: bool
    stable: bool
    roles: dict[str, dict[str, Any]] = field(hash=False)  # roles that it stands for, with the parameters in each
    presets: dict[str, dict[str, str]] = field(hash=False, default_factory=dict)  # named settings; "auto" is any value

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Algorithm":
        return cls(
            name=record["name"],
            title=record["title"],
            source=record["source"],
            family=record["family"],
            origin=record["origin"],
            paper=record["paper"] or "",
            runs_on=record["runs_on"],
            keys=tuple(record["keys"]),
            parallel=record["parallel"],
            stable=record["stable"],
            roles=record["roles"],
            presets=record.get("presets", {}),
        )

    @property
    def built(self) -> bool:
        return self.family != _NOT_BUILT

    @property
    def sorts_numbers(self) -> bool:
        return self.keys != ("string",)

    def has(self, facts: dict[str, str]) -> bool:
        """True if its facts match: {"runs_on": "host", "title": "*libstdc++*"}. Raises KeyError for an unknown fact."""
        return all(fnmatch.fnmatchcase(str(vars(self)[name]), wanted) for name, wanted in facts.items())
