// Maps the integers that a distribution draws to keys of each type.
//
// Distributions draw *ranks*: integers r in [0, 2^range_bits), whose order is the order of the keys. Integer keys are
// r, or r - 2^(w-1) if r takes all bits of a signed type. Float keys are by default values evenly spaced in [-1, 1): r
// is scaled linearly and cut to the 24 or 53 bits of a significand, so that the conversion is exact and the same
// everywhere. Raw float keys have r as their bit pattern, which includes infinities and NaN if r takes all bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "core/host_device.hpp"
#include "core/key_types.hpp"
#include "generators/distribution.hpp"

namespace sortlab {

/// The range of an input's ranks, and their conversion to float keys.
struct KeySpace {
  int range_bits = 32;      ///< ranks are below 2^range_bits; 1 to the width of the key
  bool raw_floats = false;  ///< float keys are bit patterns, not values

  /// log2 of the number of distinct keys: less than range_bits if floats lose low bits.
  int distinct_bits(KeyType key) const {
    if (!is_float(key) || raw_floats) return range_bits;
    return std::min(range_bits, key == KeyType::f32 ? 24 : 53);
  }
  /// True if some rank becomes a NaN, since the exponent can be all ones.
  bool has_nan(KeyType key) const {
    return is_float(key) && raw_floats && range_bits >= 8 * static_cast<int>(byte_size(key)) - 1;
  }
};

/// Width of a key in bits.
inline int key_width(KeyType key) {
  return 8 * static_cast<int>(byte_size(key));
}

/// Makes the bit pattern of a key of type K from a rank.
template <class K>
class KeyOfRank {
 public:
  constexpr explicit KeyOfRank(const KeySpace& space)
      : full_(space.range_bits == 8 * static_cast<int>(sizeof(K))), raw_(space.raw_floats) {
    if constexpr (std::is_floating_point_v<K>) {
      const int kept = std::min(space.range_bits, std::numeric_limits<K>::digits);
      cut_ = space.range_bits - kept;
      centre_ = Bits<K>{1} << (kept - 1);
      scale_ = K{1} / static_cast<K>(centre_);
    }
  }

  constexpr Bits<K> operator()(Bits<K> rank) const {
    if constexpr (std::is_floating_point_v<K>) {
      if (!raw_) {
        using Signed = std::make_signed_t<Bits<K>>;
        return std::bit_cast<Bits<K>>(static_cast<K>(static_cast<Signed>((rank >> cut_) - centre_)) * scale_);
      }
    }
    return full_ ? std::bit_cast<Bits<K>>(from_ordered<K>(rank)) : rank;
  }

 private:
  bool full_;
  bool raw_;
  int cut_ = 0;
  Bits<K> centre_{};
  std::conditional_t<std::is_floating_point_v<K>, K, int> scale_{};
};

/// The bit pattern of the key whose value is the integer `value`. f32 rounds above 2^24 and f64 above 2^53.
template <class K>
constexpr Bits<K> key_of_integer(std::uint64_t value) {
  return std::bit_cast<Bits<K>>(static_cast<K>(value));
}

/// Reads or writes a key as a bit pattern, at any alignment and regardless of the effective type of the memory.
template <class B>
SORTLAB_HOST_DEVICE B load(const void* keys, std::uint64_t i) {
  B bits;
  std::memcpy(&bits, static_cast<const std::byte*>(keys) + i * sizeof(B), sizeof(B));
  return bits;
}
template <class B>
SORTLAB_HOST_DEVICE void store(void* keys, std::uint64_t i, B bits) {
  std::memcpy(static_cast<std::byte*>(keys) + i * sizeof(B), &bits, sizeof(B));
}

/// The option `range_bits`. auto: the width of the key.
Parameter range_bits_parameter();
/// The option `floats`: `values`, evenly spaced in [-1, 1), or `raw`, bit patterns that include NaN.
Parameter floats_parameter();

/// Reads both options.
KeySpace key_space(const Input& input);
/// 1/2 if uniform ranks give keys whose bits are all uniform and independent, else nullopt.
std::optional<double> uniform_bit_probability(const Input& input);
/// The reason the options do not suit the key type, or nullopt.
std::optional<std::string> key_space_declines(const Input& input);
/// The parameters with range_bits resolved.
Parameters resolve_key_space(const Input& input);

}  // namespace sortlab
