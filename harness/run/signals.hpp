// Signals that a run answers: those that ask it to end, and the one that it gets when it goes on after a stop.
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
  /// Whether another signal followed: a second request means not to wait.
  bool insists() const;
  /// A file that can be read from the first signal on: what wakes a poll() from any moment.
  int wake() const;
};

/// "SIGTERM"; "signal 99" where it has no name.
std::string name_of_signal(int number);

/// The exit status of a program that such a signal ended, by the shell's convention.
constexpr int status_of_signal(int number) {
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
