"""A number from records, with its interval and the cells and runs that it is from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Union

from .measurement import Measurement
from .prediction import Prediction
from .statistics import Interval

Source = Union[Measurement, Prediction]
INTERVAL = ["ci95_low", "ci95_high"]
TRACE = ["cell", "run"]


@dataclass(frozen=True)
class Number:
    value: float
    low: Optional[float] = None  # ends of the 95 % interval; None without one
    high: Optional[float] = None
    trace: tuple[str, str] = ("", "")  # columns TRACE

    @classmethod
    def of(cls, value: Union[Interval, float], *sources: Source) -> "Number":
        """A value from these records. It has an interval unless it is an exact number, or a time of so few samples that
        its interval is only their range."""
        trace = cells_and_runs(sources)
        if not isinstance(value, Interval):
            return cls(value, trace=trace)
        few = len(sources) == 1 and isinstance(sources[0], Measurement) and not sources[0].has_interval
        if few or value.low == value.high:
            return cls(value.value, trace=trace)
        return cls(value.value, value.low, value.high, trace)

    @property
    def bottom(self) -> float:
        """The lower end of what is drawn."""
        return self.value if self.low is None else self.low

    @property
    def top(self) -> float:
        return self.value if self.high is None else self.high

    @property
    def columns(self) -> list[Optional[float]]:
        """Value and interval, for the columns of a CSV."""
        return [self.value, self.low, self.high]


def cells_and_runs(sources: Sequence[Source]) -> tuple[str, str]:
    """The cells of these records, and their runs: one if all are of one, else one for each cell in the same order. A
    prediction belongs to a cell and to no run."""
    runs: dict[tuple[str, str], None] = {}
    measured = [source for source in sources if isinstance(source, Measurement)]
    for m in measured:
        runs[m.cell, m.run] = None
    known = {m.cell for m in measured}
    cells = [cell for cell, _ in runs]
    cells += dict.fromkeys(s.cell for s in sources if isinstance(s, Prediction) and s.cell not in known)
    of = [run for _, run in runs]
    return " ".join(cells), " ".join(dict.fromkeys(of) if len(set(of)) == 1 else of)
