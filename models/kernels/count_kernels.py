#!/usr/bin/env python3
"""Writes a sort's model/counts.inc, the operations of its kernels, from their compiled code (SASS). Nothing runs:

    python3 models/kernels/count_kernels.py SORT BUILD

SORT is a folder of algorithms/ whose model/counts.py reads the kernels, BUILD a build with CUDA for compute capability
9.0, such as build/release. Needs cuobjdump and nvdisasm (sass.py)."""
import importlib.util
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def reader_of(sort):
    """The module algorithms/<sort>/model/counts.py: UNITS, the stems of the .cu files that it reads compiled;
    STRUCT, the C++ name of a row; COLUMNS, the meaning of its numbers; and rows(objects)."""
    path = ROOT / "algorithms" / sort / "model" / "counts.py"
    spec = importlib.util.spec_from_file_location("counts", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_of(reader, objects):
    head = f"By count_kernels.py, of code for compute capability 9.0: {' '.join(reader.COLUMNS.split())}"
    lines = textwrap.wrap(head, 113, initial_indent="    // ", subsequent_indent="    // ")
    lines += [
        f'    {reader.STRUCT}{{"{row[0]}", {", ".join(map(str, row[1:]))}}},'
        for row in sorted(set(reader.rows(objects)))
    ]
    return "\n".join(lines) + "\n"


def main():
    sort, build = sys.argv[1:]
    reader = reader_of(sort)
    folder = Path(build) / "algorithms" / sort / "CMakeFiles" / f"algorithm_{sort}.dir"
    out = ROOT / "algorithms" / sort / "model" / "counts.inc"
    out.write_text(text_of(reader, [folder / f"{unit}.cu.o" for unit in reader.UNITS]), encoding="utf-8")


if __name__ == "__main__":
    main()
