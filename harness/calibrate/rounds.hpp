// How micro-benchmarks are repeated: all of them once a round, round after round, so that a disturbance of a second
// falls on one sample of each and not on all samples of one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/machine_profile.hpp"

namespace sortlab::calibration {

/// Runs body(thread) on `threads` threads of their own, pinned to the processors this process may use, all starting
/// together once each has done before(thread), if given. Returns seconds from the first begin to the last end.
double timed(int threads, const std::function<void(int thread)>& body,
             const std::function<void(int thread)>& before = {});

/// As timed(), of work that threads take piece by piece: the seconds in which all together would do as much, were those
/// that are done to take over from those that are not (the harmonic mean of their times). Of 16 processors some share
/// their cores with others' work: the slowest takes twice as long as most.
double timed_by_pieces(int threads, const std::function<void(int thread)>& body,
                       const std::function<void(int thread)>& before = {});

/// The processors this process may use, by number.
const std::vector<int>& processors();

/// One sample of a micro-benchmark, in its table's unit.
struct Sample {
  double value = 0;
  double speed = 1;  ///< share of its own speed at which the processor worked meanwhile: what disturbs it, tells
};

class Rounds {
 public:
  /// Calls `probe` once, and tells how free the processor was.
  using Measure = std::function<Sample(const std::function<double()>& probe)>;

  explicit Rounds(Measure measure) : measure_(std::move(measure)) {}

  void declare(const std::string& table, std::string unit, std::string source, std::vector<std::string> arguments);

  /// One point of a declared table: `sample` measures it once and returns it in the table's unit.
  void add(const std::string& table, std::vector<double> at, std::function<double()> sample);

  /// Measures everything `rounds` times, after one round that is thrown away; then, until `seconds` have passed in all,
  /// the points again whose interval is still wider than a tenth. `progress` is told the share done.
  void run(int rounds, double seconds, const std::function<void(double)>& progress);

  /// Medians with their 95 % intervals, of the samples that count.
  void write_to(std::map<std::string, ProfileTable, std::less<>>& tables) const;

 private:
  struct Probe {
    std::string table;
    std::vector<double> at;
    std::function<double()> sample;
    std::vector<Sample> samples;
  };
  Measure measure_;
  std::map<std::string, ProfileTable, std::less<>> declared_;
  std::vector<Probe> probes_;
};

/// For probes of the host: waits for its cores to be free, for 10 s in all, and tells how free they were.
Rounds::Measure on_free_cores();

}  // namespace sortlab::calibration
