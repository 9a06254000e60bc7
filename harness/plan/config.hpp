// A config file, which names sweeps.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/sweep.hpp"

namespace sortlab {

struct Config {
  std::string name;
  std::string title;
  std::string digest;  ///< digest of the file's content, 16 hexadecimal digits
  std::vector<Sweep> sweeps;
  std::vector<std::string> artifacts;  ///< tables and figures made from its records: SAT-T1
};

/// Reads and checks a config. Throws BadInput with file, path inside it and allowed values.
Config read_config(const std::filesystem::path& path);

}  // namespace sortlab
