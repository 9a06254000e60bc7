// Labels of phases of drawn cells, on a GPU and on a host: each names the resource whose doubling shortens the phase
// most, by the numbers of the same answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "harness/cell/case_text.hpp"
#include "harness/predict/what_if.hpp"
#include "harness/validate/draw.hpp"

namespace sortlab {
namespace {

using Json = nlohmann::ordered_json;

double phase_seconds(const Json& record, const Json& phase) {
  double seconds = 0;
  for (const Json& one : record.at("phases")) {
    if (one.at("name") == phase.at("name") && one.at("pass") == phase.at("pass")) {
      seconds += one.at("seconds").get<double>();
    }
  }
  return seconds;
}

/// Compares each label of the answer with its numbers.
void expect_labels_follow_gains(const WhatIf& answer) {
  for (const Json& phase : answer.now.at("phases")) {
    const double now = phase_seconds(answer.now, phase);
    std::map<std::string, double> gains;
    for (const auto& one : answer.varied) {
      if (one.why_not.empty()) gains[std::string{one.resource.name}] = now - phase_seconds(one.better, phase);
    }
    ASSERT_FALSE(gains.empty());
    const double most = std::ranges::max_element(gains, {}, [](const auto& gain) { return gain.second; })->second;
    const std::string binding = phase.at("binding");
    if (most <= 1e-3 * now) {
      EXPECT_EQ(binding, "none") << phase;
    } else {
      ASSERT_TRUE(gains.contains(binding)) << phase;
      EXPECT_DOUBLE_EQ(gains.at(binding), most) << phase;
    }
  }
}

void ask_drawn_cells(const std::string& file, std::size_t cells, std::vector<std::string> algorithms) {
  const MachineProfile profile = read_profile(SORTLAB_SOURCE_DIR "/results/reference/" + file + "/profile.json");
  DrawOptions options;
  options.seed = 1846;
  options.fill_s = 1e6;
  options.most_cells = cells;
  options.algorithms = std::move(algorithms);
  std::size_t answered = 0;
  for (const Cell& cell : draw(options, profile).cells) {
    SCOPED_TRACE(case_text(cell.subject));
    try {
      expect_labels_follow_gains(what_if(cell.subject, profile, {}));
      ++answered;
    } catch (const BadInput& error) {  // no rule scales a table, said in words
      EXPECT_NE(std::string{error.what()}, "");
    }
  }
  EXPECT_GE(answered, cells * 9 / 10);
}

TEST(DrawnLabels, OfAGpuFollowTheNumbers) {
  ask_drawn_cells("intel-xeon-emeraldrapids-16c-f8c882fd/h100", 6, {"cub_radix", "cub_merge", "thrust_sort"});
}

TEST(DrawnLabels, OfAHostFollowTheNumbers) {
  ask_drawn_cells("amd-epyc-zen4-2c-bafb4314/validation_3", 3, {"paradis", "satish_cpu_radix", "aa_sort"});
}

}  // namespace
}  // namespace sortlab
