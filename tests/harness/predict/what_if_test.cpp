// The resources of a machine that can be set, and refusals.
#include "harness/predict/what_if.hpp"

#include <gtest/gtest.h>

#include "core/parameters.hpp"

namespace sortlab {
namespace {

std::string complaint(const std::vector<std::string>& texts, bool device = true) {
  try {
    read_factors(texts, device);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "none";
}

TEST(WhatIf, AFactorIsANumberWithOrWithoutAnX) {
  EXPECT_EQ(read_factors({"clock=2x", "memory.latency=0.5"}, true), (Factors{{"clock", 2}, {"memory.latency", 0.5}}));
  EXPECT_EQ(read_factors({}, false), Factors{});
}

TEST(WhatIf, AResourceThatIsNoneIsNamedWithThoseThatAre) {
  EXPECT_EQ(complaint({"memory.bandwith=2x"}, false),
            "set: unknown resource 'memory.bandwith' of a host (did you mean 'memory.bandwidth'?); allowed: clock, "
            "memory.bandwidth, memory.latency, synchronization.latency");
  EXPECT_TRUE(complaint({"cores=2x"}).starts_with("set: unknown resource 'cores' of a GPU"));
  EXPECT_TRUE(complaint({"=2x"}).starts_with("set: unknown resource '' of a GPU"));
  EXPECT_TRUE(complaint({"multiprocessors=2x"}, false).starts_with("set: unknown resource 'multiprocessors'"));
}

TEST(WhatIf, AFactorThatIsNoneIsNamedWithWhatIsAllowed) {
  for (const char* factor : {"fast", "", "x", "-2x", "0", "nan", "inf", "2xx", "2 x", "1000x", "0.001x"}) {
    EXPECT_EQ(complaint({std::string{"clock="} + factor}),
              std::string{"set: clock: '"} + factor + "' is no factor; allowed: from 0.01x to 100x, as in clock=2x");
  }
  EXPECT_TRUE(complaint({"clock"}).starts_with("set: clock: '' is no factor"));
  EXPECT_EQ(complaint({"clock=2x", "clock=3x"}), "set: clock is set twice; allowed: once");
}

}  // namespace
}  // namespace sortlab
