// msd_radix_cpu on inputs of a few long runs.
#include "algorithms/msd_radix_cpu/runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/key_kernels.hpp"

namespace sortlab::msd {
namespace {

template <class E>
const KeyKernels& widest_kernels() {
  return key_kernels(targets().target_bit(targets().widest())).of<E>();
}

struct RunShape {
  std::string name;
  std::vector<std::uint64_t> lengths;
  std::vector<bool> descend;
  std::uint64_t distinct;  ///< number of different keys that a run is drawn from
};

std::vector<RunShape> run_shapes() {
  return {{"one that descends", {1001}, {true}, 5000},
          {"two alike", {500, 500}, {false, false}, 5000},
          {"up and down", {500, 501}, {false, true}, 5000},
          {"down and up", {499, 500}, {true, false}, 5000},
          {"two of few values", {700, 300}, {false, true}, 3},
          {"a short last one", {1000, 1}, {false, true}, 5000},
          {"three", {400, 300, 500}, {true, false, true}, 900},
          {"four", {300, 300, 300, 200}, {false, true, true, false}, 900}};
}

/// Keys K. Their values, if any, are the original positions.
template <class K, class V>
void expect_merged(const RunShape& shape) {
  SCOPED_TRACE(shape.name);
  std::mt19937_64 random{7};
  std::vector<K> keys;
  for (std::size_t run = 0; run < shape.lengths.size(); ++run) {
    std::vector<K> more(shape.lengths[run]);
    const auto half = static_cast<std::int64_t>(shape.distinct / 2);
    for (K& key : more) key = static_cast<K>(static_cast<std::int64_t>(random() % shape.distinct) - half);
    std::sort(more.begin(), more.end(), KeyLess{});
    if (shape.descend[run]) std::reverse(more.begin(), more.end());
    keys.insert(keys.end(), more.begin(), more.end());
  }
  const std::vector<K> before = keys;
  const std::uint64_t n = keys.size();
  std::vector<V> values(std::is_same_v<V, NoValue> ? 0 : n);
  if constexpr (!std::is_same_v<V, NoValue>) std::iota(values.begin(), values.end(), V{0});
  std::vector<K> spare_keys(n);
  std::vector<V> spare_values(values.size());

  Runs<K, V> runs{widest_kernels<K>(), keys.data(), values.data(), n};
  ASSERT_TRUE(runs.find(kMaxRuns));
  runs.merge(spare_keys.data(), spare_values.data());

  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end(), KeyLess{}));
  EXPECT_TRUE(std::is_permutation(keys.begin(), keys.end(), before.begin()));
  if constexpr (!std::is_same_v<V, NoValue>) {
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(keys[i], before[values[i]]) << i;
    std::sort(values.begin(), values.end());
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(values[i], i);
  }
}

TEST(Runs, AreMerged) {
  for (const RunShape& shape : run_shapes()) {
    expect_merged<std::uint32_t, NoValue>(shape);
    expect_merged<std::int64_t, NoValue>(shape);
    expect_merged<float, NoValue>(shape);
    expect_merged<double, NoValue>(shape);
    expect_merged<float, std::uint32_t>(shape);
    expect_merged<std::uint32_t, std::uint32_t>(shape);
    expect_merged<double, std::uint32_t>(shape);
    expect_merged<std::uint64_t, std::uint64_t>(shape);
  }
}

TEST(Runs, PairsInOnePieceAreMerged) {
  using Element = Pair<std::uint32_t, std::uint32_t>;
  std::vector<Element> pairs;
  for (std::uint32_t i = 0; i < 3000; ++i) pairs.push_back({.value = i, .key = i < 1700 ? 2 * i : 6000 - 2 * i});
  std::vector<Element> spare(pairs.size());
  NoValue* const none = nullptr;
  Runs<Element, NoValue, PairLess> runs{widest_kernels<Element>(), pairs.data(), none, pairs.size()};
  ASSERT_TRUE(runs.find(kMaxRuns));
  runs.merge(spare.data(), none);
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end(), PairLess{}));
  for (const Element& pair : pairs) ASSERT_EQ(pair.key, pair.value < 1700 ? 2 * pair.value : 6000 - 2 * pair.value);
}

TEST(Runs, TooManyOrTooShortOnesAreNotFound) {
  std::vector<std::uint32_t> keys(1000);
  const auto found = [&](std::uint32_t run) {
    for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = i % run;
    return Runs<std::uint32_t, NoValue>{widest_kernels<std::uint32_t>(), keys.data(), nullptr, keys.size()}.find(
        kMaxRuns);
  };
  EXPECT_TRUE(found(250));
  EXPECT_FALSE(found(240));
  EXPECT_FALSE(found(100));
}

}  // namespace
}  // namespace sortlab::msd
