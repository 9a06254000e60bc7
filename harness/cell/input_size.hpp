// The size of an input in bytes.
#pragma once

#include "harness/cell/case.hpp"

namespace sortlab {

/// Bytes of the keys and values of an input, or of its records.
std::uint64_t input_bytes(const Case&);
/// Bytes of all records of an input together; 0 if it cannot be made. Counted once, and then remembered.
std::uint64_t record_bytes(const NamedDistribution&, std::uint64_t n, std::uint64_t seed);

}  // namespace sortlab
