// `sortlab run`, with planted sorts: records, resuming, shards and budgets.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "harness/record/algorithm_record.hpp"
#include "tests/support/command_line_runs.hpp"
#include "tests/support/misbehaving_sorts.hpp"
#include "tests/support/planted_sorts.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;
using RunCommand = CommandLineRuns;

TEST_F(RunCommand, AnInputTooLargeForTheMemoryIsSkippedAndTheRunGoesOn) {
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

TEST_F(RunCommand, AFailureByAKnownLimitIsAResult) {
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

TEST_F(RunCommand, RunRecordsEachAlgorithmOnce) {
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

TEST_F(RunCommand, RunResumesByKey) {
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

TEST_F(RunCommand, ResumingTellsOfLossesAndRetriesOnlyWhatAKillCost) {
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

TEST_F(RunCommand, ShardsTogetherAreTheWhole) {
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

TEST_F(RunCommand, FilterAndDryRunWriteNothing) {
  configure(R"("planted_sort")");
  const Answer plan = sortlab_with({"run", config_, "--out", out_, "--filter", "u64 n=1000", "--dry-run", "--json"});
  EXPECT_EQ(plan.lines().size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(RunCommand, TheTimeBudgetLeavesCellsForNextTime) {
  std::ofstream{config_} << R"({"name":"t","protocol":{"samples":9},"sweeps":[{"algorithms":["planted_sort"],
      "n":[100,1000,2000,3000,"2^22"],"distributions":["uniform"]}]})";
  EXPECT_EQ(sortlab_with({"run", config_, "--out", out_, "--time-budget", "0.001s"}).status, 0);
  EXPECT_LT(measurements(out_).size(), 5U);
  EXPECT_EQ(sortlab_with({"run", config_, "--out", out_}).status, 0);
  EXPECT_EQ(measurements(out_).size(), 5U);
}

}  // namespace
}  // namespace sortlab
