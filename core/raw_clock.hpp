// The clock by which sorts and probes are timed.
#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>

namespace sortlab {

/// Linux' CLOCK_MONOTONIC_RAW as a clock of std::chrono. NTP, PTP and adjtimex() change the rate of
/// std::chrono::steady_clock, by up to a tenth, and leave this one alone.
struct RawClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<RawClock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return time_point{std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec}};
  }
};

}  // namespace sortlab
