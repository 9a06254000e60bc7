#include "core/raw_clock.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <chrono>

namespace sortlab {
namespace {

std::chrono::nanoseconds kernels_raw_clock() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

TEST(RawClock, IsTheKernelsClockThatNothingSlews) {
  for (int i = 0; i < 100; ++i) {
    const std::chrono::nanoseconds before = kernels_raw_clock();
    const std::chrono::nanoseconds now = RawClock::now().time_since_epoch();
    const std::chrono::nanoseconds after = kernels_raw_clock();
    ASSERT_LE(before, now);
    ASSERT_LE(now, after);
  }
}

}  // namespace
}  // namespace sortlab
