// Zipf's law: the table against exact sums, the published figures, and the maps from ranks to keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "generators/zipf_table.hpp"
#include "tests/generators/generators_test.hpp"

namespace sortlab {
namespace {

/// The share of random numbers that give ranks up to `rank`, found by bisection over the 64-bit numbers.
long double share_up_to(const ZipfTable& table, std::uint64_t rank) {
  std::uint64_t below = 0;  // numbers known to give ranks up to `rank`
  for (std::uint64_t step = std::uint64_t{1} << 63; step > 0; step /= 2) {
    if (table.rank(below + step - 1) <= rank) below += step;
  }
  return std::ldexp(static_cast<long double>(below), -64);
}

/// Sums of i^-theta up to each rank, from the smallest term, in 64-bit significands.
std::vector<long double> sums(double theta, std::uint64_t ranks) {
  std::vector<long double> sum(ranks + 1);
  for (std::uint64_t i = 1; i <= ranks; ++i) {
    sum[i] = sum[i - 1] + std::pow(static_cast<long double>(i), -static_cast<long double>(theta));
  }
  return sum;
}

TEST(Zipf, WeightsOfFourRanks) {
  // theta = 0.75, N = 4: weights 1, .5946, .4387, .3536; zeta = 2.3868.
  const ZipfTable table{0.75, 4};
  const double weights[] = {1, .5946, .4387, .3536};
  long double before = 0;
  for (std::uint64_t rank = 1; rank <= 3; ++rank) {
    const long double share = share_up_to(table, rank);
    EXPECT_NEAR(static_cast<double>(share - before) * 2.3868, weights[rank - 1], 6e-5) << rank;
    before = share;
  }
  EXPECT_NEAR(static_cast<double>(1 - before) * 2.3868, weights[3], 6e-5);
  EXPECT_EQ(table.rank(0), 1U);
  EXPECT_EQ(table.rank(~std::uint64_t{0}), 4U);
}

TEST(Zipf, TableInvertsTheExactSum) {
  for (const std::uint64_t ranks : {1ULL, 2ULL, 255ULL, 256ULL, 257ULL, 259ULL, 300ULL, 1000ULL, 70001ULL}) {
    for (const double theta : {0.0, 0.25, 0.75, 0.99, 1.0, 1.5}) {
      const ZipfTable table{theta, ranks};
      const auto sum = sums(theta, ranks);
      std::uint64_t step = 1;
      for (std::uint64_t rank = 1; rank < ranks; rank += step) {
        const long double begin = share_up_to(table, rank - 1);
        const long double end = share_up_to(table, rank);
        ASSERT_NEAR(static_cast<double>(end), static_cast<double>(sum[rank] / sum[ranks]), 1e-10)
            << "theta " << theta << ", N " << ranks << ", rank " << rank;
        const auto exact = static_cast<double>((sum[rank] - sum[rank - 1]) / sum[ranks]);
        ASSERT_NEAR(static_cast<double>(end - begin) / exact, 1, 1e-6)
            << "theta " << theta << ", N " << ranks << ", rank " << rank;
        if (rank > 2000) step = 37;
      }
      ASSERT_EQ(table.rank(~std::uint64_t{0}), ranks) << theta;
    }
  }
}

TEST(Zipf, RanksRiseWithTheRandomNumber) {
  for (const double theta : {0.0, 0.75, 2.0, 4.0}) {
    const ZipfTable table{theta, std::uint64_t{1} << 40};
    std::uint64_t last = 1;
    for (std::uint64_t i = 0; i < 1000000; ++i) {
      const std::uint64_t rank = table.rank(i * 0x10c6f7a0b5ed + i % 3);
      ASSERT_TRUE(rank >= last && rank <= std::uint64_t{1} << 40) << theta << " " << i;
      last = rank;
    }
  }
}

TEST(Zipf, PublishedFiguresOfTheta075) {
  struct Figures {
    std::uint64_t ranks;
    double zeta, first, top256, entropy;
  };
  for (const Figures& f :
       {Figures{1 << 20, 124.56, .0080, .101, 18.07}, Figures{1 << 16, 60.56, .0165, .2075, 14.31}}) {
    const ZipfTable table{0.75, f.ranks};
    EXPECT_NEAR(static_cast<double>(1 / share_up_to(table, 1)), f.zeta, .006);
    EXPECT_NEAR(static_cast<double>(share_up_to(table, 1)), f.first, 6e-5);
    EXPECT_NEAR(static_cast<double>(share_up_to(table, 256)), f.top256, 6e-4);
    EXPECT_NEAR(zipf_entropy_bits(0.75, f.ranks), f.entropy, .006);
  }
}

TEST(Zipf, EntropyIsThatOfTheTerms) {
  for (const double theta : {0.0, 0.5, 1.0, 1.000001, 3.0}) {
    for (const std::uint64_t ranks : {1ULL, 2ULL, 4096ULL, 100000ULL}) {
      const auto sum = sums(theta, ranks);
      long double entropy = 0;
      for (std::uint64_t i = 1; i <= ranks; ++i) {
        const long double p = std::pow(static_cast<long double>(i), -static_cast<long double>(theta)) / sum[ranks];
        entropy -= p * std::log2(p);
      }
      EXPECT_NEAR(zipf_entropy_bits(theta, ranks), static_cast<double>(entropy), 1e-9) << theta << " " << ranks;
    }
  }
}

TEST(Zipf, FrequenciesOfKeysFollowTheLaw) {
  constexpr std::uint64_t n = 400000;
  constexpr std::uint64_t ranks = 50;
  std::vector<double> counts(ranks + 1);
  for (const std::int64_t key : input_keys<std::int64_t>("zipf:theta=0.75,distinct=50", KeyType::i64, n, 11)) {
    ASSERT_TRUE(key >= 1 && key <= 50);
    ++counts[static_cast<std::size_t>(key)];
  }
  const auto sum = sums(0.75, ranks);
  double chi_square = 0;
  for (std::uint64_t i = 1; i <= ranks; ++i) {
    const double expected = n * static_cast<double>((sum[i] - sum[i - 1]) / sum[ranks]);
    chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  EXPECT_LT(chi_square, 100) << "49 degrees of freedom: beyond 94 once in 10^4";
}

TEST(Zipf, MapsRenameTheSameDraws) {
  constexpr std::uint64_t n = 20001;
  for (const KeyType type : {KeyType::u32, KeyType::i64, KeyType::f64, KeyType::u128}) {
    with_key_type(type, [&]<class K>() {
      const auto identity = input_keys<K>("zipf:theta=0.75,distinct=5000", type, n);
      for (const std::string map : {"bit_reversed", "hashed"}) {
        const auto renamed = input_keys<K>("zipf:theta=0.75,distinct=5000,map=" + map, type, n);
        std::map<K, K, KeyLess> name;
        std::set<K, KeyLess> names;
        for (std::uint64_t i = 0; i < n; ++i) {
          const auto [found, is_new] = name.emplace(identity[i], renamed[i]);
          ASSERT_EQ(to_ordered(found->second), to_ordered(renamed[i]));
          ASSERT_EQ(names.insert(renamed[i]).second, is_new) << "two ranks share a key";
        }
      }
    });
  }
  // Rank 2 with its bits reversed is the middle of the range.
  const auto identity = input_keys<std::uint32_t>("zipf:theta=0.75", KeyType::u32, n);
  const auto mirrored = input_keys<std::uint32_t>("zipf:theta=0.75,map=bit_reversed", KeyType::u32, n);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint32_t reversed = 0;
    for (int b = 0; b < 32; ++b) reversed |= ((identity[i] - 1) >> b & 1) << (31 - b);
    ASSERT_EQ(mirrored[i], reversed);
  }
}

TEST(Zipf, DistinctIsNUnlessSaid) {
  const Distribution& zipf = distribution_named("zipf");
  EXPECT_EQ(zipf.resolved(make_input("zipf", KeyType::u32, 1000)).integer("distinct"), 1000);
  EXPECT_EQ(parse_distribution("zipf").text, "zipf:theta=0.75");
  EXPECT_EQ(zipf.declines(make_input("zipf:distinct=2147483648", KeyType::i32, 9)),
            "distinct=2147483648 does not fit in i32");
  EXPECT_FALSE(zipf.entropy_bits(make_input("zipf:map=hashed", KeyType::f32, 1000)));
  EXPECT_NEAR(*zipf.entropy_bits(make_input("zipf:distinct=1048576", KeyType::f32, 1000)), 18.07, .006);
}

}  // namespace
}  // namespace sortlab
