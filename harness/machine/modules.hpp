// Sorts in shared libraries, which the program loads when it starts: `--plugin FILE`, and SORTLAB_PLUGIN_PATH.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace sortlab {

/// Loads the module `file` and adds its sorts to the registry; nothing where it is loaded already. Throws BadInput
/// naming the file if it is not a module, is of another contract version, or has a sort whose name is taken; the
/// registry is then unchanged.
void load_module(const std::string& file);

/// Loads what SORTLAB_PLUGIN_PATH names, separated by colons: files, and folders, of which each file *.so is loaded.
/// Throws BadInput as load_module does, and for what is not there.
void load_modules_of_path();

/// Loads "DIGEST:FILE" of arguments_for_modules(). Throws BadInput where it is another file by now.
void load_same_module(const std::string& digest_and_file);

/// Arguments that make another process of this program, such as a worker, load the same modules; they go before its
/// command. Throws BadInput if a module has changed since it was loaded: its sorts would be measured under the former
/// build's identity.
std::vector<std::string> arguments_for_modules();

/// A list, an object a module: `file` (its name without folders), `digest`, `algorithms`, `contract`, `sortlab`,
/// `compiler`, `flags`.
nlohmann::ordered_json modules_record();

}  // namespace sortlab
