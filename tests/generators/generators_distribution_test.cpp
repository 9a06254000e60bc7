// Properties of every distribution: the same bytes for any number of threads and on any machine, no writes outside the
// keys, and the right entropy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "generators/digit_histogram.hpp"
#include "tests/generators/generators_test.hpp"

namespace sortlab {
namespace {

/// Every distribution, with parameters that permit small inputs.
const std::vector<std::string> kInputs{
    "uniform",
    "uniform:range_bits=31",
    "uniform:floats=raw",
    "thearling:ands=1",
    "thearling:ands=5",
    "constant:value=42",
    "zero",
    "gaussian",
    "gaussian:range_bits=31,wide=low",
    "bucket:p=7",
    "bucket:p=8,range_bits=32",
    "g_group:p=6,g=3",
    "staggered:p=5",
    "staggered:p=4,wide=low",
    "worst_regular:p=6",
    "worst_regular:p=4,s=9",
    "deterministic_duplicates",
    "deterministic_duplicates:p=240",
    "randomized_duplicates:p=5",
    "randomized_duplicates:p=50",
    "zipf:theta=0.75",
    "zipf:theta=1,distinct=1048576,map=hashed",
    "zipf:theta=0.99,distinct=65536,map=bit_reversed",
    "sorted",
    "reverse",
    "nearly_sorted:swaps=50",
    "runs:runs=11",
    "iota",
    "organ_pipe",
    "few_distinct:distinct=10",
};

TEST(Distributions, AllAreTested) {
  std::set<std::string> tested;
  for (const std::string& text : kInputs) tested.insert(parse_distribution(text).distribution->info().name);
  for (const Distribution* distribution : all_distributions()) {
    if (distribution->makes_records()) continue;                // generators_records_test.cpp
    if (takes_text(distribution->info().parameters)) continue;  // generators_file_test.cpp
    EXPECT_TRUE(tested.contains(distribution->info().name)) << distribution->info().name;
  }
}

TEST(Distributions, SameBytesForAnyNumberOfThreads) {
  for (const std::string& text : kInputs) {
    for (const KeyType key : kKeyTypes) {
      for (const std::uint64_t n : {0ULL, 1ULL, 2ULL, 300ULL, 5000ULL, 20011ULL}) {
        const Input input = make_input(text, key, n);
        if (parse_distribution(text).distribution->declines(input)) continue;
        const auto one = input_bytes(text, key, n, 9, 1);
        for (const int threads : {2, 3, 7}) {
          ASSERT_EQ(input_bytes(text, key, n, 9, threads), one)
              << text << " " << to_name(key) << " " << n << " " << threads;
        }
      }
    }
  }
}

TEST(Distributions, OnlySmallInputsAreDeclined) {
  for (const std::string& text : kInputs) {
    for (const KeyType key : kKeyTypes) {
      const Distribution& distribution = *parse_distribution(text).distribution;
      EXPECT_EQ(distribution.declines(make_input(text, key, 20011)), std::nullopt) << text << " " << to_name(key);
      EXPECT_EQ(distribution.declines(make_input(text, key, 0)), std::nullopt) << text << " " << to_name(key);
    }
  }
}

TEST(Distributions, SeedsMakeDifferentInputs) {
  const std::set<std::string> without_seed{"constant", "zero", "deterministic_duplicates", "iota", "organ_pipe"};
  for (const std::string& text : kInputs) {
    const bool seeded = !without_seed.contains(parse_distribution(text).distribution->info().name);
    for (const std::uint64_t other : {2ULL, 1ULL + (1ULL << 32)}) {
      EXPECT_EQ(input_bytes(text, KeyType::u64, 1000, 1) != input_bytes(text, KeyType::u64, 1000, other), seeded)
          << text;
    }
  }
}

TEST(Distributions, PinnedDigests) {
  // A change here changes every recorded input, so that earlier records can no longer be compared.
  struct Pin {
    const char* text;
    std::uint64_t u32, f32, i64, f64, u128;
  };
  static constexpr std::uint64_t n = 10007;
  static constexpr std::uint64_t seed = 20100608;
  static const Pin pins[] = {
#include "tests/data/generators_digests.inc"
  };
  ASSERT_EQ(std::size(pins), kInputs.size());
  for (std::size_t i = 0; i < kInputs.size(); ++i) {
    ASSERT_EQ(pins[i].text, kInputs[i]);
    const auto actual = [&](KeyType key) { return digest(input_bytes(pins[i].text, key, n, seed, 2)); };
    const Pin now{pins[i].text,         actual(KeyType::u32), actual(KeyType::f32),
                  actual(KeyType::i64), actual(KeyType::f64), actual(KeyType::u128)};
    EXPECT_TRUE(now.u32 == pins[i].u32 && now.f32 == pins[i].f32 && now.i64 == pins[i].i64 && now.f64 == pins[i].f64 &&
                now.u128 == pins[i].u128)
        << std::hex << "{\"" << now.text << "\", 0x" << now.u32 << ", 0x" << now.f32 << ", 0x" << now.i64 << ", 0x"
        << now.f64 << ", 0x" << now.u128 << "},";
  }
}

TEST(Distributions, EntropyIsThatOfTheKeys) {
  constexpr std::uint64_t n = 400000;
  for (const std::string text :
       {"few_distinct:distinct=1", "few_distinct:distinct=10", "organ_pipe", "iota", "constant", "uniform:range_bits=6",
        "zipf:theta=0.75,distinct=100", "deterministic_duplicates", "zipf:theta=1,distinct=64,map=bit_reversed",
        "runs:runs=3,range_bits=5"}) {
    for (const KeyType key : {KeyType::u32, KeyType::f32, KeyType::i64, KeyType::f64}) {
      with_key_type(key, [&]<class K>() {
        const auto formula = parse_distribution(text).distribution->entropy_bits(make_input(text, key, n));
        ASSERT_TRUE(formula) << text;
        EXPECT_NEAR(measured_entropy(input_keys<K>(text, key, n)), *formula, 2e-3) << text << " " << to_name(key);
      });
    }
  }
}

TEST(Distributions, NeedsTotalOrderWhereKeysNeedIt) {
  for (const std::string& text : kInputs) {
    for (const KeyType key : {KeyType::f32, KeyType::f64}) {
      if (parse_distribution(text).distribution->needs_total_order(make_input(text, key, 20011))) continue;
      with_key_type(key, [&]<class K>() {
        if constexpr (std::is_floating_point_v<K>) {
          for (const K k : input_keys<K>(text, key, 20011)) {
            ASSERT_FALSE(std::isnan(k) || (k == 0 && std::signbit(k))) << text << " " << to_name(key);
          }
        }
      });
    }
  }
}

TEST(FewDistinct, ValuesLieEvenlyApart) {
  std::set<std::uint32_t> values;
  for (const auto key : input_keys<std::uint32_t>("few_distinct:distinct=3", KeyType::u32, 1000)) values.insert(key);
  EXPECT_EQ(values, (std::set<std::uint32_t>{0, 0x55555555, 0xaaaaaaaa}));
}

TEST(Sequences, AreTheirFormula) {
  EXPECT_EQ(input_keys<std::int32_t>("iota", KeyType::i32, 4), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(input_keys<double>("organ_pipe", KeyType::f64, 5), (std::vector{0.0, 1.0, 2.0, 1.0, 0.0}));
  EXPECT_EQ(input_keys<std::uint64_t>("organ_pipe", KeyType::u64, 4), (std::vector<std::uint64_t>{0, 1, 1, 0}));
  const Distribution& iota = distribution_named("iota");
  EXPECT_EQ(iota.declines(make_input("iota", KeyType::i32, 2147483649)), "n=2147483649 counts beyond the largest i32");
  EXPECT_FALSE(iota.declines(make_input("iota", KeyType::i32, 2147483648)));
  EXPECT_FALSE(iota.entropy_bits(make_input("iota", KeyType::f32, 1 << 25)));
}

TEST(DigitHistogram, CountsDigitsInTheOrderOfKeys) {
  const std::vector<float> keys{-1.0F, -0.0F, 0.0F, 1.0F, 1.0F};
  const auto top = digit_histogram(KeyType::f32, keys.data(), keys.size(), 31, 1, 2);
  EXPECT_EQ(top, (std::vector<std::uint64_t>{2, 3}));
  const auto beyond = digit_histogram(KeyType::f32, keys.data(), keys.size(), 32, 1, 1);
  EXPECT_EQ(beyond, (std::vector<std::uint64_t>{5, 0}));

  constexpr std::uint64_t n = 100003;
  const auto wide = input_keys<uint128>("thearling:ands=2", KeyType::u128, n);
  const auto counts = digit_histogram(KeyType::u128, wide.data(), n, 96, 8, 3);
  std::vector<std::uint64_t> expected(256);
  for (const uint128 key : wide) ++expected[static_cast<std::size_t>(key >> 96) & 255];
  EXPECT_EQ(counts, expected);
  // P(digit = 0) = (1 - 1/8)^8.
  EXPECT_NEAR(static_cast<double>(counts[0]) / n, 0.3436, 5 * std::sqrt(.3436 * .6564 / n));
}

}  // namespace
}  // namespace sortlab
