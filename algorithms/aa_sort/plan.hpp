// What the sort does and its model charges: blocks, the gaps of comb sort within them (comb_gap.hpp), and how many
// passes it makes (comb_passes.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "algorithms/aa_sort/comb_gap.hpp"
#include "algorithms/aa_sort/comb_passes.hpp"

namespace sortlab::aa {

/// A block is a multiple of this many keys, unless it is full: whole squares of lanes.
inline constexpr std::uint64_t kBlockUnit = 1024;

/// Keys of a block of at most `bytes`, no more than a thread's part of n.
constexpr std::uint64_t block_keys(std::uint64_t n, int threads, std::uint64_t bytes, std::size_t key_bytes) {
  const std::uint64_t part = (n / static_cast<std::uint64_t>(threads) + kBlockUnit) / kBlockUnit * kBlockUnit;
  return std::min<std::uint64_t>(bytes / key_bytes, part);
}

}  // namespace sortlab::aa
