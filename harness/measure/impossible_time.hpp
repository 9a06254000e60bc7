// A time that no machine could take to sort: shorter than its fastest memory takes to read the input once.
#pragma once

#include <optional>

#include "harness/cell/case.hpp"
#include "harness/cell/reason_code.hpp"

namespace sortlab {

/// The reason to refuse a time, with the bound, or nothing. `cores`: threads, or multiprocessors of a device;
/// `clock_hz`: theirs. A core moves 128 bytes a cycle at most: two vectors of 512 bits from the first-level cache, or
/// the 32 banks of a multiprocessor's shared memory.
std::optional<Reason> impossible_time(const Case& c, double seconds, int cores, double clock_hz);

}  // namespace sortlab
