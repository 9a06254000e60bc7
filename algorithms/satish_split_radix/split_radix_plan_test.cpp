// Every setting that the parameters allow has a kernel whose tiles fit, or is declined with a reason.
#include <gtest/gtest.h>

#include "algorithms/plugin.hpp"
#include "algorithms/satish_split_radix/plan.hpp"

namespace sortlab::split_radix {
namespace {

constexpr std::array kKeyBytes{4U, 8U, 16U};
constexpr std::array kValueBytesAll{0U, 4U, 8U};

const Algorithm& algorithm() {
  return algorithm_named("satish_split_radix");
}

Parameters setting(std::string_view split, std::int64_t digit_bits, std::int64_t items, std::int64_t warps) {
  Parameters parameters;
  parameters.set("split", std::string{split});
  parameters.set("digit_bits", digit_bits);
  parameters.set("items", items);
  parameters.set("warps", warps);
  return parameters;
}

const Parameter& declared(std::string_view name) {
  return *std::ranges::find(algorithm().info().parameters, name, &Parameter::name);
}

TEST(SplitRadixPlan, LaunchesWhatTheTableHoldsAndDeclinesTheRest) {
  const auto each = [](std::string_view name, const auto& f) {
    const auto [smallest, largest] = declared(name).range;
    for (auto value = static_cast<int>(smallest); value <= static_cast<int>(largest); ++value) f(value);
  };
  int launched = 0;
  for (const auto& [word, split] : kSplits) {
    each("digit_bits", [&, word = word, split = split](int digit_bits) {
      each("items", [&](int items) {
        each("warps", [&](int warps) {
          const auto compiled = compiled_items(split);
          const bool has_kernel = std::ranges::find(compiled, items) != compiled.end() &&
                                  (split != Split::fused || digit_bits <= kMaxFusedBits);
          const Shape shape{.split = split, .items = items, .warps = warps};
          for (const KeyType key : {KeyType::u32, KeyType::u64, KeyType::u128}) {
            for (const ValueType value : kValueTypes) {
              const bool fits = split == Split::vertical || shared_bytes(shape, 1U << digit_bits, byte_size(key),
                                                                         byte_size(value)) <= kSharedMemory;
              const auto reason = algorithm().declines({.key = key, .value = value, .n = 1},
                                                       setting(word, digit_bits, items, warps), {});
              ASSERT_EQ(reason.has_value(), !(has_kernel && fits)) << word << ' ' << digit_bits << ' ' << items;
              if (reason) {
                ASSERT_FALSE(reason->empty());
              }
              launched += reason ? 0 : 1;
            }
          }
        });
      });
    });
  }
  EXPECT_GT(launched, 0);
}

TEST(SplitRadixPlan, SaysWhichItemsThereAre) {
  EXPECT_EQ(declines({.split = Split::vertical, .items = 48, .warps = 4}, 4, 4, 0),
            "items must be 4, 8, 13, 16 or 24 with split=vertical");
  EXPECT_EQ(declines({.split = Split::fused, .items = 13, .warps = 4}, 4, 4, 0),
            "items must be 8, 16, 24, 32 or 48 with split=ballot, fused, buffers");
  EXPECT_EQ(declines({.split = Split::buffers, .items = 48, .warps = 8}, 8, 16, 8),
            "a block's buffers do not fit in shared memory: use fewer digit_bits or warps");
}

TEST(SplitRadixPlan, AutomaticSettingsAndThePaperHaveKernels) {
  EXPECT_EQ(declines(kPaper, 4, 4, 0), std::nullopt);
  for (const std::uint32_t key : kKeyBytes) {
    for (const std::uint32_t value : kValueBytesAll) {
      for (const Split split : {Split::ballot, Split::fused, Split::buffers}) {
        const Shape shape{.split = split, .items = automatic_items(key + value), .warps = automatic_warps(key)};
        EXPECT_EQ(declines(shape, 4, key, value), std::nullopt) << key << ' ' << value;
      }
    }
  }
}

TEST(SplitRadixPlan, LoadsAreCountedInBatches) {
  EXPECT_EQ(batches(48, 4), 3);
  EXPECT_EQ(batches(13, 4), 13);
  EXPECT_EQ(batches(13, 8), 1 + 5);
}

}  // namespace
}  // namespace sortlab::split_radix
