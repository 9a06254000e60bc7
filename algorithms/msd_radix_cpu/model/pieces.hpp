// Costs of msd_radix_cpu's pieces, derived from its compiled loops and the machine, for its model of kind hardware.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "models/loops/pieces.hpp"

namespace sortlab {

/// Seconds an element of a table "msd.<target>.…" at these arguments (algorithms/msd_radix_cpu/*probes.cpp declares
/// them), of the workload's elements; nothing for other tables. Throws MissingQuantity. Besides, costs that
/// calibration does not measure: seconds to "lengthen" a digit's list by a block, to read a "block" of a bucket, and to
/// take the "sample" for that many digits (threads, digits).
std::optional<double> derived_msd_piece(const Core& core, std::string_view table, std::span<const double> arguments);

}  // namespace sortlab
