// The hybrid radix sort from what its kernels execute.
#include <cmath>

#include "tests/models/kernels/idle_device.hpp"
#include "tests/models/papers/paper_models_test.hpp"

namespace sortlab {
namespace {

constexpr double kKeys = 1 << 24;

class HybridCounts : public IdleDevice {
 protected:
  HybridCounts() { set("shared_atomic_ands", {"ands", "returns"}, 0); }
  Prediction predict(const GivenParameters& given = {}, const std::string& distribution = "uniform",
                     KeyType key = KeyType::u32, ValueType value = ValueType::none) {
    const Workload workload{.algorithm = "stehle_hybrid_radix",
                            .key = key,
                            .value = value,
                            .n = static_cast<std::uint64_t>(kKeys),
                            .parameters = papers("stehle_hybrid_radix", given)};
    const DistributionView view{parse_distribution(distribution), key, workload.n, 1};
    return model_named("stehle_hybrid_radix-counts").predict(workload, view, profile_);
  }
  static double cycles(const Prediction& prediction, std::string_view name, int pass = 0) {
    return phase_cycles(prediction, kKeys, name, pass);
  }
};

TEST_F(HybridCounts, IsOfKindHardware) {
  const ModelInfo& info = model_named("stehle_hybrid_radix-counts").info();
  EXPECT_EQ(info.kind, ModelKind::hardware);
  expect_phases("stehle_hybrid_radix", predict());
}

TEST_F(HybridCounts, InstructionsAreIssuedOneAfterAnother) {
  set("issue.ffma", {}, 0.25);
  // Instructions of a thread's 18 keys and of its block; an NVIDIA H200 counted 0.787 of a warp (STE-C30).
  const double reduced = cycles(predict(), "histogram") * 0.25;
  EXPECT_NEAR(reduced, 0.787, 0.05 * 0.787);
  EXPECT_LT(cycles(predict({{"thread_reduction", "no"}}), "histogram") * 0.25, 0.5 * reduced);
  EXPECT_NEAR(cycles(predict(), "scatter") * 0.25, 1.034, 0.05 * 1.034);
  // 1.350 with two ANDs, where most blocks look ahead.
  EXPECT_NEAR(cycles(predict({}, "thearling:ands=2"), "scatter") * 0.25, 1.350, 0.05 * 1.350);
  EXPECT_NEAR(cycles(predict({{"look_ahead", "0"}}, "thearling:ands=2"), "scatter") * 0.25, 1.034, 0.05 * 1.034);
}

TEST_F(HybridCounts, ALocalSortTakesAPassForEveryFourBits) {
  set("issue.ffma", {}, 0.25);
  const auto local = [&](const GivenParameters& given) { return cycles(predict(given), "local sort", 1); };
  // 256 keys a bucket, of at most 320; 16 bits are left, or 24 where neighbours are merged.
  EXPECT_NEAR(local({{"merge_keys", "0"}}) * 0.25, (433 + 3 * 242) / 10.0 / 32 * 320 / 256, 0.02);
  EXPECT_GT(local({}), 1.2 * local({{"merge_keys", "0"}}));
  EXPECT_GT(local({{"merge_keys", "0"}, {"classes", "one"}}), 20 * local({{"merge_keys", "0"}}));  // slots of 9216
}

TEST_F(HybridCounts, LanesContendForCounters) {
  set("shared_load", {"degree"}, 1);
  set("shared_atomic", {"distinct", "returns"}, 32);
  const double of_keys = cycles(predict({{"look_ahead", "0"}}, "constant"), "scatter");
  EXPECT_GT(of_keys, 32 / 32.0);
  // Ahead, one lane reserves for three.
  EXPECT_NEAR(of_keys - cycles(predict({}, "constant"), "scatter"), 1 - 1 / 3.0, 0.05);
  // One of nine equal digits is added, or each.
  const double reduced = cycles(predict({}, "constant"), "histogram");
  const double each = cycles(predict({{"thread_reduction", "no"}}, "constant"), "histogram");
  EXPECT_NEAR(each - reduced, 1 - 1 / 9.0, 0.05);
}

TEST_F(HybridCounts, MemoryIsReadAndWritten) {
  for (const char* stream : {"read", "write", "copy", "scatter"}) {
    for (ProfileTable::Point& point : profile_.tables[stream].points) point.value = 1e9;
  }
  const Prediction prediction = predict({}, "uniform", KeyType::u64, ValueType::u64);
  EXPECT_NEAR(cycles(prediction, "histogram"), 8, 1);
  EXPECT_NEAR(cycles(prediction, "scatter"), 32, 2);
}

TEST_F(HybridCounts, ARankedBucketComparesEachKeyWithTheOthersOfItsBin) {
  set("issue.ffma", {}, 0.25);
  // 256 keys, one of 11 a thread, in 2048 bins: as good as none has another, but a thread goes over all its bins.
  const double alone = (487 + (1277 - 487) / 11.0 + 74) / 32;
  const GivenParameters unmerged{{"local_sort", "ranked"}, {"merge_keys", "0"}};
  EXPECT_NEAR(cycles(predict(unmerged), "local sort", 1) * 0.25, alone, 0.05 * alone);
  // More unevenly distributed keys share a bin; if too many do, CUB's sort takes the bucket.
  const Prediction uneven = predict(unmerged, "thearling:ands=1");
  EXPECT_GT(cycles(uneven, "local sort", 2), 0);
}

}  // namespace
}  // namespace sortlab
