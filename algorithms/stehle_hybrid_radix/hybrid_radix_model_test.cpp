// The model of the hybrid radix sort on an invented device, on which each kernel takes round times of its own.
#include <array>
#include <cmath>

#include "algorithms/stehle_hybrid_radix/plan.hpp"
#include "tests/models/papers/paper_models_test.hpp"
#include "tests/support/constant_table.hpp"

namespace sortlab {
namespace {

using hybrid_radix::LocalSort;
using hybrid_radix::Shape;

constexpr double kLaunch = 1e-6;
constexpr double kBlock = 1e-8;       ///< a block counted, uniform digits
constexpr double kBucket = 3e-8;      ///< additional time of a bucket in a grid of blocks
constexpr double kListed = 1e-9;      ///< a sub-bucket listed
constexpr double kOfClass = 1e-8;     ///< a bucket of a class, whatever its size,
constexpr double kOfKey = 1e-12;      ///< and a key of it
constexpr double kShared = 1e4;       ///< times as long by rank, where keys share bins
constexpr double kLoneBucket = 5e-6;  ///< a bucket of a multiprocessor for itself
constexpr double kHostLists = 1e-4;   ///< seconds in which the host makes the lists of a pass
constexpr std::array kTypes{std::pair{4U, 0U}, std::pair{8U, 0U}, std::pair{4U, 4U}, std::pair{8U, 8U}};

/// A table, which a function fills.
void fill(MachineProfile& profile, const char* name, std::vector<std::string> arguments, const auto& value,
          const std::vector<std::vector<double>>& axes) {
  ProfileTable& table = profile.tables[name];
  if (table.points.empty())
    table = {.unit = "s", .source = "this test", .arguments = std::move(arguments), .points = {}};
  std::vector<std::size_t> at(axes.size());
  for (bool more = true; more;) {
    ProfileTable::Point point{.at = {}, .value = 0, .ci95 = {}};
    for (std::size_t i = 0; i < axes.size(); ++i) point.at.push_back(axes[i][at[i]]);
    point.value = value(point.at);
    table.points.push_back(point);
    more = false;
    for (std::size_t i = axes.size(); i-- > 0 && !more;) {
      more = ++at[i] < axes[i].size();
      if (!more) at[i] = 0;
    }
  }
}

/// Keys that are hot are scattered twice as slowly; by look-ahead as fast as others. Counting with reduction takes
/// half as long. Of a class each bucket takes as long as it has capacity.
MachineProfile device() {
  MachineProfile profile{.id = "invented", .name = "Invented", .origin = "calibrated", .source = "this test"};
  profile.clock_hz = 1e9;
  profile.cores = 100;
  profile.cache_bytes = {{"L2", 1 << 20}};
  for (const char* stream : {"read", "copy"}) profile.tables[stream] = constant({"access_bytes", "bytes"}, 4e12);
  const std::vector<double> blocks{0, 100, 1000};
  const std::vector<double> hottest{1.0 / 256, 1};
  fill(profile, "hybrid.begin", {"blocks"}, [](const auto&) { return kLaunch; }, {{100}});
  fill(profile, "hybrid.clear", {"buckets"}, [](const auto&) { return kLaunch; }, {{0, 100}});
  fill(profile, "hybrid.sum", {"buckets"}, [](const auto& at) { return kLaunch + kBucket * at[0]; }, {{0, 100}});
  for (const std::pair<double, std::vector<double>>& of :
       {std::pair{0.0, std::vector{0.0}}, {1.0, {1.0, 256.0}}, {256.0, {65536.0}}, {16384.0, {65536.0}}}) {
    const auto list = [](const auto& at) { return kLaunch + kBucket * at[0] + kListed * at[1]; };
    const auto on_host = [&](const auto& at) { return kHostLists + list(at); };
    fill(profile, "hybrid.list", {"buckets", "listed"}, list, {{of.first}, of.second});
    fill(profile, "hybrid.host_lists", {"buckets", "listed"}, on_host, {{of.first}, of.second});
  }
  fill(profile, "host_sync", {}, [](const auto&) { return kHostLists / 2; }, {});
  for (const auto& [key, value] : kTypes) {
    const double k = key, v = value;
    const hybrid_radix::Settings row = hybrid_radix::table3(key, value);
    for (const Shape& shape : {row.shape(), hybrid_radix::tuned_shape(key, value)}) {
      const double threads = shape.threads, items = shape.items;
      const double of_bucket = (row.local_keys + 1.0) / shape.keys() * kBlock + kBucket;
      fill(profile, "hybrid.count", {"reduced", "key", "threads", "items", "blocks", "hottest"},
           [](const auto& at) { return kLaunch + kBlock * at[4] / (1 + at[0]); },
           {{0, 1}, {k}, {threads}, {items}, blocks, hottest});
      fill(profile, "hybrid.count_buckets", {"reduced", "key", "threads", "items", "keys"},
           [&](const auto&) { return of_bucket; }, {{0, 1}, {k}, {threads}, {items}, {row.local_keys + 1.0}});
      fill(profile, "hybrid.scatter", {"ahead", "beside", "key", "value", "threads", "items", "blocks", "hottest"},
           [](const auto& at) { return kLaunch + 2 * kBlock * at[6] * (1 + (1 - at[0]) * at[7]); },
           {{0, 1}, {0, 1}, {k}, {v}, {threads}, {items}, blocks, hottest});
      fill(profile, "hybrid.scatter_buckets", {"beside", "key", "value", "threads", "items", "keys"},
           [&](const auto&) { return 2 * of_bucket; }, {{0, 1}, {k}, {v}, {threads}, {items}, {row.local_keys + 1.0}});
    }
    for (const LocalSort sort : {LocalSort::block_radix, LocalSort::ranked}) {
      const double ranked = sort == LocalSort::ranked ? 1 : 0;
      fill(profile, "hybrid.local_idle", {"ranked", "key", "value"}, [](const auto&) { return kLaunch; },
           {{ranked}, {k}, {v}});
      for (const Shape& shape : hybrid_radix::local_shapes(sort, key, value)) {
        const double capacity = shape.keys();
        fill(profile, "hybrid.local", {"ranked", "key", "value", "capacity", "keys", "bits", "ones"},
             [](const auto& at) {
               return kOfClass * at[3] / 1000 + kOfKey * at[4] * (at[0] == 0 ? at[5] / 8 : at[6] < 0.5 ? kShared : 1.5);
             },
             {{ranked}, {k}, {v}, {capacity}, {1, capacity}, {8, 8 * k - 16}, {0.1, 0.5}});
        fill(profile, "hybrid.local_few", {"ranked", "key", "value", "capacity"},
             [](const auto&) { return kLoneBucket; }, {{ranked}, {k}, {v}, {capacity}});
      }
    }
  }
  fill(profile, "hybrid.pairs", {"decomposes", "key", "bytes"}, [](const auto&) { return 1e-12; },
       {{0, 1}, {4, 8}, {1e6}});
  return profile;
}

struct Of {
  std::uint64_t n = 1 << 24;
  std::string distribution = "uniform";
  GivenParameters given{};
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
  bool together = false;
  std::string model = "stehle_hybrid_radix";
};

Prediction predicted(const Of& of) {
  static const MachineProfile profile = device();
  const Workload workload{.algorithm = "stehle_hybrid_radix",
                          .key = of.key,
                          .value = of.value,
                          .together = of.together,
                          .n = of.n,
                          .parameters = papers("stehle_hybrid_radix", of.given)};
  const DistributionView view{parse_distribution(of.distribution), of.key, of.n, 1};
  return model_named(of.model).predict(workload, view, profile);
}

const PhasePrediction& find_phase(const Prediction& prediction, std::string_view name, int pass) {
  for (const PhasePrediction& phase : prediction.phases) {
    if (phase.name == name && phase.pass == pass) return phase;
  }
  throw std::out_of_range{std::string{name}};
}

double seconds(const Of& of, std::string_view name, int pass) {
  return find_phase(predicted(of), name, pass).seconds;
}

TEST(HybridRadixModel, HasThePhasesOfTheSort) {
  for (const bool together : {false, true}) {
    const Prediction prediction = predicted({.value = ValueType::u32, .together = together});
    expect_phases("stehle_hybrid_radix", prediction);
    EXPECT_EQ(prediction.phases.size(), 4 * 5 - 2 + (together ? 2 : 0));  // the last pass lists and leaves nothing
    double sum = 0;
    for (const PhasePrediction& phase : prediction.phases) sum += phase.seconds;
    EXPECT_DOUBLE_EQ(prediction.seconds, sum);
  }
  EXPECT_EQ(predicted({.key = KeyType::u64}).phases.size(), 8 * 5 - 2);
  EXPECT_EQ(predicted({.n = 9000}).phases.size(), 1);  // one local sort
  EXPECT_TRUE(predicted({.n = 0}).phases.empty());
}

TEST(HybridRadixModel, GridsGoByTheBlocksThatTheirKeysFill) {
  const double blocks = std::exp2(24) / 6912;
  EXPECT_NEAR(seconds({}, "histogram", 0), 3 * kLaunch + kBlock * blocks / 2, 1e-12);
  EXPECT_NEAR(seconds({.given = {{"thread_reduction", "no"}}}, "histogram", 0), 3 * kLaunch + kBlock * blocks, 1e-12);
  EXPECT_NEAR(seconds({}, "scatter", 0), kLaunch + 2 * kBlock * blocks * (1 + 1.0 / 256), 1e-12);
  // A pass that no key reaches is launched, as the local sort after it.
  EXPECT_NEAR(seconds({}, "scatter", 3), kLaunch, 1e-12);
  EXPECT_NEAR(seconds({}, "local sort", 2), 7 * kLaunch, 1e-12);
}

TEST(HybridRadixModel, NamesMemoryWhereItIsBusy) {
  // 64 MiB are read in 17 us, and counted in 14; scattered, which reads and writes them, in 50.
  EXPECT_EQ(find_phase(predicted({}), "histogram", 0).binding, "dram");
  EXPECT_EQ(find_phase(predicted({}), "scatter", 0).binding, "dram");
  EXPECT_EQ(find_phase(predicted({}), "local sort", 1).binding, "multiprocessor");
  EXPECT_EQ(find_phase(predicted({}), "prefix", 0).binding, "latency");
  EXPECT_EQ(find_phase(predicted({}), "scatter", 3).binding, "latency");
}

TEST(HybridRadixModel, ABucketAddsABlockThatIsNotFull) {
  const double buckets = 256;
  const double full = kLaunch / 4096 + kBlock * 9217 / 6912 / 2;  // share of a full block, as measured
  const double adds = kBlock * 9217 / 6912 + kBucket - full;
  // Before the first one the input is listed.
  EXPECT_NEAR(seconds({}, "histogram", 1), seconds({}, "histogram", 0) - kLaunch + buckets * adds, 1e-10);
}

TEST(HybridRadixModel, ListsGoByBucketsAndSubBuckets) {
  EXPECT_NEAR(seconds({}, "assign", 0), kLaunch + kBucket + 256 * kListed, 1e-12);
  // 65536 sub-buckets of 256 keys: 23 of 256 groups of 11, and one of 3.
  EXPECT_NEAR(seconds({}, "assign", 1), kLaunch + 256 * kBucket + 256 * 24 * kListed, 2e-8);
  EXPECT_NEAR(seconds({.given = {{"lists", "host"}}}, "assign", 1) - seconds({}, "assign", 1), kHostLists, 1e-9);
  EXPECT_NEAR(seconds({.given = {{"lists", "host"}}}, "assign", 2), kHostLists, 1e-9);
}

/// Mean sizes at the threshold after one and two digits.
TEST(HybridRadixModel, HasAKinkWhereBucketsOutgrowTheThreshold) {
  for (const double kink : {9216 * 256.0, 9216 * 65536.0}) {
    const auto slope = [&](double from, double to) {
      const auto at = [&](double share) { return predicted({.n = static_cast<std::uint64_t>(share * kink)}).seconds; };
      return (at(to) - at(from)) / (to - from);
    };
    EXPECT_GT(slope(0.97, 1.03), 2 * slope(0.90, 0.96));
    EXPECT_GT(slope(0.97, 1.03), 2 * slope(1.05, 1.11));
  }
}

TEST(HybridRadixModel, LooksAheadFromTwoAndsOn) {
  const auto gain = [](int ands) {
    const std::string distribution = "thearling:ands=" + std::to_string(ands);
    return seconds({.distribution = distribution, .given = {{"look_ahead", "0"}}}, "scatter", 0) -
           seconds({.distribution = distribution}, "scatter", 0);
  };
  EXPECT_NEAR(gain(0), 0, 1e-12);
  EXPECT_NEAR(gain(1), 0, 1e-12);
  const double blocks = std::exp2(24) / 6912;
  EXPECT_NEAR(gain(2), 2 * kBlock * blocks * 0.344 * 0.96, 0.02 * gain(2));
  EXPECT_NEAR(gain(3), 2 * kBlock * blocks * 0.597, 0.02 * gain(3));
}

TEST(HybridRadixModel, TakesOrderForOneDigitAWarp) {
  EXPECT_NEAR(seconds({.distribution = "sorted", .given = {{"look_ahead", "0"}}}, "scatter", 0),
              seconds({.distribution = "constant", .given = {{"look_ahead", "0"}}}, "scatter", 0), 1e-9);
  EXPECT_LT(seconds({.distribution = "sorted"}, "scatter", 0),
            seconds({.distribution = "sorted", .given = {{"look_ahead", "0"}}}, "scatter", 0));
}

/// Sub-buckets of 2^28 keys have 4096 each: those of class 5 (5760) of the block radix sort.
TEST(HybridRadixModel, LocalSortsGoByClassSizeAndBits) {
  const Of of{.n = 1 << 28};
  const double bucket = kOfClass * 5.76 + kOfKey * 4096 * 2;
  const double few = kLoneBucket * bucket / (kOfClass * 5.76 + kOfKey * 5760 * 2);
  EXPECT_NEAR(seconds(of, "local sort", 1), 7 * kLaunch + few + (65536 - 100) * bucket, 0.02 * 65536 * bucket);
  // All with the largest; unmerged ones each by itself.
  const Of one{.n = 1 << 28, .given = {{"classes", "one"}}};
  EXPECT_NEAR(seconds(one, "local sort", 1) - seconds(of, "local sort", 1), 65536 * kOfClass * (9.216 - 5.76),
              0.05 * 65536 * kOfClass);
  const Of unmerged{.given = {{"merge_keys", "0"}}};  // 256 keys each
  EXPECT_NEAR(seconds(unmerged, "local sort", 1), 65536 * (kOfClass * 0.32 + kOfKey * 256 * 2), 3e-5);
  const Of ranked{.n = 1 << 28, .given = {{"local_sort", "ranked"}}};
  EXPECT_NEAR(seconds(ranked, "local sort", 1), 6 * kLaunch + 65536 * (kOfClass * 5.76 + kOfKey * 4096 * 1.5), 1e-5);
}

TEST(HybridRadixModel, RanksLeaveToTheOtherSortWhatTheyWouldCompareTooOften) {
  const auto times = [](int ands) {
    const auto of = [&](const std::string& sort) {
      return seconds({.distribution = "thearling:ands=" + std::to_string(ands), .given = {{"local_sort", sort}}},
                     "local sort", 1);
    };
    return of("ranked") / of("block_radix");
  };
  // A key is compared with the others of its bin: 4096 (p² + (1 - p)²)^12 for bins by 12 bits, each one with
  // probability p. One AND, p = 1/4: 15 comparisons, of at most 24. Two, p = 1/8: 211.
  EXPECT_GT(times(1), 100);
  EXPECT_NEAR(times(2), 1, 0.5);
  EXPECT_NEAR(times(3), 1, 0.5);
}

TEST(HybridRadixModel, MoreBitsThanMeasuredGoOnAsBefore) {
  // 256 buckets of 4096 keys with 24 bits left, of a table with 8 and 16.
  const double bucket = kOfClass * 5.76 + kOfKey * 4096 * 3;
  const double full = kOfClass * 5.76 + kOfKey * 5760 * 2;
  EXPECT_NEAR(seconds({.n = 1 << 20}, "local sort", 0), 7 * kLaunch + kLoneBucket * bucket / full + 156 * bucket, 1e-7);
}

TEST(HybridRadixModel, SaysWhatItKnewOfTheInput) {
  EXPECT_EQ(predicted({.distribution = "thearling:ands=1"}).basis.substr(0, 8), "formula:");
  EXPECT_EQ(predicted({.distribution = "zipf"}).basis, "");
  const Of traced{.n = 1 << 22, .distribution = "thearling:ands=1", .model = "stehle_hybrid_radix-trace"};
  EXPECT_EQ(predicted(traced).basis, "");
  Of formula = traced;
  formula.model = "stehle_hybrid_radix";
  EXPECT_NEAR(predicted(traced).seconds / predicted(formula).seconds, 1, 0.15);
}

TEST(HybridRadixModel, DeclinesWhatWasNotMeasured) {
  const auto declines = [](const Of& of, const std::string& field) {
    try {
      predicted(of);
      ADD_FAILURE() << field;
    } catch (const BadInput& reason) {
      EXPECT_NE(std::string{reason.what()}.find(field), std::string::npos) << reason.what();
    }
  };
  declines({.given = {{"threads", "512"}, {"items", "36"}}}, "items");
  declines({.given = {{"digit_bits", "7"}}}, "digit_bits");
  declines({.given = {{"local_keys", "5000"}}}, "local_keys");
  declines({.given = {{"block_keys", "1000"}}}, "block_keys");
  declines({.given = {{"staging", "beside"}}, .key = KeyType::u64, .value = ValueType::u64}, "staging");
}

}  // namespace
}  // namespace sortlab
