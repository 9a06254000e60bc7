"""What the ledger's queries measure: quantities of one measurement, by name, and arithmetic on a paper's numbers."""

from __future__ import annotations

import ast
import math
from typing import Callable

from ..records.case import KEY_BYTES
from ..records.measurement import Measurement
from ..records.quantities import Interval


class NotTestable(Exception):
    """Why the records cannot decide a query."""


def quantity_of(name: str) -> Callable[[Measurement], Interval]:
    """A quantity by its name in the ledger, of a phase after a colon. Raises KeyError for no such name."""
    name, _, phase = name.partition(":")

    def share(m: Measurement) -> float:
        """The phase's share of the time, or all of it where no phase is given."""
        if not phase:
            return 1.0
        named = [p.seconds for p in m.phases if p.name == phase]
        if not named or m.seconds is None:
            raise NotTestable(f"no phase {phase} in the records of {m.case.algorithm}")
        return sum(named) / m.seconds.value

    def cycles(m: Measurement) -> Interval:
        if m.cpe_core is None or m.seconds is None:
            raise NotTestable("no record of the clock")
        return m.seconds.scaled(m.cpe_core / m.seconds.value * share(m))

    def seconds(m: Measurement) -> Interval:
        assert m.seconds is not None
        return m.seconds.scaled(share(m))

    def passes(m: Measurement) -> int:
        digit_bits = m.case.whole("digit_bits")
        if not digit_bits:
            raise NotTestable(f"the records of {m.case.algorithm} say nothing of bits a digit")
        return math.ceil(8 * KEY_BYTES[m.case.key_type] / digit_bits)

    def keys_per_s_and_core(m: Measurement) -> Interval:
        if m.cpe_core is None or m.clock_hz is None or m.seconds is None:
            raise NotTestable("no record of the clock")
        return m.seconds.inverse().scaled(m.clock_hz / m.cpe_core * m.seconds.value)

    def bookkeeping(m: Measurement) -> Interval:
        """Scratch memory but for a second set of the arrays, over both sets."""
        if m.scratch_bytes is None:
            raise NotTestable(f"no record of the scratch memory of {m.case.algorithm}")
        arrays = m.case.n * m.case.element_bytes
        if not arrays:
            raise NotTestable("no keys were sorted")
        share = (m.scratch_bytes - arrays) / (2 * arrays)
        return Interval(share, share, share)

    quantities: dict[str, Callable[[Measurement], Interval]] = {
        "seconds": seconds,
        "seconds_of": seconds,
        "seconds_per_key": lambda m: m.seconds_per_key,
        "seconds_per_key_and_level": lambda m: m.seconds_per_key.scaled(1 / math.log2(m.case.n)),
        "keys_per_s": lambda m: m.keys_per_s,
        "keys_per_s_and_core": keys_per_s_and_core,
        "bytes_per_s": lambda m: m.keys_per_s.scaled(m.case.element_bytes),
        "bookkeeping_share": bookkeeping,
        "cpe_core": cycles,
        "cpe_core_of": cycles,
        "cpe_core_per_pass": lambda m: cycles(m).scaled(1 / passes(m)),
        "cpe_core_per_pass_of": lambda m: cycles(m).scaled(1 / passes(m)),
        "cpe_core_per_level": lambda m: cycles(m).scaled(1 / math.log2(m.case.n)),
    }
    return quantities[name]


_OPERATIONS: dict[type, Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
}
_FUNCTIONS: dict[str, Callable[[float], float]] = {"ceil": math.ceil, "floor": math.floor, "log2": math.log2}


def arithmetic(text: str) -> float:
    """The value of an expression of numbers, + - * / **, ceil, floor and log2. Raises ValueError for anything else."""

    def value(node: ast.expr) -> float:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
            return _OPERATIONS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
            (argument,) = node.args
            return _FUNCTIONS[node.func.id](value(argument))
        raise ValueError(f"not arithmetic: {text}")

    return float(value(ast.parse(text, mode="eval").body))
