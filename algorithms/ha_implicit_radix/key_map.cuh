// How a key becomes digits: all its bits in the total order (exact), or the 23 that the float mode of section 3.3
// keeps.
#pragma once

#include <cstdint>
#include <cuda/std/bit>
#include <type_traits>

#include "generators/key_types.hpp"

namespace sortlab::ha {

/// How to turn the bits of a key type into a word whose unsigned order is the order of the keys, and back: what
/// to_ordered() and from_ordered() do, for all key types of one width by one code.
template <class Word>
struct KeyOrder {
  Word sign;  ///< the sign bit of signed keys and floats, else 0
  Word real;  ///< all bits but the sign bit of floats, else 0: what a negative float flips besides its sign

  template <class K>
  static constexpr KeyOrder of() {
    constexpr Word sign_bit = Word{1} << (8 * sizeof(Word) - 1);
    return {std::is_signed_v<K> || std::is_floating_point_v<K> ? sign_bit : Word{0},
            std::is_floating_point_v<K> ? static_cast<Word>(~sign_bit) : Word{0}};
  }

  __host__ __device__ Word ordered(Word bits) const { return bits ^ (negative(bits) & real) ^ sign; }
  __host__ __device__ Word bits(Word ordered) const {
    const Word flipped = ordered ^ sign;
    return flipped ^ (negative(flipped) & real);
  }

 private:
  /// All ones if the sign bit is set.
  __host__ __device__ static Word negative(Word word) {
    return static_cast<Word>(static_cast<std::make_signed_t<Word>>(word) >> (8 * sizeof(Word) - 1));
  }
};

/// The normalised linear mapping of [smallest, largest] to [0.5, 1), where all floats share their exponent and differ
/// in 23 bits. Monotone, and not one-to-one.
struct Normalisation {
  float prescale = 1;  ///< a power of two that keeps largest - smallest away from overflow and underflow
  float smallest = 0;  ///< times prescale
  float scale = 0;     ///< of the prescaled range to a width of 0.5

  __host__ __device__ static Normalisation of(float smallest, float largest) {
    const double range = static_cast<double>(largest) - smallest;
    const double prescale = range > 0x1p100 ? 0x1p-100 : range < 0x1p-100 ? 0x1p100 : 1;
    return {static_cast<float>(prescale), static_cast<float>(smallest * prescale),
            range > 0 ? static_cast<float>(0.5 / (range * prescale)) : 0.0F};
  }

  /// The bits of the float in [0.5, 1); 0x3F7FFFFF is the last below 1.
  __host__ __device__ std::uint32_t operator()(float key) const {
    const float normal = 0.5F + (key * prescale - smallest) * scale;
    const float clamped = fminf(fmaxf(normal, 0.5F), 0x1.fffffep-1F);
    return cuda::std::bit_cast<std::uint32_t>(clamped);
  }
};

/// What the sort knows of its keys before the first pass; in device memory if it is the device that finds it out.
template <class Word>
struct Plan {
  Word bias = 0;   ///< subtracted from ordered keys: the range limiter of section 3.3
  int passes = 0;  ///< how many of the launched passes have work
  Normalisation normalisation{};
};

/// Between the passes a key is its ordered word less the bias.
template <class Word>
struct ExactMap {
  KeyOrder<Word> order;
  Plan<Word> plan;

  __device__ Word enter(Word bits) const { return order.ordered(bits) - plan.bias; }
  __device__ Word leave(Word word) const { return order.bits(word + plan.bias); }
  /// At least as large as any key in every digit: stands behind the last key of a tile.
  __device__ static Word last() { return static_cast<Word>(~Word{0}); }
  template <int Bits>
  __device__ unsigned digit(Word word, int shift) const {
    return static_cast<unsigned>(word >> shift) & ((1u << Bits) - 1);
  }
};

/// The key stays what it is, since its mapped value does not lead back to it; every digit is of the mapped value.
struct LossyMap {
  KeyOrder<std::uint32_t> order;
  Plan<std::uint32_t> plan;

  __device__ std::uint32_t enter(std::uint32_t bits) const { return bits; }
  __device__ std::uint32_t leave(std::uint32_t bits) const { return bits; }
  __device__ static std::uint32_t last() { return cuda::std::bit_cast<std::uint32_t>(0x1.fffffep127F); }
  template <int Bits>
  __device__ unsigned digit(std::uint32_t bits, int shift) const {
    return (plan.normalisation(cuda::std::bit_cast<float>(bits)) >> shift) & ((1u << Bits) - 1);
  }
};

inline constexpr int kLossyBits = 23;

}  // namespace sortlab::ha
