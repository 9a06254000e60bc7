// The plan that the sort runs and its model charges: blocks, the gaps of comb sort within them (comb_gap.hpp), and the
// number of its passes (comb_passes.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "algorithms/aa_sort/comb_gap.hpp"
#include "algorithms/aa_sort/comb_passes.hpp"

namespace sortlab::aa {

/// Unit of block sizes in keys: whole squares of lanes. Only a full block may have another size.
inline constexpr std::uint64_t kBlockUnit = 1024;

/// Number of keys in a block of at most `bytes`, and of at most one thread's share of n.
constexpr std::uint64_t block_keys(std::uint64_t n, int threads, std::uint64_t bytes, std::size_t key_bytes) {
  const std::uint64_t part = (n / static_cast<std::uint64_t>(threads) + kBlockUnit) / kBlockUnit * kBlockUnit;
  return std::min<std::uint64_t>(bytes / key_bytes, part);
}

}  // namespace sortlab::aa
