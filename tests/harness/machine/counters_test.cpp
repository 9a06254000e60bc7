// The choice of a counter source, and likwid in its child process. Both are tested with fakes.
#include "harness/machine/counters.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "harness/machine/bounded_child.hpp"

namespace sortlab {
namespace {

using namespace std::chrono_literals;

class OneEvent final : public Counters {
 public:
  void start() override {}
  CounterValues stop() override { return {{"cycles", 7}}; }
};

CounterSource working(const char* name) {
  return {name, [] { return std::make_unique<OneEvent>(); }};
}
CounterSource failing(const char* name, const char* why) {
  return {name, [why]() -> std::unique_ptr<Counters> { throw CountersUnavailable(why); }};
}

TEST(Counters, TheFirstSourceThatWorksIsChosen) {
  const CounterChoice choice =
      choose_counters({failing("likwid", "not installed"), working("perf_event"), working("x")});
  EXPECT_EQ(choice.source, "perf_event");
  EXPECT_EQ(choice.reason, "likwid: not installed");
  ASSERT_NE(choice.counters, nullptr);
  EXPECT_EQ(choice.counters->stop().at("cycles"), 7);
}

TEST(Counters, EveryRefusalIsToldWhenNoneWorks) {
  const CounterChoice choice = choose_counters({failing("likwid", "hangs"), failing("perf_event", "not permitted")});
  EXPECT_EQ(choice.counters, nullptr);
  EXPECT_EQ(choice.source, "");
  EXPECT_EQ(choice.reason, "likwid: hangs; perf_event: not permitted");
}

TEST(Counters, PerfEventCountsOrSaysWhyNot) {
  const CounterChoice choice = choose_counters({perf_event_source()});
  if (choice.counters == nullptr) {
    EXPECT_TRUE(choice.reason.starts_with("perf_event: perf_event_open: ")) << choice.reason;
    return;
  }
  choice.counters->start();
  volatile int sum = 0;
  for (int i = 0; i < 1000000; ++i) sum = sum + i;
  EXPECT_GT(choice.counters->stop().at("instructions"), 1e6);
}

class FakeLikwid : public ::testing::Test {
 protected:
  static CounterChoice choose(const char* mode, std::chrono::milliseconds limit = 5s) {
    setenv("FAKE_LIKWID", mode, 1);
    return choose_counters({likwid_source({0, 1}, limit, FAKE_LIKWID_LIBRARY)});
  }
};

TEST_F(FakeLikwid, CountsSumOverProcessors) {
  const CounterChoice choice = choose("work");
  ASSERT_NE(choice.counters, nullptr) << choice.reason;
  EXPECT_EQ(choice.source, "likwid");
  for (int round = 0; round < 2; ++round) {
    choice.counters->start();
    EXPECT_EQ(
        choice.counters->stop(),
        (CounterValues{{"RETIRED_INSTRUCTIONS", 2001}, {"ACTUAL_CPU_CLOCK", 4002}, {"CLOCK data volume [GBytes]", 1}}));
  }
}

TEST_F(FakeLikwid, OneGroupIsCountedAtATime) {
  setenv("FAKE_LIKWID", "clock alone", 1);
  const auto source = [](const char* group) {
    return choose_counters({likwid_source({0}, 5s, FAKE_LIKWID_LIBRARY, group)});
  };
  EXPECT_NE(source("CLOCK").counters, nullptr);
  EXPECT_EQ(source("L3").reason, "likwid: has no group L3 here");
  setenv("FAKE_LIKWID", "work", 1);
  const CounterChoice branches = source("BRANCH");
  branches.counters->start();
  EXPECT_EQ(branches.counters->stop().at("RETIRED_MISP_BRANCH_INSTR"), 2001);
}

TEST_F(FakeLikwid, AHangCostsTheLimitAndNoMore) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(choose("hang", 200ms).reason, "likwid: no answer within 0.2 s");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}

TEST_F(FakeLikwid, AHangWhileCountingIsToldToo) {
  const CounterChoice choice = choose("hang late", 500ms);
  ASSERT_NE(choice.counters, nullptr) << choice.reason;
  choice.counters->start();
  EXPECT_THROW(choice.counters->stop(), CountersUnavailable);
  EXPECT_THROW(choice.counters->start(), CountersUnavailable);
}

TEST_F(FakeLikwid, ACrashIsTold) {
  EXPECT_EQ(choose("crash").reason, "likwid: ended by signal 6 (Aborted)");
  EXPECT_EQ(choose("exit").reason, "likwid: ended with exit status 1: ERROR - Unable to get path to access daemon.");
}

TEST_F(FakeLikwid, ARefusalIsTold) {
  EXPECT_TRUE(choose("refuse").reason.starts_with("likwid: cannot read the counters")) << choose("refuse").reason;
  const CounterChoice choice = choose_counters({likwid_source({0}, 5s, "libno_such_library.so")});
  EXPECT_TRUE(choice.reason.starts_with("likwid: not installed")) << choice.reason;
}

TEST(BoundedChild, AnswersUntilItEnds) {
  BoundedChild child{[count = 0](std::string_view question) mutable {
    if (question == "end") _exit(5);
    return std::string{question} + std::to_string(++count);
  }};
  EXPECT_EQ(child.ask("a", 5s), "a1");
  EXPECT_EQ(child.ask("b", 5s), "b2");
  try {
    child.ask("end", 5s);
    FAIL();
  } catch (const ChildFailed& why) {
    EXPECT_STREQ(why.what(), "ended with exit status 5");
  }
  EXPECT_THROW(child.ask("c", 5s), ChildFailed);
}

}  // namespace
}  // namespace sortlab
