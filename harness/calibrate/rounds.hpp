// How micro-benchmarks are repeated: all of them once a round, round after round, so that a disturbance of a second
// falls on one sample of each and not on all samples of one.
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
  double speed = 1;  ///< share of its full speed that the processor reached meanwhile
};

class TimedRounds final : public Rounds {
 public:
  /// Calls `probe` once, and returns how free the processor was.
  using Measure = std::function<Sample(const std::function<double()>& probe)>;

  explicit TimedRounds(Measure measure) : measure_(std::move(measure)) {}

  /// Adds the tables of all probes, with the probe's kind.
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

  /// Measures everything `rounds` times, after one round that is thrown away; then, until `seconds` have passed in all,
  /// the points again whose interval is still wider than a tenth. `progress` receives the share done.
  void run(int rounds, double seconds, const std::function<void(double)>& progress);

  /// Medians with their 95 % intervals, of the samples that count.
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

/// For probes of the host: waits for its cores to be free, for 10 s in all, and returns how free they were.
TimedRounds::Measure on_free_cores();

}  // namespace sortlab::calibration
