// The micro-benchmarks' kernels do what their names say, probes make tables, and rounds give medians with intervals.
// Times are not tested, since they depend on the machine.
#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "algorithms/common/host/overlap_exponent.hpp"
#include "core/bad_input.hpp"
#include "core/pages.hpp"
#include "core/temporary_folder.hpp"
#include "harness/calibrate/calibrate.hpp"
#include "harness/calibrate/energy_constants.hpp"
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
  TimedRounds rounds{[](const auto& probe) { return ProbeReading{.value = probe()}; }};
  rounds.add_all(of_machine, bench);
  rounds.run({.rounds = 1}, [](double, double) {});
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

TEST(EnergyConstants, AreWhatStaticPowerAndKnownOperationsLeave) {
  // A second each at 100 W of static power; 1 nJ an instruction, 10 pJ a byte of the cache, and 40 pJ one of memory.
  const auto held = [](const char* adds, std::map<std::string, double> operations) {
    double joules = 100;
    for (const auto& [name, count] : operations) {
      joules += count * (name == kInstructions ? 1e-9 : name == kL2Bytes ? 10e-12 : 40e-12);
    }
    return HeldProbe{.adds = adds, .seconds = 1, .joules = joules, .operations = std::move(operations)};
  };
  const std::vector<HeldProbe> probes{held(kInstructions, {{kInstructions, 2e11}}),
                                      held(kL2Bytes, {{kL2Bytes, 5e12}, {kInstructions, 3e10}}),
                                      held(kDramBytes, {{kDramBytes, 3e12}, {kL2Bytes, 3e12}, {kInstructions, 2e10}})};
  const std::map<std::string, double> joules = energy_per_operation(100, probes);
  EXPECT_NEAR(joules.at(kInstructions), 1e-9, 1e-15);
  EXPECT_NEAR(joules.at(kL2Bytes), 10e-12, 1e-17);
  EXPECT_NEAR(joules.at(kDramBytes), 40e-12, 1e-17);
  EXPECT_EQ(energy_per_operation(400, probes).at(kInstructions), 0) << "nothing costs less than nothing";
}

TEST(MissingEnergy, IsToldBesideWhatTheTimeLimitLeftOut) {
  MachineProfile profile;
  profile.source = "sortlab calibrate";
  EXPECT_EQ(missing_energy(profile), "");
  add_missing_energy(profile, "NVML is not installed");
  add_cuts(profile, {"a point of read"});
  EXPECT_EQ(missing_energy(profile), "NVML is not installed");
  EXPECT_EQ(cuts(profile), "a point of read");
}

TEST(Rounds, RefuseASecondTableOfTheSameName) {
  TimedRounds rounds{[](const auto& probe) { return ProbeReading{.value = probe()}; }};
  rounds.declare("time", "s", "a test", {});
  EXPECT_THROW(rounds.declare("time", "s", "another", {}), std::logic_error);
}

TEST(Rounds, GiveMediansWithIntervals) {
  TimedRounds rounds{[](const auto& probe) { return ProbeReading{.value = probe()}; }};
  rounds.declare("constant", "s", "a test", {"x"});
  rounds.declare("rising", "s", "a test", {});
  rounds.add("constant", {2}, [] { return 5.0; });
  double next = 0;
  rounds.add("rising", {}, [&next] { return next++; });
  rounds.run({.rounds = 9}, [](double share, double) { EXPECT_LE(share, 1); });
  std::map<std::string, ProfileTable, std::less<>> tables;
  rounds.write_to(tables);
  EXPECT_EQ(tables.at("constant").points.at(0).value, 5);
  EXPECT_EQ(tables.at("constant").points.at(0).at, std::vector<double>{2});
  EXPECT_EQ(tables.at("rising").points.at(0).value, 5);  // 1 … 9: the first round is discarded
  EXPECT_LT(tables.at("rising").points.at(0).ci95->first, 5);
  EXPECT_GT(tables.at("rising").points.at(0).ci95->second, 5);
}

TEST(Rounds, ACostBelowItsNoiseIsNone) {
  TimedRounds rounds{[](const auto& probe) { return ProbeReading{.value = probe()}; }};
  rounds.declare("difference", "s/element", "a test", {});
  rounds.add("difference", {}, [] { return -2e-12; });
  rounds.run({.rounds = 9}, [](double, double) {});
  std::map<std::string, ProfileTable, std::less<>> tables;
  rounds.write_to(tables);
  const ProfileTable::Point& point = tables.at("difference").points.at(0);
  EXPECT_EQ(point.value, 0) << "a profile with a negative cost would be refused";
  EXPECT_EQ(point.ci95, (std::pair{-2e-12, 0.0}));
}

TEST(Rounds, SamplesOfADisturbedProcessorDoNotCount) {
  int taken = 0;
  TimedRounds rounds{[&taken](const auto& probe) {
    return ProbeReading{.value = probe(),
                        .speed = taken++ % 3 == 0 ? 0.5 : 1};  // every third, the first one among them
  }};
  rounds.declare("time", "s", "a test", {});
  rounds.add("time", {}, [&taken] { return taken % 3 == 0 ? 100.0 : 5.0; });
  rounds.run({.rounds = 9}, [](double, double) {});
  std::map<std::string, ProfileTable, std::less<>> tables;
  rounds.write_to(tables);
  EXPECT_EQ(tables.at("time").points.at(0).ci95, (std::pair{5.0, 5.0}));
}

/// A machine whose time passes only in samples, as many seconds each as they say.
struct InventedMachine {
  double now_s = 0;

  TimedRounds rounds() {
    return TimedRounds{[](const auto& probe) { return ProbeReading{.value = probe()}; }, [this] { return now_s; }};
  }
  std::function<double()> taking(double seconds) {
    return [this, seconds] {
      now_s += seconds;
      return 1.0;
    };
  }
};

constexpr auto kNoProgress = [](double, double) {};

TEST(Rounds, MeasureFewerThreadCountsWhereTimeIsShort) {
  // A machine of 64 processors on which a round of all thread counts takes 509 s.
  const std::vector<double> counts{1, 2, 4, 8, 16, 32, 64};
  const auto measured = [&](const Extent& extent) {
    InventedMachine machine;
    TimedRounds rounds = machine.rounds();
    rounds.declare("serial", "s", "a test", {});
    rounds.add("serial", {}, machine.taking(1));
    rounds.declare("parallel", "s", "a test", {"bytes", "threads"});
    for (const double threads : counts) {
      for (int bytes = 0; bytes < 4; ++bytes) rounds.add("parallel", {1.0 * bytes, threads}, machine.taking(threads));
    }
    double least_left_s = extent.limit_s;
    rounds.run(extent, [&](double share, double left_s) {
      EXPECT_LE(share, 1);
      EXPECT_LE(left_s, extent.limit_s - std::min(machine.now_s, extent.limit_s));
      least_left_s = std::min(least_left_s, left_s);
    });
    EXPECT_LE(machine.now_s, extent.limit_s + 64) << "one sample longer at most";
    if (extent.limit_s < 1e6) {
      EXPECT_LT(least_left_s, extent.limit_s / 2);
    }
    Tables tables;
    rounds.write_to(tables);
    EXPECT_EQ(tables.at("serial").points.size(), 1U);
    std::set<double> chosen;
    for (const auto& point : tables.at("parallel").points) chosen.insert(point.at.at(1));
    return std::pair{chosen, rounds.cuts()};
  };
  const auto [all, nothing] = measured({.rounds = 1});
  EXPECT_EQ(all, std::set<double>(counts.begin(), counts.end()));
  EXPECT_TRUE(nothing.empty());
  const auto [least, cuts] = measured({.rounds = 6, .limit_s = 500});
  EXPECT_EQ(least, (std::set<double>{1, 64}));
  EXPECT_EQ(cuts.at(0), "of the thread counts 1, 2, 4, 8, 16, 32, 64 only 1, 64");
  const auto [some, left_out] = measured({.rounds = 3, .limit_s = 1400});
  EXPECT_TRUE(some.contains(1) && some.contains(2) && some.contains(64)) << some.size();
  EXPECT_FALSE(some.contains(32));
}

TEST(Rounds, TheFirstPassEndsInTimeToo) {
  // A machine so slow that the first pass alone would take 8000 s.
  InventedMachine machine;
  TimedRounds rounds = machine.rounds();
  for (const std::string table : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    rounds.declare(table, "s", "a test", {"threads", "bytes"});
    for (const double threads : {1.0, 32.0}) {
      for (int bytes = 1; bytes <= 500; ++bytes) rounds.add(table, {threads, 1.0 * bytes}, machine.taking(1));
    }
  }
  rounds.run({.rounds = 6, .repeat_s = 40, .limit_s = 60}, kNoProgress);
  EXPECT_LE(machine.now_s, 61);
  Tables tables;
  rounds.write_to(tables);
  ASSERT_EQ(tables.size(), 8U) << "of each table something";
  for (const auto& [name, table] : tables) {
    std::set<std::pair<double, double>> measured;
    for (const auto& point : table.points) measured.insert({point.at[0], point.at[1]});
    for (const double threads : {1.0, 32.0}) {
      EXPECT_TRUE(measured.contains({threads, 1}) && measured.contains({threads, 500})) << "the ends of " << name;
    }
    EXPECT_EQ(table.source,
              "a test; " + std::to_string(measured.size()) + " of 1000 points measured in the time there was");
  }
  const std::vector<std::string> cuts = rounds.cuts();
  ASSERT_EQ(cuts.size(), 2U);
  EXPECT_TRUE(cuts[0].starts_with("points not reached: a (99") && cuts[0].ends_with("2 more tables")) << cuts[0];
  EXPECT_TRUE(cuts[1].ends_with("with fewer than 6 samples")) << cuts[1];
}

TEST(Rounds, ATableThatIsNotReachedIsNotWritten) {
  InventedMachine machine;
  TimedRounds rounds = machine.rounds();
  for (const std::string table : {"first", "second"}) {
    rounds.declare(table, "s", "a test", {});
    rounds.add(table, {}, machine.taking(100));
  }
  rounds.run({.rounds = 6, .limit_s = 10}, kNoProgress);
  Tables tables;
  rounds.write_to(tables);
  EXPECT_EQ(tables.size(), 1U);
  EXPECT_EQ(rounds.cuts().at(0), "points not reached: second (1)");
}

TEST(Rounds, AFirstPassThatIsInterruptedGoesOn) {
  const TemporaryFolder folder;
  InventedMachine machine;
  int calls = 0;
  struct Interrupted {};
  const auto run = [&](int most_calls) {
    Journal journal{folder.file("samples"), "this build"};
    TimedRounds rounds = machine.rounds();
    rounds.keep_in(journal);
    rounds.declare("time", "s", "a test", {"threads", "bytes"});
    for (const double threads : {1.0, 2.0, 4.0}) {
      for (int bytes = 1; bytes <= 10; ++bytes) {
        rounds.add("time", {threads, 1.0 * bytes}, [&] {
          if (++calls > most_calls) throw Interrupted{};
          return machine.taking(1)();
        });
      }
    }
    rounds.run({.rounds = 3, .limit_s = 110}, kNoProgress);
    return std::pair{rounds.cuts(), machine.now_s};
  };
  EXPECT_THROW(run(7), Interrupted);
  calls = 0;
  EXPECT_THROW(run(4), Interrupted);
  calls = 0;
  const auto [cuts, now_s] = run(1000);
  // 9 of the 20 points of 1 and 4 threads are left, and 4 of 2 threads show that three rounds of these do not fit. The
  // other 11 points are called once more in this process, to warm up.
  EXPECT_EQ(calls, 9 + 4 + 11 + 3 * 20);
  EXPECT_EQ(cuts, std::vector<std::string>{"of the thread counts 1, 2, 4 only 1, 4"});
  EXPECT_LE(machine.now_s, 110 + 1 + 2) << "one sample more, and those that the interruptions lost";
}

TEST(Journal, IsOneCalibrations) {
  const TemporaryFolder folder;
  const Journal first{folder.file("samples"), "this build"};
  EXPECT_THROW(Journal(folder.file("samples"), "this build"), BadInput);
}

TEST(Rounds, AnInterruptedCalibrationGoesOnWithItsSamples) {
  const TemporaryFolder folder;
  int calls = 0;
  struct Interrupted {};
  const auto run = [&](const std::string& title, int most_calls) {
    Journal journal{folder.file("samples"), title};
    TimedRounds rounds{[](const auto& probe) { return ProbeReading{.value = probe()}; }};
    rounds.keep_in(journal);
    rounds.declare("time", "s", "a test", {"threads"});
    for (const double threads : {1, 2, 4}) {
      rounds.add("time", {threads}, [&, threads] {
        if (++calls > most_calls) throw Interrupted{};
        return 1000 * threads + calls;
      });
    }
    rounds.run({.rounds = 9}, [](double, double) {});
    Tables tables;
    rounds.write_to(tables);
    return tables.at("time").points;
  };
  EXPECT_THROW(run("this build", 3 + 3 * 6 + 1), Interrupted);  // three discarded, six rounds, and one sample more
  std::ofstream{folder.file("samples"), std::ios::app} << R"({"table":"time","at":[1],"val)";  // torn by a kill
  calls = 0;
  const auto points = run("this build", 1000);
  EXPECT_EQ(calls, 3 + 2 + 2 * 3) << "each point once to warm up, and what was missing";
  ASSERT_EQ(points.size(), 3U);
  EXPECT_NEAR(points[0].value, 1010, 10);
  calls = 0;
  run("this build", 1000);
  EXPECT_EQ(calls, 0) << "all samples are there";
  run("another build", 1000);
  EXPECT_EQ(calls, 3 + 3 * 9);
}

/// Hands the probes' tables on, with each point of two threads as one of each thread count above 1, and with a sample
/// that is not theirs.
class WiderHost final : public Rounds {
 public:
  WiderHost(TimedRounds& rounds, std::vector<int> threads, std::function<double()> sample)
      : rounds_(rounds), threads_(std::move(threads)), sample_(std::move(sample)) {}

  void declare(const std::string& table, std::string unit, std::string source,
               std::vector<std::string> arguments) override {
    const auto place = std::ranges::find(arguments, "threads") - arguments.begin();
    if (place < std::ssize(arguments)) places_[table] = static_cast<std::size_t>(place);
    rounds_.declare(table, std::move(unit), std::move(source), std::move(arguments));
  }
  void add(const std::string& table, std::vector<double> at, std::function<double()> /*sample*/) override {
    const auto place = places_.find(table);
    if (place == places_.end() || at[place->second] == 1) return rounds_.add(table, std::move(at), sample_);
    for (const int threads : threads_) {
      at[place->second] = threads;
      if (threads > 1) rounds_.add(table, at, sample_);
    }
  }
  /// Thread counts of which a table has a point.
  std::set<double> measured() const {
    Tables tables;
    rounds_.write_to(tables);
    std::set<double> counts;
    for (const auto& [name, table] : tables) {
      const auto place = places_.find(name);
      for (const auto& point : table.points) counts.insert(place == places_.end() ? 1 : point.at[place->second]);
    }
    return counts;
  }

 private:
  TimedRounds& rounds_;
  std::vector<int> threads_;
  std::function<double()> sample_;
  std::map<std::string, std::size_t> places_;  ///< place of `threads` among the arguments, where a table has it
};

TEST(Calibration, OfAHostOf192ProcessorsEndsInTime) {
  const std::vector<int> counts = thread_counts(192);
  EXPECT_EQ(counts, (std::vector{1, 2, 4, 8, 16, 32, 64, 128, 192}));
  for (const bool quick : {true, false}) {
    const CalibrationLimits limits = calibration_limits(quick);
    EXPECT_EQ(limits.whole_s, quick ? 120 : 600);
    HostBench bench = small_bench(2);  // none of its points is run
    bench.threads = {1, 2};
    bench.quick = quick;
    for (const double sample_s : {0.0001, 0.02, 4.0}) {
      const double prepared_s = kArenasShare * limits.host_s;
      InventedMachine machine{.now_s = prepared_s};
      TimedRounds rounds = machine.rounds();
      WiderHost host{rounds, counts, machine.taking(sample_s)};
      for (const HostProbe& probe : host_probes()) probe.add(host, bench);
      rounds.run(host_extent({.quick = quick}, prepared_s), kNoProgress);
      EXPECT_LE(machine.now_s, limits.host_s + 2 * sample_s) << sample_s;
      EXPECT_LE(machine.now_s + limits.device_s + limits.least_analysis_s, limits.whole_s) << sample_s;
      const std::set<double> measured = host.measured();
      EXPECT_TRUE(measured.contains(1) && measured.contains(192)) << sample_s;
      EXPECT_EQ(measured.size() == counts.size(), sample_s < 0.001);
      EXPECT_EQ(rounds.cuts().empty(), sample_s < 0.001) << "what is left out is said";
    }
  }
}

TEST(Calibration, OfTheHostEndsInTimeAndSaysWhatItLeftOut) {
  const MachineProfile profile = calibrate_host({.quick = true, .limit_s = 2});
  EXPECT_NE(profile.source.find("; cut short by its time limit: "), std::string::npos) << profile.source;
  EXPECT_NE(cuts(profile).find(" samples"), std::string::npos) << cuts(profile);
  for (const auto& [name, table] : profile.tables) EXPECT_FALSE(table.points.empty()) << name;
  EXPECT_EQ(cuts(MachineProfile{.id = "a", .name = "a", .origin = "calibrated", .source = "whole"}), "");
}

TEST(Calibration, SaysThatItsMemoryLayInSmallPages) {
  const Pages some{std::size_t{4} << 20, PageKind::huge};
  if (share_in_huge_pages(some.data(), some.size()).value_or(0) < 0.99) GTEST_SKIP() << "no huge pages, or not shown";
  const CalibrationOptions core{.quick = true, .probes = {"core"}, .limit_s = 1};
  EXPECT_FALSE(has_small_pages(calibrate_host(core)));
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  const MachineProfile profile = calibrate_host(core);
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  EXPECT_TRUE(has_small_pages(profile)) << profile.source;
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
