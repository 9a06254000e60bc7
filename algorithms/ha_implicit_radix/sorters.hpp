// Sorters for keys of one width, each in a file of its own to share the compiler's work.
#pragma once

#include <memory>

#include "algorithms/plugin.hpp"

namespace sortlab::ha {

std::unique_ptr<Sorter> make_sorter_of_32(const Problem&, const Parameters&, const Resources&);
std::unique_ptr<Sorter> make_sorter_of_64(const Problem&, const Parameters&, const Resources&);

}  // namespace sortlab::ha
