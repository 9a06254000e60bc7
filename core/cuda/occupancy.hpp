// Shared memory and resident blocks of a kernel.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/cuda/check.hpp"

namespace sortlab {

/// Allows `kernel` to be launched with `bytes` bytes of dynamic shared memory; more than 48 KiB need that. The limit is
/// the kernel's: where sorters with other settings share it, set it before each launch.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, std::size_t bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

/// Number of blocks of `kernel` that the current device holds at once, with `shared_bytes` bytes of dynamic shared
/// memory, which it allows; at least one per multiprocessor.
template <class Kernel>
unsigned resident_blocks(Kernel* kernel, int threads, std::size_t shared_bytes) {
  if (shared_bytes > 0) allow_shared_memory(kernel, shared_bytes);
  int device = 0, multiprocessors = 0, blocks = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
  return static_cast<unsigned>(std::max(blocks, 1) * multiprocessors);
}

}  // namespace sortlab
