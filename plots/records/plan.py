"""Configs that feed tables and figures, and what measuring them takes here, as `run_all.sh` asks the program."""

from __future__ import annotations

import fnmatch
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Sequence

from .folders import ROOT, visible_files
from .jsonl import Node, document


@dataclass(frozen=True)
class Skipped:
    """The reason that cells are skipped for."""

    code: str  # as in records: no_gpu
    text: str


@dataclass(frozen=True)
class Planned:
    """One config. Without a plan only its path and artifacts are known."""

    config: str  # configs/satish2010/SAT-T1.json
    artifacts: Sequence[str]
    to_run: Optional[int] = None  # cells that this machine can measure, measured ones included
    seconds: float = 0.0  # estimated time of those that remain
    reasons: Sequence[Skipped] = ()  # why other cells are skipped, the most frequent first

    @property
    def impossible(self) -> bool:
        """True if this machine can measure no cell of it."""
        return self.to_run == 0

    @classmethod
    def of(cls, node: Node) -> "Planned":
        return cls(
            config=node.text("config"),
            artifacts=tuple(node.texts("artifacts")),
            to_run=node.integer("to_run"),
            seconds=node.number("seconds"),
            reasons=tuple(Skipped(of.text("code"), of.text("text")) for of in node.objects("reasons")),
        )


def read_plan(path: Optional[Path]) -> list[Planned]:
    """The plan of a file, or without one the configs of the checkout. Raises BadInput."""
    if path is not None:
        return [Planned.of(node) for node in document(path, "--plan", "a plan is wanted").objects("configs")]
    files = visible_files(ROOT / "configs", "**/*.json")
    found = [(file.relative_to(ROOT), json.loads(file.read_text(encoding="utf-8"))) for file in files]
    return [Planned(str(file), tuple(config.get("artifacts", ()))) for file, config in found if "sweeps" in config]


def feeding(plan: Sequence[Planned], id_: str) -> list[Planned]:
    """The configs that feed an artifact, or the artifacts of a pattern: those of a paper where there are any."""
    found = [p for p in plan if any(fnmatch.fnmatchcase(a, id_) or a == id_ for a in p.artifacts)]
    return [p for p in found if p.config.count("/") > 1] or found
