"""What a model says of a case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping, Optional

from .case import Case
from .jsonl import Node
from .measurement import Phase, phase_name

# What a model may know (design: the contract of a model), the one that tables show first.
KINDS = ("component", "hardware", "paper", "fitted", "baseline", "scaled")
# Work of a phase whose time was a component's in records from before they named their tables.
_COMPONENTS_WORK = ({"counters"}, {"searches"})


@dataclass(frozen=True)
class WhatIf:
    """What `sortlab what-if` changed: one resource of the machine with the profile `of`, or what was set there."""

    of: str  # hash of a profile
    resource: str  # empty: this is the machine that was asked about
    times_as_good: float


@dataclass(frozen=True)
class Prediction:
    cell: str
    case: Case
    model: str
    kind: str  # one of KINDS
    family: str  # "A, one sweep a pass"; empty in records from before
    papers_times: bool  # a paper's model made from the paper's times of the same sort
    seconds: float
    phases: tuple[Phase, ...]
    profile_id: str
    profile_name: str
    profile_hash: str
    profile_origin: str  # "calibrated", "paper", or "scaled"
    view: str
    factors: Mapping[
        str, float
    ]  # of a machine that is scaled: how much more of each resource than the measured one has
    what_if: Optional[WhatIf]
    bytes_over_copy_s: Optional[float]  # keys and values read and written once at this machine's copying bandwidth

    @property
    def knows_times(self) -> bool:
        """Whether it is made from times of the sort that it predicts."""
        return self.kind == "fitted" or self.papers_times

    @classmethod
    def of(cls, node: Node) -> "Prediction":
        profile = node.object("profile")
        phases = tuple(
            Phase(
                phase_name(p.text("name")),
                p.integer("pass", optional=True) or 0,
                p.number("seconds", least=0),
                p.text("binding", optional=True) or "",
                p.quantities("work", optional=True),
            )
            for p in node.objects("phases", optional=True)
        )
        kind = node.choice("model_kind", KINDS, optional=True)
        before = kind is None  # `analytical` and `level` then say it
        if kind is None:
            kind = _kind_before(node.flag("analytical"), node.text("level", optional=True) or "", phases)
        return cls(
            cell=node.text("cell"),
            case=Case.of(node.object("case")),
            model=node.text("model"),
            kind=kind,
            family=node.text("model_family", optional=True) or "",
            papers_times=(
                kind == "paper" and not node.flag("analytical") if before else node.flag("papers_times", optional=True)
            ),
            seconds=node.number("seconds", least=0),
            phases=phases,
            profile_id=profile.text("id"),
            profile_name=profile.text("name", optional=True) or "",
            profile_hash=profile.text("hash", optional=True) or "",
            profile_origin=profile.text("origin", optional=True) or "",
            view=node.prose("view", optional=True) or "",
            factors=profile.quantities("factors", optional=True),
            what_if=_what_if(node.object("what_if", optional=True)),
            bytes_over_copy_s=node.object("baselines", optional=True).number(
                "bytes_over_copy_s", optional=True, least=0
            ),
        )


def _what_if(node: Node) -> Optional[WhatIf]:
    if not node.value:
        return None
    good = node.number("times_as_good", optional=True, least=0)
    return WhatIf(node.text("of"), node.text("resource", optional=True) or "", 1.0 if good is None else good)


def _kind_before(analytical: bool, level: str, phases: tuple[Phase, ...]) -> str:
    """The kind of a model in records from before `model_kind` (results/README.md)."""
    if level == "paper":
        return "paper"
    if not analytical:
        return "fitted"
    reads_component = any(set(phase.work) in _COMPONENTS_WORK for phase in phases)
    return "component" if level != "A" or reads_component else "hardware"
