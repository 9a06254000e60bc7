// Family H on an invented machine, whose quantities are chosen so that each term is distinguishable.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/fitted.hpp"
#include "models/model.hpp"
#include "tests/support/constant_table.hpp"

namespace sortlab {
namespace {

/// Counting 1 ns a table sweep, appending 2 ns, writing lines 1 ns more, and everything else free.
MachineProfile machine() {
  MachineProfile profile{.id = "invented", .name = "Invented", .origin = "calibrated", .source = "this test"};
  profile.clock_hz = 1e9;
  profile.cores = 2;
  profile.tables = {{"count", constant({"key", "tables", "collision_bits"}, 1e-9)},
                    {"append", constant({"key", "value", "lines", "digit_bits", "collision_bits"}, 2e-9)},
                    {"append.count", constant({"threads", "key", "lines", "collision_bits"}, 0.25e-9)},
                    {"scatter", constant({"threads", "key", "value", "lines", "digit_bits", "collision_bits"}, 3e-9)},
                    {"scatter.ordinary", constant({"threads", "key", "value", "bytes"}, 2e-9)},
                    {"scatter.skewed", constant({"threads", "key", "value", "bytes", "collision_bits"}, 2e-9)},
                    {"map", constant({"key"}, 0.5e-9)},
                    {"prefix", constant({}, 0)},
                    {"part", constant({"lines", "bytes"}, 0)},
                    {"touch", constant({"threads", "bytes"}, 0)},
                    {"read", constant({"threads", "bytes"}, 1e15)},
                    {"copy", constant({"threads", "bytes"}, 1e15)},
                    {"copy_nt", constant({"threads", "bytes"}, 1e15)},
                    {"overlap.read", constant({"threads", "key"}, 16)},
                    {"barrier", constant({"threads"}, 0)},
                    {"wake", constant({"threads"}, 0)}};
  return profile;
}

class FamilyH : public testing::Test {
 protected:
  static constexpr std::uint64_t kN = 1 << 16;

  Prediction predicted(const std::string& distribution, KeyType key = KeyType::u32, ValueType value = ValueType::none) {
    Workload workload{
        .algorithm = "satish_cpu_radix", .key = key, .value = value, .n = kN, .threads = threads_, .parameters = {}};
    workload.parameters.set("digit_bits", std::int64_t{digit_bits_});
    workload.parameters.set("buffer_lines_log2", std::int64_t{0});
    workload.parameters.set("flush", flush_);
    workload.parameters.set("skip_constant_digits", skip_);
    workload.parameters.set("pages", pages_);
    const DistributionView view{parse_distribution(distribution), key, kN, 1};
    for (const Model* model : algorithm_models("satish_cpu_radix")) {
      if (model->info().name == "satish_cpu_radix") return model->predict(workload, view, profile_);
    }
    throw std::logic_error("no model");
  }
  static double seconds(const Prediction& prediction, std::string_view name) {
    double sum = 0;
    for (const auto& phase : prediction.phases) sum += phase.name == name ? phase.seconds : 0;
    return sum;
  }
  static std::ptrdiff_t passes(const Prediction& prediction) {
    return std::ranges::count(prediction.phases, "scatter", &PhasePrediction::name);
  }

  MachineProfile profile_ = machine();
  int digit_bits_ = 8;
  int threads_ = 1;
  std::string flush_ = "nontemporal";
  std::string skip_ = "yes";
  std::string pages_ = "input";
};

TEST_F(FamilyH, CountsOnceAndScattersOnceADigit) {
  const Prediction u32 = predicted("uniform");
  EXPECT_EQ(passes(u32), 4);
  EXPECT_NEAR(seconds(u32, "histogram"), kN * 1e-9, 1e-3 * kN * 1e-9);
  // With 256 keys per digit, 256 - 15 keys are written in full lines of 16.
  EXPECT_NEAR(seconds(u32, "scatter"), 4 * kN * (2e-9 + 241.0 / 256 * 1e-9), 1e-3 * kN * 1e-9);
  const Prediction u64 = predicted("uniform", KeyType::u64);
  EXPECT_EQ(passes(u64), 8);
  EXPECT_NEAR(seconds(u64, "histogram"), 2 * kN * 1e-9, 1e-3 * kN * 1e-9);  // two sweeps of four tables
  digit_bits_ = 11;
  EXPECT_EQ(passes(predicted("uniform")), 3);
}

TEST_F(FamilyH, SkipsConstantDigits) {
  const Prediction skipped = predicted("constant");
  EXPECT_EQ(passes(skipped), 0);
  EXPECT_GT(skipped.seconds, 0);
  skip_ = "no";
  EXPECT_EQ(passes(predicted("constant")), 4);
}

TEST_F(FamilyH, AddsTranslationsOfSmallPagesToPiecesMeasuredInHugeOnes) {
  pages_ = "huge";
  const Prediction huge = predicted("uniform");
  EXPECT_EQ(huge.phases.size(), 6U);
  pages_ = "4k";
  profile_.tables["latency"] = constant({"bytes"}, 1e-9);
  profile_.tables["latency_small_pages"] = constant({"bytes"}, 1e-9);
  EXPECT_DOUBLE_EQ(predicted("uniform").seconds, huge.seconds);
  profile_.tables["latency_small_pages"] = constant({"bytes"}, 1e-6);  // far longer than all else
  const Prediction small = predicted("uniform");
  EXPECT_DOUBLE_EQ(seconds(small, "histogram"), seconds(huge, "histogram"));
  EXPECT_NEAR(seconds(small, "scatter"), 4 * kN * 0.999e-6, 0.2 * 4 * kN * 1e-6);  // one access to a buffer each pass
}

TEST_F(FamilyH, ThreadsShareTheWorkAndCountTheNextDigitInEachPass) {
  const double one = seconds(predicted("uniform"), "scatter");
  threads_ = 2;
  const Prediction two = predicted("uniform");
  EXPECT_NEAR(seconds(two, "scatter"), one / 2 + 1.5 * kN * 0.25e-9, 0.01 * one);
  EXPECT_NEAR(seconds(two, "histogram"), 0.5 * kN * 1e-9, 1e-9);
  profile_.tables["barrier"] = constant({"threads"}, 1e-3);
  EXPECT_NEAR(predicted("uniform").seconds - two.seconds, 8e-3, 1e-6);  // two a pass
  profile_.tables["prefix"] = constant({}, 1e-9);
  const double added = seconds(predicted("uniform"), "histogram") - seconds(two, "histogram");
  EXPECT_NEAR(added, (256 + 3 * 2 * 256) * 1e-9, 1e-9);  // a table, and three times those of two threads
}

TEST_F(FamilyH, SumsRunOverTheCountersOfEachDigitWhoseLastMayBeNarrower) {
  digit_bits_ = 11;
  for (const PhasePrediction& phase : predicted("uniform").phases) {
    if (phase.name == "offsets") {
      EXPECT_EQ(phase.work.at("counters"), 2048 + 2048 + 1024);
    }
  }
}

TEST_F(FamilyH, ThreadsCountAnewWhereTablesAreLargeAndAfterADigitThatIsConstant) {
  threads_ = 2;
  digit_bits_ = 16;
  const Prediction wide = predicted("uniform");
  EXPECT_NEAR(seconds(wide, "histogram"), 2 * 0.5 * kN * 1e-9, 1e-9);
  EXPECT_NEAR(seconds(wide, "scatter"), 2 * 0.5 * kN * 2e-9, 1e-9);  // and no element leaves in a full buffer
  digit_bits_ = 8;
  const Prediction constant = predicted("constant");  // no pass, none of which can count ahead
  EXPECT_NEAR(seconds(constant, "histogram"), 4 * 0.5 * kN * 1e-9, 1e-9);
}

TEST_F(FamilyH, EachTermBindsWhenItIsTheLargest) {
  const auto binding = [&](std::string_view name) {
    const Prediction prediction = predicted("uniform");
    return std::ranges::find(prediction.phases, name, &PhasePrediction::name)->binding;
  };
  EXPECT_EQ(binding("histogram"), "issue");
  EXPECT_EQ(binding("scatter"), "issue");
  profile_.tables["read"] = constant({"threads", "bytes"}, 1e9);
  EXPECT_EQ(binding("histogram"), "memory");
  profile_.tables["scatter"] = constant({"threads", "key", "value", "lines", "digit_bits", "collision_bits"}, 9e-9);
  EXPECT_EQ(binding("scatter"), "write-out");
  profile_.tables["copy_nt"] = constant({"threads", "bytes"}, 1e9);
  EXPECT_EQ(binding("scatter"), "memory");
  profile_.tables["part"] = constant({"lines", "bytes"}, 1e-5);
  EXPECT_EQ(binding("scatter"), "ends of digits");
}

TEST_F(FamilyH, OrdinaryStoresWaitForTheLinesThatTheyWrite) {
  flush_ = "ordinary";
  const double near = seconds(predicted("uniform"), "scatter");
  profile_.tables["scatter.ordinary"] = constant({"threads", "key", "value", "bytes"}, 7e-9);
  // With 256 keys per digit, 241 keys are written in full lines.
  EXPECT_NEAR(seconds(predicted("uniform"), "scatter") - near, 4 * kN * 241.0 / 256 * 5e-9, 1e-3 * kN * 1e-9);
  const double skewed = seconds(predicted("thearling:ands=3"), "scatter");
  profile_.tables["scatter.skewed"] = constant({"threads", "key", "value", "bytes", "collision_bits"}, 3e-9);
  EXPECT_NEAR(seconds(predicted("thearling:ands=3"), "scatter") - skewed, 4 * kN * 1e-9, 0.2 * kN * 1e-9);
}

TEST_F(FamilyH, FetchesCountersOnceAndBuffersInTheFirstPass) {
  const Prediction cached = predicted("uniform");
  profile_.tables["touch"] = constant({"threads", "bytes"}, 1e-6);
  const Prediction fetched = predicted("uniform");
  // Lines of 4 tables of 256 counters of 16 bytes, and of 256 buffers of one line with cursors of 20 bytes.
  EXPECT_NEAR(seconds(fetched, "histogram") - seconds(cached, "histogram"), 256e-6, 1e-9);
  EXPECT_NEAR(seconds(fetched, "scatter") - seconds(cached, "scatter"), (256 + 80) * 1e-6, 1e-9);
}

TEST_F(FamilyH, FloatsAreMappedOnTheWayInAndOut) {
  const double words = predicted("uniform", KeyType::u32).seconds;
  const double floats = predicted("uniform", KeyType::f32).seconds;
  // Counting, the first pass and the last; a few float digits are constant, so no more than that.
  EXPECT_GT(floats, 0.5 * words);
  EXPECT_GT(seconds(predicted("uniform", KeyType::f32), "histogram"), seconds(predicted("uniform"), "histogram"));
}

TEST_F(FamilyH, TakesEveryTypeAndNamesWhatTheProfileLacks) {
  for (const KeyType key : kKeyTypes) {
    for (const ValueType value : kValueTypes) EXPECT_GT(predicted("uniform", key, value).seconds, 0);
  }
  flush_ = "ordinary";
  EXPECT_GT(predicted("uniform").seconds, 0);
  profile_.tables.erase("append");
  EXPECT_THROW(predicted("uniform"), MissingQuantity);
}

TEST(Fitted, FindsTheLawItsTimesWereMadeBy) {
  std::vector<SortTime> times;
  for (const double n : {1e4, 1e5, 1e6, 1e7}) {
    times.push_back({.algorithm = "std_sort",
                     .key = KeyType::u32,
                     .value = ValueType::none,
                     .distribution = "uniform",
                     .threads = 1,
                     .n = n,
                     .seconds = 1e-5 + 3e-9 * n * std::log2(n)});
  }
  const MachineProfile fits = fit(times, "this test");
  const DistributionView view{parse_distribution("uniform"), KeyType::u32, 16, 1};
  Workload workload{.algorithm = "std_sort", .n = 1 << 20, .parameters = {}};
  const Model& model = *algorithm_models("std_sort").front();
  EXPECT_EQ(model.info().kind, ModelKind::fitted);
  EXPECT_NEAR(model.predict(workload, view, fits).seconds, 1e-5 + 3e-9 * 20 * (1 << 20), 1e-7);
  workload.threads = 2;
  EXPECT_THROW((void)model.predict(workload, view, fits), MissingQuantity);
  workload.threads = 1;
  for (std::size_t i = 0, sizes = times.size(); i < sizes; ++i) {
    times.push_back(times[i]);
    times.back().distribution = "sorted";
    times.back().seconds /= 3;
  }
  const MachineProfile both = fit(times, "this test");
  const auto ask = [&](const char* input) {
    const DistributionView other{parse_distribution(input), KeyType::u32, 1 << 16, 1};
    return model.predict(workload, other, both);
  };
  const double slow = ask("uniform").seconds;
  EXPECT_EQ(ask("uniform").basis, "");
  EXPECT_NEAR(ask("sorted").seconds, slow / 3, 1e-9);
  EXPECT_DOUBLE_EQ(ask("thearling:ands=1").seconds, slow);
  EXPECT_EQ(ask("thearling:ands=1").basis, "fit of uniform, the fitted input most like this one");
  EXPECT_NEAR(ask("iota").seconds, slow / 3, 1e-9);
  times.resize(1);
  EXPECT_THROW((void)fit(times, ""), BadInput);
}

}  // namespace
}  // namespace sortlab
