"""Whether dumped outputs are their inputs sorted: python3 -m plots.check FOLDER; NumPy and nothing of Sortlab.

A folder holds `manifest.jsonl`, a line a sort, and the arrays that it names (plots/README.md has the format). Of each
sort is asked whether the output's keys ascend, whether they are the input's, whether each still has its value, and,
where the sort claims to be stable, whether equal keys kept their order. Exit status: 0 if all is so, 1 if not, 2 if
the dump cannot be read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Optional, Sequence

import numpy as np

_KEYS = {"u32": "uint32", "u64": "uint64", "i32": "int32", "i64": "int64", "f32": "float32", "f64": "float64"}
_VALUES = {"none": None, "u32": "uint32", "u64": "uint64"}


class BadDump(Exception):
    """The dump cannot be read; one line that says what is allowed."""


def wrong(sort: dict[str, Any], folder: Path) -> list[str]:
    """What is wrong with a sort of the manifest; nothing if all is as it must be. Raises BadDump."""
    n, key_type, value_type = sort.get("n"), sort.get("key_type"), sort.get("value_type")
    if type(n) is not int or n < 0:
        raise BadDump("n must be an integer of at least 0")
    if key_type not in (*_KEYS, "u128", "string"):
        raise BadDump(f"key_type must be one of {', '.join((*_KEYS, 'u128', 'string'))}")
    if value_type not in list(_VALUES):
        raise BadDump(f"value_type must be one of {', '.join(_VALUES)}")
    if type(sort.get("stable")) is not bool:
        raise BadDump("stable must be true or false")
    before, after = (_Side(sort, name, folder) for name in ("input", "output"))
    sides = (before.keys(key_type), after.keys(key_type))
    for name, keys in zip(("input", "output"), sides):
        if len(keys) != n:
            return [f"{name}: {len(keys)} keys, not {n}"]
    # Dense ranks of both sides' keys, so that what follows is the same for every type.
    ranks = np.unique(np.concatenate(sides), return_inverse=True)[1]
    old, new = ranks[:n], ranks[n:]
    found = []
    descents = np.flatnonzero(new[1:] < new[:-1])
    if descents.size:
        found.append(f"not sorted: key {descents[0] + 1} is below the one before it")
    if not np.array_equal(np.sort(old), np.sort(new)):
        found.append("no permutation: the output's keys are not the input's")
    if _VALUES[value_type] is None:
        return found
    had, has = (side.array("values", _VALUES[value_type]) for side in (before, after))
    if len(had) != n or len(has) != n:
        return [*found, f"{len(had)} and {len(has)} values, not {n}"]
    by_key, by_new_key = np.lexsort((had, old)), np.lexsort((has, new))
    if not (np.array_equal(old[by_key], new[by_new_key]) and np.array_equal(had[by_key], has[by_new_key])):
        found.append("not paired: a key has another's value")
    elif sort["stable"] and not np.array_equal(has, had[np.argsort(old, kind="stable")]):
        found.append("not stable: equal keys changed their order")
    return found


class _Side:
    """The arrays of the input or of the output."""

    def __init__(self, sort: dict[str, Any], name: str, folder: Path) -> None:
        self._name, self._folder, self._files = name, folder, sort.get(name)
        if not isinstance(self._files, dict):
            raise BadDump(f"{name} must be an object of file names")

    def keys(self, key_type: str) -> np.ndarray:
        """Keys that ascend as NumPy compares them where they ascend as the type is ordered."""
        if key_type == "u128":
            words = self.array("keys", "uint64", 2)
            both = np.empty(len(words), [("high", "u8"), ("low", "u8")])
            both["low"], both["high"] = words[:, 0], words[:, 1]
            return both
        if key_type == "string":
            text, ends = self.array("keys", "uint8").tobytes(), self.array("offsets", "uint64")
            if not len(ends) or ends[0] != 0 or ends[-1] != len(text) or np.any(ends[1:] < ends[:-1]):
                raise BadDump(f"{self._name}: offsets must ascend from 0 to the number of bytes")
            strings = np.empty(len(ends) - 1, object)
            strings[:] = [text[begin:end] for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist())]
            return strings
        keys = self.array("keys", _KEYS[key_type])
        if keys.dtype.kind != "f":
            return keys
        # IEEE 754's total order, -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN: of negative numbers all bits flip.
        bits = keys.view(f"uint{8 * keys.itemsize}")
        sign = bits.dtype.type(1) << bits.dtype.type(8 * keys.itemsize - 1)
        return np.where(bits & sign, ~bits, bits | sign)

    def array(self, what: str, kind: Optional[str], columns: int = 1) -> np.ndarray:
        file = self._files.get(what)
        where = f"{self._name}: {what}"
        if not isinstance(file, str) or Path(file).name != file or "\0" in file:
            raise BadDump(f"{where} must be the name of a file in the folder")
        try:
            made = np.load(self._folder / file, allow_pickle=False)
        except (OSError, ValueError, MemoryError, SyntaxError) as error:
            raise BadDump(f"{where}: {type(error).__name__}: {error}") from None
        shape = (len(made), columns) if columns > 1 and getattr(made, "ndim", 0) else (getattr(made, "size", 0),)
        if not isinstance(made, np.ndarray) or made.dtype != np.dtype(kind) or made.shape != shape:
            raise BadDump(f"{where} must be an array of {kind}" + (f", {columns} columns" if columns > 1 else ""))
        return made


def _sorts(folder: Path) -> list[dict[str, Any]]:
    manifest = folder / "manifest.jsonl"
    try:
        sorts = [json.loads(line) for line in manifest.read_text(encoding="utf-8").split("\n") if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        raise BadDump(f"{manifest}: {type(error).__name__}: {error}") from None
    if not sorts or not all(isinstance(sort, dict) for sort in sorts):
        raise BadDump(f"{manifest}: must hold a JSON object a line, a sort each")
    return sorts


def _say(text: str, *, bad: bool = False) -> None:
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    stream = sys.stderr if bad else sys.stdout
    print(line.encode(stream.encoding or "utf-8", "backslashreplace").decode(stream.encoding or "utf-8"), file=stream)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    if len(given) != 1 or given[0].startswith("-"):
        _say("check: usage: python3 -m plots.check FOLDER, as sortlab bench --dump writes it", bad=True)
        return 2
    folder, failed = Path(given[0]), 0
    try:
        sorts = _sorts(folder)
        for number, sort in enumerate(sorts, 1):
            name = f"{sort.get('algorithm')}, {sort.get('key_type')}+{sort.get('value_type')}, cell {sort.get('cell')}"
            try:
                said = wrong(sort, folder)
            except BadDump as error:
                raise BadDump(f"{folder / 'manifest.jsonl'}: sort {number}: {error}") from None
            failed += bool(said)
            _say(f"{'WRONG' if said else 'right'}  {name}, n = {sort['n']}" + (f": {'; '.join(said)}" if said else ""))
    except BadDump as error:
        _say(f"check: {error}", bad=True)
        return 2
    _say(f"{len(sorts) - failed} of {len(sorts)} sorts are right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
