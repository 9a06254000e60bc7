// MB8, tile primitives of CUB's radix sorts: their kernels' work within a multiprocessor, by CUB's own agents and under
// the policies of the sorts. Keys come from registers, results are discarded, and constants replace other blocks'
// counts.
#pragma once

#include "algorithms/common/cuda/cub_radix_policy.cuh"
#include "algorithms/common/cuda/tile_input.cuh"
#include "core/cuda/check.hpp"

namespace sortlab::calibration {

/// The offset type that DeviceRadixSort uses for a 64-bit count.
using LibraryOffset = unsigned long long;
template <class V>
using LibraryValue = std::conditional_t<std::is_same_v<V, NoValue>, cub::NullType, V>;

/// Calls `f.template operator()<Policy>()` with the policy that a chain of policies holds for the current device. (In
/// host code the chain's ActivePolicy is that of the oldest.)
template <class F>
struct WithPolicy {
  const F& f;
  template <class Policy>
  cudaError_t Invoke() const {
    f.template operator()<Policy>();
    return cudaSuccess;
  }
};
template <class MaxPolicy, class F>
void with_policy(const F& f) {
  int version = 0;
  check(cub::PtxVersion(version));
  WithPolicy<F> with{f};
  check(MaxPolicy::Invoke(version, with));
}

/// Digit by which a tile is ranked: the highest bits of keys of which only `mask` varies.
template <class Key>
struct TileDigit {
  Key mask;
  int bit;
  int bits;
};

/// Mask for keys whose `bits`-bit digits take 2^entropy values with equal frequency: all digits, from the lowest on.
template <class Key>
Key digits_mask(int bits, int entropy) {
  Key mask = 0;
  for (int bit = 0; bit < static_cast<int>(8 * sizeof(Key)); bit += bits) mask |= ((Key{1} << entropy) - 1) << bit;
  return mask;
}

/// The same for the highest digit only; the bits below are random.
template <class Key>
TileDigit<Key> tile_digit(int bits, int entropy) {
  const int bit = static_cast<int>(8 * sizeof(Key)) - bits;
  const Key below = (Key{1} << bit) - 1, varying = ((Key{1} << entropy) - 1) << bit;
  return {.mask = below | varying, .bit = bit, .bits = bits};
}

}  // namespace sortlab::calibration
