// The search for splitters, by counts taken on the host.
#include <gtest/gtest.h>

#include <random>

#include "algorithms/multi_gpu_radix/plan.hpp"

namespace sortlab::multi_gpu {
namespace {

using Shards = std::vector<std::vector<std::uint64_t>>;

/// Runs the search over 64-bit keys, as the sort does. Returns the number of passes.
int search_all(SplitterSearch& search, const Shards& shards) {
  int passes = 0;
  for (; !search.is_done(); ++passes) {
    const CountPass pass = search.next_pass();
    std::vector<std::vector<std::uint64_t>> counts(shards.size(), std::vector<std::uint64_t>(kCounters));
    for (std::size_t lane = 0; lane < shards.size(); ++lane) {
      for (const std::uint64_t key : shards[lane]) {
        for (std::size_t r = 0; r < pass.ranges.size(); ++r) {
          const KeyRange& range = pass.ranges[r];
          if (key < range.first || key > range.last()) continue;
          const auto digit = static_cast<std::size_t>((key - range.first) >> (range.bits - pass.digit_bits));
          ++counts[lane][(r << pass.digit_bits) + digit];
        }
      }
    }
    search.take([&](std::size_t lane) { return counts[lane].data(); });
  }
  return passes;
}

std::size_t find_bucket(std::uint64_t key, const Buckets& buckets, std::uint32_t digits) {
  std::size_t bucket = digits == 1 ? 0 : key >> (64 - kDigitBits);
  for (const KeyRange& splitter : buckets.splitters) {
    bucket += (key >= splitter.first ? 1U : 0U) + (key > splitter.last() ? 1U : 0U);
  }
  return bucket;
}

/// Draws each key from `distinct` values, or any if 0; half of them lie near 2^40.
Shards make_shards(const std::vector<std::size_t>& sizes, std::uint64_t distinct) {
  std::mt19937_64 random{7};
  Shards shards;
  for (const std::size_t size : sizes) {
    std::vector<std::uint64_t> keys(size);
    for (std::uint64_t& key : keys) {
      key = random();
      if (distinct > 0) key = key % distinct * 0x0123456789ABCDEF;
      if (random() % 2 == 0) key = (std::uint64_t{1} << 40) + key % 100;
    }
    shards.push_back(keys);
  }
  return shards;
}

TEST(SplitterSearch, PlacesEachBucketAndDividesNoOther) {
  for (const std::uint64_t distinct : {0, 1, 3, 1000}) {
    for (const std::uint64_t border_keys : {0, 200}) {
      for (const std::uint32_t digits : {1U, kDigits}) {
        const Shards shards = make_shards({500, 0, 3000, 1501}, distinct);
        const std::uint64_t n = 5001;
        const std::vector<std::uint64_t> cuts = even_cuts(n, 4);
        SplitterSearch search{64, 4, cuts, digits, border_keys};
        search_all(search, shards);
        const Buckets buckets = search.buckets();
        ASSERT_EQ(buckets.count(), digits + 6);
        std::vector<std::vector<std::uint64_t>> counts(buckets.count(), std::vector<std::uint64_t>(4));
        std::vector<std::uint64_t> any(buckets.count());
        for (std::size_t lane = 0; lane < 4; ++lane) {
          for (const std::uint64_t key : shards[lane]) {
            const std::size_t b = find_bucket(key, buckets, digits);
            if (++counts[b][lane] == 1) any[b] = key;
            ASSERT_TRUE(buckets.bits_left[b] == 64 || (key ^ any[b]) >> buckets.bits_left[b] == 0 || any[b] == 0);
          }
        }
        std::uint64_t position = 0;
        for (std::size_t b = 0; b < buckets.count(); ++b) {
          const std::uint64_t begin = position;
          for (std::size_t lane = 0; lane < 4; ++lane) {
            ASSERT_EQ(buckets.begins[b][lane], position) << "bucket " << b << ", lane " << lane;
            position += counts[b][lane];
          }
          for (std::size_t j = 1; j < 4; ++j) {
            if (cuts[j] <= begin || cuts[j] >= position) continue;
            const bool is_border = std::ranges::count(buckets.border, static_cast<int>(b)) > 0;
            ASSERT_EQ(is_border, buckets.bits_left[b] > 0) << "cut " << j;
            ASSERT_TRUE(!is_border || position - begin <= border_keys) << "cut " << j;
          }
        }
        ASSERT_EQ(position, n);
      }
    }
  }
}

TEST(SplitterSearch, NeedsOnePassForSpreadKeysAndAllBitsForEqualOnes) {
  std::mt19937_64 random{7};
  Shards spread(2, std::vector<std::uint64_t>(20000));
  for (auto& shard : spread) std::ranges::generate(shard, random);
  SplitterSearch of_spread{64, 2, even_cuts(40000, 2), kDigits, 200};
  EXPECT_EQ(search_all(of_spread, spread), 1);
  const Shards equal(2, std::vector<std::uint64_t>(20000, 77));
  SplitterSearch of_equal{64, 2, even_cuts(40000, 2), kDigits, 200};
  EXPECT_EQ(search_all(of_equal, equal), (64 + kCounterBits - 1) / kCounterBits);
}

TEST(EvenCuts, DifferByOneElementAtMost) {
  EXPECT_EQ(even_cuts(10, 4), (std::vector<std::uint64_t>{0, 3, 6, 8, 10}));
  EXPECT_EQ(even_cuts(1, 3), (std::vector<std::uint64_t>{0, 1, 1, 1}));
  EXPECT_EQ(even_cuts(0, 1), (std::vector<std::uint64_t>{0, 0}));
}

}  // namespace
}  // namespace sortlab::multi_gpu
