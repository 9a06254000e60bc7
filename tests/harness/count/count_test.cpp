// Reading of ncu's output by `sortlab count`. A script replaces ncu. tests/data/ncu.csv is ncu's output for the first
// two passes of satish_split_radix and a part of cub_radix, u32, n = 2^24, on an H200, without unused columns.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/read_file.hpp"
#include "core/temporary_folder.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/count/count_record.hpp"
#include "harness/count/count_table.hpp"
#include "harness/count/metrics.hpp"
#include "harness/plan/sweep.hpp"

namespace sortlab {
namespace {

const std::string kData = SORTLAB_SOURCE_DIR "/tests/data/";
const std::string kFakeNcu = SORTLAB_SOURCE_DIR "/tests/harness/count/fake_ncu.sh";
constexpr std::uint64_t kN = std::uint64_t{1} << 24;

std::vector<KernelRow> rows() {
  return kernel_rows(*read_file(kData + "ncu.csv"), metrics_to_count(false));
}

std::vector<CellCounts> counted() {
  return cells_counted(*read_file(kData + "ncu_answers.jsonl"), *read_file(kData + "ncu.csv"), metrics_to_count(false));
}

std::vector<Cell> cells(double timeout_s = 60, std::uint64_t n = kN) {
  Sweep sweep;
  for (const char* name : {"satish_split_radix", "cub_radix"}) {
    sweep.algorithms.push_back({.algorithm = &algorithm_named(name), .preset = {}});
  }
  sweep.n = {n};
  sweep.distributions = {parse_distribution("uniform")};
  sweep.protocol.timeout_s = timeout_s;
  return expand_sweeps({sweep});
}

/// The script, in the given `mode`.
Ncu fake_ncu(const char* mode, const std::string& answers = kData + "ncu_answers.jsonl") {
  setenv("FAKE_NCU", mode, 1);
  setenv("FAKE_NCU_LOG", (kData + "ncu.csv").c_str(), 1);
  setenv("FAKE_NCU_ANSWERS", answers.c_str(), 1);
  setenv("FAKE_NCU_METRICS", (kData + "ncu.csv").c_str(), 1);
  return find_ncu(kFakeNcu);
}

NcuTool tool(const Ncu& ncu) {
  return {ncu, {.metrics = metrics_to_count(false)}};
}

std::string failure(const Ncu& ncu) {
  try {
    count_cells(cells(), tool(ncu));
  } catch (const CountingFailed& error) {
    return error.what();
  }
  return "";
}

TEST(KernelRows, HoldWhatNcuSaysOfALaunch) {
  const std::vector<KernelRow> kernels = rows();
  ASSERT_EQ(kernels.size(), 12u);
  const KernelRow& first = kernels.front();
  EXPECT_EQ(first.name, "count_digits");
  EXPECT_EQ(first.grid, "(2731, 1, 1)");
  EXPECT_EQ(first.block, "(128, 1, 1)");
  EXPECT_EQ(first.registers, 30);
  EXPECT_EQ(first.shared_bytes, 2112);
  EXPECT_EQ(first.sort, 0u);
  EXPECT_EQ(first.reading, 1);
  EXPECT_EQ(first.metrics.at("smsp__inst_executed.sum"), 9393692);
  EXPECT_EQ(first.metrics.at("dram__throughput.avg.pct_of_peak_sustained_elapsed"), 63.02);
  EXPECT_FALSE(first.metrics.contains("gpu__time_duration.sum"));
  EXPECT_EQ(kernels[1].reading, 3) << "within a library's own range";
  EXPECT_EQ(kernels.back().sort, 1u);
}

TEST(KernelRows, TornAndForeignLinesAreLeftOut) {
  std::string log = *read_file(kData + "ncu.csv");
  EXPECT_EQ(kernel_rows(log.substr(0, log.size() - 40), metrics_to_count(false)).size(), 11u);
  EXPECT_TRUE(kernel_rows("", metrics_to_count(false)).empty());
  const auto range = log.find("sortlab_0_1:");
  EXPECT_EQ(kernel_rows(log.replace(range, 11, "somebodys_0"), metrics_to_count(false)).size(), 11u);
  EXPECT_THROW(kernel_rows("\"ID\",\"x\"\n\"0\",\"sortlab_0_0\"\n", {}), BadInput);
}

TEST(PhaseCounts, KernelsGoToThePhaseThatLaunchedThem) {
  const std::vector<CellCounts> counts = counted();
  ASSERT_EQ(counts.size(), 2u);
  const std::vector<PhaseCounts>& phases = counts.front().phases;
  std::vector<std::string> names;
  for (const PhaseCounts& phase : phases) names.push_back(phase.name + std::to_string(phase.pass));
  EXPECT_EQ(names, (std::vector<std::string>{"histogram0", "scan0", "scatter0", "histogram1", "scan1", "scatter1"}));
  EXPECT_EQ(phases[1].kernels.size(), 2u);
  EXPECT_EQ(phases[1].counters.at("instructions"), 76 + 139048);
  EXPECT_EQ(phases[0].counters.at("global_load_sectors"), kN * 4 / 32);
  EXPECT_EQ(phases[0].binding, "dram");
  EXPECT_EQ(phases[1].binding, "latency");
  EXPECT_NEAR(phases[0].utilisation.at("dram"), 0.6302, 1e-9);
}

TEST(PhaseCounts, KernelsOutsideAllPhasesStandAlone) {
  std::vector<std::string> names;
  const std::vector<CellCounts> counts = counted();
  for (const PhaseCounts& phase : counts.back().phases) names.push_back(phase.name + std::to_string(phase.pass));
  EXPECT_EQ(names, (std::vector<std::string>{"DeviceRadixSortHistogramKernel0", "DeviceRadixSortExclusiveSumKernel0",
                                             "DeviceRadixSortOnesweepKernel0", "DeviceRadixSortOnesweepKernel1"}));
  EXPECT_EQ(counts.back().phases[0].binding, "shared");
}

TEST(PhaseCounts, TheInnermostSpanCounts) {
  const std::vector<CountedSpan> spans{{"pass", 0, 1, 6}, {"scan", 0, 2, 4}};
  EXPECT_EQ(innermost(spans, 0), nullptr);
  EXPECT_EQ(innermost(spans, 1)->name, "pass");
  EXPECT_EQ(innermost(spans, 3)->name, "scan");
  EXPECT_EQ(innermost(spans, 4)->name, "pass");
  EXPECT_EQ(innermost(spans, 6), nullptr);
}

TEST(Metrics, TheResourceOfLargestShareBindsFromAThresholdOn) {
  EXPECT_EQ(binding_resource({{"dram", 0.7}, {"issue", 0.65}}), "dram");
  EXPECT_EQ(binding_resource({{"dram", 0.7}, {"issue", 0.75}}), "issue");
  EXPECT_EQ(binding_resource({{"dram", 0.59}, {"issue", 0.2}}), "latency");
}

TEST(Ncu, IsFoundOrMissedWithAReason) {
  EXPECT_EQ(fake_ncu("work").version, "2025.3.1.0");
  EXPECT_EQ(fake_ncu("mute").reason, "'" + kFakeNcu + " --version' names no version");
  EXPECT_EQ(find_ncu("/no/ncu").reason, "'/no/ncu' is no program");
  EXPECT_EQ(find_ncu("/usr").reason, "'/usr' is no program");
}

TEST(Ncu, MetricsThatTheDeviceLacksAreNotAskedFor) {
  const TemporaryFolder folder;
  const std::string path = folder.file("metrics");
  std::ofstream{path} << "smsp__inst_executed\ndram__bytes_read\n";
  const Ncu ncu = fake_ncu("work");
  setenv("FAKE_NCU_METRICS", path.c_str(), 1);
  EXPECT_EQ(known_metrics(ncu, metrics_to_count(true)),
            (std::vector<std::string>{"smsp__inst_executed.sum", "dram__bytes_read.sum"}));
}

TEST(CountCells, HaveTheirPhases) {
  const std::vector<CellCounts> counts = count_cells(cells(), tool(fake_ncu("work")));
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(to_name(counts[0].status), "ok");
  EXPECT_EQ(counts[0].phases.size(), 6u);
  EXPECT_EQ(counts[1].phases.size(), 4u);
}

TEST(CountCells, WithoutPermissionSayWhoGivesIt) {
  EXPECT_NE(failure(fake_ncu("refuse")).find("ERR_NVGPUCTRPERM"), std::string::npos);
  EXPECT_EQ(failure(fake_ncu("silent")), "the program ended under ncu before its first sort");
}

TEST(CountCells, ASortThatDiesCostsItselfAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.file("answers");
  std::ofstream{path} << "{\"sort\":0,\"event\":\"begin\"}\n{\"sort\":0,\"ev";
  const std::vector<CellCounts> counts = count_cells(cells(), tool(fake_ncu("work", path)));
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(to_name(counts[0].status), "crashed");
  EXPECT_TRUE(counts[0].phases.empty());
}

TEST(CountCells, ASortThatHangsIsEnded) {
  const std::vector<CellCounts> counts = count_cells(cells(0.02, 1000), tool(fake_ncu("hang")));
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(to_name(counts[0].status), "timeout");
  EXPECT_NE(counts[0].reason.find("took longer than"), std::string::npos);
}

TEST(CountCells, AWrongResultHasNoCounts) {
  const TemporaryFolder folder;
  const std::string path = folder.file("wrong");
  std::ofstream{path} << R"({"sort":0,"event":"begin"})" << '\n'
                      << R"({"sort":0,"event":"end","status":"wrong","reason":"not sorted","spans":[]})" << '\n';
  const CellCounts wrong = count_cells({cells().front()}, tool(fake_ncu("work", path))).front();
  EXPECT_EQ(to_name(wrong.status), "wrong");
  const auto record = count_record(cells().front(), wrong, tool(fake_ncu("work")).description(), 0, "run", "machine");
  EXPECT_EQ(record.at("reason"), "not sorted");
  EXPECT_FALSE(record.contains("phases") || record.contains("totals"));
}

TEST(CountRecord, HoldsCountsAnElementAndNoTime) {
  const CellCounts split = counted().front();
  const auto record = count_record(cells().front(), split, tool(fake_ncu("work")).description(), 0, "run", "machine");
  EXPECT_EQ(record.at("kind"), "count");
  const auto& histogram = record.at("phases").at(0);
  EXPECT_NEAR(histogram.at("per_element").at("global_load_sectors").get<double>(), 0.125, 1e-9);
  double instructions = 0;
  for (const PhaseCounts& phase : split.phases) instructions += phase.counters.at("instructions") / kN;
  EXPECT_NEAR(record.at("totals").at("instructions").get<double>(), instructions, 1e-5);
  EXPECT_EQ(record.dump().find("duration"), std::string::npos);
  EXPECT_FALSE(count_record(cells().front(), split, tool(fake_ncu("work")).description(), 2, "run", "machine")
                   .contains("totals"))
      << "of some passes only";
}

TEST(CountTable, HasARowAPhase) {
  const std::string text = count_table(cells().front().subject, counted().front(), nullptr);
  for (const char* phase : {"histogram", "scan", "scatter"}) EXPECT_NE(text.find(phase), std::string::npos);
}

}  // namespace
}  // namespace sortlab
