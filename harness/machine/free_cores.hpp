// Are the cores really free? A neighbour's process, on our machine or in another virtual machine of the host, can halve
// the speed of two threads, and nothing in the times themselves shows it.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

namespace sortlab {

/// Additions a second.
struct AdditionRates {
  double chained = 0;      ///< dependent ones (see clock.hpp): the clock, and the share of it available
  double independent = 0;  ///< independent ones: fewer beside a second thread on the same core
};

/// Of pinned loops, one on each of `cpus`, side by side for about 8 ms (longer than a scheduler's slice): the
/// slowest's.
AdditionRates side_by_side(const std::vector<int>& cpus);

/// The test that a worker makes before and after samples. Its waiting for cores is bounded.
class FreeCores {
 public:
  /// Below this share the cores are not free. A neighbour takes half or more of a core; the test itself varies by 3 %.
  static constexpr double kFree = 0.9;

  explicit FreeCores(std::chrono::duration<double> patience = std::chrono::seconds{2}) : patience_(patience) {}

  /// The share found for `cpus`: of several side by side, now or within the last half second, against a core alone and
  /// against the most that these reached before (two of them may be threads of one core); of one, to which the caller
  /// is bound, by share_of_this_one(). If they are not free it tries again until they are, or until the patience shared
  /// by all calls is spent.
  double share(const std::vector<int>& cpus);

  /// The caller's processor over the last 0.1 ms, against the most independent additions that this process saw: a
  /// neighbour on the same core, which no process list of ours shows, takes half of them.
  double share_of_this_one();

  /// How long all calls together waited for cores that were not free, in seconds.
  double waited_s() const { return waited_.count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double test(const std::vector<int>& cpus);

  std::chrono::duration<double> patience_;
  std::chrono::duration<double> waited_{0};
  std::vector<int> tested_;
  Clock::time_point when_{};
  double share_ = 1;
};

}  // namespace sortlab
