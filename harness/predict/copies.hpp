// The copies around a sort on a device whose input and result lie on the host.
#pragma once

#include "harness/cell/case.hpp"
#include "models/model.hpp"

namespace sortlab {

/// The prediction of a case that is copied around, from that of its sort alone: each array is copied to the device, one
/// after the other, the sort runs, and each is copied back. The rates are those of the profile's table `link` for the
/// array's size, in pinned or pageable memory. Throws MissingQuantity if `device` has no such table.
Prediction with_copies(Prediction sort, const Case& c, const MachineProfile& device);

}  // namespace sortlab
