// Checks beyond the conformance suite: inputs that fill one slice, and float ranges that slices by value cannot
// separate.
#include <cmath>
#include <limits>
#include <random>

#include "tests/support/device_sort_test.hpp"

namespace sortlab::bbsort {
namespace {

const std::string kName = "bbsort";

class DeviceBbSort : public DeviceSortTest {};

TEST_F(DeviceBbSort, KeysThatFillOneSlice) {
  for (const std::size_t n : {std::size_t{3000}, std::size_t{300001}}) {
    expect_sorts(kName, listed<std::uint32_t>(n, [](std::size_t) { return 7; }));
    expect_sorts(kName, listed<std::uint32_t>(n, [](std::size_t i) { return i % 2 == 0 ? 0 : ~0u; }));
    // Each slicing separates one key from all others, repeatedly.
    expect_sorts(kName, listed<std::uint64_t>(n, [](std::size_t i) { return ~0ull >> (i * 7919 % 64); }));
    expect_sorts(kName, listed<std::uint64_t>(n, [](std::size_t i) { return i == 5 ? ~0ull : i * i % 100000; }));
    expect_sorts(kName, listed<std::int64_t>(n, [](std::size_t i) {
                   return i % 7 == 0 ? std::numeric_limits<std::int64_t>::min() : 3 - static_cast<std::int64_t>(i % 5);
                 }));
  }
}

TEST_F(DeviceBbSort, DistributionsOfThePaper) {
  for (const char* text : {"uniform", "gaussian", "bucket", "staggered", "deterministic_duplicates", "sorted",
                           "reverse", "thearling:ands=7"}) {
    expect_sorts(kName, made<std::uint32_t>(text, 300007));
    expect_sorts(kName, made<std::uint64_t>(text, 250007), {{"bucket", "128"}});
    expect_sorts(kName, made<float>(text, 250007), {{"bucket", "1024"}});
  }
}

TEST_F(DeviceBbSort, FloatRangesThatValuesCannotPart) {
  constexpr std::size_t n = 20011;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::mt19937_64 random{1};
  expect_sorts(kName, listed<double>(n, [&](std::size_t i) {
                 return i % 100 == 0 ? infinity : i % 100 == 1 ? -infinity : static_cast<double>(random() % 1000);
               }));
  expect_sorts(kName, listed<double>(n, [&](std::size_t i) { return i % 2 == 0 ? -0.0 : 0.0; }));
  expect_sorts(kName, listed<double>(n, [&](std::size_t i) {
                 return static_cast<double>(i % 3) * std::numeric_limits<double>::denorm_min();
               }));
  expect_sorts(kName, listed<double>(n, [&](std::size_t i) {
                 return i % 2 == 0 ? std::numeric_limits<double>::max() : std::numeric_limits<double>::lowest();
               }));
  expect_sorts(
      kName, listed<float>(n, [&](std::size_t i) {
        return i % 50 == 0 ? std::nanf("") : i % 50 == 1 ? -std::nanf("") : static_cast<float>(random() % 77) - 33;
      }));
  expect_sorts(kName,
               listed<double>(n, [&](std::size_t i) { return std::pow(10.0, static_cast<double>(i % 600) - 300); }));
}

TEST_F(DeviceBbSort, LengthsAroundABucket) {
  std::mt19937_64 random{1};
  for (const std::size_t n : {1, 2, 3, 50, 51, 127, 128, 129, 511, 512, 513, 514, 1023, 1025, 1300}) {
    for (const char* bucket : {"128", "512", "1024"}) {
      expect_sorts(kName, listed<std::uint32_t>(n, [&](std::size_t) { return random() % (n + 1); }),
                   {{"bucket", bucket}});
    }
  }
}

}  // namespace
}  // namespace sortlab::bbsort
