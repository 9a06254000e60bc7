"""Reads the operations of the sort's kernels from their compiled code: rows of counts.inc, for
models/kernels/count_kernels.py.

All keys of a thread are unrolled, each behind a test whether there is one; so a way that passes every key's accesses
is a full tile's or bucket's, and one that passes none is what is left without keys (sass.py: worth_most)."""
import collections
import re

from sass import ALU, read_kernels, slow

UNITS = ("keys32", "keys64", "pairs32_32", "pairs64_64")
STRUCT = "MsdCounts"
COLUMNS = """\
what is passed, bytes of a key, of a value; of a thread instructions, those of the integer pipe, multiplications,
those of a quarter of the rate; loads from shared memory, stores and additions there, shuffles; searches for equal
lanes; barriers; loads and stores of spilled words; registers, bytes of static shared memory."""

ACCESSES = {name: 1 for name in ("LDG", "STG", "LDS", "STS", "ATOMS")}
ALONE = {**ACCESSES, "VOTE": -100}  # each lane adds its own key
# One lane adds for all that have a digit, which stays the same: they vote, and where a place is taken, it tells theirs.
AT_ONCE = {**ACCESSES, "VOTE": 10, "SHFL": -30}
TOLD = {**ACCESSES, "VOTE": -1, "SHFL": 8, "POPC": 7}


class Kernel:
    def __init__(self, code):
        self.code = code
        self.bodies = code.loops()
        self.within = {first: code.counts(body) for first, body in self.bodies.items()}
        # If no lane has the expected digit, the first lane's digit is expected from then on.
        self.turns = {i for i, text in enumerate(code.texts) if re.match(r"SHFL.IDX .*, RZ, 0x1f", text)}
        self.by_size = sorted(self.bodies, key=lambda first: -len(self.bodies[first]))

    def loop(self, fits, nth=0, within=None):
        """The smallest loop whose instructions fit, in the `nth` place from there."""
        found = [f for f in reversed(self.by_size) if fits(self.within[f])]
        if within is not None:
            found = [f for f in found if self.bodies[f] < self.bodies[within]]
        return found[nth]

    def way(self, first, worth=None, without=frozenset()):
        return self.code.worth_most(first, worth or {}, without | self.turns if worth is TOLD else without)

    def beside(self, first, worth, inner):
        """The same without what is within inner loops."""
        return self.code.counts(i for i in self.way(first, worth) if i not in inner)

    def once(self, first, worth=None, without=frozenset()):
        return self.code.counts(self.way(first, worth, without))


def moves(kernel):
    """Counts of a tile's four paths through a move kernel: a full or a partial tile, in which each lane adds its own
    key ("alone") or one lane adds for all that share a digit ("at once"). If digits are clamped, the code has two such
    loops, and this takes the larger one."""
    tile = kernel.loop(lambda w: w["ATOMS"] and w["STG"] and w["BAR"] >= 8 and w["MATCH"])
    for name, worth in (("alone", ALONE), ("at once", TOLD)):
        full = kernel.way(tile, worth)
        yield f"{name}", kernel.code.counts(full)
        # The way that tests each key passes none of the full tile's additions in shared memory.
        additions = {i for i in full if kernel.code.names[i] == "ATOMS"}
        yield f"{name}, partial", kernel.once(tile, worth, additions)


def level_moves(kernel):
    """Counts of a tile's paths through the kernel that sorts whole levels. That kernel spills part of a tile to local
    memory."""
    tile = kernel.loop(lambda w: w["ATOMS"] > 20 and w["STG"] > 20 and w["BAR"] >= 8 and w["MATCH"])
    names = kernel.code.names

    def searches(way):
        """Instructions that look for a key's class, before any is counted."""
        first = next(place for place, i in enumerate(way) if names[i] == "ATOMS")
        barrier = max(place for place, i in enumerate(way[:first]) if names[i] == "BAR")
        return {i for i in way[barrier:first] if names[i] == "LDS"}

    classes = {**ALONE, "LDS": 3}
    full = searches(kernel.way(tile, classes))
    both = full | searches(kernel.way(tile, classes, full))
    for name, worth in (("alone", ALONE), ("at once", TOLD)):
        yield f"levels classes, {name}", kernel.once(
            tile, {**worth, "LDS": 3}, kernel.turns if worth is TOLD else frozenset()
        )
        digits = kernel.way(
            tile, {**worth, "LDS": 0, "STS": 0}, both | kernel.turns
        )  # the same of both, but in fewer instructions
        yield f"levels, {name}", kernel.code.counts(digits)
        additions = {i for i in digits if names[i] == "ATOMS"}
        yield f"levels, {name}, partial", kernel.once(
            tile, {**worth, "LDS": 0, "STS": 0}, both | kernel.turns | additions
        )


def network(kernel, name, of_thread):
    """A step between warps of sorting a sample, and what follows the steps within warps, once for every row."""
    words = {"unsigned long": 2}.get(name, 1)
    row = kernel.loop(lambda w: w["BAR"] == 1 and w["SHFL"] == 5 * of_thread * words and w["LDS"] == of_thread)
    step = kernel.loop(lambda w: w["BAR"] == 1 and not w["SHFL"] and w["LDS"] == of_thread, within=row)
    every = kernel.once(row, {"SHFL": 1})
    of_step = kernel.once(step, ACCESSES)
    return of_step, every - of_step


def named_ways(name, args, code):
    """(what, counts) of a kernel."""
    kernel = Kernel(code)
    word = args[0] if args else ""
    if name == "count_top":
        packed = args[1]
        keys = kernel.loop(lambda w: w["MATCH"] and w["LDG"])
        yield f"count {packed}", kernel.once(keys, ALONE)
        yield f"count {packed}, at once", kernel.once(keys, AT_ONCE)
        one = [kernel.loop(lambda w: w["STS"] == 1 and not w["LDS"])]
        one.append(kernel.loop(lambda w: w["LDS"] == 1 and not w["STS"] and not w["REDG"]))
        one.append(kernel.loop(lambda w: w["LDS"] == 1 and w["STS"] == 1))
        counter = sum((kernel.code.counts(kernel.way(f, {"REDG": 1})) for f in one), collections.Counter())
        yield f"count {packed}, a word", counter
    elif name == "move_first":
        yield from ((f"move first {args[2]}, {what}", way) for what, way in moves(kernel))
    elif name == "move_wide":
        yield from ((f"move wide, {what}", way) for what, way in moves(kernel))
    elif name == "move_second":
        yield from ((f"move, {what}", way) for what, way in moves(kernel))
    elif name == "move_tiles":
        tile = kernel.by_size[0]
        yield "move classes, alone", kernel.once(tile, {**ALONE, "LDS": 3})
        yield "move classes, at once", kernel.once(tile, {**TOLD, "LDS": 3}, kernel.turns)
    elif name == "sort_levels":
        yield from level_moves(kernel)
    elif name == "count_tiles":
        yield "count tile", kernel.once(
            kernel.loop(lambda w: w["LDG"] >= 4 and w["LDG"] == w["ATOMS"] and not w["LDS"])
        )
        searched = kernel.loop(lambda w: w["LDG"] >= 4 and w["LDG"] == w["ATOMS"] and w["LDS"] >= 7 * w["LDG"])
        yield "count classes", kernel.once(searched)
        yield "count, a segment", kernel.once(kernel.by_size[0])
    elif name == "prepare_segments":
        for of_thread in (2, 8):
            step, row = network(kernel, word, of_thread)
            yield f"sample {of_thread}, a step", step
            yield f"sample {of_thread}, a row", row
        yield "sample, once", kernel.once(kernel.by_size[0], {"BAR": 1, "STG": -1})
    elif name == "sort_buckets":
        c, bucket = args[2], kernel.by_size[0]
        even = {**ACCESSES, "ATOMG": -100, "ATOM": -100}
        sampled = set()
        if c == "2":  # for uneven keys another kernel follows in other classes
            sampled = kernel.bodies[kernel.loop(lambda w: w["BAR"] == 1 and w["LDS"] and w["STS"] and w["SHFL"])]
        yield f"bucket {c}", kernel.once(bucket, even, sampled)
        yield f"bucket {c}, empty", kernel.once(bucket, {"BAR": 10, "ATOMG": -100, "ATOM": -100}, sampled)
        rejected = {**ACCESSES, "STG": -100, "ATOMG": 10}
        yield f"bucket {c}, rejected", kernel.once(bucket, rejected, sampled)
        exchange = [f for f in kernel.bodies if kernel.within[f]["SHFL"] and not kernel.within[f]["BAR"]]
        if exchange:
            first = [f for f in exchange if not kernel.within[f]["VOTE"]]
            yield f"bucket {c}, a pass", kernel.once(first[0])
        insert = kernel.loop(lambda w: w["LDS"] and w["STS"] and not w["BAR"] and not w["ATOMS"], nth=1)
        shift = kernel.loop(lambda w: w["LDS"] and w["STS"] and not w["BAR"] and not w["ATOMS"], within=insert)
        yield f"bucket {c}, an insertion", kernel.once(insert)
        yield f"bucket {c}, a shift", kernel.once(shift)
    elif name == "sort_uneven_buckets":
        bucket = kernel.by_size[0]
        last = kernel.loop(lambda w: w["STG"] and not w["BAR"] and w["ATOMS"] and not w["LDG"])
        compare = kernel.loop(lambda w: w["LDS"] >= 1 and not w["STS"] and not w["STG"] and not w["BAR"], within=last)
        steps = kernel.bodies[kernel.loop(lambda w: w["BAR"] == 1 and w["LDS"] and w["STS"] and w["SHFL"])]
        inner = steps | kernel.bodies[last]
        yield "uneven", kernel.beside(bucket, ACCESSES, inner)
        yield "uneven, empty", kernel.beside(bucket, {"BAR": 10}, inner)
        yield "uneven, a key", kernel.beside(last, ACCESSES, kernel.bodies[compare])
        yield "uneven, four compared", kernel.once(compare)
        step, row = network(kernel, word, 1)
        yield "uneven, a step", step
        yield "uneven, a row", row
    elif name == "sort_counted":
        add = kernel.loop(lambda w: w["ATOMS"] == 8)
        expand = kernel.loop(lambda w: w["LDS"] == 4 and w["STS"] == 4)
        out = kernel.loop(lambda w: w["STG"] and w["LDS"] == 1)
        inner = kernel.bodies[add] | kernel.bodies[expand] | kernel.bodies[out]
        bucket = kernel.by_size[0]
        yield "counted, a bucket", kernel.beside(bucket, {"BAR": 10, "LDS": 1, "STG": -1}, inner)
        yield "counted, eight keys", kernel.once(add, ACCESSES)
        yield "counted, four written", kernel.once(expand, ACCESSES)
        yield "counted, four out", kernel.once(out)
    elif name == "count_buckets":
        keys = kernel.loop(lambda w: w["MATCH"] and w["LDG"] == 16)
        yield "counting", kernel.once(keys, ALONE)
        yield "counting, at once", kernel.once(keys, AT_ONCE)
        yield "counting, four words", kernel.once(
            kernel.loop(lambda w: w["LDS"] >= 1 and not w["STS"] and not w["STG"])
        )
        heads = kernel.loop(lambda w: w["LDS"] == 1 and w["STS"] == 9)
        yield "counting, four heads", kernel.once(heads, {"STS": 1})
        window = kernel.loop(lambda w: w["STG"] > 12 and w["STS"] > 12)
        filled = {"LDS": 2, "STS": 1, "SHFL": 1, "STG": -1}
        yield "counting, a window", kernel.beside(window, filled, kernel.bodies[heads])
    elif name == "count_tables":
        yield "tables, four words", kernel.once(kernel.loop(lambda w: w["LDS"] == 8 and w["REDG"] + w["ATOM"] >= 4))
        yield "tables, sixteen values", kernel.once(kernel.loop(lambda w: w["LD"] == 8 and w["STS"] == 16), {"STS": 1})
        chunk = kernel.loop(lambda w: w["STG"] > 12 and w["STS"] > 12)
        filled = {"LDS": 2, "STS": 1, "SHFL": 1, "STG": -1}
        yield "tables, a chunk", kernel.once(chunk, filled)
    elif name == "sort_one_level":
        items = args[2]
        order = kernel.loop(lambda w: w["BAR"] and w["ATOMS"] > 2 and w["STG"] > 1 and w["LDG"] and w["VOTE"] > 3)
        window = kernel.loop(
            lambda w: w["BAR"] > 10 and w["STG"] and w["LDS"] > w["ATOMS"] and w["MATCH"] == 1 and w["VOTE"] < 4
        )
        both = [f for f in kernel.bodies if kernel.bodies[order] | kernel.bodies[window] <= kernel.bodies[f]]
        whole = min(both, key=lambda f: len(kernel.bodies[f]))
        even = {"LDS": -0.1}  # between splitters there are searches
        yield f"one {items}, a tile", kernel.once(order, {**ALONE, **even})
        yield f"one {items}, a tile at once", kernel.once(order, {**TOLD, **even})
        empty = {"BAR": 10, "LDG": -1, "ATOMS": -1}
        yield f"one {items}, no tile", kernel.once(order, empty)
        network_of = kernel.loop(lambda w: w["BAR"] == 1 and w["LDS"] and w["SHFL"], within=window)
        sampled = kernel.bodies[network_of]
        yield f"one {items}, a window", kernel.once(window, ACCESSES, sampled)
        yield f"one {items}, no window", kernel.once(window, {"BAR": 10, "LDG": -1, "ATOMS": -1}, sampled)
        every = kernel.once(whole)
        copies = set()
        for f in kernel.bodies:
            if kernel.within[f]["ATOMG"] and kernel.bodies[f] < kernel.bodies[whole]:
                copies |= kernel.bodies[f]
        split = kernel.once(whole, {"BAR": 1}, kernel.bodies[order] | kernel.bodies[window] | copies)
        if every[
            "LDG"
        ]:  # in some the compiler has rotated the loop, so that its way begins within the sample's network
            yield "one, a round", every
            yield "one, a round between splitters", split


WORDS = {"unsigned int": 4, "unsigned long": 8, "NoValue": 0}
PATTERN = re.compile(r"(?:void )?msd_gpu::(\w+)(?:<(.*)>)?\(")


def numbers(way):
    """Instructions, those of the integer pipe, multiplications, those of a quarter of the rate; of shared memory's
    pipe loads, stores, additions and shuffles; votes that find equal lanes; barriers; spilled
    words that are loaded, and stored."""
    parts = (way["LDS"], way["STS"], way["ATOMS"], way["SHFL"], way["MATCH"], way["BAR"], way["LDL"], way["STL"])
    return (sum(way.values()), sum(way[name] for name in ALU), way["IMAD"], slow(way), *parts)


def rows(objects):
    found = {row[:3]: row for row in all_rows(objects)}  # the last of the kernels with the same row
    return found.values()


def all_rows(objects):
    for path in objects:
        key = 8 if "64" in path.name else 4
        value = key if path.name.startswith("pairs") else 0
        for plain, code, registers, static in read_kernels(path):
            match = PATTERN.match(plain)
            if not match:
                continue
            name = match[1]
            if (key, value) != (4, 0) and not match[2]:
                continue  # only for keys of 32 bits alone
            args = [a.strip().removesuffix("u") for a in (match[2] or "").split(",")] if match[2] else []
            for what, way in named_ways(name, args, code):
                yield what, key, value, *numbers(way), registers, static
