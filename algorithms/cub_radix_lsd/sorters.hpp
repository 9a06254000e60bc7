// Sorters of each form, each in a file of its own to divide the compile time.
#pragma once

#include <memory>

#include "algorithms/plugin.hpp"

namespace sortlab::cub_lsd {

std::unique_ptr<Sorter> make_onesweep(const Problem&, int digit_bits, const Resources&);
std::unique_ptr<Sorter> make_two_read(const Problem&, int digit_bits, const Resources&);

}  // namespace sortlab::cub_lsd
