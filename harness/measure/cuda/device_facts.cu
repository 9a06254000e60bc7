#include "harness/measure/cuda/device_facts.hpp"

#include "core/cuda/check.hpp"

namespace sortlab {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

DeviceFacts query_device_facts(int device) {
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

}  // namespace sortlab
