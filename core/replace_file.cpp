#include "core/replace_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <string>

namespace sortlab {

void replace_file(const std::filesystem::path& path, std::string_view text) {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  const bool is_plain = !std::filesystem::exists(path) || std::filesystem::is_regular_file(path);
  const std::string written = path.string() + (is_plain ? ".next" : "");
  std::ofstream file{written, std::ios::trunc};
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write '{}'", written));
  if (is_plain) std::filesystem::rename(written, path);
}

}  // namespace sortlab
