"""Results of other harnesses as records of kind `imported`, which are marked as unverified."""

from __future__ import annotations

import hashlib
import json
import math
import struct
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Sequence

from ..records import statistics
from ..records.bounds import DOCUMENT_BYTES, LINE_BYTES, clean
from ..records.imported import FORMATS
from ..records.jsonl import BadInput, Node, opened, parsed
from ..records.schema import LEAST, MOST, record_fault
from ..publication.import_crate import import_crate
from ..commands.options import Parser, answered, complain, named_file, write_new

_PROG = "sortlab import"
_CRATE = "ro-crate"
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
# Members that Google Benchmark itself writes; other numbers are the benchmark's own counters.
_OWN = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations"}
_OWN |= {"real_time", "cpu_time"}
# NVBench's times in order of preference: isolated runs on the GPU, runs back to back, the CPU alone.
_TIMES = ("nv/cold/time/gpu/mean", "nv/batch/time/gpu/mean", "nv/cpu_only/time/cpu/mean")

_SHOWN = 20  # lines about what is left out

Record = dict[str, Any]


def _google_benchmark(root: Node, file: Path) -> Iterator[Optional[Record | str]]:
    """Each benchmark's result, or the reason for which it is left out."""
    context = root.object("context")
    clock = context.number("mhz_per_cpu", optional=True, least=0)
    source = {
        "version": context.text("library_version", optional=True),
        "date": context.text("date", optional=True),
    }
    machine = {
        "name": context.text("host_name", optional=True),
        "processors": context.integer("num_cpus", optional=True) or None,
        "clock_hz": clock * 1e6 if clock else None,
        "device": None,
    }
    runs: dict[str, list[Node]] = {}
    for run in root.objects("benchmarks"):
        name = run.prose("run_name", optional=True) or run.prose("name")
        runs.setdefault(name, []).append(run)
    for name, of_name in runs.items():
        yield _each(lambda: _benchmark(name, of_name, {"source": source, "machine": machine}))


def _benchmark(name: str, of_name: list[Node], common: Record) -> Optional[Record]:
    """The result of one benchmark; None for BigO and RMS, which are fitted to a family. Raises BadInput."""
    single = [run for run in of_name if run.text("run_type", optional=True) != "aggregate"]
    if any(run.flag("error_occurred", optional=True) or run.value.get("skipped") for run in of_name):
        raise _NoTime(f"{of_name[0].where}: {_TIMELESS}")
    # --benchmark_report_aggregates_only leaves no repetitions; the median, or else the mean, stands for them.
    by_name = {run.text("aggregate_name", optional=True): run for run in of_name}
    statistic = "median" if single or "median" in by_name else "mean"
    samples = [_real_time(run) for run in single]
    stands = single[0] if single else by_name.get(statistic)
    if stands is None:
        return None
    counters = {k: v for k, v in stands.value.items() if type(v) in (int, float) and k not in _OWN}
    numbers = {k: v for k, v in counters.items() if _is_number(v)}
    n = numbers.get("n")
    return {
        **common,
        "name": name,
        "axes": {},
        "n": int(n) if n is not None and n >= 0 and n == int(n) else None,
        "threads": stands.integer("threads", optional=True) or None,
        "statistic": statistic,
        "seconds": statistics.median(samples) if samples else _real_time(stands),
        "samples_s": samples,
        "counters": numbers,
        _LEFT_OUT: [f"{stands.where}: {k}: not finite, or beyond {MOST:g}" for k in counters if k not in numbers],
    }


_LEFT_OUT = "left_out"  # counters of a result that are no numbers of a record
_TIMELESS = "skipped, or failed"


class _NoTime(BadInput):
    """A result without a time that could be one."""


def _each(result: Callable[[], Optional[Record]]) -> Optional[Record | str]:
    """A result, or the reason for which it is left out: a time that is none does not decide about other results."""
    try:
        return result()
    except _NoTime as error:
        return str(error)


def _is_number(value: float) -> bool:
    return math.isfinite(value) and (value == 0 or LEAST <= abs(value) <= MOST)


def _real_time(run: Node) -> float:
    unit = run.choice("time_unit", tuple(_SECONDS), optional=True) or "ns"
    given = run.value.get("real_time")
    if isinstance(given, float) and not _is_number(given):
        raise _NoTime(f"{run.where}: real_time must be a finite number above 0")
    return _above_zero(run, "real_time", run.number("real_time") * _SECONDS[unit])


def _above_zero(node: Node, name: str, seconds: float) -> float:
    if not 0 < seconds < math.inf:
        raise _NoTime(f"{node.where}: {name} must be above 0")
    return seconds


def _nvbench(root: Node, file: Path) -> Iterator[Optional[Record | str]]:
    version = root.object("meta").object("version")
    layout = version.object("json")
    if layout.integer("major") != 1:
        raise BadInput(f"{layout.where}: major must be 1, NVBench's layout since 2021")
    source = {"version": version.object("nvbench").text("string", optional=True), "date": None}
    devices = {device.integer("id"): device for device in root.objects("devices", optional=True)}
    for bench in root.objects("benchmarks"):
        for state in bench.objects("states", optional=True):
            yield _each(lambda: {"source": source, **_state(bench, state, devices, file)})


def _state(bench: Node, state: Node, devices: dict[int, Node], file: Path) -> Record:
    """The result of one state of a benchmark. Raises BadInput."""
    device = devices.get(state.integer("device")) if state.value.get("device") is not None else None
    values = {s.text("tag"): _values(s, "data") for s in state.objects("summaries", optional=True)}
    tag = next((t for t in _TIMES if isinstance(values.get(t, {}).get("value"), float)), None)
    if state.flag("is_skipped", optional=True) or tag is None:
        raise _NoTime(f"{state.where}: {_TIMELESS}")
    axes = _values(state, "axis_values")
    samples = _samples(state, values.get("nv/json/bin:nv/cold/sample_times", {}), file)
    mean = values[tag]["value"]
    assert isinstance(mean, float)
    return {
        "machine": {
            "name": None,
            "processors": None,
            "clock_hz": device.number("sm_default_clock_rate", optional=True) or None if device else None,
            "device": device.text("name") if device else None,
        },
        "name": bench.prose("name"),
        "axes": {axis: value if type(value) is int else str(value) for axis, value in axes.items()},
        "n": _elements(values, axes),
        "threads": None,
        "statistic": "median" if samples else "mean",
        "seconds": _above_zero(state, tag, statistics.median(samples) if samples else mean),
        "samples_s": samples,
        "counters": {
            t: v["value"] for t, v in values.items() if t not in _TIMES and type(v.get("value")) in (int, float)
        },
    }


def _values(node: Node, name: str) -> dict[str, Any]:
    """NVBench's named values, whose numbers are written as strings. Values that are not finite are left out."""
    made: dict[str, Any] = {}
    for value in node.objects(name, optional=True):
        name_, kind = value.text("name"), value.choice("type", ("int64", "float64", "string"))
        text = str(value.value.get("value"))
        if kind == "string":
            made[name_] = text
            continue
        try:
            number = int(text) if kind == "int64" else float(text)
        except ValueError:
            raise BadInput(f"{value.where}: value must be of type {kind}") from None
        if not number or LEAST <= abs(number) <= MOST:
            made[name_] = number
    return made


def _elements(values: dict[str, dict[str, Any]], axes: dict[str, Any]) -> Optional[int]:
    """Number of elements, as counted by the benchmark or given by an axis."""
    counted = [v.get("value") for t, v in values.items() if t.startswith("nv/element_count/")]
    named = [value for axis, value in axes.items() if axis.split("{")[0].lower() == "elements"]
    return next((n for n in (*counted, *named) if type(n) is int and 0 <= n < 1 << 63), None)


def _samples(state: Node, written: dict[str, Any], file: Path) -> list[float]:
    """Sample times from the file of --jsonbin beside the JSON file; empty without that file."""
    name, size = Path(str(written.get("filename", ""))), written.get("size")
    beside = file.parent / name.parent.name / name.name
    if not name.name or type(size) is not int or not beside.is_file():
        return []
    with opened(beside, "", "NVBench's sample times are wanted") as stream:
        content = stream.read(4 * 1_000_000 + 1)
    if len(content) != 4 * size or not size:
        raise BadInput(f"{beside}: must hold {size} sample times of 4 bytes, at most a million")
    return [_above_zero(state, "a sample", seconds) for (seconds,) in struct.iter_unpack("<f", content)]


_READERS: dict[str, Callable[[Node, Path], Iterator[Optional[Record | str]]]] = {
    "google-benchmark": _google_benchmark,
    "nvbench": _nvbench,
}


def records(file: Path, format_: str) -> tuple[list[Record], list[str]]:
    """The results of a file as records, and a line for each result or counter that is left out. Raises BadInput."""
    wanted = f"a JSON file of {format_} is wanted"
    with opened(file, "", wanted) as stream:
        content = stream.read(DOCUMENT_BYTES + 1)
    root = parsed(content, clean(str(file)), wanted, foreign=True)
    digest = hashlib.sha256(content).hexdigest()[:16]
    made: list[Record] = []
    left_out: list[str] = []
    timeless = 0
    for result in _READERS[format_](root, file):
        if result is None:
            continue
        if isinstance(result, str):
            timeless += result.endswith(_TIMELESS)
            left_out += [f"left out: {result}"] * (not result.endswith(_TIMELESS))
            continue
        left_out += [f"left out: {counter}" for counter in result.pop(_LEFT_OUT, [])]
        source = {"format": format_, "file": clean(file.name), "digest": digest, **result.pop("source")}
        record = {"schema": 1, "kind": "imported", "verified": False, "source": source, **result}
        fault = record_fault(record)
        if fault:
            left_out.append(f"left out: {clean(str(file))}: {record['name']}: {fault}")
        else:
            made.append(record)
    if not made:
        raise BadInput(left_out[0] if left_out else f"{clean(str(file))}: holds no result with a time")
    if timeless:
        left_out.append(f"{clean(str(file))}: {timeless} results without a time ({_TIMELESS}) are left out")
    return made, left_out


def _import(arguments: Optional[Sequence[str]]) -> int:
    parser = Parser(
        prog=_PROG,
        description="Reads results of another harness as records of kind imported: unverified, and never shown, judged "
        "or compared beside verified ones unless asked for. Of a colleague's crate (sortlab artifact) it writes a page "
        "that shows both machines side by side.",
        epilog="Example: sortlab import --format google-benchmark theirs.json --out theirs.jsonl",
    )
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="JSON files of the other harness, or the crate's folder"
    )
    parser.add_argument("--format", required=True, choices=(*FORMATS, _CRATE), help="what wrote them")
    parser.add_argument(
        "--records", nargs="+", type=Path, default=[], metavar="FILE", help="ro-crate: records to show beside it"
    )
    parser.add_argument("--machine", metavar="ID", help="ro-crate: machine of those records; default: of the most")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="OUT",
        help="a new file of records, or for ro-crate a folder; default, and -: standard output",
    )
    options = parser.parse_args(arguments)
    if options.format == _CRATE:
        if len(options.files) != 1:
            raise BadInput("--format ro-crate takes one crate")
        print(import_crate(_PROG, options.files[0], options.records, options.machine, options.out))
        return 0
    if options.records or options.machine:
        raise BadInput("--records and --machine apply only to --format ro-crate")
    found: list[Record] = []
    for file in options.files:
        made, left_out = records(file, options.format)
        for line in [*left_out[:_SHOWN], *[f"left out: {len(left_out) - _SHOWN} more"] * (len(left_out) > _SHOWN)]:
            complain(_PROG, line)
        found += made
    lines = [json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n" for record in found]
    if any(len(line.encode()) > LINE_BYTES for line in lines):
        raise BadInput(f"a result must fit {LINE_BYTES} bytes as a record")
    out = named_file(options.out)
    if out is None:
        print("".join(lines), end="")
    else:
        write_new(out, "".join(lines).encode())
        print(f"{out}: {len(found)} imported records, unverified")
    return 0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0, or 2 with one line on standard error for bad input."""
    return answered(_PROG, lambda: _import(arguments))
