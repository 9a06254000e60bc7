// The sort in a Python process: only NumPy's time counts, and no process remains afterwards.
#include <gtest/gtest.h>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

#include "algorithms/plugin.hpp"
#include "core/child_process.hpp"
#include "core/raw_clock.hpp"

namespace sortlab {
namespace {

/// The child processes of `parent`.
std::vector<int> child_processes(int parent) {
  std::vector<int> children;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task")) {
    std::ifstream stream{task.path() / "children"};
    for (int child = 0; stream >> child;) children.push_back(child);
  }
  return children;
}

class NumpySort : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = algorithm_.unavailable()) GTEST_SKIP() << *reason;
  }
  std::unique_ptr<Sorter> prepared(std::uint64_t n) const {
    Parameters parameters;
    parameters.set("kind", std::string{"quicksort"});
    return algorithm_.prepare({.n = n}, parameters, {});
  }

  const Algorithm& algorithm_ = algorithm_named("numpy_sort");
};

TEST_F(NumpySort, TheTimeIsThatOfTheCallAlone) {
  std::vector<std::uint32_t> keys(1000);
  std::iota(keys.rbegin(), keys.rend(), 0U);
  const auto sorter = prepared(keys.size());
  PhaseTimer phases{1};
  const auto begin = RawClock::now();
  const Buffers sorted = sorter->sort({{keys.data(), keys.size()}, {}}, phases);
  const std::chrono::duration<double> round_trip = RawClock::now() - begin;
  EXPECT_TRUE(std::ranges::is_sorted(sorted.keys.as<std::uint32_t>()));
  ASSERT_TRUE(sorter->own_seconds());
  EXPECT_GT(*sorter->own_seconds(), 0);
  EXPECT_LT(*sorter->own_seconds(), round_trip.count());
}

TEST_F(NumpySort, ItsProcessGoesWithTheSorter) {
  auto one = prepared(100);
  const std::vector<int> servers = child_processes(getpid());
  ASSERT_EQ(servers.size(), 1U);
  const auto has = [&](std::size_t processes) {
    for (int wait = 0; wait < 200; ++wait) {
      if (child_processes(servers[0]).size() == processes) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    return false;
  };
  EXPECT_TRUE(has(1));
  auto other = prepared(100);
  EXPECT_TRUE(has(2));
  one.reset();
  EXPECT_TRUE(has(1));
  other.reset();
  EXPECT_TRUE(has(0));
}

// A child process prepares a sorter and dies: its Python processes become our children, and end.
TEST_F(NumpySort, NothingIsLeftOfACrash) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const std::vector<int> before = child_processes(getpid());
  ChildProcess{{},
               [&] {
                 const auto sorter = prepared(100);
                 kill(getpid(), SIGKILL);
               }}
      .wait();
  for (int wait = 0; wait < 500 && child_processes(getpid()) != before; ++wait) {
    waitpid(-1, nullptr, WNOHANG);
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  EXPECT_EQ(child_processes(getpid()), before);
}

}  // namespace
}  // namespace sortlab
