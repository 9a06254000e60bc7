"""The energy of a sort, measured and predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from .statistics import Interval

MOST_POWER_DIFFERENCE = (
    0.05  # share by which integrated power may differ from the counter: the program's kMaxPowerDifference
)


@dataclass(frozen=True)
class Energy:
    """Joules of one sort that ran back to back after the time samples (harness/README.md)."""

    joules: Interval  # all that its domains draw while one sort runs
    net_joules: Interval  # without what the idle machine draws in that time
    seconds: float  # time of a sort, back to back
    mean_power_w: float  # while sorting
    idle_w: float
    domains: tuple[str, ...]  # device, package, dram
    missing: str  # parts of the machine that could not be read, and why; may be empty
    counter_step_s: float
    counter_steps: int  # least number of them in a window
    windows: int
    integrated_over_counter: Optional[float]  # integrated power over the counter's joules; on a device
    sm_clock_hz: Optional[float]
    temperature_c: Optional[float]  # at the end
    power_limit_w: Optional[float]
    throttled: tuple[str, ...]  # the driver's reasons for a lower clock

    @classmethod
    def of(cls, energy: dict[str, Any]) -> "Energy":
        """The energy of a record without contradictions."""
        device = energy.get("device") or {}
        net = "net_joules_per_sort"
        return cls(
            joules=Interval(energy["joules_per_sort"], *energy["joules_per_sort_ci95"]),
            net_joules=Interval(energy[net], *energy[f"{net}_ci95"]),
            seconds=energy["seconds_per_sort"],
            mean_power_w=energy["mean_power_w"],
            idle_w=(energy["idle_before_w"] + energy["idle_after_w"]) / 2,
            domains=tuple(sorted(energy["joules_per_sort_by_domain"])),
            missing=energy.get("missing", ""),
            counter_step_s=energy["counter_step_s"],
            counter_steps=energy["counter_steps"],
            windows=len(energy["windows"]),
            integrated_over_counter=energy.get("integrated_over_counter"),
            sm_clock_hz=device.get("sm_clock_hz") or None,
            temperature_c=device.get("temperature_end_c"),
            power_limit_w=device.get("power_limit_w"),
            throttled=tuple(sorted(device.get("throttled_shares", {}))),
        )

    @property
    def is_believed(self) -> bool:
        """False if integrated power contradicts the counter."""
        ratio = self.integrated_over_counter
        return ratio is None or abs(ratio - 1) <= MOST_POWER_DIFFERENCE

    def per_joule(self, n: int) -> Interval:
        """Keys per joule. An interval that reaches zero joules has no upper end."""
        low, high = self.joules.low, self.joules.high
        return Interval(n / self.joules.value, n / high, n / low if low > 0 else float("inf"))


@dataclass(frozen=True)
class PhaseEnergy:
    name: str
    pass_: int
    static_joules: float  # static power times the phase's predicted time
    dynamic_joules: float  # energy of its operations


@dataclass(frozen=True)
class PredictedEnergy:
    """Joules of one sort on a device by the model of kind energy (models/README.md)."""

    joules: float
    static_power_w: float
    phases: tuple[PhaseEnergy, ...]

    @classmethod
    def of(cls, energy: dict[str, Any]) -> "PredictedEnergy":
        phases = tuple(
            PhaseEnergy(p["name"], p["pass"], p["static_joules"], p["dynamic_joules"]) for p in energy["phases"]
        )
        return cls(energy["joules"], energy["static_power_w"], phases)
