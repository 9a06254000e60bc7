// Functions that make inputs for tests of generators.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "generators/distribution.hpp"

namespace sortlab {

/// An input of the distribution and parameters in `text` ("thearling:ands=2").
inline Input make_input(const std::string& text, KeyType key, std::uint64_t n, std::uint64_t seed = 1) {
  return {.key = key, .n = n, .seed = seed, .parameters = parse_distribution(text).parameters};
}

/// The bytes of an input. Memory beyond the keys is guarded.
inline std::vector<std::byte> input_bytes(const std::string& text, KeyType key, std::uint64_t n, std::uint64_t seed = 1,
                                          int threads = 1) {
  const std::size_t size = n * byte_size(key);
  constexpr std::size_t guard = 64;
  std::vector<std::byte> memory(size + 2 * guard, std::byte{0xA5});
  parse_distribution(text).distribution->fill(make_input(text, key, n, seed), memory.data() + guard, threads);
  for (std::size_t i = 0; i < guard; ++i) {
    if (memory[i] != std::byte{0xA5} || memory[guard + size + i] != std::byte{0xA5}) {
      throw std::logic_error(text + " writes outside its keys");
    }
  }
  return {memory.begin() + guard, memory.begin() + static_cast<std::ptrdiff_t>(guard + size)};
}

/// The keys of an input; K is the C++ type of the key.
template <class K>
std::vector<K> input_keys(const std::string& text, KeyType key, std::uint64_t n, std::uint64_t seed = 1,
                          int threads = 1) {
  const auto bytes = input_bytes(text, key, n, seed, threads);
  std::vector<K> keys(n);
  if (n > 0) std::memcpy(keys.data(), bytes.data(), bytes.size());
  return keys;
}

/// Empirical entropy of the keys in bits.
template <class K>
double measured_entropy(const std::vector<K>& keys) {
  std::map<Bits<K>, std::uint64_t> counts;
  for (const K key : keys) ++counts[to_ordered(key)];
  double entropy = 0;
  for (const auto& [key, count] : counts) {
    const double share = static_cast<double>(count) / static_cast<double>(keys.size());
    entropy -= share * std::log2(share);
  }
  return entropy;
}

/// FNV-1a, 64 bits.
inline std::uint64_t digest(const std::vector<std::byte>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::byte b : bytes) hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
  return hash;
}

}  // namespace sortlab
