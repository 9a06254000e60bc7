// The model of msd_radix_gpu: the tree that it walks, and sums over it on an invented device.
#include <cmath>

#include "algorithms/msd_radix_gpu/model/tree.hpp"
#include "generators/thearling.hpp"
#include "tests/models/papers/paper_models_test.hpp"
#include "tests/support/constant_table.hpp"

namespace sortlab {
namespace {

using namespace msd_gpu;
using msd_tree::Buckets;
using msd_tree::Tree;

struct Type {
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
};
constexpr std::array kTypes{Type{KeyType::u32, ValueType::none}, Type{KeyType::u64, ValueType::none},
                            Type{KeyType::u32, ValueType::u32}, Type{KeyType::u64, ValueType::u64}};
constexpr std::uint64_t kMi = 1 << 20;

msd_tree::Problem make_problem(const Type& type, std::uint64_t n, std::string_view regime = "auto") {
  const std::uint32_t key = byte_size(type.key), value = byte_size(type.value);
  return {.n = n,
          .key_bytes = key,
          .value_bytes = value,
          .multiprocessors = 132,
          .plan = make_plan(n, key, value, regime, 0)};
}
/// Keys of so many ANDs; constant ones where `ands` is negative.
Tree by_formula(const Type& type, std::uint64_t n, int ands, std::string_view regime = "auto") {
  return msd_tree::of_bits(make_problem(type, n, regime), ands < 0 ? 0 : thearling_bit_probability(ands));
}
Tree by_trace(const Type& type, std::uint64_t n, const std::string& distribution,
              std::optional<bool> samples_range = std::nullopt) {
  const DistributionView view{parse_distribution(distribution), type.key, n, 1};
  msd_tree::Problem problem = make_problem(type, n);
  problem.plan.samples_range = samples_range.value_or(problem.plan.samples_range);
  return msd_tree::of_trace(problem, view.spread());
}
double keys_in(const Tree& tree) {
  double keys = tree.tables.keys;
  for (const Buckets& list : tree.buckets) keys += list.keys;
  return keys;
}

/// Levels follow where a wide partition has too few bits for buckets.
TEST(MsdTree, GoesTheWayOfThePlan) {
  for (const Type& type : kTypes) {
    const std::uint64_t many = regime_elements(Regime::wide, byte_size(type.key), byte_size(type.value)).max;
    EXPECT_FALSE(by_formula(type, many, 0, "wide").levels.empty());
    const Tree tree = by_formula(type, kMi, 0, "partitions");
    EXPECT_EQ(tree.second_moved, 0x1p20);
    EXPECT_NEAR(keys_in(tree), 0x1p20, 0x1p14);
    EXPECT_TRUE(by_formula(type, kMi, 0, "one_level").buckets.empty());
  }
}

TEST(MsdTree, UniformKeysAreAllInBucketsAfterTheTopLevels) {
  for (const Type& type : kTypes) {
    for (const std::uint64_t n : {4 * kMi, 16 * kMi, 64 * kMi, 256 * kMi}) {
      const Tree tree = by_formula(type, n, 0);
      const auto all = static_cast<double>(n);
      EXPECT_NEAR(keys_in(tree), all, 0.01 * all);
      EXPECT_EQ(tree.first_moved, all);
      EXPECT_TRUE(tree.levels.empty());
      for (const Buckets& list : tree.buckets) EXPECT_GT(list.kinds.even, 0.9) << list.list;
    }
  }
}

TEST(MsdTree, LargeUniformSegmentsNeedAThirdLevel) {
  // The first digit has 9 bits where that spares it.
  EXPECT_TRUE(by_formula({KeyType::u64, ValueType::none}, 1024 * kMi, 0).levels.empty());
  const Tree tree = by_formula({KeyType::u64, ValueType::u64}, 1024 * kMi, 0);
  ASSERT_EQ(tree.levels.size(), 1U);
  EXPECT_NEAR(tree.levels[0].segments, 65536, 700);
  EXPECT_NEAR(tree.levels[0].moved, 0x1p30, 0x1p24);
}

/// Counted buckets have up to 9216 keys; longer ones are in the list as well.
TEST(MsdTree, KeysOf32BitsAloneAreCountedWhere16BitsAreLeft) {
  const Tree tree = by_formula({}, 512 * kMi, 0);
  ASSERT_FALSE(tree.buckets.empty());
  EXPECT_EQ(tree.buckets.back().list, kCounted);
  EXPECT_NEAR(tree.buckets.back().keys, 0x1p29, 0x1p24);
  EXPECT_GT(by_formula({}, 256 * kMi, 5).tables.keys, 0x1p27);
}

TEST(MsdTree, EqualKeysAreReadOnce) {
  for (const Type& type : kTypes) {
    const Tree tree = by_formula(type, 16 * kMi, -1);
    EXPECT_EQ(tree.first_moved + tree.second_moved + keys_in(tree), 0);
    EXPECT_TRUE(tree.levels.empty());
    EXPECT_EQ(by_formula(type, 4096, -1).kinds.equal, 1);
  }
}

/// A bucket of equal keys is found only by counting it. By then its keys lie in the other array and must be copied.
TEST(MsdTree, FewKeysAreCountedOnceMoreAndCopied) {
  const Tree tree = by_trace({KeyType::u64, ValueType::none}, 64 * kMi, "few_distinct:distinct=16");
  ASSERT_EQ(tree.levels.size(), 2U);
  EXPECT_EQ(tree.levels[0].segments, 16);
  EXPECT_NEAR(tree.levels[0].keys, 0x1p26, 1);
  EXPECT_EQ(tree.levels[0].moved, 0);
  EXPECT_NEAR(tree.levels[1].copied, 0x1p26, 1);
  // In a sort of one level each fills windows, and is copied.
  EXPECT_EQ(by_trace({}, kMi, "few_distinct:distinct=16").copied_classes, 16);
}

TEST(MsdTree, UnevenKeysAreLeftToSplitters) {
  for (const Type& type : kTypes) {
    const Tree tree = by_formula(type, 16 * kMi, 3);
    const bool counts = counts_buckets(16 * kMi, byte_size(type.key), byte_size(type.value));
    EXPECT_EQ(tree.skips_top, !counts);
    if (counts) continue;
    ASSERT_FALSE(tree.levels.empty());
    EXPECT_EQ(tree.levels[0].split_segments, 1);
    EXPECT_EQ(tree.levels[0].moved, 0x1p24);
  }
}

/// Keys that leave the highest bit, or half of all, empty fill twice as few digits, or one, unless a sample shows it.
TEST(MsdTree, TopDigitsOfASampledRangeMakeBuckets) {
  for (const char* const input : {"staggered", "uniform:range_bits=24"}) {
    const std::uint64_t n = 16 * kMi;
    const Tree all = by_trace({}, n, input, false), sampled = by_trace({}, n, input);
    ASSERT_FALSE(all.levels.empty()) << input;
    EXPECT_GT(all.levels[0].keys, 0.9 * 0x1p24) << input;
    EXPECT_TRUE(sampled.levels.empty() || sampled.levels[0].keys < 0.1 * 0x1p24) << input;
  }
  EXPECT_EQ(by_trace({}, 16 * kMi, "uniform").levels.size(), by_trace({}, 16 * kMi, "uniform", false).levels.size());
  EXPECT_TRUE(by_trace({KeyType::u64, ValueType::none}, 4 * kMi, "uniform:range_bits=40", false).skips_top);
  EXPECT_FALSE(by_trace({KeyType::u64, ValueType::none}, 4 * kMi, "uniform:range_bits=40").skips_top);
}

/// Both give the same tree of one input.
TEST(MsdTree, FormulaAndTraceAgree) {
  for (const Type& type : kTypes) {
    for (const int ands : {0, 1}) {
      const std::uint64_t n = 64 * kMi;
      const Tree formula = by_formula(type, n, ands),
                 trace = by_trace(type, n, "thearling:ands=" + std::to_string(ands));
      EXPECT_EQ(formula.skips_top, trace.skips_top);
      EXPECT_NEAR(formula.first.hottest, trace.first.hottest, 0.05 * formula.first.hottest + 0.001);
      EXPECT_NEAR(keys_in(formula), keys_in(trace), 0.05 * 0x1p26);
      EXPECT_NEAR(formula.second_moved, trace.second_moved, 0.02 * 0x1p26);
    }
  }
}

TEST(MsdTree, UnevenBucketsAreFoundAsABlockFindsThem) {
  EXPECT_GT(by_formula({}, 4096, 0).kinds.even, 0.9);
  EXPECT_EQ(by_formula({}, 4096, 2).kinds.uneven, 1);
  EXPECT_TRUE(by_formula({}, kMi, 2).is_split);
  EXPECT_FALSE(by_formula({}, kMi, 0).is_split);
}

// The model

constexpr double kLaunch = 1e-6;
constexpr double kKey = 1e-11;  ///< a key moved
constexpr double kBucket = 1e-8;

void fill(MachineProfile& profile, const char* name, std::vector<std::string> arguments, const auto& value,
          const std::vector<std::vector<double>>& points) {
  ProfileTable& table = profile.tables[name];
  table.unit = "s";
  table.source = "this test";
  table.arguments = std::move(arguments);
  for (const std::vector<double>& at : points) table.points.push_back({.at = at, .value = value(at), .ci95 = {}});
}

/// A device on which launches, keys and buckets take round times; uneven buckets take twice as long.
MachineProfile device() {
  MachineProfile profile{.id = "invented", .name = "Invented", .origin = "calibrated", .source = "this test"};
  profile.clock_hz = 1e9;
  profile.cores = 132;
  profile.cache_bytes = {{"L2", 1 << 20}};
  for (const char* stream : {"read", "copy"}) profile.tables[stream] = constant({"access_bytes", "bytes"}, 4e12);
  profile.tables["launch"] = constant({}, kLaunch);
  const auto by_keys = [](const auto& at) { return kLaunch + kKey * at.back(); };
  for (const Type& type : kTypes) {
    const double k = byte_size(type.key), v = byte_size(type.value);
    const std::uint32_t key = byte_size(type.key), value = byte_size(type.value);
    for (const double keys : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) {
      const auto slower = [&](const auto& at) { return (keys == 1 ? 2 : 1) * by_keys(at); };
      for (double c = 0; c < kClasses; ++c) {
        fill(profile, "msd.few", {"key", "value", "class", "keys", "elements"}, slower,
             {{k, v, c, keys, 2}, {k, v, c, keys, 8192}});
        const double most = class_shape(static_cast<int>(c), key, value).elements();
        fill(profile, "msd.bucket", {"key", "value", "class", "keys", "elements", "buckets"},
             [&](const auto& at) { return kLaunch + at[5] * kBucket * at[4] / most * (keys == 1 ? 2 : 1); },
             {{k, v, c, keys, most / 2, 10000}, {k, v, c, keys, most, 132}, {k, v, c, keys, most, 10000}});
      }
      for (const int items : one_level_choices(key, value)) {
        fill(profile, "msd.one_level", {"key", "value", "items", "keys", "elements"}, slower,
             {{k, v, double(items), keys, 1e4}, {k, v, double(items), keys, 4e6}});
      }
    }
    const std::vector<std::vector<double>> sizes{{k, v, 1.0 / 256, 1e6}, {k, v, 1.0 / 256, 0x1p28},
                                                 {k, v, 0.55, 0x1p24},   {k, v, 2, 0x1p24},
                                                 {k, v, 3, 0x1p24},      {k, v, 4, 0x1p24}};
    for (const char* table : {"msd.count", "msd.first", "msd.second"}) {
      fill(profile, table, {"key", "value", "hottest", "elements"}, by_keys, sizes);
    }
    for (const double steps : {0.0, 1.0}) {
      for (const double split : {0.0, 1.0}) {
        fill(profile, "msd.level", {"key", "value", "steps", "split", "segments", "elements"}, by_keys,
             {{k, v, steps, split, 0, 0},
              {k, v, steps, split, 1, 2e4},
              {k, v, steps, split, 1, 2e6},
              {k, v, steps, split, 100, 3e6}});
      }
    }
    for (const double counts : {0.0, 1.0}) {
      fill(profile, "msd.buckets_idle", {"key", "value", "counts"},
           [](const auto& at) { return (4 + 3 * at[2]) * kLaunch; }, {{k, v, counts}});
    }
  }
  for (const double keys : {0.0, 1.0}) {
    for (const double elements : {4097.0, 65535.0}) {
      fill(profile, "msd.counted", {"keys", "elements", "buckets"},
           [](const auto& at) { return kLaunch + at[2] * kBucket; }, {{keys, elements, 132}, {keys, elements, 10000}});
    }
  }
  for (const double keys : {0.0, 1.0, 2.0}) {
    fill(profile, "msd.tables", {"keys", "tables", "elements"}, by_keys,
         {{keys, 1, 65539}, {keys, 1, 0x1p26}, {keys, 1000, 0x1p26}});
  }
  return profile;
}

struct Of {
  std::uint64_t n = 1 << 24;
  std::string distribution = "uniform";
  Type type{};
  GivenParameters given{};
};
Prediction predicted(const Of& of) {
  static const MachineProfile profile = device();
  const Workload workload{.algorithm = "msd_radix_gpu",
                          .key = of.type.key,
                          .value = of.type.value,
                          .n = of.n,
                          .parameters = papers("msd_radix_gpu", of.given)};
  const DistributionView view{parse_distribution(of.distribution), of.type.key, of.n, 1};
  return model_named("msd_radix_gpu").predict(workload, view, profile);
}
double seconds(const Of& of, std::string_view name, int pass) {
  for (const PhasePrediction& phase : predicted(of).phases) {
    if (phase.name == name && phase.pass == pass) return phase.seconds;
  }
  throw std::out_of_range{std::string{name}};
}

TEST(MsdRadixModel, HasThePhasesOfTheSort) {
  for (const Type& type : kTypes) {
    for (const std::uint64_t n : {kMi / 1024, kMi / 4, 4 * kMi, 64 * kMi}) {
      for (const char* distribution : {"uniform", "thearling:ands=3", "zipf:theta=1", "constant", "sorted"}) {
        const Prediction prediction = predicted({.n = n, .distribution = distribution, .type = type});
        expect_phases("msd_radix_gpu", prediction);
        double sum = 0;
        for (const PhasePrediction& phase : prediction.phases) {
          EXPECT_GT(phase.seconds, 0) << phase.name << " " << distribution;
          sum += phase.seconds;
        }
        EXPECT_DOUBLE_EQ(prediction.seconds, sum);
      }
    }
  }
  EXPECT_TRUE(predicted({.n = 1}).phases.empty());
  EXPECT_EQ(predicted({.n = 1024}).phases.size(), 1U);
  EXPECT_EQ(predicted({.n = 1 << 20}).phases.size(), 1U);
  EXPECT_EQ(predicted({.n = 1 << 24}).phases.size(), 4U);                          // one wide partition
  EXPECT_EQ(predicted({.n = 1 << 26}).phases.size(), 5U);                          // two partitions
  EXPECT_EQ(predicted({.n = 1 << 28, .type = kTypes[1]}).phases.size(), 5U + 3U);  // and three levels by steps
}

TEST(MsdRadixModel, PartitionsGoByTheirKeys) {
  EXPECT_NEAR(seconds({.n = 1 << 26}, "partition", 0), kLaunch + kKey * 0x1p26, 1e-12);
  EXPECT_NEAR(seconds({.n = 1 << 26}, "partition", 1), kLaunch + kKey * 0x1p26, 1e-12);
  EXPECT_EQ(seconds({.n = 1 << 24, .distribution = "constant"}, "partition", 0), kLaunch);
  EXPECT_NEAR(seconds({}, "levels", 2), kLaunch, 1e-12);  // the launch finds no segment
  // Its keys reach as far as there are places, not as the fewer that the view makes.
  EXPECT_GT(seconds({.n = 1 << 28, .distribution = "organ_pipe"}, "partition", 0), 0.9 * kKey * 0x1p28);
}

TEST(MsdRadixModel, PredictsEachRegimeOfAnInput) {
  const auto phases = [](const char* regime, std::uint64_t n) {
    return predicted({.n = n, .given = {{"regime", regime}}}).phases.size();
  };
  EXPECT_EQ(phases("one_level", 4 * kMi), 1U);
  EXPECT_EQ(phases("wide", 4 * kMi), 4U);
  EXPECT_EQ(phases("partitions", 4 * kMi), 5U);
  EXPECT_EQ(phases("one_block", 1 << 14), 1U);
  const double uniform = seconds({.n = 64 * kMi, .given = {{"regime", "wide"}}}, "partition", 0);
  EXPECT_NEAR(uniform, kLaunch + kKey * 0x1p26, 1e-9);  // along the line through smaller ones
}

/// Times of an unusual regime stand in a table of their own.
TEST(MsdRadixModel, ReadsWhatWasMeasuredOfOtherRegimes) {
  MachineProfile profile = device();
  fill(profile, "msd.forced", {"key", "value", "kernel", "regime", "elements"},
       [](const auto& at) { return at[3] == 2 ? 1.0 : 2.0; },
       {{4, 0, 0, 2, 0x1p25},
        {4, 0, 0, 2, 0x1p26},
        {4, 0, 1, 2, 0x1p25},
        {4, 0, 1, 2, 0x1p26},
        {4, 0, 0, 3, 0x1p19},
        {4, 0, 0, 3, 0x1p20},
        {4, 0, 1, 3, 0x1p19},
        {4, 0, 1, 3, 0x1p20},
        {4, 0, 2, 3, 0x1p19},
        {4, 0, 2, 3, 0x1p20}});
  const auto first = [&](const char* regime, std::uint64_t n) {
    const Workload workload{
        .algorithm = "msd_radix_gpu", .n = n, .parameters = papers("msd_radix_gpu", {{"regime", regime}})};
    const DistributionView view{parse_distribution("uniform"), KeyType::u32, n, 1};
    return model_named("msd_radix_gpu").predict(workload, view, profile).phases.at(1).seconds;
  };
  EXPECT_DOUBLE_EQ(first("wide", 64 * kMi), 1);
  EXPECT_DOUBLE_EQ(first("partitions", kMi / 2), 2);
}

TEST(MsdRadixModel, BucketsGoByTheirNumberAndKind) {
  // 1024 buckets of pairs, of 9 bits of the digits, of the second class, each sorted as fast as it is full.
  const double even = seconds({.n = 1 << 22, .type = kTypes[2]}, "bucket sort", 0);
  EXPECT_NEAR(even, 4 * kLaunch + 1024 * kBucket * 4096 / 4608, 0.1 * even);
  const double uneven =
      seconds({.n = 1 << 22, .distribution = "thearling:ands=1", .type = kTypes[2]}, "bucket sort", 0);
  EXPECT_GT(uneven, 1.5 * even);
}

TEST(MsdRadixModel, EstimatesOtherWidthsFromThoseThatAreCalibrated) {
  const auto seconds = [](KeyType key, ValueType value) { return predicted({.type = {key, value}}).seconds; };
  const double alone = seconds(KeyType::u32, ValueType::none), as_wide = seconds(KeyType::u32, ValueType::u32);
  EXPECT_NEAR(seconds(KeyType::u32, ValueType::u64), 2 * as_wide - alone, 1e-12);
  const double wide = seconds(KeyType::u64, ValueType::none);
  EXPECT_NEAR(seconds(KeyType::u64, ValueType::u32), (wide + seconds(KeyType::u64, ValueType::u64)) / 2, 1e-12);
  const double widest = seconds(KeyType::u128, ValueType::none);
  EXPECT_GT(widest, wide);
  EXPECT_LT(widest, 4 * wide);
}

TEST(MsdRadixModel, DeclinesWhatIsNotCalibrated) {
  const auto declined = [](const Of& of) {
    try {
      predicted(of);
    } catch (const BadInput& why) {
      return std::string{why.what()};
    }
    return std::string{};
  };
  EXPECT_NE(declined({.type = kTypes[2], .given = {{"stable", "yes"}}}).find("stable"), std::string::npos);
  EXPECT_EQ(declined({.given = {{"stable", "yes"}}}), "");  // keys alone are sorted as by default
  EXPECT_NE(declined({.n = 1 << 26, .given = {{"regime", "one_level"}}}).find("allowed: wide, partitions, or auto"),
            std::string::npos);
}

}  // namespace
}  // namespace sortlab
