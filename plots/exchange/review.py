"""A reviewer's checks of records before they are kept: one line for each check that fails."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence

from ..records import statistics
from ..records.command_words import HOME, personal, shortened
from ..records.jsonl import Node, document, lines
from ..records.measurement import Component, Measurement
from ..records.collection import Records, read
from ..records.schema import profile_fault

# Two runs of one build differ by chance. On the machines of the kept records the typical cell does by 1.4 and 2.6 %;
# where the second run's sorts wait for a tenth of their time, by 10 %.
NOISE_MOST, DRIFT_MOST = 0.05, 0.05
AA_CELLS = 20
_SHOWN = 5  # reasons of one kind that are named one by one


@dataclass
class Set:
    """The records, profile and A/A runs that are submitted together."""

    files: list[Path]
    aa: tuple[Path, Path]
    profile: Path
    shorten: bool = False  # True if commands lose the folders of the machine that they ran on
    records: Records = field(default_factory=Records)  # the records of all files
    sides: dict[Path, Records] = field(default_factory=dict)  # the records of each file
    nodes: dict[Path, list[Node]] = field(default_factory=dict)

    def read(self) -> None:
        """Raises BadInput for a file that holds no record."""
        for file in dict.fromkeys((*self.files, *self.aa)):
            self.sides[file] = side = read([file])
            self.nodes[file] = list(lines(file, [], []))
            for name in ("runs", "measurements", "components", "counts", "predictions", "torn", "refused"):
                getattr(self.records, name).extend(getattr(side, name))
            self.records.algorithms |= side.algorithms

    @property
    def measured(self) -> list[Measurement]:
        return [*self.records.measurements, *self.records.components]

    @property
    def machine(self) -> str:
        return self.records.runs[0].machine_id if self.records.runs else ""

    def raw(self) -> Iterator[Node]:
        for nodes in self.nodes.values():
            yield from nodes


@dataclass(frozen=True)
class Noise:
    """Difference between two runs of one build, over the cells that both verified."""

    cells: int
    typical: float  # the median of |log ratio|, as a share
    drift: float  # the median ratio, less one


def noise(first: Records, second: Records) -> Optional[Noise]:
    sides = [{m.cell: m.seconds.value for m in side.measurements if m.seconds} for side in (first, second)]
    ratios = [sides[1][cell] / seconds for cell, seconds in sides[0].items() if cell in sides[1]]
    if not ratios:
        return None
    typical = math.expm1(statistics.median(abs(math.log(ratio)) for ratio in ratios))
    return Noise(len(ratios), typical, statistics.median(ratios) - 1)


def refusals(given: Set) -> list[str]:
    """Reasons against keeping the records; empty if a reviewer would take them. Raises BadInput."""
    found = [reason for check in (_form, _profile_form, _kinds) for reason in _first(list(check(given)))]
    if found:
        return found  # the other checks need well-formed records
    checks = (_machine, _build, _runs, _verified, _marked, _paths, _known, _models, _aa)
    return [reason for check in checks for reason in _first(list(check(given)))]


def _first(reasons: list[str]) -> list[str]:
    more = len(reasons) - _SHOWN
    return [*reasons[:_SHOWN], f"and {more} more like the last"] if more > 0 else reasons


def _form(given: Set) -> Iterator[str]:
    yield from given.records.refused
    for file in given.records.torn:
        yield f"{file}: its last line is torn; the command that made it, run again, repairs it"


def _profile_form(given: Set) -> Iterator[str]:
    profile = document(given.profile, "--profile", "a machine profile is wanted")
    fault = profile_fault(profile.value)
    if fault:
        yield f"{profile.where}: not as the schema says: {fault}"


def _kinds(given: Set) -> Iterator[str]:
    for node in given.raw():
        kind = node.value.get("kind")
        if kind == "imported":
            yield f"{node.where}: an imported result, which nobody here verified"
        elif kind == "published":
            yield f"{node.where}: a paper's number; those lie in results/published/"
    if not any(m.ok for m in given.measured):
        yield "records: hold no verified measurement"


def _machine(given: Set) -> Iterator[str]:
    if not given.records.runs:
        yield "records: hold no run, which says of which machine they are"
        return
    ids = {run.machine_id for run in given.records.runs} | {m.host for m in given.measured}
    ids |= {count.host for count in given.records.counts}
    if len(ids) > 1:
        yield f"machine: records of {len(ids)}, and a folder is of one: {', '.join(sorted(ids))}"
    gpus = {m.device for m in given.measured if m.device}
    if len(gpus) > 1:
        yield f"machine: records of {len(gpus)} GPUs, and a folder is of one: {', '.join(sorted(gpus))}"
    for name in ("cores", "memory_bytes", "cache_bytes", "simd"):
        if any(not run.machine.get(name) for run in given.records.runs):
            yield f"machine: a run does not say its {name}"
    facts = {json.dumps(run.machine, sort_keys=True) for run in given.records.runs}
    if len(ids) == 1 and len(facts) > 1:
        yield f"machine: its runs say {len(facts)} different things of {next(iter(ids))}"
    profile = document(given.profile, "--profile", "a machine profile is wanted").value.get("id")
    if profile != given.machine:
        yield f"--profile {given.profile}: of {profile}, and the records of {given.machine}"


def _build(given: Set) -> Iterator[str]:
    builds = {
        tuple(str(run.build.get(name)) for name in ("version", "commit", "compiler", "flags")): run.commit
        for run in given.records.runs
    }
    if len(builds) > 1:
        yield f"build: {len(builds)} of them, and one is wanted: {', '.join(sorted(builds.values()))}"
    for run in given.records.runs:
        build: Mapping[str, Any] = run.build
        if not build.get("commit"):
            yield f"build: of run {run.run} unknown: built outside a clone"
        elif build.get("dirty") is not False:
            yield f"build: of run {run.run} unknown: the tree had changes that no commit has"


def _runs(given: Set) -> Iterator[str]:
    known = {run.run for run in given.records.runs}
    wanted = {m.run for m in given.measured} | {count.run for count in given.records.counts}
    for run in sorted(wanted - known):
        yield f"run: {run} is not among the records; its measurements have no environment and no build"


def _verified(given: Set) -> Iterator[str]:
    for node in given.raw():
        if node.value.get("kind") not in ("measurement", "component"):
            continue
        status, of_sort = node.value.get("status"), _named(node)
        if status != "ok":
            if status in ("wrong", "failed", "crashed") and not node.value.get("expected"):
                yield f"{of_sort}: {status}, and no known limit of the sort: {node.value.get('reason')}"
            continue
        verification = node.value.get("verification") or {}
        samples = node.value.get("samples_s") or []
        paired = verification.get("pairing") is True or node.value["case"].get("value_type") == "none"
        if verification.get("order") is not True or verification.get("multiset") is not True or not paired:
            yield f"{of_sort}: a time without a verified result"
        elif not _has_interval(node.value["ci95_s"], samples, node.value.get("processes")):
            yield f"{of_sort}: ci95_s is not the interval of its samples"


def _has_interval(recorded: Sequence[float], samples: Sequence[float], processes: Optional[Sequence[int]]) -> bool:
    found = statistics.run_interval(samples, processes or [0] * len(samples))
    return all(abs(end - known) <= 1e-9 * known for end, known in zip((found.low, found.high), recorded))


def _marked(given: Set) -> Iterator[str]:
    for node in given.raw():
        if node.value.get("kind") in ("measurement", "component") and node.value.get("status") == "ok":
            marked, why = node.value.get("disturbed"), node.value.get("disturbance")
            if not isinstance(marked, bool):
                yield f"{_named(node)}: does not say whether it was disturbed"
            elif marked != bool(why):
                yield f"{_named(node)}: " + ("marked as disturbed without a reason" if marked else f"not marked: {why}")


def _named(node: Node) -> str:
    case = node.value.get("case") or {}
    return f"{node.where}: {case.get('algorithm')} {case.get('key_type')} n={case.get('n')}"


def _paths(given: Set) -> Iterator[str]:
    for node in given.raw():
        asked = dict(node.value.get("asked") or {})
        if given.shorten and "command" in asked:
            asked["command"] = [shortened(word) for word in asked["command"]]
        word = next((w for w in _texts(asked) if personal(w)), None)
        if word is not None:
            yield f"{node.where}: the command names {word}; --shorten-paths writes its last part alone"
            continue
        word = next((w for w in _texts({k: v for k, v in node.value.items() if k != "asked"}) if HOME.search(w)), None)
        if word is not None:
            yield f"{node.where}: names a home folder: {word[:200]}"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _known(given: Set) -> Iterator[str]:
    for name in given.records.unknown_algorithms():
        yield f"{name}: no record of kind algorithm; `sortlab list algorithms --records` writes them"


def _models(given: Set) -> Iterator[str]:
    if not any(p.profile_id == given.machine for p in given.records.predictions):
        yield "predictions: none by this machine's profile; `sortlab predict --for FILE --out FILE.predictions.jsonl`"


def _aa(given: Set) -> Iterator[str]:
    first, second = (given.sides[file] for file in given.aa)
    runs = [{run.run for run in side.runs} for side in (first, second)]
    if runs[0] & runs[1]:
        yield f"--aa: both files are of run {min(runs[0] & runs[1])}; two runs of one config are wanted"
        return
    found = noise(first, second)
    if found is None or found.cells < AA_CELLS:
        yield f"--aa: {found.cells if found else 0} cells that both verified; at least {AA_CELLS} are wanted"
    elif found.typical > NOISE_MOST:
        yield f"--aa: the typical cell differs by {found.typical:.1%}; at most {NOISE_MOST:.0%} is noise"
    elif abs(found.drift) > DRIFT_MOST:
        yield f"--aa: the second run takes {found.drift:+.1%}; at most {DRIFT_MOST:.0%} is noise"


def counted(of: Iterable[Measurement]) -> str:
    """The contents of a file: "328 cells verified, 4 skipped, 12 of the verified ones disturbed"."""
    every = list(of)
    ok = [m for m in every if m.ok]
    parts = sum(isinstance(m, Component) for m in ok)
    counts = [f"{len(ok)} cells verified" + (f", {parts} of them parts of sorts" if parts else "")]
    for status in ("skipped", "wrong", "failed", "crashed", "timeout"):
        number = sum(m.status == status for m in every)
        counts += [f"{number} {status}"] * bool(number)
    disturbed = sum(m.disturbed for m in ok)
    counts += [f"{disturbed} of the verified ones disturbed"] * bool(disturbed)
    return ", ".join(counts)
