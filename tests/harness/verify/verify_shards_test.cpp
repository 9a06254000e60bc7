// The verdict on shards, with a fault planted in each place that a check looks at.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/cell/shards.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {
namespace {

/// Sorted pairs in shards of 3, 0, 4 and 2 elements; keys 0 0 1 | | 1 2 2 5 | 5 9.
struct SortedShards {
  std::vector<std::vector<std::uint32_t>> keys{{0, 0, 1}, {}, {1, 2, 2, 5}, {5, 9}};
  std::vector<std::vector<std::uint32_t>> values{{3, 7, 0}, {}, {2, 1, 4, 5}, {8, 6}};
  std::vector<Buffers> shards;
  Problem problem{
      .key = KeyType::u32, .value = ValueType::u32, .residency = Residency::shards, .n = 9, .shards = {9, 0, 0, 0}};

  Buffers buffers() {
    shards.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      shards.push_back({.keys = {.data = keys[i].data(), .count = keys[i].size()},
                        .values = {.data = values[i].data(), .count = values[i].size()}});
    }
    return {.keys = {}, .values = {}, .shards = shards};
  }
  Verification verdict(const InputDigest& digest) { return verify_shards(digest, buffers(), problem, true, 1); }
};

class ShardVerdict : public testing::Test {
 protected:
  ShardVerdict() : digest(digest_shards(sorted.buffers(), sorted.problem, 1)) {}
  SortedShards sorted;
  InputDigest digest;
};

TEST_F(ShardVerdict, IsRightForASortedOutput) {
  const Verification verdict = sorted.verdict(digest);
  EXPECT_EQ(verdict.reason, "");
  EXPECT_TRUE(verdict.order && verdict.multiset);
  EXPECT_EQ(verdict.pairing, true);
  EXPECT_EQ(verdict.stability, true);
}

TEST_F(ShardVerdict, SeesKeysOutOfOrderAcrossTheBorderOfShards) {
  std::swap(sorted.keys[0][2], sorted.keys[2][1]);
  std::swap(sorted.values[0][2], sorted.values[2][1]);
  const Verification verdict = sorted.verdict(digest);
  EXPECT_EQ(verdict.reason, "out of order at element 3 of 9");
  EXPECT_TRUE(verdict.multiset);
}

TEST_F(ShardVerdict, SeesKeysOutOfOrderWithinAShard) {
  std::swap(sorted.keys[2][2], sorted.keys[2][3]);
  std::swap(sorted.values[2][2], sorted.values[2][3]);
  EXPECT_EQ(sorted.verdict(digest).reason, "out of order at element 6 of 9");
}

TEST_F(ShardVerdict, SeesEqualKeysThatChangedPlacesAcrossTheBorder) {
  std::swap(sorted.values[2][3], sorted.values[3][0]);
  EXPECT_EQ(sorted.verdict(digest).reason, "claims to be stable, but equal keys changed places at element 7 of 9");
}

TEST_F(ShardVerdict, SeesALostKeyAPartedValueAndAMissingShard) {
  sorted.keys[3][1] = 10;
  EXPECT_FALSE(sorted.verdict(digest).multiset);
  sorted.keys[3][1] = 9;
  std::swap(sorted.values[0][0], sorted.values[3][1]);
  EXPECT_EQ(sorted.verdict(digest).pairing, false);
  std::swap(sorted.values[0][0], sorted.values[3][1]);
  sorted.keys.pop_back();
  EXPECT_EQ(sorted.verdict(digest).reason, "returned 7 keys and 7 values in 3 shards for 9 elements in 4");
}

TEST(ShardSizes, AddUpToN) {
  for (const ShardSizes sizes : all_values<ShardSizes>()) {
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000003}, std::uint64_t{1} << 40}) {
      std::uint64_t sum = 0;
      for (const std::uint64_t count : shard_sizes(n, 5, sizes)) sum += count;
      EXPECT_EQ(sum, n) << to_name(sizes);
    }
  }
  EXPECT_EQ(shard_sizes(10, 4, ShardSizes::uneven), (std::vector<std::uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(shard_sizes(10, 4, ShardSizes::gaps), (std::vector<std::uint64_t>{5, 0, 5, 0}));
  EXPECT_EQ(shard_sizes(10, 3, ShardSizes::one), (std::vector<std::uint64_t>{10, 0, 0}));
}

TEST(Devices, AreReadAsTheyAreWritten) {
  for (const char* const text : {"1", "2", "16", "1@0", "4@0"}) EXPECT_EQ(to_text(parse_devices(text)), text);
  for (const char* const text : {"", "0", "17", "2@1", "@0", "2 ", "-1", "two"}) {
    EXPECT_THROW(parse_devices(text), BadInput) << text;
  }
}

}  // namespace
}  // namespace sortlab
