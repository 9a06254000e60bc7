// What of a plan can run here, and how long that should take.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cell/work.hpp"

namespace sortlab {

/// Why a cell cannot run here, or nothing: what its distribution, its algorithm or this machine's processors say.
std::optional<std::string> reason_to_skip(const Cell& cell);

/// The cells of `blocks` that run here, in their order, with their estimates by this machine's profile; and the others.
Work work_of(const std::vector<Block>& blocks);

}  // namespace sortlab
