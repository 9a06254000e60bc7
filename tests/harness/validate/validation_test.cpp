// Whole validations of planted sorts, which report their own times, with planted models: one that is right, one that is
// wrong by a factor, and one that reads measurements. This program is its own worker.
#include "harness/validate/validation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/build_digest.hpp"
#include "core/sha256.hpp"
#include "core/temporary_folder.hpp"
#include "harness/calibrate/calibrate.hpp"
#include "harness/record/record_reader.hpp"
#include "harness/run/signals.hpp"
#include "harness/validate/error_split.hpp"
#include "harness/validate/validation_text.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr double kSecondsPerKey = 2e-9;
const std::pair<std::string, int> kComponent{"component", 1};  // kind and threads of the planted models' errors
constexpr std::uint64_t kMaxKeys = 80'000;                     // keys; these are really sorted

/// Sorts few u32 keys, and reports kSecondsPerKey per key.
class Timed final : public Algorithm {
 public:
  explicit Timed(std::string name) {
    info_.name = std::move(name);
    info_.title = "planted";
    info_.keys = {KeyType::u32};
    info_.values = {ValueType::none};
    info_.times_itself = true;
  }
  const Info& info() const override { return info_; }
  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    return problem.n > kMaxKeys ? std::optional<std::string>{"too many"} : std::nullopt;
  }
  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters&, const Resources&) const override {
    return std::make_unique<Ready>(kSecondsPerKey * static_cast<double>(problem.n));
  }

 private:
  struct Ready final : Sorter {
    explicit Ready(double seconds) : seconds_(seconds) {}
    Buffers sort(Buffers data, PhaseTimer&) override {
      std::ranges::sort(data.keys.as<std::uint32_t>());
      return data;
    }
    std::optional<double> own_seconds() const override { return seconds_; }
    double seconds_;
  };
  Info info_;
};

fs::path file_to_read;  // read by the model that reads measurements

double honest(const Workload& workload) {
  return kSecondsPerKey * static_cast<double>(workload.n);
}
double wrong(const Workload& workload) {
  return 1.3 * honest(workload);
}
/// Reads a measured time, if there is one.
double leaky(const Workload& workload) {
  for (const ordered_json& record : read_records(file_to_read).records) {
    if (record["kind"] == "measurement" && record["case"]["n"] == workload.n) return record["median_s"];
  }
  return wrong(workload);
}

using Seconds = double (*)(const Workload&, const DistributionView&, const MachineProfile&);

template <double (*seconds)(const Workload&)>
double without_machine(const Workload& workload, const DistributionView&, const MachineProfile&) {
  return seconds(workload);
}
/// Twice as long on half the clock, and a tenth longer where it knows a part of the input.
double clocked(const Workload& workload, const DistributionView& view, const MachineProfile& machine) {
  return honest(workload) * 1e9 / machine.clock_hz * (view.trace().size() < workload.n ? 1.1 : 1);
}

class Planted final : public Model {
 public:
  Planted(std::string name, Seconds seconds)
      : info_{.name = name,
              .title = "planted",
              .source = "",
              .algorithms = {std::move(name)},
              .kind = ModelKind::component},
        seconds_(seconds) {}
  const ModelInfo& info() const override { return info_; }
  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& machine) const override {
    return {.seconds = seconds_(workload, view, machine), .phases = {}};
  }

 private:
  ModelInfo info_;
  Seconds seconds_;
};

struct PlantedPair {
  PlantedPair(const std::string& name, Seconds seconds)
      : digest(name, "00000000000000aa"),
        algorithm(std::make_unique<Timed>(name)),
        model(std::make_unique<Planted>(name, seconds)) {}
  RegisterBuildDigest digest;
  Register algorithm;
  RegisterModel model;
};
const PlantedPair planted_honest{"planted_honest", without_machine<honest>};
const PlantedPair planted_wrong{"planted_wrong", without_machine<wrong>};
const PlantedPair planted_leaky{"planted_leaky", without_machine<leaky>};
const PlantedPair planted_clocked{"planted_clocked", clocked};

class Validate : public ::testing::Test {
 protected:
  Validate() {
    MachineProfile profile = host_facts({.quick = true});
    write_profile(profile, (folder_ / kValidationProfile).string());
    file_to_read = file_;
  }

  ValidationResult validated(const std::string& algorithm, std::uint64_t seed = 7) const {
    ValidationRequest asked;
    asked.budget_s = 20;
    asked.draw.seed = seed;
    asked.draw.most_cells = 4;
    asked.draw.algorithms = {algorithm};
    return validate({.folder = folder_.path(), .asked = asked, .quiet = true});
  }

  std::vector<std::string> lines() const { return read_records(file_).texts; }

  std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    for (const ordered_json& record : read_records(file_).records) kinds.push_back(record["kind"]);
    return kinds;
  }

  void write(const std::vector<std::string>& all, std::size_t count, const std::string& torn = "") const {
    std::ofstream file{file_, std::ios::trunc};
    for (std::size_t i = 0; i < count; ++i) file << all[i] << '\n';
    file << torn;
  }

  /// The verdict on the file by the checker, which shares no code with this program.
  int checked() const {
    const std::string command = "/usr/bin/python3 " SORTLAB_SOURCE_DIR "/plots/check_validation.py --records '" +
                                file_.string() + "' --profile '" + (folder_ / kValidationProfile).string() +
                                "' >/dev/null";
    return WEXITSTATUS(std::system(command.c_str()));
  }

  const TemporaryFolder folder_;
  const fs::path file_ = folder_ / kValidationFile;
};

bool can_check() {
  return std::system("/usr/bin/python3 -c 'import jinja2, matplotlib' 2>/dev/null") == 0;
}

TEST_F(Validate, AnHonestModelIsPredictedThenMeasuredAndHasNoError) {
  std::vector<std::string> when_committed;
  ValidationRequest asked;
  asked.budget_s = 20;
  asked.draw.most_cells = 3;
  asked.draw.algorithms = {"planted_honest"};
  const ValidationResult result = validate({.folder = folder_.path(), .asked = asked, .quiet = true},
                                           [&](const ValidationResult&) { when_committed = kinds(); });
  EXPECT_EQ(when_committed, (std::vector<std::string>{"validation", "prediction", "prediction", "prediction"}));
  EXPECT_TRUE(result.ended);
  EXPECT_TRUE(result.different.empty());
  EXPECT_EQ(result.session.measured, 3U);
  ASSERT_EQ(result.errors.at(kComponent).size(), 3U);
  EXPECT_NEAR(summarise_errors(result.errors.at(kComponent)).mean_absolute, 0, 1e-9);
  const RecordFile file = read_records(file_);
  EXPECT_EQ(result.commitment, sha256_hex(file.texts.front()));
  for (const ordered_json& record : file.records) {
    if (record["kind"] == "run") {
      EXPECT_EQ(record["asked"]["validation"], result.commitment);
    }
  }
  EXPECT_EQ(kinds().back(), "validation_end");
  if (!can_check()) GTEST_SKIP() << "not checked in Python: it has no jinja2 or matplotlib";
  EXPECT_EQ(checked(), 0);
}

TEST_F(Validate, AModelThatIsWrongByAFactorIsFoundSo) {
  const ValidationResult result = validated("planted_wrong");
  EXPECT_NEAR(summarise_errors(result.errors.at(kComponent)).mean_absolute, 0.3, 1e-9);
  EXPECT_TRUE(result.different.empty());
}

TEST_F(Validate, CellsOfAFileSortItsKeysAndTheirErrorsAreToldByFile) {
  constexpr std::uint32_t n = 5000;
  const fs::path keys = folder_ / "keys.bin";
  {
    std::ofstream out{keys, std::ios::binary};
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t key = i * 2654435761U;
      out.write(reinterpret_cast<const char*>(&key), sizeof key);
    }
  }
  Case c{.algorithm = &algorithm_named("planted_wrong"), .parameters = {}, .distribution = {}};
  c.n = n;
  c.distribution = canonical(parse_distribution("file:" + keys.string() + ",key=u32"), c.key, n);
  ValidationRequest asked;
  asked.budget_s = 20;
  asked.draw.algorithms = {"planted_wrong"};
  asked.draw.among = {{c, {}}};
  asked.inputs = {c.distribution.text};
  const auto run = [&] { return validate({.folder = folder_.path(), .asked = asked, .quiet = true}); };
  const ValidationResult result = run();
  ASSERT_EQ(result.errors_by_file.size(), 1U);
  const auto& [of, errors] = *result.errors_by_file.begin();
  EXPECT_EQ(of, (std::pair<std::string, std::string>{"component", c.distribution.text}));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_NEAR(errors.front(), 0.3, 1e-6);
  const auto records = read_records(file_).records;
  EXPECT_EQ(records.front()["asked"]["inputs"], nlohmann::json::array({c.distribution.text}));
  for (const ordered_json& record : records) {
    EXPECT_EQ(record.dump().find(folder_.path().string()), std::string::npos) << "a record holds a path";
    if (record["kind"] == "measurement") {
      EXPECT_EQ(record["protocol"]["input"], "same");
    }
  }
  EXPECT_TRUE(run().ended);
  if (!can_check()) GTEST_SKIP() << "not checked in Python: it has no jinja2 or matplotlib";
  EXPECT_EQ(checked(), 0);
}

TEST_F(Validate, AModelThatReadsMeasurementsGivesItselfAway) {
  const ValidationResult result = validated("planted_leaky");
  EXPECT_EQ(result.different.size(), result.predictions);
  EXPECT_EQ(read_records(file_).records.back()["predicted_again"]["different"].size(), result.predictions);
  // The first prediction counts.
  EXPECT_NEAR(summarise_errors(result.errors.at(kComponent)).mean_absolute, 0.3, 1e-9);
  if (!can_check()) GTEST_SKIP() << "not checked in Python: it has no jinja2 or matplotlib";
  EXPECT_EQ(checked(), 1);
}

TEST_F(Validate, TheSameSeedDrawsTheSameAndAnotherSomethingElse) {
  const MachineProfile profile = read_profile((folder_ / kValidationProfile).string());
  const auto texts = [&](std::uint64_t seed) {
    DrawOptions options;
    options.seed = seed;
    options.most_cells = 6;
    options.algorithms = {"planted_honest", "planted_wrong"};
    std::vector<std::string> lines;
    for (const CommittedPrediction& p : [&] {
           std::vector<Cell> cells = draw(options, profile).cells;
           return predict_for_commitment(cells, profile, {});
         }()) {
      lines.push_back(p.line);
    }
    return lines;
  };
  EXPECT_EQ(texts(1), texts(1));
  EXPECT_NE(texts(1), texts(2));
}

TEST_F(Validate, NoDrawnSizeIsOneOfAConfig) {
  const std::set<std::uint64_t> sizes = sizes_of_configs();
  EXPECT_TRUE(sizes.contains(1'000'003) || sizes.contains(std::uint64_t{1} << 20));
  DrawOptions options;
  options.most_cells = 12;
  options.algorithms = {"planted_honest"};
  const MachineProfile profile = read_profile((folder_ / kValidationProfile).string());
  for (const Cell& cell : draw(options, profile).cells) EXPECT_FALSE(sizes.contains(cell.subject.n)) << cell.subject.n;
}

TEST_F(Validate, KilledAnywhereItGoesOnWithTheSamePredictions) {
  ASSERT_TRUE(validated("planted_honest").ended);
  const std::vector<std::string> whole = lines();
  const std::vector<std::string> names = kinds();
  const auto first_measured = static_cast<std::size_t>(std::ranges::find(names, "measurement") - names.begin());
  constexpr std::size_t predictions = 4;
  struct Kill {
    std::size_t lines;
    std::string torn;
    std::size_t measured;  ///< number of cells measured in this step
  };
  for (const Kill& kill : {Kill{1, "", 4}, Kill{3, whole[3].substr(0, 40), 4}, Kill{1 + predictions, "", 4},
                           Kill{first_measured + 2, whole[first_measured + 2].substr(0, 99), 2}}) {
    SCOPED_TRACE(kill.lines);
    write(whole, kill.lines, kill.torn);
    const ValidationResult again = validated("planted_honest");
    EXPECT_TRUE(again.began);
    EXPECT_TRUE(again.ended);
    EXPECT_EQ(again.session.measured, kill.measured);
    EXPECT_EQ(again.done_before, 4 - kill.measured);
    const std::vector<std::string> now = lines();
    const std::size_t kept = std::max(kill.lines, 1 + predictions);
    EXPECT_TRUE(std::equal(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(kept), now.begin()));
  }
  if (!can_check()) GTEST_SKIP() << "not checked in Python: it has no jinja2 or matplotlib";
  EXPECT_EQ(checked(), 0);
}

TEST_F(Validate, WhatHasEndedStaysAsItIsAndIsPredictedAgain) {
  const ValidationResult first = validated("planted_honest");
  const std::vector<std::string> whole = lines();
  const ValidationResult again = validated("planted_honest");
  EXPECT_EQ(lines(), whole);
  EXPECT_EQ(again.commitment, first.commitment);
  EXPECT_TRUE(again.different.empty());
  EXPECT_EQ(again.session.measured, 0U);
}

TEST_F(Validate, AChangedPredictionOrProfileIsRefused) {
  ASSERT_TRUE(validated("planted_honest").ended);
  const std::vector<std::string> whole = lines();
  std::vector<std::string> changed = whole;
  ordered_json prediction = ordered_json::parse(whole[2]);
  prediction["seconds"] = prediction["seconds"].get<double>() * 1.01;
  changed[2] = prediction.dump();
  write(changed, 5);
  try {
    validated("planted_honest");
    ADD_FAILURE() << "a changed prediction was taken";
  } catch (const BadInput& error) {
    EXPECT_NE(std::string{error.what()}.find("prediction 2 is not the one it commits to"), std::string::npos)
        << error.what();
  }
  write(whole, 2);  // incomplete predictions, and another seed
  EXPECT_THROW(validated("planted_honest", 8), BadInput);
  write(whole, 5);
  std::ofstream{folder_ / kValidationProfile, std::ios::app} << ' ';
  EXPECT_THROW(validated("planted_honest"), BadInput);
}

TEST_F(Validate, TheErrorIsTakenApartIntoCausesThatAddUpToIt) {
  ASSERT_TRUE(validated("planted_clocked").ended);
  MachineProfile before = read_profile((folder_ / kValidationProfile).string());
  std::vector<std::string> asked;
  const auto halved = [&](const Algorithm& algorithm, const MachineProfile& profile) {
    asked.push_back(algorithm.info().name);
    MachineProfile again = profile;
    again.clock_hz /= 2;
    return updated(profile, again);
  };
  const SplitErrors errors =
      split_errors({.folder = folder_.path(), .calibrate_again = halved, .cells_of_sort = 3, .quiet = true});
  EXPECT_EQ(asked, std::vector<std::string>{"planted_clocked"});
  ASSERT_EQ(errors.size(), 1U);  // it has no phases
  const auto& [key, all] = *errors.begin();
  EXPECT_EQ(key, (SplitKey{ModelKind::component, "planted_clocked", ""}));
  ASSERT_EQ(all.size(), 3U);
  for (const SplitError& one : all) {
    EXPECT_NEAR(one.machine, -std::log(2), 1e-9);
    EXPECT_NEAR(one.input, 0, 1e-9);  // the trace is the whole input
    EXPECT_NEAR(one.composition, std::log(2e9 / before.clock_hz), 1e-9);
    EXPECT_NEAR(one.machine + one.input + one.composition, one.whole, 1e-9);
  }
  const std::vector<std::string> table = split_table(errors);
  ASSERT_EQ(table.size(), 3U);
  EXPECT_NE(table[2].find("| component | planted_clocked | all | 3 |"), std::string::npos) << table[2];
  EXPECT_NE(table[2].find("| 69.3 (-69.3) | 0.0 (+0.0) |"), std::string::npos) << table[2];
  std::size_t predictions = 0;
  for (const ordered_json& record : read_records(folder_ / kSplitFile).records) {
    predictions += record["kind"] == "prediction";
  }
  EXPECT_EQ(predictions, 9U);
  EXPECT_TRUE(fs::exists(folder_ / "split-planted_clocked.json"));
  EXPECT_THROW(split_errors({.folder = folder_ / "none", .calibrate_again = halved}), BadInput);
}

TEST_F(Validate, RecordsOfSomethingElseAreRefused) {
  std::ofstream{file_} << R"({"schema":1,"kind":"run"})" << '\n';
  EXPECT_THROW(validated("planted_honest"), BadInput);
  EXPECT_THROW(begun_with(folder_.path()), BadInput);
}

}  // namespace
}  // namespace sortlab
