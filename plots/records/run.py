"""One run of a config: machine, environment and build."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Run:
    run: str
    started: str
    machine_id: str
    machine: dict[str, Any] = field(hash=False)
    environment: dict[str, Any] = field(hash=False)
    build: dict[str, Any] = field(hash=False)
    asked: dict[str, Any] = field(hash=False)

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Run":
        return cls(
            run=record["run"],
            started=record["started"],
            machine_id=record["machine"]["id"],
            machine=record["machine"],
            environment=record["environment"],
            build=record["build"],
            asked=record["asked"],
        )

    @property
    def machine_name(self) -> str:
        return str(self.machine.get("name") or self.machine_id)

    @property
    def commit(self) -> str:
        """Short commit, with a plus where the tree had changes."""
        commit = str(self.build.get("commit") or "unknown")[:10]
        return commit + ("+" if self.build.get("dirty") else "")
