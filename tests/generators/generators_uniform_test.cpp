// Random words, and the inputs made from them directly: uniform, thearling, constant, orderings, values.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "generators/philox.hpp"
#include "tests/generators/generators_test.hpp"

namespace sortlab {
namespace {

TEST(Philox, KnownAnswersOfRandom123) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox(0, 0, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox(~0ULL, ~0ULL, ~0ULL), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, ManyAtATimeAreTheSameWords) {
  const std::uint64_t seed = 0x299f31d0a4093822;
  const std::uint64_t stream = 0x0370734413198a2e;
  for (const std::uint64_t first :
       {0ULL, 4ULL, 0x3fffffff0ULL, 0xfffffffffffffff0ULL}) {  // carries into the upper half
    for (std::uint64_t count = 0; count < 150; ++count) {
      std::vector<std::uint32_t> words(count + 1, 7);
      RandomStream{seed, stream}.fill(first, count, words.data());
      for (std::uint64_t i = 0; i < count; ++i) {
        ASSERT_EQ(words[i], philox(seed, first / 4 + i / 4, stream)[i % 4]) << first << " " << count << " " << i;
      }
      ASSERT_EQ(words[count], 7U) << "wrote past the end";
    }
  }
}

TEST(Uniform, UnsignedKeysAreTheWordsOfStreamZero) {
  const auto narrow = input_keys<std::uint32_t>("uniform", KeyType::u32, 4099, 5);
  const auto wide = input_keys<std::uint64_t>("uniform", KeyType::u64, 4099, 5);
  for (std::uint64_t i = 0; i < 4099; ++i) {
    ASSERT_EQ(narrow[i], philox(5, i / 4, 0)[i % 4]);
    const auto words = philox(5, i / 2, 0);
    ASSERT_EQ(wide[i], words[i % 2 * 2] | std::uint64_t{words[i % 2 * 2 + 1]} << 32);
  }
}

TEST(Uniform, RangeBitsLimitTheKeys) {
  for (const int bits : {1, 8, 31}) {
    const std::string text = "uniform:range_bits=" + std::to_string(bits);
    const auto keys = input_keys<std::uint64_t>(text, KeyType::u64, 10001);
    EXPECT_EQ(std::bit_width(*std::ranges::max_element(keys)), bits);
    const auto signed_keys = input_keys<std::int32_t>(text, KeyType::i32, 10001);
    EXPECT_GE(*std::ranges::min_element(signed_keys), 0);
    EXPECT_EQ(distribution_named("uniform").entropy_bits(make_input(text, KeyType::u64, 1)), bits);
  }
  const Distribution& uniform = distribution_named("uniform");
  EXPECT_EQ(uniform.declines(make_input("uniform:range_bits=33", KeyType::u32, 10)),
            "range_bits=33 exceeds the 32 bits of u32");
  EXPECT_FALSE(uniform.declines(make_input("uniform:range_bits=33", KeyType::u64, 10)));
  EXPECT_EQ(uniform.resolved(make_input("uniform", KeyType::f64, 1)).integer("range_bits"), 64);
}

TEST(Uniform, FloatsAreValuesByDefaultAndBitsByOption) {
  const Distribution& uniform = distribution_named("uniform");
  const auto singles = input_keys<float>("uniform", KeyType::f32, 100001);
  const auto doubles = input_keys<double>("uniform", KeyType::f64, 100001);
  double mean = 0;
  for (std::size_t i = 0; i < singles.size(); ++i) {
    ASSERT_TRUE(singles[i] >= -1 && singles[i] < 1 && !(singles[i] == 0 && std::signbit(singles[i])));
    ASSERT_TRUE(doubles[i] >= -1 && doubles[i] < 1);
    // The value is the word, scaled: exactly.
    const auto word = philox(1, i / 4, 0)[i % 4];
    ASSERT_EQ(singles[i], std::ldexp(static_cast<double>(word >> 8) - 8388608.0, -23));
    mean += singles[i];
  }
  EXPECT_NEAR(mean / 100001, 0, 4 * std::sqrt(1.0 / 3 / 100001));
  EXPECT_FALSE(uniform.needs_total_order(make_input("uniform", KeyType::f32, 1)));
  EXPECT_EQ(uniform.entropy_bits(make_input("uniform", KeyType::f32, 1)), 24);
  EXPECT_EQ(uniform.entropy_bits(make_input("uniform", KeyType::f64, 1)), 53);

  const auto raw = input_keys<float>("uniform:floats=raw", KeyType::f32, 100001);
  EXPECT_GT(std::ranges::count_if(raw, [](float f) { return std::isnan(f); }), 0);
  EXPECT_TRUE(uniform.needs_total_order(make_input("uniform:floats=raw", KeyType::f32, 1)));
  EXPECT_FALSE(uniform.needs_total_order(make_input("uniform:floats=raw", KeyType::u32, 1)));
  EXPECT_EQ(uniform.entropy_bits(make_input("uniform:floats=raw", KeyType::f32, 1)), 32);
  const auto finite = input_keys<float>("uniform:floats=raw,range_bits=30", KeyType::f32, 100001);
  EXPECT_TRUE(std::ranges::all_of(finite, [](float f) { return std::isfinite(f); }));
  EXPECT_FALSE(uniform.needs_total_order(make_input("uniform:floats=raw,range_bits=30", KeyType::f32, 1)));
}

TEST(Thearling, EntropyTable) {
  // Entropy per bit h(2^-(t+1)), t = 0 ... 10 ANDs (Thearling & Smith 1992).
  const double h[] = {1, .811278, .543564, .337290, .200622, .116115, .065914, .036875, .020393, .011174, .006075};
  for (int t = 0; t <= 10; ++t) {
    const std::string text = "thearling:ands=" + std::to_string(t);
    const Distribution& thearling = distribution_named("thearling");
    EXPECT_NEAR(*thearling.entropy_bits(make_input(text, KeyType::u32, 1)), 32 * h[t], 32 * 5.1e-7) << t;
    EXPECT_NEAR(*thearling.entropy_bits(make_input(text, KeyType::f64, 1)), 64 * h[t], 64 * 5.1e-7) << t;
  }
}

TEST(Thearling, EachBitIsOneWithTheProbabilityOfTheFormula) {
  constexpr std::uint64_t n = 200003;
  for (const int t : {0, 1, 2, 5}) {
    const auto keys = input_keys<std::uint32_t>("thearling:ands=" + std::to_string(t), KeyType::f32, n);
    const double p = std::exp2(-(t + 1));
    for (int bit = 0; bit < 32; ++bit) {
      const auto ones = std::ranges::count_if(keys, [&](std::uint32_t k) { return (k >> bit & 1) != 0; });
      EXPECT_NEAR(static_cast<double>(ones) / n, p, 5 * std::sqrt(p * (1 - p) / n)) << t << " ANDs, bit " << bit;
    }
  }
  EXPECT_EQ(input_bytes("thearling:ands=0", KeyType::u64, 1001), input_bytes("uniform", KeyType::u64, 1001));
  EXPECT_TRUE(distribution_named("thearling").needs_total_order(make_input("thearling", KeyType::f32, 1)));
}

TEST(Constant, AllKeysAreTheValue) {
  for (const double key : input_keys<double>("constant:value=7", KeyType::f64, 1001)) ASSERT_EQ(key, 7.0);
  for (const std::int32_t key : input_keys<std::int32_t>("zero", KeyType::i32, 1001)) ASSERT_EQ(key, 0);
  EXPECT_EQ(distribution_named("constant").entropy_bits(make_input("constant", KeyType::u32, 9)), 0.0);
}

template <class K>
void expect_orders_of_uniform(KeyType type, const std::string& options) {
  const auto with = [&](const std::string& name) {
    return options.empty() ? name : name + (name.find(':') == std::string::npos ? ":" : ",") + options;
  };
  for (const std::uint64_t n : {0ULL, 1ULL, 2ULL, 1000ULL, 70001ULL}) {
    auto expected = input_keys<K>(with("uniform"), type, n, 3);
    std::ranges::sort(expected, KeyLess{});
    const auto same = [](std::vector<K> a, std::vector<K> b) {
      return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(K)) == 0);
    };
    for (const int threads : {1, 3}) {
      ASSERT_TRUE(same(input_keys<K>(with("sorted"), type, n, 3, threads), expected)) << to_name(type) << " " << n;
      auto descending = expected;
      std::ranges::reverse(descending);
      ASSERT_TRUE(same(input_keys<K>(with("reverse"), type, n, 3, threads), descending)) << to_name(type) << " " << n;
    }
    auto nearly = input_keys<K>(with("nearly_sorted:swaps=20"), type, n, 3);
    std::uint64_t displaced = 0;
    for (std::uint64_t i = 0; i < n; ++i) displaced += to_ordered(nearly[i]) != to_ordered(expected[i]);
    EXPECT_LE(displaced, 40U);
    if (n >= 1000 && options.empty()) {
      EXPECT_GT(displaced, 20U);
    }
    std::ranges::sort(nearly, KeyLess{});
    EXPECT_TRUE(same(nearly, expected));

    auto in_runs = input_keys<K>(with("runs:runs=7"), type, n, 3, 2);
    for (std::uint64_t run = 0; run < 7; ++run) {
      EXPECT_TRUE(std::is_sorted(in_runs.begin() + static_cast<std::ptrdiff_t>(run * n / 7),
                                 in_runs.begin() + static_cast<std::ptrdiff_t>((run + 1) * n / 7), KeyLess{}));
    }
    if (n >= 1000 && options.empty()) {
      EXPECT_FALSE(std::ranges::is_sorted(in_runs, KeyLess{}));
    }
    std::ranges::sort(in_runs, KeyLess{});
    EXPECT_TRUE(same(in_runs, expected));
  }
}

TEST(Orderings, ArePermutationsOfUniform) {
  for (const KeyType type : kKeyTypes) {
    with_key_type(type, [&]<class K>() {
      for (const std::string options : {"", "range_bits=3", "floats=raw"}) expect_orders_of_uniform<K>(type, options);
    });
  }
}

TEST(Values, AreRecordIds) {
  std::vector<std::uint64_t> wide(5003);
  std::vector<std::uint32_t> narrow(5003);
  fill_values(ValueType::u64, wide.size(), wide.data(), 3);
  fill_values(ValueType::u32, narrow.size(), narrow.data(), 2);
  for (std::uint64_t i = 0; i < wide.size(); ++i) {
    ASSERT_EQ(wide[i], i);
    ASSERT_EQ(narrow[i], i);
  }
  fill_values(ValueType::none, 10, nullptr, 1);
}

TEST(BitProbability, IsKnownWhereBitsAreIndependent) {
  const auto probability = [](const std::string& text, KeyType key) {
    const NamedDistribution named = parse_distribution(text);
    return named.distribution->bit_probability({.key = key, .n = 9, .parameters = named.parameters});
  };
  for (const char* name : {"uniform", "sorted", "reverse", "nearly_sorted", "runs"}) {
    EXPECT_EQ(probability(name, KeyType::u32), 0.5) << name;
    EXPECT_EQ(probability(std::string{name} + ":range_bits=31", KeyType::u32), std::nullopt) << name;
    EXPECT_EQ(probability(name, KeyType::f32), std::nullopt) << name;  // values, not bits, are uniform
    EXPECT_EQ(probability(std::string{name} + ":floats=raw", KeyType::f64), 0.5) << name;
  }
  EXPECT_EQ(probability("thearling:ands=2", KeyType::u64), 0.125);
  EXPECT_EQ(probability("constant", KeyType::u32), 0.0);
  EXPECT_EQ(probability("zero", KeyType::i64), 0.0);
  EXPECT_EQ(probability("zipf", KeyType::u32), std::nullopt);
}

}  // namespace
}  // namespace sortlab
