#include "harness/machine/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "harness/machine/control_groups.hpp"

namespace sortlab {

std::uint64_t system_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t physical_memory() {
  std::uint64_t memory = std::min(system_memory(), ControlGroups{}.memory_limit().value_or(system_memory()));
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0) memory = std::min<std::uint64_t>(memory, limit.rlim_cur);
  }
  return memory;
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
  if (const auto left = ControlGroups{}.memory_left()) available = std::min(available, *left);
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
