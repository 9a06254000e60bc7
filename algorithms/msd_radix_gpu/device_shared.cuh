// Whether the current device has the shared memory that the kernels are shaped for: a launch would otherwise fail
// without a word of why.
#pragma once

#include <string>

#include "algorithms/msd_radix_gpu/shared_memory.hpp"
#include "core/bad_input.hpp"
#include "core/cuda/check.hpp"

namespace sortlab::msd_gpu {

/// Bytes of shared memory that a block can have on the current device.
inline std::uint32_t shared_bytes_of_device() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<std::uint32_t>(bytes);
}

/// Throws BadInput.
inline void check_shared_memory() {
  const std::uint32_t bytes = shared_bytes_of_device();
  if (bytes >= kSharedBytes) return;
  const auto kib = [](std::uint32_t of) { return std::to_string(of / 1024); };
  throw BadInput("msd_radix_gpu: built for " + kib(kSharedBytes) +
                 " KiB of shared memory a block, of which this GPU has " + kib(bytes) +
                 ": build with -D SORTLAB_SHARED_KIB=" + kib(bytes));
}

}  // namespace sortlab::msd_gpu
