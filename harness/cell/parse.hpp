// Parsers for the words of a case, as in configs and on the command line, one list item at a time. Each throws BadInput
// that says what is allowed. A distribution is parsed by parse_distribution() of generators/distribution.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/cell/case.hpp"

namespace sortlab {

KeyType parse_key_type(std::string_view text);
ValueType parse_value_type(std::string_view text);
std::optional<Layout> parse_layout(std::string_view text);  ///< nullopt for "native"
Residency parse_residency(std::string_view text);
HostMemory parse_host_memory(std::string_view text);
ShardSizes parse_shard_sizes(std::string_view text);
inline constexpr int kMaxThreads = 4096;
int parse_threads(std::string_view text);  ///< 1 to kMaxThreads
std::uint64_t parse_seed(std::string_view text);

/// Range of a count, and the option or field that it is given for, which messages name.
struct CountRange {
  std::string_view field = "n";
  std::uint64_t least = 0;
  std::uint64_t most = std::uint64_t{1} << 40;
};

/// 1000003, 2^24, 64M (K, M, G are powers of 1024) or 500e6, within `range`.
std::uint64_t parse_count(std::string_view text, const CountRange& range = {});

}  // namespace sortlab
