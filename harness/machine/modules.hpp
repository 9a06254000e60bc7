// Sorts in shared libraries, which the program loads when it starts: `--plugin FILE` and SORTLAB_PLUGIN_PATH.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace sortlab {

/// Loads the module `file` and adds its sorts to the registry, unless it is loaded already. Throws BadInput with the
/// file name if it is not a module, has another contract version, or has a sort whose name is taken. The registry is
/// then unchanged.
void load_module(const std::string& file);

/// Loads the files in SORTLAB_PLUGIN_PATH, and all files *.so of the folders in it, which are separated by colons.
/// Throws BadInput like load_module(), and for a path that does not exist.
void load_modules_of_path();

/// Loads "DIGEST:FILE", as arguments_for_modules() makes it. Throws BadInput if the file has changed meanwhile.
void load_same_module(const std::string& digest_and_file);

/// Arguments that make another process of this program, such as a worker, load the same modules. They go before its
/// command. Throws BadInput if a module has changed since it was loaded: its sorts would be measured under the identity
/// of the former build.
std::vector<std::string> arguments_for_modules();

/// A list with one object for each module: `file` (its name without folders), `digest`, `algorithms`, `contract`,
/// `sortlab`, `compiler`, `flags`.
nlohmann::ordered_json modules_record();

}  // namespace sortlab
