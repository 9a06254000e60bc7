"""Quantities of one measurement, each with its interval. On a GPU the cores are its multiprocessors."""

from __future__ import annotations

import functools
import math
from typing import Callable, Sequence

from ..records.case import KEY_BYTES
from ..records.measurement import Measurement, phase_seconds
from ..records.statistics import Interval, exactly
from . import words
from .words import NotMeasured, NotTestable

Quantity = Callable[[Measurement], Interval]


def seconds(m: Measurement) -> Interval:
    return m.seconds_to_compare


def seconds_per_key(m: Measurement) -> Interval:
    return seconds(m).scaled(1 / max(m.case.n, 1))


def seconds_per_word(m: Measurement) -> Interval:
    """Time for each 4 bytes of keys and values."""
    return seconds_per_key(m).scaled(4 / m.case.element_bytes)


def keys_per_s(m: Measurement) -> Interval:
    return seconds_per_key(m).inverse()


def keys_per_s_and_core(m: Measurement) -> Interval:
    if m.cpe_core is None or m.clock_hz is None or m.seconds is None:
        raise NotMeasured(words.NO_CLOCK)
    return seconds(m).inverse().scaled(m.clock_hz / m.cpe_core * m.seconds.value)


def keys_per_s_and_multiprocessor(m: Measurement) -> Interval:
    return keys_per_s_and_core(m)


def bytes_per_s(m: Measurement) -> Interval:
    """Bytes of keys and values a second."""
    return keys_per_s(m).scaled(m.case.element_bytes)


def bookkeeping_share(m: Measurement) -> Interval:
    """Scratch memory but for a second set of the arrays, over both sets."""
    if m.scratch_bytes is None:
        raise NotMeasured(words.no_scratch(m))
    arrays = m.case.n * m.case.element_bytes
    if not arrays:
        raise NotTestable(words.NO_KEYS)
    share = (m.scratch_bytes - arrays) / (2 * arrays)
    return exactly(share)


def cycles(m: Measurement) -> Interval:
    """Cycles of one core per element."""
    if m.cpe_core is None or m.seconds is None:
        raise NotMeasured(words.NO_CLOCK)
    return seconds(m).scaled(m.cpe_core / m.seconds.value)


def cycles_per_pass(m: Measurement) -> Interval:
    """Cycles of one core per element and pass over the key's digits."""
    digit_bits = m.case.whole("digit_bits")
    if not digit_bits:
        raise NotMeasured(words.no_digits(m))
    return cycles(m).scaled(1 / math.ceil(8 * KEY_BYTES[m.case.key_type] / digit_bits))


def cycles_per_level(m: Measurement) -> Interval:
    """Cycles of one core per element over log2 n."""
    return cycles(m).scaled(1 / math.log2(m.case.n))


def in_phase(phase: str, quantity: Quantity) -> Quantity:
    """The quantity of one phase alone, by its share of the time."""
    return in_phases((phase,), quantity)


def in_phases(phases: Sequence[str], quantity: Quantity) -> Quantity:
    """The quantity of several phases together, by their share of the time."""
    return functools.partial(_in_phases, phases, quantity)


def _in_phases(phases: Sequence[str], quantity: Quantity, m: Measurement) -> Interval:
    assert m.seconds is not None
    return quantity(m).scaled(time_in_phases(m, phases) / m.seconds.value)


def time_in_phases(m: Measurement, phases: Sequence[str]) -> float:
    """The time of these phases together. Raises NotMeasured if the record has none of them."""
    named = phase_seconds(m.phases, *phases)
    if named is None or m.seconds is None:
        raise NotMeasured(words.no_phase(phases, m))
    return named
