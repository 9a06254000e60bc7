// The formulas of Ha, Krueger and Silva 2010, and the times that follow from their Table 3.
#include "models/papers/ha2010.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <numeric>
#include <random>

#include "tests/models/papers/paper_models_test.hpp"

namespace sortlab {
namespace {

using namespace ha2010;

/// Digits of a block, by a few laws that fill the counters very differently.
std::vector<std::vector<unsigned>> blocks(std::size_t size) {
  std::mt19937 random{1};
  std::vector<std::vector<unsigned>> all;
  for (unsigned digit = 0; digit < 4; ++digit) all.emplace_back(size, digit);
  for (const auto& weights : {std::array{1, 1, 1, 1}, {1, 0, 0, 1}, {0, 9, 1, 0}, {1, 0, 30, 1}}) {
    std::discrete_distribution<unsigned> digits{weights.begin(), weights.end()};
    std::vector<unsigned>& block = all.emplace_back(size);
    for (unsigned& digit : block) digit = digits(random);
  }
  return all;
}

TEST(ImplicitCounter, ExclusivePrefixesCountEveryDigit) {  // HA-M1
  struct Width {
    std::size_t block;
    int field_bits;
  };
  for (const auto& [block, field_bits] : std::initializer_list<Width>{{16, 4}, {512, 9}, {1024, 10}, {1 << 14, 21}}) {
    ASSERT_GE(field_bits, prefix_field_bits(block));
    const ImplicitCounter counter{field_bits};
    for (const std::vector<unsigned>& digits : blocks(block)) {
      std::array<std::uint64_t, 4> seen{};
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < digits.size(); ++i) {
        for (unsigned digit = 0; digit < 4; ++digit) ASSERT_EQ(counter.count(word, digit, i), seen[digit]) << i;
        ++seen[digits[i]];
        if (i + 1 < digits.size()) word += counter.weight(digits[i]);
      }
      // A block's totals: the last prefix and the last element itself.
      for (unsigned digit = 0; digit < 4; ++digit) {
        EXPECT_EQ(counter.count(word, digit, block - 1) + (digits.back() == digit), seen[digit]);
      }
      EXPECT_LT(word, std::uint64_t{1} << (3 * field_bits));
    }
  }
}

TEST(ImplicitCounter, EncodesAsPrinted) {  // Figure 1
  const ImplicitCounter counter;
  EXPECT_EQ(counter.weight(0), 1U);
  EXPECT_EQ(counter.weight(1), 1U << 10);
  EXPECT_EQ(counter.weight(2), 1U << 20);
  EXPECT_EQ(counter.weight(3), 0U);
  EXPECT_EQ(counter.field(5 + (7U << 10) + (9U << 20), 1), 7U);  // without the printed formula's missing mask: 9223
  EXPECT_EQ(counter.count(5 + (7U << 10) + (9U << 20), 3, 32), 11U);
}

TEST(ImplicitCounter, TotalsOf1024EqualDigitsCarryIntoTheNextField) {  // inconsistency X16
  const ImplicitCounter counter;
  for (unsigned digit = 0; digit < 2; ++digit) {
    const std::uint64_t inclusive = 1024 * counter.weight(digit);
    EXPECT_EQ(counter.field(inclusive, digit), 0U);
    EXPECT_EQ(counter.field(inclusive, digit + 1), 1U);
    EXPECT_EQ(counter.field(1023 * counter.weight(digit), digit), 1023U);
  }
}

TEST(ImplicitCounter, FieldsForABlock) {  // section 5: "2048 elements ... 33-bits implicit counter"
  EXPECT_EQ(3 * prefix_field_bits(1024), 30);
  EXPECT_EQ(3 * prefix_field_bits(2048), 33);
  EXPECT_EQ(3 * total_field_bits(1024), 33);
  EXPECT_EQ(prefix_field_bits(1 << 21), 21);  // three in a word of 64 bits
  EXPECT_EQ(total_field_bits(1023), 10);
}

TEST(Coalescing, PairsWasteLessOfASegmentThanWords) {  // HA-M3
  const double segment = machine("gtx260").at("memory_segment");
  EXPECT_DOUBLE_EQ(segment, 128);
  EXPECT_NEAR(write_efficiency(64, 4, segment), 0.67, 0.005);
  EXPECT_NEAR(write_efficiency(64, 8, segment), 0.81, 0.005);
  EXPECT_NEAR(write_efficiency(64, 8, segment) / write_efficiency(64, 4, segment), 1.20, 0.005);
  EXPECT_DOUBLE_EQ(write_efficiency(64, 128, segment), 1);
  EXPECT_NEAR(write_efficiency(1e9, 4, segment), 1, 1e-6);
  EXPECT_DOUBLE_EQ(write_efficiency(1, 4, segment), 4.0 / 128);  // a word a segment
}

TEST(RangeLimiter, PassesFollowFromTheRange) {  // HA-M4
  EXPECT_EQ(passes(32), 8);
  EXPECT_EQ(passes(range_bits(0, (1U << 24) - 1)), 6);  // "the 256^3 grid only require 24 bits"
  EXPECT_EQ(passes(range_bits(0, 1U << 24)), 7);
  EXPECT_EQ(range_bits(1000, 1255), 8);
  EXPECT_EQ(range_bits(7, 7), 1);
  EXPECT_EQ(range_bits(0, ~std::uint64_t{0}), 64);
}

TEST(RangeLimiter, FloatsFromAHalfToOneDifferIn23Bits) {  // Figure 4, inconsistency X26: cut to 23 digits
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  EXPECT_EQ(bits(0.5F), 0x3F000000U);
  EXPECT_EQ(bits(0.7F), 0x3F333333U);
  EXPECT_EQ(bits(0.99999997F), 0x3F7FFFFFU);
  EXPECT_EQ(bits(std::nextafter(1.0F, 0.0F)), bits(0.99999997F));
  EXPECT_EQ(range_bits(bits(0.5F), bits(0.99999997F)), kLossyFloatBits);
  EXPECT_EQ(passes(kLossyFloatBits), 6);
  EXPECT_EQ(passes(24), 6);  // "only sort 24 bits"
}

// The time of a sort.

constexpr double kPairs = 16 * kM;

Workload make_workload(std::string_view algorithm, const GivenParameters& given = {}, KeyType key = KeyType::u32) {
  return {.algorithm = std::string{algorithm},
          .key = key,
          .value = ValueType::u32,
          .n = static_cast<std::uint64_t>(kPairs),
          .parameters = papers(algorithm, given)};
}

Prediction implicit_radix(const GivenParameters& given = {}, KeyType key = KeyType::u32) {
  return predicted("HA-M2", machine("gtx260"), make_workload("ha_implicit_radix", given, key));
}

Prediction cudpp() {
  return predicted("HA-M2-CUDPP", machine("gtx260"), make_workload("satish_split_radix_2009"));
}

double phase_seconds(const Prediction& prediction, std::string_view phase) {
  return std::accumulate(prediction.phases.begin(), prediction.phases.end(), 0.0,
                         [&](double sum, const PhasePrediction& p) { return sum + (p.name == phase ? p.seconds : 0); });
}

double million_pairs_a_second(const Prediction& prediction) {
  return kPairs / prediction.seconds / 1e6;
}

TEST(Ha2010, EightIterationsOfTable3) {  // HA-M2
  const Prediction ours = implicit_radix();
  EXPECT_NEAR(ours.seconds, 8 * 12.05e-3, 1e-9);
  EXPECT_NEAR(million_pairs_a_second(ours), 174.0, 0.05);  // Table 4: 178, 2 % more (X15)
  expect_phases("ha_implicit_radix", ours);
  EXPECT_EQ(ours.phases.size(), 24U);

  EXPECT_NEAR(cudpp().seconds, 8 * 17.55e-3, 1e-9);
  EXPECT_NEAR(million_pairs_a_second(cudpp()), 119.5, 0.05);  // Table 4: 123, 3 % more (X15)
  expect_phases("satish_split_radix_2009", cudpp());

  EXPECT_NEAR(cudpp().seconds / ours.seconds, 1.46, 0.005);  // "a factor 1.5" (X14)
}

TEST(Ha2010, PresortsOfTable3AreSlowerThanThoseOfTable1) {  // inconsistency X13
  const double ours = phase_seconds(implicit_radix(), "presort");
  const double theirs = phase_seconds(cudpp(), "sort tiles");
  EXPECT_NEAR(ours, 65.2e-3, 0.05e-3);
  EXPECT_NEAR(theirs, 98e-3, 0.05e-3);
  EXPECT_NEAR(54e-3 / ours - 1, -0.17, 0.005);  // Table 1: 54 and 91 ms
  EXPECT_NEAR(91e-3 / theirs - 1, -0.07, 0.005);
  EXPECT_NEAR(theirs / ours, 1.50, 0.005);  // "1.5 to 1.8 times faster"
  // Half the scans of a binary split bound the gain by 2.
  EXPECT_DOUBLE_EQ(cudpp().phases[0].work.at("block_scans"), 2 * implicit_radix().phases[0].work.at("block_scans"));
}

TEST(Ha2010, NamesWhatBindsEachStep) {
  const Prediction ours = implicit_radix();
  EXPECT_EQ(ours.phases[0].binding, "issue");    // "low-compute efficiency of presorting step"
  EXPECT_EQ(ours.phases[1].binding, "latency");  // 0.15 ms for 2 MB
  EXPECT_EQ(ours.phases[2].binding, "memory");
  EXPECT_DOUBLE_EQ(ours.phases[0].work.at("bytes.memory"), 16 * kPairs);
  EXPECT_NEAR(phase_seconds(ours, "rank") / ours.seconds, 0.01, 0.005);  // HA-C10
}

TEST(Ha2010, ShufflingWordsMovesMoreThanShufflingPairs) {  // HA-C3
  const double pairs = phase_seconds(implicit_radix(), "shuffle");
  const double words = phase_seconds(implicit_radix({{"scatter", "soa"}}), "shuffle");
  EXPECT_NEAR(words / pairs, 1.11, 0.005);  // Table 2: 4.33 / 3.52 = 1.23, so that coalescing is half of the reason
  EXPECT_NEAR(phase_seconds(implicit_radix({{"scatter", "soa"}}), "presort"), 65.2e-3, 0.05e-3);
}

TEST(Ha2010, FewerBitsTakeFewerPasses) {  // HA-C7, HA-C8
  const double all = implicit_radix().seconds;
  EXPECT_NEAR(implicit_radix({{"range_bits", "24"}}).seconds / all, 6.0 / 8, 1e-9);
  EXPECT_NEAR(implicit_radix({{"range_bits", "40"}}).seconds / all, 1, 1e-9);
  const Prediction lossy = implicit_radix({{"float_bits", "lossy"}}, KeyType::f32);
  EXPECT_NEAR(all / lossy.seconds, 1.31, 0.005);  // "a 30% performance improvement", with a copy's time for the range
  EXPECT_NEAR(all / (lossy.seconds - lossy.phases[0].seconds), 1.33, 0.005);
  EXPECT_EQ(lossy.phases[0].name, "range");
  const Prediction limited = implicit_radix({{"limit_range", "yes"}, {"range_bits", "24"}});
  EXPECT_DOUBLE_EQ(limited.seconds, lossy.seconds);
}

TEST(Ha2010, DeclinesWhatTable3DoesNotMeasure) {
  const MachineProfile gtx260 = machine("gtx260");
  for (const GivenParameters& given :
       {GivenParameters{{"presort", "recomputed"}, {"scatter", "soa"}},
        GivenParameters{{"counter_bits", "64"}, {"warp_scan", "shuffle"}}, GivenParameters{{"limit_range", "yes"}}}) {
    EXPECT_THROW(implicit_radix(given), BadInput);
  }
  for (const char* algorithm : {"ha_implicit_radix", "satish_split_radix_2009"}) {
    const char* model = algorithm[0] == 'h' ? "HA-M2" : "HA-M2-CUDPP";
    Workload keys = make_workload(algorithm);
    keys.value = ValueType::none;
    EXPECT_THROW(predicted(model, gtx260, keys), BadInput);
    EXPECT_THROW(predicted(model, gtx260, make_workload(algorithm, {}, KeyType::u64)), BadInput);
    EXPECT_THROW(predicted(model, machine("gtx280"), make_workload(algorithm)), MissingQuantity);
  }
  EXPECT_THROW(predicted("HA-M2-CUDPP", gtx260, make_workload("satish_split_radix_2009", {{"items", "8"}})), BadInput);
}

}  // namespace
}  // namespace sortlab
