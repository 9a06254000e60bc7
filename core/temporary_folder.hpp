// A temporary folder for files that two programs exchange, or that a test writes.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "core/bad_input.hpp"

namespace sortlab {

/// Creates an empty folder, and removes it with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const char* const set = std::getenv("TMPDIR");
    const std::filesystem::path folder = set != nullptr && *set != '\0' ? set : "/tmp";
    std::string name = (folder / "sortlab-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw BadInput(std::string{"TMPDIR: no folder can be made in "} + folder.string() + ": " + std::strerror(errno) +
                     "; set TMPDIR to a folder that can be written in");
    }
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace sortlab
