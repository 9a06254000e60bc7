#include "core/child_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <system_error>

namespace sortlab {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> shell(const std::string& script) {
  return {"/bin/sh", "-c", script};
}

/// True once `limit` has passed since the call.
auto after(std::chrono::milliseconds limit) {
  return [until = std::chrono::steady_clock::now() + limit] { return std::chrono::steady_clock::now() >= until; };
}

TEST(ChildProcess, TellsItsOutputAndStatus) {
  const ChildOutput output = run_child(
      {.words = shell("echo $0 $WORD; echo wrong >&2; exit 3"), .name = "me", .environment = {{"WORD", "a b"}}},
      after(1min));
  EXPECT_EQ(output.text, "me a b\nwrong\n");
  EXPECT_EQ(WEXITSTATUS(output.status), 3);
  EXPECT_FALSE(output.too_long);
  EXPECT_EQ(capture_output({.words = {"/bin/echo", "one"}}), "one\n");
}

TEST(ChildProcess, ThatCannotBeStartedIsNamed) {
  try {
    const ChildProcess none{{.words = {"/nowhere"}}};
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_STREQ(error.what(), "/nowhere: No such file or directory");
  }
  EXPECT_EQ(capture_output({.words = {"/nowhere"}}), "");
}

TEST(ChildProcess, EndsAfterItsLimitWhateverItDoes) {
  const auto begin = std::chrono::steady_clock::now();
  const ChildOutput endless = run_child({.words = shell("yes")}, after(200ms));
  EXPECT_TRUE(endless.too_long);
  EXPECT_EQ(WTERMSIG(endless.status), SIGTERM);
  EXPECT_LE(endless.text.size(), kMaxOutputBytes);
  const ChildOutput stubborn =
      run_child({.words = shell("trap '' TERM; while :; do sleep 1; done")}, after(100ms), 100ms);
  EXPECT_TRUE(stubborn.too_long);
  EXPECT_EQ(WTERMSIG(stubborn.status), SIGKILL);
  const ChildOutput silent = run_child({.words = shell("exec >&- 2>&-; sleep 60")}, after(100ms), 0ms);
  EXPECT_TRUE(silent.too_long);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

TEST(ChildProcess, TakesItsGroupWithIt) {
  const ChildOutput output = run_child({.words = shell("sleep 1000 & echo $!")}, after(1min));
  EXPECT_FALSE(output.too_long);
  const std::string left_behind = "/proc/" + std::to_string(std::stoi(output.text)) + "/stat";
  std::string state;
  for (int wait = 0; wait < 500; ++wait) {
    std::ifstream stat{left_behind};
    std::string pid;
    std::string name;
    if (!(stat >> pid >> name >> state) || state == "Z") return;  // gone, or nobody reaps it here
    usleep(10'000);
  }
  FAIL() << left_behind << " is in state " << state;
}

TEST(ChildProcess, IsKilledWithItsObject) {
  pid_t pid = 0;
  {
    ChildProcess child{{.words = {"/bin/sleep", "1000"}}};
    pid = child.pid();
    EXPECT_EQ(child.wait_for(0ms), std::nullopt);
    EXPECT_EQ(kill(pid, 0), 0);
  }
  EXPECT_EQ(kill(pid, 0), -1);  // gone, and no zombie
}

TEST(ChildProcess, IgnoresTheSignalsThatItIsGiven) {
  ChildProcess child{{.words = shell("kill -TERM $$; exit 4"), .ignored_signals = {SIGTERM}}};
  EXPECT_EQ(WEXITSTATUS(child.wait()), 4);
  EXPECT_EQ(child.pid(), -1);
}

}  // namespace
}  // namespace sortlab
