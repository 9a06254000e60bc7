// Processors that a thread may run on, also on a machine with more of them than a fixed cpu_set_t holds.
#include "core/affinity.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace {

int machine_cpus = 0;  ///< processors of the machine that is played; 0: this machine's
std::vector<int> played_cpus;

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
  played_cpus.clear();
  for (std::size_t cpu = 0; cpu < 8 * bytes; ++cpu) {
    if (CPU_ISSET_S(cpu, bytes, set)) played_cpus.push_back(static_cast<int>(cpu));
  }
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

}  // namespace
}  // namespace sortlab
