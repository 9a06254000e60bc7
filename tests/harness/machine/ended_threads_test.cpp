#include "harness/machine/ended_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "core/affinity.hpp"
#include "core/raw_clock.hpp"
#include "harness/machine/thread_times.hpp"

namespace sortlab {
namespace {

using std::chrono::milliseconds;

std::ptrdiff_t open_files() {
  const std::filesystem::directory_iterator files{"/proc/self/fd"};
  return std::distance(begin(files), end(files));
}

void work_for(double processor_s) {
  while (caller_processor_s() < processor_s) {
  }
}

class EndedThreads : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
    GTEST_SKIP() << "the sanitizer's own pthread_create comes first";
#endif
  }
};

TEST_F(EndedThreads, BesideAnotherOnOneProcessorTheyWait) {
  const Pinned one({allowed_cpus().front()});
  std::atomic<bool> over = false;
  std::thread other([&] {
    while (!over) {
    }
  });
  const double before_s = ended_threads_waited_s();
  std::thread([] { work_for(30e-3); }).join();
  const double waited_s = ended_threads_waited_s() - before_s;
  over = true;
  other.join();
  EXPECT_GT(waited_s, 10e-3);
}

TEST_F(EndedThreads, SleepIsNoWaiting) {
  double least_s = 1;
  for (int i = 0; i < 20; ++i) {  // other programs may be busy
    const double before_s = ended_threads_waited_s();
    std::thread([] { std::this_thread::sleep_for(milliseconds{20}); }).join();
    least_s = std::min(least_s, ended_threads_waited_s() - before_s);
  }
  EXPECT_LT(least_s, 2e-3);
}

TEST_F(EndedThreads, NoFileStaysOpen) {
  const std::ptrdiff_t before = open_files();
  for (int i = 0; i < 10; ++i) std::thread([] { std::this_thread::sleep_for(milliseconds{1}); }).join();
  EXPECT_EQ(open_files(), before);
}

}  // namespace
}  // namespace sortlab
