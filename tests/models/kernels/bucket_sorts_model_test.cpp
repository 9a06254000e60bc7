// The models of the quicksort and the bucket sorts of 2009 on an invented device, on which each kernel takes round
// times.
#include <cmath>

#include "models/kernels/keys_by_rank.hpp"
#include "tests/models/papers/paper_models_test.hpp"
#include "tests/support/constant_table.hpp"

namespace sortlab {
namespace {

constexpr double kElement = 1e-12;  ///< an element of a kernel
constexpr double kWait = 1e-5;      ///< a wait for the host
constexpr double kLaunch = 1e-6;
constexpr double kAtomic = 1e-9;  ///< an addition to a slice's counter

/// A table of one argument that counts, the last.
ProfileTable by_last(std::vector<std::string> arguments, const std::vector<std::pair<double, double>>& points) {
  ProfileTable table{.unit = "", .source = "this test", .arguments = arguments, .points = {}};
  for (const auto& [at, value] : points) {
    std::vector<double> all(arguments.size(), 1);
    all.back() = at;
    table.points.push_back({all, value, {}});
  }
  return table;
}

MachineProfile device() {
  MachineProfile profile{.id = "invented", .name = "Invented", .origin = "calibrated", .source = "this test"};
  profile.clock_hz = 1e9;
  profile.cores = 100;
  profile.cache_bytes = {{"L2", 1 << 20}};
  const std::vector<std::string> one{"bytes"}, two{"key", "bytes"}, three{"key", "value", "bytes"};
  const std::vector<std::string> four{"a", "b", "c", "d"}, five{"a", "b", "c", "d", "e"};
  profile.tables = {{"launch_dependent", constant({}, kLaunch)},
                    {"memset", constant({}, kLaunch)},
                    {"copy_back", constant({}, kWait)},
                    {"write", constant(two, 1e12)},
                    {"copy", constant(two, 1e12)},
                    {"quicksort.count", constant(four, kElement)},
                    {"quicksort.scan", constant({"threads", "key"}, kLaunch)},
                    {"quicksort.scatter", constant(five, 2 * kElement)},
                    {"quicksort.partition", constant(five, 1e-9)},
                    {"quicksort.small", constant(five, 1e-6)},
                    {"quicksort.resident", constant({"threads", "key", "value"}, 4)},
                    {"bbsort.least_and_most", constant(two, kElement)},
                    {"bbsort.count", by_last({"key", "bytes", "share"}, {{0, kElement}, {1, kAtomic}})},
                    {"bbsort.count_sorted", constant(two, kElement)},
                    {"bbsort.scatter", constant(four, kElement)},
                    {"bbsort.bucket", constant(three, 1e-8)},
                    {"bbsort.pack", constant(one, 1e-9)},
                    {"hybrid_sort.least_and_most", constant(one, kElement)},
                    {"hybrid_sort.histogram", constant(two, kElement)},
                    {"hybrid_sort.count", constant(two, kElement)},
                    {"hybrid_sort.prefix", constant(one, kLaunch)},
                    {"hybrid_sort.scatter", constant(two, kElement)},
                    {"hybrid_sort.vectors", constant(one, kElement)},
                    {"hybrid_sort.merge", constant(two, 1e-7)},
                    {"hybrid_sort.pack", constant(one, kElement)}};
  return profile;
}

constexpr std::uint64_t kN = 1 << 22;

Prediction predicted(const std::string& algorithm, const std::string& distribution, KeyType key = KeyType::u32,
                     std::uint64_t n = kN) {
  static const MachineProfile profile = device();
  const Workload workload{.algorithm = algorithm, .key = key, .n = n, .parameters = papers(algorithm)};
  const Prediction prediction =
      model_named(algorithm).predict(workload, {parse_distribution(distribution), key, n, 1}, profile);
  expect_phases(algorithm, prediction);
  return prediction;
}

double phase_seconds(const Prediction& prediction, std::string_view phase) {
  double seconds = 0;
  for (const PhasePrediction& one : prediction.phases) seconds += one.name == phase ? one.seconds : 0;
  return seconds;
}

int count_passes(const Prediction& prediction, std::string_view phase) {
  return static_cast<int>(std::ranges::count(prediction.phases, phase, &PhasePrediction::name));
}

TEST(KeysByRank, StandForKeysBetweenThem) {
  const DistributionView view{parse_distribution("sorted"), KeyType::u32, 1 << 20, 1, 1 << 12};
  const KeysByRank keys{view, 1 << 20};
  constexpr double middle = 1 << 19;
  EXPECT_NEAR(keys.less(keys.at(middle)), middle, 2);
  EXPECT_NEAR(static_cast<double>(keys.at(middle)), 0x1p31, 0x1p27);
  EXPECT_EQ(keys.less(0), 0);
  EXPECT_EQ(keys.not_greater(~std::uint64_t{0}), 1 << 20);
}

TEST(KeysByRank, EqualKeysAreEqual) {
  const DistributionView view{parse_distribution("deterministic_duplicates"), KeyType::u32, kN, 1};
  const KeysByRank keys{view, kN};
  const std::uint64_t most = keys.at(kN - 1);
  EXPECT_EQ(keys.at(kN * 0.75), most);
  EXPECT_NEAR(keys.less(most), kN / 2.0, kN / 100.0);
  EXPECT_EQ(keys.not_greater(most), kN);
}

TEST(CedermanModel, UniformKeysHalveLevelByLevel) {
  const Prediction prediction = predicted("cederman_quicksort", "uniform");
  EXPECT_NEAR(count_passes(prediction, "count"), 8, 1);  // to 256 sequences; the first pivot is not the middle
  EXPECT_NEAR(phase_seconds(prediction, "scatter"), 2 * phase_seconds(prediction, "count"), 1e-9);
  EXPECT_NEAR(phase_seconds(prediction, "count") / count_passes(prediction, "count"), kN * kElement,
              0.1 * kN * kElement);
}

TEST(CedermanModel, TheLongestSequenceBinds) {
  // With many ANDs most keys are close together, and pivots by value partition them badly.
  EXPECT_GT(phase_seconds(predicted("cederman_quicksort", "thearling:ands=5"), "sort sequences"),
            4 * phase_seconds(predicted("cederman_quicksort", "uniform"), "sort sequences"));
  // Equal keys are sorted once they are a pivot.
  EXPECT_LT(phase_seconds(predicted("cederman_quicksort", "deterministic_duplicates"), "sort sequences"),
            0.1 * phase_seconds(predicted("cederman_quicksort", "uniform"), "sort sequences"));
}

TEST(BbSortModel, CollapsesOnDuplicates) {
  const Prediction uniform = predicted("bbsort", "uniform"),
                   duplicates = predicted("bbsort", "deterministic_duplicates");
  EXPECT_NEAR(phase_seconds(uniform, "count"), kN * kElement, 0.5 * kN * kElement);
  EXPECT_GT(phase_seconds(duplicates, "count"), 0.9 * kN * kAtomic);
  EXPECT_EQ(count_passes(uniform, "recursion"), 0);
  EXPECT_EQ(count_passes(duplicates, "recursion"), 1);
  EXPECT_NEAR(phase_seconds(uniform, "sort buckets"), kN / 487.0 * 1e-8, kN / 487.0 * 1e-9);
}

TEST(BbSortModel, CrowdedSlicesAreRangesOfTheirOwn) {
  EXPECT_GT(phase_seconds(predicted("bbsort", "thearling:ands=3"), "recursion"), 2 * kWait);
  EXPECT_EQ(count_passes(predicted("bbsort", "gaussian", KeyType::f64), "recursion"), 0);
}

TEST(HybridSortModel, LevelsFollowTheLargestDivision) {
  EXPECT_EQ(count_passes(predicted("sintorn_hybrid_sort", "uniform", KeyType::f32), "merge"),
            11);  // divisions of 4096 keys and more
  EXPECT_THROW(predicted("sintorn_hybrid_sort", "deterministic_duplicates", KeyType::f32), BadInput);
}

}  // namespace
}  // namespace sortlab
