"""Numbers as text: significant digits, units, powers of two."""

from __future__ import annotations

import math
from typing import Iterable, Optional

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def digits(value: float, significant: int = 3) -> str:
    """`value` to this many significant digits, without an exponent: 0.0123, 1.23, 123, 12345."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "–"
    places = significant - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, places)
    if rounded:  # 9.996 gains a digit before the point
        places = significant - 1 - math.floor(math.log10(abs(rounded)))
    return f"{rounded:.{max(places, 0)}f}"


def short(text: str, most: int = 32) -> str:
    """A name shortened to the room that a picture has; CSV and LaTeX keep it whole."""
    return text if len(text) <= most else text[: most - 1] + "…"


def signed_percent(share: float) -> str:
    """A share as per cent with its sign: −3.4 %."""
    text = digits(abs(share) * 100, 2) if abs(share) < 0.1 else f"{abs(share) * 100:.0f}"
    return f"{'−' if share < 0 else '+'}{text} %"


def percent(share: float) -> str:
    text = digits(share * 100, 2) if abs(share) < 0.1 else f"{share * 100:.0f}"
    return f"{text.replace('-', '−')} %"


def seconds_text(seconds: float) -> str:
    """A time with its unit: 1.23 ms."""
    for factor, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= factor:
            return f"{digits(seconds / factor)} {unit}"
    return f"{digits(seconds / 1e-9)} ns"


def power_of_two(n: int) -> Optional[int]:
    return n.bit_length() - 1 if n > 0 and n & (n - 1) == 0 else None


def count_text(n: int) -> str:
    """A number of elements: 2²⁰ where it is a power of two, else with thin spaces."""
    exponent = power_of_two(n)
    if exponent is not None and exponent >= 8:
        return "2" + str(exponent).translate(_SUPERSCRIPTS)
    return f"{n:,}".replace(",", "\u2009")


def binary_text(n: int) -> str:
    """A number of elements in the papers' manner, K = 2^10 and M = 2^20: 256K, 64M."""
    for shift, letter in ((30, "G"), (20, "M"), (10, "K")):
        if n and n % (1 << shift) == 0:
            return f"{n >> shift}{letter}"
    return str(n)


def threads_text(count: int) -> str:
    return "1 thread" if count == 1 else f"{count} threads"


def power_of_ten_text(value: float) -> str:
    """A number with its power of ten, for an axis: 2.5·10⁶."""
    if not value:
        return "0"
    exponent = math.floor(math.log10(abs(value)) + 1e-9)
    return f"{value / 10.0**exponent:.4g}·10{str(exponent).translate(_SUPERSCRIPTS)}".replace("-", "−")


def span_text(counts: Iterable[int]) -> str:
    """The least and greatest of some counts: 2¹⁸ … 2²⁶."""
    ordered = sorted(set(counts))
    if not ordered:
        return "none"
    first, last = count_text(ordered[0]), count_text(ordered[-1])
    return first if len(ordered) == 1 else f"{first} … {last}"
