#include "harness/machine/thread_times.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "core/affinity.hpp"

namespace sortlab {
namespace {

/// Starts a process that starts another; both work without end, on one processor.
pid_t start_two_on(int cpu) {
  const pid_t child = fork();
  if (child != 0) return child;
  pin_to({cpu});
  if (fork() == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (volatile int i = 0;;) i = i + 1;
}

TEST(ThreadTimes, ProcessesBelowThisOneWait) {
  EXPECT_EQ(children_times().waited_s, 0);
  const pid_t child = start_two_on(allowed_cpus().front());
  ASSERT_GT(child, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds{50});
  const double before_s = children_times().waited_s;
  std::this_thread::sleep_for(std::chrono::milliseconds{400});
  const double waited_s = children_times().waited_s - before_s;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_GT(waited_s, 0.1);  // one of the two always waits
  EXPECT_LT(waited_s, 2);
}

}  // namespace
}  // namespace sortlab
