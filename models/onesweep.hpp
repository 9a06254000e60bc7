// Family A of the reference (section 4.5): CUB's radix sort in one sweep a pass, as cub_radix, cub_radix_lsd and Thrust
// run it.
#pragma once

#include "models/device_kernel.hpp"

namespace sortlab {

/// All phases of a sort with digits of `digit_bits` bits.
Prediction onesweep(const Workload& workload, int digit_bits, const DistributionView& view, const DeviceCosts& device);

/// Throws BadInput for as few elements as CUB's radix sorts sort in one block.
void require_tiles(const Workload& workload, const ElementBytes& bytes);

}  // namespace sortlab
