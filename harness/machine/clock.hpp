// Measurement of a core's clock. Processors change it with load and temperature, and none of our machines offers a
// cycle counter.
#pragma once

#include <string_view>

namespace sortlab {

/// Cycles per second of the calling thread's core, from a chain of dependent register additions. Each takes one cycle
/// on every processor in use (Fog, Instruction Tables); some processors would fold additions of a constant at renaming.
/// Takes about 0.3 ms. The fastest of a few tries counts, so that an interrupt does not look like a slow clock.
double measured_clock_hz();

/// Runs one chain of such additions, for about 40 us. Returns their number.
double chained_additions();

/// Runs additions in eight independent chains, for about 30 us. Returns their number. They keep all adders of a core
/// busy, so that a second thread on the same core takes half of them. A single chain would leave it room.
double independent_additions();

inline constexpr std::string_view kClockSource = "dependent additions";
/// Source of the clock of a device's multiprocessors: the cycle counter over the timer in nanoseconds.
inline constexpr std::string_view kDeviceClockSource = "cycle counter over device timer";

}  // namespace sortlab
