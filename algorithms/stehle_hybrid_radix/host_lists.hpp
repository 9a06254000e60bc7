// Lists of the next pass made on the host from the ends of the sub-buckets, as in the authors' code (X25).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "algorithms/stehle_hybrid_radix/lists.hpp"

namespace sortlab::hybrid_radix {

/// A bucket to be partitioned; its index in the list is its number.
struct HostBucket {
  std::uint64_t keys;   ///< begin of its keys
  std::uint64_t count;  ///< number of keys
};

template <class Offset>
struct HostLists {
  std::vector<HostBucket> buckets;
  std::vector<BlockAssignment<Offset>> blocks;
  std::vector<LocalBucket<Offset>> local;  ///< class after class
  PassState state{};  ///< only the counters of local buckets: the device knows this pass's buckets and blocks
};

/// Lists all keys as one bucket, too large for a local sort.
template <class Offset>
HostLists<Offset> input_as_bucket(std::uint64_t n) {
  return {.buckets = {{0, n}}, .blocks = {}, .local = {}, .state = {}};
}

/// Lists the sub-buckets of `buckets`, `digits` per bucket, which end at `ends`.
template <class Offset>
HostLists<Offset> list_sub_buckets(std::span<const HostBucket> buckets, std::span<const Offset> ends,
                                   std::uint32_t digits, const Rules& rules, std::uint32_t block_keys) {
  HostLists<Offset> next;
  std::array<std::vector<LocalBucket<Offset>>, kMaxClasses> local;
  const auto list = [&](std::uint64_t begin, std::uint64_t count, std::uint32_t first, std::uint32_t digit_count) {
    if (count > rules.local_keys) {
      const auto bucket = static_cast<std::uint32_t>(next.buckets.size());
      next.buckets.push_back({begin, count});
      for (std::uint64_t at = 0; at < count; at += block_keys) {
        next.blocks.push_back({static_cast<Offset>(begin + at),
                               static_cast<std::uint32_t>(std::min<std::uint64_t>(block_keys, count - at)), bucket,
                               static_cast<Offset>(begin)});
      }
      return;
    }
    const auto size_class = static_cast<std::size_t>(rules.classes.of(static_cast<std::uint32_t>(count)));
    local[size_class].push_back(
        {static_cast<Offset>(begin), static_cast<std::uint32_t>(count), first | digit_count << 16});
    ++next.state.local[size_class];
    next.state.merged += digit_count > 1 ? 1 : 0;
    next.state.local_keys += count;
  };

  for (std::size_t b = 0; b < buckets.size(); ++b) {
    const std::span<const Offset> of_bucket = ends.subspan(b * digits, digits);
    const auto begin = [&](std::uint32_t d) -> std::uint64_t { return d == 0 ? buckets[b].keys : of_bucket[d - 1]; };
    for (std::uint32_t d = 0; d < digits;) {
      if (of_bucket[d] == begin(d)) {  // an empty sub-bucket joins any group
        ++d;
        continue;
      }
      const std::uint32_t first = d;
      std::uint32_t last = d++;
      for (; d < digits && of_bucket[d] - begin(first) < rules.merge_keys; ++d) {
        if (of_bucket[d] > begin(d)) last = d;
      }
      list(begin(first), of_bucket[last] - begin(first), first, last + 1 - first);
    }
  }
  for (const auto& of_class : local) next.local.insert(next.local.end(), of_class.begin(), of_class.end());
  return next;
}

}  // namespace sortlab::hybrid_radix
