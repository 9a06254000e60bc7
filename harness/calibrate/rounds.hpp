// Repetition of micro-benchmarks: each runs once per round, so that a disturbance of a second hits one sample of many
// instead of all samples of one.
#pragma once

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
  using Measure = std::function<ProbeReading(const std::function<double()>& probe)>;
  /// Seconds since a fixed moment.
  using Clock = std::function<double()>;

  explicit TimedRounds(Measure measure, Clock clock = steady_seconds)
      : measure_(std::move(measure)), clock_(std::move(clock)) {}

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

  /// Measures every point in rounds, after a first pass whose samples are discarded. Then repeats the points whose
  /// interval is wider than a tenth. The limit bounds the first pass, too: of the points of 1 thread and of all threads
  /// it takes each table's ends before its middle, and leaves out those that it does not reach in time. Further thread
  /// counts are measured in the order 2, 4, 8 … as far as all rounds of them fit. Even beyond the limit every point
  /// that was reached has a sample: that of the first pass, where there was no time for another. `progress` receives
  /// the share done and an upper bound of the seconds left. Throws std::runtime_error if the time does not suffice for
  /// a single point.
  void run(const Extent& extent, const std::function<void(double share, double left_s)>& progress);

  /// The sample of the first of these points of a table that was measured; nullopt if none was.
  std::optional<std::function<double()>> find_sample(const std::string& table,
                                                     const std::vector<std::vector<double>>& points) const;
  const std::string& unit(const std::string& table) const { return declared_.at(table).unit; }

  /// Names the thread counts, points of tables and rounds that the limit left out. Empty if nothing.
  std::vector<std::string> cuts() const;

  /// Writes medians with their 95 % intervals, from the samples that count. A table's source says how many of its
  /// points were left out, if any; a table without points is not written.
  void write_to(std::map<std::string, ProfileTable, std::less<>>& tables) const;

 private:
  struct Point {
    std::string table;
    std::vector<double> at;
    std::function<double()> sample;
    std::vector<ProbeReading> samples;
    bool is_warm = false;                ///< was run in this process
    std::optional<FirstSample> first{};  ///< sample of the first pass, once the point is reached
  };
  static double steady_seconds();
  double threads_at(const Point& point) const;
  /// Thread counts in the order in which they are tried: 1, all, 2, 4 …
  std::vector<double> thread_counts() const;
  /// Points with this number of threads: those of all tables in turn, each table's ends before its middle.
  std::vector<Point*> points_in_turn(double threads);
  /// Runs each point once, and drops those for which there is no time.
  void choose_points(const Extent& extent, const std::function<void()>& tell);
  /// Runs the points with this number of threads once, before `end_s`, and as long as `fits` holds for the seconds that
  /// they took. Returns these seconds, or nullopt if it ended early.
  std::optional<double> pass(double threads, double end_s, const std::function<bool(double)>& fits,
                             const std::function<void()>& tell);
  /// Drops points with other thread counts, and those that the first pass did not reach.
  void keep_only(const std::vector<double>& threads);
  void measure_rounds(const Extent& extent, const std::function<void(double share, double end_s)>& tell);
  void take(Point& point);
  double passed_s() const;

  Measure measure_;
  Clock clock_;
  Journal* journal_ = nullptr;
  double begun_s_ = 0;
  std::map<std::string, ProfileTable, std::less<>> declared_;
  std::vector<Point> points_;
  std::map<std::string, std::size_t> added_;      ///< points of each table before any was left out
  std::map<std::string, std::size_t> unreached_;  ///< points that the first pass did not reach
  std::vector<double> counts_;                    ///< thread counts before any was left out
  int rounds_ = 0;                                ///< rounds that were asked for
  TableKind kind_ = TableKind::hardware;
};

/// The measurement of host probes: waits for free cores, for up to 10 s in total, and returns the share of speed.
TimedRounds::Measure on_free_cores();

}  // namespace sortlab::calibration
