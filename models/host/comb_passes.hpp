// How many passes comb sort makes over a block of AA-sort. Those by gaps are known beforehand; how often the last ones
// run depends on the keys, and is counted on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sortlab {

/// Passes over m vectors of `lanes` keys that exchange keys a gap apart.
int gap_passes(std::size_t m, std::size_t lanes);

/// Passes of bubble sort after those, of which the last one changes nothing: of a block of keys as it comes.
int last_passes(std::vector<std::uint64_t> keys, std::size_t lanes);

}  // namespace sortlab
