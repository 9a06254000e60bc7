// The share of drawn cells that models of each kind predict from a kept profile. No time is measured.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "harness/validate/draw.hpp"
#include "harness/validate/validation_text.hpp"

namespace sortlab {
namespace {

/// Words of the refusals that are limits of the models.
constexpr std::array<std::string_view, 1> kLimits{"without vectors, the sort is the standard library's"};
/// Words of the refusals of the kept profile, which is older than the marks of these loops.
constexpr std::array<std::string_view, 3> kOlder{"no quantity 'loop.merge.tile.N_SCALAR.cycles'",
                                                 "no quantity 'loop.msd.merge.cycles'", "no 'loop.msd.in_order."};

TEST(Coverage, OfDrawnCellsOfTheHostIsNearlyWholeByEachKind) {
  const MachineProfile profile =
      read_profile(SORTLAB_SOURCE_DIR "/results/reference/amd-epyc-zen4-2c-bafb4314/validation_3/profile.json");
  DrawOptions options;
  options.seed = 46;
  options.fill_s = 1e6;
  options.most_cells = 240;
  options.algorithms = {"aa_sort", "knf_split_radix",  "msd_radix_cpu",
                        "paradis", "satish_cpu_merge", "satish_cpu_radix"};
  const Drawn drawn = draw(options, profile);
  std::map<ModelKind, std::pair<std::size_t, std::size_t>> all;  // drawn, refused
  std::map<ModelKind, std::size_t> limits;
  std::map<ModelKind, std::size_t> older;
  for (const auto& [key, coverage] : drawn.coverage) {
    auto& [cells, refused] = all[std::get<ModelKind>(key)];
    cells += coverage.drawn;
    refused += coverage.unpredicted();
    for (const auto& [reason, count] : coverage.refused) {
      const auto said = [&](std::string_view words) { return reason.find(words) != std::string::npos; };
      const bool is_limit = std::ranges::any_of(kLimits, said);
      const bool is_older = std::ranges::any_of(kOlder, said);
      EXPECT_TRUE(is_limit || is_older) << std::get<std::string>(key) << ": " << reason;
      if (is_older) older[std::get<ModelKind>(key)] += count;
      if (is_limit) limits[std::get<ModelKind>(key)] += count;
    }
  }
  ASSERT_EQ(all.size(), 2U);
  for (const auto& [kind, cells] : all) {
    EXPECT_LE(static_cast<double>(cells.second - older[kind]), 0.04 * static_cast<double>(cells.first))
        << to_name(kind);
    EXPECT_LE(static_cast<double>(older[kind]), 0.08 * static_cast<double>(cells.first)) << to_name(kind);
    EXPECT_LE(static_cast<double>(limits[kind]), 0.01 * static_cast<double>(cells.first)) << to_name(kind);
  }
}

/// Words of the refusals that are limits of the models of GPU sorts: settings that no kernel was measured with,
/// settings that no operations were counted of, and inputs that the sort itself fails on.
constexpr std::array<std::string_view, 8> kDeviceLimits{
    "calibrated",
    "no operations were counted",
    "operations of form=onesweep were counted with digit_bits=8",
    "is not modelled",
    "are not modelled",
    "room for",
    "no model of kind hardware predicts the sort",
    "has no quantity 'alone.split_buffers'",
};

TEST(Coverage, OfDrawnCellsOfADeviceLacksSettingsAlone) {
  const MachineProfile profile =
      read_profile(SORTLAB_SOURCE_DIR "/results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/h100/profile.json");
  DrawOptions options;
  options.seed = 46;
  options.fill_s = 1e6;
  options.most_cells = 120;
  options.algorithms = {"cub_merge", "cub_radix",        "leischner_sample_sort", "msd_radix_gpu",
                        "bbsort",    "satish_gpu_merge", "stehle_hybrid_radix",   "thrust_sort"};
  const Drawn drawn = draw(options, profile);
  for (const auto& [key, coverage] : drawn.coverage) {
    const auto& [kind, sort, threads] = key;
    EXPECT_EQ(threads, 1);
    for (const auto& [reason, count] : coverage.refused) {
      EXPECT_TRUE(std::ranges::any_of(kDeviceLimits,
                                      [&](std::string_view words) { return reason.find(words) != std::string::npos; }))
          << sort << ": " << reason;
      // No width of keys and values is refused, but where the sort's operations were counted for no key so wide.
      EXPECT_TRUE(kind == ModelKind::hardware || reason.find("-byte keys") == std::string::npos) << reason;
    }
    // Sorts with one setting are predicted whatever the keys, values and input.
    if (sort == "cub_merge" || sort == "cub_radix" || sort == "thrust_sort") {
      EXPECT_GE(coverage.drawn, 10U) << sort;
      EXPECT_EQ(coverage.unpredicted(), 0U) << sort << ", " << to_name(kind);
    }
  }
}

TEST(Coverage, CellsOfARoundMayShareTheirInput) {
  const MachineProfile profile =
      read_profile(SORTLAB_SOURCE_DIR "/results/reference/amd-epyc-zen4-2c-bafb4314/validation_3/profile.json");
  DrawOptions options;
  options.seed = 47;
  options.fill_s = 1e6;
  options.most_cells = 60;
  options.algorithms = {"aa_sort", "paradis", "satish_cpu_merge"};
  std::map<std::string, std::set<std::string>> sorts;  // plug-ins by input and threads
  for (const Cell& cell : draw(options, profile).cells) {
    const Case& c = cell.subject;
    sorts[fmt::format("{} {} {} {} {} {}", to_name(c.key), to_name(c.value), c.n, c.distribution.text, c.seed,
                      c.threads)]
        .insert(c.algorithm->info().name);
  }
  EXPECT_GE(std::ranges::count_if(sorts, [](const auto& one) { return one.second.size() > 1; }), 6);
  EXPECT_GE(sorts.size(), 20U);
}

TEST(Coverage, IsToldByKindAndThreadsWithTheReasons) {
  const std::map<CoverageKey, Coverage> coverage{
      {{ModelKind::component, "a", 1}, {.drawn = 3, .refused = {}}},
      {{ModelKind::hardware, "a", 1}, {.drawn = 3, .refused = {{"few", 1}}}},
      {{ModelKind::hardware, "b", 1}, {.drawn = 5, .refused = {{"many", 3}}}},
      {{ModelKind::hardware, "b", 2}, {.drawn = 2, .refused = {}}},
  };
  EXPECT_EQ(coverage_lines(coverage_record(coverage)),
            (std::vector<std::string>{"component, 1 thread: 3 of 3 drawn cells predicted (100.0 %)",
                                      "hardware, 1 thread: 4 of 8 drawn cells predicted (50.0 %)", "  3 of b: many",
                                      "  1 of a: few", "hardware, 2 threads: 2 of 2 drawn cells predicted (100.0 %)"}));
  EXPECT_EQ(coverage_by_sort(coverage_record(coverage)),
            (std::vector<std::string>{"a: component 100.0 % of 3 drawn cells, hardware 66.7 % of 3",
                                      "b: hardware 57.1 % of 7 drawn cells"}));
}

TEST(Errors, AreSummedUpAsThePageDoes) {
  const ErrorSummary summary = summarise_errors({0.1, -0.2, 0.3, -0.9, 0.15});
  EXPECT_EQ(summary.points, 5U);
  EXPECT_NEAR(summary.mean_absolute, 0.33, 1e-12);
  EXPECT_DOUBLE_EQ(summary.median_absolute, 0.2);
  EXPECT_NEAR(summary.p90_absolute, 0.66, 1e-12);  // linear between neighbours
  EXPECT_DOUBLE_EQ(summary.worst, -0.9);
  EXPECT_NEAR(summary.within_15, 0.4, 1e-12);
  EXPECT_EQ(error_text(summary), "mean 33.0 %, median 20.0 %, 90 % below 66.0 %, worst -90 %, 40 % within 15 %");
}

}  // namespace
}  // namespace sortlab
