#include "harness/machine/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "harness/machine/control_groups.hpp"

namespace sortlab {
namespace {

/// Address space of the program itself: its libraries, its threads' stacks and heaps.
constexpr rlim_t kProgram = rlim_t{512} << 20;
constexpr rlim_t kLeastSpace = 2 * kProgram;

rlim_t address_space() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

/// The limit that limit_memory() cannot exceed: the current one of a worker is its own.
rlim_t data_limit() {
  rlimit limit{};
  return getrlimit(RLIMIT_DATA, &limit) == 0 ? limit.rlim_max : RLIM_INFINITY;
}

}  // namespace

std::uint64_t system_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t physical_memory() {
  const std::uint64_t memory = std::min(system_memory(), ControlGroups{}.memory_limit().value_or(system_memory()));
  const rlim_t space = address_space();
  return std::min({memory, std::uint64_t{data_limit()},
                   std::uint64_t{space == RLIM_INFINITY ? space : space - std::min(space, kProgram)}});
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

std::string limits_of_memory() {
  std::string text;
  const auto add = [&](rlim_t limit, std::string_view words) {
    if (limit != RLIM_INFINITY) text += fmt::format("{}{} KiB of {}", text.empty() ? "" : ", ", limit / 1024, words);
  };
  add(address_space(), "address space (ulimit -v)");
  add(data_limit(), "data (ulimit -d)");
  const auto of_group = ControlGroups{}.memory_limit();
  add(of_group ? *of_group : RLIM_INFINITY, "memory (a control group)");
  return text.empty() ? "" : fmt::format(" (limited to {})", text);
}

std::string message_with_limits(const std::exception& error) {
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  if (system == nullptr || system->code() != std::errc::resource_unavailable_try_again) return error.what();
  return fmt::format("{}: no further thread or process is allowed (ulimit -u, or pids.max of a control group){}",
                     error.what(), limits_of_memory());
}

void check_address_space() {
  const rlim_t limit = address_space();
  if (limit >= kLeastSpace) return;
  throw std::runtime_error(fmt::format("address space: limited to {} KiB (ulimit -v); at least {} KiB are needed",
                                       limit / 1024, kLeastSpace / 1024));
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
