#!/usr/bin/env python3
"""Writes operation_counts.inc from records of kind `count`: python3 models/device/operation_counts.py COUNTS.jsonl

Of each phase the mean over its passes, of uniform keys and as many as most cells have. The variant is what DeviceCosts
is given: the parameter that chooses among kernels."""
import json
import sys
from pathlib import Path

BYTES = {"none": 0, "u32": 4, "u64": 8}
N = 1 << 24
VARIANTS = {
    "satish_split_radix": "{split}",
    "satish_gpu_merge": "{merge}",
    "ha_implicit_radix": "{presort}",
    "ha_four_way_radix": "{presort}",
    "cub_radix_lsd": "{form} {digit_bits}",
}


def resident(kernel):
    """Blocks of a kernel that a multiprocessor of compute capability 9.0 holds (CUDA's occupancy calculation)."""
    x, y, z = (int(d) for d in kernel["block"].strip("()").split(","))
    warps = (x * y * z + 31) // 32
    registers = (kernel["registers"] + 7) // 8 * 8 * 32  # of a warp, in units of 256
    shared = (kernel["shared_bytes"] + 1024 + 127) // 128 * 128  # 1 KiB of each block is the system's
    return min(32, 64 // warps, 65536 // registers // warps, 228 * 1024 // shared)


def rows(path):
    for line in open(path, encoding="utf-8"):
        record = json.loads(line)
        if record["kind"] != "count" or record["status"] != "ok":
            continue
        case = record["case"]
        if case["distribution"] != "uniform" or case["n"] != N:
            continue
        variant = VARIANTS.get(case["algorithm"], "").format(**case["parameters"])
        phases = {}
        for phase in record["phases"]:
            phases.setdefault(phase["name"], []).append(phase)
        for name, passes in phases.items():

            def mean(counter):
                return sum(p["per_element"][counter] for p in passes) / len(passes)

            if mean("instructions") < 0.2:  # scans, searches and fillings of small arrays: latency, not operations
                continue
            key = [
                f'"{case["algorithm"]}"',
                f'"{variant}"',
                f'"{name}"',
                BYTES[case["key_type"]],
                BYTES[case["value_type"]],
            ]
            counts = [f"{mean(c):.4f}" for c in ("instructions", "instructions_alu", "lsu_wavefronts")]
            main = max(passes[-1]["kernels"], key=lambda k: k["registers"])  # the last pass is of the widest digits
            yield "    OperationCounts{" + ", ".join(map(str, key + counts + [resident(main)])) + "},"


def main():
    path = Path(__file__).parent / "operation_counts.inc"
    lines = sorted(set(rows(sys.argv[1])))
    source = "/".join(Path(sys.argv[1]).parts[-2:])
    path.write_text(
        f"    // From results/reference/{source} by operation_counts.py:\n"
        "    // algorithm, variant, phase, bytes of a key, of a value;\n"
        "    // instructions, those of the integer pipe, wavefronts of the data pipe, each of a warp and an element;\n"
        "    // resident blocks.\n" + "\n".join(lines) + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
