#include "harness/machine/checkout.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <system_error>

#include "core/parameters.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

bool has_folder(const fs::path& root, const char* folder) {
  std::error_code ignored;
  return fs::is_directory(root / folder, ignored);
}

bool is_checkout(const fs::path& folder) {
  return has_folder(folder, "configs") && has_folder(folder, "generators");
}

/// Path from the program's folder to the data that harness/setup/install.cmake installs. Relative, since a prefix may
/// be moved.
constexpr const char* kShareFromProgram = "../share/sortlab";

/// True for a folder that `cmake --install` made: the data of a checkout without its sources.
bool is_installed(const fs::path& folder) {
  return has_folder(folder, "configs") && has_folder(folder, "models/machines") && !is_checkout(folder);
}

std::optional<fs::path> checkout_above(fs::path folder) {
  for (; !folder.empty(); folder = folder.parent_path()) {
    if (is_checkout(folder)) return folder;
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

/// The value of an environment variable, or nullopt if it is not set or empty.
std::optional<fs::path> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

fs::path find_root() {
  if (const auto root = variable("SORTLAB_ROOT")) {
    if (is_checkout(*root) || is_installed(*root)) return fs::absolute(*root);
    throw BadInput(
        fmt::format("SORTLAB_ROOT: '{}' is no Sortlab checkout, which holds configs/ and generators/, nor an installed "
                    "share/sortlab, which holds configs/ and models/machines/",
                    root->string()));
  }
  std::error_code error;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error) {
    const fs::path beside = (program.parent_path() / kShareFromProgram).lexically_normal();
    if (is_installed(beside)) return beside;
    if (auto root = checkout_above(program.parent_path())) return *root;
  }
  if (const fs::path here = fs::current_path(error); !error) {
    if (auto root = checkout_above(here)) return *root;
  }
  throw BadInput("checkout: no folder with configs/ and generators/ above the program or here; set SORTLAB_ROOT to it");
}

/// The user's data folder, since the installation may not be writable.
fs::path users_folder() {
  if (const auto data = variable("XDG_DATA_HOME"); data && data->is_absolute()) return *data / "sortlab";
  if (const auto home = variable("HOME"); home && home->is_absolute()) return *home / ".local/share/sortlab";
  throw BadInput("HOME: not set, nor XDG_DATA_HOME: an installed Sortlab keeps profiles and records there");
}

}  // namespace

const fs::path& checkout_root() {
  static const fs::path root = find_root();
  return root;
}

fs::path local_results(std::string_view machine_id) {
  if (is_checkout(checkout_root())) return checkout_root() / "results" / "local" / machine_id;
  return users_folder() / machine_id;
}

fs::path given_or_shared(const fs::path& given) {
  std::error_code ignored;
  if (given.is_absolute() || fs::exists(given, ignored)) return given;
  const fs::path shared = checkout_root() / given;
  return fs::exists(shared, ignored) ? shared : given;
}

}  // namespace sortlab
