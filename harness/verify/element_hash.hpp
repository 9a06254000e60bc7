// The hashes whose sums are the digests of verify.hpp, on host and device.
#pragma once

#include <cstdint>

#include "core/key_types.hpp"

namespace sortlab {
namespace element_hash_detail {

// 64 bits without pattern: the leading fractional bits of the square roots of 2, 3, 5 and 7.
inline constexpr std::uint64_t kRoot2 = 0x6A09E667F3BCC908;
inline constexpr std::uint64_t kRoot3 = 0xBB67AE8584CAA73B;
inline constexpr std::uint64_t kRoot5 = 0x3C6EF372FE94F82B;
inline constexpr std::uint64_t kRoot7 = 0xA54FF53A5F1D36F1;

/// The two halves of the 128-bit product, folded into one.
constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const uint128 product = uint128{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// A permutation of 32-bit words, linear neither in integers nor in bits.
constexpr std::uint32_t permute(std::uint32_t word, std::uint64_t factor, std::uint64_t mask) {
  return word * (static_cast<std::uint32_t>(factor) | 1) ^ static_cast<std::uint32_t>(mask);
}

}  // namespace element_hash_detail

// Each hash is a product of two factors that both depend on the element, so that no sum of keys, and no sum of their
// squares, determines the digest. For 32-bit words the factors have 32 bits: that product exists as a vector
// instruction on every x86-64 (pmuludq), and compilers use it.
constexpr std::uint64_t hash_of_key(std::uint32_t key) {
  using namespace element_hash_detail;
  return std::uint64_t{permute(key, 1, kRoot2)} * permute(key, kRoot3, kRoot5);
}
constexpr std::uint64_t hash_of_key(std::uint64_t key) {
  using namespace element_hash_detail;
  return fold(key ^ kRoot2, key + kRoot3);
}
constexpr std::uint64_t hash_of_key(uint128 key) {
  using namespace element_hash_detail;
  const auto low = static_cast<std::uint64_t>(key);
  return fold(low ^ kRoot2, (static_cast<std::uint64_t>(key >> 64) ^ low) + kRoot3);
}

constexpr std::uint64_t hash_of_pair(std::uint32_t key, std::uint32_t value) {
  using namespace element_hash_detail;
  return std::uint64_t{permute(key, kRoot3, kRoot5)} * permute(value, kRoot5, kRoot7);
}
template <class B, class V>
constexpr std::uint64_t hash_of_pair(B key, V value) {
  using namespace element_hash_detail;
  return fold(hash_of_key(key) ^ kRoot5, value + kRoot7);
}

}  // namespace sortlab
