#!/usr/bin/env python3
"""Writes a sort's model/counts.inc, the operations of its kernels, from their compiled code (SASS). Nothing runs:

    python3 models/kernels/count_kernels.py SORT BUILD     # reads kernels, writes counts and digest
    python3 models/kernels/count_kernels.py SORT           # writes the digest alone, if the compiled code is unchanged

SORT is a folder of algorithms/ whose model/counts.py reads the kernels, BUILD a build with CUDA for compute capability
9.0, such as build/release. Needs cuobjdump and nvdisasm (sass.py)."""
import hashlib
import importlib.util
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIGEST = re.compile(r"digest of the kernels' sources ([0-9a-f]{16})")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*|("(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*|\d[\w.\']*|\S)', re.S | re.M)
CODE_WORDS = set(
    "auto bool break case char class const constexpr continue default do double else enum extern false float for if "
    "inline int long namespace new private public return short signed sizeof static struct switch template true "
    "typename unsigned using void volatile while".split()
)


def counts_reader(sort):
    """The module algorithms/<sort>/model/counts.py: UNITS, the stems of the .cu files that it reads compiled;
    STRUCT, the C++ name of a row; COLUMNS, the meaning of its numbers; and rows(objects)."""
    path = ROOT / "algorithms" / sort / "model" / "counts.py"
    spec = importlib.util.spec_from_file_location("counts", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kernel_sources(sort):
    """The units that the reader reads, and all that they include from algorithms/."""
    found = []
    left = [ROOT / "algorithms" / sort / f"{unit}.cu" for unit in counts_reader(sort).UNITS]
    while left:
        path = left.pop()
        if path not in found:
            found.append(path)
            names = re.findall(r'^#include "(algorithms/[^"]+)"', path.read_text(encoding="utf-8"), re.M)
            left += [ROOT / name for name in names]
    return found


def code_tokens(text):
    """The tokens of a source without comments, includes and white space. Names are all alike, except those of the
    language and of CUDA, and so are texts: rewording and renaming leave the tokens as they are."""
    words = [token[1] for token in TOKEN.finditer(text) if token[1]]
    is_name = re.compile(r"(?!__|atomic)[A-Za-z_]|\"")
    return " ".join("name" if is_name.match(w) and w not in CODE_WORDS else w for w in words)


def source_digest(sort):
    """Digest of the kernels' sources, whatever the names and the order of the files."""
    files = sorted(hashlib.sha256(code_tokens(p.read_text("utf-8")).encode()).digest() for p in kernel_sources(sort))
    return hashlib.sha256(b"".join(files)).hexdigest()[:16]


def stated_digest(text):
    """The digest that a counts.inc states."""
    comment = " ".join(line.strip(" /") for line in text.splitlines() if line.startswith("    //"))
    return DIGEST.search(comment)[1]


def counts_text(sort, rows):
    """The whole text of counts.inc."""
    reader = counts_reader(sort)
    head = (
        f"Written by count_kernels.py, of code for compute capability 9.0; digest of the kernels' sources "
        f"{source_digest(sort)}. Columns: {' '.join(reader.COLUMNS.split())}"
    )
    lines = textwrap.wrap(head, 113, initial_indent="    // ", subsequent_indent="    // ", break_on_hyphens=False)
    lines += [f'    {reader.STRUCT}{{"{row[0]}", {", ".join(map(str, row[1:]))}}},' for row in sorted(set(rows))]
    return "\n".join(lines) + "\n"


def written_rows(text):
    """The rows of a counts.inc."""
    for name, numbers in re.findall(r'^    \w+\{"(.*?)", (.*)\},$', text, re.M):
        yield name, *map(int, numbers.split(", "))


def main():
    sort, *build = sys.argv[1:]
    out = ROOT / "algorithms" / sort / "model" / "counts.inc"
    if build:
        reader, folder = counts_reader(sort), Path(build[0]) / "algorithms" / sort / f"CMakeFiles/algorithm_{sort}.dir"
        rows = reader.rows([folder / f"{unit}.cu.o" for unit in reader.UNITS])
    else:
        rows = written_rows(out.read_text(encoding="utf-8"))
    out.write_text(counts_text(sort, rows), encoding="utf-8")


if __name__ == "__main__":
    main()
