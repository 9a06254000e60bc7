// What the sort does: the digits of its radix sort of prefixes, and its prefetch distance. Prefixes are sorted as in
// satish_cpu_radix.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/choice.hpp"

namespace sortlab::satish {

/// Bytes of a prefix.
inline constexpr std::array kPrefixBytes{Choice<int>{"4", 4}, Choice<int>{"8", 8}, Choice<int>{"16", 16}};

/// Bits of a digit: an even number of passes for each width of prefix, so that the words end where they began if all
/// are needed.
inline constexpr int kPrefixDigitBits = 8;
inline constexpr int kPrefixBufferLines = 4;

inline constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 32;  ///< their ids have 32 bits
inline constexpr std::int64_t kComparedUpTo = 128;  ///< records with one prefix that are compared, by default
inline constexpr std::uint64_t kRecordsAhead = 16;  ///< between prefetching random data and reading it
inline constexpr std::uint64_t kSharesAThread = 4;  ///< of groups, whose work is uneven

}  // namespace sortlab::satish
