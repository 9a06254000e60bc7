// Sortlab's own radix sort from what its kernels execute, and how the lanes of a warp meet.
#include <cmath>

#include "algorithms/msd_radix_gpu/model/contention.hpp"
#include "tests/models/kernels/idle_device.hpp"
#include "tests/models/papers/paper_models_test.hpp"

namespace sortlab {
namespace {

using msd_contention::Contention;
using msd_contention::draw_contention;

constexpr double kKeys = 1 << 28;  // keys alone have two partitions, and buckets that are counted

class MsdCounts : public IdleDevice {
 protected:
  MsdCounts() {
    set("lookback_hop", {}, 0);
    set("match", {"distinct"}, 0);
    for (const char* pipe : {"issue.imad", "issue.popc", "issue.barrier"}) set(pipe, {}, 1 / kNothing);
  }
  Prediction predict(const std::string& distribution = "uniform", KeyType key = KeyType::u32,
                     ValueType value = ValueType::none, double n = kKeys) const {
    const Workload workload{
        .algorithm = "msd_radix_gpu", .key = key, .value = value, .n = static_cast<std::uint64_t>(n), .parameters = {}};
    const DistributionView view{parse_distribution(distribution), key, workload.n, 1};
    return model_named("msd_radix_gpu-counts").predict(workload, view, profile_);
  }
  static double cycles(const Prediction& prediction, std::string_view name, int pass = 0) {
    return phase_cycles(prediction, kKeys, name, pass);
  }
};

TEST_F(MsdCounts, IsOfKindHardware) {
  EXPECT_EQ(model_named("msd_radix_gpu-counts").info().kind, ModelKind::hardware);
  for (const double n : {1e3, 1e6, 1e8}) {
    expect_phases("msd_radix_gpu", predict("uniform", KeyType::u64, ValueType::u64, n));
  }
}

TEST_F(MsdCounts, InstructionsAreIssuedOneAfterAnother) {
  set("issue.ffma", {}, 0.25);
  const Prediction uniform = predict();
  // 16 keys of a thread at a time, and 36 in a tile.
  EXPECT_NEAR(cycles(uniform, "count") * 0.25, 237 / 16.0 / 32, 0.02);
  EXPECT_NEAR(cycles(uniform, "partition") * 0.25, 1434 / 36.0 / 32, 0.02);
  EXPECT_NEAR(cycles(uniform, "partition", 1) * 0.25, 1441 / 36.0 / 32, 0.05);
  // Lanes that share a digit add at once, which takes votes.
  EXPECT_GT(cycles(predict("thearling:ands=3"), "partition"), 1.2 * cycles(uniform, "partition"));
}

TEST_F(MsdCounts, ABucketIsCountedByInstructionsOfEightKeysAndOfItsFullestThread) {
  set("issue.ffma", {}, 0.25);
  // 4096 keys, 8 a thread; of the lanes of a warp the fullest has 14.5.
  const double of_bucket = (297 + 84 + 81 * 14.5 / 4 + 22 * 8 / 4.0) / 8 / 32;
  EXPECT_NEAR(cycles(predict(), "bucket sort") * 0.25, of_bucket, 0.05 * of_bucket);
}

TEST_F(MsdCounts, BarriersSetPipesAndSharedMemoryApart) {
  set("issue.ffma", {}, 0.25);
  const double issued = cycles(predict(), "partition");
  set("shared_load", {"degree"}, 12);
  const double both = cycles(predict(), "partition");
  set("issue.ffma", {}, 1 / kNothing);
  const double shared = cycles(predict(), "partition");
  EXPECT_GT(both, 1.05 * std::max(issued, shared));  // two blocks overlap in part
  EXPECT_LT(both, 1.01 * (issued + shared));
}

TEST_F(MsdCounts, MemoryIsReadAndWritten) {
  for (const char* stream : {"read", "write", "copy", "scatter"}) {
    for (ProfileTable::Point& point : profile_.tables[stream].points) point.value = 1e9;
  }
  const Prediction prediction = predict("uniform", KeyType::u64, ValueType::u64);
  EXPECT_NEAR(cycles(prediction, "count"), 8, 0.2);
  EXPECT_NEAR(cycles(prediction, "partition"), 32, 4);  // two blocks do not always keep it busy
  // Lines that the harness left in the cache are written back while the keys are counted, its size once.
  profile_.cache_bytes = {{"L2", 3 << 20}, {"shared", 228 * 1024}};
  const Prediction more = predict("uniform", KeyType::u64, ValueType::u64);
  EXPECT_NEAR((cycles(more, "count") - cycles(prediction, "count")) * kKeys, 2 << 20, 1 << 14);
}

TEST_F(MsdCounts, KeysOf128BitsAreEstimatedFromNarrowerOnes) {
  const double narrow = predict("uniform", KeyType::u32).seconds, wide = predict("uniform", KeyType::u64).seconds;
  EXPECT_NEAR(predict("uniform", KeyType::u128).seconds, 3 * wide - 2 * narrow, 0.02 * wide);
}

TEST(MsdContention, IsThatOfLanesInBanks) {
  // As an H100 takes (shared_atomic, shared_atomic_ands): wavefronts of 32 lanes.
  const Contention random = draw_contention({});
  EXPECT_NEAR(random.added, 3.16, 0.1);
  EXPECT_NEAR(random.placed, 3.54, 0.1);
  EXPECT_LT(random.hot, 0.01);
  const Contention one_and = draw_contention({.one = 0.25});
  EXPECT_NEAR((1 - one_and.hot) * one_and.placed + one_and.hot * 7.8, 7.8, 2.5);
  EXPECT_NEAR(one_and.added, 4.25, 0.2);
  // One lane adds for all equal keys.
  const Contention equal = draw_contention({.one = 0});
  EXPECT_EQ(equal.hot, 1);
  EXPECT_EQ(equal.added, 1);
  EXPECT_EQ(equal.placed_hot, 1);
}

TEST(MsdContention, DigitsThatWereDrawnMayAllLieInOneBank) {
  const std::vector<std::vector<std::uint32_t>> drawn{{0, 32, 64, 96, 128, 160, 192, 224}};
  const Contention of_one_bank = draw_contention({.drawn = drawn});
  EXPECT_GT(of_one_bank.added, 7);
  EXPECT_GT((1 - of_one_bank.hot) * of_one_bank.placed + of_one_bank.hot * of_one_bank.placed_hot, 25);
}

}  // namespace
}  // namespace sortlab
