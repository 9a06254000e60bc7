// Sortlab measures the same time for CUB's radix sort as a bare program.
#include <algorithm>

#include "core/statistics.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/measure/testbed.hpp"
#include "tests/harness/measure/bare_cub_radix.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {
namespace {

using BareCub = DeviceTest;

TEST_F(BareCub, CubRadixIsAsFastAsCubCalledBare) {
  constexpr std::uint64_t n = std::uint64_t{1} << 28;
  if (!has_memory(8 * n * sizeof(std::uint32_t))) GTEST_SKIP() << "too little memory on the device";
  CaseOptions options;
  options.algorithms = {"cub_radix"};
  options.n = {std::to_string(n)};
  const Case c = expand_sweeps(make_sweeps(options, {})).at(0).subject;
  const auto testbed = make_device_testbed(c);
  PhaseTimer phases = testbed->phase_timer(c);
  const auto sorter = testbed->prepare(c);
  const Testbed::Doing unwatched = [](Step) {};
  testbed->warm_up(c, *sorter, phases, unwatched);
  BareCubRadix bare{n};
  bare.sort();

  std::vector<double> ours_s;
  std::vector<double> bare_s;
  for (int i = 0; i < 51; ++i) {
    const auto ours = [&] { ours_s.push_back(testbed->sort(c, *sorter, phases, {}, unwatched).time.seconds); };
    if (i % 2 == 0) ours();
    bare_s.push_back(bare.sort());
    if (i % 2 == 1) ours();
  }
  const double ratio = median(ours_s) / median(bare_s);
  std::printf("cub_radix, 2^28 uniform u32: %.4f ms; bare: %.4f ms; ratio %.4f, %s\n", 1e3 * median(ours_s),
              1e3 * median(bare_s), ratio, std::abs(ratio - 1) <= 0.01 ? "within 1 %" : "NOT within 1 %");
  EXPECT_LE(ratio, 1.03);
  EXPECT_GE(ratio, 0.97);
}

}  // namespace
}  // namespace sortlab
