// Checks the paper's statements on the plan: Table 3, the bounds and the memory of section 4.5, the sorting network of
// section 4.3, and the lists that follow from a histogram.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "algorithms/stehle_hybrid_radix/host_lists.hpp"
#include "algorithms/stehle_hybrid_radix/network.hpp"
#include "algorithms/stehle_hybrid_radix/settings.hpp"

namespace sortlab::hybrid_radix {
namespace {

constexpr std::uint64_t kTwoGigabytes = 2000000000;

TEST(HybridRadixPlan, NetworkSortsAllZeroOneInputs) {
  EXPECT_EQ(std::size(kNetwork), 25U);
  for (unsigned input = 0; input < 1U << kRun; ++input) {
    std::array<unsigned, kRun> keys{};
    for (int i = 0; i < kRun; ++i) keys[static_cast<std::size_t>(i)] = input >> i & 1;
    sort_nine(keys.data());
    EXPECT_TRUE(std::ranges::is_sorted(keys)) << input;
  }
}

TEST(HybridRadixPlan, BoundsOf500e6KeysAreThePapers) {
  const Bounds bounds = list_bounds(table3(4, 0), 500000000);
  EXPECT_EQ(bounds.buckets, 54253U);
  EXPECT_EQ(bounds.blocks, 126590U);
  EXPECT_EQ(bounds.sub_buckets, 387586U);
  Settings unmerged = table3(4, 0);
  unmerged.merge_keys = 0;
  EXPECT_EQ(list_bounds(unmerged, 500000000).sub_buckets, 13888768U);
}

/// Bookkeeping in percent of the input and its copy: at most 5 by the paper, which u64 exceeds (X8).
double percent(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t n = kTwoGigabytes / (key_bytes + value_bytes);
  const Memory memory = required_memory(table3(key_bytes, value_bytes), n, key_bytes + value_bytes);
  return 100.0 * static_cast<double>(memory.bookkeeping()) / static_cast<double>(2 * memory.arrays);
}
TEST(HybridRadixPlan, MemoryIsThatOfSection45) {
  EXPECT_NEAR(percent(4, 0), 4.85, 0.01);
  EXPECT_NEAR(percent(8, 0), 5.06, 0.01);
  EXPECT_NEAR(percent(4, 4), 3.27, 0.01);  // with 6912 keys per block, not the 3456 that Table 3 prints (X9)
  EXPECT_NEAR(percent(8, 8), 3.16, 0.01);
}

TEST(HybridRadixPlan, BlocksAreThreadsTimesItems) {
  for (const auto& [key, value, keys] :
       {std::tuple{4U, 0U, 6912U}, {8U, 0U, 3456U}, {4U, 4U, 6912U}, {8U, 8U, 2304U}}) {
    const Settings row = table3(key, value);
    EXPECT_EQ(row.block_keys, keys);
    EXPECT_EQ(declines(row, key, value), std::nullopt);
    const auto shapes = scatter_shapes(key, value);
    EXPECT_NE(std::ranges::find(shapes, tuned_shape(key, value)), shapes.end());
    EXPECT_EQ(local_shapes(LocalSort::block_radix, key, value).back().keys(), row.local_keys);
  }
}

/// A parameter that no setting reads would be recorded without effect.
TEST(HybridRadixPlan, EveryParameterReachesTheSetting) {
  const Info& info = algorithm_named("stehle_hybrid_radix").info();
  const Problem problem{.key = KeyType::u32, .value = ValueType::u32, .n = 1};
  const GivenParameters standard{{"threads", "512"}, {"items", "12"}};
  const Settings unchanged = resolve_settings(resolve(info.name, info.parameters, standard), problem);
  for (const Parameter& parameter : info.parameters) {
    GivenParameters given = standard;
    const auto other = [&]() -> std::string {
      if (parameter.choices.empty()) return std::to_string(static_cast<int>(parameter.range.largest) - 1);
      const bool is_first = parameter.standard == Value{parameter.choices.front()};
      return parameter.choices.at(is_first ? 1 : 0);
    };
    given[parameter.name] = parameter.name == "look_ahead" ? "0" : other();
    EXPECT_NE(resolve_settings(resolve(info.name, info.parameters, given), problem), unchanged) << parameter.name;
  }
}

TEST(HybridRadixPlan, DigitsCoverTheKey) {
  for (const int key_bits : {32, 64}) {
    for (int digit_bits = 1; digit_bits <= kMaxDigitBits; ++digit_bits) {
      const Passes passes{key_bits, digit_bits};
      int left = key_bits;
      for (int pass = 0; pass < passes.count(); ++pass) {
        left -= passes.bits(pass);
        EXPECT_EQ(passes.shift(pass), left);
        EXPECT_GT(passes.bits(pass), 0);
      }
      EXPECT_EQ(left, 0);
    }
  }
}

/// Table 2: sixteen keys of two 2-bit digits, a threshold of 3, no merging.
TEST(HybridRadixPlan, ListsOfTheWorkedExample) {
  const Rules rules{
      .classes = {.count = 1, .keys = {3}}, .local_keys = 3, .merge_keys = 0, .list = true, .ranked = false};
  const std::vector<std::uint32_t> ends{4, 12, 14, 16};  // prefix sums of the histogram 4 8 2 2
  const auto next = list_sub_buckets<std::uint32_t>(input_as_bucket<std::uint32_t>(16).buckets, ends, 4, rules, 4);
  ASSERT_EQ(next.buckets.size(), 2U);
  EXPECT_EQ(next.buckets[0].keys, 0U);
  EXPECT_EQ(next.buckets[0].count, 4U);
  EXPECT_EQ(next.buckets[1].keys, 4U);
  EXPECT_EQ(next.buckets[1].count, 8U);
  EXPECT_EQ(next.blocks.size(), 3U);  // blocks of four keys
  ASSERT_EQ(next.local.size(), 2U);
  EXPECT_EQ(next.local[0].keys, 12U);
  EXPECT_EQ(next.local[0].first_digit(), 2U);
  EXPECT_EQ(next.local[1].keys, 14U);
  EXPECT_EQ(next.state.merged, 0U);
}

TEST(HybridRadixPlan, NeighboursBelowTheMergeThresholdAreOne) {
  const Rules rules{
      .classes = {.count = 2, .keys = {10, 100}}, .local_keys = 100, .merge_keys = 10, .list = true, .ranked = false};
  //                                       4  5  | 0  1  6 | 10 | 101 | 0  9 | 1
  const std::vector<std::uint32_t> counts{4, 5, 0, 1, 6, 10, 101, 0, 9, 1};
  std::vector<std::uint32_t> ends(counts.size());
  std::partial_sum(counts.begin(), counts.end(), ends.begin());
  const std::vector<HostBucket> bucket{{0, ends.back()}};
  const auto next = list_sub_buckets<std::uint32_t>(bucket, ends, 10, rules, 50);
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> found;
  for (const auto& local : next.local) found.emplace_back(local.count, local.first_digit(), local.digit_count());
  const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> wanted{
      {9, 0, 2}, {7, 3, 2}, {10, 5, 1}, {9, 8, 1}, {1, 9, 1}};
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(next.state.merged, 2U);
  ASSERT_EQ(next.buckets.size(), 1U);
  EXPECT_EQ(next.blocks.size(), 3U);
}

}  // namespace
}  // namespace sortlab::hybrid_radix
