// The measured digit histogram of an input.
#pragma once

#include <cstdint>
#include <vector>

#include "core/key_types.hpp"

namespace sortlab {

/// Counts each value of the digit at bits [shift, shift + bits) of to_ordered(key): 2^bits counts that sum to n. `bits`
/// is 1 to 24, `shift` at least 0. Bits beyond the key are 0.
std::vector<std::uint64_t> digit_histogram(KeyType key, const void* keys, std::uint64_t n, int shift, int bits,
                                           int threads);

}  // namespace sortlab
