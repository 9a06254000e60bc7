// Policies of CUB's radix sorts with another digit width or another tile.
#pragma once

#include <cub/device/dispatch/dispatch_radix_sort.cuh>

#include <algorithm>

namespace sortlab::cub_radix_policy {

enum class Form : std::uint8_t { onesweep, two_read };

/// A block's tile in the one-sweep form, and its ranking algorithm.
template <int Threads, int Items, cub::RadixRankAlgorithm Rank>
struct Tile {
  static constexpr int threads = Threads;
  static constexpr int items = Items;  ///< items per thread
  static constexpr cub::RadixRankAlgorithm rank = Rank;
};

/// The toolkit's own tile for compute capability 9.0.
template <class K, class V, class Offset>
using ShippedTile = Tile<cub::detail::radix::policy_hub<K, V, Offset>::Policy900::OnesweepPolicy::BLOCK_THREADS,
                         cub::detail::radix::policy_hub<K, V, Offset>::Policy900::OnesweepPolicy::ITEMS_PER_THREAD,
                         cub::RADIX_RANK_MATCH_EARLY_COUNTS_ANY>;

/// Policy for DispatchRadixSort. Everything except the tile is the toolkit's own: from its policy for compute
/// capability 9.0 in the one-sweep form, and from that for 8.0, the last one it tuned, in the older form with an
/// upsweep and a downsweep.
template <class K, class V, class Offset, int DigitBits, Form F, class OnesweepTile = ShippedTile<K, V, Offset>>
struct Hub {
  using Tuned900 = typename cub::detail::radix::policy_hub<K, V, Offset>::Policy900;
  using Dominant = std::conditional_t<(!std::is_same_v<V, cub::NullType> && sizeof(V) > sizeof(K)), V, K>;
  // Policies scale their threads and items by the widest type: these are the scaled values.
  using Unscaled = std::uint32_t;

  struct MaxPolicy : cub::ChainedPolicy<900, MaxPolicy, MaxPolicy> {
    static constexpr bool ONESWEEP = F == Form::onesweep;
    static constexpr int ONESWEEP_RADIX_BITS = DigitBits;

    using HistogramPolicy = cub::AgentRadixSortHistogramPolicy<128, 16, 1, K, DigitBits>;
    using ExclusiveSumPolicy = cub::AgentRadixSortExclusiveSumPolicy<256, DigitBits>;
    using OnesweepPolicy =
        cub::AgentRadixSortOnesweepPolicy<OnesweepTile::threads, OnesweepTile::items, Unscaled, 1, OnesweepTile::rank,
                                          cub::BLOCK_SCAN_RAKING_MEMOIZE, cub::RADIX_SORT_STORE_DIRECT, DigitBits>;

    using ScanPolicy = typename Tuned900::ScanPolicy;
    template <int Threads, int Items, cub::RadixRankAlgorithm Rank, int Bits>
    using Downsweep = cub::AgentRadixSortDownsweepPolicy<Threads, Items, Dominant, cub::BLOCK_LOAD_TRANSPOSE,
                                                         cub::LOAD_DEFAULT, Rank, cub::BLOCK_SCAN_WARP_SCANS, Bits>;
    template <int Items, int Bits>
    using Upsweep = cub::AgentRadixSortUpsweepPolicy<256, Items, Dominant, cub::LOAD_DEFAULT, Bits>;
    using DownsweepPolicy = Downsweep<512, 23, cub::RADIX_RANK_MATCH, DigitBits>;
    using UpsweepPolicy = Upsweep<23, DigitBits>;
    // The alternate policy, one bit narrower, takes the remaining bits.
    using AltDownsweepPolicy = Downsweep<256, 47, cub::RADIX_RANK_MEMOIZE, DigitBits - 1>;
    using AltUpsweepPolicy = Upsweep<47, DigitBits - 1>;

    using SingleTilePolicy =
        cub::AgentRadixSortDownsweepPolicy<256, 19, Dominant, cub::BLOCK_LOAD_DIRECT, cub::LOAD_LDG,
                                           cub::RADIX_RANK_MEMOIZE, cub::BLOCK_SCAN_WARP_SCANS, std::min(DigitBits, 6)>;
  };
};

}  // namespace sortlab::cub_radix_policy
