#include "harness/compare/merge.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <system_error>

#include "core/parameters.hpp"
#include "core/read_file.hpp"
#include "core/temporary_folder.hpp"
#include "harness/record/algorithm_record.hpp"
#include "harness/record/record_reader.hpp"
#include "tests/support/whole_records.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

std::string measurement(const std::string& key, const std::string& run, double median) {
  const nlohmann::ordered_json members{{"key", digest_for(key)}, {"run", run_for(run)}};
  return timed_record(whole_record("measurement", members), std::vector<double>(5, median)).dump() + "\n";
}

class Merge : public ::testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream{folder_ / name, std::ios::binary} << text;
    return folder_ / name;
  }
  std::string content(const fs::path& path) const { return read_file(path).value_or(""); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator{folder_.path()}, fs::directory_iterator{}));
  }

  const TemporaryFolder folder_;
};

TEST_F(Merge, IsAnIdempotentUnion) {
  const fs::path a = write("a.jsonl", measurement("k1", "r1", 1) + measurement("k2", "r1", 2));
  const fs::path b = write("b.jsonl", measurement("k2", "r1", 2) + measurement("k1", "r2", 3));
  const fs::path c = folder_ / "c.jsonl";
  const MergeReport first = merge({a, b}, c);
  EXPECT_EQ(first.records, 3U);
  EXPECT_EQ(first.duplicates, 1U);
  const std::string once = content(c);
  EXPECT_EQ(once, measurement("k1", "r1", 1) + measurement("k2", "r1", 2) + measurement("k1", "r2", 3));
  merge({a, b}, c);
  merge({b, c, a}, c);
  EXPECT_EQ(content(c), once);
  EXPECT_EQ(files(), 3U) << "no temporary file is left";
}

TEST_F(Merge, KeepsWhatStandsInTheOutput) {
  const fs::path c = write("c.jsonl", measurement("k0", "r0", 1));
  merge({write("a.jsonl", measurement("k1", "r1", 1))}, c);
  EXPECT_EQ(read_records(c).records.size(), 2U);
}

TEST_F(Merge, KeepsWhatEachBuildSaysOfAnAlgorithmOnce) {
  const auto algorithm = [](const std::string& family) {
    nlohmann::ordered_json record = algorithm_record(algorithm_named("std_sort").info());
    record["family"] = family;
    return record.dump() + "\n";
  };
  const fs::path a = write("a.jsonl", algorithm("comparison"));
  const fs::path b = write("b.jsonl", algorithm("comparison") + algorithm("unknown"));
  const MergeReport report = merge({a, b}, folder_ / "c.jsonl");
  EXPECT_TRUE(report.conflicts.empty());
  EXPECT_EQ(report.duplicates, 1U);
  EXPECT_EQ(content(folder_ / "c.jsonl"), algorithm("comparison") + algorithm("unknown"));
}

TEST_F(Merge, KeepsLinesAsTheyWereWritten) {
  const auto with_value = [](const std::string& begin, const std::string& value) {
    std::string text = whole_record("published", {{"value", 77}}).dump();
    text.replace(text.find(R"("value":77)"), 10, R"("value": )" + value);
    return begin + text.substr(std::string_view{R"({"schema":1,"kind":"published",)"}.size());
  };
  const std::string line = with_value(R"({"kind": "published",  "schema":1, )", "1e-05");
  const fs::path c = folder_ / "c.jsonl";
  // A record with its members in another order is the same record.
  merge({write("a.jsonl", line + "\n"),
         write("b.jsonl", with_value(R"({"schema":1,"kind":"published",)", "0.00001") + "\n")},
        c);
  EXPECT_EQ(content(c), line + "\n");
}

TEST_F(Merge, NamesConflictsAndWritesNothing) {
  const fs::path a = write("a.jsonl", measurement("k1", "r1", 1));
  const fs::path b = write("b.jsonl", measurement("k9", "r1", 2) + measurement("k1", "r1", 2));
  const fs::path c = folder_ / "c.jsonl";
  const MergeReport report = merge({a, b}, c);
  ASSERT_EQ(report.conflicts.size(), 1U);
  EXPECT_EQ(report.conflicts[0],
            "measurement key " + digest_for("k1") + " run " + run_for("r1") + ": " + a.string() + ":1 and " +
                b.string() +
                ":2 differ in bytes_per_s, ci95_s, cpe_core, cpe_wall, keys_per_s, mean_s, median_s, min_s, samples_s");
  EXPECT_FALSE(fs::exists(c));
}

TEST_F(Merge, RefusesFilesThatContradictEachOther) {
  nlohmann::ordered_json here = nlohmann::ordered_json::parse(measurement("k1", "r1", 1));
  nlohmann::ordered_json there = nlohmann::ordered_json::parse(measurement("k2", "r1", 1));
  const std::string machine = here["machine"];
  there["machine"] = "another-2c-00000000";
  const fs::path a = write("a.jsonl", here.dump() + "\n");
  const fs::path b = write("b.jsonl", there.dump() + "\n");
  const fs::path c = folder_ / "c.jsonl";
  const MergeReport report = merge({a, b}, c);
  ASSERT_EQ(report.conflicts.size(), 1U);
  EXPECT_EQ(report.conflicts[0],
            b.string() + ":1: machine: must be " + machine + ", that of its run on " + a.string() + ":1");
  EXPECT_FALSE(fs::exists(c)) << "no command could read it";
}

TEST_F(Merge, LeavesOutTornLinesAndSaysSo) {
  const fs::path a = write("a.jsonl", measurement("k1", "r1", 1) + R"({"schema":1,"ki)");
  const MergeReport report = merge({a}, folder_ / "c.jsonl");
  EXPECT_EQ(report.records, 1U);
  ASSERT_EQ(report.notes.size(), 1U);
}

TEST_F(Merge, RefusesWhatItCannotName) {
  nlohmann::ordered_json record = whole_record("measurement");
  record.erase("key");
  const fs::path a = write("a.jsonl", record.dump() + "\n");
  EXPECT_THROW(merge({a}, folder_ / "c.jsonl"), BadInput);
  EXPECT_FALSE(fs::exists(folder_ / "c.jsonl"));
  const fs::path source = write("notes.txt", "not a record\n");
  EXPECT_THROW(merge({write("b.jsonl", measurement("k", "r", 1))}, source), BadInput);
  EXPECT_EQ(content(source), "not a record\n");
}

TEST_F(Merge, WaitsForNoRunButRefuses) {
  const fs::path c = write("c.jsonl", measurement("k0", "r0", 1));
  const int run = open(c.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(run, LOCK_EX | LOCK_NB), 0);
  EXPECT_THROW(merge({write("a.jsonl", measurement("k1", "r1", 1))}, c), BadInput);
  close(run);
  EXPECT_EQ(merge({folder_ / "a.jsonl"}, c).records, 2U);
}

TEST_F(Merge, AFullDiskChangesNothing) {
  const fs::path c = write("c.jsonl", measurement("k0", "r0", 1));
  const std::string before = content(c);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += measurement(fmt::format("k{}", i), "r1", 1);
  const fs::path a = write("a.jsonl", many);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit small{4096, old_limit.rlim_max};  // simulates a full disk: writing beyond it fails
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(merge({a}, c), std::runtime_error);
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(content(c), before);
  EXPECT_EQ(files(), 2U);
}

}  // namespace
}  // namespace sortlab
