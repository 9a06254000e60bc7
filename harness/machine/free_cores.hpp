// Test if the cores are free. A neighbour's process, on our machine or in another virtual machine of the host, can
// halve the speed of two threads, and the times themselves do not show it.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "core/raw_clock.hpp"

namespace sortlab {

/// Rates in additions per second.
struct AdditionRates {
  double chained = 0;      ///< dependent additions (see clock.hpp): the clock, and the available share of it
  double independent = 0;  ///< independent additions: fewer beside a second thread on the same core
};

/// The slowest rates of pinned loops that run on all `cpus` at once, for about 8 ms (longer than a scheduler's slice).
AdditionRates side_by_side(const std::vector<int>& cpus);

/// The test that a worker makes before and after samples. Its waiting for cores is bounded.
///
/// The additions that a core makes in a cycle when it is alone (the rate of independent ones over that of dependent
/// ones) are a property of the machine, whatever the clock. The highest value seen here is kept in the machine's folder
/// of results, so that a process that never had a core to itself does not take half of one for the whole.
class FreeCores {
 public:
  /// Minimum share of free cores. A neighbour takes at least half of a core; the test itself varies by 3 %.
  static constexpr double kFree = 0.9;

  /// `patience`: time that the first calls together may wait for free cores. It grows by a tenth of the time since,
  /// so that a run on a host that is never quiet takes little longer, and one with a busy minute waits for its end.
  explicit FreeCores(std::chrono::duration<double> patience = std::chrono::milliseconds{500}) : patience_(patience) {}

  /// Waits for free cores as long as it takes, up to an hour in all.
  void wait_for_quiet() { patience_ = std::chrono::hours{1}; }

  /// The share found for `cpus`: of several side by side, now or within the last half second, against a core alone; of
  /// one, to which the caller is bound, by share_of_this_one(). If they are not free it tries again until they are, or
  /// until the patience that all calls share is spent.
  double share(const std::vector<int>& cpus);

  /// The caller's processor over the last 0.1 ms, against the machine's additions a cycle: a neighbour on the same
  /// core, which no process list of ours shows, takes half of them.
  static double share_of_this_one();

  /// True if the processors last tested side by side slowed each other although each is free: they are threads of one
  /// core. That is no disturbance, but another machine, so to speak.
  bool shares_core() const { return shares_core_; }

  /// Seconds that all calls together waited for cores that were not free.
  double waited_s() const { return waited_.count(); }

 private:
  double test(const std::vector<int>& cpus);
  std::chrono::duration<double> patience_left() const;

  std::chrono::duration<double> patience_;
  RawClock::time_point since_ = RawClock::now();
  std::chrono::duration<double> waited_{0};
  std::vector<int> tested_;
  RawClock::time_point when_{};
  double share_ = 1;
  bool shares_core_ = false;
};

}  // namespace sortlab
