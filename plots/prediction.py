"""What a model says of a case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .case import Case
from .jsonl import Node
from .measurement import Phase


@dataclass(frozen=True)
class Prediction:
    cell: str
    case: Case
    model: str
    analytical: bool
    level: str
    seconds: float
    phases: tuple[Phase, ...]
    profile_id: str
    profile_name: str
    profile_hash: str
    profile_origin: str  # "calibrated" or "paper"
    view: str
    bytes_over_copy_s: Optional[float]  # keys and values read and written once at this machine's copying bandwidth

    @classmethod
    def of(cls, node: Node) -> "Prediction":
        profile = node.object("profile")
        return cls(
            cell=node.text("cell"),
            case=Case.of(node.object("case")),
            model=node.text("model"),
            analytical=node.flag("analytical"),
            level=node.text("level", optional=True) or "",
            seconds=node.number("seconds"),
            phases=tuple(
                Phase(
                    p.text("name"),
                    p.integer("pass", optional=True) or 0,
                    p.number("seconds"),
                    p.text("binding", optional=True) or "",
                    p.object("work", optional=True).value,
                )
                for p in node.objects("phases", optional=True)
            ),
            profile_id=profile.text("id"),
            profile_name=profile.text("name", optional=True) or "",
            profile_hash=profile.text("hash", optional=True) or "",
            profile_origin=profile.text("origin", optional=True) or "",
            view=node.text("view", optional=True) or "",
            bytes_over_copy_s=node.object("baselines", optional=True).number("bytes_over_copy_s", optional=True),
        )
