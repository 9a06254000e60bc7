// The test if keys lie in no order.
#include "harness/verify/shuffled.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "generators/distribution.hpp"

namespace sortlab {
namespace {

bool is_shuffled_input(const char* text, std::uint64_t n) {
  const NamedDistribution keys = parse_distribution(text);
  std::vector<std::uint32_t> made(n);
  keys.distribution->fill({.key = KeyType::u32, .n = n, .parameters = keys.parameters}, made.data(), 1);
  Problem problem;
  problem.key = KeyType::u32;
  problem.n = n;
  return is_shuffled({.keys = {.data = made.data(), .count = n}, .values = {}}, problem);
}

TEST(Shuffled, TellsKeysInNoOrderFromOthers) {
  for (const char* const keys : {"uniform", "thearling:ands=5", "zipf", "few_distinct"}) {
    EXPECT_TRUE(is_shuffled_input(keys, 100'000)) << keys;
  }
  for (const char* const keys :
       {"sorted", "reverse", "iota", "constant", "zero", "organ_pipe", "nearly_sorted", "runs"}) {
    EXPECT_FALSE(is_shuffled_input(keys, 100'000)) << keys;
  }
  EXPECT_FALSE(is_shuffled_input("uniform", 0));
  EXPECT_FALSE(is_shuffled_input("uniform", 2));
}

}  // namespace
}  // namespace sortlab
