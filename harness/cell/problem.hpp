// A case as its distribution and its algorithm see it, and why they decline it.
#pragma once

#include <optional>
#include <string>

#include "harness/cell/case.hpp"

namespace sortlab {

Problem case_problem(const Case&);
Input case_input(const Case&);

/// Why the distribution cannot make this input, or nothing.
std::optional<std::string> refusal_of_input(const Case&);

/// Why this cell will not be run, or nothing: the distribution or the algorithm declines.
std::optional<std::string> refusal(const Case&);

/// Why no machine runs this cell, or nothing: as refusal(), of sorts that cannot run here, too.
std::optional<std::string> refusal_anywhere(const Case&);

}  // namespace sortlab
