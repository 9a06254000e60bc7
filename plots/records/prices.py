"""Prices that the user gives, in a currency of theirs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Mapping, Optional, Sequence

from .jsonl import BadInput


@dataclass(frozen=True)
class Prices:
    """No price has a default."""

    per_kwh: Optional[float] = None
    per_hour: Mapping[str, float] = field(default_factory=dict, hash=False)  # price by machine; empty name: any other

    def of_an_hour(self, machine: str) -> Optional[float]:
        return self.per_hour.get(machine, self.per_hour.get(""))


def read_prices(per_kwh: Optional[str], per_hour: Sequence[str]) -> Prices:
    """Prices as options give them: AMOUNT, and [MACHINE=]AMOUNT. Raises BadInput."""
    hours: dict[str, float] = {}
    for given in per_hour:
        machine, _, amount = given.rpartition("=")
        hours[machine] = _amount("--price-per-hour", amount)
    return Prices(None if per_kwh is None else _amount("--price-per-kwh", per_kwh), hours)


def _amount(option: str, text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = math.nan
    if not 0 < amount < 1e9:
        raise BadInput(f"{option} {text}: a price above 0 and below 1e9 is wanted")
    return amount
