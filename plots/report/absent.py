"""Tables and figures of which nothing is measured on the page's machine: what each needs, and where it was measured."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from typing import Optional, Sequence

from ..figures.artifact import Artifact
from ..records.plan import Planned, feeding
from ..records.quantities import digits

KEPT_PAGE = "kept.html"
_OF_GPU = ("no_cuda", "no_gpu")  # reason codes of cells that need a GPU
_OF_MACHINE = ("too_few_processors", "too_little_memory")
_MINUTE, _HOUR = 60, 3600


@dataclass(frozen=True)
class Kept:
    """Tables and figures of one set of kept records, labelled with its machine."""

    name: str  # GPU, or the machine if it has none
    machine: str  # GPU and host
    artifacts: Sequence[Artifact]


@dataclass(frozen=True)
class Absent:
    """A table or figure, or a family of them under a pattern of ids, that this machine's records do not fill."""

    id: str
    title: str
    command: str  # command that makes its records; empty if its configs say
    configs: Sequence[Planned] = ()

    @property
    def impossible(self) -> bool:
        """True if it cannot be measured here, as far as is known."""
        return all(p.to_run is None or p.impossible for p in self.configs)


def absent(id_: str, title: str, command: str, plan: Sequence[Planned]) -> Absent:
    return Absent(id_, title, command, () if command else feeding(plan, id_))


def needs_text(one: Absent) -> str:
    """Names what a machine must have to measure it."""
    if not one.configs:
        return "records of that command"
    if not one.impossible or any(p.to_run is None for p in one.configs):
        return "records of " + " and ".join(p.config for p in one.configs)
    reasons = list(dict.fromkeys(reason for p in one.configs for reason in p.reasons))
    texts = [reason.text for reason in reasons]
    if any(reason.code in _OF_GPU for reason in reasons):
        others = [reason.text for reason in reasons if reason.code in _OF_MACHINE]
        texts = ["an NVIDIA GPU and a CUDA toolkit", *others]
    return "; ".join(texts[:2]) or "another machine"


def command_text(one: Absent) -> str:
    if one.command:
        return one.command
    if any(p.config.count("/") > 1 for p in one.configs):
        return f"./run_all.sh --figure {next(a for p in one.configs for a in p.artifacts if _belongs(a, one.id))}"
    return " && ".join(f"./run_all.sh --config {p.config}" for p in one.configs)


def time_text(one: Absent) -> str:
    """Estimated time of measuring it here; empty if nobody has asked the program."""
    if not one.configs or any(p.to_run is None for p in one.configs):
        return ""
    return "–" if one.impossible else duration(sum(p.seconds for p in one.configs))


def duration(seconds: float) -> str:
    """An estimate in whole units: 40 s, 11 min, 4.4 h."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < _HOUR else f"{digits(seconds / _HOUR, 2)} h"


def rows(found: Sequence[Absent], kept: Sequence[Kept]) -> list[dict[str, object]]:
    """The values of each row that the template reads."""
    return [
        {
            "id": one.id.rstrip("*-"),
            "title": one.title,
            "needs": needs_text(one),
            "command": command_text(one),
            "time": time_text(one),
            "kept": _kept(one, kept),
        }
        for one in found
    ]


def _kept(one: Absent, kept: Sequence[Kept]) -> Optional[dict[str, str]]:
    """The label and the address of the kept figure."""
    for of in kept:
        for artifact in of.artifacts:
            if _belongs(artifact.id, one.id):
                return {"label": of.name, "href": f"{KEPT_PAGE}#{artifact.id}"}
    return None


def _belongs(artifact: str, id_: str) -> bool:
    """True if a builder with this id, or pattern of ids, builds the artifact."""
    return fnmatch.fnmatchcase(artifact, id_) or artifact == id_
