"""A campaign's steps (configs/reference.json), and the config that each measuring step runs."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

from ..artifacts.discovery import Builder
from ..claims.books import Book
from ..records.folders import ROOT
from ..records.jsonl import BadInput, Node, document
from ..records.schema import campaign_fault

KINDS = ("cpu", "gpu", "gpus")
_WANTED = "a campaign is wanted, like configs/reference.json"


@dataclass(frozen=True)
class StepConfig:
    path: str  # relative to the checkout
    read_by: tuple[str, ...] = ()  # artifacts and claims that read its records, though neither says so


@dataclass(frozen=True)
class Step:
    name: str
    does: str  # calibrate, validate, measure, count or repeat
    on: str  # cpu or gpu: the sorts that are measured
    minutes: Mapping[str, float]  # most time by kind of machine; a kind that is absent leaves the step out
    configs: tuple[StepConfig, ...]
    arguments: tuple[str, ...]  # further words of its commands
    again: int  # most repetitions of an input with a disturbed cell
    seed: int  # the draw of a validation

    @classmethod
    def of(cls, step: Mapping[str, Any]) -> "Step":
        named = [one if isinstance(one, dict) else {"config": one} for one in step.get("configs", [])]
        return cls(
            name=step["name"],
            does=step["does"],
            on=step.get("on", "cpu"),
            minutes=step["minutes"],
            configs=tuple(StepConfig(one["config"], tuple(one.get("read_by", []))) for one in named),
            arguments=tuple(step.get("arguments", [])),
            again=step.get("again", 0),
            seed=step.get("seed", 1),
        )


@dataclass(frozen=True)
class Campaign:
    path: Path
    title: str
    steps: tuple[Step, ...]

    def on(self, kind: str) -> list[Step]:
        """The steps of a machine of this kind, in order of worth."""
        return [step for step in self.steps if kind in step.minutes]


def read_campaign(path: Path) -> Campaign:
    """Raises BadInput."""
    node = document(path, "--campaign", _WANTED)
    fault = campaign_fault(node.value)
    if fault:
        raise BadInput(f"{node.where}: {fault}; {_WANTED}")
    campaign = Campaign(path, node.value["title"], tuple(map(Step.of, node.value["steps"])))
    names = [step.name for step in campaign.steps]
    for step in campaign.steps:
        if names.count(step.name) > 1:
            raise BadInput(f"{node.where}: steps: {step.name} is there twice; allowed: once")
        wants = step.does in ("measure", "count", "repeat")
        if wants != bool(step.configs):
            allowed = "at least one" if wants else f"none, since it does {step.does}"
            raise BadInput(f"{node.where}: steps: {step.name}: configs: allowed: {allowed}")
    return campaign


def readers(of: StepConfig, builders: Iterable[Builder], books: Iterable[Book]) -> list[str]:
    """The artifacts and claims that read a config's records: those that it names, the claims that name it, and those
    that the campaign names. Raises BadInput for one that is not known."""
    claims = {claim.id: claim for book in books for claim in book.claims}
    named = [*config(of.path).value.get("artifacts", []), *of.read_by]
    known = [*(builder.id for builder in builders), *claims]
    for id_ in named:
        if not any(id_ == one or fnmatch.fnmatchcase(id_, one) for one in known):
            raise BadInput(f"{of.path}: {id_}: no such artifact or claim; allowed: {', '.join(known)}")
    return list(dict.fromkeys([*named, *(id_ for id_, claim in claims.items() if claim.config == of.path)]))


def config(path: str) -> Node:
    return document(ROOT / path, "config", "a config is wanted")


def merged(name: str, title: str, paths: Sequence[str], names: Iterable[str]) -> dict[str, Any]:
    """One config of the sweeps of several, of the algorithms `names` alone. A cell of several sweeps is measured once,
    by the first one's protocol, beside all other sorts of its input. Raises BadInput."""
    wanted, sweeps = set(names), []
    for path in paths:
        node = config(path)
        for place, sweep in enumerate(node.value["sweeps"]):
            if any(isinstance(one, dict) for one in sweep["distributions"]):
                raise BadInput(f"{path}: sweeps[{place}]: distributions: a file of keys cannot be part of a campaign")
            chosen = [one for one in sweep["algorithms"] if _name(one) in wanted]
            protocol = {**node.value.get("protocol", {}), **sweep.get("protocol", {})}
            if chosen:
                sweeps.append({**sweep, "algorithms": chosen, "protocol": protocol})
    return {"name": name, "title": title, "sweeps": sweeps}


def _name(algorithm: Any) -> str:
    return str(algorithm["name"] if isinstance(algorithm, dict) else algorithm)
