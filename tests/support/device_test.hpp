// Fixture for tests that need a CUDA device, and are skipped with a message without one.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <vector>

#include "core/cuda/device_memory.hpp"

namespace sortlab {

class DeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess) GTEST_SKIP() << "no CUDA device: " << cudaGetErrorString(error);
    if (devices == 0) GTEST_SKIP() << "no CUDA device";
  }

  /// True if the device has this much free memory.
  static bool has_memory(std::uint64_t bytes) {
    std::size_t free = 0;
    std::size_t all = 0;
    check(cudaMemGetInfo(&free, &all));
    return free >= bytes;
  }
};

inline void copy_to_device(void* device, const void* host, std::size_t bytes) {
  if (bytes > 0) check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
}
inline void copy_to_host(void* host, const void* device, std::size_t bytes) {
  if (bytes > 0) check(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}

/// Seconds of the fastest of `times` calls, each until the device is idle.
template <class Call>
double quickest(int times, const Call& call) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < times; ++i) {
    check(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    call();
    check(cudaDeviceSynchronize());
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

}  // namespace sortlab
