// Are the cores really free? A neighbour's process, in our machine or in another on the same host, makes two threads
// look like one, and nothing in the times themselves tells.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

namespace sortlab {

/// Pinned loops of dependent additions, one on each of `cpus`, side by side for about 8 ms (longer than a scheduler's
/// slice). Returns the slowest one's share of `speed` (additions per second of a core alone), about 1 if all are free.
double side_by_side_share(const std::vector<int>& cpus, double speed);

/// The test as a worker uses it, before and after samples. It waits for the cores for a bounded time only.
class FreeCores {
 public:
  /// Below this share the cores are not free. A neighbour takes half or more of a core; the test alone scatters by 3 %.
  static constexpr double kFree = 0.9;

  explicit FreeCores(std::chrono::duration<double> patience = std::chrono::seconds{2}) : patience_(patience) {}

  /// The share found for `cpus`: of several side by side, now or within the last half second; of one, to which the
  /// caller is bound, by share_of_this_one(). If they are not free it tries again until they are or the patience of all
  /// calls together ends.
  double share(const std::vector<int>& cpus);

  /// The caller's processor over the last 0.15 ms, against the fastest chain of additions that this process saw: a
  /// neighbour on the same core, which no process list of ours shows, slows it.
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
