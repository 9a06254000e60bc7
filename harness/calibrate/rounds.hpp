// Repetition of micro-benchmarks: each runs once per round, so that a disturbance of a second hits one sample of many
// instead of all samples of one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/probe.hpp"
#include "models/machine_profile.hpp"

namespace sortlab::calibration {

/// One sample of a micro-benchmark, in its table's unit.
struct Sample {
  double value = 0;
  double speed = 1;  ///< share of the processor's full speed during the sample
};

class TimedRounds final : public Rounds {
 public:
  /// Calls `probe` once, and returns its sample with the processor's share of speed.
  using Measure = std::function<Sample(const std::function<double()>& probe)>;

  explicit TimedRounds(Measure measure) : measure_(std::move(measure)) {}

  /// Adds the tables of all probes, with the kinds of the probes.
  template <class Bench>
  void add_all(const std::vector<Probe<Bench>>& probes, std::type_identity_t<Bench>& bench) {
    for (const Probe<Bench>& probe : probes) {
      kind_ = probe.kind;
      probe.add(*this, bench);
    }
  }

  void declare(const std::string& table, std::string unit, std::string source,
               std::vector<std::string> arguments) override;
  void add(const std::string& table, std::vector<double> at, std::function<double()> sample) override;

  /// Measures every point `rounds` times, after one round that is discarded. Then repeats the points whose interval is
  /// wider than a tenth, until `seconds` have passed in total. `progress` receives the share done.
  void run(int rounds, double seconds, const std::function<void(double)>& progress);

  /// Writes medians with their 95 % intervals, from the samples that count.
  void write_to(std::map<std::string, ProfileTable, std::less<>>& tables) const;

 private:
  struct Point {
    std::string table;
    std::vector<double> at;
    std::function<double()> sample;
    std::vector<Sample> samples;
  };
  Measure measure_;
  std::map<std::string, ProfileTable, std::less<>> declared_;
  std::vector<Point> points_;
  TableKind kind_ = TableKind::hardware;
};

/// The measurement of host probes: waits for free cores, for up to 10 s in total, and returns the share of speed.
TimedRounds::Measure on_free_cores();

}  // namespace sortlab::calibration
