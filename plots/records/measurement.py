"""Timed sorts, and timed parts of sorts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Callable, Hashable, Iterable, Optional, TypeVar

from .case import Case
from .energy import Energy
from .machines import host_id, machine_id
from . import statistics
from .quantities import percent, threads_text
from .statistics import Interval


@dataclass(frozen=True)
class Phase:
    name: str
    pass_: int
    seconds: float
    binding: str = ""  # binding resource; predictions only, like `work`
    work: dict[str, float] = field(default_factory=dict, hash=False)  # totals: bytes.l2, instructions …
    begin_s: Optional[float] = None  # in the sample with the median time; older measurements only
    end_s: Optional[float] = None
    interval: Optional[Interval] = None  # set for measured phases, but not in older records


def phase_seconds(phases: Iterable[Phase], *names: str) -> Optional[float]:
    """Time of the phases of these names, all passes together; None if there are none."""
    named = [phase.seconds for phase in phases if phase.name in names]
    return sum(named) if named else None


# Phases that records name as the sort once did.
_RENAMED_PHASES = {"guard": "sortedness check"}


def phase_name(name: str) -> str:
    """A recorded phase's present name."""
    return _RENAMED_PHASES.get(name, name)


def _measured_phase(record: dict[str, Any]) -> Phase:
    begin, end, ci95 = record.get("begin_s"), record.get("end_s"), record.get("ci95_s")
    seconds = record["median_s"]
    interval = Interval(seconds, *ci95) if ci95 else None
    return Phase(phase_name(record["name"]), record["pass"], seconds, begin_s=begin, end_s=end, interval=interval)


OCCUPIED, SPAN = "occupied", "span"  # definitions of a phase's time


def phase_time(record: dict[str, Any]) -> str:
    """The definition of a phase's time in a record: the time during which a thread was in it, or, in older records,
    from the first thread that began it to the last that ended it. Empty for a record without phases."""
    return str(record.get("phase_time", SPAN)) if record.get("phases") else ""


# Largest sum of phases, over the whole sort, at which they make up the sort. A device's phases are measured in
# sorts of their own, in which gaps between launches may count. Threads of a host may be in several phases at once, and
# spans of phases between which a thread alternates hold each other.
MOST_PHASES_OVER_WHOLE = 1.03


def _is_parallel_on_host(case: dict[str, Any]) -> bool:
    """True if only threads can be in two phases at once. Copies overlap the sort of an end-to-end sort by design."""
    return bool(case["residency"] == "host" and case["threads"] > 1)


def _phases(record: dict[str, Any]) -> tuple[Phase, ...]:
    """The phases of a measurement's record; none if they do not make up the sort."""
    phases = tuple(_measured_phase(p) for p in record.get("phases", ()))
    over_whole = record.get("phases_over_whole", 1)
    if phases and _is_parallel_on_host(record["case"]) and record.get("median_s"):
        over_whole = sum(phase.seconds for phase in phases) / record["median_s"]
    return () if over_whole > MOST_PHASES_OVER_WHOLE else phases


def _limit_s(record: dict[str, Any]) -> Optional[float]:
    """The seconds that one sort took at least, if it was stopped at its time limit."""
    if "reason_code" in record:
        limit: Optional[float] = record.get("limit_s") if record["reason_code"] == "sort_too_long" else None
        return limit
    # Records from before `reason_code` have the limit in the words of their reason alone. Nothing else reads these.
    stopped = re.fullmatch(r"took longer than ([0-9.e+]+) s in a (timed|warm-up) sort", record["reason"] or "")
    return float(stopped[1]) if record["status"] == "timeout" and stopped else None


@dataclass(frozen=True)
class Measurement:
    cell: str
    key: str
    run: str
    machine: str  # the host and, on a GPU, the GPU (machines.py)
    case: Case
    status: str
    expected: bool
    reason: str
    reason_code: str  # why it has no time (results/README.md); empty if ok, and in older records
    limit_s: Optional[float]  # lower bound of the time of a sort that was stopped at its time limit
    samples_s: tuple[float, ...]
    processes: tuple[int, ...]  # number of the worker process of each sample
    seconds: Optional[Interval]  # the median with its 95 % interval, as recorded; None unless ok
    mean_s: Optional[float]
    clock_hz: Optional[float]
    cpe_core: Optional[float]
    phases: tuple[Phase, ...]
    phase_time: str  # OCCUPIED, SPAN, or empty without phases
    phases_from: str  # the sorts of the phases: "timed", "priming" or "additional"; empty where it is not told
    stopped: str
    disturbed: bool
    scratch_bytes: Optional[int]
    device: str  # name of the GPU; empty on the host
    input: str  # "fresh": each sample sorted an input of its own; "same"
    output: str  # "input" or "scratch": the memory of the result; empty where it is not told
    called_s: Optional[float]  # median of calls as a program makes them
    core_share: Optional[float]  # share of the host's processors that was free
    device_share: Optional[float]  # the device's clock over its highest
    waited_share: Optional[float]  # largest share of a sample's time that its threads waited for processors
    throttled_share: Optional[float]  # the same, stopped by a control group's quota
    energy: Optional[Energy]  # joules, where they were asked for and could be metered
    energy_reason: str  # why it could not be metered; may be empty

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Measurement":
        """The measurement of a record without contradictions (contradictions.py)."""
        seconds, device = None, (record.get("device") or {}).get("name", "")
        if record["status"] == "ok":
            seconds = Interval(record["median_s"], *record["ci95_s"])
        samples = tuple(record.get("samples_s", ()))
        processes = tuple(record.get("processes", (0,) * len(samples)))  # records from before there were several
        return cls(
            cell=record["cell"],
            key=record["key"],
            run=record["run"],
            machine=machine_id(record["machine"], device),
            case=Case.of(record["case"]),
            status=record["status"],
            expected=record["expected"],
            reason=record["reason"] or "",
            reason_code=record.get("reason_code", ""),
            limit_s=_limit_s(record),
            samples_s=samples,
            processes=processes,
            seconds=seconds,
            mean_s=record.get("mean_s"),
            clock_hz=record.get("clock_hz"),
            cpe_core=record.get("cpe_core") or None,
            phases=_phases(record),
            phase_time=phase_time(record),
            phases_from=record.get("phases_from", ""),
            stopped=record["protocol"]["stopped"] or "",
            disturbed=record.get("disturbed", False),
            scratch_bytes=record.get("scratch_bytes"),
            device=device,
            input=record["protocol"].get("input", "same"),
            output=record.get("output", ""),
            called_s=record.get("called_median_s"),
            core_share=record.get("core_share"),
            device_share=record.get("device_share"),
            waited_share=record.get("waited_share"),
            throttled_share=record.get("throttled_share"),
            energy=Energy.of(record["energy"]) if record.get("energy") else None,
            energy_reason=record.get("energy_reason") or "",
        )

    @property
    def ok(self) -> bool:
        return self.seconds is not None

    @property
    def host(self) -> str:
        """The host's id alone, as the record has it."""
        return host_id(self.machine)

    @property
    def processor(self) -> str:
        """The processor it ran on: the device's name, or the number of the host's threads."""
        return self.device or threads_text(self.case.threads)

    @property
    def process_count(self) -> int:
        """Worker processes that took its samples; 0 without samples."""
        return len(set(self.processes))

    @property
    def has_interval(self) -> bool:
        """True from 2 processes or 6 samples on. With fewer samples of one process no interval of order statistics
        reaches 95 %; ci95_s is the range."""
        return self.process_count > 1 or len(self.samples_s) >= statistics.FEW_SAMPLES

    @property
    def width_text(self) -> str:
        """Half the interval as a share of the median, or the number of samples if there are too few."""
        if self.has_interval and self.seconds is not None:
            return f"± {percent(self.seconds.half_width)}"
        return f"({len(self.samples_s)} sample{'s' if len(self.samples_s) != 1 else ''})"

    @property
    def seconds_to_compare(self) -> Interval:
        """The median with the interval that comparisons and verdicts take, which allows for other processes."""
        assert self.seconds is not None
        noise = statistics.assumed_noise(self.case.threads, not self.case.on_host)
        return statistics.comparable(self.seconds, self.samples_s, self.processes, noise)

    def over(self, other: "Measurement") -> Interval:
        """The ratio of the times per key."""
        per_key = (m.seconds_to_compare.scaled(1 / max(m.case.n, 1)) for m in (self, other))
        return next(per_key).over(next(per_key))

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
    iterations: int = 1  # repetitions of the work in one run

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Component":
        return cls(
            **vars(Measurement.of(record)),
            component=record["component"],
            postcondition=record["postcondition"],
            iterations=int(record["iterations"]),
        )


_Key = TypeVar("_Key", bound=Hashable)


def fastest(measurements: Iterable[Measurement]) -> Measurement:
    return min(measurements, key=lambda m: m.seconds_per_key.value)


def fastest_by(measurements: Iterable[Measurement], key: Callable[[Measurement], _Key]) -> dict[_Key, Measurement]:
    """The fastest verified measurement of each group of one `key`; arrays of no elements have no rate."""
    best: dict[_Key, Measurement] = {}
    for m in measurements:
        if m.seconds and m.case.n > 0:
            at = key(m)
            best[at] = fastest((best[at], m)) if at in best else m
    return best


def fastest_by_n(measurements: Iterable[Measurement]) -> dict[int, Measurement]:
    return fastest_by(measurements, lambda m: m.case.n)
