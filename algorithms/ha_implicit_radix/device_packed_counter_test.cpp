// Checks the packed counter of ha_implicit_radix against its formula (HA-M1). Needs a CUDA toolkit, but no GPU.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <random>

#include "algorithms/ha_implicit_radix/packed_counter.cuh"
#include "models/papers/ha2010.hpp"

namespace sortlab {
namespace {

template <class Word>
void expect_the_formula() {
  using Counter = ha::PackedCounter<Word>;
  const ha2010::ImplicitCounter formula{Counter::kFieldBits};
  for (unsigned digit = 0; digit < 4; ++digit) EXPECT_EQ(Counter::weight(digit), formula.weight(digit));

  std::mt19937 random{1};
  const std::uint64_t max_count = (std::uint64_t{1} << Counter::kFieldBits) - 1;
  for (int trial = 0; trial < 1000; ++trial) {
    // Three counts whose sum is at most the number of elements before one in the largest block.
    std::uint64_t left = max_count;
    std::uint64_t word = 0;
    for (unsigned digit = 0; digit < 3; ++digit) {
      const std::uint64_t count = std::uniform_int_distribution<std::uint64_t>{0, left}(random);
      word += count * formula.weight(digit);
      left -= count;
    }
    const auto packed = static_cast<Word>(word);
    ASSERT_EQ(Counter::counted(packed), max_count - left);
    for (unsigned digit = 0; digit < 4; ++digit) {
      ASSERT_EQ(Counter::rank(packed, digit, static_cast<unsigned>(max_count)), formula.count(word, digit, max_count));
    }
  }
}

TEST(PackedCounter, HoldsThreeCountersOfTenBitsIn32) {
  expect_the_formula<std::uint32_t>();
}

TEST(PackedCounter, HoldsThreeCountersOf21BitsIn64) {
  expect_the_formula<std::uint64_t>();
}

TEST(PackedCounter, WidensCountByCount) {
  const std::uint32_t word = 5 + (1023U << 10) + (9U << 20);
  const std::uint64_t wide = std::uint64_t{5} + (std::uint64_t{1023} << 21) + (std::uint64_t{9} << 42);
  EXPECT_EQ(ha::widened<std::uint64_t>(word), wide);
}

}  // namespace
}  // namespace sortlab
