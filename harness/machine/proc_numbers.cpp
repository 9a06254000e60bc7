#include "harness/machine/proc_numbers.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/descriptor.hpp"

namespace sortlab {
namespace {

/// The numbers after `name` in a file of "Name: value" lines; empty where the file or the name is missing.
std::vector<pid_t> read_numbers(const std::string& path, std::string_view name) {
  std::ifstream file{path};
  std::vector<pid_t> numbers;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream words{line.substr(name.size())};
    for (pid_t number = 0; words >> number;) numbers.push_back(number);
    break;
  }
  return numbers;
}

/// Number of PID namespaces from that of /proc to ours: 1 if they are the same.
std::size_t depth() {
  static const std::size_t levels = read_numbers("/proc/self/status", "NSpid:").size();
  return levels;
}

}  // namespace

long caller_in_proc() {
  thread_local pid_t of = 0;
  thread_local long number = 0;
  if (of == gettid()) return number;
  of = gettid();
  number = of;
  std::array<char, 64> link{};  // PROCESS/task/THREAD
  if (readlink("/proc/thread-self", link.data(), link.size() - 1) <= 0) return number;
  if (const char* const last = std::strrchr(link.data(), '/')) number = std::atol(last + 1);
  return number;
}

std::optional<pid_t> number_in_proc(pid_t child) {
  if (depth() <= 1) return child;
  const auto opened = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (opened < 0) return std::nullopt;
  const Descriptor file{opened, "pidfd_open"};
  const std::vector<pid_t> numbers = read_numbers(fmt::format("/proc/self/fdinfo/{}", opened), "Pid:");
  return numbers.empty() || numbers.front() <= 0 ? std::nullopt : std::optional{numbers.front()};
}

std::optional<pid_t> number_from_proc(pid_t in_proc) {
  if (depth() <= 1) return in_proc;
  const std::vector<pid_t> numbers = read_numbers(fmt::format("/proc/{}/status", in_proc), "NSpid:");
  return numbers.size() < depth() ? std::nullopt : std::optional{numbers[depth() - 1]};
}

}  // namespace sortlab
