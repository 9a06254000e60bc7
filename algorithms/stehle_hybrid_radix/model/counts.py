"""Reads the operations of the sort's kernels from their compiled code: rows of counts.inc, for
models/kernels/count_kernels.py.

Kernels loop over blocks and buckets, with all keys of a thread unrolled (sass.py)."""
import re

from sass import read_kernels, least, moved, numbers, shared

UNITS = ("keys32", "keys64", "pairs32", "pairs64")
STRUCT = "HybridCounts"
COLUMNS = """\
kernel, bytes of a key, of a value, threads of a block, keys of a thread, keys on the way; of a thread on it,
instructions, those of the integer pipe, and loads from shared memory, stores and atomic additions there; registers,
bytes of static shared memory."""


def named_ways(kernel, code):
    """(name, keys of a thread on a way round, its counts) of a kernel; none of one that is not modelled."""
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
    if kernel.startswith("sort_by_rank"):
        return ranked(items, code)
    ways = [w for w in code.rounds("LDS", "STS") if shared(w) >= 3 * items]
    return [
        ("local pass", items, least([w for w in ways if not moved(w)])),
        ("local first pass", items, least([w for w in ways if moved(w) >= 2 * items])),
    ]


def ranked(items, code):
    """Ways of a bucket that is sorted by rank: all keys of a thread, none of them; a key that finds its place, and one
    that it is compared with there."""
    loops = code.loops()
    within = {first: code.counts(body) for first, body in loops.items()}
    bucket = max((f for f in loops if within[f]["BAR"]), key=lambda f: len(loops[f]))
    last = max((f for f in loops if not within[f]["BAR"] and moved(within[f])), key=lambda f: len(loops[f]))
    compare = max((f for f in loops if loops[f] < loops[last]), key=lambda f: within[f]["LDS"])
    accesses = {name: 1 for name in ("LD", "LDG", "ST", "STG", "LDS", "STS", "ATOMS")}
    accesses["ATOMG"] = accesses["ATOM"] = accesses["REDG"] = -100  # buckets that are left to the other sort

    def beside(first, worth, inner):
        return code.counts(i for i in code.worth_most(first, worth) if i not in inner)

    every = beside(bucket, accesses, loops[last])
    none = beside(bucket, {**{name: -1 for name in accesses}, "BAR": 10}, loops[last])
    return [
        ("ranked", items, every),
        ("ranked, empty", 0, none),
        ("ranked, a key", 1, beside(last, accesses, loops[compare])),
        ("ranked, compared", within[compare]["LDS"], code.counts(code.worth_most(compare, accesses))),
    ]


_WORDS = {"unsigned int": 4, "unsigned long": 8, "NoValue": 0}
_PATTERNS = (
    # No mapping of keys; offsets of 32 bits.
    re.compile(r"void (?P<k>count_digits<(?:true|false), false), (?P<key>[^,]+), (?P<value>NoValue), unsigned int>\("),
    re.compile(
        r"void (?P<k>scatter<(?P<t>\d+), (?P<i>\d+), (?:true|false), false), "
        r"(?P<key>[^,]+), (?P<value>[^,]+), unsigned int>\("
    ),
    re.compile(r"void (?P<k>sort_by_rank<(?P<key>[^,]+), (?P<value>[^,]+), (?P<t>\d+), (?P<i>\d+)>)\("),
    re.compile(r"void (?P<k>sort_by_block_radix<(?P<key>[^,]+), (?P<value>[^,]+), (?P<t>\d+), (?P<i>\d+)>)\("),
)


def rows(objects):
    for path in objects:
        for plain, code, registers, static in read_kernels(path):
            plain = plain.replace("hybrid_radix::", "")
            match = next((m for p in _PATTERNS if (m := p.match(plain))), None)
            if match is None or match["key"] not in _WORDS or match["value"] not in _WORDS:
                continue
            found = match.groupdict()
            key, value = _WORDS[found["key"]], _WORDS[found["value"]]
            if value not in (0, key):
                continue
            for name, keys, way in named_ways(found["k"], code):
                shape = int(found.get("t") or 0), int(found.get("i") or 0)
                yield name, key, value, *shape, keys, *numbers(way), registers, static
