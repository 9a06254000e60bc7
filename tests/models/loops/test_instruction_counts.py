"""The operations that the CPU's models count, held against the instructions that callgrind counts.

What an operation takes in instructions is solved from as many sorts as there are kinds of operations, and must then
give, within 5 %, those of other sizes, distributions and parameters: a model that counts wrongly cannot. Valgrind knows
AVX2 and no AVX-512, so that is the width.
"""

import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab")).parent
SORT_ONCE = BUILD / "tests" / "sort_once"
TOLERANCE = 0.05

pytestmark = [
    pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed: no instruction counts"),
    pytest.mark.skipif(not SORT_ONCE.exists(), reason="sort_once is not built"),
]

# Every quantity that the models read, with its arguments. Values do not matter: operations are counted, not timed.
_TABLES = {
    "count": "key tables collision_bits",
    "append": "key value lines digit_bits collision_bits",
    "append.count": "threads key lines collision_bits",
    "scatter": "threads key value lines digit_bits collision_bits",
    "scatter.ordinary": "threads key value bytes",
    "scatter.skewed": "threads key value bytes collision_bits",
    "map": "key",
    "prefix": "",
    "part": "lines bytes",
    "touch": "threads bytes",
    "read": "threads bytes",
    "copy": "threads bytes",
    "copy_nt": "threads bytes",
    "write_nt": "threads bytes",
    "latency": "bytes",
    "overlap.read": "threads key",
    "split.count": "threads key collision_bits bytes",
    "split.AVX2.register": "threads key value bytes",
    "split.copy": "threads nontemporal element run_bytes",
    "merge.avx2.tiles": "threads key value",
    "merge.avx2.runs": "threads key value block_bytes run_bytes",
    "merge.avx2.last": "threads key value block_bytes",
    "merge.avx2.tree": "threads key value levels bytes",
    "aa.avx2.block": "threads key block_bytes last_passes",
    "aa.avx2.merge": "threads key mixed bytes",
    "msd.avx2.part": "threads key value repeats bytes",
    "msd.avx2.network": "threads key value elements",
    "msd.avx2.bucket": "threads key value elements",
    "msd.avx2.append": "threads key value digits lines",
    "msd.avx2.guard": "threads key value bytes",
    "msd.avx2.check": "kind key bytes",
    "paradis.count": "threads key collision_bits bytes",
    "paradis.permute": "threads key value bytes collision_bits",
    "paradis.small": "threads key value rest elements",
    "paradis.insertion": "threads key value elements",
}


SCHEMA = json.loads((ROOT / "configs" / "schemas" / "machine_profile.schema.json").read_text())
_UNITS = SCHEMA["$defs"]["units_of_host"]["properties"]["tables"]["patternProperties"]
_POSSIBLE = {"B/s": 1e10, "s": 1e-9, "s/element": 1e-9, "1": 1}  # a value of each unit that a profile may have


def find_unit(table):
    return next(of["properties"]["unit"]["const"] for names, of in _UNITS.items() if re.search(names, table))


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    tables = {
        name: {
            "unit": find_unit(name),
            "source": "",
            "arguments": a.split(),
            "points": [{"at": [1] * len(a.split()), "value": _POSSIBLE[find_unit(name)]}],
        }
        for name, a in _TABLES.items()
    }
    text = {"schema": 1, "kind": "profile", "id": "none", "name": "none", "origin": "paper", "source": "this test"}
    text |= {"clock_hz": 1e9, "cores": 1, "cache_bytes": {}, "memory_bytes": 0, "tables": tables}
    path = tmp_path_factory.mktemp("profile") / "profile.json"
    path.write_text(json.dumps(text))
    return path


def instructions(folder, algorithm, key, cases):
    """Instructions per element of each case's sort, of keys alone. One process sorts all cases, since valgrind takes a
    second to begin; it writes and clears its counters after each sort."""
    out = folder / "counted"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
    command += ["--toggle-collect=sort_that_counts", "--dump-after=sort_that_counts", SORT_ONCE]
    for n, distribution, parameters in cases:
        command += [algorithm, key, "none", str(n), distribution, *parameters, "--"]
    done = subprocess.run(command[:-1], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    files = [Path(f"{out}.{number}") for number in range(1, len(cases) + 1)]
    counted = [int(re.search(r"^(?:totals|summary): (\d+)$", file.read_text(), re.M).group(1)) for file in files]
    return [count / n for count, (n, _, _) in zip(counted, cases)]


def operations(profile, algorithm, key, n, distribution, parameters):
    """An element, by the name of the phase and the kind; bytes are no operations."""
    command = [BUILD / "sortlab", "predict", "--algorithm", algorithm, "--model", algorithm, "--machine", profile]
    command += ["--key", key, "--n", str(n), "--dist", distribution, "--json"]
    for parameter in parameters:
        command += ["--param", parameter]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    counts = defaultdict(float)
    for phase in json.loads(done.stdout)["phases"]:
        for kind, amount in phase["work"].items():
            if not kind.startswith("bytes"):
                counts[_SAME.get(f"{phase['name']} {kind}", f"{phase['name']} {kind}")] += amount / n
    return counts


# PARADIS does in deeper levels what it does in the first.
_SAME = {
    "recurse counters": "histogram counters",
    "recurse digits": "histogram digits",
    "recurse moves": "permute moves",
}

KNF = ["target=AVX2", "compress=register"]
AA = ["width=avx2"]
MSD = ["target=avx2", "buffer_lines_log2=2", "in_place=no"]
PIVOTS = [*MSD, "bucket_kib=64", "pivots_below=40"]
DIGITS = [*MSD, "bucket_kib=16", "pivots_below=10"]
MERGE = ["width=avx2", "fifo_kib=256"]
# Too few to tell; none with one thread; as many as other operations; what elements have that are counted and not moved;
# nearly as many as matrices of registers; as many as what is parted; as many as elements where blocks have one size.
UNCOUNTED = {
    "split probes",
    "offsets barriers",
    "merge elements",
    "histogram compared",
    "recurse compared",
    "sort pivots",
    "sort moved",
    "partition blocks",
}

# Algorithm, with the key type if it is not u32, to the kinds of operations, the sorts from which their instructions are
# solved, and the sorts that are then predicted.
CASES = {
    "satish_cpu_radix": (
        [
            "histogram counters",
            "scatter elements",
            "scatter slots.fetched",
            "scatter buffers.full",
            "scatter buffers.parts",
            "offsets counters",
        ],
        [
            (1 << 16, "constant", ["digit_bits=8", "buffer_lines_log2=2"]),
            (1 << 14, "uniform", ["digit_bits=8", "buffer_lines_log2=2"]),
            (1 << 16, "uniform", ["digit_bits=8", "buffer_lines_log2=2"]),
            (1 << 16, "uniform", ["digit_bits=8", "buffer_lines_log2=0"]),
            (1 << 16, "uniform", ["digit_bits=6", "buffer_lines_log2=2"]),
            (1 << 14, "uniform", ["digit_bits=11", "buffer_lines_log2=0"]),
            (1 << 16, "uniform", ["digit_bits=10", "buffer_lines_log2=0"]),
        ],
        [
            (1 << 17, "uniform", ["digit_bits=8", "buffer_lines_log2=1"]),
            (1 << 16, "thearling:ands=2", ["digit_bits=8", "buffer_lines_log2=2"]),
            (1 << 16, "uniform", ["digit_bits=11", "buffer_lines_log2=0"]),
        ],
    ),
    "satish_cpu_merge": (
        ["blocks elements", "blocks merges", "merge merges"],
        [
            (1 << 14, "uniform", [*MERGE, "block_kib=64"]),
            (1 << 16, "uniform", [*MERGE, "block_kib=256"]),
            (1 << 16, "uniform", [*MERGE, "block_kib=16"]),
        ],
        [
            (1 << 17, "uniform", [*MERGE, "block_kib=64"]),
            (1 << 16, "zipf", [*MERGE, "block_kib=32"]),
            (1 << 15, "constant", [*MERGE, "block_kib=128"]),
        ],
    ),
    "aa_sort": (
        ["blocks vectors", "blocks exchanges", "blocks exchanges.last", "merge vectors", "merge vectors.apart"],
        [
            (1 << 12, "constant", [*AA, "block_kib=16"]),
            (1 << 15, "constant", [*AA, "block_kib=128"]),
            (1 << 16, "constant", [*AA, "block_kib=16"]),
            (1 << 16, "uniform", [*AA, "block_kib=256"]),
            (1 << 16, "uniform", [*AA, "block_kib=16"]),
        ],
        [
            (1 << 17, "uniform", [*AA, "block_kib=64"]),
            (1 << 16, "zipf", [*AA, "block_kib=32"]),
            (1 << 16, "thearling:ands=5", [*AA, "block_kib=128"]),
            (1 << 15, "sorted", [*AA, "block_kib=32"]),
        ],
    ),
    "knf_split_radix": (
        ["histogram counters", "histogram counters.cleared", "scatter splits", "scatter elements", "scatter runs"],
        [
            (1 << 15, "constant", [*KNF, "passes=eights", "tile_kib=64"]),
            (1 << 15, "constant", [*KNF, "passes=eights", "tile_kib=4"]),
            (1 << 15, "uniform", [*KNF, "passes=eights", "tile_kib=64"]),
            (1 << 15, "uniform", [*KNF, "passes=eights", "tile_kib=16"]),
            (1 << 15, "uniform", [*KNF, "passes=fours", "tile_kib=64"]),
        ],
        [
            (1 << 16, "uniform", [*KNF, "passes=eights", "tile_kib=128"]),
            (1 << 16, "thearling:ands=2", [*KNF, "passes=eights", "tile_kib=64"]),
            (1 << 16, "zipf", [*KNF, "passes=paper", "tile_kib=64"]),
        ],
    ),
    "msd_radix_cpu": (
        ["sortedness check elements", "sort parted", "sort parted.repeats", "sort exchanges", "partition elements"],
        [
            (1 << 16, "constant", PIVOTS),
            (1 << 13, "uniform", PIVOTS),
            (1 << 16, "uniform", PIVOTS),
            (1 << 18, "uniform", PIVOTS),
            (1 << 16, "few_distinct:distinct=16", PIVOTS),
            (1 << 16, "uniform", DIGITS),
            (1 << 18, "uniform", DIGITS),
        ],
        [
            (1 << 17, "uniform", PIVOTS),
            (1 << 17, "uniform", DIGITS),
            (1 << 17, "zipf", PIVOTS),
            (1 << 16, "thearling:ands=2", PIVOTS),
            (1 << 16, "few_distinct:distinct=100", PIVOTS),
        ],
    ),
    "msd_radix_cpu u64": (
        [
            "sort parted",
            "sort parted.repeats",
            "sort exchanges",
            "sort digits",
            "partition elements",
            "partition blocks",
        ],
        [
            (1 << 11, "uniform", PIVOTS),
            (1 << 15, "thearling:ands=3", PIVOTS),
            (1 << 13, "uniform", PIVOTS),
            (1 << 16, "few_distinct:distinct=16", PIVOTS),
            (1 << 17, "uniform", [*MSD, "bucket_kib=64", "pivots_below=10"]),
            (1 << 19, "uniform", [*MSD, "bucket_kib=64", "pivots_below=10"]),
        ],
        [
            (1 << 16, "uniform", [*MSD, "bucket_kib=160", "pivots_below=40"]),  # four buckets, wherever the pivots lie
            (1 << 14, "thearling:ands=2", PIVOTS),
            (1 << 17, "thearling:ands=3", PIVOTS),
            (1 << 18, "uniform", [*MSD, "bucket_kib=128", "pivots_below=10"]),
        ],
    ),
    "paradis": (
        [
            "histogram counters",
            "histogram digits",
            "permute moves",
            "recurse counters.cleared",
            "recurse elements.small",
            "recurse insertions",
            "recurse shifts",
        ],
        [
            (1 << 16, "constant", []),
            (1 << 16, "constant", ["digit_bits=11"]),
            (1 << 16, "uniform", []),
            (1 << 18, "uniform", []),
            (1 << 16, "zipf", []),
            (1 << 14, "zipf", []),
            (1 << 15, "zipf", ["digit_bits=5"]),
            (1 << 14, "uniform", ["small_sort=0", "insertion=64"]),
            (1 << 15, "uniform", ["small_sort=0", "insertion=128"]),
            (1 << 15, "uniform", []),
        ],
        [
            (1 << 17, "uniform", []),
            (1 << 17, "zipf", []),
            (1 << 16, "uniform", ["small_sort=1024", "digit_bits=7"]),
        ],
    ),
}


@pytest.mark.parametrize("algorithm", CASES)
def test_operations_explain_the_instructions(profile, algorithm, tmp_path):
    kinds, solved, told = CASES[algorithm]
    algorithm, key = algorithm.split() if " " in algorithm else (algorithm, "u32")

    def row(case):
        counted = operations(profile, algorithm, key, *case)
        assert set(counted) - UNCOUNTED <= set(kinds), counted
        return [counted.get(kind, 0) for kind in kinds]

    counted = instructions(tmp_path, algorithm, key, [*solved, *told])
    measured, found = np.array(counted[: len(solved)]), counted[len(solved) :]
    rows = np.array([row(case) for case in solved])
    costs = np.linalg.lstsq(rows / measured[:, None], np.ones(len(solved)), rcond=None)[0]
    assert (costs > 0).all(), dict(zip(kinds, costs))
    for case, instructions_each in zip(told, found):
        assert np.dot(row(case), costs) == pytest.approx(instructions_each, rel=TOLERANCE), (
            case,
            dict(zip(kinds, costs)),
        )
