// `sortlab bench`, with planted sorts.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command_line_runs.hpp"
#include "tests/support/misbehaving_sorts.hpp"
#include "tests/support/planted_sorts.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;
using BenchCommand = CommandLineRuns;

/// A sort with two parameters, one of whose values is too long for a string to hold in place.
Info planted_parameters() {
  Info info = planted_info("planted_with_parameters");
  info.parameters = {{.name = "digit_bits", .meaning = "ignored", .standard = std::int64_t{8}, .range = {1, 16}},
                     {.name = "manner",
                      .meaning = "ignored",
                      .standard = "a_manner_with_a_long_name",
                      .choices = {"a_manner_with_a_long_name", "other"}}};
  return info;
}
const PlantedAlgorithm planted_with_parameters{std::make_unique<SimpleSort<PlantedSort>>(planted_parameters())};

TEST_F(BenchCommand, BenchGivesOneRecordACell) {
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

TEST_F(BenchCommand, SamplesAreCountsLikeElements) {
  const Answer answer =
      sortlab_with({"bench", "--algorithm", "planted_sort", "--n", "1e3", "--samples", "1e1", "--json"});
  EXPECT_EQ(answer.status, 0) << answer.error;
  EXPECT_EQ(answer.lines().at(0)["samples_s"].size(), 10U);
  EXPECT_EQ(answer.lines().at(0)["case"]["n"], 1000);
}

TEST_F(BenchCommand, SkippedCellsAreListedAndNoError) {
  const Answer answer = sortlab_with({"bench", "--algorithm", "planted_sort", "--threads", "2", "--n", "10", "--json"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.lines().at(0)["status"], "skipped");
  EXPECT_NE(answer.error.find("is sequential"), std::string::npos);
}

TEST_F(BenchCommand, LostCellsAreNamedAndAnError) {
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

TEST_F(BenchCommand, AFailureThatNoLimitNamesIsLost) {
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

/// The columns of a table that `bench` prints, by name, up to the first whose values hold a space (median).
std::map<std::string, std::vector<std::string>> columns(const std::string& table) {
  std::istringstream lines{table};
  std::string line;
  std::getline(lines, line);
  const auto words = [](const std::string& text) {
    std::istringstream stream{text};
    return std::vector<std::string>{std::istream_iterator<std::string>{stream}, {}};
  };
  std::vector<std::string> heads = words(line);
  heads.erase(std::ranges::find(heads, "median"), heads.end());
  std::map<std::string, std::vector<std::string>> found;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = words(line);
    for (std::size_t i = 0; i < std::min(heads.size(), cells.size()); ++i) found[heads[i]].push_back(cells[i]);
  }
  return found;
}

TEST_F(BenchCommand, TheTableNamesASortWithItsParameters) {
  const Answer answer = sortlab_with({"bench", "--algorithm", "planted_with_parameters", "--param", "digit_bits=4",
                                      "--param", "digit_bits=11", "--n", "1000", "--samples", "3"});
  ASSERT_EQ(answer.status, 0) << answer.error;
  const auto table = columns(answer.out);
  std::vector<std::string> names = table.at("algorithm");
  std::ranges::sort(names);  // rows come as cells end
  EXPECT_EQ(names, (std::vector<std::string>{"planted_with_parameters:digit_bits=11,manner=a_manner_with_a_long_name",
                                             "planted_with_parameters:digit_bits=4,manner=a_manner_with_a_long_name"}));
  EXPECT_EQ(table.at("type"), (std::vector<std::string>{"u32", "u32"}));
  EXPECT_EQ(table.at("n"), (std::vector<std::string>{"1000", "1000"}));
  EXPECT_EQ(table.at("distribution"), (std::vector<std::string>{"uniform", "uniform"}));
  EXPECT_EQ(table.at("thr"), (std::vector<std::string>{"1", "1"}));
}

TEST_F(BenchCommand, TheTableShowsAPairsTypeAndAFailedCellsReason) {
  const Answer answer =
      sortlab_with({"bench", "--algorithm", "planted_sort", "--algorithm", "planted_with_parameters", "--value", "u64",
                    "--n", "1000", "--samples", "3", "--threads", "1", "--threads", "2"});
  EXPECT_EQ(answer.status, 0) << answer.error;
  EXPECT_NE(answer.out.find("u32/u64"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("skipped: "), std::string::npos) << answer.out;
}

}  // namespace
}  // namespace sortlab
