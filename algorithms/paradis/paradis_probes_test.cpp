// The probes of paradis measure every type and size, and the pieces that need several threads.
#include <gtest/gtest.h>

#include "tests/support/host_probe_bench.hpp"
#include "tests/support/probe_tables.hpp"

namespace sortlab::calibration {
namespace {

TEST(ParadisProbes, MeasureInsertionForEachTypeAndSize) {
  HostBench bench = small_bench(1);
  EXPECT_EQ(measure_tables(host_probes(), bench, "paradis").at("paradis.insertion").points.size(),
            16U);  // 4 types, 4 sizes
}

TEST(ParadisProbes, ThreadsPermuteOneArrayTogether) {
  HostBench bench = small_bench(2);
  EXPECT_EQ(measure_tables(host_probes(), bench, "paradis").at("paradis.together").points.size(),
            12U);  // 4 types, 3 sizes
}

}  // namespace
}  // namespace sortlab::calibration
