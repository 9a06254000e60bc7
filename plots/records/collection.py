"""Records as results/README.md defines them: read from JSON lines, selected and joined."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Callable, Iterable, Optional, Sequence, TypeVar, Union

from .algorithm import Algorithm
from .case import Case
from .contradictions import EarlierRecords, own_contradiction
from .count import Count
from .folders import visible_files
from .imported import Imported
from .jsonl import BadInput, Line, holds_lines, lines
from .machines import has_gpu, host_id, machine_id
from .measurement import Component, Measurement
from .prediction import KINDS, Prediction
from .prices import Prices
from .published import Published
from .run import Run
from .schema import record_fault
from .trail import Trail

_Made = TypeVar("_Made", Measurement, Component, Count)
_INDEXED = ("algorithm", "key_type", "value_type")
_BySort = dict[tuple[str, ...], list[tuple[int, Measurement]]]  # measurements with their places, by these fields


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
    emulated: int = 0  # records left out since an emulator of the processor ran the program
    read_bytes_per_s: dict[str, float] = field(default_factory=dict)  # read bandwidth by device, from machine profiles
    copy_bytes_per_s: dict[str, float] = field(default_factory=dict)  # copy bandwidth by device, bytes read + written
    prices: Prices = field(default_factory=Prices)  # prices that the user gave
    machine: Optional[str] = None  # the machine of these records (machines.py)
    every: Optional["Records"] = field(default=None, repr=False)  # all records from which they were chosen
    _earlier: EarlierRecords = field(default_factory=EarlierRecords, repr=False, compare=False)
    _gpus: dict[str, str] = field(default_factory=dict, repr=False)  # the first GPU of each run's host
    _started: str = field(default="", repr=False)  # start of the last run before a line of a file
    _described: dict[str, tuple[bool, str]] = field(default_factory=dict, repr=False)  # sorts: built, start of its run
    _by_cell: dict[str, list[Prediction]] = field(default_factory=dict, repr=False)  # the first `_indexed` predictions
    _indexed: int = field(default=0, repr=False)
    _by_sort: dict[str, tuple[int, "_BySort"]] = field(default_factory=dict, repr=False)
    _cells: Counter[str] = field(default_factory=Counter, repr=False)  # cells of each sort in the first `_counted`
    _counted: int = field(default=0, repr=False)

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

    def _add(self, node: Line) -> Any:
        """Adds the record and returns it, or None if only a Trail reads this kind or an equal record of its run is
        there. Raises BadInput."""
        fault = record_fault(node.value)
        if fault:
            raise BadInput(f"{node.where}: {fault}")
        kind = node.value["kind"]
        contradiction = own_contradiction(node.value, node.raw)
        contradiction = contradiction or self._earlier.contradiction(node.value, node.raw, node.where)
        if contradiction:
            raise BadInput(f"{node.where}: {contradiction}")
        if kind == "algorithm":
            algorithm = Algorithm.of(node.value)
            self._know(algorithm)
            return algorithm
        if kind not in _KINDS or self._earlier.was_copy:
            return None
        make, into = _KINDS[kind]
        made = make(node.value)
        if isinstance(made, Run):
            self._started = made.started
            self._gpus[made.run] = str(made.environment.get("gpus") or "").partition(", ")[0]
        if isinstance(made, Measurement) and not made.device and not made.case.on_host:
            # A GPU's sort that never ran names no device.
            made = replace(made, machine=machine_id(made.machine, self._gpus.get(made.run, "")))
        if _is_emulated(made):
            self.emulated += 1
            return None
        getattr(self, into).append(made)
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
        """The machine whose records are shown: the one selected, else the one with the most verified cells. A GPU's
        machine has those of its host as well."""
        counts = self._verified()
        hosts = {host_id(machine) for machine in counts}
        if wanted is not None and wanted not in counts.keys() | hosts:
            known = sorted(counts.keys() | hosts)
            raise BadInput(f"--machine {wanted}: no record of it; there are: {', '.join(known) or 'none'}")
        if wanted is not None:
            return wanted
        both = {machine: counts[machine] + counts.get(host_id(machine), 0) * has_gpu(machine) for machine in counts}
        return max(both, key=lambda m: (both[m], m)) if both else None

    def _verified(self) -> dict[str, int]:
        """The number of verified cells of each machine."""
        counts: dict[str, int] = {}
        for m in (*self.measurements, *self.components):
            counts[m.machine] = counts.get(m.machine, 0) + (1 if m.ok else 0)
        return counts

    def _with_gpu(self, host: str) -> str:
        """A host with the GPU of which there are the most records, or the host alone if there are of none."""
        counts = {m: count for m, count in self._verified().items() if has_gpu(m) and host_id(m) == host}
        counts = counts or {c.machine: 0 for c in self.counts if has_gpu(c.machine) and host_id(c.machine) == host}
        return max(counts, key=lambda m: (counts[m], m), default=host)

    def on(self, machine: Optional[str], alone: bool = False) -> "Records":
        """The records of one machine, with the newest measurement, count and prediction of each cell.

        A GPU's machine has the records of its host as well, and a host that of the GPU with the most, unless `alone`.
        No record of another GPU is among them.
        """
        if machine is not None and not alone and not has_gpu(machine):
            machine = self._with_gpu(machine)
        machines = {machine} if alone or machine is None else {machine, host_id(machine)}

        def here(kept: Iterable[_Made]) -> list[_Made]:
            return [made for made in self.oldest_first(kept) if made.machine in machines]

        newest: dict[str, Measurement] = {}
        superseded: list[Measurement] = []
        for m in here(self.measurements):
            if m.cell in newest and newest[m.cell].run != m.run:
                superseded.append(newest[m.cell])
            newest[m.cell] = m
        counts = {(c.cell, c.tool): c for c in here(self.counts)}
        components = {(c.cell, c.component): c for c in here(self.components)}
        wanted = [p for p in self.predictions if p.machine in machines or p.profile_origin == "paper"]
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
            trails=[t for t in self.trails if t.machines & machines],
            files=self.files,
            torn=self.torn,
            refused=self.refused,
            read_bytes_per_s=self.read_bytes_per_s,
            copy_bytes_per_s=self.copy_bytes_per_s,
            prices=self.prices,
            machine=machine,
            every=self,
        )

    @property
    def gpu(self) -> str:
        """Name of the GPU of these records of one machine; empty if they are of the host alone."""
        made: Sequence[Union[Measurement, Count]] = (*self.measurements, *self.components, *self.counts)
        return next((m.device for m in made if m.device and m.machine == self.machine), "")

    def others(self) -> list["Records"]:
        """The records of each other machine with measured sorts on a GPU: another GPU of this host, or another host."""
        every = self.every or self
        measured = (*every.measurements, *every.components)
        machines = {m.machine for m in measured if m.ok and m.device} - {self.machine}
        return [every.on(machine) for machine in sorted(machines)]

    def ok(self, **wanted: Any) -> list[Measurement]:
        """Verified measurements whose case has these fields; a callable is a predicate of the field.

        Sorts end to end, whose time is mostly the copies', and those on several devices are returned only if
        `residency` selects them.
        """
        wanted.setdefault("residency", lambda residency: residency not in ("end_to_end", "shards"))
        return _chosen(self._indexed_by_sort("newest", self.measurements), wanted)

    @property
    def cells_by_sort(self) -> Counter[str]:
        """Number of measurements of each sort, whatever became of them."""
        if self._counted != len(self.measurements):
            self._cells, self._counted = Counter(m.case.algorithm for m in self.measurements), len(self.measurements)
        return self._cells

    def in_all_runs(self, **wanted: Any) -> list[Measurement]:
        """Like ok(), with superseded measurements, oldest run first; for comparisons inside one run only."""
        return _chosen(self._indexed_by_sort("every run", (*self.superseded, *self.measurements)), wanted)

    def _indexed_by_sort(self, name: str, made: Sequence[Measurement]) -> "_BySort":
        """The verified ones of these measurements by _INDEXED, each with its place; made again if there are more. Those
        of every run are the oldest first."""
        known = self._by_sort.get(name)
        if known is None or known[0] != len(made):
            ordered = self.oldest_first(made) if name == "every run" else made
            by_sort: _BySort = {}
            for place, m in enumerate(ordered):
                if m.ok:
                    key = tuple(getattr(m.case, name) for name in _INDEXED)
                    by_sort.setdefault(key, []).append((place, m))
            known = self._by_sort[name] = (len(made), by_sort)
        return known[1]

    def oldest_first(self, made: Iterable[_Made]) -> list[_Made]:
        """The records by the start of their run, then in the order of reading; those of a run that no record describes
        come first. The program has the same rule (harness/record/run_order.hpp)."""
        started = self.starts
        return sorted(made, key=lambda one: started.get(one.run, ""))

    @property
    def starts(self) -> dict[str, str]:
        """The start of each run that a record describes."""
        return {run.run: run.started for run in (*self.runs, *self.superseded_runs)}

    def parts(self, component: str, **wanted: Any) -> list[Component]:
        """Verified measurements of a component whose case has these fields."""
        return [c for c in self.components if c.ok and c.component == component and _matches(c.case, wanted)]

    def predicted(self, **wanted: Any) -> list[Prediction]:
        return [p for p in self.predictions if _matches(p.case, wanted)]

    def find_prediction(self, measurement: Measurement, kind: Optional[str] = None) -> Optional[Prediction]:
        """This machine's prediction of a measured cell, of `kind` or else of the first of KINDS that there is.

        If there are two models of a kind, the first by name counts.
        """
        found = [p for p in self._cell_predictions(measurement.cell) if p.is_for(measurement.machine)]
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


def _chosen(by_sort: _BySort, wanted: dict[str, Any]) -> list[Measurement]:
    """The measurements whose case has these fields, in the order of their places."""
    indexed = [(place, wanted[name]) for place, name in enumerate(_INDEXED) if name in wanted]
    rest = {name: value for name, value in wanted.items() if name not in _INDEXED}
    keys = [key for key in by_sort if all(_is_wanted(key[place], value) for place, value in indexed)]
    found = [placed for key in keys for placed in by_sort[key] if _matches(placed[1].case, rest)]
    return [m for _, m in sorted(found, key=lambda placed: placed[0])]


def _matches(case: Case, wanted: dict[str, Any]) -> bool:
    for name, value in wanted.items():
        if name == "parameters":
            if any(case.parameters.get(key) != setting for key, setting in value.items()):
                return False
        elif not _is_wanted(getattr(case, name), value):
            return False
    return True


def _is_wanted(have: Any, value: Any) -> bool:
    return bool(value(have)) if callable(value) else bool(have == value)


def _is_emulated(made: Any) -> bool:
    """True for records of a program that an emulator of its processor ran: their times measure the emulator."""
    return str(getattr(made, "machine_id", "") or getattr(made, "machine", "") or "").startswith("emulated-")


def record_files(path: Path) -> list[Path]:
    """The file itself, or the *.jsonl and *.jsonl.gz of a folder and of each folder in it with a profile of its own:
    those of the GPUs of a kept machine. Validations and repeated runs are not among them. Raises BadInput for a folder
    without."""
    try:
        if not path.is_dir():
            return [path]
    except OSError:  # a name too long, say: whoever opens it tells
        return [path]
    found = [file for folder in _folders(path) for file in visible_files(folder, "*") if holds_lines(file)]
    if not found:
        raise BadInput(f"{path}: holds no *.jsonl")
    return [file for file in found if _PUT_ASIDE not in file.name]


def profile_files(path: Path) -> list[Path]:
    """The profiles in the folders of record_files."""
    found = [file for folder in _folders(path) for file in visible_files(folder, "profile*.json")]
    return [file for file in found if _PUT_ASIDE not in file.name]


def _folders(path: Path) -> list[Path]:
    profiles = visible_files(path, "*/profile.json")
    return [path, *(p.parent for p in profiles if not any(visible_files(p.parent, "validation.jsonl*")))]


_PUT_ASIDE = ".before-"  # in names of files that run_all.sh --fresh keeps


def read(paths: Iterable[Path]) -> Records:
    """Reads all files, and the files of all folders, into one set. Raises BadInput."""
    records = Records()
    for path in paths:
        for file in record_files(path):
            records.add_file(file)
    return records
