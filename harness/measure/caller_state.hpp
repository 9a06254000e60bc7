// State of the calling thread and its process that a sort must leave as it found it, since every later sort runs with
// it.
#pragma once

#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sortlab {

class CallerState {
 public:
  /// Takes a few microseconds.
  static CallerState now();

  /// The part of the state that has changed since, in words, or nothing. Processors that the system took away, as where
  /// a cpuset became narrower, are no change of the sort's: the thread cannot have them back.
  std::optional<std::string> changed() const;

  /// Processors that the calling thread was allowed.
  const std::vector<int>& cpus() const { return cpus_; }

 private:
  std::vector<int> cpus_;             ///< allowed processors
  std::uint64_t floating_point_ = 0;  ///< rounding, flushing and masks of exceptions
  sigset_t blocked_signals_{};
  std::array<void (*)(int), 2> handlers_{};  ///< handlers of SIGSEGV and SIGBUS
  bool has_timer_ = false;
  std::string posix_timers_;
  int nice_ = 0;
  int scheduling_ = 0;                         ///< policy
  std::array<rlim_t, RLIM_NLIMITS> limits_{};  ///< soft limits of resources
};

}  // namespace sortlab
