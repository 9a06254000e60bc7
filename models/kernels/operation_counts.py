#!/usr/bin/env python3
"""Writes operation_counts.inc from records of kind `count`: python3 models/kernels/operation_counts.py COUNTS.jsonl…

Of each phase the mean over its passes, of uniform keys and as many as most cells have. Which parameters choose among a
sort's kernels its model knows: here stand all."""
import collections
import json
import sys
from pathlib import Path

BYTES = {"none": 0, "u32": 4, "u64": 8}


def block_warps(kernel):
    """Number of warps of a block."""
    x, y, z = (int(d) for d in kernel["block"].strip("()").split(","))
    return (x * y * z + 31) // 32


def resident(kernel):
    """Blocks of a kernel that a multiprocessor of compute capability 9.0 holds (CUDA's occupancy calculation)."""
    warps = block_warps(kernel)
    registers = (kernel["registers"] + 7) // 8 * 8 * 32  # registers of a warp, in units of 256
    shared = (kernel["shared_bytes"] + 1024 + 127) // 128 * 128  # 1 KiB of each block is the system's
    return min(32, 64 // warps, 65536 // registers // warps, 228 * 1024 // shared)


def counted(paths):
    """The records of the size that most have."""
    records = [json.loads(line) for path in paths for line in open(path, encoding="utf-8")]
    records = [r for r in records if r["kind"] == "count" and r["status"] == "ok"]
    records = [r for r in records if r["case"]["distribution"] == "uniform"]
    n = collections.Counter(r["case"]["n"] for r in records).most_common(1)[0][0]
    return [r for r in records if r["case"]["n"] == n]


def rows(paths):
    for record in counted(paths):
        case = record["case"]
        parameters = " ".join(f"{name}={value}" for name, value in sorted(case["parameters"].items()))
        phases = {}
        for phase in record["phases"]:
            phases.setdefault(phase["name"], []).append(phase)
        for name, passes in phases.items():

            def mean(counter):
                return sum(p["per_element"][counter] for p in passes) / len(passes)

            if mean("instructions") < 0.2:  # scans, searches and fillings of small arrays: latency, not operations
                continue
            widths = (BYTES[case["key_type"]], BYTES[case["value_type"]])
            key = [f'"{case["algorithm"]}"', f'"{parameters}"', f'"{name}"', *widths]
            counts = [f"{mean(c):.4f}" for c in ("instructions", "instructions_alu", "lsu_wavefronts")]
            main = max(passes[-1]["kernels"], key=lambda k: k["registers"])  # the last pass is of the widest digits
            row = (
                "    OperationCounts{" + ", ".join(map(str, key + counts + [resident(main), block_warps(main)])) + "},"
            )
            yield case["algorithm"], name, *widths, row


def counts_text(paths):
    """The whole text of operation_counts.inc."""
    lines = [row for *_, row in sorted(set(rows(paths)))]  # narrow elements first, which resident_blocks prefers
    reference = Path(__file__).resolve().parents[2] / "results" / "reference"
    sources = " and\n    // ".join(str(Path(path).resolve().relative_to(reference)) for path in paths)
    return (
        f"    // From results/reference/{sources} by operation_counts.py:\n"
        "    // algorithm, parameters, phase, bytes of a key, of a value;\n"
        "    // instructions, those of the integer pipe, wavefronts of the data pipe, each of a warp and an element;\n"
        "    // resident blocks; warps of a block.\n" + "\n".join(lines) + "\n"
    )


def main():
    out = Path(__file__).parent / "operation_counts.inc"
    out.write_text(counts_text(sys.argv[1:]), encoding="utf-8")


if __name__ == "__main__":
    main()
