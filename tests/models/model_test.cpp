// The cost algebra, the view of a distribution, and machines that a model refuses.
#include "models/model.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/cost.hpp"
#include "models/coverage.hpp"

namespace sortlab {
namespace {

TEST(Cost, OverlapRunsFromTurnsToFullOverlap) {
  const std::vector<double> times{3, 4};
  EXPECT_DOUBLE_EQ(overlapped(times, 1), 7);
  EXPECT_DOUBLE_EQ(overlapped(times, 2), 5);
  EXPECT_DOUBLE_EQ(overlapped(times, HUGE_VAL), 4);
  EXPECT_NEAR(overlapped(times, 500), 4, 1e-9);
  EXPECT_DOUBLE_EQ(overlapped({}, 2), 0);
  EXPECT_DOUBLE_EQ(overlapped(std::vector<double>{1e-200, 1e-200}, 2), std::sqrt(2) * 1e-200);
  EXPECT_THROW(overlapped(times, 0.5), std::invalid_argument);
}

TEST(Cost, APhaseIsBoundByItsSlowestResource) {
  const auto bound = phase("scatter", 2, {{"issue", "elements", 10, 3}, {"memory", "bytes.memory", 80, 4}}, 2);
  EXPECT_EQ(bound.binding, "memory");
  EXPECT_EQ(bound.pass, 2);
  EXPECT_DOUBLE_EQ(bound.seconds, 5);
  EXPECT_DOUBLE_EQ(bound.work.at("bytes.memory"), 80);
  EXPECT_DOUBLE_EQ(sequence({bound, bound}).seconds, 10);
}

TEST(Refusal, NamesTheFieldWhatItIsAndWhatIsAllowed) {
  ModelInfo model{.name = "tiles", .title = "", .source = "", .algorithms = {}, .kind = ModelKind::component};
  MachineProfile machine{.id = "m", .name = "A GPU", .origin = "calibrated", .source = "this test"};
  machine.compute_capability = "8.0";
  machine.libraries = {{"CUB", "3.1.0"}};
  EXPECT_EQ(machine_refusal(model, machine), std::nullopt);  // it assumes nothing
  model.device_basis = {.compute_capability = "9.0", .shared_bytes = 233472, .cub = "3.0"};
  EXPECT_EQ(machine_refusal(model, machine),
            "machine: compute_capability of A GPU is 8.0; allowed: 9.0, which model tiles is of");
  machine.compute_capability = "9.0";
  EXPECT_EQ(machine_refusal(model, machine),
            "machine: libraries.CUB of A GPU is 3.1.0; allowed: 3.0, which model tiles is of");
  machine.libraries = {{"CUB", "3.0.2"}};
  machine.cache_bytes = {{"shared", 65536}};
  EXPECT_EQ(machine_refusal(model, machine), std::nullopt);
  machine.compute_capability.clear();  // an older calibration does not state it
  EXPECT_EQ(
      machine_refusal(model, machine),
      "machine: cache_bytes.shared of A GPU is 65536; allowed: 233472 (compute capability 9.0), which model tiles "
      "is of");
  machine.cache_bytes = {{"shared", 233472}};
  EXPECT_EQ(machine_refusal(model, machine), std::nullopt);
}

TEST(DistributionView, SeesUniformDigits) {
  const DistributionView view{parse_distribution("uniform"), KeyType::u32, 1 << 17, 1};
  const auto shares = view.digit_shares(8, 8);
  ASSERT_EQ(shares.size(), 256U);
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
  EXPECT_NEAR(shares[17], 1.0 / 256, 6 * std::sqrt(1.0 / 256 / (1 << 17)));  // six standard deviations
  EXPECT_NEAR(view.repeated_digits(8, 8), 1.0 / 256, 1e-3);
  EXPECT_NEAR(view.distinct_digits(8, 8, 32), 256 * (1 - std::pow(255.0 / 256, 32)), 0.1);
  EXPECT_EQ(view.basis(), "trace of 131072 of 131072 keys");
}

TEST(DistributionView, OfHalfWidthHasTheUpperHalvesOrTheLowerWhereThoseAreEqual) {
  const DistributionView random{parse_distribution("uniform"), KeyType::u128, 1 << 10, 1};
  const DistributionView upper = random.of_half_width(128);
  for (std::size_t i = 0; i < random.trace().size(); ++i) EXPECT_EQ(upper.trace()[i], random.trace()[i] >> 64);
  EXPECT_TRUE(std::ranges::is_sorted(upper.spread()));
  const DistributionView small{parse_distribution("iota"), KeyType::u128, 1 << 10, 1};
  const DistributionView lower = small.of_half_width(128).of_half_width(64);
  for (std::size_t i = 0; i < small.trace().size(); ++i) EXPECT_EQ(lower.trace()[i], small.trace()[i]);
}

TEST(DistributionView, GivesLongerStretchesOfTheInputThanItTraces) {
  constexpr std::uint64_t n = 1000, limit = 100;
  const DistributionView view{parse_distribution("iota"), KeyType::u32, n, 1, limit};
  ASSERT_LT(view.block(), 100U);
  std::vector<uint128> expected;
  for (const std::uint64_t first : {100, 500, 800}) {
    for (std::uint64_t i = 0; i < 100; ++i) expected.push_back(first + i);
  }
  EXPECT_EQ(view.consecutive(100, 3), expected);
  EXPECT_EQ(view.consecutive(n, 3).size(), n);
  EXPECT_EQ(view.consecutive(2 * n, 3).size(), n);
}

TEST(DistributionView, TracesBlocksOfALargeInputAndAnyInputAtAll) {
  const NamedDistribution uniform = parse_distribution("uniform");
  const DistributionView large{uniform, KeyType::u128, std::uint64_t{1} << 30, 1};
  EXPECT_EQ(large.basis(), "trace of 262144 of 1048576 keys, for 1073741824 keys");
  EXPECT_NEAR(large.repeated_digits(120, 4), 1.0 / 16, 5e-3);
  for (const std::uint64_t n : {0, 1, 2, 5}) {
    const DistributionView small{uniform, KeyType::f64, n, 1};
    const auto shares = small.digit_shares(0, 4);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), n == 0 ? 0 : 1, 1e-12);
    EXPECT_LE(small.distinct_digits(0, 4, 32), static_cast<double>(n));
    EXPECT_LE(small.repeated_digits(0, 4), 1);
  }
}

TEST(DistributionView, ASmallerInputIsDistributedLikeTheLargeOne) {
  const std::uint64_t n = std::uint64_t{1} << 28;
  const DistributionView large{parse_distribution("zipf:theta=0.75"), KeyType::u64, n, 1};
  const DistributionView told{parse_distribution(fmt::format("zipf:theta=0.75,distinct={}", n)), KeyType::u64, n, 1};
  EXPECT_EQ(large.basis(), "trace of 262144 of 2097152 keys, for 268435456 keys");
  EXPECT_TRUE(std::ranges::equal(large.trace(), told.trace()));
  // The first m of n ranks have about (m / n)^(1 - theta) of the keys: 30 % are among the 2^21 ranks that an input of
  // 2^21 keys has of its own.
  const double low = std::pow(static_cast<double>(1 << 21) / static_cast<double>(n), 0.25);
  double beyond = 0;
  const auto shares = large.digit_shares(21, 8);
  for (std::size_t digit = 1; digit < shares.size(); ++digit) beyond += shares[digit];
  EXPECT_NEAR(beyond, 1 - low, 0.02);
}

TEST(DistributionView, SpreadsOverAnInputWhoseNeighboursAreAlike) {
  const DistributionView view{parse_distribution("sorted"), KeyType::u32, std::uint64_t{1} << 26, 1};
  const std::vector<uint128>& spread = view.spread();
  ASSERT_EQ(spread.size(), view.trace().size());
  EXPECT_TRUE(std::ranges::is_sorted(spread));
  for (std::size_t i = 0; i < spread.size(); i += 1 << 10) {
    EXPECT_NEAR(static_cast<double>(spread[i]) * 0x1p-32, static_cast<double>(i) / static_cast<double>(spread.size()),
                0.002);
  }
  const DistributionView small{parse_distribution("uniform"), KeyType::u64, 1000, 1};
  EXPECT_EQ(small.spread(), small.sorted());
}

}  // namespace
}  // namespace sortlab
