#include "harness/machine/process_state.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>

#include "harness/machine/tracing.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

constexpr unsigned long kAsk = 0xffffffff;  // personality() that changes nothing

bool addresses_restored = false;

std::int64_t to_ns(const timespec& time) {
  return std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

/// Time that the kernel tells, without the C library's clock_gettime.
std::int64_t kernel_ns(clockid_t clock) {
  timespec time{};
  syscall(SYS_clock_gettime, clock, &time);
  return to_ns(time);
}

/// Time that the C library tells, between two that the kernel tells.
struct ClockReading {
  std::int64_t kernel_before_ns = 0;
  std::int64_t libc_ns = 0;
  std::int64_t kernel_after_ns = 0;
};

ClockReading read_both(clockid_t clock) {
  ClockReading reading{.kernel_before_ns = kernel_ns(clock)};
  timespec time{};
  clock_gettime(clock, &time);
  reading.libc_ns = to_ns(time);
  reading.kernel_after_ns = kernel_ns(clock);
  return reading;
}

/// The value after `name` in the process's status, or null.
ordered_json read_status(std::string_view name) {
  std::ifstream status{"/proc/self/status"};
  for (std::string line; std::getline(status, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || std::string_view{line}.substr(0, colon) != name) continue;
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string::npos ? ordered_json("") : ordered_json(line.substr(value));
  }
  return nullptr;
}

/// The name of a number, or null where there is none.
template <std::size_t count>
ordered_json name_among(const std::array<const char*, count>& names, long number) {
  if (number < 0 || static_cast<std::size_t>(number) >= count) return nullptr;
  return names[static_cast<std::size_t>(number)];
}

ordered_json memory_policy() {
  constexpr std::array names{"default", "preferred", "bind", "interleave", "local", "preferred many"};
  int mode = 0;
  constexpr int flags = 0xff00;  // MPOL_MODE_FLAGS
  if (syscall(SYS_get_mempolicy, &mode, nullptr, 0UL, nullptr, 0UL) != 0) return nullptr;
  return name_among(names, mode & ~flags);
}

}  // namespace

void randomise_addresses() {
  const int now = personality(kAsk);
  if (now < 0 || (now & ADDR_NO_RANDOMIZE) == 0) return;
  addresses_restored = personality(static_cast<unsigned long>(now & ~ADDR_NO_RANDOMIZE)) >= 0;
}

ordered_json process_record() {
  constexpr std::array schedulers{"other", "fifo", "rr", "batch", "", "idle", "deadline"};
  errno = 0;
  const int nice = getpriority(PRIO_PROCESS, 0);
  const int scheduler = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  rlimit limit{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  getrlimit(RLIMIT_STACK, &limit);
  const rlim_t stack = limit.rlim_cur;
  const int without_huge_pages = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
  return {
      {"addresses_restored", addresses_restored},
      {"scheduler", name_among(schedulers, scheduler)},
      {"nice", errno == 0 ? ordered_json(nice) : ordered_json(nullptr)},
      {"huge_pages_disabled", without_huge_pages < 0 ? ordered_json(nullptr) : ordered_json(without_huge_pages == 1)},
      {"memory_policy", memory_policy()},
      {"store_bypass", read_status("Speculation_Store_Bypass")},
      {"indirect_branches", read_status("SpeculationIndirectBranch")},
      {"traced", is_traced()},
      {"stack_limit_bytes", stack == RLIM_INFINITY ? ordered_json(nullptr) : ordered_json(stack)}};
}

std::optional<std::string> raise_limits() {
  struct Least {
    decltype(RLIMIT_STACK) resource;
    rlim_t usual;
    rlim_t least;
    rlim_t unit;
    const char* words;
  };
  constexpr std::array limits{
      Least{RLIMIT_STACK, 8 << 20, 1 << 20, 1024, "stack: limited to {} KiB (ulimit -s); at least {} KiB are needed"},
      Least{RLIMIT_NOFILE, 1024, 12, 1, "open files: limited to {} (ulimit -n); at least {} are needed"}};
  for (const auto& [resource, usual, least, unit, words] : limits) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur >= usual) continue;
    limit.rlim_cur = std::min(usual, limit.rlim_max);
    if (setrlimit(resource, &limit) != 0) getrlimit(resource, &limit);
    if (limit.rlim_cur < least) return fmt::format(fmt::runtime(words), limit.rlim_cur / unit, least / unit);
    // The C library read the limit, which threads' stacks follow, when the program started.
    pthread_attr_t threads;
    if (resource != RLIMIT_STACK || pthread_getattr_default_np(&threads) != 0) continue;
    pthread_attr_setstacksize(&threads, limit.rlim_cur);
    pthread_setattr_default_np(&threads);
    pthread_attr_destroy(&threads);
  }
  return std::nullopt;
}

std::optional<std::string> fault_of_clocks() {
  constexpr std::array clocks{CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_THREAD_CPUTIME_ID};
  constexpr std::int64_t enough_ns = 1'000'000;
  constexpr std::int64_t tolerance_ns = 5'000;
  std::array<ClockReading, clocks.size()> before{};
  std::ranges::transform(clocks, before.begin(), read_both);
  while (kernel_ns(clocks[0]) - before[0].kernel_after_ns < enough_ns) {
  }
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    const ClockReading after = read_both(clocks[i]);
    const std::int64_t told_ns = after.libc_ns - before[i].libc_ns;
    // However long this thread waited between two readings, the library's lies between the kernel's.
    if (told_ns < after.kernel_before_ns - before[i].kernel_after_ns - tolerance_ns ||
        told_ns > after.kernel_after_ns - before[i].kernel_before_ns + tolerance_ns) {
      return "clock_gettime: runs at another rate than the system's clock, so that times would be wrong; allowed: no "
             "library that replaces it (libfaketime in LD_PRELOAD or /etc/ld.so.preload)";
    }
  }
  return std::nullopt;
}

std::optional<std::string> fault_of_proc() {
  if (access("/proc/self/exe", F_OK) != 0) {
    return "/proc: does not show this process; mount it: mount -t proc proc /proc";
  }
  std::error_code refused;
  const std::filesystem::directory_iterator threads{"/proc/self/task", refused};
  if (refused || !std::ifstream{"/proc/self/stat"}) {
    return "/proc: the files in /proc/self may not be read; allowed: no sandbox that denies it (Landlock, AppArmor)";
  }
  return std::nullopt;
}

void reset_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGCHLD, SIG_DFL);
  for (const int notice : {SIGIO, SIGPWR}) std::signal(notice, SIG_IGN);
  // A timer of real time stays: `alarm` before a command is a time limit, answered as SIGTERM is.
  constexpr itimerval none_left{};
  for (const auto timer : {ITIMER_VIRTUAL, ITIMER_PROF}) setitimer(timer, &none_left, nullptr);
}

}  // namespace sortlab
