// Counts of keys that one pass over a file collects, chunk by chunk, by several threads.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "core/key_types.hpp"

namespace sortlab {

/// HyperLogLog (Flajolet et al. 2007): an estimate of the number of distinct keys, with a standard error of 0.8 %.
class DistinctCounter {
 public:
  void add(std::uint64_t hash) {
    std::uint8_t& seen = registers_[hash >> (64 - kIndexBits)];
    const auto rank = static_cast<std::uint8_t>(std::countl_zero(hash << kIndexBits | 1) + 1);
    if (rank > seen) seen = rank;
  }
  void merge(const DistinctCounter& other) {
    for (std::size_t i = 0; i < registers_.size(); ++i) registers_[i] = std::max(registers_[i], other.registers_[i]);
  }
  double estimate() const {
    constexpr auto m = static_cast<double>(kRegisters);
    constexpr double alpha = 0.7213 / (1 + 1.079 / m);
    double sum = 0;
    std::size_t empty = 0;
    for (const std::uint8_t rank : registers_) {
      sum += std::ldexp(1.0, -rank);
      empty += rank == 0;
    }
    const double raw = alpha * m * m / sum;
    // Few keys: linear counting, which is closer there.
    return raw <= 2.5 * m && empty > 0 ? m * std::log(m / static_cast<double>(empty)) : raw;
  }
  static constexpr double standard_error() { return 1.04 / 128; }  // 1.04 / sqrt(registers)

 private:
  static constexpr int kIndexBits = 14;
  static constexpr std::size_t kRegisters = std::size_t{1} << kIndexBits;
  std::vector<std::uint8_t> registers_ = std::vector<std::uint8_t>(kRegisters);
};

/// First and last key of a chunk, for what lies between two of them.
struct ChunkEnds {
  uint128 first = 0;
  uint128 last = 0;
};

/// Counts of the keys of some chunks.
struct KeyCounts {
  uint128 smallest = ~uint128{0};
  uint128 largest = 0;
  std::array<std::array<std::uint64_t, 256>, 16> digits{};  ///< counts by digit, lowest first
  std::uint64_t descents = 0;
  std::uint64_t repeats = 0;
  std::uint64_t nan = 0;
  std::uint64_t infinite = 0;
  std::uint64_t zeros = 0;
  DistinctCounter distinct;

  void merge(const KeyCounts& other) {
    smallest = std::min(smallest, other.smallest);
    largest = std::max(largest, other.largest);
    for (std::size_t d = 0; d < digits.size(); ++d) {
      for (std::size_t v = 0; v < digits[d].size(); ++v) digits[d][v] += other.digits[d][v];
    }
    descents += other.descents;
    repeats += other.repeats;
    nan += other.nan;
    infinite += other.infinite;
    zeros += other.zeros;
    distinct.merge(other.distinct);
  }

  /// Adds consecutive keys, at least one, and returns their ends.
  template <class K>
  ChunkEnds add(const std::byte* bytes, std::uint64_t count) {
    using B = Bits<K>;
    // Counters of 32 bits, twice, so that a digit that comes again and again does not wait for its own counter.
    std::array<std::array<std::array<std::uint32_t, 256>, sizeof(K)>, 2> counters{};
    B least = static_cast<B>(~B{0});
    B most = 0;
    const auto key_at = [&](std::uint64_t i) {
      K key;
      std::memcpy(&key, bytes + i * sizeof(K), sizeof(K));
      return key;
    };
    const B first = to_ordered(key_at(0));
    B before = first;
    std::uint64_t descending = 0;
    std::uint64_t equal = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const K key = key_at(i);
      const B bits = to_ordered(key);
      auto& at = counters[i % 2];
      for (std::size_t d = 0; d < sizeof(K); ++d) ++at[d][static_cast<std::uint8_t>(bits >> (8 * d))];
      least = std::min(least, bits);
      most = std::max(most, bits);
      descending += bits < before;
      equal += bits == before;
      before = bits;
      distinct.add(hash(bits));
      if constexpr (std::is_floating_point_v<K>) {
        nan += key != key;
        infinite += std::abs(key) == std::numeric_limits<K>::infinity();
        zeros += key == 0;
      }
    }
    for (const auto& half : counters) {
      for (std::size_t d = 0; d < sizeof(K); ++d) {
        for (std::size_t v = 0; v < 256; ++v) digits[d][v] += half[d][v];
      }
    }
    smallest = std::min<uint128>(smallest, least);
    largest = std::max<uint128>(largest, most);
    descents += descending;
    repeats += equal - 1;  // the first key was compared with itself
    return {first, before};
  }

 private:
  template <class B>
  static std::uint64_t hash(B bits) {
    auto z = static_cast<std::uint64_t>(bits);
    if constexpr (sizeof(B) == 16) z ^= static_cast<std::uint64_t>(bits >> 64) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;  // the finaliser of SplitMix64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) * 0x9E3779B97F4A7C15u;
  }
};

}  // namespace sortlab
