// Sorts the smallest and largest input of each regime; the conformance suite, which ends at 10^6, covers few of them.
#include <fmt/format.h>

#include "algorithms/msd_radix_gpu/plan.hpp"
#include "tests/support/device_sort_test.hpp"

namespace sortlab::msd_gpu {
namespace {

class DeviceMsdRadixRegimes : public DeviceSortTest {
 protected:
  template <class K>
  static void expect_sorts_at(std::uint64_t n, std::string_view regime, int top_bits) {
    constexpr std::uint32_t kWidestValue = 8;
    if (declines(n, sizeof(K), 0, regime, top_bits) || declines(n, sizeof(K), kWidestValue, regime, top_bits)) return;
    for (const char* text : {"uniform", "thearling:ands=2", "few_distinct", "sorted", "zipf:theta=1", "constant"}) {
      SCOPED_TRACE(fmt::format("{} {} of {}, {} bits", regime, n, text, top_bits));
      expect_sorts("msd_radix_gpu", made<K>(text, n),
                   {{"regime", std::string{regime}}, {"top_bits", std::to_string(top_bits)}});
    }
  }
  /// Sorts at both ends of the regime's range, with values of any width and without.
  template <class K>
  static void expect_sorts_at_its_ends(std::string_view word) {
    constexpr std::uint64_t kMaxTested = std::uint64_t{1} << 23;  // the host sorts these inputs, too
    const Regime regime = chosen("regime", word, kRegimes);
    std::uint64_t min_n = 1, max_n = kMaxTested;
    for (const std::uint32_t value : {0U, 4U, 8U}) {
      const ElementRange range = regime_elements(regime, sizeof(K), value);
      min_n = std::max(min_n, range.min);
      max_n = std::min(max_n, range.max);
    }
    for (const std::uint64_t n : {min_n, min_n + 1, max_n}) expect_sorts_at<K>(n, word, 0);
  }
};

TEST_F(DeviceMsdRadixRegimes, SortAtTheEndsOfWhatTheyTake) {
  for (const auto& [word, regime] : kRegimes) {
    expect_sorts_at_its_ends<std::uint32_t>(word);
    expect_sorts_at_its_ends<std::uint64_t>(word);
    expect_sorts_at_its_ends<uint128>(word);
  }
}

TEST_F(DeviceMsdRadixRegimes, SortByAnyNumberOfTopBits) {
  for (const std::uint64_t n : {400009ULL, 1000003ULL}) {
    for (int bits = kMinTopBits; bits <= kWideBits; ++bits) expect_sorts_at<std::uint32_t>(n, "wide", bits);
    for (const int bits : {kMinTopBits, kMinTopBits + 2, kMaxTopBits - 1, kMaxTopBits}) {
      expect_sorts_at<std::uint32_t>(n, "partitions", bits);
      expect_sorts_at<std::uint64_t>(n, "partitions", bits);
    }
  }
}

}  // namespace
}  // namespace sortlab::msd_gpu
