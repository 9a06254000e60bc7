"""Provenance of numbers: the line below a caption, and the facts of runs and builds for the report."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, Iterable, Sequence

from ..records.caption import Caption
from ..records.measurement import Measurement
from ..records.prediction import Prediction
from ..records import statistics
from ..records.quantities import span_text
from ..records.collection import Records


_SHOWN = 20  # maximum number of refused lines that are named one by one


def machine_text(records: Records) -> str:
    """The machine's name with its cores: "AMD EPYC …, 2 cores"."""
    if not records.runs:
        return "a machine whose run record is not among the files"
    run = records.runs[-1]
    cores = run.machine.get("cores")
    return run.machine_name + (f", {cores} core{'s' if cores != 1 else ''}" if cores else "")


def notes_on_records(records: Records) -> list[str]:
    """Lines that a reader of these records must know first: one for each torn end, for each line that is no record (of
    these only the first ones are named), for records of an emulator, and for each run that began later than now by
    this machine's clock."""
    lines = [f"left out: the last line of {path}, which was torn by a kill" for path in records.torn]
    lines += [f"left out: {line}" for line in records.refused[:_SHOWN]]
    more = len(records.refused) - _SHOWN
    lines += [f"left out: {more} more lines that are no records"] * (more > 0)
    lines += [f"left out: {records.emulated} records of runs under an emulator"] * (records.emulated > 0)
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return lines + [
        f"run {run.run} began later than now, at {run.started}: one of the clocks is wrong, and its cells count as "
        "newer than what is measured today"
        for run in records.runs
        if run.started > now
    ]


def commits(records: Records, measurements: Iterable[Measurement]) -> str:
    used = {m.run for m in measurements}
    every = (records.every or records).runs  # some may be of another GPU
    return ", ".join(sorted({run.commit for run in every if run.run in used})) or "unknown"


def caption(
    records: Records, measurements: Sequence[Measurement], predictions: Sequence[Prediction], estimator: str = ""
) -> Caption:
    """The end of a caption: a note on disturbed cells, the machine, and n, estimator, clock and commit."""
    if not measurements:
        return Caption(notes="Nothing is measured here yet: published values only.")
    disturbed = sum(m.disturbed for m in measurements)
    note = f"{disturbed} of {len(measurements)} cells were disturbed by other programs." if disturbed else ""
    samples = _span(len(m.samples_s) for m in measurements)
    processes = _span(m.process_count for m in measurements)
    of_processes = "one process" if processes == "1" else f"{processes} processes"
    clocks: dict[str, list[float]] = {}  # clocks by device, "" for the processor
    for m in measurements:
        if m.clock_hz:
            clocks.setdefault(m.device, []).append(m.clock_hz)
    on_host = any(m.case.on_host and not m.device for m in measurements)
    sampled = "one sample" if samples == "1" else f"median of {samples} samples"
    parts = [
        *([] if on_host else [f"host {machine_text(records)}"]),
        f"n = {span_text(m.case.n for m in measurements)}",
        f"{sampled} of {of_processes}"
        + (" with its 95 % interval" if samples != "1" else "")
        + (f"; {estimator}" if estimator else ""),
    ]
    if clocks:
        each = (
            f"{sorted(hz)[len(hz) // 2] / 1e9:.2f} GHz" + (f" ({device})" if device else "")
            for device, hz in sorted(clocks.items())
        )
        parts.append("clock measured " + ", ".join(each))
    parts.append(f"commit {commits(records, measurements)}")
    text = "; ".join(parts) + "."
    text = text[0].upper() + text[1:] if not on_host else text
    if not all(m.has_interval for m in measurements):
        text += " Fewer than 6 samples of one process have no such interval, and none is shown."
    if predictions:
        models = ", ".join(sorted({f"{p.model} ({p.kind})" for p in predictions}))
        profiles = ", ".join(sorted({p.profile_hash[:8] for p in predictions if p.profile_hash}))
        text += f" Predicted by {models}" + (f" from profile {profiles}." if profiles else ".")
    return Caption(notes=note, machines=measured_on(records, measurements), provenance=text)


def measured_on(records: Records, measurements: Sequence[Measurement]) -> str:
    """A sentence with the processors that the measurements ran on: the GPUs, and the host if any ran there."""
    devices = sorted({m.device for m in measurements if m.device})
    on_host = any(m.case.on_host and not m.device for m in measurements)
    host = [machine_text(records)] if on_host or not devices else []
    return f"Measured on {', and '.join([*host, *devices])}."


def _span(counts: Iterable[int]) -> str:
    """The least and greatest number: "15 to 31"."""
    ordered = sorted(set(counts))
    return str(ordered[0]) if len(ordered) == 1 else f"{ordered[0]} to {ordered[-1]}"


def assumed_noise_text(measurements: Iterable[Measurement]) -> str:
    """The noise assumed for cells whose samples are of one process, for the page; empty if there are none."""
    timed = [m for m in measurements if m.ok]
    alone = sum(m.process_count == 1 for m in timed)
    if not alone:
        return ""
    noises = (statistics.NOISE_ON_ONE_THREAD, statistics.NOISE_ON_SEVERAL_THREADS, statistics.NOISE_ON_A_DEVICE)
    one, several, device = (f"{100 * noise:g} %" for noise in noises)
    return (
        f"In {alone} of {len(timed)} cells all samples are of one process, so that the interval of the time leaves out "
        f"how processes differ. Intervals of ratios, and verdicts, allow for that: by a standard deviation of {one} on "
        f"one thread, {several} on several and {device} on a GPU."
    )


def flat(facts: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """A nested object as pairs of name and text, for a table; the variables of a run are one text."""
    pairs: list[tuple[str, str]] = []
    for name, value in facts.items():
        full = f"{prefix}{name}"
        if isinstance(value, dict) and full.endswith("variables.passed"):
            texts = (one if text is None else f"{one}={text}" for one, text in value.items())
            pairs.append((full, " ".join(texts)))
        elif isinstance(value, dict):
            pairs += flat(value, full + ".")
        elif isinstance(value, list):
            pairs.append((full, " ".join(str(item) for item in value)))
        elif isinstance(value, bool):
            pairs.append((full, "yes" if value else "no"))
        else:
            pairs.append((full, "–" if value is None else str(value)))
    return pairs
