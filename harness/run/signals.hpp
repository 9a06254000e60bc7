// Signals that a run handles: those that ask it to end, and SIGCONT after a stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace sortlab {

/// Catches SIGTERM, SIGINT, SIGHUP and SIGQUIT while it lives, except those that the program was started to ignore (by
/// nohup, say). One at a time.
class StopSignals {
 public:
  /// Until hold(), a signal ends the program at once, with status 128 + signal and one line:
  /// "sortlab: stopped by SIGINT: KEPT".
  explicit StopSignals(const std::string& kept);
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  /// From now on a signal is only noted; code at work polls caught().
  void hold();
  /// The first signal since hold(), or 0.
  int caught() const;
  /// Whether another signal followed: a second request means no more waiting.
  bool insists() const;
  /// A file descriptor that becomes readable at the first signal and stays so: it wakes a poll() at any time.
  int wake() const;
};

/// "SIGTERM"; "signal 99" where it has no name.
std::string signal_name(int number);

/// The exit status of a program that such a signal ended, by the shell's convention.
constexpr int signal_exit_status(int number) {
  return 128 + number;
}

/// Counts how often this process continued after a stop (SIGCONT), while it lives. One at a time.
class Continuations {
 public:
  Continuations();
  Continuations(const Continuations&) = delete;
  Continuations& operator=(const Continuations&) = delete;
  ~Continuations();

  std::uint32_t count() const;
};

}  // namespace sortlab
