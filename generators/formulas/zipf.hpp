// Zipf's law: maps 64 random bits to a rank, and a rank to a key.
#pragma once

#include <string>

#include "generators/key_space.hpp"
#include "generators/random_integers.hpp"
#include "generators/zipf_table.hpp"

namespace sortlab {

/// A bijective mix of 64 or 32 bits (the finalisers of MurmurHash3, Appleby).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
  return x ^ x >> 33;
}
constexpr std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x85ebca6b;
  x = (x ^ x >> 13) * 0xc2b2ae35;
  return x ^ x >> 16;
}

/// A bijective map from ranks, counted from 0, to B. Rank 0 does not map to 0.
template <class B>
constexpr B hashed(std::uint64_t rank) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  if constexpr (sizeof(B) == 4) {
    return mixed(static_cast<std::uint32_t>(rank + (golden >> 32)));
  } else {
    const std::uint64_t high = mixed(rank + golden);
    return sizeof(B) == 8 ? B{high} : static_cast<B>(uint128{high} << 64 | mixed(high + golden));
  }
}

/// The rank, counted from 0, with its bits reversed over the w bits of B.
template <class B>
constexpr B bit_reversed(std::uint64_t rank) {
  constexpr std::uint64_t odd[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                   0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  std::uint64_t x = rank;
  for (int b = 0; b < 6; ++b) x = (x >> (1 << b) & odd[b]) | (x & odd[b]) << (1 << b);
  return sizeof(B) == 16 ? static_cast<B>(uint128{x} << 64) : static_cast<B>(x >> (64 - 8 * sizeof(B)) % 64);
}

// The key of rank i, counted from 1.
template <class K>
struct ZipfIdentity {
  constexpr Bits<K> operator()(std::uint64_t i) const { return key_of_integer<K>(i); }
};
template <class K>
struct ZipfHashed {
  KeyOfRank<K> to_key{{.range_bits = 8 * sizeof(K)}};
  constexpr Bits<K> operator()(std::uint64_t i) const { return to_key(hashed<Bits<K>>(i - 1)); }
};
template <class K>
struct ZipfBitReversed {
  KeyOfRank<K> to_key{{.range_bits = 8 * sizeof(K)}};
  constexpr Bits<K> operator()(std::uint64_t i) const { return to_key(bit_reversed<Bits<K>>(i - 1)); }
};

/// Calls `f` with the map that the input's parameter `map` names.
template <class K, class F>
void with_zipf_map(const Input& input, const F& f) {
  const std::string& map = input.parameters.word("map");
  if (map == "identity") return f(ZipfIdentity<K>{});
  if (map == "hashed") return f(ZipfHashed<K>{});
  f(ZipfBitReversed<K>{});
}

/// Number of distinct keys; by default n.
inline std::uint64_t zipf_distinct(const Input& input) {
  if (!input.parameters.is_auto("distinct")) return static_cast<std::uint64_t>(input.parameters.integer("distinct"));
  return std::max<std::uint64_t>(input.n, 1);
}

template <class K, class Map>
struct ZipfKeys {
  using Pattern = Bits<K>;
  static constexpr int kWords = 2;
  ZipfTableView table;
  Map to_key;

  SORTLAB_HOST_DEVICE void operator()(std::uint64_t, std::uint64_t count, const std::uint32_t* words,
                                      void* chunk) const {
    for (std::uint64_t i = 0; i < count; ++i) store(chunk, i, to_key(table.rank(random64(words + 2 * i))));
  }
};

}  // namespace sortlab
