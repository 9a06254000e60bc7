"""Records as results/README.md defines them: read from JSON lines, selected and joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterable, Optional, Sequence, TypeVar

from .algorithm import Algorithm
from .case import Case
from .count import Count
from .imported import Imported
from .jsonl import BadInput, Node, lines
from .measurement import Component, Measurement
from .prediction import KINDS, Prediction
from .published import Published
from .run import Run
from .schema import record_fault
from .trail import Trail

_Made = TypeVar("_Made", Measurement, Component, Count)


@dataclass
class Records:
    """All records given, each kind apart, in the order of reading."""

    runs: list[Run] = field(default_factory=list)
    algorithms: dict[str, Algorithm] = field(
        default_factory=dict
    )  # facts by name, from the newest run of a build with the sort
    measurements: list[Measurement] = field(default_factory=list)
    superseded: list[Measurement] = field(default_factory=list)  # measurements of cells that a newer run measured again
    superseded_runs: list[Run] = field(default_factory=list)  # runs that have only superseded measurements
    components: list[Component] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)
    predictions: list[Prediction] = field(default_factory=list)
    published: list[Published] = field(default_factory=list)
    imported: list[Imported] = field(
        default_factory=list
    )  # results that nobody here verified, kept apart from all others
    trails: list[Trail] = field(default_factory=list)  # validations, one for each file of `sortlab validate`
    files: list[tuple[str, int]] = field(default_factory=list)  # path, records
    torn: list[str] = field(default_factory=list)  # files whose last line was cut off
    refused: list[str] = field(default_factory=list)  # lines that are no records, each with the reason
    read_bytes_per_s: dict[str, float] = field(default_factory=dict)  # read bandwidth by device, from machine profiles
    copy_bytes_per_s: dict[str, float] = field(default_factory=dict)  # copy bandwidth by device, bytes read + written
    machine: Optional[str] = None  # the machine of these records, and all records from which they were chosen
    every: Optional["Records"] = field(default=None, repr=False)
    _started: str = field(default="", repr=False)  # start of the last run before a line of a file
    _described: dict[str, tuple[bool, str]] = field(default_factory=dict, repr=False)  # sorts: built, start of its run
    _by_cell: dict[str, list[Prediction]] = field(default_factory=dict, repr=False)  # the first `_indexed` predictions
    _indexed: int = field(default=0, repr=False)

    def add_file(self, path: Path) -> None:
        """Reads one JSON-lines file. A malformed record is listed in `refused`, by file, line and field, and left out;
        raises BadInput for a file that holds no other."""
        read, already, torn = 0, len(self.refused), len(self.torn)
        trail: Optional[Trail] = None
        self._started = ""
        for place, node in enumerate(lines(path, self.torn, self.refused)):
            try:
                self._add(node)
                kind = node.value["kind"]
                if kind == "validation" and trail is None:
                    trail = Trail(str(path))
                    self.trails.append(trail)
                if trail is not None:
                    trail.add(node, kind, first=not place)
                read += 1
            except BadInput as error:
                self.refused.append(str(error))
        if trail is not None:
            trail.unreadable = len(self.refused) - already + len(self.torn) - torn
        if len(self.refused) > already and not read:
            raise BadInput(f"--records {self.refused[already]}")
        self.files.append((str(path), read))

    def _add(self, node: Node) -> Any:
        """Adds the record and returns it, or None if only a Trail reads this kind. Raises BadInput."""
        fault = record_fault(node.value)
        if fault:
            raise BadInput(f"{node.where}: {fault}")
        kind = node.value["kind"]
        if kind == "algorithm":
            algorithm = Algorithm.of(node.value)
            self._know(algorithm)
            return algorithm
        if kind not in _KINDS:
            return None
        make, into = _KINDS[kind]
        try:
            made = make(node.value)
        except BadInput as error:
            raise BadInput(f"{node.where}: {error}") from None
        getattr(self, into).append(made)
        if isinstance(made, Run):
            self._started = made.started
        return made

    def _know(self, algorithm: Algorithm) -> None:
        """Keeps the newest run's description of a sort; one without a run (`sortlab list`) counts as oldest."""
        known = (algorithm.built, self._started)
        if known >= self._described.get(algorithm.name, (False, "")):
            self._described[algorithm.name] = known
            self.algorithms[algorithm.name] = algorithm

    def standing_for(self, role: str) -> dict[str, dict[str, Any]]:
        """The sorts that stand for a role, by name, each with the parameters that it then has."""
        return {a.name: a.roles[role] for a in self.algorithms.values() if role in a.roles}

    def unknown_algorithms(self) -> list[str]:
        """Measured sorts without a record of kind `algorithm`."""
        return sorted({m.case.algorithm for m in (*self.measurements, *self.components)} - self.algorithms.keys())

    def machine_of_choice(self, wanted: Optional[str] = None) -> Optional[str]:
        """The machine whose records are shown: the one selected, else the one with the most verified cells."""
        counts: dict[str, int] = {}
        for m in (*self.measurements, *self.components):
            counts[m.machine] = counts.get(m.machine, 0) + (1 if m.ok else 0)
        if wanted is not None and wanted not in counts:
            raise BadInput(f"--machine {wanted}: no record of it; there are: {', '.join(sorted(counts)) or 'none'}")
        return wanted or (max(counts, key=lambda m: (counts[m], m)) if counts else None)

    def on(self, machine: Optional[str]) -> "Records":
        """The records of one machine, with the newest measurement, count and prediction of each cell."""

        def here(kept: Iterable[_Made]) -> list[_Made]:
            return [made for made in self._oldest_first(kept) if made.machine == machine]

        newest: dict[str, Measurement] = {}
        superseded: list[Measurement] = []
        for m in here(self.measurements):
            if m.cell in newest and newest[m.cell].run != m.run:
                superseded.append(newest[m.cell])
            newest[m.cell] = m
        counts = {(c.cell, c.tool): c for c in here(self.counts)}
        components = {(c.cell, c.component): c for c in here(self.components)}
        wanted = [p for p in self.predictions if p.profile_id == machine or p.profile_origin == "paper"]
        predictions = {(p.cell, p.model, p.kind, p.profile_id): p for p in wanted}
        used = {m.run for m in (*newest.values(), *components.values())}
        return Records(
            runs=sorted((r for r in self.runs if r.run in used), key=lambda run: run.started),
            algorithms=self.algorithms,
            measurements=list(newest.values()),
            superseded=superseded,
            superseded_runs=[r for r in self.runs if r.run in {m.run for m in superseded} - used],
            components=list(components.values()),
            counts=list(counts.values()),
            predictions=list(predictions.values()),
            published=self.published,
            imported=self.imported,
            trails=[t for t in self.trails if t.validation and t.validation.machine == machine],
            files=self.files,
            torn=self.torn,
            refused=self.refused,
            read_bytes_per_s=self.read_bytes_per_s,
            copy_bytes_per_s=self.copy_bytes_per_s,
            machine=machine,
            every=self,
        )

    def others(self) -> list["Records"]:
        """The records of each other machine with measured sorts on a device."""
        every = self.every or self
        machines = {m.machine for m in every.measurements if m.ok and m.device} - {self.machine}
        return [every.on(machine) for machine in sorted(machines)]

    def ok(self, **wanted: Any) -> list[Measurement]:
        """Verified measurements whose case has these fields; a callable is a predicate of the field.

        Sorts end to end, whose time is mostly the copies', are returned only if `residency` selects them.
        """
        wanted.setdefault("residency", lambda residency: residency != "end_to_end")
        return [m for m in self.measurements if m.ok and _matches(m.case, wanted)]

    def in_all_runs(self, **wanted: Any) -> list[Measurement]:
        """Like ok(), with superseded measurements, oldest run first; for comparisons inside one run only."""
        every = self._oldest_first((*self.superseded, *self.measurements))
        return [m for m in every if m.ok and _matches(m.case, wanted)]

    def _oldest_first(self, made: Iterable[_Made]) -> list[_Made]:
        started = {run.run: run.started for run in (*self.runs, *self.superseded_runs)}
        return sorted(made, key=lambda one: started.get(one.run, ""))

    def parts(self, component: str, **wanted: Any) -> list[Component]:
        """Verified measurements of a component whose case has these fields."""
        return [c for c in self.components if c.ok and c.component == component and _matches(c.case, wanted)]

    def predicted(self, **wanted: Any) -> list[Prediction]:
        return [p for p in self.predictions if _matches(p.case, wanted)]

    def counted_phases(self, **wanted: Any) -> list[dict[str, Any]]:
        """A table with a row for each counted phase and pass.

        Its columns are algorithm, parameters, type, n, distribution, device, phase, pass, binding, every counter per
        element, and the utilisation of each resource as "used.<resource>".
        """
        return [
            {
                "algorithm": c.case.algorithm,
                "parameters": c.case.parameters_text,
                "type": c.case.type_name,
                "n": c.case.n,
                "distribution": c.case.distribution,
                "device": c.device,
                "phase": p.name,
                "pass": p.pass_,
                "binding": p.binding,
                **p.per_element,
                **{f"used.{resource}": share for resource, share in p.utilisation.items()},
            }
            for c in self.counts
            if c.ok and _matches(c.case, wanted)
            for p in c.phases
        ]

    def find_count(self, cell: str) -> Optional[Count]:
        """The newest count of a cell whose sort was verified, or None."""
        return next((c for c in reversed(self.counts) if c.cell == cell and c.ok), None)

    def find_prediction(self, measurement: Measurement, kind: Optional[str] = None) -> Optional[Prediction]:
        """This machine's prediction of a measured cell, of `kind` or else of the first of KINDS that there is.

        If there are two models of a kind, the first by name counts.
        """
        found = [p for p in self._cell_predictions(measurement.cell) if p.profile_id == measurement.machine]
        found = [p for p in found if kind in (None, p.kind)]
        return min(found, key=lambda p: (KINDS.index(p.kind), p.model)) if found else None

    def _cell_predictions(self, cell: str) -> Sequence[Prediction]:
        if self._indexed != len(self.predictions):
            self._by_cell, self._indexed = {}, len(self.predictions)
            for p in self.predictions:
                self._by_cell.setdefault(p.cell, []).append(p)
        return self._by_cell.get(cell, ())

    def find_papers_prediction(self, measurement: Measurement) -> Optional[Prediction]:
        """The prediction of a paper's own model for the same cell on the paper's machine."""
        found = [p for p in self._cell_predictions(measurement.cell) if p.profile_origin == "paper"]
        return min(found, key=lambda p: (p.knows_times, p.model)) if found else None


_KINDS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "run": (Run.of, "runs"),
    "measurement": (Measurement.of, "measurements"),
    "count": (Count.of, "counts"),
    "prediction": (Prediction.of, "predictions"),
    "published": (Published.of, "published"),
    "component": (Component.of, "components"),
    "imported": (Imported.of, "imported"),
}


def _matches(case: Case, wanted: dict[str, Any]) -> bool:
    for name, value in wanted.items():
        have = case.parameters if name == "parameters" else getattr(case, name)
        if name == "parameters":
            if any(have.get(key) != setting for key, setting in value.items()):
                return False
        elif callable(value):
            if not value(have):
                return False
        elif have != value:
            return False
    return True


def read(paths: Iterable[Path]) -> Records:
    """Reads all files into one set. Raises BadInput."""
    records = Records()
    for path in paths:
        records.add_file(path)
    return records
