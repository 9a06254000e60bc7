// Finds external programs in their usual places.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sortlab {

/// Path of the program `name` on PATH or in one of `folders`, or nullopt.
std::optional<std::string> find_program(const std::string& name, std::vector<std::string> folders = {});

}  // namespace sortlab
