#include "harness/machine/core_distance.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "core/affinity.hpp"
#include "core/raw_clock.hpp"
#include "core/statistics.hpp"

namespace sortlab {
namespace {

constexpr int kRounds = 16;                          ///< readings, of which the median counts: an interrupt spoils one
constexpr int kTrips = 32;                           ///< round trips a reading, some 10 us
constexpr std::chrono::microseconds kPatience{500};  ///< for one reading: a thread may not get its processor

/// Waits for `value`; false once the time is up.
bool await(const std::atomic<int>& line, int value, RawClock::time_point end) {
  for (int looks = 1; line.load(std::memory_order_acquire) != value; ++looks) {
    if (looks % 1024 == 0 && RawClock::now() > end) return false;
  }
  return true;
}

}  // namespace

double core_distance_s(int one, int other) {
  alignas(64) std::atomic<int> line = 0;
  const auto end = RawClock::now() + kRounds * kPatience;
  std::jthread answering([&] {
    const Pinned here({other});
    for (int trip = 0; trip < kRounds * kTrips; ++trip) {
      if (!await(line, 2 * trip + 1, end)) return;
      line.store(2 * trip + 2, std::memory_order_release);
    }
  });
  const Pinned here({one});
  std::vector<double> seconds;
  int trip = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = RawClock::now();
    for (int i = 0; i < kTrips; ++i, ++trip) {
      line.store(2 * trip + 1, std::memory_order_release);
      if (!await(line, 2 * trip + 2, end)) return 0;
    }
    seconds.push_back(std::chrono::duration<double>(RawClock::now() - begin).count() / (2 * kTrips));
  }
  return median(seconds);
}

}  // namespace sortlab
