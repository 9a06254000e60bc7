"""One run of a config: machine, environment and build."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .jsonl import Node


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
    def of(cls, node: Node) -> "Run":
        machine, build = node.object("machine"), node.object("build", optional=True)
        machine.text("name", optional=True)
        machine.integer("cores", optional=True)
        build.text("commit", optional=True)
        build.flag("dirty", optional=True)
        return cls(
            run=node.text("run"),
            started=node.text("started"),
            machine_id=machine.text("id"),
            machine=machine.value,
            environment=node.object("environment", optional=True).value,
            build=build.value,
            asked=node.object("asked", optional=True).value,
        )

    @property
    def machine_name(self) -> str:
        return str(self.machine.get("name") or self.machine_id)

    @property
    def commit(self) -> str:
        """Short commit, with a plus where the tree had changes."""
        commit = str(self.build.get("commit") or "unknown")[:10]
        return commit + ("+" if self.build.get("dirty") else "")
