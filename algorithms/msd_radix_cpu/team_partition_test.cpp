// The first partitions that a team of msd_radix_cpu makes together.
#include "algorithms/msd_radix_cpu/team_partition.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace sortlab::msd {
namespace {

constexpr std::uint64_t kN = 100'003;

template <class K, class V>
struct Parted {
  using Word = WordOf<K, V>;
  static constexpr bool values = kValuesBeside<K, V>;

  /// Random keys below `most`, with their positions as values.
  Parted(K most, int threads, std::uint32_t wanted) : keys(kN), elements(kN), words(kN), beside(kN) {
    std::mt19937 random{1};
    std::ranges::generate(keys, [&] { return static_cast<K>(random() % most); });
    for (std::uint64_t i = 0; i < kN; ++i) elements[i] = static_cast<V>(i);
    const Form<Word> form = make_form<K, V>(key_kernels(targets().target_bit(targets().widest())));
    if (form.direct) {
      words.assign(keys.begin(), keys.end());
      beside.assign(elements.begin(), elements.end());
    }
    const Kernels<Word>& kernels = kernels_for<Word>(targets().target_bit(targets().widest()), values);
    ThreadTeam team{threads, {}};
    TeamPartition<Word, values> partition{kN, wanted, form, kernels, threads};
    RangePool pool;
    pool.begin(kN);
    Arrays arrays{keys.data(), elements.data()};
    if (form.direct) arrays = {words.data(), beside.data()};
    partition.begin(arrays, words.data(), beside.data() - words.data());
    EXPECT_TRUE(partition.parts());
    team.run([&](int thread) { partition.work(thread, team, pool); });
    while (const auto range = pool.take()) {
      if (range->n > 0) ranges.push_back(*range);
      pool.sorted(range->n);
    }
    std::ranges::sort(ranges, {}, &WordRange::first);
  }

  void expect_parted() const {
    std::uint64_t first = 0;
    Word before = 0;
    for (const WordRange& range : ranges) {
      ASSERT_EQ(range.first, first);
      const auto [low, high] = std::minmax_element(words.begin() + first, words.begin() + first + range.n);
      EXPECT_TRUE(first == 0 || before < *low || (range.sorted && before == *low));
      EXPECT_TRUE(!range.sorted || *low == *high);
      before = *high;
      first += range.n;
    }
    EXPECT_EQ(first, kN);
  }

  std::vector<K> keys;
  std::vector<V> elements;
  std::vector<Word> words;
  std::vector<Word> beside;
  std::vector<WordRange> ranges;
};

TEST(TeamPartition, LeavesRangesOfAboutTheSameSize) {
  for (const int threads : {1, 2, 3, 8}) {
    Parted<std::uint32_t, std::uint32_t> parted{~0U, threads, 8};
    parted.expect_parted();
    ASSERT_EQ(parted.ranges.size(), 8U) << threads;
    for (const WordRange& range : parted.ranges) {
      EXPECT_NEAR(static_cast<double>(range.n), kN / 8.0, 0.5 * kN / 8.0);
      EXPECT_FALSE(range.sorted);
    }
    std::ranges::sort(parted.words);
    for (std::uint64_t i = 0; i < kN; ++i) parted.elements[i] = static_cast<std::uint32_t>(parted.words[i]);
    std::ranges::sort(parted.elements);
    for (std::uint64_t i = 0; i < kN; ++i) ASSERT_EQ(parted.elements[i], i);
    for (std::uint64_t i = 0; i < kN; ++i) {
      ASSERT_EQ(parted.words[i] >> 32, parted.keys[static_cast<std::uint32_t>(parted.words[i])]);
    }
  }
}

TEST(TeamPartition, MovesValuesWithTheirWords) {
  const Parted<std::uint64_t, std::uint64_t> parted{1'000'000, 4, 4};
  parted.expect_parted();
  std::vector<bool> seen(kN);
  for (std::uint64_t i = 0; i < kN; ++i) {
    ASSERT_LT(parted.beside[i], kN);
    ASSERT_FALSE(seen[parted.beside[i]]);
    seen[parted.beside[i]] = true;
    ASSERT_EQ(parted.words[i], parted.keys[parted.beside[i]]);
  }
}

TEST(TeamPartition, KnowsWordsOfWhichThereAreMany) {
  const Parted<std::uint64_t, std::uint64_t> parted{3, 2, 8};
  parted.expect_parted();
  for (const WordRange& range : parted.ranges) EXPECT_TRUE(range.sorted);
}

}  // namespace
}  // namespace sortlab::msd
