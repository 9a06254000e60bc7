// Mapping from a key to its digits: all its bits in the total order (exact), or the 23 that the float mode of section
// 3.3 keeps.
#pragma once

#include "algorithms/common/cuda/key_order.cuh"
#include "core/unit_floats.hpp"

namespace sortlab::ha {

/// Facts about the keys known before the first pass; in device memory if computed there.
template <class Word>
struct Plan {
  Word bias = 0;             ///< subtracted from ordered keys: the range limiter of section 3.3
  int passes = 0;            ///< number of launched passes that have work
  UnitFloats unit_floats{};  ///< parameters of the lossy map
};

/// Exact map: between passes a key is stored as its ordered word minus the bias.
template <class Word>
struct ExactMap {
  KeyOrder<Word> order;
  Plan<Word> plan;

  __device__ Word enter(Word bits) const { return order.ordered(bits) - plan.bias; }
  __device__ Word leave(Word word) const { return order.restored(word + plan.bias); }
  /// Padding of a tile after its last key: no key has a greater digit.
  __device__ static Word last() { return static_cast<Word>(~Word{0}); }
  template <int Bits>
  __device__ unsigned digit(Word word, int shift) const {
    return static_cast<unsigned>(word >> shift) & ((1u << Bits) - 1);
  }
};

/// Lossy map: the key itself is kept, since the map is not invertible; digits are taken from the mapped value.
struct LossyMap {
  KeyOrder<std::uint32_t> order;
  Plan<std::uint32_t> plan;

  __device__ std::uint32_t enter(std::uint32_t bits) const { return bits; }
  __device__ std::uint32_t leave(std::uint32_t bits) const { return bits; }
  __device__ static std::uint32_t last() { return std::bit_cast<std::uint32_t>(0x1.fffffep127F); }
  template <int Bits>
  __device__ unsigned digit(std::uint32_t bits, int shift) const {
    return (plan.unit_floats(std::bit_cast<float>(bits)) >> shift) & ((1u << Bits) - 1);
  }
};

}  // namespace sortlab::ha
