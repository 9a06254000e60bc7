"""Records as results/README.md defines them: read from JSON lines, checked, typed, selected and joined."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterable, Optional

from .jsonl import BadInput, Node, complete_lines
from .quantities import Interval, percent, threads_text

# Strings have no width.
KEY_BYTES = {"u32": 4, "u64": 8, "i32": 4, "i64": 8, "f32": 4, "f64": 8, "u128": 16, "string": 0}
VALUE_BYTES = {"none": 0, "u32": 4, "u64": 8}
STATUSES = ("ok", "wrong", "failed", "crashed", "timeout", "skipped")


@dataclass(frozen=True)
class Case:
    """What was sorted, by what. `parameters` are the algorithm's resolved ones."""

    algorithm: str
    parameters: dict[str, Any] = field(hash=False)
    version: str
    key_type: str
    value_type: str
    n: int
    distribution: str
    residency: str  # host, device or end_to_end
    host_memory: str  # of end_to_end alone: pinned or pageable
    threads: int
    seed: int
    entropy_bits: Optional[float]
    bytes: Optional[int] = None  # of all records together; strings alone

    @classmethod
    def of(cls, node: Node) -> "Case":
        key, value = node.text("key_type"), node.text("value_type")
        if key not in KEY_BYTES:
            raise BadInput(f"{node.where}: key_type must be one of {', '.join(KEY_BYTES)}")
        if value not in VALUE_BYTES:
            raise BadInput(f"{node.where}: value_type must be one of {', '.join(VALUE_BYTES)}")
        return cls(
            algorithm=node.text("algorithm"),
            parameters=node.object("parameters").value,
            version=node.text("version", optional=True) or "",
            key_type=key,
            value_type=value,
            n=node.integer("n"),
            distribution=node.text("distribution"),
            residency=node.text("residency"),
            host_memory=node.text("host_memory", optional=True) or "",
            threads=node.integer("threads"),
            seed=node.integer("seed", optional=True) or 0,
            entropy_bits=node.number("entropy_bits", optional=True),
            bytes=node.integer("bytes", optional=key != "string"),
        )

    @property
    def type_name(self) -> str:
        """Key type, with the value's after a plus: "u32", "u64+u64"."""
        return self.key_type if self.value_type == "none" else f"{self.key_type}+{self.value_type}"

    @property
    def residency_text(self) -> str:
        """What a label must say of where input and result lie; nothing where they lie where the sort runs."""
        return f"end to end, {self.host_memory} memory" if self.residency == "end_to_end" else ""

    @property
    def on_host(self) -> bool:
        return self.residency == "host"

    @property
    def element_bytes(self) -> float:
        """Of a key with its value; of a record with a string for its key, on average."""
        if self.bytes is not None:
            return self.bytes / max(self.n, 1)
        return KEY_BYTES[self.key_type] + VALUE_BYTES[self.value_type]

    @property
    def parameters_text(self) -> str:
        return ", ".join(f"{name}={_plain(value)}" for name, value in sorted(self.parameters.items()))


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Phase:
    name: str
    pass_: int
    seconds: float
    binding: str = ""  # predictions only, as is:
    work: dict[str, float] = field(default_factory=dict, hash=False)  # in total: bytes.l2, instructions …


@dataclass(frozen=True)
class Measurement:
    cell: str
    key: str
    run: str
    machine: str
    case: Case
    status: str
    expected: bool
    reason: str
    samples_s: tuple[float, ...]
    seconds: Optional[Interval]  # the median with its 95 % interval; None unless ok
    mean_s: Optional[float]
    clock_hz: Optional[float]
    cpe_core: Optional[float]
    phases: tuple[Phase, ...]
    stopped: str
    disturbed: bool
    scratch_bytes: Optional[int]
    device: str  # name of the GPU; empty on the host

    @classmethod
    def of(cls, node: Node) -> "Measurement":
        status = node.text("status")
        if status not in STATUSES:
            raise BadInput(f"{node.where}: status must be one of {', '.join(STATUSES)}")
        case = Case.of(node.object("case"))
        seconds = None
        if status == "ok":
            median, ci95 = node.number("median_s"), node.numbers("ci95_s")
            if len(ci95) != 2 or not 0 < ci95[0] <= median <= ci95[1]:
                raise BadInput(f"{node.where}: ci95_s must be two positive times around median_s")
            seconds = Interval(median, *ci95)
        return cls(
            cell=node.text("cell"),
            key=node.text("key"),
            run=node.text("run"),
            machine=node.text("machine"),
            case=case,
            status=status,
            expected=node.flag("expected", optional=True),
            reason=node.text("reason", optional=True) or "",
            samples_s=tuple(node.numbers("samples_s", optional=True)),
            seconds=seconds,
            mean_s=node.number("mean_s", optional=True),
            clock_hz=node.number("clock_hz", optional=True),
            cpe_core=node.number("cpe_core", optional=True),
            phases=tuple(
                Phase(p.text("name"), p.integer("pass", optional=True) or 0, p.number("median_s"))
                for p in node.objects("phases", optional=True)
            ),
            stopped=node.object("protocol", optional=True).text("stopped", optional=True) or "",
            disturbed=node.flag("disturbed", optional=True),
            scratch_bytes=node.integer("scratch_bytes", optional=True),
            device=node.object("device", optional=True).text("name", optional=True) or "",
        )

    @property
    def ok(self) -> bool:
        return self.seconds is not None

    @property
    def processor(self) -> str:
        """What it ran on: the device's name, or the number of the host's threads."""
        return self.device or threads_text(self.case.threads)

    @property
    def has_interval(self) -> bool:
        """Below 6 samples no interval of order statistics covers the median with 95 %: ci95_s is then their range."""
        return len(self.samples_s) >= 6

    @property
    def width_text(self) -> str:
        """Half the interval as a share of the median, or how few samples there are."""
        if self.has_interval and self.seconds is not None:
            return f"± {percent(self.seconds.half_width)}"
        return f"({len(self.samples_s)} sample{'s' if len(self.samples_s) != 1 else ''})"

    @property
    def seconds_per_key(self) -> Interval:
        assert self.seconds is not None
        return self.seconds.scaled(1 / max(self.case.n, 1))

    @property
    def keys_per_s(self) -> Interval:
        return self.seconds_per_key.inverse()


@dataclass(frozen=True)
class Component(Measurement):
    """A part of an algorithm measured by itself, and what was tested of its result."""

    component: str = ""
    postcondition: str = ""
    iterations: int = 1  # how often one run does the work

    @classmethod
    def of(cls, node: Node) -> "Component":
        return cls(
            **vars(Measurement.of(node)),
            component=node.text("component"),
            postcondition=node.text("postcondition"),
            iterations=node.integer("iterations", optional=True) or 1,
        )


@dataclass(frozen=True)
class CountedPhase:
    """What a phase did on a GPU, an element; names as results/README.md has them."""

    name: str
    pass_: int
    per_element: dict[str, float] = field(hash=False)
    utilisation: dict[str, float] = field(hash=False)  # share of each resource's peak
    binding: str  # dram, l2, issue, shared or latency


@dataclass(frozen=True)
class Count:
    cell: str
    key: str
    run: str
    machine: str
    case: Case
    status: str
    device: str
    phases: tuple[CountedPhase, ...]

    @classmethod
    def of(cls, node: Node) -> "Count":
        status = node.text("status")
        if status not in STATUSES:
            raise BadInput(f"{node.where}: status must be one of {', '.join(STATUSES)}")

        def numbers(phase: Node, name: str) -> dict[str, float]:
            values = phase.object(name)
            return {counter: values.number(counter) for counter in values.value}

        return cls(
            cell=node.text("cell"),
            key=node.text("key"),
            run=node.text("run"),
            machine=node.text("machine"),
            case=Case.of(node.object("case")),
            status=status,
            device=node.object("device", optional=True).text("name", optional=True) or "",
            phases=tuple(
                CountedPhase(
                    p.text("name"),
                    p.integer("pass"),
                    numbers(p, "per_element"),
                    numbers(p, "utilisation"),
                    p.text("binding"),
                )
                for p in node.objects("phases", optional=True)
            ),
        )

    @property
    def ok(self) -> bool:
        return self.status == "ok"


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


@dataclass(frozen=True)
class Published:
    paper: str
    id: str
    algorithm: str
    versus: str
    platform: str
    n: Optional[int]
    n_printed: str
    type: str
    distribution: str
    metric: str
    statistic: str
    printed: str
    printed_unit: str
    value: float
    unit: str
    note: str
    inconsistency: str

    @classmethod
    def of(cls, node: Node) -> "Published":
        def words(name: str) -> str:
            return node.text(name, optional=True) or ""

        printed = node.object("printed")
        return cls(
            paper=node.text("paper"),
            id=node.text("id"),
            algorithm=node.text("algorithm"),
            versus=words("versus"),
            platform=words("platform"),
            n=node.integer("n", optional=True),
            n_printed=words("n_printed"),
            type=words("type"),
            distribution=words("distribution"),
            metric=node.text("metric"),
            statistic=words("statistic"),
            printed=printed.text("text", optional=True) or f"{printed.number('value'):g}",
            printed_unit=printed.text("unit", optional=True) or "",
            value=node.number("value"),
            unit=node.text("unit"),
            note=words("note"),
            inconsistency=words("inconsistency"),
        )


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
        machine = node.object("machine")
        return cls(
            run=node.text("run"),
            started=node.text("started"),
            machine_id=machine.text("id"),
            machine=machine.value,
            environment=node.object("environment", optional=True).value,
            build=node.object("build", optional=True).value,
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


@dataclass
class Records:
    """All records given, each kind apart, in the order of reading."""

    runs: list[Run] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    components: list[Component] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)
    predictions: list[Prediction] = field(default_factory=list)
    published: list[Published] = field(default_factory=list)
    files: list[tuple[str, int]] = field(default_factory=list)  # path, records
    torn: list[str] = field(default_factory=list)  # files whose last line was cut off

    def add_file(self, path: Path) -> None:
        """Reads one JSON-lines file. Raises BadInput with file, line and field."""
        lines = complete_lines(path, self.torn)
        for number, line in lines:
            where = f"{path}:{number}"
            try:
                value = json.loads(line)
            except ValueError as error:
                raise BadInput(f"{where}: not a JSON object: {error}") from None
            if not isinstance(value, dict) or value.get("schema") != 1:
                raise BadInput(f"{where}: schema must be 1 (a record is one JSON object a line)")
            node = Node(value, where)
            kind = node.text("kind")
            if kind not in _KINDS:
                raise BadInput(f"{where}: kind must be one of {', '.join(_KINDS)}")
            make, into = _KINDS[kind]
            getattr(self, into).append(make(node))
        self.files.append((str(path), len(lines)))

    def machine_of_choice(self, wanted: Optional[str] = None) -> Optional[str]:
        """The machine whose records are shown: the one asked for, else the one with most verified cells."""
        counts: dict[str, int] = {}
        for m in (*self.measurements, *self.components):
            counts[m.machine] = counts.get(m.machine, 0) + (1 if m.ok else 0)
        if wanted is not None and wanted not in counts:
            raise BadInput(f"--machine {wanted}: no record of it; there are: {', '.join(sorted(counts)) or 'none'}")
        return wanted or (max(counts, key=lambda m: (counts[m], m)) if counts else None)

    def on(self, machine: Optional[str]) -> "Records":
        """What concerns one machine: of each cell the newest measurement and count, of models the newest prediction."""
        started = {run.run: run.started for run in self.runs}
        newest: dict[str, Measurement] = {}
        for m in sorted(self.measurements, key=lambda m: started.get(m.run, "")):
            if m.machine == machine:
                newest[m.cell] = m
        counts = {c.cell: c for c in sorted(self.counts, key=lambda c: started.get(c.run, "")) if c.machine == machine}
        components: dict[tuple[str, str], Component] = {}
        for c in sorted(self.components, key=lambda c: started.get(c.run, "")):
            if c.machine == machine:
                components[c.cell, c.component] = c
        wanted = [p for p in self.predictions if p.profile_id == machine or p.profile_origin == "paper"]
        predictions = {(p.cell, p.model, p.level, p.profile_id): p for p in wanted}
        used = {m.run for m in (*newest.values(), *components.values())}
        return Records(
            runs=[r for r in self.runs if r.run in used],
            measurements=list(newest.values()),
            components=list(components.values()),
            counts=list(counts.values()),
            predictions=list(predictions.values()),
            published=self.published,
            files=self.files,
            torn=self.torn,
        )

    def ok(self, **wanted: Any) -> list[Measurement]:
        """Verified measurements whose case has these fields; a callable decides for itself. Sorts end to end, whose
        time is mostly the copies', are another experiment: only where `residency` is asked for."""
        wanted.setdefault("residency", lambda residency: residency != "end_to_end")
        return [m for m in self.measurements if m.ok and _matches(m.case, wanted)]

    def parts(self, component: str, **wanted: Any) -> list[Component]:
        """Verified measurements of a component whose case has these fields."""
        return [c for c in self.components if c.ok and c.component == component and _matches(c.case, wanted)]

    def predicted(self, **wanted: Any) -> list[Prediction]:
        return [p for p in self.predictions if _matches(p.case, wanted)]

    def counted_phases(self, **wanted: Any) -> list[dict[str, Any]]:
        """A table, a row a counted phase and pass: algorithm, parameters, type, n, distribution, device, phase, pass,
        binding, every counter an element, and the utilisation of each resource as "used.<resource>"."""
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

    def count_of(self, cell: str) -> Optional[Count]:
        """What was counted of a cell, if its sort was verified."""
        return next((c for c in reversed(self.counts) if c.cell == cell and c.ok), None)

    def prediction_of(self, measurement: Measurement) -> Optional[Prediction]:
        """This machine's prediction of a measured cell: the analytical one, or a fitted one where there is no other; of
        two levels B, which knows more."""
        found = [p for p in self.predictions if p.cell == measurement.cell and p.profile_id == measurement.machine]
        return min(found, key=lambda p: (not p.analytical, p.level != "B")) if found else None

    def papers_prediction_of(self, measurement: Measurement) -> Optional[Prediction]:
        """What a paper's own model says of the same cell on the paper's own machine."""
        found = [p for p in self.predictions if p.cell == measurement.cell and p.profile_origin == "paper"]
        return min(found, key=lambda p: (not p.analytical, p.model)) if found else None


_KINDS: dict[str, tuple[Callable[[Node], Any], str]] = {
    "run": (Run.of, "runs"),
    "measurement": (Measurement.of, "measurements"),
    "count": (Count.of, "counts"),
    "prediction": (Prediction.of, "predictions"),
    "published": (Published.of, "published"),
    "component": (Component.of, "components"),
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
