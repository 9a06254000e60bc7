#include "core/key_types.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sortlab {
namespace {

TEST(KeyTypes, OrderOfFloatsIsTotal) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr std::array ascending{-nan, -inf, -1.0F, -0.0F, 0.0F, std::numeric_limits<float>::denorm_min(),
                                 1.0F, inf,  nan};
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    EXPECT_LT(to_ordered(ascending[i - 1]), to_ordered(ascending[i])) << i;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(from_ordered<float>(to_ordered(ascending[i]))),
              std::bit_cast<std::uint32_t>(ascending[i]));
  }
}

TEST(KeyTypes, OrderOfSignedIntegersIsByValue) {
  EXPECT_LT(to_ordered(std::int32_t{-1}), to_ordered(std::int32_t{0}));
  EXPECT_EQ(from_ordered<std::int64_t>(to_ordered(std::int64_t{-5})), -5);
}

}  // namespace
}  // namespace sortlab
