// A case in words.
#pragma once

#include <string>

#include "harness/cell/case.hpp"

namespace sortlab {

/// One line for people and for --filter: "my_sort:digit_bits=8 u32/u32 n=1048576 thearling:ands=2 threads=1
/// seed=1"; of a component "my_sort/presort:…". A residency other than the algorithm's own stands after the
/// types: "my_sort u32 end_to_end/pinned n=…".
std::string case_text(const Case&);

}  // namespace sortlab
