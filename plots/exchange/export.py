"""Verified results for other programs: Google Benchmark's JSON, CSV, Parquet."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any, Optional, Sequence

from . import record_rows
from ..records import statistics
from ..records.bounds import clean
from ..records.csv_text import csv_text
from ..records.jsonl import BadInput
from ..records.machines import has_gpu, host_id
from ..records.measurement import Component, Measurement
from ..commands.options import Parser, answered, complain, named_file, write_new
from ..analysis.provenance import notes_on_records
from ..records.collection import Records, read
from ..records.run import Run

_PROG = "sortlab export"
_FORMATS = ("google-benchmark", "csv", "parquet")


def benchmark_name(m: Measurement) -> str:
    """The name in Google Benchmark's manner: vqsort/u32/uniform/n:1048576/threads:1/…"""
    case = m.case
    parts = [case.algorithm, *([m.component] if isinstance(m, Component) else []), case.type_name, case.distribution]
    parts += [f"n:{case.n}", f"threads:{case.threads}"] + [f"seed:{case.seed}"] * (case.seed != 1)
    parts += [case.layout] * (case.value_type != "none") + [case.residency] * (not case.on_host)
    parts += [case.host_memory] * bool(case.host_memory) + [f"{k}:{v}" for k, v in sorted(case.parameters.items())]
    return "/".join(parts)


def google_benchmark(records: Records) -> dict[str, Any]:
    """One machine's verified results; each sample is a repetition of one iteration."""
    made: list[dict[str, Any]] = []
    for index, m in enumerate(m for m in (*records.measurements, *records.components) if m.ok):
        common = {
            "run_name": benchmark_name(m),
            "family_index": index,
            "per_family_instance_index": 0,
            "repetitions": len(m.samples_s),
            "threads": m.case.threads,
        }
        for i, seconds in enumerate(m.samples_s):
            made.append(_entry(m, common, seconds, "iteration", {"repetition_index": i}))
        if len(m.samples_s) > 1:
            for name, seconds in (
                ("mean", statistics.mean(m.samples_s)),
                ("median", statistics.median(m.samples_s)),
                ("stddev", statistics.standard_deviation(m.samples_s)),
            ):
                named = {"aggregate_name": name, "aggregate_unit": "time"}
                made.append(_entry(m, common, seconds, "aggregate", named))
    return {"context": _context(records.runs), "benchmarks": made}


def _entry(m: Measurement, common: dict[str, Any], seconds: float, kind: str, more: dict[str, Any]) -> dict[str, Any]:
    suffix = f"_{more['aggregate_name']}" if kind == "aggregate" else ""
    entry = {"name": common["run_name"] + suffix, **common, "run_type": kind, **more}
    entry |= {"iterations": len(m.samples_s) if suffix else 1}
    # Processor time is not measured, but compare.py and other readers expect the field.
    entry |= {"real_time": seconds * 1e9, "cpu_time": seconds * 1e9, "time_unit": "ns"}
    if suffix != "_stddev":
        rate = m.case.n / seconds
        entry |= {"items_per_second": rate, "bytes_per_second": 2 * m.case.element_bytes * rate, "n": float(m.case.n)}
        entry |= {"disturbed": float(m.disturbed)}
    return entry


def _context(runs: Sequence[Run]) -> dict[str, Any]:
    run = runs[-1] if runs else None
    context: dict[str, Any] = {
        "date": run.started if run else "",
        "host_name": run.machine_id if run else "",
        "executable": "sortlab",
        "num_cpus": run.machine.get("threads") if run else None,
        "mhz_per_cpu": 0,
        "cpu_scaling_enabled": False,
        "caches": [],
        "library_build_type": "release",
        "sortlab": "verified measurements; real_time is the sort's wall time, and cpu_time repeats it",
        "sortlab_machine": run.machine_name if run else "",
        "sortlab_runs": " ".join(r.run for r in runs),
        "sortlab_commits": " ".join(sorted({r.commit for r in runs})),
    }
    return {name: value for name, value in context.items() if value is not None}


def _export(arguments: Optional[Sequence[str]]) -> int:
    parser = Parser(
        prog=_PROG,
        description="Writes records for other programs. Google Benchmark's JSON holds one machine's verified results, "
        "each sample as a repetition; CSV and Parquet hold one kind of record, a row each (plots/README.md).",
        epilog="Example: sortlab export --format google-benchmark results/local/*/quick.jsonl --out quick.json",
    )
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORDS", help="JSON lines, as sortlab writes")
    parser.add_argument("--format", required=True, choices=_FORMATS, help="what to write")
    parser.add_argument("--machine", metavar="ID", help="google-benchmark: whose results; else the only machine's")
    parser.add_argument(
        "--kind", choices=list(record_rows.KINDS), help="csv, parquet: which rows; default: measurements"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="a new file; default, and -: standard output, but of parquet"
    )
    options = parser.parse_args(arguments)
    if options.format == "google-benchmark" and options.kind:
        raise BadInput("--kind applies only to csv and parquet")
    if options.format != "google-benchmark" and options.machine:
        raise BadInput("--machine applies only to google-benchmark; rows of csv and parquet name their machine")
    out = named_file(options.out)
    if options.format == "parquet" and out is None:
        raise BadInput("--out: parquet is written to a file; name a new one")
    records = read(options.records)
    for line in notes_on_records(records):
        complain(_PROG, line)
    kind = options.kind or "measurements"
    if options.format == "google-benchmark":
        content = _json(google_benchmark(_only_machine(records, options.machine)))
    else:
        of_kind = record_rows.KINDS[kind](records)
        if not of_kind:
            raise BadInput(f"--kind {kind}: the records hold none; they hold: {_held(records)}")
        content = _csv(kind, of_kind) if options.format == "csv" else _parquet(kind, of_kind)
    if out is None:
        sys.stdout.write(content.decode())
    else:
        write_new(out, content)
        print(clean(str(out)))
    return 0


def _json(made: dict[str, Any]) -> bytes:
    """One result per line: the records of a run have tens of thousands of samples."""
    lines = ",\n".join(json.dumps(entry) for entry in made["benchmarks"])
    return f'{{"context": {json.dumps(made["context"], indent=1)},\n"benchmarks": [\n{lines}\n]}}\n'.encode()


def _held(records: Records) -> str:
    return ", ".join(kind for kind, of in record_rows.KINDS.items() if of(records)) or "nothing"


def _only_machine(records: Records, wanted: Optional[str]) -> Records:
    machines = sorted({m.machine for m in (*records.measurements, *records.components) if m.ok})
    with_gpu = [machine for machine in machines if has_gpu(machine)]
    machines = [m for m in machines if has_gpu(m) or m not in map(host_id, with_gpu)]
    if not machines:
        more = f"; the {len(records.imported)} imported ones are not verified" if records.imported else ""
        raise BadInput(f"the records hold no verified result{more}")
    if wanted is None and len(machines) > 1:
        raise BadInput(
            f"--machine: the records hold several machines, and the file holds one; name one of: {', '.join(machines)}"
        )
    return records.on(records.machine_of_choice(wanted))


def _csv(kind: str, of_kind: list[record_rows.Row]) -> bytes:
    header = record_rows.header(kind, of_kind)
    return csv_text(header, [[_plain(row.get(name)) for name in header] for row in of_kind]).encode()


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _parquet(kind: str, of_kind: list[record_rows.Row]) -> bytes:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise BadInput("--format parquet: PyArrow writes it, and is not installed here (pip install pyarrow)") from None
    from .frames import frame

    stream = io.BytesIO()
    frame(kind, of_kind).to_parquet(stream, engine="pyarrow", index=False)
    return stream.getvalue()


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0, or 2 with one line on standard error for bad input."""
    return answered(_PROG, lambda: _export(arguments))
