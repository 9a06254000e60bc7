"""Reads the operations of the sort's kernels (preset tuned) from their compiled code: rows of counts.inc, for
models/kernels/count_kernels.py.

A thread walks eight elements down the tree at a time; blocks that merge hold all elements of a thread in registers
(sass.py)."""
import re

from sass import read_kernels, least, moved, numbers

UNITS = ("keys32", "keys64")
STRUCT = "SampleCounts"
COLUMNS = """\
what is passed, bytes of a key, of a value; of a thread instructions, those of the integer pipe, and loads from
shared memory, stores and atomic additions there; registers, bytes of static shared memory."""

AT_ONCE = 8  # elements of a thread that walk down the tree together
WORDS = {"unsigned int": 4, "unsigned long": 8, "NoValue": 0}


def named_ways(kernel, code):
    """(name, counts) of what is passed once, and of each loop once round."""
    if kernel == "choose_splitters":
        comparators = [w for w in code.rounds("LDS") if w["LDS"] == w["STS"] == 2]
        steps = max(code.rounds("BAR"), key=lambda w: sum(w.values()))
        return [("sample, a comparator", least(comparators)), ("sample, a step", steps)]
    if kernel == "merge_sort_buckets":
        levels = [w for w in code.rounds("LDS") if w["BAR"]]
        searches = [w for w in code.rounds("LDS") if w["LDS"] == 2]
        idle = [w for w in code.rounds("BAR") if not w["LDS"]]  # threads without elements wait
        return [
            ("merge, of a block", code.once()),
            ("merge, a level", least(levels)),
            ("merge, an idle level", least(idle)),
            ("merge, a round", least(searches)),
        ]
    # Eight at a time by whole warps, which vote whether all go to one bucket.
    rounds = [w for w in code.rounds("LDG", "LD", "ATOMS") if w["ATOMS"] == AT_ONCE and w["MATCH"] == AT_ONCE]
    if kernel == "find_buckets":
        stores = [w for w in rounds if moved(w) == 2 * AT_ONCE and not w["LDS"]]
        levels = max((w for w in code.rounds("LDS") if not moved(w) and not w["ATOMS"]), key=lambda w: w["LDS"])
        tree = least([w for w in code.rounds("STS") if moved(w) == 1 and w["STS"] == 2])
        sums = min((w for w in code.rounds("LDS") if not moved(w) and w["LDS"] == 8), key=lambda w: sum(w.values()))
        return [
            ("find", least(stores)),
            (f"find, {levels['LDS'] // AT_ONCE} levels", levels),
            ("tree, a splitter", tree),
            ("find, a bucket", sums),
        ]
    values = 1 if "NoValue" not in kernel else 0
    staged = least([w for w in rounds if not w["LDS"]])
    known = least([w for w in code.rounds("LDG") if w["ATOMS"] == AT_ONCE and moved(w) == (2 + values) * AT_ONCE])
    plain = least([w for w in code.rounds("LDG") if w["ATOMS"] == AT_ONCE and moved(w) == (1 + values) * AT_ONCE])
    written = [w for w in code.rounds("STG", "ST") if moved(w) == (1 + values) * AT_ONCE and not w["ATOMS"]]
    places = [w for w in code.rounds("BAR") if w["SHFL"] == 5]
    return [
        ("scatter, to its bucket", known + staged - plain),
        ("scatter, out", least(written)),
        ("scatter, a bucket", least(places)),
    ]


PATTERN = re.compile(r"void sample_sort::(?P<k>\w+)<(?P<key>[^,>]+)(?:, (?P<value>[^,>]+))?>\(")
MODELLED = ("choose_splitters", "find_buckets", "scatter_reordered", "merge_sort_buckets")


def rows(objects):
    for path in objects:
        for plain, code, registers, static in read_kernels(path):
            match = PATTERN.match(plain)
            if not match or match["k"] not in MODELLED:
                continue
            key, value = WORDS.get(match["key"]), WORDS.get(match["value"] or "NoValue")
            if key is None or value not in (0, key):
                continue
            name = match["k"] if match["k"] != "scatter_reordered" else f"scatter_reordered {match['value']}"
            for what, way in named_ways(name, code):
                yield what, key, value, *numbers(way), registers, static
