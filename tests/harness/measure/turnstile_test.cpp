#include "harness/measure/turnstile.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "core/bad_input.hpp"
#include "core/temporary_folder.hpp"

namespace sortlab {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(Turnstile, BothSidesTakeTurnsOneAtATime) {
  const TemporaryFolder folder;
  std::mutex mutex;
  std::string order;
  std::atomic<int> inside = 0;
  bool alone = true;
  const auto side = [&](int number) {
    Turnstile turnstile(number, folder.file("turnstile"));
    turnstile.enter(1);
    for (int i = 0; i < 50; ++i) {
      if (++inside != 1) alone = false;
      {
        const std::lock_guard lock(mutex);
        order += static_cast<char>('0' + number);
      }
      --inside;
      turnstile.hand_over();
    }
    turnstile.leave();
  };
  std::thread other{side, 1};
  side(0);
  other.join();
  EXPECT_TRUE(alone);
  std::string in_turn;
  for (int i = 0; i < 50; ++i) in_turn += order.front() == '0' ? "01" : "10";
  EXPECT_EQ(order, in_turn);
}

TEST(Turnstile, ASideAloneOrInAnotherBlockIsNotWaitedForLong) {
  const TemporaryFolder folder;
  Turnstile mine(0, folder.file("turnstile"));
  const auto begin = steady_clock::now();
  mine.enter(1);
  for (int i = 0; i < 1000; ++i) mine.hand_over();
  EXPECT_LT(steady_clock::now() - begin, milliseconds{4000});
  mine.leave();
}

TEST(Turnstile, ASideThatWaitsForTheNextBlockIsNotWaitedFor) {
  const TemporaryFolder folder;
  Turnstile mine(0, folder.file("turnstile"));
  std::atomic<bool> done = false;
  std::thread other{[&] {
    Turnstile theirs(1, folder.file("turnstile"));
    theirs.enter(1);
    theirs.hand_over();
    theirs.leave();
    theirs.enter(2);
    EXPECT_TRUE(done);
    theirs.leave();
  }};
  mine.enter(1);
  const auto begin = steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    mine.hand_over();
    std::this_thread::sleep_for(milliseconds{5});
  }
  EXPECT_LT(steady_clock::now() - begin, milliseconds{1500});
  done = true;
  mine.leave();
  mine.enter(2);
  mine.leave();
  other.join();
}

TEST(Turnstile, ASideThatDiesIsNotWaitedFor) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    Turnstile theirs(1, folder.file("turnstile"));
    theirs.enter(1);
    _exit(0);  // without leaving
  }
  Turnstile mine(0, folder.file("turnstile"));
  std::thread reaper{[&] { waitpid(child, nullptr, 0); }};
  mine.enter(1);
  const auto begin = steady_clock::now();
  for (int i = 0; i < 3; ++i) mine.hand_over();
  EXPECT_LT(steady_clock::now() - begin, milliseconds{1000});
  mine.leave();
  reaper.join();
}

TEST(Turnstile, ASideWhoseProgramHasEndedIsNotWaitedFor) {
  const TemporaryFolder folder;
  Turnstile(1, folder.file("turnstile")).withdraw();
  Turnstile mine(0, folder.file("turnstile"));
  const auto begin = steady_clock::now();
  mine.enter(1);
  EXPECT_LT(steady_clock::now() - begin, milliseconds{1000});
  mine.leave();
}

TEST(Turnstile, TheVariableIsCheckedAndMayBeMissing) {
  EXPECT_EQ(Turnstile::from_environment(), nullptr);
  for (const char* const wrong : {"2:/tmp/x", "0", "0:", "x"}) {
    setenv(kTurnstileVariable, wrong, 1);
    EXPECT_THROW(Turnstile::from_environment(), BadInput) << wrong;
  }
  unsetenv(kTurnstileVariable);
}

}  // namespace
}  // namespace sortlab
