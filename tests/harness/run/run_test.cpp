// Runs through the whole engine: command line, supervisor, workers and records, with planted plug-ins that misbehave.
// This program is its own worker (see main below), so the planted ones exist nowhere else.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "core/build_digest.hpp"
#include "core/temporary_folder.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/record/algorithm_record.hpp"
#include "harness/record/measurement.hpp"
#include "harness/record/record_reader.hpp"
#include "harness/run/supervisor.hpp"
#include "tests/support/command_line_answer.hpp"
#include "tests/support/planted_sorts.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// Sorts u32 keys after calling `Misbehave`.
template <class Misbehave>
class Planted final : public Algorithm {
 public:
  explicit Planted(std::string name) {
    info_.name = std::move(name);
    info_.title = "planted";
    info_.keys = {KeyType::u32};
    info_.values = {ValueType::none};
    info_.phases = {"sort"};
    info_.limits = {{.text = "has none"},
                    {.text = "fails on its second call", .name = "second_call"},
                    {.text = "hangs on sorted keys", .slow_on = {"sorted"}}};
  }
  const Info& info() const override { return info_; }
  std::unique_ptr<Sorter> prepare(const Problem&, const Parameters&, const Resources&) const override {
    return std::make_unique<Ready>();
  }

 private:
  class Ready final : public Sorter {
   public:
    Buffers sort(Buffers data, PhaseTimer& phases) override {
      const auto keys = data.keys.as<std::uint32_t>();
      const auto phase = phases.phase("sort");
      std::ranges::sort(keys);
      misbehave_(keys, ++calls_);
      return data;
    }

   private:
    Misbehave misbehave_;
    int calls_ = 0;
  };
  Info info_;
};

/// Takes a while, and reports that it took a second.
class TimesItself final : public Algorithm {
 public:
  TimesItself() {
    info_.name = "planted_times_itself";
    info_.title = "planted";
    info_.keys = {KeyType::u32};
    info_.values = {ValueType::none};
    info_.times_itself = true;
  }
  const Info& info() const override { return info_; }
  std::unique_ptr<Sorter> prepare(const Problem&, const Parameters&, const Resources&) const override {
    return std::make_unique<Ready>();
  }

 private:
  class Ready final : public Sorter {
   public:
    Buffers sort(Buffers data, PhaseTimer&) override {
      std::ranges::sort(data.keys.as<std::uint32_t>());
      return data;
    }
    std::optional<double> own_seconds() const override { return 1.0; }
  };
  Info info_;
};
const RegisterBuildDigest digest_of_times_itself{"planted_times_itself", "00000000000000aa"};
const Register times_itself{std::make_unique<TimesItself>()};

using Keys = std::span<std::uint32_t>;
// The warm-up sort is the first call, so the second call is a worker's first sample.
struct Well {
  void operator()(Keys, int) const {}
};
struct Crash {
  void operator()(Keys, int call) const {
    if (call != 2) return;
    signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would report and exit
    raise(SIGSEGV);
  }
};
struct Killed {
  void operator()(Keys, int call) const {
    if (call == 2) raise(SIGKILL);
  }
};
struct Exit {
  void operator()(Keys, int call) const {
    if (call == 2) std::_Exit(3);
  }
};
struct Hang {
  void operator()(Keys, int call) const {
    if (call == 2) std::this_thread::sleep_for(std::chrono::hours{24});
  }
};
struct Throw {
  void operator()(Keys, int call) const {
    if (call == 2) throw std::runtime_error("planted");
  }
};
struct ThrowLimit {
  void operator()(Keys, int call) const {
    if (call == 2) throw KnownFailure("second_call", "it was the second call");
  }
};
/// Reports a known failure that its Info does not name.
struct ThrowOtherLimit {
  void operator()(Keys, int call) const {
    if (call == 2) throw KnownFailure("third_call", "it was the third call");
  }
};
struct Terminate {
  void operator()(Keys, int call) const {
    if (call == 2) std::terminate();
  }
};
struct Exhaust {
  std::vector<std::vector<char>> hoard;
  void operator()(Keys, int call) {
    if (call != 2) return;
    while (true) hoard.emplace_back(std::size_t{32} << 20, 'x');
  }
};
struct Wrong {
  void operator()(Keys keys, int call) const {
    if (call == 2) keys[1] = keys[0];
  }
};

template <class Misbehave>
struct Plant {
  explicit Plant(const char* name)
      : digest(name, "00000000000000aa"), algorithm(std::make_unique<Planted<Misbehave>>(name)) {}
  RegisterBuildDigest digest;
  Register algorithm;
};
const Plant<Well> well{"planted_well"};
const Plant<Crash> crash{"planted_crash"};
const Plant<Killed> killed{"planted_killed"};
const Plant<Exit> exits{"planted_exit"};
const Plant<Hang> hang{"planted_hang"};
const Plant<Throw> throws{"planted_throw"};
const Plant<ThrowLimit> throws_limit{"planted_throw_limit"};
const Plant<ThrowOtherLimit> throws_other_limit{"planted_throw_other_limit"};
const Plant<Terminate> terminates{"planted_terminate"};
const Plant<Exhaust> exhaust{"planted_exhaust"};
const Plant<Wrong> plant_wrong{"planted_wrong"};

Sweep planted_sweep(const std::vector<std::string>& names) {
  Sweep sweep;
  for (const std::string& name : names) sweep.algorithms.push_back({.algorithm = &algorithm_named(name), .preset = {}});
  sweep.n = {1000};
  sweep.distributions = {parse_distribution("uniform")};
  sweep.protocol.samples = 9;
  return sweep;
}

std::map<std::string, CellResult> results_by_algorithm(const Sweep& sweep, const SupervisorOptions& options = {}) {
  std::map<std::string, CellResult> results;
  supervise(group_into_blocks(expand_sweeps({sweep})), options,
            {.running = [](const Cell&) {},
             .finished =
                 [&](const Cell& cell, const CellResult& result) {
                   EXPECT_TRUE(results.emplace(cell.what.algorithm->info().name, result).second);
                 }});
  return results;
}

TEST(Supervisor, ACellThatMisbehavesCostsItselfOnly) {
  Sweep sweep = planted_sweep({"planted_crash", "planted_exit", "planted_killed", "planted_terminate", "planted_throw",
                               "planted_well", "planted_wrong", "planted_sort"});
  const auto results = results_by_algorithm(sweep);
  const std::map<std::string, std::pair<std::string, std::string>> expected{
      {"planted_crash", {"crashed", "SIGSEGV"}},  {"planted_exit", {"crashed", "exited with status 3"}},
      {"planted_killed", {"crashed", "SIGKILL"}}, {"planted_terminate", {"crashed", "SIGABRT"}},
      {"planted_throw", {"failed", "planted"}},   {"planted_well", {"ok", ""}},
      {"planted_wrong", {"wrong", "keys"}},       {"planted_sort", {"ok", ""}}};
  ASSERT_EQ(results.size(), expected.size());
  for (const auto& [name, outcome] : expected) {
    const CellResult& result = results.at(name);
    EXPECT_EQ(to_name(result.status), outcome.first) << name << ": " << result.reason;
    EXPECT_NE(result.reason.find(outcome.second), std::string::npos) << name << ": " << result.reason;
    // Samples taken before another cell's crash are kept, and no more than the requested number are taken.
    if (result.status == Status::ok) {
      EXPECT_GE(result.samples.size(), 9U) << name;
    }
  }
  EXPECT_NE(results.at("planted_crash").reason.find("in a timed sort"), std::string::npos);
  EXPECT_EQ(results.at("planted_crash").signal, "SIGSEGV");
}

TEST(Supervisor, AWrongResultIsDumpedAsItIs) {
  const TemporaryFolder folder;
  results_by_algorithm(planted_sweep({"planted_wrong", "planted_well"}),
                       {.time_budget_s = {}, .dump = folder.path().string()});
  std::map<std::string, std::vector<std::uint32_t>> outputs;
  std::ifstream manifest(folder / "manifest.jsonl");
  for (std::string line; std::getline(manifest, line);) {
    const auto json = ordered_json::parse(line);
    EXPECT_EQ(json.at("reason").is_null(), json.at("algorithm") == "planted_well");
    std::vector<std::uint32_t>& keys = outputs[json.at("algorithm")];
    keys.resize(1000);
    std::ifstream file(folder / json.at("output").at("keys").get<std::string>(), std::ios::binary);
    file.seekg(128);  // the header
    file.read(reinterpret_cast<char*>(keys.data()), 4000);
    EXPECT_EQ(file.gcount(), 4000);
    EXPECT_EQ(file.get(), EOF);
  }
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(outputs["planted_well"]));
  EXPECT_NE(outputs["planted_wrong"], outputs["planted_well"]);
}

TEST(Supervisor, AHangEndsAtItsLimit) {
  Sweep sweep = planted_sweep({"planted_hang", "planted_well"});
  sweep.protocol.timeout_s = 1;
  const auto results = results_by_algorithm(sweep);
  EXPECT_EQ(to_name(results.at("planted_hang").status), "timeout");
  EXPECT_NE(results.at("planted_hang").reason.find("in a timed sort"), std::string::npos);
  EXPECT_EQ(to_name(results.at("planted_well").status), "ok");
}

TEST(Supervisor, MemoryExhaustedIsAFailure) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "no limit under a sanitizer";
#endif
  const auto results = results_by_algorithm(planted_sweep({"planted_exhaust", "planted_well"}),
                                            {.time_budget_s = {}, .worker_memory_bytes = std::uint64_t{512} << 20});
  EXPECT_EQ(to_name(results.at("planted_exhaust").status), "failed");
  EXPECT_NE(results.at("planted_exhaust").reason.find("out of memory"), std::string::npos);
  EXPECT_EQ(to_name(results.at("planted_well").status), "ok");
}

TEST(Supervisor, AnInputThatDoesNotFitFailsItsBlockOnly) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "no limit under a sanitizer";
#endif
  Sweep sweep = planted_sweep({"planted_sort"});
  sweep.n = {std::uint64_t{1} << 28, 1000};
  std::vector<std::string> statuses;
  supervise(
      group_into_blocks(expand_sweeps({sweep})), {.time_budget_s = {}, .worker_memory_bytes = std::uint64_t{256} << 20},
      {.running = [](const Cell&) {},
       .finished = [&](const Cell&, const CellResult& result) { statuses.emplace_back(to_name(result.status)); }});
  EXPECT_EQ(statuses, (std::vector<std::string>{"failed", "ok"}));
}

TEST(Supervisor, ASortThatTimesItselfIsBelieved) {
  const auto results = results_by_algorithm(planted_sweep({"planted_times_itself", "planted_well"}));
  for (const Sample& sample : results.at("planted_times_itself").samples) {
    EXPECT_EQ(sample.seconds, 1.0);
    EXPECT_TRUE(sample.counters.empty());
  }
  for (const Sample& sample : results.at("planted_well").samples) EXPECT_LT(sample.seconds, 1.0);
}

TEST(Supervisor, PhasesLieInsideTheSort) {
  const auto results = results_by_algorithm(planted_sweep({"planted_well"}));
  for (const Sample& sample : results.at("planted_well").samples) {
    ASSERT_EQ(sample.phases.size(), 1U);
    EXPECT_EQ(sample.phases[0].name, "sort");
    EXPECT_GE(sample.phases[0].seconds, 0);
    EXPECT_LE(sample.phases[0].seconds, sample.seconds);
  }
}

/// Runs `sortlab` with these arguments in this process.
class CommandLine : public ::testing::Test {
 protected:
  void configure(const std::string& algorithms, const std::string& n = "100,1000") const {
    std::ofstream{config_} << R"({"name":"t","protocol":{"samples":3},"sweeps":[{"algorithms":[)" << algorithms
                           << R"(],"keys":["u32","u64"],"n":[)" << n << R"(],"distributions":["uniform"]}]})";
  }
  std::vector<ordered_json> measurements(const std::string& path) const {
    std::vector<ordered_json> found;
    for (ordered_json& record : read_records(path).records) {
      if (record["kind"] == "measurement") found.push_back(std::move(record));
    }
    return found;
  }

  const TemporaryFolder folder_;
  const std::string config_ = folder_.file("config.json");
  const std::string out_ = folder_.file("records.jsonl");
};

TEST_F(CommandLine, BenchGivesOneRecordACell) {
  const Answer answer = sortlab_with({"bench",   "--algorithm", "planted_sort", "--key",     "u32", "--key", "f64",
                                      "--value", "none",        "--value",      "u64",       "--n", "0",     "--n",
                                      "1",       "--n",         "1000",         "--samples", "4",   "--json"});
  EXPECT_EQ(answer.status, 0) << answer.error;
  const auto lines = answer.lines();
  ASSERT_EQ(lines.size(), 12U);
  for (const ordered_json& record : lines) {
    EXPECT_EQ(record["status"], "ok");
    EXPECT_EQ(record["samples_s"].size(), 4U);
    EXPECT_EQ(record["protocol"]["stopped"], "samples");
    EXPECT_EQ(record["verification"]["samples"], 4);
    EXPECT_GT(record["median_s"], 0);
    EXPECT_EQ(record["case"]["layout"], record["case"]["value_type"] == "none" ? "separate" : "together");
  }
}

TEST_F(CommandLine, SkippedCellsAreListedAndNoError) {
  const Answer answer = sortlab_with({"bench", "--algorithm", "planted_sort", "--threads", "2", "--n", "10", "--json"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.lines().at(0)["status"], "skipped");
  EXPECT_NE(answer.error.find("is sequential"), std::string::npos);
}

TEST_F(CommandLine, AnInputTooLargeForTheMemoryIsSkippedAndTheRunGoesOn) {
  std::ofstream{config_} << R"({"name":"t","protocol":{"samples":3},"sweeps":[{"algorithms":["planted_sort"],
      "n":["2^40",1000],"distributions":["uniform"]}]})";
  const Answer answer = sortlab_with({"run", config_, "--out", out_});
  EXPECT_EQ(answer.status, 0) << answer.error;
  const auto records = measurements(out_);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0]["status"], "skipped");
  EXPECT_NE(records[0]["reason"].get<std::string>().find("1099511627776 elements of 4 bytes"), std::string::npos);
  EXPECT_EQ(records[1]["status"], "ok");
}

TEST_F(CommandLine, LostCellsAreNamedAndAnError) {
  const Answer answer = sortlab_with({"bench", "--algorithm", "planted_wrong", "--algorithm", "planted_crash",
                                      "--algorithm", "planted_sort", "--n", "10", "--samples", "6", "--out", out_});
  EXPECT_EQ(answer.status, 1);
  EXPECT_NE(answer.error.find("planted_wrong u32 n=10 uniform threads=1 seed=1: wrong"), std::string::npos)
      << answer.error;
  EXPECT_NE(answer.error.find("planted_crash u32 n=10 uniform threads=1 seed=1: crashed: SIGSEGV"), std::string::npos);
  for (const ordered_json& record : measurements(out_)) {
    EXPECT_EQ(record.contains("samples_s"), record["status"] == "ok");
    EXPECT_EQ(record.contains("median_s"), record["status"] == "ok");
  }
}

TEST_F(CommandLine, AFailureByAKnownLimitIsAResult) {
  configure(R"("planted_throw_limit","planted_well")");
  const Answer answer = sortlab_with({"run", config_, "--out", out_});
  EXPECT_EQ(answer.status, 0) << answer.error;
  EXPECT_NE(answer.error.find("expected failure: planted_throw_limit"), std::string::npos) << answer.error;
  std::size_t failed = 0;
  for (const ordered_json& record : measurements(out_)) {
    if (record["status"] == "ok" || record["status"] == "skipped") continue;
    ++failed;
    EXPECT_EQ(record["status"], "failed");
    EXPECT_EQ(record["expected"], true);
    EXPECT_EQ(record["reason"], "it was the second call");
    EXPECT_FALSE(record.contains("samples_s"));
  }
  EXPECT_GT(failed, 0U);
  const Answer resumed = sortlab_with({"run", config_, "--out", out_});
  EXPECT_EQ(resumed.status, 0);
  EXPECT_NE(resumed.error.find("expected failure: planted_throw_limit"), std::string::npos) << resumed.error;
}

TEST_F(CommandLine, AFailureThatNoLimitNamesIsLost) {
  for (const char* name : {"planted_throw_other_limit", "planted_throw"}) {
    const std::string out = out_ + name;
    const Answer answer = sortlab_with({"bench", "--algorithm", name, "--n", "10", "--samples", "6", "--out", out});
    EXPECT_EQ(answer.status, 1) << name;
    for (const ordered_json& record : measurements(out)) {
      EXPECT_EQ(record["status"], "failed");
      EXPECT_EQ(record["expected"], false);
    }
  }
}

TEST(Supervisor, TimeRunsOutAsExpectedOnTheInputsOfALimitAlone) {
  Sweep sweep = planted_sweep({"planted_hang"});
  sweep.distributions = {parse_distribution("sorted"), parse_distribution("uniform")};
  sweep.protocol.timeout_s = 0.5;
  std::map<std::string, bool> expected;
  supervise(group_into_blocks(expand_sweeps({sweep})), {},
            {.running = [](const Cell&) {},
             .finished =
                 [&](const Cell& cell, const CellResult& result) {
                   const ordered_json record = measurement_record(cell, result, "run", "machine");
                   EXPECT_EQ(record["status"], "timeout");
                   expected[cell.what.distribution.distribution->info().name] = record["expected"];
                 }});
  EXPECT_EQ(expected, (std::map<std::string, bool>{{"sorted", true}, {"uniform", false}}));
}

TEST_F(CommandLine, RunRecordsEachAlgorithmOnce) {
  configure(R"("planted_sort")");
  sortlab_with({"run", config_, "--out", out_});
  configure(R"("planted_sort","planted_well")");
  sortlab_with({"run", config_, "--out", out_});
  std::multiset<std::string> names;
  for (const ordered_json& record : read_records(out_).records) {
    if (record["kind"] == "algorithm") names.insert(record["name"]);
  }
  std::multiset<std::string> known;
  for (const Algorithm* algorithm : all_algorithms()) known.insert(algorithm->info().name);
  EXPECT_EQ(names, known);
  const std::vector<ordered_json> shown = sortlab_with({"list", "algorithms", "planted_sort", "--records"}).lines();
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown.front(), algorithm_record(algorithm_named("planted_sort").info()));
}

TEST_F(CommandLine, RunResumesByKey) {
  configure(R"("planted_sort")");
  EXPECT_EQ(sortlab_with({"run", config_, "--out", out_}).status, 0);
  const std::size_t written = read_records(out_).records.size();
  EXPECT_EQ(written, 1 + all_algorithms().size() + 4);  // the run, the algorithms and four cells
  EXPECT_EQ(sortlab_with({"run", config_, "--out", out_}).status, 0);
  EXPECT_EQ(read_records(out_).records.size(), written);
  configure(R"("planted_sort")", "100,1000,2000");
  EXPECT_EQ(sortlab_with({"run", config_, "--out", out_}).status, 0);
  EXPECT_EQ(measurements(out_).size(), 6U);
  const Answer plan = sortlab_with({"run", config_, "--out", out_, "--dry-run", "--json"});
  ASSERT_EQ(plan.lines().size(), 6U);
  for (const ordered_json& line : plan.lines()) EXPECT_EQ(line["state"], "done");
}

TEST_F(CommandLine, ResumingTellsOfLossesAndRetriesOnlyWhatAKillCost) {
  configure(R"("planted_wrong","planted_killed","planted_sort")", "1000");
  std::ofstream{config_} << R"({"name":"t","protocol":{"samples":9},"sweeps":[{"algorithms":["planted_wrong",
      "planted_killed","planted_sort"],"n":[1000],"distributions":["uniform"]}]})";
  EXPECT_EQ(sortlab_with({"run", config_, "--out", out_}).status, 1);
  EXPECT_EQ(measurements(out_).size(), 3U);
  const Answer again = sortlab_with({"run", config_, "--out", out_});
  EXPECT_EQ(again.status, 1);
  EXPECT_NE(again.error.find("planted_wrong"), std::string::npos);
  EXPECT_EQ(measurements(out_).size(), 4U);
  EXPECT_EQ(sortlab_with({"run", config_, "--out", out_, "--retry"}).status, 1);
  EXPECT_EQ(measurements(out_).size(), 6U);
}

TEST_F(CommandLine, ShardsTogetherAreTheWhole) {
  configure(R"("planted_sort")", "10,100,1000,3000");
  std::multiset<std::string> together;
  for (int i = 1; i <= 3; ++i) {
    const std::string path = out_ + std::to_string(i);
    EXPECT_EQ(sortlab_with({"run", config_, "--out", path, "--shard", std::to_string(i) + "/3"}).status, 0);
    for (const ordered_json& record : measurements(path)) together.insert(record["cell"].get<std::string>());
  }
  EXPECT_EQ(sortlab_with({"run", config_, "--out", out_}).status, 0);
  std::multiset<std::string> whole;
  for (const ordered_json& record : measurements(out_)) whole.insert(record["cell"].get<std::string>());
  EXPECT_EQ(together, whole);
  EXPECT_EQ(whole.size(), 8U);
}

TEST_F(CommandLine, FilterAndDryRunWriteNothing) {
  configure(R"("planted_sort")");
  const Answer plan = sortlab_with({"run", config_, "--out", out_, "--filter", "u64 n=1000", "--dry-run", "--json"});
  EXPECT_EQ(plan.lines().size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(CommandLine, TheTimeBudgetLeavesCellsForNextTime) {
  std::ofstream{config_} << R"({"name":"t","protocol":{"samples":9},"sweeps":[{"algorithms":["planted_sort"],
      "n":[100,1000,2000,3000,"2^22"],"distributions":["uniform"]}]})";
  EXPECT_EQ(sortlab_with({"run", config_, "--out", out_, "--time-budget", "0.001s"}).status, 0);
  EXPECT_LT(measurements(out_).size(), 5U);
  EXPECT_EQ(sortlab_with({"run", config_, "--out", out_}).status, 0);
  EXPECT_EQ(measurements(out_).size(), 5U);
}

TEST_F(CommandLine, BadInputIsOneLineStatusTwoAndNothingWritten) {
  configure(R"("planted_sort")");
  std::ofstream{folder_ / "broken.json"} << "{\"name\":";
  std::ofstream{folder_ / "notes.md"} << "notes\n";
  const std::string broken = (folder_ / "broken.json").string();
  const std::vector<std::pair<std::vector<std::string>, std::string>> table{
      {{"bench", "--algorithm", "planted_srot"}, "did you mean 'planted_sort'"},
      {{"bench", "--algorithm", "planted_sort", "--key", "u33"}, "key: unknown type 'u33'"},
      {{"bench", "--algorithm", "planted_sort", "--value", "f32"}, "allowed: none, u32, u64"},
      {{"bench", "--algorithm", "planted_sort", "--n", "-5"}, "n: '-5'"},
      {{"bench", "--algorithm", "planted_sort", "--n", "2^99"}, "n: '2^99'"},
      {{"bench", "--algorithm", "planted_sort", "--dist", "unifrom"}, "did you mean 'uniform'"},
      {{"bench", "--algorithm", "planted_sort", "--dist", "thearling:ands=x"}, "ands"},
      {{"bench", "--algorithm", "planted_sort", "--param", "digit_bits=8"}, "param:"},
      {{"bench", "--algorithm", "planted_sort", "--preset", "paper"}, "preset"},
      {{"bench", "--algorithm", "planted_sort", "--threads", "0"}, "threads: '0'"},
      {{"bench", "--algorithm", "planted_sort", "--threads", "two"}, "threads: 'two'"},
      {{"bench", "--algorithm", "planted_sort", "--seed", "-1"}, "seed: '-1'"},
      {{"bench", "--algorithm", "planted_sort", "--samples", "0"}, "samples: '0'"},
      {{"bench", "--algorithm", "planted_sort", "--samples", "many"}, "samples: 'many'"},
      {{"bench", "--algorithm", "planted_sort", "--layout", "apart"}, "layout"},
      {{"bench", "--algorithm", "planted_sort", "--residency", "gpu"}, "residency: 'gpu'"},
      {{"bench", "--algorithm", "planted_sort", "--host-memory", "fast"}, "host_memory: 'fast'"},
      {{"bench", "--algorithm", "planted_sort", "--sample", "3"}, "--samples"},
      {{"bench"}, "algorithm"},
      {{"run", config_, "--shard", "5/3"}, "shard: '5/3'"},
      {{"run", config_, "--shard", "1"}, "shard: '1'"},
      {{"run", config_, "--filter", "nothing at all"}, "matches no cell"},
      {{"run", config_, "--filter", "(("}, "no regular expression"},
      {{"run", config_, "--time-budget", "soon"}, "time-budget: 'soon'"},
      {{"run", (folder_ / "missing.json").string()}, "no such file"},
      {{"run", broken}, "is not JSON"},
      {{"run", folder_.path().string()}, "is a folder"},
      {{"run"}, "config"},
  };
  for (auto [words, fragment] : table) {
    words.insert(words.end(), {"--out", out_});
    const Answer answer = sortlab_with(words);
    EXPECT_EQ(answer.status, 2) << answer.error;
    EXPECT_EQ(std::ranges::count(answer.error, '\n'), 1) << answer.error;
    EXPECT_NE(answer.error.find(fragment), std::string::npos) << answer.error;
    EXPECT_EQ(answer.out, "");
    EXPECT_FALSE(std::filesystem::exists(out_)) << answer.error;
  }
  const Answer foreign = sortlab_with({"run", config_, "--out", (folder_ / "notes.md").string()});
  EXPECT_EQ(foreign.status, 2) << foreign.error;
}

}  // namespace
}  // namespace sortlab
