#include "harness/machine/find_program.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace sortlab {

namespace fs = std::filesystem;

std::optional<std::string> find_program(const std::string& name, std::vector<std::string> folders) {
  std::istringstream path{std::getenv("PATH") != nullptr ? std::getenv("PATH") : ""};
  std::vector<std::string> all;
  for (std::string folder; std::getline(path, folder, ':');) all.push_back(folder);
  all.insert(all.end(), folders.begin(), folders.end());
  for (const std::string& folder : all) {
    const fs::path candidate = fs::path{folder} / name;
    if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) return candidate.string();
  }
  return std::nullopt;
}

}  // namespace sortlab
