// The sample sort from what its kernels execute.
#include <algorithm>
#include <cmath>

#include "tests/models/kernels/idle_device.hpp"
#include "tests/models/papers/paper_models_test.hpp"
#include "tests/support/settings_of_plugin.hpp"

namespace sortlab {
namespace {

constexpr double kKeys = 1 << 22;

class SampleCounts : public IdleDevice {
 protected:
  SampleCounts() {
    for (const char* nothing : {"memset", "host_sync", "copy_back"}) set(nothing, {}, 0);
    set("match", {"distinct"}, 0);
    set("lookback", {"tiles_in_flight"}, 0);
  }
  Prediction predict(const std::string& distribution = "uniform", const std::string& preset = "tuned",
                     ValueType value = ValueType::none) {
    const Algorithm& sort = algorithm_named("leischner_sample_sort");
    const Workload workload{
        .algorithm = "leischner_sample_sort",
        .value = value,
        .n = static_cast<std::uint64_t>(kKeys),
        .parameters = resolve("leischner_sample_sort", sort.info().parameters, sortlab::preset(sort, preset))};
    const DistributionView view{parse_distribution(distribution), workload.key, workload.n, 1};
    return model_named("leischner_sample_sort-counts").predict(workload, view, profile_);
  }
  static double cycles(const Prediction& prediction, std::string_view name) {
    return phase_cycles(prediction, kKeys, name);
  }
};

TEST_F(SampleCounts, IsOfKindHardware) {
  EXPECT_EQ(model_named("leischner_sample_sort-counts").info().kind, ModelKind::hardware);
  expect_phases("leischner_sample_sort", predict());
  EXPECT_THROW(predict("uniform", "paper"), MissingQuantity);
}

TEST_F(SampleCounts, ElementsWalkDownTheTree) {
  set("issue.ffma", {}, 0.25);
  // Eight at a time: 297 instructions, and 195 for four levels; 2^22 keys are split twice, by 32 at first.
  const double walk = (297 + 5 / 4.0 * 195) / 8 / 32;
  EXPECT_NEAR(cycles(predict(), "find") * 0.25, walk, 0.03 * walk);
  // To its bucket, and out.
  const double moved = (268 + 112) / 8.0 / 32;
  EXPECT_NEAR(cycles(predict(), "scatter") * 0.25, moved, 0.05 * moved);
}

TEST_F(SampleCounts, BlocksMergeAsTheMergeSortThatWasCounted) {
  set("issue.ffma", {}, 0.25);
  // The first runs of satish_gpu_merge are sorted by the same code: 6.569 instructions for an element of blocks that
  // are full, by ncu. Buckets fill half of a block on average, and some threads wait.
  EXPECT_NEAR(cycles(predict(), "sort buckets") * 0.25, 6.57, 0.1 * 6.57);
  EXPECT_NEAR(cycles(predict("uniform", "tuned", ValueType::u32), "sort buckets") * 0.25, 8.78, 0.1 * 8.78);
}

TEST_F(SampleCounts, LanesOfRandomKeysContendAndProbeDifferentNodes) {
  constexpr double slow = 100;  // cycles of a wavefront: blocks wait for nothing else
  set("shared_load", {"degree"}, slow);
  const double alone = cycles(predict(), "find");
  set("shared_random", {"access_bytes"}, 4);
  EXPECT_NEAR(cycles(predict(), "find"), alone, 1e-9);  // 32 nodes lie in as many banks
  set("shared_atomic", {"distinct", "returns"}, 8);
  EXPECT_NEAR(cycles(predict(), "find") - alone, slow * 8 / 32, 0.01 * slow);
  EXPECT_NEAR(cycles(predict("sorted"), "find") - alone, slow * 1 / 32, 0.02 * slow);  // one addition for all lanes
}

TEST_F(SampleCounts, TheSampleIsSortedStepByStep) {
  set("latency", {"bytes"}, 1e-6);
  // 16 keys a way: 512, of which 256 pairs are compared at a time, in 45 steps; shared memory is waited for twice in
  // each, and memory twice.
  const Prediction prediction = predict();
  const auto sample = std::ranges::find_if(
      prediction.phases, [](const PhasePrediction& phase) { return phase.name == "sample" && phase.pass == 0; });
  ASSERT_NE(sample, prediction.phases.end());
  EXPECT_NEAR(sample->seconds, (45 * 2 + 2) * 1e-6 + 45 * 4 * (12 + 21) / kClock, 1e-6);
}

}  // namespace
}  // namespace sortlab
