// The plan of the sort: the digits of its radix sort of prefixes, and its prefetch distance. satish_cpu_radix sorts the
// prefixes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/choice.hpp"

namespace sortlab::satish {

/// Choices for the bytes of a prefix.
inline constexpr std::array kPrefixBytes{Choice<int>{"4", 4}, Choice<int>{"8", 8}, Choice<int>{"16", 16}};

/// Bits of a digit. The number of passes is even for each prefix width, so that the words end in their first array.
inline constexpr int kPrefixDigitBits = 8;
inline constexpr int kPrefixBufferLines = 4;

inline constexpr std::uint64_t kMaxRecords = std::uint64_t{1} << 32;  ///< record ids have 32 bits
inline constexpr std::int64_t kComparedUpTo =
    128;  ///< default maximum of equal-prefix records that are sorted by comparisons
inline constexpr std::uint64_t kRecordsAhead = 16;  ///< prefetch distance of random reads, in records
inline constexpr std::uint64_t kSharesAThread = 4;  ///< shares of groups per thread, for load balance

}  // namespace sortlab::satish
