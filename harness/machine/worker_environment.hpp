// The environment of a worker, which Sortlab makes: variables that a site needs go through, all others do not.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sortlab {

/// True for a variable that workers get as it is.
bool passes_to_workers(std::string_view name);

/// Variables that every worker has besides.
std::vector<std::pair<std::string, std::string>> variables_of_workers();

/// Names of the user's variables that libraries would read and that no sort sees, ascending.
std::vector<std::string> dropped_variables();

/// Files of LD_PRELOAD, without their folders: what they change is part of all times.
std::vector<std::string> preloaded_libraries();

/// For the run record: `dropped`, the names of dropped_variables(), and `passed`, the variables that workers get. Only
/// numbers, switches, locales and names of preloaded files are recorded as values; others are null, since a variable
/// may hold a secret or the name of a person.
nlohmann::ordered_json variables_record();

/// Marks this process's environment as made, for the children that it starts. To be called once by main.
void mark_environment();

}  // namespace sortlab
