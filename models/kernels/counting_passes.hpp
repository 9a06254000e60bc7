// Family C: a tile is ordered by 2-bit splits, each of which counts its four digits in one scan. As printed, pre-sorted
// tiles pass through memory; recomputed, a kernel that only counts comes first. Both sorts of Ha et al. run these
// passes.
#pragma once

#include <string>

#include "core/lsd_digits.hpp"
#include "models/kernels/device_kernel.hpp"

namespace sortlab {

/// Launches of a sort, as its plan states them.
struct CountingPasses {
  LsdDigits digits;
  double tile = 0;           ///< elements of a block
  bool wide = false;         ///< a wide tile, of 64-bit counters
  bool stored = false;       ///< ordered tiles pass through memory before the shuffle
  bool pairs = false;        ///< passes but the last write keys and values together
  double counter_bytes = 0;  ///< bytes of a counter per digit and tile
  double offset_bytes = 0;   ///< bytes of its prefix sum
  std::string ordering;      ///< table of ordering a tile
  std::string shuffle;       ///< table of shuffling ordered tiles
  std::string count;         ///< table of counting a tile's digits alone
};

/// Prediction of all phases of a sort.
Prediction counting_passes(const Workload& workload, const CountingPasses& sort, const DistributionView& view,
                           const DeviceCosts& device);

}  // namespace sortlab
