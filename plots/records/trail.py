"""The records of `sortlab validate`, and the checks that its predictions came before its measurements.

Only the bytes of the file are checked: the SHA-256 of lines, and their order. Nothing here calls or trusts the program.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Optional

from .jsonl import Line
from .measurement import Measurement
from .prediction import Prediction
from .quantities import count_text
from .run import Run


@dataclass(frozen=True)
class Coverage:
    """The drawn cells of a plug-in and a number of threads that one kind of model was asked about."""

    kind: str
    algorithm: str
    threads: int
    cells: int
    refused: tuple[tuple[str, int], ...]  # reasons, and the cells not predicted for them

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Coverage":
        refused = tuple((r["why"], int(r["cells"])) for r in record["refused"])
        return cls(record["model_kind"], record["algorithm"], int(record["threads"]), int(record["cells"]), refused)

    @property
    def unpredicted(self) -> int:
        return sum(cells for _, cells in self.refused)


@dataclass(frozen=True)
class Validation:
    """The drawn cells and their predictions, to which the first record of a validation commits."""

    id: str
    time: str
    machine: str
    seed: int
    config: str  # empty if the cells belong to no config
    build: dict[str, Any] = field(hash=False)
    model_digest: str
    profile_id: str
    profile_hashes: tuple[str, ...]  # hashes of the whole profile and of its devices
    profile_sha256: str
    cells: int
    left_out: tuple[str, ...]
    coverage: tuple["Coverage", ...]  # empty in older records
    committed: tuple[tuple[str, str, str], ...]  # cell, model and SHA-256 of each prediction's line
    predictions_sha256: str

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Validation":
        asked, profile, drawn = record["asked"], record["profile"], record["drawn"]
        return cls(
            id=record["validation"],
            time=record["time"],
            machine=record["machine"],
            seed=asked["seed"],
            config=asked["config"] or "",
            build=record["build"],
            model_digest=record["model_digest"],
            profile_id=profile["id"],
            profile_hashes=(profile["hash"], *profile["devices"]),
            profile_sha256=profile["sha256"],
            cells=int(drawn["cells"]),
            left_out=tuple(drawn["left_out"]),
            coverage=tuple(Coverage.of(c) for c in drawn.get("coverage", [])),
            committed=tuple((p["cell"], p["model"], p["sha256"]) for p in record["predictions"]),
            predictions_sha256=record["predictions_sha256"],
        )


@dataclass(frozen=True)
class CalibrationPoint:
    """One point of the profile, measured again."""

    on: str  # host or device
    table: str
    at: str
    ratio: float  # repeated time over the profile's

    @property
    def slower(self) -> float:
        return self.ratio - 1

    @classmethod
    def of(cls, point: dict[str, Any]) -> Optional["CalibrationPoint"]:
        """The point, or None if its time is not above 0, as a difference of two times may be."""
        before, again = point["profile"], point["again"]
        if before <= 0 or again <= 0:
            return None
        rate = point["unit"].endswith("/s")
        at = ", ".join(f"{name} {value:g}" for name, value in point["at"].items())
        return cls(point["on"], point["table"], at, before / again if rate else again / before)


@dataclass(frozen=True)
class Repeat:
    cell: str
    slower: float  # repeated time over the first, less 1


@dataclass(frozen=True)
class Drift:
    when: str  # begin (before the first measurement) or end
    calibration: tuple[CalibrationPoint, ...]
    repeats: tuple[Repeat, ...]

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Drift":
        repeats = tuple(Repeat(r["cell"], r["again_s"] / r["first_s"] - 1) for r in record["repeats"])
        points = (CalibrationPoint.of(p) for p in record["calibration"])
        return cls(record["when"], tuple(p for p in points if p), repeats)


@dataclass(frozen=True)
class End:
    measured: int
    left: int
    again_sha256: str
    different: int  # predictions that differed after measuring
    records_sha256: str

    @classmethod
    def of(cls, record: dict[str, Any]) -> "End":
        again = record["predicted_again"]
        return cls(
            record["measured"], record["left"], again["sha256"], len(again["different"]), record["records_sha256"]
        )


@dataclass(frozen=True)
class Check:
    """A condition on the file; `held` is None if it cannot be decided."""

    what: str
    held: Optional[bool]
    found: str


class Trail:
    """The lines of one file, from its `validation` record on, in their order."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.validation: Optional[Validation] = None
        self.sha256 = ""  # SHA-256 of the validation's line
        self.first = False  # True if the validation is the file's first line
        self.order: list[str] = []  # kinds of the records, from the validation on
        self.predictions: list[tuple[Prediction, str, str]] = []  # with SHA-256 and model digest
        self.runs: list[tuple[Run, str]] = []  # with the commitment that each names
        self.measurements: list[Measurement] = []
        self.drifts: list[Drift] = []
        self.end: Optional[End] = None
        self.end_matches = False  # True if the end names the SHA-256 of the lines before it
        self.unreadable = 0
        self._so_far = hashlib.sha256()

    @property
    def machines(self) -> set[str]:
        """The machines that this validation predicts and measures; none without a validation."""
        if self.validation is None:
            return set()
        predicted = {p.machine for p, _, _ in self.predictions}
        return {self.validation.machine} | predicted | {m.machine for m in self.measurements}

    def add(self, line: Line, kind: str, first: bool) -> None:
        """Adds a record that follows the schema. Raises BadInput for faults that no schema can express."""
        record = line.value
        digest = hashlib.sha256(line.raw.rstrip(b"\r\n")).hexdigest()
        if kind == "validation":
            if self.validation is None:
                self.validation, self.sha256, self.first = Validation.of(record), digest, first
        elif kind == "prediction":
            self.predictions.append((Prediction.of(record), digest, record["model_digest"]))
        elif kind == "run":
            self.runs.append((Run.of(record), record["asked"].get("validation", "")))
        elif kind == "measurement":
            self.measurements.append(Measurement.of(record))
        elif kind == "drift":
            self.drifts.append(Drift.of(record))
        elif kind == "validation_end":
            self.end = End.of(record)
            self.end_matches = self._so_far.hexdigest() == self.end.records_sha256
        self.order.append(kind)
        self._so_far.update(line.raw)

    def checks(self, profiles: dict[str, str]) -> list[Check]:
        """`profiles`: paths of the profiles at hand, by SHA-256."""
        assert self.validation is not None
        return [
            self._begins(),
            self._committed(),
            self._came_first(),
            self._one_build(),
            self._profile(profiles),
            self._runs(),
            self._measured(),
            self._predicted_again(),
            self._unchanged(),
        ]

    def _begins(self) -> Check:
        several = self.order.count("validation")
        found = "it is the first line" if self.first else "other lines stand before it"
        return Check(
            "The file begins with the record that commits to the predictions, and has no other such record",
            self.first and several == 1,
            found if several == 1 else f"{several} such records",
        )

    def _committed(self) -> Check:
        assert self.validation is not None
        wanted = self.validation.committed
        there = [(p.cell, p.model, digest) for p, digest, _ in self.predictions]
        wrong = sum(a != b for a, b in zip(wanted, there)) + abs(len(wanted) - len(there))
        return Check(
            "Each prediction is, by its SHA-256, the one committed to, and none is missing or added",
            not wrong and bool(wanted),
            f"{len(there)} predictions" + (f", {wrong} not as committed to" if wrong else ""),
        )

    def _came_first(self) -> Check:
        count = len(self.predictions)
        together = self.order[1 : 1 + count] == ["prediction"] * count
        measured = [i for i, kind in enumerate(self.order) if kind in ("run", "measurement", "component", "drift")]
        last = max((i for i, kind in enumerate(self.order) if kind == "prediction"), default=0)
        before = not measured or last < measured[0]
        return Check(
            "All predictions stand before anything that was measured",
            together and before,
            "in one block behind the commitment" if together and before else "some stand behind measurements",
        )

    def _one_build(self) -> Check:
        v = self.validation
        assert v is not None
        others = sum(
            digest != v.model_digest or p.profile_id != v.profile_id or p.profile_hash not in v.profile_hashes
            for p, _, digest in self.predictions
        )
        found = f"models {v.model_digest}, profile {v.profile_hashes[0]}"
        return Check(
            "Each prediction is of the models' build and of the profile committed to",
            not others and bool(self.predictions),
            f"{found}; {others} of others" if others else found,
        )

    def _profile(self, profiles: dict[str, str]) -> Check:
        assert self.validation is not None
        found = profiles.get(self.validation.profile_sha256)
        what = "The profile at hand is, by its SHA-256, the one predicted from"
        if not profiles:
            return Check(what, None, f"none was given; wanted: {self.validation.profile_sha256[:16]}…")
        return Check(what, found is not None, found or "another")

    def _runs(self) -> Check:
        v = self.validation
        assert v is not None
        what = "Each run names the commitment, began after it, and is of the same build and machine"
        wrong = [
            run.run
            for run, named in self.runs
            if named != self.sha256 or run.started < v.time or run.build != v.build or run.machine_id != v.machine
        ]
        if not self.runs:
            return Check(what, None, "nothing was run")
        return Check(what, not wrong, f"{len(self.runs)} runs" + (f", not so: {', '.join(wrong)}" if wrong else ""))

    def _measured(self) -> Check:
        predicted = {p.cell for p, _, _ in self.predictions}
        seen: set[str] = set()
        runs = iter(self.runs)
        measurements = iter(self.measurements)
        wrong = 0
        for kind in self.order:
            if kind == "run":
                seen.add(next(runs)[0].run)
            elif kind == "measurement":
                m = next(measurements)
                wrong += m.cell not in predicted or m.run not in seen
        found = f"{len(self.measurements)} of {len(predicted)} cells"
        return Check(
            "Each measured cell was predicted, by a run that stands before it",
            not wrong if self.measurements else None,
            f"{found}; {wrong} not so" if wrong else found,
        )

    def _predicted_again(self) -> Check:
        assert self.validation is not None
        what = "Predicting again after measuring, the models say the same: none reads what was measured"
        if self.end is None:
            return Check(what, None, "the validation has not ended")
        same = self.end.again_sha256 == self.validation.predictions_sha256 and not self.end.different
        return Check(what, same, "the same" if same else f"{count_text(self.end.different)} predictions differ")

    def _unchanged(self) -> Check:
        what = "The file is as it was written, and no measured cell is missing"
        if self.end is None:
            return Check(what, None, "the validation has not ended")
        times = {m.cell for m in self.measurements if m.ok}
        if self.unreadable:
            return Check(what, False, f"{self.unreadable} lines are no records")
        if not self.end_matches:
            return Check(what, False, "its lines are not those whose SHA-256 its last record names")
        found = f"{len(times)} cells with a time, as its last record says"
        return Check(what, len(times) == self.end.measured, found)


def blind(checks: list[Check]) -> bool:
    """True if every check passed or could not be decided."""
    return all(check.held is not False for check in checks)
