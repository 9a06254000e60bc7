"""Checks that dumped outputs are their inputs, sorted: python3 -m plots.check FOLDER; NumPy and nothing of Sortlab.

A folder holds `manifest.jsonl`, a line a sort, and the arrays that it names (plots/README.md has the format). Of each
sort is asked whether the output's keys ascend, whether they are the input's, whether each still has its value, and,
where the sort claims to be stable, whether equal keys kept their order. Exit status: 0 if all is so, 1 if not, 2 if
the dump cannot be read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Callable, Optional, Sequence

try:
    import numpy as np
except ImportError as absent:
    if __name__ != "__main__":
        raise
    print(f"check: needs numpy, which cannot be loaded here (python3-numpy): {absent}", file=sys.stderr)
    sys.exit(2)

_KEYS = {"u32": "uint32", "u64": "uint64", "i32": "int32", "i64": "int64", "f32": "float32", "f64": "float64"}
_VALUES = {"none": None, "u32": "uint32", "u64": "uint64"}


class BadDump(Exception):
    """The dump cannot be read; one line that says what is allowed."""


def wrong(sort: dict[str, Any], folder: Path) -> list[str]:
    """The errors of a sort of the manifest; empty if it is correct. Raises BadDump."""
    n, key_type, value_type = sort.get("n"), sort.get("key_type"), sort.get("value_type")
    if type(n) is not int or n < 0:
        raise BadDump("n must be an integer of at least 0")
    if key_type not in (*_KEYS, "u128", "string"):
        raise BadDump(f"key_type must be one of {', '.join((*_KEYS, 'u128', 'string'))}")
    if value_type not in list(_VALUES):
        raise BadDump(f"value_type must be one of {', '.join(_VALUES)}")
    if type(sort.get("stable")) is not bool:
        raise BadDump("stable must be true or false")
    order = _order(sort.get("order"), key_type)
    before, after = (_Side(sort, name, folder) for name in ("input", "output"))
    sides = (before.keys(key_type), after.keys(key_type))
    for name, keys in zip(("input", "output"), sides):
        if len(keys) != n:
            return [f"{name}: {len(keys)} keys, not {n}"]
    # Dense ranks of both sides' keys, so that what follows is the same for every type.
    keys, rank_of_key = np.unique(np.concatenate(sides), return_inverse=True)
    old, new = rank_of_key[:n], rank_of_key[n:]
    place = np.unique(order(keys), return_inverse=True)[1] if order and n else np.arange(len(keys))
    found = []
    descents = np.flatnonzero(place[new[1:]] < place[new[:-1]])
    if descents.size:
        found.append(f"not sorted: key {descents[0] + 1} is below the one before it")
    added = _first_added(old, new)
    if added is not None:
        found.append(f"no permutation: key {added} is there more often than in the input")
    if _VALUES[value_type] is None and not before.has("payloads"):
        return found
    had, has = (side.values(_VALUES[value_type]) for side in (before, after))
    if len(had) != n or len(has) != n:
        return [*found, f"{len(had)} and {len(has)} values, not {n}"]
    values, rank_of_value = np.unique(np.concatenate([had, has]), return_inverse=True)
    had, has = rank_of_value[:n], rank_of_value[n:]
    parted = _first_added(old * len(values) + had, new * len(values) + has)
    if parted is not None:
        found.append(f"not paired: key {parted} has another's value")
    elif sort["stable"]:
        moved = np.flatnonzero(has != had[np.argsort(place[old], kind="stable")])
        if moved.size:
            found.append(f"not stable: equal keys changed their order, first at key {moved[0]}")
    return found


def _first_added(old: np.ndarray, new: np.ndarray) -> Optional[int]:
    """The first position in `new` of a rank that `new` holds more often than `old`. Both have one length."""
    ranks = np.unique(np.concatenate([old, new]), return_inverse=True)[1]
    old, new = ranks[: len(old)], ranks[len(old) :]
    added = np.bincount(new, minlength=2 * len(old)) > np.bincount(old, minlength=2 * len(old))
    places = np.flatnonzero(added[new])
    return int(places[0]) if places.size else None


def _order(order: Any, key_type: str) -> Optional[Callable[[np.ndarray], np.ndarray]]:
    """A function from ascending keys to the part that must ascend; None if the whole keys must."""
    if order is None:
        return None
    if not isinstance(order, dict) or type(order.get("unit_floats")) is not bool or key_type == "string":
        raise BadDump("order must be null or, of keys that are numbers, an object with unit_floats, shift and bits")
    shift: Any = order.get("shift")
    bits: Any = order.get("bits")
    if not _is_bit_number(shift) or not _is_bit_number(bits):
        raise BadDump("order: shift and bits must be integers from 0 to 128")
    if order["unit_floats"] and key_type != "f32":
        raise BadDump("order: unit_floats must be false unless key_type is f32")

    def image(keys: np.ndarray) -> np.ndarray:
        if key_type == "u128":
            words = [int(key["high"]) << 64 | int(key["low"]) for key in keys]
        elif order["unit_floats"]:
            words = _unit_floats(keys).tolist()
        else:  # for signed integers the sign flips
            lowest = np.iinfo(keys.dtype).min
            words = [word - lowest for word in keys.tolist()]
        return np.array([word >> shift & ((1 << bits) - 1) for word in words], object)

    return image


def _is_bit_number(value: Any) -> bool:
    return type(value) is int and 0 <= value <= 128


def _unit_floats(ordered: np.ndarray) -> np.ndarray:
    """The bits of f32 keys, given ascending in their total order, once mapped from their range to [0.5, 1).

    Ha et al. 2010, section 3.3, where it is rounded once in each of two fused steps.
    """
    sign = np.uint32(1 << 31)
    keys = np.where(ordered & sign, ordered ^ sign, ~ordered).view("float32")
    with np.errstate(all="ignore"):
        smallest, width = float(keys[0]), float(keys[-1]) - float(keys[0])
        prescale = 2.0**-100 if width > 2.0**100 else 2.0**100 if width < 2.0**-100 else 1.0
        scale = np.float32(0.5 / (width * prescale)) if width > 0 else np.float32(0)
        normal = _fused(_fused(keys, prescale, -float(np.float32(smallest * prescale))), float(scale), 0.5)
        return np.fmin(np.fmax(normal, np.float32(0.5)), np.float32(1 - 2.0**-24)).view("uint32")


def _fused(a: np.ndarray, b: float, c: float) -> np.ndarray:
    """a * b + c of float32, rounded once. The sum in float64, rounded to odd, rounds to float32 like the exact sum."""
    product = a.astype("float64") * b
    total = product + c
    rest = total - product
    error = (product - (total - rest)) + (c - rest)
    bits = total.view("int64")
    even = (bits & 1 == 0) & (error != 0) & np.isfinite(error)
    return np.where(even, bits + np.where((error > 0) == (total > 0), 1, -1), bits).view("float64").astype("float32")


class _Side:
    """The arrays of the input or of the output."""

    def __init__(self, sort: dict[str, Any], name: str, folder: Path) -> None:
        files = sort.get(name)
        if not isinstance(files, dict):
            raise BadDump(f"{name} must be an object of file names")
        self._name, self._folder, self._files = name, folder, files

    def keys(self, key_type: str) -> np.ndarray:
        """Keys mapped so that NumPy's order of them is the order of the type."""
        if key_type == "u128":
            words = self.array("keys", "uint64", 2)
            both = np.empty(len(words), [("high", "u8"), ("low", "u8")])
            both["low"], both["high"] = words[:, 0], words[:, 1]
            return both
        if key_type == "string":
            return self._strings("keys", "offsets")
        keys = self.array("keys", _KEYS[key_type])
        if keys.dtype.kind != "f":
            return keys
        # IEEE 754's total order, -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN. All bits of negative numbers flip.
        bits = keys.view(f"uint{8 * keys.itemsize}")
        sign = bits.dtype.type(1) << bits.dtype.type(8 * keys.itemsize - 1)
        return np.where(bits & sign, ~bits, bits | sign)

    def has(self, what: str) -> bool:
        return what in self._files

    def values(self, kind: Optional[str]) -> np.ndarray:
        return self.array("values", kind) if kind else self._strings("payloads", "payload_offsets")

    def _strings(self, what: str, offsets: str) -> np.ndarray:
        text, ends = self.array(what, "uint8").tobytes(), self.array(offsets, "uint64")
        if not len(ends) or ends[0] != 0 or ends[-1] != len(text) or np.any(ends[1:] < ends[:-1]):
            raise BadDump(f"{self._name}: {offsets} must ascend from 0 to the number of bytes")
        strings = np.empty(len(ends) - 1, object)
        strings[:] = [text[begin:end] for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist())]
        return strings

    def array(self, what: str, kind: Optional[str], columns: int = 1) -> np.ndarray:
        file = self._files.get(what)
        where = f"{self._name}: {what}"
        if not isinstance(file, str) or Path(file).name != file or "\0" in file:
            raise BadDump(f"{where} must be the name of a file in the folder")
        try:
            made = np.load(self._folder / file, allow_pickle=False)
        except Exception as error:  # NumPy reads a header as Python's text: any of that parser's errors, and its own
            why = (isinstance(error, OSError) and error.strerror) or "damaged"
            raise BadDump(f"{where}: {self._folder / file}: {why}; must be a whole .npy file of {kind}") from None
        size = getattr(made, "size", 0)
        shape = (len(made), columns) if columns > 1 and getattr(made, "ndim", 0) > 0 else (size,)
        if not isinstance(made, np.ndarray) or made.dtype != np.dtype(kind) or made.shape != shape:
            raise BadDump(f"{where} must be an array of {kind}" + (f", {columns} columns" if columns > 1 else ""))
        return made


def _sorts(folder: Path) -> list[dict[str, Any]]:
    manifest = folder / "manifest.jsonl"
    try:
        sorts = [json.loads(line) for line in manifest.read_text(encoding="utf-8").split("\n") if line.strip()]
    except OSError as error:
        raise BadDump(f"{manifest}: {error.strerror}; must be in a folder that sortlab bench --dump wrote") from None
    except (ValueError, RecursionError):
        sorts = []
    if not sorts or not all(isinstance(sort, dict) for sort in sorts):
        raise BadDump(f"{manifest}: must hold a JSON object a line, a sort each")
    return sorts


def _say(text: str, *, bad: bool = False) -> None:
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    stream = sys.stderr if bad else sys.stdout
    if stream is None:  # it is closed
        return
    print(line.encode(stream.encoding or "utf-8", "backslashreplace").decode(stream.encoding or "utf-8"), file=stream)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    asked = given in (["-h"], ["--help"])
    if asked or len(given) != 1 or given[0].startswith("-"):
        _say("check: usage: sortlab check FOLDER, as sortlab bench --dump writes it", bad=not asked)
        if asked:
            _say("Example: sortlab check dumped")
        return 0 if asked else 2
    folder, failed = Path(given[0]), 0
    try:
        sorts = _sorts(folder)
        for number, sort in enumerate(sorts, 1):
            name = f"{sort.get('algorithm')}, {sort.get('key_type')}+{sort.get('value_type')}, cell {sort.get('cell')}"
            try:
                faults = wrong(sort, folder)
            except BadDump as error:
                raise BadDump(f"{folder / 'manifest.jsonl'}: sort {number}: {error}") from None
            failed += bool(faults)
            verdict = "WRONG" if faults else "right"
            _say(f"{verdict}  {name}, n = {sort['n']}" + (f": {'; '.join(faults)}" if faults else ""))
    except BadDump as error:
        _say(f"check: {error}", bad=True)
        return 2
    _say(f"{len(sorts) - failed} of {len(sorts)} sorts are right")
    return 1 if failed else 0


def _run() -> int:
    """For a process of its own: a verdict that cannot be printed is no success."""
    status = main()
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        sys.stdout = None  # type: ignore[assignment]  # it would fail again as Python ends
        _say(f"check: standard output: {error.strerror}; what was printed is not complete", bad=True)
        return status or 1
    return status


if __name__ == "__main__":
    sys.exit(_run())
