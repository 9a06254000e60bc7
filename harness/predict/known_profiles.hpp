// The machine profiles that are kept, each with a name that `--machine` accepts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sortlab {

struct KnownProfile {
  /// The file's stem in models/machines, else its path in results/reference or results without ".json", and without
  /// "/profile" in a folder that is below the machine's: "b200", "<machine id>/profile", "<machine id>/h200".
  std::string name;
  std::filesystem::path file;
};

/// The profiles in models/machines and in results: profile.json, and profile_*.json beside it. Names are unique.
std::vector<KnownProfile> known_profiles();

/// The profile that is given by its file (also relative to checkout_root()), by its name, or by a machine's id that
/// only one profile has. Throws BadInput, which lists what is allowed.
std::filesystem::path profile_file(const std::string& given);

}  // namespace sortlab
