"""Invented records that follow the schema, for tests of code that reads records. They are never results."""

from __future__ import annotations

import hashlib
import json
import random
import statistics
from pathlib import Path
from typing import Any, Container, Iterator

from synthetic_sorts import (  # noqa: F401 (tests read all of them here)
    ALGORITHMS,
    COMPONENTS,
    CUB_5BIT,
    CUB_7BIT,
    DEVICE,
    GPU_FORMS,
    GPU_PHASES,
    HETEROGENEOUS,
    HETEROGENEOUS_PAPER,
    HYBRID,
    HYBRID_PAPER,
    HYBRID_ROLE,
    HYBRID_TUNED,
    KEPT,
    LEISCHNER,
    MERGE_PAPER,
    ORDER_FACTOR,
    PAPER_FORM,
    PARADIS_PAPER,
    PROTOCOL,
    SAMPLE_PAPER,
    SAMPLE_ROLE,
    SAMPLE_TUNED,
    SEQUENTIAL,
    SORTS,
    TUNED,
)

from plots.records.case import KEY_BYTES, VALUE_BYTES
from plots.records.cell_id import cell_id
from plots.records.statistics import run_interval

MACHINE = "synthetic-2c-00000000"
RUN = "20200101T000000Z-abcdef"
CLOCK_HZ = 3.4e9


def run_record() -> dict[str, Any]:
    return {
        "schema": 1,
        "kind": "run",
        "run": RUN,
        "started": "2020-01-01T00:00:00Z",
        "machine": {
            "id": MACHINE,
            "name": "Synthetic processor",
            "cores": 2,
            "threads": 2,
            "cache_bytes": {"L1d": 32768, "L2": 1048576, "L3": 33554432},
            "memory_bytes": 25769803776,
            "numa_nodes": 1,
            "simd": "AVX-512",
            "virtual": True,
        },
        "environment": {
            "kernel": "Linux 6.1.0",
            "governor": None,
            "transparent_huge_pages": "madvise",
            "load_1min": 0.12,
            "aslr": 2,
            "affinity": [0, 1],
            "counters": None,
            "counters_reason": "perf_event_open: No such file or directory",
        },
        "build": {
            "version": "0.0.0",
            "commit": "0123456789abcdef0123456789abcdef01234567",
            "dirty": False,
            "compiler": "GNU 12.2.0",
            "flags": "-O3",
            "libraries": {"fmt": "9.1.0", "hwy": "1.0.3"},
        },
        "asked": {
            "command": ["sortlab", "run", "configs/quick.json"],
            "config": "quick",
            "config_digest": "00112233445566ff",
            "filter": None,
            "shard": "1/1",
        },
    }


def resolved(distribution: str) -> dict[str, Any]:
    """The parameters of a distribution that its short text names."""
    named = [setting.partition("=") for setting in distribution.partition(":")[2].split(",") if "=" in setting]
    return {name: float(value) if value.replace(".", "").isdecimal() else value for name, _, value in named}


def case(algorithm: str, n: int, **changes: Any) -> dict[str, Any]:
    base = {
        "algorithm": algorithm,
        "parameters": dict(TUNED) if algorithm == "satish_cpu_radix" else {},
        "build": "0011223344556677",
        "version": "" if algorithm == "satish_cpu_radix" else "1.0",
        "key_type": "u32",
        "value_type": "none",
        "layout": "separate",
        "n": n,
        "distribution": "uniform",
        "distribution_parameters": resolved(changes.get("distribution", "uniform")),
        "seed": 1,
        "entropy_bits": None,
        "residency": "host",
        "threads": 1,
        "affinity": [0],
    }
    return {**base, **changes}


def seeded_noise(case_: dict[str, Any]) -> random.Random:
    """The noise of a case's times: the same in each run of the tests."""
    identity = {k: v for k, v in case_.items() if k not in ("build", "version", "affinity")}
    return random.Random(hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16])


def in_its_cell(record: dict[str, Any]) -> dict[str, Any]:
    """The record with the cell that follows from its case, which a test has changed."""
    return {**record, "cell": cell_id(record["case"])} if "case" in record else record


def in_three_processes(record: dict[str, Any]) -> dict[str, Any]:
    """The measurement with its samples taken by three processes in turn."""
    processes = [i % 3 for i in range(len(record["samples_s"]))]
    interval = run_interval(record["samples_s"], processes)
    return {**record, "processes": processes, "ci95_s": [interval.low, interval.high]}


def measurement(case_: dict[str, Any], seconds: float, spread: float = 0.01, **changes: Any) -> dict[str, Any]:
    cell = cell_id(case_)
    noise = seeded_noise(case_)
    samples = [seconds * (1 + abs(noise.gauss(0, spread))) for _ in range(9)]
    ordered = sorted(samples)
    median, n = ordered[4], case_["n"]
    histogram, scatter = 0.12 * median, 0.22 * median
    record = {
        "schema": 1,
        "kind": "measurement",
        "cell": cell,
        "key": cell[::-1],
        "run": RUN,
        "machine": MACHINE,
        "case": case_,
        "protocol": PROTOCOL,
        "status": "ok",
        "expected": False,
        "reason": None,
        "samples_s": samples,
        "median_s": median,
        "ci95_s": [ordered[1], ordered[7]],
        "clock_hz": CLOCK_HZ,
        "clock_source": "dependent additions",
        "phases": [
            {"name": "histogram", "pass": 0, "median_s": histogram, "begin_s": 0.0, "end_s": histogram},
            *({"name": "scatter", "pass": p, "median_s": scatter, "begin_s": 0.0, "end_s": scatter} for p in range(4)),
        ]
        if case_["algorithm"] == "satish_cpu_radix"
        else [],
        "scratch_bytes": 4 * n,
        "allocates_inside": False,
        "counters": None,
        "counters_reason": "perf_event_open: No such file or directory",
        "verification": {
            "order": True,
            "multiset": True,
            "pairing": None,
            "stability": None,
            "samples": 9,
            "digest": "0" * 32,
        },
        "disturbed": False,
    }
    record |= changes
    if record.get("device") is None:  # on the host
        record.pop("device", None)
    return consistent(record, set(changes))


def _derived(record: dict[str, Any], changed: Container[str]) -> dict[str, Any]:
    """The members of a measurement that follow from its samples, its case and its clock. If `changed` has cycles of all
    cores, the clock follows from them."""
    case_, n, samples = record["case"], record["case"]["n"], record["samples_s"]
    median = record["median_s"] if "median_s" in changed else statistics.median(samples)
    size = case_.get("bytes") or n * (KEY_BYTES[case_["key_type"]] + VALUE_BYTES[case_["value_type"]])
    cores = record["device"]["multiprocessors"] if record.get("device") else case_["threads"]
    cycles = record["clock_hz"] * median / n if n and record["clock_hz"] else None
    if "cpe_core" in changed:
        cycles = record["cpe_core"] / cores
    return {
        "median_s": median,
        "mean_s": sum(samples) / len(samples),
        "min_s": min(samples),
        "keys_per_s": n / median,
        "bytes_per_s": 2 * size / median,
        "clock_hz": cycles * n / median if cycles and "cpe_core" in changed else record["clock_hz"],
        "cpe_wall": cycles,
        "cpe_core": cycles and cores * cycles,
    }


def consistent(record: dict[str, Any], changed: Container[str]) -> dict[str, Any]:
    """The measurement with its rates, its cycles, its number of verified samples, its key and its run as the `changed`
    members want them: a key tells machines apart, and a run is of one machine."""
    if record["status"] == "ok":
        if record.get("samples_s"):
            own = {"clock_hz", "cpe_core"}  # one follows from the other
            derived = _derived(record, changed).items()
            record |= {name: value for name, value in derived if name in own or name not in changed}
        if "verification" not in changed:
            record["verification"] = {**record["verification"], "samples": len(record["samples_s"])}
    machine, device = record["machine"], (record.get("device") or DEVICE)["name"]
    if "key" not in changed and (machine, device) != (MACHINE, DEVICE["name"]):
        record["key"] = hashlib.sha256((record["cell"] + machine + device).encode()).hexdigest()[:16]
    if "run" not in changed and machine != MACHINE:
        record["run"] = RUN.rpartition("-")[0] + "-" + hashlib.sha256(machine.encode()).hexdigest()[:6]
    return record


def retimed(record: dict[str, Any], **times: Any) -> dict[str, Any]:
    """The measurement with other times, and with what follows from them."""
    return consistent({**record, **times}, set(times) | {"key", "run"})


def scaled(record: dict[str, Any], factor: float, clock: float = 1.0, **changes: Any) -> dict[str, Any]:
    """The measurement with all times, and the clock, so many times as large."""
    times = {name: [factor * seconds for seconds in record[name]] for name in ("samples_s", "ci95_s")}
    return retimed({**record, **changes, "clock_hz": clock * record["clock_hz"]}, **times)


def component(case_: dict[str, Any], name: str, seconds: float, spread: float = 0.01, **changes: Any) -> dict[str, Any]:
    """A component's record: the fields of a measurement, its name, and its postcondition."""
    record = measurement({**case_, "component": name}, seconds, spread, kind="component", phases=[], device=DEVICE)
    iterations = COMPONENTS.get(case_["algorithm"], {}).get(name, (0.0, 1))[1]
    own = {"component": name, "postcondition": f"{name} did what it must", "iterations": iterations}
    return retimed({**record, **own}, **changes)


def count(case_: dict[str, Any], bindings: dict[str, str], **changes: Any) -> dict[str, Any]:
    """A profiler's counts of eight passes, with the binding resource of each phase."""
    cell = cell_id(case_)
    phases = [
        {
            "name": name,
            "pass": p,
            "kernels": kernels(name),
            "per_element": {"instructions": 10.0},
            "utilisation": {"dram": 0.9},
            "occupancy": 0.5,
            "binding": binding,
        }
        for p in range(8)
        for name, binding in bindings.items()
    ]
    record = {
        "schema": 1,
        "kind": "count",
        "cell": cell,
        "key": cell[::-1],
        "run": RUN,
        "machine": MACHINE,
        "case": case_,
        "status": "ok",
        "reason": None,
        "tool": {"name": "ncu", "version": "2025.3", "replay": "kernel", "cache": "flushed"},
        "verification": {"order": True, "multiset": True, "pairing": None, "stability": None, "digest": cell},
        "device": DEVICE,
        "scratch_bytes": 0,
        "passes": 8,
        "phases": phases,
    }
    return {**record, **changes}


def kernels(name: str, launches: int = 1) -> list[dict[str, Any]]:
    """Kernels of a phase, all launches of one."""
    shape = {"grid": "1", "block": "256", "registers": 32, "shared_bytes": 0}
    return [{"name": name, **shape, "launches": launches}]


# Members of a measurement that only a verified one has.
TIMES = ("samples_s", "median_s", "ci95_s", "mean_s", "min_s", "keys_per_s", "bytes_per_s", "cpe_wall", "cpe_core")
TIMES += ("phases",)


def skipped(case_: dict[str, Any], reason: str, status: str = "skipped") -> dict[str, Any]:
    cell = cell_id(case_)
    return {
        "schema": 1,
        "kind": "measurement",
        "cell": cell,
        "key": cell[::-1],
        "run": RUN,
        "machine": MACHINE,
        "case": case_,
        "protocol": {**PROTOCOL, "stopped": None},
        "status": status,
        "expected": False,
        "reason": reason,
        "verification": None,
    }


def prediction(case_: dict[str, Any], seconds: float, **changes: Any) -> dict[str, Any]:
    record = {
        "schema": 1,
        "kind": "prediction",
        "cell": cell_id(case_),
        "case": case_,
        "model": case_["algorithm"],
        "model_digest": "8899aabbccddeeff",
        "profile": {
            "id": MACHINE,
            "name": DEVICE["name"] if case_["residency"] == "device" else "Synthetic processor",
            "hash": "ffeeddccbbaa9988",
            "origin": "calibrated",
        },
        "model_kind": "hardware",
        "model_family": "C, implicit counting",
        "tables": [],
        "seconds": seconds,
        "cpe_wall": CLOCK_HZ * seconds / case_["n"],
        "cpe_core": case_["threads"] * CLOCK_HZ * seconds / case_["n"],
        "phases": [
            {"name": "histogram", "pass": 0, "seconds": 0.1 * seconds, "binding": "memory", "work": {}},
            *(
                {"name": "scatter", "pass": p, "seconds": 0.225 * seconds, "binding": "scatter", "work": {}}
                for p in range(4)
            ),
        ],
        "view": "formula",
    }
    return {**record, **changes}


def gpu_case(algorithm: str, n: int, **changes: Any) -> dict[str, Any]:
    """A sort of pairs on the device in the paper's form."""
    base = dict(parameters=GPU_FORMS[algorithm], value_type="u32", residency="device", affinity=[])
    return case(algorithm, n, **{**base, **changes})


def gpu_sort(case_: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Eight passes on the device, with phases."""
    each = {name: s * case_["n"] for name, s in GPU_PHASES[case_["algorithm"]].items()}
    phases = [
        {"name": name, "pass": p, "median_s": s, "begin_s": 0.0, "end_s": s}
        for p in range(8)
        for name, s in each.items()
    ]
    return measurement(case_, 8 * sum(each.values()) + 2e-5, phases=phases, device=DEVICE, **changes)


def gpu_prediction(case_: dict[str, Any], factor: float, **changes: Any) -> dict[str, Any]:
    """A model's prediction of the same sort: each phase's time multiplied by a factor."""
    each = {name: factor * s * case_["n"] for name, s in GPU_PHASES[case_["algorithm"]].items()}
    bindings = {name: "shared" if "sort" in name else "memory" for name in each}
    phases = [
        {"name": name, "pass": p, "seconds": s, "binding": bindings[name], "work": {}}
        for p in range(8)
        for name, s in each.items()
    ]
    copy = {"bytes_over_copy_s": 4e-12 * case_["n"]}
    return prediction(case_, 8 * sum(each.values()), **{"phases": phases, "baselines": copy, **changes})


def ha2010(sizes: tuple[int, ...] = tuple(n << 20 for n in range(2, 17, 2))) -> Iterator[dict[str, Any]]:
    """Everything that the tables of Ha et al. show, measured on an invented GPU."""
    yield run_record()
    for algorithm in GPU_FORMS:
        for n in sizes:
            c = gpu_case(algorithm, n)
            yield gpu_sort(c)
            yield gpu_prediction(c, 0.9)
            for name, (seconds, passes) in COMPONENTS[algorithm].items():
                yield component(c, name, seconds * passes * n + 2e-6)


def invented_seconds(case_: dict[str, Any]) -> float:
    """An invented time of a case."""
    base, growth = SORTS[case_["algorithm"]]
    n = case_["n"]
    radix = case_["algorithm"] == "satish_cpu_radix"
    width = KEY_BYTES[case_["key_type"]] / 4
    factor = width ** (1.45 if radix else 0.5) * (1.28 if case_["value_type"] != "none" else 1)
    factor *= 1.6 if case_["parameters"] == PAPER_FORM else 1
    factor *= ORDER_FACTOR.get(case_["distribution"], 0.9)
    speed_up = 1 + 0.93 * (case_["threads"] - 1)
    return 1e-9 * n * (base + growth * (n.bit_length() - 17)) * factor / speed_up + 4e-6


def everything(sizes: tuple[int, ...] = tuple(range(16, 27, 2))) -> Iterator[dict[str, Any]]:
    """A run of all sorts: sizes and distributions on u32, types at uniform, one and two threads."""
    yield run_record()
    wanted = [
        dict(distribution=d, threads=t, key_type=k, value_type=v)
        for t in (1, 2)
        for d, k, v in [
            *((d, "u32", "none") for d in ORDER_FACTOR),
            ("uniform", "u64", "none"),
            ("uniform", "u128", "none"),
            ("uniform", "u32", "u32"),
        ]
    ]
    crashed = case("vqsort", 1 << 16, key_type="u128")
    for changes in wanted:
        for algorithm in SORTS:
            for log_n in sizes:
                c = case(algorithm, 1 << log_n, **changes)
                if c["threads"] > 1 and algorithm in SEQUENTIAL:
                    yield skipped(c, "is sequential: threads must be 1")
                    continue
                if c == crashed:
                    continue
                seconds = invented_seconds(c)
                yield measurement(c, seconds)
                if algorithm == "satish_cpu_radix":
                    yield prediction(c, seconds * (0.9 + 0.02 * (log_n - 16)))
                    if c["distribution"] == "uniform":
                        paper = {**c, "parameters": PAPER_FORM}
                        yield measurement(paper, invented_seconds(paper))
                        yield prediction(paper, invented_seconds(paper) * (1.1 - 0.01 * (log_n - 16)))
    yield skipped(crashed, "signal 11 (SIGSEGV)", status="crashed")


def write(path: Path, records: Any, algorithms: bool = True) -> Path:
    """Writes the records and then, by default, the records of every algorithm."""
    every = [*records, *([*ALGORITHMS.values(), HYBRID, HETEROGENEOUS, *LEISCHNER] if algorithms else ())]
    path.write_text("".join(json.dumps(record) + "\n" for record in every))
    return path
