// Verdicts on synthetic runs with known truth: log-normal times with outliers, runs that differ by 1 % or more, few
// samples, short times. The seeds are fixed. The required counts are those for real runs.
#include "harness/compare/compare.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <random>

#include "core/parameters.hpp"
#include "core/temporary_folder.hpp"
#include "tests/support/whole_records.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// The behaviour of a machine: standard deviations of a time's logarithm, or shares.
struct MachineModel {
  double sample_noise = 0.01;   ///< noise between samples of one cell
  double process_noise = 0.01;  ///< noise of a cell between processes: pages, addresses
  double outlier_share = 0.05;  ///< share of samples that a neighbour delays, up to twofold
  int processes = 3;
  int samples = 5;        ///< samples of each process
  double seconds = 5e-3;  ///< typical time of one sample
};

struct Given {
  double slowdown = 1;
  double drift = 1;  ///< factor of the whole machine, which no clock shows
  double clock = 1;  ///< factor of the clock; times follow it
  std::uint64_t seed = 1;
  std::string machine = "m-1c-00000000";
  int slowed_group = -1;   ///< index of an algorithm that is a tenth slower
  double slowed_half = 1;  ///< factor of every second cell
  int cells = 300;
};

constexpr std::size_t kCells = 300;

class Compare : public ::testing::Test {
 protected:
  /// Writes the records of one run of 300 cells of four algorithms.
  std::filesystem::path write_run(const std::string& name, const MachineModel& model, const Given& given) {
    const std::filesystem::path path = folder_ / (name + ".jsonl");
    std::ofstream file{path};
    std::mt19937_64 random{given.seed};
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    const double run = given.drift * given.slowdown / given.clock;
    for (int cell = 0; cell < given.cells; ++cell) {
      const double group = cell % 4 == given.slowed_group ? 1.1 : 1;
      const double half = cell % 2 == 1 ? given.slowed_half : 1;
      std::vector<double> samples;
      std::vector<int> processes;
      for (int p = 0; p < model.processes; ++p) {
        const double level = std::exp(model.process_noise * normal(random));
        for (int i = 0; i < model.samples; ++i) {
          const double outlier = uniform(random) < model.outlier_share ? 1 + uniform(random) : 1;
          const double typical = model.seconds * (1 + cell % 7) * group * half * run * level;
          samples.push_back(typical * outlier * std::exp(model.sample_noise * std::abs(normal(random))));
          processes.push_back(p);
        }
      }
      ordered_json one = record(cell, given, samples);
      one["processes"] = processes;
      file << one.dump() << "\n";
    }
    return path;
  }

  static ordered_json record(int cell, const Given& given, const std::vector<double>& samples) {
    static const ordered_json example = whole_record("measurement");
    ordered_json one = example;
    one["case"].update({{"algorithm", "sort" + std::to_string(cell % 4)}, {"n", 1000}});
    one.update(
        {{"run", run_for(std::to_string(given.seed))}, {"machine", given.machine}, {"clock_hz", 3e9 * given.clock}});
    return timed_record(in_cell(cell, one), samples);
  }

  static ordered_json record_with_energy(const ordered_json& energy, const ordered_json& reason) {
    ordered_json one = record(0, {}, {1, 1, 1});
    one.update({{"energy", energy}, {"energy_reason", reason}});
    return one;
  }

  std::filesystem::path write(const std::string& name, const std::vector<ordered_json>& records) {
    const std::filesystem::path path = folder_ / (name + ".jsonl");
    std::ofstream file{path};
    for (const ordered_json& one : records) file << one.dump() << "\n";
    return path;
  }

  const TemporaryFolder folder_;
};

const std::map<std::string, MachineModel> kMachines{
    {"quiet", {.sample_noise = 0.003, .process_noise = 0.003, .outlier_share = 0.01}},
    {"usual", {}},
    {"noisy neighbours", {.sample_noise = 0.025, .process_noise = 0.01, .outlier_share = 0.15, .samples = 8}},
    {"few samples", {.process_noise = 0.008, .outlier_share = 0.01, .samples = 1}},
    {"microseconds", {.sample_noise = 0.04, .process_noise = 0.007, .samples = 17, .seconds = 2e-6}},
};

double share(const Comparison& comparison, Verdict verdict) {
  return static_cast<double>(comparison.count(verdict)) / static_cast<double>(comparison.cells.size());
}

TEST_F(Compare, TwoRunsOfTheSameBuildAreTheSame) {
  for (const auto& [name, model] : kMachines) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Comparison c = compare(write_run("a", model, {.seed = seed}), write_run("b", model, {.seed = seed + 100}));
      EXPECT_GE(share(c, Verdict::same), 0.9) << name << " " << seed;
      EXPECT_LE(share(c, Verdict::faster) + share(c, Verdict::slower), 0.005) << name << " " << seed;
    }
  }
}

TEST_F(Compare, ATenthSlowerIsSlowerAndTheOtherWayFaster) {
  for (const auto& [name, model] : kMachines) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto a = write_run("a", model, {.seed = seed});
      const auto b = write_run("b", model, {.slowdown = 1.1, .seed = seed + 100});
      EXPECT_GE(share(compare(a, b), Verdict::slower), 0.9) << name << " " << seed;
      EXPECT_GE(share(compare(b, a), Verdict::faster), 0.9) << name << " " << seed;
    }
  }
}

// On a quiet machine, compare must find 90 % of slowdowns of 5 % and 99 % of 10 %.
TEST_F(Compare, ATwentiethIsFoundOnAQuietMachine) {
  const MachineModel& quiet = kMachines.at("quiet");
  const auto a = write_run("a", quiet, {.seed = 1});
  EXPECT_GE(share(compare(a, write_run("b", quiet, {.slowdown = 1.05, .seed = 2})), Verdict::slower), 0.9);
  EXPECT_GE(share(compare(a, write_run("b", quiet, {.slowdown = 1.1, .seed = 2})), Verdict::slower), 0.99);
}

// The change makes the ratios of all cells scatter, which must not hide it.
TEST_F(Compare, HalfOfTheCellsSlowerAreFoundHoweverMuch) {
  const auto a = write_run("a", {}, {.seed = 1});
  for (const double factor : {1.1, 2.0, 4.0}) {
    const Comparison c = compare(a, write_run("b", {}, {.seed = 2, .slowed_half = factor}));
    std::size_t found = 0;
    for (std::size_t i = 0; i < kCells; ++i) {
      const bool slower = c.cells.at(i).verdict == Verdict::slower;
      EXPECT_FALSE(slower && i % 2 == 0) << factor << " " << i;
      found += slower ? 1 : 0;
    }
    EXPECT_GE(found, static_cast<std::size_t>(0.95 * kCells / 2)) << factor;
  }
}

// Ten cells of which each process differs by a tenth, as on two threads: few cells are no reason to believe them quiet.
TEST_F(Compare, FewNoisyCellsGiveHardlyAVerdict) {
  const MachineModel model{.process_noise = 0.1};
  std::size_t verdicts = 0;
  for (std::uint64_t seed = 1; seed <= 28; ++seed) {
    const auto a = write_run("a", model, {.seed = seed, .cells = 10});
    const Comparison c = compare(a, write_run("b", model, {.seed = seed + 100, .cells = 10}));
    verdicts += c.count(Verdict::slower) + c.count(Verdict::faster);
  }
  EXPECT_LE(verdicts, 3U);  // 280 cells
}

TEST_F(Compare, AMachineThatDriftsByOnePercentIsNeitherSlowerNorHidesATenth) {
  for (const double drift : {0.99, 1.01}) {
    const MachineModel model{.process_noise = 0.005};
    const auto a = write_run("a", model, {.seed = 1});
    const Comparison same = compare(a, write_run("b", model, {.drift = drift, .seed = 2}));
    EXPECT_GE(share(same, Verdict::same), 0.95) << drift;
    EXPECT_LE(share(same, Verdict::faster) + share(same, Verdict::slower), 0.01) << drift;
    const Comparison slower = compare(a, write_run("b", model, {.slowdown = 1.1, .drift = drift, .seed = 2}));
    EXPECT_GE(share(slower, Verdict::slower), 0.9) << drift;
  }
}

TEST_F(Compare, AMachineInUproarGivesHardlyAVerdict) {
  // Whole processes are slowed down by up to half, as by a neighbour on the same core, which their samples do not show.
  const MachineModel model{.sample_noise = 0.02, .process_noise = 0.25};
  const Comparison c = compare(write_run("a", model, {.seed = 1}), write_run("b", model, {.seed = 2}));
  EXPECT_LE(share(c, Verdict::faster) + share(c, Verdict::slower), 0.05);
  EXPECT_GT(c.process_noise, 0.2);
}

TEST_F(Compare, OneAlgorithmSlowerAmongFourIsFound) {
  const auto a = write_run("a", {}, {.seed = 1});
  const auto b = write_run("b", {}, {.seed = 2, .slowed_group = 2});
  const Comparison c = compare(a, b);
  for (const CellComparison& cell : c.cells) {
    if (cell.subject["algorithm"] == "sort2") continue;
    EXPECT_NE(cell.verdict, Verdict::slower) << cell.cell;
  }
  EXPECT_GE(c.count(Verdict::slower), static_cast<std::size_t>(0.9 * kCells / 4));
}

// Records of one process, as before there were several, do not tell how much processes differ: it is assumed.
TEST_F(Compare, OneProcessIsNoReasonForAVerdictOnASmallChange) {
  const MachineModel model{.process_noise = 0.005, .outlier_share = 0, .processes = 1};
  const auto a = write_run("a", model, {.seed = 1});
  const Comparison c = compare(a, write_run("b", model, {.slowdown = 1.05, .seed = 2}));
  EXPECT_EQ(c.count(Verdict::slower), 0U);
  ASSERT_EQ(c.notes.size(), 1U);
  EXPECT_NE(c.notes.front().find("300 cells have samples of one process"), std::string::npos);
  EXPECT_GE(share(compare(a, write_run("b", model, {.slowdown = 1.3, .seed = 2})), Verdict::slower), 0.95);
}

TEST_F(Compare, AResultSetIsTheSameAsItself) {
  const auto a = write_run("a", {.sample_noise = 0.3, .samples = 1}, {});
  EXPECT_EQ(compare(a, a).count(Verdict::same), kCells);
}

TEST_F(Compare, ALowerClockIsNotASlowerBuild) {
  const auto a = write_run("a", {}, {.seed = 1});
  const auto b = write_run("b", {}, {.clock = 1 / 1.15, .seed = 2});
  const Comparison c = compare(a, b);
  EXPECT_EQ(c.count(Verdict::slower), 0U);
  EXPECT_GT(c.count(Verdict::ambiguous), 0U);
}

TEST_F(Compare, ContentionInOneRunIsNotASlowerBuild) {
  // Two thirds of b's samples are delayed by half: the median moves, the undisturbed samples do not.
  const auto a = write("a", {record(0, {}, {1e-3, 1.01e-3, 1.0e-3, 1.02e-3, 1.0e-3, 1.01e-3, 1.0e-3, 1.02e-3, 1e-3})});
  const auto b =
      write("b", {record(0, {.seed = 2}, {1e-3, 1.5e-3, 1.0e-3, 1.52e-3, 1.5e-3, 1.01e-3, 1.5e-3, 1.52e-3, 1.5e-3})});
  EXPECT_EQ(compare(a, b).count(Verdict::slower), 0U);
}

TEST_F(Compare, OtherMachinesAndMissingCellsAreIncomparable) {
  const auto a = write("a", {record(0, {}, {1, 1, 1}), record(1, {}, {1, 1, 1})});
  ordered_json elsewhere = record(0, {.machine = "other-2c-11111111"}, {1, 1, 1});
  elsewhere["run"] = run_for("elsewhere");
  const auto b = write("b", {elsewhere, record(2, {}, {1, 1, 1})});
  const Comparison c = compare(a, b);
  ASSERT_EQ(c.cells.size(), 3U);
  EXPECT_EQ(c.count(Verdict::incomparable), 3U);
  EXPECT_EQ(c.cells[0].reason, "machines differ: m-1c-00000000 and other-2c-11111111");
  EXPECT_EQ(c.cells[1].reason, "only in A");
  EXPECT_EQ(c.cells[2].reason, "only in B");
  EXPECT_FALSE(c.notes.empty());
}

TEST_F(Compare, TheLastOfACellStandsWhateverBecameOfIt) {
  const ordered_json crashed = lost_record(record(0, {.seed = 3}, {1, 1, 1}), "crashed", "signal 11");
  const auto a = write("a", {record(0, {}, {2, 2, 2}), crashed, record(0, {.seed = 2}, {1, 1, 1})});
  const Comparison c = compare(a, write("b", {record(0, {.seed = 2}, {1, 1, 1})}));
  EXPECT_EQ(c.cells.at(0).verdict, Verdict::same);
  EXPECT_EQ(c.cells.at(0).a, 1.0);
  const Comparison d = compare(a, write("b", {record(0, {.seed = 2}, {1, 1, 1}), crashed}));
  EXPECT_EQ(d.cells.at(0).reason, "B crashed: signal 11");
  EXPECT_EQ(d.cells.at(0).fault_of_b, "crashed: signal 11");
}

TEST_F(Compare, ADisturbedMeasurementGivesNoVerdictOfChange) {
  ordered_json disturbed = record(0, {.seed = 2}, {2, 2, 2, 2, 2, 2});
  const auto a = write("a", {record(0, {}, {1, 1, 1, 1, 1, 1})});
  EXPECT_EQ(compare(a, write("b", {disturbed})).cells.at(0).verdict, Verdict::slower);
  disturbed["disturbed"] = true;
  EXPECT_EQ(compare(a, write("b", {disturbed})).cells.at(0).verdict, Verdict::ambiguous);
}

/// Records of a hundred cells that cost about a joule each, with three windows.
std::vector<ordered_json> metered_records(double factor, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::normal_distribution<double> normal;
  std::vector<ordered_json> records;
  for (int cell = 0; cell < 100; ++cell) {
    std::vector<double> joules;
    for (int window = 0; window < 3; ++window) joules.push_back(factor * std::exp(0.01 * normal(random)));
    records.push_back(
        in_cell(cell, whole_record("measurement", {{"energy", to_json(metered(joules))}, {"energy_reason", nullptr}})));
  }
  return records;
}

TEST_F(Compare, JoulesHaveVerdictsOfTheirOwn) {
  const auto a = write("a", metered_records(1, 1));
  const Comparison again = compare(a, write("b", metered_records(1, 2)), Metric::energy);
  EXPECT_GE(share(again, Verdict::same), 0.95);
  EXPECT_EQ(again.count(Verdict::slower) + again.count(Verdict::faster), 0U);
  const auto dear = write("c", metered_records(1.1, 3));
  const Comparison dearer = compare(a, dear, Metric::energy);
  EXPECT_GE(share(dearer, Verdict::slower), 0.95);
  EXPECT_NEAR(dearer.cells.at(0).ratio->value, 1.1, 0.05);
  EXPECT_NEAR(dearer.cells.at(0).a.value_or(0), 1, 0.03);
  EXPECT_EQ(verdict_text(Verdict::slower, dearer.metric), "dearer");
  EXPECT_EQ(compare(a, dear).count(Verdict::slower), 0U) << "their times are the same";
  EXPECT_EQ(compare(a, a, Metric::energy).count(Verdict::same), 100U);
}

TEST_F(Compare, JoulesThatCannotBeComparedSayWhy) {
  const auto metered_by = [&](const std::function<void(CellEnergy&)>& change) {
    CellEnergy energy = metered({1.2, 1.21, 1.22});
    change(energy);
    return record_with_energy(to_json(energy), nullptr);
  };
  const auto a = write("a", {record_with_energy(to_json(metered({1, 1.01, 1.02})), nullptr)});
  const auto reason = [&](const ordered_json& b) {
    const CellComparison cell = compare(a, write("b", {b}), Metric::energy).cells.at(0);
    EXPECT_NE(cell.verdict, Verdict::slower);
    return cell.reason;
  };
  EXPECT_EQ(compare(a, write("b", {metered_by([](CellEnergy&) {})}), Metric::energy).cells.at(0).verdict,
            Verdict::slower);
  EXPECT_EQ(reason(record(0, {}, {1, 1, 1})), "B has no joules: its energy was not metered");
  EXPECT_EQ(reason(record_with_energy(nullptr, "NVML is not installed")), "B has no joules: NVML is not installed");
  EXPECT_EQ(reason(metered_by([](CellEnergy& e) {
              e.joules_by_domain = {{"device", 0.2}, {"package", e.gross().value - 0.2}};
            })),
            "joules are those of different parts: A device; B device, package");
  EXPECT_EQ(reason(metered_by([](CellEnergy& e) { e.integrated_over_counter = 0.9; })),
            "B: the driver's power, integrated, is 90.0 % of the counter's joules");
  EXPECT_EQ(reason(metered_by([](CellEnergy& e) {
              e.device->throttled_shares = {{"power cap", 0.5}};
            })),
            "reasons for a lower clock differ: A none; B power cap");
}

/// Writes the records of two programs that took their samples in turn, beside neighbours that slow both up to twofold.
std::pair<std::vector<ordered_json>, std::vector<ordered_json>> interleaved_records(double slowdown, bool disturbed) {
  constexpr int cells = 24, processes = 5, samples = 20;
  std::mt19937_64 random{7};
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::pair<std::vector<ordered_json>, std::vector<ordered_json>> records;
  for (int cell = 0; cell < cells; ++cell) {
    std::vector<double> a, b;
    std::vector<int> of_process, inputs;
    for (int p = 0; p < processes; ++p) {
      const double slower_minute = 1 + uniform(random);
      for (int i = 0; i < samples; ++i) {
        const double now = 1e-3 * slower_minute * std::exp(0.1 * normal(random));
        a.push_back(now * std::exp(0.03 * normal(random)));
        b.push_back(now * slowdown * std::exp(0.03 * normal(random)));
        of_process.push_back(2 * p);
        inputs.push_back(1024 * (20 * p + i));
      }
    }
    for (auto* const side : {&records.first, &records.second}) {
      const std::vector<double>& times = side == &records.first ? a : b;
      ordered_json record =
          whole_record("measurement", {{"disturbed", disturbed}, {"processes", of_process}, {"inputs", inputs}});
      record = timed_record(in_cell(cell, record), times);
      record["protocol"].update({{"interleaved", "sortlab-1"}, {"input", "fresh"}});
      side->push_back(record);
    }
  }
  return records;
}

TEST_F(Compare, InterleavedSamplesShowATwentiethBesideNeighbours) {
  for (const auto& [slowdown, verdict] : {std::pair{1.0, Verdict::same}, {1.05, Verdict::slower}}) {
    auto [a, b] = interleaved_records(slowdown, true);
    const Comparison in_turn = compare(write("a", a), write("b", b));
    EXPECT_GE(share(in_turn, verdict), 0.95) << slowdown;
    for (ordered_json& record : b) record["protocol"]["interleaved"] = "sortlab-2";  // another comparison
    EXPECT_LE(share(compare(write("a", a), write("b", b)), Verdict::slower), 0.05) << slowdown;
  }
}

TEST_F(Compare, OnlySamplesOfOneInputBelongTogether) {
  auto [a, b] = interleaved_records(1.05, false);
  for (ordered_json& record : b) {  // each process lost its first sample, and took one more
    std::vector<double> samples = record["samples_s"];
    std::vector<int> inputs = record["inputs"];
    for (std::size_t first = 0; first < samples.size(); first += 20) {
      samples[first] *= 5;
      inputs[first] = 1'000'000 + static_cast<int>(first);
    }
    record = timed_record(record, samples);
    record["inputs"] = inputs;
  }
  const Comparison comparison = compare(write("a", a), write("b", b));
  EXPECT_GE(share(comparison, Verdict::slower), 0.95);
  for (const CellComparison& cell : comparison.cells) EXPECT_NEAR(cell.ratio->value, 1.05, 0.03);
  b.front().erase("inputs");
  EXPECT_THROW(compare(write("a", a), write("b", b)), BadInput);
}

TEST_F(Compare, NamesTheFieldOfABrokenMeasurement) {
  const auto a = write("a", {record(0, {}, {1, 1, 1})});
  const auto complaint = [&](const char* field, const ordered_json& value) -> std::string {
    ordered_json broken = record(0, {}, {1, 1, 1});
    broken[field] = value;
    try {
      compare(a, write("b", {broken}));
    } catch (const BadInput& error) {
      return error.what();
    }
    return "";
  };
  const std::string where = (folder_ / "b.jsonl").string() + ":1: ";
  EXPECT_EQ(complaint("samples_s", {1, -1}), where + "samples_s[1]: must be a finite number above 0");
  EXPECT_EQ(complaint("samples_s", "fast"), where + "samples_s: must be a list, not empty");
  EXPECT_EQ(complaint("processes", {0, 1}), where + "processes: must have a number for each of the 3 samples, not 2");
  EXPECT_EQ(complaint("cell", 7), where + "cell: must be a text like ^[0-9a-f]{16}$");
  EXPECT_EQ(complaint("case", nullptr), where + "case: must be an object");
  EXPECT_THROW(compare(a, write("b", {whole_record("run")})), BadInput);
}

}  // namespace
}  // namespace sortlab
