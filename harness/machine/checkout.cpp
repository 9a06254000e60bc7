#include "harness/machine/checkout.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <system_error>

#include "core/parameters.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

bool is_checkout(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "configs", ignored) && fs::is_directory(folder / "generators", ignored);
}

std::optional<fs::path> checkout_above(fs::path folder) {
  for (; !folder.empty(); folder = folder.parent_path()) {
    if (is_checkout(folder)) return folder;
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

fs::path find_checkout() {
  if (const char* root = std::getenv("SORTLAB_ROOT"); root != nullptr && *root != '\0') {
    if (is_checkout(root)) return fs::absolute(root);
    throw BadInput(
        fmt::format("SORTLAB_ROOT: '{}' is no Sortlab checkout; it must hold configs/ and generators/", root));
  }
  std::error_code error;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error) {
    if (auto root = checkout_above(program.parent_path())) return *root;
  }
  if (const fs::path here = fs::current_path(error); !error) {
    if (auto root = checkout_above(here)) return *root;
  }
  throw BadInput("checkout: no folder with configs/ and generators/ above the program or here; set SORTLAB_ROOT to it");
}

}  // namespace

const fs::path& checkout_root() {
  static const fs::path root = find_checkout();
  return root;
}

fs::path local_results(std::string_view machine_id) {
  return checkout_root() / "results" / "local" / machine_id;
}

}  // namespace sortlab
