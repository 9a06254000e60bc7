"""What was timed: sorts, and parts of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Iterable, Optional

from .case import Case
from .jsonl import BadInput, Node
from .quantities import Interval, percent, threads_text

STATUSES = ("ok", "wrong", "failed", "crashed", "timeout", "skipped")


@dataclass(frozen=True)
class Phase:
    name: str
    pass_: int
    seconds: float
    binding: str = ""  # predictions only, as is:
    work: dict[str, float] = field(default_factory=dict, hash=False)  # in total: bytes.l2, instructions …


# Phases that records name as the sort once did.
_RENAMED_PHASES = {"guard": "sortedness check"}


def phase_name(name: str) -> str:
    """A recorded phase's present name."""
    return _RENAMED_PHASES.get(name, name)


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
        status = node.choice("status", STATUSES)
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
            reason=node.prose("reason", optional=True) or "",
            samples_s=tuple(node.numbers("samples_s", optional=True)),
            seconds=seconds,
            mean_s=node.number("mean_s", optional=True, least=0) or None,
            clock_hz=node.number("clock_hz", optional=True, least=0) or None,
            cpe_core=node.number("cpe_core", optional=True, least=0) or None,
            phases=tuple(
                Phase(phase_name(p.text("name")), p.integer("pass", optional=True) or 0, p.number("median_s", least=0))
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
    def limit_s(self) -> Optional[float]:
        """The least time that a sort stopped at its time limit took."""
        stopped = re.fullmatch(r"took longer than ([0-9.e+]+) s in a (timed|warm-up) sort", self.reason)
        return float(stopped[1]) if self.status == "timeout" and stopped else None

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
    """A component of an algorithm, measured alone, and the postcondition that was verified."""

    component: str = ""
    postcondition: str = ""
    iterations: int = 1  # how often one run does the work

    @classmethod
    def of(cls, node: Node) -> "Component":
        return cls(
            **vars(Measurement.of(node)),
            component=node.text("component"),
            postcondition=node.prose("postcondition"),
            iterations=node.integer("iterations", optional=True, least=1) or 1,
        )


def fastest(measurements: Iterable[Measurement]) -> Measurement:
    return min(measurements, key=lambda m: m.seconds_per_key.value)


def fastest_by_n(measurements: Iterable[Measurement]) -> dict[int, Measurement]:
    """The fastest measurement of each n; of no keys there is no rate."""
    best: dict[int, Measurement] = {}
    for m in measurements:
        if not m.seconds or m.case.n == 0:
            continue
        if m.case.n not in best or m.seconds_per_key.value < best[m.case.n].seconds_per_key.value:
            best[m.case.n] = m
    return best
