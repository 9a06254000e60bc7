// Checks the model's prefix tree against the reference's shares (STE-M10), the sort's own lists of real inputs, and
// estimates from a sample.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/stehle_hybrid_radix/host_lists.hpp"
#include "algorithms/stehle_hybrid_radix/model/buckets.hpp"
#include "models/distribution_view.hpp"

namespace sortlab::hybrid_buckets {
namespace {

Problem make_problem(double n, std::uint32_t key_bytes, std::uint32_t value_bytes = 0) {
  return {.n = n,
          .key_bytes = key_bytes,
          .value_bytes = value_bytes,
          .settings = hybrid_radix::table3(key_bytes, value_bytes)};
}
double chance(int ands) {
  return std::exp2(-(ands + 1.0));
}

std::vector<double> pass_shares(const Tree& tree, double n) {
  std::vector<double> shares;
  for (const Pass& pass : tree.passes) shares.push_back(pass.keys / n);
  return shares;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double within) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], within) << i;
}

TEST(HybridBuckets, SharesAreThoseOfTheReference) {  // section 2.6: inputs of 2 GB
  const auto of = [](std::uint32_t key_bytes, int ands) {
    const double n = 2e9 / key_bytes;
    return pass_shares(of_bits(make_problem(n, key_bytes), chance(ands)), n);
  };
  expect_near(of(4, 1), {1, 1, .810, .115}, .02);
  expect_near(of(4, 2), {1, 1, .959, .648}, .02);
  expect_near(of(4, 3), {1, .999, .985, .940}, .02);
  // A computation by mean sizes alone has .827: a class of 4224.2 keys on average is at the threshold.
  expect_near(of(8, 2), {1, 1, .959, .738, .420, .108, .051, .005}, .02);
  expect_near(of(8, 3), {1, .999, .985, .940, .863, .761, .416, .312}, .02);
  expect_near(of(8, 4), {1, 1, .999, .962, .923, .871, .811, .745}, .02);
}

/// Each pass partitions as many keys as it sorts locally and the next one partitions.
void expect_all_keys(const Tree& tree, double n, double within) {
  EXPECT_DOUBLE_EQ(tree.passes.front().keys, n);
  for (std::size_t pass = 0; pass + 1 < tree.passes.size(); ++pass) {
    const double after = tree.passes[pass].local_keys() + tree.passes[pass + 1].keys;
    EXPECT_NEAR(after, tree.passes[pass].keys, within * n) << pass;
  }
  EXPECT_TRUE(tree.passes.back().local.empty());
}
TEST(HybridBuckets, NoKeyIsLost) {
  for (const int ands : {0, 1, 2, 4, 10}) {
    for (const double n : {1e5, 16777216.0, 5e8}) expect_all_keys(of_bits(make_problem(n, 8), chance(ands)), n, 1e-6);
  }
  expect_all_keys(of_bits(make_problem(1e7, 4), 0), 1e7, 0);
}

TEST(HybridBuckets, APassMoreBeginsWhereAMeanBucketIsAtTheThreshold) {
  for (const auto& [key_bytes, value_bytes] : {std::pair{4U, 0U}, {8U, 0U}, {4U, 4U}, {8U, 8U}}) {
    for (int pass = 1; pass < 3; ++pass) {
      const double local_keys = hybrid_radix::table3(key_bytes, value_bytes).local_keys;
      const double kink = local_keys * std::exp2(8 * pass);
      const auto share = [&](double of_kink) {
        const double n = of_kink * kink;
        return of_bits(make_problem(n, key_bytes, value_bytes), 0.5).passes[static_cast<std::size_t>(pass)].keys / n;
      };
      EXPECT_LT(share(0.95), 0.01) << pass;
      EXPECT_GT(share(1.05), 0.99) << pass;
      // In between, a share that changes gradually with the spread of sizes.
      EXPECT_NEAR(share(1), 0.5, 0.02) << pass;
      EXPECT_NEAR(share(1 + 1 / std::sqrt(local_keys)), 0.84, 0.02) << pass;
    }
  }
}

/// The sort's own lists for the keys.
Tree listed(const Problem& problem, const std::vector<uint128>& sorted) {
  using hybrid_radix::HostBucket;
  const hybrid_radix::Passes passes = problem.passes();
  const auto classes = hybrid_radix::local_size_classes(problem.settings, problem.key_bytes, problem.value_bytes);
  hybrid_radix::Rules rules{.classes = {},
                            .local_keys = problem.settings.local_keys,
                            .merge_keys = problem.settings.merge_keys,
                            .list = true,
                            .ranked = false};
  rules.classes.count = classes.count;
  for (int c = 0; c < classes.count; ++c) {
    rules.classes.keys[c] = std::min(classes.shapes[static_cast<std::size_t>(c)].keys(), rules.local_keys);
  }
  Tree tree;
  std::vector<HostBucket> buckets{{0, sorted.size()}};
  for (int number = 0; number < passes.count(); ++number) {
    Pass pass;
    std::vector<std::uint64_t> ends;
    const std::uint32_t digits = 1U << passes.bits(number);
    for (const HostBucket& bucket : buckets) {
      pass.keys += static_cast<double>(bucket.count);
      pass.blocks += std::ceil(static_cast<double>(bucket.count) / problem.settings.block_keys);
      auto at = sorted.begin() + static_cast<std::ptrdiff_t>(bucket.keys);
      const auto end = at + static_cast<std::ptrdiff_t>(bucket.count);
      for (std::uint32_t d = 0; d < digits; ++d) {
        at = std::partition_point(at, end, [&](uint128 key) {
          return (static_cast<std::uint32_t>(key >> passes.shift(number)) & (digits - 1)) <= d;
        });
        ends.push_back(static_cast<std::uint64_t>(at - sorted.begin()));
      }
    }
    pass.buckets = static_cast<double>(buckets.size());
    if (number + 1 < passes.count()) {
      const auto next =
          hybrid_radix::list_sub_buckets<std::uint64_t>(buckets, ends, digits, rules, problem.settings.block_keys);
      for (const auto& local : next.local) {
        const int c = rules.classes.of(local.count);
        auto same = std::ranges::find(pass.local, c, &Local::size_class);
        if (same == pass.local.end()) same = pass.local.insert(same, Local{.size_class = c});
        same->buckets += 1;
        same->keys += local.count;
      }
      pass.merged = next.state.merged;
      buckets = next.buckets;
    }
    tree.passes.push_back(pass);
  }
  return tree;
}

double keys_of_class(const Pass& pass, int size_class) {
  double keys = 0;
  for (const Local& local : pass.local) keys += local.size_class == size_class ? local.keys : 0;
  return keys;
}

/// Agreement within `share`, or within the noise of few buckets. The scatter of sizes moves groups of neighbours from
/// class to class (`classes`: expected to be the same), and lets fewer or more of them merge; over all passes together
/// their number is about the same.
void expect_alike(const Tree& found, const Tree& expected, double n, double share, bool classes) {
  const double few = 10 * share;
  const auto sum = [](const Tree& tree, const auto& of_pass) {
    double all = 0;
    for (const Pass& pass : tree.passes) all += of_pass(pass);
    return all;
  };
  for (std::size_t i = 0; i < expected.passes.size(); ++i) {
    const Pass& mine = found.passes[i];
    const Pass& sorts = expected.passes[i];
    EXPECT_NEAR(mine.keys, sorts.keys, share * sorts.keys + few * 4000) << i;
    EXPECT_NEAR(mine.buckets, sorts.buckets, share * sorts.buckets + few) << i;
    EXPECT_NEAR(mine.blocks, sorts.blocks, share * sorts.blocks + 2 * few) << i;
    EXPECT_NEAR(mine.local_keys(), sorts.local_keys(), share * sorts.local_keys() + few * 4000) << i;
    for (int c = 0; classes && c < 7; ++c) EXPECT_NEAR(keys_of_class(mine, c), keys_of_class(sorts, c), share * n) << i;
  }
  const double listed = sum(expected, [](const Pass& pass) { return pass.listed(); });
  EXPECT_NEAR(sum(found, [](const Pass& pass) { return pass.listed(); }), listed, 2 * share * listed + few);
  const double merged = sum(expected, [](const Pass& pass) { return pass.merged; });
  EXPECT_NEAR(sum(found, [](const Pass& pass) { return pass.merged; }), merged, 4 * share * merged + few);
}

struct Of {
  std::string distribution;
  KeyType key;
  std::uint64_t n;
  double one;
};
std::vector<Of> inputs() {
  std::vector<Of> all;
  for (const KeyType key : {KeyType::u32, KeyType::u64}) {
    for (const std::uint64_t n : {std::uint64_t{1} << 19, std::uint64_t{3000000}}) {
      all.push_back({"uniform", key, n, 0.5});
      for (int ands = 1; ands <= 4; ++ands)
        all.push_back({"thearling:ands=" + std::to_string(ands), key, n, chance(ands)});
    }
  }
  return all;
}

TEST(HybridBuckets, FormulaAndTraceOfAllKeysAreTheSortsOwnLists) {
  for (const Of& of : inputs()) {
    SCOPED_TRACE(of.distribution + (of.key == KeyType::u32 ? " u32 " : " u64 ") + std::to_string(of.n));
    const DistributionView view{parse_distribution(of.distribution), of.key, of.n, 1, of.n};
    const std::vector<uint128> sorted = view.sorted();
    for (const std::uint32_t merge_keys : {hybrid_radix::kMergeKeys, 0U}) {
      Problem problem = make_problem(static_cast<double>(of.n), byte_size(of.key));
      problem.settings.merge_keys = merge_keys;
      const Tree expected = listed(problem, sorted);
      expect_alike(of_trace(problem, sorted), expected, problem.n, 1e-9, true);
      expect_alike(of_bits(problem, of.one), expected, problem.n, 0.05, false);
    }
  }
}

TEST(HybridBuckets, ASampleTellsOfAllKeys) {
  constexpr std::uint64_t n = 1 << 22;
  for (const std::string distribution : {"uniform", "thearling:ands=1", "thearling:ands=3", "zipf"}) {
    SCOPED_TRACE(distribution);
    const DistributionView all{parse_distribution(distribution), KeyType::u64, n, 1, n};
    const DistributionView some{parse_distribution(distribution), KeyType::u64, n, 1, n / 16};
    const Problem problem = make_problem(n, 8);
    const Tree expected = of_trace(problem, all.sorted());
    const Tree found = of_trace(problem, some.sorted());
    expect_all_keys(found, problem.n, 1e-6);
    // Near the threshold, which is 264 keys of the sample, more buckets lie below than above, and some of them look
    // larger.
    expect_near(pass_shares(found, problem.n), pass_shares(expected, problem.n), 0.07);
    for (std::size_t i = 0; i < expected.passes.size(); ++i) {
      if (expected.passes[i].local_keys() < 0.05 * problem.n) continue;
      EXPECT_NEAR(found.passes[i].listed() / expected.passes[i].listed(), 1, 0.3) << i;
      EXPECT_NEAR(found.passes[i].hottest, expected.passes[i].hottest, 0.03) << i;
    }
  }
}

TEST(HybridBuckets, BlocksAreHotFromTwoAndsOn) {
  const auto hot = [](int ands, std::uint32_t key_bytes) {
    return of_bits(make_problem(2e9 / key_bytes, key_bytes), chance(ands)).passes.front().hot;
  };
  EXPECT_LT(hot(1, 4), 1e-6);
  EXPECT_NEAR(hot(2, 4), 0.96, 0.01);  // 1.8 standard deviations of a block above a third
  EXPECT_NEAR(hot(2, 8), 0.90, 0.01);  // 1.3
  EXPECT_GT(hot(3, 8), 0.999);
}

TEST(HybridBuckets, FewKeysAreOneLocalSort) {
  const Tree tree = of_bits(make_problem(9216, 4), 0.5);
  ASSERT_EQ(tree.whole.size(), 1U);
  EXPECT_EQ(tree.whole.front().keys, 9216);
  EXPECT_EQ(tree.whole.front().bits, 32);
  EXPECT_TRUE(of_bits(make_problem(9217, 4), 0.5).whole.empty());
}

TEST(HybridBuckets, EqualKeysStayOneBucketToTheEnd) {
  for (const Pass& pass : of_bits(make_problem(1e8, 8), 0).passes) {
    EXPECT_EQ(pass.keys, 1e8);
    EXPECT_EQ(pass.buckets, 1);
    EXPECT_EQ(pass.hot, 1);
    EXPECT_TRUE(pass.local.empty());
  }
}

}  // namespace
}  // namespace sortlab::hybrid_buckets
