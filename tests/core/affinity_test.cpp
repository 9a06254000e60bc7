// Processors that a thread may run on, also on a machine with more of them than a fixed cpu_set_t holds.
#include "core/affinity.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace {

int machine_cpus = 0;  ///< processors of the machine that is played; 0: this machine's
std::vector<int> played_cpus;
std::vector<int> cpuset;  // processors of the machine that is played that a cpuset leaves; empty: all

std::size_t played_bytes() {
  return static_cast<std::size_t>(machine_cpus) / 8;
}

}  // namespace

// In place of the C library's, as Linux answers: it refuses a set smaller than its own.
extern "C" int sched_getaffinity(pid_t process, std::size_t bytes, cpu_set_t* set) noexcept {
  std::memset(set, 0, bytes);
  if (machine_cpus == 0) return syscall(SYS_sched_getaffinity, process, bytes, set) < 0 ? -1 : 0;
  if (bytes < played_bytes()) {
    errno = EINVAL;
    return -1;
  }
  for (const int cpu : played_cpus) CPU_SET_S(static_cast<std::size_t>(cpu), bytes, set);
  return 0;
}

extern "C" int sched_setaffinity(pid_t process, std::size_t bytes, const cpu_set_t* set) noexcept {
  if (machine_cpus == 0) return syscall(SYS_sched_setaffinity, process, bytes, set) < 0 ? -1 : 0;
  std::vector<int> given;
  for (std::size_t cpu = 0; cpu < 8 * bytes; ++cpu) {
    const int number = static_cast<int>(cpu);
    const bool is_left = cpuset.empty() || std::ranges::find(cpuset, number) != cpuset.end();
    if (CPU_ISSET_S(cpu, bytes, set) && is_left) given.push_back(number);
  }
  if (given.empty()) {
    errno = EINVAL;
    return -1;
  }
  played_cpus = given;
  return 0;
}

namespace sortlab {
namespace {

TEST(Affinity, ReadsAndSetsWhatThisMachineHas) {
  const std::vector<int> before = allowed_cpus();
  ASSERT_FALSE(before.empty());
  {
    const Pinned pinned({before.back()});
    EXPECT_EQ(allowed_cpus(), std::vector{before.back()});
  }
  EXPECT_EQ(allowed_cpus(), before);
}

TEST(Affinity, ReadsMoreThan1024Processors) {
  for (const int cpus : {2048, 16384}) {
    machine_cpus = cpus;
    played_cpus = {3, 1500, cpus - 1};
    EXPECT_EQ(allowed_cpus(), (std::vector{3, 1500, cpus - 1}));
    {
      const Pinned pinned({cpus - 1});
      EXPECT_EQ(allowed_cpus(), std::vector{cpus - 1});
    }
    EXPECT_EQ(allowed_cpus(), (std::vector{3, 1500, cpus - 1}));
    machine_cpus = 0;
  }
  EXPECT_FALSE(allowed_cpus().empty());
}

TEST(Affinity, TellsWhetherABindingHolds) {
  machine_cpus = 64;
  played_cpus = {0, 1, 2};
  const std::uint64_t before = failed_bindings();
  EXPECT_TRUE(pin_to({2, 0}));
  EXPECT_EQ(failed_bindings(), before);
  cpuset = {0, 5};
  EXPECT_FALSE(pin_to({0, 1})) << "part of it";
  EXPECT_EQ(allowed_cpus(), std::vector{0});
  EXPECT_FALSE(pin_to({1})) << "refused";
  EXPECT_EQ(allowed_cpus(), std::vector{0});
  EXPECT_EQ(failed_bindings(), before + 2);
  { const Pinned pinned({1}); }
  EXPECT_EQ(failed_bindings(), before + 3);
  EXPECT_TRUE(pin_to({}));
  cpuset.clear();
  machine_cpus = 0;
}

}  // namespace
}  // namespace sortlab
