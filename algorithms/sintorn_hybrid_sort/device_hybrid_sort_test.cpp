// Checks beyond the conformance suite: a dominant value fails as the paper says, just above the capacity of a division,
// and not below; and extreme floats.
#include <limits>
#include <random>

#include "algorithms/sintorn_hybrid_sort/plan.hpp"
#include "tests/support/device_sort_test.hpp"

namespace sortlab::hybrid_sort {
namespace {

const std::string kName = "sintorn_hybrid_sort";
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class DeviceHybridSort : public DeviceSortTest {
 protected:
  /// Uniform keys, the first `equal` of them equal.
  static std::vector<float> with_equal(std::size_t n, std::size_t equal) {
    std::mt19937_64 random{n};
    return listed<float>(
        n, [&](std::size_t i) { return i < equal ? 0.5f : static_cast<float>(random() >> 40) / 16777216; });
  }
  static void expect_fails(const std::vector<float>& keys, const GivenParameters& given = {}) {
    try {
      expect_sorts(kName, keys, given);
      FAIL() << "sorted " << keys.size() << " keys";
    } catch (const KnownFailure& failure) {
      EXPECT_EQ(failure.limit(), "full_division");
      EXPECT_NE(std::string{failure.what()}.find("has room for"), std::string::npos) << failure.what();
    }
  }
};

TEST_F(DeviceHybridSort, ADominantValueFailsAboveTheCapacityAlone) {
  constexpr std::size_t n = 1 << 19;
  const std::size_t room = capacity(n, 8);
  expect_sorts(kName, with_equal(n, room - 2000));  // with neighbours in its division
  expect_fails(with_equal(n, room + 1));
  expect_sorts(kName, with_equal(n, room + 1), {{"room", "1024"}});
  expect_fails(made<float>("deterministic_duplicates", n));
  expect_sorts(kName, listed<float>(n, [](std::size_t) { return 3.5f; }));  // nothing to sort
}

TEST_F(DeviceHybridSort, DistributionsOfThePaper) {
  for (const char* text : {"uniform", "gaussian", "bucket", "staggered", "sorted", "reverse"}) {
    expect_sorts(kName, made<float>(text, 300007));
    expect_sorts(kName, made<float>(text, 250007));
  }
}

TEST_F(DeviceHybridSort, KeysAtTheEndsOfTheFloats) {
  constexpr std::size_t n = 50021;
  std::mt19937_64 random{1};
  const float choices[]{-kInfinity, std::numeric_limits<float>::lowest(), -1,       -1e-45f, 0, 1e-45f,
                        1,          std::numeric_limits<float>::max(),    kInfinity};
  expect_sorts(kName, listed<float>(n, [&](std::size_t) { return choices[random() % std::size(choices)]; }));
  expect_sorts(
      kName, listed<float>(n, [&](std::size_t i) { return i == 7 ? kInfinity : static_cast<float>(random() % 1000); }));
  expect_sorts(kName, listed<float>(n, [&](std::size_t i) { return i % 2 == 0 ? 0.0f : 1e-45f; }));
}

TEST_F(DeviceHybridSort, LengthsAroundAVectorAndABlock) {
  std::mt19937_64 random{1};
  for (const std::size_t n : {1, 2, 3, 4, 5, 7, 8, 9, 1023, 1024, 1025, 4095, 4097, 16383, 16384, 16385, 100001}) {
    expect_sorts(kName, listed<float>(n, [&](std::size_t) {
                   return static_cast<float>(random() % (2 * n)) - static_cast<float>(n);
                 }));
  }
}

}  // namespace
}  // namespace sortlab::hybrid_sort
