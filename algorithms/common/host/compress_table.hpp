// Permutations that move chosen lanes together, for instruction sets without a compress instruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sortlab {

/// Row m holds the lanes whose bits are set in m, in order, then the others. A lane stands as the numbers of its
/// `parts` parts.
template <std::size_t lanes, std::size_t parts>
constexpr auto compress_table() {
  std::array<std::array<std::uint8_t, lanes * parts>, std::size_t{1} << lanes> table{};
  for (std::size_t mask = 0; mask < table.size(); ++mask) {
    std::size_t place = 0;
    for (std::size_t wanted : {1, 0}) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (((mask >> lane) & 1) != wanted) continue;
        for (std::size_t part = 0; part < parts; ++part) {
          table[mask][place++] = static_cast<std::uint8_t>(lane * parts + part);
        }
      }
    }
  }
  return table;
}

/// The table, in static memory: GCC would rebuild a function's local table on the stack in every iteration of a loop.
template <std::size_t lanes, std::size_t parts>
inline constexpr auto kCompressTable = compress_table<lanes, parts>();

}  // namespace sortlab
