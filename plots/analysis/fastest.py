"""Each machine's fastest sort over n, from sorts measured at every n shown, and gains of one machine over another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import AbstractSet, Any, Callable, Iterator, NamedTuple, Optional, Sequence

from ..records.machines import has_gpu, host_id, plain_name
from ..records.measurement import Measurement, fastest_by_n
from ..records.number import Number, cells_and_runs
from ..records.prediction import Prediction
from ..records.statistics import Interval
from ..records.collection import Records

TYPES = (("u32", "none"), ("u64", "none"), ("u32", "u32"), ("u64", "u64"))
_DISTRIBUTION = "uniform"
_LEAST_SORTS = 2  # sorts compared
_ENOUGH_SIZES = 4  # sizes with which a line on more threads is preferred

Sort = tuple[str, int]  # a sort on this many threads; 0 on a GPU


@dataclass(frozen=True)
class Point:
    """The fastest sort at one n."""

    measurement: Measurement
    prediction: Optional[Prediction]

    @property
    def rate(self) -> Interval:
        return self.measurement.keys_per_s

    @property
    def predicted_rate(self) -> Optional[float]:
        p = self.prediction
        return self.measurement.case.n / p.seconds if p and p.seconds else None


@dataclass(frozen=True)
class FastestLine:
    """The fastest sorts of one machine over n, of one type. All candidates were measured at every n shown."""

    machine: str
    name: str  # GPU, or processor with its most threads: Xeon (Emerald Rapids), 16T
    type: tuple[str, str]  # key and value
    copies: bool  # True if the keys start and end in the host's memory, over PCIe
    candidates: tuple[str, ...]
    others: tuple[str, ...]  # sorts that are the fastest at an n that is not shown
    points: tuple[Point, ...]  # ascending n

    @property
    def label(self) -> str:
        return f"{self.name}, with copies" if self.copies else self.name

    def at(self, n: int) -> Optional[Point]:
        return next((p for p in self.points if p.measurement.case.n == n), None)


@dataclass(frozen=True)
class Gain:
    """The rate of one machine's fastest sort over another's, at the same n."""

    fast: FastestLine
    slow: FastestLine
    n: int
    measured: Interval
    predicted: Optional[float]
    points: tuple[Point, Point]  # at this n, the faster line first

    @property
    def measurements(self) -> list[Measurement]:
        return [point.measurement for point in self.points]


def fastest_lines(records: Records) -> list[FastestLine]:
    """A line for each machine, type and place of the keys, of all machines among the records; in the order of TYPES,
    then with and without copies, the fastest machine first."""
    every = records.every or records
    machines = sorted({m.machine for m in every.measurements if m.ok})
    on = {machine: every.on(machine, alone=True) for machine in machines}
    made = [line for machine in machines for line in _of_machine(on[machine], machine)]
    fair: list[FastestLine] = []
    for line in sorted(made, key=_greatest_rate, reverse=True):
        again = _fair(on[line.machine], line, _fastest_elsewhere(line, fair))
        fair += [again] if again else []
    place = {type_: i for i, type_ in enumerate(TYPES)}
    return sorted(fair, key=lambda line: (place[line.type], line.copies, -_greatest_rate(line), line.machine))


def _greatest_rate(line: FastestLine) -> float:
    return max(point.rate.value for point in line.points)


def _fastest_elsewhere(line: FastestLine, lines: Sequence[FastestLine]) -> list[set[str]]:
    """The sorts that are the fastest at any n, of each machine of the same kind with one of the lines beside this."""
    return [
        {point.measurement.case.algorithm for point in other.points}
        for other in lines
        if (other.type, other.copies) == (line.type, line.copies)
        if has_gpu(other.machine) == has_gpu(line.machine)
    ]


def _fair(here: Records, line: FastestLine, elsewhere: Sequence[set[str]]) -> Optional[FastestLine]:
    """The line, if it compares one of the sorts that are the fastest on each faster machine; else the line of the sizes
    at which it does, or None. A machine would seem slow for a sort that was not measured on it."""
    among: set[str] = set()
    for sorts in elsewhere:
        if not sorts & set(line.candidates):
            among |= sorts
    return line if not among else _choose_line(here, line.machine, line.type, line.copies, among)


def _of_machine(here: Records, machine: str) -> Iterator[FastestLine]:
    for type_ in TYPES:
        for copies in (False, True):
            chosen = _choose_line(here, machine, type_, copies)
            if chosen:
                yield chosen


def _choose_line(
    here: Records, machine: str, type_: tuple[str, str], copies: bool, among: AbstractSet[str] = frozenset()
) -> Optional[FastestLine]:
    """The line on the most threads with enough sizes, else the longest; with one of the sorts `among`, if any."""
    found = [m for m in here.measurements if _is_wanted(m, type_, copies)]
    threads: list[Optional[int]] = [None]
    if not has_gpu(machine):
        threads = list(sorted({m.case.threads for m in found}, reverse=True))
    made = [line for limit in threads if (line := _line(here, machine, found, limit, among))]
    enough = (line for line in made if len(line.points) >= _ENOUGH_SIZES)
    return next(enough, max(made, key=lambda line: len(line.points), default=None))


def _line(
    here: Records,
    machine: str,
    found: Sequence[Measurement],
    threads: Optional[int],
    among: AbstractSet[str],
) -> Optional[FastestLine]:
    """The line of the sorts on at most so many threads, or None without comparable ones."""
    found = [m for m in found if threads is None or m.case.threads <= threads]
    sorts, sizes = comparable(found, among)
    if not sizes:
        return None
    best = fastest_by_n(m for m in found if _sort(m) in sorts and m.case.n in sizes)
    points = [Point(m, here.find_prediction(m)) for _, m in sorted(best.items())]
    candidates = {name for name, _ in sorts}
    others = {m.case.algorithm for n, m in fastest_by_n(found).items() if n not in sizes} - candidates
    name, c = machine_name(here, machine), points[0].measurement.case
    return FastestLine(
        machine=machine,
        name=f"{name}, {threads}T" if threads else name,
        type=(c.key_type, c.value_type),
        copies=_copies(points[0].measurement),
        candidates=tuple(sorted(candidates)),
        others=tuple(sorted(others)),
        points=tuple(points),
    )


def _is_wanted(m: Measurement, type_: tuple[str, str], copies: bool) -> bool:
    """True for a verified sort of uniform keys of the type, with or without copies over PCIe."""
    c = m.case
    wanted = (c.key_type, c.value_type) == type_ and c.distribution == _DISTRIBUTION and _copies(m) == copies
    return m.ok and c.n > 1 and wanted


def _copies(m: Measurement) -> bool:
    """True if the keys start and end in the host's memory, and a GPU sorts them or some of them."""
    return m.case.residency == "end_to_end" or (m.case.on_host and bool(m.device))


def _sort(m: Measurement) -> Sort:
    return m.case.algorithm, m.case.threads if m.case.on_host else 0


def comparable(found: Sequence[Measurement], among: AbstractSet[str] = frozenset()) -> tuple[set[Sort], set[int]]:
    """The sorts and sizes of a line: each sort is measured at each size, and no other sort is faster at any of them.

    Of all such choices the one with the most sizes counts, then that with the most sorts. One sort alone is none, nor
    are sorts without one of `among`, if there are any.
    """
    sizes_of: dict[Sort, set[int]] = {}
    for m in found:
        sizes_of.setdefault(_sort(m), set()).add(m.case.n)
    quickest = {n: _sort(m) for n, m in fastest_by_n(found).items()}
    best: tuple[set[Sort], set[int]] = set(), set()
    for proposed in list(sizes_of.values()):
        sizes, before = set(proposed), None
        sorts: set[Sort] = set()
        while sizes and sizes != before:
            before = set(sizes)
            sorts = {sort for sort, measured in sizes_of.items() if measured >= sizes}
            sizes = {n for n in sizes if quickest[n] in sorts}
        names = {name for name, _ in sorts}
        enough = len(names) >= _LEAST_SORTS and (not among or bool(names & among))
        if enough and (len(sizes), len(sorts)) > (len(best[1]), len(best[0])):
            best = sorts, sizes
    return best


def gains(lines: Sequence[FastestLine]) -> list[Gain]:
    """Gains of each machine over each other one, at every n that both lines show."""
    return [
        _gain(fast, slow, n)
        for fast in lines
        for slow in lines
        if fast.machine != slow.machine and (fast.type, fast.copies) == (slow.type, slow.copies)
        for n in sorted({p.measurement.case.n for p in fast.points} & {p.measurement.case.n for p in slow.points})
    ]


def _gain(fast: FastestLine, slow: FastestLine, n: int) -> Gain:
    a, b = fast.at(n), slow.at(n)
    assert a is not None and b is not None
    predicted = a.predicted_rate / b.predicted_rate if a.predicted_rate and b.predicted_rate else None
    return Gain(fast, slow, n, b.measurement.over(a.measurement), predicted, (a, b))


class _Found(NamedTuple):
    line: FastestLine
    point: Point
    number: Number


# Columns of a row for each machine, type and n.
COLUMNS: dict[str, Callable[[_Found], Any]] = {
    "machine": lambda f: f.line.machine,
    "machine_name": lambda f: f.line.name,
    "key_type": lambda f: f.line.type[0],
    "value_type": lambda f: f.line.type[1],
    "copies": lambda f: f.line.copies,
    "n_elements": lambda f: f.point.measurement.case.n,
    "algorithm": lambda f: f.point.measurement.case.algorithm,
    "threads": lambda f: f.point.measurement.case.threads if f.point.measurement.case.on_host else None,
    "cell": lambda f: f.number.trace[0],
    "run": lambda f: f.number.trace[1],
    "rate_elements_per_s": lambda f: f.number.value,
    "ci95_low_elements_per_s": lambda f: f.number.low,
    "ci95_high_elements_per_s": lambda f: f.number.high,
    "predicted_rate_elements_per_s": lambda f: f.point.predicted_rate,
    "disturbed": lambda f: f.point.measurement.disturbed,
    "candidates": lambda f: " ".join(f.line.candidates),
}

# Columns of a row for each two machines, type and n.
GAIN_COLUMNS: dict[str, Callable[[Gain], Any]] = {
    "machine": lambda g: g.fast.machine,
    "over_machine": lambda g: g.slow.machine,
    "key_type": lambda g: g.fast.type[0],
    "value_type": lambda g: g.fast.type[1],
    "copies": lambda g: g.fast.copies,
    "n_elements": lambda g: g.n,
    "algorithm": lambda g: _name(g.fast, g.n),
    "over_algorithm": lambda g: _name(g.slow, g.n),
    "gain": lambda g: g.measured.value,
    "ci95_low": lambda g: g.measured.low,
    "ci95_high": lambda g: g.measured.high,
    "predicted_gain": lambda g: g.predicted,
    "cell": lambda g: cells_and_runs(g.measurements)[0],
    "run": lambda g: cells_and_runs(g.measurements)[1],
}


def rows(lines: Sequence[FastestLine]) -> list[dict[str, Any]]:
    found = [_Found(line, p, Number.of(p.rate, p.measurement)) for line in lines for p in line.points]
    return [{name: value(f) for name, value in COLUMNS.items()} for f in found]


def gain_rows(every: Sequence[Gain]) -> list[dict[str, Any]]:
    return [{name: value(gain) for name, value in GAIN_COLUMNS.items()} for gain in every]


def _name(line: FastestLine, n: int) -> str:
    point = line.at(n)
    return point.measurement.case.algorithm if point else ""


def machine_name(here: Records, machine: str) -> str:
    """The GPU's name, or the processor's, without its maker and what all of them are called."""
    if has_gpu(machine):
        return plain_name(here.gpu) or machine
    run = next((run for run in reversed(here.runs) if run.machine_id == host_id(machine)), None)
    return plain_name(run.machine_name) if run else machine


def processor_word(here: Records, m: Measurement) -> str:
    """One word for the processor of a measurement: H200, Xeon, EPYC."""
    name = plain_name(m.device) or machine_name(here, host_id(m.machine))
    return name.partition(" ")[0]
