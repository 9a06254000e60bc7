// The micro-benchmarks' kernels do what their names say, probes make tables, and rounds give medians with intervals.
// Times are not tested, since they depend on the machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>
#include <vector>

#include "algorithms/common/host/overlap_exponent.hpp"
#include "harness/calibrate/host/kernels.hpp"
#include "harness/plan/automatic.hpp"
#include "models/cost.hpp"
#include "tests/support/host_probe_bench.hpp"
#include "tests/support/probe_tables.hpp"

namespace sortlab::calibration {
namespace {

TEST(Words, DigitsHaveTheCollisionEntropyTheyAreListedWith) {
  std::vector<std::uint32_t> uniform(1 << 20);
  std::vector<std::uint32_t> biased(1 << 20);
  fill_uniform(uniform, 1);
  fill_biased_halves(biased, 2);
  for (const Digit& digit : kDigits) {
    if (digit.bits > 11) continue;  // too many values for this many words
    std::vector<double> shares(std::size_t{1} << digit.bits);
    for (const std::uint32_t word : digit.uniform ? uniform : biased)
      shares[(word >> digit.shift) & (shares.size() - 1)] += 1.0 / (1 << 20);
    double equal = 0;
    for (const double share : shares) equal += share * share;
    EXPECT_NEAR(-std::log2(equal), digit.collision_bits, 0.01) << digit.width;
  }
}

TEST(Kernels, RunsArriveWhole) {
  Arena arena{1 << 20, 1};
  std::vector<std::uint32_t> cursors(1 << 4);
  copy_runs<Store::nontemporal>({arena.out_words.data(), arena.bytes}, arena.next_bytes(arena.words, 1 << 16), 256, 4,
                                arena.order, cursors);
  EXPECT_EQ(std::accumulate(cursors.begin(), cursors.end(), 0U), 1U << 16);
  const std::size_t first = arena.order[0] & 15;
  EXPECT_EQ(std::memcmp(arena.out_words.data() + first * (arena.bytes >> 4), arena.words.data(), 256), 0);
}

TEST(Probes, OfEverySortGiveTablesOfComponents) {
  HostBench bench = small_bench(1);
  const auto of_sorts = [](const HostProbe& probe) { return probe.kind == TableKind::component; };
  for (const auto& [name, table] : measure_tables(host_probes(), bench, of_sorts)) {
    EXPECT_EQ(table.kind, "component") << name;
    if (table.unit != "s/element") continue;
    for (const auto& point : table.points) EXPECT_LT(point.value, 1e-5) << name;
  }
}

TEST(Probes, OfTheMachineGiveTablesOfHardware) {
  std::vector<HostProbe> of_machine;
  std::ranges::copy_if(host_probes(), std::back_inserter(of_machine),
                       [](const HostProbe& probe) { return probe.kind == TableKind::hardware; });
  HostBench bench = small_bench(1);
  TimedRounds rounds{[](const auto& probe) { return Sample{.value = probe()}; }};
  rounds.add_all(of_machine, bench);
  rounds.run(1, 0, [](double) {});
  Tables tables;
  rounds.write_to(tables);
  for (const auto& [name, table] : tables) EXPECT_EQ(table.kind, "hardware") << name;
  EXPECT_TRUE(tables.contains("read"));
}

TEST(Probes, ComeByName) {
  EXPECT_TRUE(std::ranges::is_sorted(host_probes(), {}, &HostProbe::name));
  EXPECT_TRUE(std::ranges::is_sorted(device_probes(), {}, &DeviceProbe::name));
}

TEST(OverlapExponent, InvertsTheNormOfTheModels) {
  for (const double p : {1.0, 1.5, 3.0, 8.0}) {
    const std::vector<double> alone{2e-3, 3e-3};
    EXPECT_NEAR(overlap_exponent(alone[0], alone[1], overlapped(alone, p)), p, 1e-6);
  }
  EXPECT_NEAR(overlap_exponent(1, 1, 3), 1, 1e-6);  // longer than the sum of both
  EXPECT_NEAR(overlap_exponent(1, 1, 1), 16, 1e-6);
}

TEST(Rounds, RefuseASecondTableOfTheSameName) {
  TimedRounds rounds{[](const auto& probe) { return Sample{.value = probe()}; }};
  rounds.declare("time", "s", "a test", {});
  EXPECT_THROW(rounds.declare("time", "s", "another", {}), std::logic_error);
}

TEST(Rounds, GiveMediansWithIntervals) {
  TimedRounds rounds{[](const auto& probe) { return Sample{.value = probe()}; }};
  rounds.declare("constant", "s", "a test", {"x"});
  rounds.declare("rising", "s", "a test", {});
  rounds.add("constant", {2}, [] { return 5.0; });
  double next = 0;
  rounds.add("rising", {}, [&next] { return next++; });
  rounds.run(9, 0, [](double share) { EXPECT_LE(share, 1); });
  std::map<std::string, ProfileTable, std::less<>> tables;
  rounds.write_to(tables);
  EXPECT_EQ(tables.at("constant").points.at(0).value, 5);
  EXPECT_EQ(tables.at("constant").points.at(0).at, std::vector<double>{2});
  EXPECT_EQ(tables.at("rising").points.at(0).value, 5);  // 1 … 9: the first round is discarded
  EXPECT_LT(tables.at("rising").points.at(0).ci95->first, 5);
  EXPECT_GT(tables.at("rising").points.at(0).ci95->second, 5);
}

TEST(Rounds, SamplesOfADisturbedProcessorDoNotCount) {
  int taken = 0;
  TimedRounds rounds{[&taken](const auto& probe) {
    return Sample{.value = probe(), .speed = taken++ % 3 == 0 ? 0.5 : 1};  // every third, the first one among them
  }};
  rounds.declare("time", "s", "a test", {});
  rounds.add("time", {}, [&taken] { return taken % 3 == 0 ? 100.0 : 5.0; });
  rounds.run(9, 0, [](double) {});
  std::map<std::string, ProfileTable, std::less<>> tables;
  rounds.write_to(tables);
  EXPECT_EQ(tables.at("time").points.at(0).ci95, (std::pair{5.0, 5.0}));
}

TEST(Timed, RunsOneBodyAThread) {
  std::vector<int> calls(3);
  EXPECT_GT(timed(3, [&](int thread) { ++calls[static_cast<std::size_t>(thread)]; }), 0);
  EXPECT_EQ(calls, (std::vector{1, 1, 1}));
}

}  // namespace
}  // namespace sortlab::calibration

namespace sortlab {
namespace {

ProfileTable flat(std::vector<std::string> arguments, double value) {
  return {.unit = "",
          .source = "",
          .arguments = arguments,
          .points = {{std::vector<double>(arguments.size(), 1), value, {}}}};
}

TEST(Automatic, TakesThePredictedShortestAndWithoutAProfileTheFirst) {
  const Algorithm& algorithm = algorithm_named("satish_cpu_radix");
  Case c{.algorithm = &algorithm,
         .parameters = resolve("test", algorithm.info().parameters, {}),
         .n = 1 << 20,
         .distribution = parse_distribution("uniform")};
  Case without = c;
  resolve_automatic(without, nullptr);
  EXPECT_EQ(without.parameters.integer("digit_bits"), 8);
  EXPECT_FALSE(without.parameters.is_auto("flush"));

  // On a machine where wider digits cost nothing, fewer passes win.
  MachineProfile profile{.id = "invented", .name = "Invented", .origin = "calibrated", .source = "this test"};
  profile.tables = {{"count", flat({"key", "tables", "collision_bits"}, 1e-9)},
                    {"append", flat({"key", "value", "lines", "digit_bits", "collision_bits"}, 2e-9)},
                    {"scatter", flat({"threads", "key", "value", "lines", "digit_bits", "collision_bits"}, 3e-9)},
                    {"map", flat({"key"}, 0)},
                    {"prefix", flat({}, 0)},
                    {"part", flat({"lines", "bytes"}, 0)},
                    {"touch", flat({"threads", "bytes"}, 0)},
                    {"read", flat({"threads", "bytes"}, 1e15)},
                    {"copy", flat({"threads", "bytes"}, 1e15)},
                    {"copy_nt", flat({"threads", "bytes"}, 1e15)},
                    {"overlap.read", flat({"threads", "key"}, 16)},
                    {"barrier", flat({"threads"}, 0)},
                    {"wake", flat({"threads"}, 0)}};
  Case wide = c;
  resolve_automatic(wide, &profile);
  EXPECT_EQ(wide.parameters.integer("digit_bits"), 11);

  // On another machine they cost more than they save.
  profile.tables["append"] = {.unit = "",
                              .source = "",
                              .arguments = {"key", "value", "lines", "digit_bits", "collision_bits"},
                              .points = {{{4, 0, 1, 8, 8}, 2e-9, {}}, {{4, 0, 1, 11, 11}, 9e-9, {}}}};
  Case narrow = c;
  resolve_automatic(narrow, &profile);
  EXPECT_EQ(narrow.parameters.integer("digit_bits"), 8);
}

}  // namespace
}  // namespace sortlab
