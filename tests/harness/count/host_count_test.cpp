// The report of `sortlab count` on a host sort, with counts planted in callgrind's file, in counters and in a model.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "core/temporary_folder.hpp"
#include "harness/count/count_record.hpp"
#include "harness/count/count_table.hpp"
#include "harness/count/host_tools.hpp"
#include "harness/count/model_operations.hpp"
#include "harness/measure/counted_call.hpp"
#include "harness/plan/sweep.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

constexpr const char* kEvents = "events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\n";

std::string part(int number, const std::string& trigger, const std::string& totals) {
  return "part: " + std::to_string(number) + "\n\ndesc: Trigger: " + trigger + "\n\n" + kEvents + "summary: " + totals +
         "\n\nfn=(1) some_function\n16 400 3 4\n\ntotals: " + totals + "\n";
}

const std::string kBefore = "--dump-before=sortlab_counted_call";
const std::string kReading = "--dump-before=sortlab_phase_reading";
const std::string kAfter = "--dump-after=sortlab_counted_call";

/// Two sorts: the first of two passes of a phase, the second without phases.
std::string planted() {
  return part(1, kBefore, "0") + part(2, kReading, "10 1 1") + part(3, kReading, "1000 400 200 0 0 0 0 0 0 50 9 5") +
         part(4, kReading, "20") + part(5, kReading, "3000 800 600 0 0 0 0 0 0 70") + part(6, kAfter, "5") +
         part(7, kBefore, "0") + part(8, kAfter, "77 7 6") + part(9, "Program termination", "0");
}

std::string answer(int sort, int readings, const char* spans, const char* status = "ok") {
  return R"({"sort":)" + std::to_string(sort) + R"(,"event":"begin"})" + "\n" + R"({"sort":)" + std::to_string(sort) +
         R"(,"event":"end","status":")" + status + R"(","reason":"not sorted","simd":"AVX2","readings":)" +
         std::to_string(readings) + R"(,"between":[],"spans":)" + spans + "}\n";
}

const std::string kAnswers = answer(0, 4, R"([["scatter",0,1,2],["scatter",1,3,4]])") + answer(1, 0, "[]");

std::vector<Cell> host_cells(int threads = 1) {
  Sweep sweep;
  sweep.algorithms = {{.algorithm = &algorithm_named("satish_cpu_radix"),
                       .preset = {},
                       .parameters = {{"digit_bits", "8"}, {"buffer_lines_log2", "2"}}},
                      {.algorithm = &algorithm_named("std_sort"), .preset = {}}};
  sweep.n = {1000};
  sweep.threads = {threads};
  sweep.distributions = {parse_distribution("uniform")};
  return expand_sweeps({sweep});
}

Valgrind fake_valgrind(const char* mode, const std::string& file = planted(), const std::string& answers = kAnswers) {
  static const TemporaryFolder folder;  // one for each process, since the cases run in parallel
  std::ofstream{folder.file("callgrind")} << file;
  std::ofstream{folder.file("answers")} << answers;
  setenv("FAKE_VALGRIND", mode, 1);
  setenv("FAKE_CALLGRIND", folder.file("callgrind").c_str(), 1);
  setenv("FAKE_ANSWERS", folder.file("answers").c_str(), 1);
  return find_valgrind(SORTLAB_SOURCE_DIR "/tests/harness/count/fake_valgrind.sh");
}

std::string failure(const Valgrind& valgrind) {
  try {
    count_cells(host_cells(), CallgrindTool(valgrind, 0));
  } catch (const CountingFailed& error) {
    return error.what();
  }
  return "";
}

TEST(Callgrind, PartsHaveTheirTriggerAndTheirEvents) {
  const std::vector<CallgrindPart> parts = callgrind_parts(planted());
  ASSERT_EQ(parts.size(), 9u);
  EXPECT_EQ(parts[2].trigger, kReading);
  EXPECT_EQ(parts[2].events.at("Ir"), 1000);
  EXPECT_EQ(parts[2].events.at("Bc"), 50);
  EXPECT_EQ(parts[4].events.at("Bi"), 0) << "zeros at the end are left out of the file";
}

TEST(Callgrind, ATornLastPartIsLeftOut) {
  const std::string file = planted();
  EXPECT_EQ(callgrind_parts(file.substr(0, file.rfind("totals"))).size(), 8u);
  EXPECT_TRUE(callgrind_parts("").empty());
}

TEST(Callgrind, ACallIsWhatLiesBetweenItsBeginAndItsEnd) {
  const auto calls = counted_calls(callgrind_parts(planted()));
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].size(), 5u);
  EXPECT_EQ(calls[1].size(), 1u);
  EXPECT_EQ(calls[1].front().at("loads"), 7);
  // A sort that throws has no end, and later sorts keep their own counts.
  std::string file = planted();
  file.replace(file.find(kAfter), kAfter.size(), kReading);
  EXPECT_EQ(counted_calls(callgrind_parts(file)).size(), 1u);
}

TEST(Valgrind, IsFoundOrMissedWithAReason) {
  EXPECT_EQ(fake_valgrind("work").version, "3.19.0");
  EXPECT_NE(fake_valgrind("mute").reason.find("names no version"), std::string::npos);
  EXPECT_EQ(find_valgrind("/no/valgrind").reason, "'/no/valgrind' is no program");
}

TEST(HostCounts, GoToThePhaseInWhichTheyWereCounted) {
  const std::vector<CellCounts> counts = count_cells(host_cells(), CallgrindTool(fake_valgrind("work"), 0));
  ASSERT_EQ(counts.size(), 2u);
  const std::vector<PhaseCounts>& phases = counts[0].phases;
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_EQ(phases[0].name, "outside phases");
  EXPECT_EQ(phases[0].counters.at("instructions"), 10 + 20 + 5);
  EXPECT_EQ(phases[1].name, "scatter");
  EXPECT_EQ(phases[1].counters.at("branches"), 50);
  EXPECT_EQ(phases[2].pass, 1);
  EXPECT_EQ(phases[2].counters.at("stores"), 600);
  EXPECT_EQ(counts[1].phases.front().counters.at("instructions"), 77);
  EXPECT_EQ(count_cells(host_cells(), CallgrindTool(fake_valgrind("work"), 1)).front().phases.size(), 2u)
      << "pass 0 alone";
}

TEST(HostCounts, OfAnotherNumberOfReadingsAreNone) {
  const std::string answers = answer(0, 3, "[]") + answer(1, 0, "[]");
  const std::vector<CellCounts> counts =
      count_cells(host_cells(), CallgrindTool(fake_valgrind("work", planted(), answers), 0));
  EXPECT_EQ(to_name(counts[0].status), "failed");
  EXPECT_EQ(to_name(counts[1].status), "ok");
}

TEST(HostCounts, AWrongResultHasNone) {
  const std::string answers = answer(0, 4, "[]", "wrong") + answer(1, 0, "[]");
  const auto counts = count_cells(host_cells(), CallgrindTool(fake_valgrind("work", planted(), answers), 0));
  EXPECT_EQ(to_name(counts[0].status), "wrong");
  EXPECT_TRUE(counts[0].phases.empty());
  EXPECT_EQ(counts[1].phases.front().counters.at("instructions"), 77) << "and the next sort keeps its own";
}

TEST(HostCounts, SayWhatValgrindComplainsOf) {
  EXPECT_NE(failure(fake_valgrind("refuse")).find("valgrind: failed to start tool"), std::string::npos);
  EXPECT_NE(failure(fake_valgrind("stripped")).find("lost its symbols"), std::string::npos);
}

TEST(HostCounts, AreRecordedWithTheModelsOperationsAndWithoutTime) {
  const CallgrindTool tool(fake_valgrind("work"), 0);
  const std::vector<Cell> all = host_cells();
  const std::vector<CellCounts> counts = count_cells(all, tool);
  const ordered_json record = count_record(all[0], counts[0], tool.description(), 0, "run", "machine");
  EXPECT_EQ(record.at("tool").at("name"), "callgrind");
  EXPECT_EQ(record.at("tool").at("simd"), "AVX2");
  EXPECT_FALSE(record.contains("device"));
  EXPECT_NEAR(record.at("totals").at("instructions").get<double>(), 4.035, 1e-9);
  EXPECT_EQ(record.dump().find("seconds"), std::string::npos);
  double scattered = 0;
  for (const auto& phase : record.at("model").at("phases")) {
    if (phase.at("name") == "scatter") scattered += phase.at("per_element").at("elements").get<double>();
  }
  EXPECT_EQ(scattered, 4) << "32 bits in digits of 8";
  EXPECT_FALSE(count_record(all[1], counts[1], tool.description(), 0, "run", "machine").contains("model"));
  EXPECT_NE(count_table(all[0].subject, counts[0], nullptr).find("scatter has elements 4"), std::string::npos);
}

/// Counts how often it was started.
class PlantedCounters final : public Counters {
 public:
  void start() override { started_ = true; }
  CounterValues stop() override {
    EXPECT_TRUE(std::exchange(started_, false));
    return {{"instructions", ++stops_}};
  }

 private:
  bool started_ = false;
  int stops_ = 0;
};

class PlantedSort final : public Runnable {
 public:
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    for (int pass = 0; pass < 2; ++pass) const auto scope = phases.phase("scatter", pass);
    return data;
  }
  Postcondition postcondition() const override { return {}; }
};

TEST(ReadingClock, TakesWhatCountersCountBetweenReadings) {
  PlantedCounters counters;
  ReadingClock clock(&counters);
  PhaseTimer phases(1, &clock);
  PlantedSort sort;
  counted_call(sort, {}, phases, clock);
  EXPECT_EQ(clock.readings(), 4);
  const std::vector<CounterValues> between = clock.take();
  ASSERT_EQ(between.size(), 5u);
  ordered_json told{{"readings", clock.readings()}, {"spans", ordered_json::array()}};
  for (const PhaseSpan& span : phases.lanes().front()) {
    told["spans"].push_back({span.name, span.pass, span.begin_ns, span.end_ns});
  }
  const std::vector<PhaseCounts> counts = host_phases(told, between, 0);
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_EQ(counts[1].counters.at("instructions"), 2);
  EXPECT_EQ(counts[2].counters.at("instructions"), 4);
}

}  // namespace
}  // namespace sortlab
