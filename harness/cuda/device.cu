#include "harness/cuda/device.hpp"

namespace sortlab {
namespace {

/// How long the clock of the multiprocessors is watched, in nanoseconds.
constexpr std::uint64_t kClockWatched = 100'000;

/// Cycles a nanosecond of this multiprocessor.
__global__ void watch_clock(double* cycles_a_nanosecond) {
  // From step to step of the timer, which on some devices advances once a microsecond only.
  std::uint64_t begin = nanoseconds();
  for (const std::uint64_t before = begin; begin == before;) begin = nanoseconds();
  const std::int64_t cycles = clock64();
  std::uint64_t end = begin;
  while (end - begin < kClockWatched) end = nanoseconds();
  *cycles_a_nanosecond = static_cast<double>(clock64() - cycles) / static_cast<double>(end - begin);
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

DeviceFacts facts_of(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  int kilohertz = 0;
  int driver = 0;
  int runtime = 0;
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device));
  check(cudaDriverGetVersion(&driver));
  check(cudaRuntimeGetVersion(&runtime));
  return {.name = properties.name,
          .compute_capability = std::to_string(properties.major) + "." + std::to_string(properties.minor),
          .multiprocessors = properties.multiProcessorCount,
          .clock_hz = 1e3 * kilohertz,
          .memory_bytes = properties.totalGlobalMem,
          .l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize),
          .driver = version_text(driver),
          .runtime = version_text(runtime)};
}

void DeviceClock::watch(cudaStream_t stream) {
  watch_clock<<<1, 1, 0, stream>>>(cycles_a_nanosecond_.address());
  check_launch();
}

}  // namespace sortlab
