#include "harness/measure/sleeper.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <chrono>
#include <thread>

#include "harness/machine/thread_times.hpp"

namespace sortlab {
namespace {

using std::chrono::milliseconds;

/// Stops this process for a while, by a child.
void stop_for(milliseconds still) {
  const pid_t child = fork();
  if (child == 0) {
    kill(getppid(), SIGSTOP);
    usleep(static_cast<useconds_t>(1000 * still.count()));
    kill(getppid(), SIGCONT);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

TEST(Sleeper, SeesThatAllThreadsWereStopped) {
  const Sleeper sleeper;
  ASSERT_TRUE(wait_until_alone(milliseconds{1000}));
  const ThreadsAt before = ThreadsAt::now(&sleeper);
  stop_for(milliseconds{50});
  const double stopped_s = stood_still_s(before, ThreadsAt::now(&sleeper));
  EXPECT_GT(stopped_s, 0.04);
}

TEST(Sleeper, DoesNotTakeSleepingForBeingStopped) {
  const Sleeper sleeper;
  ASSERT_TRUE(wait_until_alone(milliseconds{1000}));
  const ThreadsAt before = ThreadsAt::now(&sleeper);
  std::barrier meeting{2};
  std::thread other{[&] {
    for (int i = 0; i < 20; ++i) {
      std::this_thread::sleep_for(milliseconds{2});
      meeting.arrive_and_wait();
    }
  }};
  for (int i = 0; i < 20; ++i) meeting.arrive_and_wait();
  other.join();
  EXPECT_EQ(stood_still_s(before, ThreadsAt::now(&sleeper)), 0);
}

TEST(Sleeper, ChargesWhatTheBusiestThreadDidToNoStop) {
  const Sleeper sleeper;
  ASSERT_TRUE(wait_until_alone(milliseconds{1000}));
  const ThreadsAt before = ThreadsAt::now(&sleeper);
  const double until_s = caller_processor_s() + 0.2;
  while (caller_processor_s() < until_s) {
  }
  stop_for(milliseconds{20});
  const ThreadsAt after = ThreadsAt::now(&sleeper);
  const double took_s = std::chrono::duration<double>(after.time - before.time).count();
  EXPECT_GT(stood_still_s(before, after), 0.01);
  EXPECT_LT(stood_still_s(before, after), took_s - 0.19);
}

}  // namespace
}  // namespace sortlab
