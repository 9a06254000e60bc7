// The clock of a core, measured: processors change it with load and temperature, and none of our machines offers a
// cycle counter.
#pragma once

#include <string_view>

namespace sortlab {

/// Cycles per second of the calling thread's core, from a chain of dependent register additions: one takes one cycle on
/// every processor in use (Fog, Instruction Tables). Additions of a constant would not do: some processors fold them at
/// renaming. Takes about 0.3 ms; the fastest of a few tries, so that an interrupt does not count as a slow clock.
double measured_clock_hz();

/// One chain of such additions, about 40 us; returns how many they were.
double chained_additions();

/// Additions, eight at a time independent of each other, about 30 us; returns how many they were. They keep every adder
/// of a core busy: a second thread on the same core takes half of them, where a chain would leave it room.
double independent_additions();

inline constexpr std::string_view kClockSource = "dependent additions";
/// That of a device's multiprocessors: its cycle counter against its timer in nanoseconds.
inline constexpr std::string_view kDeviceClockSource = "cycle counter over device timer";

}  // namespace sortlab
