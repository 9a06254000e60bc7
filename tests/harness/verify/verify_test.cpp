#include "harness/verify/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace sortlab {
namespace {

constexpr std::uint64_t kN = 4200001;  // enough for four threads, and not a multiple of a block

/// A correct result of kN pairs: sorted u32 keys, each twice, with their record ids.
struct Sorted {
  std::vector<std::uint32_t> keys = std::vector<std::uint32_t>(kN);
  std::vector<std::uint32_t> values = std::vector<std::uint32_t>(kN);
  Problem problem{.key = KeyType::u32, .value = ValueType::u32, .n = kN};

  Sorted() {
    for (std::uint32_t i = 0; i < kN; ++i) keys[i] = i / 2;
    std::iota(values.begin(), values.end(), 0U);
  }
  Buffers buffers() { return {{keys.data(), keys.size()}, {values.data(), values.size()}}; }
};

/// The message of verify() for the sorted pairs after `spoil` has changed them.
template <class Spoil>
Verification after(const Spoil& spoil, bool claims_stable = true, int threads = 4) {
  Sorted sorted;
  const InputDigest input = digest_input(sorted.buffers(), sorted.problem, 1);
  spoil(sorted);
  return verify(input, sorted.buffers(), sorted.problem, claims_stable, threads);
}

TEST(Verify, AcceptsWhatIsRight) {
  const Verification verdict = after([](Sorted&) {});
  EXPECT_TRUE(verdict.ok()) << verdict.reason;
  EXPECT_TRUE(verdict.order && verdict.multiset && *verdict.pairing && *verdict.stability);
}

TEST(Verify, DigestDependsNeitherOnThreadsNorOnOrder) {
  Sorted sorted;
  const InputDigest one = digest_input(sorted.buffers(), sorted.problem, 1);
  std::ranges::reverse(sorted.keys);
  std::ranges::reverse(sorted.values);
  const InputDigest four = digest_input(sorted.buffers(), sorted.problem, 4);
  EXPECT_EQ(one.keys, four.keys);
  EXPECT_EQ(one.pairs, four.pairs);
}

TEST(Verify, SeesAChangedKeyWhereverItIs) {
  for (std::uint64_t at : {std::uint64_t{0}, std::uint64_t{1023}, std::uint64_t{1024}, kN / 4, kN - 1}) {
    const Verification verdict = after([&](Sorted& s) { s.keys[at] += at == 0 ? 0x80000000U : 1U; });
    EXPECT_FALSE(verdict.multiset) << at;
    EXPECT_FALSE(verdict.ok()) << at;
  }
}

TEST(Verify, SeesErrorsThatKeepTheSumAndTheSumOfSquares) {
  // {1, 5, 6} and {2, 3, 7}: equal sums, equal sums of squares.
  std::vector<std::uint64_t> keys{1, 5, 6};
  std::vector<std::uint64_t> other{2, 3, 7};
  const Problem problem{.key = KeyType::u64, .n = 3};
  const InputDigest input = digest_input({{keys.data(), 3}, {}}, problem, 1);
  EXPECT_FALSE(verify(input, {{other.data(), 3}, {}}, problem, false, 1).multiset);
}

TEST(Verify, SeesDisorderAcrossBlocksAndThreads) {
  for (std::uint64_t at : {std::uint64_t{2}, std::uint64_t{1024}, kN / 4, kN / 4 * 2, kN - 1}) {
    at -= at % 2;  // between two different keys
    const Verification verdict = after([&](Sorted& s) {
      std::swap(s.keys[at - 1], s.keys[at]);
      std::swap(s.values[at - 1], s.values[at]);
    });
    EXPECT_FALSE(verdict.order) << at;
    EXPECT_TRUE(verdict.multiset && *verdict.pairing) << at;
    EXPECT_NE(verdict.reason.find("out of order"), std::string::npos) << verdict.reason;
  }
}

TEST(Verify, SeesValuesParted) {
  const Verification verdict = after([](Sorted& s) { std::swap(s.values[1], s.values[kN - 1]); });
  EXPECT_TRUE(verdict.order && verdict.multiset);
  EXPECT_FALSE(*verdict.pairing);
  EXPECT_FALSE(*after([](Sorted& s) { s.values[7] = s.values[9]; }).pairing);
}

TEST(Verify, SeesEqualKeysChangingPlaces) {
  const auto swap_twins = [](Sorted& s) { std::swap(s.values[5000], s.values[5001]); };
  const Verification verdict = after(swap_twins);
  EXPECT_TRUE(verdict.order && verdict.multiset && *verdict.pairing);
  EXPECT_FALSE(*verdict.stability);
  EXPECT_FALSE(after(swap_twins, false).stability.has_value());
  EXPECT_TRUE(after(swap_twins, false).ok());
}

TEST(Verify, SeesAWrongLength) {
  const Verification verdict = after([](Sorted& s) {
    s.keys.pop_back();
    s.values.pop_back();
  });
  EXPECT_FALSE(verdict.ok());
  EXPECT_FALSE(verdict.multiset);
}

TEST(Verify, TellsZerosOfBothSignsAndNansApart) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> right{-nan, -0.0F, 0.0F, nan};
  const Problem problem{.key = KeyType::f32, .n = 4, .needs_total_order = true};
  const InputDigest input = digest_input({{right.data(), 4}, {}}, problem, 1);
  EXPECT_TRUE(verify(input, {{right.data(), 4}, {}}, problem, false, 1).ok());
  std::vector<float> swapped{-nan, 0.0F, -0.0F, nan};
  EXPECT_FALSE(verify(input, {{swapped.data(), 4}, {}}, problem, false, 1).order);
  std::vector<float> merged{-nan, 0.0F, 0.0F, nan};
  EXPECT_FALSE(verify(input, {{merged.data(), 4}, {}}, problem, false, 1).multiset);
}

TEST(Verify, ReadsPairsTogetherWithoutTheirPadding) {
  std::vector<Pair<std::uint64_t, std::uint32_t>> pairs(2);
  std::vector<Pair<std::uint64_t, std::uint32_t>> same(2);
  std::memset(static_cast<void*>(pairs.data()), 0xFF, pairs.size() * sizeof pairs[0]);
  for (std::uint32_t i = 0; i < 2; ++i) {
    pairs[i].key = same[i].key = i;
    pairs[i].value = same[i].value = i;
  }
  const Problem problem{.key = KeyType::u64, .value = ValueType::u32, .layout = Layout::together, .n = 2};
  EXPECT_TRUE(verify(digest_input({{pairs.data(), 2}, {}}, problem, 1), {{same.data(), 2}, {}}, problem, true, 1).ok());
}

TEST(Verify, AcceptsNothing) {
  const Problem problem{.key = KeyType::u128, .n = 0};
  EXPECT_TRUE(verify(digest_input({}, problem, 2), {}, problem, true, 2).ok());
}

}  // namespace
}  // namespace sortlab
