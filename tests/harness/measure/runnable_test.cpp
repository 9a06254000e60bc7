// The times of phases, from the spans that a sort reported.
#include "harness/measure/runnable.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sortlab {
namespace {

struct Span {
  int lane;
  const char* name;
  int pass;
  std::int64_t begin_ns, end_ns;
};

std::map<std::pair<std::string, int>, std::int64_t> nanoseconds(const std::vector<Span>& spans) {
  PhaseTimer timer(4);
  for (const Span& s : spans) timer.add({s.name, s.pass, s.begin_ns, s.end_ns}, s.lane);
  std::map<std::pair<std::string, int>, std::int64_t> times;
  for (const PhaseTime& phase : phase_times(timer)) {
    times[{phase.name, phase.pass}] = static_cast<std::int64_t>(phase.seconds * 1e9 + 0.5);
  }
  return times;
}

using Times = std::map<std::pair<std::string, int>, std::int64_t>;

TEST(PhaseTimes, OfALaneThatAlternatesHoldNoOtherPhase) {
  EXPECT_EQ(nanoseconds({{0, "a", 0, 0, 100}, {0, "b", 0, 100, 1000}, {0, "a", 0, 1000, 1200}}),
            (Times{{{"a", 0}, 300}, {{"b", 0}, 900}}));
}

TEST(PhaseTimes, OfThreadsThatOverlapCountOnce) {
  EXPECT_EQ(nanoseconds({{0, "a", 0, 0, 100}, {1, "a", 0, 50, 160}, {2, "a", 0, 20, 30}, {3, "a", 0, 400, 500}}),
            (Times{{{"a", 0}, 260}}));
}

TEST(PhaseTimes, HoldWhatLiesBetweenSpansThatNoOtherParts) {
  EXPECT_EQ(nanoseconds({{0, "a", 0, 0, 100}, {0, "a", 0, 150, 300}, {0, "a", 1, 300, 400}}),
            (Times{{{"a", 0}, 300}, {{"a", 1}, 100}}));
}

TEST(PhaseTimes, AreInTheOrderInWhichPhasesBegan) {
  PhaseTimer timer(2);
  timer.add({"late", 0, 50, 60}, 0);
  timer.add({"early", 0, 0, 100}, 1);
  const auto times = phase_times(timer);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].name, "early");
}

}  // namespace
}  // namespace sortlab
