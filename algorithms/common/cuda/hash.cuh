// Synthetic random words of the probes, in registers.
#pragma once

#include <cstdint>

namespace sortlab::calibration {

/// A permutation of the 32-bit words that mixes all bits (the finalizer of MurmurHash3, Appleby 2011).
__device__ inline std::uint32_t hash(std::uint32_t word) {
  word ^= word >> 16;
  word *= 0x85ebca6b;
  word ^= word >> 13;
  word *= 0xc2b2ae35;
  return word ^ word >> 16;
}

}  // namespace sortlab::calibration
