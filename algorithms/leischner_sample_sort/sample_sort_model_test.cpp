// The model of the sample sort on an invented device, on which each kernel takes round times of its own.
#include <cmath>

#include "algorithms/leischner_sample_sort/plan.hpp"
#include "tests/models/papers/paper_models_test.hpp"
#include "tests/support/constant_table.hpp"
#include "tests/support/settings_of_plugin.hpp"

namespace sortlab {
namespace {

constexpr double kLaunch = 1e-6;
constexpr double kFind = 1e-11;       ///< an element
constexpr double kScatter = 2e-11;    ///< an element, of random keys
constexpr double kSample = 1e-7;      ///< a segment more
constexpr double kBucket = 1e-8;      ///< a bucket more, and
constexpr double kOfElement = 1e-12;  ///< an element of it
constexpr double kSorted = 3;         ///< times as long, of sorted keys
constexpr double kCores = 100;

using Value = double (*)(const std::vector<double>&);

/// A table of all combinations of the axes.
void fill(MachineProfile& profile, const char* name, Value value, const std::vector<std::vector<double>>& axes) {
  ProfileTable& table = profile.tables[name];
  table.unit = "s";
  table.source = "this test";
  std::vector<std::vector<double>> points{{}};
  for (const std::vector<double>& axis : axes) {
    std::vector<std::vector<double>> longer;
    for (const std::vector<double>& point : points) {
      for (const double at : axis) {
        longer.push_back(point);
        longer.back().push_back(at);
      }
    }
    points = std::move(longer);
  }
  if (table.arguments.empty()) {
    for (std::size_t i = 0; i < axes.size(); ++i) table.arguments.push_back("a" + std::to_string(i));
  }
  for (const std::vector<double>& at : points) table.points.push_back({.at = at, .value = value(at), .ci95 = {}});
}

MachineProfile device() {
  MachineProfile profile{.id = "invented", .name = "Invented", .origin = "calibrated", .source = "this test"};
  profile.clock_hz = 1e9;
  profile.cores = static_cast<int>(kCores);
  profile.cache_bytes = {{"L2", 1 << 20}};
  profile.tables["copy"] = constant({"access_bytes", "bytes"}, 4e12);
  const auto launch = [](const std::vector<double>&) { return kLaunch; };
  fill(profile, "tile.counter_scan", launch, {{1, 1e6}});
  fill(profile, "sample_sort.begin", launch, {});
  const auto more = [](const std::vector<double>& at) { return kLaunch + kSample * (at.back() - 1); };
  fill(profile, "sample_sort.sample", more, {{0, 1}, {4, 8}, {3, 9}, {1, 400}});
  fill(profile, "sample_sort.list", more, {{4, 8}, {1, 400}});
  const auto find = [](const std::vector<double>& at) { return kFind * at[2] * (at[3] == 1 ? kSorted : 1); };
  const auto scatter = [](const std::vector<double>& at) { return kScatter * (at[4] == 1 ? kSorted : 1); };
  const std::vector<double> logs{3, 4, 7, 9}, orders{0, 1, 2}, bytes{1e6, 1e9};
  fill(profile, "sample_sort.find", find, {{0, 1}, {4, 8}, logs, orders, bytes});
  const auto buckets = [](const std::vector<double>& at) {
    return kLaunch + (kBucket + kOfElement * at[at.size() - 2]) * at.back();
  };
  for (const auto& [key, value] : std::vector<std::pair<double, double>>{{4, 0}, {8, 0}, {4, 4}, {8, 8}}) {
    fill(profile, "sample_sort.scatter", scatter, {{0, 1}, {key}, {value}, logs, orders, bytes});
    fill(profile, "sample_sort.quicksort", buckets, {{key}, {value}, {256, 131072}, {kCores, 1600}});
    for (std::size_t c = 0; c < sample_sort::kMergeThreads.size(); ++c) {
      const double capacity = sample_sort::class_elements(c, static_cast<std::size_t>(key));
      fill(profile, "sample_sort.merge", buckets, {{key}, {value}, {capacity}, {1, capacity}, {kCores, 10000}});
    }
  }
  return profile;
}

struct Of {
  std::uint64_t n = 1 << 24;
  std::string distribution = "uniform";
  std::string preset = "tuned";
  GivenParameters given{};
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
};

Prediction predicted(const Of& of, const MachineProfile& profile) {
  GivenParameters given = preset(algorithm_named("leischner_sample_sort"), of.preset);
  for (const auto& [name, value] : of.given) given[name] = value;
  const Workload workload{.algorithm = "leischner_sample_sort",
                          .key = of.key,
                          .value = of.value,
                          .n = of.n,
                          .parameters = resolve("leischner_sample_sort",
                                                algorithm_named("leischner_sample_sort").info().parameters, given)};
  const DistributionView view{parse_distribution(of.distribution), of.key, of.n, 1};
  return model_named("leischner_sample_sort").predict(workload, view, profile);
}
Prediction predicted(const Of& of) {
  static const MachineProfile profile = device();
  return predicted(of, profile);
}

const PhasePrediction* find_phase(const Prediction& prediction, std::string_view name, int pass) {
  for (const PhasePrediction& phase : prediction.phases) {
    if (phase.name == name && phase.pass == pass) return &phase;
  }
  return nullptr;
}
double seconds(const Of& of, std::string_view name, int pass) {
  const Prediction prediction = predicted(of);
  const PhasePrediction* const phase = find_phase(prediction, name, pass);
  return phase == nullptr ? 0 : phase->seconds;
}

TEST(SampleSortModel, HasThePhasesOfTheSort) {
  const auto& phases = algorithm_named("leischner_sample_sort").info().phases;
  for (const char* preset : {"paper", "tuned"}) {
    for (const char* distribution : {"uniform", "constant"}) {
      const Prediction prediction = predicted({.distribution = distribution, .preset = preset});
      double sum = 0;
      for (const PhasePrediction& phase : prediction.phases) {
        EXPECT_NE(std::ranges::find(phases, phase.name), phases.end()) << phase.name;
        sum += phase.seconds;
      }
      EXPECT_NEAR(sum, prediction.seconds, 1e-12);
    }
  }
}

/// An input that one block sorts is listed and sorted, and no more.
TEST(SampleSortModel, FewElementsAreSortedAtOnce) {
  const Prediction prediction = predicted({.n = 8704});
  ASSERT_EQ(prediction.phases.size(), 2u);
  EXPECT_EQ(prediction.phases[1].name, "sort buckets");
}

/// The bucket may come from a level, or be the whole input.
TEST(SampleSortModel, QuicksortFindsEqualKeysInARound) {
  MachineProfile profile = device();
  const auto in_rounds = [](const std::vector<double>& at) {
    return kLaunch + kOfElement * at[2] * std::log2(at[2]) * at.back();
  };
  profile.tables.erase("sample_sort.quicksort");
  fill(profile, "sample_sort.quicksort", in_rounds, {{4}, {0}, {16384, 131072}, {kCores, 1600}});
  const auto sorting = [&](const char* distribution) {
    return predicted({.n = 1 << 16, .distribution = distribution, .preset = "paper"}, profile).phases.back().seconds;
  };
  EXPECT_LT(sorting("constant"), sorting("uniform") / 8);
  EXPECT_GT(sorting("constant"), 0.7 * kOfElement * kCores * (1 << 16));
}

/// LEI-M1: where buckets of the first level have M elements in the mean, half of the elements and more are split again.
TEST(SampleSortModel, HalfOfTheBucketsAreSplitAgainAtTheKink) {
  const auto again = [](std::uint64_t n) {
    const Prediction prediction = predicted({.n = n, .preset = "paper"});
    const PhasePrediction* const find = find_phase(prediction, "find", 1);
    return find == nullptr ? 0 : find->work.at("keys") / static_cast<double>(n);
  };
  EXPECT_LT(again(1 << 23), 0.02);
  EXPECT_NEAR(again(1 << 24), 0.53, 0.05);  // larger buckets have more elements
  EXPECT_GT(again(1 << 25), 0.98);
}

/// Levels of the preset `tuned` share the ways: of 2^24 keys of 4 bytes 2^6 and 2^6 make buckets of M/2.
TEST(SampleSortModel, TunedLevelsShareTheWays) {
  const double n = 1 << 24;
  EXPECT_NEAR(seconds({}, "find", 0), kFind * 6 * n, 1e-3 * kFind * 6 * n);
  EXPECT_GT(seconds({}, "find", 1), 0.95 * kFind * 5 * n);
  EXPECT_EQ(find_phase(predicted({}), "find", 3), nullptr);
}

TEST(SampleSortModel, EqualKeysAreCopiedAndNotSorted) {
  const Prediction prediction = predicted({.distribution = "constant"});
  EXPECT_EQ(find_phase(prediction, "find", 1), nullptr);
  ASSERT_NE(find_phase(prediction, "copy", 0), nullptr);
  EXPECT_NEAR(find_phase(prediction, "copy", 0)->seconds, 2.0 * (1 << 24) * 4 / 4e12, 1e-9);
  EXPECT_LT(find_phase(prediction, "sort buckets", 1)->work.at("buckets"), 1);
  EXPECT_EQ(find_phase(predicted({}), "copy", 0), nullptr);
}

/// Half of the keys of the first value, a quarter of the next: all but few have buckets of their own at once.
TEST(SampleSortModel, DeterministicDuplicatesEndAtTheFirstLevel) {
  const Prediction prediction = predicted({.distribution = "deterministic_duplicates"});
  ASSERT_NE(find_phase(prediction, "copy", 0), nullptr);
  EXPECT_GT(find_phase(prediction, "copy", 0)->work.at("keys"), 0.95 * (1 << 24));
}

TEST(SampleSortModel, WarpsOfSortedKeysShareABucket) {
  const double random = seconds({}, "scatter", 0), sorted = seconds({.distribution = "sorted"}, "scatter", 0);
  EXPECT_NEAR(random, kScatter * (1 << 24), 0.01 * random);
  EXPECT_NEAR(sorted, kSorted * random, 0.05 * sorted);
}

/// A bucket a multiprocessor takes a launch and what it has; others add what they have.
TEST(SampleSortModel, BucketsAddUp) {
  const Of of{.n = 1 << 26, .key = KeyType::u64};
  const Prediction prediction = predicted(of);
  const PhasePrediction& sort = prediction.phases.back();
  ASSERT_EQ(sort.name, "sort buckets");
  const double buckets = sort.work.at("buckets"), n = static_cast<double>(of.n);
  EXPECT_NEAR(sort.seconds, kBucket * buckets + kOfElement * n, 0.05 * sort.seconds);
}

/// Fewer buckets than multiprocessors take as long as the largest.
TEST(SampleSortModel, QuicksortWaitsForTheLargestBucket) {
  const double largest = kLaunch + (kBucket + kOfElement * (1 << 17)) * kCores;
  const Prediction prediction = predicted({.n = 6000000, .preset = "paper", .given = {{"ways", "64"}}});
  EXPECT_NEAR(prediction.phases.back().seconds, largest, 0.15 * largest);
}

TEST(SampleSortModel, DeclinesWhatWasNotMeasured) {
  EXPECT_THROW(predicted({.preset = "released"}), BadInput);
  EXPECT_THROW(predicted({.given = {{"scatter", "direct"}}}), BadInput);
}

}  // namespace
}  // namespace sortlab
