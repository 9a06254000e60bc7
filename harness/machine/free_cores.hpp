// Test if the cores are free. A neighbour's process, on our machine or in another virtual machine of the host, can
// halve the speed of two threads, and the times themselves do not show it.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

namespace sortlab {

/// Rates in additions per second.
struct AdditionRates {
  double chained = 0;      ///< dependent additions (see clock.hpp): the clock, and the available share of it
  double independent = 0;  ///< independent additions: fewer beside a second thread on the same core
};

/// The slowest rates of pinned loops that run on all `cpus` at once, for about 8 ms (longer than a scheduler's slice).
AdditionRates side_by_side(const std::vector<int>& cpus);

/// The test that a worker makes before and after samples. It waits for free cores for a bounded time.
class FreeCores {
 public:
  /// Minimum share of free cores. A neighbour takes at least half of a core; the test itself varies by 3 %.
  static constexpr double kFree = 0.9;

  explicit FreeCores(std::chrono::duration<double> patience = std::chrono::seconds{2}) : patience_(patience) {}

  /// The share of full speed that `cpus` reach. For several processors: side by side, now or within the last half
  /// second, compared with a core alone and with the highest rate of these processors before (two of them may be
  /// threads of one core). For one processor, to which the caller is bound: share_of_this_one(). If they are not free,
  /// it tries again until they are, or until the total patience of all calls is spent.
  double share(const std::vector<int>& cpus);

  /// The rate of independent additions on the caller's processor over the last 0.1 ms, as a share of the highest that
  /// this process has seen. A neighbour on the same core, which our process list does not show, takes half of them.
  double share_of_this_one();

  /// Total seconds that all calls have waited for free cores.
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
