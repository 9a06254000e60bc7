// The inputs of Helman, Bader and JáJá, on small cases worked by hand from their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/generators/generators_test.hpp"

namespace sortlab {
namespace {

double formula(const std::string& text, KeyType key, std::uint64_t n) {
  return parse_distribution(text).distribution->entropy_bits(make_input(text, key, n)).value();
}

TEST(Helman, StaggeredTargets) {
  const auto keys = input_keys<std::uint32_t>("staggered:p=4", KeyType::u32, 4000);
  const std::uint32_t targets[] = {1, 3, 0, 2};
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(keys[i] >> 29, targets[i / 1000]) << i;
}

TEST(Helman, StaggeredTargetsOf240ProcessorsAreAPermutation) {
  std::set<std::uint64_t> targets;
  const auto keys = input_keys<std::uint32_t>("staggered", KeyType::u32, 2400);
  for (std::uint64_t i = 0; i < 240; ++i) {
    const std::uint64_t target = i < 120 ? 2 * i + 1 : 2 * (i - 120);
    targets.insert(target);
    for (std::uint64_t k = 0; k < 10; ++k) {
      ASSERT_GE(keys[10 * i + k], target * 0x80000000 / 240);
      ASSERT_LT(keys[10 * i + k], (target + 1) * 0x80000000 / 240);
    }
  }
  EXPECT_EQ(targets.size(), 240U);
}

TEST(Helman, GroupTargets) {
  // p = 4, g = 2: processors 0 and 1 draw from ranges 2 and 3, processors 2 and 3 from 0 and 1.
  const auto keys = input_keys<std::uint32_t>("g_group:p=4,g=2", KeyType::u32, 4000);
  const std::uint32_t targets[] = {2, 3, 2, 3, 0, 1, 0, 1};
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(keys[i] >> 29, targets[i / 500]) << i;
}

TEST(Helman, BucketRuns) {
  const auto keys = input_keys<std::uint32_t>("bucket:p=4", KeyType::u32, 1600);
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(keys[i] >> 29, i / 100 % 4) << i;
}

TEST(Helman, RangesOfWiderKeys) {
  // scaled: the range leaves out as many bits as for 32-bit keys; low: it is the same range.
  const auto scaled = input_keys<std::uint64_t>("bucket:p=4", KeyType::u64, 1600);
  const auto low = input_keys<std::uint64_t>("bucket:p=4,wide=low", KeyType::u64, 1600);
  const auto whole = input_keys<std::uint64_t>("bucket:p=4,range_bits=32", KeyType::u64, 1600);
  const auto widest = input_keys<uint128>("bucket:p=4,range_bits=32", KeyType::u128, 1600);
  const auto single = input_keys<uint128>("bucket:p=1,range_bits=32", KeyType::u128, 1600);
  const auto negative = input_keys<std::int32_t>("bucket:p=4,range_bits=32", KeyType::i32, 1600);
  const auto floats = input_keys<double>("bucket:p=4", KeyType::f64, 1600);
  for (std::size_t i = 0; i < 1600; ++i) {
    const std::uint64_t range = i / 100 % 4;
    ASSERT_EQ(scaled[i] >> 61, range);
    ASSERT_EQ(low[i] >> 29, range);
    ASSERT_EQ(whole[i] >> 62, range);
    ASSERT_EQ(static_cast<std::uint64_t>(widest[i] >> 126), range);
    ASSERT_EQ(negative[i] >> 30, static_cast<int>(range) - 2);
    ASSERT_TRUE(floats[i] >= static_cast<double>(range) / 2 - 1 && floats[i] < static_cast<double>(range + 1) / 2 - 1);
  }
  EXPECT_EQ(static_cast<int>(*std::ranges::max_element(single) >> 125), 7) << "all 128 bits are in use";
}

TEST(Helman, EntropyOfRangesIsThatOfTheMixture) {
  for (const std::string text : {"bucket:p=4,range_bits=8", "staggered:p=6,range_bits=8",
                                 "g_group:p=6,g=3,range_bits=8", "staggered:p=1,range_bits=8"}) {
    const auto keys = input_keys<std::uint32_t>(text, KeyType::u32, 500001);
    EXPECT_NEAR(measured_entropy(keys), formula(text, KeyType::u32, keys.size()), 2e-3) << text;
  }
}

TEST(Helman, Gaussian) {
  const auto keys = input_keys<std::uint32_t>("gaussian", KeyType::u32, 200001);
  const double unit = std::exp2(32);
  double mean = 0;
  double variance = 0;
  double within = 0;
  const auto count = static_cast<double>(keys.size());
  const double deviation = std::sqrt(1.0 / 48);  // four uniform quarters: 4 * (1/4)^2 / 12
  for (const std::uint32_t key : keys) {
    const double x = key / unit - .5;
    mean += x / count;
    variance += x * x / count;
    within += std::abs(x) < deviation;
  }
  EXPECT_NEAR(mean, 0, 4 * deviation / std::sqrt(200001.0));
  EXPECT_NEAR(variance, 1.0 / 48, 4e-4);
  EXPECT_NEAR(within / count, 0.6679,
              .005);  // share for the sum of four uniform numbers; 0.6827 for a normal distribution
  const auto half = input_keys<std::uint32_t>("gaussian:range_bits=31", KeyType::u32, 1000);
  EXPECT_LT(*std::ranges::max_element(half), 0x80000000);
  // The definition: integer quarters of four consecutive words.
  const auto words = input_keys<std::uint32_t>("uniform", KeyType::u32, 4 * keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(keys[i], words[4 * i] / 4 + words[4 * i + 1] / 4 + words[4 * i + 2] / 4 + words[4 * i + 3] / 4);
  }
}

TEST(Helman, DeterministicDuplicates) {
  std::vector<std::uint32_t> expected;
  for (const auto& [count, key] : {std::pair{32, 6U}, {16, 5U}, {8, 4U}, {4, 3U}, {2, 2U}, {1, 1U}, {1, 0U}}) {
    expected.insert(expected.end(), static_cast<std::size_t>(count), key);
  }
  EXPECT_EQ(input_keys<std::uint32_t>("deterministic_duplicates", KeyType::u32, 64), expected);
  EXPECT_EQ(input_keys<float>("deterministic_duplicates", KeyType::f32, 1), std::vector{0.0F});
  EXPECT_EQ(input_keys<std::int64_t>("deterministic_duplicates", KeyType::i64, 5),
            (std::vector<std::int64_t>{2, 2, 1, 0, 0}));
  for (const std::uint64_t n : {1ULL, 5ULL, 64ULL, 100001ULL}) {
    EXPECT_NEAR(formula("deterministic_duplicates", KeyType::u32, n),
                measured_entropy(input_keys<std::uint32_t>("deterministic_duplicates", KeyType::u32, n)), 1e-9);
  }
}

TEST(Helman, DeterministicDuplicatesByBlocks) {
  // Half of the blocks have log n, a quarter one less. A power of two makes the same keys as without blocks.
  for (const std::string blocks : {"1", "2", "16", "256"}) {
    EXPECT_EQ(input_keys<std::uint32_t>("deterministic_duplicates:p=" + blocks, KeyType::u32, 4096),
              input_keys<std::uint32_t>("deterministic_duplicates", KeyType::u32, 4096));
  }
  // 240 blocks: 120, 60, 30, 15, 7, 3 and 1; the 4 that are left by elements, from log n - 7 down.
  constexpr std::uint32_t n = 240 * 1024;
  const auto keys = input_keys<std::uint32_t>("deterministic_duplicates:p=240", KeyType::u32, n);
  std::vector<std::uint32_t> expected;
  const auto append = [&](std::size_t count, std::uint32_t key) { expected.insert(expected.end(), count, key); };
  std::uint32_t key = 17;
  for (const std::size_t blocks : {120, 60, 30, 15, 7, 3, 1}) append(blocks * 1024, key--);
  for (std::size_t half = 2048; half >= 1 && key > 0; half /= 2) append(half, key--);
  append(n - expected.size(), 0);
  EXPECT_EQ(keys, expected);
  for (const std::uint64_t size : {240ULL, 241ULL, 5000ULL, 100001ULL}) {
    EXPECT_NEAR(formula("deterministic_duplicates:p=240", KeyType::u32, size),
                measured_entropy(input_keys<std::uint32_t>("deterministic_duplicates:p=240", KeyType::u32, size)),
                1e-9);
  }
}

TEST(Helman, RandomizedDuplicatesShareWhatRoundingLeaves) {
  // 64 keys for 32 runs: rounded down, the runs would leave a quarter of them to the last.
  constexpr std::uint64_t c = 64;
  constexpr std::uint64_t p = 400;
  const auto keys = input_keys<std::uint32_t>("randomized_duplicates:p=400", KeyType::u32, p * c);
  double last = 0;
  for (std::uint64_t processor = 0; processor < p; ++processor) {
    const std::uint32_t* const begin = keys.data() + processor * c;
    std::uint64_t length = 1;
    while (length < c && begin[c - 1 - length] == begin[c - 1]) ++length;
    last += static_cast<double>(length) / p;
  }
  EXPECT_LT(last, 4) << "a run has two keys on average";
  // Fewer keys than runs: each is of some run, and not all of the last.
  const auto few = input_keys<std::uint32_t>("randomized_duplicates:p=2,range=65536", KeyType::u32, 1000);
  EXPECT_GT(std::set<std::uint32_t>(few.begin(), few.end()).size(), 800U);
}

TEST(Helman, VersionsTellChangedInputs) {
  const auto version = [](const std::string& text, KeyType key, std::uint64_t n) {
    return parse_distribution(text).distribution->version(make_input(text, key, n));
  };
  EXPECT_EQ(version("worst_regular:p=16", KeyType::u32, 1 << 16), 1);
  EXPECT_EQ(version("worst_regular:p=16", KeyType::u32, (1 << 16) + 16), 2) << "16 does not divide c";
  EXPECT_EQ(version("worst_regular:p=16", KeyType::u32, (1 << 16) + 1), 2) << "processors have unequal shares";
  EXPECT_EQ(version("worst_regular:p=16", KeyType::f32, 1 << 16), 2);
  EXPECT_EQ(version("worst_regular:p=16,range_bits=24", KeyType::f32, 1 << 16), 1);
  EXPECT_EQ(version("randomized_duplicates", KeyType::u32, 240 * 1024), 1);
  EXPECT_EQ(version("randomized_duplicates", KeyType::u32, 240 * 1024 - 1), 2);
  EXPECT_EQ(version("zipf", KeyType::u32, 1000), 1);
}

TEST(Helman, RandomizedDuplicates) {
  constexpr std::uint64_t c = 10000;
  const auto keys = input_keys<std::uint32_t>("randomized_duplicates:p=8,range=32", KeyType::u32, 8 * c);
  std::set<std::uint32_t> first_runs;
  for (std::uint64_t processor = 0; processor < 8; ++processor) {
    std::uint64_t runs = 1;
    std::uint64_t longest = 0;
    std::uint64_t length = 1;
    for (std::uint64_t i = processor * c + 1; i < (processor + 1) * c; ++i) {
      ASSERT_LT(keys[i], 32U);
      const bool same = keys[i] == keys[i - 1];
      runs += !same;
      length = same ? length + 1 : 1;
      longest = std::max(longest, length);
    }
    // 32 values are drawn from 32, so neighbours are sometimes equal. A weight is at most 32 of a sum of at least 32.
    EXPECT_LE(runs, 32U);
    EXPECT_GE(runs, 20U);
    EXPECT_LT(longest, c / 4);
    first_runs.insert(keys[processor * c]);
  }
  EXPECT_GT(first_runs.size(), 3U) << "processors draw alike";
}

TEST(Helman, WorstRegularFollowsTheAuthorsRule) {
  // p = 4 processors of c = 1600 keys, s = 8: shares of c/p = 400, excess c/s = 200; ranges of 2^29.
  const auto keys = input_keys<std::uint32_t>("worst_regular:p=4,s=8", KeyType::u32, 6400);
  constexpr std::uint32_t w = 1U << 29;
  for (std::uint32_t processor = 0; processor < 4; ++processor) {
    const std::uint32_t* at = keys.data() + std::size_t{1600} * processor;
    const auto expect = [&](int count, std::uint32_t above, std::uint32_t below) {
      for (int k = 0; k < count; ++k, ++at) {
        ASSERT_TRUE(*at > above && *at < below) << processor << " " << (at - keys.data());
      }
    };
    const auto expect_equal = [&](int count, std::uint32_t key) {
      for (int k = 0; k < count; ++k, ++at) ASSERT_EQ(*at, key) << processor << " " << (at - keys.data());
    };
    for (std::uint32_t pair = 0; pair < 2; ++pair) {
      const std::uint32_t low = 2 * pair * w;
      if (processor == 0) {
        expect(399, low, low + w);
        expect_equal(200, low + w);
        expect(pair == 0 ? 200 : 201, low + w, low + 2 * w);
        if (pair == 0) expect_equal(1, low + 2 * w);
      } else {
        expect(599, low, low + w);
        expect_equal(1, low + w + processor);
        expect(200, low + w + processor, low + 2 * w);
      }
    }
  }
}

TEST(Helman, WorstRegularKeepsFloatKeysOffTheBoundaries) {
  const auto check = [](const auto& keys) {
    // p = 4 processors of 1600 keys, two pairs of ranges: the boundary of the first pair is -0.5.
    for (std::size_t processor = 1; processor < 4; ++processor) {
      EXPECT_GT(keys[1600 * processor + 799], -0.5) << processor;
      EXPECT_LT(keys[1600 * processor + 799], -0.4999) << processor;
    }
    for (std::size_t i = 399; i < 799; ++i) ASSERT_EQ(keys[i], -0.5) << i;
  };
  check(input_keys<float>("worst_regular:p=4", KeyType::f32, 6400));
  check(input_keys<double>("worst_regular:p=4", KeyType::f64, 6400));
}

TEST(Helman, DeclinesWhatItCannotDivide) {
  const auto reason = [](const std::string& text, KeyType key, std::uint64_t n) {
    return parse_distribution(text).distribution->declines(make_input(text, key, n)).value_or("");
  };
  EXPECT_EQ(reason("bucket", KeyType::u32, 57599), "n=57599 is too small for p=240: at least p*p = 57600 elements");
  EXPECT_EQ(reason("bucket", KeyType::u32, 57600), "");
  EXPECT_EQ(reason("bucket", KeyType::u32, 0), "");
  EXPECT_EQ(reason("staggered:p=8", KeyType::u32, 7), "n=7 is too small for p=8: at least p = 8 elements");
  EXPECT_EQ(reason("g_group:p=8,g=3", KeyType::u32, 1000), "g=3 does not divide p=8");
  EXPECT_EQ(reason("worst_regular:p=8,s=4", KeyType::u32, 1000), "s=4 is below p=8");
  EXPECT_EQ(reason("worst_regular:p=7", KeyType::u32, 1000), "p=7 is odd: ranges come in pairs");
  EXPECT_EQ(reason("worst_regular:p=32,range_bits=10", KeyType::u32, 10000), "range_bits=10 is too small for p=32");
  EXPECT_EQ(reason("worst_regular:p=5000", KeyType::f32, 60000000), "f32 has too few values for p=5000");
  EXPECT_EQ(reason("worst_regular", KeyType::u32, 57600),
            "n=57600 is too small for p=240: at least 2*p*s = 115200 elements");
  EXPECT_EQ(reason("deterministic_duplicates:p=240", KeyType::u32, 239),
            "n=239 is too small for p=240: at least p = 240 elements");
  EXPECT_EQ(reason("staggered:p=512,range_bits=8", KeyType::u32, 10000), "p=512 exceeds the 256 keys of range_bits=8");
  EXPECT_EQ(reason("randomized_duplicates:p=8", KeyType::u32, 7), "n=7 is too small for p=8: at least p = 8 elements");
}

}  // namespace
}  // namespace sortlab
