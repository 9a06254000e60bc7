// Checks beyond the conformance suite: inputs on which midpoint pivots partition badly, and lengths at which a phase
// begins or ends.
#include <random>

#include "algorithms/cederman_quicksort/plan.hpp"
#include "tests/support/device_sort_test.hpp"

namespace sortlab::gpu_quicksort {
namespace {

const std::string kName = "cederman_quicksort";

class DeviceCedermanQuicksort : public DeviceSortTest {
 protected:
  template <class K>
  static void expect_all(std::size_t n) {
    constexpr auto kMaxKey = static_cast<K>(~K{0});
    expect_sorts(kName, listed<K>(n, [](std::size_t) { return K{7}; }));
    expect_sorts(kName, listed<K>(n, [](std::size_t) { return kMaxKey; }));
    expect_sorts(kName, listed<K>(n, [](std::size_t i) { return i * i % 3 == 0 ? K{0} : kMaxKey; }));
    expect_sorts(kName, listed<K>(n, [](std::size_t i) { return i % 5 == 0 ? K{1} : K{0}; }));
    expect_sorts(kName, listed<K>(n, [](std::size_t i) { return static_cast<K>(kMaxKey - (i % 2)); }));
    // Each pivot separates one key from all others.
    expect_sorts(kName, listed<K>(n, [](std::size_t i) { return kMaxKey >> (i * 7919 % (8 * sizeof(K))); }));
    // One outlier.
    expect_sorts(kName, listed<K>(n, [n](std::size_t i) {
                   return i + 1 == n ? kMaxKey : static_cast<K>(i * 2654435761u % 1000);
                 }));
    expect_sorts(kName,
                 listed<K>(n, [n](std::size_t i) { return i == n / 3 ? K{0} : static_cast<K>(kMaxKey - i % 3); }));
  }
};

TEST_F(DeviceCedermanQuicksort, KeysThatPivotsPartBadly) {
  for (const std::size_t n : {std::size_t{5000}, std::size_t{300001}}) {
    expect_all<std::uint32_t>(n);
    expect_all<std::uint64_t>(n);
    expect_all<uint128>(n);
  }
}

TEST_F(DeviceCedermanQuicksort, DistributionsOfThePaper) {
  for (const char* text : {"uniform", "gaussian", "bucket", "staggered", "deterministic_duplicates", "sorted",
                           "reverse", "thearling:ands=7"}) {
    expect_sorts(kName, made<std::uint32_t>(text, 300007));
    expect_sorts(kName, made<std::uint64_t>(text, 250007),
                 {{"threads", "128"}, {"blocks", "512"}, {"small_sort", "512"}});
  }
}

TEST_F(DeviceCedermanQuicksort, LengthsWhereAPhaseBegins) {
  std::mt19937_64 random{1};
  for (const std::size_t n : {1, 2, 3, 63, 64, 65, 66, 127, 128, 129, 1023, 1024, 1025, 1026, 2047, 2049, 4097}) {
    for (const char* small : {"64", "101", "1024"}) {
      expect_sorts(kName, listed<std::uint32_t>(n, [&](std::size_t) { return random() % (n + 1); }),
                   {{"small_sort", small}, {"blocks", "16"}, {"threads", "64"}});
    }
  }
}

TEST_F(DeviceCedermanQuicksort, FloatsOfBothSigns) {
  std::mt19937_64 random{1};
  expect_sorts(kName, listed<float>(100003, [&](std::size_t) { return static_cast<float>(random() % 2001) - 1000; }));
  expect_sorts(kName, listed<double>(100003, [&](std::size_t i) {
                 return i % 3 == 0 ? -0.0 : i % 3 == 1 ? 0.0 : -1e-300;
               }));
  expect_sorts(kName, listed<std::int64_t>(100003, [&](std::size_t) { return random(); }));
}

}  // namespace
}  // namespace sortlab::gpu_quicksort
