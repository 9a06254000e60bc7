// The instruments of a worker: clock, timed call, free cores, memory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/affinity.hpp"
#include "core/child_process.hpp"
#include "harness/machine/clock.hpp"
#include "harness/machine/free_cores.hpp"
#include "harness/machine/memory.hpp"
#include "harness/measure/allocations.hpp"
#include "harness/measure/binding.hpp"
#include "harness/measure/guarded_memory.hpp"
#include "harness/measure/timed_call.hpp"

namespace sortlab {
namespace {

TEST(Measuring, ClockIsThatOfAProcessor) {
  const double hz = measured_clock_hz();
  EXPECT_GT(hz, 2e8);  // unoptimised and sanitized builds spend a few instructions on each addition
  EXPECT_LT(hz, 1e10);
}

TEST(Measuring, TimedCallKeepsTheTimeOfOneCall) {
  int calls = 0;
  const double seconds = timed_call([&] {
    ++calls;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  });
  EXPECT_EQ(calls, 1);
  EXPECT_GE(seconds, 0.02);
  EXPECT_LT(seconds, 5);
}

TEST(Measuring, TimedCallThrowsOnAndCanBeUsedAgain) {
  EXPECT_THROW(timed_call([] { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_GT(timed_call([] {}), 0);
}

TEST(Measuring, TimedCallCostsMicroseconds) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) timed_call([] {});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(taken.count(), 1);  // 3 us each; much more would mean that the reporter or the registry grows
}

TEST(Measuring, AllocationsOfAllThreadsAreCounted) {
  constexpr int threads = 1100;  // more than there are counters
  constexpr int per_thread = 10;
  const auto allocate = [] {
    for (int i = 0; i < per_thread; ++i) {
      void* volatile memory = std::malloc(16);  // volatile: or the compiler removes the pair of calls
      std::free(memory);
    }
  };
  clear_allocations();
  allocate();
  ASSERT_EQ(counted_allocations().value_or(0), 0U) << "nothing counts before the start";
  std::uint64_t of_threads = 0;  // allocations by which a thread is started
  for (const bool works : {false, true}) {
    clear_allocations();
    start_counting_allocations();
    for (int begun = 0; begun < threads; begun += 50) {
      std::vector<std::thread> team;
      team.reserve(50);
      for (int i = 0; i < 50; ++i) team.emplace_back([&] { works ? allocate() : void(); });
      for (std::thread& thread : team) thread.join();
    }
    stop_counting_allocations();
    const auto counted = counted_allocations();
    if (!counted) GTEST_SKIP() << "sanitizers have allocators of their own";
    if (!works) {
      of_threads = *counted;
    } else {
      EXPECT_NEAR(static_cast<double>(*counted - of_threads), threads * per_thread, threads / 10.0);
    }
  }
  const auto before = counted_allocations();
  allocate();
  EXPECT_EQ(counted_allocations(), before) << "nothing counts after the end";
}

TEST(Measuring, AnArrayOfNoBytesHoldsItsBeginAlone) {
  GuardedMemory memory;
  memory.reserve(64, 2);
  memory.clear(0);
  const std::byte* const empty = memory.add(0);
  const std::byte* const full = memory.add(64);
  EXPECT_TRUE(memory.holds(empty));
  EXPECT_FALSE(memory.holds(empty + 1));
  EXPECT_TRUE(memory.holds(full + 63));
  EXPECT_FALSE(memory.holds(full + 64));
}

TEST(Measuring, PinningIsUndone) {
  const auto before = allowed_cpus();
  {
    const Pinned here({before.front()});
    EXPECT_EQ(allowed_cpus(), std::vector{before.front()});
  }
  EXPECT_EQ(allowed_cpus(), before);
}

// Two loops on one processor share it, so each gets about half. On a busy machine each loop may get a whole time slice
// in turn, but not every time.
TEST(Measuring, SharedCoresAreSeen) {
  const int cpu = allowed_cpus().front();
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 10; ++i) least = std::min(least, side_by_side({cpu, cpu}).chained);
  EXPECT_LT(least, FreeCores::kFree * measured_clock_hz());
  // While other programs run, a probe can fall between the turns of the two threads, which is no fault of it.
  double share = std::numeric_limits<double>::infinity(), waited_s = 0;
  for (int i = 0; i < 10 && share >= FreeCores::kFree; ++i) {
    FreeCores free_cores(std::chrono::milliseconds{50});
    share = free_cores.share({cpu, cpu});
    waited_s = free_cores.waited_s();
  }
  EXPECT_LT(share, FreeCores::kFree);
  EXPECT_GE(waited_s, 0.05);
}

// Otherwise a second thread on the same core would find idle adders.
TEST(Measuring, IndependentAdditionsFillTheCore) {
  const auto fastest = [](double (*add)()) {
    double most = 0;
    for (int i = 0; i < 50; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const double additions = add();
      most =
          std::max(most, additions / std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return most;
  };
  EXPECT_GT(fastest(independent_additions), 2 * fastest(chained_additions));
}

TEST(Binding, OfOneThreadHoldsWhereItHadTheProcessorsGiven) {
  const std::vector<int> given{2};
  EXPECT_TRUE(compare_bindings(given, true, {.before = {2}, .after = {2}}).held);
  const Binding refused = compare_bindings(given, true, {.before = {0, 1, 2}, .after = {0, 1, 2}});
  EXPECT_FALSE(refused.held);
  EXPECT_EQ(refused.cpus, (std::vector{0, 1, 2}));
  const Binding moved = compare_bindings(given, true, {.before = {2}, .after = {0}});
  EXPECT_FALSE(moved.held);
  EXPECT_EQ(moved.cpus, (std::vector{0, 2}));
}

TEST(Binding, OfSeveralThreadsHoldsWhereAllThatWereGivenAreAllowed) {
  const std::vector<int> given{0, 1};
  const Binding whole = compare_bindings(given, false, {.before = {0, 1, 2, 3}, .after = {0, 1, 2, 3}});
  EXPECT_TRUE(whole.held);
  EXPECT_EQ(whole.cpus, given);
  const Binding narrowed = compare_bindings(given, false, {.before = {0}, .after = {0}});
  EXPECT_FALSE(narrowed.held);
  EXPECT_EQ(narrowed.cpus, std::vector{0});
  const Binding unbound = compare_bindings(given, false, {.before = {0, 1, 2}, .after = {0, 1, 2}, .refused = true});
  EXPECT_FALSE(unbound.held);
  EXPECT_EQ(unbound.cpus, (std::vector{0, 1, 2}));
  const Binding away = compare_bindings(given, false, {.before = {5}, .after = {5}});
  EXPECT_FALSE(away.held);
  EXPECT_EQ(away.cpus, std::vector{5});
  EXPECT_TRUE(compare_bindings({}, false, {.before = {5}, .after = {6}}).held) << "a sort on a device is given none";
}

TEST(Measuring, MemoryBeyondTheLimitThrows) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "no limit under a sanitizer";
#endif
  EXPECT_GT(physical_memory(), std::uint64_t{1} << 28);
  EXPECT_LE(available_memory(), physical_memory());
  ChildProcess child{{}, [] {
                       limit_memory(std::uint64_t{256} << 20);
                       try {
                         const std::vector<char> big(std::size_t{512} << 20);
                         _exit(big[0] + 1);
                       } catch (const std::bad_alloc&) {
                         _exit(0);
                       }
                     }};
  EXPECT_EQ(child.wait(), 0);
}

}  // namespace
}  // namespace sortlab
