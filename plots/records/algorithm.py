"""What an algorithm says of itself: the facts that its records of kind `algorithm` carry."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, field
from typing import Any

OURS, PAPER, PEER = "ours", "paper", "peer"
_NOT_BUILT = "unknown"  # the family of what stands for a sort that is not in the build


@dataclass(frozen=True)
class Algorithm:
    name: str
    title: str
    source: str
    family: str
    origin: str  # whose code it is: ours, from a paper, or a peer's
    paper: str  # satish2010, or empty
    runs_on: str  # host, device or both
    keys: tuple[str, ...]
    parallel: bool
    stable: bool
    roles: dict[str, dict[str, Any]] = field(hash=False)  # what it stands for, with the parameters that it then has

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
        )

    @property
    def built(self) -> bool:
        return self.family != _NOT_BUILT

    @property
    def sorts_numbers(self) -> bool:
        return self.keys != ("string",)

    def has(self, facts: dict[str, str]) -> bool:
        """Whether its facts are so: {"runs_on": "host", "title": "*libstdc++*"}. Raises KeyError for no such fact."""
        return all(fnmatch.fnmatchcase(str(vars(self)[name]), wanted) for name, wanted in facts.items())
