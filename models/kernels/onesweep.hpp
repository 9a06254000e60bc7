// CUB's radix sort with one sweep per pass, as cub_radix, cub_radix_tuned,
// cub_radix_lsd and Thrust run it. One read of the keys makes the histograms of all digits. Then one kernel per pass
// ranks tiles, finds their digits' offsets by decoupled look-back, and scatters.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/lsd_digits.hpp"
#include "models/kernels/device_kernel.hpp"

namespace sortlab {

/// Launches of a sort, as its plan states them.
struct OneSweep {
  LsdDigits digits;
  double tile;                ///< elements of a block
  double items;               ///< elements of a thread
  double histogram_tile;      ///< elements that a block counts at once
  double look_back_bytes;     ///< bytes that a tile publishes for each digit
  std::uint64_t portion;      ///< largest number of elements of one launch
  std::uint64_t single_tile;  ///< largest number of elements that one block sorts instead
  std::string table;          ///< table of a tile's cycles in the profile
  std::vector<double> at;     ///< arguments of that table except the entropy
};

/// Makes a OneSweep of a plan's launches and a table of tiles. Launches: the struct of algorithms/cub_radix/plan.hpp.
template <class Launches>
OneSweep make_onesweep(const Launches& plan, std::string table, std::vector<double> at) {
  return {.digits = plan.digits,
          .tile = static_cast<double>(plan.tile),
          .items = static_cast<double>(plan.items),
          .histogram_tile = static_cast<double>(plan.histogram_tile),
          .look_back_bytes = static_cast<double>(plan.look_back_bytes),
          .portion = plan.portion,
          .single_tile = plan.single_tile,
          .table = std::move(table),
          .at = std::move(at)};
}

/// Prediction of all phases of a sort.
Prediction onesweep(const Workload& workload, const OneSweep& sort, const DistributionView& view,
                    const DeviceCosts& device);

/// Throws BadInput unless the array is too large for the single block by which CUB sorts up to `single_tile` elements.
void require_tiles(const Workload& workload, std::uint64_t single_tile);

}  // namespace sortlab
