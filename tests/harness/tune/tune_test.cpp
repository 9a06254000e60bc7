// Sweeps over parameters, and their outcome. This program is its own worker (see main below), so the planted sort
// exists nowhere else.
#include "harness/tune/tune.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/build_digest.hpp"
#include "core/temporary_folder.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/record/record_reader.hpp"
#include "tests/support/command_line_answer.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// Sorts u32 keys. Takes more time the further `waits` is from 2, and declines 3. `colour` changes nothing.
class Tunable final : public Algorithm {
 public:
  const Info& info() const override { return info_; }
  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    return parameters.integer("waits") == 3 ? std::optional<std::string>{"no 3"} : std::nullopt;
  }
  std::optional<Value> automatic(std::string_view, const Problem&, const Resources&) const override {
    return std::int64_t{8};
  }
  std::unique_ptr<Sorter> prepare(const Problem&, const Parameters& parameters, const Resources&) const override {
    return std::make_unique<Ready>(parameters.integer("waits"));
  }

 private:
  struct Ready final : Sorter {
    explicit Ready(std::int64_t waits) : pause(40 * std::abs(waits - 2)) {}
    Buffers sort(Buffers data, PhaseTimer&) override {
      const auto begin = std::chrono::steady_clock::now();
      std::ranges::sort(data.keys.as<std::uint32_t>());
      while (std::chrono::steady_clock::now() - begin < pause) continue;
      return data;
    }
    std::chrono::microseconds pause;
  };
  Info info_{
      .name = "planted_tunable",
      .title = "planted",
      .source = "",
      .family = "",
      .keys = {KeyType::u32},
      .values = {ValueType::none},
      .parameters = {{.name = "waits", .meaning = "", .standard = std::string{"auto"}, .range = {1, 16}},
                     {.name = "colour", .meaning = "", .standard = std::string{"red"}, .choices = {"red", "blue"}},
                     {.name = "share", .meaning = "", .standard = 0.5, .range = {0, 1}},
                     {.name = "trust", .meaning = "", .standard = std::int64_t{1}, .range = {1, 2}, .promise = true}},
      .presets = {{"tuned", {{"waits", "8"}}}}};
};
const RegisterBuildDigest digest{"planted_tunable", "00000000000000aa"};
const Register registered{std::make_unique<Tunable>()};

class Tune : public ::testing::Test {
 protected:
  Answer tune(std::vector<std::string> more) const {
    std::vector<std::string> words{"tune", "--algorithm", "planted_tunable",      "--n",
                                   "100",  "--out",       folder_.path().string()};
    words.insert(words.end(), more.begin(), more.end());
    return sortlab_with(words);
  }
  /// Number of measurements with that many samples.
  std::map<std::size_t, int> samples_kept() const {
    std::map<std::size_t, int> counts;
    for (const ordered_json& record : read_records(folder_ / "tune.jsonl").records) {
      if (record["kind"] == "measurement") ++counts[record["samples_s"].size()];
    }
    return counts;
  }
  /// `waits` of the only cell of these options, with the kept tunings.
  std::int64_t waits(const std::string& preset, const std::string& n = "100", const std::string& parameter = "") const {
    CaseOptions options;
    options.algorithms = {"planted_tunable"};
    options.n = {n};
    options.preset = preset;
    if (!parameter.empty()) options.parameters = {parameter};
    const Tunings tunings{folder_ / "tuned.json"};
    return expand_sweeps(make_sweeps(options, {}), tunings).at(0).subject.parameters.integer("waits");
  }

  const TemporaryFolder folder_;
};

TEST_F(Tune, FindsTheBestSettingKeepsItsRecordsAndGoesOn) {
  const Answer answer = tune({"--vary", "waits"});
  EXPECT_EQ(answer.status, 0) << answer.error;
  EXPECT_NE(answer.out.find("15 settings measured, 1 declined"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("chosen  waits=2"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("worst   waits=16"), std::string::npos) << answer.out;
  // All 15; the best 12 and the compiled setting; the best 5 and the compiled setting.
  const std::map<std::size_t, int> expected{{3, 15}, {9, 13}, {25, 6}};
  EXPECT_EQ(samples_kept(), expected);
  EXPECT_EQ(tune({"--vary", "waits"}).status, 0);
  EXPECT_EQ(samples_kept(), expected) << "what is there is not measured again";

  const Tunings tunings{folder_ / "tuned.json"};
  ASSERT_EQ(tunings.all().size(), 1U);
  const Tuning& tuning = tunings.all()[0];
  EXPECT_EQ(tuning.chosen.parameters.integer("waits"), 2);
  EXPECT_EQ(tuning.compiled.parameters.integer("waits"), 8);
  EXPECT_LT(tuning.chosen.ci95_s[1], tuning.compiled.ci95_s[0]);
}

TEST_F(Tune, WhatWasFoundIsThePresetTunedAndTheAutomaticValueNearItsN) {
  EXPECT_EQ(waits("tuned"), 8) << "as compiled";
  EXPECT_EQ(waits(""), 8) << "the plug-in's own choice";
  tune({"--vary", "waits"});
  EXPECT_EQ(waits("tuned"), 2);
  EXPECT_EQ(waits("tuned", "1600"), 2);
  EXPECT_EQ(waits("tuned", "2000"), 8) << "more than 16 times as many";
  EXPECT_EQ(waits("tuned", "100", "waits=5"), 5) << "what is given stands";
  EXPECT_EQ(waits(""), 2);
  EXPECT_EQ(waits("", "100", "colour=blue"), 8) << "tuned for another setting";
}

TEST_F(Tune, ATuningOfAnotherBuildIsNotUsed) {
  tune({"--vary", "waits"});
  ordered_json json = ordered_json::parse(std::ifstream{folder_ / "tuned.json"});
  json["tunings"][0]["build"] = "00000000000000bb";
  std::ofstream{folder_ / "tuned.json"} << json.dump();
  EXPECT_EQ(waits("tuned"), 8);
  json["tunings"][0]["build"] = "00000000000000aa";
  json["tunings"][0]["chosen"]["parameters"]["waits"] = 17;
  std::ofstream{folder_ / "tuned.json"} << json.dump();
  try {
    waits("tuned");
    FAIL() << "a damaged file is taken";
  } catch (const BadInput& error) {
    EXPECT_NE(std::string{error.what()}.find("tuned.json"), std::string::npos) << error.what();
    EXPECT_NE(std::string{error.what()}.find("; remove the file, and"), std::string::npos) << error.what();
  }
}

TEST_F(Tune, TheCompiledSettingStaysUnlessAnotherIsClearlyBetter) {
  const Answer answer = tune({"--vary", "colour"});
  EXPECT_NE(answer.out.find("chosen  as compiled"), std::string::npos) << answer.out;
}

TEST_F(Tune, ABudgetThatEndsChoosesNothingYet) {
  const Answer answer = tune({"--budget", "0.001s"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_NE(answer.out.find("nothing is chosen: the budget ended first"), std::string::npos) << answer.out;
  EXPECT_NE(answer.error.find("the same command resumes"), std::string::npos) << answer.error;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "tuned.json"));
}

TEST_F(Tune, BadInputIsOneLineAndNothingWritten) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> table{
      {{"--vary", "wait"}, "did you mean 'waits'"},
      {{"--vary", "share"}, "no parameter 'share' with values to try"},
      {{"--param", "waits=2", "--param", "waits=4"}, "one value each"},
      {{"--budget", "soon"}, "'soon'"},
  };
  for (const auto& [words, fragment] : table) {
    const Answer answer = tune(words);
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(std::ranges::count(answer.error, '\n'), 1) << answer.error;
    EXPECT_NE(answer.error.find(fragment), std::string::npos) << answer.error;
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }
}

TEST(Settings, AreAllCombinationsThatThePlugInTakes) {
  CaseOptions options;
  options.algorithms = {"planted_tunable"};
  const Case start = expand_sweeps(make_sweeps(options, {}), Tunings{}).at(0).subject;
  const Settings settings = make_settings(start, {});
  EXPECT_EQ(settings.accepted.size(), 30U);
  EXPECT_EQ(settings.declined, 2U);
  EXPECT_EQ(settings.accepted.front().parameters, start.parameters);
  for (const Case& c : settings.accepted) EXPECT_EQ(c.parameters.integer("trust"), 1) << "a promise is not varied";
}

TEST(Settings, OfAWideRangeAreItsEndsAndPowersOfTwo) {
  const Parameter wide{.name = "threads", .meaning = "", .standard = std::int64_t{256}, .range = {96, 768}};
  const std::vector<Value> expected{std::int64_t{96}, std::int64_t{128}, std::int64_t{256}, std::int64_t{512},
                                    std::int64_t{768}};
  EXPECT_EQ(values_to_try(wide), expected);
}

}  // namespace
}  // namespace sortlab
