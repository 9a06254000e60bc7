// The verifier on outputs that are ordered by less than the whole key: by some bits, in tiles, by floats mapped to
// [0.5, 1).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "core/unit_floats.hpp"
#include "harness/verify/key_image.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kKeys = 10000;
constexpr std::uint64_t kTile = 1024;

/// Pairs of random keys with their record ids, to be put into some order.
template <class K>
struct Pairs {
  std::vector<K> keys = std::vector<K>(kKeys);
  std::vector<std::uint32_t> values = std::vector<std::uint32_t>(kKeys);
  Problem problem{.value = ValueType::u32, .n = kKeys};

  Pairs() {
    std::mt19937 random{7};
    for (K& key : keys) {
      if constexpr (std::is_same_v<K, float>) {
        key = static_cast<float>(static_cast<double>(random()) / 0x1p31 - 1);
        problem.key = KeyType::f32;
      } else {
        key = static_cast<K>(random());
      }
    }
    std::iota(values.begin(), values.end(), 0U);
  }
  Buffers buffers() { return {{keys.data(), keys.size()}, {values.data(), values.size()}}; }

  void swap(std::uint64_t a, std::uint64_t b) {
    std::swap(keys[a], keys[b]);
    std::swap(values[a], values[b]);
  }
  /// Sorts stably, tile by tile, by an image of the key.
  template <class Image>
  void sort_tiles(std::uint64_t tile, const Image& image) {
    const Pairs before = *this;
    for (std::uint64_t begin = 0; begin < kKeys; begin += tile) {
      const auto end = static_cast<std::ptrdiff_t>(std::min(begin + tile, kKeys));
      const auto at = values.begin() + static_cast<std::ptrdiff_t>(begin);
      std::stable_sort(at, values.begin() + end,
                       [&](std::uint32_t a, std::uint32_t b) { return image(before.keys[a]) < image(before.keys[b]); });
    }
    for (std::uint64_t i = 0; i < kKeys; ++i) keys[i] = before.keys[values[i]];
  }
};

constexpr auto digit_at_8 = [](std::uint32_t key) { return key >> 8 & 15; };
constexpr Order kDigit{.shift = 8, .bits = 4};
constexpr Order kDigitInTiles{.shift = 8, .bits = 4, .tile = kTile};

/// The verdict on pairs sorted in `tile`s by the digit at bit 8, after `spoil` has changed them.
template <class Spoil>
Verification verdict(std::uint64_t tile, const Order& order, const Spoil& spoil) {
  Pairs<std::uint32_t> pairs;
  const InputDigest input = digest_input(pairs.buffers(), pairs.problem, 1);
  pairs.sort_tiles(tile, digit_at_8);
  spoil(pairs);
  return verify(input, pairs.buffers(), pairs.problem, true, 2, order);
}
constexpr auto nothing = [](Pairs<std::uint32_t>&) {};

/// The first position in a tile at which the digit changes.
std::uint64_t edge(const Pairs<std::uint32_t>& pairs, std::uint64_t from) {
  while (digit_at_8(pairs.keys[from]) == digit_at_8(pairs.keys[from - 1])) ++from;
  return from;
}

TEST(VerifyOrder, ByADigit) {
  const Verification right = verdict(kKeys, kDigit, nothing);
  EXPECT_TRUE(right.ok()) << right.reason;
  EXPECT_TRUE(right.order && *right.stability && !right.tiles);
  EXPECT_EQ(right.ordered_by, "bits 8 to 11");
  EXPECT_FALSE(verdict(kKeys, Order{}, nothing).order) << "not by the whole key";
  EXPECT_FALSE(verdict(kKeys, {.shift = 8, .bits = 5}, nothing).order) << "not by a bit more";

  const Verification disorder = verdict(kKeys, kDigit, [](auto& p) { p.swap(edge(p, 1), edge(p, 1) - 1); });
  EXPECT_FALSE(disorder.order);
  EXPECT_TRUE(disorder.multiset && *disorder.pairing);
  EXPECT_FALSE(*verdict(kKeys, kDigit, [](auto& p) { p.swap(1, 0); }).stability) << "equal digits changed places";
  EXPECT_FALSE(verdict(kKeys, kDigit, [](auto& p) { p.keys[5] ^= 1; }).multiset);
  EXPECT_FALSE(*verdict(kKeys, kDigit, [](auto& p) { std::swap(p.values[1], p.values[0]); }).pairing);
}

TEST(VerifyOrder, InTiles) {
  const Verification right = verdict(kTile, kDigitInTiles, nothing);
  EXPECT_TRUE(right.ok()) << right.reason;
  EXPECT_TRUE(*right.tiles && *right.stability);
  EXPECT_EQ(right.ordered_by, "bits 8 to 11, in each tile of 1024");
  EXPECT_FALSE(verdict(kTile, kDigit, nothing).order) << "not over the whole array";
  EXPECT_FALSE(verdict(2 * kTile, kDigitInTiles, nothing).ok()) << "elements crossed into another tile";

  const auto in_third = [](auto& p) { p.swap(edge(p, 2 * kTile + 1), edge(p, 2 * kTile + 1) - 1); };
  EXPECT_FALSE(verdict(kTile, kDigitInTiles, in_third).order);
  EXPECT_FALSE(*verdict(kTile, kDigitInTiles, [](auto& p) { p.swap(kTile, kTile + 1); }).stability);
  // Two elements of one digit exchange tiles, which neither order nor multiset shows.
  const Verification strayed = verdict(kTile, kDigitInTiles, [](auto& p) {
    std::uint64_t b = kTile;
    while (digit_at_8(p.keys[b]) != digit_at_8(p.keys[0])) ++b;
    p.swap(0, b);
  });
  EXPECT_TRUE(strayed.order && strayed.multiset && *strayed.pairing);
  EXPECT_FALSE(*strayed.tiles);
  EXPECT_EQ(strayed.reason, "element 0 of 10000 came from another tile");
}

TEST(VerifyOrder, ByNoBitIsTheInputItself) {
  constexpr Order kEqual{.bits = 0};
  Pairs<std::uint32_t> pairs;
  const InputDigest input = digest_input(pairs.buffers(), pairs.problem, 1);
  EXPECT_TRUE(verify(input, pairs.buffers(), pairs.problem, true, 1, kEqual).ok());
  pairs.swap(4000, 4001);
  EXPECT_FALSE(*verify(input, pairs.buffers(), pairs.problem, true, 1, kEqual).stability);
  EXPECT_EQ(describe_order(kEqual), "no bit");
}

TEST(VerifyOrder, ByUnitFloats) {
  constexpr Order kLossy{.unit_floats = true, .bits = UnitFloats::kBits};
  Pairs<float> pairs;
  pairs.keys[0] = 1e6F;  // so that many keys share their 23 bits
  const InputDigest input = digest_input(pairs.buffers(), pairs.problem, 1);
  const auto [smallest, largest] = std::ranges::minmax(pairs.keys);
  const UnitFloats map = UnitFloats::of(smallest, largest);
  pairs.sort_tiles(kKeys, map);
  const auto look = [&](const Order& order) { return verify(input, pairs.buffers(), pairs.problem, true, 2, order); };
  EXPECT_TRUE(look(kLossy).ok()) << look(kLossy).reason;
  EXPECT_EQ(look(kLossy).ordered_by, "bits 0 to 22 of the key mapped to [0.5, 1)");
  EXPECT_FALSE(look({}).order) << "sorted only approximately";

  std::uint64_t at = 1;
  while (map(pairs.keys[at]) == map(pairs.keys[at - 1])) ++at;
  pairs.swap(at, at - 1);
  EXPECT_FALSE(look(kLossy).order);
  pairs.swap(at, at - 1);
  at = 1;
  while (map(pairs.keys[at]) != map(pairs.keys[at - 1])) ++at;
  pairs.swap(at, at - 1);
  EXPECT_TRUE(look(kLossy).order);
  EXPECT_FALSE(*look(kLossy).stability);
}

TEST(VerifyOrder, LooksAtNoBitThatAKeyHasNot) {
  const PartialOrder all{{.bits = 40}, {}};
  const PartialOrder beyond{{.shift = 40, .bits = 4}, {}};
  EXPECT_EQ(all.image(0xFFFFFFFFU), 0xFFFFFFFFU);
  EXPECT_EQ(beyond.image(0xFFFFFFFFU), 0U);
  EXPECT_EQ(beyond.image(~uint128{0}), uint128{15});
}

}  // namespace
}  // namespace sortlab
