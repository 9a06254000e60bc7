"""Records as rows of plain values, for frames and for CSV.

A column's name ends in its unit. A column without a unit is a count or has none (plots/README.md).
"""

from __future__ import annotations

from typing import Any, Iterable, Optional, Union

from ..analysis import fastest as analysis
from ..records.case import Case
from ..records.energy import Energy
from ..records.measurement import Component, Measurement
from ..records.prediction import Prediction
from ..records.collection import Records

Row = dict[str, Any]


def _case(case: Case) -> Row:
    return {
        "algorithm": case.algorithm,
        "parameters": case.parameters_text,
        "key_type": case.key_type,
        "value_type": case.value_type,
        "layout": case.layout,
        "n_elements": case.n,
        "input_bytes": case.bytes if case.bytes is not None else case.n * int(case.element_bytes),
        "distribution": case.distribution,
        "seed": case.seed,
        "entropy_bits": case.entropy_bits,
        "residency": case.residency,
        "host_memory": case.host_memory,
        "devices": case.devices,
        "shard_sizes": case.shard_sizes,
        "threads": case.threads,
    }


def _identity(m: Union[Measurement, Any]) -> Row:
    return {"machine": m.machine, "run": m.run, "cell": m.cell, "key": m.key}


def _measurement(m: Measurement, superseded: bool) -> Row:
    seconds, rate = m.seconds, None
    cycles: Optional[float] = None
    if seconds is not None and m.case.n:
        rate = m.case.n / seconds.value
        cycles = m.clock_hz * seconds.value / m.case.n if m.clock_hz else None
    return {
        **_identity(m),
        "device": m.device,
        **_case(m.case),
        "version": m.case.version,
        "status": m.status,
        "expected": m.expected,
        "reason": m.reason,
        "reason_code": m.reason_code,
        "limit_s": m.limit_s,
        "samples": len(m.samples_s),
        "processes": m.process_count,
        "median_s": seconds.value if seconds else None,
        "ci95_low_s": seconds.low if seconds else None,
        "ci95_high_s": seconds.high if seconds else None,
        "mean_s": m.mean_s,
        "rate_elements_per_s": rate,
        "nominal_rate_bytes_per_s": 2 * m.case.element_bytes * rate if rate else None,  # read once and written once
        "clock_hz": m.clock_hz,
        "wall_cycles_per_element": cycles,
        "core_cycles_per_element": m.cpe_core,
        "scratch_bytes": m.scratch_bytes,
        "stopped": m.stopped,
        "disturbed": m.disturbed,
        "core_share": m.core_share,
        "device_share": m.device_share,
        "waited_share": m.waited_share,
        "throttled_share": m.throttled_share,
        "input": m.input,
        "output": m.output,
        "called_median_s": m.called_s,
        **_energy(m.energy, m.case.n),
        "energy_reason": m.energy_reason,
        "superseded": superseded,
    }


def _energy(e: Optional[Energy], n: int) -> Row:
    if e is None:
        return dict.fromkeys(_ENERGY.split())
    return {
        "sort_j": e.joules.value,
        "sort_ci95_low_j": e.joules.low,
        "sort_ci95_high_j": e.joules.high,
        "net_sort_j": e.net_joules.value,
        "elements_per_j": n / e.joules.value,
        "mean_power_w": e.mean_power_w,
        "idle_power_w": e.idle_w,
        "back_to_back_s": e.seconds,
        "energy_domains": " ".join(e.domains),
        "integrated_over_counter": e.integrated_over_counter,
        "sm_clock_hz": e.sm_clock_hz,
        "temperature_c": e.temperature_c,
        "power_limit_w": e.power_limit_w,
        "throttled_by": "; ".join(e.throttled),
    }


def _measured(records: Records, made: Iterable[Measurement]) -> list[tuple[Measurement, bool]]:
    """Measurements, each with True if a newer run measured its cell again on that machine."""
    every = list(made)
    newest: dict[tuple[str, str], str] = {}
    for m in records.oldest_first(every):
        newest[m.machine, m.cell] = m.run
    return [(m, newest[m.machine, m.cell] != m.run) for m in every]


def measurements(records: Records) -> list[Row]:
    return [_measurement(m, old) for m, old in _measured(records, records.measurements)]


def components(records: Records) -> list[Row]:
    made: list[Row] = []
    for m, old in _measured(records, records.components):
        assert isinstance(m, Component)
        part = {"component": m.component, "postcondition": m.postcondition, "iterations": m.iterations}
        made.append({**part, **_measurement(m, old)})
    return made


def samples(records: Records) -> list[Row]:
    return [
        {**_identity(m), "algorithm": m.case.algorithm, "sample": i, "process": process, "sample_s": seconds}
        for m in (*records.measurements, *records.components)
        for i, (process, seconds) in enumerate(zip(m.processes, m.samples_s))
    ]


def phases(records: Records) -> list[Row]:
    return [
        {
            **_identity(m),
            "algorithm": m.case.algorithm,
            "phase": p.name,
            "pass": p.pass_,
            "median_s": p.seconds,
            "ci95_low_s": p.interval.low if p.interval else None,
            "ci95_high_s": p.interval.high if p.interval else None,
            "phases_from": m.phases_from,
            "phase_time": m.phase_time,
        }
        for m in (*records.measurements, *records.components)
        for p in m.phases
    ]


def counted_phases(records: Records) -> list[Row]:
    return [
        {
            **_identity(c),
            "device": c.device,
            **_case(c.case),
            "phase": p.name,
            "pass": p.pass_,
            "binding": p.binding,
            "launches": p.launches,
            **{f"{counter}_per_element": value for counter, value in p.per_element.items()},
            **{f"{resource}_used_share": share for resource, share in p.utilisation.items()},
        }
        for c in records.counts
        if c.ok
        for p in c.phases
    ]


def _prediction(p: Prediction) -> Row:
    return {"machine": p.machine, "cell": p.cell, "algorithm": p.case.algorithm, "model": p.model, "model_kind": p.kind}


def _profile(p: Prediction) -> Row:
    return {"profile_machine": p.profile_id, "profile_hash": p.profile_hash}


def predictions(records: Records) -> list[Row]:
    return [
        {
            **_prediction(p),
            **_case(p.case),
            "model_family": p.family,
            "papers_times": p.papers_times,
            "predicted_s": p.seconds,
            "predicted_j": p.energy.joules if p.energy else None,
            "predicted_static_power_w": p.energy.static_power_w if p.energy else None,
            "copy_baseline_s": p.bytes_over_copy_s,
            **_profile(p),
            "profile_name": p.profile_name,
            "profile_origin": p.profile_origin,
            "view": p.view,
        }
        for p in records.predictions
    ]


def predicted_phases(records: Records) -> list[Row]:
    return [
        {
            **_prediction(p),
            **_profile(p),
            "phase": phase.name,
            "pass": phase.pass_,
            "predicted_s": phase.seconds,
            "binding": phase.binding,
        }
        for p in records.predictions
        for phase in p.phases
    ]


def runs(records: Records) -> list[Row]:
    return [
        {
            "run": r.run,
            "started_utc": r.started,
            "machine": r.machine_id,
            "machine_name": r.machine_name,
            "cores": r.machine.get("cores"),
            "hardware_threads": r.machine.get("threads"),
            "memory_bytes": r.machine.get("memory_bytes"),
            "simd": r.machine.get("simd"),
            "version": r.build.get("version"),
            "commit": r.build.get("commit"),
            "dirty": r.build.get("dirty"),
            "compiler": r.build.get("compiler"),
            "flags": r.build.get("flags"),
            "command": _joined(r.asked.get("command")),
        }
        for r in records.runs
    ]


def _joined(command: Any) -> str:
    return " ".join(map(str, command)) if isinstance(command, list) else ""


def algorithms(records: Records) -> list[Row]:
    return [
        {
            "algorithm": a.name,
            "title": a.title,
            "source": a.source,
            "family": a.family,
            "origin": a.origin,
            "paper": a.paper,
            "runs_on": a.runs_on,
            "keys": " ".join(a.keys),
            "parallel": a.parallel,
            "stable": a.stable,
        }
        for a in records.algorithms.values()
    ]


def published(records: Records) -> list[Row]:
    return [
        {"n_elements" if name == "n" else name: value for name, value in vars(p).items()} for p in records.published
    ]


def imported(records: Records) -> list[Row]:
    return [
        {
            "verified": False,
            "name": i.name,
            "axes": i.axes_text,
            "n_elements": i.n,
            "threads": i.threads,
            "time_s": i.seconds,
            "statistic": i.statistic,
            "samples": len(i.samples_s),
            "machine_name": i.machine,
            "device": i.device,
            "format": i.format,
            "file": i.file,
        }
        for i in records.imported
    ]


def fastest(records: Records) -> list[Row]:
    """The fastest sort of each machine, type and n."""
    return analysis.rows(analysis.fastest_lines(records))


def gains(records: Records) -> list[Row]:
    """Gains of each machine's fastest sort over each other's."""
    return analysis.gain_rows(analysis.gains(analysis.fastest_lines(records)))


# Rows of each kind, by the name of the frame, which is also the name for --kind.
KINDS = {
    "measurements": measurements,
    "components": components,
    "samples": samples,
    "phases": phases,
    "counted_phases": counted_phases,
    "predictions": predictions,
    "predicted_phases": predicted_phases,
    "runs": runs,
    "algorithms": algorithms,
    "published": published,
    "imported": imported,
    "fastest": fastest,
    "gains": gains,
}

_CASE = (
    "algorithm parameters key_type value_type layout n_elements input_bytes distribution seed entropy_bits residency"
)
_CASE += " host_memory devices shard_sizes threads"
_ENERGY = "sort_j sort_ci95_low_j sort_ci95_high_j net_sort_j elements_per_j mean_power_w idle_power_w"
_ENERGY += " back_to_back_s energy_domains"
_ENERGY += " integrated_over_counter sm_clock_hz temperature_c power_limit_w throttled_by"
_MEASURED = f"machine run cell key device {_CASE}"
_MEASURED += " version status expected reason reason_code limit_s samples processes median_s ci95_low_s"
_MEASURED += " ci95_high_s mean_s rate_elements_per_s nominal_rate_bytes_per_s clock_hz"
_MEASURED += " wall_cycles_per_element core_cycles_per_element scratch_bytes stopped disturbed core_share"
_MEASURED += " device_share waited_share throttled_share input output called_median_s"
_MEASURED += f" {_ENERGY} energy_reason superseded"
_COLUMNS = {
    "measurements": _MEASURED,
    "components": f"component postcondition iterations {_MEASURED}",
    "samples": "machine run cell key algorithm sample process sample_s",
    "phases": "machine run cell key algorithm phase pass median_s ci95_low_s ci95_high_s phases_from phase_time",
    "counted_phases": f"machine run cell key device {_CASE} phase pass binding launches",
    "predictions": f"machine cell {_CASE} model model_kind model_family papers_times predicted_s predicted_j"
    " predicted_static_power_w copy_baseline_s profile_machine profile_name profile_hash profile_origin view",
    "predicted_phases": "machine cell algorithm model model_kind profile_machine profile_hash phase pass predicted_s"
    " binding",
    "runs": "run started_utc machine machine_name cores hardware_threads memory_bytes simd version commit dirty"
    " compiler flags command",
    "algorithms": "algorithm title source family origin paper runs_on keys parallel stable",
    "published": "paper id algorithm versus platform n_elements n_printed type distribution metric statistic printed"
    " printed_unit value unit note inconsistency",
    "imported": "verified name axes n_elements threads time_s statistic samples machine_name device format file",
    "fastest": "machine machine_name key_type value_type copies n_elements algorithm threads cell run"
    " rate_elements_per_s ci95_low_elements_per_s ci95_high_elements_per_s predicted_rate_elements_per_s"
    " disturbed candidates",
    "gains": "machine over_machine key_type value_type copies n_elements algorithm over_algorithm gain ci95_low"
    " ci95_high predicted_gain cell run",
}


def header(kind: str, rows: Iterable[Row]) -> list[str]:
    """All columns of a kind, followed by those of the counters in its rows."""
    return list(dict.fromkeys([*_COLUMNS[kind].split(), *(name for row in rows for name in row)]))
