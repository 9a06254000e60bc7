"""Results of other harnesses as records of kind `imported`, which are marked as unverified."""

from __future__ import annotations

import hashlib
import json
import math
import statistics
import struct
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Sequence

from ..records.bounds import DOCUMENT_BYTES, LINE_BYTES, clean
from ..records.imported import FORMATS
from ..records.jsonl import BadInput, Node, opened, parsed
from ..records.schema import LEAST, MOST, record_fault
from ..publication.import_crate import import_crate
from ..commands.options import Parser, answered, complain, write_new

_PROG = "sortlab import"
_CRATE = "ro-crate"
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
# Members that Google Benchmark itself writes; other numbers are the benchmark's own counters.
_OWN = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations"}
_OWN |= {"real_time", "cpu_time"}
# NVBench's times in order of preference: isolated runs on the GPU, runs back to back, the CPU alone.
_TIMES = ("nv/cold/time/gpu/mean", "nv/batch/time/gpu/mean", "nv/cpu_only/time/cpu/mean")

Record = dict[str, Any]


def _google_benchmark(root: Node, file: Path) -> Iterator[Optional[Record]]:
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
        single = [run for run in of_name if run.text("run_type", optional=True) != "aggregate"]
        if any(run.flag("error_occurred", optional=True) or run.value.get("skipped") for run in of_name):
            yield None
            continue
        # --benchmark_report_aggregates_only leaves no repetitions; the median, or else the mean, stands for them.
        by_name = {run.text("aggregate_name", optional=True): run for run in of_name}
        statistic = "median" if single or "median" in by_name else "mean"
        samples = [_real_time(run) for run in single]
        stands = single[0] if single else by_name.get(statistic)
        if stands is None:  # BigO and RMS are fitted to a family of benchmarks
            continue
        numbers = {k: v for k, v in stands.value.items() if type(v) in (int, float) and k not in _OWN}
        n = numbers.get("n")
        yield {
            "source": source,
            "machine": machine,
            "name": name,
            "axes": {},
            "n": int(n) if n is not None and n >= 0 and n == int(n) else None,
            "threads": stands.integer("threads", optional=True) or None,
            "statistic": statistic,
            "seconds": statistics.median(samples) if samples else _real_time(stands),
            "samples_s": samples,
            "counters": numbers,
        }


def _real_time(run: Node) -> float:
    unit = run.choice("time_unit", tuple(_SECONDS), optional=True) or "ns"
    return _above_zero(run, "real_time", run.number("real_time") * _SECONDS[unit])


def _above_zero(node: Node, name: str, seconds: float) -> float:
    if not 0 < seconds < math.inf:
        raise BadInput(f"{node.where}: {name} must be above 0")
    return seconds


def _nvbench(root: Node, file: Path) -> Iterator[Optional[Record]]:
    version = root.object("meta").object("version")
    layout = version.object("json")
    if layout.integer("major") != 1:
        raise BadInput(f"{layout.where}: major must be 1, NVBench's layout since 2021")
    source = {"version": version.object("nvbench").text("string", optional=True), "date": None}
    devices = {device.integer("id"): device for device in root.objects("devices", optional=True)}
    for bench in root.objects("benchmarks"):
        for state in bench.objects("states", optional=True):
            device = devices.get(state.integer("device")) if state.value.get("device") is not None else None
            values = {s.text("tag"): _values(s, "data") for s in state.objects("summaries", optional=True)}
            tag = next((t for t in _TIMES if isinstance(values.get(t, {}).get("value"), float)), None)
            if state.flag("is_skipped", optional=True) or tag is None:
                yield None
                continue
            axes = _values(state, "axis_values")
            samples = _samples(state, values.get("nv/json/bin:nv/cold/sample_times", {}), file)
            mean = values[tag]["value"]
            assert isinstance(mean, float)
            yield {
                "source": source,
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


_READERS: dict[str, Callable[[Node, Path], Iterator[Optional[Record]]]] = {
    "google-benchmark": _google_benchmark,
    "nvbench": _nvbench,
}


def records(file: Path, format_: str) -> tuple[list[Record], int]:
    """The results of a file as records, and the number of results without a time. Raises BadInput."""
    wanted = f"a JSON file of {format_} is wanted"
    with opened(file, "", wanted) as stream:
        content = stream.read(DOCUMENT_BYTES + 1)
    root = parsed(content, clean(str(file)), wanted)
    digest = hashlib.sha256(content).hexdigest()[:16]
    made: list[Record] = []
    timeless = 0
    for result in _READERS[format_](root, file):
        if result is None:
            timeless += 1
            continue
        source = {"format": format_, "file": clean(file.name), "digest": digest, **result.pop("source")}
        record = {"schema": 1, "kind": "imported", "verified": False, "source": source, **result}
        fault = record_fault(record)
        if fault:
            raise BadInput(f"{clean(str(file))}: {record['name']}: {fault}")
        made.append(record)
    return made, timeless


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
        help="a new file of records, or for ro-crate a folder; default: standard output",
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
        made, timeless = records(file, options.format)
        if timeless:
            complain(_PROG, f"{file}: {timeless} results without a time (skipped, or failed) are left out")
        if not made:
            raise BadInput(f"{file}: holds no result with a time")
        found += made
    lines = [json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n" for record in found]
    if any(len(line.encode()) > LINE_BYTES for line in lines):
        raise BadInput(f"a result must fit {LINE_BYTES} bytes as a record")
    if options.out is None:
        print("".join(lines), end="")
    else:
        write_new(options.out, "".join(lines).encode())
        print(f"{options.out}: {len(found)} imported records, unverified")
    return 0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0, or 2 with one line on standard error for bad input."""
    return answered(_PROG, lambda: _import(arguments))
