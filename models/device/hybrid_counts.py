#!/usr/bin/env python3
"""Writes hybrid_counts.inc, what the kernels of stehle_hybrid_radix execute, from their compiled code (SASS):

    python3 models/device/hybrid_counts.py build/release/algorithms/stehle_hybrid_radix

It reads the object files of that folder with cuobjdump and nvdisasm (of the CUDA toolkit, or PyPI's
nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm). Nothing runs. Kernels loop over blocks and buckets, with all keys of a
thread unrolled: of each loop the shortest way round is taken on which every `if` without `else` is entered, so that it
is that of a full block."""
import collections
import heapq
import re
import subprocess
import sys
from pathlib import Path

_PREDICATE = re.compile(r"^@!?U?P\w+\s+")
# What runs in the pipe of integers and logic; IMAD runs beside it.
_ALU = set("BMSK CS2R IADD3 IMNMX ISETP LEA LOP3 MOV P2R PLOP3 PRMT R2P SEL SGXT SHF VIADD VIMNMX".split())
_GLOBAL = ("LD", "LDG", "ST", "STG")


class Code:
    """Instructions of a kernel, and where each may lead."""

    def __init__(self, lines):
        self.names, texts, place = [], [], {}
        for address, text in lines:
            place[address] = len(texts)
            texts.append(text)
            self.names.append(_PREDICATE.sub("", text).split()[0].split(".")[0])
        self.target = [
            place[int(text.rsplit("0x", 1)[1], 16)] if name == "BRA" else -1 for name, text in zip(self.names, texts)
        ]
        self.next = [self._ways(i, text) for i, text in enumerate(texts)]

    def _ways(self, i, text):
        after = [i + 1] if i + 1 < len(self.names) else []
        maybe = bool(_PREDICATE.match(text)) or bool(re.search(r"BRA\S*\s+!?U?P", text))
        if self.names[i] == "EXIT":
            return after if maybe else []
        if self.names[i] != "BRA":
            return after
        return ([] if maybe and self._skips(i) else [self.target[i]]) + (after if maybe else [])

    def _skips(self, i):
        """Whether a branch leads past the body of an `if` (and not of a loop)."""
        target = self.target[i]
        body = range(i + 1, target)
        return target > i and self.names[target] == "BSYNC" and not any(i < self.target[j] <= j for j in body)

    def round(self, start):
        """The fewest instructions from one back to it; None if none lead."""
        came, queue = {}, [(0, start, None)]
        while queue:
            steps, here, before = heapq.heappop(queue)
            if here in came:
                continue
            if before is not None:
                came[here] = before
                if here == start:
                    way = [came[here]]
                    while way[-1] != start:
                        way.append(came[way[-1]])
                    return way
            for to in self.next[here]:
                heapq.heappush(queue, (steps + 1, to, here))
        return None

    def rounds(self, *through):
        """The shortest ways round through each instruction of these names, as counts of names."""
        ways = {tuple(sorted(w)) for i, n in enumerate(self.names) if n in through if (w := self.round(i))}
        return [collections.Counter(self.names[i] for i in way) for way in ways]


def kernels_of(path):
    """(demangled name, code, registers, bytes of static shared memory) of an object file."""
    run = lambda *words, **more: subprocess.run(
        words, capture_output=True, text=True, check=True, **more
    ).stdout  # noqa
    lines, name = collections.defaultdict(list), ""
    for line in run("cuobjdump", "-sass", path).splitlines():
        if match := re.search(r"Function : (\S+)", line):
            name = match[1]
        elif match := re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?);", line):
            lines[name].append((int(match[1], 16), match[2].strip()))
    usage = re.findall(r"Function (\S+):\n\s+REG:(\d+) .*?SHARED:(\d+)", run("cuobjdump", "-res-usage", path))
    held = {name: (int(registers), int(shared)) for name, registers, shared in usage}
    names = run("c++filt", input="\n".join(lines)).splitlines()
    for mangled, plain in zip(list(lines), names):
        yield plain.replace("sortlab::", "").replace("hybrid_radix::", ""), lines[mangled], *held[mangled]


def moved(way):
    return sum(way[name] for name in _GLOBAL)


def shared(way):
    return way["LDS"] + way["STS"] + way["ATOMS"]


def least(ways):
    return min(ways, key=lambda way: sum(way.values()))


def ways_of(kernel, code):
    """(name, keys of a thread on a way round, its counts) of a kernel; none of one that is not modelled."""
    code = Code(code)
    if kernel.startswith("count_digits"):
        inner = [w for w in code.rounds("LD", "LDG") if w["ATOMS"] == 18]  # two runs of nine keys
        outer = [w for w in code.rounds("ST", "STG") if w["ATOMS"] == 0]
        name = "count reduced" if kernel.startswith("count_digits<true") else "count"
        return [(name, 18, least(inner)), (name + ", of a block", 0, least(outer))]
    if kernel.startswith("scatter"):
        threads, items = map(int, re.match(r"scatter<(\d+), (\d+)", kernel).groups())
        full = [w for w in code.rounds("ATOMS") if moved(w) >= 2 * items]
        # Looking ahead takes one more `if` a key.
        plain = least(full)
        ahead = least([w for w in full if w["ATOMS"] == plain["ATOMS"] and w["BSSY"] > plain["BSSY"]])
        # The warps' sums are added up in a loop of its own.
        sums = least([w for w in code.rounds("LDS") if not moved(w) and not w["ATOMS"] and not w["STS"]])
        for _ in range(threads // 32 // sums["LDS"]):
            plain, ahead = plain + sums, ahead + sums
        beside = " beside" if re.match(r"scatter<\d+, \d+, true", kernel) else ""
        return [(f"scatter{beside}", items, plain), (f"scatter{beside} ahead", items, ahead)]
    items = int(re.search(r"(\d+)>$", kernel)[1])
    ways = [w for w in code.rounds("LDS", "STS") if shared(w) >= 3 * items]
    return [
        ("local pass", items, least([w for w in ways if not moved(w)])),
        ("local first pass", items, least([w for w in ways if moved(w) >= 2 * items])),
    ]


_WORDS = {"unsigned int": 4, "unsigned long": 8, "NoValue": 0}
_PATTERNS = (
    # No mapping of keys; offsets of 32 bits.
    re.compile(r"void (?P<k>count_digits<(?:true|false), false), (?P<key>[^,]+), (?P<value>NoValue), unsigned int>\("),
    re.compile(
        r"void (?P<k>scatter<(?P<t>\d+), (?P<i>\d+), (?:true|false), false), "
        r"(?P<key>[^,]+), (?P<value>[^,]+), unsigned int>\("
    ),
    re.compile(r"void (?P<k>sort_by_block_radix<(?P<key>[^,]+), (?P<value>[^,]+), (?P<t>\d+), (?P<i>\d+)>)\("),
)


def rows(folder):
    for path in sorted(Path(folder).glob("CMakeFiles/*.dir/*.cu.o")):
        for plain, code, registers, static in kernels_of(path):
            match = next((m for p in _PATTERNS if (m := p.match(plain))), None)
            if match is None or match["key"] not in _WORDS or match["value"] not in _WORDS:
                continue
            found = match.groupdict()
            key, value = _WORDS[found["key"]], _WORDS[found["value"]]
            if value not in (0, key):
                continue
            for name, keys, way in ways_of(found["k"], code):
                yield (
                    name, key, value, int(found.get("t") or 0), int(found.get("i") or 0), keys, sum(way.values()),
                    sum(way[n] for n in _ALU), way["LDS"], way["STS"], way["ATOMS"], registers, static,
                )  # fmt: skip


def main():
    lines = [
        f'    HybridCounts{{"{row[0]}", {", ".join(map(str, row[1:]))}}},' for row in sorted(set(rows(sys.argv[1])))
    ]
    (Path(__file__).parent / "hybrid_counts.inc").write_text(
        "    // By hybrid_counts.py, of code for compute capability 9.0: kernel, bytes of a key, of a value, threads of\n"
        "    // a block, keys of a thread, keys on the way; of a thread on it, instructions, those of the integer pipe,\n"
        "    // and loads from shared memory, stores and atomic additions there; registers, bytes of static shared\n"
        "    // memory.\n" + "\n".join(lines) + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
