// The shared memory that the kernels are shaped for: the least that a block can have on any architecture that is
// compiled for (harness/setup/shared_memory.cmake), in KiB.
#pragma once

#include <cstdint>

#ifndef SORTLAB_SHARED_KIB
#define SORTLAB_SHARED_KIB 227  // compute capabilities 9.0 and 10.0
#endif

namespace sortlab::msd_gpu {

inline constexpr std::uint32_t kSharedBytes = SORTLAB_SHARED_KIB * 1024;  ///< of a block, at most
static_assert(kSharedBytes >= 64 * 1024);                                 // 7.5 has the least

/// Dynamic shared memory of a block of which a multiprocessor holds `blocks`: beside each the system takes 1 KiB, and
/// what is not dynamic as much.
constexpr std::uint32_t shared_of_blocks(int blocks) {
  constexpr std::uint32_t kBeside = 1024;
  return (kSharedBytes + kBeside) / static_cast<std::uint32_t>(blocks) - 2 * kBeside;
}

inline constexpr std::uint32_t kMostDynamic = shared_of_blocks(1);

}  // namespace sortlab::msd_gpu
