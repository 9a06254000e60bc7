// Counts sorts on a GPU under ncu, with this program as its own child process (see main below).
#include <gtest/gtest.h>

#include "harness/count/count_cells.hpp"
#include "harness/count/metrics.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/plan/sweep.hpp"
#include "tests/harness/run/planted_device_sorts.hpp"

namespace sortlab {
namespace {

const Plant address{"planted_illegal_address", make_planted_library_sort<Misbehaviour::illegal_address>};
const Plant disorder{"planted_disorder", make_planted_library_sort<Misbehaviour::disorder>};

constexpr std::uint64_t kN = 1 << 16;

class DeviceCount : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus_here().names.empty()) GTEST_SKIP() << "no GPU: " << gpus_here().reason;
    ncu_ = find_ncu();
    if (ncu_.path.empty()) GTEST_SKIP() << ncu_.reason;
  }

  std::vector<CellCounts> count_sorts(const std::vector<std::string>& names, int passes = 0) const {
    Sweep sweep;
    for (const std::string& name : names) {
      sweep.algorithms.push_back({.algorithm = &algorithm_named(name), .preset = {}});
    }
    sweep.n = {kN};
    sweep.distributions = {parse_distribution("uniform")};
    return count_cells(expand_sweeps({sweep}), NcuTool(ncu_, {known_metrics(ncu_, metrics_to_count(false)), passes}));
  }

  static double an_element(const PhaseCounts& phase, const char* counter) {
    return phase.counters.at(counter) / static_cast<double>(kN);
  }

  Ncu ncu_;
};

TEST_F(DeviceCount, KernelsOfALibraryAreTheirOwnPhases) {
  const std::string library = library_sort().info().name;
  const CellCounts cub = count_sorts({library}).front();
  ASSERT_EQ(to_name(cub.status), "ok") << cub.reason;
  ASSERT_FALSE(cub.phases.empty());
  for (const PhaseCounts& phase : cub.phases) {
    EXPECT_EQ(phase.kernels.size(), 1u);
    EXPECT_GT(phase.counters.at("instructions"), 0) << phase.name;
    EXPECT_GE(phase.counters.at("thread_instructions"), phase.counters.at("instructions")) << phase.name;
  }
}

TEST_F(DeviceCount, PhasesOfASortHaveItsKernels) {
  const std::string library = library_sort().info().name;
  const std::vector<CellCounts> counts = count_sorts({"satish_split_radix", library});
  ASSERT_EQ(to_name(counts.front().status), "ok") << counts.front().reason;
  EXPECT_EQ(to_name(counts.back().status), "ok") << counts.back().reason;
  int histograms = 0;
  for (const PhaseCounts& phase : counts.front().phases) {
    if (phase.name != "histogram") continue;
    EXPECT_EQ(phase.pass, histograms++);
    EXPECT_DOUBLE_EQ(an_element(phase, "global_load_sectors"), 4.0 / 32);  // reads each key once
  }
  EXPECT_EQ(histograms, 8);
}

TEST_F(DeviceCount, FirstPassesAreCountedAlone) {
  const CellCounts split = count_sorts({"satish_split_radix"}, 2).front();
  ASSERT_EQ(to_name(split.status), "ok") << split.reason;
  EXPECT_EQ(split.phases.size(), 6u);
  for (const PhaseCounts& phase : split.phases) EXPECT_LT(phase.pass, 2);
}

TEST_F(DeviceCount, WrongAndFaultySortsHaveNoCountsAndTheNextHas) {
  const std::string library = library_sort().info().name;
  // With a choice of passes each sort runs twice, and these misbehave from the second time on.
  const std::vector<CellCounts> counts = count_sorts({"planted_disorder", "planted_illegal_address", library}, 1);
  EXPECT_EQ(to_name(counts[0].status), "wrong");
  const std::string_view lost = to_name(counts[1].status);
  EXPECT_TRUE(lost == "failed" || lost == "crashed") << lost;
  EXPECT_EQ(to_name(counts[2].status), "ok") << counts[2].reason;
  EXPECT_TRUE(counts[0].phases.empty() && counts[1].phases.empty());
  EXPECT_FALSE(counts[2].phases.empty());
}

}  // namespace
}  // namespace sortlab
