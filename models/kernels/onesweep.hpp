// Family A of the reference (section 4.5): CUB's radix sort in one sweep a pass, as cub_radix, cub_radix_tuned,
// cub_radix_lsd and Thrust run it.
#pragma once

#include "models/kernels/device_kernel.hpp"

namespace sortlab {

struct OneSweep {
  int digit_bits;
  double tile;             ///< elements of a block
  double items;            ///< of them those of a thread
  std::string table;       ///< of its tiles in the profile
  std::vector<double> at;  ///< arguments of that table but for the entropy
};

/// As the toolkit ships it, but for the width of its digits.
OneSweep shipped_onesweep(int digit_bits, const ElementBytes& bytes);

/// All phases of a sort.
Prediction onesweep(const Workload& workload, const OneSweep& sort, const DistributionView& view,
                    const DeviceCosts& device);

/// Throws BadInput for as few elements as CUB's radix sorts sort in one block.
void require_tiles(const Workload& workload, const ElementBytes& bytes);

}  // namespace sortlab
