// Sets of lanes of a warp, as 32-bit words.
#pragma once

#include <cstdint>

namespace sortlab {

/// Mask of the lanes before this one.
inline __device__ std::uint32_t lanes_before() {
  std::uint32_t lanes;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
  return lanes;
}

/// Mask of the warp's lanes with a bit of `mask` set in `word`. In assembly, since from C++ the compiler makes a shift,
/// a mask and a comparison where one instruction suffices.
inline __device__ std::uint32_t ballot(std::uint32_t word, std::uint32_t mask) {
  std::uint32_t lanes;
  asm volatile(
      "{\n\t"
      ".reg .pred is_set;\n\t"
      ".reg .b32 bits;\n\t"
      "and.b32 bits, %1, %2;\n\t"
      "setp.ne.u32 is_set, bits, 0;\n\t"
      "vote.sync.ballot.b32 %0, is_set, 0xffffffff;\n\t"
      "}"
      : "=r"(lanes)
      : "r"(word), "r"(mask));
  return lanes;
}

}  // namespace sortlab
