#include "core/cuda/stream_hold_and_clock.hpp"

#include <cstdint>

namespace sortlab {
namespace {

/// Maximum hold of a stream, in nanoseconds: without a limit, work that waits for the device would deadlock.
constexpr std::uint64_t kLongestHold = 500'000'000;
/// Time for which the multiprocessors' clock is observed, in nanoseconds.
constexpr std::uint64_t kClockWatched = 100'000;

__device__ std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Ends when the host writes 1, or after a while by itself; in that case it writes 2.
__global__ void hold_stream(volatile int* released) {
  const std::uint64_t begin = nanoseconds();
  while (*released == 0) {
    if (nanoseconds() - begin > kLongestHold) *released = 2;
  }
}

/// Measures this multiprocessor's cycles per nanosecond.
__global__ void watch_clock(double* cycles_per_nanosecond) {
  // Measured from tick to tick of the timer, which on some devices advances only once per microsecond.
  std::uint64_t begin = nanoseconds();
  for (const std::uint64_t before = begin; begin == before;) begin = nanoseconds();
  const std::int64_t cycles = clock64();
  std::uint64_t end = begin;
  while (end - begin < kClockWatched) end = nanoseconds();
  *cycles_per_nanosecond = static_cast<double>(clock64() - cycles) / static_cast<double>(end - begin);
}

}  // namespace

void StreamHold::begin(cudaStream_t stream) {
  *released_ = 0;
  hold_stream<<<1, 1, 0, stream>>>(released_.address());
  check_launch();
}

bool StreamHold::end() {
  const bool in_time = *released_ == 0;
  *released_ = 1;
  return in_time;
}

void DeviceClock::watch(cudaStream_t stream) {
  watch_clock<<<1, 1, 0, stream>>>(cycles_a_nanosecond_.address());
  check_launch();
}

double DeviceClock::hz() const {
  return 1e9 * *cycles_a_nanosecond_;
}

}  // namespace sortlab
