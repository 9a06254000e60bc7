// msd_radix_cpu on nearly sorted inputs.
#include "algorithms/msd_radix_cpu/misplaced.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "algorithms/msd_radix_cpu/form.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"

namespace sortlab::msd {
namespace {

constexpr std::uint64_t kLength = 100'003;

const AllKeyKernels& kernels_of_all() {
  return key_kernels(targets().target_bit(targets().widest()));
}

/// Ascending keys, each three times.
template <class K>
std::vector<K> ascending() {
  std::vector<K> keys(kLength);
  for (std::uint64_t i = 0; i < kLength; ++i) keys[i] = static_cast<K>(i / 3 + 5);
  return keys;
}

struct Disturbance {
  std::string name;
  std::function<void(std::vector<std::uint32_t>& keys)> disturb;
};

/// Kinds and positions of misplaced elements.
const std::vector<Disturbance>& disturbances() {
  using Keys = std::vector<std::uint32_t>;
  static const std::vector<Disturbance> all{
      {"none", [](Keys&) {}},
      {"the greatest first", [](Keys& keys) { keys.front() = 0xFFFFFFFF; }},
      {"the smallest last", [](Keys& keys) { keys.back() = 0; }},
      {"the first two", [](Keys& keys) { std::swap(keys[0], keys[5]); }},
      {"the last two", [](Keys& keys) { std::swap(keys[kLength - 1], keys[kLength - 6]); }},
      {"a stretch that descends", [](Keys& keys) { std::reverse(keys.begin() + 500, keys.begin() + 800); }},
      {"descents with one between",
       [](Keys& keys) {
         for (std::size_t i = 0; i < 50; i += 2) keys[9000 - i] = 3;
       }},
      {"a block too early", [](Keys& keys) { std::rotate(keys.begin() + 7, keys.end() - 400, keys.end()); }},
      {"a block too late", [](Keys& keys) { std::rotate(keys.begin(), keys.begin() + 400, keys.end()); }},
      {"many exchanges", [](Keys& keys) {
         std::mt19937 random{1};
         for (int i = 0; i < 700; ++i) std::swap(keys[random() % kLength], keys[random() % kLength]);
       }}};
  return all;
}

/// Keys K and values V in separate arrays. The values are the original positions.
template <class K, class V>
void expect_mended(const Disturbance& disturbance) {
  SCOPED_TRACE(disturbance.name);
  std::vector<std::uint32_t> words = ascending<std::uint32_t>();
  disturbance.disturb(words);
  std::vector<K> input(kLength);
  // Floats, too, have the order of their words.
  std::ranges::transform(words, input.begin(), [](std::uint32_t word) { return static_cast<K>(word) - K{9}; });
  if constexpr (std::is_unsigned_v<K>) std::ranges::copy(words, input.begin());
  std::vector<K> keys = input;
  std::vector<V> values(kLength);
  if constexpr (!kAlone<K, V>) std::iota(values.begin(), values.end(), V{0});
  Misplaced<K, V> misplaced{keys.data(), values.data(), kLength};
  ASSERT_TRUE(misplaced.find(max_misplaced(kLength), kernels_of_all().of<K>().in_order));
  misplaced.repair();
  std::vector<K> sorted = input;
  std::ranges::sort(sorted, KeyLess{});
  EXPECT_EQ(keys, sorted);
  if constexpr (!kAlone<K, V>) {
    for (std::uint64_t i = 0; i < kLength; ++i) ASSERT_EQ(keys[i], input[values[i]]);
    std::ranges::sort(values);
    for (std::uint64_t i = 0; i < kLength; ++i) ASSERT_EQ(values[i], i);
  }
}

TEST(Misplaced, ElementsReturnToTheirPlaces) {
  for (const Disturbance& disturbance : disturbances()) {
    expect_mended<std::uint32_t, NoValue>(disturbance);
    expect_mended<std::int64_t, NoValue>(disturbance);
    expect_mended<std::uint64_t, std::uint64_t>(disturbance);
    expect_mended<float, std::uint32_t>(disturbance);
    expect_mended<std::uint32_t, std::uint64_t>(disturbance);
  }
}

TEST(Misplaced, WhatIsFarFromOrderStaysAsItIs) {
  std::mt19937 random{1};
  const auto expect_left = [](const std::vector<std::uint32_t>& input) {
    std::vector<std::uint32_t> keys = input;
    NoValue* const none = nullptr;
    Misplaced<std::uint32_t, NoValue> misplaced{keys.data(), none, kLength};
    EXPECT_FALSE(misplaced.find(max_misplaced(kLength), kernels_of_all().of<std::uint32_t>().in_order));
    EXPECT_EQ(keys, input);
  };
  std::vector<std::uint32_t> keys(kLength);
  std::ranges::generate(keys, random);
  expect_left(keys);
  // Several ascending runs: few neighbours descend, but many elements are misplaced.
  for (std::uint64_t i = 0; i < kLength; ++i) keys[i] = static_cast<std::uint32_t>(i % 5000);
  expect_left(keys);
  EXPECT_EQ(max_misplaced(1000), 0U);
}

TEST(Misplaced, PairsThatLieTogetherAreMendedToo) {
  constexpr Disorder most{.runs = kMaxRuns, .misplaced = max_misplaced(kLength)};
  for (const Disturbance& disturbance : disturbances()) {
    SCOPED_TRACE(disturbance.name);
    using Element = Pair<std::uint32_t, std::uint32_t>;
    std::vector<std::uint32_t> keys = ascending<std::uint32_t>();
    disturbance.disturb(keys);
    std::vector<Element> pairs(kLength);
    for (std::uint32_t i = 0; i < kLength; ++i) pairs[i] = {i, keys[i]};
    std::vector<std::uint64_t> spare(kLength);
    const Form<std::uint64_t> form = make_form<std::uint32_t, std::uint32_t>(kernels_of_all(), Layout::together);
    ASSERT_TRUE(form.repair({pairs.data(), nullptr}, kLength, most, spare.data()));
    for (std::uint64_t i = 0; i < kLength; ++i) {
      ASSERT_EQ(pairs[i].key, keys[pairs[i].value]);
      ASSERT_TRUE(i == 0 || pairs[i - 1].key <= pairs[i].key);
    }
  }
}

}  // namespace
}  // namespace sortlab::msd
