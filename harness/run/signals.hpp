// The signals that a run handles: requests to end, and SIGCONT after a stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace sortlab {

/// Catches requests to end during its lifetime, except signals that the program was started to ignore (by nohup, say):
/// those of stops_of_the_supervisor(), and SIGXCPU. Only one may exist at a time.
class StopSignals {
 public:
  /// Until hold(), a signal ends the program at once, with exit status 128 + signal and one line:
  /// "sortlab: stopped by SIGINT: KEPT".
  explicit StopSignals(const std::string& kept);
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  /// From now on a signal is only noted; the program polls caught().
  void hold();
  /// The first signal since hold(), or 0.
  int caught() const;
  /// True if another signal followed. A second request asks to end without further waiting.
  bool insists() const;
  /// A file descriptor that becomes readable at the first signal and stays readable, to wake a poll().
  int wake() const;
};

/// Signals that end a run and that its workers ignore, since they may be sent to all processes of a group: those by
/// which users and batch systems ask a program to end (SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 and the
/// real-time signals), ends of time limits (SIGALRM, SIGVTALRM, SIGPROF), SIGSTKFLT and SIGSYS. Not SIGXCPU, by which
/// the system tells a worker that its own processor time is over.
std::vector<int> stops_of_the_supervisor();

/// Ignores SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT and SIGPIPE where another process sent them: only those
/// that the program itself raises end it. A crash is then the sort's. Handlers that stand already, such as a
/// sanitizer's, stay.
void ignore_faults_from_outside();

/// Name of a signal: "SIGTERM", "SIGRTMIN+2", or "signal 99" if it has none.
std::string signal_name(int number);

/// Exit status of a program that a signal ended, by the shell's convention.
constexpr int signal_exit_status(int number) {
  return 128 + number;
}

/// Counts how often this process continues after a stop (SIGCONT) during its lifetime. Only one may exist at a time.
class Continuations {
 public:
  Continuations();
  Continuations(const Continuations&) = delete;
  Continuations& operator=(const Continuations&) = delete;
  ~Continuations();

  std::uint32_t count() const;
};

}  // namespace sortlab
