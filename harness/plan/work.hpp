// The cells of a plan that can run here, and their estimated times.
#pragma once

#include <optional>
#include <vector>

#include "harness/cell/reason_code.hpp"
#include "harness/cell/work.hpp"
#include "harness/machine/memory.hpp"

namespace sortlab {

/// The reason a cell cannot run here, or nullopt. Its input with a second array to sort may need more than `memory`
/// bytes of the host, its distribution or algorithm may decline, or this machine may lack processors.
std::optional<Reason> reason_to_skip(const Cell& cell, std::uint64_t memory = physical_memory());

/// Divides the cells of `blocks`, in order, into those that run here, with estimates by this machine's profile, and the
/// others.
Work plan_work(const std::vector<Block>& blocks);

}  // namespace sortlab
