// Checks that the current device has the shared memory that the kernels are compiled for; a launch would otherwise fail
// without a reason.
#pragma once

#include <string>

#include "algorithms/msd_radix_gpu/shared_memory.hpp"
#include "core/bad_input.hpp"
#include "core/cuda/check.hpp"

namespace sortlab::msd_gpu {

/// Maximum shared memory of a block on the current device, in bytes.
inline std::uint32_t shared_bytes_of_device() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<std::uint32_t>(bytes);
}

/// Throws BadInput if the current device has less shared memory per block than the build needs.
inline void check_shared_memory() {
  const std::uint32_t bytes = shared_bytes_of_device();
  if (bytes >= kSharedBytes) return;
  const auto kib = [](std::uint32_t amount) { return std::to_string(amount / 1024); };
  throw BadInput("msd_radix_gpu: built for " + kib(kSharedBytes) +
                 " KiB of shared memory per block, but this GPU has " + kib(bytes) +
                 ": build with -D SORTLAB_SHARED_KIB=" + kib(bytes));
}

}  // namespace sortlab::msd_gpu
