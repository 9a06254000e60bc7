// Compares merges of runs with a stable sort: all types, up to 32 runs, even, uneven and empty, with few elements after
// them.
#include "algorithms/stehle_heterogeneous/run_merger.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>

#include "algorithms/stehle_heterogeneous/run_split.hpp"
#include "core/pages.hpp"

namespace sortlab::heterogeneous {
namespace {

enum class Draw : std::uint8_t { any, remainder, greatest, constant };
constexpr std::array kDraws{Draw::any, Draw::remainder, Draw::greatest, Draw::constant};

/// A random key: any bits, one of four keys, mostly the greatest of all, or always that.
template <class K>
K drawn(Draw draw, std::mt19937_64& random) {
  const auto any = static_cast<Bits<K>>(random());
  constexpr auto greatest = static_cast<Bits<K>>(~Bits<K>{0});
  switch (draw) {
    case Draw::any: return from_ordered<K>(any);
    case Draw::remainder: return from_ordered<K>(static_cast<Bits<K>>(any % 4 * (greatest / 4)));
    case Draw::greatest: return from_ordered<K>(any % 4 == 0 ? greatest - any % 3 : greatest);
    case Draw::constant: break;
  }
  return from_ordered<K>(greatest);
}

/// Bounds of `runs` runs with n elements in total.
std::vector<std::uint64_t> random_bounds(std::uint64_t n, std::size_t runs, bool even, std::mt19937_64& random) {
  std::vector<std::uint64_t> bounds{0};
  for (std::size_t i = 1; i < runs; ++i) bounds.push_back(even ? n * i / runs : random() % (n + 1));
  if (!even && runs > 2) bounds[1] = bounds[2];  // one run is empty
  bounds.push_back(n);
  std::ranges::sort(bounds);
  return bounds;
}

template <class T>
struct Place {
  explicit Place(std::uint64_t count) : pages(std::max<std::uint64_t>(count * sizeof(T), 1), PageKind::small) {}
  T* data() const { return pages.data<T>(); }
  Pages pages;
};

using MakeMerger = std::function<std::unique_ptr<RunMerger>(const Problem&, const Resources&)>;

MakeMerger make_function(Merge merge) {
  return [merge](const Problem& problem, const Resources& resources) {
    EXPECT_FALSE(declines_merge(merge, problem.key, problem.value));
    return make_run_merger(merge, problem, resources);
  };
}
MakeMerger make_function(Heads heads) {
  return [heads](const Problem& problem, const Resources& resources) {
    return make_our_merger(problem, resources, heads);
  };
}

template <class K, class V>
void expect_merged(const MakeMerger& make, std::size_t runs, std::uint64_t n, std::uint64_t remainder, bool even,
                   Draw draw, int threads) {
  constexpr bool has_values = !std::is_same_v<V, NoValue>;
  using Value = std::conditional_t<has_values, V, char>;
  const auto all = n + remainder;
  std::mt19937_64 random{runs * 1000003 + n};
  std::vector<std::uint64_t> bounds = random_bounds(n, runs, even, random);
  const Place<K> keys(all);
  const Place<K> out(all);
  const Place<Value> values(all);
  const Place<Value> out_values(all);
  for (std::uint64_t i = 0; i < all; ++i) keys.data()[i] = drawn<K>(draw, random);
  for (std::size_t run = 0; run <= runs; ++run) {
    std::sort(keys.data() + bounds[run], keys.data() + (run < runs ? bounds[run + 1] : all), KeyLess{});
  }
  for (std::uint64_t i = 0; i < all; ++i) values.data()[i] = static_cast<Value>(i);
  std::vector<std::pair<Bits<K>, Value>> wanted;
  for (std::uint64_t i = 0; i < all; ++i) wanted.emplace_back(to_ordered(keys.data()[i]), values.data()[i]);
  std::ranges::sort(wanted);

  Problem problem{.residency = Residency::end_to_end, .n = all};
  for (const KeyType type : kKeyTypes) {
    with_key_type(type, [&]<class T>() {
      if (std::is_same_v<T, K>) problem.key = type;
    });
  }
  problem.value = !has_values ? ValueType::none : sizeof(V) == 4 ? ValueType::u32 : ValueType::u64;
  const auto arrays = [&](const Place<K>& k, const Place<Value>& v) {
    return Buffers{.keys = {.data = k.data(), .count = all},
                   .values = {.data = has_values ? v.data() : nullptr, .count = has_values ? all : 0}};
  };
  PhaseTimer phases(threads);
  const auto merger = make(problem, {.threads = threads, .cpus = {}});
  merger->merge(arrays(keys, values), bounds, arrays(out, out_values), phases);

  std::vector<std::pair<Bits<K>, Value>> merged;
  for (std::uint64_t i = 0; i < all; ++i) {
    ASSERT_TRUE(i == 0 || !KeyLess{}(out.data()[i], out.data()[i - 1])) << i;
    merged.emplace_back(to_ordered(out.data()[i]), has_values ? out_values.data()[i] : values.data()[i]);
  }
  // Equal keys may stand in any order, each with its value.
  std::ranges::sort(merged);
  if constexpr (has_values) {
    EXPECT_EQ(merged, wanted);
  } else {
    EXPECT_TRUE(
        std::ranges::equal(merged, wanted, {}, &std::pair<Bits<K>, Value>::first, &std::pair<Bits<K>, Value>::first));
  }
}

template <class K, class V>
void expect_all_merged(const MakeMerger& make) {
  for (const std::size_t runs : {1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 31, 32}) {
    for (const Draw draw : kDraws) {
      for (const bool even : {true, false}) {
        const std::uint64_t n = runs % 2 == 0 ? 20011 : 3001 + runs;
        SCOPED_TRACE(fmt::format("{} runs, draw {}, {}", runs, static_cast<int>(draw), even ? "even" : "uneven"));
        expect_merged<K, V>(make, runs, n, runs % 5, even, draw, 1 + static_cast<int>(runs % 3));
      }
    }
  }
  for (const std::uint64_t n : {0, 1, 2, 15, 16, 17, 63, 64, 65, 300}) {
    SCOPED_TRACE(n);
    expect_merged<K, V>(make, 4, n, n % 4, false, Draw::any, 3);
  }
}

template <class T>
class RunMergers : public testing::Test {};
template <class K, class V>
struct Of {
  using Key = K;
  using Value = V;
};
using Types =
    testing::Types<Of<std::uint32_t, NoValue>, Of<std::uint32_t, std::uint32_t>, Of<std::uint32_t, std::uint64_t>,
                   Of<std::uint64_t, NoValue>, Of<std::uint64_t, std::uint32_t>, Of<std::uint64_t, std::uint64_t>,
                   Of<std::int32_t, NoValue>, Of<std::int32_t, std::uint32_t>, Of<std::int32_t, std::uint64_t>,
                   Of<std::int64_t, NoValue>, Of<std::int64_t, std::uint32_t>, Of<std::int64_t, std::uint64_t>,
                   Of<float, NoValue>, Of<float, std::uint32_t>, Of<float, std::uint64_t>, Of<double, NoValue>,
                   Of<double, std::uint32_t>, Of<double, std::uint64_t>>;
TYPED_TEST_SUITE(RunMergers, Types);

TYPED_TEST(RunMergers, MergeAllRunsByATree) {
  expect_all_merged<typename TypeParam::Key, typename TypeParam::Value>(make_function(Heads::tree));
}

TYPED_TEST(RunMergers, MergeAllRunsWithTheirHeadsInVectors) {
  if (!has_vector_chains()) GTEST_SKIP() << "no AVX-512 here";
  expect_all_merged<typename TypeParam::Key, typename TypeParam::Value>(make_function(Heads::vectors));
}

TEST(LibstdcxxMerger, MergesAllRuns) {
  expect_all_merged<std::uint32_t, std::uint32_t>(make_function(Merge::libstdcxx));
  expect_all_merged<std::uint64_t, std::uint64_t>(make_function(Merge::libstdcxx));
  expect_all_merged<double, NoValue>(make_function(Merge::libstdcxx));
}

TEST(LibstdcxxMerger, DeclinesWhatItIsNotCompiledFor) {
  EXPECT_TRUE(declines_merge(Merge::libstdcxx, KeyType::i32, ValueType::none));
  EXPECT_TRUE(declines_merge(Merge::libstdcxx, KeyType::u32, ValueType::u64));
  EXPECT_FALSE(declines_merge(Merge::ours, KeyType::i32, ValueType::u64));
}

TEST(RunSplit, CutsAtEveryRankAndGivesEqualsToEarlierRunsFirst) {
  const std::vector<std::uint32_t> keys{1, 2, 2, 9, 2, 2, 3, 0, 2, 9, 9};
  const std::vector<std::uint64_t> bounds{0, 4, 7, 7, 11};
  RunSplit<std::uint32_t> split(keys.data(), bounds);
  std::vector<std::uint64_t> before(bounds.begin(), bounds.end() - 1);
  std::vector<std::uint32_t> merged;
  for (std::uint64_t rank = 1; rank <= keys.size(); ++rank) {
    const auto places = split.at(rank);
    int steps = 0;
    for (std::size_t run = 0; run < places.size(); ++run) {
      if (places[run] == before[run]) continue;
      ASSERT_EQ(places[run], before[run] + 1);
      merged.push_back(keys[before[run]]);
      ++steps;
    }
    EXPECT_EQ(steps, 1) << rank;
    before.assign(places.begin(), places.end());
  }
  EXPECT_TRUE(std::ranges::is_sorted(merged));
  EXPECT_EQ(std::vector(split.at(5).begin(), split.at(5).end()), (std::vector<std::uint64_t>{3, 5, 7, 8}));
}

TEST(SortFew, SortsPairs) {
  std::vector<float> keys{3, -1, 2, -0.0F, 0.0F};
  std::vector<std::uint32_t> values{0, 1, 2, 3, 4};
  sort_remainder(KeyType::f32, ValueType::u32, {.data = keys.data(), .count = 5}, {.data = values.data(), .count = 5});
  EXPECT_EQ(values, (std::vector<std::uint32_t>{1, 3, 4, 2, 0}));
}

}  // namespace
}  // namespace sortlab::heterogeneous
