// Repetition of micro-benchmarks: each runs once per round, so that a disturbance of a second hits one sample of many
// instead of all samples of one.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/probe.hpp"
#include "harness/calibrate/journal.hpp"
#include "models/machine_profile.hpp"

namespace sortlab::calibration {

/// Extent of the measurements, in rounds and in seconds from the call of run() on.
struct Extent {
  int rounds = 6;       ///< the fewest that give a 95 % interval
  double repeat_s = 0;  ///< until then, points with a wide interval are measured again
  double limit_s = std::numeric_limits<double>::infinity();  ///< then it ends, with fewer rounds
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

  /// Keeps each sample, and uses those that are kept there already. The journal outlives the rounds.
  void keep_in(Journal& journal) { journal_ = &journal; }

  /// Measures every point in rounds, after one that is discarded. Then repeats the points whose interval is wider than
  /// a tenth. If the rounds would take longer than the limit, fewer thread counts are measured: always 1 and the most,
  /// then 2, 4, 8 … as far as time allows. Even beyond the limit every point that is kept has a sample. `progress`
  /// receives the share done and an upper bound of the seconds left.
  void run(const Extent& extent, const std::function<void(double share, double left_s)>& progress);

  /// Writes medians with their 95 % intervals, from the samples that count.
  void write_to(std::map<std::string, ProfileTable, std::less<>>& tables) const;

 private:
  struct Point {
    std::string table;
    std::vector<double> at;
    std::function<double()> sample;
    std::vector<Sample> samples;
    bool is_warm = false;           ///< was run in this process
    std::optional<Sample> first{};  ///< sample of the discarded round, which counts where there is no time for another
  };
  double threads_at(const Point& point) const;
  /// Runs each point once, in order of thread counts, and drops those for which there is no time.
  void choose_points(const Extent& extent, const std::function<void()>& tell);
  void take(Point& point);
  double passed_s() const;

  Measure measure_;
  Journal* journal_ = nullptr;
  std::chrono::steady_clock::time_point begun_{};
  std::map<std::string, ProfileTable, std::less<>> declared_;
  std::vector<Point> points_;
  TableKind kind_ = TableKind::hardware;
};

/// The measurement of host probes: waits for free cores, for up to 10 s in total, and returns the share of speed.
TimedRounds::Measure on_free_cores();

}  // namespace sortlab::calibration
