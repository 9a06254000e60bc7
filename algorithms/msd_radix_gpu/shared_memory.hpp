// Shared memory per block, in KiB, for which the kernels are compiled: the minimum over all target architectures
// (harness/setup/shared_memory.cmake).
#pragma once

#include <cstdint>

#ifndef SORTLAB_SHARED_KIB
#define SORTLAB_SHARED_KIB 227  // compute capabilities 9.0 and 10.0
#endif

namespace sortlab::msd_gpu {

/// Maximum shared memory of a block, in bytes
inline constexpr std::uint32_t kSharedBytes = SORTLAB_SHARED_KIB * 1024;
static_assert(kSharedBytes >= 64 * 1024);  // 7.5 has the least

/// Dynamic shared memory, in bytes, of a block if a multiprocessor holds `blocks` of them. The system reserves 1 KiB
/// per block; static shared memory gets as much.
constexpr std::uint32_t shared_of_blocks(int blocks) {
  constexpr std::uint32_t kBeside = 1024;
  return (kSharedBytes + kBeside) / static_cast<std::uint32_t>(blocks) - 2 * kBeside;
}

inline constexpr std::uint32_t kMaxDynamicBytes = shared_of_blocks(1);

}  // namespace sortlab::msd_gpu
