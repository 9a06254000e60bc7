#include "harness/machine/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace sortlab {
namespace {

/// The number in a file of one word; nullopt for "max" or no file (version 2 of control groups).
std::optional<std::uint64_t> number_in(const char* path) {
  std::ifstream file{path};
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

}  // namespace

std::uint64_t system_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t physical_memory() {
  return std::min(system_memory(), number_in("/sys/fs/cgroup/memory.max").value_or(system_memory()));
}

std::uint64_t available_memory() {
  std::uint64_t available = physical_memory();
  std::ifstream file{"/proc/meminfo"};
  std::string name;
  std::uint64_t kibibytes = 0;
  std::string unit;
  while (file >> name >> kibibytes && std::getline(file, unit)) {
    if (name == "MemAvailable:") available = std::min(available, kibibytes * 1024);
  }
  if (const auto limit = number_in("/sys/fs/cgroup/memory.max")) {
    const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current").value_or(0);
    available = std::min(available, *limit - std::min(*limit, used));
  }
  return available;
}

void limit_memory(std::uint64_t bytes) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
#else
  static_cast<void>(bytes);
#endif
}

}  // namespace sortlab
