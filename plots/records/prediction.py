"""A model's prediction of a case."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional

from .case import Case
from .energy import PredictedEnergy
from .machines import host_id, machine_id
from .measurement import Phase, phase_name
from .schema import words

KINDS = words("model_kind")  # kinds by what a model may know (models/README.md); tables prefer the first
# Work of a phase that older records, which do not name their tables, took from a component's time.
_COMPONENTS_WORK = ({"counters"}, {"searches"})


@dataclass(frozen=True)
class WhatIf:
    """The change that `sortlab what-if` made: one resource of the machine with the profile `of`, or its settings."""

    of: str  # hash of a profile
    resource: str  # empty for the machine that was asked about
    times_as_good: float


@dataclass(frozen=True)
class Prediction:
    cell: str
    case: Case
    model: str
    kind: str  # one of KINDS
    family: str  # "A, one sweep a pass"; empty in older records
    papers_times: bool  # True for a paper's model fitted to the paper's times of the same sort
    seconds: float
    phases: tuple[Phase, ...]
    profile_id: str
    profile_name: str
    profile_hash: str
    profile_origin: str  # "calibrated", "paper", or "scaled"
    view: str
    factors: Mapping[str, float] = field(hash=False)  # each resource of a scaled machine relative to the measured one
    what_if: Optional[WhatIf]
    energy: Optional[PredictedEnergy]  # joules, if the device's energy is calibrated
    bytes_over_copy_s: Optional[float]  # time to read and write keys and values once at the copy bandwidth

    @property
    def machine(self) -> str:
        """The machine predicted for. Predictions of a GPU sort on a calibrated machine are named after the GPU; those
        of a sort from host to host name the host alone."""
        if self.profile_origin == "calibrated" and self.case.residency == "device":
            return machine_id(self.profile_id, self.profile_name)
        return self.profile_id

    def is_for(self, machine: str) -> bool:
        """True if this is the machine predicted for, or its host where the prediction names no GPU."""
        return self.machine in (machine, host_id(machine))

    @property
    def knows_times(self) -> bool:
        """True if the model was fitted to times of the sort that it predicts."""
        return self.kind == "fitted" or self.papers_times

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Prediction":
        profile = record["profile"]
        phases = tuple(
            Phase(phase_name(p["name"]), p["pass"], p["seconds"], p["binding"], p["work"]) for p in record["phases"]
        )
        before = "model_kind" not in record  # `analytical` and `level` then say it
        kind = _kind_before(record["analytical"], record["level"], phases) if before else record["model_kind"]
        return cls(
            cell=record["cell"],
            case=Case.of(record["case"]),
            model=record["model"],
            kind=kind,
            family=record.get("model_family", ""),
            papers_times=kind == "paper" and not record["analytical"] if before else "papers_times" in record,
            seconds=record["seconds"],
            phases=phases,
            profile_id=profile["id"],
            profile_name=profile["name"],
            profile_hash=profile["hash"],
            profile_origin=profile["origin"],
            view=record["view"],
            factors=profile.get("factors", {}),
            what_if=_what_if(record["what_if"]) if "what_if" in record else None,
            energy=PredictedEnergy.of(record["energy"]) if "energy" in record else None,
            bytes_over_copy_s=record.get("baselines", {}).get("bytes_over_copy_s"),
        )


def _what_if(asked: dict[str, Any]) -> WhatIf:
    return WhatIf(asked["of"], asked.get("resource", ""), asked.get("times_as_good", 1.0))


def _kind_before(analytical: bool, level: str, phases: tuple[Phase, ...]) -> str:
    """The kind of a model in records that are older than `model_kind` (results/README.md)."""
    if level == "paper":
        return "paper"
    if not analytical:
        return "fitted"
    reads_component = any(set(phase.work) in _COMPONENTS_WORK for phase in phases)
    return "component" if level != "A" or reads_component else "hardware"
