#include "harness/machine/control_groups.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace sortlab {
namespace {

namespace fs = std::filesystem;

/// The begin of a file as a number; nullopt for "max", or if there is no file.
template <class Number>
std::optional<Number> first_number(const fs::path& path) {
  std::ifstream file{path};
  Number number{};
  if (file >> number) return number;
  return std::nullopt;
}

/// The number after `name` in a file of "name number" lines.
std::optional<std::uint64_t> number_after(const fs::path& path, std::string_view name) {
  std::ifstream file{path};
  std::uint64_t number = 0;
  for (std::string word; file >> word >> number;) {
    if (word == name) return number;
  }
  return std::nullopt;
}

bool holds(const std::string& list, std::string_view word) {
  std::istringstream words{list};
  for (std::string one; std::getline(words, one, ',');) {
    if (one == word) return true;
  }
  return false;
}

/// A path of mountinfo, where \040 stands for a space.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

struct Mount {
  std::string root;  ///< the group that is mounted
  std::string at;
  bool is_v2 = false;
  std::string controllers{};  ///< among other options; of version 1
};

std::vector<Mount> group_mounts(const fs::path& root) {
  std::vector<Mount> mounts;
  std::ifstream file{root / "proc/self/mountinfo"};
  for (std::string line; std::getline(file, line);) {  // "32 31 0:29 /root /at rw … - cgroup source rw,cpu"
    std::istringstream words{line};
    std::string skipped;
    Mount mount;
    words >> skipped >> skipped >> skipped >> mount.root >> mount.at;
    for (std::string word; words >> word && word != "-";) {
    }
    std::string type;
    words >> type >> skipped >> mount.controllers;
    if (!words || (type != "cgroup" && type != "cgroup2")) continue;
    mount.is_v2 = type == "cgroup2";
    mount.root = unescaped(mount.root);
    mount.at = unescaped(mount.at);
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

/// This process's group in the hierarchy of `controller` (version 1), or in that of version 2 if that is empty.
std::optional<std::string> own_group(const fs::path& root, std::string_view controller) {
  std::ifstream file{root / "proc/self/cgroup"};
  for (std::string line; std::getline(file, line);) {  // "4:memory:/path", or "0::/path"
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : holds(controllers, controller)) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// Folders from the group up to the mount's root. A group outside the mount, as a container may see it, has only that.
std::vector<fs::path> levels(const fs::path& root, const Mount& mount, const std::string& group) {
  const fs::path top = root / fs::path{mount.at}.relative_path();
  const fs::path within = fs::path{group}.lexically_normal().lexically_relative(mount.root);
  std::vector<fs::path> folders;
  fs::path level = top;
  folders.push_back(level);
  if (!within.empty() && *within.begin() != "..") {
    for (const fs::path& name : within) {
      if (name == "." || name.empty()) continue;
      folders.push_back(level /= name);
    }
  }
  std::ranges::reverse(folders);
  return folders;
}

std::optional<double> quota_of_level(const fs::path& level, bool is_v2) {
  std::optional<double> microseconds;
  std::optional<double> period;
  if (is_v2) {
    std::ifstream file{level / "cpu.max"};  // "150000 100000", or "max 100000"
    double quota = 0;
    double of = 0;
    if (file >> quota >> of) {
      microseconds = quota;
      period = of;
    }
  } else {
    microseconds = first_number<double>(level / "cpu.cfs_quota_us");  // -1: none
    period = first_number<double>(level / "cpu.cfs_period_us");
  }
  if (!microseconds || !period || !(*microseconds > 0) || !(*period > 0)) return std::nullopt;
  return *microseconds / *period;
}

std::optional<std::uint64_t> memory_of_level(const fs::path& level, bool is_v2) {
  constexpr std::uint64_t none = std::uint64_t{1} << 60;  // version 1 writes "no limit" as a huge number
  std::optional<std::uint64_t> least;
  const std::vector<const char*> names =
      is_v2 ? std::vector{"memory.max", "memory.high"} : std::vector{"memory.limit_in_bytes"};
  for (const char* const name : names) {
    const auto limit = first_number<std::uint64_t>(level / name);
    if (limit && *limit < none) least = std::min(*limit, least.value_or(*limit));
  }
  return least;
}

std::uint64_t used_by_level(const fs::path& level, bool is_v2) {
  const auto used =
      first_number<std::uint64_t>(level / (is_v2 ? "memory.current" : "memory.usage_in_bytes")).value_or(0);
  const auto files = number_after(level / "memory.stat", is_v2 ? "inactive_file" : "total_inactive_file").value_or(0);
  return used - std::min(used, files);
}

/// The least of `limit(level, is_v2)` over all levels.
template <class Hierarchies, class Limit>
auto least(const Hierarchies& hierarchies, const Limit& limit) {
  decltype(limit(fs::path{}, false)) found;
  for (const auto& hierarchy : hierarchies) {
    for (const fs::path& level : hierarchy.levels) {
      if (const auto one = limit(level, hierarchy.is_v2)) found = std::min(*one, found.value_or(*one));
    }
  }
  return found;
}

}  // namespace

ControlGroups::ControlGroups(const fs::path& root) {
  for (const Mount& mount : group_mounts(root)) {
    const auto take = [&](const char* controller, std::vector<Hierarchy>& into) {
      if (!mount.is_v2 && !holds(mount.controllers, controller)) return;
      const bool known = std::ranges::any_of(into, [&](const Hierarchy& h) { return h.is_v2 == mount.is_v2; });
      const auto group = own_group(root, mount.is_v2 ? "" : controller);
      if (!known && group) into.push_back({mount.is_v2, levels(root, mount, *group)});
    };
    take("cpu", cpu_);
    take("memory", memory_);
  }
}

std::optional<double> ControlGroups::cpu_quota() const {
  return least(cpu_, quota_of_level);
}

std::optional<std::uint64_t> ControlGroups::memory_limit() const {
  return least(memory_, memory_of_level);
}

std::optional<std::uint64_t> ControlGroups::memory_left() const {
  return least(memory_, [](const fs::path& level, bool is_v2) {
    auto limit = memory_of_level(level, is_v2);
    if (limit) *limit -= std::min(*limit, used_by_level(level, is_v2));
    return limit;
  });
}

std::vector<fs::path> ControlGroups::throttling_files() const {
  std::vector<fs::path> files;
  for (const Hierarchy& hierarchy : cpu_) {
    for (const fs::path& level : hierarchy.levels) files.push_back(level / "cpu.stat");
  }
  return files;
}

Throttling::Throttling(const ControlGroups& groups) {
  for (const fs::path& path : groups.throttling_files()) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0) files_.emplace_back(file, "cpu.stat");
  }
}

double Throttling::seconds() const {
  struct Entry {
    const char* name;
    double unit_s;
  };
  constexpr std::array<Entry, 2> entries{{{"throttled_usec ", 1e-6}, {"throttled_time ", 1e-9}}};  // versions 2 and 1
  double seconds = 0;
  for (const Descriptor& file : files_) {
    std::array<char, 1024> text{};
    if (pread(file.get(), text.data(), text.size() - 1, 0) <= 0) continue;
    for (const Entry& counter : entries) {
      const char* const found = std::strstr(text.data(), counter.name);
      if (found == nullptr) continue;
      seconds += counter.unit_s * static_cast<double>(std::strtoull(found + std::strlen(counter.name), nullptr, 10));
    }
  }
  return seconds;
}

}  // namespace sortlab
