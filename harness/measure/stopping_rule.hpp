// The rules that decide when a cell has enough samples of one process, and enough samples at all.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "harness/cell/protocol.hpp"
#include "harness/cell/timed_sample.hpp"

namespace sortlab {

/// One of the worker processes in which a cell takes samples, one after the other.
struct Turn {
  int number = 0;                  ///< from 0
  std::size_t samples_before = 0;  ///< samples of earlier processes
};

/// True if a cell's turn is over: it has taken at least one sample in it, and it has its share of the samples or has
/// spent its share of the budget. A process's share is one of Protocol::least_processes(); where these have taken their
/// shares, further processes take what is left. Disturbed samples count half where an exact number is asked for.
/// `samples`: those of all turns; `spent_s`: wall seconds of all turns.
bool is_turn_over(const Protocol& protocol, const Turn& turn, std::span<const TimedSample> samples, double spent_s);

/// A run's samples so far: those that count, and the process that took each of them.
struct SamplesByProcess {
  std::span<const double> seconds;
  std::span<const int> processes;
};

/// The reason to stop after a number of turns, or nullopt for another one. `taken`: samples, those that do not count
/// among them.
std::optional<StopReason> why_stop(const Protocol& protocol, int turns, const SamplesByProcess& samples,
                                   std::size_t taken, double spent_s);

}  // namespace sortlab
