// Small inputs are timed as a plain loop over fresh inputs times them. This program is its own worker
// (tests/support/main.cpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <random>

#include "core/affinity.hpp"
#include "core/statistics.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/run/supervisor.hpp"

namespace sortlab {
namespace {

/// Median seconds of std::sort over arrays of `n` random keys, each sorted once, one after the other, on processor
/// `cpu`. Small arrays lie in its L2 cache, where they were made.
double own_loop_s(std::size_t n, int cpu) {
  const Pinned here({cpu});
  const std::size_t arrays = std::max<std::size_t>(9, 16'384 / n);
  std::mt19937 random{static_cast<std::mt19937::result_type>(n)};
  std::vector<double> seconds;
  for (int round = 0; round < 51; ++round) {
    std::vector<std::uint32_t> keys(arrays * n);
    std::ranges::generate(keys, [&] { return static_cast<std::uint32_t>(random()); });
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < arrays; ++i) {
      std::sort(keys.data() + i * n, keys.data() + (i + 1) * n);
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    seconds.push_back(time.count() / static_cast<double>(arrays));
  }
  return median(seconds);
}

/// The same on the processor that others disturb least. Sortlab leaves out disturbed samples, which this loop cannot.
double own_loop_s(std::size_t n) {
  double least_s = std::numeric_limits<double>::infinity();
  for (const int cpu : allowed_cpus()) least_s = std::min(least_s, own_loop_s(n, cpu));
  return least_s;
}

/// Median seconds of std_sort as Sortlab measures it, in a block with `others`.
double measured_s(std::uint64_t n, std::vector<std::string> others) {
  Sweep sweep;
  others.emplace_back("std_sort");
  for (const std::string& name : others)
    sweep.algorithms.push_back({.algorithm = &algorithm_named(name), .preset = {}});
  sweep.n = {n};
  sweep.distributions = {parse_distribution("uniform")};
  sweep.protocol.samples = 31;
  std::vector<double> seconds;
  supervise(group_into_blocks(expand_sweeps({sweep})), {},
            {.running = [](const Cell&) {},
             .finished =
                 [&](const Cell& cell, const CellResult& result) {
                   if (cell.subject.algorithm->info().name != "std_sort") return;
                   for (const Sample& sample : result.samples) seconds.push_back(sample.seconds);
                 }});
  return seconds.empty() ? 0 : median(seconds);
}

TEST(OwnLoop, SmallInputsTakeWhatALoopOverFreshInputsTakes) {
  constexpr double tolerance = 0.1;
  constexpr int tries = 5;  // the machine may be busy during some
  for (const std::uint64_t n : {256, 1024, 4096, 16'384, 65'536}) {
    bool agree = false;
    for (int i = 0; i < tries && !agree; ++i) {
      const double before_s = own_loop_s(n);
      const double alone_s = measured_s(n, {});
      const double in_block_s = measured_s(n, {"msd_radix_cpu", "satish_cpu_merge", "vqsort", "boost_pdqsort"});
      const double loop_s = std::min(before_s, own_loop_s(n));
      agree = std::abs(alone_s / loop_s - 1) < tolerance && std::abs(in_block_s / loop_s - 1) < tolerance;
      const double per_key = 1e9 / static_cast<double>(n);
      fmt::print("{:>6} keys: loop {:.2f} ns a key, alone {:.2f}, in a block {:.2f}\n", n, per_key * loop_s,
                 per_key * alone_s, per_key * in_block_s);
    }
    EXPECT_TRUE(agree) << n;
  }
}

}  // namespace
}  // namespace sortlab
