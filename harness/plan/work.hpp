// The part of a plan that can run here, and its estimated time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cell/work.hpp"
#include "harness/machine/memory.hpp"

namespace sortlab {

/// Why a cell cannot run here, or nothing: its input, with a second array to sort in, takes more than `memory` bytes of
/// the host, or its distribution or algorithm declines, or this machine lacks the processors.
std::optional<std::string> reason_to_skip(const Cell& cell, std::uint64_t memory = physical_memory());

/// The cells of `blocks` that run here, in their order, with their estimates by this machine's profile; and the others.
Work plan_work(const std::vector<Block>& blocks);

}  // namespace sortlab
